/* SPDX-License-Identifier: BSD-3-Clause */
/* The check fails if the job's state differs from the reference, and reports where. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/zoid_advanced.h"
#include "tests/suite.h"

enum { FLOATS = 2 };

/* An initial state with one value of one field changed. */
struct tampered {
    struct zoid_initial initial;
    int field;
    long at[ZOID_AXES];
};

static void tampered_box(void *user, int field, const struct zoid_box *box,
                         const struct zoid_values *to)
{
    struct tampered *t = user;
    const enum zoid_type type = t->initial.problem->op->type;
    size_t x = (size_t)(t->at[0] - box->lo[0]);
    bool here = field == t->field;
    void *row;

    zoid_initial_box(&t->initial, field, box, to);
    for (int a = 0; a < ZOID_AXES; a++)
        here = here && t->at[a] >= box->lo[a] && t->at[a] < box->hi[a];
    if (!here)
        return;
    row = zoid_values_row(to, zoid_type_size(type), t->at[1] - box->lo[1], t->at[2] - box->lo[2]);
    if (type == ZOID_F32)
        ((float *)row)[x] = 3;
    else if (type == ZOID_F64)
        ((double *)row)[x] = 3;
    else
        ((unsigned char *)row)[x] = 1;
}

static struct zoid_problem problem_with(const struct zoid_op *op, long steps)
{
    ck_assert_ptr_nonnull(op);
    return (struct zoid_problem){
        .op = op, .n = {6, 5, 7}, .steps = steps, .params = zoid_op_defaults(op)};
}

static struct zoid_problem problem_of(enum zoid_type type, long steps)
{
    return problem_with(zoid_op_find("heat", 3, 1, type), steps);
}

/* Runs a job from one initial state and checks it against another. */
static enum zoid_status run_and_check(const struct zoid_problem *problem, zoid_box_fn *box,
                                      void *user, struct zoid_initial *reference)
{
    const struct zoid_request request = {.method = "leaning"};
    struct zoid_context *context = NULL;
    struct zoid_job *job = NULL;
    struct zoid_report report;
    struct zoid_plan plan;
    enum zoid_status status;

    ck_assert_int_eq(zoid_context_open(NULL, &context), ZOID_OK);
    ck_assert_int_eq(zoid_plan_make(context, problem, &request, &plan), ZOID_OK);
    ck_assert_int_eq(zoid_check_fits(context, &plan), ZOID_OK);
    ck_assert_int_eq(zoid_job_create(context, &plan, &job), ZOID_OK);
    ck_assert_int_eq(zoid_job_fill(job, box, user), ZOID_OK);
    ck_assert_int_eq(zoid_job_run(job, false, &report), ZOID_OK);
    status = zoid_check(job, reference);
    zoid_job_destroy(&job);
    zoid_context_close(&context);
    return status;
}

static void message_has(const char *text)
{
    ck_assert_msg(strstr(zoid_error(), text) != NULL, "no '%s' in: %s", text, zoid_error());
}

START_TEST(the_same_state_passes)
{
    struct zoid_problem problem = problem_of((enum zoid_type)_i, 4);
    struct zoid_initial initial = {.problem = &problem, .kind = ZOID_INIT_RANDOM, .seed = 5};

    ck_assert_int_eq(run_and_check(&problem, zoid_initial_box, &initial, &initial), ZOID_OK);
}
END_TEST

START_TEST(another_seed_fails)
{
    struct zoid_problem problem = problem_of((enum zoid_type)_i, 4);
    struct zoid_initial initial = {.problem = &problem, .kind = ZOID_INIT_RANDOM, .seed = 5};
    struct zoid_initial other = {.problem = &problem, .kind = ZOID_INIT_RANDOM, .seed = 6};

    ck_assert_int_eq(run_and_check(&problem, zoid_initial_box, &initial, &other),
                     ZOID_CHECK_FAILED);
    message_has("u at (0, 0, 0) is ");
    message_has("210 different values among 210");
}
END_TEST

/* No step: the changed value is the only difference, and is reported with its bits. */
START_TEST(one_wrong_value_is_found)
{
    static const char *const is[FLOATS] = {"is 3 (40400000) instead of 0 (00000000)",
                                           "is 3 (4008000000000000) instead of 0 "
                                           "(0000000000000000)"};
    struct zoid_problem problem = problem_of((enum zoid_type)_i, 0);
    struct tampered tampered = {.initial = {.problem = &problem, .kind = ZOID_INIT_ZERO},
                                .at = {5, 3, 6}};

    ck_assert_int_eq(run_and_check(&problem, tampered_box, &tampered, &tampered.initial),
                     ZOID_CHECK_FAILED);
    message_has("u at (5, 3, 6) ");
    message_has(is[_i]);
    message_has(" 1 different values among 210");
}
END_TEST

