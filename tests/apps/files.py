# SPDX-License-Identifier: BSD-3-Clause
"""usage: files.py ZOID-WAVE KIND...
What NumPy, and where it is h5py, write goes into runs, and what runs write they read."""
import subprocess
import sys

import numpy as np

try:
    import h5py
except ImportError:
    h5py = None
    print("no h5py here: what it writes and reads is not tested; see scripts/setup")

wave, kinds = sys.argv[1], sys.argv[2:]
shape = (7, 5, 12)
random = np.random.default_rng(1)
u = random.standard_normal(shape)


def run(*options):
    subprocess.run([wave, "--size", "12x5x7", "--quiet", *options], check=True)


def same(got, wanted, what):
    if not np.array_equal(np.asarray(got), wanted):
        sys.exit(f"{what}: other values")


def step(u, before, v2):
    """One step of radius 1, in the order of docs/operators.md, but with a rounded product."""
    inner = (slice(1, -1),) * 3
    acc = -6 * u[inner]
    for axis in (2, 1, 0):
        low, high = [slice(1, -1)] * 3, [slice(1, -1)] * 3
        low[axis], high[axis] = slice(0, -2), slice(2, None)
        acc = acc + (u[tuple(low)] + u[tuple(high)])
    after = before.copy()
    after[inner] = (u[inner] + u[inner] - before[inner]) + v2[inner] * acc
    return after


for kind in ("<f4", ">f4", "<f8", ">f8"):
    np.save("in.npy", u.astype(kind))
    for out in ("f32", "f64"):
        run("--init", "u=in.npy", "--steps", "0", "--type", out, "--dump", "out.npy")
        got = np.load("out.npy")
        assert got.shape == (2,) + shape and got.dtype == np.dtype(out.replace("f", "f").replace(
            "f32", "<f4").replace("f64", "<f8"))
        same(got[0], u.astype(kind).astype(got.dtype), f"{kind} as {out}")

v2 = random.uniform(0.01, 0.1, shape)
np.save("v2.npy", v2)
np.save("u.npy", u)
run("--init", "u=u.npy", "--coefficient", "v2=v2.npy", "--type", "f64", "--steps", "1",
    "--dump", "out.npy")
got = np.load("out.npy")
wanted = u.copy()
wanted[1:-1, 1:-1, 1:-1] = step(u, u, v2)[1:-1, 1:-1, 1:-1]
if np.abs(got[0] - wanted).max() > 1e-14:
    sys.exit("a step over a medium from a file: other values")

if h5py and "h5" in kinds:
    chunks = {"chunks": (3, 2, 5), "compression": "gzip", "shuffle": True}
    with h5py.File("in.h5", "w") as f:
        f["plain"] = u
        f.create_dataset("a/packed", data=u.astype(">f4"), **chunks)
    for name, kind in (("plain", "f8"), ("a/packed", "f4")):
        run("--init", f"u=in.h5:{name}", "--steps", "3", "--type", "f64", "--coefficient",
            "v2=v2.npy", "--dump", "a.npy")
        np.save("in.npy", u.astype(kind))
        run("--init", "u=in.npy", "--steps", "3", "--type", "f64", "--coefficient", "v2=v2.npy",
            "--dump", "out.h5")
        with h5py.File("out.h5") as f:
            same(f["u"], np.load("a.npy")[0], name)
            same(f["u_before"], np.load("a.npy")[1], name)
            assert f.attrs["step"] == 3 and f.attrs["time"] == 3 and f.attrs["dx"] == 1
            assert f.attrs["dt"] == 1 and f.attrs["operator"] == "wave3d_r1_f64"
            assert [d.label or d.keys()[0] for d in f["u"].dims] == ["z", "y", "x"]
            same(f["x"], np.arange(12.0), "x")
    run("--velocity", "1", "--dx", "2.5", "--dt", "0.5", "--steps", "4", "--dump", "out.h5")
    with h5py.File("out.h5") as f:
        assert f.attrs["time"] == 2 and f.attrs["dx"] == 2.5 and f.attrs["dt"] == 0.5
        same(f["z"], np.arange(7) * 2.5, "z")

    shot = ("--init", "zero", "--source", "5,2,3:ricker:0.1", "--receivers", "z=3", "--receivers",
            "4.5,3,2.25", "--steps", "6", "--velocity", "1", "--dx", "2.5", "--dt", "0.5")
    run(*shot, "--record", "seen.npy")
    run(*shot, "--record", "seen.h5")
    with h5py.File("seen.h5") as f:
        same(f["record"], np.load("seen.npy"), "record")
        same(f["time"], np.arange(7) * 0.5, "time")
        same(f["places"][-1], [4.5, 3, 2.25], "places")
        assert f["places"].shape == (f["record"].shape[1], 3) and f.attrs["step"] == 6
