/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a block time by time. The planes of a time lie in pieces: where an `out` view wants a plane
 * it is computed straight into that datum, otherwise into one of two halves of the scratch, which
 * every group of fields takes in turn. The next time reads those pieces and the `in` views of its
 * time, wherever they are; nothing is gathered. */
#include "codelets/run.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "codelets/place.h"

static long min(long a, long b)
{
    return a < b ? a : b;
}

static long max(long a, long b)
{
    return a > b ? a : b;
}

/* State fields of a group, or all (g < 0). */
static unsigned fields_of(const struct zoid_runner *r, int g)
{
    int first = g < 0 ? 0 : r->groups.first[g];
    int end = g < 0 ? r->run->op->nstate : r->groups.first[g + 1];

    return ((1u << (end - first)) - 1) << first;
}

static struct zoid_sweep sweep_of(struct zoid_runner *r, long t, int g)
{
    return (struct zoid_sweep){.op = r->run->op,
                               .params = r->run->params,
                               .shape = r->run->shape,
                               .layout = r->run->layout,
                               .t = t,
                               .box = zoid_clipped_at(&r->run->zoid, &r->run->region, t),
                               .fields = fields_of(r, g),
                               .rises = r->drift.planes > 0};
}

/* What time t writes: a group; all (-1) at the first time of a block that overwrites its input, for
 * what it did not write would still lie there. */
static int written_at(const struct zoid_runner *r, long t)
{
    return r->in_place && t == r->run->zoid.t0 + 1
               ? -1
               : zoid_op_written(r->run->op, zoid_stage_of(r->run->op, t));
}

/* The planes of the box that go to the given pieces. */
static void compute(struct zoid_runner *r, struct zoid_sweep *sweep, const struct zoid_list *out)
{
    if (out->n == 0 || r->error)
        return;
    sweep->box.lo[r->chain] = out->piece[0].lo;
    sweep->box.hi[r->chain] = out->piece[out->n - 1].hi;
    zoid_place_inputs(r, sweep);
    if (!zoid_box_empty(&sweep->box))
        r->error = r->device->sweep(r->self, sweep, out->n, out->piece);
}

/* Steps to time t, which computes group g. */
static struct zoid_sweep begin(struct zoid_runner *r, long t, int g)
{
    struct zoid_sweep sweep = sweep_of(r, t, g);

    if (r->tile.skew) {
        int axis = r->chain - 1;
        long shift = (t - r->run->zoid.t0) * r->tile.skew;

        r->from = max(r->tile.lo - shift, sweep.box.lo[axis]);
        r->to = max(min(r->tile.hi - shift, sweep.box.hi[axis]), r->from);
        sweep.box.lo[axis] = r->from;
        sweep.box.hi[axis] = r->to;
    }
    r->lo = sweep.box.lo[r->chain];
    r->hi = sweep.box.hi[r->chain];
    return sweep;
}

static void one_time(struct zoid_runner *r, long t)
{
    int g = written_at(r, t);
    struct zoid_sweep sweep = begin(r, t, g);

    zoid_place(r, &(struct zoid_computing){t - 1, t, t, g, t < r->run->zoid.t1});
    compute(r, &sweep, &r->out);
    zoid_place_computed(r, t, g);
}

/* ---- a single time in place ---------------------------------------------------------------- */

/* By how many planes the writing must lag behind the computing where the only time of a block
 * overwrites what it reads.
 *
 *     slot                 0   1   2   3   4
 *     before, time t       5   6   7   8   9      a slab that drifts down by one plane
 *     after, time t + 1    4   5   6   7   8
 *
 * With reach 1 plane 4 of t + 1 goes where plane 5 of t lies, which the outputs up to 6 read: it
 * can be written once 6 is computed, two planes later. In general plane z goes where plane
 * z + shift lies, which the outputs up to z + shift + reach.lo read, or reach.hi where it stands
 * for planes beyond a mirrored face. Planes are computed upwards, into a short ring that stays in
 * cache, and leave it in the same order. */
