# SPDX-License-Identifier: BSD-3-Clause
"""Runs at once, or by and by."""
from ._library import call
from ._session import Session
from ._settings import describe


class Run(Session):
    """A state that can be looked at, and advanced, again and again:

        with zoid.Run("wave", steps=200, shape=(200, 300), init={"u": u}) as run:
            for _ in range(20):
                run.advance(10)
                draw(run["u"])

    `steps` is how many there are in all. `shape` is as NumPy has it, the slowest axis first;
    without it, and without a size, it is that of the first array given. All others are settings. It
    is a Session that has begun, and whose `steps` says how far it is."""

    def __init__(self, operator, steps=10, *, shape=None, **settings):
        super().__init__(operator, steps, shape=shape, **settings)
        try:
            self._ready()
        except BaseException:
            self.close()
            raise
        self.start = self.about["start"]

    @property
    def steps(self):
        """Steps from time 0 to the state as it is now."""
        self._check_open()
        return call("session_step", self._handle)


@describe
def run(operator=None, steps=None, *, shape=None, progress=None, fields=None, **settings):
    """Computes so many steps [10, or what is left of a restart], and returns a Result. `shape` and
    `progress` are those of Run and Run.advance; `fields` names the fields to return, which are all
    of them [None]. A run that walltime stops raises Stopped, one that its `progress` stops returns
    what there is, and leaves no files."""
    settings.setdefault("resumable", 0)
    with Session(operator, steps, shape=shape, **settings) as session:
        return session.run(progress, fields)
