/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles of a block: how far they lean and how high they are. Blocks are cut by that, and their time
 * is predicted from it (runtime/plan/estimate_cores.c). */
#ifndef ZOID_CODELETS_TILE_H
#define ZOID_CODELETS_TILE_H

#include <stdbool.h>
#include <stddef.h>

#include "graphs/zoid.h"

/* The lowest tile, in leans: of sweeps, in a lower one most rows would come from the tile before;
 * and of times that march. */
enum { ZOID_TILE_LEAST = 8, ZOID_TILE_LEAST_MARCHING = 2 };

/* Whether blocks of this shape are cut into tiles where the device asks for it: not where ghosts
 * stand for rows of other tiles, or where a point may read what rows of the next tile become before
 * it. */
bool zoid_tiled(const struct zoid_shape *shape);
/* Rows (in 2-D, points) that a tile moves each time: as far as a stage looks, in x by whole lines
 * of values of that many bytes. */
long zoid_tile_lean(const struct zoid_shape *shape, size_t value);
/* How many leans of rows stay in a cache of that size, where a row takes `row` bytes over all
 * planes and buffers; below ZOID_TILE_LEAST a tile does not fit. */
double zoid_tile_fit(size_t cache, double row, long lean);
/* The same while times march, where a row takes `row` bytes over all that is in flight. */
double zoid_tile_fit_marching(size_t cache, double row, long lean);
/* How often blocks of so many times, which are brought to the cache once, are brought again where n
 * of these march in tiles of so many leans: for each further n times, and at every time the rows of
 * the tile before that are read or moved on to; all rows where tiles leave the cache. */
double zoid_tile_again(double times, long n, double leans, bool leave);

#endif
