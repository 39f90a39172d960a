# SPDX-License-Identifier: BSD-3-Clause
"""Functions in Python as operators: their values are NumPy's, refusals name the line."""
import os
import unittest

import numpy
import zoid

HALF = 0.5


@zoid.loop
def diffuse(u, k, lam=0.1):
    """The page's."""
    around = u[-1, 0] + u[1, 0] + u[0, -1] + u[0, 1] - 4 * u[0, 0]
    return u[0, 0] + lam * k[0, 0] * around


@zoid.loop
def pair(v, w, dt, C_1=2):
    less = zoid.where(v[0] < w[-1], v[0], -w[-1])
    s = (abs(less) if v[1] >= HALF
         else zoid.sqrt(w[-2]))
    return s * dt + v[0] / 3, w[0] - C_1 * 1 / 3 * less


@zoid.loop
def driven(u, force, lam=0.1):
    return u[0, 0] + lam * (u[-1, 0] - u[0, 0]) + (force[t] - 0.5 * force[t + 2])  # noqa: F821


def line_of(function, text):
    """The number of the first line of a test that has the text."""
    with open(__file__, encoding="utf-8") as file:
        lines = file.read().splitlines()
    first = next(i for i, line in enumerate(lines) if f"def {function}(" in line)
    return next(i for i in range(first, len(lines)) if text in lines[i]) + 1


class Values(unittest.TestCase):
    def test_diffuse(self):
        rng = numpy.random.default_rng(1)
        u, k = rng.random((2, 30, 41)).astype("f4")
        result = zoid.run(diffuse, 7, init={"u": u}, coefficient={"k": k}, lam=0.2, check=True)
        for _ in range(7):
            c = u[1:-1, 1:-1]
            around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * c
            u = u.copy()
            u[1:-1, 1:-1] = c + numpy.float32(0.2) * k[1:-1, 1:-1] * around
        self.assertEqual(result["u"].dtype, "f4")
        self.assertEqual(result["u"].tobytes(), u.tobytes())

    def test_pair(self):
        rng = numpy.random.default_rng(2)
        v, w = rng.random((2, 50)) - 0.4
        result = zoid.run(pair, steps=5, init={"v": v, "w": w}, dt=0.25, force=True)
        for _ in range(5):
            v0, v1, w1, w2 = v[2:-1], v[3:], w[1:-2], w[:-3]
            with numpy.errstate(invalid="ignore"):
                less = numpy.where(v0 < w1, v0, -w1)
                s = numpy.where(v1 >= HALF, abs(less), numpy.sqrt(w2))
            v, w = v.copy(), w.copy()
            v[2:-1], w[2:-1] = s * 0.25 + v0 / 3, w[2:-1] - 2.0 * 1 / 3 * less
        for name, array in (("v", v), ("w", w)):
            numpy.testing.assert_array_equal(result[name], array)

    def test_driven(self):
        rng = numpy.random.default_rng(3)
        u, force = rng.random((12, 15)), rng.random(9)
        result = zoid.run(driven, 6, init={"u": u}, force=force, lam=0.2, check=True)
        for t in range(6):
            c = u[1:]
            u = u.copy()
            u[1:] = c + 0.2 * (u[:-1] - c) + (force[t] - 0.5 * force[t + 2])
        numpy.testing.assert_array_equal(result["u"], u)
        same = zoid.run(driven, 6, init={"u": u}, force=0.5)
        wanted = zoid.run(driven, 6, init={"u": u}, force=[0.5] * 8)
        numpy.testing.assert_array_equal(same["u"], wanted["u"])
        with self.assertRaisesRegex(zoid.BadArgument, "driven needs force; give it"):
            zoid.run(driven, 6, init={"u": u})

    def test_once(self):
        name = diffuse.operator("f32")
        os.environ["PATH"], path = "", os.environ["PATH"]
        try:
            self.assertEqual(zoid.loop(diffuse.__wrapped__).operator("f32"), name)
        finally:
            os.environ["PATH"] = path


class Refusals(unittest.TestCase):
    def refused(self, function, text, words):
        with self.assertRaises(zoid.BadArgument) as caught:
            operator = zoid.loop(function)
            operator.operator("f64")
        line = line_of(function.__name__, text)
        self.assertTrue(str(caught.exception).startswith(f"{__file__}:{line}: "),
                        f"{caught.exception}, and not line {line}")
        self.assertIn(words, str(caught.exception))

    def test_lines(self):
        def far(u):
            return (u[0]
                    + u[9])

        def power(u):
            s = u[0]
            return s ** 2

        def table(u, i):
            return u[i]

        def both(u, f):
            return u[0] + f[t] + f[0]  # noqa: F821

        def earlier(u, f):
            return u[0] + f[t - 1]  # noqa: F821

        def mixed(u):
            return u[0] + u[0, 1]

        def twice(u):
            s = u[0]
            s = s + 1
            return s

        def unknown(u):
            return u[0] * missing  # noqa: F821

        def loops(u):
            for _ in range(3):
                pass
            return u[0]

        def unused(u, k):
            return u[0]

        def several(u):
            return u[0], u[1]

        def called(u):
            return numpy.sin(u[0])

        def steps_(u, steps):
            return u[0] * steps

        self.refused(far, "u[9]", "looks 9 points ahead; 8 at most")
        self.refused(power, "s ** 2", "an expression that loops do not know")
        self.refused(table, "return", "a subscript that is no integer")
        self.refused(both, "return", "f by the step, and not")
        self.refused(earlier, "return", "a subscript that is no integer")
        self.refused(mixed, "return", "u has 2 subscripts, and others 1")
        self.refused(twice, "s = s + 1", "s has a value already")
        self.refused(unknown, "missing", "missing has no value here")
        self.refused(loops, "for _", "a statement that is no name = value")
        self.refused(unused, "def unused", "k is not used; drop it")
        self.refused(several, "return", "2 values for 1 arrays")
        self.refused(called, "return", "a function that loops do not know")
        self.refused(steps_, "def steps_", "steps is an argument of zoid.run")

    def test_arguments(self):
        u = numpy.zeros((9, 9))
        with self.assertRaisesRegex(zoid.BadArgument, "pair needs dt; give it"):
            zoid.run(pair, 1, init={"v": u[0], "w": u[0]})
        with self.assertRaisesRegex(zoid.BadArgument, "diffuse has no type 'u8'; take f32 or f64"):
            zoid.run(diffuse, 1, init={"u": u}, type="u8")


if __name__ == "__main__":
    unittest.main()
