/* SPDX-License-Identifier: BSD-3-Clause */
/* A run that goes on from a checkpoint: what of its command line the checkpoint has, so that it
 * need not be given again, and whether what is given is the same. */
#ifndef ZOID_APPS_DRIVER_RESTART_H
#define ZOID_APPS_DRIVER_RESTART_H

#include "apps/driver/options.h"
#include "apps/driver/record.h"
#include "runtime/session/output/checkpoint.h"

/* What was said of the problem: the settings that checkpoints store, as `name=value` a line. */
struct zoid_said {
    bool lost; /* there was more than there is room for */
    char text[ZOID_CHECKPOINT_TEXT];
};

/* Where a run begins, and what its checkpoints say. */
struct zoid_restart {
    struct zoid_said said;
    struct zoid_checkpoint_file *from;  /* what it goes on from; NULL: it begins */
    char **arguments;                   /* the command line with that of then; or NULL */
    enum zoid_status (*say)(FILE *out); /* of struct zoid_app, or NULL */
    struct zoid_checkpoint about;
};

/* A zoid_command's `taken`, with a struct zoid_said as its user. */
void zoid_restart_note(const struct zoid_command_row *row, const char *value, void *said);
/* Reads the command line into settings that are open; of a restart opens the checkpoint, the same
 * on all ranks, and reads first what that was begun with. */
enum zoid_status zoid_restart_read(struct zoid_restart *restart, const struct zoid_command *command,
                                   int argc, char **argv, struct zoid_settings *settings,
                                   bool *shown);
/* Makes what checkpoints of the problem say, and of a restart, what is left of the problem, the
 * state that is left to go on from, and the record that it goes on with. ZOID_BAD_ARGUMENT: the
 * options contradict the checkpoint; names one and both values. */
enum zoid_status zoid_restart_problem(struct zoid_restart *restart,
                                      const struct zoid_options *options,
                                      struct zoid_problem *problem, struct zoid_initial *initial,
                                      struct zoid_record *record);
void zoid_restart_end(struct zoid_restart *restart);

#endif
