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
    const struct zoid_problem *problem;
    char *planes; /* the first one of every field */
};

static size_t pattern_bytes(const struct pattern *p)
{
    const struct zoid_box plane = zoid_problem_planes(p->problem, 0, 1);

    return (size_t)zoid_box_volume(&plane) * zoid_type_size(p->problem->op->type);
}

static void repeat(void *pattern, int field, const struct zoid_box *box,
                   const struct zoid_values *to)
{
    const struct pattern *p = pattern;
    const struct zoid_box plane = zoid_problem_planes(p->problem, 0, 1);
    const size_t size = zoid_type_size(p->problem->op->type);
    const struct zoid_values all =
        zoid_values_packed(&plane, p->planes + (size_t)field * pattern_bytes(p));
    const int dims = p->problem->op->dims;
    const long width = box->hi[0] - box->lo[0];

    for (long z = box->lo[2]; z < box->hi[2]; z++)
        for (long y = box->lo[1]; y < box->hi[1]; y++) {
            const char *from = zoid_values_row(&all, size, dims > 2 ? y : 0, 0);
            char *row = zoid_values_row(to, size, y - box->lo[1], z - box->lo[2]);

            if (dims > 1)
                memcpy(row, from + (size_t)box->lo[0] * size, (size_t)width * size);
            /* A plane of a line is a point. */
            for (long x = 0; dims == 1 && x < width; x++)
                memcpy(row + (size_t)x * size, from, size);
        }
}

enum zoid_status zoid_bench_fill(struct zoid_job *job, const struct zoid_problem *problem)
{
    struct zoid_initial initial = {.problem = problem};
    const struct zoid_box plane = zoid_problem_planes(problem, 0, 1);
    struct pattern pattern = {.problem = problem};
    const size_t bytes = pattern_bytes(&pattern);
    int fields = problem->op->nstate + problem->op->ncoef;
    enum zoid_status status;

    pattern.planes = malloc((size_t)fields * bytes);
    if (!pattern.planes)
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    for (int f = 0; f < fields; f++) {
        const struct zoid_values to =
            zoid_values_packed(&plane, pattern.planes + (size_t)f * bytes);

        zoid_initial_box(&initial, f, &plane, &to);
    }
    status = zoid_job_fill(job, repeat, &pattern);
    free(pattern.planes);
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
