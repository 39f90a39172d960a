/* SPDX-License-Identifier: BSD-3-Clause */
/* The point updates of ZOID_ROWS, compiled for scalars. The including file defines `struct zoid_at`
 * with the point's p[], params and the row of tables, and the macros ZOID_FROM(type, at, dims,
 * field, dx, dy, dz) and ZOID_TO(type, at, field): the addresses of a neighbour's value and of the
 * point's new value; and ZOID_TURNS(at, field, dx, dy, dz): whether the neighbour's value counts
 * with its sign turned, if that can be. */
#ifndef ZOID_CODELETS_OP_SCALAR_H
#define ZOID_CODELETS_OP_SCALAR_H

#include <math.h>

#ifndef ZOID_TURNS
#define ZOID_TURNS(...) false
#endif

#define SCALAR_VALUE(type)                                                                       \
    typedef zoid_##type value_##type;                                                            \
                                                                                                 \
    ZOID_INLINE value_##type splat_##type(double constant)                                       \
    {                                                                                            \
        return (value_##type)constant;                                                           \
    }                                                                                            \
                                                                                                 \
    ZOID_INLINE value_##type load_##type(const struct zoid_at *at, int dims, int field, int dx,  \
                                         int dy, int dz)                                         \
    {                                                                                            \
        (void)dims;                                                                              \
        value_##type value = *(ZOID_FROM(value_##type, at, dims, field, dx, dy, dz));            \
                                                                                                 \
        return ZOID_TURNS(at, field, dx, dy, dz) ? (value_##type) - value : value;               \
    }                                                                                            \
                                                                                                 \
    ZOID_INLINE value_##type select_x_##type(const struct zoid_at *at, long lo, long hi,         \
                                             value_##type a, value_##type b)                     \
    {                                                                                            \
        return at->p[0] >= lo && at->p[0] < hi ? a : b;                                          \
    }                                                                                            \
                                                                                                 \
    ZOID_INLINE value_##type every_other_##type(const struct zoid_at *at, int dims, long parity, \
                                                value_##type a, value_##type b)                  \
    {                                                                                            \
        for (int axis = 0; axis < dims; axis++)                                                  \
            parity += at->p[axis];                                                               \
        return parity & 1 ? b : a;                                                               \
    }                                                                                            \
                                                                                                 \
    ZOID_INLINE void put_##type(const struct zoid_at *at, int field, value_##type value)         \
    {                                                                                            \
        *(ZOID_TO(value_##type, at, field)) = value;                                             \
    }

SCALAR_VALUE(f32)
SCALAR_VALUE(f64)
SCALAR_VALUE(u8)

#define SCALAR_COMPARISON(name, type, less)                                                \
    ZOID_INLINE value_##type name##_##type(value_##type a, value_##type b, value_##type c, \
                                           value_##type d)                                 \
    {                                                                                      \
        return a less b ? c : d;                                                           \
    }
#define SCALAR_REAL(type, abs_of, sqrt_of, constants)                              \
    SCALAR_COMPARISON(less, type, <)                                               \
    SCALAR_COMPARISON(at_most, type, <=)                                           \
    SCALAR_COMPARISON(same_as, type, ==)                                           \
                                                                                   \
    ZOID_INLINE value_##type abs_##type(value_##type a)                            \
    {                                                                              \
        return abs_of(a);                                                          \
    }                                                                              \
                                                                                   \
    ZOID_INLINE value_##type neg_##type(value_##type a)                            \
    {                                                                              \
        return -a;                                                                 \
    }                                                                              \
                                                                                   \
    ZOID_INLINE value_##type sqrt_##type(value_##type a)                           \
    {                                                                              \
        return sqrt_of(a);                                                         \
    }                                                                              \
                                                                                   \
    ZOID_INLINE value_##type constant_##type(const struct zoid_at *at, int number) \
    {                                                                              \
        return at->params->constants[number];                                      \
    }                                                                              \
                                                                                   \
    ZOID_INLINE value_##type table_##type(const struct zoid_at *at, int number)    \
    {                                                                              \
        return (value_##type)at->tables[number];                                   \
    }

SCALAR_REAL(f32, fabsf, sqrtf, constant32)
SCALAR_REAL(f64, fabs, sqrt, constant)

ZOID_INLINE value_f32 fma_f32(value_f32 a, value_f32 b, value_f32 c)
{
    return fmaf(a, b, c);
}

ZOID_INLINE value_f64 fma_f64(value_f64 a, value_f64 b, value_f64 c)
{
    return fma(a, b, c);
}

ZOID_INLINE value_u8 equal_u8(int a, int b)
{
    return a == b;
}

#define ZOID_VARIANT(...)
#define ZOID_VALUE f32
#include ZOID_ROWS
#undef ZOID_VALUE
#define ZOID_VALUE f64
#include ZOID_ROWS
#undef ZOID_VALUE
#define ZOID_VALUE u8
#include ZOID_ROWS
#undef ZOID_VALUE
#undef ZOID_VARIANT

/* Without the instruction an fma is a library call: the same bits, twenty times slower. Code
 * that is compiled with it needs no second copy. */
#if defined __x86_64__ && !defined __FMA__
#define WITH_FMA(...) __VA_ARGS__
#else
#define WITH_FMA(...)
#endif

/* 0 stages(COUNT) is the number of stages. */
#define COUNT(number, ...) +1

#endif
