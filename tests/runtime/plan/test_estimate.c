/* SPDX-License-Identifier: BSD-3-Clause */
/* The planner's cost model: nothing gets faster with more work or slower hardware, and the chosen
 * plan is the cheapest known. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "codelets/cpu/run.h"
#include "graphs/message.h"
#include "graphs/method.h"
#include "runtime/boundary.h"
#include "runtime/machine/refine.h"
#include "runtime/plan/cost.h"
#include "runtime/plan/ranks.h"
#include "tests/runtime/plan/made_up.h"
#include "tests/suite.h"

START_TEST(more_steps_take_longer)
{
    for (size_t m = 0; zoid_methods[m]; m++) {
        struct setting s = setting_of((enum place)_i, zoid_methods[m]);
        double before = 0, first = seconds_of(&s);

        for (s.steps = 8; s.steps <= 512; s.steps *= 2) {
            double seconds = seconds_of(&s);

            ck_assert_msg(seconds >= before, "%s, %ld steps: %g after %g", s.method->name, s.steps,
                          seconds, before);
            before = seconds;
        }
        /* A few more may be hidden behind the disk or the link. */
        ck_assert(before > 2 * first);
    }
}
END_TEST

/* Every rate ten times slower, one after another. */
START_TEST(slower_is_never_faster)
{
    for (size_t m = 0; zoid_methods[m]; m++) {
        const struct setting usual = setting_of((enum place)_i, zoid_methods[m]);
        const double before = seconds_of(&usual);
        static const size_t rates[] = {
            offsetof(struct zoid_rates, few),        offsetof(struct zoid_rates, task),
            offsetof(struct zoid_rates, submit),     offsetof(struct zoid_rates, gpu_task),
            offsetof(struct zoid_rates, gpu_memory), offsetof(struct zoid_rates, link_up),
            offsetof(struct zoid_rates, link_down),  offsetof(struct zoid_rates, link_both),
            offsetof(struct zoid_rates, link_peer),  offsetof(struct zoid_rates, disk_read),
            offsetof(struct zoid_rates, disk_write), offsetof(struct zoid_rates, disk_datum)};

        for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
            struct setting slow = usual;

            *(double *)((char *)&slow.rates + rates[i]) *= 10;
            ck_assert_msg(seconds_of(&slow) >= before, "%s, rate %zu", usual.method->name, i);
        }
    }
}
END_TEST

START_TEST(what_is_slow_enough_is_the_bound)
{
    struct setting s = setting_of(GPU_STREAMS, &zoid_leaning);
    struct zoid_cost cost;

    s.rates.link_down *= 1e4;
    cost = cost_of(&s);
    ck_assert_int_eq(zoid_cost_bound(&cost), ZOID_COST_LINK_DOWN);
    s = setting_of(CORES_AND_DISK, &zoid_leaning);
    s.rates.disk_read *= 1e4;
    cost = cost_of(&s);
    ck_assert_int_eq(zoid_cost_bound(&cost), ZOID_COST_DISK);
    s = setting_of(CORES, &zoid_naive);
    s.rates.submit *= 1e5;
    cost = cost_of(&s);
    ck_assert_int_eq(zoid_cost_bound(&cost), ZOID_COST_TASK);
}
END_TEST

/* The same bytes in four times as many slabs: each round moves 48 more in, and out. */
START_TEST(small_pieces_of_a_disk_take_longer)
{
    for (size_t m = 0; zoid_methods[m]; m++) {
        struct setting s = setting_of(CORES_AND_DISK, zoid_methods[m]);
        double disk, more;

        s.steps = s.depth = 2;
        disk = cost_of(&s).part[ZOID_COST_DISK];
        s.block = 4;
        more = (cost_of(&s).part[ZOID_COST_DISK] - disk) / (2 * 48 * s.rates.disk_datum);
        ck_assert_msg(more > 0.9 && fabs(more - round(more)) < 1e-6, "%s: %g rounds",
                      s.method->name, more);
    }
}
END_TEST

