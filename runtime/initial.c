/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "runtime/initial.h"

/* Values are made, shaped and stored a few at a time: each of the three is a loop of its own that
 * compilers vectorise. */
enum { BATCH = 512 };

/* A pure function of the seed and the point's index: any box can be made at any time. */
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

void zoid_initial_store(enum zoid_type type, const double *value, size_t count, size_t first,
                        void *row)
{
    if (type == ZOID_F32)
        for (size_t i = 0; i < count; i++)
            ((float *)row)[first + i] = (float)value[i];
    else if (type == ZOID_F64)
        for (size_t i = 0; i < count; i++)
            ((double *)row)[first + i] = value[i];
    else
        for (size_t i = 0; i < count; i++)
            ((unsigned char *)row)[first + i] = (unsigned char)value[i];
}

/* The first value is number `first` of the whole state; without randomness all are alike. */
static void fill_row(const struct zoid_initial *initial, int field, uint64_t first, size_t count,
                     void *row)
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
        zoid_initial_store(op->type, value, n, done, row);
    }
}

/* The points [lo, hi) of a row, as far as it goes. */
static void put_value(const struct zoid_op *op, double value, long lo, long hi, long points,
                      void *row)
{
    const long width = zoid_op_width(op);

    lo = lo > 0 ? lo : 0;
    hi = hi < points ? hi : points;
    for (long i = lo * width; i < hi * width; i++)
        zoid_initial_store(op->type, &value, 1, (size_t)i, row);
}

/* Zeros, and ones in the middle of the domain or in its first plane. */
static void fill_plain(const struct zoid_initial *initial, const long first[ZOID_AXES], long points,
                       void *row)
{
    const struct zoid_problem *p = initial->problem;
    const long *n = p->n;
    const int chain = p->op->dims - 1;
    const long centre = n[0] / 2 - first[0];

    memset(row, 0, (size_t)points * zoid_op_point_bytes(p->op));
    if (initial->kind == ZOID_INIT_POINT && first[1] == n[1] / 2 && first[2] == n[2] / 2)
        put_value(p->op, 1, centre, centre + 1, points, row);
    if (initial->kind == ZOID_INIT_HOT && first[chain] == 0)
        put_value(p->op, 1, 0, chain == 0 ? 1 : points, points, row);
}

/* What of a row lies in the domain's outermost layer. */
static void fill_border(const struct zoid_initial *initial, const long first[ZOID_AXES],
                        long points, void *row)
{
    const struct zoid_op *op = initial->problem->op;
    const long *n = initial->problem->n;
    bool outside = false;

    for (int a = 1; a < op->dims; a++)
        outside = outside || first[a] == 0 || first[a] == n[a] - 1;
    put_value(op, initial->border, 0, outside ? points : 1 - first[0], points, row);
    put_value(op, initial->border, n[0] - 1 - first[0], points, points, row);
}

void zoid_initial_border(const struct zoid_initial *initial, const struct zoid_box *box,
                         const struct zoid_values *to)
{
    const size_t point = zoid_op_point_bytes(initial->problem->op);
    const long *lo = box->lo;

    for (long z = lo[2]; z < box->hi[2] && initial->bordered; z++)
        for (long y = lo[1]; y < box->hi[1]; y++)
            fill_border(initial, (const long[ZOID_AXES]){lo[0], y, z}, box->hi[0] - lo[0],
                        zoid_values_row(to, point, y - lo[1], z - lo[2]));
}

void zoid_initial_box(void *user, int field, const struct zoid_box *box,
                      const struct zoid_values *to)
{
    const struct zoid_initial *initial = user;
    const struct zoid_problem *p = initial->problem;
    const bool state = field < p->op->nstate;
    const long *n = p->n, *lo = box->lo, points = box->hi[0] - lo[0];
    const uint64_t width = (uint64_t)zoid_op_width(p->op);

    if (!state && initial->coefficients) {
        initial->coefficients(initial->user, field, box, to);
        return;
    }
    if (state && initial->state) {
        initial->state(initial->of, field, box, to);
        return;
    }
    for (long z = lo[2]; z < box->hi[2]; z++)
        for (long y = lo[1]; y < box->hi[1]; y++) {
            void *row = zoid_values_row(to, zoid_op_point_bytes(p->op), y - lo[1], z - lo[2]);
            const long first[ZOID_AXES] = {lo[0], y, z};
            const uint64_t line = (uint64_t)((field * n[2] + z) * n[1] + y);

            if (state && initial->kind != ZOID_INIT_RANDOM)
                fill_plain(initial, first, points, row);
            else
                fill_row(initial, field, (line * (uint64_t)n[0] + (uint64_t)lo[0]) * width,
                         (uint64_t)points * width, row);
        }
    if (state)
        zoid_initial_border(initial, box, to);
}
