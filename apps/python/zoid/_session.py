# SPDX-License-Identifier: BSD-3-Clause
"""Sessions: a computation from its settings to its results."""
import atexit
import concurrent.futures
import ctypes
import json
import tempfile
import threading
import weakref

import numpy

from ._abi import Solution
from ._arrays import borrow, is_array, shape_of
from ._library import BadArgument, Stopped, call, do, text
from ._loop import Loop
from ._progress import shown
from ._result import Result
from ._settings import READ_AGAIN, Settings, take_settings

# The thread that asks the library: messages of failures are a thread's own, and the one that waits
# for it hears signals.
_here = threading.local()
_thread = concurrent.futures.ThreadPoolExecutor(1, "zoid",
                                                lambda: setattr(_here, "is_library", True))
# How often, in seconds, the one that waits looks up.
_TICK = 0.1
_TYPES = {"f32": "f4", "f64": "f8", "u8": "u1"}
_open_sessions = weakref.WeakSet()


@atexit.register
def _end():
    """The thread has ended by now."""
    for session in list(_open_sessions):
        call("session_destroy", ctypes.byref(session._handle))
    call("shutdown")


def _wait(future, look, interrupted):
    """What the thread's work comes to. Meanwhile, looks now and then; an exception of looking, or
    Ctrl-C, interrupts the work, and is raised when that has ended."""
    raised = None
    while not future.done():
        try:
            concurrent.futures.wait([future], _TICK)
            if raised is None and not future.done():
                look()
        except BaseException as exception:
            raised = raised or exception
            interrupted()
    if raised is not None:
        raise raised
    return future.result()


def _nothing():
    pass


def in_thread(work):
    """What a call in the library's thread returns; that thread, which may collect a session, calls
    it itself."""
    if getattr(_here, "is_library", False):
        return work()
    return _wait(_thread.submit(work), _nothing, _nothing)


def _shape_of(settings):
    """That of the first array among the fields, where settings name no size."""
    for key in ("init", "coefficient", "velocity", "vp", "vs", "density", "kappa", "rhs"):
        value = settings.get(key)
        for one in value.values() if isinstance(value, dict) else [value]:
            if is_array(one):
                return shape_of(one)
    return None


