/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources and receivers of a problem. */
#ifndef ZOID_RUNTIME_POINTS_H
#define ZOID_RUNTIME_POINTS_H

#include "runtime/zoid_advanced.h"

/* Validate the sources and receivers of a problem. ZOID_BAD_ARGUMENT: the operator does not support
 * them, or not in that field; one is outside of the domain or in a layer that the stages leave
 * constant; a series is not finite. */
enum zoid_status zoid_points_check(const struct zoid_problem *problem);

/* Return the range of points along an axis that the stages of a field compute, `last` included;
 * empty if `last` is less than `first`. */
void zoid_points_range(const struct zoid_problem *problem, int field, int axis, long *first,
                       long *last);

#endif
