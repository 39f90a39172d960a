/* SPDX-License-Identifier: BSD-3-Clause */
/* Finishing of planes after a sweep, in domains with faces that absorb or match, sponges, faces
 * that are held, sample points or open faces: absorbing layers (absorb.h) damp values, perfectly
 * matched ones (layer.h) add to them, Cerjan's layers, which are sponges, damp them, the layers
 * that the stencil leaves out at held faces get their values, sources add theirs, receivers' values
 * are recorded, and ghost points are filled. Ghost points are the points of a plane beyond an open
 * face of x or y; each gets the value of the point that it stands for. Stored planes always have
 * valid ghost points, unless the operator handles its own boundaries (own_edges).
 *
 *        ghosts |   domain   | ghosts
 *     ---+---+--+------------+--+---+--
 *      2   1        0 1 2 ...                 a mirrored face: ghost -i is point i, with the sign
 *                                             of the state turned at a free face
 *
 * After every stage, a sponge multiplies the values that the stage wrote within ZOID_SPONGE_WIDTH
 * points of the face by exp(-(0.015 (ZOID_SPONGE_WIDTH - d))^2) at distance d: once per face, the
 * low one before the high one, x before y before z. Held faces take their turns in the same order:
 * where their layers meet, the last one counts. */
#ifndef ZOID_CODELETS_BLOCK_FINISH_H
#define ZOID_CODELETS_BLOCK_FINISH_H

#include "codelets/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ZOID_SPONGE_WIDTH = 20 };

/* All data of finishing besides the sweep, passed by value to any device. */
struct zoid_finish {
    bool absorbs, remembers, sponges, holds,
        ghosts; /* true if there are any; if all are false, nothing is done */
    bool sponge[ZOID_AXES][ZOID_SIDES];
    double taper[ZOID_SPONGE_WIDTH]; /* by distance from the face; rounded to the type once */
    /* For x and y: number of ghosts to fill on a side, indices of the points that ghosts -1 - i
     * and n + i stand for, and bit i if these are state with its sign turned (free faces). */
    int count[2][ZOID_SIDES];
    long stands_for[2][ZOID_SIDES][ZOID_MAX_REACH];
    unsigned turned[2][ZOID_SIDES];
};

/* Returns the finishing data of a run. Without ghosts to fill if the operator has own_edges. */
struct zoid_finish zoid_finish_of(const struct zoid_op *op, const struct zoid_shape *shape,
                                  const struct zoid_layout *layout);

/* True if a sweep has something to finish: absorbing or matched layers, sponges, held faces,
 * sources, receivers, or planes with ghosts. */
bool zoid_sweep_unfinished(const struct zoid_sweep *sweep);
/* Finishes the planes and rows of a sweep's box in sweep->out: damps values that its stage wrote,
 * applies its sources and records its receivers' points, and fills those ghosts of its fields that
 * stand for points of the box. */
void zoid_finish_sweep(const struct zoid_finish *finish, const struct zoid_sweep *sweep);

/* Sets *value to that of a held face after the sweep's stage, and *box to the points of the sweep's
 * box in the layers there that it leaves out of a field. False if they stay as they are. */
bool zoid_sweep_holds(const struct zoid_sweep *sweep, int field, int axis, int side, double *value,
                      struct zoid_box *box);

/* Fills all ghost points of one field of a plane, of state or of a coefficient. */
void zoid_finish_plane(const struct zoid_finish *finish, const struct zoid_shape *shape,
                       const struct zoid_layout *layout, bool state, void *plane);

#ifdef __cplusplus
}
#endif
#endif
