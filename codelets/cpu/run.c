/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPU as a device: one core, one sweep after another. */
#include "codelets/cpu/run.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "codelets/block/finish.h"
#include "codelets/block/row.h"
#include "codelets/block/run.h"
#include "codelets/block/team_tiles.h"
#include "codelets/block/tile.h"
#include "codelets/block/wavefront.h"
#include "codelets/cpu/order.h"
#include "codelets/cpu/walk.h"
#include "codelets/op/traits.h"

/* Every segment reads the output of those below it. */
static void sweep_in_order(const struct zoid_sweep *given, size_t nout,
                           const struct zoid_segment *out)
{
    struct zoid_segment updated[given->updated.n + nout];
    struct zoid_sweep one = *given;
    int chain = zoid_chain(given->shape);

    memcpy(updated, given->updated.segment, given->updated.n * sizeof *updated);
    for (size_t i = 0; i < nout; i++) {
        one.updated = (struct zoid_segments){given->updated.n + i, updated};
        one.out = updated[given->updated.n + i] = out[i];
        one.box.lo[chain] = out[i].lo;
        one.box.hi[chain] = out[i].hi;
        zoid_sweep_in_order(&one);
    }
}

static int sweep(void *self, const struct zoid_sweep *given, size_t nout,
                 const struct zoid_segment *out)
{
    const enum zoid_isa *isa = self;
    const bool unfinished = zoid_sweep_unfinished(given);
    struct zoid_finish finish; /* large: set only if it is used */
    struct zoid_sweep one = *given;
    int chain = zoid_chain(given->shape);

    if (zoid_sweep_ascends(given)) {
        sweep_in_order(given, nout, out);
        return 0;
    }
    if (unfinished)
        finish = zoid_finish_of(given->op, given->shape, given->layout);
    for (size_t i = 0; i < nout; i++) {
        one.out = out[i];
        one.box.lo[chain] = out[i].lo;
        one.box.hi[chain] = out[i].hi;
        given->op->cpu[*isa](&one);
        if (unfinished)
            zoid_finish_sweep(&finish, &one);
    }
    return 0;
}

static int copy(void *self, const struct zoid_copy *copy)
{
    (void)self;
    for (long i = 0; i < copy->planes; i++) {
        char *to = (char *)copy->to + (size_t)i * copy->to_plane;
        const char *from = (const char *)copy->from + (size_t)i * copy->from_plane;

        for (long row = 0; row < copy->rows; row++) {
            void *at = to + (size_t)row * copy->to_row;
            const void *of = from + (size_t)row * copy->from_row;

            if (copy->turned)
                zoid_copy_turned(at, of, copy->bytes, copy->turned);
            else
                memcpy(at, of, copy->bytes);
        }
    }
    return 0;
}

/* Points of a batch of planes: few enough to stay in cache until they leave the ring, and enough to
 * amortise a sweep if a plane is a point or a short row. */
enum { BATCH = 4096 };

long zoid_cpu_batch(const struct zoid_shape *shape)
{
    long points = 1;

    for (int a = 0; a < zoid_chain(shape); a++)
        points *= shape->n[a];
    return points * ZOID_ABREAST < BATCH ? BATCH / points : ZOID_ABREAST;
}

const struct zoid_device zoid_cpu = {.abreast = ZOID_ABREAST, .sweep = sweep, .copy = copy};

/* True if sweeps are compiled for the operator: one value per point, within the largest reach. */
static bool sweeps_fit(const struct zoid_blocks *blocks)
{
    for (int s = 0; s < blocks->op->nstages; s++) {
        const struct zoid_reach reach = zoid_op_reach(blocks->op, s);

        for (int a = 0; a < ZOID_AXES; a++)
            if (reach.lo[a] > ZOID_MAX_REACH || reach.hi[a] > ZOID_MAX_REACH)
                return false;
    }
    return zoid_op_plain(blocks->op) && blocks->op->cpu[ZOID_PORTABLE] != NULL;
}

static struct zoid_device device_of(const struct zoid_block_args *run, const struct zoid_cpu *cpu)
{
    struct zoid_device device = zoid_cpu;

    device.batch = zoid_cpu_batch(run->shape);
    device.cache = zoid_traversal_fuses(run->traversal) ? cpu->cache : 0;
    return device;
}

static void run_sweeps(const struct zoid_block_args *run, const struct zoid_cpu *cpu)
{
    struct zoid_device device = device_of(run, cpu);
    enum zoid_isa isa = run->traversal == ZOID_TRAVERSAL_NAIVE ? ZOID_PORTABLE : cpu->isa;

    zoid_run_block(run, &device, &isa);
}

