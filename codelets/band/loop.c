/* SPDX-License-Identifier: BSD-3-Clause */
/* The plain loop over a matrix's rows, the reference for all results: no pieces, no groups, no
 * vectors. codelets/matrix.h specifies the terms to omit and the order of the others. */
#include <math.h>

#include "codelets/band/band.h"
#include "codelets/op/reference.h"

/* A row of sums, one per vector, to which the row's entries are added. */
struct row {
    long vectors;
    const void *cur;
    void *sum;
};

#define LOOP(type, fma)                                                                           \
    static void add_##type(void *into, long column, double value)                                 \
    {                                                                                             \
        const struct row *r = into;                                                               \
        const zoid_##type *x = (const zoid_##type *)r->cur + column * r->vectors;                 \
                                                                                                  \
        for (long v = 0; v < r->vectors; v++)                                                     \
            ((zoid_##type *)r->sum)[v] =                                                          \
                fma((zoid_##type)value, x[v], ((zoid_##type *)r->sum)[v]);                        \
    }                                                                                             \
                                                                                                  \
    /* next = factor from + next; the innermost is a product. */                                  \
    static void more_##type(double factor, const zoid_##type *from, bool *any, zoid_##type *next) \
    {                                                                                             \
        if (factor == 0)                                                                          \
            return;                                                                               \
        *next = *any ? fma((zoid_##type)factor, *from, *next) : (zoid_##type)factor * *from;      \
        *any = true;                                                                              \
    }                                                                                             \
                                                                                                  \
    static void row_##type(const struct zoid_loop *loop, long i)                                  \
    {                                                                                             \
        const struct zoid_band *b = zoid_band_of(loop->op);                                       \
        const struct zoid_term *t = zoid_band_term(b, loop->t);                                   \
        const long at = i * b->vectors;                                                           \
        zoid_##type *next = (zoid_##type *)loop->to[0] + at;                                      \
        zoid_##type rhs[b->rhs ? b->vectors : 1];                                                 \
        struct row r = {b->vectors, loop->from[0], next};                                         \
                                                                                                  \
        if (b->rhs)                                                                               \
            b->rhs(b->rhs_user, i, i + 1, rhs);                                                   \
        for (long v = 0; v < b->vectors; v++)                                                     \
            next[v] = 0;                                                                          \
        b->matrix->rows.entries(b->matrix->rows.user, i, add_##type, &r);                         \
        for (long v = 0; v < b->vectors; v++) {                                                   \
            const zoid_##type *cur = (const zoid_##type *)loop->from[0] + at + v;                 \
            const zoid_##type sum = next[v];                                                      \
            bool any = false;                                                                     \
                                                                                                  \
            next[v] = 0;                                                                          \
            if (b->rhs)                                                                           \
                more_##type(t->d, &rhs[v], &any, &next[v]);                                       \
            if (b->previous >= 0) {                                                               \
                more_##type(t->c, (const zoid_##type *)loop->from[b->previous] + at + v, &any,    \
                            &next[v]);                                                            \
                ((zoid_##type *)loop->to[b->previous])[at + v] = *cur;                            \
            }                                                                                     \
            more_##type(t->b, cur, &any, &next[v]);                                               \
            more_##type(t->a, &sum, &any, &next[v]);                                              \
            if (b->sum >= 0 && t->s != 0)                                                         \
                ((zoid_##type *)loop->to[b->sum])[at + v] =                                       \
                    fma((zoid_##type)t->s, next[v],                                               \
                        ((const zoid_##type *)loop->from[b->sum])[at + v]);                       \
        }                                                                                         \
    }

LOOP(f32, fmaf)
LOOP(f64, fma)

void zoid_band_loop(const struct zoid_loop *loop)
{
    for (long i = loop->p[0]; i < loop->p[0] + loop->count; i++)
        if (loop->op->type == ZOID_F32)
            row_f32(loop, i);
        else
            row_f64(loop, i);
}
