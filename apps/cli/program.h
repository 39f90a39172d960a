/* SPDX-License-Identifier: BSD-3-Clause */
/* Common main program of the programs that run a session. */
#ifndef ZOID_APPS_CLI_PROGRAM_H
#define ZOID_APPS_CLI_PROGRAM_H

#include "runtime/zoid_advanced.h"
#include "runtime/zoid_session.h"

struct zoid_app {
    const char *summary; /* first line of --help */
    struct zoid_program program;
};

/* Run the program. Returns the exit code. */
int zoid_app_main(const struct zoid_app *app, int argc, char **argv);

#endif
