/* SPDX-License-Identifier: BSD-3-Clause */
/* An operator made at run time, with its own block runner, points of several values and
 * coefficients in pieces of different sizes: whole runs by every method against a plain loop, value
 * by value. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/cuda/run.h"
#include "codelets/op/traits.h"
#include "runtime/zoid_advanced.h"
#include "tests/runtime/band.h"
#include "tests/runtime/context.h"
#include "tests/suite.h"

enum { STEPS = 11, SEED = 5 };

static const struct band_kind kinds[] = {
    {1000, 64, 64, 1, 1}, {1000, 64, 0, 1, 1},    {1000, 0, 64, 1, 3}, {1000, 30, 90, 1, 3},
    {1000, 0, 0, 1, 1},   {1000, 700, 700, 1, 3}, {1, 64, 64, 1, 3},   {1, 0, 0, 1, 1},
    {1000, 30, 90, 2, 3}, {1000, 64, 0, 2, 1}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* A band, a problem with it, and the vectors after every step, by the plain loop. */
struct sample {
    struct band *band;
    struct zoid_problem problem;
    size_t values;
    double *state[STEPS + 1];
};

static struct zoid_box all_of(const struct zoid_problem *p)
{
    return zoid_problem_planes(p, 0, p->n[p->op->dims - 1]);
}

static struct sample sample_of(const struct band_kind *kind)
{
    struct sample s = {.band = band_create(kind), .values = (size_t)(kind->n * kind->vectors)};
    struct zoid_initial initial = {.problem = &s.problem, .seed = SEED};
    struct zoid_values to;
    struct zoid_box box;

    ck_assert_ptr_nonnull(s.band);
    s.problem = (struct zoid_problem){.op = &s.band->op, .n = {1, 1, 1}, .steps = STEPS};
    s.problem.n[0] = kind->dims > 1 ? kind->vectors : kind->n;
    if (kind->dims > 1)
        s.problem.n[1] = kind->n;
    for (int t = 0; t <= STEPS; t++)
        ck_assert_ptr_nonnull(s.state[t] = calloc(s.values, sizeof(double)));
    box = all_of(&s.problem);
    to = zoid_values_packed(&box, s.state[0]);
    zoid_initial_box(&initial, 0, &box, &to);
    for (int t = 0; t < STEPS; t++)
        band_multiply(s.band, kind->vectors, s.state[t], s.state[t + 1]);
    return s;
}

static void sample_free(struct sample *s)
{
    for (int t = 0; t <= STEPS; t++)
        free(s->state[t]);
    band_destroy(&s->band);
}

/* ---- runs ---------------------------------------------------------------------------------- */

static void fill(struct zoid_job *job, struct sample *s)
{
    struct zoid_initial initial = {.problem = &s->problem, .seed = SEED};

    ck_assert_msg(!zoid_job_fill(job, zoid_initial_box, &initial), "%s", zoid_error());
    ck_assert_msg(!zoid_job_fill_pieces(job, band_piece, s->band), "%s", zoid_error());
}

static void run(struct zoid_job *job, long steps)
{
    struct zoid_report report = {.op = NULL};

    ck_assert_msg(!zoid_job_run_steps(job, steps, false, &report), "%s", zoid_error());
}

static void compare(const struct zoid_job *job, const struct sample *s, const char *words)
{
    const struct zoid_box box = all_of(&s->problem);
    const double *want = s->state[zoid_job_steps(job)];
    double *is = calloc(s->values, sizeof *is);
    const struct zoid_values to = zoid_values_packed(&box, is);

    ck_assert_ptr_nonnull(is);
    ck_assert_msg(!zoid_job_read(job, 0, &box, &to), "%s", zoid_error());
    for (size_t i = 0; i < s->values; i++)
        ck_assert_msg(!memcmp(&is[i], &want[i], sizeof *is),
                      "%s, %s: value %zu after %ld steps is %a, not %a", s->band->op.name, words, i,
                      zoid_job_steps(job), is[i], want[i]);
    free(is);
}

static const char *words_of(const struct zoid_plan *plan)
{
    static char words[256];

    snprintf(words, sizeof words, "%s, %ld planes, %ld steps, leaf %ld, in %s",
             plan->graph.method->name, plan->graph.block, plan->graph.depth, plan->graph.leaf,
             plan->tier[plan->home].name);
    return words;
}

static void run_plan(struct zoid_context *context, const struct zoid_plan *plan, struct sample *s)
{
    struct zoid_job *job;

    ck_assert_msg(!zoid_job_create(context, plan, &job), "%s", zoid_error());
    fill(job, s);
    run(job, STEPS);
    compare(job, s, words_of(plan));
    zoid_job_destroy(&job);
}

