/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of where the planes of a running block are: in its parts, as their views show them, or in
 * its scratch. Nothing is moved for being read; a list says where the planes of a time are of a
 * group of fields. */
#ifndef ZOID_CODELETS_LIST_H
#define ZOID_CODELETS_LIST_H

#include "codelets/device.h"

struct zoid_list {
    size_t n;
    struct zoid_segment *segment;
};

/* Where planes lie that no part wants: in two halves of the scratch, which every group of fields
 * takes in turn. */
struct zoid_scratch {
    long planes;               /* of a half */
    int half[ZOID_MAX_GROUPS]; /* that the group was last computed into */
    /* The group stays in one half: stages write it where it lies, or it drifts. */
    bool one[ZOID_MAX_GROUPS];
    struct {
        long planes; /* down through its half each time; 0: it does not */
        size_t step; /* elements, against the axis below the chain axis */
    } drift;
};

/* Planes [lo, hi) of a box, and of each [from, to) along the axis below the chain axis; of planes
 * that are points, all. */
struct zoid_extent {
    long lo, hi, from, to;
};

struct zoid_runner {
    /* The same until the block has ended. */
    const struct zoid_run *run;
    const struct zoid_device *device;
    void *self; /* the device's */
    int chain;
    size_t plane; /* elements */
    size_t size;  /* bytes of an element */
    struct zoid_groups groups;
    bool in_place;                /* the block overwrites what it reads */
    const struct zoid_taps *taps; /* the run's, if the block meets any of them; or NULL */
    /* And planes of all its times lie where it does so, if they have a place there. */
    bool in_slabs;

    int error; /* the device's first; nothing more is asked of it then */
    struct zoid_scratch scratch;
    struct {
        long lo, hi, skew; /* it is [lo, hi) at t0 and moves down; no tiles if skew is 0 */
    } tile;
    /* What of the time that is being computed. */
    struct zoid_extent now;
    long march; /* times that are computed behind one another */
    /* The time before: each group, then the coefficients. A list has room for planes that stand for
     * others, too. */
    struct zoid_list in[ZOID_MAX_GROUPS + 1];
    struct zoid_list out; /* what is being computed, by ascending plane */
    /* Where its stage ascends: planes below those, of the same time. */
    struct zoid_list fresh;
};

/* The most segments in a list of a block with so many parts. A time is cut by the views of the
 * parts at that time and at the last one, and where the scratch ends; what is not written for some
 * times is found in more. */
static inline size_t zoid_list_room(size_t nparts)
{
    return (4 + 2 * ZOID_MAX_STAGES) * nparts + 2 + 2 * (ZOID_MAX_REACH + 1);
}

static inline void *zoid_slot_address(const struct zoid_runner *r, void *base, long slot)
{
    return (char *)base + slot * (long)(r->plane * r->size);
}

/* A segment with all state fields, as one of a group. */
static inline struct zoid_segment zoid_of_group(const struct zoid_runner *r,
                                                struct zoid_segment all, int g)
{
    all.base = (char *)all.base + (size_t)r->groups.first[g] * all.field * r->size;
    return all;
}

/* State fields of a group, or all (g < 0). */
static inline unsigned zoid_fields_of(const struct zoid_runner *r, int g)
{
    int first = g < 0 ? 0 : r->groups.first[g];
    int end = g < 0 ? r->run->op->nstate : r->groups.first[g + 1];

    return ((1u << (end - first)) - 1) << first;
}

/* The planes of time t that a view of a part shows. Beyond a periodic face planes go on. */
struct zoid_segment zoid_shown(const struct zoid_runner *r, const struct zoid_part *part,
                               const struct zoid_view *view, long t);
/* By how many slots planes move from the block's first time to its last one in a part that it
 * updates in place. */
long zoid_slab_shift(const struct zoid_runner *r, const struct zoid_part *part);
/* Whether a slab that the block overwrites leaves it at the first time as a whole: where there are
 * no more times than stages, some fields would still lie there at the end. */
bool zoid_slab_carried(const struct zoid_runner *r);
/* The last time that reads what a slab that is overwritten held; the block's first, where none is,
 * or planes of all times lie there. */
long zoid_slab_read_until(const struct zoid_runner *r);
/* Has the device copy, unless it has failed or there is nothing to copy. */
void zoid_give(struct zoid_runner *r, const struct zoid_copy *copy);
/* Starts the lists with what was given of time t0 and with the coefficients. */
void zoid_list_start(struct zoid_runner *r);
/* What is to be computed: the state fields of group g, or of all groups (g < 0), of time t. */
struct zoid_computing {
    long from;     /* the time whose planes are read */
    long t, until; /* the last time that they are still those of */
    int g;
    bool kept; /* for the next time, also where no part wants them */
};
/* Splits the box's planes by where they go, into r->out: to parts that want them at some time up to
 * `until`, or at the block's last time, where they are still there then; else to the scratch. */
void zoid_list_outputs(struct zoid_runner *r, const struct zoid_computing *computing);
/* Time t is computed: r->out holds group g, or all (g < 0). The other groups' planes are still
 * those of the time before. Hands out what parts want of t, and adds what was given of t. */
void zoid_list_computed(struct zoid_runner *r, long t, int g);
/* The same, before time t is computed: what parts want of it is still to be handed out. */
void zoid_list_expected(struct zoid_runner *r, long t, int g);
/* Keeps of a list what lies in [lo, hi). */
void zoid_list_clip(const struct zoid_runner *r, struct zoid_list *list, long lo, long hi);
/* Starts the list of fresh planes with what was given of time t; empty where its stage has no
 * order. */
void zoid_list_fresh(struct zoid_runner *r, long t);
/* Adds to a list what was given of time t, of one group. */
void zoid_list_given(const struct zoid_runner *r, long t, int g, struct zoid_list *list);
/* Lists the inputs of a sweep, with the planes that stand for those beyond a mirrored face. */
void zoid_list_inputs(struct zoid_runner *r, struct zoid_sweep *sweep);
/* Copies the planes of a list, which has group g of time t, or [now.from, now.to) of them, to all
 * parts that want them and do not have them yet, to halos the points that they want. */
void zoid_hand_out(struct zoid_runner *r, long t, int g, const struct zoid_list *list);

#endif
