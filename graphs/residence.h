/* SPDX-License-Identifier: BSD-3-Clause */
/* Eviction rule: where a datum goes when a block that ran in a memory has ended. Shared by the
 * replay of a plan (graphs/sinks/moves.c) and the runtime (runtime/submit/ledger.h). */
#ifndef ZOID_GRAPHS_RESIDENCE_H
#define ZOID_GRAPHS_RESIDENCE_H

#include "graphs/graph.h"

/* True if a block needs the contents of a datum. */
static inline bool zoid_access_reads(const struct zoid_access *a)
{
    return a->mode & ZOID_READ || a->keeps;
}

/* True if a block changes the contents of a datum. */
static inline bool zoid_access_writes(const struct zoid_access *a)
{
    return a->mode & ZOID_WRITE || a->fills;
}

/* Memory that a lane computes from. With more lanes than memories, consecutive lanes share one. */
static inline int zoid_lane_memory(int lane, int lanes, int memories)
{
    return lane % lanes * memories / lanes;
}

enum zoid_residence {
    ZOID_STAYS,     /* the next block to access it runs in this memory */
    ZOID_GOES_HOME, /* not needed here for a while: written back if it was written, then dropped */
    ZOID_HANDED_ON, /* moves to the memory of the next lane, and is dropped here */
    ZOID_DROPPED    /* not read here again: dropped without write-back */
};

/* State of a memory that data are brought to and evicted from. */
struct zoid_residence_in {
    bool kept[ZOID_KINDS]; /* the memory has room for all data of the kind */
    bool next_lane_here;   /* the next lane computes from the same memory */
    /* The block computes the last time of all: data that it writes go home unless they are dead,
     * also if they are kept. */
    bool last;
};

/* Residence of a datum after the block of an access. A dead slab goes home, since StarPU can
 * invalidate a handle only when no task requests it any more; if it was not written, that moves
 * nothing. */
enum zoid_residence zoid_residence_after(const struct zoid_access *access,
                                         const struct zoid_residence_in *in);

#endif
