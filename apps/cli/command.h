/* SPDX-License-Identifier: BSD-3-Clause */
/* Frame of a command-line program: table-driven options, --help and --version, one line on stderr
 * per failure, the exit code. */
#ifndef ZOID_APPS_CLI_COMMAND_H
#define ZOID_APPS_CLI_COMMAND_H

#include <stdbool.h>

#include "runtime/zoid_advanced.h"

/* An option of the command line. */
struct zoid_command_row {
    struct zoid_option option;
    char *name; /* its key with - for _ */
    /* Stores the value of row `index` of an object; text NULL: the option takes no value. */
    enum zoid_status (*set)(void *object, size_t index, const char *text);
    void *object;
    size_t index;
};

/* Options in the order of addition, and their names. Owns both. */
struct zoid_command_rows {
    size_t n, ntexts;
    struct zoid_command_row *row;
    char **text;
    bool lost; /* memory ran out */
};

/* Append a row, whose `name` is made from its key; its texts are borrowed. If memory runs out,
 * zoid_command_parse reports it. */
void zoid_command_add(struct zoid_command_rows *rows, const struct zoid_command_row *row);
/* The same for n rows of one group, which `set` takes with their indices. */
void zoid_command_add_group(struct zoid_command_rows *rows, const char *title,
                            const struct zoid_option *options, size_t n,
                            enum zoid_status (*set)(void *object, size_t index, const char *text),
                            void *object);
void zoid_command_free(struct zoid_command_rows *rows);

struct zoid_command {
    const char *name;
    const char *summary; /* opens --help */
    const char *notes;   /* closes --help; or NULL */
    const struct zoid_command_rows *rows;
    /* Positional argument, required exactly once, called by its key; NULL: not allowed. */
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
/* Load the files of operators that argv names by the option `load` of the rows, wherever it stands:
 * operators have options of their own. Store whether there are any. Fails as
 * zoid_operators_load does. */
enum zoid_status zoid_command_load(const struct zoid_command_rows *rows, int argc, char **argv,
                                   bool *loaded);
/* Start the program, parse argv, and refuse to run on several ranks unless something was shown. */
enum zoid_status zoid_command_start_alone(const struct zoid_command *command, int argc, char **argv,
                                          bool *shown);
/* Fail for want of memory. Returns ZOID_RESOURCE. */
enum zoid_status zoid_command_no_memory(void);
/* Write the message of the calling thread's last failure, with settings as options. */
enum { ZOID_COMMAND_MESSAGE = 1024 };
void zoid_command_message(char text[ZOID_COMMAND_MESSAGE]);
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
