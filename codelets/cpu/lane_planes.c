/* SPDX-License-Identifier: BSD-3-Clause */
/* Planes of steps by a pipeline of threads, the members of a team, or by one core.
 *
 *      2-D: a row of steps              3-D: a plane of rows of steps
 *     |0 0 0|1 1 1|2 2 2|3 3 3|         y ^  3 3 3 3    each part waits for the one before it to be
 *      row z  z - 1 z - 2 z - 3           |  1 1 1 1    a row (3-D: a plane) ahead, and for nothing
 *                                         |  0 0 0 0    after it
 *
 * A point takes its neighbours that are relaxed already from the part before, and the others from
 * its own part's row or plane before: those of later parts, which lane 0 reads from memory, are
 * read before a later part overwrites them. */
#include "codelets/cpu/lane_block.h"

#include <string.h>

static int members(const struct zoid_lanes *k)
{
    return zoid_team_size(k->run->team);
}

/* ---- 2-D: planes are rows -------------------------------------------------------------------- */

/* Rows that a member may be ahead of the next one, whose row it leaves steps for. */
enum { AHEAD = 16 };
/* Rows until one that is prefetched is read, and rows that a member waits for at once: the next
 * ones are then ready, and their carried steps can be prefetched. */
enum { SOON = 3, AT_ONCE = 4 };

long zoid_lanes_begin_of(long all, int members, int number)
{
    enum { LEAST = 2, SLOW = ZOID_LANES };
    const long lags = (all + ZOID_LANE_LAG - 1) / ZOID_LANE_LAG;
    const long parts = zoid_max(zoid_min(lags / LEAST, members), 1);
    const long slow = lags > 2 * SLOW ? SLOW : 0, sum = lags + 2 * slow;
    const long before = number * sum / parts;
    long lag = before - slow;

    if (number >= parts)
        return all;
    if (before < 2 * slow)
        lag = before / 2;
    else if (sum - before < 2 * slow)
        lag = lags - (sum - before) / 2;
    return lag * ZOID_LANE_LAG;
}

/* Vectors of a row of steps, some of which are beyond its end. */
static size_t flat_vectors(const struct zoid_lanes *k)
{
    return (size_t)(k->n[0] + (ZOID_LANES + 1) * ZOID_LANE_LAG);
}

static size_t flat_row(const struct zoid_lanes *k)
{
    return (zoid_lanes_row_bytes(k) + ZOID_LINE - 1) / ZOID_LINE * ZOID_LINE;
}

/* Addresses of a row of steps, an index that all threads share: finding them takes as long as some
 * columns of the stencil. */
struct found {
    const char *given; /* of time t; NULL: there is none */
    const char *b;
    char *out;
    unsigned computed;
    bool wanted; /* by parts, besides `out` */
};

/* Bytes of the buffers; the addresses of rows are at this offset of the memory. */
static size_t before_rows(const struct zoid_lanes *k)
{
    return (k->rhs ? 2 : 1) * flat_vectors(k) * k->vector + 2 * flat_row(k) +
           (size_t)members(k) * (AHEAD * k->rows->carried + ZOID_LANE_LAG * k->vector);
}

size_t zoid_lanes_flat_bytes(const struct zoid_lanes *k, long planes)
{
    return before_rows(k) + (size_t)(planes + ZOID_LANES + 1) * sizeof(struct found);
}

/* Returns the addresses of rows, indexed from k->from on. */
static struct found *found_rows(const struct zoid_lanes *k)
{
    return (struct found *)(k->memory + before_rows(k));
}

/* A member's part of the rows of steps. */
struct flat {
    const struct zoid_lanes *k;
    int number;
    bool first, last;
    struct zoid_lane_row row;
    char *copy, *carried; /* two rows; steps left by all members, AHEAD each, and kept by them */
    const struct found *found; /* from row k->from on */
    long before, after;        /* rows that the parts before and after have done, as last seen */
    struct zoid_team_wait wait;
};

static void prefetch(const char *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += ZOID_LINE)
        __builtin_prefetch(from + i);
}

/* Prefetches columns of a plane: a part has too few of them for a core to see that rows follow. */
static void prefetch_plane(const struct flat *f, long plane, long lo, long hi)
{
    const struct zoid_lanes *k = f->k;
    const char *from = plane <= k->to ? f->found[plane - k->from].given : NULL;

    if (from)
        prefetch(from + (size_t)lo * k->size, (size_t)(hi - lo) * k->size);
}

/* Returns a plane of time t, of which the columns that a part reads as it passes are copied if they
 * may be overwritten before they are read again: if a slab is both read and written. */
