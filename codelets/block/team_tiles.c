/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles of a block by a team, behind one another.
 *
 *     z ^   tile j    j + 1    j + 2     A member takes a tile for a group of the block's times,
 *       |    4 4       3 3      2 2      which march up (codelets/block/wavefront.h). At each time
 * it stays |    4 4       3 3      2 2      behind the tile before, and behind the member that has
 * the
 *       +---------------------------->   same tile at the times before. Numbers: planes done.
 *                                   y
 * Tiles lean against the order in which they begin, so one reads nothing that those after it
 * compute. Those ahead have passed, at all times, the planes that it is at, so they read nothing
 * that it overwrites.
 *
 * All groups of some neighbouring tiles go side by side, so that what one group leaves the next one
 * finds in a cache. The list of these pieces, a row of tiles after the other, group after group,
 * has each piece after those that it waits for. So whoever takes the next one may wait, whatever
 * the number of members. */
#include "codelets/block/team_tiles.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "codelets/block/list.h"
#include "codelets/block/tile.h"

struct shared {
    const struct zoid_runner *r;
    const struct zoid_tiles *tiles;
    long n, times, groups;
    const long *start;        /* of each group, from 0; then the number of times */
    long abreast;             /* tiles of a row */
    long less;                /* rows that the first one of them has fewer */
    struct zoid_front *front; /* by tile, then by time */
    _Atomic long next;        /* piece that nobody has taken */
    _Atomic int error;
};

long zoid_team_height(int team, long groups, long rows, long least, long most)
{
    enum { SWEEPS = 8 }; /* pieces of a member, so that the last ones keep few members waiting */

    return zoid_max(zoid_min(rows * groups / ((long)SWEEPS * team), most), least);
}

double zoid_team_excess(int team, double planes, double rows, double times,
                        const struct zoid_shape *shape, long skew)
{
    /* What members wait for one another, on 16 Xeon cores. */
    const double waits = 0.2 * (1 - 1.0 / team);
    const double groups = fmin(times, ZOID_TEAM_GROUPS);
    const double height = (double)zoid_team_height(team, (long)groups, (long)rows,
                                                   ZOID_TILE_LEAST_MARCHING * skew, LONG_MAX);
    const double sweeps = ceil((rows + times * (double)skew) / height * groups / team);
    long lo, hi;
    double begin;

    if (team < 2)
        return 1;
    zoid_chain_reach(shape, &lo, &hi);
    /* The last member begins so many planes behind the first. */
    begin = 2 * team + times * (double)zoid_max(lo, hi);
    return (1 + waits) * (sweeps * planes + begin) * team * height / (rows * groups * planes);
}

static struct zoid_front *front_of(const struct shared *s, long tile)
{
    return tile < 0 ? NULL : s->front + tile * s->times;
}

/* Waits until a tile has ended. */
static void await_end(const struct shared *s, long tile, struct zoid_team_wait *wait)
{
    if (tile >= 0)
        zoid_team_await(front_of(s, tile) + s->times - 1, LONG_MAX, wait);
}

/* Returns the first row of a tile. */
static long begin_of(const struct shared *s, long tile)
{
    const long rows = (tile + s->abreast - 1) / s->abreast;

    return s->tiles->lo + tile * s->tiles->height - rows * s->less;
}

/* Computes a group of times of a tile. */
static void compute(const struct shared *s, struct zoid_runner *r, long tile, long group,
                    struct zoid_team_wait *wait)
{
    const struct zoid_fronts fronts = {
        .own = front_of(s, tile), .before = front_of(s, tile - 1), .wait = wait};
    const long t0 = r->run->zoid.t0;

    await_end(s, tile - s->tiles->open, wait);
    r->tile.lo = begin_of(s, tile);
    r->tile.hi = begin_of(s, tile + 1);
    r->tile.skew = s->tiles->skew;
    zoid_list_start(r);
    for (long t = 0; t < s->start[group]; t++)
        zoid_wavefront_past(r, t0 + t + 1);
    zoid_wavefront(r, t0 + s->start[group], s->start[group + 1] - s->start[group], &fronts);
}

static void member(void *arg, int number)
{
    struct shared *s = arg;
    const size_t room = zoid_list_room(zoid_run_whole(s->r->run));
    const long row = s->abreast * s->groups, end = s->n * s->groups;
    struct zoid_segment in[ZOID_MAX_GROUPS + 1][room], out[room], updated[room];
    struct zoid_team_wait wait = {0};
    struct zoid_runner r = *s->r;
    long i;

    (void)number;
    r.out.segment = out;
    r.updated.segment = updated;
    for (int g = 0; g <= r.groups.n; g++)
        r.in[g].segment = in[g];
    while ((i = atomic_fetch_add_explicit(&s->next, 1, memory_order_relaxed)) < end)
        compute(s, &r, i / row * s->abreast + i % s->abreast, i % row / s->abreast, &wait);
    if (r.error)
        atomic_store(&s->error, r.error);
    zoid_team_spent(r.run->team, &wait);
}

/* Cuts the tiles into rows. Of the first one of a row the rows from the tile before have left the
 * caches, which the others find there: it is lower, since all of them wait for it. */
static void cut(struct shared *s)
{
    const struct zoid_tiles *tiles = s->tiles;
    const long team = zoid_team_size(s->r->run->team);
    long height;

    s->abreast = zoid_max(zoid_min((team + s->groups - 1) / s->groups, tiles->open), 1);
    s->less = s->abreast > 1 ? zoid_min(3 * tiles->skew, tiles->height / 2) : 0;
    height = s->abreast * tiles->height - s->less;
    s->n = (tiles->hi - tiles->lo + height - 1) / height * s->abreast;
}

bool zoid_team_tiles(struct zoid_runner *r, const struct zoid_tiles *tiles)
{
    const long times = r->run->zoid.t1 - r->run->zoid.t0;
    const long groups = (times + r->wavefront - 1) / r->wavefront;
    long start[groups + 1];
    struct shared s = {.r = r, .tiles = tiles, .times = times, .groups = groups, .start = start};

    start[0] = 0;
    for (long g = 0; g < groups; g++)
        start[g + 1] = start[g] + (times - start[g] + groups - g - 1) / (groups - g);
    cut(&s);
    s.front = aligned_alloc(ZOID_LINE, (size_t)(s.n * times) * sizeof *s.front);
    if (!s.front)
        return false;
    for (long i = 0; i < s.n * times; i++)
        atomic_init(&s.front[i].at, LONG_MIN);
    zoid_team_call(r->run->team, member, &s);
    r->error = s.error;
    free(s.front);
    return true;
}
