/* SPDX-License-Identifier: BSD-3-Clause */
/* Quality of the planner: for each case the plan that it chooses, and a sweep over methods, slabs
 * and depths, with predicted and measured times. The best of the sweep are measured again,
 * alternating with the planner's choice, to avoid selection by noise. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/bench/bench.h"
#include "apps/bench/random_cases.h"
#include "codelets/cuda/run.h"
#include "codelets/op/traits.h"
#include "runtime/calibrate/missing.h"
#include "runtime/error.h"
#include "runtime/job.h"
#include "runtime/machine/rates.h"
#include "runtime/plan/budget.h"
#include "runtime/session/family.h"
#include "runtime/session/problem.h"
#include "runtime/session/request.h"

/* Default sizes of a field in bytes: within the caches, and beyond. */
static const double wanted_bytes[] = {1 << 24, 1 << 27};
static const long blocks[] = {8, 32, 128}, depths[] = {4, 16, 64};
enum {
    SIZES = sizeof wanted_bytes / sizeof *wanted_bytes,
    BLOCKS = sizeof blocks / sizeof *blocks,
    DEPTHS = sizeof depths / sizeof *depths,
    STEPS = 64,
    FED = 8, /* factor of the sizes on a GPU */
    FINALISTS = 3,
    HOPELESS = 10 /* predicted slowdown from which on a candidate is skipped */
};

/* Memory tier of the state. */
enum tier { IN_MEMORY, OVER_GPU, ON_DISK, TIERS };
static const char *const tier_names[TIERS] = {"memory", "gpu/4", "disk"};

struct candidate {
    struct zoid_plan plan;
    double *seconds; /* of each round */
    double measured; /* their median */
};

struct planner {
    const struct zoid_bench *bench;
    struct zoid_context_options limits;
    struct zoid_context *context; /* NULL while closed */
    struct zoid_problem problem;
    enum tier tier;
    struct candidate own, best[FINALISTS]; /* ascending by time; unused ones last */
    long swept, near;                      /* runs of the sweep, and those predicted well */
    long cases, good, chosen;              /* over all cases */
    double memory[(1 + FINALISTS) * 1000];
};

/* ---- one run ----------------------------------------------------------------------------- */

/* Reopens the context, so that each job starts as for users: StarPU caches allocations of earlier
 * data, and on a GPU with little memory has to free them again and again before new data fit. */
static enum zoid_status start_again(struct planner *p)
{
    zoid_context_close(&p->context);
    return zoid_context_open(&p->limits, &p->context);
}

static enum zoid_status run(struct planner *p, const struct zoid_plan *plan, double *seconds)
{
    struct zoid_report report = {.seconds = 0};
    struct zoid_job *job = NULL;
    enum zoid_status status = start_again(p);

    if (!status)
        status = zoid_job_create(p->context, plan, &job);
    if (!status)
        status = zoid_sample_fill(job, &p->problem);
    if (!status)
        status = zoid_job_run(job, false, &report);
    zoid_job_destroy(&job);
    *seconds = report.seconds;
    return status;
}

static bool is_near(double predicted, double measured)
{
    return fabs(predicted / measured - 1) <= 0.15;
}

static double field_bytes(const struct zoid_problem *problem)
{
    double bytes = (double)zoid_type_size(problem->op->type);

    for (int a = 0; a < ZOID_AXES; a++)
        bytes *= (double)problem->n[a];
    return bytes;
}

static uint64_t ram_of(const struct planner *p)
{
    return p->tier == ON_DISK ? (uint64_t)(0.75 * p->problem.op->nstate * field_bytes(&p->problem))
                              : p->bench->settings.ram;
}

/* Returns the GPU memory limit: a quarter of the state and coefficients in that tier. */
static uint64_t gpu_memory_of(const struct planner *p)
{
    const struct zoid_op *op = p->problem.op;

    return p->tier == OVER_GPU ? (uint64_t)((op->nstate + op->ncoef) * field_bytes(&p->problem) / 4)
                               : p->bench->settings.gpu_mem;
}

