/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels for rows of steps: see lanes.h. Compiled once per instruction set and type, with ZOID_ISA
 * and ZOID_TYPE defined and isa_<ZOID_ISA>.h included first.
 *
 *     2-D    at step X lane l is at column X - l LAG of plane Y - l. Its inputs of the time before
 *            are the outputs of the lane below, in the row before LAG and LAG - 1 steps ago, and
 *            in this row LAG steps ago.
 *     3-D    at step X all lanes are at column X, of row Y - l and plane Z - l. */
#include "codelets/cpu/lanes.h"

#define ZOID_INLINE static inline __attribute__((always_inline))
#include "codelets/ops/point.h"

typedef ZOID_JOIN(zoid_, ZOID_TYPE) real;
typedef ZOID_JOIN(zoid_vector_, ZOID_TYPE) value_lanes;
typedef __typeof__((value_lanes){0} == (value_lanes){0}) mask;
enum { LANES = sizeof(value_lanes) / sizeof(real), LAG = ZOID_LANE_LAG };

/* A step with its inputs. */
struct zoid_at {
    const struct zoid_params *params;
    value_lanes self, west, south, down, east, north, up, b;
    value_lanes *result;
};

ZOID_INLINE value_lanes splat_lanes(double constant)
{
    value_lanes zero = {0};

    return (real)constant - zero;
}

#define fma_lanes(a, b, c) ZOID_JOIN(zoid_vector_fma_, ZOID_TYPE)(a, b, c)

ZOID_INLINE value_lanes load_lanes(const struct zoid_at *at, int dims, int field, int dx, int dy,
                                   int dz)
{
    (void)dims;
    return field     ? at->b
           : dx == 1 ? at->east
           : dx      ? at->west
           : dy == 1 ? at->north
           : dy      ? at->south
           : dz == 1 ? at->up
           : dz      ? at->down
                     : at->self;
}

ZOID_INLINE void put_lanes(const struct zoid_at *at, int field, value_lanes value)
{
    (void)field;
    *at->result = value;
}

#define ZOID_VALUE lanes
#include "codelets/ops/sor.h"
#include "codelets/ops/sor_rhs.h"
#undef ZOID_VALUE

ZOID_INLINE value_lanes relax(struct zoid_at *at, int dims, bool rhs)
{
    value_lanes result;

    at->result = &result;
    if (rhs)
        zoid_sor_rhs_lanes(at, dims, 1, 0);
    else
        zoid_sor_lanes(at, dims, 1, 0);
    return result;
}

/* Shifts every lane's value to the next lane; lane 0 gets `first`. */
ZOID_INLINE value_lanes up(value_lanes v, real first)
{
    const value_lanes zero = {0};
    mask from;

    for (int l = 0; l < LANES; l++)
        from[l] = l ? l - 1 : LANES;
    return __builtin_shuffle(v, first - zero, from);
}

ZOID_INLINE value_lanes choose(mask which, value_lanes yes, value_lanes no)
{
    return (value_lanes)((which & (mask)yes) | (~which & (mask)no));
}

ZOID_INLINE mask mask_of(unsigned bits)
{
    mask m;

    for (int l = 0; l < LANES; l++)
        m[l] = -(__typeof__(m[0]))(bits >> l & 1);
    return m;
}

/* Mask of the lanes that are within a row at a step, except at its first or last point. A lane's
 * elements are narrower than long, so that distances from the ends are limited. */
ZOID_INLINE mask inner(long x, long n)
{
    const long most = 2 * LANES * LAG, left = x < most ? x : most;
    const long right = n - 1 - x < most ? n - 1 - x : most;
    mask lag;

    for (int l = 0; l < LANES; l++)
        lag[l] = l * LAG;
    return (lag < (__typeof__(lag[0]))left) & (lag > (__typeof__(lag[0]))-right);
}

/* Returns the output of the last lane in use: the vector's last value, or if not all lanes are
 * used, a value from the stored vector. */
ZOID_INLINE real last_of(value_lanes v, const void *stored, int lanes)
{
    return lanes == LANES ? v[LANES - 1] : ((const real *)stored)[lanes - 1];
}

ZOID_INLINE real at_or_zero(const real *row, long x, long n)
{
    return x >= 0 && x < n ? row[x] : 0;
}

/* ---- a plane ------------------------------------------------------------------------------- */

/* Values read ahead: of the time before from this step on (`old`), of the next plane, and of the
 * right-hand side. The value of step X is at X % LAG. */
struct ahead {
    value_lanes west, self, old[LAG], next[LAG], b[LAG];
};

