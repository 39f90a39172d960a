/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/cpu/skew_block.h"

#include "codelets/block/lanes.h"
#include "codelets/cpu/lane_copy.h"

/* ---- locations of rows ----------------------------------------------------------------------- */

static size_t at_row(const struct zoid_skew *k, long y)
{
    return (size_t)zoid_layout_at(k->run->layout, 0, k->chain == 2 ? y : 0) * k->size;
}

char *zoid_skew_in_part(const struct zoid_skew *k, const struct zoid_part *part,
                        const struct zoid_view *view, int field, long t, long plane, long y)
{
    return zoid_lanes_plane(k->run, part, view, field, t, plane) + at_row(k, y);
}

const char *zoid_skew_given(const struct zoid_skew *k, int field, long t, long plane, long y)
{
    const int state = k->run->op->nstate;
    const struct zoid_part *part;

    if (field < state && k->before.base && t == k->t && plane >= k->before.lo &&
        plane < k->before.hi)
        return k->before.base +
               (size_t)(field * k->most + plane - k->before.lo) * zoid_skew_plane_bytes(k) +
               at_row(k, y);
    if (field < state) {
        part = zoid_lanes_given_in(k->run, t, plane);
        return part ? zoid_skew_in_part(k, part, &part->in, field, t, plane, y) : NULL;
    }
    part = zoid_lanes_coefficient_in(k->run, plane);
    return part ? zoid_skew_in_part(k, part, &part->in, field - state, part->in.t0, plane, y)
                : NULL;
}

static char *step_at(const struct zoid_skew *k, int field, long z, long y)
{
    const long plane = ((z % k->planes) + k->planes) % k->planes + field * k->planes;
    const long row = plane * k->rows + (k->chain == 2 ? y + k->row_pad : 0);

    return k->ring + (size_t)(row * k->pitch + k->pad) * k->vector;
}

/* ---- a row of steps -------------------------------------------------------------------------- */

/* Returns the first point of a row in lane l; the stride is a step. */
static char *lane_of(const struct zoid_skew *k, int field, int l, long z, long y)
{
    return step_at(k, field, z, y) + (size_t)(l * k->by[0]) * k->vector + (size_t)l * k->size;
}

void zoid_skew_put(const struct zoid_skew *k, int field, int l, long z, long y, const char *row,
                   long n)
{
    zoid_lane_put(k->size, lane_of(k, field, l, z, y), row, n, k->lanes);
}

static void take(const struct zoid_skew *k, int field, int l, long z, long y, char *row)
{
    zoid_lane_take(k->size, lane_of(k, field, l, z, y), row, k->n[0], k->lanes);
}

static long plane_of(const struct zoid_skew *k, int l, long z)
{
    return z - l * k->by[k->chain];
}

static long row_of(const struct zoid_skew *k, int l, long y)
{
    return k->chain == 2 ? y - l * k->by[1] : 0;
}

static bool in_block(const struct zoid_skew *k, int l, long z)
{
    const long plane = plane_of(k, l, z);

    return l < k->used && plane >= k->lane[l].lo && plane < k->lane[l].hi;
}

static bool in_plane(const struct zoid_skew *k, int l, long y)
{
    const long row = row_of(k, l, y);

    return row >= 0 && row < (k->chain == 2 ? k->n[1] : 1);
}

void zoid_skew_begin_row(const struct zoid_skew *k, long z, long y)
{
    const int state = k->run->op->nstate;

    for (int l = 0; l < k->used; l++) {
        const long plane = plane_of(k, l, z), row = row_of(k, l, y);

        if (!in_plane(k, l, y))
            continue;
        for (int f = in_block(k, l, z) ? state : 0; f < (z < k->from ? k->fields : state); f++) {
            const long t = f < state ? k->t + 1 + l : k->t;
            const char *from = zoid_skew_given(k, f, t, plane, row);

            if (from)
                zoid_skew_put(k, f, l, z, y, from, k->n[0]);
        }
    }
}

/* Returns the row of the first part from *i on that receives a lane's points, or NULL. */
static char *destination(const struct zoid_skew *k, int field, int l, long z, long y, size_t *i)
{
    const long plane = plane_of(k, l, z), t = k->t + 1 + l;

    for (; *i < k->run->nparts; (*i)++) {
        const struct zoid_part *part = &k->run->part[*i];

        if (part->writes && zoid_view_has(&part->out, t, plane))
            return zoid_skew_in_part(k, part, &part->out, field, t, plane, row_of(k, l, y));
    }
    return NULL;
}

