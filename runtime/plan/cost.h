/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_PLAN_COST_H
#define ZOID_RUNTIME_PLAN_COST_H

#include "runtime/zoid_advanced.h"

/* Return the name of a resource in reports and texts of plans. */
const char *zoid_resource_name(enum zoid_resource resource);
/* Return the resource that is busy longest: the predicted bottleneck. */
enum zoid_resource zoid_cost_bound(const struct zoid_cost *cost);

#endif
