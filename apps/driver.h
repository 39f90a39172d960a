/* SPDX-License-Identifier: BSD-3-Clause */
/* The program that all stencil programs are. */
#ifndef ZOID_APPS_DRIVER_H
#define ZOID_APPS_DRIVER_H

#include "apps/options.h"

/* What a program has of its own. */
struct zoid_app {
    const char *name;                  /* zoid-heat */
    const char *family;                /* of its operator */
    const char *summary;               /* opens --help */
    const struct zoid_option *options; /* beside those that all have */
};

/* Does everything: returns the exit code. */
int zoid_app_main(const struct zoid_app *app, int argc, char **argv);

#endif
