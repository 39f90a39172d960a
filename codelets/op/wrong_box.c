/* SPDX-License-Identifier: BSD-3-Clause */
/* If a box has points whose stencils leave the domain, the new values of its field must not depend
 * on loads from outside: a trial computes them with the nearest points there, and with those of the
 * domain repeated. */
#include "codelets/op/wrong_box.h"

#include <stdlib.h>
#include <string.h>

#include "codelets/boxes.h"
#include "codelets/op/reference.h"

/* A small domain with values, and a field that is computed. */
struct trial {
    const struct zoid_op *op;
    int stage, field;
    struct zoid_shape shape;
    size_t size;
    char *from;                   /* all fields */
    char *to[2][ZOID_MAX_FIELDS]; /* state fields by both */
};

static void set(const struct zoid_op *op, int field, char *at, uint64_t *random)
{
    double value;

    *random = *random * 6364136223846793005u + 1442695040888963407u;
    value = (double)(*random >> 11) * 0x1p-53;
    if (op->fill[field])
        op->fill[field](1, &value);
    else if (op->type == ZOID_U8)
        value *= 256;
    if (op->type == ZOID_F32)
        *(zoid_f32 *)at = (zoid_f32)value;
    else if (op->type == ZOID_F64)
        *(zoid_f64 *)at = value;
    else
        *(zoid_u8 *)at = (zoid_u8)value;
}

/* Computes a point of the field with that boundary at all faces; returns its value in `to`. */
static void compute(struct trial *t, const long p[ZOID_AXES], enum zoid_boundary face, char **to)
{
    struct zoid_params params = {.value = {0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.1}, /* none is 0 */
                                 .spacing = {1, 0.9, 0.8},
                                 .table = {0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95, 1.15}};
    const size_t bytes = (size_t)(t->shape.n[0] * t->shape.n[1] * t->shape.n[2]) * t->size;
    struct zoid_loop loop = {.op = t->op,
                             .params = &params,
                             .shape = &t->shape,
                             .t = t->stage + 1,
                             .p = {p[0], p[1], p[2]},
                             .count = 1,
                             .skips = ~(1u << t->field)};

    zoid_op_derive(t->op, &params);
    memset(t->shape.face, face, sizeof t->shape.face);
    for (int f = 0; f < t->op->nstate + t->op->ncoef; f++)
        loop.from[f] = t->from + (size_t)f * bytes;
    for (int f = 0; f < t->op->nstate; f++)
        loop.to[f] = to[f];
    t->op->reference(&loop);
}

/* Returns true if a point of the box depends on loads from outside the domain. */
static bool depends(struct trial *t, const struct zoid_box *box)
{
    const long *n = t->shape.n;
    long p[ZOID_AXES];

    for (p[2] = box->lo[2]; p[2] < box->hi[2]; p[2]++)
        for (p[1] = box->lo[1]; p[1] < box->hi[1]; p[1]++)
            for (p[0] = box->lo[0]; p[0] < box->hi[0]; p[0]++) {
                const size_t at = (size_t)((p[2] * n[1] + p[1]) * n[0] + p[0]) * t->size;

                compute(t, p, ZOID_BARE, t->to[0]);
                compute(t, p, ZOID_PERIODIC, t->to[1]);
                if (memcmp(t->to[0][t->field] + at, t->to[1][t->field] + at, t->size) != 0)
                    return true;
            }
    return false;
}

/* Tries a domain of n points; returns NULL, or why the box is wrong or could not be tried. */
static const char *try(const struct zoid_op *op, int stage, int field, const long n[ZOID_AXES])
{
    struct trial t = {.op = op,
                      .stage = stage,
                      .field = field,
                      .shape = zoid_op_shape(op, n),
                      .size = zoid_type_size(op->type)};
    const struct zoid_box all = {.hi = {t.shape.n[0], t.shape.n[1], t.shape.n[2]}};
    const struct zoid_reach leaves = zoid_op_leaves(op, stage, field);
    const struct zoid_box box = zoid_box_without(&t.shape, &leaves, &all);
    const size_t points = (size_t)zoid_box_volume(&all);
    const int fields = op->nstate + op->ncoef;
    char *memory = malloc(points * t.size * (size_t)(fields + 2 * op->nstate));
    uint64_t random = 1;
    bool wrong;

    if (!memory)
        return "cannot be tried without memory";
    t.from = memory;
    for (size_t i = 0; i < points * (size_t)fields; i++)
        set(op, (int)(i / points), memory + i * t.size, &random);
    for (int f = 0; f < 2 * op->nstate; f++)
        t.to[f / op->nstate][f % op->nstate] = memory + (size_t)(fields + f) * points * t.size;
    wrong = depends(&t, &box);
    free(memory);
    return wrong ? "is larger than the reads of its field allow" : NULL;
}

/* Tries the least domain with a point in the box, and one that has room for a stencil; returns
 * NULL, or why the box is wrong. */
static const char *try_both(const struct zoid_op *op, int stage, int field)
{
    const struct zoid_reach leaves = zoid_op_leaves(op, stage, field);
    const struct zoid_reach reach = zoid_op_reach(op, stage);
    long least[ZOID_AXES], room[ZOID_AXES];
    bool larger = false;
    const char *why;

    for (int a = 0; a < ZOID_AXES; a++) {
        least[a] = leaves.lo[a] + leaves.hi[a] + 1;
        room[a] = least[a] + reach.lo[a] + reach.hi[a] + 2;
        larger |= leaves.lo[a] < reach.lo[a] || leaves.hi[a] < reach.hi[a];
    }
    if (!larger)
        return NULL;
    if (!op->reference)
        return "is larger than the reach leaves, and there is no plain loop to try it";
    why = try(op, stage, field, room);
    return why ? why : try(op, stage, field, least);
}

static const char *wrong_box(const struct zoid_op *op, int stage, int box)
{
    const struct zoid_stage *s = &op->stage[stage];
    const int field = s->box[box].field;

    if (op->own_edges)
        return "goes with edges of the operator's own";
    if (field < 0 || field >= op->nstate || !(s->writes >> field & 1))
        return "is of a field that the stage does not write";
    for (int i = 0; i < box; i++)
        if (s->box[i].field == field)
            return "is the second one of its field";
    for (int a = 0; a < ZOID_AXES; a++) {
        const long lo = s->box[box].leaves.lo[a], hi = s->box[box].leaves.hi[a];

        if (lo < 0 || hi < 0 || lo > ZOID_MAX_REACH || hi > ZOID_MAX_REACH)
            return "begins or ends too far from the faces";
        if (a >= op->dims && (lo || hi))
            return "leaves points along an axis that the operator does not have";
    }
    return try_both(op, stage, field);
}

struct zoid_wrong_box zoid_wrong_box(const struct zoid_op *op)
{
    for (int s = 0; s < op->nstages; s++) {
        const int n = op->stage[s].nboxes;

        if (n < 0 || n > ZOID_MAX_FIELDS)
            return (struct zoid_wrong_box){s, n, "is one of too many"};
        for (int b = 0; b < n; b++) {
            const char *why = wrong_box(op, s, b);

            if (why)
                return (struct zoid_wrong_box){s, b, why};
        }
    }
    return (struct zoid_wrong_box){.why = NULL};
}
