/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "runtime/zoid.h"

/* Values are made, shaped and stored a few at a time: each of the three is a loop of its own that
 * compilers vectorise. */
enum { BATCH = 512 };

/* A pure function of the seed and the point's index: any plane can be made at any time. */
static inline uint64_t splitmix64(uint64_t v)
{
    v += 0x9e3779b97f4a7c15;
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9;
    v = (v ^ v >> 27) * 0x94d049bb133111eb;
    return v ^ v >> 31;
}

/* 24 bits: the values are exact in either floating type. */
static void random_values(uint64_t first, size_t count, double *value)
{
    for (size_t i = 0; i < count; i++)
        value[i] = (int32_t)(splitmix64(first + i) >> 40) * 0x1p-24;
}

/* From values in [0, 1) to what the field holds; of a byte, all of its values. */
static void shape_values(const struct zoid_op *op, int field, size_t count, double *value)
{
    if (op->fill[field])
        op->fill[field](count, value);
    else if (op->type == ZOID_U8)
        for (size_t i = 0; i < count; i++)
            value[i] = 256 * value[i];
}

static void store_values(enum zoid_type type, const double *value, size_t count, size_t first,
                         void *plane)
{
    if (type == ZOID_F32)
        for (size_t i = 0; i < count; i++)
            ((float *)plane)[first + i] = (float)value[i];
    else if (type == ZOID_F64)
        for (size_t i = 0; i < count; i++)
            ((double *)plane)[first + i] = value[i];
    else
        for (size_t i = 0; i < count; i++)
            ((unsigned char *)plane)[first + i] = (unsigned char)value[i];
}

/* The first value is number `first` of the whole state; without randomness all are alike. */
static void fill_plane(const struct zoid_initial *initial, int field, uint64_t first, size_t count,
                       void *plane)
{
    const struct zoid_op *op = initial->problem->op;
    double value[BATCH];

    for (size_t done = 0; done < count; done += BATCH) {
        size_t n = count - done < BATCH ? count - done : BATCH;

        if (initial->kind == ZOID_INIT_RANDOM)
            random_values(initial->seed + first + done, n, value);
        else
            for (size_t i = 0; i < n; i++)
                value[i] = 0.5;
        shape_values(op, field, n, value);
        store_values(op->type, value, n, done, plane);
    }
}

void zoid_initial_plane(void *user, int field, long z, void *plane)
{
    const struct zoid_initial *initial = user;
    const struct zoid_problem *p = initial->problem;
    const int chain = p->op->dims - 1;
    const double one = 1;
    size_t count = 1, centre = 0;

    for (int a = chain - 1; a >= 0; a--) {
        count *= (size_t)p->n[a];
        centre = centre * (size_t)p->n[a] + (size_t)p->n[a] / 2;
    }
    if (initial->kind == ZOID_INIT_RANDOM || field >= p->op->nstate) {
        uint64_t planes = (uint64_t)field * (uint64_t)p->n[chain] + (uint64_t)z;

        fill_plane(initial, field, planes * count, count, plane);
        return;
    }
    memset(plane, 0, count * zoid_type_size(p->op->type));
    if (initial->kind == ZOID_INIT_POINT && z == p->n[chain] / 2)
        store_values(p->op->type, &one, 1, centre, plane);
}
