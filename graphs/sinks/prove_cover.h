/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of points, kept as disjoint boxes. */
#ifndef ZOID_GRAPHS_SINKS_PROVE_COVER_H
#define ZOID_GRAPHS_SINKS_PROVE_COVER_H

#include <stddef.h>

#include "graphs/zoid.h"

/* Any disjoint boxes, none empty, in no order. Zero-initialised: no points. */
struct zoid_boxes {
    struct zoid_box *box;
    size_t count, room;
};

/* Adds a box that shares no point with the others. Returns non-zero without memory. */
int zoid_boxes_push(struct zoid_boxes *set, const struct zoid_box *box);
/* Takes the points of `hole` away. Returns non-zero without memory. */
int zoid_boxes_cut(struct zoid_boxes *set, const struct zoid_box *hole);
void zoid_boxes_free(struct zoid_boxes *set);

bool zoid_box_within(const struct zoid_box *inner, const struct zoid_box *outer);
bool zoid_box_meets(const struct zoid_box *a, const struct zoid_box *b);

/* A set that grows. Its boxes are merged where that gives a box, and sorted by their low face
 * along one axis, so that one that grows in order along that axis stays a single box. */
struct zoid_cover {
    struct zoid_boxes set;
    long widest; /* no box is wider than this along the axis */
    long volume;
};

/* Adds a box. `*again` becomes a box of points that it has in common with the set, or an empty
 * one; `scratch` is overwritten. Returns non-zero without memory. */
int zoid_cover_add(struct zoid_cover *cover, int axis, const struct zoid_box *box,
                   struct zoid_boxes *scratch, struct zoid_box *again);
/* Gives the boxes back, not the volume. */
void zoid_cover_free(struct zoid_cover *cover);

#endif
