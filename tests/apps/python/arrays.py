# SPDX-License-Identifier: BSD-3-Clause
"""Arrays in and out, of any layout and of others than NumPy: the same bytes, without a copy."""
import ctypes
import gc
import itertools
import os
import tempfile
import tracemalloc
import unittest
import weakref

import numpy as np
import zoid

HDF5 = "h5" in os.environ["ZOID_KINDS"]
SHAPE = (6, 7, 8)


def layouts(values):
    """The same values as arrays of other layouts, with a name for each."""
    yield "C", values.copy()
    yield "Fortran", np.asfortranarray(values)
    yield "big-endian", values.astype(values.dtype.newbyteorder(">"))
    yield "little-endian", values.astype(values.dtype.newbyteorder("<"))
    for axes in itertools.permutations(range(values.ndim)):
        yield f"axes {axes}", values.transpose(axes).copy().transpose(np.argsort(axes))
    back = (slice(None, None, -1),) * values.ndim
    yield "negative", values[back].copy()[back]
    wide = np.zeros([3 * n + 1 for n in values.shape], values.dtype)
    inside = (slice(1, None, 3),) * values.ndim
    wide[inside] = values
    yield "strided", wide[inside]
    last = wide.astype(wide.dtype.newbyteorder(">"))[(slice(-3, None, -3),) * values.ndim]
    last[...] = values
    yield "all of it", last
    fixed = values.copy()
    fixed.flags.writeable = False
    yield "read-only", fixed
    shifted = np.zeros(values.nbytes + 1, "u1")[1:].view(values.dtype).reshape(values.shape)
    shifted[...] = values
    yield "unaligned", shifted


class Interface:
    """Offers __array_interface__ alone."""

    def __init__(self, array):
        self.array = array
        self.__array_interface__ = array.__array_interface__


class OnGpu:
    """Offers __cuda_array_interface__ alone, of memory that is where it says or not."""

    def __init__(self, array, data=None, device=0, strides=None):
        self.shape = array.shape
        self.device = type("Device", (), {"id": device})()
        self.__cuda_array_interface__ = {
            "version": 3, "typestr": array.dtype.str, "shape": array.shape, "strides": strides,
            "data": (array.ctypes.data if data is None else data, False)}


# ---- DLPack, as its header has it --------------------------------------------------------------

class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32), ("id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Managed(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", DELETER)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                ("context", ctypes.c_void_p), ("deleter", DELETER), ("flags", ctypes.c_uint64),
                ("tensor", Tensor)]


new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p,
                                ctypes.c_void_p)(("PyCapsule_New", ctypes.pythonapi))


