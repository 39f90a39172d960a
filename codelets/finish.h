/* SPDX-License-Identifier: BSD-3-Clause */
/* What is done to planes after a sweep, where the domain has sponges, taps or open faces: the
 * values near a sponge fade, sources add to theirs, what receivers see is kept, and the ghosts, the
 * points of a plane that lie beyond an open face of x or y, get the values of the points they stand
 * for. Planes that are stored always have their ghosts, but for operators that have edges of their
 * own.
 *
 *        ghosts |   domain   | ghosts
 *     ---+---+--+------------+--+---+--
 *      2   1        0 1 2 ...                 a mirrored face: ghost -i is point i
 *
 * A sponge multiplies, after every stage, the values that the stage wrote within ZOID_SPONGE_WIDTH
 * points of the face by exp(-(0.015 (ZOID_SPONGE_WIDTH - d))^2) at distance d: once a face, the low
 * one before the high one, x before y before z. */
#ifndef ZOID_CODELETS_FINISH_H
#define ZOID_CODELETS_FINISH_H

#include "codelets/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ZOID_SPONGE_WIDTH = 20 };

/* All that finishing needs to know beside the sweep, by value, for any device. */
struct zoid_finish {
    bool sponges, ghosts; /* whether there are any; with neither, nothing is to be done */
    bool sponge[ZOID_AXES][ZOID_SIDES];
    double taper[ZOID_SPONGE_WIDTH]; /* by distance from the face; rounded once to the type */
    /* Along x and y: how many ghosts to fill on a side, and what the ghosts -1 - i and n + i stand
     * for. */
    int count[2][ZOID_SIDES];
    long stands_for[2][ZOID_SIDES][ZOID_MAX_REACH];
};

/* Where the operator has edges of its own nobody needs ghosts, and there is nothing to fill. */
struct zoid_finish zoid_finish_of(const struct zoid_op *op, const struct zoid_shape *shape,
                                  const struct zoid_layout *layout);

/* Finishes the planes and rows of a sweep's box that lie in sweep->out: tapers what its stage
 * wrote, lets its taps meet it, and fills those ghosts of its fields that stand for points of the
 * box. */
void zoid_finish_sweep(const struct zoid_finish *finish, const struct zoid_sweep *sweep);

/* Fills all ghosts of one field of a plane. */
void zoid_finish_plane(const struct zoid_finish *finish, const struct zoid_shape *shape,
                       const struct zoid_layout *layout, void *plane);

#ifdef __cplusplus
}
#endif
#endif
