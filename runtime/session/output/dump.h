/* SPDX-License-Identifier: BSD-3-Clause */
/* A final state as a file, in the format of its extension: .h5 or .hdf5, a dataset per field; .npy,
 * one array, for several fields with their index as its first axis; any other, the values and
 * nothing else, field after field. x is the fastest axis in all of them. */
#ifndef ZOID_RUNTIME_SESSION_OUTPUT_DUMP_H
#define ZOID_RUNTIME_SESSION_OUTPUT_DUMP_H

#include "runtime/session/output/reader.h"
#include "runtime/zoid_advanced.h"

struct zoid_dump;

/* Open the file before the run. The problem must outlive the dump. ZOID_RESOURCE: the file cannot
 * be written, or not as HDF5 by this build. ZOID_BAD_ARGUMENT: HDF5 needs a regular file. */
enum zoid_status zoid_dump_open(const char *path, const struct zoid_problem *problem,
                                struct zoid_dump **dump);

/* Units of the dumped state, stored in HDF5. */
struct zoid_dump_units {
    double h[ZOID_AXES], dt;
};

struct zoid_h5;
/* Store step, time, units and operator as attributes of a file. */
enum zoid_status zoid_dump_describe(struct zoid_h5 *file, const struct zoid_problem *problem,
                                    long step, const struct zoid_dump_units *units);

/* The state to dump: that of a job, after `step` steps of the problem. */
struct zoid_dump_state {
    const struct zoid_job *job;
    const struct zoid_problem *problem;
    long step;
    struct zoid_reader reader;
};

/* Write the state, and give the file its name. Collective: the first rank has the dump, the others
 * NULL in *dump, where it is NULL afterwards in any case. ZOID_CHECK_FAILED: this was done, and a
 * value is non-finite (finite.h); values in another layout are not checked. */
enum zoid_status zoid_dump_write(const struct zoid_dump_state *state,
                                 const struct zoid_dump_units *units, struct zoid_dump **dump);
/* Drop the file; accepts NULL in *dump. */
void zoid_dump_discard(struct zoid_dump **dump);

#endif