class Dlpack:
    """Offers __dlpack__ alone. `deleted` counts what consumers have given back."""

    def __init__(self, array, *, lanes=1, device=(1, 0), code=2, bits=None, offset=0, flags=None,
                 major=1, deleter=True):
        self.array, self.flags, self.major, self.device = array, flags, major, device
        self.deleted, self.asked, self.kept = 0, 0, []
        size = array.itemsize
        shape, strides = array.shape, array.strides
        if lanes > 1:
            assert shape[-1] == lanes
            shape, strides = shape[:-1], strides[:-1]
        self.shape = array.shape
        n = len(shape)
        self.tensor = Tensor(
            data=array.ctypes.data - offset, device=device[0], id=device[1], ndim=n, code=code,
            bits=bits or size * 8, lanes=lanes, byte_offset=offset,
            shape=(ctypes.c_int64 * n)(*shape),
            strides=(ctypes.c_int64 * n)(*[s // (size * lanes) for s in strides]))
        if array.flags.c_contiguous and lanes == 1:
            self.tensor.strides = None
        self.deleter = DELETER(self.delete) if deleter else DELETER()

    def delete(self, address):
        self.deleted += 1

    def __dlpack_device__(self):
        return self.device

    def capsule(self, **options):
        self.asked += 1
        kind = Managed(tensor=self.tensor, deleter=self.deleter)
        name = b"dltensor"
        if self.flags is not None:
            kind = Versioned(major=self.major, flags=self.flags, tensor=self.tensor,
                             deleter=self.deleter)
            name = b"dltensor_versioned"
        self.kept.append((kind, name))
        return new_capsule(ctypes.addressof(kind), name, None)

    def __dlpack__(self, **options):
        if self.flags is None and options:
            raise TypeError("no such option")
        return self.capsule()


class In(unittest.TestCase):
    def setUp(self):
        self.values = np.random.default_rng(1).standard_normal(SHAPE)

    def same(self, operator="heat", **settings):
        """All layouts give what the plain one gives, and none is changed."""
        key, make = settings.pop("of")
        wanted = None
        for name, array in layouts(self.values):
            kept = array.tobytes()
            got = zoid.run(operator, 3, type="f64", **{key: make(array)}, **settings)
            with self.subTest(key, layout=name):
                wanted = wanted or got
                for field in wanted.fields:
                    self.assertEqual(got[field].tobytes(), wanted[field].tobytes())
                self.assertEqual(array.tobytes(), kept)

    def test_layouts(self):
        self.same(of=("init", lambda a: {"u": a}))
        self.values = np.abs(self.values) / 100
        self.same("wave", of=("coefficient", lambda a: {"v2": a}))
        self.same("wave", of=("velocity", lambda a: a), dx=10, dt=0.1)
        self.same("seismic", of=("vp", lambda a: a), vs=0, density=2, dx=10, dt=0.1)

    def test_of_a_line_and_a_plane(self):
        for shape in ((9,), (5, 4)):
            self.values = np.random.default_rng(2).standard_normal(shape)
            self.same(of=("init", lambda a: {"u": a}), dims=len(shape))

    def test_right_sides_and_vectors(self):
        f = np.random.default_rng(3).standard_normal((20, 30))
        a = np.diag(np.arange(1.0, 10)) + np.diag(np.ones(8), 1)
        x = np.random.default_rng(4).standard_normal((9, 4))
        for spacing in (1.0, 0.1):
            wanted = zoid.solve(f, spacing=spacing, steps=20, type="f64").u
            for name, array in layouts(f):
                got = zoid.solve(array, spacing=spacing, steps=20, type="f64").u
                self.assertEqual(got.tobytes(), wanted.tobytes(), name)
        for name, array in layouts(x):
            np.testing.assert_allclose(zoid.Matrix(a) @ array, a @ x, rtol=1e-14, err_msg=name)

    def test_repeated_values(self):
        for array in (np.broadcast_to(3.5, (7, 6)), np.broadcast_to(np.arange(6.0), (7, 6)),
                      np.broadcast_to(np.arange(7.0)[:, None], (7, 6))):
            got = zoid.run("heat", 2, init={"u": array}, type="f64")["u"]
            wanted = zoid.run("heat", 2, init={"u": array.copy()}, type="f64")["u"]
            self.assertEqual(got.tobytes(), wanted.tobytes())

    def test_protocols(self):
        wanted = zoid.run("heat", 2, init={"u": self.values}, type="f64")["u"].tobytes()
        for name, array in layouts(self.values):
            with self.subTest(layout=name):
                got = zoid.run("heat", 2, init={"u": Interface(array)}, type="f64")
                self.assertEqual(got["u"].tobytes(), wanted)
                if not array.dtype.isnative or any(s % 8 for s in array.strides):
                    continue
                for options in ({}, {"offset": 64}, {"flags": 0}, {"flags": 1}, {"device": (3, 0)},
                                {"deleter": False}):
                    tensor = Dlpack(array, **options)
                    got = zoid.run("heat", 2, init={"u": tensor}, type="f64")
                    self.assertEqual(got["u"].tobytes(), wanted)
                    self.assertEqual(tensor.deleted, tensor.asked * (options != {"deleter": False}))
                    self.assertEqual(tensor.asked, 1)
        lanes = Dlpack(self.values[::2].copy(), lanes=8)
        got = zoid.run("heat", 2, init={"u": lanes}, type="f64")["u"]
        other = zoid.run("heat", 2, init={"u": self.values[::2]}, type="f64")["u"]
        self.assertEqual(got.tobytes(), other.tobytes())
        alive = (self.values > 0).astype("u1")
        got = zoid.run("life3d", 2, init={"alive": Dlpack(alive, code=1)})["alive"]
        other = zoid.run("life3d", 2, init={"alive": alive})["alive"]
        self.assertEqual(got.tobytes(), other.tobytes())
        repeated = Dlpack(np.broadcast_to(2.5, (5, 6)))
        got = zoid.run("heat", 2, init={"u": repeated}, type="f64")["u"]
        other = zoid.run("heat", 2, init={"u": np.full((5, 6), 2.5)}, type="f64")["u"]
        self.assertEqual(got.tobytes(), other.tobytes())
        self.assertEqual(repeated.deleted, 1)

    def test_points(self):
        """Series and places, too."""
        settings = {"shape": (9, 9), "init": "zero", "receivers": "y=3"}
        wave = np.sin(np.arange(6.0))
        wanted = zoid.run("wave", 6, source=[((3, 4), wave)], **settings).record
        for series in (Interface(wave), Dlpack(wave), wave[::-1].copy()[::-1]):
            got = zoid.run("wave", 6, source=[((3, 4), series)], **settings).record
            self.assertEqual(got.tobytes(), wanted.tobytes())

    def test_refused(self):
        bad = zoid.BadArgument
        small = np.zeros((5, 5))
        for tensor, pattern in ((Dlpack(small, device=(10, 0)), "device of DLPack's type 10"),
                                (Dlpack(small, code=4), "type 4 of 64 bits"),
                                (Dlpack(small, bits=4), "type 2 of 4 bits"),
                                (Dlpack(small.astype("i8"), code=0), "another type"),
                                (Dlpack(small.astype("f2")), "another type"),
                                (Dlpack(small, flags=0, major=2), "version 2")):
            with self.assertRaisesRegex(bad, pattern):
                zoid.run("heat", 1, init={"u": tensor})
            gc.collect()
            self.assertEqual(tensor.deleted, 1)
        used = Dlpack(small)
        capsule = used.capsule()
        used.capsule = lambda: capsule
        zoid.run("heat", 1, init={"u": used})
        with self.assertRaisesRegex(bad, "used up"):
            zoid.run("heat", 1, init={"u": used})
        self.assertEqual(used.deleted, 1)
        masked = OnGpu(small)
        masked.__cuda_array_interface__["mask"] = small
        with self.assertRaisesRegex(bad, "mask"):
            zoid.run("heat", 1, init={"u": masked})

    def test_memory(self):
        """There is no copy beside the job's own, which NumPy does not know of."""
        values = np.zeros((700, 500), ">f8").T[::-1]
        for array in (values, Interface(values), np.broadcast_to(np.float32(1), (500, 700)),
                      Dlpack(np.zeros((700, 500)).T[::-1])):
            with zoid.Session("heat", 1, shape=(500, 700)) as session:
                session.prepare()
            tracemalloc.start()
            session = zoid.Session("heat", 1, init={"u": array}, type="f64").start()
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            session.close()
            self.assertLess(peak, values.nbytes / 8)

    def test_references(self):
        """Of the initial state to the end, of others until the start, or a check."""
        for check in (False, True):
            u, v2 = Dlpack(np.zeros((9, 9))), np.full((9, 9), 0.1)
            there = weakref.ref(v2)
            session = zoid.Session("wave", 2, init={"u": u}, coefficient={"v2": v2}, check=check)
            del v2
            self.assertIsNotNone(there())
            session.start()
            gc.collect()
            self.assertEqual(there() is not None, check)
            self.assertEqual(u.deleted, 0)
            if not check:
                with self.assertRaisesRegex(zoid.BadArgument, "check is set before"):
                    session.set(check=True)
            session.run()
            session.rewind().run()
            self.assertEqual(u.deleted, 0)
            session.close()
            del session
            gc.collect()
            self.assertEqual(u.deleted, 1)
            self.assertIsNone(there())


    def test_not_read_again(self):
        """What a session lets go is overwritten here at once."""
        class Spoilt(Dlpack):
            def delete(self, address):
                super().delete(address)
                self.array[...] = np.nan

        v2 = np.random.default_rng(8).choice([0.1, 0.2], (17, 19))
        given = {"steps": 12, "seed": 3, "receivers": "y=3"}
        wanted = zoid.run("wave", coefficient={"v2": v2}, **given)
        kept = {"checkpoint_every": 5}
        for more in ({}, {"check": True}, {"method": "trapezoid", "depth": 3},
                     *[kept, {**kept, "cells": (2, 2), "checkpoint_coefficients": True}] * HDF5):
            with self.subTest(more), tempfile.TemporaryDirectory() as folder:
                if "checkpoint_every" in more:
                    more = {"checkpoint": folder, **more}
                spoilt = Spoilt(v2.copy())
                with zoid.Session("wave", coefficient={"v2": spoilt}, **given, **more) as session:
                    session.start()
                    self.assertEqual(spoilt.deleted, not {"check", "checkpoint_coefficients"} &
                                     set(more))
                    for _ in range(1 if "checkpoint" in more else 2):
                        session.advance(5)
                        session.write(os.path.join(folder, "state.npy"))
                        got = session.run()
                        self.assertEqual(got["u"].tobytes(), wanted["u"].tobytes())
                        self.assertEqual(got.record.tobytes(), wanted.record.tobytes())
                        session.rewind()
                if "checkpoint" not in more:
                    continue
                again = {} if "checkpoint_coefficients" in more else {"coefficient": {"v2": v2}}
                got = zoid.restart(folder, **again).run()
                self.assertEqual(got["u"].tobytes(), wanted["u"].tobytes())


class Out(unittest.TestCase):
    def test_layouts(self):
        values = np.random.default_rng(5).standard_normal(SHAPE)
        with zoid.Session("heat", 2, init={"u": values}, type="f64") as session:
            session.run()
            wanted = session["u"]
            for kind in ("f8", "f4"):
                for name, array in layouts(np.zeros(SHAPE, kind)):
                    with self.subTest(layout=name, kind=kind):
                        if name == "read-only":
                            self.assertRaises(zoid.BadArgument, session.read, "u", array)
                            continue
                        for out in (array, Interface(array)):
                            array[...] = 0
                            self.assertIs(session.read("u", out), out)
                            np.testing.assert_array_equal(array, wanted.astype(kind))
                        if array.dtype.isnative and not any(s % 8 for s in array.strides):
                            array[...] = 0
                            tensor = Dlpack(array)
                            self.assertIs(session.read("u", tensor), tensor)
                            np.testing.assert_array_equal(array, wanted.astype(kind))
                            self.assertEqual(tensor.deleted, 1)
            around = np.zeros((12, 14, 16))
            box = around[10:2:-2, 3:8, 1:13:2]
            session.read("u", box, lo=(1, 1, 2), hi=(7, 6, 6))
            np.testing.assert_array_equal(box, wanted[2:6, 1:6, 1:7])
            box[...] = 0
            self.assertFalse(around.any())

    def test_refused(self):
        with zoid.Session("heat", 1, shape=(5, 6)) as session:
            for out in (np.broadcast_to(np.zeros(6), (5, 6)), Dlpack(np.zeros((5, 6)), flags=1),
                        [0] * 6, 3.0, "u"):
                with self.assertRaisesRegex(zoid.BadArgument, "that can be written"):
                    session.read("u", out)
            session.read("u", Dlpack(np.zeros((5, 6)), flags=0))


class Gpus(unittest.TestCase):
    @unittest.skipIf("cuda" in os.environ["ZOID_KINDS"], "this build has CUDA")
    def test_without(self):
        u = np.zeros((5, 6), "f4")
        for array in (OnGpu(u), Dlpack(u, device=(2, 0)), Dlpack(u, device=(13, 0))):
            with self.assertRaisesRegex(zoid.Resource, "init: the array is in the memory of GPU 0, "
                                                       "and this build has no CUDA") as caught:
                zoid.run("heat", 1, init={"u": array})
            self.assertEqual(caught.exception.key, "init")
            with zoid.Session("heat", 1, shape=(5, 6)) as session:
                with self.assertRaisesRegex(zoid.Resource, "read into is in the memory of GPU 0"):
                    session.read("u", array)
                session.advance()
        with self.assertRaisesRegex(zoid.BadArgument, "source: series .* memory of GPU 0"):
            zoid.run("wave", 1, shape=(9, 9), source=[((1, 2), OnGpu(u[0]))])
        with self.assertRaisesRegex(zoid.BadArgument, "repeats one value"):
            zoid.run("heat", 1, init={"u": OnGpu(u, strides=(0, 0))})

    @unittest.skipUnless("cuda" in os.environ["ZOID_KINDS"], "this build has no CUDA")
    def test_with(self):
        try:
            driver = ctypes.CDLL("libcuda.so.1")
        except OSError:
            self.skipTest("no driver")

        def do(name, *arguments):
            self.assertEqual(getattr(driver, name)(*arguments), 0, name)

        count = ctypes.c_int()
        if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)) or not count.value:
            self.skipTest("no GPU")
        context = ctypes.c_void_p()
        do("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        do("cuCtxSetCurrent", context)
        values = np.random.default_rng(6).standard_normal((40, 50, 60))
        wanted = zoid.run("heat", 3, init={"u": values}, type="f64", check=True)["u"]
        for name, array in layouts(values):
            # The smallest block that has all of its values.
            low, high = np.lib.array_utils.byte_bounds(array) if hasattr(np.lib, "array_utils") \
                else np.byte_bounds(array)
            memory, back = ctypes.c_uint64(), ctypes.create_string_buffer(high - low)
            do("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(high - low))
            do("cuMemcpyHtoD_v2", memory, ctypes.c_void_p(low), ctypes.c_size_t(high - low))
            there = OnGpu(array, memory.value + array.ctypes.data - low, 0, array.strides)
            with self.subTest(layout=name):
                with zoid.Session("heat", 3, init={"u": there}, type="f64", check=True) as session:
                    session.advance()
                    session.finish()
                    self.assertEqual(session["u"].tobytes(), wanted.tobytes())
                    session.read("u", there)
                do("cuMemcpyDtoH_v2", back, memory, ctypes.c_size_t(high - low))
                got = np.ndarray(array.shape, array.dtype, back, array.ctypes.data - low,
                                 array.strides)
                np.testing.assert_array_equal(got, wanted)
            do("cuMemFree_v2", memory)
        with self.assertRaisesRegex(zoid.BadArgument, "init: .*GPU 63") as caught:
            zoid.run("heat", 1, init={"u": OnGpu(values, device=63)})
        self.assertEqual(caught.exception.key, "init")
        with self.assertRaisesRegex(zoid.BadArgument, "not in the memory of GPU 0"):
            zoid.run("heat", 1, init={"u": OnGpu(values)})


if __name__ == "__main__":
    unittest.main()
