/* SPDX-License-Identifier: BSD-3-Clause */
/* Refinement of rates by runs: it converges to the machine, whatever the sizes of the runs, and a
 * single run moves the rates only a little. */
#include <math.h>

#include "runtime/machine/refine.h"
#include "tests/suite.h"

static const struct zoid_op_rates measured = {.name = "heat3d_r1_f32",
                                              .tiled = 2e-10,
                                              .exceeding = 1e-11,
                                              .visit = 1e-9,
                                              .marched = 3e-10,
                                              .marched_visit = 5e-10,
                                              .step = 5e-10};

/* A machine whose blocks take `near` and `far` times the predicted seconds. */
struct made_up {
    double near, far;
    unsigned short lot[3];
};

/* A run with a random mixture of both and a random length, with noise of a few percent. */
static struct zoid_observed run_of(struct made_up *m)
{
    struct zoid_observed run = {.near = 0.05 + erand48(m->lot), .far = 2 * erand48(m->lot)};
    const double noise = 0.96 + 0.08 * erand48(m->lot);

    run.measured = noise * (m->near * run.near + m->far * run.far);
    return run;
}

static double off(const struct zoid_op_rates *op, const struct made_up *m)
{
    return fmax(fabs(log(zoid_factor(op->cores.near) / m->near)),
                fabs(log(zoid_factor(op->cores.far) / m->far)));
}

static const struct made_up machines[] = {{1, 1, {1}},     {1.5, 1.5, {2}}, {0.6, 0.6, {3}},
                                          {1.4, 0.8, {4}}, {1, 2, {5}},     {2.5, 1, {6}}};
enum { MACHINES = sizeof machines / sizeof *machines, RUNS = 200 };

START_TEST(they_end_where_the_machine_is)
{
    struct made_up m = machines[_i];
    struct zoid_op_rates op = measured;

    for (int i = 0; i < RUNS; i++) {
        const struct zoid_observed run = run_of(&m);

        ck_assert(zoid_rates_teaches(&op, &run));
        zoid_rates_refine(&op, &run);
    }
    ck_assert_msg(off(&op, &m) < 0.1, "near %g, far %g", op.cores.near, op.cores.far);
    ck_assert(op.cores.runs == RUNS);
    ck_assert(op.tiled == measured.tiled && op.visit == measured.visit);
}
END_TEST

/* Every eighth run is three to ten times slower than predicted. */
START_TEST(slow_runs_among_them_do_little)
{
    struct made_up m = machines[_i];
    struct zoid_op_rates op = measured;

    for (int i = 0; i < RUNS; i++) {
        struct zoid_observed run = run_of(&m);

        if (i % 8 == 3)
            run.measured *= 3 + 7 * erand48(m.lot);
        zoid_rates_refine(&op, &run);
    }
    ck_assert_msg(off(&op, &m) < 0.2, "near %g, far %g", op.cores.near, op.cores.far);
}
END_TEST

START_TEST(a_spike_moves_them_no_farther_than_the_bound)
{
    const double few = ZOID_FACTOR_STEP + 1e-9, many = sqrt(ZOID_FACTOR_STEP) + 1e-9;
    struct zoid_op_rates op = measured;
    struct made_up m = {1, 1, {7}};

    for (int i = 0; i < 20; i++) {
        struct zoid_observed run = run_of(&m);
        struct zoid_op_rates slow = op, fast = op;

        run.measured *= 1e6;
        zoid_rates_refine(&slow, &run);
        ck_assert(slow.cores.near <= zoid_factor(op.cores.near) * (i < 4 ? few : many));
        ck_assert(slow.cores.far <= zoid_factor(op.cores.far) * (i < 4 ? few : many));
        run.measured *= 1e-6 / 50;
        run.measured = fmax(run.measured, 0.011);
        zoid_rates_refine(&fast, &run);
        ck_assert(fast.cores.near >= zoid_factor(op.cores.near) / (i < 4 ? few : many));
        ck_assert(fast.cores.far >= zoid_factor(op.cores.far) / (i < 4 ? few : many));
        run = run_of(&m);
        zoid_rates_refine(&op, &run);
    }
}
END_TEST

