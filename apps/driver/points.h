/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources and receivers that the command line gives. */
#ifndef ZOID_APPS_DRIVER_POINTS_H
#define ZOID_APPS_DRIVER_POINTS_H

#include "apps/driver/options.h"

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
