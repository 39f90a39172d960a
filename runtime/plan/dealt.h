/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans of ANY place: workers of both kinds take the same blocks, as StarPU's scheduler deals them.
 */
#ifndef ZOID_RUNTIME_PLAN_DEALT_H
#define ZOID_RUNTIME_PLAN_DEALT_H

#include "runtime/plan/plan.h"

/* Return the places of a run that names no places, as in {places}: those that there are, and that
 * can compute with the operator. */
const char *zoid_dealt_places(const struct zoid_site *site, const struct zoid_op *op);
/* Plan for crews of a site. ZOID_BAD_ARGUMENT: a request that blocks of ANY place are not for, and
 * otherwise as zoid_plan_make. */
enum zoid_status zoid_dealt_at(const struct zoid_site *site, const struct zoid_problem *problem,
                               const struct zoid_request *request, const struct zoid_crew crew[],
                               int crews, struct zoid_plan *plan);

/* Let the plan have the crews of a site. */
void zoid_dealt_seat(const struct zoid_site *site, struct zoid_plan *plan);
/* Set the most blocks in flight that the memory of GPUs allows, and whether they keep all data.
 * No-op without GPUs. */
void zoid_dealt_limit(struct zoid_plan *plan);
/* Return the bytes of the memory of a GPU that blocks in flight need; 0: no GPU takes part. */
uint64_t zoid_dealt_bytes(const struct zoid_plan *plan);

#endif