/* Makes a plan by a method; returns false if the method does not support slabs this low. */
static bool plan_of(struct zoid_context *context, const struct sample *s,
                    const struct zoid_request *request, struct zoid_plan *plan)
{
    const enum zoid_status status = zoid_plan_make(context, &s->problem, request, plan);

    ck_assert_msg(!status || strstr(zoid_error(), "too low"), "%s", zoid_error());
    return !status;
}

START_TEST(every_method)
{
    struct zoid_context *context = open_context("2", false);
    struct sample s = sample_of(&kinds[_i]);
    struct zoid_plan plan;

    for (size_t m = 0; zoid_methods[m]; m++) {
        int runs = 0;

        for (long slabs = 1; slabs <= 9; slabs += 4)
            for (long depth = 1; depth < STEPS; depth += 3) {
                const struct zoid_request request = {.method = zoid_methods[m]->name,
                                                     .block = (kinds[_i].n + slabs - 1) / slabs,
                                                     .depth = depth};

                if (!plan_of(context, &s, &request, &plan))
                    continue;
                run_plan(context, &plan, &s);
                runs++;
            }
        if (runs)
            continue;
        ck_assert(
            plan_of(context, &s, &(struct zoid_request){.method = zoid_methods[m]->name}, &plan));
        run_plan(context, &plan, &s);
    }
    ck_assert(plan_of(context, &s, &(struct zoid_request){.leaf = 1 << 16}, &plan));
    run_plan(context, &plan, &s);
    zoid_context_close(&context);
    sample_free(&s);
}
END_TEST

/* Rows in cells: pieces begin at the borders of lines. */
START_TEST(in_cells)
{
    struct zoid_context *context = open_context("2", false);
    struct sample s = sample_of(&kinds[_i]);

    for (size_t m = 0; zoid_methods[m]; m++) {
        struct zoid_request request = {.method = zoid_methods[m]->name};
        struct zoid_plan plan;

        request.cells[s.problem.op->dims - 1] = kinds[_i].n > 2 ? 3 : 1;
        if (!zoid_plan_make(context, &s.problem, &request, &plan))
            run_plan(context, &plan, &s);
        else
            ck_assert_msg(strstr(zoid_error(), "thinner"), "%s", zoid_error());
    }
    zoid_context_close(&context);
    sample_free(&s);
}
END_TEST

/* Runs every method with the least memory that it accepts, with the rows on a disk if there is
 * one. */
static void with_little_memory(struct zoid_context *context, struct sample *s, bool disk)
{
    for (size_t m = 0; zoid_methods[m]; m++) {
        struct zoid_request request = {.method = zoid_methods[m]->name, .depth = 3};
        struct zoid_plan plan;

        request.budget[ZOID_RAM] = 1;
        ck_assert_int_eq(zoid_plan_make(context, &s->problem, &request, &plan), ZOID_DOES_NOT_FIT);
        request.budget[ZOID_RAM] = named_mib() << 20;
        ck_assert_msg(!zoid_plan_make(context, &s->problem, &request, &plan), "%s", zoid_error());
        ck_assert_int_eq(plan.home, disk ? ZOID_DISK : ZOID_RAM);
        run_plan(context, &plan, s);
        request.budget[ZOID_RAM] -= 1 << 20;
        if (request.budget[ZOID_RAM])
            ck_assert_int_eq(zoid_plan_make(context, &s->problem, &request, &plan),
                             ZOID_DOES_NOT_FIT);
    }
}

/* A matrix of 20 MiB. */
static const struct band_kind large = {30000, 30, 90, 1, 3};

START_TEST(least_memory)
{
    struct zoid_context *context = open_context("2", _i);
    struct sample s = sample_of(&large);

    with_little_memory(context, &s, _i);
    zoid_context_close(&context);
    sample_free(&s);
}
END_TEST

/* Continues a job, and restarts it from the initial state, with the rows in place. */
static void run_again(struct zoid_context *context, struct sample *s, struct zoid_request request)
{
    struct zoid_initial initial = {.problem = &s->problem, .seed = SEED};
    struct zoid_plan plan;
    struct zoid_job *job;

    request.again = true;
    ck_assert_msg(!zoid_plan_make(context, &s->problem, &request, &plan), "%s", zoid_error());
    ck_assert_msg(!zoid_job_create(context, &plan, &job), "%s", zoid_error());
    fill(job, s);
    compare(job, s, "filled");
    run(job, 4);
    compare(job, s, words_of(&plan));
    run(job, 7);
    compare(job, s, words_of(&plan));
    ck_assert_int_eq(zoid_job_refill(job, 0, NULL, zoid_initial_box, &initial), ZOID_OK);
    run(job, 1);
    run(job, 8);
    compare(job, s, words_of(&plan));
    ck_assert_int_eq(zoid_job_fill_pieces(job, band_piece, s->band), ZOID_BAD_ARGUMENT);
    zoid_job_destroy(&job);
}

