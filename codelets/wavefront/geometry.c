/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows and tiles: the inverse of the rows, ranges, and the points of a tile. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/wavefront/inside.h"

enum { M = ZOID_WAVEFRONT_ROWS };

/* ---- rows ------------------------------------------------------------------------------------ */

long zoid_wavefront_minor(const struct zoid_wavefront_shape *shape, unsigned rows, unsigned columns)
{
    long sum = 0, sign = 1;
    int r = 0;

    if (!rows)
        return 1;
    while (!(rows >> r & 1))
        r++;
    for (int c = 0; c < M; c++)
        if (columns >> c & 1) {
            sum += sign * shape->phi[r][c] *
                   zoid_wavefront_minor(shape, rows & ~(1u << r), columns & ~(1u << c));
            sign = -sign;
        }
    return sum;
}

struct zoid_wavefront_shape zoid_wavefront_sor(int axes, bool balanced)
{
    struct zoid_wavefront_shape s = {{{0}}};

    for (int i = 0; i <= axes; i++) {
        /* The balanced first row takes the place of the time's, of x in 2-D, of y in 3-D. */
        const int axis = axes == 1 ? 0 : 2, row = !balanced ? i : i < axis ? i + 1 : i;

        if (balanced && i == axis)
            continue;
        s.phi[row][0] = 1;
        s.phi[row][i] = 1;
    }
    for (int i = 0; i <= axes && balanced; i++)
        s.phi[0][i] = i ? 1 : 2;
    return s;
}

/* SOR depends on (1, 0), on (0, e) and on (1, -e) for each axis e. */
static const char *wrong_rows(const struct zoid_wavefront_nest *nest, int rows)
{
    for (int k = 0; k < rows; k++)
        for (int i = 0; i < rows; i++) {
            const int one = nest->shape.phi[k][i];

            if (one < 0 || one > ZOID_WAVEFRONT_PHI)
                return "have coefficients below 0 or above 8";
            if (one > nest->shape.phi[k][0])
                return "do not order the dependences of SOR";
        }
    return NULL;
}

static bool orders_all(const struct zoid_wavefront_nest *nest, int rows)
{
    bool all = true;

    for (int i = 1; i < rows; i++)
        all &= nest->shape.phi[0][i] > 0 && nest->shape.phi[0][i] < nest->shape.phi[0][0];
    return all;
}

static bool invert(struct zoid_wavefront *w)
{
    const unsigned all = (1u << w->rows) - 1;
    const long d = zoid_wavefront_minor(&w->nest.shape, all, all);

    if (labs(d) != 1)
        return false;
    for (int i = 0; i < w->rows; i++)
        for (int k = 0; k < w->rows; k++) {
            const long minor =
                zoid_wavefront_minor(&w->nest.shape, all & ~(1u << k), all & ~(1u << i));

            w->inverse[i][k] = (int)((i + k) & 1 ? -d * minor : d * minor);
        }
    return true;
}

/* Ranges of a tile's points and of tiles; false if integers cannot hold them. */
static bool find_ranges(struct zoid_wavefront *w)
{
    enum { MOST = 1 << 28 };
    bool held = w->nest.steps <= MOST;
    long all = 0;

    for (int a = 0; a < w->nest.axes; a++)
        held &= w->n[a] <= MOST;
    for (int k = 0; k < w->rows && held; k++) {
        long lo = 0, hi = 0;

        for (int i = 0; i < w->rows; i++) {
            lo += w->nest.shape.phi[k][i] * (i ? 1l : 0l);
            hi += w->nest.shape.phi[k][i] * (i ? w->n[i - 1] - 2 : w->nest.steps - 1);
            w->before[i] += zoid_min(w->inverse[i][k], 0) * (w->tile[k] - 1l);
            w->after[i] += zoid_max(w->inverse[i][k], 0) * (w->tile[k] - 1l);
        }
        w->first[k] = zoid_floor_div(lo, w->tile[k]);
        w->last[k] = zoid_floor_div(hi, w->tile[k]);
        all += hi + w->tile[k];
    }
    for (int i = 0; i < w->rows; i++)
        for (int k = 0; k < w->rows; k++)
            if (labs(w->inverse[i][k]) * all > 4l * MOST)
                return false;
    return held && all <= MOST;
}