static enum zoid_status make(struct planner *p, const char *method, long block, long depth,
                             struct zoid_plan *plan)
{
    const struct zoid_request request = {
        .method = method,
        .block = block,
        .depth = depth,
        .budget = {[ZOID_RAM] = ram_of(p), [ZOID_DISK] = p->bench->settings.disk_mem}};

    return zoid_plan_make(p->context, &p->problem, &request, plan);
}

/* ---- the sweep --------------------------------------------------------------------------- */

static bool same(const struct zoid_graph *a, const struct zoid_graph *b)
{
    return a->method == b->method && a->block == b->block && a->depth == b->depth;
}

/* Inserts the plan into the best ones, if it is fast enough. */
static void rank(struct planner *p, const struct zoid_plan *plan, double measured)
{
    struct candidate *best = p->best;
    int i = FINALISTS - 1;
    double *room = best[i].seconds;

    if (measured >= best[i].measured)
        return;
    for (; i > 0 && best[i - 1].measured > measured; i--)
        best[i] = best[i - 1];
    best[i] = (struct candidate){.plan = *plan, .seconds = room, .measured = measured};
}

static enum zoid_status sweep_one(struct planner *p, const char *method, long block, long depth)
{
    struct zoid_plan plan;
    double seconds;
    enum zoid_status status = make(p, method, block, depth, &plan);

    /* Not a candidate if the method cannot do it, or it does not fit. */
    if (status)
        return status == ZOID_BAD_ARGUMENT || status == ZOID_DOES_NOT_FIT ? ZOID_OK : status;
    if (plan.graph.block != block || (plan.graph.depth != depth && !plan.graph.method->single_step))
        return ZOID_OK;
    if (plan.cost.seconds > HOPELESS * p->own.plan.cost.seconds)
        return ZOID_OK;
    status = run(p, &plan, &seconds);
    if (status)
        return status;
    p->swept++;
    p->near += is_near(plan.cost.seconds, seconds);
    printf("  %-10s %4ld %3ld %9.3g s, predicted %.3g\n", method, block, plan.graph.depth, seconds,
           plan.cost.seconds);
    fflush(stdout);
    rank(p, &plan, seconds);
    return ZOID_OK;
}

static enum zoid_status sweep(struct planner *p)
{
    enum zoid_status status = ZOID_OK;

    for (size_t m = 0; zoid_methods[m]; m++)
        for (int b = 0; b < BLOCKS; b++)
            for (int d = 0; d < (zoid_methods[m]->single_step ? 1 : DEPTHS) && !status; d++)
                status = sweep_one(p, zoid_methods[m]->name, blocks[b], depths[d]);
    return status;
}

/* ---- one case ---------------------------------------------------------------------------- */

static enum zoid_status finals(struct planner *p)
{
    const long rounds = p->bench->rounds;
    enum zoid_status status = ZOID_OK;

    for (long r = 0; r < rounds; r++) {
        if (!status)
            status = run(p, &p->own.plan, &p->own.seconds[r]);
        for (int i = 0; i < FINALISTS && !status && isfinite(p->best[i].measured); i++)
            status = run(p, &p->best[i].plan, &p->best[i].seconds[r]);
    }
    if (status)
        return status;
    p->own.measured = zoid_sample_median(p->own.seconds, rounds);
    for (int i = 0; i < FINALISTS && isfinite(p->best[i].measured); i++)
        p->best[i].measured = zoid_sample_median(p->best[i].seconds, rounds);
    return ZOID_OK;
}

static const struct candidate *fastest(const struct planner *p)
{
    const struct candidate *best = &p->own;

    for (int i = 0; i < FINALISTS; i++)
        if (p->best[i].measured < best->measured &&
            !same(&p->best[i].plan.graph, &p->own.plan.graph))
            best = &p->best[i];
    return best;
}

static void print_head(void)
{
    printf("%-16s %-7s %18s %9s %9s %6s %6s %6s  %s\n", "operator", "tier", "size", "predicted",
           "seconds", "ratio", "swept", "best", "chosen; best");
}

