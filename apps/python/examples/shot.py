#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A shot over a layered medium: a source near the surface, a line of receivers, and the echoes of
the layers. Draws the model, the wave on its way, and what the receivers see, with matplotlib where
there is one; --npz keeps these numbers."""
import argparse

import numpy as np
import zoid

DX, DT = 10.0, 0.001  # metres, seconds
NX, NZ = 400, 300
STEPS, HALFWAY = 2400, 850
DEPTH, FREQUENCY = 80.0, 12.0  # of source and receivers, in metres; in Hz


def model():
    """Speeds of the layers, in metres a second; the second interface dips."""
    z, x = np.mgrid[:NZ, :NX]
    speed = np.full((NZ, NX), 1500.0)
    speed[z > 90] = 2000
    speed[z > 150 + x / 10] = 3000
    return speed.astype("f4")


def shoot(speed):
    """The wave halfway, and the traces; it leaves at all boundaries but the surface."""
    source = zoid.Source((NX * DX / 2, DEPTH), ricker=FREQUENCY, physical=True)
    settings = {"velocity": speed, "dx": DX, "dt": DT, "radius": 4, "init": "zero",
                "boundary": "pml,y-=free", "source": source, "receivers": f"y={DEPTH}m"}
    with zoid.Run("wave", STEPS, **settings) as run:
        run.advance(HALFWAY)
        wave = run["u"]
        run.advance(progress=lambda done: print(f"\r{done:4.0%}", end="", flush=True))
        print("\r", run.report["gups"], "GUP/s")
        return wave, run.record


def draw(speed, wave, traces, path):
    from matplotlib import pyplot

    figure, (left, middle, right) = pyplot.subplots(1, 3, figsize=(15, 4.5), layout="tight")
    extent = (0, NX * DX, NZ * DX, 0)
    pyplot.colorbar(left.imshow(speed, extent=extent), label="m/s")
    left.set(title="model", xlabel="x [m]", ylabel="depth [m]")
    clip = np.percentile(np.abs(wave), 99)
    middle.imshow(wave, "seismic", extent=extent, vmin=-clip, vmax=clip)
    middle.set(title=f"wave after {HALFWAY * DT:.2f} s", xlabel="x [m]")
    clip = np.percentile(np.abs(traces), 97)
    first = (NX - traces.shape[1]) / 2 * DX  # those at the boundaries do not change
    right.imshow(traces, "gray", extent=(first, NX * DX - first, STEPS * DT, 0), aspect="auto",
                 vmin=-clip, vmax=clip)
    right.set(title="traces", xlabel="receiver [m]", ylabel="time [s]")
    figure.savefig(path, dpi=80)
    print("drawn:", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--png", default="shot.png", help="the picture [shot.png]")
    parser.add_argument("--npz", help="a file for model, wave and traces")
    options = parser.parse_args()
    speed = model()
    wave, traces = shoot(speed)
    if options.npz:
        np.savez(options.npz, speed=speed, wave=wave, traces=traces)
    try:
        draw(speed, wave, traces, options.png)
    except ImportError:
        print("no picture: there is no matplotlib; install python3-matplotlib, or give --npz")


if __name__ == "__main__":
    main()
