# SPDX-License-Identifier: BSD-3-Clause
"""What is refused, stopped and interrupted; and that runs after it go well."""
import inspect
import os
import signal
import subprocess
import sys
import tempfile
import threading
import tomllib
import unittest

import numpy as np
import zoid

HDF5 = "h5" in os.environ["ZOID_KINDS"]


class Refused(unittest.TestCase):
    def tearDown(self):
        zoid.run("heat", 1, shape=(4,), dims=1)

    def refused(self, kind, pattern, operator="heat", steps=2, **settings):
        settings.setdefault("size", 9)
        with self.assertRaisesRegex(kind, pattern) as caught:
            zoid.run(operator, steps, **settings)
        self.assertNotIn("--", str(caught.exception))
        return caught.exception

    def test_settings(self):
        bad = zoid.BadArgument
        self.refused(bad, "no such|does not exist", operator="heaty")
        self.refused(bad, "no setting 'sized'; did you mean 'size'", sized=3)
        refused = self.refused(TypeError, "no setting 'xyzzy'; help", xyzzy=3)
        self.assertIsInstance(refused, zoid.UnknownSetting)
        self.assertEqual(refused.key, "xyzzy")
        refused = self.refused(bad, "tolerance means nothing", tolerance=1e-3)
        self.assertEqual(refused.key, "tolerance")
        self.refused(bad, "size '0' is out of range", size=0)
        self.refused(bad, "steps '-1'", steps=-1)
        self.refused(bad, "drop one", shape=(3, 3))
        self.refused(bad, "stability.*give lambda_=0.1", lambda_=0.5)
        self.refused(bad, "method 'none'", method="none")
        self.refused(bad, "sources", operator="jacobi", source=["1,1,1:ricker:0.1"])
        self.refused(ValueError, "boundary 'wall'", boundary="wall")
        refused = self.refused(zoid.DoesNotFit, 'use ram="[0-9]+M"', ram="1K")
        self.assertEqual((refused.key, refused.status), ("ram", 3))
        refused = self.refused(zoid.Resource, "^disk cannot make a file", disk="/nonexistent")
        self.assertEqual((refused.key, refused.status), ("disk", 4))
        self.assertEqual(self.refused(bad, "stability", lambda_=0.5).key, "lambda")
        self.refused(zoid.Resource, "cannot write", dump="/nonexistent/x.npy")

    def test_help(self):
        for row in zoid.settings():
            name = row["key"] + ("_" if row["key"] == "lambda" else "")
            self.assertIn(f"    {name}: ", zoid.run.__doc__)
            self.assertIn(name, inspect.signature(zoid.run).parameters)
        self.assertGreater(len(zoid.settings()), 60)

    def test_arrays(self):
        u = np.zeros((5, 6))
        bad = zoid.BadArgument
        self.refused(bad, "array:u has the shape 5x6", init={"u": u}, size=(5, 5))
        self.refused(bad, "transpose", init={"u": u}, size=(5, 6))
        self.refused(bad, "another type", init={"u": u.astype(int)}, size=(6, 5))
        self.refused(bad, "another type", init={"u": u.astype(complex)}, size=(6, 5))
        self.refused(bad, "no such field", init={"w": u}, size=(6, 5))
        self.refused(bad, "array of 12 axes", init={"u": np.zeros((1,) * 12)})
        u[2, 3] = np.nan
        self.refused(bad, r"array:u, at \(3, 2, 0\)", init={"u": u}, size=(6, 5))
        self.refused(bad, "v2 from array:v2", operator="wave", coefficient={"v2": np.full((5, 6),
                     -1.0)}, size=(6, 5))

    def test_runs(self):
        with zoid.Run("heat", shape=(5, 6)) as run:
            with self.assertRaisesRegex(zoid.BadArgument, "differs from that of another") as caught:
                zoid.run("heat", shape=(5, 6), oversubscribe=True)
            self.assertEqual(caught.exception.key, "oversubscribe")
            with self.assertRaisesRegex(KeyError, "there is no field w"):
                run["w"]
            run.advance(3)
            with self.assertRaisesRegex(zoid.BadArgument, "open it with more"):
                run.advance(8)
        self.assertRaises(zoid.BadArgument, run.advance)
        run.close()

    def test_operators(self):
        """The library's list is the only one."""
        listed = {(o["operator"], o["dims"], o["radius"], o["type"]) for o in zoid.operators()}
        self.assertIn(("wave", 3, 4, "f64"), listed)
        for operator in {o[0] for o in listed} - {"sor", "sor_rhs"}:
            self.assertEqual(zoid.run(operator, 1, size=5).steps, 1)

    def test_version(self):
        package = os.path.join(os.path.dirname(zoid.__file__), "..", "pyproject.toml")
        with open(package, "rb") as file:
            self.assertEqual(tomllib.load(file)["project"]["version"], zoid.__version__)

    def test_library(self):
        for name in ("/nonexistent.so", "libc.so.6"):
            child = subprocess.run([sys.executable, "-c", "import zoid"], capture_output=True,
                                   text=True, env={**os.environ, "ZOID_LIBRARY": name})
            self.assertIn("set ZOID_LIBRARY", child.stderr)


