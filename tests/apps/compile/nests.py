# SPDX-License-Identifier: BSD-3-Clause
"""usage: nests.py COMPILE CC legal|mutated|emit|run SEED COUNT [ISA]

Draws loop nests, has zoid-compile say what they mean, computes that meaning point by point, and
compares all arrays with those that the nest itself leaves, compiled by CC -O2 -ffp-contract=off.
`mutated` changes a token of each nest: whatever is accepted still has to mean what C says. `emit`
writes operators of nests into all.def, for a module; `run` loads build/libnests.so, the module, and
compares runs by all methods with the nests."""
import ctypes
import math
import pathlib
import random
import re
import subprocess
import sys

import numpy as np

LIBM = ctypes.CDLL("libm.so.6")
for name_, count_ in (("fma", 3), ("fmin", 2), ("fmax", 2)):
    for suffix, kind in (("", ctypes.c_double), ("f", ctypes.c_float)):
        f_ = getattr(LIBM, name_ + suffix)
        f_.restype = kind
        f_.argtypes = [kind] * count_

# --- the meaning, computed


def parse_value(text):
    """A value of the form (op a b), as nested lists."""
    tokens = re.findall(r"[()]|[^\s()]+", text)
    at = 0

    def read():
        nonlocal at
        token = tokens[at]
        at += 1
        if token != "(":
            return token
        node = []
        while tokens[at] != ")":
            node.append(read())
        at += 1
        return node

    return read()


class Undefined(Exception):
    """C does not say what this computes."""


def integer(value):
    if not -2 ** 31 <= value < 2 ** 31:
        raise Undefined
    return value


class Meaning:
    """What zoid-compile --explain prints."""

    def __init__(self, text):
        self.arrays, self.stages, self.copies, self.turns, self.older = {}, [], [], {}, set()
        self.profile, self.mirrored, self.least, self.params = {}, set(), {}, []
        self.halves = False
        for line in text.splitlines():
            self.read_line(line)

    def read_line(self, line):
        words = line.split()
        if words[0] == "nest":
            self.type = {"f32": np.float32, "f64": np.float64}[words[3]]
            self.axes = words[5:]
        elif words[0] == "extent":
            self.read_extents(line[len("extent "):])
        elif words[0] == "time":
            found = re.match(r"time (\w+) from (.*) step 1 steps (.*)$", line)
            self.time, self.start, self.steps = found.groups()
        elif words[0] in ("field", "table"):
            name = re.match(r"\w+", words[1]).group()
            self.arrays[name] = words[2] if words[0] == "field" else "table"
            self.profile[name] = re.findall(r"\[(\w+)\]", words[1])
            if "turns" in words:
                self.turns[name] = words[words.index("turns") + 1:]
        elif words[0] == "halves:":
            self.halves = True
        elif words[0] == "parameter":
            self.params.append(words[1])
        elif words[0] == "copy":
            self.copies.append((words[1], words[3]))
        elif words[0] == "stage":
            self.stages.append((words[3] == "ascending", []))
        elif words[0] in ("put", "let"):
            self.read_item(line)

    def read_extents(self, text):
        self.extent = {}
        for part in text.split(", "):
            axis, rest = part.split(" ", 1)
            if rest.endswith(" mirrored"):
                self.mirrored.add(axis)
                rest = rest[:-len(" mirrored")]
            if " least " in rest:
                rest, least = rest.split(" least ")
                self.least[axis] = int(least)
            self.extent[axis] = rest

    def read_item(self, line):
        head, value = line.split(" value ", 1)
        words = head.split()
        box, colour = {}, None
        if "colour" in words:
            colour = words[-1]
            words = words[:-2]
        i = 2
        while i < len(words):
            if words[i] == "face":
                box[words[i + 1]] = (words[i + 2], None)
                i += 3
            elif words[i] == "box":
                i += 1
            else:
                box[words[i]] = tuple(words[i + 1].split(".."))
                i += 2
        self.stages[-1][1].append((words[0], words[1], box, colour, parse_value(value)))

    def writer(self, name):
        return next(s for s, (_, items) in enumerate(self.stages)
                    for item in items if item[0] == "put" and item[1] == name)


def side(text, n):
    return n - int(text[2:] or 0) if text.startswith("n-") else n if text == "n" else int(text)


