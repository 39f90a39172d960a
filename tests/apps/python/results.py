# SPDX-License-Identifier: BSD-3-Clause
"""What results show, what packages that may be there make of them, and how a run's progress is
shown. Packages that are not needed are stood in for."""
import contextlib
import io
import os
import re
import subprocess
import sys
import types
import unittest
from unittest import mock

import numpy as np
import zoid

try:
    from scipy.sparse import linalg
except ImportError:
    linalg = None


@contextlib.contextmanager
def modules(**members):
    """Modules by their names, with _ for dots, and what they have; None: it cannot be imported."""
    made = {}
    for name, content in members.items():
        name = name.replace("_", ".")
        made[name] = content
        if content is not None:
            made[name] = types.ModuleType(name)
            vars(made[name]).update(content)
    with mock.patch.dict(sys.modules, made):
        yield


class Shown(unittest.TestCase):
    def setUp(self):
        self.result = zoid.run("wave", 5, shape=(30, 40), ram="64M")

    def test_text(self):
        lines = repr(self.result).splitlines()
        self.assertRegex(lines[0], "^<zoid.Result: wave f32, 40x30, step 5$")
        self.assertRegex(lines[1], "^  plan: [a-z]+, block [0-9]+, depth [0-9]+")
        self.assertRegex(lines[2], "^    workers [0-9].*, blocks [0-9]+$")
        self.assertRegex(lines[3], "^    predicted .* s, bound by [a-z]+")
        self.assertRegex(lines[4], "^  took [0-9.e-]+ s$")
        self.assertRegex(lines[5], "^  bytes: ram [0-9.]+ [KM]iB.*>$")
        self.assertEqual(len(lines), 6)

    def test_of_others(self):
        """Of relaxation and of a matrix."""
        with zoid.Session(solver="sor", rhs=1.0, shape=(9, 9), init="zero") as session:
            session.solve()
            self.assertIn("9x9", repr(zoid.Result(session, session.fields)))
        with zoid.Session(matrix=zoid.Matrix("band:2"), steps=2) as session:
            self.assertIn("band f64, 1x65536, step 2", repr(session.run()))

    def test_html_without_matplotlib(self):
        with modules(matplotlib=None, matplotlib_figure=None):
            page = self.result._repr_html_()
        self.assertNotIn("<img", page)
        self.assertIn("wave f32, 40x30, step 5\nplan: ", page)
        self.assertEqual(page.count("<pre>"), 1)

    def test_html_with_matplotlib(self):
        drawn = []

        class Axes:
            def imshow(self, values, **options):
                drawn.append(values)

            def plot(self, values):
                drawn.append(values)

            def set_title(self, text):
                drawn.append(text)

        class Figure:
            def __init__(self, **options):
                pass

            def add_subplot(self):
                return Axes()

            def colorbar(self, image):
                pass

            def savefig(self, file, format):
                file.write(b"PNG")

        with mock.patch.dict(sys.modules, {
                "matplotlib": types.ModuleType("matplotlib"),
                "matplotlib.backends": types.ModuleType("matplotlib.backends"),
                "matplotlib.backends.backend_agg": mock.Mock(),
                "matplotlib.figure": mock.Mock(Figure=Figure)}):
            self.assertEqual(self.result._repr_html_().count("<img"), 1)
            self.assertIs(drawn[0], self.result["u"])
            self.assertEqual(drawn[1], "u")
            for shape in ((9,), (5, 6, 7)):
                cube = zoid.run("heat", 1, shape=shape, dims=len(shape))
                self.assertIn('src="data:image/png;base64,UE5H"', cube._repr_html_())
            self.assertEqual(drawn[-1], "u, z = 2")
            np.testing.assert_array_equal(drawn[-2], cube["u"][2])
            none = zoid.run("heat", 1, shape=(5, 6), fields=())
            self.assertNotIn("<img", none._repr_html_())
        self.assertNotIn("matplotlib", sys.modules)

    def test_as_array(self):
        with self.assertRaisesRegex(TypeError, "take one of u, u_before"):
            np.asarray(self.result)
        one = zoid.run("heat", 1, shape=(5, 6))
        self.assertIs(np.asarray(one), one["u"])
        self.assertEqual(np.asarray(one, "f8").dtype, np.float64)
        np.testing.assert_array_equal(np.add(one, 0), one["u"])
        self.assertIsNot(one.__array__(copy=True), one["u"])
        with self.assertRaises(ValueError):
            one.__array__("f8", copy=False)

    def test_to_xarray(self):
        class Dataset:
            def __init__(self, data, coords, attrs):
                self.data, self.coords, self.attrs = data, coords, attrs

        given = {"shape": (5, 6, 7), "init": "zero", "receivers": "y=3:2"}
        with modules(xarray={"Dataset": Dataset}):
            points = zoid.run("wave", 4, **given).to_xarray()
            metres = zoid.run("wave", 4, dx=10, dt=0.25, **given).to_xarray()
            line = zoid.run("heat", 3, shape=(4,), dims=1).to_xarray()
            with zoid.Session("wave", 9, **given) as session:
                session.advance(2)
                later = zoid.Result(session, ("u",)).to_xarray()
        self.assertEqual(points.data["u"][0], ("z", "y", "x"))
        self.assertEqual(points.data["record"][0], ("time", "receiver"))
        self.assertEqual(points.data["record"][1].shape[0], 5)
        for data, dx, dt in ((points, 1, 1), (metres, 10, 0.25)):
            for dim, n in (("z", 5), ("y", 6), ("x", 7)):
                np.testing.assert_array_equal(data.coords[dim], np.arange(n) * dx)
            np.testing.assert_array_equal(data.coords["time"], np.arange(5) * dt)
            self.assertEqual(data.attrs, {"operator": "wave", "step": 4, "time": 4 * dt})
        self.assertEqual(set(line.coords), {"x"})
        self.assertEqual(set(line.data), {"u"})
        np.testing.assert_array_equal(later.coords["time"], [0, 1, 2])


