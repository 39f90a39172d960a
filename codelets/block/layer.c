/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/block/layer.h"

#include <assert.h>
#include <math.h>

#include "codelets/block/row.h"
#include "codelets/op/traits.h"

/* ---- memory -------------------------------------------------------------------------------- */

/* Bytes that a row of a layer of x is padded to a multiple of. */
enum { PAD = 32 };

static void find_face(const struct zoid_op *op, const struct zoid_shape *shape, int axis, int side,
                      struct zoid_layers *l)
{
    const long r = op->radius, n = shape->n[axis];
    struct zoid_layer_face *face = &l->face[axis][side];

    face->there = shape->face[axis][side] == ZOID_PML;
    face->lo = side == ZOID_LOW ? r : n - r - l->points;
    face->hi = face->lo + l->points;
    face->from = face->lo;
    face->to = face->hi;
    l->any |= face->there;
}

/* Points of x or y that have memory in a layout: those of the domain, or of the window. */
static struct zoid_range points_of(const struct zoid_shape *shape, const struct zoid_layout *layout,
                                   int axis)
{
    return layout->window[axis] ? (struct zoid_range){layout->lo[axis], layout->hi[axis]}
                                : (struct zoid_range){0, shape->n[axis]};
}

/* Lays the memory of a layer of x or y out from element `at` on; returns the elements that it
 * takes. `rows`: those that layers of x have. */
static long place(const struct zoid_layout *layout, int axis, struct zoid_range rows, long at,
                  struct zoid_layer_face *face)
{
    const long pad = PAD / (long)zoid_type_size(layout->type), points = face->to - face->from;

    if (axis == 0) {
        face->row = (ZOID_LAYER_VALUES * points + pad - 1) / pad * pad;
        face->apart = points;
        face->at = at - face->from - rows.lo * face->row;
        return (rows.hi - rows.lo) * face->row;
    }
    face->row = layout->pitch;
    face->apart = points * layout->pitch;
    face->at = at - face->from * face->row - layout->lo[0];
    return ZOID_LAYER_VALUES * face->apart;
}

/* Does so for both layers of an axis. */
static void place_both(const struct zoid_shape *shape, const struct zoid_layout *layout, int axis,
                       struct zoid_layers *l)
{
    const struct zoid_range here = points_of(shape, layout, axis);
    const struct zoid_range rows =
        l->chain == 2 ? points_of(shape, layout, 1) : (struct zoid_range){0, 1};

    for (int side = 0; side < ZOID_SIDES; side++) {
        struct zoid_layer_face *face = &l->face[axis][side];

        face->from = zoid_max(face->lo, here.lo);
        face->to = zoid_max(zoid_min(face->hi, here.hi), face->from);
        if (face->there)
            l->beside += place(layout, axis, rows, l->beside, face);
    }
}

struct zoid_layers zoid_layers_of(const struct zoid_op *op, const struct zoid_shape *shape,
                                  const struct zoid_params *params,
                                  const struct zoid_layout *layout)
{
    struct zoid_layers l = {
        .dims = shape->dims, .chain = zoid_chain(shape), .points = params->pml.points};

    for (int axis = 0; axis < shape->dims; axis++)
        for (int side = 0; side < ZOID_SIDES; side++)
            find_face(op, shape, axis, side, &l);
    if (!layout || !l.any)
        return l;
    l.whole = layout->plane;
    for (int axis = l.chain - 1; axis >= 0; axis--)
        place_both(shape, layout, axis, &l);
    for (int side = 0; side < ZOID_SIDES; side++) {
        struct zoid_layer_face *face = &l.face[l.chain][side];

        face->row = layout->pitch;
        face->apart = l.whole;
        face->at = l.beside + (l.chain ? zoid_layout_at(layout, 0, 0) : 0);
    }
    return l;
}

/* ---- coefficients -------------------------------------------------------------------------- */

double zoid_layer_reflection(const struct zoid_params *params)
{
    const struct zoid_pml *pml = &params->pml;

    return pml->reflection > 0 ? pml->reflection : pow(10, -(4 + (double)pml->points / 10));
}

/* Computes those of index i of a layer at a low boundary; index 0 is the outermost point that is
 * computed. */
