/* SPDX-License-Identifier: BSD-3-Clause */
/* The program of a simulation is an actor, whose exit code SMPI forgets, and ranks have one
 * standard output. */
#define _GNU_SOURCE /* for fopencookie */
#include <stdio.h>
#include <unistd.h>

#include "runtime/simulate/output.h"
#include "runtime/zoid_advanced.h"

struct zoid_app;
int __real_zoid_app_main(const struct zoid_app *app, int argc, char **argv);
int __wrap_zoid_app_main(const struct zoid_app *app, int argc, char **argv);

/* Linked in place of zoid_app_main (apps/cli/program.h): a failure ends the simulation. */
int __wrap_zoid_app_main(const struct zoid_app *app, int argc, char **argv)
{
    const int code = __real_zoid_app_main(app, argc, argv);
    fflush(NULL);
    if (code)
        _exit(code);
    return code;
}

static ssize_t discard(void *cookie, const char *bytes, size_t n)
{
    (void)cookie;
    (void)bytes;
    return (ssize_t)n;
}

/* All ranks share the descriptors of the process, so those that are silent take none. */
FILE *zoid_simulate_output(void)
{
    static FILE *own;

    if (!own)
        own = zoid_rank(NULL) ? fopencookie(NULL, "w", (cookie_io_functions_t){.write = discard})
                              : fdopen(dup(STDOUT_FILENO), "w");
    if (!own) {
        perror("cannot open the output of a simulated rank");
        _exit(ZOID_RESOURCE);
    }
    return own;
}
