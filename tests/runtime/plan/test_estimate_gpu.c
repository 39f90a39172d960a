/* SPDX-License-Identifier: BSD-3-Clause */
/* The planner's predictions for GPUs: launches, links, strips. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/block/scratch.h"
#include "codelets/cuda/run.h"
#include "graphs/method.h"
#include "runtime/boundary.h"
#include "runtime/machine/refine.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/moves.h"
#include "runtime/plan/parts.h"
#include "tests/runtime/plan/made_up.h"
#include "tests/suite.h"

/* Fused launches count if a block has several steps and the faces allow it. */
START_TEST(fused_launches_count)
{
    struct zoid_op_rates op = {.name = "heat3d_r1_f32", .gpu_step = 2e-9, .gpu_even = 2e-9};
    struct setting s = setting_of(GPU, &zoid_leaning);
    double deep, flat, fused;

    s.rates.op = &op;
    s.rates.ops = 1;
    deep = seconds_of(&s);
    s.depth = 1;
    flat = seconds_of(&s);
    op.gpu_even /= 2;
    ck_assert(seconds_of(&s) == flat);
    s.depth = 8;
    fused = seconds_of(&s);
    ck_assert(fused < 0.8 * deep);
    s.left = ZOID_NEUMANN;
    ck_assert(seconds_of(&s) > fused);
}
END_TEST

/* Tables of the run end no launch: a kernel has their values for each of its times. */
START_TEST(tables_fuse)
{
    const struct zoid_cuda_kernels kernels = {.most = 8, .most_shared = 1};
    const struct zoid_cuda_gpu gpu = {.processors = 132, .shared = 1};
    struct zoid_op op = *zoid_op_find("fdtd2d", 2, 1, ZOID_F64);

    op.kernels = &kernels;
    op.ntables = 1;
    ck_assert_int_eq(zoid_cuda_most(&op, ZOID_TRAVERSAL_BEST, &gpu), 8);
    ck_assert_int_eq(zoid_cuda_most(&op, ZOID_TRAVERSAL_TWO, &gpu), 4);
    ck_assert_int_eq(zoid_cuda_most(&op, ZOID_TRAVERSAL_STEP, &gpu), 2);
}
END_TEST

static double computing(const struct setting *s)
{
    const struct zoid_model model = zoid_model_of(&s->machine, &s->rates, &s->op);
    struct zoid_plan plan = plan_of(s);

    return zoid_estimate(&model, &plan).part[ZOID_COST_COMPUTE];
}

/* With three passes one of two GPUs has two, also if a pass that computes nothing comes first. */
START_TEST(a_gpu_has_whole_passes)
{
    struct setting s = setting_of(GPU, &zoid_overlapped);
    double alone;

    s.steps = 3 * s.depth;
    alone = computing(&s);
    s.machine.cuda_workers = 2;
    ck_assert_double_ge(computing(&s), 0.66 * alone);
    ck_assert_double_le(computing(&s), 0.67 * alone);
}
END_TEST

/* Thread blocks that are idle, or process planes redundantly, make a launch longer: never shorter
 * than the rate of a busy GPU, hardly longer if there is enough work for all, and much longer if a
 * block is low. */
START_TEST(few_planes_leave_units_idle)
{
    const struct zoid_cuda_kernels tiled = {
        .most = 4, .tiles = {.values = 120, .rows = 26, .units = 1, .lead = 10}};
    struct setting s = setting_of(GPU, &zoid_leaning);
    struct zoid_layout layout = {.dims = 3};
    double low, high;

    s.op.kernels = &tiled;
    s.machine.gpu_processors = 132;
    for (int i = 0; i < 1000; i++) {
        layout.hi[0] = 1 + rand() % 3000;
        layout.hi[1] = 1 + rand() % 3000;
        ck_assert_double_ge(zoid_estimate_stretch(&s.machine, &s.op.kernels->tiles, &layout,
                                                  1 + rand() % 1000 * 0.5),
                            1);
        /* No steps, no planes. */
        ck_assert_double_eq(zoid_estimate_stretch(&s.machine, &s.op.kernels->tiles, &layout, 0), 1);
    }
    layout.hi[0] = 120 * 132;
    layout.hi[1] = 26 * 10;
    ck_assert_double_lt(zoid_estimate_stretch(&s.machine, &s.op.kernels->tiles, &layout, 2000),
                        1.01);
    s.depth = s.steps;
    low = cost_of(&s).part[ZOID_COST_COMPUTE];
    s.block = s.planes;
    high = cost_of(&s).part[ZOID_COST_COMPUTE];
    ck_assert_double_gt(low, 2 * high);
    s.machine.gpu_processors = 0;
    ck_assert_double_eq(zoid_estimate_stretch(&s.machine, &s.op.kernels->tiles, &layout, 1), 1);
}
END_TEST

