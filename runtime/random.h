/* SPDX-License-Identifier: BSD-3-Clause */
/* Random values as pure functions of an index: any part of a field, or of a matrix, can be
 * generated at any time. */
#ifndef ZOID_RUNTIME_RANDOM_H
#define ZOID_RUNTIME_RANDOM_H

#include <stdint.h>

static inline uint64_t zoid_splitmix64(uint64_t v)
{
    v += 0x9e3779b97f4a7c15;
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9;
    v = (v ^ v >> 27) * 0x94d049bb133111eb;
    return v ^ v >> 31;
}

/* Return a value in [0, 1) with 24 random bits: exact in f32 and f64. */
static inline double zoid_random(uint64_t v)
{
    return (int32_t)(zoid_splitmix64(v) >> 40) * 0x1p-24;
}

#endif
