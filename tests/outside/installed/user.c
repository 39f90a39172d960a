/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of a user: runs an operator, its own with OWN, and says whether it was right. */
#include <stdio.h>

#include <zoid/runtime/zoid.h>

/* The table that zoid_add_operators makes. */
const struct zoid_op *user_op(size_t i);

static const struct zoid_op *find(void)
{
#ifdef OWN
    return user_op(0);
#else
    return zoid_op_find("heat", 1, 1, ZOID_F32);
#endif
}

static enum zoid_status run(struct zoid_context *context, const struct zoid_op *op)
{
    const struct zoid_problem problem = {
        .op = op, .n = {100, 1, 1}, .steps = 9, .params = zoid_op_defaults(op)};
    const struct zoid_request request = {.method = "leaning", .block = 9, .depth = 4};
    struct zoid_initial initial = {.problem = &problem, .seed = 5};
    struct zoid_report report = {.seed = 5};
    struct zoid_job *job = NULL;
    struct zoid_plan plan;
    enum zoid_status status = zoid_plan_make(context, &problem, &request, &plan);

    if (!status)
        status = zoid_job_create(context, &plan, &job);
    if (!status)
        status = zoid_job_fill(job, zoid_initial_box, &initial);
    if (!status)
        status = zoid_job_run(job, false, &report);
    if (!status)
        status = zoid_check(job, &initial);
    zoid_job_destroy(&job);
    return status;
}

int main(void)
{
    struct zoid_context *context = NULL;
    const struct zoid_op *op = find();
    enum zoid_status status = zoid_context_open(NULL, &context);

    if (!status)
        status = run(context, op);
    printf("%s: %s\n", op->name, status ? zoid_error() : "right");
    zoid_context_close(&context);
    return status;
}
