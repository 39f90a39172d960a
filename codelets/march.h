/* SPDX-License-Identifier: BSD-3-Clause */
/* Wavefront of several times of a running block: pipelined steps, so that few planes of each time
 * are in flight, independent of the number of planes of the block. */
#ifndef ZOID_CODELETS_MARCH_H
#define ZOID_CODELETS_MARCH_H

#include "codelets/times.h"

/* Most times of a wavefront; and most if their tiles exceed the cache, where planes still come from
 * a cache nearer than memory. */
enum { ZOID_MARCH_MOST = 16, ZOID_MARCH_BEYOND = 4 };

/* Computes times t + 1 ... t + n of the block or of the current tile, n <= ZOID_MARCH_MOST. Their
 * stages take points in any order. */
void zoid_march(struct zoid_runner *r, long t, long n);

#endif