START_TEST(measured_rates_are_said_to_be)
{
    struct zoid_op_rates op = {
        .name = "heat3d_r1_f32", .tiled = 1e-10, .exceeding = 1e-11, .visit = 1e-9, .step = 5e-10};
    struct setting s = setting_of(CORES, &zoid_leaning);

    ck_assert(!cost_of(&s).calibrated);
    s.rates.op = &op;
    s.rates.ops = 1;
    ck_assert(cost_of(&s).calibrated);
    s.place = GPU;
    ck_assert(!cost_of(&s).calibrated);
    s.place = CORES_AND_DISK;
    ck_assert(!cost_of(&s).calibrated);
    strcpy(s.rates.disk, "/folder");
    ck_assert(cost_of(&s).calibrated);
}
END_TEST

static const struct zoid_op_rates measured_op = {
    .name = "heat3d_r1_f32", .tiled = 1e-10, .exceeding = 1e-11, .visit = 1e-9, .step = 5e-10};

static void expect_factors(const struct zoid_method *method)
{
    struct zoid_op_rates op = measured_op;
    struct setting s = setting_of(CORES, method);
    struct zoid_cost plain, refined;

    s.rates.op = &op;
    s.rates.ops = 1;
    plain = cost_of(&s);
    ck_assert(plain.near > 0 && plain.far > 0 && plain.waits == 1);
    op.cores.near = 2;
    op.cores.far = 3;
    op.cores.waits = 1.5;
    op.cores.runs = 1;
    refined = cost_of(&s);
    ck_assert(fabs(refined.near / plain.near - 2) < 1e-9);
    ck_assert(fabs(refined.far / plain.far - 3) < 1e-9);
    ck_assert(refined.waits == 1.5);
    ck_assert(refined.seconds > 2 * plain.seconds);
    /* A single worker does not wait for others, and waits for a disk are modelled separately. */
    s.place = CORES_AND_DISK;
    ck_assert(cost_of(&s).waits == 0);
    s = setting_of(GPU, method);
    ck_assert(cost_of(&s).waits == 0);
}

START_TEST(factors_stand_beside_rates)
{
    for (size_t m = 0; zoid_methods[m]; m++)
        expect_factors(zoid_methods[m]);
}
END_TEST

/* Changes the cost of copying at every distance. */
static void scale_copies(struct zoid_rates *rates, double factor)
{
    for (int i = 0; i < rates->costs; i++)
        rates->cost[i].seconds *= factor;
}

/* Blocks are pipelined if that was measured to be faster. The prediction takes the factor of
 * sweeps, so that refinement changes no choice. */
START_TEST(times_march_where_that_pays)
{
    struct zoid_op_rates op = measured_op;
    struct setting s = setting_of(CORES, &zoid_overlapped);
    struct zoid_cost sweeps, march, refined;

    s.rates.op = &op;
    s.rates.ops = 1;
    op.visit = 1e-20;             /* nor do transfers between blocks */
    scale_copies(&s.rates, 1e-2); /* nor streaming */
    sweeps = cost_of(&s);
    op.marched = 100 * op.tiled;
    op.marched_visit = op.tiled / 10;
    ck_assert(cost_of(&s).seconds == sweeps.seconds);
    op.marched = op.tiled / 2;
    march = cost_of(&s);
    ck_assert(march.seconds < sweeps.seconds && march.far == 0 && sweeps.far > 0);
    op.cores.near = 2;
    op.cores.runs = 1;
    refined = cost_of(&s);
    ck_assert(fabs(refined.near / march.near - 2) < 1e-9 && refined.far == 0);
    op.marched_visit *= 2;
    ck_assert(cost_of(&s).near > refined.near);
}
END_TEST

/* However fast times march, all cores stream their planes at the rate of copying. */
START_TEST(marching_streams_no_faster_than_memory)
{
    struct zoid_op_rates op = measured_op;
    struct setting s = setting_of(CORES, &zoid_overlapped);
    double bound, loose;

    s.rates.op = &op;
    s.rates.ops = 1;
    op.visit = 1e-20;
    op.marched = op.tiled / 1e6;
    op.marched_visit = op.tiled / 1e6;
    bound = cost_of(&s).near;
    scale_copies(&s.rates, 0.5);
    ck_assert(fabs(cost_of(&s).near / bound - 0.5) < 0.05);
    scale_copies(&s.rates, 1e-4);
    loose = cost_of(&s).near;
    ck_assert(loose > 0 && loose < bound / 50);
}
END_TEST

static double no_cost(const struct zoid_rates *rates, double bytes)
{
    (void)rates;
    (void)bytes;
    return 0;
}

/* Cache traffic of a block of 6 steps, in loads per step, with a cache of `cache` bytes and reloads
 * from the nearest level. */
