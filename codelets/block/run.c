/* SPDX-License-Identifier: BSD-3-Clause */
/* Execution of a block, time by time. The planes of a time are in segments: a plane that an `out`
 * view wants is computed directly into that datum, any other into one of two halves of the scratch,
 * which every group of fields uses alternately. The next time reads those segments and the `in`
 * views of its time in place, without gathering. */
#include "codelets/block/run.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "codelets/block/halo.h"
#include "codelets/block/in_place.h"
#include "codelets/block/list.h"
#include "codelets/block/sample_points.h"
#include "codelets/block/scratch.h"
#include "codelets/block/team_tiles.h"
#include "codelets/block/tile.h"
#include "codelets/block/times.h"
#include "codelets/block/wavefront.h"
#include "codelets/op/traits.h"

/* ---- tiles --------------------------------------------------------------------------------- */

/* Returns the planes of a buffer in use at once in a wavefront of n times: planes that each time
 * has computed and the next one still reads, and the input of the last one; strides not included.
 * In slabs a leaning block moves by a reach per time, so that this holds for any number of planes.
 */
static long in_flight(const struct zoid_runner *r, long n)
{
    const long drift = r->scratch.drift.planes, batch = n * r->device->batch;
    long lo, hi, reach;

    zoid_chain_reach(r->run->shape, &lo, &hi);
    reach = zoid_max(lo, hi);
    if (r->in_slabs)
        return (n + 1) * reach + zoid_min(batch, r->scratch.planes);
    return zoid_min(drift ? n * (reach + drift - r->device->abreast) + batch
                          : (n + 1) * reach + batch,
                    r->scratch.planes);
}

/* Bytes of the cache for the strides of n times. */
static size_t strides(const struct zoid_runner *r, long n)
{
    return r->in_slabs ? 0 : (size_t)(n * r->device->stride * r->run->op->nstate) * r->size;
}

/* Returns the size of a tile, in leans, that stays in the device's cache: from one time to the
 * next, or during a wavefront of n times. */
static double tile_fit(const struct zoid_runner *r, long n, long lean)
{
    const bool marches = n > 1 || r->in_slabs;
    long step = zoid_layout_rows(r->run->layout, 1), fields = r->run->op->ncoef, bytes;

    for (int g = 0; g < r->groups.n; g++)
        fields += (r->scratch.one[g] ? 1 : 2) * (r->groups.first[g + 1] - r->groups.first[g]);
    bytes = (marches ? in_flight(r, n) : r->scratch.planes) * fields * step * (long)r->size;
    return marches ? zoid_tile_fit_wavefront(r->device->cache - strides(r, n), (double)bytes, lean)
                   : zoid_tile_fit(r->device->cache, (double)bytes, lean);
}

/* True if the smallest tile of a wavefront stays in the cache, or nearly. */
static bool stays(double leans)
{
    return leans >= ZOID_TILE_LEAST_MARCHING - 0.5;
}

/* Rows (in 2-D, points) per plane. */
static long plane_rows(const struct zoid_runner *r)
{
    return (long)r->plane / zoid_layout_rows(r->run->layout, 1);
}

/* Returns the most rows (in 2-D, points) of a tile, which is limited if times drift. */
static long most_rows(const struct zoid_runner *r, long lean)
{
    const double times = (double)(r->run->zoid.t1 - r->run->zoid.t0);

    return r->scratch.drift.planes
               ? (long)zoid_tile_most((double)plane_rows(r), times, (double)lean)
               : LONG_MAX / 2;
}

/* Returns the smallest tile, in leans, of which not most rows come from the tile before. */
static long least_leans(const struct zoid_runner *r, double fit)
{
    const bool low = (r->wavefront > 1 || r->in_slabs) && stays(fit);

    return low ? ZOID_TILE_LEAST_MARCHING : ZOID_TILE_LEAST;
}

/* Returns the rows of a tile. */
static long tile_height(const struct zoid_runner *r, long lean)
{
    const double fit = tile_fit(r, r->wavefront, lean);

    return zoid_min(zoid_max((long)fit, least_leans(r, fit)) * lean, most_rows(r, lean));
}

/* Returns the planes in the scratch at once in a wavefront of n times, each written `drift` planes
 * above its input: planes of a time, and of earlier times that are still read. */
