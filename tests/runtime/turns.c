/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/runtime/turns.h"

#include <stdlib.h>
#include <string.h>

#include "tests/runtime/context.h"

enum { SEED = 5 };

/* Large enough for several slabs on a disk, of which few fit into the least main memory. */
static const long size[ZOID_AXES] = {96, 3000, 1};

/* Named, since the planner's search would take most of the test's time. */
static const struct zoid_request requests[TURN_KINDS] = {
    {.method = "leaning", .block = 100, .depth = 5},
    {.method = "trapezoid", .block = 150, .depth = 4},
    {.method = "recursive", .block = 60, .depth = 6}};

static void add_points(struct turn *t, int kind)
{
    t->source = (struct zoid_source){
        .at = {20.5 + 9 * kind, 1200.25 - 300 * kind}, .samples = TURN_STEPS, .series = t->series};
    t->receiver[0] = (struct zoid_receiver){.at = {30, 1190}};
    t->receiver[1] = (struct zoid_receiver){.at = {50.5, 100.5}};
    for (int i = 0; i < TURN_STEPS; i++)
        t->series[i] = (i * (7 + kind)) % 11 - 5;
    t->points = (struct zoid_points){
        .sources = 1, .source = &t->source, .receivers = 2, .receiver = t->receiver};
    t->problem.points = &t->points;
}

void turn_describe(struct turn *t, int kind)
{
    const struct zoid_op *op = zoid_op_find(kind ? "wave" : "heat", 2, 1, ZOID_F32);

    ck_assert_ptr_nonnull(op);
    *t = (struct turn){.problem = {.op = op, .steps = TURN_STEPS, .params = zoid_op_defaults(op)},
                       .initial = {.problem = &t->problem,
                                   .kind = ZOID_INIT_RANDOM,
                                   .seed = SEED + (uint64_t)kind},
                       .request = requests[kind]};
    t->request.again = true;
    t->request.budget[ZOID_RAM] = 64 << 20;
    memcpy(t->problem.n, size, sizeof t->problem.n);
    if (kind)
        add_points(t, kind);
}

/* In MiB, asked for once, since that takes as long as a run. */
static uint64_t least(const struct zoid_context *context, const struct turn *t)
{
    static uint64_t mib[TURN_KINDS];
    const size_t kind = t->initial.seed - SEED;
    struct zoid_request request = t->request;
    struct zoid_plan plan;

    request.budget[ZOID_RAM] = 1;
    if (!mib[kind]) {
        ck_assert_int_eq(zoid_plan_make(context, &t->problem, &request, &plan), ZOID_DOES_NOT_FIT);
        mib[kind] = named_mib();
    }
    return mib[kind];
}

void turn_to_disk(const struct zoid_context *context, struct turn *t, const char *folder)
{
    t->to_disk = true;
    t->request.folder[ZOID_DISK] = folder;
    t->request.budget[ZOID_RAM] = least(context, t) << 20;
}

void turn_make(struct zoid_context *context, struct turn *t)
{
    struct zoid_plan plan;

    ck_assert_msg(!zoid_plan_make(context, &t->problem, &t->request, &plan), "%s", zoid_error());
    /* Beside a GPU's memory a state may need no more main memory than slabs on their way from a
     * disk. */
    ck_assert(plan.home == (t->to_disk ? ZOID_DISK : ZOID_RAM) ||
              (plan.home == ZOID_RAM && plan.place.kind == ZOID_GPUS));
    if (plan.home == ZOID_DISK)
        ck_assert_str_eq(plan.folder,
                         t->request.folder[ZOID_DISK] ? t->request.folder[ZOID_DISK] : ".");
    t->on_disk = plan.home == ZOID_DISK ? plan.tier[ZOID_DISK].bytes : 0;
    ck_assert_msg(!zoid_job_create(context, &plan, &t->job), "%s", zoid_error());
    ck_assert_msg(!zoid_job_fill(t->job, zoid_initial_box, &t->initial), "%s", zoid_error());
}

void turn_run(struct turn *t, long steps)
{
    const long before = zoid_job_steps(t->job);
    struct zoid_report report = {.op = NULL};

    ck_assert_msg(!zoid_job_run_steps(t->job, steps, false, &report), "%s", zoid_error());
    ck_assert_int_eq(zoid_job_steps(t->job), before + steps);
}

void turn_check(struct turn *t)
{
    ck_assert_msg(!zoid_check(t->job, &t->initial), "%s after %ld steps: %s", t->problem.op->name,
                  zoid_job_steps(t->job), zoid_error());
}

char *turn_bytes(const struct turn *t, size_t *bytes)
{
    const struct zoid_op *op = t->problem.op;
    const struct zoid_box box = zoid_problem_planes(&t->problem, 0, size[1]);
    const size_t field = (size_t)(size[0] * size[1]) * zoid_op_point_bytes(op);
    const size_t state = (size_t)op->nstate * field, row = 2 * sizeof(double);
    const long rows = t->problem.points ? zoid_job_steps(t->job) + 1 : 0;
    char *all = calloc(1, state + (size_t)rows * row);

    ck_assert_ptr_nonnull(all);
    for (int f = 0; f < op->nstate; f++) {
        const struct zoid_values to = zoid_values_packed(&box, all + (size_t)f * field);

        ck_assert_msg(!zoid_job_read(t->job, f, &box, &to), "%s", zoid_error());
    }
    for (long step = 0; step < rows; step++) {
        double seen[2];

        ck_assert_int_eq(zoid_job_record(t->job, step, seen), ZOID_OK);
        memcpy(all + state + (size_t)step * row, seen, row);
    }
    *bytes = state + (size_t)rows * row;
    return all;
}
