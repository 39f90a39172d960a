/* SPDX-License-Identifier: BSD-3-Clause */
/* What measurements do with samples, and the state and the size that they measure with. */
#ifndef ZOID_RUNTIME_MEASURE_SAMPLE_H
#define ZOID_RUNTIME_MEASURE_SAMPLE_H

#include "runtime/zoid.h"

/* Sorts the values. */
double zoid_sample_median(double *values, long n);
/* How far the values lie apart, as a fraction of their median; sorts them too. */
double zoid_sample_spread(double *values, long n);
/* Points of the domain times steps. */
double zoid_sample_points(const struct zoid_problem *problem);
/* The extent along each axis of a field of so many bytes: planes of the largest square that leaves
 * as many of them as it is wide if values were bytes, a power of two; and as many planes as fill
 * the bytes: 1024 x 1024 x 256 values of 4 bytes in a GiB. */
void zoid_sample_size(const struct zoid_op *op, double bytes, long *size);
/* Fills a job with one random plane a field over and over: to the machine it is like any other
 * state, and it is made at the speed of memory. */
enum zoid_status zoid_sample_fill(struct zoid_job *job, const struct zoid_problem *problem);

#endif