static long scratch_planes(const struct zoid_runner *r, long n, long drift)
{
    const struct zoid_block_args *run = r->run;
    long most = 0;

    for (long t = run->zoid.t0 + 1; t < run->zoid.t1; t++) {
        long lo = zoid_clipped_at(&run->zoid, &run->region, t).lo[r->chain];

        for (long before = zoid_max(t - n, run->zoid.t0 + 1); before <= t; before++)
            most = zoid_max(most, zoid_clipped_at(&run->zoid, &run->region, before).hi[r->chain] -
                                      lo + zoid_max(t - before, 1) * drift);
    }
    return most;
}

/* True if tiles can have their least size, and the scratch has room for all planes that times move
 * over, with `half` planes in each of its two buffers. */
static bool drift_fits(const struct zoid_runner *r, long half, long skew)
{
    const long times = r->run->zoid.t1 - r->run->zoid.t0, rows = plane_rows(r);

    return most_rows(r, skew) >= least_leans(r, tile_fit(r, r->wavefront, skew)) * skew &&
           r->scratch.planes * rows + times * skew <= 2 * half * rows;
}

/* Keeps the only field of a block in one buffer instead of two, if possible, so that tiles can be
 * twice as high.
 *
 *     t          0 1 2 3 4 5 6 .     with reach 1, two planes at once: plane 3 of t + 1 overwrites
 *     t + 1      3 4 5 6 . 1 2       plane 0 of t, which plane 1 of t + 1 was the last to read
 *
 * Along the other axis a time is written as far below its input as tiles lean. A tile thus leaves
 * the rows that the next one reads: it moves by twice the lean, and the next tile follows it. Rows
 * below the first are the last ones of the slot before, which tiles do not use at the same time. */
static bool let_drift(struct zoid_runner *r, long skew)
{
    const struct zoid_block_args *run = r->run;
    const struct zoid_scratch turns = r->scratch;
    const long row = zoid_layout_rows(run->layout, 1);
    long lo, hi;

    if (!r->device->abreast || run->op->nstate > 1 || r->scratch.one[0])
        return false;
    zoid_chain_reach(run->shape, &lo, &hi);
    r->scratch.drift.planes = zoid_max(lo, hi) + r->device->abreast;
    r->scratch.drift.step = (size_t)(skew * row);
    r->scratch.planes = scratch_planes(r, r->wavefront, r->scratch.drift.planes);
    r->scratch.one[0] = true;
    if (!drift_fits(r, turns.planes, skew))
        r->scratch = turns;
    return r->scratch.drift.planes > 0;
}

/* Returns the fewest times between two consecutive ones that write the same group. */
static long between_writes(const struct zoid_op *op)
{
    long fewest = op->nstages;

    for (int s = 0; s < op->nstages; s++)
        for (int later = 1; later < fewest; later++)
            if (zoid_op_written(op, s) == zoid_op_written(op, (s + later) % op->nstages))
                fewest = later;
    return fewest;
}

/* True if planes of all times may be stored in the slabs that a block updates: stages read their
 * output fields at the point only, every group is written or does not move, slabs drift to one
 * side, and by enough that batches need not be smaller. */
static bool fits_slabs(const struct zoid_runner *r)
{
    const struct zoid_block_args *run = r->run;
    const long times = run->zoid.t1 - run->zoid.t0;
    long least = 0, most = 0;

    if (!r->in_place)
        return false;
    for (int g = 0; g < r->groups.n; g++)
        if (!r->scratch.one[g])
            return false;
    for (size_t i = 0; i < run->nparts; i++)
        if (zoid_part_updated(&run->part[i])) {
            const long shift = zoid_slab_shift(r, &run->part[i]), drift = labs(shift) / times;

            if (shift % times || (drift && drift * between_writes(run->op) < r->device->batch))
                return false;
            least = zoid_min(least, shift);
            most = zoid_max(most, shift);
        }
    return (least == 0 || most == 0) && (times >= run->op->nstages || (least == 0 && most == 0));
}

/* Returns the planes of a group that the only time of a block uses at once. */
static long at_once(const struct zoid_runner *r)
{
    long lo, hi;

    zoid_chain_reach(r->run->shape, &lo, &hi);
    return 2 * zoid_max(lo, hi) + r->device->batch;
}

/* Sets up a wavefront of n times, which drift or do not, if the scratch has room for the planes
 * that they leave to one another: planes of several times, since a time begins before the one
 * before it ends. */
static bool let_march(struct zoid_runner *r, long n, bool drift, long skew)
{
    bool one = true;
    long planes;

    r->wavefront = n;
    if (drift)
        return let_drift(r, skew);
    if (n == 1)
        return true;
    for (int g = 0; g < r->groups.n; g++)
        one = one && r->scratch.one[g];
    planes = scratch_planes(r, n, 0);
    if (planes > (one ? 2 : 1) * r->scratch.planes)
        return false;
    r->scratch.planes = planes;
    return true;
}

