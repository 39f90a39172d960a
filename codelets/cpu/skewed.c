/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of steps: see skewed.h. Compiled once per instruction set and type, with ZOID_ISA and
 * ZOID_TYPE defined and isa_<ZOID_ISA>.h included first; every variant of ZOID_ROWS that has this
 * type becomes a zoid_skewed_<ISA>_<variant>, empty if it is not in order. */
#include "codelets/cpu/skewed.h"

#include "codelets/cpu/wide.h"

/* The vectors of a step, whose chains of dependent operations overlap; and the steps whose values
 * stay in registers. */
enum { VECTORS = ZOID_SKEW_BYTES / sizeof(value_wide), BEFORE = 2 };

/* A vector of a step, with the values that its row's last steps have written. */
struct zoid_at {
    const struct zoid_params *params;
    const struct zoid_skewed_row *row;
    long x;     /* of the step */
    int vector; /* of it */
    long n[ZOID_AXES];
    long t, p[ZOID_AXES]; /* for updates that are not by words: never called */
    unsigned writes;
    value_wide before[ZOID_MAX_FIELDS][BEFORE];
    value_wide *result;
};

/* Returns the first vector of a step. */
ZOID_INLINE stored *step_at(const struct zoid_skewed_row *r, int field, int plane, long x)
{
    return (stored *)r->step[field][ZOID_SKEW_REACH + plane] + x * VECTORS;
}

ZOID_INLINE value_wide load_wide(const struct zoid_at *at, int dims, int field, int dx, int dy,
                                 int dz)
{
    const int plane = dims == 3 ? dz : dims == 2 ? dy : 0, row = dims == 3 ? dy : 0;

    if (plane == 0 && row == 0 && dx < 0 && dx >= -BEFORE && at->writes >> field & 1)
        return at->before[field][-dx - 1];
    return step_at(at->row, field, plane, at->x + row * at->row->pitch + dx)[at->vector];
}

ZOID_INLINE void put_wide(const struct zoid_at *at, int field, value_wide value)
{
    at->result[field] = value;
}

ZOID_INLINE value_wide table_wide(const struct zoid_at *at, int number)
{
    return ((const stored *)at->row->table)[number * VECTORS + at->vector];
}

/* The numbers of a vector's lanes. */
ZOID_INLINE value_mask lanes_of(int vector)
{
    return value_numbers() + (__typeof__(value_numbers()[0]))(vector * WIDTH);
}

/* Mask of the lanes of a vector that are at points [lo, hi) of their rows. */
ZOID_INLINE value_mask between(const struct zoid_skewed_row *r, int vector, long step, long lo,
                               long hi)
{
    enum { MOST = 1 << 30 };
    const value_mask behind = lanes_of(vector) * (__typeof__(value_numbers()[0]))r->lag;
    const long first = clamp(step - hi, -MOST, MOST), last = clamp(step - lo, -MOST, MOST);

    return (behind > (__typeof__(behind[0]))first) & (behind <= (__typeof__(behind[0]))last);
}

ZOID_INLINE value_wide select_x_wide(const struct zoid_at *at, long lo, long hi, value_wide a,
                                     value_wide b)
{
    return choose(between(at->row, at->vector, at->x, lo, hi), a, b);
}

ZOID_INLINE value_wide every_other_wide(const struct zoid_at *at, int dims, long parity,
                                        value_wide a, value_wide b)
{
    const long first = parity + at->x + at->row->odd;
    const value_mask sum =
        lanes_of(at->vector) * (__typeof__(value_numbers()[0]))at->row->alternate +
        (__typeof__(value_numbers()[0]))(first & 1);

    (void)dims;
    return choose((sum & 1) == 0, a, b);
}

#define ZOID_VARIANT(...)
#define ZOID_VALUE wide
#include ZOID_ROWS
#undef ZOID_VALUE
#undef ZOID_VARIANT

typedef void point_fn(const struct zoid_at *at, int D, int R, int S);

ZOID_INLINE value_mask mask_of(unsigned lanes)
{
    value_mask mask;

    for (int l = 0; l < WIDTH; l++)
        mask[l] = -(__typeof__(mask[0]))(lanes >> l & 1);
    return mask;
}

/* The vectors of a row of steps, and the lanes that compute. */
struct vectors {
    value_mask lanes[VECTORS][ZOID_MAX_FIELDS];
    struct zoid_at at[VECTORS];
};

/* Computes a vector of a step, and hands it on: it is stored at an offset of one lane, the last
 * lane over the first one of the next vector. */
