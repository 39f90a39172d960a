/* SPDX-License-Identifier: BSD-3-Clause */
/* The program that all stencil programs are. */
#ifndef ZOID_APPS_DRIVER_DRIVER_H
#define ZOID_APPS_DRIVER_DRIVER_H

#include "apps/driver/options.h"

/* What a program has of its own. */
struct zoid_app {
    const char *name;                  /* zoid-heat */
    const char *const *families;       /* of its operators, the default first; NULL ends them */
    const char *choose;                /* the option that names one, where there are several */
    const char *summary;               /* opens --help */
    const struct zoid_option *options; /* beside those that all have; or NULL */
    /* What the report says of the final state beside what it says of the run, at most
     * ZOID_MAX_DERIVED values; or NULL. */
    enum zoid_status (*derive)(const struct zoid_job *job, const struct zoid_problem *problem,
                               struct zoid_derived *derived);
};

/* Does everything: returns the exit code. */
int zoid_app_main(const struct zoid_app *app, int argc, char **argv);

#endif
