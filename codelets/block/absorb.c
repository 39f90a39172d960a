/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/block/absorb.h"

#include <assert.h>
#include <math.h>

#include "codelets/block/row.h"

bool zoid_absorbs(const struct zoid_shape *shape)
{
    for (int axis = 0; axis < shape->dims; axis++)
        for (int side = 0; side < ZOID_SIDES; side++)
            if (shape->face[axis][side] == ZOID_ABSORB)
                return true;
    return false;
}

/* ---- factors ------------------------------------------------------------------------------- */

static void compute(const struct zoid_op *op, const struct zoid_params *params, int axis, long i,
                    double *k, double *m)
{
    const double points = (double)params->absorb.points, *h = params->spacing;
    const double speed = params->speed * (h[0] / h[axis]);
    const double q = fmin((points - (double)i) / points, 1);
    const double x = 4 * speed * log(1 / params->absorb.reflection) / (2 * points) * (q * q * q);

    *k = op->rotates ? 1 / (1 + x) : exp(-x);
    *m = op->rotates ? x / (1 + x) : 0;
}

void zoid_absorb_factors(const struct zoid_op *op, const struct zoid_params *params, int axis,
                         long first, long n, double *k, double *m)
{
    const long points = params->absorb.points;
    const double *table = params->absorb.table ? params->absorb.table + 2 * axis * points : NULL;

    for (long i = 0; i < n; i++) {
        const long index = zoid_max(first + i, 0);

        if (table) {
            k[i] = table[index];
            m[i] = table[points + index];
        } else {
            compute(op, params, axis, index, &k[i], &m[i]);
        }
    }
}

size_t zoid_absorb_bytes(const struct zoid_params *params)
{
    return (size_t)(2 * ZOID_AXES * params->absorb.points) * sizeof(double);
}

void zoid_absorb_make(const struct zoid_op *op, const struct zoid_params *params, double *table)
{
    const long points = params->absorb.points;
    struct zoid_params own = *params;

    own.absorb.table = NULL;
    for (int axis = 0; axis < ZOID_AXES; axis++, table += 2 * points)
        zoid_absorb_factors(op, &own, axis, 0, points, table, table + points);
}

