# SPDX-License-Identifier: BSD-3-Clause
"""From keyword arguments to the settings of a session."""
import ctypes
import difflib
import inspect
import keyword
import os

import numpy

from ._abi import SourceRow
from ._arrays import borrow, in_main_memory
from ._library import BadArgument, UnknownSetting, do, settings

ROWS = {}
for _row in settings():
    ROWS.setdefault(_row["key"], _row)
# Those whose numbers are one for each axis.
AXES = [key for key, row in ROWS.items() if row["type"] == "axes"]
# Those that take the numbers of files from elsewhere than a field's: of few points.
POINTS = [key for key, row in ROWS.items() if row["type"] == "list"]
# Those whose arrays are read again after a start: by a rewind, and for checkpoints of matrices.
_AGAIN = ("init", "rhs", "vector")
# Flags with which all arrays are: by each check, and by checkpoints.
READ_AGAIN = ("check", "checkpoint_coefficients")


# Functions that take settings, with what they say of themselves alone.
_described = []


def load_operators(path):
    """Loads a shared object that zoid_add_operators(... MODULE ...) has built; its operators and
    their parameters are there for the rest of the process."""
    do("operators_load", os.fsencode(path))
    take_settings()


def take_settings():
    """Takes over the settings of operators that were loaded."""
    for row in settings():
        ROWS.setdefault(row["key"], row)
    for function, text, signature in _described:
        _describe(function, text, signature)


class Source:
    """A source: a series, one number a step, or a Ricker wavelet of so many cycles a step, times an
    amplitude, added to a field at a position, in points, x first. `physical`: the position is in m,
    the wavelet in Hz and its delay in s, with dx and dt."""

    def __init__(self, position, *, field=None, amplitude=1.0, series=None, ricker=None, delay=0.0,
                 physical=False):
        if (series is None) == (ricker is None):
            raise TypeError("a source has either a series or a ricker frequency")
        self.position = tuple(float(x) for x in position)
        self.field, self.amplitude, self.delay = field, float(amplitude), float(delay)
        self.series = None if series is None else numpy.ascontiguousarray(series, "f8")
        self.ricker = 0.0 if ricker is None else float(ricker)
        self.physical = bool(physical)

    def add_to(self, handle):
        row = SourceRow(size=ctypes.sizeof(SourceRow), amplitude=self.amplitude,
                        ricker=self.ricker, delay=self.delay, physical=self.physical,
                        field=self.field.encode() if self.field else None)
        row.position[:len(self.position)] = self.position
        if self.series is not None:
            row.series = self.series.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
            row.samples = self.series.size
        do("session_add_source", handle, ctypes.byref(row))


