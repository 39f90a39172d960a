/* SPDX-License-Identifier: BSD-3-Clause */
/* What every program does around its own work: options from a table, --help and --version, one
 * line on stderr for a failure, the exit code. */
#ifndef ZOID_APPS_DRIVER_COMMAND_H
#define ZOID_APPS_DRIVER_COMMAND_H

#include <stdbool.h>

#include "runtime/zoid.h"

/* A row without a name is the heading of those that follow; a row of zeros ends a table. */
struct zoid_option {
    const char *name;
    const char *arg; /* what its value is called in --help; NULL: the option has none */
    const char *doc;
    /* Takes the value (NULL without one) into what is being filled; one of those below or the
     * program's own, which return zoid_fail() when they refuse it. */
    enum zoid_status (*read)(const struct zoid_option *option, const char *value, void *into);
    void *own;  /* what is filled in place of what the command fills; or NULL */
    size_t at;  /* where in it a reader below stores */
    long least; /* the smallest number it accepts */
};

/* Readers: a bool becomes true, a path is a const char *, numbers are those of numbers.h, and a
 * tolerance is a double above 0. */
enum zoid_status zoid_read_flag(const struct zoid_option *option, const char *value, void *into);
enum zoid_status zoid_read_path(const struct zoid_option *option, const char *value, void *into);
enum zoid_status zoid_read_long(const struct zoid_option *option, const char *value, void *into);
enum zoid_status zoid_read_u64(const struct zoid_option *option, const char *value, void *into);
enum zoid_status zoid_read_tolerance(const struct zoid_option *option, const char *value,
                                     void *into);
/* The index of value in names, which a NULL ends; -1 after a failure that lists them. */
int zoid_read_name(const struct zoid_option *option, const char *value, const char *const *names);

struct zoid_command {
    const char *name;
    const char *summary; /* opens --help */
    const char *notes;   /* closes --help; or NULL */
    /* Tables whose options exist together; NULL ends the list. */
    const struct zoid_option *const *options;
    /* Hears of every option that was taken; or NULL. */
    void (*taken)(const struct zoid_option *option, const char *value, void *into);
    /* What has to stand there without an option, once; NULL: nothing may. */
    const struct zoid_option *operand;
};

/* Call first, and what follows only if it succeeds, but for the last: makes closed standard streams
 * fail when used instead of letting other files take their numbers, turns a reader that went away
 * into a failed write, says a word when a signal ends the program, and starts the ranks, of which
 * the first alone has a standard output. */
enum zoid_status zoid_command_start(void);
/* Reads argv into `into`. *shown: --help or --version has been printed, and that is all to do. An
 * option given more than once: the last one counts. */
enum zoid_status zoid_command_parse(const struct zoid_command *command, int argc, char **argv,
                                    void *into, bool *shown);
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
