/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of programs that use the internals of the library, zoid-bench and zoid-info: rows of
 * tables of settings. */
#ifndef ZOID_APPS_INSIDE_ROWS_H
#define ZOID_APPS_INSIDE_ROWS_H

#include "apps/cli/command.h"
#include "runtime/session/options.h"

/* Rows of settings, and the object that they are for; it outlives the options. */
struct zoid_inside_rows {
    const struct zoid_setting *row;
    size_t n;
    void *object;
};

/* Append the rows. */
void zoid_inside_add(const struct zoid_inside_rows *from, struct zoid_command_rows *rows);
/* Print docs/options.md: all settings of runs, as options. */
void zoid_options_page(FILE *out);

#endif