class Run:
    """A run of a meaning over arrays, which change."""

    def __init__(self, meaning, values, arrays):
        self.m, self.values = meaning, values
        self.n = {a: eval(meaning.extent[a], {}, values) for a in meaning.axes}
        self.shape = tuple(self.n[a] for a in meaning.axes)
        self.real = meaning.type
        self.arrays = arrays
        self.buffers = {}
        for name, turns in meaning.turns.items():
            if "swap" in turns:
                other = turns[2] if turns[3] == name else turns[3]
                self.buffers[name] = [arrays[name], arrays[other]]
            else:
                self.buffers[name] = list(arrays[name])

    def points(self, box, colour):
        ranges = []
        for axis in self.m.axes:
            lo, hi = box[axis]
            lo = side(lo, self.n[axis])
            hi = lo + 1 if hi is None else side(hi, self.n[axis])
            span = range(lo, hi)
            ranges.append(reversed(span) if axis in self.m.mirrored else span)

        def walk(prefix, rest):
            if not rest:
                if colour is None or (sum(prefix) % 2 == 1) == (colour == "odd"):
                    yield prefix
                return
            for i in list(rest[0]):
                yield from walk(prefix + (i,), rest[1:])

        return walk((), [list(r) for r in ranges])

    def array(self, name, step, stage, older):
        """The array that a name stands for in a stage."""
        if name not in self.buffers:
            return self.arrays[name]
        b, first = self.buffers[name], 0
        if "first" in self.m.turns[name]:
            first = int(self.m.turns[name][2])
        newest = (first + step) % len(b)
        if older:
            return b[(newest + 1) % len(b)] if len(b) == 2 else b[(newest - 1) % len(b)]
        return b[newest if stage <= self.m.writer(name) else (newest + 1) % len(b)]

    def run(self):
        start = eval(self.m.start, {}, self.values)
        for step in range(max(0, eval(self.m.steps, {}, self.values))):
            self.t, self.step = start + step, step
            for s in range(len(self.m.stages)):
                self.run_stage(s)
            for to, of in self.m.copies:
                for _, items in self.m.stages:
                    for kind, name, box, colour, _ in items:
                        if kind == "put" and name == of:
                            for p in self.points(box, colour):
                                self.arrays[to][p] = self.arrays[of][p]

    def run_stage(self, s):
        self.ascending, items = self.m.stages[s]
        self.stage = s
        self.lets = {item[1]: item[4] for item in items if item[0] == "let"}
        puts = [item for item in items if item[0] == "put"]
        self.old = {}
        if self.ascending:
            everywhere = {a: ("0", "n") for a in self.m.axes}
            inside = [set(self.points(box, colour)) for _, _, box, colour, _ in puts]
            for p in self.points(everywhere, None):
                new = [(name, self.value(value, p, {}))
                       for (_, name, _, _, value), box in zip(puts, inside) if p in box]
                for name, value in new:
                    self.target(name)[p] = value
            return
        new = [(name, p, self.value(value, p, {}))
               for _, name, box, colour, value in puts for p in self.points(box, colour)]
        for name, p, value in new:
            self.target(name)[p] = value

    def target(self, name):
        if name not in self.buffers:
            return self.arrays[name]
        return self.array(name, self.step, self.m.writer(name) + 1, False)

    def read(self, text, p):
        name, index = re.match(r"(\w+)\[(.*)\]$", text).groups()
        if self.m.arrays.get(name) == "table":
            return self.arrays[name][eval(index, {}, {self.m.time: self.t})]
        offsets = [int(i) for i in index.split(",")]
        older = name.endswith("_before") and name[:-7] in self.buffers
        array = self.array(name[:-7] if older else name, self.step, self.stage, older)
        if self.m.arrays[name] == "profile":
            p = [p[self.m.axes.index(a)] for a in self.m.profile[name]]
        at = tuple(i + o for i, o in zip(p, offsets))
        if min(at) < 0:
            raise IndexError(f"{text} at {p}")
        return array[at]

    def atom(self, text, p, known):
        if text in self.lets:
            if text not in known:
                known[text] = self.value(self.lets[text], p, known)
            return known[text]
        if "[" in text:
            return self.read(text, p)
        if text == self.m.time:
            return self.t
        if text in self.values:
            value = self.values[text]
            return value if isinstance(value, int) else self.real(value)
        if re.match(r"\d+[ul]*$", text):
            return int(text.rstrip("ul"))
        return np.float32(text[:-1]) if text.endswith("f") else np.float64(text)

    def value(self, node, p, known):
        if isinstance(node, str):
            return self.atom(node, p, known)
        op = node[0]
        if op == "?":
            a, b = self.value(node[2], p, known), self.value(node[3], p, known)
            holds = {"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b, "==": a == b,
                     "!=": a != b}[node[1]]
            return self.value(node[4 if holds else 5], p, known)
        v = [self.value(x, p, known) for x in node[1:]]
        if op in ("f32", "f64"):
            return (np.float32 if op == "f32" else np.float64)(v[0])
        if op in ("int", "long", "unsigned", "size_t"):
            bits = {"unsigned": 32, "size_t": 64}.get(op)
            return v[0] % 2 ** bits if bits else v[0]
        if len(v) == 1 and isinstance(v[0], int):
            return integer(-v[0])
        if len(v) == 1:
            return {"-": lambda x: -x, "fabs": abs, "fabsf": abs, "sqrt": np.sqrt,
                    "sqrtf": np.sqrt}[op](v[0])
        if op[0] == "f":
            return type(v[0])(getattr(LIBM, op)(*v))
        if isinstance(v[0], int) and op == "/":
            if v[1] == 0:
                raise Undefined
            return integer(abs(v[0]) // abs(v[1]) * (1 if (v[0] < 0) == (v[1] < 0) else -1))
        if isinstance(v[0], int):
            return integer({"+": v[0] + v[-1], "-": v[0] - v[-1], "*": v[0] * v[-1]}[op])
        return {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
                "/": lambda a, b: a / b}[op](*v)


# --- nests


class Draw:
    """A nest, drawn: its text, and the parameters of its function."""

    def __init__(self, rng, name, simple=False):
        """`simple`: of what operators can say."""
        self.rng, self.name, self.simple = rng, name, simple
        self.d = rng.choice((1, 1, 2, 2, 2, 3))
        self.real = rng.choice(("float", "double"))
        self.sizes = ["n", "m", "l"][:self.d]
        self.arrays, self.coefficients, self.profiles, self.params = [], [], [], []
        self.table = self.time = None
        self.index = ["i", "j", "k"][:self.d]
        self.style = rng.choice(("full", "full", "pointer", "flat"))
        self.start = rng.choice((0, 0, 1))
        self.text = self.draw()

    def literal(self):
        text = self.rng.choice(("0.25", "1.5", "0.1", "2.0", "-0.5", "3.", ".125", "1e-1"))
        text = text if not text.startswith("-") else f"({text})"
        return text.replace(")", "f)") if self.real == "float" and ")" in text else \
            text + ("f" if self.real == "float" else "")

    def access(self, array, offset, time=None):
        subs = []
        for i, o in zip(self.index, offset):
            form = self.rng.randrange(3)
            subs.append(i if o == 0 and form else f"{i}{o:+d}" if form < 2 or o < 0 else f"{o}+{i}")
        if array in self.profiles:
            axes = self.profile_axes[array]
            return array + "".join(f"[{subs[a]}]" for a in axes)
        if self.style == "flat" and time is None and array in self.arrays + self.coefficients:
            text = f"{subs[0]}"
            for a in range(1, self.d):
                text = f"({text})*{self.sizes[a]} + {subs[a]}"
            return f"{array}[{text}]"
        return array + (f"[{time}]" if time else "") + "".join(f"[{s}]" for s in subs)

    def offset(self, r):
        o = [0] * self.d
        for _ in range(self.rng.choice((0, 1, 1, 2))):
            o[self.rng.randrange(self.d)] = self.rng.randint(-r, r)
        return o

    def leaf(self, reads, r):
        rng = self.rng
        kind = rng.randrange(12)
        if kind < 6:
            array, time = rng.choice(reads)
            return self.access(array, self.offset(r), time)
        if kind < 7 and self.coefficients:
            return self.access(rng.choice(self.coefficients), self.offset(1))
        if kind < 8 and self.profiles:
            return self.access(rng.choice(self.profiles), self.offset(1))
        if kind < 9 and self.params:
            return rng.choice(self.params)
        if kind == 9:
            size = self.sizes[0] if self.kinds[self.sizes[0]] in ("int", "long") else "2"
            return rng.choice(("2", "t", size, "(t + 1) / 2", "1 / 2", "3 * t"))
        if kind == 10 and self.table:
            return f"{self.table}[t]"
        return self.literal()

    def value(self, reads, r, depth, local=None):
        rng, f = self.rng, "f" if self.real == "float" else ""
        if depth == 0 or rng.random() < 0.15:
            if local and rng.random() < 0.5:
                return rng.choice(local)
            return self.leaf(reads, r)
        a = self.value(reads, r, depth - 1, local)
        b = self.value(reads, r, depth - 1, local)
        kind = rng.randrange(14)
        if kind == 0:
            x = self.leaf(reads, r)
            compared = rng.choice(("<", ">", "<=", ">=", "==", "!="))
            return f"({x} {compared} {a} ? {b} : {self.literal()})"
        if kind == 1:
            return f"{rng.choice(('fmin', 'fmax'))}{f}({self.literal()} + {a}, {b})"
        if kind == 2:
            return f"fma{f}({self.literal()}, {a}, {b})"
        if kind == 3:
            return f"{rng.choice(('fabs', 'sqrt'))}{f}({self.literal()} * ({a}))"
        if kind == 4:
            return f"-({a})"
        return f"({a} {rng.choice('++--***/')} {b})"

    def loops(self, lo, hi, body, fixed=()):
        rng = self.rng
        order = [a for a in range(self.d) if a not in fixed]
        if rng.random() < 0.2:
            rng.shuffle(order)
        head = ""
        for a in order:
            i, n = self.index[a], self.sizes[a]
            kind = rng.choice(("", "int ")) if self.declared else "int "
            last = f"{n} - {hi[a]}" if hi[a] else n
            if rng.random() < 0.15:
                head += f"for ({kind}{i} = {n} - {hi[a] + 1}; {i} >= {lo[a]}; {i}--) "
            elif rng.random() < 0.3:
                head += f"for ({kind}{i} = {lo[a]}; {i} <= {n} - {hi[a] + 1}; {i} += 1) "
            else:
                head += f"for ({kind}{i} = {lo[a]}; {i} < {last}; {i}++) "
        return head + body

    def box(self, r):
        """Bounds that keep reads within r of the arrays, sometimes more."""
        extra = self.rng.choice((0, 0, 0, 1))
        return [r + extra * self.rng.randrange(2) for _ in range(self.d)], \
            [r + extra * self.rng.randrange(2) for _ in range(self.d)]

    def statement(self, array, reads, r, time=None, condition="", depth=3):
        rng, left = self.rng, None
        left = self.access(array, [0] * self.d, time)
        reads = reads or [(array, time)]
        body, local = "", None
        if rng.random() < 0.3:
            local = ["s"]
            body = f"{self.real} s = {self.value(reads, r, 2)}; "
            if rng.random() < 0.5:
                body += f"s {rng.choice('+-*')}= {self.value(reads, r, 1)}; "
        op = "=" if time else rng.choice(("=", "=", "=", "+=", "-=", "*="))
        body += f"{left} {op} {self.value(reads, r, depth, local)};"
        return f"{{ {condition}{{ {body} }} }}" if local or condition else body

    def draw(self):
        rng = self.rng
        self.declared = rng.random() < 0.5
        self.kinds = {s: rng.choice(("int", "int", "long", "size_t", "unsigned"))
                      for s in self.sizes}
        if rng.random() < 0.4:
            self.coefficients.append("q")
        self.profile_axes = {}
        if rng.random() < 0.3 and self.d > 1:
            self.profiles.append("prof")
            axes = rng.sample(range(self.d), rng.randint(1, self.d - 1))
            self.profile_axes["prof"] = sorted(axes)
        self.params = ["alpha", "C_1"][:rng.randrange(3)]
        if rng.random() < 0.3 and not self.simple:
            self.table = "tab"
        form = rng.choice(("inplace", "inplace", "abab", "copy", "mod2", "mod2", "mod3", "swap",
                           "fields", "fields", "colours", "body", "face", "shared", "imperfect",
                           "block", "before", "beside", "turns", "turns"))
        if form in ("mod2", "mod3", "before", "turns"):
            self.style = "full"
        r = rng.choice((1, 1, 1, 2))
        lines = getattr(self, "draw_" + form)(r)
        return self.function(lines)

    def draw_inplace(self, r):
        self.arrays = ["a"]
        lo, hi = self.box(r)
        return [self.loops(lo, hi, self.statement("a", None, r))]

    def draw_beside(self, r):
        """A sweep in place, and another array in a box of its own, which may read it."""
        lines = self.draw_inplace(r)
        self.arrays = ["a", "b"]
        lo, hi = self.box(r)
        left = self.access("b", [0] * self.d)
        lines.append(self.loops(lo, hi, f"{left} = {left} - {self.value([('a', None)], r, 2)};"))
        self.rng.shuffle(lines)
        return lines

    def draw_abab(self, r):
        self.arrays = ["a", "b"]
        lo, hi = self.box(r)
        body = self.value([("a", None)], r, 3)
        again = re.sub(r"\ba\b(?=\[)", "b", body) if self.rng.random() < 0.6 else \
            self.value([("b", None)], r, 3)
        return [self.loops(lo, hi, f"{self.access('b', [0] * self.d)} = {body};"),
                self.loops(lo, hi, f"{self.access('a', [0] * self.d)} = {again};")]

    def draw_copy(self, r):
        self.arrays = ["a", "b"]
        lo, hi = self.box(r)
        here = [0] * self.d
        value = self.value([("a", None)], r, 3)
        lines = [self.loops(lo, hi, f"{self.access('b', here)} = {value};"),
                 self.loops(lo, hi, f"{self.access('a', here)} = {self.access('b', here)};")]
        if self.rng.random() < 0.3:
            lines.append(self.loops(lo, hi, f"{self.access('a', here)} *= {self.literal()};"))
        return lines

    def draw_mod2(self, r):
        self.arrays, self.time = ["a"], 2
        lo, hi = self.box(r)
        reads = [("a", self.rng.choice(("t % 2", "t & 1")))]
        body = self.value(reads, r, 3)
        if self.rng.random() < 0.5:
            body += f" - {self.access('a', [0] * self.d, '(t + 1) % 2')}"
        return [self.loops(lo, hi, f"{self.access('a', [0] * self.d, '(t + 1) % 2')} = {body};")]

    def draw_mod3(self, r):
        self.arrays, self.time = ["a"], 3
        lo, hi = self.box(r)
        body = self.value([("a", "t % 3"), ("a", "(t + 2) % 3")], r, 3)
        return [self.loops(lo, hi, f"{self.access('a', [0] * self.d, '(t + 1) % 3')} = {body};")]

    def draw_swap(self, r):
        self.arrays = ["a", "b"]
        self.style = self.rng.choice(("pointer", "flat"))
        lo, hi = self.box(r)
        reads = [("a", None)]
        body = self.value(reads, r, 3)
        if self.rng.random() < 0.4:
            body += f" + {self.access('b', [0] * self.d)}"
        stars = "".join(f"[{n}]" for n in self.sizes[1:]) if self.style == "pointer" else ""
        star = f"(*c){stars}" if stars else "*c"
        return [self.loops(lo, hi, f"{self.access('b', [0] * self.d)} = {body};"),
                f"{self.real} {star} = a; a = b; b = c;"]

    def draw_fields(self, r):
        self.arrays = ["a", "b", "c"][:self.rng.choice((2, 3))]
        lines = []
        for array in self.arrays:
            others = [(x, None) for x in self.arrays if x != array]
            lo, hi = self.box(r)
            left = self.access(array, [0] * self.d)
            lines.append(self.loops(lo, hi, f"{left} = {left} - {self.value(others, r, 2)};"))
        return lines

    def draw_colours(self, r):
        self.arrays = ["a"]
        lo, hi = self.box(1)
        total = " + ".join(self.index)
        lines = []
        for colour in (0, 1):
            form = self.rng.choice((f"({total}) % 2 == {colour}",
                                    f"(({total}) & 1) != {1 - colour}",
                                    f"({total} + 1) % 2 == {1 - colour}"))
            o = [0] * self.d
            o[self.rng.randrange(self.d)] = self.rng.choice((-1, 1))
            other = self.value([("q" if self.coefficients else "a", None)], 0, 1)
            value = f"{self.literal()} * {self.access('a', o)} + {other}"
            body = f"if ({form}) {self.access('a', [0] * self.d)} = {value};"
            lines.append(self.loops(lo, hi, body))
        return lines

    def draw_body(self, r):
        self.arrays = ["a", "b"]
        lo, hi = self.box(r)
        here = [0] * self.d
        first = f"{self.access('a', here)} = {self.value([('a', None), ('b', None)], r, 2)};"
        factor = self.value([("b", None)], 0, 1)
        second = f"{self.access('b', here)} += {self.access('a', here)} * {factor};"
        return [self.loops(lo, hi, f"{{ {first} {second} }}")]

    def draw_face(self, r):
        self.arrays = ["a", "b"]
        lo, hi = self.box(r)
        lines = [self.loops(lo, hi, self.statement("b", [("a", None)], r))]
        axis = self.rng.randrange(self.d)
        n, at = self.sizes[axis], self.rng.choice(("0", "1", "n - 1", "n - 2"))
        keep = self.index[axis]
        self.index = list(self.index)
        self.index[axis] = at.replace("n", n)
        left = self.access("a", [0] * self.d)
        right = self.access("b", [0] * self.d)
        if self.rng.random() < 0.5:
            right = self.leaf([("b", None)], 0)
        face = f"{left} = {right};".replace(f"{self.index[axis]}+0", self.index[axis])
        self.index[axis] = keep
        zero = [0] * self.d
        lines.append(self.loops(zero, zero, face, (axis,)))
        self.rng.shuffle(lines)
        return lines

    def draw_shared(self, r):
        """Two inner loops in one outer loop, which may be taken apart or not."""
        if self.d == 1:
            return self.draw_fields(r)
        self.arrays = ["a", "b"]
        i, j = self.index[0], self.index[1]
        here = [0] * self.d
        inner = "".join(f"for (int {x} = 1; {x} < {n} - 1; {x}++) "
                        for x, n in zip(self.index[1:], self.sizes[1:]))
        o = [self.rng.choice((0, 0, 0, 1, -1)) for _ in range(self.d)]
        first = f"{self.access('a', here)} = {self.literal()} * {self.access('b', o)};"
        o = [self.rng.choice((0, 0, 0, 1, -1)) for _ in range(self.d)]
        there = [self.rng.choice((0, 0, 1, -1))] + here[1:]
        second = f"{self.access('b', there)} = {self.access('a', o)} - {self.literal()};"
        return [f"for (int {i} = 1; {i} < {self.sizes[0]} - 1; {i}++) {{\n"
                f"            {inner}{first}\n            {inner}{second}\n        }}"]

    def draw_imperfect(self, r):
        """A face in the outer loop, before or after the inner one."""
        if self.d == 1:
            return self.draw_face(r)
        self.arrays = ["a", "b"]
        here = [0] * self.d
        keep, last = self.index, self.d - 1
        at = self.rng.choice(("0", f"{self.sizes[last]} - 1"))
        self.index = keep[:last] + [at]
        face = self.access("a", here).replace(f"{at}+0", at).replace(f"0+{at}", at)
        face += f" = {self.literal()};"
        self.index = keep
        o = [self.rng.choice((0, 0, -1, 1)) for _ in range(self.d)]
        body = f"{self.access('b', here)} = {self.access('a', o)} + {self.literal()};"
        k, n = keep[last], self.sizes[last]
        inner = f"for (int {k} = 1; {k} < {n} - 1; {k}++) "
        outer = "".join(f"for (int {x} = 1; {x} < {n} - 1; {x}++) "
                        for x, n in zip(keep[:last], self.sizes[:last]))
        lines = [face, inner + body]
        self.rng.shuffle(lines)
        more = self.loops([1] * self.d, [1] * self.d,
                          f"{self.access('a', here)} += {self.access('b', here)};")
        return [f"{outer}{{ {lines[0]} {lines[1]} }}", more]

    def draw_block(self, r):
        """Conditions around blocks, with locals in and outside of them."""
        self.arrays = ["a", "b"]
        lo, hi = self.box(1)
        here, total = [0] * self.d, " + ".join(self.index)
        o = [0] * self.d
        o[self.rng.randrange(self.d)] = self.rng.choice((-1, 1))
        which = self.rng.choice((0, 1))
        block = (f"{{ const {self.real} s = {self.access('a', o)} * {self.literal()}; "
                 f"if (({total}) % 2 == {which}) {{ {self.real} r = s + {self.literal()}; "
                 f"{self.access('b', here)} = r - {self.access('b', here)}; }} "
                 f"if (({total}) % 2 != {which}) {self.access('b', here)} = s; }}")
        return [self.loops(lo, hi, block),
                self.loops(lo, hi, f"{self.access('a', here)} = {self.access('b', here)} * 2;")]

    def draw_before(self, r):
        """Arrays that take turns, and another field that reads them before or after."""
        lines = self.draw_mod2(r)
        self.arrays, here = ["a"], [0] * self.d
        self.extra = "e"
        lo, hi = self.box(r)
        when = self.rng.choice(("t % 2", "(t + 1) % 2"))
        first = self.rng.random() < 0.5
        e = "e" + "".join(f"[{i}]" for i in self.index)
        line = self.loops(lo, hi, f"{e} = {e} + {self.access('a', self.offset(r), when)};")
        return [line] + lines if first else lines + [line]

    def draw_turns(self, r):
        """Two or three arrays that take turns, with another field in the same body, at points of
        one colour, or read at other points at the time before the last."""
        rng, here = self.rng, [0] * self.d
        self.arrays, self.time, self.extra = ["a"], rng.choice((2, 3)), "e"
        lo, hi = self.box(r)
        new, old = f"(t + 1) % {self.time}", f"t % {self.time}"
        reads = [("a", old)] + [("a", f"(t + 2) % {self.time}")] * (self.time == 3)
        e = lambda o: "e" + "".join(f"[{i}{x:+d}]" for i, x in zip(self.index, o))
        total, which = " + ".join(self.index), rng.choice((0, 1))
        form = rng.randrange(4)
        value = self.value(reads[:1] if form == 1 else reads, r, 2)
        put = f"{self.access('a', here, new)} = {value}"
        if form == 0:
            return [self.loops(lo, hi, f"if (({total}) % 2 == {which}) {put};")]
        if form == 1:
            more = f"{e(here)} += {self.access('a', here, new)} * {self.literal()};"
            return [self.loops(lo, hi, f"{{ {put} - {e(self.offset(r))}; {more} }}")]
        lines = [self.loops(lo, hi, f"{put} + {e(self.offset(r))};")]
        if form == 2:
            lo, hi = self.box(r)
            a = self.access("a", self.offset(r), rng.choice((new, old)))
            lines.append(self.loops(lo, hi, f"{e(here)} = {e(self.offset(0))} - {a};"))
        return lines

    extra = None

    def function(self, lines):
        params = [(self.kinds[s], s) for s in self.sizes] + [("int", "steps")]
        params += [(self.real, p) for p in self.params]
        text = [f"{self.kinds[s]} {s}" for s in self.sizes] + ["int steps"]
        text += [f"{self.real} {p}" for p in self.params]
        full = "".join(f"[{s}]" for s in self.sizes)
        if self.extra:
            params.append(("array", "e"))
            text.append(f"{self.real} e{full}")
        for a in self.arrays + self.coefficients:
            const = "const " if a in self.coefficients and self.rng.random() < 0.5 else ""
            params.append(("array", a))
            if self.time and a in self.arrays:
                text.append(f"{self.real} {a}[{self.time}]{full}")
            elif self.style == "flat":
                text.append(f"{const}{self.real} *{self.rng.choice(('', 'restrict '))}{a}")
            elif self.style == "pointer" and self.d > 1:
                inner = "".join(f"[{s}]" for s in self.sizes[1:])
                text.append(f"{const}{self.real} (*{a}){inner}")
            else:
                text.append(f"{const}{self.real} {a}{full}")
        for p in self.profiles:
            params.append(("array", p))
            text.append(f"const {self.real} {p}" + "".join(f"[{self.sizes[a]}]"
                                                            for a in self.profile_axes[p]))
        if self.table:
            params.append(("array", self.table))
            text.append(f"const {self.real} {self.table}[steps + {self.start}]")
        self.parameters = params
        declared = f"    int t{''.join(', ' + i for i in ('i', 'j', 'k')[:self.d])};\n" \
            if self.declared else ""
        kind = "" if self.declared else "int "
        body = "\n        ".join(lines)
        return (f"#include <math.h>\n#include <stddef.h>\n"
                f"void {self.name}({', '.join(text)})\n{{\n{declared}#pragma scop\n"
                f"    for ({kind}t = {self.start}; t < steps + {self.start}; t++) {{\n"
                f"        {body}\n    }}\n#pragma endscop\n}}\n")


def mutate(rng, text):
    """One token inside the region, changed."""
    head, region, tail = re.split(r"(?<=#pragma scop\n)|(?=#pragma endscop)", text)
    tokens = re.findall(r"\s+|\w+(?:\.\w*)?(?:e-?\d+)?|\.\d\w*|[<>=!+\-*/&]=|\+\+|--|.", region)
    real = [i for i, t in enumerate(tokens) if not t.isspace()]
    i = rng.choice(real)
    pool = ["+", "-", "*", "/", "i", "j", "k", "n", "m", "t", "a", "b", "q", "0", "1", "2", "3",
            "<", "<=", ">", "++", "--", "=", "+=", "%", "&", "(", ")", "[", "]", "s", "steps"]
    kind = rng.randrange(12)
    if kind == 0:
        tokens[i] = " "
    elif kind == 1:
        tokens[i] += " " + tokens[i]
    elif kind == 2:
        k = rng.choice(real)
        tokens[i], tokens[k] = f" {tokens[k]} ", f" {tokens[i]} "
    else:
        same = [t for t in pool if t[0].isalpha() == tokens[i][0].isalpha() and
                t.isdigit() == tokens[i].isdigit() and (t in "()[]") == (tokens[i] in "()[]")]
        same = same or pool
        tokens[i] = f" {rng.choice(same)} "
    return head + "".join(tokens) + tail


# --- comparison


def arrays_for(rng, draw, meaning, sizes):
    """Random arrays as the nest has them, with some values that are special."""
    real = np.float32 if draw.real == "float" else np.float64
    n = {a: eval(meaning.extent[a], {}, sizes) for a in meaning.axes}
    shape = tuple(n[a] for a in meaning.axes)
    made = {}
    for kind, name in draw.parameters:
        if kind != "array":
            continue
        if name == draw.table:
            this = (sizes["steps"] + draw.start,)
        elif name in draw.profiles:
            this = tuple(shape[a] for a in draw.profile_axes[name])
        else:
            this = ((draw.time,) if draw.time and name in draw.arrays else ()) + shape
        values = np.array([rng.uniform(-2, 2) for _ in range(math.prod(this))], dtype=real)
        for _ in range(len(values) // 10):
            special = rng.choice((0.0, -0.0, float("inf"), float("nan"), 1e-39, 1e-310))
            values[rng.randrange(len(values))] = special
        made[name] = values.reshape(this)
    return made


def same(a, b):
    """Equal bytes, all NaNs being one."""
    both = np.isnan(a) & np.isnan(b)
    kind = np.uint32 if a.dtype == np.float32 else np.uint64
    return bool((both | (a.view(kind) == b.view(kind))).all())


def draw_sizes(rng, draw, meaning):
    """Small ones, at times smaller than the box; None: the nest leaves its arrays."""
    # Without a sign, n - 3 is no number that C takes for one below 0.
    sizes = {s: rng.randint(5 if draw.kinds[s] in ("size_t", "unsigned") else 1, 8)
             for s in draw.sizes}
    sizes["steps"] = rng.randint(0, 4)
    n = {a: eval(meaning.extent[a], {}, sizes) for a in meaning.axes}
    return None if any(n[a] < meaning.least.get(a, 1) for a in n) else sizes


def arguments(draw, values, arrays):
    real = ctypes.c_float if draw.real == "float" else ctypes.c_double
    return [arrays[name].ctypes.data_as(ctypes.c_void_p) if kind == "array" else
            real(values[name]) if kind in ("float", "double") else
            ctypes.c_long(values[name]) for kind, name in draw.parameters]


def compare(rng, draw, meaning, function):
    """Runs both; a line where they differ, or None."""
    for _ in range(2):
        sizes = draw_sizes(rng, draw, meaning)
        if not sizes:
            continue
        values = dict(sizes)
        for p in draw.params:
            values[p] = float(np.float32(rng.uniform(0, 2)))
        ours = arrays_for(rng, draw, meaning, sizes)
        theirs = {name: array.copy() for name, array in ours.items()}
        with np.errstate(all="ignore"):
            try:
                Run(meaning, values, ours).run()
            except Undefined:
                continue
            except IndexError as error:
                return f"leaves an array with {sizes}: {error}"
        function(*arguments(draw, values, theirs))
        for name in ours:
            if not same(ours[name], theirs[name]):
                return f"{name} differs with {sizes}"
    return None


def explained(compiler, path):
    """The meaning of a nest; None: it is refused."""
    done = subprocess.run([compiler, path, "--explain"], capture_output=True, text=True,
                          check=False)
    if done.returncode == 0:
        return Meaning(done.stdout), None
    if done.returncode != 2:
        sys.exit(f"{path}: exit code {done.returncode}: {done.stderr}")
    if not re.match(rf"{path}:\d+:\d+: [^;]+; .+\n.*\n\s*\^\n$", done.stderr):
        sys.exit(f"{path}: not a refusal: {done.stderr}")
    return None, re.sub(r"^\S+ ", "", done.stderr.splitlines()[0])


def tile(compiler, rng, path, axes, reasons):
    """Puts a nest in small tiles, with copies if there are any; the path, None: it is refused. At
    times the tiles of a wavefront, which do not depend on each other, are taken backwards."""
    tiles = ",".join(str(rng.randint(1, 5)) for _ in range(axes + 1))
    words = [compiler, path, "--tiled", rng.choice(("minimal", "balanced")), "--tile", tiles,
             "-o", "tiled"]
    copies = ["--copies"] if rng.randrange(2) else []
    backwards = rng.randrange(2)
    done = subprocess.run(words + copies, capture_output=True, text=True, check=False)
    if copies and "leave out --copies" in done.stderr:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    elif copies and done.returncode == 0:
        reasons["with copies"] = reasons.get("with copies", 0) + 1
    if done.returncode == 0:
        path = pathlib.Path("tiled", f"{path.stem}_tiled.c")
        if backwards:
            path.write_text(re.sub(
                r"#pragma omp.*\n *for \(long zoid_w1 = (.*); zoid_w1 (<=?) (.*); zoid_w1 \+= 1\)",
                lambda m: f"for (long zoid_w1 = ({m[3]}) - {int(m[2] == '<')}; "
                          f"zoid_w1 >= ({m[1]}); zoid_w1 -= 1)", path.read_text()))
        return path
    reason = re.sub(r"^\S+ ", "", done.stderr.splitlines()[0])
    reasons[reason] = reasons.get(reason, 0) + 1
    return None


def build(cc, paths, opt="-O2"):
    done = subprocess.run([cc, "-std=gnu11", "-w", opt, "-ffp-contract=off", "-fopenmp",
                           "-shared", "-fPIC", "-o", "./plain.so", *paths, "-lm"], check=False)
    if done.returncode:
        sys.exit(f"{cc} does not take a nest")
    return ctypes.CDLL("./plain.so")


# --- operators of nests


def drawn(rng, count, simple=False):
    """Nests with their files, as `emit` leaves them and `run` finds them again."""
    for i in range(count):
        draw = Draw(rng, f"nest_{i}", simple)
        yield draw, pathlib.Path(f"nest_{i}.c")


def emit(compiler, rng, count, isa):
    """Writes operators of those nests that rows can say, and a project for an instruction set."""
    names, late = [], {}
    for draw, path in drawn(rng, count, True):
        path.write_text(draw.text)
        done = subprocess.run([compiler, path, "-o", "ops"], capture_output=True, text=True,
                              check=False)
        if done.returncode == 0:
            names.append(draw.name)
        else:
            reason = done.stderr.splitlines()[0].split(": ", 1)[1]
            late[reason] = late.get(reason, 0) + 1
    pathlib.Path("all.def").write_text("".join(f'#include "ops/{n}.def"\n' for n in names))
    pathlib.Path("CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\nproject(nests LANGUAGES C)\n"
        "find_package(zoid REQUIRED)\nzoid_add_operators(libnests MODULE ROWS all.def\n"
        f"    CALLS {' '.join(f'ops/{n}_call.c' for n in names)}\n"
        f"    EXPORTS {' '.join(f'{n} {n}_on_failure' for n in names)}\n"
        f"    ISAS {isa})\n")
    print(f"{count} nests, {len(names)} are operators")
    for reason, n in late.items():
        print(f"{n:5d} {reason}")
    return 0 if len(names) > count / 4 else 1


def start_alike(rng, meaning, name, buffers):
    """Arrays that take turns begin equal beyond the box, of which only some points differ."""
    for other in buffers[1:]:
        other[...] = buffers[0]
        stage = meaning.stages[meaning.writer(name)]
        box = next(item[2] for item in stage[1] if item[0] == "put" and item[1] == name)
        run = Run.__new__(Run)
        run.m, run.n = meaning, dict(zip(meaning.axes, other.shape))
        for p in run.points(box, None):
            other[p] = rng.uniform(-1, 1)


def flipped(meaning, array):
    return np.array(np.flip(array, [i for i, a in enumerate(meaning.axes)
                                    if a in meaning.mirrored]), order="C")


class Case:
    """A nest with arrays for one run."""

    def __init__(self, rng, draw, meaning):
        self.draw, self.m = draw, meaning
        self.sizes = {s: rng.choice((7, 12, 19, 33)) for s in draw.sizes}
        self.sizes["steps"] = rng.choice((1, 2, 5))
        self.values = dict(self.sizes)
        for p in draw.params:
            self.values[p] = float(np.float32(rng.uniform(0, 1)))
        self.arrays = arrays_for(rng, draw, meaning, self.sizes)
        self.buffers = {}
        for name, turns in meaning.turns.items():
            other = None if "first" in turns else turns[2] if turns[3] == name else turns[3]
            self.buffers[name] = list(self.arrays[name]) if "first" in turns else \
                [self.arrays[name], self.arrays[other]]
            start_alike(rng, meaning, name, self.buffers[name])

    def newest(self, name, steps):
        turns = self.m.turns[name]
        first = int(turns[2]) if "first" in turns else 0
        return (first + steps) % len(self.buffers[name])

    def state(self, steps, names):
        """Fields of those names after so many steps of the nest."""
        fields = {}
        for name in names:
            whole, before, age = re.match(r"(\w+?)(_before(?:_(\d))?)?$", name).groups()
            if before and whole not in self.buffers:
                whole, before = name, None
            if self.m.arrays[whole] == "profile":
                axes = [self.m.axes.index(a) for a in self.m.profile[name]]
                n = [eval(self.m.extent[a], {}, self.sizes) for a in self.m.axes]
                array = self.arrays[name].reshape([n[a] if a in axes else 1 for a in range(len(n))])
                array = np.broadcast_to(array, n)
            elif whole in self.buffers:
                b = self.buffers[whole]
                array = b[(self.newest(whole, steps) - (int(age or 1) if before else 0)) % len(b)]
            else:
                array = self.arrays[name]
            fields[name] = flipped(self.m, array)
        return fields

    def plain(self, function):
        function(*arguments(self.draw, self.values, self.arrays))


def run_half(zoid, rng, draw, meaning, function):
    """Runs the operator of half steps, and compares the array that both halves lead to."""
    case = Case(rng, draw, meaning)
    other, name = (next(i[1] for i in items if i[0] == "put") for _, items in meaning.stages)
    case.arrays[other][...] = case.arrays[name]
    fields = case.state(0, meaning.arrays)
    case.plain(function)
    params = {p.lower(): case.values[p] for p in meaning.params}
    given = {n: a for n, a in fields.items() if meaning.arrays[n] != "state"}
    if given:
        params["coefficient"] = given
    result = zoid.run(draw.name + "_half", 2 * case.sizes["steps"], init={name: fields[name]},
                      type="f32" if draw.real == "float" else "f64", force=True, **params)
    return same(np.ascontiguousarray(result[name]),
                case.state(case.sizes["steps"], [name])[name])


LINES = []
FAILURE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p)
HANDLER = FAILURE(lambda user, status, line: LINES.append(line.decode()))


def call_function(rng, draw, meaning, ours, plain):
    """Calls the module's function and the nest's own; a line where they differ, or None."""
    sizes = draw_sizes(rng, draw, meaning)
    if not sizes:
        return None
    values = dict(sizes, **{p: float(np.float32(rng.uniform(0, 2))) for p in draw.params})
    here = arrays_for(rng, draw, meaning, sizes)
    there = {name: array.copy() for name, array in here.items()}
    LINES.clear()
    getattr(ours, draw.name + "_on_failure")(HANDLER, None)
    getattr(ours, draw.name)(*arguments(draw, values, here))
    if LINES:
        return f"the function fails with {sizes}: {LINES[0]}"
    getattr(plain, draw.name)(*arguments(draw, values, there))
    for name in here:
        if not same(here[name], there[name]):
            return f"{name} of the function differs with {sizes}"
    return None


METHODS = ("auto", "leaning", "overlapped", "trapezoid", "recursive", "naive")


def run_operators(compiler, cc, rng, count):
    import zoid

    zoid.load_operators("build/libnests.so")
    have = {o["operator"]: o for o in zoid.operators()}
    found = [(draw, path) for draw, path in drawn(rng, count, True) if draw.name in have]
    library, module = build(cc, [path for _, path in found]), ctypes.CDLL("build/libnests.so")
    runs = wrong = halves = calls = 0
    for draw, path in found:
        case = Case(rng, draw, explained(compiler, path)[0])
        states, coefficients = have[draw.name]["fields"], have[draw.name]["coefficients"]
        init, given = case.state(0, states), case.state(0, coefficients)
        case.plain(getattr(library, draw.name))
        after = case.state(case.sizes["steps"], states)
        # The last step of A -> B -> A leaves its half in B, so that both say the same.
        params = {p.lower(): case.values[p] for p in case.m.params}
        if given:
            params["coefficient"] = given
        for method in METHODS:
            try:
                result = zoid.run(draw.name, case.sizes["steps"], init=init, method=method,
                                  type="f32" if draw.real == "float" else "f64", force=True,
                                  **params)
            except zoid.BadArgument as refusal:
                if method == "auto":
                    sys.exit(f"{path}: {refusal}\n{draw.text}")
                continue
            runs += 1
            for name in states:
                if not same(np.ascontiguousarray(result[name]), after[name]):
                    wrong += 1
                    print(f"{path}: {name} differs by {method} with {case.sizes}\n{draw.text}")
                    break
        if case.m.halves:
            halves += 1
            if not run_half(zoid, rng, draw, case.m, getattr(library, draw.name)):
                wrong += 1
                print(f"{path}: half steps differ\n{draw.text}")
        for _ in range(12):
            problem = call_function(rng, draw, case.m, module, library)
            calls += 1
            if problem:
                wrong += 1
                print(f"{path}: {problem}\n{draw.text}")
    print(f"{len(found)} operators, {halves} with halves, {runs} runs, {calls} calls, "
          f"{wrong} wrong")
    return 1 if wrong or runs < 2 * len(found) else 0


def main(words):
    compiler, cc, kind, seed, count = words[0], words[1], words[2], int(words[3]), int(words[4])
    rng = random.Random(seed)
    accepted, reasons = [], {}
    if kind == "emit":
        return emit(compiler, rng, count, words[5])
    if kind == "run":
        return run_operators(compiler, cc, rng, count)
    for draw, path in drawn(rng, count):
        if kind == "mutated":
            draw.text = mutate(rng, draw.text)
        path.write_text(draw.text)
        meaning, reason = explained(compiler, path)
        if meaning:
            accepted.append((draw, path, meaning))
        else:
            reasons[reason] = reasons.get(reason, 0) + 1
    good = []
    for draw, path, meaning in accepted:
        checked = subprocess.run([cc, "-std=gnu11", "-w", "-fsyntax-only", path], check=False,
                                 capture_output=True) if kind == "mutated" else None
        if kind == "tiled":
            tiled = tile(compiler, rng, path, len(meaning.axes), reasons)
            if tiled:
                good.append((draw, tiled, meaning))
        elif not checked or checked.returncode == 0:
            good.append((draw, path, meaning))
        else:
            print(f"{path}: accepted, but {cc} does not take it:\n{draw.text}")
    # Vectors show whether points of innermost loops are independent.
    library = build(cc, [path for _, path, _ in good], "-O3" if kind == "tiled" else "-O2")
    wrong = 0 if kind == "tiled" else len(accepted) - len(good)
    for draw, path, meaning in good:
        problem = compare(rng, draw, meaning, getattr(library, draw.name))
        if problem:
            wrong += 1
            print(f"{path}: {problem}\n{draw.text}")
    accepted = good if kind == "tiled" else accepted
    print(f"{count} nests, {len(accepted)} accepted, {wrong} wrong")
    if "-v" in words:
        for reason, n in sorted(reasons.items(), key=lambda x: -x[1]):
            print(f"{n:5d} {reason}")
    return 1 if wrong or (kind in ("legal", "tiled") and len(accepted) < count * 0.6) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
