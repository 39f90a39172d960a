/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources and receivers on the grid. A *sample_point* is an injection point, to which a source
 * adds, or a sampling point, of which each step is kept for a receiver. Taps are sorted by plane,
 * so that a sweep finds those of its box quickly. The *record* (shot gather) has a row of kept
 * values per step; interpolation is done later. Blocks that compute a point redundantly add to it
 * equally and write the same bytes to the record, from any thread. */
#ifndef ZOID_CODELETS_BLOCK_SAMPLE_POINTS_H
#define ZOID_CODELETS_BLOCK_SAMPLE_POINTS_H

#include <stdint.h>

#include "codelets/points.h"
#include "codelets/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A sample point. Sampling points use neither weight nor series, and are unique per point and
 * field. */
struct zoid_sample_point {
    long at[ZOID_AXES];
    int field;     /* the operator's index; its storage depends on the step */
    size_t number; /* index of its source */
    double weight;
    long samples;
    const double *series;
};

struct zoid_sample_point_list {
    size_t n;
    struct zoid_sample_point *sample_point; /* sorted by plane, row and x, then by source */
    size_t *first; /* per plane of the domain its first sample point, then n */
};

/* One term of a receiver's value. */
struct zoid_seen {
    size_t sample_point; /* index in `keeps` */
    double weight;
};

struct zoid_sample_points {
    const struct zoid_op *op;
    const struct zoid_shape *shape; /* the caller's; outlives the sample points */
    struct zoid_sample_point_list adds, keeps;
    void *room; /* all sample points and series, contiguous: with the record, the data that a GPU
                   reads */
    size_t bytes;
    size_t receivers;
    struct zoid_seen *seen; /* receiver r has first_seen[r] ... first_seen[r + 1] - 1 */
    size_t *first_seen;
    long start, rows; /* first step of the record, and its capacity in steps */
    void *record;     /* owned; rows of keeps.n values of the operator's type, initially 0 */
};

/* Upper bound of the bytes of the sample points, without the record. */
uint64_t zoid_sample_points_bytes(const struct zoid_points *points, const struct zoid_shape *shape);

/* Creates the sample points of a run; NULL: out of memory. The shape remains the caller's and must
 * outlive them; `points` is copied. `points` must have passed zoid_problem_check. */
struct zoid_sample_points *zoid_sample_points_create(const struct zoid_op *op,
                                                     const struct zoid_shape *shape,
                                                     const struct zoid_points *points);
/* Frees the sample points and their record, and sets *sample_points to NULL; no-op if it is NULL.
 */
void zoid_sample_points_destroy(struct zoid_sample_points **sample_points);
/* Extends the record to step `end`; false, with the record unchanged: out of memory. Set `start`
 * before the first call. */
bool zoid_record_fit(struct zoid_sample_points *sample_points, long end);

/* True if a box, which may extend beyond a periodic face, contains a sample point. */
bool zoid_sample_points_meet(const struct zoid_sample_points *sample_points,
                             const struct zoid_box *box);
/* Returns the sample points of planes [lo, hi) of the domain. */
static inline struct zoid_sample_point_list
zoid_sample_points_of(const struct zoid_sample_point_list *list, long lo, long hi)
{
    struct zoid_sample_point_list some = *list;

    some.n = list->first[hi] - list->first[lo];
    some.sample_point += list->first[lo];
    return some;
}
/* Returns the index of the step that time t ends, or with several stages is part of; the first is
 * 1. */
static inline long zoid_step_of(const struct zoid_op *op, long t)
{
    return (t - 1) / op->step + 1;
}
/* True if the stage that computes time t writes the field named `field`. */
static inline bool zoid_writes_field(const struct zoid_op *op, long t, int field)
{
    return op->stage[zoid_stage_of(op, t)].writes >>
               zoid_op_stored(op, field, zoid_step_of(op, t)) &
           1;
}

/* Applies the sources of the sweep's box and records its receivers' points. Call after the stage
 * and its sponges. */
void zoid_sample_points_sweep(const struct zoid_sample_points *sample_points,
                              const struct zoid_sweep *sweep);
/* Stores the value of sampling point i for a step of the record. Thread-safe. */
void zoid_record_keep(const struct zoid_sample_points *sample_points, size_t i, long step,
                      const void *value);
/* Interpolates the receivers' values from a row of the record. */
void zoid_record_see(const struct zoid_sample_points *sample_points, const void *row, double *seen);
/* Row of a step in the record; bytes of a row. */
void *zoid_record_row(const struct zoid_sample_points *sample_points, long step);
size_t zoid_record_row_bytes(const struct zoid_sample_points *sample_points);

#ifdef __cplusplus
}
#endif
#endif
