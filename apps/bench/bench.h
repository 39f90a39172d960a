/* SPDX-License-Identifier: BSD-3-Clause */
/* Interface of the measurements of zoid-bench. */
#ifndef ZOID_APPS_BENCH_BENCH_H
#define ZOID_APPS_BENCH_BENCH_H

#include <jansson.h>

#include "runtime/measure/sample.h"
#include "runtime/session/settings.h"

enum zoid_bench_device { ZOID_BENCH_CPU, ZOID_BENCH_GPU, ZOID_BENCH_DEVICES };

struct zoid_bench {
    struct zoid_settings settings;
    int what;
    long rounds;
    long draw; /* planner, tiles: number of random problems or layouts (settings.seed); 0: usual */
    enum zoid_bench_device device; /* ZOID_BENCH_DEVICES: every device of the machine */
    bool has_device;
    const char *nests; /* loops: a file or a folder; NULL: those of Zoid */
    double scale;      /* loops: of their usual points and steps */
    bool has_scale;
    const char *pluto; /* loops: polycc of PLUTO, or NULL */
    const char *csv, *json;
};

/* The measurements. Each prints one `key value` per line, or a table if it makes rows. */
enum zoid_status zoid_bench_chain(const struct zoid_bench *bench);
enum zoid_status zoid_bench_run(const struct zoid_bench *bench);
enum zoid_status zoid_bench_kernels(const struct zoid_bench *bench);
enum zoid_status zoid_bench_plain(const struct zoid_bench *bench);
enum zoid_status zoid_bench_graph(const struct zoid_bench *bench);
enum zoid_status zoid_bench_planner(const struct zoid_bench *bench);
enum zoid_status zoid_bench_tiles(const struct zoid_bench *bench);
enum zoid_status zoid_bench_loops(const struct zoid_bench *bench);
/* Collective, on at least two ranks. */
enum zoid_status zoid_bench_messages(const struct zoid_bench *bench);

/* Make the problem of the options. */
enum zoid_status zoid_bench_problem(const struct zoid_bench *bench, struct zoid_problem *problem);
/* Open a context and plan that problem. The caller closes *context, also after a failure.
 * Collective. */
enum zoid_status zoid_bench_plan(const struct zoid_bench *bench, struct zoid_context **context,
                                 struct zoid_plan *plan);
/* Describe the machine with its GPUs, by a context that is closed again. */
enum zoid_status zoid_bench_machine(struct zoid_machine *machine);
/* Return true if the options choose a method, or how it cuts the run into blocks. */
bool zoid_bench_cuts(const struct zoid_bench *bench);
/* Return the next operator variant, from *i on, that the options select; NULL: no more. */
const struct zoid_op *zoid_bench_next(const struct zoid_bench *bench, size_t *i);
/* Fail because zoid_bench_next finds no variant. ZOID_BAD_ARGUMENT. */
enum zoid_status zoid_bench_none(const struct zoid_bench *bench);
/* Make the problem of such a variant: with the size and steps of the options, or else with fields
 * of at least `bytes` bytes, and `steps` steps. */
enum zoid_status zoid_bench_variant(const struct zoid_bench *bench, const struct zoid_op *op,
                                    double bytes, long steps, struct zoid_problem *problem);

/* The files of --csv and --json. Rows are flat objects with the same keys; the CSV file has keys
 * and values, the JSON file the machine and the rows. */
struct zoid_bench_files;
/* Open the files before the measurement. ZOID_RESOURCE: one cannot be written, or out of memory. */
enum zoid_status zoid_bench_files_open(const struct zoid_bench *bench,
                                       struct zoid_bench_files **files);
/* Append a row and take ownership of it. ZOID_RESOURCE: `row` is NULL, which stands for a failed
 * allocation, or out of memory. */
enum zoid_status zoid_bench_files_add(struct zoid_bench_files *files, json_t *row);
enum zoid_status zoid_bench_files_commit(struct zoid_bench_files **files,
                                         const struct zoid_machine *machine);
/* Discard files that are not committed. Accepts NULL in *files. */
void zoid_bench_files_discard(struct zoid_bench_files **files);
/* Return a new row with the keys that all rows have: operator and domain. NULL: out of memory. */
json_t *zoid_bench_row(const struct zoid_problem *problem);
/* Set a number of a row; null if it is not finite. */
void zoid_bench_put(json_t *row, const char *key, double value);

#endif
