/* SPDX-License-Identifier: BSD-3-Clause */
/* A final state as a file. Its name's ending says what file: .h5 or .hdf5, a dataset a field; .npy,
 * one array, of several fields with their number as its first axis; any other, values and nothing
 * else, field after field. In all of them x is fastest. */
#ifndef ZOID_RUNTIME_SESSION_OUTPUT_DUMP_H
#define ZOID_RUNTIME_SESSION_OUTPUT_DUMP_H

#include "runtime/zoid.h"

struct zoid_dump;

/* ZOID_RESOURCE: the file cannot be written, or as HDF5 not here. ZOID_BAD_ARGUMENT: it is to be
 * HDF5 and is no regular file. The problem stays as long as the dump is open. */
enum zoid_status zoid_dump_open(const char *path, const struct zoid_problem *problem,
                                struct zoid_dump **dump);

/* Units of what is dumped, which HDF5 carries. */
struct zoid_dump_units {
    double dx, dt;
};

struct zoid_h5;
/* Says in attributes of a file what it is of: step, time, units, operator. */
enum zoid_status zoid_dump_describe(struct zoid_h5 *file, const struct zoid_problem *problem,
                                    long step, const struct zoid_dump_units *units);

/* What is dumped: the state of a job after so many steps of the dump's problem. */
struct zoid_dump_state {
    const struct zoid_job *job;
    const struct zoid_problem *problem;
    long step;
    /* Reads field 0, of a problem that has no other, where the job has it in another shape; or
     * NULL: zoid_job_each. */
    enum zoid_status (*each)(const struct zoid_job *job, zoid_part_fn *part, void *user);
};

/* Writes it, and puts the file in its place. Of several ranks all call it, the first with the dump,
 * the others with NULL in *dump, where it is NULL afterwards in any case. ZOID_CHECK_FAILED: that
 * was done, and a value is no number (finite.h); those that `each` reads are not looked at. */
enum zoid_status zoid_dump_write(const struct zoid_dump_state *state,
                                 const struct zoid_dump_units *units, struct zoid_dump **dump);
/* Forgets the file; accepts NULL in *dump. */
void zoid_dump_discard(struct zoid_dump **dump);

#endif
