/* SPDX-License-Identifier: BSD-3-Clause */
/* labels: repeats */
/* Traces of runs with and without overlap of transfers and computation; and the resolution of
 * aliases. On cores, transfers are of slabs from and to a disk. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/threads/parallel.h"
#include "runtime/plan/alias.h"
#include "runtime/plan/place.h"
#include "runtime/trace/timeline.h"
#include "runtime/trace/trace.h"
#include "tests/effort.h"
#include "tests/graphs/cases.h"
#include "tests/suite.h"

enum { SIDE = 120 }; /* points along the axes of a plane if slabs are on a disk */

/* Main memory for some of the slabs. Every core fills the state through a plane of its own. */
static uint64_t little_ram(void)
{
    return (42 << 20) + (uint64_t)zoid_cores() * SIDE * SIDE * sizeof(float);
}

struct outcome {
    struct zoid_plan plan;
    double moved[2]; /* bytes, to the disk and from it */
    double overlap;
};

static void run(struct zoid_context *context, const struct zoid_plan *plan)
{
    struct zoid_initial initial = {.problem = &plan->problem, .seed = 3};
    struct zoid_report report = {.op = plan->problem.op};
    struct zoid_job *job;

    ck_assert_int_eq(zoid_job_create(context, plan, &job), ZOID_OK);
    ck_assert_int_eq(zoid_job_fill(job, zoid_initial_box, &initial), ZOID_OK);
    ck_assert_int_eq(zoid_job_run(job, false, &report), ZOID_OK);
    ck_assert(report.serial == plan->serial);
    ck_assert_int_eq(zoid_check(job, &initial), ZOID_OK);
    zoid_job_destroy(&job);
}

/* On a GPU with that memory, or on cores with a disk. */
static struct outcome run_traced(const struct zoid_request *request, uint64_t gpu_mem)
{
    char folder[] = "overlap-XXXXXX", command[64];
    const struct zoid_context_options options = {
        .trace = folder, .folder = {[ZOID_DISK] = gpu_mem ? NULL : "."}, .gpu_mem = gpu_mem};
    const struct zoid_op *op = zoid_op_find("heat", 3, 1, ZOID_F32);
    const long side = gpu_mem ? 250 : SIDE;
    const struct zoid_problem problem = {
        .op = op, .n = {side, side, 1000}, .steps = 2, .params = zoid_op_defaults(op)};
    struct outcome outcome;
    struct zoid_context *context;
    struct zoid_timeline *t;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(zoid_context_open(&options, &context), ZOID_OK);
    ck_assert_int_eq(zoid_plan_make(context, &problem, request, &outcome.plan), ZOID_OK);
    if (gpu_mem) {
        ck_assert_int_eq(outcome.plan.place.kind, ZOID_GPUS);
        ck_assert_int_ne(outcome.plan.keep[ZOID_SLAB][ZOID_GPU_MEMORY], ZOID_KEEP_ALL);
    } else {
        ck_assert_int_eq(outcome.plan.home, ZOID_DISK);
    }
    run(context, &outcome.plan);
    ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
    ck_assert_int_eq(zoid_timeline_read(folder, 1, &t, NULL), ZOID_OK);
    ck_assert_uint_eq(t->links, 2);
    for (int l = 0; l < 2; l++)
        outcome.moved[l] = zoid_timeline_link_sum(t, l).bytes;
    outcome.overlap = zoid_timeline_overlap(t);
    zoid_timeline_destroy(&t);
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
    return outcome;
}

START_TEST(nothing_moves_under_a_block)
{
    const struct zoid_method *method = zoid_methods[_i];
    /* A leaf of a recursion spans several slabs. */
    const struct zoid_request request = {.method = method->name,
                                         .block = method->leaf ? 12 : 30,
                                         .depth = 2,
                                         .budget = {[ZOID_RAM] = little_ram()},
                                         .overlap = ZOID_OVERLAP_OFF};
    struct outcome serial;

    if (!zoid_trace_convert)
        return;
    serial = run_traced(&request, 0);
    ck_assert(serial.plan.serial);
    ck_assert_double_gt(serial.moved[0], (double)request.budget[ZOID_RAM]);
    ck_assert_double_gt(serial.moved[1], (double)request.budget[ZOID_RAM]);
    ck_assert_msg(serial.overlap == 0, "%s: %g of the transfers under blocks", request.method,
                  serial.overlap);
}
END_TEST