/* Returns the number of reloads of a block of `times` times into the device's cache
 * (zoid_tile_again) in a wavefront of n times; INFINITY if they exceed the cache and n >
 * ZOID_WAVEFRONT_BEYOND. */
static double again(const struct zoid_runner *r, double times, long n, long skew)
{
    const double fit = tile_fit(r, n, skew);

    if (stays(fit))
        return zoid_tile_again(times, n, fmin(fit, (double)most_rows(r, skew) / (double)skew),
                               false);
    return n <= ZOID_WAVEFRONT_BEYOND ? zoid_tile_again(times, n, ZOID_TILE_LEAST, true) : INFINITY;
}

/* Sets the number of times of the wavefront of a tile, at most `most`, that minimises reloads, and
 * whether they drift: a drifting tile may be twice as high, but in a narrow plane the rows that
 * tiles leave one another take most of it. */
static void choose_wavefront(struct zoid_runner *r, long most, long skew)
{
    const struct zoid_scratch turns = r->scratch;
    const long times = r->run->zoid.t1 - r->run->zoid.t0;
    double least = INFINITY;
    bool drifts = true;
    long best = 1;

    r->in_slabs = r->in_slabs || (r->device->wavefront > 1 && times > 1 && fits_slabs(r));
    for (long n = zoid_min(most, times); n > 1; n--)
        for (int drift = 1; drift >= 0; drift--, r->scratch = turns) {
            const double now =
                let_march(r, n, drift, skew) ? again(r, (double)times, n, skew) : INFINITY;

            if (now < least) {
                least = now;
                best = n;
                drifts = drift;
            }
        }
    if (!let_march(r, best, drifts, skew))
        let_march(r, best, false, skew);
}

/* Sets up a wavefront without tiles, of as many times as the scratch has room for. */
static void wavefront_whole(struct zoid_runner *r)
{
    const long room = r->scratch.planes + r->device->slack;

    for (long n = zoid_min(r->device->wavefront, r->run->zoid.t1 - r->run->zoid.t0); n > 1; n--) {
        const long planes = scratch_planes(r, n, 0);

        if (planes > room)
            continue;
        r->scratch.planes = planes;
        r->wavefront = n;
        break;
    }
}

/* True if all planes of a block, of two times, stay in the device's cache: then tiles gain nothing,
 * and a tile through which many times lean would have many planes. */
static bool stays_near(const struct zoid_runner *r)
{
    return tile_fit(r, 1, 1) >= (double)plane_rows(r);
}

/* Sets [tile.lo, tile.hi) to the rows at t0 over which all times lean. */
static void find_rows(struct zoid_runner *r, long skew)
{
    const int axis = r->chain - 1;
    const long t0 = r->run->zoid.t0;

    r->tile.skew = skew;
    r->tile.lo = LONG_MAX;
    r->tile.hi = LONG_MIN;
    for (long t = t0 + 1; t <= r->run->zoid.t1; t++) {
        struct zoid_box box = zoid_clipped_at(&r->run->zoid, &r->run->region, t);

        r->tile.lo = zoid_min(r->tile.lo, box.lo[axis] + (t - t0) * skew);
        r->tile.hi = zoid_max(r->tile.hi, box.hi[axis] + (t - t0) * skew);
    }
}

/* Sets up the scratch, which has `half` planes in each of its two buffers, for planes of all times
 * of the block at once. False if it has no room for them. */
static bool holds_all(struct zoid_runner *r, long half)
{
    const long drift = r->scratch.drift.planes, rows = plane_rows(r);
    const long times = r->run->zoid.t1 - r->run->zoid.t0;
    bool one = true;

    for (int g = 0; g < r->groups.n; g++)
        one = one && r->scratch.one[g];
    r->scratch.planes = zoid_max(scratch_planes(r, times, drift), r->scratch.planes);
    return r->scratch.planes <= (one ? 2 : 1) * half &&
           (!drift || r->scratch.planes * rows + times * r->tile.skew <= 2 * half * rows);
}

/* Has a team compute all tiles, if there is one and the scratch has room. Members go through fewer
 * times at once than one core would, since they follow one another, and tiles may exceed a core's
 * own cache by a little; but the scratch that they drift through gets half of it. */