static long lag_in_place(const struct zoid_runner *r)
{
    const struct zoid_run *run = r->run;
    struct zoid_reach reach = zoid_op_reach(run->op, zoid_stage_of(run->op, run->zoid.t1));
    long lag = 0;

    for (size_t i = 0; i < run->nparts; i++) {
        const struct zoid_part *part = &run->part[i];

        if (part->reads && part->writes)
            lag = max(lag, zoid_view_slot(&part->out, run->zoid.t1, 0) -
                               zoid_view_slot(&part->in, run->zoid.t0, 0) +
                               max(reach.lo[r->chain], reach.hi[r->chain]));
    }
    return lag;
}

/* Planes [lo, hi) leave the ring, in which plane p lies in slot (p - first) % planes. */
static void drain(struct zoid_runner *r, long planes, long first, long lo, long hi)
{
    while (lo < hi) {
        long slot = (lo - first) % planes, n = min(planes - slot, hi - lo);

        for (int g = 0; g < r->groups.n; g++) {
            struct zoid_piece ring = {
                .lo = lo,
                .hi = lo + n,
                .base = zoid_slot_address(r, r->run->scratch, slot + r->groups.first[g] * planes),
                .field = (size_t)planes * r->plane};

            zoid_hand_out(r, r->run->zoid.t1, g, &(struct zoid_list){1, &ring});
        }
        lo += n;
    }
}

static void one_time_in_place(struct zoid_runner *r)
{
    long planes = lag_in_place(r) + r->device->batch, drained;
    const struct zoid_sweep whole = sweep_of(r, r->run->zoid.t1, -1);
    long first = whole.box.lo[r->chain], end = whole.box.hi[r->chain];

    assert(planes <= zoid_scratch_planes(r->run->shape, 0, r->device->batch));
    drained = first;
    for (long plane = first; plane < end;) {
        struct zoid_sweep sweep = whole;
        long slot = (plane - first) % planes, ready;
        long n = min(min(r->device->batch, planes - slot), end - plane);
        struct zoid_piece ring = {.lo = plane,
                                  .hi = plane + n,
                                  .base = zoid_slot_address(r, r->run->scratch, slot),
                                  .field = (size_t)planes * r->plane};

        compute(r, &sweep, &(struct zoid_list){1, &ring});
        plane += n;
        ready = plane < end ? max(plane - (planes - r->device->batch), drained) : end;
        drain(r, planes, first, drained, ready);
        drained = ready;
    }
}

/* ---- several times in one launch ----------------------------------------------------------- */

/* The most times a launch takes: one, where planes must be finished before the next time reads them
 * or the next time reads planes that stand for others. Where the operator has edges of its own, what
 * lies beyond a face is not used. */
static long most_fused(const struct zoid_runner *r)
{
    const struct zoid_shape *shape = r->run->shape;

    for (int a = 0; a < shape->dims; a++)
        for (int side = 0; side < ZOID_SIDES; side++)
            if (shape->face[a][side] != ZOID_DIRICHLET &&
                (a != r->chain || shape->face[a][side] != ZOID_PERIODIC) && !r->run->op->own_edges)
                return 1;
    return r->device->fusible ? r->device->fusible(r->self, r->run) : 1;
}

/* What the inputs of a launch's levels are, as lists of room for all. */
struct fused_inputs {
    size_t n[ZOID_MAX_GROUPS];
    struct zoid_piece *piece[ZOID_MAX_GROUPS];
};

/* What level i of a launch after time t finds beside what the levels before compute: what was there
 * before, unless they have written it, and what was given since. */
static void list_inputs(struct zoid_runner *r, long t, long i, const struct fused_inputs *before,
                        struct fused_inputs *list)
{
    for (int g = 0; g < r->groups.n; g++) {
        struct zoid_list pieces = {0, list->piece[g]};

        if (zoid_op_written(r->run->op, zoid_stage_of(r->run->op, t + i)) != g) {
            pieces.n = before->n[g];
            memcpy(list->piece[g], before->piece[g], pieces.n * sizeof *pieces.piece);
        }
        zoid_place_given(r, t + i, g, &pieces);
        list->n[g] = pieces.n;
    }
}

