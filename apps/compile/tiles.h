/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside of tiled.c: loops over tiles and points, by isl. */
#ifndef ZOID_APPS_COMPILE_TILES_H
#define ZOID_APPS_COMPILE_TILES_H

#include <isl/ast.h>

#include "apps/compile/tiled.h"
#include "apps/compile/units.h"

struct zoid_tiles {
    struct zoid_meaning *m; /* with copies, if there are any */
    const struct zoid_copies *copies;
    const struct zoid_tiling *tiling;
    const struct zoid_units *units;
    struct zoid_shape_rows rows;
    isl_ctx *ctx;
    const char *loops; /* their text */
};

/* Return the loops over points of the tile whose rows begin at zoid_x0, zoid_x1, ..., or over
 * tiles, whose calls have their numbers by rows (tiles.c). Points are those of units, in the order
 * of the source, by loops zoid_c0, ...; zoid_w0 is the wavefront, zoid_w1 and so on are tiles in
 * it, by rows from the last. NULL: isl failed. */
isl_ast_node *zoid_tiles_build(const struct zoid_tiles *k, bool points);
/* Return their text (tile_loops.c). Refuses what takes too long. */
const char *zoid_tiles_print(struct zoid_tiles *k);

#endif
