/* SPDX-License-Identifier: BSD-3-Clause */
/* What becomes of a datum in the memory of who has run a block, when the block has ended: the rule
 * that the replay of a plan (graphs/sinks/moves.c) and the runtime (runtime/submit/ledger.h) share.
 */
#ifndef ZOID_GRAPHS_RESIDENCE_H
#define ZOID_GRAPHS_RESIDENCE_H

#include "graphs/graph.h"

/* Whether a block has to find in a datum what it holds, and whether it leaves something there. */
static inline bool zoid_access_reads(const struct zoid_access *a)
{
    return a->mode & ZOID_READ || a->keeps;
}

static inline bool zoid_access_writes(const struct zoid_access *a)
{
    return a->mode & ZOID_WRITE || a->fills;
}

/* Which of several memories a lane computes from: lanes that follow one another share one, where
 * there are more lanes. */
static inline int zoid_lane_memory(int lane, int lanes, int memories)
{
    return lane % lanes * memories / lanes;
}

enum zoid_residence {
    ZOID_STAYS,     /* a block that runs there accesses it next */
    ZOID_GOES_HOME, /* nobody there wants it for a while: written back if it was written, then
                     * dropped */
    ZOID_HANDED_ON, /* it goes to the memory of the next lane, and is dropped here */
    ZOID_DROPPED    /* nobody reads what it holds here: dropped as it is */
};

/* Of a memory that some data come and go through. */
struct zoid_residence_in {
    bool kept[ZOID_KINDS]; /* it has room for all data of a kind all the time */
    bool next_lane_here;   /* the next lane computes from the same memory */
    bool last; /* the block computes the last time of all: what it writes goes home, unless it is
                * dead, also where it is kept */
};

/* After the block whose access it is. A slab that is dead goes home, since StarPU can forget what
 * it holds only where nobody asks for it any more; where it was not written, that moves nothing. */
enum zoid_residence zoid_residence_after(const struct zoid_access *access,
                                         const struct zoid_residence_in *in);

#endif
