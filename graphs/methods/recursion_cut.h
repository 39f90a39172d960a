/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts of a recursion; graphs/methods/recursion.c sums their results. */
#ifndef ZOID_GRAPHS_METHODS_RECURSION_CUT_H
#define ZOID_GRAPHS_METHODS_RECURSION_CUT_H

#include "graphs/methods/recursion.h"

/* Slabs that a space cut needs beyond twice the shrinkage, since it lies between slabs. */
enum { ZOID_CUT_SLABS = 3 };

/* Number of planes by which a subzoid shrinks in a step. */
long zoid_cut_shrink(const struct zoid_recursion *r);

/* Kind of cut of a subzoid; ZOID_CUT_NOT for a leaf. */
enum zoid_cut_way { ZOID_CUT_NOT, ZOID_CUT_SPACE, ZOID_CUT_TIME };

enum zoid_cut_way zoid_cut_way(const struct zoid_recursion *r, const struct zoid_subzoid *p);
/* Halves of a time cut. */
struct zoid_subzoid zoid_cut_lower(const struct zoid_recursion *r, struct zoid_subzoid p);
struct zoid_subzoid zoid_cut_upper(const struct zoid_recursion *r, struct zoid_subzoid p);

/* A space cut: upright subzoids 0 ... uprights - 1, and at face i > 0, between i - 1 and i, an
 * inverted one. Slopes lie in ring buffers: two for each face, then the frames of the subzoids. The
 * first and the last subzoid may exceed a frame: the slopes that they overlap are dead then, or not
 * yet written. */
struct zoid_cut {
    struct zoid_subzoid subzoid;
    long uprights;
    long faces, frames; /* of the rings */
    long units, frame;  /* slopes along one side of a face, and of a frame */
};

/* True if a subzoid has no neighbours. */
static inline bool zoid_cut_whole(const struct zoid_subzoid *p)
{
    return p->face[ZOID_LOW] == ZOID_FACE_STILL && p->face[ZOID_HIGH] == ZOID_FACE_STILL;
}

/* Space cut of a subzoid. The caller sets `frame`. */
struct zoid_cut zoid_cut_of(const struct zoid_recursion *r, const struct zoid_subzoid *p);
/* Plane at which upright subzoid i starts: between two slabs, except at the ends. */
long zoid_cut_start(const struct zoid_recursion *r, const struct zoid_cut *c, long i);
/* Upright subzoid i. */
struct zoid_subzoid zoid_cut_upright(const struct zoid_recursion *r, const struct zoid_cut *c,
                                     long i);
/* Inverted subzoid at a face. */
struct zoid_subzoid zoid_cut_inverted(const struct zoid_recursion *r, const struct zoid_cut *c,
                                      long face);
/* Width in slabs of the narrower upright subzoids between the first and the last; the wider ones
 * have one slab more. */
long zoid_cut_narrow(const struct zoid_recursion *r, const struct zoid_cut *c);
/* Number of the wider ones among subzoids 1 ... i - 1. */
long zoid_cut_wider(const struct zoid_recursion *r, const struct zoid_cut *c, long i);

#endif
