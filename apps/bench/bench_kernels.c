/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels compared with copying: unless steps are fused, a step cannot be faster than the
 * operator's minimum traffic at the bandwidth of a copy. Rounds alternate between a copy,
 * single-step sweeps, and blocks of several steps. On a GPU blocks are fused as in every run; on
 * cores they are the leaning blocks of a run, tiled for the caches, on plain threads. */
#include <math.h>
#include <stdlib.h>

#include "apps/bench/bench.h"
#include "codelets/cuda/run.h"
#include "codelets/op/traits.h"
#include "graphs/method.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/measure/field.h"
#include "runtime/measure/plain.h"

static const char *const device_names[ZOID_BENCH_DEVICES] = {"cpu", "gpu"};

/* Default size of a field in bytes. */
static const double field_bytes[ZOID_BENCH_DEVICES] = {
    [ZOID_BENCH_CPU] = 1 << 26, [ZOID_BENCH_GPU] = 1 << 30};
/* Steps of a block by default; on GPUs whole launches of 2, 3, 4, 6 or 8 times. */
static const long depths[ZOID_BENCH_DEVICES] = {[ZOID_BENCH_CPU] = 12, [ZOID_BENCH_GPU] = 24};
enum { BLOCKS = 2 };

enum way { COPY, STEP, FUSED, WAYS };

/* One operator on one device. */
struct kernel {
    const struct zoid_bench *bench;
    struct zoid_context *context;
    enum zoid_bench_device device;
    struct zoid_problem problem;
    long depth, blocks;
    struct zoid_field *field;
    struct zoid_job *job; /* runs the blocks on cores; NULL: no such blocks */
    struct zoid_plan plan;
    double copied; /* bytes copied per round */
    double *seconds[WAYS];
};

/* ---- one row ----------------------------------------------------------------------------- */

static enum zoid_status run_way(struct kernel *k, enum way way, double *seconds)
{
    if (way == COPY)
        return zoid_field_copy(k->field, k->blocks, &k->copied, seconds);
    if (way == STEP)
        return zoid_field_sweep(k->field, k->blocks, seconds);
    if (k->device == ZOID_BENCH_GPU)
        return zoid_field_fuse(k->field, k->blocks, seconds);
    *seconds = NAN;
    return k->job ? zoid_plain_run(k->job, seconds) : ZOID_OK;
}

/* The first round warms up and is not counted. */
static enum zoid_status run_rounds(struct kernel *k)
{
    enum zoid_status status = ZOID_OK;

    for (long r = -1; r < k->bench->rounds; r++)
        for (int s = 0; s < WAYS && !status; s++)
            status = run_way(k, s, &k->seconds[s][r < 0 ? 0 : r]);
    return status;
}

static void put_row(struct kernel *k, json_t *row)
{
    long rounds = k->bench->rounds;
    double points = zoid_sample_points(&k->problem);
    double bandwidth = k->copied / zoid_sample_median(k->seconds[COPY], rounds) * 1e-9;
    double limit = bandwidth / k->problem.op->bytes;
    double step = points / zoid_sample_median(k->seconds[STEP], rounds) * 1e-9;
    double fused = points / zoid_sample_median(k->seconds[FUSED], rounds) * 1e-9;
    bool planned = k->device == ZOID_BENCH_CPU && k->job;

    json_object_set_new(row, "device", json_string(device_names[k->device]));
    zoid_bench_put(row, "copy_gbps", bandwidth);
    zoid_bench_put(row, "limit_gups", limit);
    zoid_bench_put(row, "step_gups", step);
    zoid_bench_put(row, "step_fraction", step / limit);
    zoid_bench_put(row, "step_spread", zoid_sample_spread(k->seconds[STEP], rounds));
    zoid_bench_put(row, "fused_depth",
                   planned        ? (double)k->plan.graph.depth
                   : isnan(fused) ? NAN
                                  : (double)k->depth);
    zoid_bench_put(row, "fused_gups", fused);
    zoid_bench_put(row, "fused_fraction", fused / limit);
    zoid_bench_put(row, "fused_spread", zoid_sample_spread(k->seconds[FUSED], rounds));
}