/* After a step the wrong value has spread to its six neighbours, the lowest plane first. */
START_TEST(the_first_difference_is_named)
{
    struct zoid_problem problem = problem_of((enum zoid_type)_i, 1);
    struct tampered tampered = {.initial = {.problem = &problem, .kind = ZOID_INIT_ZERO},
                                .at = {2, 2, 3}};

    ck_assert_int_eq(run_and_check(&problem, tampered_box, &tampered, &tampered.initial),
                     ZOID_CHECK_FAILED);
    message_has("u at (2, 2, 2) ");
    message_has(" 7 different values among 210");
}
END_TEST

/* An inner value of the wave's fields u(t), u(t - 1), v2: the values of the final state that depend
 * on it, after a number of steps, are reported by role. */
static const struct role {
    int field;
    long steps;
    const char *first, *count;
} roles[] = {
    {0, 0, "u at (2, 2, 3) ", " 1 different values among 420"},
    {1, 0, "u_before at (2, 2, 3) ", " 1 different values among 420"},
    {0, 1, "u at (2, 2, 2) ", " 8 different values among 420"},
    {1, 1, "u at (2, 2, 3) ", " 1 different values among 420"},
    {2, 1, "u at (2, 2, 3) ", " 1 different values among 420"},
};

START_TEST(fields_are_named_by_their_roles)
{
    const struct role *role = &roles[_i];
    struct zoid_problem problem = problem_with(zoid_op_find("wave", 3, 1, ZOID_F64), role->steps);
    struct tampered tampered = {
        .initial = {.problem = &problem, .seed = 4}, .field = role->field, .at = {2, 2, 3}};

    ck_assert_int_eq(run_and_check(&problem, tampered_box, &tampered, &tampered.initial),
                     ZOID_CHECK_FAILED);
    message_has(role->first);
    message_has(role->count);
}
END_TEST

START_TEST(bytes_are_shown_as_such)
{
    struct zoid_problem problem = problem_with(zoid_op_find("life3d", 3, 1, ZOID_U8), 0);
    struct tampered tampered = {.initial = {.problem = &problem, .kind = ZOID_INIT_ZERO},
                                .at = {5, 3, 6}};

    ck_assert_int_eq(run_and_check(&problem, tampered_box, &tampered, &tampered.initial),
                     ZOID_CHECK_FAILED);
    message_has("alive at (5, 3, 6) is 1 (01) instead of 0 (00)");
}
END_TEST

/* Would fail if the reference had other boundaries than the run. */
START_TEST(boundaries_are_the_problems)
{
    struct zoid_problem problem = problem_of(ZOID_F32, 3);
    struct zoid_initial initial = {.problem = &problem, .seed = 5};

    memset(problem.face, ZOID_NEUMANN, sizeof problem.face);
    ck_assert_int_eq(run_and_check(&problem, zoid_initial_box, &initial, &initial), ZOID_OK);
}
END_TEST

/* Invalid problems, and a part of their messages. */
static const struct wrong {
    const char *family;
    int dims, radius;
    unsigned char face[ZOID_AXES][ZOID_SIDES];
    const char *says;
} wrongs[] = {
    {"heat", 3, 1, {{ZOID_SPONGE, ZOID_DIRICHLET}}, "dirichlet, neumann, periodic"},
    {"heat", 3, 1, {{ZOID_PERIODIC, ZOID_NEUMANN}}, "x-=periodic,x+=periodic"},
    {"heat", 2, 1, {{0}, {0}, {ZOID_NEUMANN, ZOID_NEUMANN}}, "along z"},
    {"heat", 3, 1, {{ZOID_BOUNDARIES, 0}}, "no boundary number 8"},
    {"fdtd2d", 2, 1, {{ZOID_NEUMANN, ZOID_NEUMANN}}, "choose from dirichlet"},
};

START_TEST(impossible_boundaries_are_refused)
{
    const struct wrong *w = &wrongs[_i];
    struct zoid_problem problem =
        problem_with(zoid_op_find(w->family, w->dims, w->radius, ZOID_F32), 1);

    for (int a = w->dims; a < ZOID_AXES; a++)
        problem.n[a] = 1;
    ck_assert_int_eq(zoid_problem_check(&problem), ZOID_OK);
    memcpy(problem.face, w->face, sizeof problem.face);
    ck_assert_int_eq(zoid_problem_check(&problem), ZOID_BAD_ARGUMENT);
    message_has(w->says);
}
END_TEST