/* State that one part of a row leaves the next: the last result, values read ahead of the next
 * plane, and of the right-hand side. Values of the time before that are read ahead equal those of
 * the next plane in the row before, which the next part keeps; only a first row leaves them. */
struct carried {
    value_lanes west, next[LAG], b[LAG], old[LAG];
};

ZOID_INLINE void take(const struct zoid_lane_row *r, struct ahead *a, bool rhs)
{
    const struct carried *c = r->taken;
    value_lanes *kept = r->kept;

    a->west = c->west;
    for (int i = 0; i < LAG; i++) {
        a->old[i] = r->first ? c->old[i] : kept[i];
        a->next[i] = kept[i] = c->next[i];
        if (rhs)
            a->b[i] = c->b[i];
    }
}

ZOID_INLINE void leave(const struct zoid_lane_row *r, const struct ahead *a, bool rhs)
{
    struct carried *c = r->left;

    c->west = a->west;
    for (int i = 0; i < LAG; i++) {
        c->next[i] = a->next[i];
        if (rhs)
            c->b[i] = a->b[i];
        if (r->first)
            c->old[i] = a->old[i];
    }
}

ZOID_INLINE void flat_step(const struct zoid_lane_row *r, struct ahead *a, long x, int i,
                           bool whole, mask computed, bool rhs)
{
    const long n = r->n, behind = (r->lanes - 1) * LAG;
    const real *now = r->now, *next = r->up, *b = r->b;
    value_lanes *here = r->here, *b_here = r->b_here;
    struct zoid_at at = {.params = r->params, .self = a->self, .west = a->west, .south = here[x]};
    value_lanes v;

    a->old[i] = up(at.south, whole ? now[x + LAG] : at_or_zero(now, x + LAG, n));
    at.east = a->old[(i + 1) % LAG];
    at.north = a->next[i];
    if (rhs) {
        at.b = a->b[i];
        a->b[i] = up(b_here[x], whole ? b[x + LAG] : at_or_zero(b, x + LAG, n));
        b_here[x] = at.b;
    }
    v = relax(&at, 2, rhs);
    if (!whole)
        v = choose(computed & inner(x, n), v, at.self);
    here[x] = v;
    a->west = v;
    a->self = at.east;
    a->next[i] = up(v, whole ? next[x + LAG] : at_or_zero(next, x + LAG, n));
    if (whole || (x >= behind && x < n + behind))
        ((real *)r->out)[x - behind] = last_of(v, &here[x], r->lanes);
}

ZOID_INLINE void flat(const struct zoid_lane_row *given, bool rhs)
{
    const struct zoid_lane_row row = *given, *r = &row;
    const long n = r->n, end = r->end, whole = end < n - 2 * LAG ? end : n - 2 * LAG;
    /* Outputs of unused lanes are never read. */
    const bool all = r->computed == (1u << r->lanes) - 1;
    const long from = ((LANES - 1) * LAG + LAG) / LAG * LAG;
    const mask computed = mask_of(r->computed);
    const value_lanes zero = {0};
    struct ahead a = {.west = zero};
    long x = r->begin;

    for (int i = 0; i < LAG && !r->taken; i++) {
        a.old[i] = up(zero, at_or_zero(r->now, i, n));
        a.next[i] = up(zero, at_or_zero(r->up, i, n));
        if (rhs)
            a.b[i] = up(zero, at_or_zero(r->b, i, n));
    }
    if (r->taken)
        take(r, &a, rhs);
    a.self = a.old[0];
    while (x < end) {
        if (all && x >= from && x < whole) {
            for (; x < whole; x += LAG) {
                UNROLL
                for (int i = 0; i < LAG; i++)
                    flat_step(r, &a, x + i, i, true, computed, rhs);
            }
        } else {
            UNROLL
            for (int i = 0; i < LAG; i++)
                flat_step(r, &a, x + i, i, false, computed, rhs);
            x += LAG;
        }
    }
    if (r->left)
        leave(r, &a, rhs);
}

/* ---- space ---------------------------------------------------------------------------------- */