/* Returns the row to which the last lane's points are stored directly: in the buffer between
 * passes, or in a part. */
static char *straight(const struct zoid_skew *k, int field, long z, long y)
{
    const int l = k->used - 1;
    size_t i = 0;
    char *to;

    if (!in_block(k, l, z) || !in_plane(k, l, y))
        return k->trash;
    if (k->after.base)
        return k->after.base +
               (size_t)(field * k->most + plane_of(k, l, z) - k->after.lo) *
                   zoid_skew_plane_bytes(k) +
               at_row(k, row_of(k, l, y));
    to = destination(k, field, l, z, y, &i);
    return to ? to : k->trash;
}

unsigned zoid_skew_received(const struct zoid_skew *k, long z)
{
    unsigned lanes = 0;

    for (int l = 0; l < k->used; l++) {
        size_t i = 0;

        if (in_block(k, l, z) && destination(k, 0, l, z, l * k->by[1], &i))
            lanes |= 1u << l;
    }
    return lanes | (in_block(k, k->used - 1, z) ? 1u << (k->used - 1) : 0);
}

void zoid_skew_leave_row(const struct zoid_skew *k, long z, long y)
{
    for (unsigned left = k->received; left; left &= left - 1) {
        const int l = __builtin_ctz(left);

        if (!in_plane(k, l, y))
            continue;
        for (int f = 0; f < k->run->op->nstate; f++) {
            const char *done = l == k->used - 1 && k->writes >> f & 1 ? straight(k, f, z, y) : NULL;
            char *to;

            if (l == k->used - 1 && !done && (to = straight(k, f, z, y)) != k->trash)
                take(k, f, l, z, y, to);
            for (size_t i = 0; (to = destination(k, f, l, z, y, &i)); i++)
                if (to != done)
                    take(k, f, l, z, y, to);
        }
    }
}

/* Lanes that compute points of field f in a row of steps. */
static unsigned computing(const struct zoid_skew *k, int f, long z, long y)
{
    unsigned lanes = 0;

    for (int l = 0; l < k->used; l++) {
        const struct zoid_box *box = &k->lane[l].boxes.of[f];
        const long plane = plane_of(k, l, z), row = row_of(k, l, y);

        if (in_block(k, l, z) && plane >= box->lo[k->chain] && plane < box->hi[k->chain] &&
            (k->chain < 2 || (row >= box->lo[1] && row < box->hi[1])))
            lanes |= 1u << l;
    }
    return lanes;
}

void zoid_skew_run_row(const struct zoid_skew *k, long z, long y)
{
    const long above = z + k->by[k->chain], next = y + k->by[1];
    const long last = (k->used - 1) * k->by[0];
    struct zoid_skewed_row row = {.params = k->run->params,
                                  .domain = k->run->shape->n,
                                  .table = k->table,
                                  .count = k->n[0] + last,
                                  .lag = k->by[0],
                                  .pitch = k->pitch,
                                  .n = k->n[0],
                                  .last = k->used - 1,
                                  .whole = {last, k->n[0] - k->by[0]},
                                  .odd = (z + (k->chain == 2 ? y : 0)) & 1,
                                  .alternate = (k->by[0] + k->by[1] + k->by[2]) & 1};

    for (int f = 0; f < k->fields; f++) {
        const char *first = in_plane(k, 0, next) ? zoid_skew_given(k, f, k->t, above, next) : NULL;

        for (long i = -k->reach.lo[k->chain]; i <= k->reach.hi[k->chain]; i++)
            row.step[f][ZOID_SKEW_REACH + i] = step_at(k, f, z + i, y);
        row.next[f] = step_at(k, f, above, next);
        row.given[f] = first ? first : k->zero;
        if (!(k->writes >> f & 1))
            continue;
        row.out[f] = straight(k, f, z, y);
        row.lanes[f] = computing(k, f, z, y);
        row.x[f] = k->x[f];
        row.whole.lo = zoid_max(row.whole.lo, row.x[f].lo + last);
        row.whole.hi = zoid_min(row.whole.hi, row.x[f].hi);
    }
    row.whole.lo = zoid_min(row.whole.lo, row.count);
    row.whole.hi = zoid_max(row.whole.hi, row.whole.lo);
    k->row(&row);
}