class Settings:
    """Sets a session's settings from keyword arguments, and keeps the arrays that it borrows;
    `folder` is a reference to what makes a folder, for those that are files."""

    def __init__(self, handle, folder):
        self._handle = handle
        self._folder = folder
        self._kept = {}  # by key and field
        self.has_let_go = False
        self._files = 0

    def let_go(self):
        """Drops the arrays that are read no more; a session may go back to its initial state."""
        kept = {key: borrowed for key, borrowed in self._kept.items() if key[0] in _AGAIN}
        self.has_let_go = len(kept) < len(self._kept)
        self._kept = kept

    def close(self):
        """Drops all arrays, of a session that is no more."""
        self._kept = {}

    def set(self, name, value):
        """A setting with a value, of any kind that docs/python.md lists."""
        check(name)
        key = name.rstrip("_")
        if value is None:
            return
        if isinstance(value, dict) and ROWS[key]["type"] == "kinds":
            self._set_text(key, ",".join(f"{kind}={one}" for kind, one in value.items()))
        elif isinstance(value, dict) and ROWS[key]["type"] not in ("axes", "faces", "slice"):
            for field, one in value.items():
                self._set_field(key, field, one)
        elif isinstance(value, list):
            for one in value:
                self._set_one(key, one)
        else:
            self._set_one(key, value)

    def _set_array(self, key, field, value):
        """Whether the value is an array, which is then set."""
        borrowed = borrow(value)
        if borrowed is None:
            return False
        do("session_set_array", self._handle, key.encode(), field and field.encode(),
           ctypes.byref(borrowed.view))
        self._kept[key, field] = borrowed
        return True

    def _set_text(self, key, text):
        do("session_set_text", self._handle, key.encode(), text.encode())

    def _set_field(self, key, field, value):
        if not self._set_array(key, field, value):
            self._set_text(key, f"{field}={self._text(key, value)}")

    def _set_one(self, key, value):
        encoded = key.encode()
        if isinstance(value, Source):
            value.add_to(self._handle)
            return
        if isinstance(value, numpy.generic):
            value = value.item()
        if isinstance(value, bool):
            # A flag that is not set, and one that is set to no, are the same.
            if value or ROWS[key]["type"] != "flag":
                do("session_set_int", self._handle, encoded, value)
        elif isinstance(value, dict):
            self._set_text(key, _axes_text(key, value))
        elif isinstance(value, int) and -2**63 <= value < 2**63:
            do("session_set_int", self._handle, encoded, value)
        elif isinstance(value, float):
            do("session_set_real", self._handle, encoded, value)
        elif key in POINTS or not self._set_array(key, None, value):
            self._set_text(key, self._text(key, value))

    def _text(self, key, value):
        """The text of a value on a command line."""
        if hasattr(value, "total_seconds"):
            return f"{value.total_seconds()!r}s"
        if isinstance(value, tuple):
            parts = [self._text(key, part) for part in value]
            if any(isinstance(part, (str, tuple, numpy.ndarray)) for part in value):
                return ":".join(parts).replace("@:", "@")
            return ("x" if key in AXES else ",").join(parts)
        if isinstance(value, (str, os.PathLike)):
            return os.fspath(value)
        array = in_main_memory(value, f"{key}: series and places are not read from")
        if array is not None:
            return self._save(array)
        if isinstance(value, numpy.generic):
            value = value.item()
        return repr(value) if isinstance(value, float) else str(value)

    def _save(self, array):
        """Series and places are few: they go by a file."""
        path = os.path.join(self._folder()(), f"{self._files}.npy")
        self._files += 1
        numpy.save(path, numpy.ascontiguousarray(array, "f8"))
        return path


def _whole(key, value):
    try:
        if int(value) == value:
            return str(int(value))
    except (TypeError, ValueError, OverflowError):
        pass
    raise BadArgument(f"{key} {value!r} is no whole number", key)


def _axes_text(key, value):
    """Of {"x": 3, "z": 5} and the like."""
    kind = ROWS[key]["type"]
    wrong = [axis for axis in value if axis not in ("x", "y", "z")]
    if wrong or not value:
        raise BadArgument(f"{key} is given for the axes x, y and z, not for "
                          f"{wrong[0] if wrong else None!r}", key)
    if kind == "axes":
        return "x".join(_whole(key, value[axis]) for axis in "xyz" if axis in value)
    if kind == "slice":
        return ",".join(f"{axis}={_whole(key, at)}" for axis, at in value.items())
    return ",".join(f"{axis}{side}={one}" for axis, both in value.items()
                    for side, one in zip("-+", both if isinstance(both, tuple) else (both, both)))


def check(name):
    """Raises UnknownSetting, with the nearest name, if there is no setting of that name."""
    key = name.rstrip("_")
    if key in ROWS:
        return
    near = difflib.get_close_matches(key, ROWS, 1)
    raise UnknownSetting(f"no setting {key!r}" + (f"; did you mean {near[0]!r}?" if near else
                                                  "; help(zoid.run) lists them"), key)


def python_name(key):
    return key + "_" if keyword.iskeyword(key) else key


def _describe(function, text, signature):
    lines, group = [], None
    for key, row in ROWS.items():
        if row["group"] != group:
            group = row["group"]
            lines += ["", f"    {group}:"]
        default = row["default"]
        lines.append(f"      {python_name(key)}: {row['doc']}"
                     + (f" [{default}]" if default is not None and "[" not in row["doc"] else ""))
    function.__doc__ = text + "\n\n    Settings, by group:\n" + "\n".join(lines)
    own = [p for p in signature.parameters.values() if p.kind != p.VAR_KEYWORD]
    known = {p.name for p in own}
    function.__signature__ = signature.replace(parameters=own + [
        inspect.Parameter(python_name(key), inspect.Parameter.KEYWORD_ONLY, default=None)
        for key in ROWS if python_name(key) not in known])


def describe(function):
    """Adds the settings, by group, to what a function that takes them says of itself, also those
    of operators that are loaded later."""
    _described.append((function, function.__doc__, inspect.signature(function)))
    _describe(*_described[-1])
    return function
