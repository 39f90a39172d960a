/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/calibrate/calibrate.h"

#include <errno.h>
#include <math.h>
#include <starpu.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "apps/bench/bench.h"
#include "apps/bench/plain.h"
#include "apps/driver/output.h"
#include "runtime/job.h"
#include "runtime/plan/budget.h"

/* ---- runs that tell what tasks and a disk take ------------------------------------------- */

/* The medians of some runs of a plan, after one that does not count; or of one run. */
struct runs {
    double seconds,
        plain;    /* plain: the same kernels without StarPU, 0 where that was not asked for */
    double bytes; /* read from and written to a disk */
    double tasks;
};

static enum zoid_status run_samples(struct zoid_job *job, int n, bool plain, struct runs *runs)
{
    double seconds[ZOID_SAMPLES], without[ZOID_SAMPLES] = {0};
    struct zoid_report report = {.seconds = 0};
    enum zoid_status status = ZOID_OK;

    for (int i = n > 1 ? -1 : 0; i < n && !status; i++) {
        job->ran = false;
        status = zoid_job_run(job, false, &report);
        if (!status && plain)
            status = zoid_plain_run(job, &without[i < 0 ? 0 : i]);
        seconds[i < 0 ? 0 : i] = report.seconds;
    }
    if (status)
        return status;
    *runs = (struct runs){.seconds = zoid_bench_median(seconds, n),
                          .plain = zoid_bench_median(without, n),
                          .bytes = report.disk_read + report.disk_write,
                          .tasks = (double)report.tasks};
    return ZOID_OK;
}

struct trial {
    struct zoid_problem problem;
    struct zoid_request request;
    bool one_lane, on_gpu, plain, once;
};

static enum zoid_status plan_trial(const struct zoid_context *context, const struct trial *trial,
                                   struct zoid_plan *plan)
{
    struct zoid_context device = *context;
    enum zoid_status status;
    bool clamped;

    if (!trial->on_gpu) {
        device.machine.cuda_workers = 0;
        device.machine.gpu_mem = 0;
    }
    device.gpu_wanted = trial->on_gpu;
    status = zoid_plan_make(&device, &trial->problem, &trial->request, plan);
    if (status || !trial->one_lane)
        return status;
    plan->graph.lanes = 1;
    if (zoid_graph_init(&plan->graph, &clamped))
        return zoid_fail(ZOID_RESOURCE, "a trial has no lane");
    zoid_graph_census(&plan->graph, &plan->census);
    zoid_budget_count(plan);
    return ZOID_OK;
}

static enum zoid_status try(struct zoid_context *context, const struct trial *trial,
                            struct runs *runs)
{
    struct zoid_job *job = NULL;
    struct zoid_plan plan;
    enum zoid_status status = plan_trial(context, trial, &plan);

    if (!status)
        status = zoid_job_create(context, &plan, &job);
    if (!status)
        status = zoid_bench_fill(job, &trial->problem);
    if (!status)
        status = run_samples(job, trial->once ? 1 : ZOID_SAMPLES, trial->plain, runs);
    zoid_job_destroy(&job);
    return status;
}

static struct trial heat(long x, long y, long z, long steps)
{
    const struct zoid_op *op = zoid_op_find("heat", 3, 1, ZOID_F32);

    return (struct trial){
        .problem = {.op = op, .n = {x, y, z}, .steps = steps, .params = op->defaults}};
}

/* Blocks that compute next to nothing: in a chain each waits for the one before; without one, the rate
 * is that of submitting them. */
static enum zoid_status measure_tasks(struct zoid_context *context, struct zoid_rates *r)
{
    struct trial chain = heat(8, 8, 4096, 16), loose = heat(8, 8, 4096, 4);
    struct runs runs;
    enum zoid_status status;

    chain.request = (struct zoid_request){.method = "leaning", .block = 4, .depth = 4};
    chain.one_lane = true;
    loose.request = (struct zoid_request){.method = "overlapped", .block = 4, .depth = 1};
    status = try(context, &chain, &runs);
    if (status)
        return status;
    r->task = runs.seconds / runs.tasks;
    status = try(context, &loose, &runs);
    if (!status)
        r->submit = runs.seconds / runs.tasks;
    return status;
}

enum zoid_status zoid_calibrate_tasks(struct zoid_context *context, struct zoid_rates *r)
{
    struct trial chain = heat(256, 256, 2048, 64);
    enum zoid_status status =
        context->machine.cpu_workers > 0 ? measure_tasks(context, r) : ZOID_OK;
    struct runs runs;

