/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints: a state in a file, from which a run goes on, by any method and on any number of
 * workers and ranks. It is an HDF5 file with a dataset for each field, in the order of the
 * domain, whatever computed it; beside each are the sums of its bytes. A file has its name only
 * when it is whole and on the disk, and of a folder the newest two are kept.
 *
 * Of several ranks all call what writes, with the same arguments, and the first one writes. */
#ifndef ZOID_RUNTIME_SESSION_OUTPUT_CHECKPOINT_H
#define ZOID_RUNTIME_SESSION_OUTPUT_CHECKPOINT_H

#include <limits.h>

#include "runtime/zoid.h"

enum { ZOID_CHECKPOINT_TEXT = 1 << 14, ZOID_CHECKPOINT_PROGRAM = 1 << 10 };

/* What a checkpoint says beside the values of its fields. */
struct zoid_checkpoint {
    char op[64];
    long n[ZOID_AXES], step;
    long face[ZOID_AXES * ZOID_SIDES];
    double param[ZOID_MAX_PARAMS]; /* zeros after the operator's */
    long init;
    uint64_t seed;
    bool coefficients; /* are in it */
    /* The sum of the coefficients' values, where these come from somewhere else than from a kind of
     * initial state; otherwise 0. */
    uint64_t source;
    char options[ZOID_CHECKPOINT_TEXT]; /* that made the problem, `name=value` a line */
    /* What else the program makes of its problem, `name=value` a line, defaults included. */
    char program[ZOID_CHECKPOINT_PROGRAM];
    long numbers; /* of the program's own: what it has to know to go on */
    const double *number;
};

/* The state that goes into one: the job's, as `initial` would have made it. */
struct zoid_checkpoint_state {
    struct zoid_job *job; /* hears which one was kept last */
    struct zoid_initial *initial;
    /* Reads field 0, the only one, as zoid_job_each does, which NULL stands for. */
    enum zoid_status (*each)(const struct zoid_job *job, zoid_part_fn *part, void *user);
};

/* What the checkpoints of a problem say; options and numbers are the caller's. */
struct zoid_checkpoint zoid_checkpoint_of(const struct zoid_problem *problem,
                                          const struct zoid_initial *initial);
/* Bytes of one, but for a few pages. */
double zoid_checkpoint_bytes(const struct zoid_problem *problem, bool coefficients);
/* The sum of the values that `initial` makes of the coefficients: the same for every plan. */
enum zoid_status zoid_checkpoint_source(struct zoid_initial *initial, uint64_t *sum);

/* ---- a folder of them ---------------------------------------------------------------------- */

/* Makes the folder if it is missing, and finds out that files can be written there, that it has
 * the space for so many bytes three times, and that its checkpoints, if it has any, are those that
 * `restarted` is one of (NULL: it may have none). ZOID_RESOURCE, or of the last, ZOID_BAD_ARGUMENT.
 */
enum zoid_status zoid_checkpoint_prepare(const char *folder, const char *restarted, double bytes);
/* Looks for the checkpoint to go on from: that file, or the newest of a folder that is whole. Those
 * that are not are passed over, with a line on standard error, which begins with `name`.
 * ZOID_RESOURCE: there is none. */
enum zoid_status zoid_checkpoint_find(const char *name, const char *given, char path[PATH_MAX]);

/* ---- writing ------------------------------------------------------------------------------- */

struct zoid_background;
struct zoid_checkpoints;

/* Bytes of memory that one waits in while the run goes on. */
size_t zoid_checkpoints_staging(const struct zoid_problem *problem, bool coefficients);
/* Those of a folder that is prepared. With `waits` there is no such memory, and the run waits for
 * each until it is whole. The problem is that of the initial state; it and the folder's name stay
 * where they are. */
enum zoid_status zoid_checkpoints_open(const struct zoid_problem *problem, bool coefficients,
                                       const char *folder, bool waits,
                                       struct zoid_checkpoints **checkpoints);
/* Waits for what is on its way, which becomes whole if it can. Accepts NULL in *checkpoints. */
void zoid_checkpoints_close(struct zoid_checkpoints **checkpoints);
/* Takes a state, as that of about->step, when the one before is whole; it goes to the disk while
 * the run goes on, gets its name after what `others` (NULL: nobody) have begun up to now, and all
 * checkpoints in the folder but it and the one before it are removed. `initial` makes the
 * coefficients, where these are in it; it and the job stay where they are. ZOID_RESOURCE: it or the
 * one before could not be written. ZOID_CHECK_FAILED: the state has a value that is no number
 * (finite.h). What was there is still there then. */
enum zoid_status zoid_checkpoints_write(struct zoid_checkpoints *checkpoints,
                                        const struct zoid_checkpoint_state *state,
                                        const struct zoid_checkpoint *about,
                                        struct zoid_background *others);
/* Waits until the last one is whole. */
enum zoid_status zoid_checkpoints_finish(struct zoid_checkpoints *checkpoints);
/* How long the last one has taken until it was whole, of those that were waited for; 0: none. */
double zoid_checkpoints_seconds(const struct zoid_checkpoints *checkpoints);
/* The path of the one of a step. */
void zoid_checkpoint_path(const char *folder, long step, char path[PATH_MAX]);

/* ---- reading ------------------------------------------------------------------------------- */

struct zoid_checkpoint_file;

/* ZOID_RESOURCE: it cannot be read, or is no checkpoint. */
enum zoid_status zoid_checkpoint_open(const char *path, struct zoid_checkpoint_file **file);
/* Accepts NULL in *file. */
void zoid_checkpoint_close(struct zoid_checkpoint_file **file);
/* As long as it is open: its path, and what it says. */
const char *zoid_checkpoint_name(const struct zoid_checkpoint_file *file);
const struct zoid_checkpoint *zoid_checkpoint_about(const struct zoid_checkpoint_file *file);
/* Whether all its bytes are those that were written. ZOID_RESOURCE: they are not; the message says
 * which. */
enum zoid_status zoid_checkpoint_verify(struct zoid_checkpoint_file *file);
/* Before zoid_checkpoint_box: where the problem's fields are in it. ZOID_RESOURCE: it does not have
 * them. */
enum zoid_status zoid_checkpoint_fields(struct zoid_checkpoint_file *file,
                                        const struct zoid_problem *problem);
/* A zoid_box_fn; user is the file. */
void zoid_checkpoint_box(void *file, int field, const struct zoid_box *box,
                         const struct zoid_values *to);
/* ZOID_RESOURCE: some of those boxes could not be read. */
enum zoid_status zoid_checkpoint_status(const struct zoid_checkpoint_file *file);

#endif