START_TEST(jobs_run_again)
{
    struct zoid_context *context = open_context("2", _i);
    struct sample small = sample_of(&kinds[3]), big = sample_of(&large);

    for (size_t m = 0; zoid_methods[m]; m++) {
        const char *name = zoid_methods[m]->name;

        run_again(context, &small, (struct zoid_request){.method = name, .depth = 3});
        if (_i)
            run_again(
                context, &big,
                (struct zoid_request){.method = name, .depth = 2, .budget[ZOID_RAM] = 24 << 20});
    }
    zoid_context_close(&context);
    sample_free(&small);
    sample_free(&big);
}
END_TEST

/* ---- refusals ---------------------------------------------------------------------------- */

static void refused(const struct zoid_problem *problem, const char *words)
{
    ck_assert_int_eq(zoid_problem_check(problem), ZOID_BAD_ARGUMENT);
    ck_assert_msg(strstr(zoid_error(), words), "%s, without '%s'", zoid_error(), words);
}

START_TEST(others_know_none_of_it)
{
    struct sample s = sample_of(&kinds[3]);
    struct zoid_op op = s.band->op;
    struct zoid_problem p = s.problem, line = {.n = {100, 1, 1}, .steps = 1};

    p.op = &op;
    ck_assert(!zoid_op_plain(&op) && !zoid_op_on_gpus(&op));
    ck_assert_int_eq(zoid_problem_check(&p), ZOID_OK);
    op.runner = NULL;
    refused(&p, "coefficients that come in pieces, which sweeps do not know");
    op.coefficient_bytes = NULL;
    refused(&p, "several values a point, which sweeps do not know");
    op = s.band->op;
    op.own_edges = false;
    refused(&p, "no face but a bare one knows");
    op = s.band->op;
    op.ncoef = 2;
    refused(&p, "2 coefficient fields");
    op = s.band->op;
    op.width = -1;
    refused(&p, "-1 values");
    op = s.band->op;
    op.stage[0].read[0].reach.lo[0] = LONG_MAX;
    refused(&p, "cannot be counted");
    op = s.band->op;
    op.dims = 2;
    refused(&p, "lines only");
    /* An operator of the table. */
    op = *zoid_op_find("jacobi1d", 1, 1, ZOID_F64);
    line.op = &op;
    line.params = zoid_op_defaults(&op);
    ck_assert_int_eq(zoid_problem_check(&line), ZOID_OK);
    op.width = 3;
    refused(&line, "no face but a bare one knows");
    op.own_edges = true;
    refused(&line, "sweeps do not know");
    ck_assert(!zoid_op_on_gpus(&op));
    sample_free(&s);
}
END_TEST

static void no_plan(struct zoid_context *context, const struct sample *s,
                    const struct zoid_request *request, const char *words)
{
    struct zoid_plan plan;

    ck_assert_int_eq(zoid_plan_make(context, &s->problem, request, &plan), ZOID_BAD_ARGUMENT);
    ck_assert_msg(strstr(zoid_error(), words), "%s, without '%s'", zoid_error(), words);
}

