/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a job as the domain of the equation has it, where the operator's planes are others.
 */
#ifndef ZOID_APPS_SOLVE_DOMAIN_H
#define ZOID_APPS_SOLVE_DOMAIN_H

#include "codelets/mlsor.h"
#include "runtime/zoid.h"

struct zoid_domain {
    const struct zoid_problem *problem; /* as it was asked for, */
    const struct zoid_mlsor *mlsor;     /* and what runs it; NULL: the problem's own operator, */
    bool turned;                        /* of a job that is mirrored as zoid_job_turn does it */
};

/* Writes the values of a box of the operator's points: those of the domain as `initial` has them,
 * which knows the domain alone, and 0 elsewhere. */
void zoid_domain_fill(const struct zoid_domain *domain, const struct zoid_initial *initial,
                      int field, const struct zoid_box *box, const struct zoid_values *to);
/* Reads planes [lo, hi) of the domain's field 0, one after the other. */
enum zoid_status zoid_domain_read(const struct zoid_domain *domain, const struct zoid_job *job,
                                  long lo, long hi, void *to);
/* All of them, a part at a time, as zoid_job_each does. */
enum zoid_status zoid_domain_each(const struct zoid_domain *domain, const struct zoid_job *job,
                                  zoid_part_fn *part, void *user);

#endif