static const char *flat_plane(const struct flat *f, long plane)
{
    const struct zoid_lanes *k = f->k;
    const long lo = f->first ? 0 : f->row.begin + ZOID_LANE_LAG;
    const long hi = f->last ? k->n[0] : zoid_min(f->row.end + ZOID_LANE_LAG, k->n[0]);
    char *const copy = f->copy + (plane & 1 ? flat_row(k) : 0);
    const char *from = f->found[plane - k->from].given;

    if (!from)
        return k->zero;
    if (k->before || k->after)
        return from;
    if (lo < hi && members(k) > 1)
        prefetch_plane(f, plane + SOON, lo, hi);
    if (lo < hi)
        memcpy(copy + (size_t)lo * k->size, from + (size_t)lo * k->size,
               (size_t)(hi - lo) * k->size);
    return copy;
}

static char *carried(const struct flat *f, int number, long z)
{
    return f->carried + (size_t)(number * AHEAD + (z - f->k->from) % AHEAD) * f->k->rows->carried;
}

/* Bytes that a part takes in every row but the first. */
static size_t taken_bytes(const struct zoid_lanes *k)
{
    return (1 + (k->rhs ? 2 : 1) * ZOID_LANE_LAG) * k->vector;
}

/* Waits until the part before has left row z, and the part after has taken the one whose place this
 * part's steps take. */
static void flat_await(struct flat *f, long z)
{
    struct zoid_front *own = f->k->front + f->number;

    f->row.first = z == f->k->from;
    f->row.taken = f->first ? NULL : carried(f, f->number - 1, z);
    f->row.left = f->last ? NULL : carried(f, f->number, z);
    if (!f->first && f->before <= z)
        f->before = zoid_team_await(own - 1, zoid_min(z + AT_ONCE, f->k->to), &f->wait);
    if (!f->last && f->after <= z - AHEAD)
        f->after = zoid_team_await(own + 1, z + 1 - AHEAD, &f->wait);
    if (!f->first && f->before > z + 1)
        prefetch(carried(f, f->number - 1, z + 1), taken_bytes(f->k));
}

/* A part's vectors of a row of steps, or of the right-hand side. */
static struct zoid_lane_vectors flat_part_of(const struct flat *f, const char *first)
{
    return (struct zoid_lane_vectors){first, ZOID_LANE_LAG, f->row.begin, f->row.end};
}

/* Loads the lanes of a part, which are zeros up to `end`. */
static void flat_begin(const struct flat *f, long end)
{
    const struct zoid_lanes *k = f->k;
    const struct zoid_lane_vectors here = flat_part_of(f, f->row.here);
    const struct zoid_lane_vectors b = flat_part_of(f, f->row.b_here);
    const size_t at = (size_t)f->row.begin * k->vector;
    const size_t bytes = (size_t)(end - f->row.begin) * k->vector;

    memset((char *)f->row.here + at, 0, bytes);
    zoid_lanes_begin(k, 0, &here);
    if (k->rhs) {
        memset((char *)f->row.b_here + at, 0, bytes);
        zoid_lanes_begin_rhs(k, 0, &b);
    }
}

static void flat_rows(struct flat *f)
{
    const struct zoid_lanes *k = f->k;
    struct zoid_lane_row *row = &f->row;
    const struct zoid_lane_vectors v = flat_part_of(f, row->here);

    row->up = flat_plane(f, k->from);
    for (long z = k->from; z < k->to; z++) {
        const struct found *found = &f->found[z - k->from];

        flat_await(f, z);
        row->now = row->up;
        row->up = flat_plane(f, z + 1);
        row->b = found->b;
        row->computed = found->computed;
        row->out = found->out;
        k->row(row);
        if (found->wanted)
            zoid_lanes_leave(k, z, 0, &v, row->out != k->trash);
        zoid_team_publish(k->front + f->number, z + 1);
    }
}

/* Finds a member's share of the rows [k->from, k->to]. */
static void find_rows(void *arg, int number)
{
    const struct zoid_lanes *k = arg;
    const long rows = k->to + 1 - k->from;
    struct found *found = found_rows(k) - k->from;

    for (long z = k->from + number * rows / members(k);
         z < k->from + (number + 1) * rows / members(k); z++) {
        long end;
        const char *b = zoid_lanes_rhs(k, z, &end);

        found[z] = (struct found){.given = zoid_lanes_given(k, k->t, z, &end),
                                  .b = b ? b : k->zero,
                                  .out = zoid_lanes_straight(k, z, 0),
                                  .computed = zoid_lanes_computed(k, z, 0)};
        found[z].wanted = zoid_lanes_wants(k, z, 0, found[z].out != k->trash);
    }
}

