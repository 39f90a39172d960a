/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of steps: see skewed.h. Compiled once per instruction set and type, with ZOID_ISA and
 * ZOID_TYPE defined and isa_<ZOID_ISA>.h included first; every variant of ZOID_ROWS that has this
 * type becomes a zoid_skewed_<ISA>_<variant>, empty if it is not in order. */
#include "codelets/cpu/skewed.h"

#include "codelets/cpu/wide.h"

/* Steps whose values stay in registers. */
enum { BEFORE = 2 };

/* A step, with the values that its row's last steps have written. */
struct zoid_at {
    const struct zoid_params *params;
    const struct zoid_skewed_row *row;
    long x; /* of the step */
    /* Of lane 0. Only for updates that are not by words, which nobody calls. */
    long t, p[ZOID_AXES], n[ZOID_AXES];
    unsigned writes;
    value_wide before[ZOID_MAX_FIELDS][BEFORE];
    value_wide *result;
};

ZOID_INLINE stored *step_at(const struct zoid_skewed_row *r, int field, int plane, long x)
{
    return (stored *)r->step[field][ZOID_SKEW_REACH + plane] + x;
}

ZOID_INLINE value_wide load_wide(const struct zoid_at *at, int dims, int field, int dx, int dy,
                                 int dz)
{
    const int plane = dims == 3 ? dz : dims == 2 ? dy : 0, row = dims == 3 ? dy : 0;

    if (plane == 0 && row == 0 && dx < 0 && dx >= -BEFORE && at->writes >> field & 1)
        return at->before[field][-dx - 1];
    return *step_at(at->row, field, plane, at->x + row * at->row->pitch + dx);
}

ZOID_INLINE void put_wide(const struct zoid_at *at, int field, value_wide value)
{
    at->result[field] = value;
}

ZOID_INLINE value_wide table_wide(const struct zoid_at *at, int number)
{
    return ((const stored *)at->row->table)[number];
}

/* Mask of the lanes at points [lo, hi) of their rows. */
ZOID_INLINE value_mask between(const struct zoid_skewed_row *r, long step, long lo, long hi)
{
    enum { MOST = 1 << 30 };
    const value_mask behind = value_numbers() * (__typeof__(value_numbers()[0]))r->lag;
    const long first = clamp(step - hi, -MOST, MOST), last = clamp(step - lo, -MOST, MOST);

    return (behind > (__typeof__(behind[0]))first) & (behind <= (__typeof__(behind[0]))last);
}

ZOID_INLINE value_wide select_x_wide(const struct zoid_at *at, long lo, long hi, value_wide a,
                                     value_wide b)
{
    return choose(between(at->row, at->x, lo, hi), a, b);
}

ZOID_INLINE value_wide every_other_wide(const struct zoid_at *at, int dims, long parity,
                                        value_wide a, value_wide b)
{
    const long first = parity + at->x + at->row->odd;
    const value_mask sum = value_numbers() * (__typeof__(value_numbers()[0]))at->row->alternate +
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

/* Hands a step of a field on, and leaves what the last lane has. A vector is stored a lane further,
 * over lane 0 of the vector after it, which is given next. */
ZOID_INLINE void hand_on(const struct zoid_skewed_row *r, int field, bool written, value_wide value,
                         long x, bool whole)
{
    real *const next = (real *)((stored *)r->next[field] + x + r->lag);
    const long at = x + r->lag, behind = x - r->last * r->lag;

    *(stored *)(next + 1) = value;
    if (whole || at < r->n)
        next[0] = ((const real *)r->given[field])[at];
    if (written && (whole || (behind >= 0 && behind < r->n)))
        ((real *)r->out[field])[behind] = ((const real *)step_at(r, field, 0, x))[r->last];
}

ZOID_INLINE void compute(const struct zoid_skewed_row *r, const struct zoid_op *op, point_fn *point,
                         const value_mask *lanes, struct zoid_at *at, long x, bool whole)
{
    value_wide result[ZOID_MAX_FIELDS];

    at->x = x;
    at->result = result;
    point(at, op->dims, op->radius, 0);
    UNROLL
    for (int f = 0; f < op->nstate + op->ncoef; f++) {
        const bool written = op->stage[0].writes >> f & 1;
        value_wide value = *step_at(r, f, 0, x);

        if (written) {
            value_mask mask = lanes[f];

            if (!whole)
                mask &= between(r, x, r->x[f].lo, r->x[f].hi);
            value = choose(mask, result[f], value);
            *step_at(r, f, 0, x) = value;
            at->before[f][1] = at->before[f][0];
            at->before[f][0] = value;
        }
        hand_on(r, f, written, value, x, whole);
    }
}

ZOID_INLINE void row_of_steps(const struct zoid_skewed_row *given, const struct zoid_op *op,
                              point_fn *point)
{
    const struct zoid_skewed_row row = *given, *r = &row;
    struct zoid_at at = {.params = row.params, .row = r, .writes = op->stage[0].writes};
    value_mask lanes[ZOID_MAX_FIELDS];
    long x = 0;

    for (int f = 0; f < op->nstate; f++)
        if (op->stage[0].writes >> f & 1) {
            lanes[f] = mask_of(row.lanes[f]);
            at.before[f][0] = *step_at(r, f, 0, -1);
            at.before[f][1] = *step_at(r, f, 0, -2);
        }
    for (; x < row.whole.lo; x++)
        compute(r, op, point, lanes, &at, x, false);
    for (; x < row.whole.hi; x++)
        compute(r, op, point, lanes, &at, x, true);
    for (; x < row.count; x++)
        compute(r, op, point, lanes, &at, x, false);
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
        if (op.by_words && op.stage[0].order != ZOID_ANY_ORDER && (0 stages(COUNT)) == 1)            \
            row_of_steps(row, &op, zoid_##family##_wide);                                          \
    }
#define COUNT(number, ...) +1

#define ZOID_VARIANT(variant, family, nd, nr, type, stages, ...)                                   \
    PICK(SAME(type, ZOID_TYPE) EMIT, NOTHING, )(variant, family, nd, nr, stages, __VA_ARGS__)
#include ZOID_ROWS
/* clang-format on */
