/* SPDX-License-Identifier: BSD-3-Clause */
/* Perfectly matched layers of the plain loop nest, with memory of their own; defined in
 * codelets/block/layer.h. */
#include <math.h>

#include "codelets/op/reference.h"
#include "codelets/op/traits.h"

enum { VALUES = 3 };

/* The layer at a boundary. */
struct layer {
    const struct zoid_loop *loop;
    int axis, side;
    long n[ZOID_AXES]; /* points of its memory along each axis */
    long lo;           /* its first index along its axis */
    char *memory;      /* psi, P and zeta */
};

static struct layer layer_of(const struct zoid_shape *shape, const struct zoid_params *params,
                             const struct zoid_op *op, int axis, int side)
{
    struct layer l = {.axis = axis, .side = side, .n = {shape->n[0], shape->n[1], shape->n[2]}};

    l.n[axis] = params->pml.points;
    l.lo = side == ZOID_LOW ? op->radius : shape->n[axis] - op->radius - params->pml.points;
    return l;
}

static size_t bytes_of(const struct layer *l, const struct zoid_op *op)
{
    return (size_t)(l->n[0] * l->n[1] * l->n[2]) * zoid_type_size(op->type);
}

size_t zoid_reference_memory(const struct zoid_op *op, const struct zoid_shape *shape,
                             const struct zoid_params *params)
{
    size_t bytes = 0;

    for (int axis = 0; axis < shape->dims; axis++)
        for (int side = 0; side < ZOID_SIDES; side++) {
            const struct layer l = layer_of(shape, params, op, axis, side);

            bytes += shape->face[axis][side] == ZOID_PML ? VALUES * bytes_of(&l, op) : 0;
        }
    return bytes;
}

/* Coefficients of an index of the axis. */
struct numbers {
    double a, b, da, db;
};

static struct numbers numbers_at(const struct layer *l, long i)
{
    const struct zoid_params *params = l->loop->params;
    const struct zoid_pml *pml = &params->pml;
    const long L = pml->points, r = l->loop->op->radius;
    const long d = l->side == ZOID_LOW ? i : l->loop->shape->n[l->axis] - 1 - i;
    const double R = pml->reflection > 0 ? pml->reflection : pow(10, -(4 + (double)L / 10));
    const double s = params->spacing[0] / params->spacing[l->axis];
    const double V = (pml->speed > 0 ? pml->speed : params->speed) * s;
    const double G = 3.14159265358979323846 * pml->shift;
    const double q = (double)(r + L - d) / (double)L, S = 4 * V * log(1 / R) / (2 * (double)L);
    const double sigma = S * (q * q * q), beta = sigma + G, slope = 3 * S * (q * q);
    const double a = exp(-beta), m = a - 1, b = sigma / beta * m, a_q = -slope * a;
    const double b_q = G * slope / (beta * beta) * m + sigma / beta * a_q;
    const double da = a_q * (-1 / (double)L * s), db = b_q * (-1 / (double)L * s);

    return (struct numbers){a, b, l->side == ZOID_LOW ? da : -da, l->side == ZOID_LOW ? db : -db};
}

/* Returns the index in a field of the point at index i of the axis, and p along the others, which
 * may be a ghost point. */
static long beside(const struct layer *l, const long p[ZOID_AXES], long i)
{
    const struct zoid_shape *shape = l->loop->shape;
    long q[ZOID_AXES] = {p[0], p[1], p[2]};

    q[l->axis] = zoid_fold(shape, l->axis, i);
    return (q[2] * shape->n[1] + q[1]) * shape->n[0] + q[0];
}

/* The value there. */
#define BESIDE(l, p, u, i) \
    (zoid_fold_turns((l)->loop->shape, (l)->axis, i) ? -(u)[beside(l, p, i)] : (u)[beside(l, p, i)])

