/* SPDX-License-Identifier: BSD-3-Clause */
/* Band matrices through the public interface: whole runs by every method, in both formats, with all
 * that a term can have, against a plain loop over plain rows, bit for bit, on cores or with
 * ZOID_TEST_GPU on GPUs; and what is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/block.h"
#include "runtime/zoid.h"
#include "tests/codelets/gpu.h"
#include "tests/codelets/sample.h"
#include "tests/runtime/context.h"
#include "tests/suite.h"

enum { STEPS = 8, RANDOM_KINDS = EFFORT(20) };

/* Two cores, or GPUs alone, which take too long to start for each test. */
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

/* ---- matrices ------------------------------------------------------------------------------ */

struct kind {
    long n, lower, upper, vectors;
    long every; /* one of so many places in the band has an entry; rows with i % 7 == 6 none */
    enum zoid_type type;
};

static const struct kind kinds[] = {
    {1000, 64, 64, 1, 1, ZOID_F64},  {1000, 64, 0, 1, 1, ZOID_F32},  {1000, 0, 64, 3, 2, ZOID_F64},
    {1003, 30, 90, 2, 1, ZOID_F32},  {1000, 0, 0, 1, 1, ZOID_F64},   {999, 1, 1, 1, 1, ZOID_F64},
    {700, 699, 699, 1, 9, ZOID_F32}, {1, 0, 0, 3, 1, ZOID_F64},      {2, 1, 0, 1, 1, ZOID_F32},
    {997, 5, 11, 5, 3, ZOID_F64},    {1000, 300, 1, 1, 40, ZOID_F64}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool has(const struct kind *k, long i, long j)
{
    return j >= 0 && j < k->n && j >= i - k->lower && j <= i + k->upper &&
           ((i % 7 != 6 && (i * 31 + j * 17) % k->every == 0) ||
            (i == k->n / 2 && (j == i - k->lower || j == i + k->upper)));
}

static double entry(const struct kind *k, long i, long j)
{
    const long hash = (i * 7919 + j * 104729) % 2003;

    return ((double)hash / 1001 - 1) / (double)(1 + (k->lower + k->upper) / (2 * k->every));
}

static void entries(const void *kind, long i, zoid_entry_fn *put, void *into)
{
    const struct kind *k = kind;

    for (long j = i - k->lower; j <= i + k->upper; j++)
        if (has(k, i, j))
            put(into, j, entry(k, i, j));
}

/* The same as compressed rows, from the last column to the first. */
static struct zoid_matrix *from_csr(const struct kind *k, bool wide)
{
    const size_t room = (size_t)(k->n * (k->lower + k->upper + 1));
    int64_t *start = calloc((size_t)k->n + 1, sizeof *start), *columns = calloc(room, 8);
    int32_t *narrow = (int32_t *)columns;
    double *values = calloc(room, sizeof *values);
    struct zoid_csr csr = {k->n, start, columns, wide, values, ZOID_F64};
    struct zoid_matrix *m;
    int64_t e = 0;

    ck_assert(start && columns && values);
    for (long i = 0; i < k->n; i++) {
        for (long j = i + k->upper; j >= i - k->lower; j--)
            if (has(k, i, j)) {
                if (wide)
                    columns[e] = j;
                else
                    narrow[e] = (int32_t)j;
                values[e++] = entry(k, i, j);
            }
        start[i + 1] = e;
    }
    ck_assert_msg(!zoid_matrix_create(&csr, &m), "%s", zoid_error());
    free(start), free(columns), free(values);
    return m;
}

/* ---- the plain loop ------------------------------------------------------------------------ */

static const struct zoid_term terms[] = {{.a = 1.25, .b = -0.5, .s = 0.75},
                                         {.a = -0.5, .b = 0.375, .c = -1, .s = -2},
                                         {.a = 1, .d = 0.5},
                                         {.b = 0.1, .c = 0.3, .d = 0.7, .s = 0.1},
                                         {.a = 0.7}};
enum { TERMS = sizeof terms / sizeof *terms };

struct state {
    double *x, *previous, *sum;
};

static double rounded(const struct kind *k, double value)
{
    return k->type == ZOID_F32 ? (double)(float)value : value;
}

static double fused(const struct kind *k, double a, double b, double c)
{
    return k->type == ZOID_F32 ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
}

static double initial(const struct kind *k, int field, long i)
{
    return rounded(k, sin((double)(i * 3 + field) + 0.5));
}

static double rhs(const struct kind *k, long i)
{
    return rounded(k, cos((double)i));
}

static void more(const struct kind *k, double factor, double value, bool *any, double *next)
{
    if (factor != 0)
        *next = *any ? fused(k, rounded(k, factor), value, *next)
                     : rounded(k, rounded(k, factor) * value);
    *any |= factor != 0;
}

static void plain_step(const struct kind *k, const struct zoid_term *t, bool all,
                       const struct state *from, struct state *to)
{
    for (long i = 0; i < k->n; i++)
        for (long v = 0; v < k->vectors; v++) {
            const long at = i * k->vectors + v;
            double row = 0, next = 0;
            bool any = false;

            for (long j = i - k->lower; j <= i + k->upper; j++)
                if (has(k, i, j))
                    row = fused(k, rounded(k, entry(k, i, j)), from->x[j * k->vectors + v], row);
            more(k, t->d, rhs(k, at), &any, &next);
            more(k, t->c, from->previous[at], &any, &next);
            more(k, t->b, from->x[at], &any, &next);
            more(k, t->a, row, &any, &next);
            to->x[at] = next;
            to->previous[at] = from->x[at];
            to->sum[at] =
                all && t->s != 0 ? fused(k, rounded(k, t->s), next, from->sum[at]) : from->sum[at];
        }
}

static struct state state_of(const struct kind *k)
{
    const size_t values = (size_t)(k->n * k->vectors);
    struct state s = {calloc(values, 8), calloc(values, 8), calloc(values, 8)};

    ck_assert(s.x && s.previous && s.sum);
    for (size_t i = 0; i < values; i++) {
        s.x[i] = initial(k, 0, (long)i);
        s.previous[i] = initial(k, 1, (long)i);
        s.sum[i] = initial(k, 2, (long)i);
    }
    return s;
}

static void state_free(struct state *s)
{
    free(s->x), free(s->previous), free(s->sum);
}

/* ---- a case -------------------------------------------------------------------------------- */

struct sample {
    const struct kind *kind;
    bool all; /* every field, and the terms above; else powers */
    struct zoid_matrix *matrix;
    struct zoid_band *band;
    struct zoid_problem problem;
    struct state state[STEPS + 1];
};

static void fill_rhs(const void *kind, long lo, long hi, void *values)
{
    const struct kind *k = kind;

    for (long i = lo * k->vectors; i < hi * k->vectors; i++)
        if (k->type == ZOID_F32)
            ((float *)values)[i - lo * k->vectors] = (float)rhs(k, i);
        else
            ((double *)values)[i - lo * k->vectors] = rhs(k, i);
}

static struct sample sample_of(const struct kind *k, enum zoid_format format, bool all)
{
    static const struct zoid_term power = {.a = 1};
    struct sample s = {.kind = k, .all = all};
    const struct zoid_matrix_rows rows = {k->n, entries, k};
    struct zoid_band_options options = {
        .type = k->type, .format = format, .vectors = k->vectors, .previous = all, .sum = all};

    if (format == ZOID_FORMAT_DIA)
        s.matrix = from_csr(k, all);
    else
        ck_assert(!zoid_matrix_from_rows(&rows, &s.matrix));
    options.matrix = s.matrix;
    if (all)
        options.rhs = fill_rhs, options.rhs_user = k;
    ck_assert_msg(!zoid_band_create(&options, &s.band), "%s", zoid_error());
    if (all)
        ck_assert(!zoid_band_set_terms(s.band, 0, terms, TERMS));
    s.problem =
        (struct zoid_problem){.op = zoid_band_op(s.band), .n = {k->n, 1, 1}, .steps = STEPS};
    for (int t = 0; t <= STEPS; t++)
        s.state[t] = state_of(k);
    for (int t = 0; t < STEPS; t++)
        plain_step(k, all ? &terms[t < TERMS ? t : TERMS - 1] : &power, all, &s.state[t],
                   &s.state[t + 1]);
    return s;
}

static void sample_free(struct sample *s)
{
    for (int t = 0; t <= STEPS; t++)
        state_free(&s->state[t]);
    zoid_band_destroy(&s->band);
    zoid_matrix_destroy(&s->matrix);
}

static void fill_state(void *kind, int field, const struct zoid_box *box,
                       const struct zoid_values *to)
{
    const struct kind *k = kind;

    for (long i = box->lo[0] * k->vectors; i < box->hi[0] * k->vectors; i++)
        if (k->type == ZOID_F32)
            ((float *)to->at)[i - box->lo[0] * k->vectors] = (float)initial(k, field, i);
        else
            ((double *)to->at)[i - box->lo[0] * k->vectors] = initial(k, field, i);
}

static void compare(const struct zoid_job *job, const struct sample *s, const char *words)
{
    const struct kind *k = s->kind;
    const struct state *should = &s->state[zoid_job_steps(job)];
    const double *const want[] = {should->x, should->previous, should->sum};
    const struct zoid_box box = zoid_problem_planes(&s->problem, 0, k->n);
    const size_t values = (size_t)(k->n * k->vectors);
    double *is = calloc(values, sizeof *is);

    ck_assert_ptr_nonnull(is);
    for (int f = 0; f < s->problem.op->nstate; f++) {
        const struct zoid_values to = zoid_values_packed(&box, is);

        ck_assert_msg(!zoid_job_read(job, f, &box, &to), "%s", zoid_error());
        for (size_t i = 0; i < values; i++) {
            const double value = k->type == ZOID_F32 ? (double)((float *)is)[i] : is[i];

            ck_assert_msg(!memcmp(&value, &want[f][i], sizeof value),
                          "%s %s, %s: value %zu of %s after %ld steps is %a, not %a",
                          s->problem.op->name, zoid_format_name(zoid_band_format(s->band)), words,
                          i, s->problem.op->field[f], zoid_job_steps(job), value, want[f][i]);
        }
    }
    free(is);
}

static void run_plan(struct zoid_context *context, const struct zoid_plan *plan, struct sample *s)
{
    struct zoid_initial start = {
        .problem = &s->problem, .state = fill_state, .of = (void *)s->kind};
    struct zoid_report report = {.op = NULL};
    struct zoid_job *job;
    char words[256];

    snprintf(words, sizeof words, "%s, %ld rows, %ld steps", plan->graph.method->name,
             plan->graph.block, plan->graph.depth);
    ck_assert_msg(!zoid_job_create(context, plan, &job), "%s", zoid_error());
    ck_assert_msg(!zoid_job_fill(job, zoid_initial_box, &start), "%s", zoid_error());
    ck_assert_msg(!zoid_band_fill(s->band, job), "%s", zoid_error());
    ck_assert_msg(!zoid_job_run(job, false, &report), "%s", zoid_error());
    compare(job, s, words);
    ck_assert_msg(!zoid_check(job, &start), "%s", zoid_error());
    zoid_job_destroy(&job);
}

/* By all that fuse steps and a step at a time, where these differ. */
static void run_method(struct zoid_context *context, struct sample *s, const char *method)
{
    const int traversals = gpu_wanted() ? 2 : 1;
    const long n = s->kind->n;
    struct zoid_plan plan;
    int runs = 0;

    for (long slabs = 1; slabs <= 6; slabs += 5)
        for (long i = 0; i < 2 * traversals; i++) {
            const struct zoid_request request = {.method = method,
                                                 .block = (n + slabs - 1) / slabs,
                                                 .depth = 1 + i / traversals * 4,
                                                 .traversal = i % traversals ? ZOID_TRAVERSAL_STEP
                                                                             : ZOID_TRAVERSAL_BEST,
                                                 .traversal_named = true};

            if (zoid_plan_make(context, &s->problem, &request, &plan)) {
                ck_assert_msg(strstr(zoid_error(), "too low"), "%s", zoid_error());
                continue;
            }
            run_plan(context, &plan, s);
            runs++;
        }
    if (runs)
        return;
    ck_assert_msg(
        !zoid_plan_make(context, &s->problem, &(struct zoid_request){.method = method}, &plan),
        "%s", zoid_error());
    run_plan(context, &plan, s);
}

/* Powers in one format, and all that terms have in the other. */
START_TEST(every_method)
{
    struct zoid_context *context = begin();

    for (int all = 0; all < 2; all++) {
        const enum zoid_format format = (_i + all) % 2 ? ZOID_FORMAT_DIA : ZOID_FORMAT_SELL;
        struct sample s = sample_of(&kinds[_i], format, all);

        for (size_t m = 0; zoid_methods[m]; m++)
            run_method(context, &s, zoid_methods[m]->name);
        sample_free(&s);
    }
    end(&context);
}
END_TEST

/* Of any shape, with blocks of any height and depth. */
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
    /* The widest row has entries at either end, if it is whole. */
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
    for (int i = 0; i < RANDOM_KINDS; i++) {
        const struct kind k = random_kind(&random);
        const enum zoid_format format =
            sample_between(&random, 0, 1) ? ZOID_FORMAT_DIA : ZOID_FORMAT_SELL;
        struct sample s = sample_of(&k, format, sample_between(&random, 0, 1));
        struct zoid_request request = {.method = zoid_methods[i % methods]->name,
                                       .block = sample_between(&random, 1, k.n),
                                       .depth = sample_between(&random, 1, STEPS)};
        struct zoid_plan plan;

        if (zoid_plan_make(context, &s.problem, &request, &plan)) {
            request.block = 0;
            ck_assert_msg(!zoid_plan_make(context, &s.problem, &request, &plan), "%s",
                          zoid_error());
        }
        run_plan(context, &plan, &s);
        sample_free(&s);
    }
    end(&context);
}
END_TEST

