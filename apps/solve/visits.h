/* SPDX-License-Identifier: BSD-3-Clause */
/* From a problem of Poisson's equation to that of the operator that mlsor runs it by. */
#ifndef ZOID_APPS_SOLVE_VISITS_H
#define ZOID_APPS_SOLVE_VISITS_H

#include "apps/solve/domain.h"

struct zoid_visits {
    long subdomain, layers; /* as codelets/mlsor.h has them */
    bool forward;
    long sweeps, every; /* of the run, and from one look at the residual to the next */
};

/* Makes *mlsor, which may not move afterwards, and its problem, of as many visits as do p->steps
 * sweeps. ZOID_BAD_ARGUMENT: a line, more layers than half a subdomain, planes that cannot
 * be counted, looks that fall into a visit. */
enum zoid_status zoid_visits_make(const struct zoid_visits *visits, const struct zoid_problem *p,
                                  double omega, struct zoid_mlsor *mlsor,
                                  struct zoid_problem *problem);
/* What an option says of the axes of a domain, as the operator has them: its second is the
 * domain's slowest. ZOID_BAD_ARGUMENT: it cuts another one. */
enum zoid_status zoid_visits_fold(const char *option, int dims, long along[ZOID_AXES]);
/* Makes of a report of visits one of sweeps over the domain, after which so many are done. */
void zoid_visits_count(const struct zoid_domain *domain, long sweeps, struct zoid_report *report);

#endif
