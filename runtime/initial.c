/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "runtime/initial.h"
#include "runtime/random.h"

/* Values are generated, shaped and stored in batches: each of the three is a separate loop that
 * compilers vectorise. */
enum { BATCH = 512 };

static void random_values(uint64_t first, size_t count, double *value)
{
    for (size_t i = 0; i < count; i++)
        value[i] = zoid_random(first + i);
}

/* Map values in [0, 1) to the range of the field; bytes get all of their values. */
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

/* Fill a row whose first value has index `first` in the whole state; without randomness all values
 * are equal. */
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

/* Set the points [lo, hi) of a row, clipped to its length. */
static void put_value(const struct zoid_op *op, double value, long lo, long hi, long points,
                      void *row)
{
    const long width = zoid_op_width(op);

    lo = lo > 0 ? lo : 0;
    hi = hi < points ? hi : points;
    for (long i = lo * width; i < hi * width; i++)
        zoid_initial_store(op->type, &value, 1, (size_t)i, row);
}

/* Fill a row with zeros, and ones in the middle of the domain or in its first plane. */
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

/* Set the points of a row that lie in the domain's outermost layer. */
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