static double brought(size_t cache)
{
    const struct zoid_op *op = zoid_op_find("wave", 3, 4, ZOID_F32);
    const long n[] = {512, 512, 64};
    const struct zoid_shape shape = zoid_op_shape(op, n);
    const struct zoid_layout layout = zoid_layout_make(op, n, zoid_layout_ghost(&shape));
    const struct zoid_blocks blocks = {
        .op = op, .shape = &shape, .layout = &layout, .planes = 64, .times = 6};
    const struct zoid_pace pace = {
        .far = 1, .marched = DBL_MIN, .marched_visit = 1, .cpu = {.cache = cache}, .cost = no_cost};

    return zoid_cpu_wavefront.seconds(&blocks, &pace) / (double)layout.plane;
}

/* The larger the cache, the more steps are pipelined together, and the less traffic there is: if it
 * holds all planes, each is loaded about once; in 2 MiB, which hold three leans of rows and a bit
 * of two times, the steps are three groups of two; a small cache has groups of four that do not
 * fit. */
START_TEST(as_many_times_march_together_as_bring_least)
{
    const double leans = (2 << 20) / ((2 * 6 + 4) * 3 * 2048.0 * 4) - 2;

    ck_assert_double_eq_tol(brought((size_t)1 << 40), 1.0 / 6, 0.01);
    ck_assert_double_eq_tol(brought(2 << 20), 1.0 / 6 + 0.35 * (2.0 / 6 + 1.5 / leans), 1e-9);
    ck_assert_double_eq_tol(brought(1 << 18), 1.0 / 6 + 0.35 * (1.0 / 6 + 1.25 / 8 + 1), 1e-9);
}
END_TEST

/* Seconds per point of heat in blocks of 64 planes of `rows` rows. */
static double marching_takes(long rows, double times)
{
    const struct zoid_op *op = zoid_op_find("heat", 3, 1, ZOID_F32);
    const long n[] = {512, rows, 64};
    const struct zoid_shape shape = zoid_op_shape(op, n);
    const struct zoid_layout layout = zoid_layout_make(op, n, zoid_layout_ghost(&shape));
    const struct zoid_blocks blocks = {
        .op = op, .shape = &shape, .layout = &layout, .planes = 64, .times = times};
    const struct zoid_pace pace = {
        .far = 1, .marched = 1, .marched_visit = 1, .cpu = {.cache = 2 << 20}, .cost = no_cost};

    return zoid_cpu_wavefront.seconds(&blocks, &pace) / (double)layout.plane;
}

/* Besides a tile, two rows are needed for each time that it leans, and four more. Where few rows
 * are left, the tiles of a field in two buffers are higher. */
START_TEST(times_that_drift_want_rows)
{
    ck_assert(marching_takes(2 * 12 + 4 + 2, 12) == marching_takes(2 * 12 + 4 + 1, 12));
    ck_assert(marching_takes(2 * 12 + 4 + 2, 12) == marching_takes(39, 12));
    ck_assert(isfinite(marching_takes(2 * 4 + 4 + 2, 4)));
    /* The lower the tiles, the more of their rows are reloaded. */
    ck_assert(marching_takes(39, 12) > marching_takes(42, 12));
    ck_assert(marching_takes(42, 12) > marching_takes(50, 12));
    ck_assert(marching_takes(60, 12) >= marching_takes(500, 12));
}
END_TEST

/* Each further strip has the same halo rows as the one before it. */
START_TEST(rims_take_time)
{
    struct setting s = setting_of(CORES, &zoid_naive);
    double seconds[3];

    s.depth = 1;
    for (int i = 0; i < 3; i++) {
        s.strips = 8L << i;
        seconds[i] = cost_of(&s).far;
    }
    ck_assert(seconds[1] > 1.02 * seconds[0]);
    ck_assert_double_eq_tol((seconds[2] - seconds[1]) / (seconds[1] - seconds[0]), 2, 0.2);
}
END_TEST

/* Rows that end in the middle of a vector take longer than full ones, and the overhead per point is
 * larger for short rows. */
