/* SPDX-License-Identifier: BSD-3-Clause */
/* Runner of leaning blocks by pipelined sweeps in SIMD lanes: as many times at once as a vector has
 * lanes, plane by plane upwards. Planes of intermediate times are in the scratch. */
#include "codelets/cpu/lanes.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/cpu/lane_block.h"
#include "codelets/cpu/run.h"

static struct zoid_box box_at(const struct zoid_lanes *k, long t)
{
    return zoid_clipped_at(&k->run->zoid, &k->run->region, t);
}

/* Returns the buffer size for the times of one pass, with boxes of at most `planes` planes. */
static size_t memory_for(const struct zoid_lanes *k, long planes)
{
    const size_t lag = (size_t)(ZOID_LANES + 1) * ZOID_LANE_LAG;

    if (k->dims == 1)
        return (lag + 4 * ZOID_LANES) * k->vector +
               3 * ((size_t)planes + 2 * lag + 4 * ZOID_LANES) * k->size;
    return k->dims == 2 ? zoid_lanes_flat_bytes(k, planes) : zoid_lanes_deep_bytes(k, planes);
}

/* Computes times t + 1 ... t + used. */
static void some_times(struct zoid_lanes *k, long t)
{
    const long parts = zoid_lanes_parts(k);
    const int chain = k->dims - 1;

    k->t = t;
    k->used = (int)zoid_min(k->rows->lanes, k->run->zoid.t1 - t);
    k->from = LONG_MAX;
    k->to = LONG_MIN;
    for (int l = 0; l < k->used; l++) {
        const struct zoid_box box = box_at(k, t + 1 + l);

        k->lo[l] = box.lo[chain];
        k->hi[l] = zoid_max(box.hi[chain], box.lo[chain]);
        if (k->lo[l] < k->hi[l]) {
            k->from = zoid_min(k->from, k->lo[l] + l);
            k->to = zoid_max(k->to, k->hi[l] + l);
        }
    }
    if (k->from >= k->to)
        return;
    for (long i = 0; i < parts; i++)
        atomic_init(&k->front[i].at, k->from);
    if (k->dims == 1)
        zoid_lanes_line(k);
    else if (k->dims == 2)
        zoid_lanes_flat(k);
    else
        zoid_lanes_deep(k);
}

static void all_times(struct zoid_lanes *k)
{
    const long planes = zoid_lanes_most_planes(k->run), t1 = k->run->zoid.t1;
    char *half[2] = {k->run->scratch,
                     (char *)k->run->scratch + (size_t)planes * zoid_lanes_plane_bytes(k)};

    zoid_lanes_leave_first(k->run);
    for (long t = k->run->zoid.t0; t < t1; t += k->used) {
        char *swap = half[0];

        k->after = t + k->rows->lanes < t1 ? half[0] : NULL;
        some_times(k, t);
        k->before = k->after;
        k->before_lo = k->lo[k->used - 1];
        k->before_hi = k->hi[k->used - 1];
        half[0] = half[1];
        half[1] = swap;
    }
}

void zoid_lanes_run(const struct zoid_block_args *run, const struct zoid_cpu *cpu,
                    const struct zoid_lane_rows *rows)
{
    const struct zoid_op *op = run->op;
    struct zoid_lanes k = {.run = run,
                           .rows = rows,
                           .dims = op->dims,
                           .rhs = op->ncoef > 0,
                           .n = {run->shape->n[0], op->dims == 3 ? run->shape->n[1] : 1, 1},
                           .size = zoid_type_size(op->type),
                           .cache = cpu->cache};
    size_t bytes, row, fronts;

    if (!k.rows) {
        zoid_cpu_sweeps.run(run, cpu);
        return;
    }
    k.row = k.rows->row[k.dims - 1][k.rhs];
    k.vector = (size_t)k.rows->lanes * k.size;
    bytes = (memory_for(&k, zoid_lanes_most_planes(run)) + ZOID_LINE) / ZOID_LINE * ZOID_LINE;
    /* A line, which is a single row, needs neither. */
    row = k.dims > 1 ? (zoid_lanes_row_bytes(&k) / ZOID_LINE + 1) * ZOID_LINE : 0;
    fronts = (size_t)zoid_lanes_parts(&k) * sizeof *k.front;
    k.memory = aligned_alloc(ZOID_LINE, bytes + 2 * row + fronts);
    if (!k.memory) {
        zoid_cpu_sweeps.run(run, cpu);
        return;
    }
    k.trash = k.memory + bytes;
    k.zero = k.trash + row;
    k.front = (struct zoid_front *)(k.zero + row);
    memset(k.zero, 0, row);
    all_times(&k);
    free(k.memory);
}