static void compute(const struct zoid_params *params, int axis, long i, double *c)
{
    const double pi = 3.14159265358979323846, points = (double)params->pml.points;
    const double given = params->pml.speed, s = params->spacing[0] / params->spacing[axis];
    const double speed = (given > 0 ? given : params->speed) * s;
    const double most = 4 * speed * log(1 / zoid_layer_reflection(params)) / (2 * points);
    const double q = (double)(params->pml.points - i) / points, shift = pi * params->pml.shift;
    const double sigma = most * (q * q * q), beta = sigma + shift, slope = 3 * most * (q * q);
    const double a = exp(-beta), m = a - 1, of_a = -slope * a;

    c[0] = a;
    c[1] = sigma / beta * m;
    c[2] = of_a * (-1 / points * s);
    c[3] = (shift * slope / (beta * beta) * m + sigma / beta * of_a) * (-1 / points * s);
}

void zoid_layer_coefficients(const struct zoid_params *params, int axis, int side, long i,
                             double coefficient[ZOID_LAYER_COEFFICIENTS])
{
    const long points = params->pml.points, at = side == ZOID_LOW ? i : points - 1 - i;
    const double *table = params->pml.table;

    if (!table)
        compute(params, axis, at, coefficient);
    for (int k = 0; table && k < ZOID_LAYER_COEFFICIENTS; k++)
        coefficient[k] = table[(axis * points + at) * ZOID_LAYER_COEFFICIENTS + k];
    if (side == ZOID_HIGH) {
        coefficient[2] = -coefficient[2];
        coefficient[3] = -coefficient[3];
    }
}

size_t zoid_layer_bytes(const struct zoid_params *params)
{
    return (size_t)(ZOID_AXES * params->pml.points * ZOID_LAYER_COEFFICIENTS) * sizeof(double);
}

void zoid_layer_make(const struct zoid_params *params, double *table)
{
    struct zoid_params own = *params;

    own.pml.table = NULL;
    for (int axis = 0; axis < ZOID_AXES; axis++)
        for (long i = 0; i < own.pml.points; i++, table += ZOID_LAYER_COEFFICIENTS)
            zoid_layer_coefficients(&own, axis, ZOID_LOW, i, table);
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* Points of the buffers of coefficients: most points of a row of a layer of x at once. MOST is the
 * largest radius. */
enum { SOME = 128, MOST = 6 };

/* Rows of n points of a layer, `pitch` elements of fields and `stride` of memory apart. near[MOST +
 * k] is u(t) k points up the axis, in the first of them; a, b, da and db are those of each point of
 * a row, or all those of the first. */
#define ROWS(type)                                                                               \
    struct rows_##type {                                                                         \
        long n, rows, pitch, stride;                                                             \
        const zoid_##type *near[2 * MOST + 1], *a, *b, *da, *db, *c;                             \
        zoid_##type *psi, *p, *zeta, *out;                                                       \
        zoid_##type first[MOST + 1], second[MOST + 1]; /* weights of differences, by distance */ \
    };
ROWS(f32)
ROWS(f64)

/* Inlined with a constant radius, so that its loops over distances unroll. */
#define INLINED static inline __attribute__((always_inline))

/* Short rows, of layers of x, in vectors of POINTS: the last two may have points in common, and are
 * both computed before either is stored. */
