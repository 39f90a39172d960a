# SPDX-License-Identifier: BSD-3-Clause
"""From keyword arguments to the options of zoid-run, and to arrays that these name."""
import difflib
import inspect
import keyword
import os

import numpy

from ._library import UnknownSetting, settings

ROWS = {row["key"]: row for row in settings()}

# Options whose values are fields, one for each point: arrays for them are lent as they are.
FIELDS = ("init", "coefficient", "velocity")
# Those whose numbers are one for each axis.
AXES = [key for key, row in ROWS.items() if row["type"] == "axes"]


class Settings:
    """Options, in order; the arrays lent to them, by name; and a folder for those that are files,
    made by `folder` when there is one."""

    def __init__(self, folder):
        self.arguments = []
        self.lent = {}
        self._folder = folder
        self._files = 0

    def add(self, name, value):
        """An option with a value, of any kind that docs/python.md lists."""
        check(name)
        option = name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            return
        if value is True:
            self.arguments.append(f"--{option}")
        elif isinstance(value, dict):
            for key, one in value.items():
                self._give(option, f"{key}=", key, one)
        elif isinstance(value, list):
            for one in value:
                self._give(option, "", option, one)
        else:
            self._give(option, "", option, value)

    def _give(self, option, before, what, value):
        self.arguments.append(f"--{option}={before}{self._text(option, what, value)}")

    def _text(self, option, what, value):
        if isinstance(value, numpy.ndarray):
            return self._lend(what, value) if option in FIELDS else self._save(value)
        if isinstance(value, tuple):
            parts = [self._text(option, what, part) for part in value]
            if any(isinstance(part, (str, tuple, numpy.ndarray)) for part in value):
                return ":".join(parts).replace("@:", "@")
            return ("x" if option in AXES else ",").join(parts)
        if isinstance(value, (str, os.PathLike)):
            return os.fspath(value)
        if isinstance(value, numpy.generic):
            value = value.item()
        return repr(value) if isinstance(value, float) else str(value)

    def _lend(self, what, array):
        """A name for the array, which is not copied."""
        name = f"array:{what}"
        self.lent[name] = array
        return name

    def _save(self, array):
        """Series and places are few: they go by a file."""
        path = os.path.join(self._folder(), f"{self._files}.npy")
        self._files += 1
        numpy.save(path, numpy.ascontiguousarray(array, "f8"))
        return path


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
