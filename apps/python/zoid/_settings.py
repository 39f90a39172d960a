# SPDX-License-Identifier: BSD-3-Clause
"""From keyword arguments to the settings of a session."""
import ctypes
import difflib
import inspect
import keyword
import os

import numpy

from ._abi import Array, SourceRow
from ._library import UnknownSetting, do, settings

ROWS = {}
for _row in settings():
    ROWS.setdefault(_row["key"], _row)
# Those whose numbers are one for each axis.
AXES = [key for key, row in ROWS.items() if row["type"] == "axes"]
# Those that take the numbers of files from elsewhere than a field's: of few points.
POINTS = [key for key, row in ROWS.items() if row["type"] == "list"]


class Source:
    """A source: a series, one number a step, or a Ricker wavelet of so many cycles a step, times an
    amplitude, added to a field at a position, in points, x first."""

    def __init__(self, position, *, field=None, amplitude=1.0, series=None, ricker=None, delay=0.0):
        if (series is None) == (ricker is None):
            raise TypeError("a source has either a series or a ricker frequency")
        self.position = tuple(float(x) for x in position)
        self.field, self.amplitude, self.delay = field, float(amplitude), float(delay)
        self.series = None if series is None else numpy.ascontiguousarray(series, "f8")
        self.ricker = 0.0 if ricker is None else float(ricker)

    def add_to(self, handle):
        row = SourceRow(size=ctypes.sizeof(SourceRow), amplitude=self.amplitude,
                        ricker=self.ricker, delay=self.delay,
                        field=self.field.encode() if self.field else None)
        row.position[:len(self.position)] = self.position
        if self.series is not None:
            row.series = self.series.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
            row.samples = self.series.size
        do("session_add_source", handle, ctypes.byref(row))


def as_array(value):
    """An array for a value that is one, in main memory without a copy; None for others."""
    if isinstance(value, numpy.ndarray):
        return value
    if isinstance(value, (str, os.PathLike, int, float, tuple, list, dict, bool)):
        return None
    if hasattr(value, "__array_interface__") and not isinstance(value, numpy.generic):
        return numpy.asarray(value)
    if hasattr(value, "__dlpack__") and value.__dlpack_device__()[0] == 1:
        return numpy.from_dlpack(value)
    return None


def describe_array(array):
    """A view of an array of NumPy's for the library; it is borrowed."""
    view = Array(type=array.dtype.str.encode(), axes=array.ndim, device=-1, data=array.ctypes.data)
    if array.ndim <= 4:
        view.shape[:array.ndim] = array.shape
        view.stride[:array.ndim] = array.strides
        # Strides of zeros would stand for C's order.
        if array.ndim and not any(array.strides):
            array = numpy.ascontiguousarray(array)
            view.data, view.stride[:array.ndim] = array.ctypes.data, array.strides
    return view, array


def on_gpu(value):
    """A view of an array in the memory of a GPU, as __cuda_array_interface__ has it; or None."""
    there = getattr(value, "__cuda_array_interface__", None)
    if there is None:
        return None
    view = Array(type=there["typestr"].encode(), axes=len(there["shape"]), data=there["data"][0],
                 device=getattr(getattr(value, "device", None), "id", 0) or 0)
    view.shape[:view.axes] = there["shape"]
    if there.get("strides"):
        view.stride[:view.axes] = there["strides"]
    return view


class Settings:
    """Sets a session's settings from keyword arguments, and keeps the arrays that it borrows;
    `folder` makes a folder, for those that are files."""

    def __init__(self, handle, folder):
        self._handle = handle
        self._folder = folder
        self._kept = []
        self._files = 0

    def set(self, name, value):
        """A setting with a value, of any kind that docs/python.md lists."""
        check(name)
        key = name.rstrip("_")
        if value is None:
            return
        if isinstance(value, dict) and ROWS[key]["type"] not in ("axes", "faces", "slice"):
            for field, one in value.items():
                self._set_field(key, field, one)
        elif isinstance(value, list):
            for one in value:
                self._set_one(key, one)
        else:
            self._set_one(key, value)

    def _set_array(self, key, field, value):
        """Whether the value is an array, which is then set."""
        view = on_gpu(value)
        if view is None:
            array = as_array(value)
            if array is None:
                return False
            view, value = describe_array(array)
        self._kept.append(value)
        do("session_set_array", self._handle, key.encode(), field and field.encode(),
           ctypes.byref(view))
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
        array = as_array(value)
        if array is not None:
            return self._save(array)
        if isinstance(value, numpy.generic):
            value = value.item()
        return repr(value) if isinstance(value, float) else str(value)

    def _save(self, array):
        """Series and places are few: they go by a file."""
        path = os.path.join(self._folder(), f"{self._files}.npy")
        self._files += 1
        numpy.save(path, numpy.ascontiguousarray(array, "f8"))
        return path


def _axes_text(key, value):
    """Of {"x": 3, "z": 5} and the like."""
    kind = ROWS[key]["type"]
    if kind == "axes":
        return "x".join(str(int(value[axis])) for axis in "xyz" if axis in value)
    if kind == "slice":
        return ",".join(f"{axis}={int(at)}" for axis, at in value.items())
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


def describe(function):
    """Adds the settings to what a function that takes them says of itself."""
    lines, group = [], None
    for key, row in ROWS.items():
        if row["group"] != group:
            lines.append("")
        group = row["group"]
        default = row["default"]
        lines.append(f"    {python_name(key)}: {row['doc']}"
                     + (f" [{default}]" if default is not None and "[" not in row["doc"] else ""))
    function.__doc__ += "\n\n    Settings:\n" + "\n".join(lines)
    signature = inspect.signature(function)
    own = [p for p in signature.parameters.values() if p.kind != p.VAR_KEYWORD]
    known = {p.name for p in own}
    function.__signature__ = signature.replace(parameters=own + [
        inspect.Parameter(python_name(key), inspect.Parameter.KEYWORD_ONLY, default=None)
        for key in ROWS if python_name(key) not in known])
    return function
