/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions: a computation from its settings to its results, for programs in C and other languages.
 *
 * A session is used by one thread at a time, any thread; zoid_session_stop, _progress and _step may
 * be called from any thread while it exists. Functions marked collective are called by all ranks
 * with the same arguments. Failures are those of the calling thread: zoid_error(). The library
 * writes to no stream (zoid_set_log) and installs no signal handler. */
#ifndef ZOID_RUNTIME_ZOID_SESSION_H
#define ZOID_RUNTIME_ZOID_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include "codelets/matrix_rows.h"
#include "runtime/zoid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One computation. States: NEW (accepts settings) -> PLANNED -> READY (has a field state). A call
 * that its state does not allow returns ZOID_BAD_ARGUMENT and has no effect. Before READY a failure
 * leaves the session as it was; in READY any failure except ZOID_STOPPED and ZOID_CHECK_FAILED
 * allows only zoid_session_destroy. */
struct zoid_session;
struct zoid_matrix;
/* Create a session. The time that `walltime` limits begins. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_session_create(struct zoid_session **session);
/* Release everything, and remove unfinished files. Accepts NULL in *session, and sets it to NULL.
 * Collective. */
void zoid_session_destroy(struct zoid_session **session);

/* ---- settings: NEW, and those with the flag `late` in READY --------------------------------- */

/* Set a value by its key (zoid_settings_json, docs/options.md). Copies the value. Type and range
 * are checked at once, combinations by zoid_session_plan. Values of settings with the flag `many`
 * accumulate. set_text accepts the syntax of a command line. ZOID_BAD_ARGUMENT: no such key, or a
 * value that it does not take. */
enum zoid_status zoid_session_set_text(struct zoid_session *session, const char *key,
                                       const char *value);
/* Flags take 0 and 1. */
enum zoid_status zoid_session_set_int(struct zoid_session *session, const char *key, int64_t value);
enum zoid_status zoid_session_set_real(struct zoid_session *session, const char *key, double value);
/* One number for each axis, x first. */
enum zoid_status zoid_session_set_ints(struct zoid_session *session, const char *key, int n,
                                       const int64_t *values);
enum zoid_status zoid_session_unset(struct zoid_session *session, const char *key);
/* Use an array as the value of a setting (field NULL) or of one of its fields. Borrows the memory:
 * it must stay valid and unchanged until zoid_session_start returns; with `check` until
 * zoid_session_finish returns, with `checkpoint_coefficients` until the last checkpoint is written;
 * `init` until the last rewind returns. Waits for the work queued on a GPU that has it.
 * ZOID_BAD_ARGUMENT: the setting takes no array, or that GPU is not there or does not have it.
 * ZOID_RESOURCE: it is in GPU memory, and this build has no CUDA. */
enum zoid_status zoid_session_set_array(struct zoid_session *session, const char *key,
                                        const char *field, const struct zoid_array *array);
/* Return the effective value as text, after zoid_session_plan the planner's choice. Valid until the
 * next call on this session. NULL: no such key, or no value. */
const char *zoid_session_get(struct zoid_session *session, const char *key);

struct zoid_source_row { /* set size to sizeof, unused members to 0 */
    size_t size;
    const char *field;    /* NULL: the only one that sources may be in */
    double position[3];   /* x first */
    int physical;         /* position in m, ricker in Hz, delay in s, with dx and dt; or 0 */
    double amplitude;     /* 0 stands for 1 */
    const double *series; /* one value a step, copied; or NULL: */
    int64_t samples;      /* number of values */
    double ricker, delay; /* frequency, in cycles a step, and delay in steps (0: a period) */
};
/* Add a source, besides those of the setting `source`. */
enum zoid_status zoid_session_add_source(struct zoid_session *session,
                                         const struct zoid_source_row *source);
/* Add n receivers; `position` holds n rows of dims numbers, x first, in points, or if `physical` in
 * m. Copies. */
enum zoid_status zoid_session_add_receivers(struct zoid_session *session, const char *field,
                                            int64_t n, const double *position, int physical);
/* Remove all sources and receivers. */
enum zoid_status zoid_session_clear_points(struct zoid_session *session);
/* Use a matrix in place of the setting `matrix`; it must outlive the session. */
enum zoid_status zoid_session_set_matrix(struct zoid_session *session,
                                         const struct zoid_matrix *matrix);
/* Read a checkpoint, or the newest intact one of a folder, and take over its settings that are not
 * set. Collective. A setting that contradicts it makes zoid_session_plan fail, with both values. */
enum zoid_status zoid_session_restart(struct zoid_session *session, const char *path);

/* ---- running: collective ------------------------------------------------------------------- */

/* Check all settings, start StarPU unless another session has, make the plan. Allocates no field
 * memory, writes no file. */
enum zoid_status zoid_session_plan(struct zoid_session *session);
/* Plan if needed, open output files, allocate and fill the fields; enter READY. */
enum zoid_status zoid_session_start(struct zoid_session *session);
/* Start if needed and compute `steps` more steps, -1 for all remaining ones; write snapshots and
 * checkpoints that fall due. ZOID_STOPPED: stopped early at zoid_session_step; it can go on.
 * ZOID_CHECK_FAILED: an output has non-finite values. ZOID_BAD_ARGUMENT: more steps than remain, or
 * the settings are those of an iteration, which zoid_session_solve runs. */
