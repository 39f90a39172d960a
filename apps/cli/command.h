/* SPDX-License-Identifier: BSD-3-Clause */
/* Frame of a command-line program: table-driven options, --help and --version, one line on stderr
 * per failure, the exit code. */
#ifndef ZOID_APPS_CLI_COMMAND_H
#define ZOID_APPS_CLI_COMMAND_H

#include <stdbool.h>

#include "runtime/session/setting.h"

/* An option: a setting, with the program's changes to it, and the object that stores its value. */
struct zoid_command_row {
    struct zoid_setting setting;
    char *option; /* its name: the key with - for _ */
    void *object;
};

/* Options in the order of addition, and the texts made for them. Owns both. */
struct zoid_command_rows {
    size_t n, ntexts;
    struct zoid_command_row *row;
    char **text;
    bool lost; /* memory ran out */
};

/* Append a row, and return it; the pointer is valid until the next call. NULL: out of memory, which
 * zoid_command_parse reports. */
struct zoid_command_row *zoid_command_add(struct zoid_command_rows *rows,
                                          const struct zoid_setting *setting, void *object);
/* Take ownership of an allocated text (or NULL), and return it; it is valid as long as the rows.
 * NULL: out of memory; the text is freed. */
const char *zoid_command_keep(struct zoid_command_rows *rows, char *text);
void zoid_command_free(struct zoid_command_rows *rows);

struct zoid_command {
    const char *name;
    const char *summary; /* opens --help */
    const char *notes;   /* closes --help; or NULL */
    const struct zoid_command_rows *rows;
    /* Positional argument, required exactly once; NULL: not allowed. */
    const struct zoid_command_row *operand;
};

/* Start the program. Call before all others; if it fails, only zoid_command_finish may follow.
 * Makes use of closed standard streams fail (other files cannot get their descriptors), ignores
 * SIGPIPE so that writes fail instead, installs handlers that print a line and remove unfinished
 * files if SIGINT, SIGTERM or SIGHUP ends the program, prints the library's diagnostic lines to
 * stderr, and starts the ranks; ranks other than 0 get /dev/null as stdout. Collective. */
enum zoid_status zoid_command_start(void);
/* Parse argv into the objects of the rows. *shown: --help, --help-all or --version was printed, and
 * the program is done. The last of several values of an option counts, unless values accumulate.
 * Collective. ZOID_BAD_ARGUMENT: an unknown option, a value that is refused, a missing or excess
 * operand. */
enum zoid_status zoid_command_parse(const struct zoid_command *command, int argc, char **argv,
                                    bool *shown);
/* Refuse to run on several ranks. Collective. ZOID_RESOURCE: there are several. */
enum zoid_status zoid_command_alone(const char *name);
/* ZOID_RESOURCE: stdout is closed or read-only. */
enum zoid_status zoid_command_try_stdout(void);
/* Print the message of a failure that only this rank knows, and abort all ranks at once. Complete
 * any cleanup before. */
_Noreturn void zoid_command_abort(const char *name, enum zoid_status status);
/* Close stdout, print the message of a failure (rank 0 only), wait for all ranks and return the
 * exit code. Collective, except for a failure that other ranks do not know, which aborts them. */
int zoid_command_finish(const struct zoid_command *command, enum zoid_status status);

#endif
