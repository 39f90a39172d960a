/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/cpu/lane_block.h"

#include <limits.h>
#include <string.h>

static double value_at(const struct zoid_lanes *k, const char *at)
{
    zoid_f32 f32;
    zoid_f64 f64;

    memcpy(&f32, at, sizeof f32);
    if (k->size == sizeof f32)
        return (double)f32;
    memcpy(&f64, at, sizeof f64);
    return f64;
}

typedef const char *find_fn(const struct zoid_lanes *k, long t, long plane, long *end);

static const char *find_rhs(const struct zoid_lanes *k, long t, long plane, long *end)
{
    (void)t;
    return zoid_lanes_rhs(k, plane, end);
}

/* Copies points [lo, hi) of a line, as far as they exist. */
static void gather(const struct zoid_lanes *k, find_fn *find, long lo, long hi, char *to)
{
    while (lo < hi) {
        long end = lo + 1;
        const char *from = find(k, k->t, lo, &end);
        const size_t count = (size_t)(zoid_min(end, hi) - lo);

        if (from)
            memcpy(to, from, count * k->size);
        to += count * k->size;
        lo += (long)count;
    }
}

/* Returns the line's first point, which is constant, from any time at which it was given. */
static const char *first_point(const struct zoid_lanes *k)
{
    const char *at = NULL;
    long end;

    for (long t = k->t; t <= k->t + k->used && !at; t++)
        at = zoid_lanes_given(k, t, 0, &end);
    return at;
}

/* Sets the ranges of points of all lanes; returns the first step. */
static long line_lanes(const struct zoid_lanes *k, struct zoid_lane_row *row)
{
    const long n = k->n[0];
    long first = LONG_MAX, end;

    /* Lane 0 passes over all points, so that the other lanes get their right-hand sides from it. */
    for (int l = 0; l < k->used; l++)
        first = zoid_min(first, zoid_max(k->lo[l], 1) - 1);
    row->tail = LONG_MAX;
    for (int l = 0; l < ZOID_LANES; l++) {
        const bool used = l < k->used;
        const char *below = NULL;

        row->lo[l] = used ? zoid_max(k->lo[l], 1) - first : LONG_MAX / 2;
        row->hi[l] = used ? zoid_min(k->hi[l], n - 1) - first : LONG_MAX / 2;
        if (used && k->lo[l] > 0)
            below = zoid_lanes_given(k, k->t + 1 + l, k->lo[l] - 1, &end);
        else if (used)
            below = first_point(k);
        row->given[l] = below ? value_at(k, below) : 0;
        if (used)
            row->tail = zoid_min(row->tail, zoid_max(row->hi[l] - 1 + l * ZOID_LANE_LAG, 0));
    }
    return first;
}

/* Stores the last points of lanes that parts want. */
static void leave_line(const struct zoid_lanes *k, const struct zoid_lane_row *row, long first)
{
    for (int l = 0; l < k->used; l++)
        for (long p = k->lo[l]; p < k->hi[l]; p++) {
            const long step = p - first + l * ZOID_LANE_LAG;
            long end;
            char *to;

            if (step < row->tail)
                p = row->tail + first - l * ZOID_LANE_LAG - 1;
            else
                for (size_t i = 0; (to = zoid_lanes_wanted(k, k->t + 1 + l, p, &i, &end)); i++)
                    memcpy(to,
                           (char *)row->here + (size_t)(1 + step - row->tail) * k->vector +
                               (size_t)l * k->size,
                           k->size);
        }
}

static void store_line(const struct zoid_lanes *k, long lo, long hi, const char *from)
{
    while (lo < hi) {
        long end = lo + 1;
        char *to = zoid_lanes_destination(k, lo, &end);
        const size_t count = (size_t)(zoid_min(end, hi) - lo);

        if (to)
            memcpy(to, from, count * k->size);
        from += count * k->size;
        lo += (long)count;
    }
}

/* Stores the last lane's points to messages for other ranks. */
static void store_halos(const struct zoid_lanes *k, long lo, long hi, const char *from)
{
    const long t = k->t + k->used;

    for (size_t i = 0; i < k->run->nparts && !k->after; i++) {
        const struct zoid_part *part = &k->run->part[i];
        long end;

        for (long p = lo; part->writes && part->halo && p < hi; p++)
            if (zoid_view_has(&part->out, t, p))
                memcpy(zoid_lanes_in_part(k, part, &part->out, t, p, &end),
                       from + (size_t)(p - lo) * k->size, k->size);
    }
}

void zoid_lanes_line(struct zoid_lanes *k)
{
    char *const memory = k->memory;
    struct zoid_lane_row row = {.params = k->run->params, .lanes = k->used};
    const int last = k->used - 1;
    const long first = line_lanes(k, &row), lag = last * ZOID_LANE_LAG;
    const long n = k->hi[last] - first + lag, room = n + 2 * ZOID_LANE_LAG;
    char *now = memory + (size_t)(lag + 4 * ZOID_LANES + 2) * k->vector;
    char *b = now + (size_t)room * k->size, *out = b + (size_t)room * k->size;

    row.n = n;
    memset(now, 0, 2 * (size_t)room * k->size);
    gather(k, zoid_lanes_given, zoid_max(first, 0), zoid_min(k->hi[0] + 1, k->n[0]),
           now + (size_t)(zoid_max(first, 0) - first) * k->size);
    if (k->rhs)
        gather(k, find_rhs, zoid_max(first, 0), k->hi[0],
               b + (size_t)(zoid_max(first, 0) - first) * k->size);
    row.here = memory;
    row.now = now;
    row.b = b;
    row.out = out;
    k->row(&row);
    store_line(k, k->lo[last], k->hi[last], out + (size_t)(k->lo[last] - first + lag) * k->size);
    store_halos(k, k->lo[last], k->hi[last], out + (size_t)(k->lo[last] - first + lag) * k->size);
    leave_line(k, &row, first);
}
