/* SPDX-License-Identifier: BSD-3-Clause */
/* The nest's file with the nest in tiles, which gcc compiles: wavefronts of tiles one after the
 * other, the tiles of a wavefront by OpenMP's threads. */
#ifndef ZOID_APPS_COMPILE_TILED_H
#define ZOID_APPS_COMPILE_TILED_H

#include "apps/compile/shapes.h"

enum { ZOID_TILE_MOST = 1 << 20 };

struct zoid_tiling {
    bool balanced, copies;     /* not minimal; the copies that remove what hinders */
    int tile[ZOID_SHAPE_DIMS]; /* how far each row goes through a tile, 1 to ZOID_TILE_MOST */
};

/* Return the file, which zoid_text_free releases. Its tiles are those of rows phi . (t, point) + c;
 * in a tile, points are in the order of the source. Refuses `copies` if no copy removes a
 * hindering dependence, statements of one point that would be in different tiles, and nests
 * without rows. */
const char *zoid_tiled(struct zoid_meaning *m, const struct zoid_tiling *tiling);

/* Inside: the text that stands before the file, with helpers after it, and in place of the region.
 */
struct zoid_tiled_parts {
    void (*head)(const void *data, FILE *to);
    void (*region)(const void *data, FILE *to);
    const void *data;
};

/* Return such a file. Refuses names of the file that the region may have, such as zoid_x0. */
const char *zoid_tiled_file(struct zoid_meaning *m, const struct zoid_tiled_parts *parts);

#endif
