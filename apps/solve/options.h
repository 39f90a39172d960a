/* SPDX-License-Identifier: BSD-3-Clause */
/* The settings of the group `solve`, resolved: which iteration, how far it over-relaxes, from what,
 * until when. Each solver is a family of operators, and one with a right-hand side. The operator of
 * mlsor is made for its problem, which is known as sor has it; ssor is sor in legs. */
#ifndef ZOID_APPS_SOLVE_OPTIONS_H
#define ZOID_APPS_SOLVE_OPTIONS_H

#include <limits.h>

#include "apps/driver/options.h"

struct zoid_sor_said {
    enum zoid_solver solver;
    const char *name;      /* of the solver */
    bool chosen, bordered; /* omega, border */
    double omega, border, tolerance;
    bool right;             /* there is a right-hand side: */
    char rhs[PATH_MAX + 2]; /* as a coefficient */
    const char *history;
    long every, sweeps;     /* every: 0: not given */
    long subdomain, layers; /* 0: not given */
    bool forward;
};

#endif
