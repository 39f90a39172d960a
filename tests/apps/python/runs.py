# SPDX-License-Identifier: BSD-3-Clause
"""Runs from NumPy's arrays: the bytes of loops written here, and of the programs."""
import os
import subprocess
import tempfile
import unittest

import numpy as np
import zoid

HDF5 = "h5" in os.environ["ZOID_KINDS"]


def star(u):
    """The sum of second differences, of what is not in the outermost layer."""
    inner = (slice(1, -1),) * u.ndim
    acc = -2 * u.ndim * u[inner]
    for axis in range(u.ndim):
        low, high = list(inner), list(inner)
        low[axis], high[axis] = slice(0, -2), slice(2, None)
        acc = acc + (u[tuple(low)] + u[tuple(high)])
    return acc


def heat(u, steps, factor):
    inner = (slice(1, -1),) * u.ndim
    for _ in range(steps):
        u = u.copy()
        u[inner] = u[inner] + factor * star(u)
    return u


def wave(u, v2, steps):
    inner = (slice(1, -1),) * u.ndim
    before = u
    for _ in range(steps):
        after = before.copy()
        after[inner] = (u[inner] + u[inner] - before[inner]) + v2[inner] * star(u)
        before, u = u, after
    return u, before


def life(alive):
    around = sum(np.roll(np.pad(alive, 1), (i, j, k), (0, 1, 2))[1:-1, 1:-1, 1:-1]
                 for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)) - alive
    after = alive.copy()
    after[(alive == 1) & ((around <= 1) | (around >= 8))] = 0
    after[(alive == 0) & (around == 5)] = 1
    inner = (slice(1, -1),) * 3
    after_inner = after[inner]
    after = alive.copy()
    after[inner] = after_inner
    return after


class Bytes(unittest.TestCase):
    """Where every intermediate value is exact, the loops here round as little as fma does."""

    def same(self, got, wanted):
        self.assertEqual(got.dtype, wanted.dtype)
        self.assertEqual(got.shape, wanted.shape)
        self.assertEqual(got.tobytes(), np.ascontiguousarray(wanted).tobytes())

    def test_heat(self):
        random = np.random.default_rng(1)
        for shape in ((7,), (1,), (13, 8), (5, 9, 4), (1, 1, 1), (3, 40, 2)):
            for kind, name in (("f4", "f32"), ("f8", "f64")):
                u = random.integers(0, 8, shape).astype(kind)
                result = zoid.run("heat", 5, init={"u": u}, lambda_=0.125, type=name,
                                  dims=len(shape))
                self.same(result["u"], heat(u, 5, np.dtype(kind).type(0.125)))
                self.assertEqual(result.steps, 5)

    def test_wave_over_a_medium(self):
        random = np.random.default_rng(2)
        u = random.integers(-4, 4, (9, 11, 7)).astype("f8")
        v2 = random.choice([0.0625, 0.125, 0.25], u.shape)
        for settings in ({}, {"method": "trapezoid", "depth": 3}, {"cells": (2, 1, 2)},
                         {"block": 100}):
            result = zoid.run("wave", 6, type="f64", init={"u": u}, coefficient={"v2": v2},
                              **settings)
            for got, wanted in zip((result["u"], result["u_before"]), wave(u, v2, 6)):
                self.same(got, wanted)

    def test_life(self):
        alive = np.random.default_rng(3).integers(0, 2, (6, 7, 8)).astype("u1")
        with zoid.Run("life3d", init={"alive": alive}) as run:
            for _ in range(10):
                self.assertTrue(run.advance(1))
                alive = life(alive)
                self.same(run["alive"], alive)

    def test_layouts(self):
        """Arrays of any order, type and byte order; none of them is changed."""
        values = np.random.default_rng(4).standard_normal((8, 10))
        wanted = zoid.run("heat", 3, init={"u": values}, type="f64")["u"]
        wide = np.zeros((16, 30))
        wide[1::2, 2::3] = values
        for array in (np.asfortranarray(values), values.astype(">f8"), wide[1::2, 2::3],
                      values[::-1, ::-1].copy()[::-1, ::-1]):
            kept = array.tobytes()
            self.same(zoid.run("heat", 3, init={"u": array}, type="f64")["u"], wanted)
            self.assertEqual(array.tobytes(), kept)
        narrow = zoid.run("heat", 0, init={"u": values}, type="f32")["u"]
        self.same(narrow, values.astype("f4"))

    def test_programs(self):
        """The same settings, the same bytes as zoid-run's."""
        cases = (
            ("wave", 9, {"size": (12, 9, 11), "radius": 4, "boundary": "sponge"}),
            ("seismic", 3, {"size": (9, 8, 10), "seed": 5, "dt": 0.125}),
            ("fdtd2d", 4, {"size": (31, 1)}),
            ("box27", 2, {"size": (4, 5, 6), "type": "f64", "boundary": "x-=periodic,x+=periodic"}),
            ("sor", 3, {"size": (20, 20), "omega": 1.75}),
            ("heat", 0, {"size": 17, "dims": 1, "radius": 6}),
        )
        for operator, steps, settings in cases:
            with self.subTest(operator), tempfile.TemporaryDirectory() as folder:
                dump = os.path.join(folder, "dump.npy")
                words = []
                for name, value in settings.items():
                    text = "x".join(map(str, value)) if isinstance(value, tuple) else str(value)
                    words.append(f"--{name}={text}")
                subprocess.run([os.path.join(os.environ["ZOID_APPS"], "zoid-run"), "--quiet",
                                f"--operator={operator}", f"--steps={steps}", f"--dump={dump}",
                                *words], check=True)
                result = zoid.run(operator, steps, **settings)
                wanted = np.load(dump)
                for got, one in zip(result.fields.values(),
                                    wanted if len(result.fields) > 1 else [wanted]):
                    self.same(got, one)


