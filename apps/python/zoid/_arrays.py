# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of NumPy and others, in main memory or GPU memory, as the library takes them: borrowed."""
import ctypes
import os
import sys

import numpy

from ._abi import Array
from ._library import BadArgument

_AXES = 4  # of a zoid_array
_PLAIN = (str, bytes, os.PathLike, int, float, tuple, list, dict, bool, numpy.generic)
_PROTOCOLS = ("__array_interface__", "__cuda_array_interface__", "__dlpack__")


class Borrowed:
    """A view of an array for the library, which is valid as long as this object is."""

    def __init__(self, owner, type_, shape, strides, data, device=-1, read_only=False):
        self.owner = owner
        self.shape = tuple(shape)
        self.strides = strides and tuple(strides)
        self.read_only = read_only
        self.view = Array(type=type_.encode(), axes=len(self.shape), device=device, data=data)
        if len(self.shape) <= _AXES:
            self.view.shape[:len(self.shape)] = self.shape
            if strides is not None:
                self.view.stride[:len(self.shape)] = strides
        if device >= 0 and self.strides and not any(self.strides) and any(n > 1 for n in shape):
            raise BadArgument("an array in GPU memory that repeats one value is not taken; give "
                              "the number")


def is_array(value):
    """Whether a value offers itself as an array; lists and numbers do not."""
    if isinstance(value, numpy.ndarray):
        return True
    return not isinstance(value, _PLAIN) and any(_attribute(value, p) is not None
                                                 for p in _PROTOCOLS)


def shape_of(array):
    """The shape of what is_array."""
    shape = getattr(array, "shape", None)
    return tuple(borrow(array).shape if shape is None else shape)


def borrow(value):
    """A Borrowed, without a copy; None for what is no array."""
    if isinstance(value, numpy.ndarray):
        return _of_numpy(value)
    if not is_array(value):
        return None
    if _attribute(value, "__array_interface__") is not None:
        return _of_numpy(numpy.asarray(value))
    there = _attribute(value, "__cuda_array_interface__")
    return _of_dlpack(value) if there is None else _of_cuda(value, there)


def as_floats(value):
    """Lists and integers as floats, of which arithmetic is made; other arrays as they are."""
    if isinstance(value, (list, tuple)):
        value = numpy.asarray(value)
    integers = isinstance(value, numpy.ndarray) and value.dtype.kind in "biu"
    return value.astype("f8") if integers else value


def in_main_memory(value, why):
    """An array of NumPy's of the same memory; None for what is no array. One in GPU memory is
    refused, for the reason `why`."""
    borrowed = borrow(value)
    if borrowed is None or isinstance(borrowed.owner, numpy.ndarray):
        return borrowed and borrowed.owner
    if borrowed.view.device >= 0:
        raise BadArgument(f"{why} the memory of GPU {borrowed.view.device}; copy it to main memory")
    return numpy.asarray(_Exported(borrowed))


class _Exported:
    """What NumPy makes an array of."""

    def __init__(self, borrowed):
        view = borrowed.view
        self._borrowed = borrowed
        self.__array_interface__ = {
            "version": 3, "typestr": view.type.decode(), "shape": borrowed.shape,
            "strides": borrowed.strides,
            "data": (view.data or 0, borrowed.read_only)}


def _attribute(value, name):
    """None also where a look at it raises, as tensors of PyTorch's do that have no such memory."""
    try:
        return getattr(value, name, None)
    except (AttributeError, RuntimeError, TypeError, ValueError):
        return None


# ---- NumPy -------------------------------------------------------------------------------------

def _of_numpy(array):
    strides = array.strides
    if array.size and array.ndim and not any(strides):
        # A broadcast number. Strides of zeros would stand for C's order: a row of it has others.
        row = numpy.full(array.shape[-1], array[(0,) * array.ndim], array.dtype)
        array = numpy.lib.stride_tricks.as_strided(row, array.shape, strides[:-1] + row.strides,
                                                   writeable=False)
    return Borrowed(array, array.dtype.str, array.shape, array.strides, array.ctypes.data,
                    read_only=not array.flags.writeable)