START_TEST(they_stay_in_their_range)
{
    struct zoid_op_rates op = measured;

    for (int i = 0; i < 200; i++)
        zoid_rates_refine(
            &op, &(struct zoid_observed){.near = 1, .far = 1, .measured = _i ? 1e3 : 0.01});
    ck_assert(op.cores.near == (_i ? ZOID_FACTOR_MOST : 1 / ZOID_FACTOR_MOST) &&
              op.cores.far == op.cores.near);
}
END_TEST

/* Time for data in a cache does not refine the factor for memory, and new scratch memory refines
 * neither. */
START_TEST(what_took_the_time_answers_for_it)
{
    struct zoid_op_rates op = measured;

    zoid_rates_refine(&op, &(struct zoid_observed){.near = 1, .measured = 1.4});
    ck_assert(op.cores.near > 1.05 && op.cores.far == 1);
    op = measured;
    zoid_rates_refine(&op, &(struct zoid_observed){.far = 1, .measured = 1.4});
    ck_assert(op.cores.far > 1.05 && op.cores.near == 1);
}
END_TEST

/* A run longer than its blocks raises the factor of waits; slow blocks do not. */
START_TEST(waits_are_what_blocks_do_not_say)
{
    const struct zoid_observed slow = {.near = 1, .measured = 1.4, .expected = 0.7, .seconds = 0.7};
    struct zoid_observed waiting = slow;
    struct zoid_op_rates op = measured;

    ck_assert(zoid_factor(op.cores.waits) == 1);
    zoid_rates_refine(&op, &slow);
    ck_assert(op.cores.near > 1 && op.cores.waits == 1);
    waiting.seconds = 0.84;
    for (int i = 0; i < RUNS; i++)
        zoid_rates_refine(&op, &waiting);
    ck_assert(fabs(op.cores.waits - 1.2) < 0.01);
    waiting.expected = 0;
    waiting.seconds = 100;
    zoid_rates_refine(&op, &waiting);
    ck_assert(fabs(op.cores.waits - 1.2) < 0.01);
    waiting.expected = 0.7;
    zoid_rates_refine(&op, &waiting);
    ck_assert(op.cores.waits < 1.2 * 1.06);
}
END_TEST

START_TEST(some_runs_teach_nothing)
{
    const struct zoid_observed good = {.near = 1, .far = 1, .measured = 2};
    struct zoid_op_rates unknown = measured;
    struct zoid_observed run = good;

    ck_assert(zoid_rates_teaches(&measured, &run));
    unknown.tiled = 0;
    ck_assert(!zoid_rates_teaches(&unknown, &run));
    run.measured = 1e-3;
    ck_assert(!zoid_rates_teaches(&measured, &run));
    run.measured = NAN;
    ck_assert(!zoid_rates_teaches(&measured, &run));
    run = good;
    run.near = INFINITY;
    ck_assert(!zoid_rates_teaches(&measured, &run));
    run.near = run.far = 0;
    ck_assert(!zoid_rates_teaches(&measured, &run));
}
END_TEST

/* A block's prediction is the sum of its parts, each times its factor. */
START_TEST(refined_rates_have_the_factors)
{
    struct zoid_op_rates op = measured, refined = zoid_rates_refined(&op);

    ck_assert(refined.tiled == op.tiled && refined.visit == op.visit && refined.step == op.step);
    op.cores.near = 2;
    op.cores.far = 3;
    op.cores.waits = 5;
    op.cores.runs = 1;
    refined = zoid_rates_refined(&op);
    ck_assert(refined.tiled == 2 * op.tiled && refined.visit == 3 * op.visit);
    ck_assert(refined.exceeding == 3 * op.exceeding);
    ck_assert(refined.marched == 2 * op.marched && refined.marched_visit == 2 * op.marched_visit);
    ck_assert(fabs((refined.step - refined.tiled) / (3 * (op.step - op.tiled)) - 1) < 1e-12);
    ck_assert(zoid_factor(refined.cores.near) == 1 && zoid_factor(refined.cores.far) == 1);
}
END_TEST

/* ---- on GPUs ------------------------------------------------------------------------------- */

