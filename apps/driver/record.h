/* SPDX-License-Identifier: BSD-3-Clause */
/* What the receivers of a run have seen, of every step a row, and what becomes of it. A run that
 * goes on from a checkpoint has the rows of the steps before from there. */
#ifndef ZOID_APPS_DRIVER_RECORD_H
#define ZOID_APPS_DRIVER_RECORD_H

#include "runtime/io/output.h"
#include "runtime/session/output/dump.h"

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
/* Opens a file for it: .npy, or by its ending .h5, .hdf5, .sgy or .segy. ZOID_RESOURCE: it cannot
 * be written, or not by this build. ZOID_BAD_ARGUMENT: it is to be HDF5 and is no regular file, or
 * SEG-Y, which has no space for so many steps. */
enum zoid_status zoid_record_open(const char *path, const struct zoid_problem *problem,
                                  struct zoid_output **file);
/* Writes it, and puts the file into its place. Of several ranks all call it, and *file is NULL on
 * all but the one that writes; it is NULL afterwards in any case. ZOID_CHECK_FAILED: that was done,
 * and in the end a receiver sees what is no number. */
enum zoid_status zoid_record_write(const struct zoid_record *record, const char *path,
                                   const struct zoid_dump_units *units, struct zoid_output **file);
/* All rows up to now, for a checkpoint, on all ranks the same: so many numbers, which are the
 * caller's; none without receivers. */
enum zoid_status zoid_record_rows(const struct zoid_record *record, long *numbers, double **seen);

#endif
