/* SPDX-License-Identifier: BSD-3-Clause */
/* The residual is computed slab by slab, from its planes and one ghost plane on either side.
 *
 *     hi      . . . . .       read only
 *     ...     o o o o o       read and computed row by row, in groups of GROUP points (the last
 *     lo      o o o o o       one may be shorter), whose sums are added in order
 *     lo - 1  . . . . .       read only
 */
#include "runtime/solve/residual.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/threads/parallel.h"
#include "runtime/boundary.h"
#include "runtime/error.h"

enum { GROUP = 4096, SUMS = 8 };

/* Buffers of planes [lo - 1, hi + 1) of u and [lo, hi) of b, in storage order. In 1-D a plane is a
 * point, and the slab is one row. */
struct slab {
    const struct zoid_domain *domain;
    const struct zoid_problem *problem;
    struct zoid_shape shape;
    int chain;
    size_t size;  /* bytes per value */
    size_t plane; /* values per plane */
    long lo, hi;
    char *u, *b;       /* b: NULL without a right-hand side */
    double *sum;       /* partial sum of each group of each row */
    long rows, groups; /* per slab, per row */
};

/* ---- sums -------------------------------------------------------------------------------- */

/* Points [lo, hi) to compute of a row of n points; `side` are its neighbour rows along the other
 * axes, in pairs. */
struct row {
    const char *u, *side[2 * (ZOID_AXES - 1)], *b;
    int sides;
    long lo, hi, n;
    long low, high; /* index of the points that replace those beyond the ends */
};

/* SUMS partial sums over interleaved points, so that compilers vectorise without a change of order.
 */
