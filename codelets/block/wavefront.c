/* SPDX-License-Identifier: BSD-3-Clause */
/* Wavefront of times (pipelined steps).
 *
 *     t + 3    x x x 3 . . . . . .       each time computes a few planes per turn, at most as far
 *     t + 2    x x x x x 2 . . . .       up as the time before it has its inputs: numbers are
 *     t + 1    x x x x x x x 1 . .       computed next, x is done, . is not yet
 *     planes  ->
 *
 * The destinations and inputs of all times are listed before the first plane is computed; the order
 * of the wavefront satisfies the dependencies. Two halves of the scratch suffice: a time that is
 * two later lags behind the readers of the planes that it overwrites.
 *
 * If planes of all times are stored in the slab that the block updates, a time overwrites those of
 * the last time that wrote the same fields, as many planes further up as the slab has drifted
 * since:
 *
 *     slot     0   1   2   3   4   5
 *     t        2   3   4   5   6   7     u of t + 2 reads u of t at the point only. With a drift of
 *     t + 2    0   1   2   3   4   5     1 plane 3 overwrites plane 5 of t, no longer needed once
 *                                        planes from 5 on are computed
 *
 * Such times therefore go downwards, or upwards if the slab drifts that way. Intermediate times
 * read planes of t within the reach, and each is ahead of the next one by that distance. */
#include "codelets/block/wavefront.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/block/stage.h"
#include "codelets/op/traits.h"

/* One time of the wavefront. */
struct level {
    int g; /* group that it writes, or all (-1) */
    struct zoid_sweep sweep;
    struct zoid_extent now;
    long lo, hi;                       /* planes left to compute */
    long batch;                        /* planes per turn */
    bool last;                         /* its output may go to a slab that holds planes of t0 */
    bool bare;                         /* none of the rows are in the tile */
    size_t given[ZOID_MAX_GROUPS + 1]; /* inputs, without planes that stand for others */
    struct zoid_list out;
};

struct wavefront {
    struct zoid_runner *r;
    const struct zoid_fronts *fronts;
    long t, n; /* times t + 1 ... t + n */
    struct level *level;
    long reach; /* of any stage, along the chain axis */
    bool down;  /* from the highest plane down */
    /* Plane z of t1 overwrites plane z + shift of t0 in the slab that the block updates: the
     * largest shift of any such slab; LONG_MIN if there is none. */
    long shift;
    long read_until; /* the last time that reads it */
};

/* Planes of a time that are computed per turn. */
static long stride_of(const struct zoid_runner *r)
{
    const long batch = r->device->batch;
    const long points = (r->tile.hi - r->tile.lo) * zoid_layout_rows(r->run->layout, 1);

    return points > 0 && !r->in_slabs ? zoid_max(r->device->stride / points, batch) : batch;
}

static long slab_shift(const struct zoid_runner *r)
{
    const struct zoid_block_args *run = r->run;
    long shift = LONG_MIN;

    for (size_t i = 0; i < run->nparts; i++) {
        const struct zoid_part *part = &run->part[i];

        if (zoid_part_updated(part))
            shift = zoid_max(shift, zoid_slab_shift(r, part));
    }
    return shift;
}

/* Returns the number of planes that time t may compute per turn, so that no plane overwrites fields
 * that another one still reads at its point. A sweep of `abreast` planes, or of one, handles that
 * itself. */
static long batch_of(const struct zoid_runner *r, long t)
{
    const struct zoid_block_args *run = r->run;
    const struct zoid_op *op = run->op;
    const long from = run->zoid.t0, times = run->zoid.t1 - from;
    const int g = zoid_op_written(op, zoid_stage_of(op, t));
    long batch = stride_of(r), before = t - 1;

    while (before > from && zoid_op_written(op, zoid_stage_of(op, before)) != g)
        before--;
    for (size_t i = 0; i < run->nparts && r->in_slabs; i++)
        if (zoid_part_updated(&run->part[i])) {
            long drift = labs(zoid_slab_shift(r, &run->part[i])) / times;

            batch = drift ? zoid_min(batch, drift * (t - before)) : batch;
        }
    return batch;
}

/* Begins time t and lists its destinations. */
static struct zoid_sweep begin_time(struct zoid_runner *r, long t, int g)
{
    const struct zoid_sweep sweep = zoid_stage_begin(r, t, g);

    zoid_list_outputs(r, &(struct zoid_computing){t - 1, t, t, g, t < r->run->zoid.t1});
    return sweep;
}

