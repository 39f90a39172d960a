/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice between a place, several that share the planes, and blocks that any worker takes: on
 * synthetic machines. */
#include <stdlib.h>

#include "codelets/cuda/run.h"
#include "runtime/plan/plans.h"
#include "tests/check.h"
#include "tests/runtime/plan/made_up.h"
#include "tests/suite.h"

static int never(const struct zoid_cuda_sweep *sweep)
{
    (void)sweep;
    abort();
}

/* A machine with its sizes, and what is asked of it. */
struct wish {
    int cores, gpus;
    double slower; /* factor of the time of GPU kernels; 0: 1 */
    long n[ZOID_AXES], steps;
    struct zoid_request request;
    const char *policy;
};

/* Four cores, and a domain of so few planes that two sets of them share it badly. */
static const struct wish thin = {.cores = 4,
                                 .n = {512, 512, 16},
                                 .steps = 400,
                                 .policy = "dmdas",
                                 .request = {.places = "cores:2+cores:2"}};

static struct setting machine_of(const struct wish *w)
{
    static struct zoid_op_rates weak;
    struct setting s = setting_of(GPU, NULL);

    s.machine.cores = s.machine.cpu_workers = w->cores;
    s.machine.cuda_workers = w->gpus;
    s.op.cuda = s.op.cuda ? s.op.cuda : never;
    zoid_rates_defaults(&s.machine, &s.rates);
    if (w->slower > 0) {
        const struct zoid_model model = zoid_model_of(&s.machine, &s.rates, &s.op);

        weak = (struct zoid_op_rates){.gpu_step = model.op.gpu_step * w->slower,
                                      .gpu_even = model.op.gpu_even * w->slower};
        snprintf(weak.name, sizeof weak.name, "%s", s.op.name);
        s.rates.op = &weak;
        s.rates.ops = 1;
    }
    return s;
}

static void choose(const struct setting *s, const struct wish *w, struct zoid_plans *plans)
{
    const struct zoid_site site = {
        .machine = &s->machine,
        .rates = &s->rates,
        .workers = {[ZOID_CORES] = w->cores, [ZOID_GPUS] = w->gpus},
        .policy = w->policy,
        .ranks = 1,
        .capacity = {[ZOID_RAM] = 64ull << 30, [ZOID_GPU_MEMORY] = 64ull << 30}};
    const struct zoid_problem problem = {
        .op = &s->op, .n = {w->n[0], w->n[1], w->n[2]}, .steps = w->steps};

    ck_assert_msg(!zoid_plans_at(&site, &problem, &w->request, plans), "%s", zoid_error());
}

/* Returns how places are used, and the second choice. */
static enum zoid_balance chosen(const struct wish *w, enum zoid_balance *second)
{
    const struct setting s = machine_of(w);
    struct zoid_plans *plans = malloc(sizeof *plans);
    enum zoid_balance balance;

    ck_assert_ptr_nonnull(plans);
    choose(&s, w, plans);
    balance = plans->balance;
    if (second)
        *second = plans->second;
    free(plans);
    return balance;
}

START_TEST(blocks_are_dealt)
{
    const struct setting s = machine_of(&thin);
    struct zoid_plans *plans = malloc(sizeof *plans);

    ck_assert_ptr_nonnull(plans);
    choose(&s, &thin, plans);
    ck_assert_int_eq(plans->balance, ZOID_BALANCE_SCHEDULER);
    ck_assert_int_eq(plans->parts, 1);
    ck_assert_int_eq(plans->part->place.kind, ZOID_ANY);
    ck_assert_int_eq(plans->part->place.crews, 2);
    ck_assert(!plans->moves);
    for (int i = 0; i < 2; i++)
        ck_assert_double_lt(zoid_plans_seconds(plans), 0.97 * plans->alone[i]);
    free(plans);
}
END_TEST

/* What StarPU's scheduler refuses, or cannot do as it is asked, is not chosen. */
START_TEST(not_where_it_is_refused)
{
    static const struct zoid_request others[] = {
        {.method = "leaning"},
        {.method = "recursive"},
        {.method = "1D-T"},
        {.overlap = ZOID_OVERLAP_OFF},
        {.leaf = 1 << 20},
        {.team = 2},
        {.split_at = 8},
        {.split_stay = true},
        {.cores = {.method = "naive"}},
        {.cores = {.block = 4}},
        {.cores = {.depth = 4}},
    };
    struct wish w = thin;

    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        w.request = others[i];
        w.request.places = thin.request.places;
        ck_assert_msg(chosen(&w, NULL) != ZOID_BALANCE_SCHEDULER, "request %zu", i);
    }
    w = thin;
    w.policy = NULL;
    ck_assert_int_ne(chosen(&w, NULL), ZOID_BALANCE_SCHEDULER);
    w = thin;
    w.request.cores.method = "auto";
    ck_assert_int_eq(chosen(&w, NULL), ZOID_BALANCE_SCHEDULER);
}
END_TEST