static void run_lanes(const struct zoid_block_args *run, const struct zoid_cpu *cpu)
{
    zoid_lanes_run(run, cpu, zoid_lane_rows_of(cpu->isa, run->op->type));
}

/* ---- predictions for the planner ------------------------------------------------------------- */

static bool lanes_fit(const struct zoid_blocks *blocks)
{
    return blocks->traversal == ZOID_TRAVERSAL_BEST &&
           zoid_lane_rows_of(zoid_isa_best(), blocks->op->type);
}

static int lanes_of(const struct zoid_op *op)
{
    return zoid_lane_rows_of(zoid_isa_best(), op->type)->lanes;
}

/* Without a measurement, a step of all lanes is assumed to take three quarters of the time of a
 * point in sweeps, since the chain of operations is much the same. At a block's faces lanes are
 * filled and drained value by value, which costs as much as some planes. */
static double seconds(const struct zoid_blocks *blocks, const struct zoid_pace *pace)
{
    const double lanes = lanes_of(blocks->op);
    const double step = pace->marched > 0 ? lanes * pace->marched : 0.75 * pace->update;
    const double times = blocks->times > 1 ? blocks->times : 1;
    const double rounds = (double)(long)((times + lanes - 1) / lanes);
    const double points = (double)blocks->layout->plane;
    const double lag = blocks->op->dims == 3 ? lanes - 1 : lanes * ZOID_LANE_LAG;
    const double ramps =
        blocks->op->dims == 1 ? blocks->planes : (double)blocks->shape->n[blocks->op->dims - 2];
    const double faces = blocks->op->dims == 1 ? 0 : 8 / blocks->planes;

    return step * points * (1 + lag / ramps + faces) * rounds / times;
}

/* Steps of a row of lanes that a member could do while it takes a row from the member before, and
 * rows while it takes a plane's face. */
static const double TAKING = 100, FACE = 2;

/* Members begin a row or a plane after one another. */
static double excess(const struct zoid_blocks *blocks)
{
    const int lanes = lanes_of(blocks->op);
    const double team = blocks->team, planes = fmax(blocks->planes, 1) + lanes;
    const double begins = 1 + (team - 1) / planes;
    const bool flat = blocks->op->dims == 2;
    const long all =
        flat ? blocks->shape->n[0] + lanes * ZOID_LANE_LAG : blocks->shape->n[1] + lanes - 1;
    long part;

    if (team < 2 || blocks->op->dims == 1)
        return team;
    part =
        flat ? zoid_lanes_begin_of(all, blocks->team, 2) - zoid_lanes_begin_of(all, blocks->team, 1)
             : zoid_lanes_rows(all, all, blocks->team);
    return fmin(begins * ((double)part + (flat ? TAKING : FACE)) * team / (double)all, team);
}

/* The scratch only has planes between one pass of lanes and the next. */
static bool spares(const struct zoid_blocks *blocks)
{
    return blocks->times <= lanes_of(blocks->op);
}

static const struct zoid_block_runner lanes = {.name = "lanes",
                                               .fits = lanes_fit,
                                               .seconds = seconds,
                                               .excess = excess,
                                               .spares = spares,
                                               .run = run_lanes};

const struct zoid_block_runner *const zoid_lane_runners[] = {&lanes, NULL};

bool zoid_lanes_know(const struct zoid_op *op)
{
    return op->runner == zoid_lane_runners;
}

#ifdef __x86_64__
extern const struct zoid_lane_rows zoid_lane_rows_v3_f32, zoid_lane_rows_v3_f64,
    zoid_lane_rows_v4_f32, zoid_lane_rows_v4_f64;

const struct zoid_lane_rows *zoid_lane_rows_of(enum zoid_isa isa, enum zoid_type type)
{
    static const struct zoid_lane_rows *const rows[ZOID_ISAS][ZOID_TYPES] = {
        [ZOID_V3] = {&zoid_lane_rows_v3_f32, &zoid_lane_rows_v3_f64},
        [ZOID_V4] = {&zoid_lane_rows_v4_f32, &zoid_lane_rows_v4_f64}};

    return rows[isa][type];
}
#else
const struct zoid_lane_rows *zoid_lane_rows_of(enum zoid_isa isa, enum zoid_type type)
{
    (void)isa, (void)type;
    return NULL;
}
#endif
