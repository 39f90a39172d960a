/* SPDX-License-Identifier: BSD-3-Clause */
/* Running one block: every stage of a clipped zoid, from the data that hold its input planes to
 * the data that want its output planes. One routine serves every method. */
#ifndef ZOID_CODELETS_RUN_H
#define ZOID_CODELETS_RUN_H

#include <stdbool.h>

#include "codelets/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One datum of the block: what it holds before (reads) and after (writes), as in graphs/graph.h,
 * and where: field f of slot s starts at element f * capacity * layout.plane + s * layout.plane. A
 * halo has `halo` elements for every plane instead, and in them the rim, patch after patch, each row after
 * row; a row of a patch that leaves nothing out along x is a whole row of the layout, with all ghosts. What is
 * read of which `in` has only a patch gets the rest from the halos that are read, where it lies.
 * A datum that is written is one part only; one that is read may be several. One that both reads and
 * writes holds the zoid's t0 before and its t1 after, t0 < t1, and its planes drift by at most the
 * chain axis's reach a time. */
struct zoid_part {
    bool reads, writes;
    bool coefficient; /* it holds the coefficient fields, of every time of `in`; reads only */
    struct zoid_view in, out;
    void *base;
    long capacity;       /* slots */
    size_t halo;         /* elements of a plane of a halo; 0: it is none */
    struct zoid_rim rim; /* of a halo */
};

struct zoid_run {
    enum zoid_traversal traversal;
    const struct zoid_op *op;
    const struct zoid_params *params;
    const struct zoid_shape *shape;
    const struct zoid_layout *layout;
    struct zoid zoid, region;
    size_t nparts;
    const struct zoid_part *part;
    void *scratch; /* zoid_scratch_planes() planes of every state field */
};

/* Parts that hold whole planes, which pieces of lists are made of; the others are halos. */
static inline size_t zoid_run_whole(const struct zoid_run *run)
{
    size_t n = 0;

    for (size_t i = 0; i < run->nparts; i++)
        n += !run->part[i].halo;
    return n;
}

struct zoid_device; /* codelets/device.h */

/* Runs a block on a device. What could be wrong with the block itself is proved before it runs.
 * Planes move whole; of those it computes, a run leaves points outside its box undefined. */
int zoid_run_block(const struct zoid_run *run, const struct zoid_device *device, void *self);
/* Whether a device that can may take several times of a block at once: not where planes must be
 * finished before the next time reads them, the next time reads planes that stand for others, or a
 * stage takes points in order. */
bool zoid_fuses(const struct zoid_op *op, const struct zoid_shape *shape);
/* Planes of scratch that any block of a graph needs whose boxes have at most box_planes planes
 * between their first and last time, on a device of that batch. */
long zoid_scratch_planes(const struct zoid_shape *shape, long box_planes, long batch);

#ifdef __cplusplus
}
#endif
#endif
