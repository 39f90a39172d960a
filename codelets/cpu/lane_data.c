/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/cpu/lane_block.h"
#include "codelets/cpu/lane_copy.h"

#include <assert.h>

/* ---- locations of planes ------------------------------------------------------------------- */

char *zoid_lanes_in_part(const struct zoid_lanes *k, const struct zoid_part *part,
                         const struct zoid_view *view, long t, long plane, long *end)
{
    *end = part->halo
               ? plane + 1
               : zoid_min(view->hi + view->drift * (t - view->t0), k->run->shape->n[k->dims - 1]);
    return zoid_lanes_plane(k->run, part, view, 0, t, plane);
}

const char *zoid_lanes_given(const struct zoid_lanes *k, long t, long plane, long *end)
{
    const struct zoid_part *part;
    const char *from;

    if (k->before && t == k->t && plane >= k->before_lo && plane < k->before_hi) {
        *end = k->before_hi;
        return k->before + (size_t)(plane - k->before_lo) * zoid_lanes_plane_bytes(k);
    }
    part = zoid_lanes_given_in(k->run, t, plane);
    if (!part)
        return NULL;
    from = zoid_lanes_in_part(k, part, &part->in, t, plane, end);
    for (size_t i = 0; i < k->run->nparts; i++) {
        const struct zoid_part *above = &k->run->part[i];

        if (above->reads && above->halo && above->in.t0 == t && above->in.lo > plane)
            *end = zoid_min(*end, above->in.lo);
    }
    return from;
}

const char *zoid_lanes_rhs(const struct zoid_lanes *k, long plane, long *end)
{
    const struct zoid_part *part = k->rhs ? zoid_lanes_coefficient_in(k->run, plane) : NULL;

    return part ? zoid_lanes_in_part(k, part, &part->in, part->in.t0, plane, end) : NULL;
}

char *zoid_lanes_wanted(const struct zoid_lanes *k, long t, long plane, size_t *i, long *end)
{
    for (; *i < k->run->nparts; (*i)++) {
        const struct zoid_part *part = &k->run->part[*i];

        if (part->writes && zoid_view_has(&part->out, t, plane))
            return zoid_lanes_in_part(k, part, &part->out, t, plane, end);
    }
    return NULL;
}

char *zoid_lanes_destination(const struct zoid_lanes *k, long plane, long *end)
{
    size_t i = 0;
    char *to = zoid_lanes_wanted(k, k->t + k->used, plane, &i, end);

    if (k->after) {
        *end = k->hi[k->used - 1];
        return k->after + (size_t)(plane - k->lo[k->used - 1]) * zoid_lanes_plane_bytes(k);
    }
    return to;
}

static bool in_box(const struct zoid_lanes *k, int lane, long plane)
{
    return lane < k->used && plane >= k->lo[lane] && plane < k->hi[lane];
}

/* ---- lanes of vectors ------------------------------------------------------------------------ */

/* Rows to copy into lanes of vectors, or out of them. */
struct exchange {
    int n;
    struct {
        int lane;
        char *row;
    } of[4 * ZOID_LANES];
};

static void add(struct exchange *e, int lane, const char *row)
{
    assert(e->n < 4 * ZOID_LANES);
    e->of[e->n].lane = lane;
    e->of[e->n++].row = (char *)row;
}

/* Copies all rows, in chunks of columns so that their vectors stay in the first-level cache. */
static void exchange(const struct zoid_lanes *k, const struct exchange *e, bool in,
                     const struct zoid_lane_vectors *v)
{
    enum { COLUMNS = 128 };
    const long lanes = k->rows->lanes;

    for (long first = v->begin; first < v->end && e->n; first += COLUMNS)
        for (int i = 0; i < e->n; i++) {
            const int l = e->of[i].lane;
            const long ahead = l * v->lag, lo = zoid_max(first - ahead, 0);
            const long hi = zoid_min(zoid_min(first + COLUMNS, v->end) - ahead, k->n[0]);
            char *lane = (char *)v->first + (size_t)(ahead + lo) * k->vector + (size_t)l * k->size;
            char *row = e->of[i].row + (size_t)lo * k->size;

            if (in)
                zoid_lane_put(k->size, lane, row, hi - lo, lanes);
            else
                zoid_lane_take(k->size, lane, row, hi - lo, lanes);
        }
}

