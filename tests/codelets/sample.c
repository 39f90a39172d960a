/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codelets/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/op/traits.h"

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

static void put(enum zoid_type type, void *out, size_t i, double value)
{
    if (type == ZOID_F32)
        ((zoid_f32 *)out)[i] = (zoid_f32)value;
    else if (type == ZOID_F64)
        ((zoid_f64 *)out)[i] = value;
    else
        ((zoid_u8 *)out)[i] = (zoid_u8)value;
}

void sample_fill(enum zoid_type type, uint64_t seed, uint64_t first, size_t count, void *out)
{
    for (size_t i = 0; i < count; i++)
        put(type, out, i, sample_value(seed, first + i));
}

void sample_fields(const struct zoid_op *op, uint64_t seed, size_t points, void *out)
{
    for (int f = 0; f < op->nstate + op->ncoef; f++)
        for (size_t i = (size_t)f * points; i < (size_t)(f + 1) * points; i++) {
            double v = sample_value(seed, i);

            if (op->fill[f])
                op->fill[f](1, &v);
            put(op->type, out, i, v);
        }
}

void sample_faces(const struct zoid_op *op, uint64_t *random, int axes, struct zoid_shape *shape)
{
    for (int a = 0; a < axes && !op->own_edges && !zoid_op_in_order(op); a++) {
        const bool even = shape->n[a] % 2 == 0;
        bool periodic = sample_between(random, 0, 3) == 0 && (even || !op->colours);

        for (int side = 0; side < ZOID_SIDES; side++) {
            static const unsigned char faces[] = {ZOID_ODD, ZOID_DIRICHLET, ZOID_NEUMANN,
                                                  ZOID_SPONGE, ZOID_ABSORB};
            long face = sample_between(random, !op->odd, op->speed ? 4 : op->sponge ? 3 : 2);

            if (zoid_op_boxed(op))
                continue;
            shape->face[a][side] = periodic ? ZOID_PERIODIC : faces[face];
        }
    }
}

void sample_image(const struct zoid_op *op, const struct zoid_shape *shape, int field,
                  const long p[ZOID_AXES], const void *value, void *out)
{
    const size_t size = zoid_type_size(op->type);
    bool turns = false;

    for (int a = 0; a < ZOID_AXES && field < op->nstate; a++)
        turns ^= zoid_fold_turns(shape, a, p[a]);
    memcpy(out, value, size);
    if (turns)
        ((unsigned char *)out)[size - 1] ^= 0x80;
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

int sample_variants(void)
{
    int variants = 0;

    while (zoid_op_at((size_t)variants))
        variants++;
    return variants;
}

/* The table of tests/outside/lopsided.def. */
const struct zoid_op *lopsided_op(size_t i);

int sample_ops(void)
{
    int lopsided = 0;

    while (lopsided_op((size_t)lopsided))
        lopsided++;
    return sample_variants() + lopsided;
}

struct zoid_params sample_params(const struct zoid_op *op)
{
    enum { ROWS = 7 };
    static const double rows[ROWS * ZOID_MAX_TABLES] = {
        0.75, -0.125, 0.5,   0.25,   1,     -1,   0.875,  0.3,  0.625, 0.2,   0.1,  -0.2,
        0.9,  0.7,    -0.75, 0.0625, 0.375, 0.8,  -0.375, 0.15, 0.4,   0.6,   -0.5, 0.35,
        0.45, 0.55,   0.65,  0.85,   0.95,  -0.1, -0.3,   -0.4, 0.05,  -0.05, 0.12, 0.13};
    struct zoid_params params = zoid_op_defaults(op);

    params.spacing[1] = 1.25;
    params.spacing[2] = 1.1;
    if (op->ntables) {
        params.row = rows;
        params.rows = ROWS;
    }
    params.speed = 0.3;
    params.absorb.points = 5;
    params.absorb.reflection = 0.01;
    zoid_op_derive(op, &params);
    return params;
}

const struct zoid_op *sample_op(int i)
{
    const int own = sample_variants();

    return i < own ? zoid_op_at((size_t)i) : lopsided_op((size_t)(i - own));
}
