/* SPDX-License-Identifier: BSD-3-Clause */
/* What a launch of sweeps in order takes for itself. */
#include <stdlib.h>

#include "codelets/cuda/lanes.h"
#include "codelets/sweep.h"
#include "tests/suite.h"

/* The room for what warps hand on begins at a cache line, wherever the planes before it end. */
START_TEST(scratch_has_room_from_a_line_on)
{
    for (int dims = 1; dims <= ZOID_AXES; dims++)
        for (long planes = 1; planes < 40; planes++) {
            const struct zoid_op *op = zoid_op_find("sor", dims, 1, ZOID_F32);
            const long n[ZOID_AXES] = {40, dims > 1 ? 40 : 1, dims > 2 ? 40 : 1};
            const struct zoid_shape shape = zoid_op_shape(op, n);
            const struct zoid_layout layout = zoid_layout_make(op, n, 0);
            const size_t plane = zoid_layout_plane_bytes(&layout);
            const size_t from = ((size_t)planes * plane + ZOID_LINE - 1) / ZOID_LINE * ZOID_LINE;
            const struct zoid_warp_tiles t = zoid_warp_tiles_of(op, n);
            const size_t warps = (size_t)(t.across * t.along * 2); /* of two groups */
            const size_t ring = (size_t)(t.ahead * (t.east + t.north)) * 2 * t.vector;
            const size_t edges = (size_t)(planes + ZOID_WARP_LANES) *
                                 ((size_t)t.east + (size_t)(t.north * t.across)) * t.vector;

            ck_assert_uint_le(from + warps * (ZOID_LINE + ring) + edges,
                              (size_t)zoid_warp_scratch(op, &shape, &layout, planes, 64) * plane);
        }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, scratch_has_room_from_a_line_on);
}

int main(void)
{
    return run_suite("warps", 300, add);
}
