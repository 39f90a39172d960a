/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/calibrate/calibrate.h"

#include <errno.h>
#include <math.h>
#include <starpu.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/job.h"
#include "runtime/measure/plain.h"
#include "runtime/measure/sample.h"
#include "runtime/plan/budget.h"

/* ---- runs that measure tasks and a disk ----------------------------------------------------- */

/* Medians of several runs of a plan, after a warm-up; or one run. */
struct runs {
    double seconds, plain; /* plain: the same kernels without StarPU; 0: not requested */
    double bytes;          /* read from and written to a disk */
    double data;           /* the same in data (slabs) */
    double tasks;
};

static enum zoid_status run_samples(struct zoid_job *job, int n, bool plain, struct runs *runs)
{
    double seconds[ZOID_SAMPLES], without[ZOID_SAMPLES] = {0};
    struct zoid_report report = {.seconds = 0};
    enum zoid_status status = ZOID_OK;

    for (int i = n > 1 ? -1 : 0; i < n && !status; i++) {
        status = zoid_job_again(job, false, &report);
        if (!status && plain)
            status = zoid_plain_run(job, &without[i < 0 ? 0 : i]);
        seconds[i < 0 ? 0 : i] = report.seconds;
    }
    if (status)
        return status;
    *runs = (struct runs){.seconds = zoid_sample_median(seconds, n),
                          .plain = zoid_sample_median(without, n),
                          .bytes = report.disk_read + report.disk_write,
                          .tasks = (double)report.tasks};
    return ZOID_OK;
}

struct trial {
    struct zoid_problem problem;
    struct zoid_request request;
    bool one_lane, gpu, plain;
    int samples;
};

static enum zoid_status plan_trial(const struct zoid_context *context, const struct trial *trial,
                                   struct zoid_plan *plan)
{
    struct zoid_site site = zoid_context_site(context);
    enum zoid_status status;
    bool clamped;

    site.workers[trial->gpu ? ZOID_CORES : ZOID_GPUS] = 0;
    status = zoid_plan_at(&site, &trial->problem, &trial->request, plan);
    if (status || !trial->one_lane)
        return status;
    plan->graph.lanes = plan->place.lanes = 1;
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
        status = zoid_sample_fill(job, &trial->problem);
    if (!status)
        status = run_samples(job, trial->samples, trial->plain, runs);
    if (!status)
        runs->data = runs->bytes / (double)zoid_budget_datum_bytes(&plan, ZOID_SLAB);
    zoid_job_destroy(&job);
    return status;
}

static struct trial heat(const long n[ZOID_AXES], long steps)
{
    const struct zoid_op *op = zoid_op_find("heat", 3, 1, ZOID_F32);

    return (struct trial){.problem = {.op = op,
                                      .n = {n[0], n[1], n[2]},
                                      .steps = steps,
                                      .params = zoid_op_defaults(op)},
                          .samples = ZOID_SAMPLES};
}

/* Blocks with next to no computation: in a chain each depends on the previous one; without
 * dependencies the rate is that of submission. */
enum zoid_status zoid_calibrate_tasks(const struct zoid_calibration *c, struct zoid_rates *r)
{
    const long n[ZOID_AXES] = {8, 8, c->brief ? 1024 : 4096};
    struct trial chain = heat(n, 16), loose = heat(n, 4);
    struct runs runs;
    enum zoid_status status;

    chain.request = (struct zoid_request){.method = "leaning", .block = 4, .depth = 4};
    chain.one_lane = true;
    loose.request = (struct zoid_request){.method = "overlapped", .block = 4, .depth = 1};
    status = try(c->context, &chain, &runs);
    if (status)
        return status;
    r->task = runs.seconds / runs.tasks;
    status = try(c->context, &loose, &runs);
    if (!status)
        r->submit = runs.seconds / runs.tasks;
    return status;
}

enum zoid_status zoid_calibrate_gpu_tasks(const struct zoid_calibration *c, struct zoid_rates *r)
{
    static const long n[ZOID_AXES] = {256, 256, 2048};
    struct trial chain = heat(n, 64);
    struct runs runs;
    enum zoid_status status;

    chain.request = (struct zoid_request){.method = "leaning", .block = 32, .depth = 8};
    chain.one_lane = chain.gpu = chain.plain = true;
    status = try(c->context, &chain, &runs);
    if (!status && runs.seconds > runs.plain)
        r->gpu_task = (runs.seconds - runs.plain) / runs.tasks;
    return status;
}

/* A state on disk, streamed through main memory, with little computation: in slabs of 512 KiB or 2
 * MiB, or in small ones of 32 KiB. */
static struct trial on_disk(bool brief, bool small)
{
    const long large_n[ZOID_AXES] = {256, 256, brief ? 256 : 1024};
    const long small_n[ZOID_AXES] = {64, 64, brief ? 2048 : 8192};
    struct trial trial = heat(small ? small_n : large_n, 4);

    trial.samples = 1;
    trial.request = (struct zoid_request){.method = "leaning",
                                          .block = brief || small ? 2 : 8,
                                          .depth = 2,
                                          .budget = {[ZOID_RAM] = (brief ? 48ull : 192ull) << 20}};
    return trial;
}

/* Separates bandwidth and latency per datum, from a run with large slabs and one with small ones.
 * Disks vary, so the latency is at least a microsecond, and bytes take at least half of the first
 * run. */
static void tell_apart(const struct runs *large, const struct runs *small, struct zoid_rates *r)
{
    const double least = 1e-6, byte = large->seconds / large->bytes;
    const double more = small->data - small->bytes * large->data / large->bytes;

    r->disk_datum = fmax((small->seconds - small->bytes * byte) / more, least);
    r->disk_read = r->disk_write =
        fmax(large->seconds - large->data * r->disk_datum, large->seconds / 2) / large->bytes;
}

/* Measured through StarPU, as in runs. */
enum zoid_status zoid_calibrate_disk(const struct zoid_calibration *c, struct zoid_rates *r)
{
    enum { ROUNDS = 3 };
    const int rounds = c->brief ? 1 : ROUNDS;
    double seconds[2][ROUNDS];
    struct runs runs[2] = {{.bytes = 0}, {.bytes = 0}};
    char *folder;
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < 2 * rounds && !status; i++) {
        const struct trial trial = on_disk(c->brief, i % 2);

        status = try(c->context, &trial, &runs[i % 2]);
        seconds[i % 2][i / 2] = runs[i % 2].seconds;
    }
    if (status)
        return status;
    for (int small = 0; small < 2; small++) {
        if (!(runs[small].bytes > 0))
            return zoid_fail(ZOID_RESOURCE, "the run that measures the disk did not use it");
        runs[small].seconds = zoid_sample_median(seconds[small], rounds);
    }
    tell_apart(&runs[0], &runs[1], r);
    /* An absolute path: other runs start in other folders. */
    folder = realpath(zoid_disk_folder(c->context->beyond[ZOID_DISK]), NULL);
    if (folder && strlen(folder) < sizeof r->disk)
        strcpy(r->disk, folder);
    else
        status = zoid_fail(ZOID_RESOURCE, "the rates cannot keep the folder's name: %s",
                           folder ? "it is too long" : strerror(errno));
    free(folder);
    return status;
}