static int never(const struct zoid_cuda_sweep *sweep)
{
    (void)sweep;
    abort();
}

/* So do launches of a single step, if they are tiled. */
START_TEST(low_slabs_of_single_times_leave_a_gpu_idle)
{
    const struct zoid_cuda_kernels plain = {.most = 1},
                                   tiled = {.most = 1,
                                            .one = never,
                                            .one_tiles = {
                                                .values = 128, .rows = 32, .units = 1, .lead = 5}};
    struct zoid_cuda_kernels large = tiled;
    struct setting s = setting_of(GPU, &zoid_leaning);
    double without;

    large.one_shared = SHARED + 1;
    s.machine.gpu_processors = 132;
    s.op.kernels = &plain;
    s.depth = s.steps;
    s.block = 8;
    without = cost_of(&s).part[ZOID_COST_COMPUTE];
    s.op.kernels = &tiled;
    ck_assert_double_gt(cost_of(&s).part[ZOID_COST_COMPUTE], 1.5 * without);
    s.op.kernels = &large;
    ck_assert_double_eq(cost_of(&s).part[ZOID_COST_COMPUTE], without);
}
END_TEST

/* If a thread block has less shared memory than fused steps need, a launch takes one step. */
START_TEST(little_shared_memory_takes_more_launches)
{
    struct setting s = setting_of(GPU, &zoid_leaning);
    double fused = cost_of(&s).part[ZOID_COST_COMPUTE];

    s.machine.gpu_shared--;
    ck_assert_double_gt(cost_of(&s).part[ZOID_COST_COMPUTE], 1.5 * fused);
}
END_TEST

/* A single block of everything is loaded, computed and written back, one after the other and each
 * part once. */
START_TEST(a_single_block_takes_each_of_its_parts_once)
{
    struct setting s = setting_of(GPU, &zoid_trapezoid);
    struct zoid_cost cost;
    const double *part = cost.part;

    s.steps = s.depth = 2000;
    s.block = s.planes;
    for (int slower = 0; slower < 2; slower++) {
        double ways;

        cost = cost_of(&s);
        ways = part[ZOID_COST_LINK_UP] + part[ZOID_COST_LINK_DOWN];
        ck_assert_double_ge(cost.seconds, part[ZOID_COST_COMPUTE] + ways);
        ck_assert_double_lt(cost.seconds, 1.2 * (part[ZOID_COST_COMPUTE] + ways));
        s.rates.link_up *= 1000;
        s.rates.link_down *= 1000;
    }
}
END_TEST

/* So is a leaf of all slabs. */
START_TEST(a_single_leaf_takes_each_of_its_parts_once)
{
    struct setting s = setting_of(GPU, &zoid_recursive);
    struct zoid_plan plan;
    struct zoid_cost cost;
    double ways;

    s.steps = s.depth = 40;
    s.block = 32;
    plan = plan_of(&s);
    ck_assert_int_gt(plan.census.kind[ZOID_SLAB].cols, 1);
    ck_assert_int_ge(plan.graph.leaf, s.planes);
    cost = cost_of(&s);
    ways = cost.part[ZOID_COST_LINK_UP] + cost.part[ZOID_COST_LINK_DOWN];
    ck_assert_double_ge(cost.seconds, cost.part[ZOID_COST_COMPUTE] + ways);
    ck_assert_double_lt(cost.seconds, 1.2 * (cost.part[ZOID_COST_COMPUTE] + ways));
}
END_TEST

