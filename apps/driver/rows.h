/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of a program: the settings of its groups that one of its operators can use. */
#ifndef ZOID_APPS_DRIVER_ROWS_H
#define ZOID_APPS_DRIVER_ROWS_H

#include "apps/driver/cli.h"
#include "runtime/session/settings.h"

/* What a program changes about a row; NULL members stay as they are. */
struct zoid_row_change {
    const char *key; /* NULL ends a list of changes */
    enum { ZOID_ROW_CHANGED, ZOID_ROW_ADDED, ZOID_ROW_LEFT_OUT } how;
    const struct zoid_setting_group *group;
    const struct zoid_setting_type *type;
    const char *const *list;
    const char *fallback, *value, *doc, *detail;
};

struct zoid_program_rows {
    const char *const *families; /* of its operators; NULL ends them */
    const char *choose;          /* the option that names one of several; NULL: none does */
    unsigned groups;             /* ZOID_GROUP_... */
    bool no_params;              /* the operators' parameters are settings of a group */
    const struct zoid_row_change *changes; /* or NULL */
};

/* Adds the rows, which set `settings` and, unless it is NULL, `cli`; zoid_command_parse reports if
 * memory ran out. */
void zoid_program_rows(const struct zoid_program_rows *program, struct zoid_settings *settings,
                       struct zoid_cli *cli, struct zoid_command_rows *rows);
/* Opens settings with the defaults of these rows; fails with ZOID_RESOURCE. */
enum zoid_status zoid_program_defaults(const struct zoid_command_rows *rows,
                                       struct zoid_settings *settings);

/* Prints docs/options.md: all settings of runs, as options. */
void zoid_options_page(FILE *out);

#endif
