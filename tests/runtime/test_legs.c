/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs that run again: a state advanced by several runs, in one job or in several, equals that of a
 * single run. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/zoid_advanced.h"
#include "tests/graphs/cases.h"
#include "tests/runtime/context.h"
#include "tests/suite.h"

enum { WHOLE = 37 };
static const long parts[] = {7, 1, 29};
enum { PARTS = sizeof parts / sizeof *parts };

static const struct kind {
    const char *family;
    int dims, radius;
    enum zoid_boundary boundary; /* at all faces */
    long n[ZOID_AXES];
    struct zoid_request request; /* with little main memory: and a disk */
} kinds[] = {
    {"wave", 1, 1, ZOID_DIRICHLET, {5003, 1, 1}, {.method = "leaning", .block = 500, .depth = 5}},
    {"wave", 2, 2, ZOID_NEUMANN, {61, 83, 1}, {.method = "trapezoid", .block = 24, .depth = 3}},
    {"wave", 3, 1, ZOID_PERIODIC, {27, 31, 43}, {.method = "overlapped", .block = 9, .depth = 4}},
    {"wave", 3, 1, ZOID_SPONGE, {27, 31, 43}, {.method = "recursive", .block = 9, .depth = 12}},
    {"wave", 3, 2, ZOID_DIRICHLET, {27, 31, 43}, {.method = "naive", .block = 7}},
    {"wave", 3, 1, ZOID_DIRICHLET, {27, 31, 43}, {.method = NULL}},
    {"heat", 3, 1, ZOID_NEUMANN, {29, 37, 31}, {.block = 8, .strip = 12, .depth = 3}},
    {"wave", 3, 1, ZOID_NEUMANN, {31, 29, 33}, {.cells = {2, 3, 1}, .epoch = 6, .depth = 3}},
    {"wave", 3, 1, ZOID_PERIODIC, {31, 29, 33}, {.cells = {3, 2, 1}, .epoch = 2}},
    {"wave", 2, 1, ZOID_SPONGE, {67, 41, 1}, {.method = "recursive", .cells = {3, 1, 1}}},
    {"fdtd2d", 2, 1, ZOID_DIRICHLET, {61, 53, 1}, {.method = "leaning", .block = 11, .depth = 5}},
    {"seismic", 3, 2, ZOID_SPONGE, {19, 23, 29}, {.method = "leaning", .block = 9, .depth = 2}},
    {"seismic", 3, 2, ZOID_DIRICHLET, {19, 23, 29}, {.cells = {2, 2, 1}, .depth = 2}},
    {"wave",
     3,
     1,
     ZOID_DIRICHLET,
     {48, 48, 400},
     {.method = "leaning", .depth = 6, .budget[ZOID_RAM] = 8 << 20}},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* A state, field after field, and its problem. */
struct state {
    struct zoid_problem problem;
    size_t bytes; /* per field */
    char *field;
};

static struct zoid_problem problem_of(const struct kind *kind)
{
    struct zoid_problem p = {.op = zoid_op_find(kind->family, kind->dims, kind->radius, ZOID_F32),
                             .steps = WHOLE};

    ck_assert_ptr_nonnull(p.op);
    p.params = zoid_op_defaults(p.op);
    memcpy(p.n, kind->n, sizeof p.n);
    memset(p.face, (int)kind->boundary, (size_t)kind->dims * sizeof *p.face);
    return p;
}

static struct state state_of(const struct zoid_problem *problem)
{
    const struct zoid_op *op = problem->op;
    struct state s = {.problem = *problem};

    s.bytes = (size_t)(problem->n[0] * problem->n[1] * problem->n[2]) * zoid_type_size(op->type);
    s.field = calloc((size_t)(op->nstate + op->ncoef), s.bytes);
    ck_assert_ptr_nonnull(s.field);
    return s;
}

static struct zoid_box all_of(const struct zoid_problem *p)
{
    return zoid_problem_planes(p, 0, p->n[p->op->dims - 1]);
}

static struct state initial_state(const struct zoid_problem *problem)
{
    struct zoid_initial initial = {.problem = problem, .seed = 5};
    const struct zoid_box box = all_of(problem);
    struct state s = state_of(problem);

    for (int f = 0; f < problem->op->nstate + problem->op->ncoef; f++) {
        const struct zoid_values to = zoid_values_packed(&box, s.field + (size_t)f * s.bytes);

        zoid_initial_box(&initial, f, &box, &to);
    }
    return s;
}

static void fill(void *user, int field, const struct zoid_box *box, const struct zoid_values *to)
{
    const struct state *s = user;
    const struct zoid_box all = all_of(&s->problem);
    const struct zoid_values from = zoid_values_packed(&all, s->field + (size_t)field * s->bytes);
    const size_t size = zoid_type_size(s->problem.op->type);

    for (long z = box->lo[2]; z < box->hi[2]; z++)
        for (long y = box->lo[1]; y < box->hi[1]; y++)
            memcpy(zoid_values_row(to, size, y - box->lo[1], z - box->lo[2]),
                   (char *)zoid_values_row(&from, size, y, z) + (size_t)box->lo[0] * size,
                   (size_t)(box->hi[0] - box->lo[0]) * size);
}

/* Reads the state only: coefficients do not change. */
static void read_state(const struct zoid_job *job, struct state *s)
{
    const struct zoid_box box = all_of(&s->problem);

    for (int f = 0; f < s->problem.op->nstate; f++) {
        const struct zoid_values to = zoid_values_packed(&box, s->field + (size_t)f * s->bytes);

        ck_assert_int_eq(zoid_job_read(job, f, &box, &to), ZOID_OK);
    }
}

/* ---- jobs -------------------------------------------------------------------------------- */

/* Makes a job filled with a state. */
static struct zoid_job *make(struct zoid_context *context, const struct zoid_problem *problem,
                             const struct zoid_request *request, struct state *from)
{
    struct zoid_plan plan;
    struct zoid_job *job;

    ck_assert_msg(!zoid_plan_make(context, problem, request, &plan), "%s", zoid_error());
    ck_assert_msg(!zoid_job_create(context, &plan, &job), "%s", zoid_error());
    ck_assert_int_eq(zoid_job_fill(job, fill, from), ZOID_OK);
    return job;
}

static void run(struct zoid_job *job, long steps)
{
    struct zoid_report report = {.op = NULL};

    ck_assert_msg(!zoid_job_run_steps(job, steps, false, &report), "%ld steps: %s", steps,
                  zoid_error());
}

/* The state after a single run, without the features tested here. */
static struct state whole_run(const struct zoid_problem *problem, long steps)
{
    struct zoid_context *context = open_context("2", false);
    const struct zoid_request request = {.method = "naive"};
    struct zoid_problem p = *problem;
    struct state s = initial_state(problem);
    struct zoid_job *job;

    p.steps = steps;
    job = make(context, &p, &request, &s);
    run(job, steps);
    read_state(job, &s);
    zoid_job_destroy(&job);
    ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
    return s;
}

static void same(const struct zoid_job *job, const struct state *expected)
{
    struct state now = state_of(&expected->problem);

    read_state(job, &now);
    for (int f = 0; f < now.problem.op->nstate; f++)
        ck_assert_msg(!memcmp(now.field + (size_t)f * now.bytes,
                              expected->field + (size_t)f * now.bytes, now.bytes),
                      "%s differs after %ld steps", now.problem.op->field[f], zoid_job_steps(job));
    free(now.field);
}

/* A job of a kind, its context, and its initial and expected final states. */
struct again {
    struct zoid_problem problem;
    struct zoid_context *context;
    struct state initial, whole;
    struct zoid_job *job;
};

static void set_up_on(struct again *a, const char *cores, const struct kind *kind, long steps)
{
    struct zoid_request request = kind->request;

    *a = (struct again){.problem = problem_of(kind)};
    a->whole = whole_run(&a->problem, WHOLE);
    a->initial = initial_state(&a->problem);
    a->problem.steps = steps;
    request.again = true;
    a->context = open_context(cores, kind->request.budget[ZOID_RAM] > 0);
    a->job = make(a->context, &a->problem, &request, &a->initial);
}

static void set_up(struct again *a, const struct kind *kind, long steps)
{
    set_up_on(a, "2", kind, steps);
}

static void tear_down(struct again *a)
{
    zoid_job_destroy(&a->job);
    ck_assert_int_eq(zoid_context_close(&a->context), ZOID_OK);
    free(a->initial.field);
    free(a->whole.field);
}

/* ---- tests ------------------------------------------------------------------------------- */

START_TEST(one_job)
{
    struct again a;
    struct zoid_initial initial = {.problem = &a.problem, .seed = 5};
    long steps = 0;

    set_up(&a, &kinds[_i], WHOLE);
    for (int i = 0; i < PARTS; i++) {
        run(a.job, parts[i]);
        steps += parts[i];
        ck_assert_int_eq(zoid_job_steps(a.job), steps);
        ck_assert_msg(!zoid_check(a.job, &initial), "after %ld steps: %s", steps, zoid_error());
    }
    same(a.job, &a.whole);
    tear_down(&a);
}
END_TEST

/* Also with legs of more steps than planned, or of zero. */
START_TEST(other_steps)
{
    static const long steps[] = {0, 1, 13, 0, 23};
    struct again a;

    set_up(&a, &kinds[_i], 2);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        run(a.job, steps[i]);
    ck_assert_int_eq(zoid_job_steps(a.job), WHOLE);
    same(a.job, &a.whole);
    tear_down(&a);
}
END_TEST

/* Each with another method, slab height and number of workers. */
START_TEST(new_jobs)
{
    static const char *const workers[] = {"1", "3", "2"};
    const struct zoid_request requests[] = {
        {.method = "overlapped", .block = 5, .depth = 3}, kinds[_i].request, {.method = NULL}};
    struct zoid_problem problem = problem_of(&kinds[_i]);
    struct state whole = whole_run(&problem, WHOLE), state = initial_state(&problem);

    for (int i = 0; i < PARTS; i++) {
        struct zoid_context *context =
            open_context(workers[i], kinds[_i].request.budget[ZOID_RAM] > 0);
        struct zoid_job *job;

        problem.steps = parts[i];
        job = make(context, &problem, &requests[i], &state);
        ck_assert_int_eq(zoid_job_steps(job), problem.start);
        same(job, &state);
        run(job, parts[i]);
        problem.start = zoid_job_steps(job);
        read_state(job, &state);
        if (i == PARTS - 1)
            same(job, &whole);
        zoid_job_destroy(&job);
        ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
    }
    ck_assert_int_eq(problem.start, WHOLE);
    free(state.field);
    free(whole.field);
}
END_TEST

/* Continues the run, and restarts it from the beginning. */
START_TEST(states_are_set_once_more)
{
    struct again a;
    struct zoid_initial initial = {.problem = &a.problem, .seed = 5};
    struct state state;

    set_up(&a, &kinds[_i], 8);
    state = initial_state(&a.problem);
    run(a.job, 8);
    read_state(a.job, &state);
    ck_assert_int_eq(zoid_job_refill(a.job, 0, NULL, fill, &a.initial), ZOID_OK);
    ck_assert_int_eq(zoid_job_steps(a.job), 0);
    same(a.job, &a.initial);
    run(a.job, 3);
    ck_assert_msg(!zoid_check(a.job, &initial), "%s", zoid_error());
    ck_assert_int_eq(zoid_job_refill(a.job, 8, NULL, fill, &state), ZOID_OK);
    ck_assert_int_eq(zoid_job_steps(a.job), 8);
    same(a.job, &state);
    run(a.job, WHOLE - 8);
    same(a.job, &a.whole);
    free(state.field);
    tear_down(&a);
}
END_TEST

START_TEST(runs_stop_between_passes)
{
    struct again a;
    const struct zoid_request *request = &kinds[_i].request;
    const long most = request->epoch ? request->epoch : request->depth;
    struct zoid_report report = {.op = NULL};
    long steps;

    set_up(&a, &kinds[_i], WHOLE);
    zoid_job_stop(a.job);
    ck_assert_int_eq(zoid_job_run(a.job, false, &report), ZOID_OK);
    steps = zoid_job_steps(a.job);
    ck_assert_int_gt(steps, 0);
    ck_assert_int_le(steps, WHOLE);
    ck_assert(!most || steps <= most);
    ck_assert(report.useful ==
              (double)steps * (double)(a.problem.n[0] * a.problem.n[1] * a.problem.n[2]));
    run(a.job, WHOLE - steps);
    same(a.job, &a.whole);
    tear_down(&a);
}
END_TEST

/* A thread that stops a job repeatedly. */
struct stopper {
    struct zoid_job *job;
    atomic_bool done;
};

static void *stop(void *arg)
{
    struct stopper *s = arg;

    while (!s->done)
        zoid_job_stop(s->job);
    return NULL;
}

START_TEST(others_stop_runs)
{
    struct again a;
    struct stopper stopper = {.done = false};
    pthread_t thread;

    set_up(&a, &kinds[_i], WHOLE);
    stopper.job = a.job;
    ck_assert_int_eq(pthread_create(&thread, NULL, stop, &stopper), 0);
    while (zoid_job_steps(a.job) < WHOLE)
        run(a.job, WHOLE - zoid_job_steps(a.job));
    stopper.done = true;
    pthread_join(thread, NULL);
    same(a.job, &a.whole);
    tear_down(&a);
}
END_TEST

static bool gpus_here(void)
{
    struct zoid_context *context = open_context("1", false);
    const bool some = zoid_context_machine(context)->cuda_workers > 0;

    ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
    return some;
}

/* Without cores; kinds with little main memory also have little GPU memory. */
START_TEST(on_gpus)
{
    struct kind kind = kinds[_i];
    struct again a;

    if (!gpus_here())
        return;
    if (kind.request.budget[ZOID_RAM]) {
        kind.n[2] *= 4;
        kind.request.budget[ZOID_RAM] *= 4;
        kind.request.budget[ZOID_GPU_MEMORY] = 32 << 20;
    }
    set_up_on(&a, "0", &kind, WHOLE);
    for (int i = 0; i < PARTS; i++)
        run(a.job, parts[i]);
    same(a.job, &a.whole);
    ck_assert_int_eq(zoid_job_refill(a.job, 0, NULL, fill, &a.initial), ZOID_OK);
    run(a.job, 30);
    run(a.job, WHOLE - 30);
    same(a.job, &a.whole);
    tear_down(&a);
}
END_TEST

START_TEST(once_is_all_that_was_planned)
{
    struct zoid_problem problem = problem_of(&kinds[0]);
    struct state initial = initial_state(&problem);
    struct zoid_context *context = open_context("2", false);
    struct zoid_job *job = make(context, &problem, &kinds[0].request, &initial);
    struct zoid_report report = {.op = NULL};

    ck_assert_int_eq(zoid_job_run_steps(job, 3, false, &report), ZOID_BAD_ARGUMENT);
    run(job, WHOLE);
    ck_assert_int_eq(zoid_job_run(job, false, &report), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_job_refill(job, 0, NULL, fill, &initial), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_job_fill(job, fill, &initial), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_job_steps(job), WHOLE);
    zoid_job_destroy(&job);
    ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
    free(initial.field);
}
END_TEST

START_TEST(what_is_refused_changes_nothing)
{
    static const long bad[] = {-1, 1l << 61, WHOLE - (1l << 62)};
    struct again a;
    struct zoid_report report = {.op = NULL};

    set_up(&a, &kinds[2], WHOLE);
    run(a.job, 7);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_int_eq(zoid_job_run_steps(a.job, bad[i], false, &report), ZOID_BAD_ARGUMENT);
        ck_assert_int_eq(zoid_job_refill(a.job, bad[i], NULL, fill, &a.initial), ZOID_BAD_ARGUMENT);
    }
    run(a.job, WHOLE - 7);
    same(a.job, &a.whole);
    tear_down(&a);
}
END_TEST

static void add(TCase *tests)
{
    add_over_kinds(tests, one_job, KINDS, 0);
    add_over_kinds(tests, other_steps, KINDS, 1);
    add_over_kinds(tests, new_jobs, KINDS, 2);
    add_over_kinds(tests, states_are_set_once_more, KINDS, 0);
    add_over_kinds(tests, runs_stop_between_passes, KINDS, 1);
    add_over_kinds(tests, others_stop_runs, KINDS, 2);
    add_over_kinds(tests, on_gpus, KINDS, 0);
    tcase_add_test(tests, once_is_all_that_was_planned);
    tcase_add_test(tests, what_is_refused_changes_nothing);
}

int main(void)
{
    return run_suite("legs", 120, add);
}