START_TEST(ends_of_rows_count)
{
    const struct zoid_machine machine = {.isa = ZOID_V4};
    const struct zoid_op *op = zoid_op_find("heat", 3, 1, ZOID_F32);
    double before = INFINITY;

    for (long n = 16; n <= 4096; n *= 2) {
        const struct zoid_shape full = zoid_op_shape(op, (const long[]){n, 8, 8});
        const struct zoid_shape less = zoid_op_shape(op, (const long[]){n - 1, 8, 8});
        const double ends = zoid_estimate_ends(&machine, &full, ZOID_F32);

        ck_assert(ends > 1 && ends < before);
        ck_assert((double)n * ends <
                  (double)(n - 1) * zoid_estimate_ends(&machine, &less, ZOID_F32));
        before = ends;
    }
    ck_assert(before < 1.01);
}
END_TEST

/* All steps in one pass lean through the rows of a domain many times. */
START_TEST(deeper_is_not_always_better)
{
    struct setting s = setting_of(CORES, &zoid_trapezoid);
    double usual;

    s.steps = 100000;
    s.depth = 64;
    s.block = 256;
    usual = seconds_of(&s);
    s.depth = s.steps;
    ck_assert(seconds_of(&s) > 1.2 * usual);
}
END_TEST

/* On a machine whose blocks and waits differ from the rates, runs of some sizes refine predictions
 * for others, by other methods as well. */
static void teach(struct setting *s, struct zoid_op_rates *op)
{
    const struct zoid_op_rates used = *op;
    const struct zoid_cost cost = cost_of(s);
    const double near = cost.near / zoid_factor(used.cores.near),
                 far = cost.far / zoid_factor(used.cores.far);
    const double core = 1.6 * near + 0.7 * far;
    const double expected = cost.seconds / cost.waits * core / (cost.near + cost.far);

    zoid_rates_refine(op, &(struct zoid_observed){.near = near,
                                                  .far = far,
                                                  .measured = core,
                                                  .expected = expected,
                                                  .seconds = 1.2 * expected});
}

START_TEST(runs_teach_what_others_take)
{
    static const long planes[] = {200, 333, 96, 512}, depths[] = {1, 4, 8, 16};
    struct zoid_op_rates op = measured_op, there = measured_op;
    struct zoid_cost predicted, taken;
    struct setting s;

    for (int i = 0; i < 160; i++) {
        s = setting_of(CORES, i % 3 ? &zoid_leaning : &zoid_trapezoid);
        s.planes = planes[i % 4];
        s.depth = depths[i / 4 % 4];
        s.rates.op = &op;
        s.rates.ops = 1;
        teach(&s, &op);
    }
    there.cores.near = 1.6;
    there.cores.far = 0.7;
    there.cores.waits = 1.2;
    for (size_t m = 0; zoid_methods[m]; m++) {
        s = setting_of(CORES, zoid_methods[m]);
        s.planes = 147;
        s.depth = 6;
        s.rates.ops = 1;
        s.rates.op = &op;
        predicted = cost_of(&s);
        s.rates.op = &there;
        taken = cost_of(&s);
        ck_assert_msg(fabs(predicted.seconds / taken.seconds - 1) < 0.1, "%s: %g, and takes %g",
                      zoid_methods[m]->name, predicted.seconds, taken.seconds);
    }
}
END_TEST

/* By the planner's own model, no other method is cheaper than the chosen one. */
START_TEST(auto_takes_the_cheapest)
{
    static const long sizes[][ZOID_AXES] = {{40, 30, 50}, {128, 128, 128}, {512, 512, 512}};
    struct zoid_context *context = NULL;

    ck_assert_int_eq(zoid_context_open(NULL, &context), ZOID_OK);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct zoid_op *op = zoid_op_find("heat", 3, 1, ZOID_F32);
        struct zoid_problem problem = {.op = op, .steps = 40, .params = zoid_op_defaults(op)};
        struct zoid_request request = {.method = "auto"};
        struct zoid_plan best, plan;

        memcpy(problem.n, sizes[i], sizeof problem.n);
        ck_assert_int_eq(zoid_plan_make(context, &problem, &request, &best), ZOID_OK);
        ck_assert(best.cost.seconds > 0);
        for (size_t m = 0; zoid_methods[m]; m++) {
            request.method = zoid_methods[m]->name;
            ck_assert_int_eq(zoid_plan_make(context, &problem, &request, &plan), ZOID_OK);
            ck_assert_msg(plan.cost.seconds >= best.cost.seconds, "%s: %g, %s: %g", request.method,
                          plan.cost.seconds, best.graph.method->name, best.cost.seconds);
        }
    }
    zoid_context_close(&context);
}
END_TEST

