/* SPDX-License-Identifier: BSD-3-Clause */
/* The program of a simulation is an actor, whose exit code SMPI forgets, and ranks have one
 * standard output. */
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

FILE *zoid_simulate_output(void)
{
    static FILE *own;

    if (!own)
        own = zoid_rank(NULL) ? fopen("/dev/null", "w") : fdopen(dup(STDOUT_FILENO), "w");
    return own;
}