# ---- CUDA --------------------------------------------------------------------------------------

def _device_of(value):
    """The number of the GPU; the library refuses an array that is elsewhere."""
    device = _attribute(value, "__dlpack_device__")
    if device is not None:
        return int(device()[1])
    device = _attribute(value, "device")
    return int(getattr(device, "id", None) or 0)


def _of_cuda(value, there):
    if there.get("mask") is not None:
        raise BadArgument("an array with a mask is not taken; fill it")
    data, read_only = there["data"]
    return Borrowed(value, there["typestr"], there["shape"], there.get("strides"), data,
                    _device_of(value), read_only)


# ---- DLPack ------------------------------------------------------------------------------------

_CPU, _CUDA, _CUDA_HOST, _CUDA_MANAGED = 1, 2, 3, 13
_LETTERS = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}
_READ_ONLY = 1


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32), ("id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


_DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _DELETER)]
    flags = 0


class _Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                ("context", ctypes.c_void_p), ("deleter", _DELETER), ("flags", ctypes.c_uint64),
                ("tensor", _Tensor)]


# A capsule has its name as long as it is unused. Python keeps the address of a name.
_KINDS = {b"dltensor": (b"used_dltensor", _Managed),
          b"dltensor_versioned": (b"used_dltensor_versioned", _Versioned)}


def _api(name, result, *arguments):
    """A function of Python's own."""
    return ctypes.PYFUNCTYPE(result, ctypes.py_object, *arguments)((name, ctypes.pythonapi))


_get_name = _api("PyCapsule_GetName", ctypes.c_char_p)
_get_pointer = _api("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_char_p)
_set_name = _api("PyCapsule_SetName", ctypes.c_int, ctypes.c_char_p)


class _Owned:
    """A tensor that a capsule had; its memory goes back to its producer with this object."""

    def __init__(self, capsule):
        name = _get_name(capsule)
        if name not in _KINDS:
            raise BadArgument(f"a DLPack capsule named {name!r} is not known, or used up")
        used, kind = _KINDS[name]
        self._address = _get_pointer(capsule, name)
        self.managed = kind.from_address(self._address)
        _set_name(capsule, used)
        if kind is _Versioned and self.managed.major != 1:
            # Of another version only the members before `flags` are known.
            raise BadArgument(f"DLPack of version {self.managed.major} is not known")

    def __del__(self):
        managed = getattr(self, "managed", None)
        if managed is not None and managed.deleter:
            managed.deleter(self._address)


def _capsule_of(value):
    """A capsule that says whether it is read-only, of producers that can say so."""
    try:
        return value.__dlpack__(max_version=(1, 0))
    except TypeError:
        return value.__dlpack__()


def _of_dlpack(value):
    owned = _Owned(_capsule_of(value))
    t = owned.managed.tensor
    if t.device not in (_CPU, _CUDA, _CUDA_HOST, _CUDA_MANAGED):
        raise BadArgument(f"an array on a device of DLPack's type {t.device} is not taken; copy it "
                          "to main memory or a CUDA device")
    if t.code not in _LETTERS or t.bits % 8:
        raise BadArgument(f"an array of DLPack's type {t.code} of {t.bits} bits is not taken")
    size = t.bits // 8
    shape = list(t.shape[:t.ndim])
    strides = [s * size * t.lanes for s in t.strides[:t.ndim]] if t.strides else None
    if t.lanes > 1:
        shape.append(t.lanes)
        strides = strides and strides + [size]
    order = "|" if size == 1 else "<" if sys.byteorder == "little" else ">"
    borrowed = Borrowed(owned, f"{order}{_LETTERS[t.code]}{size}", shape, strides,
                        (t.data or 0) + t.byte_offset,
                        t.id if t.device in (_CUDA, _CUDA_MANAGED) else -1,
                        bool(owned.managed.flags & _READ_ONLY))
    if strides and not any(strides) and borrowed.view.device < 0:
        return _of_numpy(numpy.asarray(_Exported(borrowed)))
    return borrowed
