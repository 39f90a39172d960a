/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans of blocks that any worker takes: on synthetic machines, the predicted time, the blocks in
 * flight and the memory of GPUs that these need. */
#include <math.h>
#include <stdlib.h>

#include "codelets/cuda/run.h"
#include "runtime/plan/dealt.h"
#include "runtime/plan/floor.h"
#include "tests/check.h"
#include "tests/runtime/plan/made_up.h"
#include "tests/suite.h"

static int never(const struct zoid_cuda_sweep *sweep)
{
    (void)sweep;
    abort();
}

/* A machine whose operator has code for GPUs. */
static struct setting machine_of(int cores, int gpus)
{
    struct setting s = setting_of(GPU, NULL);

    s.machine.cpu_workers = cores;
    s.machine.cuda_workers = gpus;
    s.op.cuda = s.op.cuda ? s.op.cuda : never;
    return s;
}

static enum zoid_status plan_in(const struct setting *s, uint64_t gpu_mem,
                                const struct zoid_request *request, struct zoid_plan *plan)
{
    const struct zoid_site site = {
        .machine = &s->machine,
        .rates = &s->rates,
        .policy = "dmdas",
        .capacity = {[ZOID_RAM] = 64ull << 30, [ZOID_GPU_MEMORY] = gpu_mem}};
    const struct zoid_problem problem = {.op = &s->op, .n = {256, 256, 1024}, .steps = 64};
    struct zoid_crew crew[2];
    int crews = 0;

    if (s->machine.cpu_workers)
        crew[crews++] = (struct zoid_crew){.kind = ZOID_CORES, .workers = s->machine.cpu_workers};
    if (s->machine.cuda_workers)
        crew[crews++] = (struct zoid_crew){.kind = ZOID_GPUS, .workers = s->machine.cuda_workers};
    return zoid_dealt_at(&site, &problem, request, crew, crews, plan);
}

static double seconds_by(int cores, int gpus, const struct zoid_request *request)
{
    const struct setting s = machine_of(cores, gpus);
    struct zoid_plan plan;

    ck_assert_msg(!plan_in(&s, 64ull << 30, request, &plan), "%s", zoid_error());
    ck_assert_int_eq(plan.place.kind, ZOID_ANY);
    ck_assert(!plan.graph.method->chained);
    return plan.cost.seconds;
}

/* Rates of all workers add up, as long as there are blocks enough. */
START_TEST(rates_add_up)
{
    const struct zoid_request low = {.method = "overlapped", .block = 16, .depth = 4};
    const struct zoid_request high = {.method = "overlapped", .block = 512, .depth = 4};
    const double two = seconds_by(2, 0, &low), eight = seconds_by(8, 0, &low);

    /* Cores share the memory's bandwidth. */
    ck_assert_double_gt(two / eight, 2);
    ck_assert_double_lt(two / eight, 4.5);
    /* Two slabs feed two workers. */
    ck_assert_double_lt(seconds_by(16, 0, &low), 0.9 * eight);
    ck_assert_double_gt(seconds_by(16, 0, &high), 0.7 * seconds_by(8, 0, &high));
    /* Further workers never make it slower, by more than blocks end apart. */
    for (int cores = 2; cores < 64; cores *= 2)
        for (int gpus = 0; gpus < 2; gpus++)
            ck_assert_double_lt(seconds_by(2 * cores, gpus, &low),
                                1.2 * seconds_by(cores, gpus, &low));
    ck_assert_double_lt(seconds_by(8, 2, &low), 1.2 * seconds_by(0, 2, &low));
    ck_assert_double_lt(seconds_by(8, 2, &low), eight);
}
END_TEST

/* Blocks in flight fit into a GPU's memory, with a fifth of it spare, and keep all workers busy. */
START_TEST(blocks_in_flight_fit)
{
    const struct setting s = machine_of(4, 1);
    const struct zoid_request request = {.method = "overlapped", .block = 16, .depth = 4};
    const uint64_t slab = 16ull * 258 * 256 * 4;
    struct zoid_plan plan;
    uint64_t least = 1 << 20;
    long before = 0;

    while (plan_in(&s, least, &request, &plan)) {
        ck_assert_uint_lt(least, 1ull << 30);
        least += 1 << 20;
    }
    ck_assert_int_ge(plan.place.flight, 2);
    for (uint64_t room = least; room < 1ull << 34; room *= 2) {
        ck_assert_msg(!plan_in(&s, room, &request, &plan), "%s", zoid_error());
        ck_assert_uint_le(plan.tier[ZOID_GPU_MEMORY].bytes, room);
        ck_assert_int_ge(plan.place.flight, before);
        if (plan.keep[ZOID_SLAB][ZOID_GPU_MEMORY] != ZOID_KEEP_ALL)
            ck_assert_uint_gt(plan.tier[ZOID_GPU_MEMORY].bytes,
                              (uint64_t)plan.place.flight * slab * 5 / 4);
        before = plan.place.flight;
    }
    ck_assert_int_eq(plan.keep[ZOID_SLAB][ZOID_GPU_MEMORY], ZOID_KEEP_ALL);
    /* Twice what the GPU takes while a core takes one, and the cores. */
    ck_assert_int_eq(plan.place.flight,
                     2 * (4 + (long)ceil(plan.place.crew[0].pace / plan.place.crew[1].pace)));
}
END_TEST

/* The search's lower bounds are below the predicted seconds. */
START_TEST(floors_are_below)
{
    static const char *const methods[] = {"naive", "overlapped", "trapezoid"};

    for (int gpus = 0; gpus < 3; gpus++)
        for (int m = 0; m < 3; m++)
            for (long block = 8; block <= 512; block *= 4)
                for (long depth = 1; depth <= 64; depth *= 4) {
                    const struct setting s = machine_of(4, gpus);
                    const struct zoid_model model = zoid_model_of(&s.machine, &s.rates, &s.op);
                    const struct zoid_request request = {
                        .method = methods[m], .block = block, .depth = depth};
                    struct zoid_plan plan;

                    if (plan_in(&s, 1ull << 30, &request, &plan))
                        continue;
                    ck_assert_double_le(zoid_floor_seconds(&model, &plan), plan.cost.seconds);
                }
}
END_TEST

/* Each crew's pace is a number above 0. */
START_TEST(crews_have_a_pace)
{
    const struct setting s = machine_of(4, 1);
    struct zoid_plan plan;

    ck_assert_msg(!plan_in(&s, 1ull << 30, &(struct zoid_request){.depth = 4}, &plan), "%s",
                  zoid_error());
    ck_assert_int_eq(plan.place.crews, 2);
    for (int i = 0; i < 2; i++)
        ck_assert(isfinite(plan.place.crew[i].pace) && plan.place.crew[i].pace > 0);
    ck_assert_double_gt(plan.place.crew[0].pace, plan.place.crew[1].pace);
    ck_assert(isfinite(plan.cost.seconds));
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, rates_add_up);
    tcase_add_test(tests, blocks_in_flight_fit);
    tcase_add_test(tests, floors_are_below);
    tcase_add_test(tests, crews_have_a_pace);
}

int main(void)
{
    return run_suite("dealt", 60, add);
}