static bool by_team(struct zoid_runner *given)
{
    const long times = given->run->zoid.t1 - given->run->zoid.t0, skew = given->tile.skew;
    const long most = (times + ZOID_TEAM_GROUPS - 1) / ZOID_TEAM_GROUPS;
    const int team = zoid_team_size(given->run->team);
    struct zoid_device device = *given->device;
    struct zoid_runner r = *given;
    struct zoid_tiles tiles = {.lo = r.tile.lo, .hi = r.tile.hi, .skew = skew};

    if (team < 2 || !device.wavefront || tiles.lo >= tiles.hi)
        return false;
    device.cache = r.run->op->nstate == 1 ? device.cache / 2 : device.cache;
    r.device = &device;
    choose_wavefront(&r, zoid_min(most, ZOID_TEAM_TIMES), skew);
    tiles.height = zoid_min(zoid_team_height(team, (times + r.wavefront - 1) / r.wavefront,
                                             tiles.hi - tiles.lo - times * skew,
                                             ZOID_TILE_LEAST_MARCHING * skew,
                                             zoid_max(tile_height(&r, skew), 4 * skew)),
                            most_rows(&r, skew));
    if (tiles.height < 1 || !holds_all(&r, given->scratch.planes))
        return false;
    tiles.open = r.scratch.drift.planes ? most_rows(&r, skew) / tiles.height - 1 : LONG_MAX / 2;
    if (tiles.open < 1 || !zoid_team_tiles(&r, &tiles))
        return false;
    given->error = r.error;
    return true;
}

/* Computes all times of one tile after another, so that a block larger than a cache is computed
 * from it (time skewing).
 *
 *     t1     \  1 \  2 \  3 \ 4          tiles lean along the axis below the chain axis by the
 *             \   \   \   \            reach of a stage per time, so that a tile needs nothing
 *     t0       \   \   \   \           of the tiles after it
 *         y ->
 *
 * The rows of time t that the next tile reads are not overwritten by time t + 2 of this one, in the
 * same half of the scratch, nor are those of t0 by t1, in the same slab. No tiles if a face of that
 * axis is open: ghost points stand for rows of other tiles. */
static void all_tiles(struct zoid_runner *r)
{
    const struct zoid_shape *shape = r->run->shape;
    long height, end;

    if (!r->device->cache || r->scratch.planes == 0 || !zoid_tiled(shape) || stays_near(r)) {
        if (r->device->slack)
            wavefront_whole(r);
        zoid_all_times(r);
        return;
    }
    find_rows(r, zoid_tile_lean(shape, r->size));
    if (by_team(r))
        return;
    end = r->tile.hi;
    choose_wavefront(r, r->device->wavefront, r->tile.skew);
    height = tile_height(r, r->tile.skew);
    for (; r->tile.lo < end; r->tile.lo = r->tile.hi) {
        r->tile.hi = r->tile.lo + height;
        zoid_list_start(r);
        zoid_all_times(r);
    }
}

/* ---- a block ------------------------------------------------------------------------------- */

bool zoid_run_in_slabs(const struct zoid_op *op)
{
    const struct zoid_groups groups = zoid_op_groups(op);

    for (int g = 0; g < groups.n; g++)
        if (!zoid_op_pointwise(op, g))
            return false;
    return true;
}

static bool overwrites(const struct zoid_block_args *run)
{
    for (size_t i = 0; i < run->nparts; i++)
        if (zoid_part_updated(&run->part[i]))
            return true;
    return false;
}

/* Returns the run's sample points, if a box of the block has any of them; otherwise NULL. */
static const struct zoid_sample_points *sample_points_of(const struct zoid_block_args *run)
{
    for (long t = run->zoid.t0 + 1; run->sample_points && t <= run->zoid.t1; t++) {
        const struct zoid_box box = zoid_clipped_at(&run->zoid, &run->region, t);

        if (!zoid_box_empty(&box) && zoid_sample_points_meet(run->sample_points, &box))
            return run->sample_points;
    }
    return NULL;
}

static struct zoid_runner runner_of(const struct zoid_block_args *run,
                                    const struct zoid_device *device, void *self)
{
    struct zoid_runner r = {.run = run,
                            .device = device,
                            .self = self,
                            .plane = (size_t)run->layout->plane,
                            .size = zoid_type_size(run->layout->type),
                            .chain = zoid_chain(run->shape),
                            .groups = zoid_op_groups(run->op),
                            .in_place = overwrites(run),
                            .sample_points = sample_points_of(run),
                            .now = {.from = LONG_MIN / 2, .to = LONG_MAX / 2},
                            .wavefront = 1};

    for (int g = 0; g < r.groups.n; g++)
        r.scratch.one[g] = device->abreast > 0 && zoid_op_pointwise(run->op, g);
    return r;
}

