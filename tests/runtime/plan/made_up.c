/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/runtime/plan/made_up.h"

#include <math.h>
#include <string.h>

#include "codelets/cuda/run.h"
#include "runtime/boundary.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/cost.h"
#include "runtime/plan/parts.h"
#include "tests/check.h"

static const struct zoid_cuda_kernels kernels = {.most = 4, .most_shared = SHARED};

struct setting setting_of(enum place place, const struct zoid_method *method)
{
    struct setting s = {.machine = {.cores = 4,
                                    .cpu_workers = 4,
                                    .cuda_workers = 1,
                                    .gpu_shared = SHARED,
                                    .cache = {32 << 10, 1 << 20, 32 << 20},
                                    .cache_sharers = {1, 1, 4}},
                        .op = *zoid_op_find("heat", 3, 1, ZOID_F32),
                        .place = place,
                        .method = method,
                        .planes = 256,
                        .steps = 64,
                        .block = 16,
                        .depth = 8,
                        .lanes = 2};

    s.op.kernels = &kernels;
    zoid_rates_defaults(&s.machine, &s.rates);
    return s;
}

void add_tiers(struct zoid_plan *plan, const struct zoid_rates *rates, uint64_t gpu_mem)
{
    for (int t = 0; t < ZOID_TIERS; t++)
        plan->tier[t] = zoid_tier_make((enum zoid_tier_kind)t,
                                       t == ZOID_GPU_MEMORY ? gpu_mem : UINT64_MAX, rates);
}

struct zoid_plan plan_of(const struct setting *s)
{
    const bool gpu = s->place >= GPU;
    const bool disk = s->place == CORES_AND_DISK || s->place == GPU_AND_DISK;
    const enum zoid_place_kind kind = gpu ? ZOID_GPUS : ZOID_CORES;
    const int workers = gpu ? s->machine.cuda_workers : s->machine.cpu_workers;
    const uint64_t gpu_mem = s->place == GPU ? UINT64_MAX : 1;
    const enum zoid_traversal best[ZOID_ANY] = {ZOID_TRAVERSAL_BEST, ZOID_TRAVERSAL_BEST};
    struct zoid_plan p = {.problem = {.op = &s->op, .n = {256, 256, s->planes}, .steps = s->steps},
                          .graph = {.method = s->method,
                                    .steps = s->steps,
                                    .block = s->block,
                                    .depth = s->depth,
                                    .lanes = s->lanes,
                                    .cut = {[1] = {.cells = s->strips}},
                                    .epoch = s->strips ? s->visits * s->depth : 0,
                                    .elastic = s->place == CORES},
                          .place = zoid_place_make(kind, workers, best, s->lanes),
                          .home = disk ? ZOID_DISK : ZOID_RAM};
    bool clamped;

    add_tiers(&p, &s->rates, s->gpu_mem ? s->gpu_mem : gpu_mem);
    p.problem.face[0][ZOID_LOW] = (unsigned char)s->left;
    p.graph.shape = zoid_problem_shape(&p.problem);
    ck_assert_int_eq(zoid_graph_init(&p.graph, &clamped), 0);
    p.layout = s->strips ? zoid_plan_layout(&p, 0) : zoid_layout_make(&s->op, p.problem.n, 0);
    zoid_graph_census(&p.graph, &p.census);
    zoid_budget_count(&p);
    ck_assert(!gpu || s->gpu_mem || (slabs_on_gpu(&p) == ZOID_KEEP_ALL) == (s->place == GPU));
    return p;
}

enum zoid_keep slabs_on_gpu(const struct zoid_plan *plan)
{
    return plan->keep[ZOID_SLAB][ZOID_GPU_MEMORY];
}

uint64_t gpu_bytes(const struct zoid_plan *plan)
{
    return plan->tier[ZOID_GPU_MEMORY].bytes;
}

struct zoid_cost cost_of(const struct setting *s)
{
    const struct zoid_model model = zoid_model_of(&s->machine, &s->rates, &s->op);
    struct zoid_plan plan = plan_of(s);
    struct zoid_cost cost = zoid_estimate(&model, &plan);

    ck_assert(isfinite(cost.seconds) && cost.seconds > 0);
    for (int r = 0; r < ZOID_COSTS; r++)
        ck_assert_msg(cost.part[r] >= 0 && cost.part[r] <= cost.seconds * (1 + 1e-9), "%s %g of %g",
                      zoid_resource_name((enum zoid_resource)r), cost.part[r], cost.seconds);
    ck_assert(cost.part[zoid_cost_bound(&cost)] > 0);
    ck_assert_uint_gt(strlen(plan.reason), 0);
    return cost;
}

double seconds_of(const struct setting *s)
{
    return cost_of(s).seconds;
}