static const struct zoid_op_rates on_gpus = {
    .name = "heat3d_r1_f32", .gpu_step = 2e-12, .gpu_even = 1e-12};

static double predicted(const struct zoid_op_rates *op, const struct zoid_observed *run)
{
    return zoid_factor(op->gpus.near) * run->near + zoid_factor(op->gpus.far) * run->far;
}

/* A run that takes longer between its kernels than cards of its name do refines that factor at
 * once, and the measured kernels only a little; one that is all kernels refines the kernels. */
START_TEST(a_gpu_teaches_with_its_first_run)
{
    const struct zoid_observed half = {
        .place = ZOID_GPUS, .near = 2.8, .far = 3.2, .measured = 2.8 + 2.2 * 3.2};
    const struct zoid_observed kernels = {
        .place = ZOID_GPUS, .near = 3.6, .far = 0.05, .measured = 0.8 * 3.65};
    struct zoid_op_rates op = on_gpus;

    ck_assert(zoid_rates_teaches(&op, &half));
    zoid_rates_refine(&op, &half);
    ck_assert_msg(fabs(predicted(&op, &half) / half.measured - 1) < 0.07, "near %g, far %g",
                  op.gpus.near, op.gpus.far);
    ck_assert(op.gpus.near < 1.1 && op.gpus.runs == 1);
    ck_assert(op.cores.runs == 0 && op.cores.near == 0);
    op = on_gpus;
    zoid_rates_refine(&op, &kernels);
    ck_assert(fabs(op.gpus.near - 0.8) < 0.01 && op.gpus.far > 0.9);
}
END_TEST

/* Runs of any mixture converge to the factors of the card. */
START_TEST(gpus_end_where_the_card_is)
{
    struct made_up m = machines[_i];
    struct zoid_op_rates op = on_gpus;
    struct zoid_observed run;
    double off = 0;

    for (int i = 0; i < RUNS; i++) {
        run = run_of(&m);
        run.place = ZOID_GPUS;
        run.far /= 8;
        run.measured = m.near * run.near + m.far * run.far;
        if (i >= RUNS / 2)
            off += fabs(log(predicted(&op, &run) / run.measured)) / (RUNS / 2.0);
        zoid_rates_refine(&op, &run);
    }
    ck_assert_msg(off < 0.05, "%g off: near %g, far %g", off, op.gpus.near, op.gpus.far);
}
END_TEST

/* A first run that is ten times too slow is forgotten after some normal ones, and a later slow one
 * has little effect. */
START_TEST(a_slow_run_on_a_gpu_is_forgotten)
{
    const struct zoid_observed usual = {
        .place = ZOID_GPUS, .near = 1, .far = 0.02, .measured = 1.02};
    struct zoid_observed slow = usual;
    struct zoid_op_rates op = on_gpus;

    slow.measured *= 10;
    zoid_rates_refine(&op, &slow);
    ck_assert(op.gpus.near <= ZOID_FACTOR_STEP_GPUS * ZOID_FACTOR_STEP_GPUS);
    for (int i = 0; i < 4; i++)
        zoid_rates_refine(&op, &usual);
    ck_assert_msg(fabs(predicted(&op, &usual) / usual.measured - 1) < 0.12, "near %g",
                  op.gpus.near);
    for (int i = 0; i < 4; i++)
        zoid_rates_refine(&op, &usual);
    zoid_rates_refine(&op, &slow);
    ck_assert_msg(fabs(predicted(&op, &usual) / usual.measured - 1) < 0.12, "near %g",
                  op.gpus.near);
}
END_TEST

START_TEST(some_runs_on_gpus_teach_nothing)
{
    struct zoid_observed run = {.place = ZOID_GPUS, .near = 1, .far = 1, .measured = 2};
    struct zoid_op_rates unknown = on_gpus;

    ck_assert(zoid_rates_teaches(&on_gpus, &run));
    ck_assert(!zoid_rates_teaches(&measured, &run));
    unknown.gpu_step = 0;
    ck_assert(!zoid_rates_teaches(&unknown, &run));
    run.measured = 0.05;
    ck_assert(!zoid_rates_teaches(&on_gpus, &run));
    run.measured = NAN;
    ck_assert(!zoid_rates_teaches(&on_gpus, &run));
}
END_TEST

