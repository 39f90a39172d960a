# SPDX-License-Identifier: BSD-3-Clause
"""Poisson's equation, and band matrices."""
import ctypes

import numpy

from ._arrays import as_floats, borrow, is_array
from ._library import BadArgument, call, do
from ._session import Session, in_thread


class Solved:
    """A solution: the field `u`, and sweeps, first_below (-1: never), residual (over the initial
    one), initial_residual, omega, report and plan."""

    def __init__(self, session, solution):
        self.u = session["u"]
        for name in ("sweeps", "first_below", "residual", "initial_residual", "omega"):
            setattr(self, name, getattr(solution, name))
        self.report = session.report
        self.plan = session.plan


def solve(rhs=None, *, u0=None, spacing=1.0, progress=None, **settings):
    """Solves Poisson's equation, -(the sum of the second derivatives of u) = f, on a grid with this
    spacing, by relaxation, and returns a Solved. `rhs` is f, an array or a number, and `u0` the
    initial state, whose outermost layer stays. Settings are those of zoid-sor: solver, omega,
    tolerance, steps (the most sweeps), and so on. Raises CheckFailed if the tolerance is not
    reached."""
    if u0 is not None:
        settings["init"] = {"u": u0}
    settings.setdefault("init", "zero")
    if rhs is not None:
        settings["rhs"] = as_floats(rhs)
        if spacing != 1:
            if settings.get("scale") is not None:
                raise BadArgument("spacing and scale both multiply rhs; drop one", "scale")
            settings["scale"] = {"b": spacing**2}
    settings.setdefault("solver", "sor")
    with Session(**settings) as session:
        solution = session.solve(progress)
        session.finish()
        return Solved(session, solution)


class Matrix:
    """A square band matrix: a scipy.sparse matrix, the three arrays (data, indices, indptr) of
    compressed rows, a dense array, or a text as the setting `matrix` takes. SciPy's functions take
    it as a linear operator."""

    def __init__(self, source):
        self._handle = ctypes.c_void_p()
        self._shape = None
        self.dtype = numpy.dtype("f8")
        if isinstance(source, str):
            in_thread(lambda: do("matrix_open", source.encode(), ctypes.byref(self._handle)))
            return
        data, indices, indptr = _rows_of(source)
        views = [borrow(a).view for a in (indptr, indices, data)]
        in_thread(lambda: do("matrix_from_csr", *[ctypes.byref(v) for v in views],
                             ctypes.byref(self._handle)))
        self._shape = (len(indptr) - 1, len(indptr) - 1)
        self.dtype = data.dtype

    @property
    def shape(self):
        if self._shape is None:
            with Session(matrix=self) as session:
                rows = session.shape[0]
            self._shape = (rows, rows)
        return self._shape

    def _matrix_handle(self):
        return self._handle

    def _apply(self, x, steps, settings):
        x = as_floats(x if is_array(x) else numpy.asarray(x))
        given = borrow(x)
        settings.setdefault("type", "f32" if given.view.type[1:] == b"f4" else "f64")
        if len(given.shape) == 2:
            settings["vectors"] = given.shape[1]
        with Session(matrix=self, steps=steps, vector=x, **settings) as session:
            session.advance()
            shown = session.fields[0]
            out = numpy.empty(given.shape, session.dtype)
            return session.read(shown, out=out)

    def power(self, steps, x, **settings):
        """A^steps x, of a vector, or of the columns of an array."""
        return self._apply(x, int(steps), settings)

    def chebyshev(self, lo, hi, terms, x, **settings):
        """The sum of terms[k] T_k(A) x, of Chebyshev's polynomials for eigenvalues from lo to
        hi."""
        import os
        import tempfile

        terms = [float(t) for t in terms]
        with tempfile.TemporaryDirectory(prefix="zoid-") as folder:
            path = os.path.join(folder, "terms")
            with open(path, "w", encoding="ascii") as file:
                file.write("\n".join(repr(t) for t in terms) + "\n")
            return self._apply(x, len(terms) - 1, {
                "polynomial": f"chebyshev:{float(lo)!r},{float(hi)!r}", "terms": path, **settings})

    def eigenvalue(self, tolerance=1e-8, x0=None, **settings):
        """The eigenvalue of the largest absolute value, by power iteration."""
        if x0 is not None:
            settings["vector"] = as_floats(x0 if is_array(x0) else numpy.asarray(x0))
        with Session(matrix=self, power_iteration=float(tolerance), **settings) as session:
            return session.solve().eigenvalue

    def matvec(self, x):
        """A x of a vector, or of an array of one column."""
        return self.power(1, x)

    def matmat(self, x):
        """A x of each column."""
        return self.power(1, x)

    def aslinearoperator(self):
        """A scipy.sparse.linalg.LinearOperator, which multiplies all columns of an array at
        once."""
        from scipy.sparse.linalg import LinearOperator

        return LinearOperator(self.shape, self.matvec, matmat=self.matmat, dtype=self.dtype)

    def __matmul__(self, x):
        return self.power(1, x)

    def close(self):
        if self._handle:
            in_thread(lambda: call("matrix_destroy", ctypes.byref(self._handle)))

    def __del__(self):
        if getattr(self, "_handle", None):
            call("matrix_destroy", ctypes.byref(self._handle))


def _rows_of(source):
    """The three arrays of compressed rows, sorted by column."""
    if hasattr(source, "tocsr"):
        rows = source.tocsr()
        rows.sort_indices()
        source = (rows.data, rows.indices, rows.indptr)
    if isinstance(source, tuple) and len(source) == 3:
        data, indices, indptr = (numpy.ascontiguousarray(a) for a in source)
    else:
        dense = numpy.asarray(source)
        if dense.ndim != 2 or dense.shape[0] != dense.shape[1]:
            raise BadArgument("a matrix is square")
        row, indices = numpy.nonzero(dense)
        data = dense[row, indices]
        indptr = numpy.concatenate(([0], numpy.cumsum(numpy.bincount(row,
                                                                     minlength=len(dense)))))
    if data.dtype not in (numpy.float32, numpy.float64):
        data = data.astype("f8")
    return (numpy.ascontiguousarray(data), numpy.ascontiguousarray(indices, "i8"),
            numpy.ascontiguousarray(indptr, "i8"))