/* Lists the destinations and inputs of time t; `out` and `in` have room for that many segments
 * each. */
static void make_level(struct wavefront *m, long t, size_t room, struct zoid_segment *out,
                       struct zoid_segment (*in)[room], struct level *level)
{
    struct zoid_runner *r = m->r;
    const struct zoid_op *op = r->run->op;
    const bool alone = !m->fronts;

    level->g = zoid_written_at(r, t);
    level->sweep = begin_time(r, t, level->g);
    level->now = r->now;
    level->bare = zoid_box_empty(&level->sweep.box);
    level->hi = r->now.hi;
    level->lo = zoid_min(level->bare && alone ? r->now.hi : r->now.lo, r->now.hi);
    level->batch = batch_of(r, t);
    level->last = t > r->run->zoid.t1 - op->nstages;
    level->out = (struct zoid_list){r->out.n, out};
    memcpy(out, r->out.segment, r->out.n * sizeof *out);
    for (int g = 0; g <= r->groups.n; g++)
        level->given[g] = r->in[g].n;
    zoid_list_inputs(r, &level->sweep);
    for (int g = 0; g <= r->groups.n; g++) {
        struct zoid_segments *list = &level->sweep.in[g];

        memcpy(in[g], list->segment, list->n * sizeof **in);
        list->segment = in[g];
    }
    zoid_list_expected(r, t, level->g);
}

/* Fronts of the time of level i; `times`: of a tile. */
static const struct zoid_front *front(const struct wavefront *m, const struct zoid_front *times,
                                      long i)
{
    return times + (m->t - m->r->run->zoid.t0) + i;
}

/* True if a time of a tile has passed planes [lo, hi) and `more` beyond. */
static bool passed(const struct wavefront *m, const struct zoid_front *time, long lo, long hi,
                   long more)
{
    return atomic_load_explicit(&time->at, memory_order_acquire) >=
           (m->down ? more - lo : hi + more);
}

/* True if the tile before has passed these planes at the time of level i, and this tile has at the
 * time before what the first level reads. So all tiles before have passed what this one is at, at
 * all times, although some have no rows there. */
static bool may_follow(const struct wavefront *m, long i, long lo, long hi)
{
    const struct zoid_fronts *f = m->fronts;

    if (f && f->before && !passed(m, front(m, f->before, i), lo, hi, 0))
        return false;
    return !f || i > 0 || m->t == m->r->run->zoid.t0 ||
           passed(m, front(m, f->own, -1), lo, hi, m->reach);
}

/* True if the last time that reads the slab that level i overwrites has read planes up to `hi`. */
static bool has_read(const struct wavefront *m, long i, long lo, long hi)
{
    const long until = zoid_min(m->read_until, m->t + i);
    const struct level *reader;

    if (!m->level[i].last || m->shift == LONG_MIN || until <= m->r->run->zoid.t0)
        return true;
    if (until <= m->t)
        return !m->fronts ||
               passed(m, front(m, m->fronts->own, until - m->t - 1), lo, hi, m->reach + m->shift);
    reader = &m->level[until - m->t - 1];
    return reader->lo == reader->hi || hi <= reader->lo - m->reach - m->shift;
}

/* True if a level may compute planes [lo, hi) now. Earlier levels have then read the planes that it
 * overwrites in the scratch or in a slab, since the level before is ahead by the reach. */
static bool may_compute(const struct wavefront *m, long i, long lo, long hi)
{
    const struct level *before = &m->level[i] - 1;

    if (i > 0 && before->lo < before->hi &&
        (m->down ? before->hi > lo - m->reach : before->lo < hi + m->reach))
        return false;
    return may_follow(m, i, lo, hi) && has_read(m, i, lo, hi);
}

/* Publishes how far a level is. */
static void publish(const struct wavefront *m, long i)
{
    const struct level *level = &m->level[i];
    const long at = level->lo == level->hi ? LONG_MAX : m->down ? -level->hi : level->lo;

    if (m->fronts)
        zoid_team_publish(&m->fronts->own[m->t - m->r->run->zoid.t0 + i], at);
}

/* Copies the planes of a level, of which r->out and r->now have a range, to the parts that want
 * them. */
static void hand_out(struct zoid_runner *r, const struct level *level)
{
    /* Unused here, since no stage has an order. */
    struct zoid_list list = r->updated;

    for (int g = 0; g < r->groups.n; g++) {
        if (level->g < 0 || g == level->g) {
            list.n = r->out.n;
            for (size_t i = 0; i < list.n; i++)
                list.segment[i] = zoid_of_group(r, r->out.segment[i], g);
        } else {
            list.n = level->given[g];
            memcpy(list.segment, level->sweep.in[g].segment, list.n * sizeof *list.segment);
            zoid_list_clip(r, &list, r->now.lo, r->now.hi);
        }
        zoid_scatter_planes(r, level->sweep.t, g, &list);
    }
}

