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
#include "codelets/march.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* One time of the wavefront. */
struct level {
    int g; /* group that it writes, or all (-1) */
    struct zoid_sweep sweep;
    struct zoid_extent now;
    long lo, hi;                       /* planes left to compute */
    long batch;                        /* planes per turn */
    bool last;                         /* its output may go to a slab that holds planes of t0 */
    size_t given[ZOID_MAX_GROUPS + 1]; /* inputs, without planes that stand for others */
    struct zoid_list out;
};

struct march {
    struct zoid_runner *r;
    long n;
    struct level *level;
    long reach; /* of any stage, along the chain axis */
    bool down;  /* from the highest plane down */
    /* Plane z of t1 overwrites plane z + shift of t0 in the slab that the block updates: the
     * largest shift of any such slab; LONG_MIN if there is none. */
    long shift;
    long readers; /* number of levels, the first ones, that read it */
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
    const struct zoid_run *run = r->run;
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
    const struct zoid_run *run = r->run;
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

/* Lists the destinations and inputs of time t; `out` and `in` have room for that many segments
 * each. */
static void make_level(struct zoid_runner *r, long t, size_t room, struct zoid_segment *out,
                       struct zoid_segment (*in)[room], struct level *level)
{
    const struct zoid_op *op = r->run->op;

    level->g = zoid_written_at(r, t);
    level->sweep = zoid_begin(r, t, level->g);
    level->now = r->now;
    level->hi = r->now.hi;
    level->lo = zoid_box_empty(&level->sweep.box) ? r->now.hi : r->now.lo;
    level->batch = batch_of(r, t);
    level->last = t > r->run->zoid.t1 - op->nstages;
    zoid_list_outputs(r, &(struct zoid_computing){t - 1, t, t, level->g, t < r->run->zoid.t1});
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

/* True if a level may compute planes [lo, hi) now. Earlier levels have then read the planes that it
 * overwrites in the scratch or in a slab, since the level before is ahead by the reach. */
static bool may_compute(const struct march *m, long i, long lo, long hi)
{
    const struct level *level = &m->level[i], *before = level - 1, *reader;

    if (i == 0)
        return true;
    if (before->lo < before->hi &&
        (m->down ? before->hi > lo - m->reach : before->lo < hi + m->reach))
        return false;
    if (!level->last || m->readers == 0 || m->shift == LONG_MIN)
        return true;
    /* The last level that reads the slab is furthest behind. */
    reader = &m->level[zoid_min(m->readers, i) - 1];
    return reader->lo == reader->hi || hi <= reader->lo - m->reach - m->shift;
}

/* Copies the planes of a level, of which r->out and r->now have a range, to the parts that want
 * them. */
static void hand_out(struct zoid_runner *r, const struct level *level)
{
    /* Unused here, since no stage has an order. */
    struct zoid_list list = r->fresh;

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
        zoid_hand_out(r, level->sweep.t, g, &list);
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
        r->error = r->device->sweep(r->self, &sweep, r->out.n, r->out.segment);
    }
    hand_out(r, level);
}

/* Most planes that a runner processes as a group: the values of a cache line. */
enum { GROUP_MOST = 16 };

/* Returns the planes of a group: large batches that consist of whole groups also end at a multiple
 * of one. */
static long group_of(const struct march *m)
{
    const long batch = m->r->device->batch;

    return batch < GROUP_MOST ? 1 : zoid_min(batch & -batch, GROUP_MOST);
}

/* Returns the end of the batch that begins at `from`, or downwards the begin of the batch that ends
 * there; not past `end`. */
static long batch_end(const struct march *m, const struct level *level, long from, long end)
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
static bool advance(struct march *m, long i)
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
    compute(m->r, level, lo, hi);
    if (m->down)
        level->hi = lo;
    else
        level->lo = hi;
    return true;
}

/* Computes all planes of all levels. */
static void in_turn(struct march *m)
{
    bool more = true;

    while (more) {
        more = false;
        for (long i = 0; i < m->n; i++) {
            while (advance(m, i) && i > 0)
                ;
            more |= m->level[i].lo < m->level[i].hi;
        }
    }
}

void zoid_march(struct zoid_runner *r, long t, long n)
{
    const size_t room = zoid_list_room(zoid_run_whole(r->run));
    struct zoid_segment in[n][ZOID_MAX_GROUPS + 1][room], out[n][room];
    struct level level[n];
    struct march m = {.r = r, .n = n, .level = level, .shift = LONG_MIN};
    long lo, hi;

    assert(n <= ZOID_MARCH_MOST);
    zoid_chain_reach(r->run->shape, &lo, &hi);
    m.reach = zoid_max(lo, hi);
    m.down = r->in_slabs && slab_shift(r) > 0;
    m.readers = zoid_max(zoid_min(zoid_slab_read_until(r) - t, n), 0);
    if (m.readers)
        m.shift = slab_shift(r);
    for (long i = 0; i < n; i++)
        make_level(r, t + 1 + i, room, out[i], in[i], &level[i]);
    in_turn(&m);
}
