/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/bench/bench.h"

#include <string.h>

#include "apps/driver/family.h"
#include "apps/driver/problem.h"
#include "runtime/ranks/ranks.h"

/* Completes size and steps, for measurements of one problem. */
static struct zoid_options with_defaults(const struct zoid_bench *bench)
{
    struct zoid_options o = bench->options;

    if (o.axes == 0)
        o.axes = o.settings->size.axes;
    o.steps = o.steps < 0 ? o.settings->steps : o.steps;
    return o;
}

enum zoid_status zoid_bench_problem(const struct zoid_bench *bench, struct zoid_problem *problem)
{
    const struct zoid_options o = with_defaults(bench);

    return zoid_problem_make(o.family ? o.family : zoid_families()[0], &o, problem);
}

enum zoid_status zoid_bench_plan(const struct zoid_bench *bench, struct zoid_context **context,
                                 struct zoid_plan *plan)
{
    const struct zoid_options *o = &bench->options;
    const struct zoid_context_options wanted = zoid_options_context(o);
    const struct zoid_request request = zoid_options_request(o);
    struct zoid_problem problem;
    enum zoid_status status = zoid_ranks_agree(zoid_bench_problem(bench, &problem));

    if (!status)
        status = zoid_context_open(&wanted, context);
    return status ? status : zoid_plan_make(*context, &problem, &request, plan);
}

/* ---- the table's variants ---------------------------------------------------------------- */

static bool wanted(const struct zoid_options *o, const struct zoid_op *op)
{
    const long dims = zoid_problem_dims(o);

    return (!o->family || !strcmp(o->family, op->family)) && (!dims || dims == op->dims) &&
           (!o->radius || o->radius == op->radius) &&
           (o->type == ZOID_TYPES || o->type == op->type);
}

const struct zoid_op *zoid_bench_next(const struct zoid_bench *bench, size_t *i)
{
    const struct zoid_op *op;

    while ((op = zoid_op_at((*i)++)) && !wanted(&bench->options, op))
        ;
    return op;
}

enum zoid_status zoid_bench_none(const struct zoid_bench *bench)
{
    const struct zoid_options *o = &bench->options;
    struct zoid_problem unused;

    if (o->family)
        return zoid_bench_problem(bench, &unused);
    return zoid_fail(ZOID_BAD_ARGUMENT, "no operator has these dimensions, this radius and this "
                                        "type at once; zoid-info lists what there is");
}

enum zoid_status zoid_bench_variant(const struct zoid_bench *bench, const struct zoid_op *op,
                                    double bytes, long steps, struct zoid_problem *problem)
{
    struct zoid_options o = bench->options;

    o.dims = op->dims;
    o.radius = op->radius;
    o.type = op->type;
    o.steps = o.steps < 0 ? steps : o.steps;
    if (o.axes == 0) {
        o.axes = op->dims;
        zoid_sample_size(op, bytes, o.size);
    }
    return zoid_problem_make(op->family, &o, problem);
}
