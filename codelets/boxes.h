/* SPDX-License-Identifier: BSD-3-Clause */
/* Points that a stage computes, field by field: a row may give each field its own box. */
#ifndef ZOID_CODELETS_BOXES_H
#define ZOID_CODELETS_BOXES_H

#include "codelets/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Boxes of the fields that a stage writes, and the points whose stencils are inside the domain or
 * reach ghost points of open faces; empty ones are [0, 0) along all axes. */
struct zoid_boxes {
    unsigned fields; /* bit f: the stage writes field f */
    struct zoid_box of[ZOID_MAX_FIELDS], inside;
};

/* Returns the points of `within` except layers at closed faces. */
struct zoid_box zoid_box_without(const struct zoid_shape *shape, const struct zoid_reach *layers,
                                 const struct zoid_box *within);
/* Returns the points of `within` at which a stage computes its fields. */
struct zoid_boxes zoid_boxes_of(const struct zoid_op *op, int stage, const struct zoid_shape *shape,
                                const struct zoid_box *within);
/* Returns the fields whose boxes have points at index i of an axis; sets *inside to whether the
 * stencil along it is inside the domain. Lowers *end to the next index, above i, at which either
 * changes. */
unsigned zoid_boxes_at(const struct zoid_boxes *boxes, int axis, long i, bool *inside, long *end);

#ifdef __cplusplus
}
#endif
#endif
