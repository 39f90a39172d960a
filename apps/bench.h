/* SPDX-License-Identifier: BSD-3-Clause */
/* What the measurements of zoid-bench share. */
#ifndef ZOID_APPS_BENCH_H
#define ZOID_APPS_BENCH_H

#include "apps/options.h"

struct zoid_bench {
    struct zoid_options options; /* first: the common tables store into it */
    int what;
    long rounds;
};

/* The measurements; each prints `key value` a line. */
enum zoid_status zoid_bench_chain(const struct zoid_bench *bench);
enum zoid_status zoid_bench_run(const struct zoid_bench *bench);
enum zoid_status zoid_bench_kernels(const struct zoid_bench *bench);
enum zoid_status zoid_bench_graph(const struct zoid_bench *bench);

/* Sorts the values. */
double zoid_bench_median(double *values, long n);
/* How far the values lie apart, as a fraction of their median; sorts them too. */
double zoid_bench_spread(double *values, long n);
/* The problem that the options name. */
enum zoid_status zoid_bench_problem(const struct zoid_bench *bench, struct zoid_problem *problem);
/* Starts StarPU and plans that problem. The caller closes the context after a failure as well. */
enum zoid_status zoid_bench_plan(const struct zoid_bench *bench, struct zoid_context **context,
                                 struct zoid_plan *plan);
/* Points of the domain times steps. */
double zoid_bench_points(const struct zoid_problem *problem);
/* Fills a job with one random plane over and over: to the machine it is like any other state, and
 * it is made at the speed of memory. */
enum zoid_status zoid_bench_fill(struct zoid_job *job, const struct zoid_problem *problem);

#endif
