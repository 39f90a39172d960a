/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources and receivers on the command line. */
#ifndef ZOID_APPS_DRIVER_POINTS_H
#define ZOID_APPS_DRIVER_POINTS_H

#include "apps/driver/options.h"

struct zoid_point_list;

/* Read sources and receivers from the options, add them to the problem, and check it. Without any,
 * *list is unchanged. Collective: all ranks fail together. ZOID_BAD_ARGUMENT: as
 * zoid_problem_check, or a malformed source, receiver or file. ZOID_RESOURCE: a file cannot be
 * read. */
enum zoid_status zoid_point_list_open(const struct zoid_options *options,
                                      struct zoid_problem *problem, struct zoid_point_list **list);
/* Call after the jobs of the problem are destroyed, which borrow the list. */
void zoid_point_list_close(struct zoid_point_list **list);

#endif