static void flat_part(void *arg, int number)
{
    const struct zoid_lanes *k = arg;
    const long all = k->n[0] + (k->used - 1) * ZOID_LANE_LAG;
    const size_t vectors = flat_vectors(k);
    struct flat f = {.k = k,
                     .found = found_rows(k),
                     .number = number,
                     .before = k->from,
                     .after = k->from,
                     .first = number == 0,
                     .row = {.params = k->run->params,
                             .n = k->n[0],
                             .lanes = k->used,
                             .here = k->memory,
                             .b_here = k->memory + vectors * k->vector,
                             .begin = zoid_lanes_begin_of(all, members(k), number),
                             .end = zoid_lanes_begin_of(all, members(k), number + 1)}};

    if (f.row.begin >= f.row.end)
        return;
    f.last = f.row.end == all;
    f.copy = k->memory + (k->rhs ? 2 : 1) * vectors * k->vector;
    f.carried = f.copy + 2 * flat_row(k);
    f.row.kept = f.carried + (size_t)members(k) * AHEAD * k->rows->carried +
                 (size_t)(number * ZOID_LANE_LAG) * k->vector;
    flat_begin(&f, f.last ? (long)vectors : f.row.end);
    flat_rows(&f);
    zoid_team_spent(k->run->team, &f.wait);
}

void zoid_lanes_flat(struct zoid_lanes *k)
{
    zoid_team_call(k->run->team, find_rows, k);
    zoid_team_call(k->run->team, flat_part, k);
}

/* ---- 3-D: planes of rows --------------------------------------------------------------------- */

/* A tile: rows [lo, hi) of steps, for all planes. The vectors of row y are at (y - lo + 1) of
 * `here`; row lo - 1 is the last one of the tile before, kept for each plane in `face`. */
struct tile {
    const struct zoid_lanes *k;
    long number, lo, hi;
    size_t row; /* bytes per row of vectors */
    char *here, *older, *face, *now, *next;
    char *b_here, *b_older, *b_face;
    struct zoid_team_wait wait;
};

static long deep_rows(const struct zoid_lanes *k)
{
    return k->n[1] + k->rows->lanes - 1;
}

/* Rows of a tile that stays in a core's own cache. */
static long rows_that_fit(const struct zoid_lanes *k)
{
    enum { LEAST = 8 };
    const size_t row = (size_t)k->n[0] * k->vector * (k->rhs ? 2 : 1);

    return zoid_max((long)(k->cache / 4 * 3 / row), LEAST);
}

long zoid_lanes_rows(long all, long fit, int members)
{
    const long rounds = (all + fit * members - 1) / (fit * members), tiles = rounds * members;

    return members > 1 ? (all + tiles - 1) / tiles : zoid_min(fit, all);
}

static long tile_rows(const struct zoid_lanes *k)
{
    return zoid_lanes_rows(deep_rows(k), rows_that_fit(k), members(k));
}

long zoid_lanes_parts(const struct zoid_lanes *k)
{
    return k->dims == 3 ? (deep_rows(k) - 1) / tile_rows(k) + 1 : k->dims == 2 ? members(k) : 0;
}

/* Bytes of a member: its rows of vectors, planes of time t, and trash. */
static size_t member_bytes(const struct zoid_lanes *k)
{
    const size_t rows = (size_t)tile_rows(k), row = (size_t)k->n[0] * k->vector;
    const size_t bytes =
        (k->rhs ? 2 : 1) * (rows + 3) * row + (2 * (rows + 1) + 1) * zoid_lanes_row_bytes(k);

    return (bytes + ZOID_LINE - 1) / ZOID_LINE * ZOID_LINE;
}

/* Bytes of the rows that tiles leave one another, in that many planes of steps. */
static size_t face_bytes(const struct zoid_lanes *k, long planes)
{
    return (size_t)planes * (size_t)k->n[0] * k->vector;
}

size_t zoid_lanes_deep_bytes(const struct zoid_lanes *k, long planes)
{
    return (size_t)members(k) * member_bytes(k) +
           (k->rhs ? 2 : 1) * face_bytes(k, planes + ZOID_LANES);
}

/* Copies rows [lo, hi] of a plane of time t. */
static void copy_rows(const struct tile *tile, long z, char *to)
{
    const struct zoid_lanes *k = tile->k;
    long end;
    const char *from = zoid_lanes_given(k, k->t, z, &end);
    const long hi = zoid_min(tile->hi + 1, k->n[1]);

    for (long y = tile->lo; y < hi && from; y++)
        memcpy(to + (size_t)(y - tile->lo) * zoid_lanes_row_bytes(k),
               from + (size_t)(y * k->run->layout->pitch) * k->size, zoid_lanes_row_bytes(k));
}