START_TEST(what_is_missing_is_named)
{
    struct zoid_context *context = open_context("2", false);
    struct sample s = sample_of(&kinds[8]);
    const struct zoid_op *heat = zoid_op_find("heat", 1, 1, ZOID_F64);
    struct zoid_problem line = {.op = heat, .n = {100, 1, 1}, .params = zoid_op_defaults(heat)};
    struct zoid_initial initial = {.problem = &s.problem, .seed = SEED};
    struct zoid_report report = {.op = NULL};
    struct zoid_plan plan;
    struct zoid_job *job;

    no_plan(context, &s, &(struct zoid_request){.cells = {2, 1}}, "pieces of whole planes");
    no_plan(context, &s, &(struct zoid_request){.strip = 1}, "pieces of whole planes");
    ck_assert_int_eq(zoid_plan_make(context, &s.problem, &(struct zoid_request){.depth = 1}, &plan),
                     ZOID_OK);
    ck_assert_int_eq(zoid_check_fits(context, &plan), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_job_create(context, &plan, &job), ZOID_OK);
    ck_assert_int_eq(zoid_job_fill(job, zoid_initial_box, &initial), ZOID_OK);
    ck_assert_int_eq(zoid_job_run(job, false, &report), ZOID_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(zoid_error(), "zoid_job_fill_pieces"));
    ck_assert_int_eq(zoid_job_fill_pieces(job, band_piece, s.band), ZOID_OK);
    ck_assert_int_eq(zoid_job_run(job, false, &report), ZOID_OK);
    compare(job, &s, "filled in two parts");
    ck_assert_int_eq(zoid_check(job, &initial), ZOID_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(zoid_error(), "no plain loop nest"));
    zoid_job_destroy(&job);

    ck_assert_int_eq(zoid_plan_make(context, &line, &(struct zoid_request){.depth = 1}, &plan),
                     ZOID_OK);
    ck_assert_int_eq(zoid_job_create(context, &plan, &job), ZOID_OK);
    ck_assert_int_eq(zoid_job_fill_pieces(job, band_piece, s.band), ZOID_BAD_ARGUMENT);
    zoid_job_destroy(&job);
    zoid_context_close(&context);
    sample_free(&s);
}
END_TEST

/* ---- points of several values ------------------------------------------------------------ */

/* Value indices continue from point to point, and a box of points has all values of each. */
START_TEST(values_of_points)
{
    struct sample s = sample_of(&kinds[3]);
    struct zoid_initial initial = {.problem = &s.problem, .seed = SEED};
    const struct zoid_box box = zoid_problem_planes(&s.problem, 100, 107);
    double some[7 * 3], ones[7 * 3];
    struct zoid_values to = zoid_values_packed(&box, some);

    zoid_initial_box(&initial, 0, &box, &to);
    ck_assert_mem_eq(some, &s.state[0][100 * 3], sizeof some);
    initial.kind = ZOID_INIT_POINT;
    to.at = ones;
    zoid_initial_box(&initial, 0, &box, &to);
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
        ck_assert(ones[i] == 0);
    to = zoid_values_packed(&(struct zoid_box){{498, 0, 0}, {505, 1, 1}}, ones);
    zoid_initial_box(&initial, 0, &(struct zoid_box){{498, 0, 0}, {505, 1, 1}}, &to);
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
        ck_assert(ones[i] == (i / 3 == 2));
    sample_free(&s);
}
END_TEST

struct pass {
    const struct sample *sample;
    size_t seen;
};

static enum zoid_status look(void *user, const struct zoid_box *box, const void *values,
                             size_t bytes)
{
    struct pass *p = user;

    ck_assert_uint_eq(bytes, (size_t)zoid_box_volume(box) * 3 * sizeof(double));
    ck_assert_mem_eq(values, &p->sample->state[0][p->seen], bytes);
    p->seen += bytes / sizeof(double);
    return ZOID_OK;
}

START_TEST(points_are_read)
{
    struct zoid_context *context = open_context("2", false);
    struct sample s = sample_of(&kinds[3]);
    struct pass pass = {.sample = &s};
    const struct zoid_box box = zoid_problem_planes(&s.problem, 11, 512);
    double some[501 * 3];
    const struct zoid_values to = zoid_values_packed(&box, some);
    struct zoid_plan plan;
    struct zoid_job *job;

    ck_assert_int_eq(
        zoid_plan_make(context, &s.problem, &(struct zoid_request){.block = 200}, &plan), ZOID_OK);
    ck_assert_int_eq(zoid_job_create(context, &plan, &job), ZOID_OK);
    fill(job, &s);
    ck_assert_int_eq(zoid_job_each(job, 0, look, &pass), ZOID_OK);
    ck_assert_uint_eq(pass.seen, s.values);
    ck_assert_int_eq(zoid_job_read(job, 0, &box, &to), ZOID_OK);
    ck_assert_mem_eq(some, &s.state[0][11 * 3], sizeof some);
    zoid_job_destroy(&job);
    zoid_context_close(&context);
    sample_free(&s);
}
END_TEST

static void add(TCase *tests)
{
    add_over_kinds(tests, every_method, KINDS, 0);
    add_over_kinds(tests, in_cells, KINDS, 0);
    tcase_add_loop_test(tests, least_memory, 0, 2);
    tcase_add_loop_test(tests, jobs_run_again, 0, 2);
    tcase_add_test(tests, others_know_none_of_it);
    tcase_add_test(tests, what_is_missing_is_named);
    tcase_add_test(tests, values_of_points);
    tcase_add_test(tests, points_are_read);
}

int main(void)
{
    return run_suite("band", 240, add);
}
