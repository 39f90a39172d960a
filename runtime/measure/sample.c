/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/measure/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double zoid_sample_median(double *values, long n)
{
    qsort(values, (size_t)n, sizeof *values, by_value);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

double zoid_sample_spread(double *values, long n)
{
    double median = zoid_sample_median(values, n);

    return (values[n - 1] - values[0]) / median;
}

void zoid_sample_size(const struct zoid_op *op, double bytes, long *size)
{
    double plane = (double)zoid_type_size(op->type);

    for (int a = 0; a < op->dims - 1; a++) {
        size[a] = 1L << (ilogb(bytes) / op->dims);
        plane *= (double)size[a];
    }
    size[op->dims - 1] = (long)(bytes / plane);
}

double zoid_sample_points(const struct zoid_problem *problem)
{
    double points = (double)problem->steps;

    for (int a = 0; a < ZOID_AXES; a++)
        points *= (double)problem->n[a];
    return points;
}

struct pattern {
    const struct zoid_problem *problem;
    char *planes; /* first plane of every field */
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
            /* In 1-D a plane is a point. */
            for (long x = 0; dims == 1 && x < width; x++)
                memcpy(row + (size_t)x * size, from, size);
        }
}

enum zoid_status zoid_sample_fill(struct zoid_job *job, const struct zoid_problem *problem)
{
    struct zoid_initial initial = {.problem = problem};
    const struct zoid_box plane = zoid_problem_planes(problem, 0, 1);
    struct pattern pattern = {.problem = problem};
    const size_t bytes = pattern_bytes(&pattern);
    int fields = problem->op->nstate + problem->op->ncoef;
    enum zoid_status status;

    pattern.planes = malloc((size_t)fields * bytes);
    if (!pattern.planes)
        return zoid_no_memory();
    for (int f = 0; f < fields; f++) {
        const struct zoid_values to =
            zoid_values_packed(&plane, pattern.planes + (size_t)f * bytes);

        zoid_initial_box(&initial, f, &plane, &to);
    }
    status = zoid_job_fill(job, repeat, &pattern);
    free(pattern.planes);
    return status;
}
