/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codelets/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t sample_mix(uint64_t v)
{
    v += 0x9e3779b97f4a7c15u;
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9u;
    v = (v ^ v >> 27) * 0x94d049bb133111ebu;
    return v ^ v >> 31;
}

long sample_between(uint64_t *state, long lo, long hi)
{
    *state += 1;
    return lo + (long)(sample_mix(*state) % (uint64_t)(hi - lo + 1));
}

double sample_value(uint64_t seed, uint64_t i)
{
    return (double)(sample_mix(seed + i) >> 40) / (1 << 24);
}

void sample_fill(enum zoid_type type, uint64_t seed, uint64_t first, size_t count, void *out)
{
    for (size_t i = 0; i < count; i++)
        if (type == ZOID_F32)
            ((zoid_f32 *)out)[i] = (zoid_f32)sample_value(seed, first + i);
        else
            ((zoid_f64 *)out)[i] = sample_value(seed, first + i);
}

void sample_poison(void *out, size_t bytes)
{
    memset(out, 0xff, bytes);
}

void *sample_memory(size_t bytes)
{
    void *p = malloc(bytes ? bytes : 1);

    if (!p) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        abort();
    }
    return p;
}
