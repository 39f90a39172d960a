/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/zoid_advanced.h"

#include <math.h>

#include "runtime/plan/budget.h"

static const double most = 1.02;

/* Returns the size of the largest datum that is transferred, times the number of GPUs of all ranks.
 */
static double slack_of(const struct zoid_plan *plan, const struct zoid_report *r)
{
    double largest = 0;

    for (int k = 0; k < ZOID_KINDS; k++)
        if (k != ZOID_REUSE)
            largest = fmax(largest, (double)zoid_budget_datum_bytes(plan, k));
    return largest * r->cuda_workers;
}

bool zoid_moved_more(const struct zoid_plan *plan, const struct zoid_report *r,
                     char line[ZOID_MOVED_LINE])
{
    const struct zoid_traffic *planned = &r->planned;
    const double slack = slack_of(plan, r);
    const struct {
        const char *where;
        double moved, planned;
    } way[] = {{"came to GPUs", r->h2d + r->p2p, planned->h2d + planned->p2p},
               {"went home from GPUs", r->d2h, planned->d2h + fmax(planned->p2p - r->p2p, 0)}};

    for (size_t i = 0; i < sizeof way / sizeof *way && plan->home == ZOID_RAM; i++)
        if (way[i].moved > most * way[i].planned + slack) {
            snprintf(line, ZOID_MOVED_LINE,
                     "%.4g GB %s, %.2f times what the plan needs (%.4g GB): it is slower than it "
                     "should be; please report this",
                     way[i].moved * 1e-9, way[i].where, way[i].moved / way[i].planned,
                     way[i].planned * 1e-9);
            return true;
        }
    return false;
}
