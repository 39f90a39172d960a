/* SPDX-License-Identifier: BSD-3-Clause */
/* Execution of a block by pipelined sweeps in SIMD lanes (skewed.h): the ring of planes of steps,
 * and rows of steps with their input and output (skew_rows.c); passes of lanes (skew.c). */
#ifndef ZOID_CODELETS_CPU_SKEW_BLOCK_H
#define ZOID_CODELETS_CPU_SKEW_BLOCK_H

#include "codelets/block.h"
#include "codelets/boxes.h"
#include "codelets/cpu/skewed.h"

/* A block, and the times t + 1 ... t + used that are computed together. */
struct zoid_skew {
    const struct zoid_block_args *run;
    zoid_skewed_fn *row;
    int chain, fields, lanes, used;
    unsigned writes;
    size_t size, vector; /* bytes of a value, of a vector */
    struct zoid_reach reach;
    long by[ZOID_AXES]; /* the skew */
    long n[ZOID_AXES];
    /* Of the ring: planes, rows of a plane, vectors of a row; rows and vectors before the first. */
    long planes, rows, pitch, row_pad, pad;
    char *ring, *table, *trash, *zero;
    long t, from, to;  /* planes of steps [from, to) */
    unsigned received; /* lanes whose points of the plane in progress parts receive */
    struct {
        long lo, hi; /* planes of the block */
        struct zoid_boxes boxes;
    } lane[ZOID_SKEW_LANES];
    struct zoid_range x[ZOID_MAX_FIELDS]; /* points of a row to compute, the same of all lanes */
    /* Planes [lo, hi) of a time in the scratch buffer; base NULL: in the parts. */
    struct {
        char *base;
        long lo, hi;
    } before, after;
    long most; /* planes of a half of the scratch */
};

static inline size_t zoid_skew_plane_bytes(const struct zoid_skew *k)
{
    return zoid_layout_plane_bytes(k->run->layout);
}

/* Returns row y of a plane of a field in a part, by one of its views. */
char *zoid_skew_in_part(const struct zoid_skew *k, const struct zoid_part *part,
                        const struct zoid_view *view, int field, long t, long plane, long y);
/* Returns row y of a plane of time t, of a state field or of a coefficient, or NULL. */
const char *zoid_skew_given(const struct zoid_skew *k, int field, long t, long plane, long y);

/* Puts the first `n` points of a row into a lane of row y of the steps of plane z. */
void zoid_skew_put(const struct zoid_skew *k, int field, int lane, long z, long y, const char *row,
                   long n);
/* Returns the lanes whose points of a plane of steps parts receive: ghost cells, reuse data, and
 * the last lane's results. */
unsigned zoid_skew_received(const struct zoid_skew *k, long z);
/* Puts the halo of the block, planes that lanes read and do not compute, at its own times. */
void zoid_skew_begin_row(const struct zoid_skew *k, long z, long y);
void zoid_skew_run_row(const struct zoid_skew *k, long z, long y);
/* Stores the points of other lanes that parts receive: their ghost cells, and reuse data. */
void zoid_skew_leave_row(const struct zoid_skew *k, long z, long y);

#endif
