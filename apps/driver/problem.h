/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_APPS_DRIVER_PROBLEM_H
#define ZOID_APPS_DRIVER_PROBLEM_H

#include "apps/driver/options.h"

/* Dimensions asked for; 0: the options leave them open. */
long zoid_problem_dims(const struct zoid_options *options);
/* The one asked for, or of these the first that has the dimensions asked for. */
const char *zoid_problem_family(const struct zoid_options *options, const char *const *families);

/* Finds the family's variant that the options name and fills the problem. ZOID_BAD_ARGUMENT, with
 * what exists instead, when there is none; fails as zoid_problem_check does. */
enum zoid_status zoid_problem_make(const char *family, const struct zoid_options *options,
                                   struct zoid_problem *problem);

#endif
