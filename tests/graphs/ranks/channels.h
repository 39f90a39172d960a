/* SPDX-License-Identifier: BSD-3-Clause */
/* The streams of all ranks, each its own, run against one another: what a rank sends goes through a
 * channel to the next receive of that name, first in, first out, and a block that reads a message
 * which has not come suspends its rank. */
#ifndef ZOID_TESTS_GRAPHS_RANKS_CHANNELS_H
#define ZOID_TESTS_GRAPHS_RANKS_CHANNELS_H

#include "tests/graphs/ranks/streams.h"

/* Who moves: anybody, at random; or always the first of `order` who can. */
struct schedule {
    uint64_t seed;
    const int *order; /* of all ranks; NULL: at random */
};

/* NULL when
 *  - all streams come to their end, and what was sent has come;
 *  - every block reads the version that its epoch begins with, of the patch that it says;
 *  - nothing comes before it is awaited, except where a leg follows another; of the first leg, all
 *    ranks await what it awaits before its first block before anyone goes on.
 * Else the first reason, valid until the next call. */
const char *channels_fault(const struct stream *stream, int ranks, const struct schedule *schedule);

#endif
