/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/workers.h"

#include "codelets/cuda/run.h"
#include "runtime/config.h"
#include "runtime/memory/pool.h"
#include "runtime/plan/place.h"
#include "runtime/plan/tier.h"
#include "runtime/submit/task.h"

/* SimGrid is to call the functions of tasks, too. */
static const int flags = ZOID_SIMULATED ? STARPU_CODELET_SIMGRID_EXECUTE : 0;

/* A failure here is reported when blocks are launched. */
static void load_kernels(void *op)
{
    zoid_cuda_load(op);
}

static void prepare_gpus(const struct zoid_plan *plan)
{
    const struct zoid_tier *memory = &plan->tier[ZOID_GPU_MEMORY];

    if (!zoid_plan_on_gpus(plan) || ZOID_SIMULATED)
        return;
    starpu_execute_on_each_worker(load_kernels, (void *)plan->problem.op, STARPU_CUDA);
    /* Data that stream take all the memory. */
    zoid_pool_make(zoid_plan_stays(plan) ? memory->bytes : memory->capacity);
}

const struct zoid_workers *zoid_workers_of_kind(enum zoid_place_kind kind)
{
    static const struct zoid_workers workers[ZOID_PLACES] = {
        [ZOID_CORES] = {.type = STARPU_CPU_WORKER, .where = STARPU_CPU},
        [ZOID_GPUS] = {.type = STARPU_CUDA_WORKER, .where = STARPU_CUDA, .prepare = prepare_gpus},
        [ZOID_ANY] = {.prepare = prepare_gpus}};

    return &workers[kind];
}

const struct zoid_workers *zoid_workers_of(const struct zoid_plan *plan)
{
    return zoid_workers_of_kind(plan->place.kind);
}

/* Kinds of workers that take the plan's blocks. */
static uint32_t where_of(const struct zoid_plan *plan)
{
    uint32_t where = 0;

    for (int k = 0; k < ZOID_ANY; k++)
        if (zoid_place_of_kind(&plan->place, (enum zoid_place_kind)k))
            where |= zoid_workers_of_kind((enum zoid_place_kind)k)->where;
    return where;
}

struct starpu_codelet zoid_workers_joins(void)
{
    struct starpu_codelet join = {.where = STARPU_CPU | STARPU_CUDA,
                                  .cpu_funcs = {zoid_task_join},
                                  .cuda_funcs = {zoid_task_join},
                                  .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                  .flags = flags,
                                  .specific_nodes = 1,
                                  .name = "join"};

    /* Without workers on cores, the threads that drive GPUs run joins. */
    if (starpu_cpu_worker_get_count() > 0)
        join.where = STARPU_CPU;
    for (int i = 0; i < STARPU_NMAXBUFS; i++)
        join.nodes[i] = STARPU_SPECIFIC_NODE_CPU;
    return join;
}

struct starpu_codelet zoid_workers_codelet(const struct zoid_plan *plan)
{
    return (struct starpu_codelet){.where = where_of(plan),
                                   .cpu_funcs = {zoid_task_cpu},
                                   .cuda_funcs = {zoid_task_cuda},
                                   .cuda_flags = {STARPU_CUDA_ASYNC},
                                   .flags = flags,
                                   .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                   .name = plan->problem.op->name};
}
