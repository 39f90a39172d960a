/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources and receivers that the command line gives. */
#ifndef ZOID_APPS_DRIVER_POINTS_H
#define ZOID_APPS_DRIVER_POINTS_H

#include "apps/driver/options.h"

/* The options, where one of the families can have sources and receivers; rows without a heading.
 * One table a program. */
const struct zoid_option *zoid_options_points(const char *const *families);
/* The one for a file of what receivers see, likewise. */
const struct zoid_option *zoid_options_record(const char *const *families);

struct zoid_point_list;

/* Reads what the options say, and gives it to the problem, which is checked with it. NULL in *list:
 * they give none. ZOID_BAD_ARGUMENT: as zoid_problem_check; what is no source or no receiver; a
 * file with other values. ZOID_RESOURCE: it cannot be read. Of several ranks all call it, and fail
 * together. */
enum zoid_status zoid_point_list_open(const struct zoid_options *options,
                                      struct zoid_problem *problem, struct zoid_point_list **list);
/* Once there is no job of the problem any more. */
void zoid_point_list_close(struct zoid_point_list **list);

#endif
