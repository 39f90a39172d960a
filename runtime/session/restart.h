/* SPDX-License-Identifier: BSD-3-Clause */
/* Restart from a checkpoint: its settings complete those of the session, which must not contradict
 * them. Settings are compared by value, files by the values that they give. */
#ifndef ZOID_RUNTIME_SESSION_RESTART_H
#define ZOID_RUNTIME_SESSION_RESTART_H

#include "runtime/session/output/checkpoint.h"

struct zoid_session;

/* Start of a run, and metadata of its checkpoints. */
struct zoid_restart {
    struct zoid_checkpoint_file *from; /* the checkpoint; NULL: no restart */
    const struct zoid_stored *then;    /* its settings */
    struct zoid_stored translated;     /* of a file of the first format */
    bool stated;                       /* the initial state is set otherwise than there */
    struct zoid_checkpoint about;      /* metadata of new checkpoints; owns its settings */
};

/* Open the checkpoint that the settings name, the same on all ranks, and take over its settings
 * that are not set; without such a setting, nothing happens. Collective. ZOID_RESOURCE: no complete
 * checkpoint, or out of memory. ZOID_BAD_ARGUMENT: it has a setting that there is not. */
enum zoid_status zoid_restart_open(struct zoid_session *session);
/* Make the metadata of checkpoints. On a restart, also reduce the problem to the remaining steps,
 * read the initial state from the checkpoint, and continue its record. Collective.
 * ZOID_BAD_ARGUMENT: a setting contradicts the checkpoint; the message names it and both values. */
enum zoid_status zoid_restart_problem(struct zoid_session *session);
/* Make the metadata of checkpoints, unless they are made. ZOID_RESOURCE: out of memory, or a file
 * of a field cannot be read. */
enum zoid_status zoid_restart_describe(struct zoid_session *session);
/* Compares the settings with those of the checkpoint. ZOID_BAD_ARGUMENT: one contradicts it; the
 * message names it and both values. */
enum zoid_status zoid_restart_check(const struct zoid_session *session);
void zoid_restart_close(struct zoid_restart *restart);

/* Translate the description of a file of the first format to settings. */
enum zoid_status zoid_restart_translate(const struct zoid_checkpoint *about,
                                        struct zoid_stored *settings);

#endif
