/* SPDX-License-Identifier: BSD-3-Clause */
/* Common main program of the programs that run a session. */
#ifndef ZOID_APPS_CLI_PROGRAM_H
#define ZOID_APPS_CLI_PROGRAM_H

#include "apps/cli/rows.h"
#include "runtime/session/session.h"

/* The parts in which programs differ. */
struct zoid_app {
    const char *name;    /* such as zoid-heat */
    const char *summary; /* first line of --help */
    /* Its options; groups 0: those of stencils (ZOID_GROUPS_STENCIL). */
    struct zoid_program_rows options;
    enum zoid_status (*derive)(struct zoid_session *session); /* zoid_session.derive */
};

enum {
    ZOID_GROUPS_RUN = ZOID_GROUP_cut | ZOID_GROUP_memory | ZOID_GROUP_ranks | ZOID_GROUP_results |
                      ZOID_GROUP_keep,
    ZOID_GROUPS_FIELDS =
        ZOID_GROUP_problem | ZOID_GROUP_operator | ZOID_GROUP_fields | ZOID_GROUP_points,
    ZOID_GROUPS_STENCIL =
        ZOID_GROUPS_FIELDS | ZOID_GROUP_parameters | ZOID_GROUPS_RUN | ZOID_GROUP_snapshots
};

/* Run the program. Returns the exit code. */
int zoid_app_main(const struct zoid_app *app, int argc, char **argv);

#endif