/* Those that tall blocks march through, by all instruction sets' kernels and by the plain ones. */
static const struct kind tall[] = {{20011, 17, 40, 1, 1, ZOID_F64},
                                   {20011, 64, 64, 1, 1, ZOID_F32}};

START_TEST(tall_blocks_march)
{
    static const enum zoid_traversal traversals[] = {ZOID_TRAVERSAL_BEST, ZOID_TRAVERSAL_NAIVE};
    struct zoid_context *context = begin();

    for (int format = ZOID_FORMAT_DIA; format < ZOID_FORMATS; format++) {
        struct sample s = sample_of(&tall[_i], (enum zoid_format)format, true);
        struct zoid_plan plan;

        for (int t = 0; t < 2; t++)
            for (long block = 3000; block <= 20011; block = 7 * block - 989) {
                const struct zoid_request request = {.method = "leaning",
                                                     .block = block,
                                                     .depth = STEPS,
                                                     .traversal = traversals[t],
                                                     .traversal_named = true};

                ck_assert_msg(!zoid_plan_make(context, &s.problem, &request, &plan), "%s",
                              zoid_error());
                run_plan(context, &plan, &s);
            }
        sample_free(&s);
    }
    end(&context);
}
END_TEST

/* On from where it is, and from the start again with other terms, with the rows in place. */
START_TEST(jobs_run_again)
{
    struct zoid_context *context = begin();
    struct sample s = sample_of(&kinds[3], ZOID_FORMAT_SELL, true);
    struct zoid_initial start = {.problem = &s.problem, .state = fill_state, .of = (void *)s.kind};
    const struct zoid_request request = {.again = true};
    struct zoid_report report = {.op = NULL};
    struct zoid_plan plan;
    struct zoid_job *job;

    ck_assert(!zoid_plan_make(context, &s.problem, &request, &plan));
    ck_assert(!zoid_job_create(context, &plan, &job));
    ck_assert(!zoid_job_fill(job, zoid_initial_box, &start) && !zoid_band_fill(s.band, job));
    for (long steps = 1; zoid_job_steps(job) < STEPS; steps += 4) {
        ck_assert(!zoid_job_run_steps(
            job, steps < STEPS - zoid_job_steps(job) ? steps : STEPS - zoid_job_steps(job), false,
            &report));
        compare(job, &s, "again");
    }
    /* The same terms, counted from elsewhere. */
    ck_assert(!zoid_band_set_terms(s.band, 2, terms + 2, TERMS - 2));
    ck_assert(!zoid_job_refill(job, 2, zoid_initial_box, &start));
    ck_assert(!zoid_job_run_steps(job, 1, false, &report));
    plain_step(s.kind, &terms[2], true, &s.state[0], &s.state[3]);
    compare(job, &s, "from elsewhere");
    zoid_job_destroy(&job);
    end(&context);
    sample_free(&s);
}
END_TEST

