/* SPDX-License-Identifier: BSD-3-Clause */
/* A growing list of sources and receivers, and readers of their files. */
#ifndef ZOID_APPS_DRIVER_POINTS_LIST_H
#define ZOID_APPS_DRIVER_POINTS_LIST_H

#include "runtime/zoid.h"

struct zoid_point_list {
    const struct zoid_problem *problem;
    struct zoid_points points;
    struct zoid_source *source; /* the list owns the series */
    struct zoid_receiver *receiver;
};

/* Append one. The list takes ownership of a source's series, and frees it on failure.
 * ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_point_list_source(struct zoid_point_list *list,
                                        const struct zoid_source *source);
enum zoid_status zoid_point_list_receiver(struct zoid_point_list *list,
                                          const struct zoid_receiver *receiver);

/* Read a NumPy file of 1 or 2 axes as doubles, of shape n[0] x n[1]; n[1] is 1 if it has one axis.
 * The caller frees *values. ZOID_BAD_ARGUMENT: another type, shape, or number of values.
 * ZOID_RESOURCE: it cannot be read, or out of memory. */
enum zoid_status zoid_point_numbers(const char *path, long n[2], double **values);

/* Make the time series of a source, with its amplitude: from "ricker:F[,T0]" or a NumPy file with
 * one value per step. Sets source->series, which the caller owns, and source->samples. Fails as
 * zoid_point_numbers does. */
enum zoid_status zoid_point_series(const struct zoid_problem *problem, const char *text,
                                   double amplitude, struct zoid_source *source);

/* Call `line` for each line of a text file that is not empty, without surrounding blanks and
 * without comments, which begin with #. Returns at the first status other than ZOID_OK.
 * ZOID_RESOURCE: the file cannot be read. */
typedef enum zoid_status zoid_line_fn(void *user, char *line);
enum zoid_status zoid_point_lines(const char *path, zoid_line_fn *line, void *user);

#endif