/* The last time up to `end` whose group g is still that of time t. */
static long unchanged_until(const struct zoid_runner *r, long t, int g, long end)
{
    while (t < end && zoid_op_written(r->run->op, zoid_stage_of(r->run->op, t + 1)) != g)
        t++;
    return t;
}

/* Level i of a launch of times t + 1 ... end. */
static struct zoid_fused_level make_level(struct zoid_runner *r, long t, long i, long end,
                                          struct zoid_piece *out)
{
    int g = zoid_op_written(r->run->op, zoid_stage_of(r->run->op, t + 1 + i));
    struct zoid_sweep sweep = begin(r, t + 1 + i, g);
    long until = unchanged_until(r, t + 1 + i, g, end);

    zoid_place(
        r, &(struct zoid_computing){t, t + 1 + i, until, g, until == end && end < r->run->zoid.t1});
    memcpy(out, r->out.piece, r->out.n * sizeof *out);
    zoid_place_inputs(r, &sweep);
    return (struct zoid_fused_level){sweep, r->out.n, out};
}

/* A launch has computed these levels. */
static void place_levels(struct zoid_runner *r, size_t n, const struct zoid_fused_level *level)
{
    for (size_t i = 0; i < n; i++) {
        const struct zoid_sweep *s = &level[i].sweep;

        r->lo = s->box.lo[r->chain];
        r->hi = s->box.hi[r->chain];
        r->out.n = level[i].nout;
        memcpy(r->out.piece, level[i].out, level[i].nout * sizeof *level[i].out);
        zoid_place_computed(r, s->t, zoid_op_written(r->run->op, zoid_stage_of(r->run->op, s->t)));
    }
}

/* Times t + 1 ... t + n. */
static void fused_times(struct zoid_runner *r, long t, long n)
{
    size_t room = zoid_list_room(r->run->nparts), more = room + (size_t)n * r->run->nparts;
    struct zoid_fused_level level[n];
    struct zoid_piece in[n][ZOID_MAX_GROUPS][more], out[n][room];
    struct fused_inputs list[n];

    for (long i = 0; i < n; i++) {
        level[i] = make_level(r, t, i, t + n, out[i]);
        for (int g = 0; g < r->groups.n; g++) {
            list[i].piece[g] = in[i][g];
            list[i].n[g] = level[i].sweep.in[g].n;
            if (i == 0)
                memcpy(in[i][g], level[i].sweep.in[g].piece, list[i].n[g] * sizeof **in[i]);
        }
        if (i > 0)
            list_inputs(r, t, i, &list[i - 1], &list[i]);
        for (int g = 0; g < r->groups.n; g++)
            level[i].sweep.in[g] = (struct zoid_pieces){list[i].n[g], in[i][g]};
    }
    if (!r->error)
        r->error = r->device->fused(r->self, (size_t)n, level);
    place_levels(r, (size_t)n, level);
}

/* How many times the launch after time t takes: whole rounds of stages, as evenly as can be. A launch
 * that reads a slab must not write it. */
static long launch_times(const struct zoid_runner *r, long t, long most)
{
    const long stages = r->run->op->nstages, left = (r->run->zoid.t1 - t) / stages;
    const bool all = left * stages == r->run->zoid.t1 - r->run->zoid.t0;
    long launches;

    if (t % stages || most < stages || left == 0)
        return 1;
    most /= stages;
    launches = max((left + most - 1) / most, r->in_place && all ? 2 : 1);
    return launches > left ? 1 : (left + launches - 1) / launches * stages;
}

static void all_times(struct zoid_runner *r)
{
    const long most = most_fused(r);

    for (long t = r->run->zoid.t0, n; t < r->run->zoid.t1; t += n) {
        n = launch_times(r, t, most);
        if (n > 1)
            fused_times(r, t, n);
        else
            one_time(r, t + 1);
    }
}

/* ---- tiles --------------------------------------------------------------------------------- */

