/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the streams of all ranks against one another: a sent message goes through a FIFO channel to
 * the next receive of that name, and a block that reads a message which has not arrived suspends
 * its rank. */
#ifndef ZOID_TESTS_GRAPHS_RANKS_CHANNELS_H
#define ZOID_TESTS_GRAPHS_RANKS_CHANNELS_H

#include "tests/graphs/ranks/streams.h"

/* Scheduling order: random, or always the first rank of `order` that can advance. */
struct schedule {
    uint64_t seed;
    const int *order; /* of all ranks; NULL: at random */
    /* Messages have one copy, the reader's: a block that leaves one waits until it is awaited, or
     * until the reader's leg has ended. */
    bool shared;
};

/* NULL if
 * - all streams end, and every message sent is received;
 * - every block reads the version of its epoch, with the patch that its view has, and finds every
 *   plane that it reads in the slot that its writer left it in;
 * - no message arrives before it is awaited, except where a leg follows another; in the first leg,
 *   all ranks post the awaits before its first block before any rank goes on.
 * Else the first reason; the string is valid until the next call. */
const char *channels_fault(const struct stream *stream, int ranks, const struct schedule *schedule);

#endif
