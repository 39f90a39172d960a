/* SPDX-License-Identifier: BSD-3-Clause */
/* A program's run as a library, for other languages: functions that take and give numbers, texts
 * and addresses, and no structs. What can be asked for is what the programs' options say.
 *
 * Statuses are those of runtime/zoid.h; zoid_simple_error() has the line of the calling thread's
 * last failure. Where nothing else is said, one thread at a time uses a run; there is one that is
 * open at a time. The library prints nothing, but for lines on standard error about the machine's
 * rates. */
#ifndef ZOID_APPS_SIMPLE_SIMPLE_H
#define ZOID_APPS_SIMPLE_SIMPLE_H

#include <stdbool.h>
#include <stddef.h>

/* Which functions these are: another number, other functions. */
int zoid_simple_face(void);
const char *zoid_simple_version(void);
const char *zoid_simple_error(void);
/* The key of the first setting that it names; "": none. */
const char *zoid_simple_error_key(void);

/* The operators of this build as a JSON array of objects, one a variant: operator, dims, radius,
 * type, fields, coefficients, boundaries, params (of each name its default, and a summary), points
 * (whether it can have sources and receivers). It stays. NULL: there is no memory. */
const char *zoid_simple_operators(void);

/* All settings and parameters of operators as a JSON array of objects (zoid_settings_json). It
 * stays. NULL: there is no memory. */
const char *zoid_simple_settings(void);

struct zoid_simple;

/* A run of which nothing is known yet. */
int zoid_simple_new(struct zoid_simple **run);
/* Lends an array, which options may then name where they take a file of a field. The type is as
 * NumPy calls it; the slowest axis comes first, strides are in bytes. The values are read before
 * zoid_simple_open returns, and where a run is checked, also then: they stay, and stay as they are,
 * and so does the name.
 */
int zoid_simple_lend(struct zoid_simple *run, const char *name, const char *type, int axes,
                     const long *n, const long *stride, const void *at);
/* Does all that comes before the first step. argv[1] up to argv[argc - 1] are options as of
 * zoid-run; all texts stay until the run is closed. With `again` the run may be advanced more than
 * once. After a failure nothing is left but to close it. ZOID_RESOURCE: another run is open. */
int zoid_simple_open(struct zoid_simple *run, int argc, char **argv, bool again);
/* Goes so many steps on, at most to --steps, which counts from time 0. ZOID_STOPPED: it did fewer,
 * since it was to stop, or --walltime said so; the state is of one time all the same. */
int zoid_simple_advance(struct zoid_simple *run, long steps);
/* Of the steps that it was last advanced by, the part that is done, from 0 to 1. From any thread
 * while the run is open. */
double zoid_simple_done(const struct zoid_simple *run);
/* Ends zoid_simple_advance soon, or the next one at once. From any thread while the run is open. */
void zoid_simple_stop(struct zoid_simple *run);
/* Leaves what options have asked for: a check, a dump, a record, a report. Once, when the state is
 * the final one. ZOID_CHECK_FAILED: the rest is left all the same. */
int zoid_simple_finish(struct zoid_simple *run);
/* Releases everything; accepts NULL in *run. A trace is drawn here. */
int zoid_simple_close(struct zoid_simple **run);
/* Before a process of several ends. */
void zoid_simple_end(void);

/* ---- what there is of an open run -------------------------------------------------------- */

/* As JSON: operator, dims, radius, type, fields, coefficients, size (x first), params, start (the
 * step that it begins with), steps (that it ends with), receivers (how many). Texts stay
 * until the next call, or until the run is closed; NULL: there is no memory. */
const char *zoid_simple_about(struct zoid_simple *run);
/* The plan, as --plan prints it, and what has been done, as --report writes it. */
const char *zoid_simple_plan(struct zoid_simple *run);
const char *zoid_simple_report(struct zoid_simple *run);
/* Steps from time 0 to the state as it is now. */
long zoid_simple_steps(const struct zoid_simple *run);
/* All values of a field of the state, one after the other, x fastest. */
int zoid_simple_read(const struct zoid_simple *run, int field, void *to);
/* What the receivers have seen: a number for each, of every step from zoid_simple_recorded on. */
long zoid_simple_recorded(const struct zoid_simple *run);
int zoid_simple_record(const struct zoid_simple *run, double *to);

#endif