/* Planes of the box at the busiest time between the first and the last. */
static long tallest(const struct zoid_runner *r)
{
    long planes = 0;

    for (long t = r->run->zoid.t0 + 1; t < r->run->zoid.t1; t++) {
        struct zoid_box box = zoid_clipped_at(&r->run->zoid, &r->run->region, t);

        planes = max(planes, box.hi[r->chain] - box.lo[r->chain]);
    }
    return planes;
}

/* How far tiles lean each time: as far as a stage looks, in x by whole lines. */
static long skew_of(const struct zoid_runner *r)
{
    int axis = r->chain - 1;
    long skew = 1, line = axis == 0 ? ZOID_LINE / (long)r->size : 1;

    for (int s = 0; s < r->run->shape->stages; s++)
        skew = max(skew, max(r->run->shape->reach[s].lo[axis], r->run->shape->reach[s].hi[axis]));
    return (skew + line - 1) / line * line;
}

/* Rows (in 2-D, points) of a tile that stays in the device's cache from one time to the next, but
 * never so few that most of them come from the tile before. */
static long tile_height(const struct zoid_runner *r, long skew)
{
    enum { LEAST = 8 }; /* times its lean */
    long step = r->chain == 2 ? r->run->layout->pitch : 1, fields = r->run->op->ncoef, bytes;

    for (int g = 0; g < r->groups.n; g++)
        fields += (r->one_half[g] ? 1 : 2) * (r->groups.first[g + 1] - r->groups.first[g]);
    bytes = r->half * fields * step * (long)r->size;

    return max((long)r->device->cache / 4 * 3 / max(bytes, 1) / skew - 2, LEAST) * skew;
}

/* Planes that lie in the scratch at once where every time is written `drift` planes above what it reads:
 * those of a time, and those of the time before that it has not overwritten. */
static long drifting_planes(const struct zoid_runner *r, long drift)
{
    const struct zoid_run *run = r->run;
    long before = LONG_MIN, most = 0;

    for (long t = run->zoid.t0 + 1; t < run->zoid.t1; t++) {
        struct zoid_box box = zoid_clipped_at(&run->zoid, &run->region, t);

        most = max(most, max(before, box.hi[r->chain]) - box.lo[r->chain]);
        before = box.hi[r->chain];
    }
    return most + drift;
}

/* Lets the only field of a block lie in one buffer, if it can, so that tiles can be twice as high.
 *
 *     t          0 1 2 3 4 5 6 .     with reach 1, two planes at once: plane 3 of t + 1 goes where
 *     t + 1      3 4 5 6 . 1 2       plane 0 of t lay, which plane 1 of t + 1 was the last to read
 *
 * Along the other axis a time is written as far below the one before as tiles lean. So a tile leaves the
 * rows that the next one reads: it moves by twice that, and the next one comes after it. Rows below
 * the first are the last ones of the slot before, which tiles do not use at the same time. */
static void let_drift(struct zoid_runner *r, long skew)
{
    const struct zoid_run *run = r->run;
    const long half = r->half, times = run->zoid.t1 - run->zoid.t0;
    const long row = r->chain == 2 ? run->layout->pitch : 1, rows = (long)r->plane / row;
    long lo, hi;

    if (!r->device->pointwise || run->op->nstate > 1 || r->one_half[0])
        return;
    zoid_chain_reach(run->shape, &lo, &hi);
    r->drift.planes = max(lo, hi) + r->device->batch;
    r->drift.step = (size_t)(skew * row);
    r->half = drifting_planes(r, r->drift.planes);
    r->one_half[0] = true;
    if (tile_height(r, skew) + (2 * times + 4) * skew > rows ||
        r->half * rows + times * skew > 2 * half * rows) {
        r->half = half;
        r->one_half[0] = false;
        r->drift.planes = 0;
        r->drift.step = 0;
    }
}