void zoid_lanes_begin(const struct zoid_lanes *k, long y, const struct zoid_lane_vectors *vectors)
{
    struct exchange e = {.n = 0};

    for (int l = 0; l < k->used; l++) {
        const long row = y - (k->dims == 3 ? l : 0);
        const char *plane;
        long end;

        if (k->lo[l] == 0 || k->lo[l] + l != k->from || row < 0 || row >= k->n[1])
            continue;
        plane = zoid_lanes_given(k, k->t + 1 + l, k->lo[l] - 1, &end);
        assert(plane);
        add(&e, l, plane + (size_t)(row * k->run->layout->pitch) * k->size);
    }
    exchange(k, &e, true, vectors);
}

void zoid_lanes_begin_rhs(const struct zoid_lanes *k, long y,
                          const struct zoid_lane_vectors *vectors)
{
    struct exchange e = {.n = 0};

    for (int l = 0; l < k->used; l++) {
        const long row = y - (k->dims == 3 ? l : 0);
        long end;
        const char *plane = zoid_lanes_rhs(k, k->from - 1 - l, &end);

        if (plane && row >= 0 && row < k->n[1])
            add(&e, l, plane + (size_t)(row * k->run->layout->pitch) * k->size);
    }
    exchange(k, &e, true, vectors);
}

/* Lists the rows that parts want of a row of steps. */
static void find_wanted(const struct zoid_lanes *k, long z, long y, bool kept, struct exchange *e)
{
    e->n = 0;
    for (int l = 0; l < k->used; l++) {
        const long plane = z - l, row = y - (k->dims == 3 ? l : 0);
        const size_t at = (size_t)(row * k->run->layout->pitch) * k->size;
        long end;
        char *to;

        if (!in_box(k, l, plane) || row < 0 || row >= k->n[1])
            continue;
        if (l == k->used - 1 && k->after && !kept)
            add(e, l, zoid_lanes_destination(k, plane, &end) + at);
        for (size_t i = 0; (to = zoid_lanes_wanted(k, k->t + 1 + l, plane, &i, &end)); i++)
            if (!(kept && l == k->used - 1 && to == zoid_lanes_destination(k, plane, &end)))
                add(e, l, to + at);
    }
}

bool zoid_lanes_wants(const struct zoid_lanes *k, long z, long y, bool kept)
{
    struct exchange e;

    find_wanted(k, z, y, kept, &e);
    return e.n > 0;
}

void zoid_lanes_leave(const struct zoid_lanes *k, long z, long y,
                      const struct zoid_lane_vectors *vectors, bool kept)
{
    struct exchange e;

    find_wanted(k, z, y, kept, &e);
    exchange(k, &e, false, vectors);
}

unsigned zoid_lanes_computed(const struct zoid_lanes *k, long z, long y)
{
    const long n = k->run->shape->n[k->dims - 1];
    unsigned lanes = 0;

    for (int l = 0; l < k->used; l++) {
        const long row = y - l;

        if (in_box(k, l, z - l) && z - l > 0 && z - l < n - 1 &&
            (k->dims < 3 || (row > 0 && row < k->n[1] - 1)))
            lanes |= 1u << l;
    }
    return lanes;
}

char *zoid_lanes_straight(const struct zoid_lanes *k, long z, long y)
{
    const int last = k->used - 1;
    const long row = k->dims == 3 ? y - last : y;
    long end;

    if (!in_box(k, last, z - last) || row < 0 || row >= k->n[1])
        return k->trash;
    return zoid_lanes_destination(k, z - last, &end) +
           (size_t)(row * k->run->layout->pitch) * k->size;
}
