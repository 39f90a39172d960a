/* SPDX-License-Identifier: BSD-3-Clause */
/* One block as those see it who run it, and what runs blocks on a core: the sweeps of every
 * operator, or something of an operator's own. */
#ifndef ZOID_CODELETS_BLOCK_H
#define ZOID_CODELETS_BLOCK_H

#include <stdbool.h>

#include "codelets/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One datum of the block: what it holds before (reads) and after (writes), as in graphs/graph.h,
 * and where: field f of slot s starts at element f * capacity * layout.plane + s * layout.plane. A
 * halo has `halo` elements for every plane instead, and in them the rim, patch after patch, each
 * row after row; a row of a patch that leaves nothing out along x is a whole row of the layout,
 * with all ghosts. Where an `in` that is read has only a patch, halos that are read have the rest,
 * and it is put where it is missing. A datum that is written is one part only; one that is read may
 * be several. One that both reads and writes, around no circle, holds the zoid's t0 before and its
 * t1 after, t0 < t1, and its planes drift by at most the chain axis's reach a time. */
struct zoid_part {
    bool reads, writes;
    /* It holds the coefficient fields, of every time of `in`, or where these are bytes, the piece
     * of the planes of `in` from `base` on; reads only. */
    bool coefficient;
    struct zoid_view in, out;
    void *base;
    long capacity;       /* slots */
    size_t halo;         /* elements of a plane of a halo; 0: it is none */
    struct zoid_rim rim; /* of a halo */
};

/* Whether it is a slab that the block updates in place. */
static inline bool zoid_part_updated(const struct zoid_part *part)
{
    return part->reads && part->writes && !part->in.around;
}

struct zoid_run {
    enum zoid_traversal traversal;
    const struct zoid_op *op;
    const struct zoid_params *params;
    const struct zoid_shape *shape;
    const struct zoid_layout *layout;
    struct zoid zoid, region;
    size_t nparts;
    const struct zoid_part *part;
    void *scratch; /* as many planes of every state field as the plan says, */
    void *spare;   /* but for those that the operator's sweeps take for themselves */
    /* What runs it on a core; NULL: sweeps. */
    const struct zoid_block_runner *runner;
    const struct zoid_taps *taps; /* of the run; NULL: none */
};

/* Parts that hold whole planes, which segments of lists are made of; the others are halos. */
static inline size_t zoid_run_whole(const struct zoid_run *run)
{
    size_t n = 0;

    for (size_t i = 0; i < run->nparts; i++)
        n += !run->part[i].halo;
    return n;
}

/* A core, as blocks run on it. */
struct zoid_cpu {
    enum zoid_isa isa;
    size_t cache; /* bytes of the largest of its own caches; 0: blocks are not cut for it */
    int ways;     /* lines with addresses alike that its first-level cache holds; 0: unknown */
    size_t share; /* its share of the largest cache that it shares with others; 0: there is none */
};

/* What the blocks of a plan are like. */
struct zoid_blocks {
    const struct zoid_op *op;
    const struct zoid_shape *shape;
    const struct zoid_layout *layout; /* of a cell's planes */
    enum zoid_traversal traversal;
    double planes; /* of a block at a time, about */
    double times;  /* that it advances, about */
    /* Planes that it leaves to other blocks, or takes from them, for each that it computes. */
    double handed_on;
};

struct zoid_rates;

/* What a core takes, in seconds. */
struct zoid_pace {
    double update;    /* of a point by sweeps, one stage of it, in a core's own cache */
    double near, far; /* of a byte from there, and from memory while all cores work */
    double handed;    /* of a point that blocks leave to one another or take, for its way */
    /* Of a point and stage where times march (codelets/march.h), or by the first runner of the
     * operator's own, 0: unknown; and of a point, each time that it is brought from memory. */
    double marched, marched_visit;
    struct zoid_cpu cpu; /* what computes */
    /* Of a byte, going over so many bytes again and again; takes these rates. */
    double (*cost)(const struct zoid_rates *rates, double bytes);
    const struct zoid_rates *rates;
};

/* One way to run blocks on a core. */
struct zoid_block_runner {
    const char *name;
    /* Whether it can run such blocks. */
    bool (*fits)(const struct zoid_blocks *blocks);
    /* What it takes for a plane and a time, on average; of sweeps NULL, since the planner knows. */
    double (*seconds)(const struct zoid_blocks *blocks, const struct zoid_pace *pace);
    /* Planes of scratch that a worker needs for blocks of at most so many planes between their
     * first and their last time; NULL: as many as sweeps do. */
    long (*scratch)(const struct zoid_op *op, const struct zoid_shape *shape, long planes);
    /* Whether blocks that lean on one another leave it untouched, so that none of it is ever
     * brought from the system; NULL: never. */
    bool (*spares)(const struct zoid_blocks *blocks);
    /* Writes what else is to be known of the operator on such a core, as a part of a plan's reason;
     * NULL: nothing. */
    void (*explain)(const struct zoid_op *op, const struct zoid_cpu *cpu, char *text, size_t room);
    /* Runs a block on the core that calls; cannot fail: what could be wrong with the block is
     * proved before. The scratch is the caller's; every thread has its own. */
    void (*run)(const struct zoid_run *run, const struct zoid_cpu *cpu);
};

#ifdef __cplusplus
}
#endif
#endif