#define REMEMBER(type, fused, POINTS)                                                             \
    struct values_##type {                                                                        \
        zoid_##type psi, p, zeta, out;                                                            \
    };                                                                                            \
                                                                                                  \
    /* Returns the new values of point i of a row. */                                             \
    INLINED struct values_##type update_##type(const struct rows_##type *row, const int r,        \
                                               const bool own, long i)                            \
    {                                                                                             \
        const zoid_##type *const *const near = row->near + MOST;                                  \
        const zoid_##type a = row->a[own ? i : 0], b = row->b[own ? i : 0];                       \
        const zoid_##type da = row->da[own ? i : 0], db = row->db[own ? i : 0];                   \
        const zoid_##type psi = row->psi[i];                                                      \
        zoid_##type d1 = row->first[1] * (near[1][i] - near[-1][i]), d2, p, zeta;                 \
                                                                                                  \
        _Pragma("GCC unroll 8") for (int k = 2; k <= r; k++) d1 =                                 \
            fused(row->first[k], near[k][i] - near[-k][i], d1);                                   \
        d2 = row->second[0] * near[0][i];                                                         \
        _Pragma("GCC unroll 8") for (int k = 1; k <= r; k++) d2 =                                 \
            fused(row->second[k], near[-k][i] + near[k][i], d2);                                  \
        p = fused(b, d2, fused(db, d1, fused(da, psi, a * row->p[i])));                           \
        zeta = fused(b, d2 + p, a * row->zeta[i]);                                                \
        return (struct values_##type){fused(b, d1, a * psi), p, zeta,                             \
                                      fused(row->c[i], p + zeta, row->out[i])};                   \
    }                                                                                             \
    INLINED void store_##type(const struct rows_##type *row, long i, struct values_##type value)  \
    {                                                                                             \
        row->psi[i] = value.psi;                                                                  \
        row->p[i] = value.p;                                                                      \
        row->zeta[i] = value.zeta;                                                                \
        row->out[i] = value.out;                                                                  \
    }                                                                                             \
    INLINED void update_some_##type(const struct rows_##type *row, const int r, long i,           \
                                    struct values_##type *to)                                     \
    {                                                                                             \
        _Pragma("GCC ivdep") for (long k = 0; k < POINTS; k++) to[k] =                            \
            update_##type(row, r, true, i + k);                                                   \
    }                                                                                             \
    INLINED void store_some_##type(const struct rows_##type *row, long i,                         \
                                   const struct values_##type *from)                              \
    {                                                                                             \
        _Pragma("GCC ivdep") for (long k = 0; k < POINTS; k++) store_##type(row, i + k, from[k]); \
    }                                                                                             \
                                                                                                  \
    INLINED void short_row_##type(const struct rows_##type *row, const int r)                     \
    {                                                                                             \
        const long n = row->n, whole = n / POINTS * POINTS;                                       \
        struct values_##type last[POINTS], beyond[POINTS];                                        \
                                                                                                  \
        for (long i = 0; i < n && !whole; i++)                                                    \
            store_##type(row, i, update_##type(row, r, true, i));                                 \
        for (long i = 0; i + POINTS <= whole; i += POINTS) {                                      \
            const bool end = i + POINTS == whole && whole < n;                                    \
                                                                                                  \
            update_some_##type(row, r, i, last);                                                  \
            if (end)                                                                              \
                update_some_##type(row, r, n - POINTS, beyond);                                   \
            store_some_##type(row, i, last);                                                      \
            if (end)                                                                              \
                store_some_##type(row, n - POINTS, beyond);                                       \
        }                                                                                         \
    }                                                                                             \
                                                                                                  \
    INLINED void remember_##type(const struct rows_##type *o, const int r, const bool own)        \
    {                                                                                             \
        struct rows_##type row = *o;                                                              \
                                                                                                  \
        for (long y = 0; y < o->rows; y++) {                                                      \
            if (own) {                                                                            \
                short_row_##type(&row, r);                                                        \
            } else {                                                                              \
                _Pragma("GCC ivdep") for (long i = 0; i < row.n; i++)                             \
                    store_##type(&row, i, update_##type(&row, r, false, i));                      \
            }                                                                                     \
            for (int k = -r; k <= r; k++)                                                         \
                row.near[MOST + k] += row.pitch;                                                  \
            row.c += row.pitch;                                                                   \
            row.out += row.pitch;                                                                 \
            row.psi += row.stride;                                                                \
            row.p += row.stride;                                                                  \
            row.zeta += row.stride;                                                               \
        }                                                                                         \
    }
REMEMBER(f32, fmaf, 8)
REMEMBER(f64, fma, 4)

#define OF_RADIUS(type, r)                \
    case r:                               \
        if (own)                          \
            remember_##type(o, r, true);  \
        else                              \
            remember_##type(o, r, false); \
        break;
#define BY_RADIUS(name, type)                                                    \
    static void name##_##type(const struct rows_##type *o, int radius, bool own) \
    {                                                                            \
        switch (radius) {                                                        \
            OF_RADIUS(type, 1)                                                   \
            OF_RADIUS(type, 2)                                                   \
            OF_RADIUS(type, 3)                                                   \
            OF_RADIUS(type, 4)                                                   \
            OF_RADIUS(type, 5)                                                   \
            OF_RADIUS(type, 6)                                                   \
        default:                                                                 \
            assert(false);                                                       \
        }                                                                        \
    }
/* Once per instruction set, as traversals are. Without the instruction an fma is a library call:
 * the same bits, twenty times slower. */
