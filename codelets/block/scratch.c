/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/block/scratch.h"

long zoid_block_max_planes(const struct zoid_block_args *run)
{
    const int chain = zoid_chain(run->shape);
    long planes = 0;

    for (long t = run->zoid.t0 + 1; t < run->zoid.t1; t++) {
        const struct zoid_box box = zoid_clipped_at(&run->zoid, &run->region, t);

        planes = zoid_max(planes, box.hi[chain] - box.lo[chain]);
    }
    return planes;
}

long zoid_scratch_planes(const struct zoid_shape *shape, long box_planes, long batch)
{
    long lo, hi;

    zoid_chain_reach(shape, &lo, &hi);
    return zoid_max(2 * box_planes, 2 * zoid_max(lo, hi) + batch);
}