/* Ranks that compute little between two exchanges wait for messages: the planner chooses rare
 * exchanges. */
START_TEST(small_boxes_exchange_rarely)
{
    const struct zoid_op *op = zoid_op_find("heat", 3, 1, ZOID_F32);
    struct zoid_context *context = NULL;

    ck_assert_int_eq(zoid_context_open(NULL, &context), ZOID_OK);
    for (long n = 32; n <= 64; n *= 2) {
        struct zoid_problem problem = {
            .op = op, .n = {n, n, n}, .steps = 256, .params = zoid_op_defaults(op)};
        struct zoid_request request = {.method = "auto", .ranks = {1, 2}};
        struct zoid_plan rarely, often, alone;

        ck_assert_int_eq(zoid_plan_make(context, &problem, &request, &rarely), ZOID_OK);
        ck_assert_int_ge(rarely.graph.epoch, 8);
        ck_assert(rarely.cost.part[ZOID_COST_MESSAGE] > 0);
        request.epoch = 1;
        ck_assert_int_eq(zoid_plan_make(context, &problem, &request, &often), ZOID_OK);
        ck_assert(often.cost.part[ZOID_COST_MESSAGE] > 8 * rarely.cost.part[ZOID_COST_MESSAGE]);
        ck_assert(often.cost.seconds > 2 * rarely.cost.seconds);
        ck_assert_int_eq(zoid_cost_bound(&often.cost), ZOID_COST_MESSAGE);
        ck_assert_int_eq(
            zoid_plan_make(context, &problem, &(struct zoid_request){.method = "auto"}, &alone),
            ZOID_OK);
        ck_assert(alone.cost.part[ZOID_COST_MESSAGE] == 0);
    }
    zoid_context_close(&context);
}
END_TEST

/* Plans of two ranks that exchange at each step, with one slab each, so that nothing hides a
 * message. */
static struct zoid_plan exchange_plan(const struct zoid_machine *m, const struct zoid_rates *rates)
{
    const struct zoid_op *op = zoid_op_find("heat", 3, 1, ZOID_F32);
    const struct zoid_problem problem = {
        .op = op, .n = {64, 64, 32}, .steps = 33, .params = zoid_op_defaults(op)};
    const struct zoid_request request = {.method = "naive", .block = 32, .depth = 1, .epoch = 1};
    const struct zoid_site site = {.machine = m,
                                   .rates = rates,
                                   .workers = {[ZOID_CORES] = 1},
                                   .capacity = {[ZOID_RAM] = 1ull << 30},
                                   .ranks = 2};
    struct zoid_plan plan;

    ck_assert_msg(!zoid_plan_at(&site, &problem, &request, &plan), "%s", zoid_error());
    return plan;
}

/* Each exchange takes a message's way longer, and its bytes where the network is slower than
 * copying at its ends. */
START_TEST(a_slow_network_takes_its_time)
{
    struct zoid_machine m = {.cores = 2, .cpu_workers = 1, .ranks = 2, .spread = _i > 0};
    struct zoid_rates rates;
    struct zoid_network *network = &rates.network[_i ? ZOID_SEVERAL_HOSTS : ZOID_ONE_HOST];
    struct zoid_network *other = &rates.network[_i ? ZOID_ONE_HOST : ZOID_SEVERAL_HOSTS];
    struct zoid_exchange_cost one;
    struct zoid_model model;
    struct zoid_plan plan;
    double usual, slow, slower, bytes;

    zoid_rates_defaults(&m, &rates);
    *other = (struct zoid_network){1, 1, 1, 0, 0, 0, 0};
    network->way = 0.2e-3;
    usual = exchange_plan(&m, &rates).cost.seconds;
    network->way = 1e-3;
    slow = exchange_plan(&m, &rates).cost.seconds;
    ck_assert_msg(fabs(slow - usual - 32 * 0.8e-3) < 1e-6, "%g, %g", usual, slow);
    network->way_factor = 2;
    network->wire_factor = network->runs = 1;
    slow = exchange_plan(&m, &rates).cost.seconds;
    ck_assert_msg(fabs(slow - usual - 32 * 1.8e-3) < 1e-6, "%g, %g", usual, slow);
    network->wire = 1e-6; /* a MB a second */
    plan = exchange_plan(&m, &rates);
    bytes = (double)plan.messages.all / (1 + ZOID_MESSAGE_EPOCHS);
    slower = plan.cost.seconds;
    ck_assert(bytes >= 64 * 32 * 4);
    ck_assert_msg(slower > 32 * (2e-3 + bytes * 1e-6) && slower < slow + 2 * 32 * bytes * 1e-6,
                  "%g, %g, %g bytes", slow, slower, bytes);
    model = zoid_model_of(&m, &rates, plan.problem.op);
    ck_assert(zoid_estimate_exchange(&model, &plan, &plan.cost, &one));
    ck_assert(one.exchanges == 32 && one.parts == 1);
    ck_assert(fabs(one.ways - 2e-3) < 1e-9 && fabs(one.wire - bytes * 1e-6) < 1e-9);
    ck_assert(fabs(zoid_exchange_seconds(&one) - plan.cost.seconds) < 0.05 * plan.cost.seconds);
    ck_assert(zoid_exchange_waits(&one) >= 32 * 2e-3);
    /* At 1 GB/s the bytes still take longer than nothing, and copying hides some of them. */
    network->wire = 1e-9;
    ck_assert(exchange_plan(&m, &rates).cost.seconds >= slow);
    ck_assert(exchange_plan(&m, &rates).cost.seconds < slow + 2 * 32 * bytes * 1e-9);
}
END_TEST

