/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/sweep.h"

struct zoid_box zoid_sweep_inner(const struct zoid_sweep *s)
{
    struct zoid_reach reach = zoid_op_reach(s->op, zoid_stage_of(s->op, s->t));
    struct zoid_box box;

    for (int a = 0; a < ZOID_AXES; a++) {
        long lo = zoid_face_open(s->shape, a, ZOID_LOW) ? s->box.lo[a] : reach.lo[a];
        long hi =
            zoid_face_open(s->shape, a, ZOID_HIGH) ? s->box.hi[a] : s->shape->n[a] - reach.hi[a];

        box.lo[a] = zoid_min(zoid_max(s->box.lo[a], lo), s->box.hi[a]);
        box.hi[a] = zoid_max(zoid_min(s->box.hi[a], hi), box.lo[a]);
    }
    for (int a = 0; a < ZOID_AXES; a++)
        if (box.lo[a] >= box.hi[a])
            return (struct zoid_box){.lo = {0}};
    return box;
}
