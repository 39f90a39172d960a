# SPDX-License-Identifier: BSD-3-Clause
"""usage: segy.py ZOID-WAVE FOLDER
Models in SEG-Y as NumPy makes them give the runs of the same models in .npy; records in SEG-Y and
HDF5 have the numbers of those in .npy. Leaves FOLDER/whole.sgy."""
import os
import subprocess
import sys

import numpy as np

wave, folder = sys.argv[1:]
os.chdir(folder)


def run(*options):
    subprocess.run([wave, "--quiet", *options], check=True)


def ibm(values):
    """IBM's floats: a sign, a power of 16 and 24 bits of a fraction; of numbers that it has."""
    words = np.zeros(values.shape, ">u4")
    for i, value in np.ndenumerate(values):
        exponent, fraction = 64, abs(value)
        while fraction >= 1:
            fraction, exponent = fraction / 16, exponent + 1
        while 0 < fraction < 1 / 16:
            fraction, exponent = fraction * 16, exponent - 1
        if fraction:
            words[i] = (value < 0) << 31 | exponent << 24 | int(fraction * 2**24)
    return words


def write(path, model, kind):
    """A model (z, y, x): a trace for each column."""
    columns = model.reshape(model.shape[0], -1).T
    binary = np.zeros(200, ">i2")
    binary[10], binary[12] = columns.shape[1], {"ibm": 1, "ieee": 5}[kind]
    with open(path, "wb") as file:
        file.write(b"\x40" * 3200 + binary.tobytes())
        for column in columns:
            header = np.zeros(120, ">i2")
            header[57] = columns.shape[1]
            file.write(header.tobytes())
            file.write((ibm(column) if kind == "ibm" else column.astype(">f4")).tobytes())


def read(path):
    """Traces of IEEE floats, and their headers."""
    with open(path, "rb") as file:
        data = file.read()
    samples, kind = (int.from_bytes(data[at:at + 2], "big") for at in (3220, 3224))
    assert kind == 5, kind
    traces = np.frombuffer(data, np.dtype([("h", ">i2", 120), ("v", ">f4", samples)]), offset=3600)
    return traces["v"], traces["h"]


random = np.random.default_rng(1)
for shape in ((7, 5, 9), (6, 8), (11,)):
    size = "x".join(map(str, shape[::-1]))
    options = ("--size", size, "--dims", str(len(shape)), "--steps", "5", "--init", "gaussian:2")
    model = random.integers(1, 64, shape).astype("f4") / 1024
    np.save("model.npy", model)
    run(*options, "--coefficient", "v2=model.npy", "--dump", "wanted.npy")
    for kind in ("ieee", "ibm"):
        write("whole.sgy", model, kind)
        run(*options, "--coefficient", "v2=whole.sgy", "--dump", "got.npy")
        assert np.array_equal(np.load("got.npy"), np.load("wanted.npy")), (shape, kind)
        run(*options, "--coefficient", "v2=whole.sgy", "--type", "f64", "--method", "naive")
    if len(shape) == 3:
        os.rename("whole.sgy", "kept.sgy")
os.rename("kept.sgy", "whole.sgy")

shot = ("--size", "12x9x11", "--velocity", "1500", "--dx", "10", "--dt", "0.002", "--init", "zero",
        "--source", "5,4,5:ricker:0.1", "--receivers", "z=3:2", "--receivers", "4.5,3,2.25",
        "--steps", "14")
run(*shot, "--record", "shot.npy")
wanted = np.load("shot.npy")
for path in ("shot.sgy", "shot.segy"):
    run(*shot, "--record", path)
    values, headers = read(path)
    assert np.array_equal(values, wanted.T)
    words = headers.view(">i4")
    assert list(headers[-1][[57, 58, 34, 35]]) == [15, 2000, -100, -100]
    assert list(words[-1][[0, 10, 20, 21]]) == [wanted.shape[1], -2250, 4500, 3000], words[-1]
    # The source is at 50, 40 and 50 deep, and this far from the first receiver, which is at 10, 10.
    assert list(words[0][[12, 18, 19, 9]]) == [5000, 5000, 4000, 50], words[0]
run(*shot, "--source", "6,4,5:ricker:0.1", "--record", "two.sgy")
assert not read("two.sgy")[1].view(">i4")[:, [9, 12, 18, 19]].any()
run(*shot, "--type", "f64", "--record", "shot.sgy")
run(*shot, "--type", "f64", "--record", "wide.npy")
assert np.array_equal(read("shot.sgy")[0], np.load("wide.npy").T.astype("f4"))
