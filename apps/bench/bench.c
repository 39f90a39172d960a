/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/driver/family.h"
#include "apps/driver/problem.h"

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double zoid_bench_median(double *values, long n)
{
    qsort(values, (size_t)n, sizeof *values, by_value);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

double zoid_bench_spread(double *values, long n)
{
    double median = zoid_bench_median(values, n);

    return (values[n - 1] - values[0]) / median;
}

/* What was not given, for measurements of one problem. */
static struct zoid_options with_defaults(const struct zoid_bench *bench)
{
    struct zoid_options o = bench->options, usual = zoid_options_defaults();

    if (o.axes == 0) {
        o.axes = usual.axes;
        o.size[0] = usual.size[0];
    }
    o.steps = o.steps < 0 ? usual.steps : o.steps;
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
    const struct zoid_context_options wanted = {.gpu_mem = o->gpu_mem, .disk = o->disk};
    const struct zoid_request request = zoid_options_request(o);
    struct zoid_problem problem;
    enum zoid_status status = zoid_bench_problem(bench, &problem);

    if (!status)
        status = zoid_context_open(&wanted, context);
    return status ? status : zoid_plan_make(*context, &problem, &request, plan);
}

double zoid_bench_points(const struct zoid_problem *problem)
{
    double points = (double)problem->steps;

    for (int a = 0; a < ZOID_AXES; a++)
        points *= (double)problem->n[a];
    return points;
}

struct pattern {
    size_t bytes;
    char *plane; /* of every field */
};

static void repeat(void *pattern, int field, long z, void *plane)
{
    const struct pattern *p = pattern;

    (void)z;
    memcpy(plane, p->plane + (size_t)field * p->bytes, p->bytes);
}

enum zoid_status zoid_bench_fill(struct zoid_job *job, const struct zoid_problem *problem)
{
    struct zoid_initial initial = {.problem = problem};
    struct pattern pattern = {.bytes = zoid_type_size(problem->op->type)};
    int fields = problem->op->nstate + problem->op->ncoef;
    enum zoid_status status;

    for (int a = 0; a < problem->op->dims - 1; a++)
        pattern.bytes *= (size_t)problem->n[a];
    pattern.plane = malloc((size_t)fields * pattern.bytes);
    if (!pattern.plane)
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    for (int f = 0; f < fields; f++)
        zoid_initial_plane(&initial, f, 0, pattern.plane + (size_t)f * pattern.bytes);
    status = zoid_job_fill(job, repeat, &pattern);
    free(pattern.plane);
    return status;
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

/* Planes of the largest square that leaves as many of them as it is wide if values were bytes, a
 * power of two; and as many planes as fill the bytes: 1024 x 1024 x 256 values of 4 bytes in a GiB. */
static void spread_out(const struct zoid_op *op, double bytes, struct zoid_options *o)
{
    double plane = (double)zoid_type_size(op->type);

    for (int a = 0; a < op->dims - 1; a++) {
        o->size[a] = 1L << (ilogb(bytes) / op->dims);
        plane *= (double)o->size[a];
    }
    o->axes = op->dims;
    o->size[op->dims - 1] = (long)(bytes / plane);
}

enum zoid_status zoid_bench_variant(const struct zoid_bench *bench, const struct zoid_op *op,
                                    double bytes, long steps, struct zoid_problem *problem)
{
    struct zoid_options o = bench->options;

    o.dims = op->dims;
    o.radius = op->radius;
    o.type = op->type;
    o.steps = o.steps < 0 ? steps : o.steps;
    if (o.axes == 0)
        spread_out(op, bytes, &o);
    return zoid_problem_make(op->family, &o, problem);
}
