/* SPDX-License-Identifier: BSD-3-Clause */
/* A program's run as a library for other languages: functions of numbers, texts and addresses,
 * without structs. Options are those of the programs.
 *
 * int results are the statuses of runtime/zoid.h; zoid_simple_error() returns the message of the
 * calling thread's last failure. Unless stated otherwise a run is not thread-safe; one run is open
 * at a time. The library prints nothing, except for lines on stderr about measured rates,
 * checkpoints that are skipped, and the trace. */
#ifndef ZOID_APPS_SIMPLE_SIMPLE_H
#define ZOID_APPS_SIMPLE_SIMPLE_H

#include <stdbool.h>
#include <stddef.h>

/* Return the version of this interface; it changes if a function does. */
int zoid_simple_face(void);
const char *zoid_simple_version(void);
const char *zoid_simple_error(void);
/* Return the key of the first setting that the message names, or "". */
const char *zoid_simple_error_key(void);

/* Return the operators of this build as a JSON array with one object per variant: operator, dims,
 * radius, type, fields, coefficients, boundaries, params (default and summary by name), points
 * (true if it can have sources and receivers). The text is static. NULL: out of memory. */
const char *zoid_simple_operators(void);

/* Return all settings and operator parameters as a JSON array of objects (zoid_settings_json). The
 * text is static. NULL: out of memory. */
const char *zoid_simple_settings(void);

struct zoid_simple;

/* Create a run without options. The caller releases it with zoid_simple_close. */
int zoid_simple_new(struct zoid_simple **run);
/* Register an array that options can name in place of a field's file. The type is spelt as in
 * NumPy; axes are ordered slowest first, strides are in bytes. The array and its name stay the
 * caller's and must outlive the run. The values are read before zoid_simple_open returns, and again
 * by a check or a checkpoint of coefficients, so they may not change. ZOID_RESOURCE: out of memory.
 */
int zoid_simple_lend(struct zoid_simple *run, const char *name, const char *type, int axes,
                     const long *n, const long *stride, const void *at);
/* Prepare the run up to its first step. argv[1] to argv[argc - 1] are options of zoid-run; their
 * texts must outlive the run. With `again` the run may advance more than once. After a failure the
 * run can only be closed. ZOID_RESOURCE: another run is open. */
int zoid_simple_open(struct zoid_simple *run, int argc, char **argv, bool again);
/* Advance by `steps`, at most up to --steps, which counts from time 0. ZOID_STOPPED: fewer steps
 * were done, because of zoid_simple_stop or --walltime; the state is still that of one time.
 * ZOID_BAD_ARGUMENT: too many steps. */
int zoid_simple_advance(struct zoid_simple *run, long steps);
/* Return the completed fraction of the last zoid_simple_advance, from 0 to 1. Thread-safe while the
 * run is open. */
double zoid_simple_done(const struct zoid_simple *run);
/* Make zoid_simple_advance end early, or the next call at once. Thread-safe while the run is open.
 */
void zoid_simple_stop(struct zoid_simple *run);
/* Make the results that options request: check, dump, record, report. Call once, with the final
 * state. ZOID_CHECK_FAILED: the check failed or a value is not finite; the results are complete
 * nevertheless. */
int zoid_simple_finish(struct zoid_simple *run);
/* Release everything, and draw the trace. Accepts NULL in *run, and sets it to NULL. */
int zoid_simple_close(struct zoid_simple **run);
/* Shut down MPI. Collective; call before a process of several ends. */
void zoid_simple_end(void);

/* ---- description and state of an open run ------------------------------------------------ */

/* Return as JSON: operator, dims, radius, type, fields, coefficients, size (x first), params, start
 * and steps (first and last step), receivers (number). Texts are valid until the next call that
 * returns one, or until the run is closed. NULL: out of memory. */
const char *zoid_simple_about(struct zoid_simple *run);
/* Return the plan in the format of --plan, and the report so far in that of --report. */
const char *zoid_simple_plan(struct zoid_simple *run);
const char *zoid_simple_report(struct zoid_simple *run);
/* Return the number of steps from time 0 to the current state. */
long zoid_simple_steps(const struct zoid_simple *run);
/* Copy all values of a state field to `to`, contiguous, x fastest. */
int zoid_simple_read(const struct zoid_simple *run, int field, void *to);
/* Receiver samples: the first recorded step, and one value per receiver for each step from there to
 * the current one, copied to `to`. */
long zoid_simple_recorded(const struct zoid_simple *run);
int zoid_simple_record(const struct zoid_simple *run, double *to);

#endif
