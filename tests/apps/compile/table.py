# SPDX-License-Identifier: BSD-3-Clause
"""usage: table.py COMPILE emit|run SEED ISA [all]

Writes Zoid's own operators as loop nests in C, in the same order of arithmetic, and compares runs
of them by their bytes, and the slopes of their blocks with shapes of tiles. `emit` writes the
operators of the nests into ops, and a project of them; `run` loads build/libtable.so, its module.
One variant of each family is taken, as SEED has it, or `all`. Operators of bytes have no nest."""
import pathlib
import random
import re
import subprocess
import sys

import numpy as np
import zoid

INDEX = "kji"  # of x last

# Second differences of order 2 r, as codelets/ops/difference.h has them.
WEIGHTS = ((-2.0, 1.0),
           (-5.0 / 2, 4.0 / 3, -1.0 / 12),
           (-49.0 / 18, 3.0 / 2, -3.0 / 20, 1.0 / 90),
           (-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560),
           (-5269.0 / 1800, 5.0 / 3, -5.0 / 21, 5.0 / 126, -5.0 / 1008, 1.0 / 3150),
           (-5369.0 / 1800, 12.0 / 7, -15.0 / 56, 10.0 / 189, -1.0 / 112, 2.0 / 1925, -1.0 / 16632))


class Nest:
    """The nest of a variant: what its function `make` adds to its text."""

    def __init__(self, variant):
        self.d, self.r, self.type = variant["dims"], variant["radius"], variant["type"]
        self.operator, self.fields = variant["operator"], variant["fields"]
        self.coefficients = variant["coefficients"]
        self.name = f"nest_{self.operator}_{self.d}_{self.r}_{self.type}"
        self.f = "f" if self.type == "f32" else ""
        self.real = "float" if self.type == "f32" else "double"
        self.params, self.loops, self.turns = {}, [], None
        self.defaults = {k: v["default"] for k, v in variant["params"].items()}
        getattr(self, "make_" + self.operator)()

    def number(self, x):
        return f"({float(x)!r}{self.f})"

    def at(self, field, *distance):
        """A field at distances along x, y, z."""
        distance = (list(distance) + [0] * 3)[:self.d]
        subs = [f"[{i}{x:+d}]" if x else f"[{i}]"
                for i, x in zip(INDEX[-self.d:], reversed(distance))]
        time = f"[{self.turns}]" if self.turns and field == "u" else ""
        return field + time + "".join(subs)

    def along(self, field, axis, distance):
        return self.at(field, *[distance if a == axis else 0 for a in range(self.d)])

    def fma(self, a, b, c):
        return f"fma{self.f}({a}, {b}, {c})"

    def put(self, body, lo, hi, fixed=None):
        """Adds loops over a box: layers that are left out, x first."""
        head = ""
        for i, n, a in zip(INDEX[-self.d:], "nml"[-self.d:], reversed(range(self.d))):
            if a != fixed:
                last = f"{n} - {hi[a]}" if hi[a] else n
                head += f"for (int {i} = {lo[a]}; {i} < {last}; {i}++) "
        self.loops.append(head + body)

    def inner(self, body):
        self.put(body, [self.r] * self.d, [self.r] * self.d)

    def text(self):
        size = "".join(f"[{n}]" for n in "nml"[-self.d:])
        heads = [f"int {n}" for n in "nml"[-self.d:]] + ["int steps"]
        heads += [f"{self.real} {p}" for p in self.params]
        for field in self.fields:
            if self.turns and field == "u_before":
                continue
            turns = "[2]" if self.turns and field == "u" else ""
            heads.append(f"{self.real} {field}{turns}{size}")
        heads += [f"const {self.real} {c}{size}" for c in self.coefficients]
        body = "\n        ".join(self.loops)
        return (f"#include <math.h>\nvoid {self.name}({', '.join(heads)})\n{{\n#pragma scop\n"
                f"    for (int t = 0; t < steps; t++) {{\n        {body}\n    }}\n"
                f"#pragma endscop\n}}\n")

    # ---- the operators, by their names

    def differences(self, field):
        weights = WEIGHTS[self.r - 1]
        text = f"{self.number(self.d * weights[0])} * {self.at(field)}"
        for i in range(1, self.r + 1):
            for a in range(self.d):
                pair = f"{self.along(field, a, -i)} + {self.along(field, a, i)}"
                text = self.fma(self.number(weights[i]), pair, text)
        return text

    def make_heat(self):
        self.params = {"factor": self.defaults["lambda"]}
        value = self.fma("factor", self.differences("u"), self.at("u"))
        self.jacobi_like(value)

    def jacobi_like(self, value):
        """All points from the time before, `before` being that before the last."""
        self.turns = "(t + 1) % 2"
        old = re.sub(r"\bu\[", "u[t % 2][", value).replace("before", self.at("u"))
        self.inner(f"{self.at('u')} = {old};")

    def make_wave(self):
        value = self.fma(self.at("v2"), self.differences("u"), f"({self.at('u')} + {self.at('u')})"
                         " - before")
        self.jacobi_like(value)

    def make_heatk(self):
        u = self.at("u")
        acc = f"{self.at('kx')} * ({self.along('u', 0, 1)} - {u})"
        acc = self.fma(self.along("kx", 0, -1), f"{self.along('u', 0, -1)} - {u}", acc)
        for a, k in list(enumerate(("kx", "ky", "kz")))[1:self.d]:
            acc = self.fma(self.at(k), f"{self.along('u', a, 1)} - {u}", acc)
            acc = self.fma(self.along(k, a, -1), f"{self.along('u', a, -1)} - {u}", acc)
        self.jacobi_like(f"{u} + {acc}")

    def both(self, y, z):
        return f"({self.at('u', -1, y, z)} + {self.at('u', 1, y, z)})"

    def across(self):
        return f"({self.at('u', 0, -1, 0)} + {self.at('u', 0, 1, 0)})"

    def make_jacobi1d(self):
        self.jacobi_like(f"{self.number(1 / 3)} * ({self.both(0, 0)} + {self.at('u')})")

    def make_jacobi2d(self):
        around = f"({self.both(0, 0)} + {self.across()})"
        self.jacobi_like(f"{self.number(0.2)} * ({around} + {self.at('u')})")

    def make_heat2d7(self):
        self.params = {"factor": self.defaults["lambda"]}
        diagonal = f"({self.at('u', 1, 1)} + {self.at('u', -1, -1)})"
        around = f"({self.both(0, 0)} + {self.across()}) + {diagonal}"
        self.jacobi_like(self.fma("factor", self.fma(self.number(-6), self.at("u"), around),
                                  self.at("u")))

    def faces(self):
        return (f"(({self.both(0, 0)} + {self.across()}) + "
                f"({self.at('u', 0, 0, -1)} + {self.at('u', 0, 0, 1)}))")

    def edges(self):
        corner = [f"({self.at('u', 0, -1, z)} + {self.at('u', 0, 1, z)})" for z in (-1, 1)]
        return (f"((({self.both(-1, 0)} + {self.both(1, 0)}) + "
                f"({self.both(0, -1)} + {self.both(0, 1)})) + ({corner[0]} + {corner[1]}))")

    def corners(self):
        return (f"(({self.both(-1, -1)} + {self.both(1, -1)}) + "
                f"({self.both(-1, 1)} + {self.both(1, 1)}))")

    def make_box19(self):
        acc = self.fma(self.number(0.06), self.faces(), f"{self.number(0.02)} * {self.edges()}")
        self.jacobi_like(self.fma(self.number(0.4), self.at("u"), acc))

    def make_box27(self):
        far = f"({self.edges()} + {self.corners()})"
        acc = self.fma(self.number(0.05), self.faces(), f"{self.number(0.02)} * {far}")
        self.jacobi_like(self.fma(self.number(0.3), self.at("u"), acc))

    def relaxed(self, rhs):
        omega = self.defaults["omega"]
        self.params = {"q": omega / (2 * self.d), "rest": 1 - omega}
        after = " + ".join(self.along("u", a, 1) for a in range(self.d))
        rest = self.fma("rest", self.at("u"), f"{self.at('b')} * q") if rhs else \
            f"rest * {self.at('u')}"
        value = self.fma("q", after, rest)
        for a in reversed(range(self.d)):
            value = self.fma("q", self.along("u", a, -1), value)
        return value

    def make_jacobi(self):
        self.jacobi_like(self.relaxed(False))

    def make_jacobi_rhs(self):
        self.jacobi_like(self.relaxed(True))

    def make_sor(self, rhs=False):
        self.inner(f"{self.at('u')} = {self.relaxed(rhs)};")

    def make_sor_rhs(self):
        self.make_sor(True)

    def make_rbsor(self, rhs=False):
        total = " + ".join(INDEX[-self.d:])
        for colour in (0, 1):
            self.inner(f"if (({total}) % 2 == {colour}) {self.at('u')} = {self.relaxed(rhs)};")

    def make_rbsor_rhs(self):
        self.make_rbsor(True)

    def make_fdtd2d(self):
        ex, ey, hz, half = self.at("ex"), self.at("ey"), self.at("hz"), self.number(-0.5)
        self.put(f"{ex} = {self.fma(half, f'{hz} - ' + self.at('hz', -1), ex)};", [1, 0], [0, 0])
        self.put("ey[0][i] = t;", [0, 0], [0, 0], fixed=1)
        self.put(f"{ey} = {self.fma(half, f'{hz} - ' + self.at('hz', 0, -1), ey)};",
                 [0, 1], [0, 0])
        curl = self.fma(self.number(1), f"{self.at('ey', 0, 1)} - {ey}",
                        f"{self.at('ex', 1)} - {ex}")
        self.put(f"{hz} = {self.fma(self.number(-0.7), curl, hz)};", [0, 0], [1, 1])

    def near(self, field, axis, up):
        return f"({self.along(field, axis, up)} - {self.along(field, axis, up - 1)})"

    def far(self, field, axis, up):
        return f"({self.along(field, axis, up + 1)} - {self.along(field, axis, up - 2)})"

    def staggered(self, near, far):
        return self.fma(self.number(9 / 8), near, f"{self.number(-1 / 24)} * ({far})")

    def added(self, axis, value, total):
        return self.fma(self.number(1), value, total) if axis else f"({total}) + {value}"

    def make_seismic(self):
        self.params = {"length": self.defaults["dt"]}
        f = self.fields
        body = f"{self.real} push = length / {self.at('rho')}; "
        for a in range(3):
            one = self.number(1)
            near, far = self.near(f[3 + a], a, 1), self.far(f[3 + a], a, 1)
            near, far = (f"{one} * {near}", f"{one} * {far}") if a else (near, far)
            for b in range(3):
                if b != a:
                    near = self.added(b, self.near(f[5 + a + b], b, 0), near)
                    far = self.added(b, self.far(f[5 + a + b], b, 0), far)
            body += f"{self.at(f[a])} = " + \
                self.fma("push", self.staggered(near, far), self.at(f[a])) + "; "
        self.inner(f"{{ {body}}}")
        body = f"{self.real} la = length * {self.at('lambda')}, mm = length * {self.at('mu')}; "
        for a, name in enumerate("xyz"):
            value = self.staggered(self.near(f[a], a, 0), self.far(f[a], a, 0))
            body += f"{self.real} d{name} = " + (f"{self.number(1)} * {value}" if a else value)
            body += "; "
        body += f"{self.real} all = (dx + dy) + dz; "
        for a, name in enumerate("xyz"):
            body += f"{self.at(f[3 + a])} = " + \
                self.fma("mm + mm", f"d{name}", self.fma("la", "all", self.at(f[3 + a]))) + "; "
        for a in range(3):
            for b in range(a + 1, 3):
                parts = [self.added(a, part(f[b], a, 1), f"{self.number(1)} * {part(f[a], b, 1)}")
                         for part in (self.near, self.far)]
                body += f"{self.at(f[5 + a + b])} = " + \
                    self.fma("mm", self.staggered(*parts), self.at(f[5 + a + b])) + "; "
        self.inner(f"{{ {body}}}")


