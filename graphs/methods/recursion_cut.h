/* SPDX-License-Identifier: BSD-3-Clause */
/* The cuts of a recursion; graphs/methods/recursion.c counts what comes of them. */
#ifndef ZOID_GRAPHS_METHODS_RECURSION_CUT_H
#define ZOID_GRAPHS_METHODS_RECURSION_CUT_H

#include "graphs/methods/recursion.h"

/* What a space cut needs beyond twice what a subzoid shrinks, since it goes between slabs. */
enum { ZOID_CUT_SLABS = 3 };

/* By how many planes a subzoid shrinks in a step. */
long zoid_cut_shrink(const struct zoid_recursion *r);

/* How a subzoid is cut; a leaf is not. */
enum zoid_cut_way { ZOID_CUT_NOT, ZOID_CUT_SPACE, ZOID_CUT_TIME };

enum zoid_cut_way zoid_cut_way(const struct zoid_recursion *r, const struct zoid_subzoid *p);
/* The halves of a time cut. */
struct zoid_subzoid zoid_cut_lower(const struct zoid_recursion *r, struct zoid_subzoid p);
struct zoid_subzoid zoid_cut_upper(const struct zoid_recursion *r, struct zoid_subzoid p);

/* A space cut: upright subzoids 0 ... uprights - 1, and at face i > 0, between i - 1 and i, an
 * inverted one. Slopes lie in rings: two of each face, then the frames of the subzoids. The first
 * subzoid and the last may take more than a frame: what they overlap is dead then, or not yet
 * written. */
struct zoid_cut {
    struct zoid_subzoid subzoid;
    long uprights;
    long faces, frames; /* of the rings */
    long units, frame;  /* slopes along one side of a face, and of a frame */
};

/* Whether a subzoid has nobody beside it. */
static inline bool zoid_cut_whole(const struct zoid_subzoid *p)
{
    return p->face[ZOID_LOW] == ZOID_FACE_STILL && p->face[ZOID_HIGH] == ZOID_FACE_STILL;
}

struct zoid_cut zoid_cut_of(const struct zoid_recursion *r, const struct zoid_subzoid *p);
/* Where upright subzoid i starts: between two slabs, but at the ends. */
long zoid_cut_start(const struct zoid_recursion *r, const struct zoid_cut *c, long i);
struct zoid_subzoid zoid_cut_upright(const struct zoid_recursion *r, const struct zoid_cut *c,
                                     long i);
struct zoid_subzoid zoid_cut_inverted(const struct zoid_recursion *r, const struct zoid_cut *c,
                                      long face);
/* The upright subzoids between the first and the last have one of two widths: so many slabs, or one
 * more. And how many of subzoids 1 ... i - 1 have the larger one. */
long zoid_cut_narrow(const struct zoid_recursion *r, const struct zoid_cut *c);
long zoid_cut_wider(const struct zoid_recursion *r, const struct zoid_cut *c, long i);

#endif
