/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/sweep.h"

struct zoid_box zoid_sweep_box(const struct zoid_sweep *s, int field)
{
    const struct zoid_reach leaves = zoid_op_leaves(s->op, zoid_stage_of(s->op, s->t), field);

    return zoid_box_without(s->shape, &leaves, &s->box);
}

struct zoid_boxes zoid_sweep_boxes(const struct zoid_sweep *s)
{
    return zoid_boxes_of(s->op, zoid_stage_of(s->op, s->t), s->shape, &s->box);
}
