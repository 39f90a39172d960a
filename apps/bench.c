/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/bench.h"

#include <stdlib.h>
#include <string.h>

#include "apps/family.h"
#include "apps/problem.h"

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

enum zoid_status zoid_bench_problem(const struct zoid_bench *bench, struct zoid_problem *problem)
{
    const char *family = bench->options.family;

    return zoid_problem_make(family ? family : zoid_families()[0], &bench->options, problem);
}

enum zoid_status zoid_bench_plan(const struct zoid_bench *bench, struct zoid_context **context,
                                 struct zoid_plan *plan)
{
    const struct zoid_options *o = &bench->options;
    const struct zoid_context_options wanted = {.gpu_mem = o->gpu_mem};
    const struct zoid_request request = {
        .method = o->method, .block = o->block, .depth = o->depth, .ram = o->ram};
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
    void *plane;
};

static void repeat(void *pattern, int field, long z, void *plane)
{
    const struct pattern *p = pattern;

    (void)field, (void)z;
    memcpy(plane, p->plane, p->bytes);
}

enum zoid_status zoid_bench_fill(struct zoid_job *job, const struct zoid_problem *problem)
{
    struct zoid_initial initial = {.problem = problem};
    struct pattern pattern = {.bytes = zoid_type_size(problem->op->type)};
    enum zoid_status status;

    for (int a = 0; a < problem->op->dims - 1; a++)
        pattern.bytes *= (size_t)problem->n[a];
    pattern.plane = malloc(pattern.bytes);
    if (!pattern.plane)
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    zoid_initial_plane(&initial, 0, 0, pattern.plane);
    status = zoid_job_fill(job, repeat, &pattern);
    free(pattern.plane);
    return status;
}