const struct zoid_block_runner zoid_cpu_sweeps = {
    .name = "sweeps", .fits = sweeps_fit, .run = run_sweeps};

/* ---- wavefronts of times ------------------------------------------------------------------- */

/* True for blocks of several times that are tiled. */
static bool wavefront_fits(const struct zoid_blocks *blocks)
{
    return sweeps_fit(blocks) && zoid_traversal_fuses(blocks->traversal) &&
           zoid_tiled(blocks->shape) && blocks->times > 1;
}

/* Returns a core as a device with wavefronts of any useful number of times. If planes are rows, the
 * strides of all times may take as much as the cache: a call for fewer points takes long beside
 * them. */
static struct zoid_device marching(const struct zoid_block_args *run, const struct zoid_cpu *cpu)
{
    enum { PART = ZOID_WAVEFRONT_MOST };
    const long value = (long)zoid_type_size(run->op->type) * run->op->nstate;
    struct zoid_device device = device_of(run, cpu);

    device.wavefront = ZOID_WAVEFRONT_MOST;
    if (zoid_chain(run->shape) == 1)
        device.stride = (long)device.cache / PART / value;
    return device;
}

/* What a reload from a cache that cores share costs at the least, relative to memory. */
static const double NEAREST = 0.35;

/* Returns how far a working set of `bytes` bytes is: 0 in the core's own cache, 1 in memory. */
static double distance(const struct zoid_pace *pace, double bytes)
{
    const double way = pace->far - pace->near;

    return way > 0 ? (pace->cost(pace->rates, bytes) - pace->near) / way : 1;
}

/* Returns the cost of reloading from a working set of `bytes` bytes, relative to memory: low from a
 * cache that cores share, while it holds most of them. */
static double nearness(const struct zoid_pace *pace, double bytes)
{
    return fmin(fmax(NEAREST, 2 * distance(pace, bytes) - 1), 1);
}

/* Rows (in 2-D, points) that a plane computes, and by which tiles lean. */
static long rows_of(const struct zoid_blocks *blocks)
{
    const int axis = zoid_chain(blocks->shape) - 1;

    return blocks->layout->hi[axis] - blocks->layout->lo[axis];
}

static long lean_of(const struct zoid_blocks *blocks)
{
    return zoid_tile_lean(blocks->shape, zoid_type_size(blocks->layout->type));
}

/* Predicts the reloads of a block by a team, from the cache that its cores share. */
static struct zoid_cache_traffic team_brings(const struct zoid_blocks *blocks)
{
    const double groups = fmin(ceil(blocks->times), ZOID_TEAM_GROUPS);
    const long lean = lean_of(blocks);
    const long height = zoid_team_height(blocks->team, (long)groups, rows_of(blocks),
                                         ZOID_TILE_LEAST_MARCHING * lean, LONG_MAX);

    return (struct zoid_cache_traffic){
        .again = zoid_tile_again(blocks->times, (long)ceil(blocks->times / groups),
                                 (double)height / (double)lean, false)};
}

/* A team needs scratch for the planes of all times at once. */
static double wavefront_excess(const struct zoid_blocks *blocks)
{
    const double rows = (double)rows_of(blocks), lean = (double)lean_of(blocks);
    long lo, hi, reach;

    zoid_chain_reach(blocks->shape, &lo, &hi);
    reach = zoid_max(lo, hi);
    if (!zoid_run_in_slabs(blocks->op) &&
        (blocks->op->nstate > 1 ||
         blocks->times * (double)(2 * reach + ZOID_ABREAST + 1) > blocks->planes ||
         zoid_tile_most(rows, blocks->times, lean) < 4 * ZOID_TILE_LEAST_MARCHING * lean))
        return blocks->team;
    return fmin(zoid_team_excess(blocks->team, blocks->planes, rows, blocks->times, blocks->shape,
                                 (long)lean),
                blocks->team);
}

/* Returns the seconds of a plane in 2-D due to tiles that cut it into many short stretches. */
static double stretches(const struct zoid_blocks *blocks, const struct zoid_pace *pace,
                        const struct zoid_cache_traffic *traffic)
{
    const double points = (double)rows_of(blocks), lean = (double)lean_of(blocks);
    const double tile = fmin(fmax(traffic->rows - blocks->times * lean, lean), points);
    const double cut = (points + blocks->times * lean) / tile;

    return blocks->shape->dims == 2 && pace->stretch > 0
               ? pace->stretch * fmax(cut - points / pace->stretch_points, 0)
               : 0;
}

