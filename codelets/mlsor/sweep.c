/* SPDX-License-Identifier: BSD-3-Clause */
/* A stage of MLSOR: planes are copied from the time before, and their points relaxed in place. The
 * first stage relaxes points of one plane and reads the adjacent plane. The second relaxes the
 * points that two planes share, on both sides of a seam:
 *
 *     plane q + 1    . . . . .
 *                    2 2 2 2 2       the upper part, at most K - 1 lines forward, K backward
 *     ------------ seam q ------
 *                    2 2 2 2 2       the lower part
 *     plane q        . . . . .
 *
 * At the ends of a box only one of the planes belongs to the box. The other part is computed in the
 * spare plane and discarded. Parts of two seams share no line, and no seam reads a point that
 * another one relaxes, so seams may be processed in any order. */
#include "codelets/mlsor/sweep.h"

#include <math.h>
#include <string.h>

#include "codelets/mlsor/mlsor.h"
#include "codelets/sweep.h"

/* Subdomains that are interleaved point by point, to hide the latency of the dependency chain. */
enum { ABREAST = 8 };

/* Without the instruction an fma is a library call. */
#if defined __x86_64__
#define WITH_FMA(...) __VA_ARGS__
#else
#define WITH_FMA(...)
#endif

/* A visit of a sweep; `chain` is the part along the slowest axis that its stage relaxes, 0 or 1. */
struct visit {
    const struct zoid_mlsor *mlsor;
    const struct zoid_sweep *sweep;
    long layers;
    bool back;
    int chain;
    bool fma;
};

/* Two adjacent planes, for a seam or for a plane with its neighbour: lines [first, first + P),
 * counted from the first computed one, and P more. */
struct pair {
    long first;
    char *low, *high;
    char *b_low, *b_high;
};

/* Arguments to relax rows of some subdomains along x: in each, `count` points from `at` on; those
 * of the next one are P further on. `before` and `after` are the neighbours that precede and follow
 * a point in the order, by y (in 2-D by the slowest axis), then z. */
struct rows {
    int subdomains, dims, step;
    long at, count, stride;
    void *u;
    const void *before[2], *after[2], *b;
    double omega;
};

/* ---- points ------------------------------------------------------------------------------ */

#define RELAX(T, name, fused, many, solid)                                                       \
    static inline __attribute__((always_inline)) void relax_##name(const struct rows *r)         \
    {                                                                                            \
        const T q = (T)(r->omega / (2 * (solid ? 3 : 2))), keep = (T)(1 - r->omega);             \
        const long step = r->step, stride = r->stride;                                           \
        const T *b = r->b, *y = r->after[0], *z = r->after[1];                                   \
        const T *y_new = r->before[0], *z_new = r->before[1];                                    \
        T *u = r->u;                                                                             \
                                                                                                 \
        for (long i = 0, x = r->at; i < r->count; i++, x += step)                                \
            for (long s = 0, p = x; s < many; s++, p += stride) {                                \
                T t = b ? fused(keep, u[p], b[p] * q) : keep * u[p], later = u[p + step] + y[p]; \
                                                                                                 \
                if (solid)                                                                       \
                    later = later + z[p];                                                        \
                t = fused(q, later, t);                                                          \
                if (solid)                                                                       \
                    t = fused(q, z_new[p], t);                                                   \
                t = fused(q, y_new[p], t);                                                       \
                u[p] = fused(q, u[p - step], t);                                                 \
            }                                                                                    \
    }

RELAX(float, f32_plane, fmaf, ABREAST, false)
RELAX(float, f32_solid, fmaf, ABREAST, true)
RELAX(float, f32_plane_one, fmaf, 1, false)
RELAX(float, f32_solid_one, fmaf, 1, true)
RELAX(double, f64_plane, fma, ABREAST, false)
RELAX(double, f64_solid, fma, ABREAST, true)
RELAX(double, f64_plane_one, fma, 1, false)
RELAX(double, f64_solid_one, fma, 1, true)

#define PICK(type)                                                                      \
    static inline __attribute__((always_inline)) void pick_##type(const struct rows *r) \
    {                                                                                   \
        if (r->subdomains > 1 && r->dims == 3)                                          \
            relax_##type##_solid(r);                                                    \
        else if (r->subdomains > 1)                                                     \
            relax_##type##_plane(r);                                                    \
        else if (r->dims == 3)                                                          \
            relax_##type##_solid_one(r);                                                \
        else                                                                            \
            relax_##type##_plane_one(r);                                                \
    }

PICK(f32)
PICK(f64)

static void plain_f32(const struct rows *r)
{
    pick_f32(r);
}

static void plain_f64(const struct rows *r)
{
    pick_f64(r);
}

WITH_FMA(__attribute__((target("fma"))) static void fused_f32(const struct rows *r) {
    pick_f32(r);
})
WITH_FMA(__attribute__((target("fma"))) static void fused_f64(const struct rows *r) {
    pick_f64(r);
})

