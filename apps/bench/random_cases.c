/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/bench/random_cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/session/problem.h"

/* Range of the bytes of all fields together, and of steps. */
static const double least_bytes = 1 << 24, most_bytes = 1 << 29;
static const double least_steps = 16, most_steps = 128;

struct zoid_random_cases zoid_random_cases_of(uint64_t seed)
{
    struct zoid_random_cases cases = {.state = {(unsigned short)seed, (unsigned short)(seed >> 16),
                                                (unsigned short)(seed >> 32)}};

    /* The first numbers of similar seeds are similar. */
    for (int i = 0; i < 16; i++)
        erand48(cases.state);
    return cases;
}

static long below(struct zoid_random_cases *cases, long n)
{
    return (long)(erand48(cases->state) * (double)n);
}

/* Draws a number between two bounds, log-uniformly. */
static double between(struct zoid_random_cases *cases, double least, double most)
{
    return least * pow(most / least, erand48(cases->state));
}

/* Returns the number of variants of a family that the options select; *found is the nth of them, if
 * it exists. */
static long variants(const struct zoid_bench *bench, const char *family, long nth,
                     const struct zoid_op **found)
{
    const struct zoid_op *op;
    long n = 0;

    for (size_t i = 0; (op = zoid_bench_next(bench, &i));)
        if (!strcmp(op->family, family) && n++ == nth)
            *found = op;
    return n;
}

/* The same for families. */
static long families(const struct zoid_bench *bench, long nth, const char **found)
{
    const struct zoid_op *op;
    const char *last = "";
    long n = 0;

    for (size_t i = 0; (op = zoid_bench_next(bench, &i)); last = op->family)
        if (strcmp(op->family, last) != 0 && n++ == nth)
            *found = op->family;
    return n;
}

/* Draws a size: sides differ by up to a factor of two; the last one results from the number of
 * points. */
static void draw_size(struct zoid_random_cases *cases, const struct zoid_op *op, double points,
                      long *size)
{
    const double side = pow(points, 1.0 / op->dims);

    for (int a = 0; a < op->dims - 1; a++) {
        size[a] = lrint(between(cases, side / sqrt(2), side * sqrt(2)));
        points /= (double)size[a];
    }
    size[op->dims - 1] = lrint(points);
}

enum zoid_status zoid_random_case(struct zoid_random_cases *cases, const struct zoid_bench *bench,
                                  double larger, struct zoid_problem *problem)
{
    struct zoid_settings o = bench->settings; /* owns nothing */
    const struct zoid_op *op = NULL, *unused;
    const char *family = NULL;

    families(bench, below(cases, families(bench, -1, &family)), &family);
    variants(bench, family, below(cases, variants(bench, family, -1, &unused)), &op);
    o.dims = op->dims;
    o.radius = op->radius;
    o.type = (int)op->type;
    o.has_type = true;
    o.size.axes = op->dims;
    draw_size(cases, op,
              larger * between(cases, least_bytes, most_bytes) /
                  ((double)zoid_type_size(op->type) * (op->nstate + op->ncoef)),
              o.size.n);
    if (!o.has_steps)
        o.steps = lrint(between(cases, least_steps, most_steps));
    return zoid_problem_make(op->family, &o, problem);
}
