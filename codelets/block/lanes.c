/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/block/lanes.h"

#include <string.h>

long zoid_lanes_most_planes(const struct zoid_block_args *run)
{
    const int chain = zoid_chain(run->shape);
    long planes = 0;

    for (long t = run->zoid.t0; t <= run->zoid.t1; t++) {
        const struct zoid_box box = zoid_clipped_at(&run->zoid, &run->region, t);

        planes = zoid_max(planes, box.hi[chain] - box.lo[chain]);
    }
    return planes;
}

void zoid_lanes_leave_first(const struct zoid_block_args *run)
{
    const long t = run->zoid.t0;

    for (size_t i = 0; i < run->nparts; i++) {
        const struct zoid_part *to = &run->part[i];

        for (long z = zoid_max(to->out.lo, 0); to->writes && to->out.t0 <= t && z < to->out.hi;
             z++) {
            const struct zoid_part *from = zoid_lanes_given_in(run, t, z);

            for (int f = 0; from && f < run->op->nstate; f++)
                memcpy(zoid_lanes_plane(run, to, &to->out, f, t, z),
                       zoid_lanes_plane(run, from, &from->in, f, t, z), zoid_lanes_bytes(run));
        }
    }
}
