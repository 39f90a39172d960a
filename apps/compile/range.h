/* SPDX-License-Identifier: BSD-3-Clause */
/* Boxes (iteration domains) of statements, and boundaries of arrays. */
#ifndef ZOID_APPS_COMPILE_RANGE_H
#define ZOID_APPS_COMPILE_RANGE_H

#include "apps/compile/meaning.h"

/* Set the boxes of all statements, the domain's extents and least extents. Refuses accesses that
 * leave an array in a domain of any size. */
void zoid_set_ranges(struct zoid_meaning *m);
/* Returns whether box a, moved by an offset (or NULL), has no point of b in any domain; whether a
 * lies inside b in all domains. Both may be false although it is so. */
bool zoid_range_disjoint(int axes, const struct zoid_ir_box *a, const int *offset,
                         const struct zoid_ir_box *b);
bool zoid_range_inside(int axes, const struct zoid_ir_box *a, const struct zoid_ir_box *b);

#endif
