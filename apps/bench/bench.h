/* SPDX-License-Identifier: BSD-3-Clause */
/* What the measurements of zoid-bench share. */
#ifndef ZOID_APPS_BENCH_BENCH_H
#define ZOID_APPS_BENCH_BENCH_H

#include <jansson.h>

#include "apps/driver/options.h"
#include "runtime/measure/sample.h"

enum zoid_bench_device { ZOID_BENCH_CPU, ZOID_BENCH_GPU, ZOID_BENCH_DEVICES };

struct zoid_bench {
    struct zoid_options options;
    int what;
    long rounds;
    long draw; /* of planner: so many problems, by the options' seed; 0: the usual ones */
    enum zoid_bench_device device; /* ZOID_BENCH_DEVICES: all there are */
    const char *csv, *json;
};

/* The measurements; each prints `key value` a line, but those that make rows a table. */
enum zoid_status zoid_bench_chain(const struct zoid_bench *bench);
enum zoid_status zoid_bench_run(const struct zoid_bench *bench);
enum zoid_status zoid_bench_kernels(const struct zoid_bench *bench);
enum zoid_status zoid_bench_plain(const struct zoid_bench *bench);
enum zoid_status zoid_bench_graph(const struct zoid_bench *bench);
enum zoid_status zoid_bench_planner(const struct zoid_bench *bench);
/* Of several ranks. */
enum zoid_status zoid_bench_messages(const struct zoid_bench *bench);

/* The problem that the options name. */
enum zoid_status zoid_bench_problem(const struct zoid_bench *bench, struct zoid_problem *problem);
/* Starts StarPU and plans that problem. The caller closes the context after a failure as well. */
enum zoid_status zoid_bench_plan(const struct zoid_bench *bench, struct zoid_context **context,
                                 struct zoid_plan *plan);
/* The next variant of the table that the options name, from *i on; NULL after the last. */
const struct zoid_op *zoid_bench_next(const struct zoid_bench *bench, size_t *i);
/* Says of which operators there are none, where zoid_bench_next finds nothing. */
enum zoid_status zoid_bench_none(const struct zoid_bench *bench);
/* The problem of such a variant: of the size that the options name, or with fields of at least
 * `bytes` bytes; `steps` where they say nothing of steps. */
enum zoid_status zoid_bench_variant(const struct zoid_bench *bench, const struct zoid_op *op,
                                    double bytes, long steps, struct zoid_problem *problem);

/* The files that --csv and --json name. Rows are flat objects with the same keys; the
 * CSV file has their keys and values, the JSON file the machine and the rows. */
struct zoid_bench_files;
/* Finds out that they can be written. */
enum zoid_status zoid_bench_files_open(const struct zoid_bench *bench,
                                       struct zoid_bench_files **files);
/* Adds a row, which it takes over; NULL is a row that memory ran out for. */
enum zoid_status zoid_bench_files_add(struct zoid_bench_files *files, json_t *row);
enum zoid_status zoid_bench_files_commit(struct zoid_bench_files **files,
                                         const struct zoid_machine *machine);
/* Accepts NULL in *files. */
void zoid_bench_files_discard(struct zoid_bench_files **files);
/* The keys of every row: which operator, on what domain. */
json_t *zoid_bench_row(const struct zoid_problem *problem);
/* A number of a row; null where it is not known. */
void zoid_bench_put(json_t *row, const char *key, double value);

#endif
