/* SPDX-License-Identifier: BSD-3-Clause */
/* Naive method: every pass advances each slab by one step, from its neighbours' border planes.
 *
 *   t + 1     |  j-1  |   j   |  j+1  |
 *   t         |      <|>     <|>      |       an overlapped block of depth 1: nothing overlaps
 *         z ->
 */
#include "graphs/method.h"
#include "graphs/methods/overlapped.h"

const struct zoid_method zoid_naive = {
    .name = "naive",
    .summary = "one step a pass: every slab visits its worker once a step",
    .min_block = zoid_overlapped_min_block,
    .single_step = true,
    .pipelined = true,
    .cells = true,
    .refuses = zoid_overlapped_refuses,
    .census = zoid_overlapped_census,
    .emit = zoid_overlapped_emit,
};
