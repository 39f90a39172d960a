/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/block/times.h"

#include "codelets/block/stage.h"
#include "codelets/block/wavefront.h"
#include "codelets/op/traits.h"

#include <string.h>

static void one_time(struct zoid_runner *r, long t)
{
    int g = zoid_written_at(r, t);
    struct zoid_sweep sweep = zoid_stage_begin(r, t, g);

    zoid_list_outputs(r, &(struct zoid_computing){t - 1, t, t, g, t < r->run->zoid.t1});
    zoid_list_updated(r, t);
    zoid_stage_compute(r, &sweep, &r->out);
    zoid_list_computed(r, t, g);
}

/* ---- several times in one launch ----------------------------------------------------------- */

/* With own_edges values beyond a face are not used. */
bool zoid_fuses(const struct zoid_op *op, const struct zoid_shape *shape)
{
    if (zoid_in_order(shape))
        return false;
    for (int a = 0; a < shape->dims; a++)
        for (int side = 0; side < ZOID_SIDES; side++)
            if (shape->face[a][side] != ZOID_DIRICHLET &&
                (a != zoid_chain(shape) || shape->face[a][side] != ZOID_PERIODIC) && !op->own_edges)
                return false;
    return true;
}

/* True if a block's boxes shrink or stay below the chain axis. */
static bool shrinks(const struct zoid_runner *r)
{
    for (int a = 0; a < r->chain; a++) {
        const struct zoid_face *own = &r->run->zoid.dim[a], *region = &r->run->region.dim[a];

        if (own->dlo < 0 || own->dhi > 0 || region->dlo < 0 || region->dhi > 0)
            return false;
    }
    return true;
}

static long most_fused(const struct zoid_runner *r)
{
    return r->device->fusible && !r->sample_points && shrinks(r) &&
                   zoid_fuses(r->run->op, r->run->shape)
               ? r->device->fusible(r->self, r->run)
               : 1;
}

/* The inputs of a launch's level, in lists with room for all. */
struct fused_inputs {
    size_t n[ZOID_MAX_GROUPS];
    struct zoid_segment *segment[ZOID_MAX_GROUPS];
};

/* Lists the inputs of level i of a launch after time t, besides planes that earlier levels of the
 * launch compute: the inputs of the level before, unless it has overwritten them, and planes given
 * since. */
static void list_inputs(struct zoid_runner *r, long t, long i, const struct fused_inputs *before,
                        struct fused_inputs *list)
{
    for (int g = 0; g < r->groups.n; g++) {
        struct zoid_list segments = {0, list->segment[g]};

        if (zoid_op_written(r->run->op, zoid_stage_of(r->run->op, t + i)) != g) {
            segments.n = before->n[g];
            memcpy(list->segment[g], before->segment[g], segments.n * sizeof *segments.segment);
        }
        zoid_list_given(r, t + i, g, &segments);
        list->n[g] = segments.n;
    }
}

/* Returns the last time up to `end` whose group g is still that of time t. */
static long unchanged_until(const struct zoid_runner *r, long t, int g, long end)
{
    while (t < end && zoid_op_written(r->run->op, zoid_stage_of(r->run->op, t + 1)) != g)
        t++;
    return t;
}

/* Gives all levels the box of the first below the chain axis, where boxes shrink over time: points
 * outside a level's own box are never read. */
static void widen(const struct zoid_runner *r, struct zoid_box *box, const struct zoid_box *first)
{
    for (int a = 0; a < r->chain; a++) {
        box->lo[a] = first->lo[a];
        box->hi[a] = first->hi[a];
    }
}

