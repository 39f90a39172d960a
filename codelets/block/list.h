/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of the locations of a running block's planes, in its parts as views show them or in its
 * scratch. Reading never copies: a list holds the addresses of the planes of one time and one group
 * of fields. */
#ifndef ZOID_CODELETS_BLOCK_LIST_H
#define ZOID_CODELETS_BLOCK_LIST_H

#include "codelets/block/runner.h"

/* Returns the most segments of a list of a block with nparts parts. The views of the parts at that
 * time and at the last one cut a time, and so does the end of the scratch; groups that some times
 * do not write have more segments. */
static inline size_t zoid_list_room(size_t nparts)
{
    return (4 + 2 * ZOID_MAX_STAGES) * nparts + 2 + 2 * (ZOID_MAX_REACH + 1);
}

/* Slots by which planes move from the block's first time to its last in a part that it updates in
 * place. */
long zoid_slab_shift(const struct zoid_runner *r, const struct zoid_part *part);
/* True if the first time copies all groups out of a slab that the block overwrites. Needed if the
 * block has no more times than stages, since some fields would otherwise still be in the slab at
 * the end. */
bool zoid_slab_carried(const struct zoid_runner *r);
/* Returns the last time that reads the input of a slab that is overwritten; t0 if there is no such
 * slab, or if planes of all times are stored there. */
long zoid_slab_read_until(const struct zoid_runner *r);
/* Initialises the lists with the given planes of time t0 and the coefficients. */
void zoid_list_start(struct zoid_runner *r);
/* A computation: the state fields of group g, or of all groups (g < 0), at time t. */
struct zoid_computing {
    long from;     /* time of the input planes */
    long t, until; /* last time at which these planes are still valid */
    int g;
    bool kept; /* the next time needs them: planes that no part wants go to the scratch */
};
/* Chooses the destination of each of the box's planes and lists them in r->out: the part that
 * stores the plane at a time <= `until`, or at the block's last time if it is not overwritten
 * before; otherwise the scratch, if `kept`. */
void zoid_list_outputs(struct zoid_runner *r, const struct zoid_computing *computing);
/* Advances the lists past time t, which has been computed: r->out holds group g, or all (g < 0);
 * the other groups keep the planes of the time before. Copies planes of t to the parts that want
 * them and adds the given planes of t. */
void zoid_list_computed(struct zoid_runner *r, long t, int g);
/* The same before time t is computed, without the copies to parts, which the caller must make. */
void zoid_list_expected(struct zoid_runner *r, long t, int g);
/* Clips a list to the planes [lo, hi). */
void zoid_list_clip(const struct zoid_runner *r, struct zoid_list *list, long lo, long hi);
/* Initialises r->updated with the given planes of time t; empty unless the stage of t ascends. */
void zoid_list_updated(struct zoid_runner *r, long t);
/* Adds the given planes of time t of group g to a list. */
void zoid_list_given(const struct zoid_runner *r, long t, int g, struct zoid_list *list);
/* Sets the inputs of a sweep, including planes that stand for those beyond a mirrored face. Beyond
 * a free boundary these are ghost planes in the scratch, filled by zoid_list_turn. */
void zoid_list_inputs(struct zoid_runner *r, struct zoid_sweep *sweep);
/* Fills the ghost planes beyond free boundaries that a sweep reads, from planes that are inputs,
 * too. All times share their buffer: when the next time of a pipeline can begin at a boundary, this
 * one has ended there, in the rows that the next one takes. */
void zoid_list_turn(struct zoid_runner *r, const struct zoid_sweep *sweep);
/* Copies planes of a list to every part that wants them and does not have them yet, and to halos
 * the points that they store. The list has group g of time t, or rows [now.from, now.to) of it. */
void zoid_scatter_planes(struct zoid_runner *r, long t, int g, const struct zoid_list *list);

#endif
