/* SPDX-License-Identifier: BSD-3-Clause */
/* Saturating arithmetic of bytes and counts: sums and products are UINT64_MAX on overflow. */
#ifndef ZOID_RUNTIME_PLAN_AMOUNT_H
#define ZOID_RUNTIME_PLAN_AMOUNT_H

#include <stdint.h>

static inline uint64_t zoid_amount_times(uint64_t a, uint64_t b)
{
    uint64_t product;

    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static inline uint64_t zoid_amount_plus(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static inline uint64_t zoid_smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t zoid_larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

enum { ZOID_MIB = 1 << 20 };

/* Round bytes up to MiB. */
static inline unsigned long long zoid_mib(uint64_t bytes)
{
    return (bytes + ZOID_MIB - 1) / ZOID_MIB;
}

/* Round bytes up to a multiple of `grain`. */
static inline uint64_t zoid_whole(uint64_t bytes, uint64_t grain)
{
    return zoid_amount_plus(bytes, grain - 1) / grain * grain;
}

#endif
