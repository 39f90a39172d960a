/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources and receivers as blocks meet them. A *tap* is a point of a field that a source adds to,
 * or that is kept of each step for a receiver. Taps lie in the order of the planes, so that a sweep
 * finds those of its box at once, and the *record* has a row of kept values for each step:
 * interpolation comes later. Blocks that compute a point twice add to it alike, and write the same
 * bytes to the record, from whatever threads. */
#ifndef ZOID_CODELETS_TAPS_H
#define ZOID_CODELETS_TAPS_H

#include <stdint.h>

#include "codelets/points.h"
#include "codelets/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is kept has no weight and no series, and each point of a field only one. */
struct zoid_tap {
    long at[ZOID_AXES];
    int field;     /* as the operator names it; where it is stored depends on the step */
    size_t number; /* of its source */
    double weight;
    long samples;
    const double *series;
};

struct zoid_tap_list {
    size_t n;
    struct zoid_tap *tap; /* by plane, row and x; those of a point in the order of the sources */
    size_t *first;        /* of every plane of the domain, and past the last one's end */
};

/* A part of what a receiver sees. */
struct zoid_seen {
    size_t tap; /* of those that are kept */
    double weight;
};

struct zoid_taps {
    const struct zoid_op *op;
    const struct zoid_shape *shape; /* the caller's */
    struct zoid_tap_list adds, keeps;
    void *room; /* all taps, and all series: what a GPU looks at beside the record */
    size_t bytes;
    size_t receivers;
    struct zoid_seen *seen; /* by receiver r those from first_seen[r] on */
    size_t *first_seen;
    long start, rows; /* the step that the record begins with, and how many it has room for */
    void *record;     /* rows of keeps.n values, of the operator's type; 0 until they are kept */
};

/* Bytes of all but the record, at most. */
uint64_t zoid_taps_bytes(const struct zoid_points *points, const struct zoid_shape *shape);

/* NULL: there is not enough memory. The shape stays the caller's and must outlive them; the points
 * need not. They are as zoid_problem_check wants them. */
struct zoid_taps *zoid_taps_create(const struct zoid_op *op, const struct zoid_shape *shape,
                                   const struct zoid_points *points);
void zoid_taps_destroy(struct zoid_taps **taps);
/* Makes room in the record up to step `end`; false, with the record as it was: there is not enough
 * memory. Before the first time set `start`. */
bool zoid_record_fit(struct zoid_taps *taps, long end);

/* Whether a box, which may go on beyond a periodic face, has any of the taps. */
bool zoid_taps_meet(const struct zoid_taps *taps, const struct zoid_box *box);
/* Those of the planes [lo, hi) of the domain. */
static inline struct zoid_tap_list zoid_taps_of(const struct zoid_tap_list *list, long lo, long hi)
{
    struct zoid_tap_list some = *list;

    some.n = list->first[hi] - list->first[lo];
    some.tap += list->first[lo];
    return some;
}
/* The number of the step whose end time t is in, or with several stages is on the way to. */
static inline long zoid_step_of(const struct zoid_op *op, long t)
{
    return (t - 1) / op->step + 1;
}
/* Whether the stage that computes time t writes what is named `field`. */
static inline bool zoid_writes_field(const struct zoid_op *op, long t, int field)
{
    return op->stage[zoid_stage_of(op, t)].writes >>
               zoid_op_stored(op, field, zoid_step_of(op, t)) &
           1;
}

/* After its stage has computed the sweep's box, and sponges have faded it: adds to the taps that
 * the box has, and keeps values. */
void zoid_taps_sweep(const struct zoid_taps *taps, const struct zoid_sweep *sweep);
/* Keeps the value of tap i of those that are kept, of a step in the record. */
void zoid_record_keep(const struct zoid_taps *taps, size_t i, long step, const void *value);
/* What the receivers see of a row of the record. */
void zoid_record_see(const struct zoid_taps *taps, const void *row, double *seen);
/* The row of a step, and the bytes of a row. */
void *zoid_record_row(const struct zoid_taps *taps, long step);
size_t zoid_record_row_bytes(const struct zoid_taps *taps);

#ifdef __cplusplus
}
#endif
#endif
