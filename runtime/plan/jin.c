/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/jin.h"

#include <math.h>

#include "graphs/common/arith.h"
#include "runtime/plan/estimate.h"
#include "runtime/plan/place.h"
#include "runtime/plan/tier.h"

double zoid_jin_depth(const struct zoid_jin *j)
{
    const double passes = (double)zoid_ceil_div(zoid_max(j->steps, 1), j->depth);
    const double step = j->kernels / (double)zoid_max(j->steps, 1);
    const double enough = j->link / passes / step / j->redundant;

    return enough > 1 ? fmin((double)j->planes, ceil(enough)) : (double)j->planes;
}

double zoid_jin_link(const struct zoid_plan *p, const struct zoid_traffic *traffic)
{
    const struct zoid_tier *gpu = &p->tier[ZOID_GPU_MEMORY];

    return fmax(traffic->h2d * gpu->up, traffic->d2h * gpu->down);
}

double zoid_jin_of_plan(const struct zoid_plan *p, const struct zoid_traffic *traffic)
{
    const double own = zoid_estimate_owned(p) * (double)p->graph.steps;
    const struct zoid_jin jin = {.planes = p->graph.block,
                                 .depth = p->graph.depth,
                                 .steps = p->graph.steps,
                                 .link = zoid_jin_link(p, traffic),
                                 .kernels = p->cost.near + p->cost.far,
                                 .redundant = zoid_estimate_points(p) / own};

    return zoid_plan_streams(p) && !zoid_plan_stays(p) && jin.link >= 0 && jin.kernels > 0
               ? zoid_jin_depth(&jin)
               : 0;
}