static void relax(const struct visit *v, const struct rows *r)
{
    const bool f32 = v->mlsor->kind.type == ZOID_F32;

    WITH_FMA(if (v->fma) {
        (f32 ? fused_f32 : fused_f64)(r);
        return;
    })
    (f32 ? plain_f32 : plain_f64)(r);
}

/* ---- subdomains -------------------------------------------------------------------------- */

/* Returns the number of computed points of an axis; the first one has index 0 here. */
static long inner(const struct visit *v, int axis)
{
    return v->mlsor->kind.n[axis] - 2;
}

static long subdomains(const struct visit *v, int axis)
{
    const long p = v->mlsor->kind.subdomain, n = inner(v, axis);

    return n > 0 ? (n + p - 1) / p : 0;
}

/* Returns the range of an axis in a part of subdomain s at layer k. */
static struct zoid_range range_of(const struct visit *v, int axis, long s, long k, int part)
{
    const long p = v->mlsor->kind.subdomain, n = inner(v, axis);
    long lo = s * p + (v->back ? -k : k), hi = lo + p;
    const long cut = v->back ? s * p + 1 + k : hi - 1 - 2 * k;

    if (!v->back && s == 0)
        lo = 0;
    if (v->back && s == subdomains(v, axis) - 1)
        hi = n;
    /* Part 1 (part == 0) shrinks: the lower one forward, the upper one backward. */
    if ((part == 0) == v->back)
        lo = cut;
    else
        hi = cut;
    lo = zoid_min(zoid_max(lo, 0), n);
    return (struct zoid_range){lo, zoid_max(zoid_min(hi, n), lo)};
}

/* Parts of subdomains that a kernel relaxes: `abreast` of them along x, from s[0] on. */
struct tile {
    long s[ZOID_AXES];
    int part[ZOID_AXES];
    int abreast;
};

static char *line_of(const struct visit *v, long first, char *low, char *high, long j)
{
    const long p = v->mlsor->kind.subdomain;
    const long bytes = v->mlsor->line * (long)zoid_type_size(v->mlsor->kind.type);

    return j < first + p ? low + (j - first) * bytes : high + (j - first - p) * bytes;
}

/* Relaxes row y of line j, with the range `x` in the tile's first subdomain; in 2-D the line is a
 * row. */
static void relax_row(const struct visit *v, const struct pair *pair, const struct tile *tile,
                      struct zoid_range x, long j, long y)
{
    const struct zoid_mlsor_kind *kind = &v->mlsor->kind;
    const int step = v->back ? -1 : 1, chain = kind->dims - 2;
    const long row = kind->n[0] * (long)zoid_type_size(kind->type), at = chain ? (y + 1) * row : 0;
    char *u = line_of(v, pair->first, pair->low, pair->high, j) + at;
    struct rows r = {.subdomains = tile->abreast,
                     .dims = kind->dims,
                     .step = step,
                     .at = v->back ? x.hi : x.lo + 1,
                     .count = x.hi - x.lo,
                     .stride = kind->subdomain,
                     .u = u,
                     .omega = v->sweep->params->value[0]};

    r.before[0] = u - step * row;
    r.after[0] = u + step * row;
    r.before[chain] = line_of(v, pair->first, pair->low, pair->high, j - step) + at;
    r.after[chain] = line_of(v, pair->first, pair->low, pair->high, j + step) + at;
    if (kind->rhs)
        r.b = line_of(v, pair->first, pair->b_low, pair->b_high, j) + at;
    relax(v, &r);
}

static void relax_tile(const struct visit *v, const struct pair *pair, const struct tile *tile)
{
    const int chain = v->mlsor->kind.dims - 1;

    for (long k = 0; k < v->layers; k++) {
        const struct zoid_range x = range_of(v, 0, tile->s[0], k, tile->part[0]);
        const struct zoid_range z = range_of(v, chain, tile->s[chain], k, tile->part[chain]);
        struct zoid_range y = {0, 1};

        if (chain == 2)
            y = range_of(v, 1, tile->s[1], k, tile->part[1]);
        for (long i = 0; i < z.hi - z.lo; i++)
            for (long n = 0; n < y.hi - y.lo; n++)
                relax_row(v, pair, tile, x, v->back ? z.hi - 1 - i : z.lo + i,
                          v->back ? y.hi - 1 - n : y.lo + n);
    }
}

/* One kernel: relaxes all subdomains of a pair of planes with index s along the slowest axis.
 * Subdomains at the ends of x may have other ranges than those between. */
static void relax_kernel(const struct visit *v, const struct pair *pair, long s, int y, int x)
{
    const int chain = v->mlsor->kind.dims - 1;
    const long rows = chain == 2 ? subdomains(v, 1) : 1, all = subdomains(v, 0);
    struct tile tile = {.s = {0}, .part = {x, y}};

    tile.part[chain] = v->chain;
    for (long i = 0; i < rows; i++)
        for (tile.s[0] = 0; tile.s[0] < all; tile.s[0] += tile.abreast) {
            tile.s[1] = i;
            tile.s[chain] = s;
            tile.abreast = tile.s[0] > 0 && tile.s[0] + ABREAST < all - 1 ? ABREAST : 1;
            relax_tile(v, pair, &tile);
        }
}

