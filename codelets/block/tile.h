/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles of a block: skew and size. Runners cut blocks by these functions, and the planner predicts
 * their time from them (runtime/plan/estimate_cores.c). */
#ifndef ZOID_CODELETS_BLOCK_TILE_H
#define ZOID_CODELETS_BLOCK_TILE_H

#include <stdbool.h>
#include <stddef.h>

#include "graphs/zoid.h"

/* Smallest tile, in units of its lean (skew per time): for single sweeps, since most rows of a
 * smaller one would come from the tile before; and for wavefronts. */
enum { ZOID_TILE_LEAST = 8, ZOID_TILE_LEAST_MARCHING = 2 };

/* True if blocks of this shape are tiled on a device that asks for it. False if ghost points stand
 * for rows of other tiles, or if a stage takes points in order. */
bool zoid_tiled(const struct zoid_shape *shape);
/* Returns the lean of a tile, its skew per time in rows (in 2-D, points): the reach of a stage, in
 * x rounded up to whole cache lines of values of `value` bytes. */
long zoid_tile_lean(const struct zoid_shape *shape, size_t value);
/* Returns the size of the largest tile that stays in a cache, in leans. `row`: bytes of a row over
 * all planes and buffers. Below ZOID_TILE_LEAST a tile does not fit. */
double zoid_tile_fit(size_t cache, double row, long lean);
/* The same for a wavefront; `row`: bytes of a row over all planes in flight. */
double zoid_tile_fit_wavefront(size_t cache, double row, long lean);
/* Returns the number of reloads of a block into the cache after the first load, for a wavefront of
 * n times in tiles of `leans` leans: one for each further n times, and at every time the rows of
 * the tile before that are read or moved; all rows if tiles exceed the cache (`leave`). */
double zoid_tile_again(double times, long n, double leans, bool leave);
/* Returns the most rows of a tile through which the times of a block of `rows` rows drift: rows
 * that it leaves to the next tile, and rows that the next one leaves meanwhile, are stored next to
 * it. */
static inline double zoid_tile_most(double rows, double times, double lean)
{
    return rows - (2 * times + 4) * lean;
}

#endif
