/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes of tiles: rows of hyperplanes of a nest's dependences, minimal and balanced. */
#ifndef ZOID_APPS_COMPILE_SHAPES_H
#define ZOID_APPS_COMPILE_SHAPES_H

#include <stdio.h>

#include "apps/compile/depend.h"

enum { ZOID_SHAPE_DIMS = 1 + ZOID_NEST_AXES };

/* Rows phi with an offset c for each statement, so that for all dependences of a row
 * 0 <= phi . distance + c[to] - c[from] <= width. */
struct zoid_shape_row {
    int phi[ZOID_SHAPE_DIMS], width;
    int offset[ZOID_STATEMENTS];
};

struct zoid_shape_rows {
    int n; /* fewer than dimensions: there are no more */
    struct zoid_shape_row row[ZOID_SHAPE_DIMS];
};

/* Find the rows: minimal, or balanced, whose first row also has phi . distance >= 1 for all
 * dependences of a statement on itself. `left_out` (or NULL): true for each dependence that does
 * not count. Refuses what takes too long. */
struct zoid_shape_rows zoid_shape_find(struct zoid_text *text, const struct zoid_dependences *all,
                                       const bool *left_out, bool balanced);
/* Mark the false dependences that hinder: one without which the balanced rows differ; or else
 * the anti-dependences of one statement, which a copy of the array that it reads removes. */
void zoid_shape_hindering(struct zoid_text *text, const struct zoid_dependences *all,
                          bool *hindering);
/* Print dependences, rows, and what hinders. */
void zoid_shape_print(struct zoid_text *text, const struct zoid_dependences *all, FILE *to);

#endif