class Stopped(unittest.TestCase):
    """Runs that would go on for hours."""

    def test_progress(self):
        seen = []

        def progress(done):
            seen.append(done)
            return len(seen) < 3

        result = zoid.run("heat", 10**8, shape=(64, 64), depth=4, progress=progress)
        self.assertLess(result.steps, 10**8)
        self.assertEqual(len(seen), 3)
        self.assertEqual(seen, sorted(seen))
        self.assertTrue(all(0 <= done <= 1 for done in seen))
        after = zoid.run("heat", result.steps, shape=(64, 64))
        self.assertEqual(after["u"].tobytes(), result["u"].tobytes())

    def test_progress_of_legs(self):
        """Each one's own, also where it follows others, or consists of some."""
        with tempfile.TemporaryDirectory() as folder:
            settings = {"checkpoint": folder, "checkpoint_every": 300} if HDF5 else {}
            with zoid.Run("heat", 10**8, shape=(64, 64), depth=4, **settings) as run:
                run.advance(1000)
                seen = []
                run.advance(2000, progress=seen.append)
                self.assertEqual(seen, sorted(seen))
                self.assertTrue(all(0 <= done <= 1 for done in seen))
                self.assertEqual(run.steps, 3000)

    def test_progress_fails(self):
        def progress(done):
            raise LookupError("no more")

        with self.assertRaisesRegex(LookupError, "no more"):
            zoid.run("heat", 10**8, shape=(64, 64), depth=4, progress=progress)

    def test_interrupt(self):
        def interrupt(done):
            os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt):
            zoid.run("heat", 10**8, shape=(64, 64), depth=4, progress=interrupt)
        with zoid.Run("heat", 10**8, shape=(64, 64), depth=4) as run:
            self.assertRaises(KeyboardInterrupt, run.advance, progress=interrupt)
            self.assertLess(run.steps, 10**8)
            run.advance(4)

    @unittest.skipUnless(HDF5, "this build has no HDF5")
    def test_interrupt_with_checkpoints(self):
        with tempfile.TemporaryDirectory() as folder:
            def interrupt(done):
                os.kill(os.getpid(), signal.SIGINT)

            with self.assertRaises(KeyboardInterrupt):
                zoid.run("heat", 10**8, shape=(64, 64), depth=4, checkpoint=folder,
                         progress=interrupt)
            self.assertEqual(len(os.listdir(folder)), 1)

    def test_other_threads(self):
        results = []
        thread = threading.Thread(
            target=lambda: results.append(zoid.run("heat", 5, shape=(9, 9))["u"]))
        thread.start()
        thread.join()
        self.assertEqual(results[0].tobytes(), zoid.run("heat", 5, shape=(9, 9))["u"].tobytes())


if __name__ == "__main__":
    unittest.main()
