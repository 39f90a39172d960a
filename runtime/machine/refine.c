/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/machine/refine.h"

#include <math.h>

/* How runs on a kind of workers teach. */
struct school {
    /* Shorter runs tell more of what is cold or new than of a rate: of caches and pages, or of a
     * GPU's clock. */
    double least_seconds;
    /* The weight of a run's word is that of each before it, a calibration counting as so many runs;
     * but no less than a part of the first one, since machines change. */
    double calibration, least_weight;
    double step; /* as in the header */
    /* How little `near` may be wrong beside `far`. A GPU's kernels were measured as they run; what
     * comes between them was not, and moves in their place unless they are nearly all. */
    double sure;
};

static const struct school schools[ZOID_PLACES] = {[ZOID_CORES] = {.least_seconds = 10e-3,
                                                                   .calibration = 3,
                                                                   .least_weight = 1.0 / 8,
                                                                   .step = ZOID_FACTOR_STEP,
                                                                   .sure = 1},
                                                   [ZOID_GPUS] = {.least_seconds = 100e-3,
                                                                  .calibration = 0,
                                                                  .least_weight = 1.0 / 8,
                                                                  .step = ZOID_FACTOR_STEP_GPUS,
                                                                  .sure = 0.1}};

struct zoid_op_rates zoid_rates_refined(const struct zoid_op_rates *op)
{
    const double near = zoid_factor(op->cores.near), far = zoid_factor(op->cores.far);
    const double kernels = zoid_factor(op->gpus.near);
    struct zoid_op_rates r = *op;

    r.tiled *= near;
    r.step = r.tiled + (op->step - op->tiled) * far;
    r.exceeding *= far;
    r.visit *= far;
    r.marched *= near;
    r.marched_visit *= near;
    r.gpu_step *= kernels;
    r.gpu_even *= kernels;
    r.cores = (struct zoid_factors){.near = 0};
    r.gpus.near = 0;
    return r;
}

static double moved(double factor, double by)
{
    return fmin(fmax(factor * exp(by), 1 / ZOID_FACTOR_MOST), ZOID_FACTOR_MOST);
}

bool zoid_rates_teaches(const struct zoid_op_rates *op, const struct zoid_observed *run)
{
    const double rate = run->place == ZOID_GPUS ? op->gpu_step : op->tiled;

    return rate > 0 && run->near >= 0 && run->far >= 0 && run->near + run->far > 0 &&
           run->measured >= schools[run->place].least_seconds &&
           isfinite(run->near + run->far + run->measured);
}

/* What a run says of how far off a prediction was, from which a factor moves. How far off it may
 * count is bounded, so that a slow one pulls no more than others and factors settle near a median.
 */
static double lesson(const struct school *s, double runs, double measured, double predicted)
{
    const double most_weight = 1 / (s->calibration + 1), bound = log(s->step) / most_weight;
    const double off = log(measured / predicted);

    return fmax(1 / (runs + s->calibration + 1), s->least_weight) * fmin(fmax(off, -bound), bound);
}

/* What predicts most of a run's blocks answers for all that is wrong with them, the rest in
 * proportion: so a run from the cache teaches little about memory, and one that is half of each
 * moves both. Where one of them is surer than the other it moves less, and the other for it. */
void zoid_rates_refine(struct zoid_op_rates *op, const struct zoid_observed *run)
{
    const struct school *s = &schools[run->place];
    struct zoid_factors *f = run->place == ZOID_GPUS ? &op->gpus : &op->cores;
    const double near = run->near * zoid_factor(f->near), far = run->far * zoid_factor(f->far);
    const double most = fmax(near * s->sure, far);
    const double of_near = near * s->sure / most, of_far = far / most;
    const double for_it = s->sure < 1 ? (near + far) / (near * of_near + far * of_far) : 1;
    const double by = lesson(s, f->runs, run->measured, near + far) * for_it;
    const double waits = zoid_factor(f->waits);
    const bool waited = run->expected > 0 && run->seconds > 0;

    f->near = moved(zoid_factor(f->near), by * of_near);
    f->far = moved(zoid_factor(f->far), by * of_far);
    f->waits =
        waited ? moved(waits, lesson(s, f->runs, run->seconds, run->expected * waits)) : waits;
    f->runs++;
}