/* A fused launch has room for few parts; leaves of many slabs have more. */
START_TEST(leaves_of_many_slabs_do_not_fuse)
{
    struct zoid_op_rates op = {.name = "heat3d_r1_f32", .gpu_step = 2e-9, .gpu_even = 1e-9};
    struct setting s = setting_of(GPU, &zoid_recursive);
    double many, whole;

    s.rates.op = &op;
    s.rates.ops = 1;
    s.depth = s.steps;
    many = seconds_of(&s);
    s.block = s.planes;
    whole = seconds_of(&s);
    op.gpu_even = op.gpu_step;
    ck_assert(seconds_of(&s) > 1.5 * whole);
    s.block = 16;
    ck_assert(seconds_of(&s) == many);
}
END_TEST

/* Overlapped blocks have a pass before the first that only writes edges. With two lanes it replaces
 * a second pass in the first round, and loads all slabs like any other. */
START_TEST(a_pass_that_leaves_edges_is_a_visit)
{
    struct setting s = setting_of(GPU_STREAMS, &zoid_overlapped);
    struct zoid_cost one, two, three;

    s.steps = s.depth;
    one = cost_of(&s);
    s.steps = 2 * s.depth;
    two = cost_of(&s);
    s.steps = 3 * s.depth;
    three = cost_of(&s);
    ck_assert_double_eq(two.part[ZOID_COST_LINK_UP], 2 * one.part[ZOID_COST_LINK_UP]);
    ck_assert_double_eq(three.part[ZOID_COST_LINK_UP], two.part[ZOID_COST_LINK_UP]);
    ck_assert_double_eq_tol(two.part[ZOID_COST_COMPUTE], 2 * one.part[ZOID_COST_COMPUTE],
                            1e-9 * two.seconds);
    ck_assert_double_eq_tol(three.part[ZOID_COST_COMPUTE], 3 * one.part[ZOID_COST_COMPUTE],
                            1e-9 * two.seconds);
}
END_TEST

/* Ordered sweeps go through a block in groups of 32 times, with all groups at once for which there
 * is room: a block of many times costs hardly more than one of a few, and one of a single time the
 * same as one of 32. Beyond that room it costs the same as consecutive launches. */
START_TEST(times_in_order_go_together)
{
    struct setting s = setting_of(GPU, &zoid_leaning);
    const struct zoid_op *op = zoid_op_find("sor", 3, 1, ZOID_F32);
    double one, group, two, many;

    s.op = *op;
    s.machine.gpu_processors = 132;
    s.block = s.planes;
    s.steps = s.depth = 1;
    one = cost_of(&s).part[ZOID_COST_COMPUTE];
    s.steps = s.depth = 32;
    group = cost_of(&s).part[ZOID_COST_COMPUTE];
    s.steps = s.depth = 64;
    two = cost_of(&s).part[ZOID_COST_COMPUTE];
    s.steps = s.depth = 32 * 1000;
    many = cost_of(&s).part[ZOID_COST_COMPUTE];
    ck_assert_double_gt(one, 0);
    ck_assert_double_eq_tol(one, group, 1e-12);
    ck_assert_double_gt(two, group);
    ck_assert_double_le(two, 2.001 * group);
    ck_assert_double_gt(many, 20 * group);
}
END_TEST

/* Leaves span slabs: the kernels' seconds are those of the planes, not of all slabs that leaves
 * touch. */
START_TEST(what_spans_slabs_counts_once)
{
    struct zoid_op_rates op = {.name = "heat3d_r1_f32", .gpu_step = 2e-9, .gpu_even = 2e-9};
    struct setting s = setting_of(GPU, &zoid_recursive);
    struct zoid_plan plan = plan_of(&s);
    double points = (double)s.planes * (double)s.steps * (double)plan.layout.plane;
    double seconds;

    s.rates.op = &op;
    s.rates.ops = 1;
    seconds = cost_of(&s).part[ZOID_COST_COMPUTE];
    ck_assert(plan.census.about.mean_planes > 2 * (double)s.block);
    ck_assert_double_gt(seconds, points * op.gpu_step);
    ck_assert_double_lt(seconds, 1.5 * points * op.gpu_step);
}
END_TEST

/* A cube, or a domain with larger planes, with GPU memory for a part of it; and the number of
 * ranks, each with one cell of every plane. */
struct cut {
    long rows, planes;
    uint64_t gpu_mem;
    long ranks;
};

/* Least predicted time of leaning slabs that fit, of strips of `strip` rows, or of a rank without
 * its messages. */