#define REMEMBER(type, fused)                                                                   \
    static void remember_##type(const struct layer *l, const long p[ZOID_AXES],                 \
                                const zoid_##type *u, zoid_##type c, zoid_##type *value)        \
    {                                                                                           \
        const struct zoid_op *op = l->loop->op;                                                 \
        const double *h = l->loop->params->spacing;                                             \
        const long x = p[l->axis], each = l->n[0] * l->n[1] * l->n[2];                          \
        const long q[ZOID_AXES] = {l->axis == 0 ? x - l->lo : p[0],                             \
                                   l->axis == 1 ? x - l->lo : p[1],                             \
                                   l->axis == 2 ? x - l->lo : p[2]};                            \
        zoid_##type *psi = (zoid_##type *)l->memory + (q[2] * l->n[1] + q[1]) * l->n[0] + q[0]; \
        zoid_##type *P = psi + each, *zeta = P + each, d1 = 0, d2;                              \
        const struct numbers of = numbers_at(l, x);                                             \
        const zoid_##type a = (zoid_##type)of.a, b = (zoid_##type)of.b;                         \
        const zoid_##type da = (zoid_##type)of.da, db = (zoid_##type)of.db;                     \
                                                                                                \
        d2 = (zoid_##type)zoid_second_along(op, h, l->axis, 0) * u[beside(l, p, x)];            \
        for (int i = 1; i <= op->radius; i++) {                                                 \
            const zoid_##type up = BESIDE(l, p, u, x + i), down = BESIDE(l, p, u, x - i);       \
            const zoid_##type first = (zoid_##type)zoid_first_along(op, h, l->axis, i);         \
                                                                                                \
            d1 = i == 1 ? first * (up - down) : fused(first, up - down, d1);                    \
            d2 = fused((zoid_##type)zoid_second_along(op, h, l->axis, i), down + up, d2);       \
        }                                                                                       \
        *P = fused(b, d2, fused(db, d1, fused(da, *psi, a * *P)));                              \
        *psi = fused(b, d1, a * *psi);                                                          \
        *zeta = fused(b, d2 + *P, a * *zeta);                                                   \
        *value = fused(c, *P + *zeta, *value);                                                  \
    }

REMEMBER(f32, fmaf)
REMEMBER(f64, fma)

static void remember(const struct layer *l, const long p[ZOID_AXES], int field)
{
    const struct zoid_loop *loop = l->loop;
    const int c = loop->op->nstate;
    const long at = beside(l, p, p[l->axis]);

    if (loop->op->type == ZOID_F32)
        remember_f32(l, p, loop->from[1 - field], ((const zoid_f32 *)loop->from[c])[at],
                     (zoid_f32 *)loop->to[field] + at);
    else
        remember_f64(l, p, loop->from[1 - field], ((const zoid_f64 *)loop->from[c])[at],
                     (zoid_f64 *)loop->to[field] + at);
}

void zoid_reference_remember(const struct zoid_loop *loop, const struct zoid_box *box, int field,
                             void *memory)
{
    char *next = memory;

    for (int axis = 0; axis < loop->shape->dims; axis++)
        for (int side = 0; side < ZOID_SIDES; side++) {
            struct layer l = layer_of(loop->shape, loop->params, loop->op, axis, side);
            struct zoid_box in = *box;

            if (loop->shape->face[axis][side] != ZOID_PML)
                continue;
            l.loop = loop;
            l.memory = next;
            next += VALUES * bytes_of(&l, loop->op);
            in.lo[axis] = zoid_max(in.lo[axis], l.lo);
            in.hi[axis] = zoid_min(in.hi[axis], l.lo + l.n[axis]);
            for (long z = in.lo[2]; z < in.hi[2]; z++)
                for (long y = in.lo[1]; y < in.hi[1]; y++)
                    for (long x = in.lo[0]; x < in.hi[0]; x++)
                        remember(&l, (const long[ZOID_AXES]){x, y, z}, field);
        }
}