#ifdef __x86_64__
#define V3 __attribute__((target("avx2,fma")))
#define V4                                                                        \
    __attribute__((target("avx2,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl," \
                          "prefer-vector-width=512")))
#define BY_PROCESSOR(type)                                                                         \
    BY_RADIUS(portable, type)                                                                      \
    V3 BY_RADIUS(v3, type)                                                                         \
    V4 BY_RADIUS(v4, type) static void (*const rows_##type[ZOID_ISAS])(const struct rows_##type *, \
                                                                       int, bool) = {              \
        [ZOID_PORTABLE] = portable_##type, [ZOID_V3] = v3_##type, [ZOID_V4] = v4_##type};
#else
#define BY_PROCESSOR(type)                                                       \
    BY_RADIUS(portable, type)                                                    \
    static void (*const rows_##type[ZOID_ISAS])(const struct rows_##type *, int, \
                                                bool) = {[ZOID_PORTABLE] = portable_##type};
#endif
BY_PROCESSOR(f32)
BY_PROCESSOR(f64)

/* ---- sweeps -------------------------------------------------------------------------------- */

/* The layer at a boundary, and the sweep's fields. */
struct layer {
    const struct zoid_sweep *sweep;
    struct zoid_layers layers;
    int axis, side;
    int out;                            /* the field that was written */
    const struct zoid_segments *in, *c; /* the newest field before, and the coefficient */
    int newest;                         /* its index in `in` */
    size_t size;
    enum zoid_isa isa;
};

/* Returns the address of a point of a field. */
static char *at(const struct layer *l, const struct zoid_segment *segment, int field,
                const long p[ZOID_AXES])
{
    return zoid_row_at(l->sweep, segment, field, p[1], p[2]) + p[0] * (long)l->size;
}

static const struct zoid_segment *segment_of(const struct zoid_segments *list, long plane)
{
    const struct zoid_segment *segment = list->segment;

    while (plane < segment->lo || plane >= segment->hi) {
        segment++;
        assert(segment < list->segment + list->n);
    }
    return segment;
}

/* Sets near[k] for |k| <= r: u(t) k points up the axis from p. */
static void look_around(const struct layer *l, const long p[ZOID_AXES], const void **near)
{
    const int chain = l->layers.chain, r = l->sweep->op->radius;
    const long step = (l->axis == 0 ? 1 : l->sweep->layout->pitch) * (long)l->size;
    const struct zoid_segment *own = segment_of(l->in, p[chain]);
    const char *here = at(l, own, l->newest, p);

    for (int k = -r; k <= r; k++) {
        long q[ZOID_AXES] = {p[0], p[1], p[2]};

        q[l->axis] += k;
        near[k] = l->axis != chain ? here + k * step
                  : q[chain] >= own->lo && q[chain] < own->hi
                      ? at(l, own, l->newest, q)
                      : at(l, segment_of(l->in, q[chain]), l->newest, q);
    }
}

/* Returns the memory of point p: psi. */
static char *memory_of(const struct layer *l, const long p[ZOID_AXES])
{
    const struct zoid_layers *layers = &l->layers;
    const long plane = p[layers->chain];
    const struct zoid_segment *piece = segment_of(&l->sweep->memory, plane);

    return (char *)piece->base + zoid_layers_at(layers, &layers->face[l->axis][l->side], piece->lo,
                                                plane, layers->chain > 0 ? p[0] : 0,
                                                layers->chain > 1 ? p[1] : 0) *
                                     (long)l->size;
}

#define LAYER(type)                                                                               \
    /* Sets the coefficients of n points of an axis from index i of the layer on. */              \
    static void set_##type(const struct layer *l, long i, long n, zoid_##type(*to)[SOME])         \
    {                                                                                             \
        for (long k = 0; k < n; k++) {                                                            \
            double c[ZOID_LAYER_COEFFICIENTS];                                                    \
                                                                                                  \
            zoid_layer_coefficients(l->sweep->params, l->axis, l->side, i + k, c);                \
            for (int j = 0; j < ZOID_LAYER_COEFFICIENTS; j++)                                     \
                to[j][k] = (zoid_##type)c[j];                                                     \
        }                                                                                         \
    }                                                                                             \
                                                                                                  \
    /* Computes rows of n points from p on along x. */                                            \
    static void compute_##type(const struct layer *l, const long p[ZOID_AXES], long n, long rows, \
                               bool own, struct rows_##type *to)                                  \
    {                                                                                             \
        const struct zoid_sweep *s = l->sweep;                                                    \
        const struct zoid_layer_face *face = &l->layers.face[l->axis][l->side];                   \
        const long plane = p[l->layers.chain];                                                    \
                                                                                                  \
        to->n = n;                                                                                \
        to->rows = rows;                                                                          \
        to->pitch = s->layout->pitch;                                                             \
        to->stride = face->row;                                                                   \
        look_around(l, p, (const void **)to->near + MOST);                                        \
        to->psi = (zoid_##type *)memory_of(l, p);                                                 \
        to->p = to->psi + face->apart;                                                            \
        to->zeta = to->p + face->apart;                                                           \
        to->c = (const zoid_##type *)at(l, segment_of(l->c, plane), 0, p);                        \
        to->out = (zoid_##type *)at(l, &s->out, l->out, p);                                       \
        rows_##type[l->isa](to, s->op->radius, own);                                              \
    }                                                                                             \
                                                                                                  \
    /* Computes the points of a box along x, `some` of them at a time. Rows of a plane have the   \
     * same coefficients unless the layer is one of y. */                                         \
    static void layer_##type(const struct layer *l, const struct zoid_box *box)                   \
    {                                                                                             \
        const struct zoid_op *op = l->sweep->op;                                                  \
        const double *h = l->sweep->params->spacing;                                              \
        const long first = l->layers.face[l->axis][l->side].lo, points = box->hi[0] - box->lo[0]; \
        const bool own = l->axis == 0 && op->dims > 1;                                            \
        const long some = op->dims == 1 ? 1 : own ? SOME : points;                                \
        const long rows = op->dims > 2 && l->axis != 1 ? box->hi[1] - box->lo[1] : 1;             \
        zoid_##type c[ZOID_LAYER_COEFFICIENTS][SOME];                                             \
        struct rows_##type row = {.a = c[0], .b = c[1], .da = c[2], .db = c[3]};                  \
                                                                                                  \
        for (int k = 0; k <= op->radius; k++) {                                                   \
            row.first[k] = (zoid_##type)zoid_first_along(op, h, l->axis, k);                      \
            row.second[k] = (zoid_##type)zoid_second_along(op, h, l->axis, k);                    \
        }                                                                                         \
        for (long x = box->lo[0], n; x < box->hi[0]; x += n) {                                    \
            long set = -1;                                                                        \
                                                                                                  \
            n = zoid_min(box->hi[0] - x, some);                                                   \
            for (long z = box->lo[2]; z < box->hi[2]; z++)                                        \
                for (long y = box->lo[1]; y < box->hi[1]; y += rows) {                            \
                    const long p[ZOID_AXES] = {x, y, z}, i = p[l->axis] - first;                  \
                                                                                                  \
                    if (i != set)                                                                 \
                        set_##type(l, i, own ? n : 1, c);                                         \
                    set = i;                                                                      \
                    compute_##type(l, p, n, rows, own, &row);                                     \
                }                                                                                 \
        }                                                                                         \
    }

LAYER(f32)
LAYER(f64)

void zoid_layer_sweep(const struct zoid_sweep *s)
{
    const struct zoid_groups groups = zoid_op_groups(s->op);
    const int written = __builtin_ctz(s->op->stage[zoid_stage_of(s->op, s->t)].writes);
    const struct zoid_box box = zoid_sweep_box(s, written);
    struct layer l = {.sweep = s,
                      .layers = zoid_layers_of(s->op, s->shape, s->params, s->layout),
                      .out = written,
                      .c = &s->in[groups.n],
                      .size = zoid_type_size(s->layout->type),
                      .isa = zoid_isa_best()};

    l.in = zoid_segments_of(s, &groups, 1 - written, &l.newest);
    for (l.axis = 0; l.axis < s->shape->dims; l.axis++)
        for (l.side = 0; l.side < ZOID_SIDES; l.side++) {
            const struct zoid_layer_face *face = &l.layers.face[l.axis][l.side];
            struct zoid_box in = box;

            in.lo[l.axis] = zoid_max(in.lo[l.axis], face->lo);
            in.hi[l.axis] = zoid_min(in.hi[l.axis], face->hi);
            if (!face->there || zoid_box_empty(&in))
                continue;
            if (s->layout->type == ZOID_F32)
                layer_f32(&l, &in);
            else
                layer_f64(&l, &in);
        }
}
