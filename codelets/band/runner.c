/* SPDX-License-Identifier: BSD-3-Clause */
/* Runners of blocks of a band matrix, in a core's private cache or in its share of the largest:
 * their memory and predicted times. */
#include <math.h>
#include <stdio.h>

#include "codelets/band/band.h"
#include "codelets/block/scratch.h"

static long scratch(const struct zoid_op *op, const struct zoid_shape *shape, long planes)
{
    const struct zoid_band *b = zoid_band_of(op);
    const long bytes = (long)zoid_op_point_bytes(op) * op->nstate;

    return zoid_scratch_planes(shape, planes + zoid_band_slack(op, planes), ZOID_BAND_ROWS_MOST) +
           ((long)zoid_band_own_bytes(b) + bytes - 1) / bytes;
}

/* ---- predictions for the planner ------------------------------------------------------------- */

static bool fits(const struct zoid_blocks *blocks)
{
    return blocks->op->coefficient_bytes == zoid_band_bytes;
}

/* Predicts seconds per row and step. Rows that several times reuse come from a cache that has all
 * rows of the block, or those in the wavefront. Data besides the matrix are few, and go to memory.
 */
static double seconds_in(const struct zoid_blocks *blocks, const struct zoid_pace *pace,
                         size_t cache)
{
    const struct zoid_op *op = blocks->op;
    const struct zoid_matrix_about *m = &zoid_band_of(op)->matrix->about;
    const double row = zoid_band_row_bytes(op), times = fmax(blocks->times, 1);
    const double state = (double)(zoid_op_point_bytes(op) * (size_t)op->nstate);
    const double drift = (double)zoid_max(m->lower, m->upper);
    double together = 1, rows = blocks->planes;

    /* Blocks that exchange planes lean, so that each time has other rows. */
    if (blocks->handed_on > 0)
        rows += drift * (times - 1);
    if (zoid_traversal_fuses(blocks->traversal))
        together = fmin((double)zoid_band_wavefront(op, cache), times);
    if (rows * row < 0.75 * (double)cache)
        together = times;
    together = ceil(times / ceil(times / together));
    rows = fmin(rows, (double)zoid_band_batch(op, cache) + (together - 1) * drift);
    return row * (pace->far / together + pace->cost(pace->rates, rows * row) * (1 - 1 / together)) +
           2 * state * (pace->near + pace->far / times + pace->far * blocks->handed_on);
}

static double seconds_near(const struct zoid_blocks *blocks, const struct zoid_pace *pace)
{
    return seconds_in(blocks, pace, pace->cpu.cache);
}

static double seconds_shared(const struct zoid_blocks *blocks, const struct zoid_pace *pace)
{
    return pace->cpu.share ? seconds_in(blocks, pace, pace->cpu.share) : INFINITY;
}

/* Writes the fill of the band and the depth of the wavefronts in its caches. */
static void explain(const struct zoid_op *op, const struct zoid_cpu *cpu, char *text, size_t room)
{
    const struct zoid_matrix_about *m = &zoid_band_of(op)->matrix->about;
    const double band = (double)m->n * (double)zoid_band_of(op)->diagonals;
    const long near = zoid_band_wavefront(op, cpu->cache),
               shared = zoid_band_wavefront(op, cpu->share);
    char steps[64] = "no two steps go together";

    if (near > 1 || shared > 1)
        snprintf(steps, sizeof steps, "%ld steps go together in a core's cache, %ld in its share",
                 near, zoid_max(near, shared));
    snprintf(text, room, "%ld + 1 + %ld diagonals, %.3g%% full: %s", m->lower, m->upper,
             100 * (double)m->entries / band, steps);
}

static void run_near(const struct zoid_block_args *run, const struct zoid_cpu *cpu)
{
    zoid_band_run(run, cpu, cpu->cache);
}

static void run_shared(const struct zoid_block_args *run, const struct zoid_cpu *cpu)
{
    zoid_band_run(run, cpu, cpu->share);
}

static const struct zoid_block_runner near = {.name = "rows in its cache",
                                              .fits = fits,
                                              .seconds = seconds_near,
                                              .scratch = scratch,
                                              .explain = explain,
                                              .run = run_near};
static const struct zoid_block_runner shared = {.name = "rows in the shared cache",
                                                .fits = fits,
                                                .seconds = seconds_shared,
                                                .scratch = scratch,
                                                .explain = explain,
                                                .run = run_shared};

const struct zoid_block_runner *const zoid_band_runners[] = {&near, &shared, NULL};
