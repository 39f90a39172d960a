/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "runtime/zoid.h"

/* A pure function of the seed and the point's index: any plane can be made at any time. */
static inline uint64_t splitmix64(uint64_t v)
{
    v += 0x9e3779b97f4a7c15;
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9;
    v = (v ^ v >> 27) * 0x94d049bb133111eb;
    return v ^ v >> 31;
}

/* 24 bits: the value is exact in either type. */
static inline int32_t random_bits(uint64_t v)
{
    return (int32_t)(splitmix64(v) >> 40);
}

static void fill_random(uint64_t first, size_t count, enum zoid_type type, void *plane)
{
    float *f32 = plane;
    double *f64 = plane;

    if (type == ZOID_F32)
        for (size_t i = 0; i < count; i++)
            f32[i] = (float)random_bits(first + i) * 0x1p-24f;
    else
        for (size_t i = 0; i < count; i++)
            f64[i] = random_bits(first + i) * 0x1p-24;
}

static void set_one(enum zoid_type type, void *plane, size_t i)
{
    if (type == ZOID_F32)
        ((float *)plane)[i] = 1;
    else
        ((double *)plane)[i] = 1;
}

void zoid_initial_plane(void *user, int field, long z, void *plane)
{
    const struct zoid_initial *initial = user;
    const struct zoid_problem *p = initial->problem;
    const int chain = p->op->dims - 1;
    size_t count = 1, centre = 0;

    for (int a = chain - 1; a >= 0; a--) {
        count *= (size_t)p->n[a];
        centre = centre * (size_t)p->n[a] + (size_t)p->n[a] / 2;
    }
    if (initial->kind == ZOID_INIT_RANDOM) {
        uint64_t planes = (uint64_t)field * (uint64_t)p->n[chain] + (uint64_t)z;

        fill_random(initial->seed + planes * count, count, p->op->type, plane);
        return;
    }
    memset(plane, 0, count * zoid_type_size(p->op->type));
    if (initial->kind == ZOID_INIT_POINT && z == p->n[chain] / 2)
        set_one(p->op->type, plane, centre);
}