class Session:
    """A computation: `Session("wave", steps=600, velocity=v, dx=10, dt=1e-3)`.

    Keyword arguments are settings, which help(zoid.run) lists; `shape` is the domain's as NumPy has
    it, the slowest axis first. Nothing is computed, and no memory taken, before `start`, `advance`,
    `solve` or `run`. Several sessions may be there."""

    def __init__(self, operator=None, steps=None, *, shape=None, **settings):
        self._handle = ctypes.c_void_p()
        self._folder = None
        self._about = None
        self._begun = self._configured = False
        in_thread(lambda: do("session_create", ctypes.byref(self._handle)))
        _open_sessions.add(self)
        self._settings = Settings(self._handle, weakref.WeakMethod(self._make_folder))
        try:
            self.set(operator=operator, steps=steps, shape=shape, **settings)
        except BaseException:
            self.close()
            raise

    # ---- settings ------------------------------------------------------------------------------

    def set(self, *, shape=None, **settings):
        """Sets settings; of those that may be given several times, one more."""
        self._check_open()
        if isinstance(settings.get("operator"), Loop):
            settings = settings["operator"].settings(settings)
        settings = {key.rstrip("_"): value for key, value in settings.items()}
        if shape is None and not self._configured and settings.get("restart") is None \
                and settings.get("size") is None and settings.get("matrix") is None:
            shape = _shape_of(settings)
        self._configured = True
        if shape is not None:
            if settings.get("size") is not None:
                raise BadArgument("shape and size both say how large the domain is; drop one")
            settings["size"] = tuple(int(n) for n in reversed(shape))
        matrix = settings.get("matrix")
        if hasattr(matrix, "_matrix_handle"):
            self._matrix = settings.pop("matrix")
            in_thread(lambda: do("session_set_matrix", self._handle, matrix._matrix_handle()))
        restart = settings.pop("restart", None)
        if settings.get("check") and self._settings.has_let_go:
            raise BadArgument("check is set before a session starts: it reads the arrays that were "
                              "given again", "check")

        def work():
            if "load" in settings:
                self._settings.set("load", settings.pop("load"))
                take_settings()
            if restart is not None:
                do("session_restart", self._handle, str(restart).encode())
                take_settings()
            for key, value in settings.items():
                self._settings.set(key, value)

        in_thread(work)

    def get(self, key):
        """The text of a setting's value in effect; None if it has none."""
        self._check_open()
        return in_thread(lambda: self._value(key.rstrip("_")))

    def _value(self, key):
        value = call("session_get", self._handle, key.encode())
        return None if value is None else value.decode()

    def _make_folder(self):
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="zoid-")
        return self._folder.name

    # ---- the run -------------------------------------------------------------------------------

    def _do(self, work, look=_nothing):
        self._check_open()
        return _wait(_thread.submit(work), look, self._interrupt)

    def _text(self, function):
        return self._do(lambda: text(function, self._handle))

    def _interrupt(self):
        if self._handle:
            call("session_stop", self._handle)

    def _watched(self, work, progress):
        """Does the work, and asks `progress` meanwhile; whether it was not stopped by that."""
        asked = False

        def look():
            nonlocal asked
            if show is not None and not asked \
                    and show(call("session_progress", self._handle)) is False:
                asked = True
                self._interrupt()

        try:
            with shown(progress) as show:
                self._do(work, look)
        except Stopped:
            if not asked:
                raise
            return False
        return True

    def prepare(self):
        """Checks all settings and makes the plan, if that is not done."""
        if self._about is None:
            self._do(lambda: do("session_plan", self._handle))
            self._look()
        return self

    def _look(self):
        self._about = json.loads(self._text("session_about_json"))

    def start(self):
        """Prepares, opens files, and fills the fields, if that is not done."""
        self._ready()
        return self

    def _ready(self):
        self.prepare()
        if not self._begun:
            def work():
                do("session_start", self._handle)
                return any(self._value(key) == "yes" for key in READ_AGAIN)

            if not self._do(work):
                self._settings.let_go()
            self._begun = True

    def advance(self, steps=None, progress=None):
        """Goes `steps` on, or all that are left. `progress` is called several times a second with
        the part that is done, from 0 to 1; where it returns False the run stops soon, as it does at
        Ctrl-C: the state is then of an earlier step. True shows a line on a terminal, or a bar of
        tqdm's in a notebook. Returns whether all steps were done."""
        self._ready()
        count = -1 if steps is None else int(steps)
        return self._watched(lambda: do("session_advance", self._handle, count), progress)

    def solve(self, progress=None):
        """Iterates to convergence; returns a Solution of the library's numbers. Raises CheckFailed
        if it does not converge; `solution` has how far it came."""
        self._ready()
        solution = Solution(size=ctypes.sizeof(Solution))
        try:
            self._watched(lambda: do("session_solve", self._handle, ctypes.byref(solution)),
                          progress)
        finally:
            self.solution = solution
        return solution

    def run(self, progress=None, fields=None):
        """Advances to the end, finishes, and returns a Result with these fields [all of them]. One
        that `progress` stops returns what there is, and leaves no files."""
        if self.advance(progress=progress):
            self.finish()
        return Result(self, self.fields if fields is None else fields)

    def rewind(self, **settings):
        """Goes back to step 0, and refills the state; settings that may be changed then, such as
        sources and receivers, replace those of before."""
        self._ready()

        def work():
            do("session_rewind", self._handle)
            if "source" in settings or "receivers" in settings:
                do("session_clear_points", self._handle)

        self._do(work)
        if settings:
            self.set(**settings)
        return self

    def finish(self):
        """Leaves what settings ask for: a check, a dump, a record, a report."""
        self._do(lambda: do("session_finish", self._handle))

    def checkpoint(self, folder):
        """Writes a checkpoint of the state as it is."""
        self._do(lambda: do("session_checkpoint", self._handle, str(folder).encode()))

    def write(self, path):
        """Writes the state, as the setting `dump` does."""
        self._do(lambda: do("session_write", self._handle, str(path).encode()))

    def stop(self):
        """Asks an advance in another thread to end early."""
        self._interrupt()

    # ---- results -------------------------------------------------------------------------------

    @property
    def about(self):
        """Operator, dims, radius, type, fields, coefficients, size, params, start, steps and the
        number of receivers, as a dict."""
        self.prepare()
        return self._about

    @property
    def plan(self):
        """The plan, as zoid-run --plan prints it."""
        self.prepare()
        return self._text("session_plan_text")

    @property
    def start_step(self):
        return self.about["start"]

    @property
    def shape(self):
        return tuple(reversed(self.about["size"]))

    @property
    def dtype(self):
        return numpy.dtype(_TYPES[self.about["type"]])

    @property
    def fields(self):
        return tuple(self.about["fields"])

    @property
    def step(self):
        """Steps from time 0 to the state as it is now."""
        self._ready()
        return call("session_step", self._handle)

    @property
    def steps(self):
        """Steps from time 0 to the end."""
        self._check_open()
        return call("session_steps", self._handle)

    def read(self, field, out=None, lo=None, hi=None):
        """A field of the state, or its box [lo, hi), x first, as a new array or into `out`, which
        may have any layout and be in GPU memory."""
        self._ready()
        if field not in self.fields:
            raise KeyError(f"there is no field {field}; there are {', '.join(self.fields)}")
        corners = [None if corner is None else
                   (ctypes.c_int64 * 3)(*corner, *[1] * (3 - len(corner))) for corner in (lo, hi)]
        if out is None:
            first = [0] * len(self.shape) if lo is None else lo
            last = self.about["size"] if hi is None else hi
            out = numpy.empty([b - a for a, b in zip(first, last)][::-1] or self.shape, self.dtype)
        borrowed = borrow(out)
        if borrowed is None or borrowed.read_only:
            raise BadArgument("a field is read into an array that can be written")
        self._do(lambda: do("session_read", self._handle, field.encode(), *corners,
                            ctypes.byref(borrowed.view)))
        return out

    def __getitem__(self, field):
        return self.read(field)

    @property
    def record(self):
        """What receivers have seen: a row for each step, the initial state first, and a column for
        each receiver."""
        self._ready()
        rows = call("session_record_rows", self._handle)
        self._look()
        seen = numpy.empty((rows, self._about["receivers"]))
        if seen.size:
            view = borrow(seen).view
            self._do(lambda: do("session_record", self._handle, ctypes.byref(view)))
        return seen.astype(self.dtype)

    @property
    def report(self):
        """What has been done, as `report` writes it."""
        self._ready()
        return json.loads(self._text("session_report_json"))

    def _summary(self):
        """The report and the plan, and the values of dx and dt, by one call of the thread."""
        self._ready()

        def work():
            return (text("session_report_json", self._handle),
                    text("session_plan_text", self._handle), self._value("dx"), self._value("dt"))

        report, *others = self._do(work)
        return json.loads(report), *others

    # ---- the end -------------------------------------------------------------------------------

    def close(self):
        """Releases all that the session holds; once more does nothing."""
        _open_sessions.discard(self)
        try:
            if self._handle:
                in_thread(lambda: call("session_destroy", ctypes.byref(self._handle)))
        finally:
            self._settings.close()
            if self._folder is not None:
                self._folder.cleanup()
                self._folder = None

    def _check_open(self):
        if not self._handle:
            raise BadArgument("the run is closed; open another one")

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.close()

    def __del__(self):
        if getattr(self, "_handle", None):
            self.close()
