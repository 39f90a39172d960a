/* SPDX-License-Identifier: BSD-3-Clause */
/* Band matrices through the public interface: whole runs by every method, in both formats, with all
 * kinds of terms, bit for bit against a plain loop over plain rows, on cores or, with
 * ZOID_TEST_GPU, on GPUs; and refused terms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/block.h"
#include "runtime/band.h"
#include "runtime/zoid_advanced.h"
#include "tests/codelets/gpu.h"
#include "tests/codelets/sample.h"
#include "tests/runtime/context.h"
#include "tests/runtime/matrix.h"
#include "tests/suite.h"

enum { RANDOM_KINDS = 20 };

/* Two cores; or GPUs alone, opened once because they take too long to start for each test. */
static struct zoid_context *begin(void)
{
    static struct zoid_context *gpus;

    if (!gpu_wanted())
        return open_context("2", false);
    if (!gpus)
        gpus = open_context("0", false);
    return gpus;
}

static void end(struct zoid_context **context)
{
    if (!gpu_wanted())
        zoid_context_close(context);
}

static const struct kind kinds[] = {
    {1000, 64, 64, 1, 1, ZOID_F64},  {1000, 64, 0, 1, 1, ZOID_F32},  {1000, 0, 64, 3, 2, ZOID_F64},
    {1003, 30, 90, 2, 1, ZOID_F32},  {1000, 0, 0, 1, 1, ZOID_F64},   {999, 1, 1, 1, 1, ZOID_F64},
    {700, 699, 699, 1, 9, ZOID_F32}, {1, 0, 0, 3, 1, ZOID_F64},      {2, 1, 0, 1, 1, ZOID_F32},
    {997, 5, 11, 5, 3, ZOID_F64},    {1000, 300, 1, 1, 40, ZOID_F64}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Runs all traversals that fuse steps, and one step at a time, if these differ. */
static void run_method(struct zoid_context *context, struct sample *s, const char *method)
{
    const int traversals = gpu_wanted() ? 2 : 1;
    const long n = s->kind->n;
    struct zoid_plan plan;
    int runs = 0;

    for (long slabs = 1; slabs <= 6; slabs += 5)
        for (long i = 0; i < 2 * traversals; i++) {
            const enum zoid_traversal way =
                i % traversals ? ZOID_TRAVERSAL_STEP : ZOID_TRAVERSAL_BEST;
            const struct zoid_request request = {.method = method,
                                                 .block = (n + slabs - 1) / slabs,
                                                 .depth = 1 + i / traversals * 4,
                                                 .traversal = {way, way},
                                                 .traversal_named = {true, true}};

            if (zoid_plan_make(context, &s->problem, &request, &plan)) {
                ck_assert_msg(strstr(zoid_error(), "too low"), "%s", zoid_error());
                continue;
            }
            matrix_run(context, &plan, s);
            runs++;
        }
    if (runs)
        return;
    ck_assert_msg(
        !zoid_plan_make(context, &s->problem, &(struct zoid_request){.method = method}, &plan),
        "%s", zoid_error());
    matrix_run(context, &plan, s);
}

/* Powers in one format, and all kinds of terms in the other. */
START_TEST(every_method)
{
    struct zoid_context *context = begin();

    for (int all = 0; all < 2; all++) {
        const enum zoid_format format = (_i + all) % 2 ? ZOID_FORMAT_DIA : ZOID_FORMAT_SELL;
        struct sample s = matrix_sample(&kinds[_i], format, all);

        for (size_t m = 0; zoid_methods[m]; m++)
            run_method(context, &s, zoid_methods[m]->name);
        matrix_sample_free(&s);
    }
    end(&context);
}
END_TEST

/* Any shape, with blocks of any height and depth. */
static struct kind random_kind(uint64_t *random)
{
    static const long widest[] = {0, 3, 40, 200};
    const long n = sample_between(random, 1, 2500);
    struct kind k = {.n = n};

    k.lower = zoid_min(sample_between(random, 0, widest[sample_between(random, 0, 3)]), n - 1);
    k.upper = zoid_min(sample_between(random, 0, widest[sample_between(random, 0, 3)]), n - 1);
    k.vectors = sample_between(random, 0, 1) ? 1 : sample_between(random, 2, 9);
    k.every = sample_between(random, 0, 1) ? 1 : sample_between(random, 2, 30);
    k.type = sample_between(random, 0, 1) ? ZOID_F32 : ZOID_F64;
    /* The widest row has entries at both ends, if it is not clipped. */
    if (n / 2 < k.lower || n / 2 + k.upper >= n)
        k.lower = k.upper = 0;
    return k;
}

START_TEST(random_kinds)
{
    struct zoid_context *context = begin();
    uint64_t random = 20261125;
    int methods = 0;

    while (zoid_methods[methods])
        methods++;
    for (int i = 0; i < effort(RANDOM_KINDS); i++) {
        const struct kind k = random_kind(&random);
        const enum zoid_format format =
            sample_between(&random, 0, 1) ? ZOID_FORMAT_DIA : ZOID_FORMAT_SELL;
        struct sample s = matrix_sample(&k, format, sample_between(&random, 0, 1));
        struct zoid_request request = {.method = zoid_methods[i % methods]->name,
                                       .block = sample_between(&random, 1, k.n),
                                       .depth = sample_between(&random, 1, MATRIX_STEPS)};
        struct zoid_plan plan;

        if (zoid_plan_make(context, &s.problem, &request, &plan)) {
            request.block = 0;
            ck_assert_msg(!zoid_plan_make(context, &s.problem, &request, &plan), "%s",
                          zoid_error());
        }
        matrix_run(context, &plan, &s);
        matrix_sample_free(&s);
    }
    end(&context);
}
END_TEST

/* Matrices whose tall blocks are pipelined, by the kernels of all instruction sets and by the plain
 * ones. */
static const struct kind tall[] = {{20011, 17, 40, 1, 1, ZOID_F64},
                                   {20011, 64, 64, 1, 1, ZOID_F32}};

START_TEST(tall_blocks_march)
{
    static const enum zoid_traversal traversals[] = {ZOID_TRAVERSAL_BEST, ZOID_TRAVERSAL_NAIVE};
    struct zoid_context *context = begin();

    for (int format = ZOID_FORMAT_DIA; format < ZOID_FORMATS; format++) {
        struct sample s = matrix_sample(&tall[_i], (enum zoid_format)format, true);
        struct zoid_plan plan;

        for (int t = 0; t < 2; t++)
            for (long block = 3000; block <= 20011; block = 7 * block - 989) {
                const struct zoid_request request = {.method = "leaning",
                                                     .block = block,
                                                     .depth = MATRIX_STEPS,
                                                     .traversal = {traversals[t], traversals[t]},
                                                     .traversal_named = {true, true}};

                ck_assert_msg(!zoid_plan_make(context, &s.problem, &request, &plan), "%s",
                              zoid_error());
                matrix_run(context, &plan, &s);
            }
        matrix_sample_free(&s);
    }
    end(&context);
}
END_TEST

/* Continues a job, and restarts it with other terms, with the rows in place. */
START_TEST(jobs_run_again)
{
    struct zoid_context *context = begin();
    struct sample s = matrix_sample(&kinds[3], ZOID_FORMAT_SELL, true);
    struct zoid_initial start = {.problem = &s.problem, .state = matrix_fill, .of = (void *)s.kind};
    const struct zoid_request request = {.again = true};
    struct zoid_report report = {.op = NULL};
    struct zoid_plan plan;
    struct zoid_job *job;

    ck_assert(!zoid_plan_make(context, &s.problem, &request, &plan));
    ck_assert(!zoid_job_create(context, &plan, &job));
    ck_assert(!zoid_job_fill(job, zoid_initial_box, &start) && !zoid_band_fill(s.band, job));
    for (long steps = 1; zoid_job_steps(job) < MATRIX_STEPS; steps += 4) {
        ck_assert(!zoid_job_run_steps(
            job,
            steps < MATRIX_STEPS - zoid_job_steps(job) ? steps : MATRIX_STEPS - zoid_job_steps(job),
            false, &report));
        matrix_compare(job, &s, "again");
    }
    /* The same terms, counted from another step. */
    ck_assert(!zoid_band_set_terms(s.band, 2, matrix_terms + 2, MATRIX_TERMS - 2));
    ck_assert(!zoid_job_refill(job, 2, NULL, zoid_initial_box, &start));
    ck_assert(!zoid_job_run_steps(job, 1, false, &report));
    matrix_step(s.kind, &matrix_terms[2], true, &s.state[0], &s.state[3]);
    matrix_compare(job, &s, "from elsewhere");
    zoid_job_destroy(&job);
    end(&context);
    matrix_sample_free(&s);
}
END_TEST

/* ---- values that no sum may read
 * --------------------------------------------------------------- */

static void fill_nan(void *kind, int field, const struct zoid_box *box,
                     const struct zoid_values *to)
{
    matrix_fill(kind, field, box, to);
    for (long i = box->lo[0]; i < box->hi[0]; i++)
        if (i == 0 || i == 500)
            ((double *)to->at)[i - box->lo[0]] = i ? INFINITY : NAN;
}

/* NaN spreads to the rows that have an entry in its column, and to no others. */
START_TEST(only_entries_count)
{
    static const struct kind k = {1000, 3, 70, 1, 3, ZOID_F64};
    struct zoid_context *context = begin();
    struct sample s = matrix_sample(&k, ZOID_FORMAT_SELL, false);
    struct zoid_initial start = {.problem = &s.problem, .state = fill_nan, .of = (void *)&k};
    const struct zoid_box box = zoid_problem_planes(&s.problem, 0, k.n);
    struct zoid_report report = {.op = NULL};
    struct zoid_plan plan;
    struct zoid_job *job;
    double is[1000];
    const struct zoid_values to = zoid_values_packed(&box, is);

    s.problem.steps = 1;
    ck_assert(!zoid_plan_make(context, &s.problem, &(struct zoid_request){.block = 77}, &plan));
    ck_assert(!zoid_job_create(context, &plan, &job));
    ck_assert(!zoid_job_fill(job, zoid_initial_box, &start) && !zoid_band_fill(s.band, job));
    ck_assert(!zoid_job_run(job, false, &report) && !zoid_job_read(job, 0, &box, &to));
    for (long i = 0; i < k.n; i++)
        ck_assert_msg(isfinite(is[i]) == !(matrix_has(&k, i, 0) || matrix_has(&k, i, 500)),
                      "row %ld is %g", i, is[i]);
    zoid_job_destroy(&job);
    end(&context);
    matrix_sample_free(&s);
}
END_TEST

/* ---- the planner's model
 * ----------------------------------------------------------------------- */

static double near_or_not(const struct zoid_rates *rates, double bytes)
{
    (void)rates;
    return bytes < 512 << 10 ? 1 : 10;
}

/* Eight times of 300 rows fit in a cache of 512 KiB, but not if each time is 64 rows further on. */
START_TEST(blocks_that_lean_leave_the_cache)
{
    struct sample s = matrix_sample(&kinds[0], ZOID_FORMAT_DIA, false);
    const struct zoid_block_runner *runner = s.problem.op->runner[0];
    const struct zoid_pace pace = {.far = 100, .cpu.cache = 512 << 10, .cost = near_or_not};
    struct zoid_blocks blocks = {.op = s.problem.op, .planes = 300, .times = 8};
    const double upright = runner->seconds(&blocks, &pace);

    blocks.handed_on = 1e-9;
    ck_assert_double_gt(runner->seconds(&blocks, &pace), 1.5 * upright);
    matrix_sample_free(&s);
}
END_TEST

/* ---- refusals
 * ---------------------------------------------------------------------------------- */

static void refused(enum zoid_status status, const char *words)
{
    ck_assert_int_eq(status, ZOID_BAD_ARGUMENT);
    ck_assert_msg(strstr(zoid_error(), words), "%s, without '%s'", zoid_error(), words);
}

START_TEST(terms_without_their_fields)
{
    static const struct kind k = {10, 1, 1, 1, 1, ZOID_F64};
    struct sample s = matrix_sample(&k, ZOID_FORMAT_AUTO, false);

    refused(zoid_band_set_terms(s.band, 0, &(struct zoid_term){.c = 1}, 1), "`previous`");
    refused(zoid_band_set_terms(s.band, 0, &(struct zoid_term){.d = 1}, 1), "`rhs`");
    refused(zoid_band_set_terms(s.band, 0, &(struct zoid_term){.s = 1}, 1), "`sum`");
    refused(zoid_band_set_terms(s.band, 0, NULL, 0), "no terms");
    ck_assert_int_eq(zoid_band_format(s.band), ZOID_FORMAT_DIA);
    matrix_sample_free(&s);
}
END_TEST

static void add(TCase *tests)
{
    add_over_kinds(tests, every_method, KINDS, 1);
    tcase_add_loop_test(tests, tall_blocks_march, 0, gpu_wanted() ? 2 : 1);
    tcase_add_test(tests, random_kinds);
    tcase_add_test(tests, jobs_run_again);
    tcase_add_test(tests, only_entries_count);
    tcase_add_test(tests, blocks_that_lean_leave_the_cache);
    tcase_add_test(tests, terms_without_their_fields);
}

enum { SKIPPED = 77 };

int main(void)
{
    return gpu_wanted() && !gpu_present() ? SKIPPED : run_suite("matrix", 240, add);
}
