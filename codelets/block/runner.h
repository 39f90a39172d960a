/* SPDX-License-Identifier: BSD-3-Clause */
/* A running block, as the files of this folder share it: its arguments, its device, and the lists
 * of the planes of the time in progress (list.h). */
#ifndef ZOID_CODELETS_BLOCK_RUNNER_H
#define ZOID_CODELETS_BLOCK_RUNNER_H

#include "codelets/block/device.h"

struct zoid_list {
    size_t n;
    struct zoid_segment *segment;
};

/* Storage for planes that no part wants: two halves of the scratch, which every group of fields
 * uses alternately (double buffering). */
struct zoid_scratch {
    long planes;               /* per half */
    int half[ZOID_MAX_GROUPS]; /* half that holds the group's latest time */
    /* The group stays in one half: stages write it in place, or it drifts (below). */
    bool one[ZOID_MAX_GROUPS];
    struct {
        long planes; /* planes by which a time moves down in its half; 0: no drift */
        size_t step; /* elements by which a time moves down along the axis below the chain axis */
    } drift;
};

/* Planes [lo, hi) of a box, rows [from, to) of each (in 2-D points; unused if a plane is a point).
 */
struct zoid_extent {
    long lo, hi, from, to;
};

struct zoid_runner {
    /* Constant for a block. */
    const struct zoid_block_args *run;
    const struct zoid_device *device;
    void *self; /* the device's state */
    int chain;
    size_t plane; /* elements per plane */
    size_t size;  /* bytes of an element */
    struct zoid_groups groups;
    bool in_place; /* the block updates a slab in place */
    const struct zoid_sample_points
        *sample_points; /* the run's, if the block has any of them; or NULL */
    /* Planes of intermediate times are stored in that slab too, as far as it has slots for them. */
    bool in_slabs;

    int error; /* first error of the device; no calls follow it */
    struct zoid_scratch scratch;
    struct {
        long lo, hi, skew; /* [lo, hi) at t0, shifted down by skew per time; skew 0: no tiles */
    } tile;
    /* Extent of the time in progress. */
    struct zoid_extent now;
    long wavefront; /* number of times in a wavefront */
    /* The time before: each group, then the coefficients. Lists also have room for planes that
     * stand for others. */
    struct zoid_list in[ZOID_MAX_GROUPS + 1];
    struct zoid_list out; /* planes being computed, ascending */
    /* If its stage ascends: planes of the same time below those. */
    struct zoid_list updated;
    struct zoid_list memory; /* pieces, for all times */
};

static inline void *zoid_slot_address(const struct zoid_runner *r, void *base, long slot)
{
    return (char *)base + slot * (long)(r->plane * r->size);
}

/* Returns a segment of all state fields as a segment of group g. */
static inline struct zoid_segment zoid_of_group(const struct zoid_runner *r,
                                                struct zoid_segment all, int g)
{
    all.base = (char *)all.base + (size_t)r->groups.first[g] * all.field * r->size;
    return all;
}

/* Mask of the state fields of group g, or of all groups (g < 0). */
static inline unsigned zoid_fields_of(const struct zoid_runner *r, int g)
{
    int first = g < 0 ? 0 : r->groups.first[g];
    int end = g < 0 ? r->run->op->nstate : r->groups.first[g + 1];

    return ((1u << (end - first)) - 1) << first;
}

/* Returns the planes of time t that a view of a part shows, clipped to the domain unless the chain
 * axis is periodic. Empty if the view does not have time t. */
struct zoid_segment zoid_view_segment(const struct zoid_runner *r, const struct zoid_part *part,
                                      const struct zoid_view *view, long t);
/* Copies on the device; no-op after an error or if there is nothing to copy. A failure goes to
 * r->error. */
void zoid_copy_planes(struct zoid_runner *r, const struct zoid_copy *copy);

#endif
