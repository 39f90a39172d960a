/* SPDX-License-Identifier: BSD-3-Clause */
/* What every program does around its own work: options from a table, --help and --version, one
 * line on stderr for a failure, the exit code. */
#ifndef ZOID_APPS_DRIVER_COMMAND_H
#define ZOID_APPS_DRIVER_COMMAND_H

#include <stdbool.h>

#include "runtime/session/setting.h"

/* An option: a setting, with what the program says of it, and the object that it is set in. */
struct zoid_command_row {
    struct zoid_setting setting;
    char *option; /* its name: the key, with dashes */
    void *object;
};

/* Options in the order in which they were added; owned, as are the texts made for them. */
struct zoid_command_rows {
    size_t n, ntexts;
    struct zoid_command_row *row;
    char **text;
    bool lost; /* memory ran out */
};

/* Adds a row, valid until the next one; NULL: out of memory, which zoid_command_parse reports. */
struct zoid_command_row *zoid_command_add(struct zoid_command_rows *rows,
                                          const struct zoid_setting *setting, void *object);
/* Takes over a text, which may be NULL, and returns it, valid as long as the rows. */
const char *zoid_command_keep(struct zoid_command_rows *rows, char *text);
void zoid_command_free(struct zoid_command_rows *rows);

struct zoid_command {
    const char *name;
    const char *summary; /* opens --help */
    const char *notes;   /* closes --help; or NULL */
    const struct zoid_command_rows *rows;
    /* Called for every option that was taken; or NULL. */
    void (*taken)(const struct zoid_command_row *row, const char *value, void *user);
    void *user;
    /* Required once, without an option; NULL: no operand is allowed. */
    const struct zoid_command_row *operand;
};

/* Call first, and what follows only if it succeeds, but for the last: makes closed standard streams
 * fail when used instead of letting other files take their numbers, turns a reader that went away
 * into a failed write, says a word when a signal ends the program, and starts the ranks, of which
 * the first alone has a standard output. */
enum zoid_status zoid_command_start(void);
/* Sets what argv says. *shown: --help, --help-all or --version has been printed, and nothing is
 * left to do. Of an option given twice the last one counts, unless its values accumulate. */
enum zoid_status zoid_command_parse(const struct zoid_command *command, int argc, char **argv,
                                    bool *shown);
/* Fails with ZOID_RESOURCE, on all ranks, where there are several. */
enum zoid_status zoid_command_alone(const char *name);
/* Fails with ZOID_RESOURCE when stdout is known to be closed. */
enum zoid_status zoid_command_try_stdout(void);
/* For a failure that the other ranks do not know of: prints its line and ends them all, at once.
 * Nothing may be left to clean up. */
_Noreturn void zoid_command_abort(const char *name, enum zoid_status status);
/* Flushes stdout, prints the line of a failure, on one rank where all know of it, waits for the
 * others and returns the exit code. */
int zoid_command_finish(const struct zoid_command *command, enum zoid_status status);

#endif
