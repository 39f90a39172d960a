/* SPDX-License-Identifier: BSD-3-Clause */
/* Inner region of a stage in a launch of several fused steps, point by point: the points that see
 * no closed face on any side. */
#include "codelets/cuda/inner.h"
#include "tests/codelets/sample.h"
#include "tests/effort.h"
#include "tests/suite.h"

enum { TRIALS = 4000, BEYOND = 12 };

/* True if all points that p reads along an axis lie in the domain or beyond an open face. */
static bool sees_no_end(const struct zoid_shape *shape, const struct zoid_reach *reach, int axis,
                        long p)
{
    for (long q = p - reach->lo[axis]; q <= p + reach->hi[axis]; q++)
        if ((q < 0 && !zoid_face_open(shape, axis, ZOID_LOW)) ||
            (q >= shape->n[axis] && !zoid_face_open(shape, axis, ZOID_HIGH)))
            return false;
    return true;
}

static void compare(const struct zoid_shape *shape, const struct zoid_reach *reach, long origin)
{
    const struct zoid_box inner = zoid_cuda_inner(shape, reach, origin);

    for (int a = 0; a < ZOID_AXES; a++) {
        const long at = a == zoid_chain(shape) ? origin : 0;

        /* Ends relative to `at` fit an int. */
        ck_assert_int_le(labs(inner.lo[a] - at), ZOID_CUDA_NEVER);
        ck_assert_int_le(labs(inner.hi[a] - at), ZOID_CUDA_NEVER);
        for (long p = -BEYOND; p < shape->n[a] + BEYOND && a < shape->dims; p++)
            ck_assert_msg((p >= inner.lo[a] && p < inner.hi[a]) == sees_no_end(shape, reach, a, p),
                          "point %ld of %ld along axis %d, which looks at %ld below and %ld above",
                          p, shape->n[a], a, reach->lo[a], reach->hi[a]);
    }
}

/* Stencils with a different reach per side, faces of every kind, single points, and reaches larger
 * than the domain. */
START_TEST(inner_points)
{
    uint64_t random = 1;

    for (int i = 0; i < effort(TRIALS); i++) {
        struct zoid_shape shape = {.dims = (int)sample_between(&random, 1, ZOID_AXES)};
        struct zoid_reach reach = {.lo = {0}};
        long origin;

        for (int a = 0; a < ZOID_AXES; a++) {
            shape.n[a] = a < shape.dims ? sample_between(&random, 1, 12) : 1;
            for (int side = 0; side < ZOID_SIDES && a < shape.dims; side++)
                shape.face[a][side] = (unsigned char)sample_between(&random, 0, ZOID_BARE);
            if (a < shape.dims) {
                reach.lo[a] = sample_between(&random, 0, sample_between(&random, 0, 8));
                reach.hi[a] = sample_between(&random, 0, sample_between(&random, 0, 8));
            }
        }
        origin = sample_between(&random, -20, 20);
        compare(&shape, &reach, origin);
    }
}
END_TEST

/* Planes are counted from the start of the launch, however far up a domain of any length that
 * is. */
START_TEST(far_up)
{
    const struct zoid_reach reach = {.lo = {1, 2, 3}, .hi = {0, 1, 0}};
    const long far = 1l << 40;
    const struct zoid_shape closed = {.dims = 3, .n = {5, 6, far}};
    struct zoid_box inner = zoid_cuda_inner(&closed, &reach, far - 9);

    ck_assert_int_eq(inner.lo[2], far - 9 - ZOID_CUDA_NEVER);
    ck_assert_int_eq(inner.hi[2], far);
    inner = zoid_cuda_inner(&closed, &reach, 9);
    ck_assert_int_eq(inner.lo[2], 3);
    ck_assert_int_eq(inner.hi[2], 9l + ZOID_CUDA_NEVER);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, inner_points);
    tcase_add_test(tests, far_up);
}

int main(void)
{
    return run_suite("inner", 60, add);
}
