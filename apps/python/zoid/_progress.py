# SPDX-License-Identifier: BSD-3-Clause
"""What `progress=True` shows: a bar in a notebook, a line on a terminal, nothing elsewhere."""
import contextlib
import sys


def _in_notebook():
    """Whether IPython, if it is there, has a page and no terminal."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


class _Bar:
    def __init__(self, tqdm):
        self._bar = tqdm(total=1.0, bar_format="{l_bar}{bar}| {elapsed}<{remaining}")

    def show(self, done):
        self._bar.update(done - self._bar.n)

    def close(self):
        self._bar.close()


class _Line:
    WIDTH = 40

    def show(self, done):
        filled = int(done * self.WIDTH)
        sys.stderr.write(f"\r[{'#' * filled}{'.' * (self.WIDTH - filled)}] {done:4.0%}")
        sys.stderr.flush()

    def close(self):
        sys.stderr.write("\n")


def _display():
    if _in_notebook():
        try:
            from tqdm.notebook import tqdm
            return _Bar(tqdm)
        except ImportError:
            return _Line()
    return _Line() if sys.stderr is not None and sys.stderr.isatty() else None


@contextlib.contextmanager
def shown(progress):
    """The function to call with the part that is done: the program's own, or that of a display;
    None without any."""
    display = _display() if progress is True else None
    if display is None:
        yield None if progress is True or progress is False else progress
        return
    try:
        yield display.show
        display.show(1.0)
    finally:
        display.close()
