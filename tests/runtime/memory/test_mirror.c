/* SPDX-License-Identifier: BSD-3-Clause */
/* Mirrored jobs: every point and coefficient is at its mirror image's place, wherever slabs have
 * drifted; and forward sweeps, a mirror and forward sweeps equal forward and backward sweeps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/zoid_advanced.h"
#include "tests/codelets/sequential.h"
#include "tests/effort.h"
#include "tests/runtime/context.h"
#include "tests/suite.h"

enum { JOBS = 40 };

static long draw(long lo, long hi)
{
    return lo + rand() % (hi - lo + 1);
}

/* ---- a job ------------------------------------------------------------------------------- */

/* A job with the values of its fields as read, and as filled. */
struct sample {
    struct zoid_problem problem;
    struct zoid_initial initial;
    struct zoid_job *job;
    size_t points, size;
    char *now, *first;
};

static struct zoid_problem draw_problem(const struct zoid_op *op)
{
    struct zoid_problem p = {.op = op, .n = {1, 1, 1}, .params = zoid_op_defaults(op)};
    const long most[] = {0, 300, 40, 17};

    for (int a = 0; a < op->dims; a++)
        p.n[a] = draw(1, most[op->dims]);
    p.steps = draw(1, 9);
    return p;
}

static void read_state(struct sample *s, int field)
{
    const struct zoid_box box =
        zoid_problem_planes(&s->problem, 0, s->problem.n[s->problem.op->dims - 1]);
    const struct zoid_values to = zoid_values_packed(&box, s->now);

    ck_assert_msg(!zoid_job_read(s->job, field, &box, &to), "%s", zoid_error());
}

/* Returns false if the method does not support slabs this low. */
static bool make(struct zoid_context *context, const struct zoid_problem *p, bool little,
                 struct sample *s)
{
    struct zoid_request request = {
        .block = draw(1, 12), .depth = draw(1, 4), .method = "leaning", .again = true};
    struct zoid_plan plan;

    *s = (struct sample){.problem = *p};
    if (little) {
        request.budget[ZOID_RAM] = 1;
        ck_assert_int_eq(zoid_plan_make(context, p, &request, &plan), ZOID_DOES_NOT_FIT);
        request.budget[ZOID_RAM] = named_mib() << 20;
    }
    if (zoid_plan_make(context, p, &request, &plan))
        return false;
    s->initial = (struct zoid_initial){.problem = &s->problem, .seed = (uint64_t)rand()};
    s->points = (size_t)(p->n[0] * p->n[1] * p->n[2]);
    s->size = zoid_type_size(p->op->type);
    s->now = malloc(s->points * s->size);
    s->first = malloc(s->points * s->size);
    ck_assert(s->now && s->first);
    ck_assert_msg(!zoid_job_create(context, &plan, &s->job), "%s", zoid_error());
    ck_assert_msg(!zoid_job_fill(s->job, zoid_initial_box, &s->initial), "%s", zoid_error());
    return true;
}

static void sample_free(struct sample *s)
{
    zoid_job_destroy(&s->job);
    free(s->now);
    free(s->first);
}

static void turn(struct sample *s)
{
    ck_assert_msg(!zoid_job_mirror(s->job), "%s", zoid_error());
}

static void run(struct sample *s, long steps)
{
    struct zoid_report report = {.op = NULL};

    ck_assert_msg(!zoid_job_run_steps(s->job, steps, false, &report), "%s", zoid_error());
}

/* Reverses the points of an array: those of the mirrored domain. */
static void mirror(const struct sample *s, char *values)
{
    char point[8];

    for (size_t i = 0; i < s->points / 2; i++) {
        char *a = values + i * s->size, *b = values + (s->points - 1 - i) * s->size;

        memcpy(point, a, s->size);
        memcpy(a, b, s->size);
        memcpy(b, point, s->size);
    }
}

/* ---- mirrors ----------------------------------------------------------------------------- */

static void turn_and_back(struct sample *s)
{
    const struct zoid_op *op = s->problem.op;

    run(s, s->problem.steps);
    for (int f = 0; f < op->nstate; f++) {
        read_state(s, f);
        memcpy(s->first, s->now, s->points * s->size);
        turn(s);
        read_state(s, f);
        mirror(s, s->now);
        ck_assert_msg(!memcmp(s->now, s->first, s->points * s->size),
                      "%s on %ldx%ldx%ld: field %d is no mirror image", op->name, s->problem.n[0],
                      s->problem.n[1], s->problem.n[2], f);
        turn(s);
        read_state(s, f);
        ck_assert_msg(!memcmp(s->now, s->first, s->points * s->size),
                      "%s: field %d is not back where it was", op->name, f);
    }
}