static double least_of(const struct cut *c, long strip)
{
    struct setting s = setting_of(GPU_STREAMS, &zoid_leaning);
    const struct zoid_model model = zoid_model_of(&s.machine, &s.rates, &s.op);
    double least = INFINITY;

    for (long block = 2; block <= 128; block *= 2)
        for (long depth = 1; depth <= 64; depth *= 2) {
            struct zoid_plan p = {
                .problem = {.op = &s.op, .n = {c->rows, c->rows, c->planes}, .steps = 64},
                .graph = {.method = s.method,
                          .steps = 64,
                          .block = block,
                          .depth = depth,
                          .cut = {[1] = {.cells =
                                             strip ? (c->rows + strip - 1) / strip : c->ranks}},
                          .ranks = {1, c->ranks},
                          .lanes = 2},
                .place = zoid_place_make(ZOID_GPUS, 1, (enum zoid_traversal[ZOID_ANY]){0}, 2),
                .home = ZOID_RAM};
            const struct zoid_tier *gpu = &p.tier[ZOID_GPU_MEMORY];
            bool clamped;
            double seconds;

            add_tiers(&p, &s.rates, c->gpu_mem);
            p.graph.shape = zoid_problem_shape(&p.problem);
            ck_assert_int_eq(zoid_graph_init(&p.graph, &clamped), 0);
            p.layout = zoid_plan_layout(&p, 0);
            zoid_graph_census(&p.graph, &p.census);
            p.scratch_planes = zoid_scratch_planes(&p.graph.shape, p.census.box_planes, block);
            zoid_budget_count(&p);
            seconds = gpu->bytes <= gpu->capacity ? zoid_estimate(&model, &p).alone : INFINITY;
            least = fmin(least, seconds);
        }
    return least;
}

/* Cutting planes pays only if few of them fit. */
START_TEST(strips_pay_where_planes_are_large)
{
    const struct cut large = {16384, 512, 24ull << 30, 1}, small = {1024, 1024, 2ull << 30, 1};

    ck_assert(isfinite(least_of(&large, 1024)));
    ck_assert_msg(least_of(&large, 1024) < 0.8 * least_of(&large, 0), "%g, uncut %g",
                  least_of(&large, 1024), least_of(&large, 0));
    ck_assert_msg(least_of(&small, 256) > least_of(&small, 0), "%g, uncut %g",
                  least_of(&small, 256), least_of(&small, 0));
}
END_TEST

/* Kernels of all visits count, whether lanes take those of an epoch together or not. */
START_TEST(all_visits_of_an_epoch_count)
{
    static const long planes[] = {64, 500};

    for (int gpus = 1; gpus <= 2; gpus++)
        for (int lanes = 1; lanes <= 2; lanes++)
            for (long visits = 1; visits <= 4; visits++)
                for (size_t i = 0; i < 2; i++) {
                    struct setting s = setting_of(GPU, &zoid_leaning);
                    struct zoid_cost cost;

                    s.machine.cuda_workers = gpus;
                    s.lanes = lanes * gpus;
                    s.strips = 4;
                    s.visits = visits;
                    s.planes = planes[i];
                    cost = cost_of(&s);
                    ck_assert_msg(
                        fabs(cost.part[ZOID_COST_COMPUTE] * gpus / (cost.near + cost.far) - 1) <
                            0.1,
                        "%d GPUs, %d lanes, %ld visits: %g s of %g", gpus, s.lanes, visits,
                        cost.part[ZOID_COST_COMPUTE], cost.near + cost.far);
                }
}
END_TEST

/* Halos from neighbours do not count as planes that a fused launch might have no room for. */
START_TEST(blocks_of_ranks_fuse)
{
    const struct cut alone = {1024, 512, 24ull << 30, 1}, two = {1024, 512, 24ull << 30, 2};

    ck_assert_msg(least_of(&two, 0) < 0.7 * least_of(&alone, 0), "%g, one rank %g",
                  least_of(&two, 0), least_of(&alone, 0));
}
END_TEST