/* All times of one tile after the other, so that a block that is larger than a cache runs from it.
 *
 *     t1     \  1 \  2 \  3 \ 4          tiles lean against the axis below the chain axis as far
 *             \   \   \   \            as a stage looks each time, so that a tile needs nothing
 *     t0       \   \   \   \           of those after it
 *         y ->
 *
 * The rows of time t that the next tile reads are not overwritten by time t + 2 of this one, in the
 * same half of the scratch, nor are those of t0 by t1, in the same slab. Not where a face of that
 * axis is open: ghosts stand for rows of other tiles. */
static void all_tiles(struct zoid_runner *r)
{
    const struct zoid_shape *shape = r->run->shape;
    int axis = r->chain - 1;
    long t0 = r->run->zoid.t0, skew, height, end;

    if (!r->device->cache || r->half == 0 || axis < 0 || zoid_face_open(shape, axis, ZOID_LOW) ||
        zoid_face_open(shape, axis, ZOID_HIGH)) {
        all_times(r);
        return;
    }
    skew = skew_of(r);
    let_drift(r, skew);
    height = tile_height(r, skew);
    r->tile.lo = LONG_MAX;
    end = LONG_MIN;
    for (long t = t0 + 1; t <= r->run->zoid.t1; t++) {
        struct zoid_box box = zoid_clipped_at(&r->run->zoid, &r->run->region, t);

        r->tile.lo = min(r->tile.lo, box.lo[axis] + (t - t0) * skew);
        end = max(end, box.hi[axis] + (t - t0) * skew);
    }
    r->tile.skew = skew;
    for (; r->tile.lo < end; r->tile.lo = r->tile.hi) {
        r->tile.hi = r->tile.lo + height;
        zoid_place_start(r);
        all_times(r);
    }
}

/* ---- a block ------------------------------------------------------------------------------- */

/* Whether all stages that write a group read what they write of it at the point only. */
static bool pointwise(const struct zoid_runner *r, int g)
{
    const struct zoid_op *op = r->run->op;

    for (int s = 0; s < op->nstages; s++)
        for (int i = 0; i < op->stage[s].nreads && zoid_op_written(op, s) == g; i++) {
            const struct zoid_read *read = &op->stage[s].read[i];

            for (int a = 0; a < op->dims && (fields_of(r, g) >> read->field & 1); a++)
                if (read->reach.lo[a] || read->reach.hi[a])
                    return false;
        }
    return r->device->pointwise;
}

static bool overwrites(const struct zoid_run *run)
{
    for (size_t i = 0; i < run->nparts; i++)
        if (run->part[i].reads && run->part[i].writes)
            return true;
    return false;
}

long zoid_scratch_planes(const struct zoid_shape *shape, long box_planes, long batch)
{
    long lo, hi;

    zoid_chain_reach(shape, &lo, &hi);
    return max(2 * box_planes, 2 * max(lo, hi) + batch);
}

int zoid_run_block(const struct zoid_run *run, const struct zoid_device *device, void *self)
{
    size_t room = zoid_list_room(run->nparts);
    struct zoid_piece in[ZOID_MAX_GROUPS + 1][room], out[room];
    struct zoid_runner r = {.run = run,
                            .device = device,
                            .self = self,
                            .plane = (size_t)run->layout->plane,
                            .size = zoid_type_size(run->layout->type),
                            .chain = zoid_chain(run->shape),
                            .groups = zoid_op_groups(run->op),
                            .in_place = overwrites(run),
                            .from = LONG_MIN / 2,
                            .to = LONG_MAX / 2,
                            .out = {0, out}};

    for (int g = 0; g <= r.groups.n; g++)
        r.in[g].piece = in[g];
    for (int g = 0; g < r.groups.n; g++)
        r.one_half[g] = pointwise(&r, g);
    r.half = tallest(&r);
    zoid_place_start(&r);
    for (int g = 0; g < r.groups.n; g++)
        zoid_hand_out(&r, run->zoid.t0, g, &r.in[g]);
    if (r.in_place && run->zoid.t1 == run->zoid.t0 + 1)
        one_time_in_place(&r);
    else
        all_tiles(&r);
    return r.error;
}
