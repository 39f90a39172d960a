# SPDX-License-Identifier: BSD-3-Clause
"""libzoid, as runtime/zoid_session.h and zoid.h declare it; _abi.py has the table of functions."""
import ctypes
import itertools
import json
import logging
import os
import shutil
import sysconfig

from ._abi import ABI, FUNCTIONS

SOVERSION = 0
NAME = f"libzoid.so.{SOVERSION}"
REMEDY = ("install Zoid (cmake --install build --prefix DIR) and put DIR/bin on the PATH, or set "
          "ZOID_LIBRARY to its libzoid.so")
PYTHON_NAMES = 2  # ZOID_NAMES_PYTHON


class Error(Exception):
    """What the library has refused, or could not do, in its own words. `key` is the first setting
    that the message names, or "", and `status` the library's number."""

    def __init__(self, message, key="", status=None):
        super().__init__(message)
        self.key = key
        self.status = status


class CheckFailed(Error):
    """Results differ from the plain loop's, or have values that are no numbers."""


class BadArgument(Error, ValueError):
    """A setting that is wrong, or does not go with another."""


class UnknownSetting(BadArgument, TypeError):
    """There is no setting of that name; the message has the nearest one."""


class DoesNotFit(Error):
    """The message names the smallest budget that would do."""


class Resource(Error):
    """Something failed or is missing: a file, a device, memory."""


class Stopped(Error):
    """A run has stopped before its end, and can go on."""


STATUSES = {1: CheckFailed, 2: BadArgument, 3: DoesNotFit, 4: Resource, 5: Stopped}

def _beside(folder):
    """The library that is installed in a prefix, by one of its folders; None where there is none.
    """
    folders = [folder]
    while os.path.dirname(folders[-1]) != folders[-1]:
        folders.append(os.path.dirname(folders[-1]))
    libs = ("lib", os.path.join("lib", sysconfig.get_config_var("MULTIARCH") or ""), "lib64")
    for prefix, lib in itertools.product(folders, libs):
        name = os.path.join(prefix, lib, NAME)
        if os.path.exists(name):
            return name
    return None


def _places():
    """What is loaded, the first that is there: what the environment names, what is in a prefix
    with this package, what the loader finds, what is in a prefix with the programs."""
    if "ZOID_LIBRARY" in os.environ:
        yield os.environ["ZOID_LIBRARY"]
        return
    yield _beside(os.path.dirname(os.path.abspath(__file__)))
    yield NAME
    program = shutil.which("zoid-run")
    yield program and _beside(os.path.dirname(os.path.realpath(program)))


def _load():
    for name in filter(None, _places()):
        try:
            return name, ctypes.CDLL(name)
        except OSError as error:
            # Whether it is not there, or what it needs.
            if name != NAME or not str(error).startswith(NAME + ":"):
                raise ImportError(f"cannot load {name}: {error}; {REMEDY}") from None
    raise ImportError(f"there is no {NAME}, neither where the loader looks, nor in a prefix with "
                      f"this package or with the programs on the PATH; {REMEDY}")


def _open():
    name, library = _load()
    try:
        abi = library.zoid_abi()
    except AttributeError as error:
        raise ImportError(f"{name} is something else: {error}; {REMEDY}") from None
    if abi != ABI:
        raise ImportError(f"{name} is made for another version of this package: its functions are "
                          f"number {abi}, not {ABI}; install the two of one version")
    for function, (result, *arguments) in FUNCTIONS.items():
        f = getattr(library, f"zoid_{function}")
        f.restype, f.argtypes = result, arguments
    return library


def library_path():
    """The file that the loader has taken."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        line = next(line for line in maps if "/libzoid.so" in line)
    return line.split(maxsplit=5)[5].rstrip("\n")


@ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)
def _log(_, line):
    logging.getLogger("zoid").info("%s", line.decode(errors="replace"))


_library = _open()
_library.zoid_set_log(_log, None)


def call(function, *arguments):
    """The function's value; it may be asked of any thread."""
    return getattr(_library, f"zoid_{function}")(*arguments)


def failure(status):
    """The exception for the calling thread's last failure."""
    message = ctypes.create_string_buffer(4096)
    call("error_text", PYTHON_NAMES, message, len(message))
    return STATUSES.get(status, Error)(message.value.decode(errors="replace"),
                                       call("error_key").decode(), status)


def do(function, *arguments):
    """A function that returns a status."""
    status = call(function, *arguments)
    if status:
        raise failure(status)


def text(function, *arguments):
    value = call(function, *arguments)
    if value is None:
        raise MemoryError("out of memory")
    return value.decode()


def version():
    return text("version")


def machine():
    """The properties of this machine that zoid-info prints, cpu, cores, cache, ram and others, as a
    dict; `missing` has the capabilities that it or the library lacks, and there are workers once a
    session was planned."""
    value = call("machine_json")
    if value is None:
        raise failure(4)  # ZOID_RESOURCE
    return json.loads(value)


def operators():
    """What the library can compute: a dict for each variant, with its operator, dims, radius, type,
    fields, coefficients, boundaries, params, and whether it takes sources and receivers."""
    return json.loads(text("operators_json"))


def settings():
    """What a session can be asked: a dict for each keyword argument, with its key, type, group,
    default (a text), names (of values, if it takes names), doc and detail. Parameters of operators
    are in it, once for each operator that has one."""
    return json.loads(text("settings_json"))