static void put_row(struct planner *p, json_t *row)
{
    const struct zoid_graph *own = &p->own.plan.graph, *best = &fastest(p)->plan.graph;
    const double predicted = p->own.plan.cost.seconds, measured = p->own.measured;
    const double gain = fastest(p)->measured / measured;
    const struct zoid_problem *problem = &p->problem;
    char size[64];

    p->cases++;
    p->good += is_near(predicted, measured);
    p->chosen += gain >= 0.9;
    json_object_set_new(row, "tier", json_string(tier_names[p->tier]));
    zoid_bench_put(row, "predicted_seconds", predicted);
    zoid_bench_put(row, "seconds", measured);
    zoid_bench_put(row, "predicted_over_measured", predicted / measured);
    zoid_bench_put(row, "best_over_auto", gain);
    json_object_set_new(row, "swept", json_integer(p->swept));
    json_object_set_new(row, "predicted_of_swept", json_integer(p->near));
    json_object_set_new(row, "method", json_string(own->method->name));
    json_object_set_new(row, "block", json_integer(own->block));
    json_object_set_new(row, "depth", json_integer(own->depth));
    json_object_set_new(row, "best_method", json_string(best->method->name));
    json_object_set_new(row, "best_block", json_integer(best->block));
    json_object_set_new(row, "best_depth", json_integer(best->depth));
    snprintf(size, sizeof size, "%ldx%ldx%ld", problem->n[0], problem->n[1], problem->n[2]);
    printf("%-16s %-7s %18s %9.3g %9.3g %6.2f %6ld %6.2f  %s %ld %ld; %s %ld %ld\n",
           problem->op->name, tier_names[p->tier], size, predicted, measured, predicted / measured,
           p->swept, gain, own->method->name, own->block, own->depth, best->method->name,
           best->block, best->depth);
    fflush(stdout);
}

static enum zoid_status measure(struct planner *p, struct zoid_bench_files *files)
{
    json_t *row;
    enum zoid_status status = make(p, NULL, 0, 0, &p->own.plan);
    double unused;

    p->swept = p->near = 0;
    for (int i = 0; i < FINALISTS; i++)
        p->best[i] = (struct candidate){.seconds = p->memory + (i + 1) * p->bench->rounds,
                                        .measured = INFINITY};
    p->own.seconds = p->memory;
    if (!status)
        status = run(p, &p->own.plan, &unused);
    if (!status)
        status = sweep(p);
    if (!status)
        status = finals(p);
    if (status)
        return status;
    row = zoid_bench_row(&p->problem);
    if (!row)
        return zoid_no_memory();
    put_row(p, row);
    return zoid_bench_files_add(files, row);
}

/* Opens the context with calibrated rates, as users have them; otherwise unmeasured operators would
 * be judged by defaults. */
static enum zoid_status open_first(struct planner *p)
{
    const struct zoid_op *op = p->problem.op;
    const struct zoid_calibration_request request = {.program = "zoid-bench",
                                                     .op = op,
                                                     .state = (op->nstate + op->ncoef) *
                                                              field_bytes(&p->problem),
                                                     .ram = ram_of(p),
                                                     .disk = p->limits.folder[ZOID_DISK],
                                                     .wanted = &p->limits};

    return p->limits.rates == ZOID_RATES_LEARN ? zoid_calibrate_missing(&request, &p->context)
                                               : zoid_context_open(&p->limits, &p->context);
}

static enum zoid_status one_case(struct planner *p, struct zoid_bench_files *files)
{
    enum zoid_rates_use use;
    enum zoid_status status =
        zoid_rates_use(zoid_settings_context(&p->bench->settings).rates, ZOID_RATES_LEARN, &use);

    if (status)
        return status;
    p->limits = (struct zoid_context_options){
        .gpu_mem = gpu_memory_of(p),
        .folder = {[ZOID_DISK] = p->tier == ON_DISK ? p->bench->settings.disk : NULL},
        .rates = use};
    status = open_first(p);
    if (!status)
        status = measure(p, files);
    if (status == ZOID_DOES_NOT_FIT) {
        printf("%-16s %-7s %s\n", p->problem.op->name, tier_names[p->tier],
               zoid_error_as(ZOID_NAMES_OPTIONS));
        status = ZOID_OK;
    }
    zoid_context_close(&p->context);
    return status;
}

