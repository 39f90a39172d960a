# SPDX-License-Identifier: BSD-3-Clause
"""Operators from functions in Python, through a loop nest in C and zoid-compile."""
import ast
import functools
import hashlib
import inspect
import math
import os
import re
import shutil
import subprocess
import textwrap

from numpy import asarray, isscalar, sqrt, where

from ._arrays import borrow
from ._library import BadArgument, Resource, library_path, operators
from ._settings import load_operators

# Arguments that zoid.run has itself.
_RESERVED = {"operator", "steps", "shape", "size", "progress", "fields", "init", "coefficient",
             "type"}
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_COMPARISONS = {ast.Lt: "<", ast.Gt: ">", ast.LtE: "<=", ast.GtE: ">=", ast.Eq: "==",
                ast.NotEq: "!="}
_C_TYPES = {"f32": "float", "f64": "double"}


class Loop:
    """A function that computes a point, as an operator: see docs/loops.md.

        @zoid.loop
        def diffuse(u, k, lam=0.1):
            return u[0, 0] + lam * k[0, 0] * (u[-1, 0] + u[1, 0] - 2 * u[0, 0])

        zoid.run(diffuse, steps=500, init={"u": u}, coefficient={"k": k}, lam=0.2)

    Subscripts are relative, the slowest axis first. The first arguments with subscripts are fields,
    one for each returned value, the others coefficients; those with [t], [t + 1] and so on are
    tables, a value for each step, t being the step; arguments without are parameters. All
    points whose neighbours are in the arrays get new values, from the old ones of all fields."""

    def __init__(self, function):
        functools.update_wrapper(self, function)
        self._function = function
        self._file = inspect.getsourcefile(function)
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines))).body[0]
        if not isinstance(tree, ast.FunctionDef):
            raise BadArgument(f"{self._file}:{first}: no function; write def NAME(...)")
        ast.increment_lineno(tree, first - 1)
        self._tree = tree
        self._locals, self._used, self._reach = set(), {}, None
        self.tables = {}  # by argument: its offsets in time
        self._read()

    def _refuse(self, node, words):
        raise BadArgument(f"{self._file}:{node.lineno}: {words}")

    def _read(self):
        a = self._tree.args
        if a.vararg or a.kwarg:
            self._refuse(self._tree, "arguments without names; name each")
        self._arguments = {x.arg: x for x in a.posonlyargs + a.args + a.kwonlyargs}
        body = self._tree.body[ast.get_docstring(self._tree) is not None:]
        if not body or not isinstance(body[-1], ast.Return) or body[-1].value is None:
            self._refuse(body[-1] if body else self._tree,
                         "a function that does not end with a value; return it")
        values = body[-1].value
        self._puts = values.elts if isinstance(values, ast.Tuple) else [values]
        self._pieces = []
        for statement in body[:-1]:
            self._assign(statement)
        for value in self._puts:
            self._piece(None, value)
        self._classify()

    def _assign(self, node):
        if not isinstance(node, ast.Assign) or len(node.targets) != 1 \
                or not isinstance(node.targets[0], ast.Name):
            self._refuse(node, "a statement that is no name = value; write one")
        name = node.targets[0].id
        if name in self._arguments or name in self._locals:
            self._refuse(node, f"{name} has a value already; take another name")
        self._piece(name, node.value)
        self._locals.add(name)

    def _classify(self):
        self.fields, self.coefficients, self.parameters = [], [], {}
        defaults = inspect.signature(self._function).parameters
        for name, argument in self._arguments.items():
            if name not in self._used:
                self._refuse(argument, f"{name} is not used; drop it")
            if not re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII):
                self._refuse(argument, f"{name} is no name of C; take ASCII letters")
            if name in self.tables and name in _RESERVED:
                self._refuse(argument, f"{name} is an argument of zoid.run; take another name")
            if name in self.tables:
                continue
            if self._used[name]:
                fields = len(self.fields) < len(self._puts)
                (self.fields if fields else self.coefficients).append(name)
            elif name in _RESERVED:
                self._refuse(argument, f"{name} is an argument of zoid.run; take another name")
            else:
                self.parameters[name] = defaults[name].default
        if len(self.fields) < len(self._puts):
            self._refuse(self._tree.body[-1], f"{len(self._puts)} values for "
                         f"{len(self.fields)} arrays; return one for each of the first arrays")

    # ---- values, as pieces of C with their lines -----------------------------------------------

    def _piece(self, local, node):
        self._pieces.append((local, node.lineno, []))
        self._value(node)

    def _put(self, node, text):
        self._pieces[-1][2].append((node.lineno, text))

    def _number(self, node, value):
        if isinstance(value, bool) or not isinstance(value, (int, float)) \
                or not math.isfinite(value):
            self._refuse(node, f"{value!r} is no finite number; write one")
        text = repr(float(value))
        self._put(node, f"({text})" if value < 0 else text)

    def _named(self, node):
        """The object that a name outside of the function stands for."""
        if isinstance(node, ast.Attribute):
            return getattr(self._named(node.value), node.attr, None)
        if not isinstance(node, ast.Name):
            return None
        known = inspect.getclosurevars(self._function)
        return {**known.builtins, **known.globals, **known.nonlocals}.get(node.id)

    def _name(self, node):
        if node.id in self._locals:
            self._put(node, node.id)
        elif node.id in self._arguments:
            if self._used.setdefault(node.id, False):
                self._refuse(node, f"{node.id} without a subscript; write {node.id}[0]")
            self._put(node, node.id)
        else:
            value = self._named(node)
            if value is None:
                self._refuse(node, f"{node.id} has no value here; assign it before")
            self._number(node, value)

    def _is_step(self, node):
        return isinstance(node, ast.Name) and node.id == "t" and "t" not in self._arguments \
            and "t" not in self._locals

    def _after(self, node):
        """How many steps after t a subscript is: t, or t + integer; None: another one."""
        if self._is_step(node):
            return 0
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) \
                and self._is_step(node.left) and isinstance(node.right, ast.Constant) \
                and type(node.right.value) is int:
            return node.right.value
        return None

    def _subscript(self, node):
        name = node.value.id if isinstance(node.value, ast.Name) else None
        if name not in self._arguments:
            self._refuse(node, "a subscript of another value than an argument; take one")
        after = self._after(node.slice)
        if (after is not None) != (name in self.tables) and name in self._used:
            self._refuse(node, f"{name} by the step, and not; write it the same way everywhere")
        if after is not None:
            self._used[name] = True
            self.tables.setdefault(name, set()).add(after)
            self._put(node, f"{name}[zoid_t + {after}]")
            return
        if self._used.setdefault(name, True) is False:
            self._refuse(node, f"{name} with a subscript, and without; write it everywhere")
        try:
            offsets = ast.literal_eval(node.slice)
        except ValueError:
            offsets = None
        offsets = list(offsets) if isinstance(offsets, tuple) else [offsets]
        if not all(type(offset) is int for offset in offsets):
            self._refuse(node, "a subscript that is no integer; write the distance, as -1")
        self._reach = self._reach or [[0, 0] for _ in offsets]
        if len(offsets) != len(self._reach) or len(offsets) > 3:
            self._refuse(node, f"{name} has {len(offsets)} subscripts, and others "
                         f"{len(self._reach)}; write the same number everywhere, 3 at most")
        for reach, offset in zip(self._reach, offsets):
            reach[0], reach[1] = max(reach[0], -offset), max(reach[1], offset)
        self._put(node, (name, offsets))

    def _group(self, node, *parts):
        """Values and texts, in parentheses."""
        for part in ("(", *parts, ")"):
            (self._put(node, part) if isinstance(part, str) else self._value(part))

    def _choice(self, node, test, yes, no):
        if not isinstance(test, ast.Compare) or len(test.ops) != 1 \
                or type(test.ops[0]) not in _COMPARISONS:
            self._refuse(test, "no comparison of two values; write a < b")
        self._group(node, test.left, f" {_COMPARISONS[type(test.ops[0])]} ", test.comparators[0],
                    " ? ", yes, " : ", no)

    def _call(self, node):
        function, count = self._named(node.func), len(node.args) + 9 * len(node.keywords)
        if function is where and count == 3:
            self._choice(node, *node.args)
        elif function in (abs, sqrt, math.sqrt) and count == 1:
            self._put(node, "fabs" if function is abs else "sqrt")
            self._group(node, node.args[0])
        else:
            self._refuse(node, "a function that loops do not know; zoid.where(a < b, x, y), abs(x) "
                         "and zoid.sqrt(x) are all that there are")

    def _value(self, node):
        if isinstance(node, ast.Constant):
            self._number(node, node.value)
        elif isinstance(node, ast.Name):
            self._name(node)
        elif isinstance(node, ast.Subscript):
            self._subscript(node)
        elif isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            self._group(node, node.left, f" {_OPERATORS[type(node.op)]} ", node.right)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            self._group(node, "-" if isinstance(node.op, ast.USub) else "+", node.operand)
        elif isinstance(node, ast.IfExp):
            self._choice(node, node.test, node.body, node.orelse)
        elif isinstance(node, ast.Call):
            self._call(node)
        elif isinstance(node, ast.Attribute) and self._named(node) is not None:
            self._number(node, self._named(node))
        else:
            self._refuse(node, "an expression that loops do not know; write + - * / of numbers, "
                         "arguments, names and subscripts")

    # ---- the nest ------------------------------------------------------------------------------

    def _access(self, name, offsets, time):
        turn = f"[{time} % 2]" if name in self.fields else ""
        return name + turn + "".join(f"[zoid_i{a} + {o}]" if o >= 0 else f"[zoid_i{a} - {-o}]"
                                     for a, o in enumerate(offsets))

    def _lines(self, name, real):
        """Lines of C, each with the line of the file that it was made from."""
        first, c = self._tree.lineno, _C_TYPES[real]
        axes = range(len(self._reach))
        extents = "".join(f"[zoid_n{a}]" for a in axes)
        head = [f"long zoid_n{a}" for a in axes] + ["long zoid_steps"]
        head += [f"{c} {p}" for p in self.parameters]
        head += [f"{c} {f}[2]{extents}" for f in self.fields]
        head += [f"const {c} {k}{extents}" for k in self.coefficients]
        head += [f"const {c} *{k}" for k in self.tables]
        loops = "".join(f" for (long zoid_i{a} = {lo}; zoid_i{a} < zoid_n{a} - {hi}; zoid_i{a}++)"
                        for a, (lo, hi) in enumerate(self._reach))
        for line in (f"void {name}({', '.join(head)}) {{", "#pragma scop",
                     f"for (long zoid_t = 0; zoid_t < zoid_steps; zoid_t++){loops} {{"):
            yield first, line
        here, fields = [0 for _ in axes], iter(self.fields)
        for local, line, pieces in self._pieces:
            yield line, f"const {c} {local} =" if local else \
                f"{self._access(next(fields), here, '(zoid_t + 1)')} ="
            for line, piece in pieces:
                yield line, piece if isinstance(piece, str) else self._access(*piece, "zoid_t")
            yield line, ";"
        for line in ("}", "#pragma endscop", "}"):
            yield first, line

    @functools.lru_cache(maxsize=None)
    def operator(self, real="f64"):
        """The name of the operator of that type, which is built, or copied from the cache, and
        loaded."""
        lines = list(self._lines("NEST", real))
        text = "\n".join(line for _, line in lines)
        if real == "f32":
            text = re.sub(r"^(fabs|sqrt)$", r"\1f", text, flags=re.M)
        name = f"{self.__name__[:24]}_{hashlib.sha256(text.encode()).hexdigest()[:12]}"
        folder = os.path.join(_cache(), name)
        os.makedirs(folder, exist_ok=True)
        done = subprocess.run([_compiler(), "/dev/stdin", "-o", folder, "--build", "--name", name,
                               *(["--float-literals"] if real == "f32" else [])],
                              input=text, capture_output=True, text=True, check=False)
        if done.returncode:
            said = done.stderr.splitlines() or [f"exit code {done.returncode}"]
            found = re.match(r".*?:(\d+):\d+: (.*)$", said[0])
            if done.returncode == 2 and found:
                raise BadArgument(f"{self._file}:{lines[int(found[1]) - 1][0]}: {found[2]}")
            raise Resource(said[-1])
        load_operators(os.path.join(folder, f"lib{name}.so"))
        return name

    def settings(self, settings):
        """The settings of a session, with the operator's name, type and parameters."""
        settings = dict(settings)
        arrays = map(borrow, getattr(settings.get("init"), "values", tuple)())
        single = {a.view.type[1:] for a in arrays if a} == {b"f4"}
        real = settings.get("type") or ("f32" if single else "f64")
        if real not in _C_TYPES:
            raise BadArgument(f"{self.__name__} has no type {real!r}; take f32 or f64", "type")
        settings["operator"], settings["type"] = self.operator(real), real
        keys = next(o["params"] for o in operators() if o["operator"] == settings["operator"])
        for name, default in self.parameters.items():
            value = settings.pop(name, default)
            if value is inspect.Parameter.empty:
                raise BadArgument(f"{self.__name__} needs {name}; give it")
            key = name.lower()
            settings[key if key in keys else f"param_{key}"] = value
        return self._with_tables(settings)

    def _with_tables(self, settings):
        """Of a table that is read n steps ahead the operator has another one, NAME_pn."""
        given = {}
        for name, offsets in self.tables.items():
            value = settings.pop(name, None)
            if value is None:
                raise BadArgument(f"{self.__name__} needs {name}; give it")
            for after in offsets:
                given[f"{name}_p{after}" if after else name] = value if isscalar(value) \
                    else asarray(value)[after:]
        return {**settings, "table": given} if given else settings


def _cache():
    own, common = os.environ.get("ZOID_CACHE"), os.environ.get("XDG_CACHE_HOME")
    return os.path.join(own or os.path.join(common or os.path.expanduser("~/.cache"), "zoid"),
                        "python")


def _compiler():
    """ZOID_COMPILE, or the program that belongs to the library, or that on the PATH."""
    here = os.path.dirname(os.path.realpath(library_path()))
    near = [os.path.join(here, *way, "zoid-compile") for way in
            (("apps",), ("..", "bin"), ("..", "..", "bin"))]
    for program in (os.environ.get("ZOID_COMPILE"), *near, shutil.which("zoid-compile")):
        if program and os.access(program, os.X_OK):
            return program
    raise Resource("there is no zoid-compile, which makes operators of functions; install Zoid "
                   "with isl, or name one by ZOID_COMPILE")


loop = Loop
