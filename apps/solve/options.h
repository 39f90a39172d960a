/* SPDX-License-Identifier: BSD-3-Clause */
/* Resolved settings of the group `solve`: solver, over-relaxation, boundary values, stopping
 * criteria. Each solver is an operator family, and another with a right-hand side, except that
 * mlsor builds its operator for a problem of sor, and ssor runs sor with mirrored legs. */
#ifndef ZOID_APPS_SOLVE_OPTIONS_H
#define ZOID_APPS_SOLVE_OPTIONS_H

#include <limits.h>

#include "apps/driver/options.h"

struct zoid_sor_said {
    enum zoid_solver solver;
    const char *name;      /* name of the solver */
    bool chosen, bordered; /* omega, border were given */
    double omega, border, tolerance;
    bool right;             /* right-hand side: */
    char rhs[PATH_MAX + 2]; /* in the form of a coefficient option */
    const char *history;
    long every, sweeps;     /* every: 0: not given */
    long subdomain, layers; /* 0: not given */
    bool forward;
};

#endif
