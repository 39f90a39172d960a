/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources and receivers as they are read, one after the other. */
#ifndef ZOID_APPS_DRIVER_POINTS_LIST_H
#define ZOID_APPS_DRIVER_POINTS_LIST_H

#include "runtime/zoid.h"

struct zoid_point_list {
    const struct zoid_problem *problem;
    struct zoid_points points;
    struct zoid_source *source; /* the series are the list's */
    struct zoid_receiver *receiver;
};

/* Adds one; a series belongs to the list from then on, or is gone after a failure. */
enum zoid_status zoid_point_list_source(struct zoid_point_list *list,
                                        const struct zoid_source *source);
enum zoid_status zoid_point_list_receiver(struct zoid_point_list *list,
                                          const struct zoid_receiver *receiver);

/* All numbers of a NumPy file of 1 or 2 axes, as doubles; its shape is n[0] x n[1], n[1] being 1
 * where there is one axis. free() them. ZOID_BAD_ARGUMENT: it has others; ZOID_RESOURCE: it cannot
 * be read. */
enum zoid_status zoid_point_numbers(const char *path, long n[2], double **values);

/* What a source adds: "ricker:F[,T0]", or a NumPy file, times an amplitude. */
enum zoid_status zoid_point_series(const struct zoid_problem *problem, const char *text,
                                   double amplitude, struct zoid_source *source);

/* Calls back with each line of a text file that has something in it, without blanks around that
 * and what follows a #; ends with what that returns other than ZOID_OK. */
typedef enum zoid_status zoid_line_fn(void *user, char *line);
enum zoid_status zoid_point_lines(const char *path, zoid_line_fn *line, void *user);

#endif