def chosen(seed, every):
    """Variants of the table, but those of bytes."""
    rng, groups = random.Random(seed), {}
    for variant in zoid.operators():
        if variant["type"] != "u8" and not variant["operator"].startswith("nest_"):
            groups.setdefault(variant["operator"], []).append(variant)
    return [Nest(v) for group in groups.values() for v in (group if every else [rng.choice(group)])]


def asked(compiler, path, option):
    return subprocess.run([compiler, path, option], capture_output=True, text=True,
                          check=True).stdout


def check_slope(compiler, path, nest):
    """The planes that leaning blocks move down in a step, by the reach in each stage, are those of
    the minimal shapes of tiles, or more, where these have offsets of statements."""
    stages = len(re.findall("^stage ", asked(compiler, path, "--explain"), re.M))
    row = re.search(r"^minimal \([\d ]+\) \((\d+) 1[ 0]*\)(\+\S+)?",
                    asked(compiler, path, "--shapes"), re.M)
    slope, lean = int(row.group(1)) if row else -1, nest.r * stages
    if slope != lean and not (row and row.group(2) and 0 < slope < lean):
        sys.exit(f"{nest.operator}: blocks lean by {lean} planes a step, tiles by {slope}")


def emit(compiler, nests, isa):
    for nest in nests:
        path = pathlib.Path(f"{nest.name}.c")
        path.write_text(nest.text())
        done = subprocess.run([compiler, path, "-o", "ops"], capture_output=True, text=True,
                              check=False)
        if done.returncode:
            sys.exit(f"{nest.operator}: {done.stderr}{nest.text()}")
        check_slope(compiler, path, nest)
    pathlib.Path("all.def").write_text("".join(f'#include "ops/{n.name}.def"\n' for n in nests))
    pathlib.Path("CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\nproject(table LANGUAGES C)\n"
        "find_package(zoid REQUIRED)\n"
        f"zoid_add_operators(libtable MODULE ROWS all.def ISAS {isa})\n")
    return 0