/* ---- what no sum may touch ----------------------------------------------------------------- */

static void fill_nan(void *kind, int field, const struct zoid_box *box,
                     const struct zoid_values *to)
{
    fill_state(kind, field, box, to);
    for (long i = box->lo[0]; i < box->hi[0]; i++)
        if (i == 0 || i == 500)
            ((double *)to->at)[i - box->lo[0]] = i ? INFINITY : NAN;
}

/* Values that are no numbers come to the rows that have an entry there, and to no other. */
START_TEST(only_entries_count)
{
    static const struct kind k = {1000, 3, 70, 1, 3, ZOID_F64};
    struct zoid_context *context = begin();
    struct sample s = sample_of(&k, ZOID_FORMAT_SELL, false);
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
        ck_assert_msg(isfinite(is[i]) == !(has(&k, i, 0) || has(&k, i, 500)), "row %ld is %g", i,
                      is[i]);
    zoid_job_destroy(&job);
    end(&context);
    sample_free(&s);
}
END_TEST

/* ---- what the planner knows ---------------------------------------------------------------- */

static double near_or_not(const struct zoid_rates *rates, double bytes)
{
    (void)rates;
    return bytes < 512 << 10 ? 1 : 10;
}

/* Eight times of 300 rows are in a cache of 512 KiB, but not if each is 64 rows further on. */
START_TEST(blocks_that_lean_leave_the_cache)
{
    struct sample s = sample_of(&kinds[0], ZOID_FORMAT_DIA, false);
    const struct zoid_block_runner *runner = s.problem.op->runner[0];
    const struct zoid_pace pace = {.far = 100, .cpu.cache = 512 << 10, .cost = near_or_not};
    struct zoid_blocks blocks = {.op = s.problem.op, .planes = 300, .times = 8};
    const double upright = runner->seconds(&blocks, &pace);

    blocks.handed_on = 1e-9;
    ck_assert_double_gt(runner->seconds(&blocks, &pace), 1.5 * upright);
    sample_free(&s);
}
END_TEST