/* Halos between strips are written back and loaded in every epoch. */
START_TEST(halos_of_strips_are_on_the_links)
{
    static const long strips[] = {2, 3, 5};
    struct setting s = setting_of(GPU_STREAMS, &zoid_leaning);
    const struct zoid_model model = zoid_model_of(&s.machine, &s.rates, &s.op);
    struct zoid_plan p;
    struct zoid_traffic moved;
    struct zoid_cost cost;

    s.rates.link_up = s.rates.link_down = 1;
    s.steps = 128;
    s.depth = 16;
    s.lanes = 1;
    s.gpu_mem = 48 << 20;
    s.strips = strips[_i];
    p = plan_of(&s);
    ck_assert_int_eq(slabs_on_gpu(&p), ZOID_KEEP_OPEN);
    ck_assert_uint_gt(p.census.kind[ZOID_HALO].rows, 0);
    cost = zoid_estimate(&model, &p);
    moved = zoid_plan_moves(&p, &(struct zoid_moves_run){.end = 0});
    ck_assert_msg(fabs(cost.part[ZOID_COST_LINK_UP] / moved.h2d - 1) < 0.06, "up %g of %g",
                  cost.part[ZOID_COST_LINK_UP], moved.h2d);
    ck_assert_msg(fabs(cost.part[ZOID_COST_LINK_DOWN] / moved.d2h - 1) < 0.06, "down %g of %g",
                  cost.part[ZOID_COST_LINK_DOWN], moved.d2h);
}
END_TEST

/* ---- refinement by runs
 * ------------------------------------------------------------------------ */

/* A run on a card whose kernels take 0.8 of the measured time, and whose gaps between kernels are
 * 2.2 times as long as the defaults of cards. */
static void teach(const struct setting *s, struct zoid_op_rates *op)
{
    const struct zoid_factors used = op->gpus;
    const struct zoid_cost cost = cost_of(s);
    const double near = cost.near / zoid_factor(used.near);
    const double far = cost.far / zoid_factor(used.far);

    zoid_rates_refine(op, &(struct zoid_observed){.place = ZOID_GPUS,
                                                  .near = near,
                                                  .far = far,
                                                  .measured = 0.8 * near + 2.2 * far,
                                                  .seconds = cost.seconds});
}

/* After one run of large blocks and one of small ones, others are predicted within a tenth. */
START_TEST(two_runs_teach_what_others_take)
{
    static const long blocks[] = {8, 24, 96, 256};
    struct zoid_op_rates op = {.name = "heat3d_r1_f32", .gpu_step = 2e-12, .gpu_even = 1e-12};
    struct zoid_op_rates there = op;
    struct setting s = setting_of(GPU, &zoid_leaning);

    s.rates.op = &op;
    s.rates.ops = 1;
    s.depth = 1;
    s.block = 16;
    teach(&s, &op);
    s.planes = s.block = 4096;
    s.depth = 64;
    teach(&s, &op);
    there.gpus.near = 0.8;
    there.gpus.far = 2.2;
    for (int i = 0; i < 4 * 3; i++) {
        double predicted, taken;

        s = setting_of(i / 4 == 2 ? GPU_STREAMS : GPU, &zoid_leaning);
        s.planes = 1024;
        s.block = blocks[i % 4];
        s.depth = i / 4 ? 32 : 4;
        s.rates.ops = 1;
        s.rates.op = &there;
        taken = seconds_of(&s);
        s.rates.op = &op;
        predicted = seconds_of(&s);
        ck_assert_msg(fabs(predicted / taken - 1) < 0.1, "%ld planes, %ld steps: %g, and takes %g",
                      s.block, s.depth, predicted, taken);
    }
}
END_TEST

