/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks on cores; simulations have runtime/simulate/task.c instead. */
#include <math.h>
#include <time.h>

#include "codelets/cpu/run.h"
#include "runtime/machine/clock.h"
#include "runtime/submit/task.h"

void zoid_task_join(void *buffers[], void *arg)
{
    const struct zoid_task *t = arg;
    const struct zoid_plan *plan = t->work->plan;
    struct zoid_part part[t->nparts + 1];

    zoid_task_parts(t, buffers, part);
    zoid_run_join(&(struct zoid_block_args){.op = plan->problem.op,
                                            .params = &plan->problem.params,
                                            .shape = &plan->graph.shape,
                                            .layout = &t->layout,
                                            .zoid = t->zoid,
                                            .nparts = t->nparts,
                                            .part = part},
                  &zoid_cpu, NULL);
}

/* Core time of this thread, in seconds. */
static double core_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* For tests of a place that is slow: wait for as long as a slower worker would take. `core` and
 * `took`: seconds of its processor, and of the clock. */
static void be_slow(const struct zoid_task *t, double core, double took)
{
    const struct zoid_work *work = t->work;
    const struct zoid_dealer *d = &work->dealer;
    const long from = work->slow_from * work->plan->graph.shape.stages;
    const double factor = t->zoid.t0 >= from ? work->slow : 1;
    const double extra = work->slow_point > 0 ? factor * work->slow_point * (double)t->points - took
                                              : (factor - 1) * core;

    if (d->deals && d->crew[starpu_worker_get_id()] != work->slow_crew)
        return;
    if (extra > 0)
        nanosleep(&(struct timespec){.tv_sec = (time_t)extra,
                                     .tv_nsec = (long)((extra - floor(extra)) * 1e9)},
                  NULL);
}

void zoid_task_cpu(void *buffers[], void *arg)
{
    struct zoid_task *t = arg;
    const struct zoid_trace *trace = t->work->trace;
    struct zoid_part part[t->nparts + 1];
    struct zoid_block_args run;
    const int worker = starpu_worker_get_id();
    struct zoid_team_time together;
    double start, core, took;

    zoid_task_starts(t);
    /* In this order the clock and the trace both include the cost of the first mark, so they
     * agree. */
    start = starpu_timing_now();
    zoid_trace_block_begins(trace);
    core = core_now();
    zoid_task_run(t, ZOID_CORES, buffers, zoid_core_scratch_own(&t->work->core_scratch), part,
                  &run);
    zoid_cpu_run(&run, &t->work->core);
    be_slow(t, core_now() - core, (starpu_timing_now() - start) * 1e-6);
    together = zoid_team_take(run.team);
    zoid_clock_add_core(&t->work->clock, worker,
                        fmax(core_now() - core + together.core - together.waited, 0));
    took = (starpu_timing_now() - start) * 1e-6;
    zoid_clock_add(&t->work->clock, worker,
                   fmax(took * zoid_team_size(run.team) - together.waited, 0), t->points);
    zoid_dealer_teach(&t->work->dealer, worker, (double)t->points, took);
    if (t->work->channels)
        zoid_epoch_clock_ends(&t->work->epochs, t->epoch, zoid_machine_clock(), took);
    zoid_trace_block_ends(trace);
}
