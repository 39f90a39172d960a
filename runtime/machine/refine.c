/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/machine/refine.h"

#include <math.h>

/* Parameters of the refinement for a kind of workers. */
struct school {
    /* Shorter runs reflect cold caches, new pages or a GPU's clock rather than a rate. */
    double least_seconds;
    /* A run has the weight of each earlier run, and a calibration that of several; but at least a
     * fraction of the first run's weight, since machines change. */
    double calibration, least_weight;
    double step; /* see refine.h */
    /* Weight of errors in `near` relative to `far`. GPU kernels were calibrated as they run, the
     * time between them was not: `far` changes instead, unless kernels are nearly all of the
     * time. */
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
    r.untiled *= near;
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

/* Returns the weighted logarithm of measured / predicted, by which a factor changes. It is clipped,
 * so that outliers weigh no more than others and factors settle near a median. */
static double lesson(const struct school *s, double runs, double measured, double predicted)
{
    const double most_weight = 1 / (s->calibration + 1), bound = log(s->step) / most_weight;
    const double off = log(measured / predicted);

    return fmax(1 / (runs + s->calibration + 1), s->least_weight) * fmin(fmax(off, -bound), bound);
}

/* The part that predicts most of the blocks' time takes the whole error, the other in proportion: a
 * run from the cache says little about memory, and one with half of each changes both. If one part
 * is more certain, it changes less, and the other one more. */
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

/* Defaults of a network may be wrong by orders of magnitude, so it learns faster than cores, and
 * has wider bounds. */
static const struct school network_school = {
    .calibration = 1, .least_weight = 1.0 / 6, .step = 1.6};
static const double NETWORK_MOST = 1000;

static double moved_network(double factor, double by)
{
    return fmin(fmax(factor * exp(by), 1 / NETWORK_MOST), NETWORK_MOST);
}

void zoid_network_refine(struct zoid_network *n, const struct zoid_observed_messages *run)
{
    const double way = run->way * zoid_factor(n->way_factor);
    const double wire = run->wire * zoid_factor(n->wire_factor);
    const double most = fmax(way, wire);
    double by;

    if (!(way > 0 && wire >= 0 && run->measured > 0 && isfinite(way + wire + run->measured)))
        return;
    by = lesson(&network_school, n->runs, run->measured, way + wire);
    n->way_factor = moved_network(zoid_factor(n->way_factor), by * way / most);
    n->wire_factor = moved_network(zoid_factor(n->wire_factor), by * wire / most);
    n->runs++;
}
