/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/points.h"

#include <math.h>

#include "codelets/op/interpolation.h"

int zoid_interpolation_nodes(const struct zoid_shape *shape, const double at[ZOID_AXES],
                             struct zoid_interpolation_node corner[ZOID_INTERPOLATION_NODES])
{
    int n = 0;

    for (int c = 0; c < ZOID_INTERPOLATION_NODES; c++) {
        struct zoid_interpolation_node one = {.weight = 1};

        for (int a = 0; a < ZOID_AXES; a++) {
            const double low = floor(at[a]), beyond = at[a] - low;
            const long i = (long)low + (c >> a & 1);

            one.at[a] = zoid_axis_periodic(shape, a) ? zoid_modulo(i, shape->n[a]) : i;
            one.weight *= c >> a & 1 ? beyond : 1 - beyond;
        }
        if (one.weight != 0)
            corner[n++] = one;
    }
    return n;
}