static struct zoid_lane_vectors deep_vectors(const struct zoid_lanes *k, const char *row)
{
    return (struct zoid_lane_vectors){.first = row, .end = k->n[0]};
}

static void begin_tile(const struct tile *tile)
{
    const struct zoid_lanes *k = tile->k;
    const size_t rows = (size_t)(tile->hi - tile->lo + 1);

    memset(tile->here, 0, rows * tile->row);
    if (k->rhs)
        memset(tile->b_here, 0, rows * tile->row);
    for (long y = tile->lo - 1; y < tile->hi; y++) {
        const size_t at = (size_t)(y - tile->lo + 1) * tile->row;
        const struct zoid_lane_vectors here = deep_vectors(k, tile->here + at);
        const struct zoid_lane_vectors b = deep_vectors(k, tile->b_here + at);

        zoid_lanes_begin(k, y, &here);
        if (k->rhs)
            zoid_lanes_begin_rhs(k, y, &b);
    }
}

/* Advances the row below the tile's first one to plane z. */
static void turn_face(const struct tile *tile, long z, char *here, char *older, const char *face)
{
    memcpy(older + (size_t)(tile->lo & 1 ? 0 : 1) * tile->row, here, tile->row);
    if (tile->lo > 0)
        memcpy(here, face + (size_t)(z - tile->k->from) * tile->row, tile->row);
}

static void tile_plane(const struct tile *t, long z)
{
    const struct zoid_lanes *k = t->k;
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
        const struct zoid_lane_vectors here = deep_vectors(k, row.here);

        if (k->rhs) {
            row.b = b && y < k->n[1] ? b + (size_t)(y * k->run->layout->pitch) * k->size : k->zero;
            row.b_here = t->b_here + (i + 1) * t->row;
            row.b_older = t->b_older + older;
            row.b_keep = t->b_older + keep;
        }
        k->row(&row);
        zoid_lanes_leave(k, z, y, &here, row.out != k->trash);
    }
}

static void run_tile(struct tile *t)
{
    const struct zoid_lanes *k = t->k;
    struct zoid_front *front = k->front + t->number;
    char *const last = t->here + (size_t)(t->hi - t->lo) * t->row;
    char *const b_last = t->b_here + (size_t)(t->hi - t->lo) * t->row;

    begin_tile(t);
    copy_rows(t, k->from, t->now);
    for (long z = k->from; z < k->to; z++) {
        char *swap = t->now;

        if (t->number > 0)
            zoid_team_await(front - 1, z + 1, &t->wait);
        turn_face(t, z, t->here, t->older, t->face);
        if (k->rhs)
            turn_face(t, z, t->b_here, t->b_older, t->b_face);
        copy_rows(t, z + 1, t->next);
        tile_plane(t, z);
        memcpy(t->face + (size_t)(z - k->from) * t->row, last, t->row);
        if (k->rhs)
            memcpy(t->b_face + (size_t)(z - k->from) * t->row, b_last, t->row);
        zoid_team_publish(front, z + 1);
        t->now = t->next;
        t->next = swap;
    }
}

static void deep_member(void *arg, int number)
{
    const struct zoid_lanes *all = arg;
    struct zoid_lanes k = *all;
    const long rows = tile_rows(&k), end = k.n[1] + k.used - 1;
    const size_t row = (size_t)k.n[0] * k.vector, vectors = (size_t)(rows + 3) * row;
    struct tile t = {.k = &k, .row = row, .face = k.memory};

    t.b_face = t.face + face_bytes(&k, k.to - k.from);
    t.here = t.face + (k.rhs ? 2 : 1) * face_bytes(&k, k.to - k.from) +
             (size_t)number * member_bytes(&k);
    t.older = t.here + (size_t)(rows + 1) * row;
    t.b_here = t.here + (k.rhs ? vectors : 0);
    t.b_older = t.b_here + (size_t)(rows + 1) * row;
    t.now = t.b_here + vectors;
    t.next = t.now + (size_t)(rows + 1) * zoid_lanes_row_bytes(&k);
    k.trash = t.next + (size_t)(rows + 1) * zoid_lanes_row_bytes(&k);
    memset(t.now, 0, (size_t)(k.trash - t.now));
    for (t.number = number; t.number * rows < end; t.number += members(&k)) {
        t.lo = t.number * rows;
        t.hi = zoid_min(t.lo + rows, end);
        run_tile(&t);
    }
    zoid_team_spent(k.run->team, &t.wait);
}

void zoid_lanes_deep(struct zoid_lanes *k)
{
    zoid_team_call(k->run->team, deep_member, k);
}
