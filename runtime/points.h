/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources and receivers of a problem. */
#ifndef ZOID_RUNTIME_POINTS_H
#define ZOID_RUNTIME_POINTS_H

#include "runtime/zoid.h"

/* ZOID_BAD_ARGUMENT: the operator has none, or not in that field; one is outside of the domain, or
 * beside a layer that the stages leave as it is; a series that is not finite. */
enum zoid_status zoid_points_check(const struct zoid_problem *problem);

/* The points along an axis that a field's stages compute, from the first to the last; none if that
 * is less. */
void zoid_points_range(const struct zoid_problem *problem, int field, int axis, long *first,
                       long *last);

#endif
