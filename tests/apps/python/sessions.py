# SPDX-License-Identifier: BSD-3-Clause
"""Sessions: legs, several at a time, restarts, solvers and matrices."""
import gc
import os
import subprocess
import tempfile
import unittest
import weakref

import numpy as np
import zoid

HDF5 = "h5" in os.environ["ZOID_KINDS"]


class Sessions(unittest.TestCase):
    def test_in_turns(self):
        """Each as if it were alone, whatever the order of their legs."""
        random = np.random.default_rng(5)
        u = random.standard_normal((40, 31)).astype("f4")
        cases = [("heat", {"lambda_": 0.1}), ("wave", {"seed": 3}), ("wave", {"method": "leaning"}),
                 ("heat", {"lambda_": 0.2, "cells": (2, 2)})]
        alone = [zoid.run(op, 30, init={"u": u}, **more)["u"] for op, more in cases]
        sessions = [zoid.Session(op, 30, init={"u": u}, **more) for op, more in cases]
        while any(s.step < 30 for s in sessions):
            s = sessions[random.integers(len(sessions))]
            s.advance(min(int(random.integers(1, 8)), 30 - s.step))
        for session, wanted in zip(sessions, alone):
            np.testing.assert_array_equal(session["u"], wanted)
            session.close()

    def test_one_ends_or_fails(self):
        u = np.random.default_rng(6).standard_normal((20, 20)).astype("f4")
        wanted = zoid.run("heat", 20, init={"u": u})["u"]
        first = zoid.Session("heat", 20, init={"u": u})
        first.advance(7)
        with zoid.Session("wave", 10, shape=(20, 20)) as other:
            other.advance(3)
        with self.assertRaises(zoid.DoesNotFit):
            zoid.run("heat", 5, shape=(20, 20), ram="1K")
        with self.assertRaises(zoid.BadArgument):
            zoid.run("heat", 5, shape=(20, 20), radius=17)
        first.advance()
        np.testing.assert_array_equal(first["u"], wanted)

    def test_collected(self):
        """One that nobody has closed may be collected in any thread, the library's too."""
        session = zoid.Session("heat", 3, shape=(9, 9)).start()
        session.itself = session
        del session
        self.assertGreater(zoid._session.in_thread(gc.collect), 0)
        session = zoid.Session("heat", 3, shape=(9, 9))
        there = weakref.ref(session)
        del session
        self.assertIsNone(there())

    def test_settings(self):
        session = zoid.Session("heat", steps=7.0, size={"x": 5, "y": 6}, boundary={"x": "periodic"},
                               traversal={"gpus": "naive", "cores": "two"})
        self.assertEqual(session.get("steps"), "7")
        self.assertEqual(session.get("traversal"), "cores=two,gpus=naive")
        self.assertEqual(session.shape, (6, 5))
        self.assertIn(session.get("method"), ("naive", "leaning", "trapezoid", "overlapped",
                                              "recursive"))
        with self.assertRaises(zoid.BadArgument) as caught:
            session.set(radius=2)
        self.assertEqual(caught.exception.key, "radius")
        session.close()
        self.assertRaises(zoid.BadArgument, session.advance)

    def test_boxes(self):
        u = np.arange(6 * 7 * 8, dtype="f8").reshape(6, 7, 8)
        with zoid.Session("heat", 0, init={"u": u}, type="f64") as s:
            np.testing.assert_array_equal(s.read("u", lo=(1, 2, 3), hi=(4, 6, 5)),
                                          u[3:5, 2:6, 1:4])
            out = np.zeros((7, 6, 8), ">f4").transpose(1, 0, 2)
            self.assertIs(s.read("u", out=out), out)
            np.testing.assert_array_equal(out, u)
            out.flags.writeable = False
            self.assertRaises(zoid.BadArgument, s.read, "u", out)
            self.assertRaises(zoid.BadArgument, s.read, "u", np.zeros(3))

    def test_sources(self):
        given = {"steps": 12, "shape": (20, 30), "init": "zero", "receivers": ["15.5,3", "y=7:4"]}
        text = zoid.run("wave", source="10,8,2:ricker:0.1,5", **given).record
        numbers = zoid.run("wave", source=zoid.Source((10, 8), amplitude=2, ricker=0.1, delay=5),
                           **given).record
        units = zoid.run("wave", source=zoid.Source((10, 8), amplitude=2, ricker=0.1, delay=5),
                         dx=10, dt=0.5, **given).record
        np.testing.assert_array_equal(text, numbers)
        np.testing.assert_array_equal(text, units)
        self.assertTrue(np.abs(text).max() > 0)
        given.update(velocity=2.0, dx=10, dt=0.5, receivers=["155m,30m", "y=70m:4"])
        text = zoid.run("wave", source="100m,80m,2:ricker:0.2Hz,2.5s", **given).record
        given["receivers"] = ["15.5,3", "y=7:4"]
        metres = zoid.run("wave", source=zoid.Source((100, 80), amplitude=2, ricker=0.2, delay=2.5,
                                                     physical=True), **given).record
        np.testing.assert_array_equal(text, metres)
        self.assertTrue(np.abs(text).max() > 0)
        early = [zoid.run("wave", source=zoid.Source(place, ricker=ricker, delay=delay,
                                                     physical=physical), **given).record
                 for place, ricker, delay, physical in (((100, 80), 0.2, -0.5, True),
                                                        ((10, 8), 0.1, -1, False))]
        np.testing.assert_array_equal(*early)
        self.assertTrue(np.abs(early[0]).max() > 0)
        source = zoid.Source((100, 80), ricker=0.2, physical=True)
        self.assertRaises(zoid.BadArgument, zoid.run, "wave", 3, shape=(20, 30), source=source)

    def test_shots(self):
        """The model is read and placed once."""
        v2 = np.random.default_rng(10).choice([0.1, 0.2], (20, 30)).astype("f4")
        given = {"steps": 15, "init": "zero", "coefficient": {"v2": v2}}
        with zoid.Session("wave", **given) as shot:
            for x in (5, 12, 20):
                points = {"source": zoid.Source((x, 8), ricker=0.1),
                          "receivers": f"y={x % 5 + 3}:3"}
                result = shot.rewind(**points).run()
                alone = zoid.run("wave", **given, **points)
                np.testing.assert_array_equal(result.record, alone.record)
                np.testing.assert_array_equal(result["u"], alone["u"])

    @unittest.skipUnless(HDF5, "no HDF5")
    def test_restart(self):
        """In another process, by a program, and here; nothing is given again."""
        rng = np.random.default_rng(7)
        v2 = rng.choice([0.1, 0.2], (17, 19)).astype("f4")
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "ck")
            with zoid.Session("wave", 25, coefficient={"v2": v2}, source="3,4:ricker:0.1",
                              receivers="y=5", checkpoint_coefficients=1, checkpoint=name) as s:
                s.advance(11)
                s.checkpoint(name)
                s.advance()
                whole, record = s["u"], s.record
            session = zoid.restart(name)
            self.assertEqual(session.step, 11)
            result = session.run()
            session.close()
            np.testing.assert_array_equal(result["u"], whole)
            np.testing.assert_array_equal(result.record, record)
            dump = os.path.join(folder, "end.npy")
            subprocess.run([os.path.join(os.environ["ZOID_APPS"], "zoid-wave"), "--restart", name,
                            "--dump", dump, "--record", os.path.join(folder, "r.npy"), "--quiet"],
                           check=True)
            np.testing.assert_array_equal(np.load(dump)[0], whole)
            with self.assertRaisesRegex(zoid.BadArgument, "contradicts") as caught:
                zoid.restart(name, seed=2).prepare()
            self.assertEqual(caught.exception.key, "seed")


