/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of a program: the settings of its groups that at least one of its operators can use. */
#ifndef ZOID_APPS_CLI_ROWS_H
#define ZOID_APPS_CLI_ROWS_H

#include "apps/cli/cli.h"
#include "runtime/session/settings.h"

/* Change of a row; NULL members keep their values. */
struct zoid_row_change {
    const char *key; /* NULL ends the list */
    enum { ZOID_ROW_CHANGED, ZOID_ROW_ADDED, ZOID_ROW_LEFT_OUT } how;
    const struct zoid_setting_group *group;
    const struct zoid_setting_type *type;
    const char *const *list;
    const char *fallback, *value, *doc, *detail;
};

struct zoid_program_rows {
    const char *const *families;           /* operator families; NULL ends the list */
    const char *choose;                    /* option that selects a family, or NULL */
    unsigned groups;                       /* ZOID_GROUP_... */
    bool no_params;                        /* operator parameters are settings of a group */
    const struct zoid_row_change *changes; /* or NULL */
};

/* Append the rows, which store into `settings` and `cli` (may be NULL). If memory runs out,
 * zoid_command_parse reports it. */
void zoid_program_rows(const struct zoid_program_rows *program, struct zoid_settings *settings,
                       struct zoid_cli *cli, struct zoid_command_rows *rows);
/* Set open settings to the defaults of these rows. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_program_defaults(const struct zoid_command_rows *rows,
                                       struct zoid_settings *settings);

/* Returns whether programs have a spelling with the same key in place of this row. */
bool zoid_row_respelled(const struct zoid_setting *setting);
/* Print docs/options.md: all settings of runs, as options. */
void zoid_options_page(FILE *out);

#endif
