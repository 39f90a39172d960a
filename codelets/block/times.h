/* SPDX-License-Identifier: BSD-3-Clause */
/* The time loop of a running block: one time after another, or several fused in one launch if the
 * device supports it. */
#ifndef ZOID_CODELETS_BLOCK_TIMES_H
#define ZOID_CODELETS_BLOCK_TIMES_H

#include "codelets/block/runner.h"

/* Computes all times of the block or of the current tile. */
void zoid_all_times(struct zoid_runner *r);

#endif
