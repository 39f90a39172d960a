/* SPDX-License-Identifier: BSD-3-Clause */
/* Elastic waves on a staggered grid: velocities and stresses, fourth order in space, two stages per
 * step: velocities from stresses, then stresses from velocities. Positions of the values that are
 * stored at point (i, j, k):
 *
 *     vx (i + 1/2, j, k)          sxx syy szz rho lambda mu (i, j, k)    sxy (i + 1/2, j + 1/2, k)
 *     vy (i, j + 1/2, k)                                                 sxz (i + 1/2, j, k + 1/2)
 *     vz (i, j, k + 1/2)                                                 syz (i, j + 1/2, k + 1/2)
 *
 * The medium's values at (i, j, k) are used for all of them. Velocity a is field a; the stress of
 * axes a and b is field 3 + a if a == b, otherwise 5 + a + b. */
#include "codelets/ops/difference.h"
#include "codelets/ops/point.h"

/* Differences along an axis count times CONSTANT(axis), which is 1 along x. */
#define SEISMIC_SCALED(axis, value) ((axis) ? CONSTANT(axis) * (value) : (value))
#define SEISMIC_ADDED(axis, value, sum) ((axis) ? FMA(CONSTANT(axis), value, sum) : (sum) + (value))

ZOID_POINT(seismic)
{
    const VALUE dt = SPLAT(PARAM(0));

    if (S == 0) {
        const VALUE push = dt / U(9, 0, 0, 0);

        UNROLL
        for (int a = 0; a < 3; a++) {
            VALUE near = SEISMIC_SCALED(a, STAGGERED_NEAR(3 + a, a, 1));
            VALUE far = SEISMIC_SCALED(a, STAGGERED_FAR(3 + a, a, 1));

            UNROLL
            for (int b = 0; b < 3; b++)
                if (b != a) {
                    near = SEISMIC_ADDED(b, STAGGERED_NEAR(5 + a + b, b, 0), near);
                    far = SEISMIC_ADDED(b, STAGGERED_FAR(5 + a + b, b, 0), far);
                }
            PUT(a, FMA(push, STAGGERED(near, far), U(a, 0, 0, 0)));
        }
    } else {
        const VALUE lambda = dt * U(10, 0, 0, 0), mu = dt * U(11, 0, 0, 0);
        const VALUE x = STAGGERED(STAGGERED_NEAR(0, 0, 0), STAGGERED_FAR(0, 0, 0));
        const VALUE y = CONSTANT(1) * STAGGERED(STAGGERED_NEAR(1, 1, 0), STAGGERED_FAR(1, 1, 0));
        const VALUE z = CONSTANT(2) * STAGGERED(STAGGERED_NEAR(2, 2, 0), STAGGERED_FAR(2, 2, 0));
        const VALUE dilation = (x + y) + z;

        PUT(3, FMA(mu + mu, x, FMA(lambda, dilation, U(3, 0, 0, 0))));
        PUT(4, FMA(mu + mu, y, FMA(lambda, dilation, U(4, 0, 0, 0))));
        PUT(5, FMA(mu + mu, z, FMA(lambda, dilation, U(5, 0, 0, 0))));
        UNROLL
        for (int a = 0; a < 3; a++)
            UNROLL
        for (int b = a + 1; b < 3; b++) {
            const VALUE near =
                SEISMIC_ADDED(a, STAGGERED_NEAR(b, a, 1), CONSTANT(b) * STAGGERED_NEAR(a, b, 1));
            const VALUE far =
                SEISMIC_ADDED(a, STAGGERED_FAR(b, a, 1), CONSTANT(b) * STAGGERED_FAR(a, b, 1));

            PUT(5 + a + b, FMA(mu, STAGGERED(near, far), U(5 + a + b, 0, 0, 0)));
        }
    }
}
