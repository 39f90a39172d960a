/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles of a block that a team computes, several at a time. */
#ifndef ZOID_CODELETS_BLOCK_TEAM_TILES_H
#define ZOID_CODELETS_BLOCK_TEAM_TILES_H

#include "codelets/block/wavefront.h"

/* Rows [lo, hi) of a block at its first time, over which tiles lean by `skew` a time. */
struct zoid_tiles {
    long lo, hi, skew;
    long height; /* of a tile */
    long open;   /* a tile begins once the one so many before it has ended */
};

/* The fewest groups of times that members go through side by side, if there are as many times, and
 * the most times of a group: what one leaves the next one finds in a cache. */
enum { ZOID_TEAM_GROUPS = 4, ZOID_TEAM_TIMES = 8 };

/* Returns the height of tiles of at least `least` and at most `most` rows, for a team that goes
 * through `rows` rows in a number of groups. */
long zoid_team_height(int team, long groups, long rows, long least, long most);
/* Returns by how much longer than a fraction 1 / team of one core's time a team takes for a block
 * of that many planes, rows and times: 1 for a team of one. */
double zoid_team_excess(int team, double planes, double rows, double times,
                        const struct zoid_shape *shape, long skew);
/* Computes all times of all tiles of a block whose times march, by the run's team. False, with
 * nothing computed, if memory is short. */
bool zoid_team_tiles(struct zoid_runner *r, const struct zoid_tiles *tiles);

#endif
