/* SPDX-License-Identifier: BSD-3-Clause */
/* Several times of a running block behind one another, so that few planes of each are in flight,
 * however many a block has. */
#ifndef ZOID_CODELETS_MARCH_H
#define ZOID_CODELETS_MARCH_H

#include "codelets/times.h"

/* The most times that march together, and how many do at most where their tiles leave a cache: they
 * still read from nearer by than memory. */
enum { ZOID_MARCH_MOST = 16, ZOID_MARCH_BEYOND = 4 };

/* Times t + 1 ... t + n of the block, or of the tile that it is at; n is at most ZOID_MARCH_MOST.
 * No stage of them has an order. */
void zoid_march(struct zoid_runner *r, long t, long n);

#endif
