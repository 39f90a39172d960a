/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs as the stencil programs make them, repeated in one process: every run starts with the field
 * in main memory and ends when it is complete there again. Values do not affect the time, so the
 * field is filled once. Figures are for all ranks together. */
#include <stdlib.h>

#include "apps/bench/bench.h"
#include "apps/cli/command.h"
#include "graphs/cell.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/job.h"
#include "runtime/plan/parts.h"
#include "runtime/ranks/ranks.h"

enum number { SECONDS, BUSY, H2D, D2H, P2P, DISK_READ, DISK_WRITE, MPI, NUMBERS };

/* The first run allocates memory on the GPUs and is not counted. */
static enum zoid_status run_all(struct zoid_job *job, long rounds, double *number[NUMBERS])
{
    enum zoid_status status = ZOID_OK;

    for (long r = -1; r < rounds && !status; r++) {
        struct zoid_report report = {.seconds = 0};

        zoid_store_invalidate(job->part->store);
        status = zoid_job_again(job, false, &report);
        if (r < 0 || status)
            continue;
        number[SECONDS][r] = report.seconds;
        number[BUSY][r] = report.busy_workers;
        number[H2D][r] = report.h2d;
        number[D2H][r] = report.d2h;
        number[P2P][r] = report.p2p;
        number[DISK_READ][r] = report.disk_read;
        number[DISK_WRITE][r] = report.disk_write;
        number[MPI][r] = report.mpi;
    }
    return status;
}

/* Returns the size of the state of all cells (subdomains) of this rank. */
static double domain_bytes(const struct zoid_plan *plan)
{
    const struct zoid_range cells = zoid_graph_cells(&plan->graph);
    const struct zoid_op *op = plan->problem.op;
    double plane = 0;

    for (long c = cells.lo; c < cells.hi; c++) {
        const struct zoid_layout layout = zoid_plan_layout(plan, c);

        plane += (double)zoid_layout_plane_bytes(&layout);
    }
    return plane * op->nstate * (double)zoid_cell_line(&plan->graph);
}

/* bytes.domain and bytes.slab include the padding of rows: the minimum traffic of a pass, and the
 * size of a transfer. */
static void print(const struct zoid_plan *plan, double *number[NUMBERS], long rounds)
{
    static const char *const way[NUMBERS] = {[H2D] = "h2d",
                                             [D2H] = "d2h",
                                             [P2P] = "p2p",
                                             [DISK_READ] = "disk_read",
                                             [DISK_WRITE] = "disk_write",
                                             [MPI] = "mpi"};
    const struct zoid_graph *g = &plan->graph;
    double plane = (double)zoid_layout_plane_bytes(&plan->layout) * plan->problem.op->nstate;
    double domain = domain_bytes(plan);
    double seconds = zoid_sample_median(number[SECONDS], rounds);

    zoid_ranks_add(&domain, 1);
    zoid_plan_print(plan, stdout);
    printf("rounds %ld\npasses %ld\nseconds %.6g\nspread %.4f\ngups %.3f\nbusy_workers %.3f\n",
           rounds, (g->steps + g->depth - 1) / g->depth, seconds,
           zoid_sample_spread(number[SECONDS], rounds),
           zoid_sample_points(&plan->problem) / seconds * 1e-9,
           zoid_sample_median(number[BUSY], rounds));
    printf("bytes.domain %.0f\nbytes.slab %.0f\n", domain,
           plane * (double)plan->census.kind[ZOID_SLAB].planes);
    for (int i = H2D; i < NUMBERS; i++)
        printf("bytes.%s %.0f\n", way[i], zoid_sample_median(number[i], rounds));
}

static enum zoid_status measure(struct zoid_context *context, const struct zoid_plan *plan,
                                long rounds, double *number[NUMBERS])
{
    struct zoid_job *job = NULL;
    enum zoid_status status = zoid_job_create(context, plan, &job);

    if (!status)
        status = zoid_sample_fill(job, &plan->problem);
    if (!status)
        status = run_all(job, rounds, number);
    if (!zoid_ranks_know(status))
        zoid_command_abort("zoid-bench", status);
    if (!status)
        print(plan, number, rounds);
    zoid_job_destroy(&job);
    return status;
}

enum zoid_status zoid_bench_run(const struct zoid_bench *b)
{
    double *all = malloc((size_t)b->rounds * NUMBERS * sizeof *all), *number[NUMBERS];
    struct zoid_context *context = NULL;
    struct zoid_plan plan;
    enum zoid_status status = zoid_bench_plan(b, &context, &plan);

    for (int i = 0; all && i < NUMBERS; i++)
        number[i] = all + i * b->rounds;
    if (!status && !all)
        status = zoid_no_memory();
    status = zoid_ranks_agree(status);
    if (!status)
        zoid_context_print_ranks(context, stdout);
    if (!status)
        status = measure(context, &plan, b->rounds, number);
    zoid_context_close(&context);
    free(all);
    return status;
}
