/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes of tiles: rows of hyperplanes of a nest's dependences, minimal and balanced. */
#ifndef ZOID_APPS_COMPILE_SHAPES_H
#define ZOID_APPS_COMPILE_SHAPES_H

#include <stdio.h>

#include "apps/compile/copies.h"

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
/* Mark the false dependences of a nest that hinder: those without which the balanced rows differ;
 * or else, for one statement and one array, the anti-dependences that a copy of the array removes
 * and without which they differ, as far as these make a difference. */
void zoid_shape_hindering(struct zoid_meaning *m, bool *hindering);
/* Print dependences, rows, what hinders, and the rows with the copies that remove it. */
void zoid_shape_print(struct zoid_meaning *m, FILE *to);

#endif
