/* SPDX-License-Identifier: BSD-3-Clause */
/* Candidates that the planner prunes by lower bounds: they include most of all there are, but no
 * plan better than its choice. */
#include <string.h>

#include "runtime/plan/budget.h"
#include "runtime/plan/floor.h"
#include "runtime/plan/search.h"
#include "tests/runtime/plan/made_up.h"
#include "tests/suite.h"

static const enum place all_places[] = {CORES, CORES_AND_DISK, GPU, GPU_STREAMS, GPU_AND_DISK};

/* A plan before its census. */
static struct zoid_plan without_census(const struct zoid_plan *plan)
{
    struct zoid_plan p = *plan;

    memset(&p.census, 0, sizeof p.census);
    memset(p.keep, 0, sizeof p.keep);
    return p;
}

/* Checks that the lower bounds are below the plan's values. */
static void check_floors(const struct setting *s)
{
    const struct zoid_model model = zoid_model_of(&s->machine, &s->rates, &s->op);
    struct zoid_plan plan = plan_of(s);
    const struct zoid_plan p = without_census(&plan);
    const double seconds = zoid_estimate(&model, &plan).seconds,
                 floor = zoid_floor_seconds(&model, &p);

    ck_assert_msg(floor >= 0 && floor <= seconds, "%s, %ld planes, %ld steps, %d lanes: %g of %g",
                  s->method->name, s->block, s->depth, s->lanes, floor, seconds);
    if (zoid_plan_streams(&plan))
        ck_assert_uint_le(zoid_floor_bytes(&p), gpu_bytes(&plan));
}

START_TEST(floors_are_below_estimates)
{
    for (size_t i = 0; i < sizeof all_places / sizeof *all_places; i++)
        for (size_t m = 0; zoid_methods[m]; m++)
            for (long block = 2; block <= 512; block *= 4)
                for (long depth = 1; depth <= 64; depth *= 2)
                    for (int lanes = 1; lanes <= 4; lanes *= 2) {
                        struct setting s = setting_of(all_places[i], zoid_methods[m]);

                        s.machine.cuda_workers = lanes == 4 ? 2 : 1;
                        s.gpu_mem = all_places[i] == GPU ? 0 : UINT64_MAX;
                        s.block = block;
                        s.depth = depth;
                        s.lanes = lanes;
                        check_floors(&s);
                    }
}
END_TEST

/* Input of a search for a machine with GPUs of that memory, and a disk. */
struct made {
    struct setting setting;
    struct zoid_site site;
    struct zoid_problem problem;
    struct zoid_request request;
    struct zoid_wanted wanted;
};

static void make(struct made *m, int gpus, uint64_t gpu_mem, bool disk)
{
    m->setting = setting_of(GPU, NULL);
    m->setting.machine.cuda_workers = gpus;
    m->site = (struct zoid_site){.machine = &m->setting.machine,
                                 .rates = &m->setting.rates,
                                 .workers = {[ZOID_CORES] = gpus ? 0 : 4, [ZOID_GPUS] = gpus},
                                 .folder = {[ZOID_DISK] = disk ? "/" : NULL}};
    m->problem = (struct zoid_problem){.op = &m->setting.op, .n = {256, 256, 512}, .steps = 96};
    m->request = (struct zoid_request){.method = NULL};
    m->wanted = (struct zoid_wanted){
        .site = &m->site, .problem = &m->problem, .request = &m->request, .ranks = {{1, 1, 1}}};
    for (int t = 0; t < ZOID_TIERS; t++)
        m->wanted.tier[t] = zoid_tier_make(
            (enum zoid_tier_kind)t, t == ZOID_GPU_MEMORY ? gpu_mem : UINT64_MAX, &m->setting.rates);
}

/* True if the build has code for GPUs. */
static bool knows_gpus(const struct made *m)
{
    return zoid_places[ZOID_GPUS]->can(m->problem.op);
}

/* For no single method, height and depth is there a better plan. */
START_TEST(nothing_better_is_thrown_out)
{
    static const long blocks[] = {8, 22, 51, 128, 512}, depths[] = {1, 7, 15, 33, 96};
    struct zoid_found all, one;
    struct made m;

    for (int i = 0; i < 6; i++) {
        make(&m, i % 3, 24 << 20, i >= 3);
        if (i % 3 && !knows_gpus(&m))
            continue;
        zoid_search(&m.wanted, &all);
        ck_assert(all.any);
        for (int b = 0; b < 5; b++)
            for (int d = 0; d < 5; d++) {
                m.request.block = blocks[b];
                m.request.depth = depths[d];
                zoid_search(&m.wanted, &one);
                ck_assert(!one.any || one.best.cost.seconds >= all.best.cost.seconds);
            }
    }
}
END_TEST

/* 8 GiB in 2 GiB: tens of thousands of candidates. */
START_TEST(few_censuses_are_made)
{
    struct zoid_found found;
    struct made m;

    make(&m, 1, 2ull << 30, false);
    if (!knows_gpus(&m))
        return;
    m.problem.n[0] = m.problem.n[1] = 1024;
    m.problem.n[2] = 2048;
    m.problem.steps = 1024;
    zoid_search(&m.wanted, &found);
    ck_assert(found.any);
    ck_assert_int_le(found.censuses, 6000);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, floors_are_below_estimates);
    tcase_add_test(tests, nothing_better_is_thrown_out);
    tcase_add_test(tests, few_censuses_are_made);
}

int main(void)
{
    return run_suite("floor", 240, add);
}
