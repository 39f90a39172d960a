/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/cpu/lane_block.h"

#include <string.h>

/* ---- 2-D: planes are rows -------------------------------------------------------------------- */

/* Returns a plane of time t, or a copy in `copy` if it may be overwritten before it is read: if a
 * slab is both read and written. */
static const char *flat_plane(const struct zoid_lanes *k, long plane, char *copy)
{
    long end;
    const char *from = zoid_lanes_given(k, k->t, plane, &end);

    if (!from)
        return k->zero;
    if (k->before || k->after)
        return from;
    return memcpy(copy, from, zoid_lanes_row_bytes(k));
}

void zoid_lanes_flat(struct zoid_lanes *k, char *memory)
{
    const size_t steps = (size_t)(k->n[0] + (ZOID_LANES + 1) * ZOID_LANE_LAG);
    struct zoid_lane_row row = {
        .params = k->run->params, .n = k->n[0], .lanes = k->used, .here = memory};
    char *const copy = memory + steps * k->vector * (k->rhs ? 2 : 1);

    row.b_here = memory + steps * k->vector;
    memset(memory, 0, (size_t)(copy - memory));
    zoid_lanes_begin(k, 0, ZOID_LANE_LAG, row.here);
    if (k->rhs)
        zoid_lanes_begin_rhs(k, 0, ZOID_LANE_LAG, row.b_here);
    row.up = flat_plane(k, k->from, copy + (k->from & 1 ? zoid_lanes_row_bytes(k) : 0));
    for (long z = k->from; z < k->to; z++) {
        long end;
        const char *b = zoid_lanes_rhs(k, z, &end);

        row.now = row.up;
        row.up = flat_plane(k, z + 1, copy + (z & 1 ? 0 : zoid_lanes_row_bytes(k)));
        row.b = b ? b : k->zero;
        row.computed = zoid_lanes_computed(k, z, 0);
        row.out = zoid_lanes_straight(k, z, 0);
        k->row(&row);
        zoid_lanes_leave(k, z, 0, ZOID_LANE_LAG, row.here, row.out != k->trash);
    }
}

/* ---- 3-D: planes of rows --------------------------------------------------------------------- */

/* A tile: rows [lo, hi) of steps, for all planes. The vectors of row y are at (y - lo + 1) of
 * `here`; row lo - 1 is the last one of the tile before, kept for each plane in `face`. */
struct tile {
    long lo, hi;
    size_t row; /* bytes per row of vectors */
    char *here, *older, *face, *now, *next;
    char *b_here, *b_older, *b_face;
};

long zoid_lanes_tile_rows(const struct zoid_lanes *k)
{
    const size_t row = (size_t)k->n[0] * k->vector * (k->rhs ? 2 : 1);

    return zoid_min(zoid_max((long)(k->cache / 4 * 3 / row), 8), k->n[1] + k->rows->lanes - 1);
}

/* Copies rows [lo, hi] of a plane of time t. */
static void copy_rows(const struct zoid_lanes *k, const struct tile *tile, long z, char *to)
{
    long end;
    const char *from = zoid_lanes_given(k, k->t, z, &end);
    const long hi = zoid_min(tile->hi + 1, k->n[1]);

    for (long y = tile->lo; y < hi && from; y++)
        memcpy(to + (size_t)(y - tile->lo) * zoid_lanes_row_bytes(k),
               from + (size_t)(y * k->run->layout->pitch) * k->size, zoid_lanes_row_bytes(k));
}

static void begin_tile(const struct zoid_lanes *k, const struct tile *tile)
{
    const size_t rows = (size_t)(tile->hi - tile->lo + 1);

    memset(tile->here, 0, rows * tile->row);
    if (k->rhs)
        memset(tile->b_here, 0, rows * tile->row);
    for (long y = tile->lo - 1; y < tile->hi; y++) {
        const size_t at = (size_t)(y - tile->lo + 1) * tile->row;

        zoid_lanes_begin(k, y, 0, tile->here + at);
        if (k->rhs)
            zoid_lanes_begin_rhs(k, y, 0, tile->b_here + at);
    }
}

