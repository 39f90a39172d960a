/* SPDX-License-Identifier: BSD-3-Clause */
/* Pipelined sweeps in order in SIMD lanes [time skewing], for any row in order whose update is
 * `by_words`. A point of the block becomes a vector, a step: lane l of the step at p is the point p
 * - l skew at time t + 1 + l, so that all lanes read their neighbours at the same distances, and
 * the plain loop nest over vectors, in place, is the sweep of all lanes.
 *
 *     t + 3   . 2 . . . .     A step that is computed is handed on: lane l of step p becomes lane
 *     t + 2   . . . 1 . .     l + 1 of step p + skew, as the point that this lane is to compute.
 *     t + 1   . . . . . 0     Lane 0 takes a point of time t from memory; the last lane's points
 *                             go to memory.
 *
 * `skew` is so long that a step is not read, as one that comes later, before it is handed on. */
#ifndef ZOID_CODELETS_CPU_SKEWED_H
#define ZOID_CODELETS_CPU_SKEWED_H

#include "codelets/sweep.h"

/* Bytes of the lanes of a step: of several vectors, whatever their width; the most lanes; and the
 * largest reach. */
enum { ZOID_SKEW_BYTES = 128, ZOID_SKEW_LANES = 32, ZOID_SKEW_REACH = ZOID_MAX_REACH };

/* A row of steps. Vectors lie one after another: in `step[f][ZOID_SKEW_REACH + i]` those of field f
 * in the row, i planes of steps above it, and `pitch` vectors further those of the next row of that
 * plane. All may be written beyond both ends by the reach, at `next` by the lag besides. */
struct zoid_skewed_row {
    const struct zoid_params *params;
    const long *domain; /* its size */
    const char *table;  /* a vector of each table's values */
    long count;         /* steps */
    long lag;           /* skew along the row */
    long pitch;
    char *step[ZOID_MAX_FIELDS][2 * ZOID_SKEW_REACH + 1];
    char *next[ZOID_MAX_FIELDS];        /* the row of steps that this one is handed on to */
    const char *given[ZOID_MAX_FIELDS]; /* lane 0's row of points there */
    long n;                             /* points of a row */
    int last;                           /* lane whose points go to `out` */
    char *out[ZOID_MAX_FIELDS];         /* of fields that the stage writes */
    /* Lanes that compute a field in this row, and the points of a row that they compute; others are
     * carried. */
    unsigned lanes[ZOID_MAX_FIELDS];
    struct zoid_range x[ZOID_MAX_FIELDS];
    struct zoid_range whole; /* steps at which all lanes are at such points, and lane 0 is given */
    /* Whether the sum of lane 0's indices, less x, is odd, and by which it differs from lane to
     * lane. */
    bool odd, alternate;
};

#endif