/* Returns level i of a launch of times t + 1 ... end; `level` is the first one. */
static struct zoid_fused_level make_level(struct zoid_runner *r,
                                          const struct zoid_fused_level *level, long t, long i,
                                          long end, struct zoid_segment *out)
{
    int g = zoid_op_written(r->run->op, zoid_stage_of(r->run->op, t + 1 + i));
    struct zoid_sweep sweep = zoid_stage_begin(r, t + 1 + i, g);
    long until = unchanged_until(r, t + 1 + i, g, end);

    zoid_list_outputs(
        r, &(struct zoid_computing){t, t + 1 + i, until, g, until == end && end < r->run->zoid.t1});
    memcpy(out, r->out.segment, r->out.n * sizeof *out);
    zoid_list_inputs(r, &sweep);
    if (i > 0)
        widen(r, &sweep.box, &level->sweep.box);
    return (struct zoid_fused_level){sweep, r->out.n, out};
}

/* Advances the lists past the levels of a launch. */
static void list_levels(struct zoid_runner *r, size_t n, const struct zoid_fused_level *level)
{
    for (size_t i = 0; i < n; i++) {
        const struct zoid_sweep *s = &level[i].sweep;

        r->now.lo = s->box.lo[r->chain];
        r->now.hi = s->box.hi[r->chain];
        r->out.n = level[i].nout;
        memcpy(r->out.segment, level[i].out, level[i].nout * sizeof *level[i].out);
        zoid_list_computed(r, s->t, zoid_op_written(r->run->op, zoid_stage_of(r->run->op, s->t)));
    }
}

/* Computes times t + 1 ... t + n in one launch. */
static void fused_times(struct zoid_runner *r, long t, long n)
{
    const size_t whole = zoid_run_whole(r->run);
    size_t room = zoid_list_room(whole), more = room + (size_t)n * whole;
    struct zoid_fused_level level[n];
    struct zoid_segment in[n][ZOID_MAX_GROUPS][more], out[n][room];
    struct fused_inputs list[n];

    for (long i = 0; i < n; i++) {
        level[i] = make_level(r, level, t, i, t + n, out[i]);
        for (int g = 0; g < r->groups.n; g++) {
            list[i].segment[g] = in[i][g];
            list[i].n[g] = level[i].sweep.in[g].n;
            if (i == 0)
                memcpy(in[i][g], level[i].sweep.in[g].segment, list[i].n[g] * sizeof **in[i]);
        }
        if (i > 0)
            list_inputs(r, t, i, &list[i - 1], &list[i]);
        for (int g = 0; g < r->groups.n; g++)
            level[i].sweep.in[g] = (struct zoid_segments){list[i].n[g], in[i][g]};
    }
    if (!r->error)
        r->error = r->device->fused(r->self, (size_t)n, level);
    list_levels(r, (size_t)n, level);
}

/* Returns the number of times of the launch after time t: whole rounds of stages, balanced over
 * launches. A launch that reads a slab must not write it. */
static long launch_times(const struct zoid_runner *r, long t, long most)
{
    const long stages = r->run->op->nstages, left = (r->run->zoid.t1 - t) / stages;
    const bool both = t < zoid_slab_read_until(r) && left * stages == r->run->zoid.t1 - t;
    long launches;

    if (t % stages || most < stages || left == 0)
        return 1;
    most /= stages;
    launches = zoid_max((left + most - 1) / most, both ? 2 : 1);
    return launches > left ? 1 : (left + launches - 1) / launches * stages;
}

/* Returns the number of times of the wavefront after time t, balanced over wavefronts. */
static long wavefront_times(const struct zoid_runner *r, long t)
{
    const long left = r->run->zoid.t1 - t, marches = (left + r->wavefront - 1) / r->wavefront;

    return (left + marches - 1) / marches;
}

void zoid_all_times(struct zoid_runner *r)
{
    const long most = most_fused(r);

    for (long t = r->run->zoid.t0, n; t < r->run->zoid.t1; t += n) {
        const bool pipelined = r->wavefront > 1 || r->in_slabs;

        n = pipelined ? wavefront_times(r, t) : launch_times(r, t, most);
        if (pipelined && (n > 1 || r->in_slabs))
            zoid_wavefront(r, t, n, NULL);
        else if (n > 1)
            fused_times(r, t, n);
        else
            one_time(r, t + 1);
    }
}