/* Computes planes [lo, hi) of a level. */
static void compute(struct zoid_runner *r, struct level *level, long lo, long hi)
{
    struct zoid_sweep sweep = level->sweep;

    r->now = level->now;
    r->now.lo = lo;
    r->now.hi = hi;
    r->out.n = level->out.n;
    memcpy(r->out.segment, level->out.segment, level->out.n * sizeof *level->out.segment);
    zoid_list_clip(r, &r->out, lo, hi);
    if (r->out.n && !r->error) {
        sweep.box.lo[r->chain] = r->out.segment[0].lo;
        sweep.box.hi[r->chain] = r->out.segment[r->out.n - 1].hi;
        zoid_stage_sweep(r, &sweep, &r->out);
    }
    hand_out(r, level);
}

/* Most planes that a runner processes as a group: the values of a cache line. */
enum { GROUP_MOST = 16 };

/* Returns the planes of a group: large batches that consist of whole groups also end at a multiple
 * of one. */
static long group_of(const struct wavefront *m)
{
    const long batch = m->r->device->batch;

    return batch < GROUP_MOST ? 1 : zoid_min(batch & -batch, GROUP_MOST);
}

/* Returns the end of the batch that begins at `from`, or downwards the begin of the batch that ends
 * there; not past `end`. */
static long batch_end(const struct wavefront *m, const struct level *level, long from, long end)
{
    const long group = group_of(m);
    long to;

    if (m->down) {
        to = (from - level->batch + group - 1) / group * group;
        return zoid_max(end, to < from ? to : from - level->batch);
    }
    to = (from + level->batch) / group * group;
    return zoid_min(end, to > from ? to : from + level->batch);
}

/* Computes the next batch of a level; false if it may not or is complete. */
static bool advance(struct wavefront *m, long i)
{
    struct level *level = &m->level[i];
    long lo = level->lo, hi = level->hi;

    if (lo == hi)
        return false;
    if (m->down)
        lo = batch_end(m, level, hi, lo);
    else
        hi = batch_end(m, level, lo, hi);
    if (!may_compute(m, i, lo, hi))
        return false;
    if (!level->bare)
        compute(m->r, level, lo, hi);
    if (m->down)
        level->hi = lo;
    else
        level->lo = hi;
    publish(m, i);
    return true;
}

/* Computes all planes of all levels. */
static void in_turn(struct wavefront *m)
{
    bool more = true;

    while (more) {
        bool any = false;

        more = false;
        for (long i = 0; i < m->n; i++) {
            while (advance(m, i)) {
                any = true;
                if (i == 0)
                    break;
            }
            more |= m->level[i].lo < m->level[i].hi;
        }
        if (m->fronts && any)
            zoid_team_waited(m->fronts->wait);
        else if (m->fronts && more)
            zoid_team_wait(m->fronts->wait);
    }
}

void zoid_wavefront_past(struct zoid_runner *r, long t)
{
    const int g = zoid_written_at(r, t);

    begin_time(r, t, g);
    zoid_list_expected(r, t, g);
}

void zoid_wavefront(struct zoid_runner *r, long t, long n, const struct zoid_fronts *fronts)
{
    const size_t room = zoid_list_room(zoid_run_whole(r->run));
    struct zoid_segment in[n][ZOID_MAX_GROUPS + 1][room], out[n][room];
    struct level level[n];
    struct wavefront m = {.r = r,
                          .fronts = fronts,
                          .t = t,
                          .n = n,
                          .level = level,
                          .shift = LONG_MIN,
                          .read_until = zoid_slab_read_until(r)};
    long lo, hi;

    assert(n <= ZOID_WAVEFRONT_MOST);
    zoid_chain_reach(r->run->shape, &lo, &hi);
    m.reach = zoid_max(lo, hi);
    m.down = r->in_slabs && slab_shift(r) > 0;
    if (m.read_until > r->run->zoid.t0)
        m.shift = slab_shift(r);
    for (long i = 0; i < n; i++)
        make_level(&m, t + 1 + i, room, out[i], in[i], &level[i]);
    for (long i = 0; i < n; i++)
        if (level[i].lo == level[i].hi)
            publish(&m, i);
    in_turn(&m);
}
