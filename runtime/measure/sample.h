/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of samples, and the state and the size of fields for measurements. */
#ifndef ZOID_RUNTIME_MEASURE_SAMPLE_H
#define ZOID_RUNTIME_MEASURE_SAMPLE_H

#include "runtime/zoid_advanced.h"

/* Returns the median of n values; sorts them. */
double zoid_sample_median(double *values, long n);
/* Returns (max - min) / median of n values; sorts them. */
double zoid_sample_spread(double *values, long n);
/* Returns the points of the domain times the steps. */
double zoid_sample_points(const struct zoid_problem *problem);
/* Stores the extents of a field of `bytes` bytes: plane axes of 2^floor(log2(bytes) / dims) points
 * each, and as many planes as fill the bytes: 1024 x 1024 x 256 values of 4 bytes in a GiB. */
void zoid_sample_size(const struct zoid_op *op, double bytes, long *size);
/* Fills the job's fields with copies of one random plane each: as good as any state to the
 * hardware, and generated at memory bandwidth. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_sample_fill(struct zoid_job *job, const struct zoid_problem *problem);

#endif
