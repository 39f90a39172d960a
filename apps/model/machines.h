/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of the planner's answers for numbers of machines that files describe, and for epochs. */
#ifndef ZOID_APPS_MODEL_MACHINES_H
#define ZOID_APPS_MODEL_MACHINES_H

#include "apps/cli/command.h"

/* A session whose options describe the problem, and those that the table needs besides. */
struct zoid_model_machines {
    char *machine;       /* name or folder */
    char *nodes, *epoch; /* numbers, separated by commas; NULL: 1, and the planner's choice */
    bool weak;           /* the size is that of a node */
    char *csv;           /* a file, or NULL */
    struct zoid_session *session;
    int dims;
    long size[ZOID_AXES]; /* of a node, if domains grow */
    /* The options of it that were set, in order. */
    size_t n;
    struct zoid_model_given {
        size_t index;
        char *text;
    } * given;
};

/* Create the session and append its options. The caller closes it, also after a failure. */
enum zoid_status zoid_model_machines_open(struct zoid_model_machines *machines,
                                          struct zoid_command_rows *rows);
void zoid_model_machines_close(struct zoid_model_machines *machines);
/* Print a line for each number of nodes and epoch: grid, exchange, method and sizes of the plan,
 * its predicted seconds, and their bottleneck; or the reason that there is no plan.
 * ZOID_BAD_ARGUMENT: a list has other things than numbers. If all plans fail, fails as the first of
 * them. */
enum zoid_status zoid_model_machines_print(struct zoid_model_machines *machines);

#endif