/* Nor for two sets of cores that were not named, for a chain of blocks, or for a small gain. */
START_TEST(not_without_need)
{
    enum zoid_balance second;
    struct wish w = thin;

    w.request.places = NULL;
    ck_assert_int_ne(chosen(&w, &second), ZOID_BALANCE_SCHEDULER);
    ck_assert_int_ne(second, ZOID_BALANCE_SCHEDULER);
    /* One block a pass. */
    w = thin;
    w.n[0] = w.n[1] = 64;
    w.n[2] = 8;
    w.request.places = "cores:1+cores:1";
    ck_assert_int_ne(chosen(&w, &second), ZOID_BALANCE_SCHEDULER);
    ck_assert_int_ne(second, ZOID_BALANCE_SCHEDULER);
    /* Each has planes enough. */
    w.n[2] = 64;
    w.steps = 4000;
    ck_assert_int_eq(chosen(&w, NULL), ZOID_BALANCE_SPLIT);
}
END_TEST

/* A GPU that is fast computes alone, in long runs, too. */
START_TEST(gpus_alone)
{
    struct wish w = {
        .cores = 4, .gpus = 1, .n = {512, 512, 512}, .steps = 200000, .policy = "dmdas"};

    ck_assert_int_eq(chosen(&w, NULL), ZOID_BALANCE_GPU);
    w.request.places = "cores+gpus";
    ck_assert_int_eq(chosen(&w, NULL), ZOID_BALANCE_GPU);
}
END_TEST

/* A weak one and cores, which were not named, deal blocks where that gains more than planning
 * takes. */
START_TEST(weak_gpus)
{
    struct wish w = {.cores = 4,
                     .gpus = 1,
                     .slower = 81,
                     .n = {512, 512, 64},
                     .steps = 62500,
                     .policy = "dmdas"};

    ck_assert_int_eq(chosen(&w, NULL), ZOID_BALANCE_SCHEDULER);
    w.steps = 625;
    ck_assert_int_eq(chosen(&w, NULL), ZOID_BALANCE_CPU);
}
END_TEST

/* GPUs have a part each, in long runs, if the link between them is the limit: a step a visit. */
START_TEST(parts_of_gpus)
{
    struct wish w = {.cores = 1,
                     .gpus = 2,
                     .n = {512, 512, 512},
                     .steps = 100000,
                     .policy = "dmdas",
                     .request = {.method = "naive"}};
    const struct setting s = machine_of(&w);
    struct zoid_plans *plans = malloc(sizeof *plans);

    ck_assert_ptr_nonnull(plans);
    choose(&s, &w, plans);
    ck_assert_int_eq(plans->balance, ZOID_BALANCE_SPLIT);
    ck_assert_int_eq(plans->parts, 2);
    ck_assert_str_eq(plans->named, "gpus:1+gpus:1");
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(plans->part[i].place.kind, ZOID_GPUS);
        ck_assert_int_eq(plans->part[i].place.workers, 1);
        ck_assert_int_eq(plans->part[i].place.first, i);
        ck_assert_ptr_eq(plans->part[i].graph.cut[2].border, plans->border);
    }
    free(plans);
    /* All of them gain less than planning takes, or are asked for otherwise. */
    w.steps = 1000;
    ck_assert_int_ne(chosen(&w, NULL), ZOID_BALANCE_SPLIT);
    w.steps = 100000;
    w.request.balance = ZOID_BALANCE_GPU;
    ck_assert_int_eq(chosen(&w, NULL), ZOID_BALANCE_GPU);
    w.request = (struct zoid_request){.method = "naive", .overlap = ZOID_OVERLAP_OFF};
    ck_assert_int_ne(chosen(&w, NULL), ZOID_BALANCE_SPLIT);
    /* Others hand slabs on from GPU to GPU, as fast. */
    w.request = (struct zoid_request){.method = NULL};
    ck_assert_int_ne(chosen(&w, NULL), ZOID_BALANCE_SPLIT);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, blocks_are_dealt);
    tcase_add_test(tests, not_where_it_is_refused);
    tcase_add_test(tests, not_without_need);
    tcase_add_test(tests, gpus_alone);
    tcase_add_test(tests, weak_gpus);
    tcase_add_test(tests, parts_of_gpus);
}

int main(void)
{
    return run_suite("choose", 120, add);
}
