/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks of a simulation: they compute nothing, and take their blocks' predicted seconds. In place
 * of runtime/submit/task_cores.c and task_cuda.c. */
#include <math.h>
#include <starpu_thread_util.h>

#include "runtime/plan/place.h"
#include "runtime/ranks/share.h"
#include "runtime/simulate/run.h"
#include "runtime/submit/task.h"

/* ---- the run -------------------------------------------------------------------------------- */

/* The rank's, and its model; NULL until it begins. */
static const struct zoid_plan *plan;
static struct zoid_model model;
/* Seconds of the thread of messages that a core has yet to lose. */
static double owed;

void zoid_task_simulate(const struct zoid_work *work, const struct zoid_model *of)
{
    plan = work->plan;
    model = *of;
}

double zoid_simulate_hop(double bytes)
{
    return plan ? model.network.message + bytes * model.network.wire : 0;
}

double zoid_simulate_way(void)
{
    return model.network.way;
}

/* With few cores, all of them have workers. */
double zoid_simulate_message(double bytes)
{
    const double seconds = zoid_estimate_thread(&model, plan, 1, bytes);

    if (plan->place.kind == ZOID_CORES && model.machine->cores < ZOID_CORES_TO_SPARE)
        owed += seconds;
    return seconds;
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* Seconds that a block takes on a worker by the planner's sums: time that it needs besides is
 * StarPU's, or that of the links. A block without points takes a moment: StarPU takes 0 for an
 * unknown cost. */
static double block_seconds(const struct zoid_task *t)
{
    static const double LEAST = 1e-6;
    const struct zoid_block_extent extent = zoid_estimate_extent(&t->layout, &t->zoid, &t->region);

    return fmax(zoid_place_of(plan)->block(&model, plan, &extent), LEAST);
}

double zoid_task_cost(struct starpu_task *task, unsigned worker, unsigned implementation)
{
    (void)worker;
    (void)implementation;
    return 1e6 * block_seconds(task->cl_arg);
}

void zoid_task_join(void *buffers[], void *arg)
{
    (void)buffers;
    (void)arg;
}

void zoid_task_cpu(void *buffers[], void *arg)
{
    struct zoid_task *t = arg;
    const double seconds = block_seconds(t), lost = owed;

    (void)buffers;
    owed = 0;
    zoid_task_starts(t);
    starpu_sleep((float)(seconds + lost));
    zoid_clock_add(&t->work->clock, starpu_worker_get_id(), seconds, t->points);
}

/* StarPU has a GPU's stream take the seconds of zoid_task_cost. */
void zoid_task_cuda(void *buffers[], void *arg)
{
    (void)buffers;
    zoid_task_starts(arg);
}

void zoid_task_cuda_ended(struct zoid_task *t, int worker)
{
    zoid_clock_add_core(&t->work->clock, worker, block_seconds(t));
}

const char *zoid_task_cuda_error(int error)
{
    (void)error;
    return "none";
}