#define SUM_OF(T)                                                                            \
    static double sum_of_##T(const struct row *r, long lo, long hi)                          \
    {                                                                                        \
        const zoid_##T *u = (const zoid_##T *)r->u, *b = (const zoid_##T *)r->b;             \
        const zoid_##T *side[2 * (ZOID_AXES - 1)];                                           \
        const double own = -2.0 - r->sides;                                                  \
        double sum[SUMS] = {0}, all = 0, value[SUMS];                                        \
                                                                                             \
        for (int s = 0; s < r->sides; s++)                                                   \
            side[s] = (const zoid_##T *)r->side[s];                                          \
        for (long x = lo; x < hi; x += SUMS) {                                               \
            const int points = hi - x < SUMS ? (int)(hi - x) : SUMS;                         \
            const bool inside = x > 0 && x + SUMS < r->n && points == SUMS;                  \
                                                                                             \
            for (int i = 0; i < SUMS && inside; i++)                                         \
                value[i] = (double)u[x + i - 1] + (double)u[x + i + 1];                      \
            for (int i = 0; i < points && !inside; i++)                                      \
                value[i] = (double)u[x + i > 0 ? x + i - 1 : r->low] +                       \
                           (double)u[x + i + 1 < r->n ? x + i + 1 : r->high];                \
            for (int i = points; i < SUMS; i++)                                              \
                value[i] = 0;                                                                \
            for (int s = 0; s < r->sides; s += 2)                                            \
                for (int i = 0; i < points; i++)                                             \
                    value[i] += (double)side[s][x + i] + (double)side[s + 1][x + i];         \
            for (int i = 0; i < points; i++)                                                 \
                value[i] = (value[i] + own * (double)u[x + i]) + (b ? (double)b[x + i] : 0); \
            for (int i = 0; i < SUMS; i++)                                                   \
                sum[i] += value[i] * value[i];                                               \
        }                                                                                    \
        for (int i = 0; i < SUMS; i++)                                                       \
            all += sum[i];                                                                   \
        return all;                                                                          \
    }

SUM_OF(f32)
SUM_OF(f64)

static void sum_row(const struct slab *s, const struct row *row, double *sum)
{
    for (long lo = row->lo; lo < row->hi; lo += GROUP) {
        const long hi = row->hi - lo < GROUP ? row->hi : lo + GROUP;

        *sum++ =
            s->problem->op->type == ZOID_F32 ? sum_of_f32(row, lo, hi) : sum_of_f64(row, lo, hi);
    }
}

/* ---- rows -------------------------------------------------------------------------------- */

static bool closed(const struct slab *s, int axis, int side)
{
    return !zoid_face_open(&s->shape, axis, side);
}

/* First and end index of the updated points along an axis. */
static long first(const struct slab *s, int axis)
{
    return closed(s, axis, ZOID_LOW) ? 1 : 0;
}

static long end(const struct slab *s, int axis)
{
    return s->problem->n[axis] - (closed(s, axis, ZOID_HIGH) ? 1 : 0);
}

static const char *row_at(const struct slab *s, const char *field, long from, long plane, long y)
{
    return field + ((size_t)(plane - from) * s->plane + (size_t)(y * s->problem->n[0])) * s->size;
}

/* Computes row i of the slab. */
static void one_row(void *arg, int thread, long i)
{
    const struct slab *s = arg;
    const long *n = s->problem->n;
    const long rows = s->chain == 2 ? n[1] : 1, plane = s->lo + i / rows, y = i % rows;
    struct row row = {.lo = first(s, 0), .hi = end(s, 0), .n = n[0]};

    (void)thread;
    memset(s->sum + i * s->groups, 0, (size_t)s->groups * sizeof *s->sum);
    if (s->chain == 2 && (y < first(s, 1) || y >= end(s, 1)))
        return;
    row.u = row_at(s, s->u, s->lo - 1, plane, y);
    row.b = s->b ? row_at(s, s->b, s->lo, plane, y) : NULL;
    if (s->chain == 2)
        for (int side = 0; side < 2; side++)
            row.side[row.sides++] =
                row_at(s, s->u, s->lo - 1, plane, zoid_fold(&s->shape, 1, y + 2 * side - 1));
    for (int side = 0; side < 2; side++)
        row.side[row.sides++] = row_at(s, s->u, s->lo - 1, plane + 2 * side - 1, y);
    row.low = zoid_fold(&s->shape, 0, -1);
    row.high = zoid_fold(&s->shape, 0, n[0]);
    sum_row(s, &row, s->sum + i * s->groups);
}

/* Computes a slab in 1-D: one row, which was read with its neighbour points. */
static void line(const struct slab *s)
{
    const long points = s->hi - s->lo;
    const struct row row = {
        .u = s->u, .b = s->b ? s->b - s->size : NULL, .lo = 1, .hi = points + 1, .n = points + 2};

    memset(s->sum, 0, (size_t)s->groups * sizeof *s->sum);
    sum_row(s, &row, s->sum);
}

/* ---- slabs ------------------------------------------------------------------------------- */

static enum zoid_status read_planes(const struct slab *s, const struct zoid_job *job, long lo,
                                    long hi, char *to)
{
    return lo < hi ? zoid_domain_read(s->domain, job, lo, hi, to) : ZOID_OK;
}

/* Reads a slab. A plane beyond an open face is replaced by the plane that the boundary condition
 * maps it to. */
static enum zoid_status read_slab(struct slab *s, const struct zoid_job *job,
                                  const struct zoid_initial *initial)
{
    const long n = s->problem->n[s->chain];
    const long lo = s->lo > 0 ? s->lo - 1 : 0, hi = s->hi < n ? s->hi + 1 : n;
    const size_t bytes = s->plane * s->size;
    const struct zoid_box box = zoid_problem_planes(s->problem, s->lo, s->hi);
    const long beyond[] = {s->lo - 1, s->hi};
    enum zoid_status status =
        read_planes(s, job, lo, hi, s->u + (size_t)(lo - (s->lo - 1)) * bytes);

    for (int i = 0; i < 2 && !status; i++)
        if (beyond[i] < 0 || beyond[i] >= n) {
            const long plane = zoid_fold(&s->shape, s->chain, beyond[i]);

            status = read_planes(s, job, plane, plane + 1,
                                 s->u + (size_t)(beyond[i] - (s->lo - 1)) * bytes);
        }
    if (!status && s->b) {
        const struct zoid_values values = zoid_values_packed(&box, s->b);

        zoid_initial_box((void *)initial, 1, &box, &values);
    }
    return status;
}

static void add_slab(struct slab *s, double *sum)
{
    s->rows = s->chain == 0 ? 1 : (s->hi - s->lo) * (s->chain == 2 ? s->problem->n[1] : 1);
    if (s->chain == 0)
        line(s);
    else
        zoid_parallel(s->rows > 64 ? zoid_cores() : 1, s->rows, one_row, s);
    for (long i = 0; i < s->rows * s->groups; i++)
        *sum += s->sum[i];
}

/* Returns the planes per slab: enough to amortise the calls, in 1-D whole groups; no more than the
 * domain has. */
static long planes_of(const struct slab *s)
{
    static const long worth = 1 << 20; /* values */
    const long all = s->problem->n[s->chain];

    return zoid_min(s->chain == 0 ? worth / GROUP * GROUP : zoid_max(worth / (long)s->plane, 1),
                    all);
}

enum zoid_status zoid_residual(const struct zoid_domain *domain, const struct zoid_job *job,
                               const struct zoid_initial *initial, double *norm)
{
    const struct zoid_problem *p = domain->problem;
    const int chain = p->op->dims - 1;
    struct slab s = {.domain = domain,
                     .problem = p,
                     .shape = zoid_problem_shape(p),
                     .chain = chain,
                     .size = zoid_type_size(p->op->type),
                     .plane = (size_t)(p->n[0] * p->n[1] * p->n[2] / p->n[chain])};
    const long planes = planes_of(&s);
    const long rows = chain == 0 ? 1 : planes * (chain == 2 ? p->n[1] : 1);
    const size_t bytes = s.plane * s.size;
    enum zoid_status status = ZOID_OK;
    double sum = 0;

    s.groups = ((chain == 0 ? planes : p->n[0]) + GROUP - 1) / GROUP;
    s.u = malloc((size_t)(planes + 2) * bytes);
    s.b = p->op->ncoef ? malloc((size_t)planes * bytes) : NULL;
    s.sum = malloc((size_t)(s.groups * rows) * sizeof *s.sum);
    if (!s.u || !s.sum || (p->op->ncoef && !s.b))
        status = zoid_no_memory();
    for (s.lo = first(&s, chain); s.lo < end(&s, chain) && !status; s.lo = s.hi) {
        s.hi = end(&s, chain) - s.lo < planes ? end(&s, chain) : s.lo + planes;
        status = read_slab(&s, job, initial);
        if (!status)
            add_slab(&s, &sum);
    }
    free(s.u);
    free(s.b);
    free(s.sum);
    if (!status)
        *norm = sqrt(sum);
    return status;
}