/* Values of series have no place in bytes. */
START_TEST(bytes_are_not_held)
{
    struct zoid_op op = *zoid_op_find("life3d", 3, 1, ZOID_U8);
    struct zoid_problem problem = problem_with(&op, 1);

    op.held = true;
    ck_assert_int_eq(zoid_problem_check(&problem), ZOID_OK);
    problem.face[0][ZOID_LOW] = ZOID_DRIVEN;
    ck_assert_int_eq(zoid_problem_check(&problem), ZOID_BAD_ARGUMENT);
    message_has("life3d cannot have a held boundary");
}
END_TEST

START_TEST(boxes_are_tried)
{
    struct zoid_op op = *zoid_op_find("fdtd2d", 2, 1, ZOID_F32);
    struct zoid_problem problem = problem_with(&op, 1);

    problem.n[2] = 1;
    ck_assert_int_eq(zoid_problem_check(&problem), ZOID_OK);
    op.stage[0].box[0].leaves.lo[0] = 0;
    ck_assert_int_eq(zoid_problem_check(&problem), ZOID_BAD_ARGUMENT);
    message_has("box 0 of stage 0 of fdtd2d_f32 is larger than the reads of its field allow");
}
END_TEST

START_TEST(spacing_is_checked)
{
    struct zoid_op op = *zoid_op_find("heat", 3, 1, ZOID_F32);
    struct zoid_problem problem = problem_with(&op, 1);

    ck_assert_int_eq(zoid_problem_check(&problem), ZOID_OK);
    memset(problem.params.spacing, 0, sizeof problem.params.spacing);
    ck_assert_int_eq(zoid_problem_check(&problem), ZOID_OK);
    problem.params.spacing[2] = 0.5;
    ck_assert_int_eq(zoid_problem_check(&problem), ZOID_OK);
    problem.params.spacing[2] = 1e-20;
    ck_assert_int_eq(zoid_problem_check(&problem), ZOID_BAD_ARGUMENT);
    message_has("constant 0 of heat is -2e+40 with these parameters and this spacing, which f32");
    problem.params.spacing[2] = -1;
    ck_assert_int_eq(zoid_problem_check(&problem), ZOID_BAD_ARGUMENT);
    message_has("a spacing of -1 along z");
    problem.op = zoid_op_find("box27", 3, 1, ZOID_F32);
    problem.params.spacing[2] = 1;
    ck_assert_int_eq(zoid_problem_check(&problem), ZOID_OK);
    problem.params.spacing[1] = 2;
    ck_assert_int_eq(zoid_problem_check(&problem), ZOID_BAD_ARGUMENT);
    message_has("box27 has no distance of points in its formula");
}
END_TEST

/* The reference needs memory in addition to the run. */
START_TEST(what_does_not_fit_is_refused)
{
    struct zoid_problem problem = problem_of(ZOID_F32, 1);
    struct zoid_context *context = NULL;
    struct zoid_plan plan = {.problem = problem, .home = ZOID_RAM};
    uint64_t available;

    ck_assert_int_eq(zoid_context_open(NULL, &context), ZOID_OK);
    available = zoid_context_machine(context)->ram_available;
    plan.tier[ZOID_RAM].bytes = available - 2 * 210 * sizeof(float);
    ck_assert_int_eq(zoid_check_fits(context, &plan), ZOID_OK);
    plan.tier[ZOID_RAM].bytes++;
    ck_assert_int_eq(zoid_check_fits(context, &plan), ZOID_DOES_NOT_FIT);
    message_has("drop check");
    plan.tier[ZOID_RAM].bytes = 0;
    plan.problem.n[2] = (long)(available / (2 * 30 * sizeof(float))) + 1;
    ck_assert_int_eq(zoid_check_fits(context, &plan), ZOID_DOES_NOT_FIT);
    zoid_context_close(&context);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, the_same_state_passes, 0, FLOATS);
    tcase_add_loop_test(tests, another_seed_fails, 0, FLOATS);
    tcase_add_loop_test(tests, one_wrong_value_is_found, 0, FLOATS);
    tcase_add_loop_test(tests, the_first_difference_is_named, 0, FLOATS);
    tcase_add_loop_test(tests, fields_are_named_by_their_roles, 0, sizeof roles / sizeof *roles);
    tcase_add_test(tests, bytes_are_shown_as_such);
    tcase_add_test(tests, boundaries_are_the_problems);
    tcase_add_loop_test(tests, impossible_boundaries_are_refused, 0,
                        sizeof wrongs / sizeof *wrongs);
    tcase_add_test(tests, bytes_are_not_held);
    tcase_add_test(tests, boxes_are_tried);
    tcase_add_test(tests, spacing_is_checked);
    tcase_add_test(tests, what_does_not_fit_is_refused);
}

int main(void)
{
    return run_suite("check", 60, add);
}