/* ---- all cases --------------------------------------------------------------------------- */

/* Returns whether to measure a variant: all that the options select, or without such options, each
 * family's first in the most dimensions. */
static bool wanted(const struct zoid_bench *bench, const struct zoid_op *op)
{
    const struct zoid_settings *o = &bench->settings;
    const struct zoid_op *first = NULL;
    size_t i = 0;

    if (o->operator|| zoid_problem_dims(o) || o->radius || o->has_type)
        return true;
    for (const struct zoid_op *next; (next = zoid_family_next(op->family, &i));)
        if (!first || next->dims > first->dims)
            first = next;
    return op == first;
}

static bool exists(const struct planner *p, enum tier tier, bool gpu)
{
    return tier == IN_MEMORY || (tier == OVER_GPU && gpu && zoid_op_on_gpus(p->problem.op)) ||
           (tier == ON_DISK && p->bench->settings.disk);
}

static enum zoid_status all_tiers(struct planner *p, struct zoid_bench_files *files, bool gpu)
{
    enum zoid_status status = ZOID_OK;

    for (int t = 0; t < TIERS && !status; t++)
        if (exists(p, p->tier = (enum tier)t, gpu))
            status = one_case(p, files);
    return status;
}

static enum zoid_status all_cases(struct planner *p, struct zoid_bench_files *files, bool gpu)
{
    const int sizes = p->bench->settings.has_size ? 1 : SIZES;
    enum zoid_status status = ZOID_OK;
    const struct zoid_op *op;

    for (size_t i = 0; !status && (op = zoid_bench_next(p->bench, &i));)
        for (int s = 0; s < sizes && !status && wanted(p->bench, op); s++) {
            status = zoid_bench_variant(p->bench, op, wanted_bytes[s] * (gpu ? FED : 1), STEPS,
                                        &p->problem);
            if (!status)
                status = all_tiers(p, files, gpu);
        }
    return status;
}

static enum zoid_status drawn_cases(struct planner *p, struct zoid_bench_files *files, bool gpu)
{
    struct zoid_random_cases cases = zoid_random_cases_of(p->bench->settings.seed);
    enum zoid_status status = ZOID_OK;

    for (long i = 0; i < p->bench->draw && !status; i++) {
        status = zoid_random_case(&cases, p->bench, gpu ? FED : 1, &p->problem);
        if (!status)
            status = all_tiers(p, files, gpu);
    }
    return status;
}

/* Refuses options that the planner is to choose. */
static enum zoid_status refuse(const struct zoid_bench *b)
{
    const struct zoid_settings *o = &b->settings;

    if (zoid_bench_cuts(b))
        return zoid_fail(ZOID_BAD_ARGUMENT, "{what=planner} tries all; drop {method}, {block}, "
                                            "{depth}, {leaf}, {traversal} and {overlap}");
    if (b->draw && o->has_size)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{draw} draws sizes; drop {size}");
    return ZOID_OK;
}

enum zoid_status zoid_bench_planner(const struct zoid_bench *b)
{
    struct planner *p = calloc(1, sizeof *p);
    struct zoid_bench_files *files = NULL;
    struct zoid_machine machine;
    size_t first = 0;
    enum zoid_status status = p ? refuse(b) : zoid_no_memory();

    if (!status)
        status = zoid_bench_next(b, &first) ? zoid_bench_files_open(b, &files) : zoid_bench_none(b);
    if (!status)
        status = zoid_bench_machine(&machine);
    if (!status) {
        p->bench = b;
        print_head();
        status = (b->draw ? drawn_cases : all_cases)(p, files, machine.cuda_workers > 0);
    }
    if (!status)
        printf("cases %ld\npredicted_within_15_percent %ld\nchosen_within_10_percent %ld\n",
               p->cases, p->good, p->chosen);
    if (!status)
        status = zoid_bench_files_commit(&files, &machine);
    zoid_bench_files_discard(&files);
    free(p);
    return status;
}
