# SPDX-License-Identifier: BSD-3-Clause
"""Zoid on NumPy's arrays: stencil computations, larger than memory where they have to be.

    import numpy, zoid

    u = numpy.zeros((200, 300), "f4")
    u[100, 150] = 1
    result = zoid.run("heat", steps=500, init={"u": u}, lambda_=0.2)
    result["u"]

`run` goes from an initial state to the final one; `Session` and `Run` go there by and by, `solve`
solves Poisson's equation, `Matrix` multiplies. Keyword arguments are settings, which help(zoid.run)
lists, docs/options.md explains, and docs/python.md where Python differs. The library libzoid is
found by the loader, or is what ZOID_LIBRARY names."""
from ._library import (
    BadArgument, CheckFailed, DoesNotFit, Error, Resource, Stopped, UnknownSetting, machine,
    operators, settings, version)
from ._loop import Loop, loop, sqrt, where
from ._result import Result
from ._run import Run, run
from ._session import Session
from ._settings import Source, load_operators
from ._solve import Matrix, Solved, solve

__version__ = version()


def restart(path, **settings):
    """A Session that goes on from a checkpoint, or the newest of a folder; settings are those of
    the checkpoint, besides the ones given."""
    return Session(restart=path, **settings)


__all__ = ["BadArgument", "CheckFailed", "DoesNotFit", "Error", "Loop", "Matrix", "Resource",
           "Result", "Run", "Session", "Solved", "Source", "Stopped", "UnknownSetting",
           "load_operators", "loop", "machine", "operators", "restart", "run", "settings", "solve",
           "sqrt", "where"]