class Progress(unittest.TestCase):
    """The run lasts for longer than a look at it takes."""
    steps = 2000 if os.environ.get("LD_PRELOAD") else 20000    # sanitized

    def run_it(self, progress=True):
        with zoid.Session("heat", 10**8, shape=(64, 64), depth=4) as session:
            return session.advance(self.steps, progress=progress)

    def test_on_a_terminal(self):
        terminal = io.StringIO()
        terminal.isatty = lambda: True
        with mock.patch.object(sys, "stderr", terminal):
            self.assertTrue(self.run_it())
        text = terminal.getvalue()
        self.assertTrue(text.endswith("] 100%\n"), text)
        self.assertEqual(text.count("\n"), 1)
        for part in text[1:-1].split("\r"):
            self.assertRegex(part, r"^\[#*\.*\] +[0-9]+%$")

    def test_elsewhere(self):
        for progress in (True, False, None):
            with mock.patch.object(sys, "stderr", io.StringIO()) as file:
                self.assertTrue(self.run_it(progress))
            self.assertEqual(file.getvalue(), "")

    def test_in_a_notebook(self):
        bars = []

        class Bar:
            def __init__(self, total, **options):
                self.n, self.total, self.closed = 0, total, False
                bars.append(self)

            def update(self, more):
                self.n += more

            def close(self):
                self.closed = True

        shell = type("ZMQInteractiveShell", (), {})()
        page = {"IPython": {"get_ipython": lambda: shell}}
        with modules(**page, tqdm={}, tqdm_notebook={"tqdm": Bar}):
            self.assertTrue(self.run_it())
        self.assertEqual((len(bars), bars[0].total, bars[0].closed), (1, 1.0, True))
        self.assertAlmostEqual(bars[0].n, 1.0)
        with modules(**page, tqdm=None, tqdm_notebook=None), \
                mock.patch.object(sys, "stderr", io.StringIO()) as file:
            self.assertTrue(self.run_it())
        self.assertTrue(file.getvalue().endswith("100%\n"))

    def test_of_a_solver(self):
        terminal = io.StringIO()
        terminal.isatty = lambda: True
        with mock.patch.object(sys, "stderr", terminal):
            zoid.solve(1.0, shape=(20, 20), tolerance=1e-3, progress=True)
            with self.assertRaises(zoid.CheckFailed):
                zoid.solve(1.0, shape=(20, 20), tolerance=1e-12, steps=3, progress=True)
        self.assertTrue(terminal.getvalue().endswith("\n"))
        self.assertEqual(terminal.getvalue().count("100%"), 1)


