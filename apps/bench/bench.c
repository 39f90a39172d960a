/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/bench/bench.h"

#include <string.h>

#include "runtime/ranks/ranks.h"
#include "runtime/session/family.h"
#include "runtime/session/problem.h"
#include "runtime/session/request.h"

enum zoid_status zoid_bench_problem(const struct zoid_bench *bench, struct zoid_problem *problem)
{
    const char *family = bench->settings.operator;

    return zoid_problem_make(family ? family : zoid_families()[0], &bench->settings, problem);
}

enum zoid_status zoid_bench_plan(const struct zoid_bench *bench, struct zoid_context **context,
                                 struct zoid_plan *plan)
{
    const struct zoid_settings *o = &bench->settings;
    const struct zoid_context_options wanted = zoid_settings_context(o);
    const struct zoid_request request = zoid_settings_request(o);
    struct zoid_problem problem;
    enum zoid_status status = zoid_ranks_agree(zoid_bench_problem(bench, &problem));

    if (!status)
        status = zoid_context_open(&wanted, context);
    return status ? status : zoid_plan_make(*context, &problem, &request, plan);
}

enum zoid_status zoid_bench_machine(struct zoid_machine *machine)
{
    struct zoid_context *context = NULL;
    enum zoid_status status = zoid_context_open(NULL, &context);

    if (!status)
        *machine = *zoid_context_machine(context);
    zoid_context_close(&context);
    return status;
}

bool zoid_bench_cuts(const struct zoid_bench *bench)
{
    const struct zoid_settings *o = &bench->settings;

    return strcmp(o->method, "auto") || o->block || o->depth || o->leaf || o->has_traversal ||
           o->has_overlap;
}

/* ---- the table's variants ---------------------------------------------------------------- */

static bool wanted(const struct zoid_settings *o, const struct zoid_op *op)
{
    const long dims = zoid_problem_dims(o);

    return (!o->operator|| !strcmp(o->operator, op->family)) && (!dims || dims == op->dims) &&
           (!o->radius || o->radius == op->radius) && (!o->has_type || o->type == (int)op->type);
}

const struct zoid_op *zoid_bench_next(const struct zoid_bench *bench, size_t *i)
{
    const struct zoid_op *op;

    while ((op = zoid_op_at((*i)++)) && !wanted(&bench->settings, op))
        ;
    return op;
}

enum zoid_status zoid_bench_none(const struct zoid_bench *bench)
{
    const struct zoid_settings *o = &bench->settings;
    struct zoid_problem unused;

    if (o->operator)
        return zoid_bench_problem(bench, &unused);
    return zoid_fail(ZOID_BAD_ARGUMENT, "no operator has these dimensions, this radius and this "
                                        "type at once; zoid-info lists what there is");
}

enum zoid_status zoid_bench_variant(const struct zoid_bench *bench, const struct zoid_op *op,
                                    double bytes, long steps, struct zoid_problem *problem)
{
    struct zoid_settings o = bench->settings; /* owns nothing */

    o.dims = op->dims;
    o.radius = op->radius;
    o.type = (int)op->type;
    o.has_type = true;
    o.steps = o.has_steps ? o.steps : steps;
    if (!o.has_size) {
        o.size.axes = op->dims;
        zoid_sample_size(op, bytes, o.size.n);
    }
    return zoid_problem_make(op->family, &o, problem);
}