/* Executes all kernels of the stage. */
static void relax_pair(const struct visit *v, const struct pair *pair, long s)
{
    const int chain = v->mlsor->kind.dims - 1;

    for (int y = 0; y < (chain == 2 ? 2 : 1); y++)
        for (int x = 0; x < 2; x++)
            relax_kernel(v, pair, s, y, x);
}

/* ---- planes ------------------------------------------------------------------------------ */

/* Returns the address of a plane; NULL: the segments do not have it. */
static char *plane_of(const struct visit *v, const struct zoid_segments *segments, long plane)
{
    const size_t bytes = zoid_layout_plane_bytes(v->sweep->layout);

    for (size_t i = 0; i < segments->n; i++) {
        const struct zoid_segment *s = &segments->segment[i];

        if (plane >= s->lo && plane < s->hi)
            return (char *)s->base + (size_t)(plane - s->lo) * bytes;
    }
    return NULL;
}

static char *plane_in(const struct visit *v, long plane)
{
    return plane_of(v, &v->sweep->in[0], plane);
}

static char *plane_out(const struct visit *v, long plane)
{
    const struct zoid_segments out = {1, &v->sweep->out};

    return plane_of(v, &out, plane);
}

static struct pair pair_of(const struct visit *v, long plane, char *low, char *high)
{
    const struct zoid_segments *b = &v->sweep->in[1];
    struct pair pair = {.first = (plane - 1) * v->mlsor->kind.subdomain, .low = low, .high = high};

    if (v->mlsor->kind.rhs) {
        pair.b_low = plane_of(v, b, plane);
        pair.b_high = plane_of(v, b, plane + 1);
    }
    return pair;
}

/* Executes the first stage for one plane. */
static void relax_plane(const struct visit *v, long plane)
{
    char *own = plane_out(v, plane);
    const long s = plane - 1;
    struct pair pair;

    if (s < 0 || s >= subdomains(v, v->mlsor->kind.dims - 1))
        return;
    pair = v->back ? pair_of(v, plane, own, plane_in(v, plane + 1))
                   : pair_of(v, plane - 1, plane_in(v, plane - 1), own);
    relax_pair(v, &pair, s);
}

/* Returns the spare plane, after copying the lines of a plane that a seam reads: the last ones, or
 * the first. */
static char *borrow(const struct visit *v, long plane, bool last)
{
    const struct zoid_mlsor_kind *kind = &v->mlsor->kind;
    const size_t line = (size_t)v->mlsor->line * zoid_type_size(kind->type);
    const size_t lines = (size_t)kind->layers + 1;
    const size_t at = last ? ((size_t)kind->subdomain - lines) * line : 0;
    const char *from = plane_in(v, plane);

    if (from)
        memcpy((char *)v->sweep->spare + at, from + at, lines * line);
    return v->sweep->spare;
}

/* Executes the second stage for the seam between two planes, one of which may be outside the box.
 */
static void relax_seam(const struct visit *v, long plane)
{
    const long s = v->back ? plane : plane - 1;
    char *low = plane_out(v, plane), *high = plane_out(v, plane + 1);
    struct pair pair;

    if (s < 0 || s >= subdomains(v, v->mlsor->kind.dims - 1))
        return;
    if (!low)
        low = borrow(v, plane, true);
    else if (!high)
        high = borrow(v, plane + 1, false);
    pair = pair_of(v, plane, low, high);
    relax_pair(v, &pair, s);
}

static bool has_fma(void)
{
    WITH_FMA(return __builtin_cpu_supports("fma") != 0;)
    return false;
}

void zoid_mlsor_sweep(const struct zoid_sweep *sweep)
{
    const struct zoid_mlsor *m = sweep->op->self;
    const long number = (sweep->t - 1) / 2, lo = sweep->box.lo[1], hi = sweep->box.hi[1];
    const size_t bytes = (size_t)m->n[0] * zoid_type_size(m->kind.type);
    const struct visit v = {.mlsor = m,
                            .sweep = sweep,
                            .layers =
                                zoid_min(m->kind.layers, m->kind.sweeps - number * m->kind.layers),
                            .back = !m->kind.forward && number % 2,
                            .chain = (int)((sweep->t - 1) % 2),
                            .fma = has_fma()};

    for (long plane = lo; plane < hi; plane++)
        memcpy(plane_out(&v, plane), plane_in(&v, plane), bytes);
    for (long plane = lo; plane < hi && v.chain == 0; plane++)
        relax_plane(&v, plane);
    for (long plane = lo - 1; plane < hi && v.chain == 1; plane++)
        relax_seam(&v, plane);
}
