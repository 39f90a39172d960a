/* SPDX-License-Identifier: BSD-3-Clause */
/* Access to a job's state in the layout of the equation's domain, if the operator has another one.
 */
#ifndef ZOID_RUNTIME_SOLVE_DOMAIN_H
#define ZOID_RUNTIME_SOLVE_DOMAIN_H

#include "codelets/mlsor/mlsor.h"
#include "runtime/zoid_advanced.h"

struct zoid_domain {
    const struct zoid_problem *problem; /* the equation's problem */
    const struct zoid_mlsor *mlsor;     /* operator that solves it; NULL: the problem's own */
    bool turned;                        /* the job is mirrored by zoid_job_mirror */
};

/* Initialise a box of the operator's points: points of the domain from `initial`, which describes
 * the domain only, and 0 elsewhere. Requires domain->mlsor. */
void zoid_domain_fill(const struct zoid_domain *domain, const struct zoid_initial *initial,
                      int field, const struct zoid_box *box, const struct zoid_values *to);
/* Read planes [lo, hi) of the domain's field 0, contiguous. Collective; fails as zoid_job_read
 * does. */
enum zoid_status zoid_domain_read(const struct zoid_domain *domain, const struct zoid_job *job,
                                  long lo, long hi, void *to);
/* Read all planes, a part at a time, as zoid_job_each does. Collective. ZOID_RESOURCE: out of
 * memory. */
enum zoid_status zoid_domain_each(const struct zoid_domain *domain, const struct zoid_job *job,
                                  zoid_part_fn *part, void *user);

#endif