START_TEST(every_point_is_mirrored)
{
    static const struct {
        const char *family;
        int dims;
        enum zoid_type type;
    } kinds[] = {{"heat", 1, ZOID_F64},   {"heat", 2, ZOID_F32},  {"heat", 3, ZOID_F32},
                 {"wave", 3, ZOID_F64},   {"life3d", 3, ZOID_U8}, {"fdtd2d", 2, ZOID_F64},
                 {"sor_rhs", 2, ZOID_F32}};
    struct zoid_context *context = open_context("2", false);

    srand(7);
    for (int i = 0; i < effort(JOBS); i++) {
        const size_t k = (size_t)i % (sizeof kinds / sizeof *kinds);
        const struct zoid_op *op = zoid_op_find(kinds[k].family, kinds[k].dims, 1, kinds[k].type);
        const struct zoid_problem p = draw_problem(op);
        struct sample s;

        if (!make(context, &p, false, &s))
            continue;
        turn_and_back(&s);
        sample_free(&s);
    }
    zoid_context_close(&context);
}
END_TEST

/* ---- forward and backward sweeps --------------------------------------------------------- */

static void fill_first(struct sample *s, char *values, int field)
{
    const struct zoid_box box =
        zoid_problem_planes(&s->problem, 0, s->problem.n[s->problem.op->dims - 1]);
    const struct zoid_values to = zoid_values_packed(&box, values);

    zoid_initial_box(&s->initial, field, &box, &to);
}

/* The sequential result. */
static void sweep_all(struct sample *s, long layers)
{
    const struct zoid_problem *p = &s->problem;
    char *b = malloc(s->points * s->size);

    ck_assert_ptr_nonnull(b);
    fill_first(s, s->first, 0);
    if (p->op->ncoef)
        fill_first(s, b, 1);
    sequential_ssor(&(struct sequential){.dims = p->op->dims,
                                         .type = p->op->type,
                                         .n = {p->n[0], p->n[1], p->n[2]},
                                         .omega = p->params.value[0],
                                         .b = p->op->ncoef ? b : NULL,
                                         .u = s->first},
                    layers, p->steps);
    free(b);
}

static void up_and_down(struct sample *s)
{
    const long layers = draw(1, 4), steps = s->problem.steps;
    bool down = false;

    for (long done = 0, n; done < steps; done += n) {
        if (down != (done / layers % 2 != 0)) {
            turn(s);
            down = !down;
        }
        n = zoid_min(layers - done % layers, steps - done);
        run(s, n);
    }
    if (down)
        turn(s);
    read_state(s, 0);
    sweep_all(s, layers);
    ck_assert_msg(!memcmp(s->now, s->first, s->points * s->size),
                  "%s on %ldx%ldx%ld: %ld sweeps, %ld up and %ld down, give other bytes",
                  s->problem.op->name, s->problem.n[0], s->problem.n[1], s->problem.n[2], steps,
                  layers, layers);
}

START_TEST(as_defined)
{
    struct zoid_context *context = open_context("2", false);

    srand(11);
    for (int i = 0; i < effort(JOBS); i++) {
        const struct zoid_op *op = zoid_op_find(i % 2 ? "sor" : "sor_rhs", (int)draw(1, 3), 1,
                                                draw(0, 1) ? ZOID_F32 : ZOID_F64);
        struct zoid_problem p = draw_problem(op);
        struct sample s;

        p.params.value[0] = (double)draw(1, 199) / 100;
        if (!make(context, &p, false, &s))
            continue;
        up_and_down(&s);
        sample_free(&s);
    }
    zoid_context_close(&context);
}
END_TEST

/* A state of 6 MiB, with main memory for a part of it. */
START_TEST(on_a_disk)
{
    const struct zoid_op *op = zoid_op_find("sor_rhs", 2, 1, ZOID_F64);
    struct zoid_context *context = open_context("2", true);
    struct zoid_problem p = {
        .op = op, .n = {1000, 401, 1}, .steps = 5, .params = zoid_op_defaults(op)};
    struct sample s;

    srand(13);
    ck_assert(make(context, &p, true, &s));
    up_and_down(&s);
    sample_free(&s);
    zoid_context_close(&context);
}
END_TEST

START_TEST(what_cannot_be_turned)
{
    const struct zoid_op *op = zoid_op_find("heat", 2, 1, ZOID_F32);
    struct zoid_problem p = {
        .op = op, .n = {60, 60, 1}, .steps = 4, .params = zoid_op_defaults(op)};
    const struct zoid_request cells = {.cells = {1, 2, 1}, .again = true};
    struct zoid_initial initial = {.problem = &p};
    struct zoid_context *context = open_context("2", false);
    struct zoid_plan plan;
    struct zoid_job *job;

    ck_assert_int_eq(zoid_plan_make(context, &p, &cells, &plan), ZOID_OK);
    ck_assert_int_eq(zoid_job_create(context, &plan, &job), ZOID_OK);
    ck_assert_int_eq(zoid_job_mirror(job), ZOID_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(zoid_error(), "filled"));
    ck_assert_int_eq(zoid_job_fill(job, zoid_initial_box, &initial), ZOID_OK);
    ck_assert_int_eq(zoid_job_mirror(job), ZOID_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(zoid_error(), "one cell"));
    zoid_job_destroy(&job);
    zoid_context_close(&context);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, every_point_is_mirrored);
    tcase_add_test(tests, as_defined);
    tcase_add_test(tests, on_a_disk);
    tcase_add_test(tests, what_cannot_be_turned);
}

int main(void)
{
    return run_suite("turn", 240, add);
}
