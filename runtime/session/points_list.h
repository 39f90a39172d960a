/* SPDX-License-Identifier: BSD-3-Clause */
/* A growing list of sources and receivers, and readers of their files. */
#ifndef ZOID_RUNTIME_SESSION_POINTS_LIST_H
#define ZOID_RUNTIME_SESSION_POINTS_LIST_H

#include "runtime/session/number.h"
#include "runtime/zoid_advanced.h"

/* How a series is made: a Ricker wavelet, or a sine; if `frequency` is below 0, the constant
 * `delay`; if it is 0, given numbers; all times the amplitude. */
struct zoid_source_recipe {
    double amplitude, frequency, delay; /* in cycles a step, and steps */
    bool sine;                          /* without a delay */
};

struct zoid_point_list {
    const struct zoid_problem *problem;
    struct zoid_units units; /* of texts and files */
    double factor;           /* of numbers of sources, constant or one for each step */
    struct zoid_points points;
    struct zoid_source *source; /* the list owns the series */
    struct zoid_source_recipe *recipe;
    struct zoid_receiver *receiver;
};

/* Append one. The series of a source is made by its recipe, from `samples` numbers if that has no
 * frequency. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_point_list_source(struct zoid_point_list *list,
                                        const struct zoid_source *source,
                                        const struct zoid_source_recipe *recipe,
                                        const double *numbers, long samples);
enum zoid_status zoid_point_list_receiver(struct zoid_point_list *list,
                                          const struct zoid_receiver *receiver);

/* Read a NumPy file of 1 or 2 axes as doubles, of shape n[0] x n[1]; n[1] is 1 if it has one axis.
 * The caller frees *values. ZOID_BAD_ARGUMENT: another type, shape, or number of values.
 * ZOID_RESOURCE: it cannot be read, or out of memory. */
enum zoid_status zoid_point_numbers(const char *path, long n[2], double **values);

/* ZOID_BAD_ARGUMENT: a frequency of 0 or less, or one that steps do not resolve. */
enum zoid_status zoid_point_check_frequency(const char *key,
                                            const struct zoid_source_recipe *recipe);

/* Parse a series, "ricker:F[,T0]", "sine:F[,A]", "constant:Q" or a NumPy file with one value per
 * step; A is a factor of the amplitude. The caller frees *numbers, which is NULL unless there is a
 * file. Fails as zoid_point_numbers does; messages name `key`. */
enum zoid_status zoid_point_series(const char *key, const char *text,
                                   const struct zoid_units *units,
                                   struct zoid_source_recipe *recipe, double **numbers,
                                   long *samples);

/* Return the values of a recipe for steps 0 ... samples - 1, each of given numbers times `factor`;
 * NULL: out of memory. The caller frees them. */
double *zoid_point_series_make(const struct zoid_source_recipe *recipe, double factor,
                               const double *numbers, long samples);
/* Columns of a recipe in a table of a checkpoint. */
enum { ZOID_RECIPE_COLUMNS = 3 };
void zoid_point_recipe_store(const struct zoid_source_recipe *recipe,
                             double row[ZOID_RECIPE_COLUMNS]);
struct zoid_source_recipe zoid_point_recipe_load(const double row[ZOID_RECIPE_COLUMNS]);

/* Store sources and receivers as tables, or append those of a table to an empty list. */
struct zoid_stored;
enum zoid_status zoid_point_list_store(const struct zoid_point_list *list,
                                       struct zoid_stored *stored);
enum zoid_status zoid_point_list_load_sources(struct zoid_point_list *list,
                                              const struct zoid_stored *stored);
enum zoid_status zoid_point_list_load_receivers(struct zoid_point_list *list,
                                                const struct zoid_stored *stored);

/* Call `line` for each line of a text file that is not empty, without surrounding blanks and
 * without comments, which begin with #. Returns at the first status other than ZOID_OK.
 * ZOID_RESOURCE: the file cannot be read. */
typedef enum zoid_status zoid_line_fn(void *user, char *line);
enum zoid_status zoid_point_lines(const char *path, zoid_line_fn *line, void *user);

#endif
