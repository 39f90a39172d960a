/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of points, stored as disjoint boxes. */
#ifndef ZOID_GRAPHS_SINKS_PROVE_COVER_H
#define ZOID_GRAPHS_SINKS_PROVE_COVER_H

#include <stddef.h>

#include "graphs/zoid.h"

/* Disjoint, non-empty boxes in any order. Zero-initialised: no points. */
struct zoid_boxes {
    struct zoid_box *box;
    size_t count, room;
};

/* Add a box that shares no point with the others. Returns non-zero if out of memory. */
int zoid_boxes_push(struct zoid_boxes *set, const struct zoid_box *box);
/* Remove the points of `hole`. Returns non-zero if out of memory. */
int zoid_boxes_cut(struct zoid_boxes *set, const struct zoid_box *hole);
void zoid_boxes_free(struct zoid_boxes *set);

bool zoid_box_within(const struct zoid_box *inner, const struct zoid_box *outer);
bool zoid_box_meets(const struct zoid_box *a, const struct zoid_box *b);

/* A growing set. Boxes are merged if the result is a box, and sorted by their low face along one
 * axis: a set that grows in order along that axis remains a single box. */
struct zoid_cover {
    struct zoid_boxes set;
    long widest; /* maximum width of a box along the axis */
    long volume;
};

/* Add a box. *again becomes a box of points that the set already had, or an empty one; `scratch` is
 * overwritten. Returns non-zero if out of memory. */
int zoid_cover_add(struct zoid_cover *cover, int axis, const struct zoid_box *box,
                   struct zoid_boxes *scratch, struct zoid_box *again);
/* Free the boxes; the volume stays. */
void zoid_cover_free(struct zoid_cover *cover);

#endif
