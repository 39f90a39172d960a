/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/cuda/lanes.h"
#include "codelets/cuda/run.h"
#include "codelets/op/traits.h"

bool zoid_op_in_warps(const struct zoid_op *op)
{
    return zoid_lanes_know(op) ||
           zoid_warp_takes(op, op->dims, op->nstages, zoid_type_size(op->type));
}

bool zoid_op_on_gpus(const struct zoid_op *op)
{
    return op->cuda && (zoid_op_plain(op) || op->runner) &&
           (!zoid_op_in_order(op) || zoid_op_in_warps(op));
}
