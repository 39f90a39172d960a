/* SPDX-License-Identifier: BSD-3-Clause */
/* What the receivers of a run have seen, of every step a row, and what becomes of it. A run that
 * goes on from a checkpoint has the rows of the steps before from there. */
#ifndef ZOID_APPS_DRIVER_RECORD_H
#define ZOID_APPS_DRIVER_RECORD_H

#include "runtime/zoid.h"

struct zoid_record {
    const struct zoid_job *job;
    const struct zoid_problem *problem;
    /* Rows of the steps from `first` to before problem->start, or NULL, where that is the first. */
    long first;
    const double *before;
};

/* The record of a problem that begins with rows of a checkpoint, of which there are so many numbers
 * in all. ZOID_BAD_ARGUMENT: they are of other receivers. */
enum zoid_status zoid_record_begin_with(const struct zoid_problem *problem, const double *seen,
                                        long numbers, struct zoid_record *record);
/* Writes it. Of several ranks all call it, and `out` is NULL on all but the one that writes. `path`
 * is for messages. */
enum zoid_status zoid_record_write(const struct zoid_record *record, const char *path, FILE *out);
/* All rows up to now, for a checkpoint, on all ranks the same: so many numbers, which are the
 * caller's; none without receivers. */
enum zoid_status zoid_record_rows(const struct zoid_record *record, long *numbers, double **seen);

#endif
