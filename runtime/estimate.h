/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_ESTIMATE_H
#define ZOID_RUNTIME_ESTIMATE_H

#include "runtime/zoid.h"

/* Ranks plans: the lower the better. The scale is roughly seconds, but no more than a ranking is
 * promised. Writes the plan's reason. */
double zoid_estimate(const struct zoid_machine *machine, struct zoid_plan *plan);

#endif