class Operators(unittest.TestCase):
    def setUp(self):
        rng = np.random.default_rng(7)
        n = 60
        self.a = np.diag(4 + rng.random(n)) - np.diag(np.ones(n - 1), 1) - np.diag(np.ones(n - 1),
                                                                                    -1)
        self.x = rng.standard_normal((n, 3))
        self.matrix = zoid.Matrix(self.a)

    def test_products(self):
        for x in (self.x, self.x[:, 0], self.x[:, :1], self.x[::-1, ::2], list(self.x[:, 0]),
                  np.arange(60), self.x.astype(">f4")):
            wanted = self.a @ np.asarray(x)
            for got in (self.matrix @ x, self.matrix.matvec(x), self.matrix.power(1, x)):
                self.assertEqual(got.shape, wanted.shape)
                np.testing.assert_allclose(got, wanted, rtol=1e-4)
        np.testing.assert_array_equal(self.matrix.matmat(self.x), self.matrix @ self.x)

    def test_shapes(self):
        self.assertEqual(self.matrix.shape, (60, 60))
        self.assertEqual(self.matrix.dtype, np.float64)
        named = zoid.Matrix("band:2")
        self.assertEqual(named.shape, (65536, 65536))
        self.assertEqual(zoid.Matrix(self.a.astype("f4")).dtype, np.float32)

    @unittest.skipUnless(linalg, "no SciPy")
    def test_scipy(self):
        for operator in (linalg.aslinearoperator(self.matrix), self.matrix.aslinearoperator()):
            self.assertIsInstance(operator, linalg.LinearOperator)
            self.assertEqual((operator.shape, operator.dtype), ((60, 60), np.float64))
            np.testing.assert_allclose(operator @ self.x, self.a @ self.x)
            np.testing.assert_allclose(operator @ self.x[:, 0], self.a @ self.x[:, 0])
            np.testing.assert_allclose((2 * operator + operator) @ self.x[:, 0],
                                       3 * self.a @ self.x[:, 0])
        b = self.x[:, 1]
        solution, failed = linalg.cg(self.matrix, b, atol=0)
        self.assertEqual(failed, 0)
        np.testing.assert_allclose(self.a @ solution, b, atol=1e-3)
        (top,) = linalg.eigsh(self.matrix, 1, return_eigenvectors=False)
        self.assertAlmostEqual(top, np.linalg.eigvalsh(self.a)[-1])


class Help(unittest.TestCase):
    def test_groups(self):
        """Every setting once, under the heading of its group."""
        group, found = None, {}
        for line in zoid.run.__doc__.split("Settings, by group:")[1].splitlines():
            heading = re.fullmatch("    ([a-z]+):", line)
            row = re.match("      ([a-z_0-9]+): ", line)
            group = heading[1] if heading else group
            if heading:
                self.assertNotIn(group, found.values())
            if row:
                self.assertNotIn(row[1], found)
                found[row[1]] = group
        wanted = {}
        for row in zoid.settings():
            wanted.setdefault(row["key"] + "_" * (row["key"] == "lambda"), row["group"])
        self.assertEqual(found, wanted)

    def test_imports(self):
        """What is not needed is not imported."""
        code = ("import sys, zoid; zoid.run('heat', 1, shape=(5, 5)); print([m for m in "
                "('scipy', 'xarray', 'matplotlib', 'tqdm', 'IPython') if m in sys.modules])")
        child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                               check=True)
        self.assertEqual(child.stdout.strip(), "[]")


if __name__ == "__main__":
    unittest.main()
