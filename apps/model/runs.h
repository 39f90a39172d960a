/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of ranks, as their reports describe them. */
#ifndef ZOID_APPS_MODEL_RUNS_H
#define ZOID_APPS_MODEL_RUNS_H

#include "runtime/zoid_advanced.h"

struct zoid_method;

/* A run, and the method that its blocks are cut by. */
struct zoid_model_run {
    const char *file; /* owned by the list */
    const struct zoid_op *op;
    const struct zoid_method *method;
    long n[ZOID_AXES], ranks[ZOID_AXES], cells[ZOID_AXES];
    long steps, block, depth, epoch;
    bool joined;
    int cpu, cuda; /* workers of a rank */
    double seconds;
    double h2d, d2h;      /* bytes of all ranks */
    double block_seconds; /* of a rank, on average; NaN: not known */
    double redundant;     /* points computed, over those of the domain */
};

struct zoid_model_runs {
    size_t n;
    struct zoid_model_run *run;
    char *names; /* of the files */
};

/* Read the reports of a list of files that are separated by commas. The caller frees the runs, also
 * after a failure. ZOID_RESOURCE: a file cannot be read, or is no report. ZOID_BAD_ARGUMENT: a
 * report of one rank, of several places, or of an operator that this build does not have. */
enum zoid_status zoid_model_read(const char *files, struct zoid_model_runs *runs);
void zoid_model_free(struct zoid_model_runs *runs);

/* Return the number of ranks. */
long zoid_model_ranks(const struct zoid_model_run *run);
/* Return whether two runs differ in their epochs and blocks only. */
bool zoid_model_alike(const struct zoid_model_run *a, const struct zoid_model_run *b);
/* Return the widest halo of a step, and the longest epoch that parts of the domain allow. */
long zoid_model_reach(const struct zoid_model_run *run);
long zoid_model_most(const struct zoid_model_run *run);

#endif