def run(nests, rng):
    zoid.load_operators("build/libtable.so")
    wrong = 0
    for nest in nests:
        real = np.float32 if nest.type == "f32" else np.float64
        shape = [2 * nest.r + 3 + a for a in range(nest.d)]
        init = {f: rng.uniform(-1, 1, shape).astype(real) for f in nest.fields}
        given = {c: rng.uniform(0.01, 0.1, shape).astype(real) for c in nest.coefficients}
        more = {"type": nest.type, "init": init, "force": True}
        if given:
            more["coefficient"] = given
        own = zoid.run(nest.operator, 5, dims=nest.d, radius=nest.r, **more)
        ours = zoid.run(nest.name, 5, **nest.params, **more)
        for field in nest.fields:
            if own[field].tobytes() != ours[field].tobytes():
                wrong += 1
                print(f"{nest.name}: {field} differs\n{nest.text()}")
                break
            if init[field].tobytes() == own[field].tobytes():
                wrong += 1
                print(f"{nest.name}: nothing was computed")
    print(f"{len(nests)} operators of {len({n.operator for n in nests})} families, {wrong} wrong")
    return 1 if wrong else 0


def main(words):
    nests = chosen(int(words[2]), "all" in words)
    if words[1] == "emit":
        return emit(words[0], nests, words[3])
    return run(nests, np.random.default_rng(int(words[2])))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
