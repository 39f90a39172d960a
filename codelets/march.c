/* SPDX-License-Identifier: BSD-3-Clause */
/* Times that march behind one another.
 *
 *     t + 3    x x x 3 . . . . . .       each computes a few planes at a time, no further up than
 *     t + 2    x x x x x 2 . . . .       the one before it has what it reads: numbers are what is
 *     t + 1    x x x x x x x 1 . .       computed next, x is done, . is not yet
 *     planes  ->
 *
 * Where each time's planes go, and what it reads, is listed for all of them before the first is
 * computed; that they are there is what the order sees to. Two halves of the scratch are enough: a
 * time that is two on is behind what reads the planes that it overwrites. */
#include "codelets/march.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* One of the times. */
struct level {
    int g; /* what it writes: a group, or all (-1) */
    struct zoid_sweep sweep;
    struct zoid_extent now;
    long next;                         /* the lowest plane that is not computed yet */
    bool last;                         /* what it writes may go to a slab that t0 lies in */
    size_t given[ZOID_MAX_GROUPS + 1]; /* inputs that stand for no others */
    struct zoid_list out;
};

struct march {
    struct zoid_runner *r;
    long n;
    struct level *level;
    long reach; /* of any stage, along the chain axis */
    /* The slab that the block updates: plane z of t1 goes where plane z + shift of t0 lies. Of the
     * planes that are moved so the furthest is meant; LONG_MIN where there are none. */
    long shift;
};

static long slab_shift(const struct zoid_runner *r)
{
    const struct zoid_run *run = r->run;
    long shift = LONG_MIN;

    for (size_t i = 0; i < run->nparts; i++) {
        const struct zoid_part *part = &run->part[i];

        if (part->reads && part->writes)
            shift = zoid_max(shift, zoid_view_slot(&part->out, run->zoid.t1, 0) -
                                        zoid_view_slot(&part->in, run->zoid.t0, 0));
    }
    return shift;
}

/* Lists where the planes of time t go and what it reads, in memory for so many segments each. */
static void make_level(struct zoid_runner *r, long t, size_t room, struct zoid_segment *out,
                       struct zoid_segment (*in)[room], struct level *level)
{
    const struct zoid_op *op = r->run->op;

    level->g = zoid_written_at(r, t);
    level->sweep = zoid_begin(r, t, level->g);
    level->now = r->now;
    level->next = zoid_box_empty(&level->sweep.box) ? r->now.hi : r->now.lo;
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

/* Planes below this one a level may compute. What it overwrites in the scratch, the level before
 * has read by then, for that is as far on as reaches are. */
static long may_compute(const struct march *m, long i)
{
    const struct level *level = &m->level[i], *before = level - 1;
    long end = level->now.hi;

    if (i == 0)
        return end;
    if (before->next < before->now.hi)
        end = zoid_min(end, before->next - m->reach);
    if (level->last && m->shift > LONG_MIN && m->level->next < m->level->now.hi)
        end = zoid_min(end, m->level->next - m->reach - m->shift);
    return end;
}

/* Hands out what parts want of the planes of a level that r->out and r->now are of. */
static void hand_out(struct zoid_runner *r, const struct level *level)
{
    /* Nothing has an order here, so this list is free. */
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

/* Computes the planes of a level up to `top`. */
static void compute(struct zoid_runner *r, struct level *level, long top)
{
    struct zoid_sweep sweep = level->sweep;

    r->now = level->now;
    r->now.lo = level->next;
    r->now.hi = level->next = top;
    r->out.n = level->out.n;
    memcpy(r->out.segment, level->out.segment, level->out.n * sizeof *level->out.segment);
    zoid_list_clip(r, &r->out, r->now.lo, top);
    if (r->out.n && !r->error) {
        sweep.box.lo[r->chain] = r->out.segment[0].lo;
        sweep.box.hi[r->chain] = r->out.segment[r->out.n - 1].hi;
        r->error = r->device->sweep(r->self, &sweep, r->out.n, r->out.segment);
    }
    hand_out(r, level);
}

/* All planes of all levels. */
static void in_turn(struct march *m)
{
    const long batch = m->r->device->batch;
    bool more = true;

    while (more) {
        more = false;
        for (long i = 0; i < m->n; i++) {
            struct level *level = &m->level[i];
            long end = may_compute(m, i), top = zoid_min(level->next + batch, level->now.hi);

            for (; level->next < level->now.hi && top <= end;
                 top = zoid_min(top + batch, level->now.hi)) {
                compute(m->r, level, top);
                if (i == 0)
                    break;
            }
            more |= level->next < level->now.hi;
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
    if (t == r->run->zoid.t0)
        m.shift = slab_shift(r);
    for (long i = 0; i < n; i++)
        make_level(r, t + 1 + i, room, out[i], in[i], &level[i]);
    in_turn(&m);
}
