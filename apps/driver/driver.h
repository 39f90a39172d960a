/* SPDX-License-Identifier: BSD-3-Clause */
/* Common main program of the stencil programs. */
#ifndef ZOID_APPS_DRIVER_DRIVER_H
#define ZOID_APPS_DRIVER_DRIVER_H

#include "apps/driver/march.h"
#include "apps/driver/options.h"
#include "apps/driver/rows.h"

/* The parts in which programs differ. */
struct zoid_app {
    const char *name;            /* such as zoid-heat */
    const char *const *families; /* operator families, the default first; NULL ends the list */
    const char *choose;          /* option that selects a family, if there are several */
    const char *summary;         /* first line of --help */
    /* Groups of settings, ZOID_GROUP_...; 0: those of stencils (ZOID_GROUPS_STENCIL). */
    unsigned groups;
    bool no_params;                        /* operator parameters are settings of a group */
    const struct zoid_row_change *changes; /* to rows of options; or NULL */
    /* Make the problem from the options, and adapt options to it if needed. NULL:
     * zoid_problem_make. */
    enum zoid_status (*make)(struct zoid_options *options, struct zoid_problem *problem);
    /* Number of steps between two looks at the state, set by `make`; 0: no looks. NULL: the program
     * never looks. */
    const long *leg;
    /* Write the program's other settings that define the problem, besides operator, domain,
     * parameters and seed: one `option=value` per line, defaults included. A restart requires the
     * same text. Or NULL. */
    enum zoid_status (*say)(FILE *out);
    /* Complete the description of the initial state; or NULL. */
    void (*start)(struct zoid_initial *initial);
    /* Callbacks that write the initial state to the job (user: a struct zoid_initial), and read
     * field 0 of the final one. NULL: zoid_initial_box and zoid_job_each. */
    zoid_box_fn *fill;
    enum zoid_status (*each)(const struct zoid_job *job, zoid_part_fn *part, void *user);
    /* Fill coefficients that are stored in pieces (coefficient segments); or NULL. */
    enum zoid_status (*pieces)(struct zoid_job *job);
    /* Problem that describes a dump, if `each` does not read the problem of the initial state; or
     * NULL. */
    const struct zoid_problem *shown;
    /* Print the program's additions to the plan; or NULL. */
    void (*show)(const struct zoid_context *context, const struct zoid_plan *plan, FILE *out);
    /* Run a filled job: zoid_march_begin, zoid_march_to, zoid_march_end. After ZOID_CHECK_FAILED
     * results are written nevertheless. NULL: call zoid_march_run, or without stations
     * zoid_job_run, once. */
    enum zoid_status (*run)(struct zoid_march *march, struct zoid_job *job,
                            struct zoid_report *report);
    /* Compute at most ZOID_MAX_DERIVED values of the final state for the report; or NULL. */
    enum zoid_status (*derive)(const struct zoid_job *job, const struct zoid_problem *problem,
                               struct zoid_derived *derived);
};

enum {
    ZOID_GROUPS_RUN = ZOID_GROUP_cut | ZOID_GROUP_memory | ZOID_GROUP_ranks | ZOID_GROUP_results |
                      ZOID_GROUP_keep,
    ZOID_GROUPS_FIELDS =
        ZOID_GROUP_problem | ZOID_GROUP_operator | ZOID_GROUP_fields | ZOID_GROUP_points,
    ZOID_GROUPS_STENCIL =
        ZOID_GROUPS_FIELDS | ZOID_GROUP_parameters | ZOID_GROUPS_RUN | ZOID_GROUP_snapshots
};

/* Add the options of the program to `rows`; `cli` may be NULL. `settings` and `cli` must outlive
 * the rows. */
void zoid_app_rows(const struct zoid_app *app, struct zoid_settings *settings, struct zoid_cli *cli,
                   struct zoid_command_rows *rows);
/* Run the program. Returns the exit code. */
int zoid_app_main(const struct zoid_app *app, int argc, char **argv);

#endif
