# SPDX-License-Identifier: BSD-3-Clause
"""Zoid on NumPy's arrays: stencil computations, larger than memory where they have to be.

    import numpy, zoid

    u = numpy.zeros((200, 300), "f4")
    u[100, 150] = 1
    result = zoid.run("heat", steps=500, init={"u": u}, lambda_=0.2)
    result["u"]

`run` goes from an initial state to the final one; `Run` goes there by and by. Keyword arguments are
settings, which help(zoid.run) lists, docs/options.md explains, and docs/python.md where Python
differs. The library libzoid-simple is found by the loader, or is what ZOID_LIBRARY names."""
from ._library import (
    BadArgument, CheckFailed, DoesNotFit, Error, Resource, Stopped, UnknownSetting, operators,
    settings, version)
from ._run import Result, Run, run

__version__ = version()
__all__ = ["BadArgument", "CheckFailed", "DoesNotFit", "Error", "Resource", "Result", "Run",
           "Stopped", "UnknownSetting", "operators", "run", "settings"]