/* Advances the row below the tile's first one to plane z. */
static void turn_face(const struct zoid_lanes *k, const struct tile *tile, long z, char *here,
                      char *older, const char *face)
{
    memcpy(older + (size_t)(tile->lo & 1 ? 0 : 1) * tile->row, here, tile->row);
    if (tile->lo > 0)
        memcpy(here, face + (size_t)(z - k->from) * tile->row, tile->row);
}

static void tile_plane(const struct zoid_lanes *k, const struct tile *t, long z)
{
    long end;
    const char *b = zoid_lanes_rhs(k, z, &end);

    for (long y = t->lo; y < t->hi; y++) {
        const size_t i = (size_t)(y - t->lo), older = y & 1 ? 0 : t->row, keep = t->row - older;
        struct zoid_lane_row row = {.params = k->run->params,
                                    .n = k->n[0],
                                    .lanes = k->used,
                                    .computed = zoid_lanes_computed(k, z, y),
                                    .here = t->here + (i + 1) * t->row,
                                    .below = t->here + i * t->row,
                                    .older = t->older + older,
                                    .keep = t->older + keep,
                                    .now = t->now + i * zoid_lanes_row_bytes(k),
                                    .north = t->now + (i + 1) * zoid_lanes_row_bytes(k),
                                    .up = t->next + i * zoid_lanes_row_bytes(k),
                                    .out = zoid_lanes_straight(k, z, y)};

        if (k->rhs) {
            row.b = b && y < k->n[1] ? b + (size_t)(y * k->run->layout->pitch) * k->size : k->zero;
            row.b_here = t->b_here + (i + 1) * t->row;
            row.b_older = t->b_older + older;
            row.b_keep = t->b_older + keep;
        }
        k->row(&row);
        zoid_lanes_leave(k, z, y, 0, row.here, row.out != k->trash);
    }
}

static void run_tile(const struct zoid_lanes *k, struct tile *t)
{
    char *const last = t->here + (size_t)(t->hi - t->lo) * t->row;
    char *const b_last = t->b_here + (size_t)(t->hi - t->lo) * t->row;

    begin_tile(k, t);
    copy_rows(k, t, k->from, t->now);
    for (long z = k->from; z < k->to; z++) {
        char *swap = t->now;

        turn_face(k, t, z, t->here, t->older, t->face);
        if (k->rhs)
            turn_face(k, t, z, t->b_here, t->b_older, t->b_face);
        copy_rows(k, t, z + 1, t->next);
        tile_plane(k, t, z);
        memcpy(t->face + (size_t)(z - k->from) * t->row, last, t->row);
        if (k->rhs)
            memcpy(t->b_face + (size_t)(z - k->from) * t->row, b_last, t->row);
        t->now = t->next;
        t->next = swap;
    }
}

void zoid_lanes_deep(struct zoid_lanes *k, char *memory)
{
    const long rows = zoid_lanes_tile_rows(k), end = k->n[1] + k->used - 1;
    const size_t row = (size_t)k->n[0] * k->vector, planes = (size_t)(k->to - k->from);
    const size_t all = (size_t)rows + 3 + planes;
    struct tile t = {.row = row, .here = memory};

    t.older = t.here + (size_t)(rows + 1) * row;
    t.face = t.older + 2 * row;
    t.b_here = t.here + (k->rhs ? all * row : 0);
    t.b_older = t.b_here + (size_t)(rows + 1) * row;
    t.b_face = t.b_older + 2 * row;
    t.now = t.b_here + all * row;
    t.next = t.now + (size_t)(rows + 1) * zoid_lanes_row_bytes(k);
    memset(t.now, 0, 2 * (size_t)(rows + 1) * zoid_lanes_row_bytes(k));
    for (t.lo = 0; t.lo < end; t.lo = t.hi) {
        t.hi = zoid_min(t.lo + rows, end);
        run_tile(k, &t);
    }
}