enum zoid_status zoid_session_advance(struct zoid_session *session, int64_t steps);
/* Iterate to convergence: relax until the residual is below `tolerance` times the initial one, or
 * `power_iteration`. Fills *solution also if it does not converge, which returns
 * ZOID_CHECK_FAILED. */
struct zoid_solution { /* set size to sizeof */
    size_t size;
    int64_t sweeps, first_below; /* -1: never */
    double residual, initial_residual, omega, eigenvalue;
};
enum zoid_status zoid_session_solve(struct zoid_session *session, struct zoid_solution *solution);
/* Reset to step 0 and refill the state from `init`; coefficients, plan and buffers stay. Sources,
 * receivers and late settings may be changed before the next advance; the shift of pml layers
 * follows the new sources, unless `pml_shift` is set. ZOID_BAD_ARGUMENT: the session restarted from
 * a checkpoint, or iterates. */
enum zoid_status zoid_session_rewind(struct zoid_session *session);
/* Perform `check` and write `dump`, `record` and `report`. Once per run. ZOID_CHECK_FAILED: files
 * are written nevertheless. */
enum zoid_status zoid_session_finish(struct zoid_session *session);
/* Start, advance to the end or solve, finish. Plans for one leg unless `resumable` is set. */
enum zoid_status zoid_session_run(struct zoid_session *session);
/* Write a checkpoint of the current step to a folder, and wait until it is complete. */
enum zoid_status zoid_session_checkpoint(struct zoid_session *session, const char *folder);
/* Write the state to a file, as `dump`. */
enum zoid_status zoid_session_write(struct zoid_session *session, const char *path);

/* ---- stopping and watching: any thread; stop is async-signal-safe -------------------------- */

/* Request that the current or next advance or solve ends early, at the end of a pass. */
void zoid_session_stop(struct zoid_session *session);
/* Return the completed fraction of the last advance, from 0 to 1. */
double zoid_session_progress(const struct zoid_session *session);

/* Called about every `seconds` during advance and solve, from a thread of the library, never
 * concurrently. May call only stop and progress. Returns non-zero to stop. A NULL callback, the
 * default, is not called. ZOID_BAD_ARGUMENT: seconds are not above 0. */
typedef int zoid_progress_fn(void *user, const struct zoid_session *session, double done);
enum zoid_status zoid_session_set_progress(struct zoid_session *session, zoid_progress_fn *call,
                                           void *user, double seconds);

/* ---- results: READY ------------------------------------------------------------------------ */

int64_t zoid_session_step(const struct zoid_session *session);  /* from time 0; -1: not READY */
int64_t zoid_session_steps(const struct zoid_session *session); /* the last one */
/* Copy the box [lo, hi) (x, y, z; NULL: everything) of a state field into *to, converting between
 * types of floats. The shape must match. Collective: every rank gets the whole box. An array in GPU
 * memory is written by way of 1 MiB in main memory. Fails as zoid_session_set_array. */
enum zoid_status zoid_session_read(struct zoid_session *session, const char *field,
                                   const int64_t lo[3], const int64_t hi[3],
                                   const struct zoid_array *to);
/* Return the number of rows of the record: one a step, the first that was recorded first; and copy
 * them into *to, rows x receivers. */
int64_t zoid_session_record_rows(const struct zoid_session *session);
enum zoid_status zoid_session_record(struct zoid_session *session, const struct zoid_array *to);
/* Texts, owned by the session, valid until the next call on it that returns a text. NULL: out of
 * memory, or not planned. about: operator, fields, coefficients, size, params, start, steps,
 * receivers. */
const char *zoid_session_about_json(struct zoid_session *session);
const char *zoid_session_plan_text(struct zoid_session *session);
const char *zoid_session_report_json(struct zoid_session *session);

/* ---- matrices ------------------------------------------------------------------------------ */

/* Make a matrix of compressed rows: start has n + 1 integers, column and value one number for each
 * entry. Copies. ZOID_BAD_ARGUMENT: no rows, or a row that names a column twice or one that there
 * is not. ZOID_DOES_NOT_FIT: an entry 2^31 columns or more from the diagonal. */
enum zoid_status zoid_matrix_from_csr(const struct zoid_array *start,
                                      const struct zoid_array *column,
                                      const struct zoid_array *value, struct zoid_matrix **matrix);
/* Create a matrix whose rows are generated on request: reads all rows once and does not store them.
 * ZOID_BAD_ARGUMENT: no rows, or columns that do not ascend. */
enum zoid_status zoid_matrix_from_rows(const struct zoid_matrix_rows *rows,
                                       struct zoid_matrix **matrix);
/* Read a file, or make a matrix by a rule, as the setting `matrix` does. */
enum zoid_status zoid_matrix_open(const char *text, struct zoid_matrix **matrix);
void zoid_matrix_destroy(struct zoid_matrix **matrix);

#ifdef __cplusplus
}
#endif

#endif