class Legs(unittest.TestCase):
    def test_by_and_by(self):
        whole = zoid.run("wave", 20, shape=(15, 21), seed=4)
        for legs in ((20,), (7, 13), (0, 1, 19), (5, 5, 5, 5)):
            with zoid.Run("wave", 20, shape=(15, 21), seed=4) as run:
                for steps in legs:
                    run.advance(steps)
                self.assertEqual(run.steps, 20)
                self.assertEqual(run["u"].tobytes(), whole["u"].tobytes())
                self.assertEqual(run.report["steps"], 20)
                with self.assertRaisesRegex(zoid.BadArgument, "open it with more"):
                    run.advance(1)

    def test_points(self):
        wavelet = np.sin(np.arange(12.0))
        settings = {"shape": (19, 23), "init": "zero", "boundary": "sponge", "check": True,
                    "source": [((11, 9.5), wavelet), ((3, 4, 2.0), "ricker:0.1")],
                    "receivers": [(11, 9), np.array([[3.5, 4], [7, 8]]), "y=5:4"]}
        whole = zoid.run("wave", 12, **settings)
        self.assertEqual(whole.report["check"], "passed")
        self.assertEqual(whole.record.shape[0], 13)
        self.assertEqual(whole.record.dtype, np.dtype("f4"))
        self.assertFalse(whole.record[0].any())
        self.assertEqual(whole.record[-1, 0], whole["u"][9, 11])
        with zoid.Run("wave", 12, **settings) as run:
            run.advance(8)
            run.advance()
            self.assertEqual(run.record.tobytes(), whole.record.tobytes())

    def test_files(self):
        """What the programs leave, runs leave."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "state.npy")
            result = zoid.run("heat", 4, shape=(6, 7), dump=path)
            self.assertEqual(np.load(path).tobytes(), result["u"].tobytes())
            report = os.path.join(folder, "report.json")
            zoid.run("heat", 1, shape=(6, 7), report=report, fields=())
            self.assertTrue(os.path.exists(report))

    @unittest.skipUnless(HDF5, "this build has no HDF5")
    def test_restart(self):
        with tempfile.TemporaryDirectory() as folder:
            u = np.random.default_rng(5).standard_normal((12, 13))
            settings = {"source": "5,6:ricker:0.1", "receivers": "x=4:3"}
            whole = zoid.run("wave", 9, init={"u": u}, checkpoint=folder, checkpoint_every=4,
                             **settings)
            again = zoid.run("wave", restart=folder, method="naive")
            self.assertEqual(again.report["start"], 8)
            self.assertEqual(again["u"].tobytes(), whole["u"].tobytes())
            self.assertEqual(again.record.tobytes(), whole.record.tobytes())


if __name__ == "__main__":
    unittest.main()
