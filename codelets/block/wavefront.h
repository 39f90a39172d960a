/* SPDX-License-Identifier: BSD-3-Clause */
/* Wavefront of several times of a running block: pipelined steps, so that few planes of each time
 * are in flight, independent of the number of planes of the block. */
#ifndef ZOID_CODELETS_BLOCK_WAVEFRONT_H
#define ZOID_CODELETS_BLOCK_WAVEFRONT_H

#include "codelets/block/runner.h"
#include "codelets/threads/team.h"

/* Most times of a wavefront; and most if their tiles exceed the cache, where planes still come from
 * a cache nearer than memory. */
enum { ZOID_WAVEFRONT_MOST = 16, ZOID_WAVEFRONT_BEYOND = 4 };

/* Fronts of a tile that a team computes, and of the tile before it (NULL: there is none), by time
 * from the block's first on: planes, counted in the direction in which times march. */
struct zoid_fronts {
    struct zoid_front *own;
    const struct zoid_front *before;
    struct zoid_team_wait *wait;
};

/* Computes times t + 1 ... t + n of the block or of the current tile, n <= ZOID_WAVEFRONT_MOST.
 * Their stages take points in any order. `fronts`: of a tile beside others that are computed
 * meanwhile; NULL: all tiles before it, and all of its times before these, are complete. */
void zoid_wavefront(struct zoid_runner *r, long t, long n, const struct zoid_fronts *fronts);
/* Advances the lists past time t, which another member of the team computes. */
void zoid_wavefront_past(struct zoid_runner *r, long t);

#endif
