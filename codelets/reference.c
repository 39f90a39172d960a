/* SPDX-License-Identifier: BSD-3-Clause */
/* The plain loop nest that everything else is compared with. It shares the point updates and
 * nothing more: no layout, no pieces, no vectors. */
#include <math.h>
#include <string.h>

#include "codelets/run.h"

/* One stage: everything is carried over, then the points that the reach allows are computed. */
static void stage(const struct zoid_op *op, const struct zoid_shape *shape, struct zoid_loop *loop)
{
    const long *n = shape->n;
    const struct zoid_reach *reach = &shape->reach[(loop->t - 1) % shape->stages];

    memcpy(loop->to, loop->from,
           (size_t)(op->nstate * n[0] * n[1] * n[2]) * zoid_type_size(op->type));
    loop->p[0] = reach->lo[0];
    loop->count = n[0] - reach->hi[0] - reach->lo[0];
    for (long z = reach->lo[2]; z < n[2] - reach->hi[2]; z++)
        for (long y = reach->lo[1]; y < n[1] - reach->hi[1]; y++) {
            loop->p[1] = y;
            loop->p[2] = z;
            op->reference(loop);
        }
}

void *zoid_reference_run(const struct zoid_op *op, const struct zoid_params *params,
                         const long n[ZOID_AXES], long steps, void *state, void *spare)
{
    const struct zoid_shape shape = zoid_op_shape(op, n);

    for (long t = 1; t <= steps * op->nstages; t++) {
        struct zoid_loop loop = {
            .params = params, .t = t, .n = shape.n, .from = state, .to = spare};

        stage(op, &shape, &loop);
        spare = state;
        state = loop.to;
    }
    return state;
}
