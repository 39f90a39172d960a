/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of a program: the settings of its groups that at least one of its operators can use. */
#ifndef ZOID_RUNTIME_SESSION_OPTIONS_H
#define ZOID_RUNTIME_SESSION_OPTIONS_H

#include "runtime/session/settings.h"

/* Rows of settings, with the program's changes, and the options that describe them. Zeros are an
 * empty list. Owns all of it. */
struct zoid_options {
    size_t n, ntexts;
    struct zoid_setting *row;
    struct zoid_option *option;
    char **text; /* of the rows */
    bool lost;   /* memory ran out */
};

/* Make the list, which borrows *program; its rows are for objects of type struct zoid_settings.
 * `families` stand for those of the program. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_options_make(const struct zoid_program *program, const char *const *families,
                                   struct zoid_options *options);
/* Set open settings to the defaults of these rows. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_options_defaults(const struct zoid_options *options,
                                       struct zoid_settings *settings);
void zoid_options_free(struct zoid_options *options);

/* Describe a row. */
struct zoid_option zoid_option_of(const struct zoid_setting *row);
/* Returns whether programs have a spelling with the same key in place of this row. */
bool zoid_option_respelled(const struct zoid_setting *row);

#endif