    if (status || !context->machine.cuda_workers)
        return status;
    chain.request = (struct zoid_request){.method = "leaning", .block = 32, .depth = 8};
    chain.one_lane = chain.on_gpu = chain.plain = true;
    status = try(context, &chain, &runs);
    if (!status && runs.seconds > runs.plain)
        r->gpu_task = (runs.seconds - runs.plain) / runs.tasks;
    return status;
}

/* Through StarPU, as runs do, with most slabs of a state on the disk and little to compute. */
enum zoid_status zoid_calibrate_disk(struct zoid_context *context, struct zoid_rates *r)
{
    enum { ROUNDS = 3 };
    struct trial trial = heat(256, 256, 1024, 4);
    double rate[ROUNDS];
    struct runs runs = {0};
    char *folder;
    enum zoid_status status = ZOID_OK;

    trial.once = true;
    trial.request =
        (struct zoid_request){.method = "leaning", .block = 8, .depth = 2, .ram = 192ull << 20};
    for (int i = 0; i < ROUNDS && !status; i++) {
        status = try(context, &trial, &runs);
        rate[i] = runs.seconds / runs.bytes;
    }
    if (status)
        return status;
    if (!(runs.bytes > 0))
        return zoid_fail(ZOID_RESOURCE, "the run that measures the disk did not use it");
    r->disk_read = r->disk_write = zoid_bench_median(rate, ROUNDS);
    /* Runs elsewhere look for it. */
    folder = realpath(zoid_disk_folder(context->disk), NULL);
    if (folder && strlen(folder) < sizeof r->disk)
        strcpy(r->disk, folder);
    else
        status = zoid_fail(ZOID_RESOURCE, "the rates cannot keep the folder's name: %s",
                           folder ? "it is too long" : strerror(errno));
    free(folder);
    return status;
}

/* ---- all of it ----------------------------------------------------------------------------- */

static enum zoid_status list_operators(struct zoid_rates *r)
{
    size_t n = 0;

    while (zoid_op_at(n))
        n++;
    r->op = calloc(n + 1, sizeof *r->op);
    if (!r->op)
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    r->ops = n;
    for (size_t i = 0; i < n; i++)
        snprintf(r->op[i].name, sizeof r->op[i].name, "%s", zoid_op_at(i)->name);
    return ZOID_OK;
}

static enum zoid_status measure(struct zoid_context *context, struct zoid_rates *r)
{
    const struct zoid_machine *m = &context->machine;
    enum zoid_status status = list_operators(r);

    if (!status && m->cpu_workers > 0) {
        fprintf(stderr, "memory\n");
        status = zoid_calibrate_memory(m, r);
    }
    if (!status && m->cpu_workers > 0) {
        fprintf(stderr, "%zu operators on %d cores\n", r->ops, m->cpu_workers);
        status = zoid_calibrate_cores(m, r);
    }
    if (!status && m->cuda_workers > 0) {
        fprintf(stderr, "operators on %s\n", m->gpu);
        status = zoid_calibrate_gpu(context, r);
    }
    if (!status) {
        fprintf(stderr, "tasks\n");
        status = zoid_calibrate_tasks(context, r);
    }
    if (!status && context->disk) {
        fprintf(stderr, "disk\n");
        status = zoid_calibrate_disk(context, r);
    }
    return status;
}

/* The folders on the way to a file, as far as they are missing. */
static void make_folders(const char *path)
{
    char folder[1024];

    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(folder, 0777);
        *slash = '/';
    }
}

enum zoid_status zoid_calibrate(const char *disk)
{
    const struct zoid_context_options wanted = {.disk = disk};
    struct zoid_context *context = NULL;
    struct zoid_output *output = NULL;
    struct zoid_rates rates = {0};
    char path[1024];
    enum zoid_status status;

    if (!zoid_rates_path(path, sizeof path))
        return zoid_fail(ZOID_RESOURCE, "there is no place for the rates; set HOME or ZOID_RATES");
    make_folders(path);
    status = zoid_output_open(path, &output);
    if (!status)
        status = zoid_context_open(&wanted, &context);
    if (!status) {
        zoid_rates_defaults(&context->machine, &rates);
        status = measure(context, &rates);
    }
    if (!status)
        status = zoid_rates_write(&context->machine, &rates, zoid_output_stream(output));
    if (!status)
        status = zoid_output_commit(&output);
    zoid_output_discard(&output);
    zoid_rates_free(&rates);
    zoid_context_close(&context);
    return status;
}
