/* SPDX-License-Identifier: BSD-3-Clause */
/* The program of a simulation is an actor, whose exit code SMPI forgets. */
#include <stdio.h>
#include <unistd.h>

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