const char *zoid_wavefront_make(const struct zoid_wavefront_nest *nest, const int *tile,
                                struct zoid_wavefront *w)
{
    const char *reason = wrong_rows(nest, 1 + nest->axes);

    *w = (struct zoid_wavefront){.nest = *nest, .rows = 1 + nest->axes};
    if (reason)
        return reason;
    if (!invert(w))
        return "have no inverse in integers";
    w->balanced = orders_all(nest, w->rows);
    w->empty = nest->steps < 1;
    for (int a = 0; a < nest->axes; a++) {
        w->n[a] = nest->n[nest->axes - 1 - a];
        w->empty |= w->n[a] < 3;
    }
    memcpy(w->tile, tile, (size_t)w->rows * sizeof *tile);
    if (w->empty)
        return NULL;
    if (!find_ranges(w))
        return "give coordinates above 2^28";
    return zoid_wavefront_find_bounds(w) ? NULL : "need too many bounds";
}

long zoid_wavefront_waves(const struct zoid_wavefront *w)
{
    long waves = w->tile[0];

    for (int k = 1; k < w->rows && !w->balanced; k++)
        waves += w->tile[k] - 1;
    return waves;
}

long zoid_wavefront_extent(const struct zoid_wavefront *w, int axis)
{
    long extent = 3;

    for (int k = 0; k < w->rows; k++)
        extent += labs(w->inverse[1 + axis][k]) * (w->tile[k] - 1l);
    return extent;
}

double zoid_wavefront_box(const struct zoid_wavefront *w)
{
    double points = 1;

    for (int a = 0; a < w->nest.axes; a++)
        points *= (double)zoid_wavefront_extent(w, a);
    return points;
}

/* ---- a tile --------------------------------------------------------------------------------- */

/* Bounds of variable v, of which those before are known: x. */
static struct zoid_wavefront_range range_of(const struct zoid_wavefront_bounds *b, int v,
                                            const long *x, const long *first)
{
    struct zoid_wavefront_range r = {LONG_MIN / 2, LONG_MAX / 2};

    for (int i = 0; i < b->n && r.lo <= r.hi; i++) {
        const struct zoid_wavefront_bound *one = &b->bound[i];
        long rest = one->constant;

        for (int k = 0; k < M; k++)
            rest += one->tile[k] * first[k];
        for (int j = 0; j < v; j++)
            rest += one->at[j] * x[j];
        if (one->at[v] > 0)
            r.lo = zoid_max(r.lo, zoid_wavefront_ceil(-rest, one->at[v]));
        else if (one->at[v] < 0)
            r.hi = zoid_min(r.hi, zoid_floor_div(rest, -one->at[v]));
        else if (rest < 0)
            r.hi = r.lo - 1;
    }
    return r;
}

static bool search(const struct zoid_wavefront *w, int v, long *x, const long *first)
{
    const struct zoid_wavefront_range r = range_of(&w->points[v], v, x, first);

    if (v == w->rows - 1)
        return r.lo <= r.hi;
    for (x[v] = r.lo; x[v] <= r.hi; x[v]++)
        if (search(w, v + 1, x, first))
            return true;
    return false;
}

static void first_of(const struct zoid_wavefront *w, const long *tau, long first[M])
{
    for (int k = 0; k < M; k++)
        first[k] = k < w->rows ? tau[k] * w->tile[k] : 0;
}

bool zoid_wavefront_live(const struct zoid_wavefront *w, const long *tau)
{
    long first[M], x[M] = {0};

    first_of(w, tau, first);
    return !w->empty && search(w, 0, x, first);
}

bool zoid_wavefront_full(const struct zoid_wavefront *w, const long *tau)
{
    bool full = !w->empty;

    for (int i = 0; i < w->rows && full; i++) {
        long x = 0;

        for (int k = 0; k < w->rows; k++)
            x += w->inverse[i][k] * tau[k] * w->tile[k];
        full = x + w->before[i] >= (i ? 1 : 0) &&
               x + w->after[i] <= (i ? w->n[i - 1] - 2 : w->nest.steps - 1);
    }
    return full;
}

void zoid_wavefront_span(const struct zoid_wavefront *w, const long *tau, long *first, long *last)
{
    long begin_at[M];
    struct zoid_wavefront_range r;

    first_of(w, tau, begin_at);
    r = range_of(&w->waves, 0, NULL, begin_at);
    *first = r.lo;
    *last = r.hi;
}