static double of(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

static void print_head(void)
{
    printf("%-16s %-3s %18s %10s %10s %8s %6s %10s %8s %6s %7s\n", "operator", "on", "size",
           "copy GB/s", "step GUP/s", "of limit", "depth", "fused", "of limit", "flop/B", "spread");
}

static void print_row(const struct kernel *k, const json_t *row)
{
    const struct zoid_problem *p = &k->problem;
    char size[64];

    snprintf(size, sizeof size, "%ldx%ldx%ld", p->n[0], p->n[1], p->n[2]);
    printf("%-16s %-3s %18s %10.1f %10.3f %8.3f %6.0f %10.3f %8.3f %6.2f %7.3f\n", p->op->name,
           device_names[k->device], size, of(row, "copy_gbps"), of(row, "step_gups"),
           of(row, "step_fraction"), of(row, "fused_depth"), of(row, "fused_gups"),
           of(row, "fused_fraction"), p->op->flops / p->op->bytes, of(row, "step_spread"));
    fflush(stdout);
}

/* Plans leaning blocks on cores, even if there are GPUs, unless memory has no room for them besides
 * the field. */
static enum zoid_status plan_blocks(struct kernel *k, uint64_t budget)
{
    const struct zoid_settings *o = &k->bench->settings;
    const uint64_t taken = zoid_field_bytes(k->field);
    const struct zoid_request request = {
        .method = zoid_leaning.name,
        .block = o->block,
        .depth = o->depth,
        .budget = {[ZOID_RAM] = budget > taken ? budget - taken : 1}};
    struct zoid_site cores = zoid_context_site(k->context);
    enum zoid_status status;

    cores.workers[ZOID_CORES] = k->context->machine.cpu_workers;
    cores.workers[ZOID_GPUS] = 0;
    cores.gpu_wanted = false;
    status = zoid_plan_at(&cores, &k->problem, &request, &k->plan);
    if (status == ZOID_DOES_NOT_FIT)
        return ZOID_OK;
    if (!status)
        status = zoid_job_create(k->context, &k->plan, &k->job);
    return status ? status : zoid_sample_fill(k->job, &k->problem);
}

static uint64_t budget_of(const struct kernel *k)
{
    const struct zoid_machine *m = zoid_context_machine(k->context);
    uint64_t ram = k->bench->settings.ram;

    if (k->device == ZOID_BENCH_GPU)
        return m->gpu_mem;
    return ram && ram < m->ram_available ? ram : m->ram_available;
}

static enum zoid_traversal sweeps(const struct kernel *k)
{
    const int kind = k->device == ZOID_BENCH_GPU ? ZOID_GPUS : ZOID_CORES;

    return k->bench->settings.traversal.of[kind] == ZOID_TRAVERSAL_NAIVE ? ZOID_TRAVERSAL_NAIVE
                                                                         : ZOID_TRAVERSAL_STEP;
}

static enum zoid_status measure(struct kernel *k, json_t *row)
{
    const struct zoid_field_request request = {.machine = zoid_context_machine(k->context),
                                               .problem = &k->problem,
                                               .gpu = k->device == ZOID_BENCH_GPU,
                                               .traversal = sweeps(k),
                                               .depth = k->depth,
                                               .budget = budget_of(k)};
    enum zoid_status status = zoid_field_open(&request, &k->field);

    if (!status && k->device == ZOID_BENCH_CPU)
        status = plan_blocks(k, request.budget);
    if (!status)
        status = run_rounds(k);
    if (!status) {
        put_row(k, row);
        print_row(k, row);
    }
    zoid_job_destroy(&k->job);
    zoid_field_close(&k->field);
    return status;
}

/* Sets up a problem of whole blocks, with at least the requested number of steps. */
static enum zoid_status set_up(struct kernel *k, const struct zoid_op *op)
{
    const long given = k->bench->settings.depth, depth = given ? given : depths[k->device];
    enum zoid_status status =
        zoid_bench_variant(k->bench, op, field_bytes[k->device], BLOCKS * depth, &k->problem);

    if (status)
        return status;
    if (k->problem.steps < 1)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a measurement wants at least one step");
    k->depth = depth < k->problem.steps ? depth : k->problem.steps;
    k->blocks = (k->problem.steps + k->depth - 1) / k->depth;
    k->problem.steps = k->blocks * k->depth;
    return ZOID_OK;
}

/* ---- all rows ---------------------------------------------------------------------------- */

static enum zoid_status make_row(struct kernel *k, struct zoid_bench_files *files)
{
    json_t *row = zoid_bench_row(&k->problem);
    enum zoid_status status = row ? measure(k, row) : zoid_no_memory();

    if (!status)
        return zoid_bench_files_add(files, row);
    json_decref(row);
    return status;
}

/* Adds the number of rows to *measured. An operator that does not fit is skipped, with a line that
 * says why. */
static enum zoid_status all_operators(struct kernel *k, struct zoid_bench_files *files,
                                      long *measured)
{
    const struct zoid_op *op;
    enum zoid_status status = ZOID_OK;

    for (size_t i = 0; !status && (op = zoid_bench_next(k->bench, &i));) {
        if (k->device == ZOID_BENCH_GPU && !zoid_op_on_gpus(op))
            continue;
        status = set_up(k, op);
        if (!status)
            status = make_row(k, files);
        *measured += !status;
        if (status != ZOID_DOES_NOT_FIT)
            continue;
        printf("%-16s %-3s %s\n", op->name, device_names[k->device],
               zoid_error_as(ZOID_NAMES_OPTIONS));
        status = ZOID_OK;
    }
    return status;
}

static bool works(const struct kernel *k, enum zoid_bench_device device)
{
    const struct zoid_machine *m = zoid_context_machine(k->context);

    return (k->bench->device == ZOID_BENCH_DEVICES || k->bench->device == device) &&
           (device == ZOID_BENCH_GPU ? m->cuda_workers : m->cpu_workers) > 0;
}

/* If all operators were skipped, fails with the message of the last one. */
static enum zoid_status all_devices(struct kernel *k, struct zoid_bench_files *files)
{
    enum zoid_status status = ZOID_OK;
    long devices = 0, measured = 0;

    for (int d = 0; d < ZOID_BENCH_DEVICES && !status; d++) {
        k->device = (enum zoid_bench_device)d;
        if (!works(k, k->device))
            continue;
        if (devices++ == 0)
            print_head();
        status = all_operators(k, files, &measured);
    }
    if (!status && !devices)
        return zoid_fail(ZOID_RESOURCE, "there is no such device at work here; give another "
                                        "{device}, or look at STARPU_NCPU and STARPU_NCUDA");
    return !status && !measured ? ZOID_DOES_NOT_FIT : status;
}

static enum zoid_status refuse(const struct zoid_bench *b)
{
    size_t first = 0;

    if (b->settings.has_boundary)
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "kernels are measured with nothing beyond the domain's faces; drop {boundary}");
    return zoid_bench_next(b, &first) ? ZOID_OK : zoid_bench_none(b);
}

enum zoid_status zoid_bench_kernels(const struct zoid_bench *b)
{
    double seconds[WAYS][b->rounds];
    struct kernel k = {.bench = b, .seconds = {seconds[COPY], seconds[STEP], seconds[FUSED]}};
    struct zoid_bench_files *files = NULL;
    enum zoid_status status = refuse(b);

    if (!status)
        status = zoid_bench_files_open(b, &files);
    if (!status)
        status = zoid_context_open(&(struct zoid_context_options){.gpu_mem = b->settings.gpu_mem},
                                   &k.context);
    if (!status)
        status = all_devices(&k, files);
    if (!status)
        status = zoid_bench_files_commit(&files, zoid_context_machine(k.context));
    zoid_bench_files_discard(&files);
    zoid_context_close(&k.context);
    return status;
}
