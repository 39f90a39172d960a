/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/runtime/plan/made_up.h"

#include <check.h>
#include <math.h>
#include <string.h>

#include "codelets/cuda/run.h"
#include "codelets/run.h"
#include "runtime/plan/budget.h"

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

struct zoid_plan plan_of(const struct setting *s)
{
    const bool gpu = s->place >= GPU;
    const uint64_t gpu_mem = s->place == GPU ? UINT64_MAX : 1;
    struct zoid_plan p = {.problem = {.op = &s->op, .n = {256, 256, s->planes}, .steps = s->steps},
                          .graph = {.method = s->method,
                                    .steps = s->steps,
                                    .block = s->block,
                                    .depth = s->depth,
                                    .lanes = s->lanes,
                                    .elastic = s->place == CORES},
                          .workers = gpu ? s->machine.cuda_workers : s->machine.cpu_workers,
                          .on_gpu = gpu,
                          .on_disk = s->place == CORES_AND_DISK || s->place == GPU_AND_DISK,
                          .budget = UINT64_MAX,
                          .disk_budget = UINT64_MAX,
                          .gpu_budget = s->gpu_mem ? s->gpu_mem : gpu_mem};
    bool clamped;

    p.problem.face[0][ZOID_LOW] = (unsigned char)s->left;
    p.graph.shape = zoid_problem_shape(&p.problem);
    ck_assert_int_eq(zoid_graph_init(&p.graph, &clamped), 0);
    p.layout = zoid_layout_make(&s->op, p.problem.n, 0);
    zoid_graph_census(&p.graph, &p.census);
    zoid_budget_count(&p);
    ck_assert(!gpu || s->gpu_mem || p.in_core == (s->place == GPU));
    return p;
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