class Solvers(unittest.TestCase):
    def test_poisson(self):
        f = np.random.default_rng(8).standard_normal((30, 25))
        for solver in ("sor", "rbsor", "mlsor", "ssor"):
            p = zoid.solve(f, solver=solver, tolerance=1e-10, type="f64", steps=5000, spacing=0.1)
            inner = p.u[1:-1, 1:-1]
            r = 4 * inner - p.u[2:, 1:-1] - p.u[:-2, 1:-1] - p.u[1:-1, 2:] - p.u[1:-1, :-2]
            np.testing.assert_allclose(r, 0.01 * f[1:-1, 1:-1], atol=1e-8)
            self.assertLess(p.residual, 1e-10)
            self.assertGreater(p.first_below, 0)

    def test_right_sides(self):
        """Of lists and integers, too; `spacing` takes the place of a factor."""
        f = np.arange(30).reshape(5, 6)
        for spacing in (1, 0.5):
            wanted = zoid.solve(f * spacing**2 + 0.0, steps=9, type="f64").u
            for given in (f, f.tolist(), f.astype("f4")):
                got = zoid.solve(given, spacing=spacing, steps=9, type="f64").u
                np.testing.assert_array_equal(got, wanted)
        with self.assertRaisesRegex(zoid.BadArgument, "spacing and scale"):
            zoid.solve(f, spacing=0.5, scale={"b": 2})

    def test_not_converged(self):
        with self.assertRaises(zoid.CheckFailed):
            zoid.solve(1.0, shape=(20, 20), tolerance=1e-12, steps=3)

    def test_matrix(self):
        rng = np.random.default_rng(9)
        a = np.triu(np.tril(rng.integers(-2, 3, (40, 40)), 3), -2).astype("f8")
        x = rng.integers(-3, 4, (40, 3)).astype("f8")
        matrix = zoid.Matrix(a)
        np.testing.assert_array_equal(matrix.power(4, x), np.linalg.matrix_power(a, 4) @ x)
        np.testing.assert_array_equal(matrix.power(1, x[:, 0]), a @ x[:, 0])
        np.testing.assert_array_equal(matrix @ x, a @ x)
        t = [1.0, 0.5, 0.25]
        want = t[0] * x + t[1] * (a @ x) + t[2] * (2 * a @ (a @ x) - x)
        np.testing.assert_allclose(matrix.chebyshev(-1, 1, t, x), want, rtol=1e-12)
        s = a + a.T + 50 * np.eye(40)
        top = zoid.Matrix(s).eigenvalue(1e-12, x0=np.ones(40))
        self.assertAlmostEqual(top, np.abs(np.linalg.eigvalsh(s)).max(), 6)
        with self.assertRaises(zoid.BadArgument):
            zoid.Matrix(np.zeros((2, 3)))
        with self.assertRaises(zoid.BadArgument):
            zoid.Matrix((np.ones(1), np.array([5]), np.array([0, 1])))


if __name__ == "__main__":
    unittest.main()