/* Only planes in flight have to stay in the cache. All cores at once stream no faster than memory
 * can. */
static double wavefront_seconds(const struct zoid_blocks *blocks, const struct zoid_pace *pace)
{
    const double points = (double)blocks->layout->plane / blocks->op->step;
    const struct zoid_block_args run = {.op = blocks->op,
                                        .shape = blocks->shape,
                                        .layout = blocks->layout,
                                        .traversal = blocks->traversal};
    const struct zoid_device device = marching(&run, &pace->cpu);
    struct zoid_cache_traffic traffic;
    double update = pace->marched, point, bytes, near, loads, streamed;

    if (!(pace->marched > 0))
        return INFINITY;
    traffic = blocks->team > 1
                  ? team_brings(blocks)
                  : zoid_run_cache_traffic(&run, &device, (long)blocks->planes, blocks->times);
    point = (double)(blocks->op->nstate + blocks->op->ncoef) *
            (double)zoid_type_size(blocks->layout->type);
    bytes = traffic.rows * (double)zoid_layout_rows(blocks->layout, 1) * blocks->planes * point;
    near = nearness(pace, bytes);
    if (blocks->team > 1) {
        /* Its members march fewer times than one core does. */
        update = fmin(update, pace->update);
        near = NEAREST;
    }
    loads = (1 + traffic.again * near) / blocks->times;
    streamed = pace->stream * loads *
               (double)((2 * blocks->op->nstate + blocks->op->ncoef) *
                        (long)zoid_type_size(blocks->op->type));
    return points * (fmax(update + pace->marched_visit * loads, streamed) +
                     pace->handed * blocks->handed_on) +
           stretches(blocks, pace, &traffic);
}

/* True if slabs have room for the planes of all times. */
static bool wavefront_spares(const struct zoid_blocks *blocks)
{
    return zoid_run_in_slabs(blocks->op);
}

static void run_wavefront(const struct zoid_block_args *run, const struct zoid_cpu *cpu)
{
    const struct zoid_device device = marching(run, cpu);
    enum zoid_isa isa = cpu->isa;

    zoid_run_block(run, &device, &isa);
}

const struct zoid_block_runner zoid_cpu_wavefront = {.name = "march",
                                                     .fits = wavefront_fits,
                                                     .seconds = wavefront_seconds,
                                                     .excess = wavefront_excess,
                                                     .spares = wavefront_spares,
                                                     .run = run_wavefront};

/* ---- time after time, without tiles -------------------------------------------------------- */

/* True for blocks that other runners cut into tiles. */
static bool untiled_fits(const struct zoid_blocks *blocks)
{
    return wavefront_fits(blocks) && blocks->team < 2;
}

/* The planes of two times are in use, in two halves of the scratch. Several stages at a time make
 * tiles costly; a low block stays in a cache without them. */
static double untiled_seconds(const struct zoid_blocks *blocks, const struct zoid_pace *pace)
{
    const struct zoid_op *op = blocks->op;
    const double points = (double)blocks->layout->plane / op->step;
    const double values = (double)((2 * op->nstate + op->ncoef) * (long)zoid_type_size(op->type));
    const double set = blocks->planes * (double)blocks->layout->plane * values;

    if (!(pace->untiled > 0))
        return INFINITY;
    return points *
           (pace->untiled + pace->farther * distance(pace, set) +
            pace->stream * values * op->step / blocks->times + pace->handed * blocks->handed_on);
}

static void run_untiled(const struct zoid_block_args *run, const struct zoid_cpu *cpu)
{
    struct zoid_cpu core = *cpu;

    core.cache = 0;
    run_sweeps(run, &core);
}

const struct zoid_block_runner zoid_cpu_untiled = {
    .name = "untiled sweeps", .fits = untiled_fits, .seconds = untiled_seconds, .run = run_untiled};

void zoid_cpu_run(const struct zoid_block_args *run, const struct zoid_cpu *cpu)
{
    const struct zoid_block_runner *runner = run->runner ? run->runner : &zoid_cpu_sweeps;

    /* A team can only march. */
    if (runner == &zoid_cpu_sweeps && zoid_team_size(run->team) > 1 && zoid_tiled(run->shape) &&
        zoid_traversal_fuses(run->traversal))
        runner = &zoid_cpu_wavefront;
    runner->run(run, cpu);
}
