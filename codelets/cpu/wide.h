/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors as values of point updates (codelets/ops/point.h), and the words that do not depend on
 * positions. Included once by a file that is compiled per instruction set and type, with ZOID_ISA
 * and ZOID_TYPE defined and isa_<ZOID_ISA>.h included first. It defines `struct zoid_at`, with a
 * member `params`, and the words that load, store and select. */
#ifndef ZOID_CODELETS_CPU_WIDE_H
#define ZOID_CODELETS_CPU_WIDE_H

#define ZOID_INLINE static inline __attribute__((always_inline))
#include "codelets/ops/point.h"

typedef ZOID_JOIN(zoid_, ZOID_TYPE) real;
typedef ZOID_JOIN(zoid_vector_, ZOID_TYPE) value_wide;
typedef value_wide stored __attribute__((aligned(sizeof(real)), may_alias));
typedef __typeof__((value_wide){0} == (value_wide){0}) value_mask;
enum { WIDTH = sizeof(value_wide) / sizeof(real) };

ZOID_INLINE value_mask value_numbers(void)
{
    value_mask number;

    for (int i = 0; i < WIDTH; i++)
        number[i] = i;
    return number;
}

/* A macro, since there is no fma of bytes. */
#define fma_wide(a, b, c) ZOID_JOIN(zoid_vector_fma_, ZOID_TYPE)(a, b, c)

ZOID_INLINE value_wide equal_wide(value_wide a, value_wide b)
{
    return (value_wide)((a == b) & 1);
}

ZOID_INLINE value_wide splat_wide(double constant)
{
    value_wide zero = {0};

    return (real)constant - zero;
}

/* Constants as they lie in parameters, by type. */
#define constant_of_f32 constant32
#define constant_of_f64 constant
#define constant_wide(at, number) \
    (((value_wide){0}) + (at)->params->ZOID_JOIN(constant_of_, ZOID_TYPE)[number])

ZOID_INLINE long clamp(long i, long lo, long hi)
{
    return i < lo ? lo : i > hi ? hi : i;
}

ZOID_INLINE value_wide choose(value_mask mask, value_wide yes, value_wide no)
{
    return (value_wide)((mask & (value_mask)yes) | (~mask & (value_mask)no));
}

ZOID_INLINE value_wide less_wide(value_wide a, value_wide b, value_wide c, value_wide d)
{
    return choose(a < b, c, d);
}

ZOID_INLINE value_wide at_most_wide(value_wide a, value_wide b, value_wide c, value_wide d)
{
    return choose(a <= b, c, d);
}

ZOID_INLINE value_wide same_as_wide(value_wide a, value_wide b, value_wide c, value_wide d)
{
    return choose(a == b, c, d);
}

ZOID_INLINE value_wide abs_wide(value_wide a)
{
    return (value_wide)((value_mask)a & ~(value_mask)splat_wide(-0.0));
}

ZOID_INLINE value_wide neg_wide(value_wide a)
{
    return (value_wide)((value_mask)a ^ (value_mask)splat_wide(-0.0));
}

/* A macro, as fma_wide. */
#define sqrt_wide(a) ZOID_JOIN(zoid_vector_sqrt_, ZOID_TYPE)(a)

#define INTEGERS(type) INTEGERS_OF(type)
#define INTEGERS_OF(type) ZOID_INTEGERS_##type
#define ZOID_INTEGERS_wide INTEGERS(ZOID_TYPE)

/* SAME(a, b) is a comma if two types are the same, otherwise not. */
#define SAME_f32_f32 ,
#define SAME_f64_f64 ,
#define SAME_u8_u8 ,
#define SAME(a, b) ZOID_JOIN(SAME_##a##_, b)
#define SECOND(a, b, ...) b
#define PICK(...) SECOND(__VA_ARGS__)
#define NOTHING(...)

#endif