/* ---- what is refused ------------------------------------------------------------------------- */

static void refused(enum zoid_status status, const char *words)
{
    ck_assert_int_eq(status, ZOID_BAD_ARGUMENT);
    ck_assert_msg(strstr(zoid_error(), words), "%s, without '%s'", zoid_error(), words);
}

START_TEST(rows_that_are_none)
{
    int64_t start[] = {0, 2, 3};
    int32_t column[] = {1, 0, 1};
    double value[] = {1, 2, 3};
    struct zoid_csr csr = {2, start, column, false, value, ZOID_F64};
    struct zoid_matrix *m = NULL;

    ck_assert(!zoid_matrix_create(&csr, &m));
    ck_assert_int_eq(zoid_matrix_about(m).entries, 3);
    ck_assert_int_eq(zoid_matrix_about(m).upper, 1);
    ck_assert_int_eq(zoid_matrix_about(m).lower, 0);
    zoid_matrix_destroy(&m);
    column[0] = 0;
    refused(zoid_matrix_create(&csr, &m), "row 0 of the matrix has column 0 twice");
    column[0] = 2;
    refused(zoid_matrix_create(&csr, &m), "columns are 0 to 1");
    column[0] = -1;
    refused(zoid_matrix_create(&csr, &m), "column -1");
    column[0] = 1;
    /* No entry beyond the arrays is looked at. */
    start[1] = 4;
    refused(zoid_matrix_create(&csr, &m), "ends before it begins");
    start[0] = 1;
    refused(zoid_matrix_create(&csr, &m), "begins with entry 1");
    csr.n = 0;
    refused(zoid_matrix_create(&csr, &m), "at least 1");
    ck_assert_ptr_null(m);
}
END_TEST

START_TEST(terms_without_their_fields)
{
    static const struct kind k = {10, 1, 1, 1, 1, ZOID_F64};
    struct sample s = sample_of(&k, ZOID_FORMAT_AUTO, false);

    refused(zoid_band_set_terms(s.band, 0, &(struct zoid_term){.c = 1}, 1), "`previous`");
    refused(zoid_band_set_terms(s.band, 0, &(struct zoid_term){.d = 1}, 1), "`rhs`");
    refused(zoid_band_set_terms(s.band, 0, &(struct zoid_term){.s = 1}, 1), "`sum`");
    refused(zoid_band_set_terms(s.band, 0, NULL, 0), "no terms");
    ck_assert_int_eq(zoid_band_format(s.band), ZOID_FORMAT_DIA);
    sample_free(&s);
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
    tcase_add_test(tests, rows_that_are_none);
    tcase_add_test(tests, terms_without_their_fields);
}

enum { SKIPPED = 77 };

int main(void)
{
    return gpu_wanted() && !gpu_present() ? SKIPPED : run_suite("matrix", 240, add);
}