/* Without --epoch, each method takes an epoch that is nearly as good as the best of all doublings;
 * for naive, whose visits are a step, one of several visits where messages take long. */
START_TEST(ranks_choose_their_epochs)
{
    static const char *const methods[] = {"naive", "overlapped", "leaning", "auto"};
    static const double ways[] = {5e-6, 0.2e-3, 1e-3};
    const struct zoid_op *op = zoid_op_find("heat", 3, 1, ZOID_F32);
    const struct zoid_problem problem = {
        .op = op, .n = {64, 64, 32}, .steps = 64, .params = zoid_op_defaults(op)};
    struct zoid_machine m = {.cores = 2, .cpu_workers = 1, .ranks = 2};
    long before = 0;

    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        struct zoid_request request = {.method = methods[_i]};
        struct zoid_rates rates;
        const struct zoid_site site = {.machine = &m,
                                       .rates = &rates,
                                       .workers = {[ZOID_CORES] = 1},
                                       .capacity = {[ZOID_RAM] = 1ull << 30},
                                       .ranks = 2};
        struct zoid_plan free, named;

        zoid_rates_defaults(&m, &rates);
        rates.network[ZOID_ONE_HOST].way = ways[w];
        ck_assert_int_eq(zoid_plan_at(&site, &problem, &request, &free), ZOID_OK);
        ck_assert_int_ge(free.graph.epoch, before);
        ck_assert(free.graph.epoch % free.graph.depth == 0);
        before = free.graph.epoch;
        for (request.epoch = 1; request.epoch <= 32; request.epoch *= 2) {
            ck_assert_int_eq(zoid_plan_at(&site, &problem, &request, &named), ZOID_OK);
            ck_assert_msg(free.cost.seconds <= 1.05 * named.cost.seconds, "%s: %g, and %g with %ld",
                          methods[_i], free.cost.seconds, named.cost.seconds, request.epoch);
        }
    }
    ck_assert_int_ge(before, 8);
}
END_TEST

/* Grids with at most 1.5 times the least surface, that first; a request has one. */
START_TEST(grids_are_a_few)
{
    static const struct {
        long n[ZOID_AXES];
        int ranks, grids;
        long first[ZOID_AXES];
    } of[] = {{{64, 64, 64}, 2, 2, {1, 2, 1}},   {{64, 128, 64}, 2, 1, {1, 2, 1}},
              {{100, 80, 64}, 2, 2, {2, 1, 1}},  {{128, 128, 64}, 4, 3, {2, 2, 1}},
              {{64, 64, 64}, 1, 1, {1, 1, 1}},   {{8, 8, 640}, 4, 1, {1, 1, 4}},
              {{512, 512, 64}, 24, 4, {4, 6, 1}}};
    const struct zoid_op *op = zoid_op_find("heat", 3, 1, ZOID_F32);

    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const struct zoid_problem problem = {.op = op, .n = {of[i].n[0], of[i].n[1], of[i].n[2]}};
        const struct zoid_shape shape = zoid_problem_shape(&problem);
        const struct zoid_site site = {.ranks = of[i].ranks};
        const struct zoid_request named = {.ranks = {1, 1, of[i].ranks}};
        struct zoid_rank_grids grids;

        ck_assert_int_eq(zoid_ranks_deal(&site, &(struct zoid_request){.method = NULL}, op, &shape,
                                         false, &grids),
                         ZOID_OK);
        ck_assert_msg(grids.n == of[i].grids, "%zu: %d grids", i, grids.n);
        ck_assert_msg(!memcmp(grids.grid[0].cells, of[i].first, sizeof of[i].first),
                      "%zu: %ldx%ldx%ld", i, grids.grid[0].cells[0], grids.grid[0].cells[1],
                      grids.grid[0].cells[2]);
        ck_assert_int_eq(zoid_ranks_deal(&site, &named, op, &shape, false, &grids), ZOID_OK);
        ck_assert(grids.n == 1 && grids.grid[0].cells[2] == of[i].ranks);
    }
}
END_TEST

