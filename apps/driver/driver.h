/* SPDX-License-Identifier: BSD-3-Clause */
/* The program that all stencil programs are. */
#ifndef ZOID_APPS_DRIVER_DRIVER_H
#define ZOID_APPS_DRIVER_DRIVER_H

#include "apps/driver/march.h"
#include "apps/driver/options.h"
#include "apps/driver/rows.h"

/* What a program has of its own. */
struct zoid_app {
    const char *name;            /* zoid-heat */
    const char *const *families; /* of its operators, the default first; NULL ends them */
    const char *choose;          /* the option that names one, where there are several */
    const char *summary;         /* opens --help */
    /* ZOID_GROUP_...: the settings that it has; 0: those of stencils. */
    unsigned groups;
    bool no_params;                        /* the operators' parameters are settings of a group */
    const struct zoid_row_change *changes; /* of rows; or NULL */
    /* The problem that the options ask for, and what of them is another's than asked; NULL: as
     * zoid_problem_make has it. */
    enum zoid_status (*make)(struct zoid_options *options, struct zoid_problem *problem);
    /* Of a program that looks at the state on the way: the steps from one look to the next, as
     * `make` leaves them; 0: it never does. Or NULL. */
    const long *leg;
    /* What else the problem is than its operator, domain, parameters and seed: `option=value` a
     * line, defaults included. Whoever goes on from a checkpoint has to say the same. Or NULL. */
    enum zoid_status (*say)(FILE *out);
    /* What else its initial state has; or NULL. */
    void (*start)(struct zoid_initial *initial);
    /* Writes that state, a struct zoid_initial, into the job, and reads field 0 of the final one
     * out of it, as zoid_initial_box and zoid_job_each do, which NULL stands for. */
    zoid_box_fn *fill;
    enum zoid_status (*each)(const struct zoid_job *job, zoid_part_fn *part, void *user);
    /* Fills coefficients of the job that come in pieces; or NULL. */
    enum zoid_status (*pieces)(struct zoid_job *job);
    /* What a dump is of where `each` reads something else than the initial state is of; or NULL. */
    const struct zoid_problem *shown;
    /* Adds to the plan that is printed; or NULL. */
    void (*show)(const struct zoid_context *context, const struct zoid_plan *plan, FILE *out);
    /* Runs the job, which was filled: begins the march, goes, and ends it. After ZOID_CHECK_FAILED
     * results are left all the same. NULL: zoid_march_run, or zoid_job_run, once. */
    enum zoid_status (*run)(struct zoid_march *march, struct zoid_job *job,
                            struct zoid_report *report);
    /* What the report says of the final state beside what it says of the run, at most
     * ZOID_MAX_DERIVED values; or NULL. */
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

/* The options of the program; `cli` may be NULL. */
void zoid_app_rows(const struct zoid_app *app, struct zoid_settings *settings, struct zoid_cli *cli,
                   struct zoid_command_rows *rows);
/* Does everything: returns the exit code. */
int zoid_app_main(const struct zoid_app *app, int argc, char **argv);

#endif