/* An operator that has not run gets the same correction of its defaults as those that have. */
START_TEST(others_speak_for_an_operator_that_has_not_run)
{
    struct setting s = setting_of(GPU, &zoid_leaning);
    const struct zoid_op *heat = zoid_op_find("heat", 3, 1, ZOID_F32);
    const struct zoid_op *wave = zoid_op_find("wave", 3, 4, ZOID_F32);
    const struct zoid_model of_heat = zoid_model_of(&s.machine, &s.rates, heat);
    const struct zoid_model of_wave = zoid_model_of(&s.machine, &s.rates, wave);
    struct zoid_op_rates op = {.name = "heat3d_r1_f32",
                               .gpu_step = 1.5 * of_heat.op.gpu_step,
                               .gpu_even = 1.5 * of_heat.op.gpu_even};
    struct zoid_model model;

    s.rates.op = &op;
    s.rates.ops = 1;
    model = zoid_model_of(&s.machine, &s.rates, wave);
    ck_assert(!model.gpus);
    ck_assert_double_eq_tol(model.op.gpu_step / of_wave.op.gpu_step, 1.5, 1e-9);
    ck_assert_double_eq_tol(model.op.gpu_even / of_wave.op.gpu_even, 1.5, 1e-9);
    op.gpus.near = 0.8;
    model = zoid_model_of(&s.machine, &s.rates, wave);
    ck_assert_double_eq_tol(model.op.gpu_step / of_wave.op.gpu_step, 1.2, 1e-9);
    ck_assert_double_eq_tol(model.gpu.far, 1, 1e-9);
    op.gpus.far = 2;
    op.gpus.runs = 1;
    model = zoid_model_of(&s.machine, &s.rates, wave);
    ck_assert_double_eq_tol(model.gpu.far, 2, 1e-9);
    op.gpu_step = op.gpu_even = 0;
    model = zoid_model_of(&s.machine, &s.rates, wave);
    ck_assert_double_eq_tol(model.gpu.far, 1, 1e-9);
    ck_assert_double_eq_tol(model.op.gpu_step / of_wave.op.gpu_step, 1, 1e-9);
}
END_TEST

/* Cards in the table have their own defaults. */
START_TEST(cards_differ)
{
    struct setting s = setting_of(GPU_STREAMS, &zoid_leaning);
    struct zoid_rates unknown, h200, h100;

    strcpy(s.machine.gpu, "Some GPU");
    zoid_rates_defaults(&s.machine, &unknown);
    strcpy(s.machine.gpu, "NVIDIA H200 NVL");
    zoid_rates_defaults(&s.machine, &h200);
    strcpy(s.machine.gpu, "NVIDIA H100 80GB HBM3");
    zoid_rates_defaults(&s.machine, &h100);
    ck_assert(unknown.gpu_memory == h200.gpu_memory && unknown.link_both == h200.link_both);
    ck_assert(h100.gpu_memory > h200.gpu_memory && h100.link_both > h200.link_both);
}
END_TEST

/* The factor of waits applies if slabs are moved many times. */
START_TEST(waits_are_of_slabs_that_come_and_go)
{
    struct zoid_op_rates op = {.name = "heat3d_r1_f32", .gpu_step = 2e-9, .gpu_even = 1e-9};
    struct setting s = setting_of(GPU_STREAMS, &zoid_leaning);
    double plain;

    s.rates.op = &op;
    s.rates.ops = 1;
    plain = seconds_of(&s);
    op.gpus.waits = 1.25;
    ck_assert_double_eq_tol(seconds_of(&s) / plain, 1.25, 1e-9);
    ck_assert_double_eq(cost_of(&s).waits, 1.25);
    s.place = GPU;
    ck_assert_double_eq(cost_of(&s).waits, 0);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, halos_of_strips_are_on_the_links, 0, 3);
    tcase_add_test(tests, two_runs_teach_what_others_take);
    tcase_add_test(tests, others_speak_for_an_operator_that_has_not_run);
    tcase_add_test(tests, cards_differ);
    tcase_add_test(tests, waits_are_of_slabs_that_come_and_go);
    tcase_add_test(tests, fused_launches_count);
    tcase_add_test(tests, tables_fuse);
    tcase_add_test(tests, few_planes_leave_units_idle);
    tcase_add_test(tests, low_slabs_of_single_times_leave_a_gpu_idle);
    tcase_add_test(tests, little_shared_memory_takes_more_launches);
    tcase_add_test(tests, a_single_block_takes_each_of_its_parts_once);
    tcase_add_test(tests, a_single_leaf_takes_each_of_its_parts_once);
    tcase_add_test(tests, leaves_of_many_slabs_do_not_fuse);
    tcase_add_test(tests, a_pass_that_leaves_edges_is_a_visit);
    tcase_add_test(tests, what_spans_slabs_counts_once);
    tcase_add_test(tests, times_in_order_go_together);
    tcase_add_test(tests, strips_pay_where_planes_are_large);
    tcase_add_test(tests, all_visits_of_an_epoch_count);
    tcase_add_test(tests, blocks_of_ranks_fuse);
    tcase_add_test(tests, a_gpu_has_whole_passes);
}

int main(void)
{
    return run_suite("estimate_gpu", 240, add);
}
