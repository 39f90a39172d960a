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

long zoid_scratch_images(const struct zoid_shape *shape, int side)
{
    const int chain = zoid_chain(shape);
    const unsigned char *face = shape->face[chain];
    long planes = 0;

    if (!zoid_face_mirrored(shape, chain, side) ||
        (face[ZOID_LOW] != ZOID_ODD && face[ZOID_HIGH] != ZOID_ODD))
        return 0;
    for (int s = 0; s < shape->stages; s++)
        planes = zoid_max(planes,
                          side == ZOID_LOW ? shape->reach[s].lo[chain] : shape->reach[s].hi[chain]);
    return planes;
}

long zoid_scratch_spare(const struct zoid_op *op, const struct zoid_shape *shape)
{
    return op->spare + zoid_scratch_images(shape, ZOID_LOW) + zoid_scratch_images(shape, ZOID_HIGH);
}
