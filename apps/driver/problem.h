/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_APPS_DRIVER_PROBLEM_H
#define ZOID_APPS_DRIVER_PROBLEM_H

#include "apps/driver/options.h"

/* Return the number of dimensions in the options; 0: not given. */
long zoid_problem_dims(const struct zoid_options *options);
/* Return the family in the options, or else the first of `families` with their number of
 * dimensions, or else the first. */
const char *zoid_problem_family(const struct zoid_options *options, const char *const *families);

/* Find the family's variant that the options name, and fill the problem. ZOID_BAD_ARGUMENT: there
 * is no such variant (the message lists those that exist), or as zoid_problem_check. *problem is
 * unchanged after a failure. */
enum zoid_status zoid_problem_make(const char *family, const struct zoid_options *options,
                                   struct zoid_problem *problem);

#endif
