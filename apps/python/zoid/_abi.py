# SPDX-License-Identifier: BSD-3-Clause
"""Made by scripts/abi-table from runtime/zoid.h and zoid_session.h; do not edit."""
from ctypes import (POINTER, Structure, c_char_p, c_double, c_int, c_int64, c_size_t, c_void_p)

ABI = 1


class Array(Structure):
    _fields_ = [
        ("type", c_char_p),
        ("axes", c_int),
        ("device", c_int),
        ("shape", c_int64 * 4),
        ("stride", c_int64 * 4),
        ("data", c_void_p),
    ]


class SourceRow(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("field", c_char_p),
        ("position", c_double * 3),
        ("physical", c_int),
        ("amplitude", c_double),
        ("series", POINTER(c_double)),
        ("samples", c_int64),
        ("ricker", c_double),
        ("delay", c_double),
    ]


class Solution(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("sweeps", c_int64),
        ("first_below", c_int64),
        ("residual", c_double),
        ("initial_residual", c_double),
        ("omega", c_double),
        ("eigenvalue", c_double),
    ]


FUNCTIONS = {
    "abi": (c_int,),
    "version": (c_char_p,),
    "error_key": (c_char_p,),
    "error_text": (c_size_t, c_int, c_char_p, c_size_t,),
    "set_log": (None, c_void_p, c_void_p,),
    "operators_json": (c_char_p,),
    "settings_json": (c_char_p,),
    "machine_json": (c_char_p,),
    "operators_load": (c_int, c_char_p,),
    "rank": (c_int, POINTER(c_int),),
    "failed_alone": (c_int, c_int,),
    "shutdown": (c_int,),
    "session_create": (c_int, POINTER(c_void_p),),
    "session_destroy": (None, POINTER(c_void_p),),
    "session_set_text": (c_int, c_void_p, c_char_p, c_char_p,),
    "session_set_int": (c_int, c_void_p, c_char_p, c_int64,),
    "session_set_real": (c_int, c_void_p, c_char_p, c_double,),
    "session_set_ints": (c_int, c_void_p, c_char_p, c_int, POINTER(c_int64),),
    "session_unset": (c_int, c_void_p, c_char_p,),
    "session_set_array": (c_int, c_void_p, c_char_p, c_char_p, POINTER(Array),),
    "session_get": (c_char_p, c_void_p, c_char_p,),
    "session_add_source": (c_int, c_void_p, POINTER(SourceRow),),
    "session_add_receivers": (c_int, c_void_p, c_char_p, c_int64, POINTER(c_double), c_int,),
    "session_clear_points": (c_int, c_void_p,),
    "session_set_matrix": (c_int, c_void_p, c_void_p,),
    "session_restart": (c_int, c_void_p, c_char_p,),
    "session_plan": (c_int, c_void_p,),
    "session_start": (c_int, c_void_p,),
    "session_advance": (c_int, c_void_p, c_int64,),
    "session_solve": (c_int, c_void_p, POINTER(Solution),),
    "session_rewind": (c_int, c_void_p,),
    "session_finish": (c_int, c_void_p,),
    "session_run": (c_int, c_void_p,),
    "session_checkpoint": (c_int, c_void_p, c_char_p,),
    "session_write": (c_int, c_void_p, c_char_p,),
    "session_stop": (None, c_void_p,),
    "session_progress": (c_double, c_void_p,),
    "session_set_progress": (c_int, c_void_p, c_void_p, c_void_p, c_double,),
    "session_step": (c_int64, c_void_p,),
    "session_steps": (c_int64, c_void_p,),
    "session_read": (c_int, c_void_p, c_char_p, POINTER(c_int64), POINTER(c_int64),
                     POINTER(Array),),
    "session_record_rows": (c_int64, c_void_p,),
    "session_record": (c_int, c_void_p, POINTER(Array),),
    "session_about_json": (c_char_p, c_void_p,),
    "session_plan_text": (c_char_p, c_void_p,),
    "session_report_json": (c_char_p, c_void_p,),
    "matrix_from_csr": (c_int, POINTER(Array), POINTER(Array), POINTER(Array), POINTER(c_void_p),),
    "matrix_open": (c_int, c_char_p, POINTER(c_void_p),),
    "matrix_destroy": (None, POINTER(c_void_p),),
}