/* Control: the same measure detects overlap if there is some. */
START_TEST(slabs_move_under_blocks_otherwise)
{
    const struct zoid_request request = {
        .method = "leaning", .block = 30, .depth = 2, .budget = {[ZOID_RAM] = little_ram()}};
    struct outcome usual;

    if (!zoid_trace_convert)
        return;
    usual = run_traced(&request, 0);
    ck_assert(!usual.plan.serial);
    ck_assert_double_gt(usual.overlap, 0);
}
END_TEST

static bool has_gpu(void)
{
    struct zoid_context *context;
    bool has;

    ck_assert_int_eq(zoid_context_open(NULL, &context), ZOID_OK);
    has = zoid_context_machine(context)->cuda_workers > 0;
    ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
    return has;
}

/* Slabs of which only some fit on the GPU. */
START_TEST(nothing_moves_under_a_block_of_a_gpu)
{
    static const char *const names[] = {"1D-TBMR", "single"};
    const uint64_t gpu_mem = 128 << 20;

    setenv("STARPU_NCUDA", "1", 1);
    for (size_t i = 0; i < 2 && zoid_trace_convert && has_gpu(); i++) {
        const struct zoid_request request = {.method = names[i], .block = 40, .depth = 2};
        struct outcome serial = run_traced(&request, gpu_mem);

        ck_assert_double_gt(serial.moved[0], (double)gpu_mem);
        ck_assert_double_gt(serial.moved[1], (double)gpu_mem);
        ck_assert_msg(serial.overlap == 0, "%s: %g of the transfers under blocks", names[i],
                      serial.overlap);
    }
    setenv("STARPU_NCUDA", "0", 1);
}
END_TEST

START_TEST(an_alias_is_its_choices)
{
    const struct zoid_alias *a = &zoid_aliases[_i];
    const struct zoid_op *op = zoid_op_find("heat", 3, 1, ZOID_F32);
    const struct zoid_problem problem = {
        .op = op, .n = {24, 24, 100}, .steps = 12, .params = zoid_op_defaults(op)};
    const struct zoid_request request = {.method = a->name};
    struct zoid_context *context;
    struct zoid_plan plan;

    ck_assert_ptr_null(zoid_method_find(a->name));
    ck_assert_int_eq(zoid_context_open(NULL, &context), ZOID_OK);
    ck_assert_int_eq(zoid_plan_make(context, &problem, &request, &plan), ZOID_OK);
    ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
    ck_assert_str_eq(plan.graph.method->name, a->method);
    ck_assert_str_eq(plan.alias, a->name);
    ck_assert_int_eq(zoid_place_traversal(&plan.place), a->traversal);
    ck_assert(plan.serial == (a->overlap == ZOID_OVERLAP_OFF));
    ck_assert(!a->depth || plan.graph.depth == a->depth);
}
END_TEST

static void add(TCase *tests)
{
    int methods = case_methods(), aliases = 0;

    while (zoid_aliases[aliases].name)
        aliases++;
    methods = (int)zoid_min(methods, effort(methods));
    aliases = (int)zoid_min(aliases, effort(aliases));
    tcase_add_loop_test(tests, nothing_moves_under_a_block, 0, methods);
    tcase_add_test(tests, slabs_move_under_blocks_otherwise);
    tcase_add_test(tests, nothing_moves_under_a_block_of_a_gpu);
    tcase_add_loop_test(tests, an_alias_is_its_choices, 0, aliases);
}

int main(void)
{
    setenv("STARPU_NCUDA", "0", 1);
    /* The working sets of many workers would not fit in the main memory above. */
    setenv("STARPU_NCPU", "2", 1);
    return run_suite("overlap", 120, add);
}
