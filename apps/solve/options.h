/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of zoid-sor: which iteration, how far it over-relaxes, from what, until when. */
#ifndef ZOID_APPS_SOLVE_OPTIONS_H
#define ZOID_APPS_SOLVE_OPTIONS_H

#include <limits.h>

#include "apps/driver/options.h"

/* Each is a family of operators, and one with a right-hand side. The operator of mlsor is made for
 * its problem, which is known as sor has it; ssor is sor in legs. */
enum zoid_solver { ZOID_JACOBI, ZOID_SOR, ZOID_RBSOR, ZOID_MLSOR, ZOID_SSOR };
extern const char *const zoid_solvers[]; /* as --solver takes them; NULL ends them */

/* What the command line says beside what it says to every program. */
struct zoid_sor_said {
    int solver;
    bool chosen, bordered; /* omega, border */
    double omega, border, tolerance;
    bool right;             /* there is a right-hand side: */
    char rhs[PATH_MAX + 2]; /* as --coefficient takes it */
    const char *history;
    long every, sweeps;     /* every: 0: not given */
    long subdomain, layers; /* 0: not given */
    bool forward;
};
extern struct zoid_sor_said zoid_sor_said;

/* A table for zoid_app; fills the above and a struct zoid_options. */
extern const struct zoid_option zoid_sor_options[];

#endif