ZOID_INLINE void deep_step(const struct zoid_lane_row *r, value_lanes *west, value_lanes *self,
                           long x, bool whole, mask computed, bool rhs)
{
    const real *now = r->now, *north = r->north, *above = r->up;
    const value_lanes *below = r->below, *older = r->older;
    value_lanes *here = r->here, *keep = r->keep;
    struct zoid_at at = {.params = r->params,
                         .self = *self,
                         .west = *west,
                         .down = here[x],
                         .south = below[x],
                         .up = up(below[x], above[x]),
                         .north = up(here[x], north[x])};
    value_lanes v;

    at.east = whole ? up(older[x + 1], now[x + 1]) : at.self;
    if (rhs) {
        const value_lanes *b_older = r->b_older;
        value_lanes *b_here = r->b_here, *b_keep = r->b_keep;

        at.b = up(b_older[x], ((const real *)r->b)[x]);
        b_keep[x] = b_here[x];
        b_here[x] = at.b;
    }
    v = whole ? choose(computed, relax(&at, 3, rhs), at.self) : at.self;
    keep[x] = at.down;
    here[x] = v;
    *west = v;
    *self = at.east;
    ((real *)r->out)[x] = last_of(v, &here[x], r->lanes);
}

ZOID_INLINE void deep(const struct zoid_lane_row *given, bool rhs)
{
    const struct zoid_lane_row row = *given, *r = &row;
    const mask computed = mask_of(r->computed);
    const long n = r->n;
    value_lanes west = {0}, self = up(((const value_lanes *)r->older)[0], *(const real *)r->now);

    deep_step(r, &west, &self, 0, false, computed, rhs);
    if (n == 1)
        return;
    self = up(((const value_lanes *)r->older)[1], ((const real *)r->now)[1]);
    for (long x = 1; x < n - 1; x++)
        deep_step(r, &west, &self, x, true, computed, rhs);
    deep_step(r, &west, &self, n - 1, false, computed, rhs);
}

/* ---- a line --------------------------------------------------------------------------------- */

/* Below its first point a lane takes the given value. */
ZOID_INLINE void line_step(const struct zoid_lane_row *r, struct ahead *a, long x, int i,
                           bool whole, bool rhs)
{
    const real *now = r->now, *b = r->b;
    struct zoid_at at = {.params = r->params, .self = a->self, .west = a->west};
    value_lanes v, *here = r->here;

    at.east = a->old[(i + 1) % LAG];
    if (rhs) {
        at.b = a->b[i];
        a->b[i] = up(at.b, b[x + LAG]);
    }
    v = relax(&at, 1, rhs);
    if (!whole)
        for (int l = 0; l < LANES; l++) {
            const long p = x - l * LAG;

            v[l] = p == r->lo[l] - 1               ? (real)r->given[l]
                   : p >= r->lo[l] && p < r->hi[l] ? v[l]
                                                   : at.self[l];
        }
    a->west = v;
    a->self = at.east;
    a->old[i] = up(v, now[x + LAG]);
    here += whole || x < r->tail ? 0 : 1 + x - r->tail;
    *here = v;
    ((real *)r->out)[x] = last_of(v, here, r->lanes);
}

/* Lines are padded at both ends by the total lag of the lanes. */
ZOID_INLINE void line(const struct zoid_lane_row *given, bool rhs)
{
    const struct zoid_lane_row row = *given, *r = &row;
    const value_lanes zero = {0};
    struct ahead a = {.west = zero};
    long from = 0, x = 0;

    for (int l = 0; l < r->lanes; l++)
        from = r->lo[l] + l * LAG > from ? r->lo[l] + l * LAG : from;
    for (int i = 0; i < LAG; i++) {
        a.old[i] = up(zero, ((const real *)r->now)[i]);
        if (rhs)
            a.b[i] = up(zero, ((const real *)r->b)[i]);
    }
    a.self = a.old[0];
    while (x < r->n) {
        const bool whole = x >= from && x + LAG <= r->tail;

        UNROLL
        for (int i = 0; i < LAG; i++)
            if (whole)
                line_step(r, &a, x + i, i, true, rhs);
            else
                line_step(r, &a, x + i, i, false, rhs);
        x += LAG;
    }
}

/* ---- the table ------------------------------------------------------------------------------ */

#define ROW(shape, name, rhs)                         \
    static void name(const struct zoid_lane_row *row) \
    {                                                 \
        shape(row, rhs);                              \
    }
ROW(line, line_plain, false)
ROW(line, line_rhs, true)
ROW(flat, flat_plain, false)
ROW(flat, flat_rhs, true)
ROW(deep, deep_plain, false)
ROW(deep, deep_rhs, true)

#define LANE_TABLE ZOID_JOIN(zoid_lane_rows_, ZOID_JOIN(ZOID_ISA, ZOID_JOIN(_, ZOID_TYPE)))
extern const struct zoid_lane_rows LANE_TABLE;
const struct zoid_lane_rows LANE_TABLE = {
    .lanes = LANES,
    .carried = sizeof(struct carried),
    .row = {{line_plain, line_rhs}, {flat_plain, flat_rhs}, {deep_plain, deep_rhs}}};
