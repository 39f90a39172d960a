# SPDX-License-Identifier: BSD-3-Clause
"""Runs: a session from settings to a final state, at once or by and by."""
import atexit
import concurrent.futures
import ctypes
import json
import tempfile
import weakref

import numpy

from ._library import BadArgument, Stopped, call, do, text
from ._settings import FIELDS, Settings, describe

# The thread that asks the library: messages of failures are a thread's own, and the one that waits
# for it hears signals.
_thread = concurrent.futures.ThreadPoolExecutor(1, "zoid")
# How often, in seconds, the one that waits looks up.
_TICK = 0.1
_TYPES = {"f32": "f4", "f64": "f8", "u8": "u1"}
_open_runs = weakref.WeakSet()


@atexit.register
def _end():
    """The thread has ended by now."""
    for run in _open_runs:
        call("close", ctypes.byref(run._handle))
    call("end")


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


def _shape_of(settings):
    """That of an array among the fields, where settings name no size."""
    for option in FIELDS:
        value = settings.get(option)
        for one in value.values() if isinstance(value, dict) else [value]:
            if isinstance(one, numpy.ndarray):
                return one.shape
    return None


class Run:
    """A state that can be looked at, and advanced, again and again:

        with zoid.Run("wave", steps=200, shape=(200, 300), init={"u": u}) as run:
            for _ in range(20):
                run.advance(10)
                draw(run["u"])

    `steps` is how many there are in all. `shape` is as NumPy has it, the slowest axis first;
    without it, and without a size, it is that of the first array given. All others are settings.
    There is one run at a time."""

    def __init__(self, operator, steps=10, *, shape=None, **settings):
        self._begin(True, operator, steps, shape, settings)

    def _begin(self, again, operator, steps, shape, settings):
        self._handle = ctypes.c_void_p()
        self._folder = None
        settings = {key.rstrip("_"): value for key, value in settings.items()}
        if shape is None and "size" not in settings and "restart" not in settings:
            shape = _shape_of(settings)
        if shape is not None:
            if "size" in settings:
                raise BadArgument("shape and size both say how large the domain is; drop one")
            settings["size"] = tuple(int(n) for n in reversed(shape))
        s = Settings(self._make_folder)
        s.add("operator", operator)
        s.add("steps", steps)
        for name, value in settings.items():
            s.add(name, value)
        # All of this stays as long as the run does.
        self._lent = {name.encode(): array for name, array in s.lent.items()}
        self._texts = [b"zoid"] + [a.encode() for a in s.arguments]
        self._argv = (ctypes.c_char_p * (len(self._texts) + 1))(*self._texts, None)
        try:
            self._do(lambda: self._open(again))
            self.about = json.loads(self._text("about"))
        except BaseException:
            self.close()
            raise
        self.plan = self._text("plan")
        self.start = self.about["start"]
        self.shape = tuple(reversed(self.about["size"]))
        self.dtype = numpy.dtype(_TYPES[self.about["type"]])
        self.fields = tuple(self.about["fields"])

    def _make_folder(self):
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="zoid-")
        return self._folder.name

    def _do(self, work, look=_nothing):
        return _wait(_thread.submit(work), look, self._interrupt)

    def _text(self, function):
        return self._do(lambda: text(function, self._handle))

    def _interrupt(self):
        if self._opened:
            call("stop", self._handle)

    _opened = False

    def _open(self, again):
        do("new", ctypes.byref(self._handle))
        for name, array in self._lent.items():
            longs = ctypes.c_long * array.ndim
            do("lend", self._handle, name, array.dtype.str.encode(), array.ndim,
               longs(*array.shape), longs(*array.strides), array.ctypes.data)
        do("open", self._handle, len(self._texts), self._argv, again)
        self._opened = True
        _open_runs.add(self)

    # ---- the run -------------------------------------------------------------------------------

    def advance(self, steps=None, progress=None):
        """Goes `steps` on, or all that are left. `progress` is called several times a second with
        the part that is done, from 0 to 1; where it returns False the run stops soon, as it does at
        Ctrl-C: the state is then of an earlier step. Returns whether all steps were done."""
        if steps is None:
            steps = self.about["steps"] - self.steps
        asked = False

        def look():
            nonlocal asked
            if progress is not None and not asked and progress(call("done", self._handle)) is False:
                asked = True
                call("stop", self._handle)

        self._check_open()
        try:
            self._do(lambda: do("advance", self._handle, int(steps)), look)
        except Stopped:
            if not asked:
                raise
            return False
        return True

    @property
    def steps(self):
        """Steps from time 0 to the state as it is now."""
        self._check_open()
        return call("steps", self._handle)

    def __getitem__(self, field):
        """A field of the state, as a new array."""
        if field not in self.fields:
            raise KeyError(f"there is no field {field}; there are {', '.join(self.fields)}")
        self._check_open()
        values = numpy.empty(self.shape, self.dtype)
        self._do(lambda: do("read", self._handle, self.fields.index(field), values.ctypes.data))
        return values

    @property
    def record(self):
        """What receivers have seen: a row for each step, the initial state first, and a column for
        each receiver."""
        self._check_open()
        rows = self.steps - call("recorded", self._handle) + 1
        seen = numpy.empty((rows, self.about["receivers"]))
        if seen.size:
            self._do(lambda: do("record", self._handle, seen.ctypes.data))
        return seen.astype(self.dtype)

    @property
    def report(self):
        """What has been done, as `report` writes it."""
        self._check_open()
        return json.loads(self._text("report"))

    def finish(self):
        """Leaves what settings ask for: a check, a dump, a record, a report."""
        self._check_open()
        self._do(lambda: do("finish", self._handle))

    def close(self):
        """Releases all that the run holds; once more does nothing."""
        self._opened = False
        _open_runs.discard(self)
        try:
            if self._handle:
                _wait(_thread.submit(do, "close", ctypes.byref(self._handle)), _nothing, _nothing)
        finally:
            if self._folder is not None:
                self._folder.cleanup()
                self._folder = None

    def _check_open(self):
        if not self._opened:
            raise BadArgument("the run is closed; open another one")

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.close()

    def __del__(self):
        if self._opened:
            self.close()


class Result:
    """What a run has come to: fields by name, as in result["u"], and

    steps      from time 0 to the final state: fewer than asked for where it was stopped
    record     what receivers have seen, a row for each step; None without any
    report     as `report` writes it
    plan       as zoid-run --plan prints it"""

    def __init__(self, run, fields):
        self.steps = run.steps
        self.record = run.record if run.about["receivers"] else None
        self.report = run.report
        self.plan = run.plan
        self.fields = {field: run[field] for field in fields}

    def __getitem__(self, field):
        return self.fields[field]


@describe
def run(operator, steps=None, *, shape=None, progress=None, fields=None, **settings):
    """Computes so many steps [10, or what is left of a restart], and returns a Result. `shape` and
    `progress` are those of Run and Run.advance; `fields` names the fields to return, which are all
    of them [None]. A run that walltime stops raises Stopped,
    one that its `progress` stops returns what there is, and leaves no files."""
    session = Run.__new__(Run)
    session._begin(False, operator, steps, shape, settings)
    with session:
        if fields is None:
            fields = session.fields
        if session.advance(progress=progress):
            session.finish()
        return Result(session, fields)