struct zoid_box zoid_absorb_box(const struct zoid_shape *shape, const struct zoid_params *params,
                                const struct zoid_reach *leaves, int axis, int side,
                                const struct zoid_box *box)
{
    const long points = params->absorb.points, n = shape->n[axis];
    struct zoid_box layer = *box;

    if (side == ZOID_LOW)
        layer.hi[axis] = zoid_min(layer.hi[axis], leaves->lo[axis] + points);
    else
        layer.lo[axis] = zoid_max(layer.lo[axis], n - leaves->hi[axis] - points);
    return layer;
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* Points of the buffers of factors: most points of a row that are damped at once. */
enum { SOME = 128 };

/* Damps n values of a row, each by the factors of its index or all by those of index 0. `now` has
 * the values of the time before; NULL: they are not taken. */
#define DAMP(name, type, fused)                                                            \
    static void name(long n, const zoid_##type *restrict k, const zoid_##type *restrict m, \
                     bool own, const zoid_##type *restrict now, zoid_##type *restrict row) \
    {                                                                                      \
        const zoid_##type k0 = *k, m0 = *m;                                                \
                                                                                           \
        if (own && now)                                                                    \
            for (long i = 0; i < n; i++)                                                   \
                row[i] = fused(m[i], now[i], k[i] * row[i]);                               \
        else if (own)                                                                      \
            for (long i = 0; i < n; i++)                                                   \
                row[i] *= k[i];                                                            \
        else if (now)                                                                      \
            for (long i = 0; i < n; i++)                                                   \
                row[i] = fused(m0, now[i], k0 * row[i]);                                   \
        else                                                                               \
            for (long i = 0; i < n; i++)                                                   \
                row[i] *= k0;                                                              \
    }
/* Without the instruction an fma is a library call: the same bits, twenty times slower. */
#ifdef __x86_64__
#define DAMP_BY(type, fused)                                                                     \
    DAMP(plain_##type, type, fused)                                                              \
    __attribute__((target("avx2,fma"))) DAMP(fused_##type, type, fused) static void damp_##type( \
        long n, const zoid_##type *k, const zoid_##type *m, bool own, const zoid_##type *now,    \
        zoid_##type *row)                                                                        \
    {                                                                                            \
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))                     \
            fused_##type(n, k, m, own, now, row);                                                \
        else                                                                                     \
            plain_##type(n, k, m, own, now, row);                                                \
    }
#else
#define DAMP_BY(type, fused) DAMP(damp_##type, type, fused)
#endif

DAMP_BY(f32, fmaf)
DAMP_BY(f64, fma)

/* The layer at one boundary, for one field of a sweep. */
struct layer {
    const struct zoid_sweep *sweep;
    struct zoid_reach leaves;
    int axis, side, field;
};

static void factors_at(const struct layer *l, long i, long n, double *k, double *m)
{
    const struct zoid_sweep *s = l->sweep;
    const long index = zoid_absorb_index(s->shape, &l->leaves, l->axis, l->side, i);

    if (l->side == ZOID_LOW) {
        zoid_absorb_factors(s->op, s->params, l->axis, index, n, k, m);
        return;
    }
    /* At a high boundary indices fall along the axis. */
    zoid_absorb_factors(s->op, s->params, l->axis, index - (n - 1), n, k, m);
    for (long lo = 0, hi = n - 1; lo < hi; lo++, hi--) {
        const double last_k = k[hi], last_m = m[hi];

        k[hi] = k[lo];
        m[hi] = m[lo];
        k[lo] = last_k;
        m[lo] = last_m;
    }
}

/* ---- sweeps -------------------------------------------------------------------------------- */

/* Memory of the newest field before a sweep, and its index there. A field that the sweep carries is
 * in its output, which may overlap the input and have overwritten it. */
struct newest {
    const struct zoid_segments *in;
    int field;
};

static struct newest newest_of(const struct zoid_sweep *s, int field)
{
    const struct zoid_groups groups = zoid_op_groups(s->op);
    struct newest now = {.field = field};

    if (!(s->fields >> field & 1))
        now.in = zoid_segments_of(s, &groups, field, &now.field);
    return now;
}

/* Returns the segment that has a plane, and lowers *end to the plane that it ends with. */
static const struct zoid_segment *segment_of(const struct zoid_sweep *s, const struct newest *now,
                                             long plane, long *end)
{
    const struct zoid_segment *segment = now->in ? now->in->segment : &s->out;

    while (now->in && (plane < segment->lo || plane >= segment->hi)) {
        segment++;
        assert(segment < now->in->segment + now->in->n);
    }
    *end = zoid_min(*end, segment->hi);
    return segment;
}

/* Damps the points of a box whose planes are in one segment of the newest field; NULL: it is not
 * taken. In 1-D the box has one row, the line. Rows have the factors of their index of the layer's
 * axis, those of a layer of x the same ones. */
#define DAMP_ROWS(type)                                                                          \
    static void damp_rows_##type(const struct layer *l, const struct zoid_box *box,              \
                                 const struct zoid_segment *segment, int newest)                 \
    {                                                                                            \
        const struct zoid_sweep *s = l->sweep;                                                   \
        const bool own = l->axis == 0;                                                           \
        const long some = own ? SOME : box->hi[0] - box->lo[0];                                  \
        double k[SOME], m[SOME];                                                                 \
        zoid_##type of_k[SOME], of_m[SOME];                                                      \
                                                                                                 \
        for (long x = box->lo[0], n; x < box->hi[0]; x += n) {                                   \
            long set = -1;                                                                       \
                                                                                                 \
            n = zoid_min(box->hi[0] - x, some);                                                  \
            for (long z = box->lo[2]; z < box->hi[2]; z++)                                       \
                for (long y = box->lo[1]; y < box->hi[1]; y++) {                                 \
                    const long at = own ? x : l->axis == 1 ? y : z;                              \
                    zoid_##type *row = (zoid_##type *)zoid_row_at(s, &s->out, l->field, y, z);   \
                    const zoid_##type *now =                                                     \
                        segment ? (const zoid_##type *)zoid_row_at(s, segment, newest, y, z) + x \
                                : NULL;                                                          \
                                                                                                 \
                    if (at != set)                                                               \
                        factors_at(l, at, own ? n : 1, k, m);                                    \
                    for (long i = 0; i < (own ? n : 1) && at != set; i++) {                      \
                        of_k[i] = (zoid_##type)k[i];                                             \
                        of_m[i] = (zoid_##type)m[i];                                             \
                    }                                                                            \
                    set = at;                                                                    \
                    damp_##type(n, of_k, of_m, own, now, row + x);                               \
                }                                                                                \
        }                                                                                        \
    }

DAMP_ROWS(f32)
DAMP_ROWS(f64)

static void damp_rows(const struct layer *l, const struct zoid_box *box,
                      const struct zoid_segment *segment, int newest)
{
    if (l->sweep->layout->type == ZOID_F32)
        damp_rows_f32(l, box, segment, newest);
    else
        damp_rows_f64(l, box, segment, newest);
}

static void damp_layer(const struct layer *l, const struct zoid_box *box)
{
    const struct zoid_sweep *s = l->sweep;
    const int chain = zoid_chain(s->shape);
    const struct newest now = newest_of(s, s->op->rotates ? 1 - l->field : l->field);
    struct zoid_box some = *box;

    if (!s->op->rotates) {
        damp_rows(l, box, NULL, 0);
        return;
    }
    for (; some.lo[chain] < box->hi[chain]; some.lo[chain] = some.hi[chain]) {
        const struct zoid_segment *segment;

        some.hi[chain] = box->hi[chain];
        segment = segment_of(s, &now, some.lo[chain], &some.hi[chain]);
        damp_rows(l, &some, segment, now.field);
    }
}

void zoid_absorb_sweep(const struct zoid_sweep *s)
{
    const int stage = zoid_stage_of(s->op, s->t);

    for (int f = 0; f < s->op->nstate; f++) {
        const struct zoid_box box = zoid_sweep_box(s, f);
        struct layer layer = {.sweep = s, .field = f};

        if (!(s->op->stage[stage].writes >> f & 1))
            continue;
        layer.leaves = zoid_op_leaves(s->op, stage, f);
        for (layer.axis = 0; layer.axis < s->shape->dims; layer.axis++)
            for (layer.side = 0; layer.side < ZOID_SIDES; layer.side++) {
                const struct zoid_box in = zoid_absorb_box(s->shape, s->params, &layer.leaves,
                                                           layer.axis, layer.side, &box);

                if (s->shape->face[layer.axis][layer.side] == ZOID_ABSORB && !zoid_box_empty(&in))
                    damp_layer(&layer, &in);
            }
    }
}
