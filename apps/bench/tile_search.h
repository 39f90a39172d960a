/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts of tiled loop nests: those that are considered, at random or all of them. */
#ifndef ZOID_APPS_BENCH_TILE_SEARCH_H
#define ZOID_APPS_BENCH_TILE_SEARCH_H

#include "apps/bench/tile_model.h"

struct zoid_tile_layout {
    int tile[ZOID_WAVEFRONT_ROWS];
    int threads, resident; /* of the model's */
};

/* Tile sizes from `least` to `most`. On a GPU a tile goes through a coordinate with half as many to
 * 4.5 times as many points as there are threads along it. `bytes`: a multiprocessor's shared
 * memory; `own`: bytes of it that each block takes besides a tile; `block`: most of a block. */
struct zoid_tile_space {
    struct zoid_wavefront_nest nest;
    enum zoid_type type;
    int least[ZOID_WAVEFRONT_ROWS], most[ZOID_WAVEFRONT_ROWS];
    double bytes, own, block;
};

/* Draw a layout whose tiles fit with the threads and resident tiles of an entry: each size with a
 * uniform logarithm. False: no layout of 10,000 fits. */
bool zoid_tile_draw(const struct zoid_tile_space *space, const struct zoid_tile_model *model,
                    unsigned short state[3], struct zoid_tile_layout *layout);

struct zoid_tile_choice {
    struct zoid_tile_layout layout;
    double predicted;
    long layouts, evaluated; /* considered, and predicted: others have a higher lower bound */
};
/* Choose the layout of the shortest predicted time among at least `least` layouts, if there are as
 * many tile sizes; it gives each round of the layout a time above 0. False: no layout has that, or
 * out of memory. */
bool zoid_tile_choose(const struct zoid_tile_space *space, const struct zoid_tile_model *model,
                      enum zoid_tile_model_kind kind, long least, struct zoid_tile_choice *choice);

#endif
