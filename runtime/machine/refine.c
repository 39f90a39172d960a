/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/machine/refine.h"

#include <math.h>

/* Shorter runs tell more of a cache that was cold and of a page that was new than of a rate. */
static const double LEAST_SECONDS = 10e-3;
/* The weight of a run's word is that of each before it, a calibration counting as so many runs; but
 * no less than half of what the first one has, since machines change. */
enum { CALIBRATION = 3 };
static const double MOST_WEIGHT = 1.0 / (CALIBRATION + 1), LEAST_WEIGHT = 0.5 / (CALIBRATION + 1);

double zoid_factor_near(const struct zoid_op_rates *op)
{
    return op->near > 0 ? op->near : 1;
}

double zoid_factor_far(const struct zoid_op_rates *op)
{
    return op->far > 0 ? op->far : 1;
}

double zoid_factor_waits(const struct zoid_op_rates *op)
{
    return op->waits > 0 ? op->waits : 1;
}

struct zoid_op_rates zoid_rates_refined(const struct zoid_op_rates *op)
{
    const double near = zoid_factor_near(op), far = zoid_factor_far(op);
    struct zoid_op_rates r = *op;

    r.tiled *= near;
    r.step = r.tiled + (op->step - op->tiled) * far;
    r.exceeding *= far;
    r.visit *= far;
    r.marched *= near;
    r.marched_visit *= near;
    r.near = r.far = r.waits = r.runs = 0;
    return r;
}

static double moved(double factor, double by)
{
    return fmin(fmax(factor * exp(by), 1 / ZOID_FACTOR_MOST), ZOID_FACTOR_MOST);
}

bool zoid_rates_teaches(const struct zoid_op_rates *op, const struct zoid_observed *run)
{
    return op->tiled > 0 && run->near >= 0 && run->far >= 0 && run->near + run->far > 0 &&
           run->measured >= LEAST_SECONDS && isfinite(run->near + run->far + run->measured);
}

/* What a run says of how far off a prediction was, from which a factor moves. How far off it may
 * count is bounded, so that a slow one pulls no more than others and factors settle near a median.
 */
static double lesson(const struct zoid_op_rates *op, double measured, double predicted)
{
    const double bound = log(ZOID_FACTOR_STEP) / MOST_WEIGHT, off = log(measured / predicted);

    return fmax(1 / (op->runs + CALIBRATION + 1), LEAST_WEIGHT) * fmin(fmax(off, -bound), bound);
}

/* What predicts most of a run's blocks answers for all that is wrong with them, the rest in
 * proportion: so a run from the cache teaches little about memory, and one that is half of each
 * moves both. */
void zoid_rates_refine(struct zoid_op_rates *op, const struct zoid_observed *run)
{
    const double near = run->near * zoid_factor_near(op), far = run->far * zoid_factor_far(op);
    const double most = fmax(near, far);
    const double by = lesson(op, run->measured, near + far);
    const double waits = zoid_factor_waits(op);
    const bool waited = run->expected > 0 && run->seconds > 0;

    op->near = moved(zoid_factor_near(op), by * near / most);
    op->far = moved(zoid_factor_far(op), by * far / most);
    op->waits = waited ? moved(waits, lesson(op, run->seconds, run->expected * waits)) : waits;
    op->runs++;
}