/* For one cell exact to the point, for several within a tenth. */
START_TEST(points_are_counted)
{
    static const struct {
        const char *method;
        long n[ZOID_AXES], cells[ZOID_AXES], steps, epoch;
        double apart;
    } of[] = {{"leaning", {40, 50, 60}, {0}, 33, 0, 0},
              {"overlapped", {40, 50, 60}, {0}, 33, 0, 0},
              {"trapezoid", {40, 50, 60}, {0}, 17, 0, 0},
              {"leaning", {64, 80, 60}, {1, 4, 1}, 40, 8, 0.1},
              {"leaning", {64, 80, 60}, {2, 2, 1}, 40, 4, 0.1},
              {"overlapped", {64, 80, 60}, {2, 2, 2}, 40, 8, 0.1}};
    struct zoid_context *context = NULL;

    ck_assert_int_eq(zoid_context_open(NULL, &context), ZOID_OK);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const struct zoid_op *op = zoid_op_find("wave", 3, 2, ZOID_F32);
        const struct zoid_problem problem = {.op = op,
                                             .n = {of[i].n[0], of[i].n[1], of[i].n[2]},
                                             .steps = of[i].steps,
                                             .params = zoid_op_defaults(op)};
        const struct zoid_request request = {
            .method = of[i].method,
            .depth = 4,
            .cells = {of[i].cells[0], of[i].cells[1], of[i].cells[2]},
            .epoch = of[i].epoch};
        struct zoid_plan plan;
        struct zoid_count count;

        ck_assert_msg(!zoid_plan_make(context, &problem, &request, &plan), "%s", zoid_error());
        ck_assert_int_eq(zoid_count_graph(&plan.graph, &count), 0);
        ck_assert_msg(fabs(zoid_estimate_points(&plan) - (double)count.points) <=
                          of[i].apart * (double)count.points,
                      "%zu, %s: %g points, and there are %ld", i, of[i].method,
                      zoid_estimate_points(&plan), count.points);
    }
    zoid_context_close(&context);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, more_steps_take_longer, 0, PLACES);
    tcase_add_loop_test(tests, slower_is_never_faster, 0, PLACES);
    tcase_add_test(tests, what_is_slow_enough_is_the_bound);
    tcase_add_test(tests, small_pieces_of_a_disk_take_longer);
    tcase_add_test(tests, measured_rates_are_said_to_be);
    tcase_add_test(tests, factors_stand_beside_rates);
    tcase_add_test(tests, times_march_where_that_pays);
    tcase_add_test(tests, marching_streams_no_faster_than_memory);
    tcase_add_test(tests, as_many_times_march_together_as_bring_least);
    tcase_add_test(tests, times_that_drift_want_rows);
    tcase_add_test(tests, rims_take_time);
    tcase_add_test(tests, ends_of_rows_count);
    tcase_add_test(tests, deeper_is_not_always_better);
    tcase_add_test(tests, runs_teach_what_others_take);
    tcase_add_test(tests, auto_takes_the_cheapest);
    tcase_add_test(tests, small_boxes_exchange_rarely);
    tcase_add_loop_test(tests, a_slow_network_takes_its_time, 0, 2);
    tcase_add_loop_test(tests, ranks_choose_their_epochs, 0, 4);
    tcase_add_test(tests, grids_are_a_few);
    tcase_add_test(tests, points_are_counted);
}

int main(void)
{
    return run_suite("estimate", 240, add);
}
