/* SPDX-License-Identifier: BSD-3-Clause */
/* Restart from a checkpoint: the checkpoint's command line completes the current one, which must
 * not contradict it. */
#ifndef ZOID_APPS_DRIVER_RESTART_H
#define ZOID_APPS_DRIVER_RESTART_H

#include "apps/driver/options.h"
#include "apps/driver/record.h"
#include "runtime/session/output/checkpoint.h"

/* Log of the settings that checkpoints store, one `name=value` per line. */
struct zoid_said {
    bool lost; /* a setting did not fit, or has a line break */
    char text[ZOID_CHECKPOINT_TEXT];
};

/* Start of a run, and metadata of its checkpoints. */
struct zoid_restart {
    struct zoid_said said;
    struct zoid_checkpoint_file *from;  /* the checkpoint; NULL: no restart */
    char **arguments;                   /* command line merged with the checkpoint's; or NULL */
    enum zoid_status (*say)(FILE *out); /* zoid_app.say */
    struct zoid_checkpoint about;
};

/* The callback zoid_command.taken; user: a struct zoid_said. */
void zoid_restart_note(const struct zoid_command_row *row, const char *value, void *said);
/* Parse the command line into open settings. On a restart, open the checkpoint, the same on all
 * ranks, and start from its options; options given now take precedence. Collective. Fails as
 * zoid_command_parse does; ZOID_RESOURCE: no complete checkpoint, or out of memory. */
enum zoid_status zoid_restart_read(struct zoid_restart *restart, const struct zoid_command *command,
                                   int argc, char **argv, struct zoid_settings *settings,
                                   bool *shown);
/* Make the metadata of checkpoints. On a restart, also reduce the problem to the remaining steps,
 * read the initial state from the checkpoint, and continue its record. ZOID_BAD_ARGUMENT: an option
 * contradicts the checkpoint (the message names it and both values), or the options are too long
 * for a checkpoint. */
enum zoid_status zoid_restart_problem(struct zoid_restart *restart,
                                      const struct zoid_options *options,
                                      struct zoid_problem *problem, struct zoid_initial *initial,
                                      struct zoid_record *record);
void zoid_restart_end(struct zoid_restart *restart);

#endif