/* The factor of kernels is part of the rates, that of the time between kernels is not. */
START_TEST(refined_rates_of_gpus_have_the_factor)
{
    struct zoid_op_rates op = on_gpus, refined;

    op.gpus = (struct zoid_factors){0.5, 3, 1.5, 1};
    refined = zoid_rates_refined(&op);
    ck_assert(refined.gpu_step == 0.5 * op.gpu_step && refined.gpu_even == 0.5 * op.gpu_even);
    ck_assert(zoid_factor(refined.gpus.near) == 1 && refined.tiled == op.tiled);
}
END_TEST

/* Exchanges whose ways and bytes take other times than was measured, with noise. */
START_TEST(networks_learn)
{
    static const double times[][2] = {{1, 1}, {3, 1}, {1, 2.5}, {0.5, 2}};
    struct zoid_network n = {.way = 1e-3, .wire = 1e-9};
    unsigned short lot[3] = {(unsigned short)_i};

    for (int i = 0; i < 2 * RUNS; i++) {
        struct zoid_observed_messages run = {.way = 1e-3, .wire = 4e-3 * erand48(lot)};

        run.measured =
            (0.96 + 0.08 * erand48(lot)) * (times[_i][0] * run.way + times[_i][1] * run.wire);
        if (i % 8 == 3)
            run.measured *= 5;
        zoid_network_refine(&n, &run);
    }
    ck_assert_msg(fabs(log(n.way_factor / times[_i][0])) < 0.2 &&
                      fabs(log(n.wire_factor / times[_i][1])) < 0.2,
                  "%g, %g", n.way_factor, n.wire_factor);
    ck_assert(n.way == 1e-3 && n.wire == 1e-9 && n.runs == 2 * RUNS);
}
END_TEST

/* A network that is ten times slower than the default is known after a few runs. */
START_TEST(slow_networks_are_soon_known)
{
    struct zoid_network n = {.way = 1e-4, .wire = 1e-9};

    for (int i = 0; i < 16; i++)
        zoid_network_refine(&n, &(struct zoid_observed_messages){.way = 1e-4, .measured = 1e-3});
    ck_assert_msg(n.way_factor > 8 && n.way_factor < 11, "%g", n.way_factor);
    ck_assert(n.wire_factor == 1);
}
END_TEST

START_TEST(what_is_no_number_teaches_no_network)
{
    static const struct zoid_observed_messages runs[] = {{.wire = 1, .measured = 1},
                                                         {.way = 1, .wire = 1},
                                                         {1, 1, INFINITY},
                                                         {1, 1, NAN},
                                                         {1, NAN, 1}};
    struct zoid_network n = {.way = 1e-3, .wire = 1e-9};

    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        zoid_network_refine(&n, &runs[i]);
    ck_assert(n.runs == 0 && n.way_factor == 0 && n.wire_factor == 0);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, networks_learn, 0, 4);
    tcase_add_test(tests, slow_networks_are_soon_known);
    tcase_add_test(tests, what_is_no_number_teaches_no_network);
    tcase_add_test(tests, a_gpu_teaches_with_its_first_run);
    tcase_add_loop_test(tests, gpus_end_where_the_card_is, 0, MACHINES);
    tcase_add_test(tests, a_slow_run_on_a_gpu_is_forgotten);
    tcase_add_test(tests, some_runs_on_gpus_teach_nothing);
    tcase_add_test(tests, refined_rates_of_gpus_have_the_factor);
    tcase_add_loop_test(tests, they_end_where_the_machine_is, 0, MACHINES);
    tcase_add_loop_test(tests, slow_runs_among_them_do_little, 0, MACHINES);
    tcase_add_test(tests, a_spike_moves_them_no_farther_than_the_bound);
    tcase_add_loop_test(tests, they_stay_in_their_range, 0, 2);
    tcase_add_test(tests, what_took_the_time_answers_for_it);
    tcase_add_test(tests, waits_are_what_blocks_do_not_say);
    tcase_add_test(tests, some_runs_teach_nothing);
    tcase_add_test(tests, refined_rates_have_the_factors);
}

int main(void)
{
    return run_suite("refine", 60, add);
}
