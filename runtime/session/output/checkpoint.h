/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints: a state in a file, from which a run continues, with any method and any number of
 * workers and ranks. It is an HDF5 file with a dataset per field, in the order of the domain,
 * however it was computed, and one per layer that matches with its memory; checksums of its bytes
 * are stored with each. A file gets its name only when it is complete and on disk, and a folder
 * keeps the newest two.
 *
 * Functions that write are collective, with the same arguments on all ranks; the first rank
 * writes. */
#ifndef ZOID_RUNTIME_SESSION_OUTPUT_CHECKPOINT_H
#define ZOID_RUNTIME_SESSION_OUTPUT_CHECKPOINT_H

#include <limits.h>

#include "runtime/session/output/reader.h"
#include "runtime/session/output/stored.h"
#include "runtime/zoid_advanced.h"

/* Description in files of the first format, in place of settings. */
enum { ZOID_CHECKPOINT_TEXT = 1 << 14, ZOID_CHECKPOINT_PROGRAM = 1 << 10 };
struct zoid_checkpoint_first {
    long face[ZOID_AXES * ZOID_SIDES];
    double param[ZOID_MAX_PARAMS]; /* zeros after the operator's */
    long init;
    uint64_t seed;
    /* Checksum of the values of the coefficients, if their source is other than a kind of initial
     * state; otherwise 0. */
    uint64_t source;
    char options[ZOID_CHECKPOINT_TEXT]; /* that made the problem, a `name=value` per line */
    /* The program's other settings of its problem, a `name=value` per line, defaults included. */
    char program[ZOID_CHECKPOINT_PROGRAM];
};

/* Description in a checkpoint, besides the values of its fields. */
struct zoid_checkpoint {
    char op[64];
    long n[ZOID_AXES], step;
    bool coefficients;           /* are in the file */
    struct zoid_stored settings; /* that define the state */
    long numbers;                /* count of `number`: the engine's own state to continue from */
    const double *number;
    const struct zoid_checkpoint_first *first; /* of a file of the first format; otherwise NULL */
};

/* The state to write: the job's, in the form in which `initial` would have made it. */
struct zoid_checkpoint_state {
    struct zoid_job *job; /* told which checkpoint is the latest */
    struct zoid_initial *initial;
    struct zoid_reader reader;
};

/* Description of the checkpoints of a problem. The caller adds settings, numbers, and whether
 * coefficients are in them. */
struct zoid_checkpoint zoid_checkpoint_of(const struct zoid_problem *problem);
/* Size of a checkpoint in bytes, except for a few pages. */
double zoid_checkpoint_bytes(const struct zoid_problem *problem, bool coefficients);
/* Add the values of a field, as `initial` makes them, to a checksum, which is 0 at first; the
 * result is the same for every plan. */
enum zoid_status zoid_checkpoint_source(struct zoid_initial *initial, int field, uint64_t *sum);

/* ---- folders ------------------------------------------------------------------------------- */

/* Create the folder unless it exists, and check that files can be written there, that it has space
 * for three checkpoints of `bytes` bytes, existing ones included, and that these, if any, are those
 * of the run of `restarted` (NULL: the folder must not have any). ZOID_BAD_ARGUMENT: they are of
 * another run; ZOID_RESOURCE: another check failed. */
enum zoid_status zoid_checkpoint_prepare(const char *folder, const char *restarted, double bytes);
/* Find the checkpoint to restart from: the file `given`, or the newest complete one in that folder.
 * Incomplete ones are skipped, with a line on standard error, which begins with `name`.
 * ZOID_RESOURCE: there is no complete one. */
enum zoid_status zoid_checkpoint_find(const char *name, const char *given, char path[PATH_MAX]);

/* ---- writing ------------------------------------------------------------------------------- */

struct zoid_background;
struct zoid_checkpoints;

/* Bytes of memory in which a checkpoint waits for the disk while the run goes on. */
size_t zoid_checkpoints_staging(const struct zoid_problem *problem, bool coefficients);
/* Prepare to write to a folder, after zoid_checkpoint_prepare. With `waits` there is no such
 * memory, and the run waits until each checkpoint is complete. The problem is that of the initial
 * state; it and the folder's name must outlive the result. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_checkpoints_open(const struct zoid_problem *problem, bool coefficients,
                                       const char *folder, bool waits,
                                       struct zoid_checkpoints **checkpoints);
/* Wait for the checkpoint in progress, which completes if it can, and free everything. Accepts NULL
 * in *checkpoints. */
void zoid_checkpoints_close(struct zoid_checkpoints **checkpoints);
/* Take a state, as that of about->step, when the previous checkpoint is complete; it goes to the
 * disk while the run goes on, gets its name after the work that `others` (or NULL) has begun so
 * far, and then all checkpoints in the folder except it and the one before it are removed.
 * `initial` makes the coefficients, if these are included; it and the job must outlive that.
 * ZOID_RESOURCE: this one or the previous one could not be written. ZOID_CHECK_FAILED: the state
 * has a non-finite value (finite.h). Older checkpoints are still there then. */
enum zoid_status zoid_checkpoints_write(struct zoid_checkpoints *checkpoints,
                                        const struct zoid_checkpoint_state *state,
                                        const struct zoid_checkpoint *about,
                                        struct zoid_background *others);
/* Wait until the last checkpoint is complete. */
enum zoid_status zoid_checkpoints_finish(struct zoid_checkpoints *checkpoints);
/* Seconds that the last checkpoint took until it was complete, of those waited for; 0: not
 * known. */
double zoid_checkpoints_seconds(const struct zoid_checkpoints *checkpoints);
/* Path of the checkpoint of a step. */
void zoid_checkpoint_path(const char *folder, long step, char path[PATH_MAX]);

/* ---- reading ------------------------------------------------------------------------------- */

struct zoid_checkpoint_file;

/* Open a checkpoint to read it. ZOID_RESOURCE: it cannot be read, or is no checkpoint. */
enum zoid_status zoid_checkpoint_open(const char *path, struct zoid_checkpoint_file **file);
/* Close it; accepts NULL in *file. */
void zoid_checkpoint_close(struct zoid_checkpoint_file **file);
/* Its path and its description, valid while it is open. */
const char *zoid_checkpoint_name(const struct zoid_checkpoint_file *file);
const struct zoid_checkpoint *zoid_checkpoint_about(const struct zoid_checkpoint_file *file);
/* Check all its bytes against the checksums. ZOID_RESOURCE: they differ; the message says where. */
enum zoid_status zoid_checkpoint_verify(struct zoid_checkpoint_file *file);
/* Find the problem's fields in it; call before zoid_checkpoint_box. The problem must outlive it.
 * ZOID_RESOURCE: it does not have them. */
enum zoid_status zoid_checkpoint_fields(struct zoid_checkpoint_file *file,
                                        const struct zoid_problem *problem);
/* A zoid_box_fn that reads a field; `file` is the checkpoint. */
void zoid_checkpoint_box(void *file, int field, const struct zoid_box *box,
                         const struct zoid_values *to);
/* A zoid_memory_fn that reads the memory of layers that match. */
void zoid_checkpoint_memory(void *file, int axis, int side, long plane, void *values);
/* ZOID_RESOURCE: a box could not be read. */
enum zoid_status zoid_checkpoint_status(const struct zoid_checkpoint_file *file);

#endif