ZOID_INLINE void compute(const struct zoid_skewed_row *r, const struct zoid_op *op, point_fn *point,
                         struct vectors *v, int i, long x, bool whole)
{
    struct zoid_at *at = &v->at[i];
    value_wide result[ZOID_MAX_FIELDS];

    at->x = x;
    at->result = result;
    point(at, op->dims, op->radius, 0);
    UNROLL
    for (int f = 0; f < op->nstate + op->ncoef; f++) {
        stored *step = step_at(r, f, 0, x) + i,
               *next = (stored *)r->next[f] + (x + r->lag) * VECTORS;
        value_wide value = *step;

        if (op->stage[0].writes >> f & 1) {
            value_mask mask = v->lanes[i][f];

            if (!whole)
                mask &= between(r, i, x, r->x[f].lo, r->x[f].hi);
            value = choose(mask, result[f], value);
            *step = value;
            at->before[f][1] = at->before[f][0];
            at->before[f][0] = value;
        }
        *(stored *)((real *)(next + i) + 1) = value;
    }
}

/* Loads lane 0 from memory, and stores the last lane. */
ZOID_INLINE void exchange(const struct zoid_skewed_row *r, const struct zoid_op *op, long x,
                          bool whole)
{
    const long at = x + r->lag, behind = x - r->last * r->lag;

    UNROLL
    for (int f = 0; f < op->nstate + op->ncoef; f++) {
        if (whole || at < r->n)
            *(real *)((stored *)r->next[f] + at * VECTORS) = ((const real *)r->given[f])[at];
        if (op->stage[0].writes >> f & 1 && (whole || (behind >= 0 && behind < r->n)))
            ((real *)r->out[f])[behind] = ((const real *)step_at(r, f, 0, x))[r->last];
    }
}

ZOID_INLINE void steps(const struct zoid_skewed_row *r, const struct zoid_op *op, point_fn *point,
                       struct vectors *v, long begin, long end, bool whole)
{
    for (long x = begin; x < end; x++) {
        UNROLL
        for (int i = 0; i < VECTORS; i++)
            compute(r, op, point, v, i, x, whole);
        exchange(r, op, x, whole);
    }
}

ZOID_INLINE void row_of_steps(const struct zoid_skewed_row *given, const struct zoid_op *op,
                              point_fn *point)
{
    const struct zoid_skewed_row row = *given, *r = &row;
    const struct zoid_params params = *row.params; /* which stores do not change */
    struct vectors v;

    UNROLL
    for (int i = 0; i < VECTORS; i++) {
        v.at[i] = (struct zoid_at){.params = &params,
                                   .row = r,
                                   .vector = i,
                                   .n = {row.domain[0], row.domain[1], row.domain[2]},
                                   .writes = op->stage[0].writes};
        UNROLL
        for (int f = 0; f < op->nstate; f++)
            if (op->stage[0].writes >> f & 1) {
                v.lanes[i][f] = mask_of(row.lanes[f] >> i * WIDTH);
                v.at[i].before[f][0] = step_at(r, f, 0, -1)[i];
                v.at[i].before[f][1] = step_at(r, f, 0, -2)[i];
            }
    }
    steps(r, op, point, &v, 0, row.whole.lo, false);
    steps(r, op, point, &v, row.whole.lo, row.whole.hi, true);
    steps(r, op, point, &v, row.whole.hi, row.count, false);
}

/* clang-format off */
#define ROW_NAME(variant) ZOID_JOIN(zoid_skewed_, ZOID_JOIN(ZOID_ISA, _##variant))

/* Operators with other stages besides, and those that are not in order, compile to nothing. */
#define EMIT(variant, family, nd, nr, stages, ...)                                                 \
    zoid_skewed_fn ROW_NAME(variant);                                                              \
    void ROW_NAME(variant)(const struct zoid_skewed_row *row)                                      \
    {                                                                                              \
        enum { D = nd, R = nr, SIZE = sizeof(real) };                                              \
        static const struct zoid_op op = {.dims = D, .radius = R, __VA_ARGS__};                    \
                                                                                                   \
        if (op.by_words && op.stage[0].order != ZOID_ANY_ORDER && 0 stages(COUNT) == 1)            \
            row_of_steps(row, &op, zoid_##family##_wide);                                          \
    }
#define COUNT(number, ...) +1

#define ZOID_VARIANT(variant, family, nd, nr, type, stages, ...)                                   \
    PICK(SAME(type, ZOID_TYPE) EMIT, NOTHING, )(variant, family, nd, nr, stages, __VA_ARGS__)
#include ZOID_ROWS
/* clang-format on */