struct zoid_cache_traffic zoid_run_cache_traffic(const struct zoid_block_args *given,
                                                 const struct zoid_device *device, long planes,
                                                 double times)
{
    struct zoid_block_args run = *given;
    struct zoid_runner r = runner_of(&run, device, NULL);
    const long skew = zoid_tile_lean(run.shape, r.size);
    const struct zoid_scratch turns = r.scratch;
    const bool can_drift = run.op->nstate == 1 && !turns.one[0];
    struct zoid_cache_traffic traffic = {.again = INFINITY};
    long lo, hi;

    zoid_chain_reach(run.shape, &lo, &hi);
    run.zoid.t1 = run.zoid.t0 + (long)ceil(times);
    r.in_slabs = zoid_run_in_slabs(run.op);
    for (long n = 2; n <= device->wavefront && (double)n < times + 1; n++)
        for (int drift = can_drift; drift >= 0; drift--) {
            double now;

            r.wavefront = n;
            r.scratch = turns;
            r.scratch.planes = planes;
            if (drift) {
                r.scratch.one[0] = true;
                r.scratch.drift.planes = zoid_max(lo, hi) + device->abreast;
                r.scratch.planes += n * r.scratch.drift.planes;
            }
            if (drift && !drift_fits(&r, planes, skew))
                continue;
            now = again(&r, times, n, skew);
            if (now >= traffic.again)
                continue;
            traffic.again = now;
            traffic.rows =
                (fmax(tile_fit(&r, n, skew), ZOID_TILE_LEAST_MARCHING) + times) * (double)skew;
        }
    return traffic;
}

int zoid_run_join(const struct zoid_block_args *run, const struct zoid_device *device, void *self)
{
    struct zoid_runner r = runner_of(run, device, self);

    zoid_halo_join(&r);
    return r.error;
}

/* Returns the run with the first planes of its scratch as `spare`, and the next as `images`. */
static struct zoid_block_args spared(const struct zoid_block_args *run)
{
    const long spare = run->op->spare, both = zoid_scratch_spare(run->op, run->shape);
    const size_t plane = (size_t)run->op->nstate * zoid_layout_plane_bytes(run->layout);
    struct zoid_block_args rest = *run;

    if (spare)
        rest.spare = run->scratch;
    if (both > spare)
        rest.images = (char *)run->scratch + (size_t)spare * plane;
    if (both)
        rest.scratch = (char *)run->scratch + (size_t)both * plane;
    return rest;
}

/* Lists the pieces of memory of a block. */
static struct zoid_list memory_of(const struct zoid_block_args *run, struct zoid_segment *segment)
{
    struct zoid_list list = {0, segment};

    for (size_t i = 0; i < run->nparts; i++) {
        const struct zoid_part *part = &run->part[i];

        if (part->memory)
            list.segment[list.n++] =
                (struct zoid_segment){.lo = part->in.lo, .hi = part->in.hi, .base = part->base};
    }
    return list;
}

int zoid_run_block(const struct zoid_block_args *given, const struct zoid_device *device,
                   void *self)
{
    const struct zoid_block_args own = spared(given), *run = &own;
    size_t room = zoid_list_room(zoid_run_whole(run));
    struct zoid_segment in[ZOID_MAX_GROUPS + 1][room], out[room], updated[room];
    struct zoid_segment memory[run->nparts + 1];
    struct zoid_runner r = runner_of(run, device, self);

    r.memory = memory_of(run, memory);
    r.out.segment = out;
    r.updated.segment = updated;
    for (int g = 0; g <= r.groups.n; g++)
        r.in[g].segment = in[g];
    r.scratch.planes = zoid_block_max_planes(run);
    zoid_halo_fill(&r);
    zoid_halo_fill_memory(&r);
    zoid_list_start(&r);
    for (int g = 0; g < r.groups.n; g++)
        zoid_scatter_planes(&r, run->zoid.t0, g, &r.in[g]);
    if (run->zoid.t1 == run->zoid.t0 + 1 && fits_slabs(&r)) {
        r.in_slabs = true;
        r.scratch.planes = at_once(&r);
    }
    if (r.in_place && !r.in_slabs && run->zoid.t1 == run->zoid.t0 + 1)
        zoid_one_time_in_place(&r);
    else
        all_tiles(&r);
    zoid_halo_leave_memory(&r);
    return r.error;
}
