/* SPDX-License-Identifier: BSD-3-Clause */
/* The same blocks through StarPU and without it. One job serves all rounds of both ways: a run
 * starts from the data of the previous one, wherever they are, since values do not affect the time.
 * On a GPU all data are thus in its memory from the first block on, and the clock stops at the last
 * block, so neither way includes the upload. StarPU writes data back during the last pass, as in
 * every run; transfers still in progress at the end are not counted. */
#include <starpu.h>
#include <stdlib.h>

#include "apps/bench/bench.h"
#include "graphs/method.h"
#include "runtime/error.h"
#include "runtime/job.h"
#include "runtime/measure/plain.h"
#include "runtime/report/traffic.h"

enum way { STARPU, PLAIN, WAYS };

struct rounds {
    long n;
    double *seconds[WAYS], *busy;
};

static enum zoid_status run_starpu(struct zoid_job *job, double *seconds, double *busy)
{
    double before = zoid_clock_busy_seconds(&job->part->work.clock), start;
    struct zoid_worked worked;
    enum zoid_status status;

    zoid_traffic_start(job->part->plan.place.memory != ZOID_RAM);
    start = starpu_timing_now();
    status = zoid_parts_run(job->part, 1, &worked);
    *seconds = (starpu_timing_now() - start) * 1e-6;
    *busy = (zoid_clock_busy_seconds(&job->part->work.clock) - before) / *seconds;
    zoid_store_fetch(job->part->store);
    zoid_job_ended(job, worked.end);
    return status && !job->part->work.cuda_error ? status : zoid_work_status(&job->part->work);
}

static enum zoid_status run_way(struct zoid_job *job, enum way way, double *seconds, double *busy)
{
    return way == STARPU ? run_starpu(job, seconds, busy) : zoid_plain_run(job, seconds);
}

/* The first run of each way warms up memory and performance models, and is not counted. */
static enum zoid_status run_all(struct zoid_job *job, struct rounds *rounds)
{
    enum zoid_status status = ZOID_OK;
    double unused;

    for (int s = 0; s < WAYS && !status; s++)
        status = run_way(job, s, &unused, &unused);
    for (long r = 0; r < rounds->n && !status; r++)
        for (int s = 0; s < WAYS && !status; s++)
            status = run_way(job, s, &rounds->seconds[s][r], &rounds->busy[r]);
    return status;
}

static void print(const struct zoid_plan *plan, struct rounds *rounds)
{
    double points = zoid_sample_points(&plan->problem), time[WAYS];

    for (int s = 0; s < WAYS; s++)
        time[s] = zoid_sample_median(rounds->seconds[s], rounds->n);
    zoid_plan_print(plan, stdout);
    printf("rounds %ld\nstarpu.gups %.3f\nplain.gups %.3f\n", rounds->n,
           points / time[STARPU] * 1e-9, points / time[PLAIN] * 1e-9);
    printf("starpu_over_plain %.4f\nspread %.4f\nbusy_workers %.3f\n", time[PLAIN] / time[STARPU],
           zoid_sample_spread(rounds->seconds[STARPU], rounds->n),
           zoid_sample_median(rounds->busy, rounds->n));
}

static enum zoid_status can_be_plain(const struct zoid_plan *plan)
{
    if (plan->graph.method != &zoid_leaning)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "only chains can do without StarPU; use {method=leaning}");
    if (plan->place.kind == ZOID_GPUS && plan->place.workers > 1)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "kernels run back to back on one GPU only; set STARPU_NCUDA=1");
    if (plan->place.kind == ZOID_GPUS && plan->keep[ZOID_SLAB][ZOID_GPU_MEMORY] != ZOID_KEEP_ALL)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "kernels run back to back only where the GPU's memory holds all slabs; "
                         "give a smaller {size} or a larger {gpu_mem}");
    return ZOID_OK;
}

static enum zoid_status measure(struct zoid_context *context, const struct zoid_plan *plan,
                                struct rounds *rounds)
{
    struct zoid_job *job = NULL;
    enum zoid_status status = zoid_job_create(context, plan, &job);

    if (!status)
        status = zoid_sample_fill(job, &plan->problem);
    if (!status)
        status = run_all(job, rounds);
    if (!status)
        print(plan, rounds);
    zoid_job_destroy(&job);
    return status;
}

enum zoid_status zoid_bench_chain(const struct zoid_bench *b)
{
    size_t bytes = (size_t)b->rounds * sizeof(double);
    struct rounds rounds = {
        .n = b->rounds, .seconds = {malloc(bytes), malloc(bytes)}, .busy = malloc(bytes)};
    struct zoid_context *context = NULL;
    struct zoid_plan plan;
    enum zoid_status status = zoid_bench_plan(b, &context, &plan);

    if (!status && (!rounds.seconds[STARPU] || !rounds.seconds[PLAIN] || !rounds.busy))
        status = zoid_no_memory();
    if (!status)
        status = can_be_plain(&plan);
    if (!status)
        status = measure(context, &plan, &rounds);
    zoid_context_close(&context);
    free(rounds.seconds[STARPU]);
    free(rounds.seconds[PLAIN]);
    free(rounds.busy);
    return status;
}
