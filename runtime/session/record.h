/* SPDX-License-Identifier: BSD-3-Clause */
/* Record (shot gather) of a run: one row of receiver samples per step. A restarted run takes the
 * rows of earlier steps from its checkpoint. */
#ifndef ZOID_RUNTIME_SESSION_RECORD_H
#define ZOID_RUNTIME_SESSION_RECORD_H

#include "runtime/io/output.h"
#include "runtime/session/output/dump.h"

struct zoid_record {
    const struct zoid_job *job;
    const struct zoid_problem *problem;
    /* Rows of steps [first, problem->start), owned by the checkpoint; NULL if the record begins at
     * problem->start, which is then `first`. */
    long first;
    const double *before;
};

/* Initialise a record with the rows of a checkpoint, `numbers` values in total, which must outlive
 * it. ZOID_BAD_ARGUMENT: the rows do not match the receivers. */
enum zoid_status zoid_record_begin_with(const struct zoid_problem *problem, const double *seen,
                                        long numbers, struct zoid_record *record);
/* Open a file for the record; its suffix selects .npy, HDF5 (.h5, .hdf5) or SEG-Y (.sgy, .segy).
 * ZOID_RESOURCE: it cannot be written, or this build lacks the format. ZOID_BAD_ARGUMENT: HDF5 to
 * other than a regular file, or too many steps for SEG-Y. */
enum zoid_status zoid_record_open(const char *path, const struct zoid_problem *problem,
                                  struct zoid_output **file);
/* Write the record and commit the file. Collective; *file is NULL on all ranks but the one that
 * writes, and NULL everywhere afterwards, also after a failure. ZOID_CHECK_FAILED: the file is
 * complete, but a sample of the last step is not finite. */
enum zoid_status zoid_record_write(const struct zoid_record *record, const char *path,
                                   const struct zoid_dump_units *units, struct zoid_output **file);
/* Copy all rows so far, for a checkpoint; every rank gets the same. Collective. The caller frees
 * *seen; *numbers is its length, 0 without receivers. */
enum zoid_status zoid_record_rows(const struct zoid_record *record, long *numbers, double **seen);

#endif
