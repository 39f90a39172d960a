/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/boxes.h"

struct zoid_box zoid_box_without(const struct zoid_shape *shape, const struct zoid_reach *layers,
                                 const struct zoid_box *within)
{
    struct zoid_box box;

    for (int a = 0; a < ZOID_AXES; a++) {
        long lo = zoid_face_open(shape, a, ZOID_LOW) ? within->lo[a] : layers->lo[a];
        long hi = zoid_face_open(shape, a, ZOID_HIGH) ? within->hi[a] : shape->n[a] - layers->hi[a];

        box.lo[a] = zoid_min(zoid_max(within->lo[a], lo), within->hi[a]);
        box.hi[a] = zoid_max(zoid_min(within->hi[a], hi), box.lo[a]);
    }
    return zoid_box_empty(&box) ? (struct zoid_box){.lo = {0}} : box;
}

struct zoid_boxes zoid_boxes_of(const struct zoid_op *op, int stage, const struct zoid_shape *shape,
                                const struct zoid_box *within)
{
    const struct zoid_reach reach = zoid_op_reach(op, stage);
    struct zoid_boxes boxes = {.fields = op->stage[stage].writes,
                               .inside = zoid_box_without(shape, &reach, within)};

    for (int f = 0; f < op->nstate; f++) {
        const struct zoid_reach leaves = zoid_op_leaves(op, stage, f);

        if (boxes.fields >> f & 1)
            boxes.of[f] = zoid_box_without(shape, &leaves, within);
    }
    return boxes;
}

/* Returns true if a box has points at index i of an axis; lowers *end to the next index at which it
 * begins or ends. */
static bool has(const struct zoid_box *box, int axis, long i, long *end)
{
    if (i < box->lo[axis])
        *end = zoid_min(*end, box->lo[axis]);
    else if (i < box->hi[axis])
        *end = zoid_min(*end, box->hi[axis]);
    return i >= box->lo[axis] && i < box->hi[axis];
}

unsigned zoid_boxes_at(const struct zoid_boxes *boxes, int axis, long i, bool *inside, long *end)
{
    unsigned fields = 0;

    *inside = has(&boxes->inside, axis, i, end);
    for (unsigned left = boxes->fields; left; left &= left - 1) {
        const int f = __builtin_ctz(left);

        if (has(&boxes->of[f], axis, i, end))
            fields |= 1u << f;
    }
    return fields;
}
