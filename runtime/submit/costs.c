/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/costs.h"

#include <math.h>

/* A pace where there is no prediction, and the least and the most that a block costs. StarPU takes
 * 0 and NaN for costs that are not known, and then deals blindly. */
static const double USUAL = 1e-9, LEAST_US = 0.01, MOST_US = 1e15;

/* No prediction is further off. */
static const double MOST_OFF = 1e9;

/* Blocks that a crew without blocks might have ended until it is believed to be half as slow
 * as it was. */
static const double PATIENCE = 8;

void zoid_costs_init(struct zoid_costs *c, const struct zoid_place *place)
{
    *c = (struct zoid_costs){.mutex = PTHREAD_MUTEX_INITIALIZER, .crews = place->crews};
    for (int i = 0; i < c->crews; i++) {
        const double pace = place->crew[i].pace;

        c->crew[i].pace = isfinite(pace) && pace > 0 ? pace : USUAL;
        c->crew[i].factor.rate = 1;
    }
}

/* Least factor of the crews. */
static double least(const struct zoid_costs *c)
{
    double factor = INFINITY;

    for (int i = 0; i < c->crews; i++)
        factor = fmin(factor, c->crew[i].factor.rate);
    return factor;
}

/* The factor of a crew, half as far from the least one, as a logarithm, for each PATIENCE blocks
 * that it might have ended since its last one. */
static double factor_of(const struct zoid_costs *c, int crew, double points, double now)
{
    const double known = c->crew[crew].factor.rate, others = least(c);
    const double block = c->crew[crew].pace * known * points;
    const double idle = c->crew[crew].factor.samples ? (now - c->crew[crew].last) / block : 0;

    return others * pow(known / others, exp2(-fmax(idle - 1, 0) / PATIENCE));
}

double zoid_costs_of(struct zoid_costs *c, int crew, double points, double now)
{
    double seconds;

    pthread_mutex_lock(&c->mutex);
    seconds = c->crew[crew].pace * factor_of(c, crew, points, now) * points;
    pthread_mutex_unlock(&c->mutex);
    /* Also of NaN. */
    return fmin(fmax(1e6 * seconds, LEAST_US), MOST_US);
}

void zoid_costs_teach(struct zoid_costs *c, int crew, double points, double seconds, double now)
{
    double factor;

    if (!(points > 0 && seconds > 0 && isfinite(points) && isfinite(seconds)))
        return;
    pthread_mutex_lock(&c->mutex);
    factor = fmin(fmax(seconds / (c->crew[crew].pace * points), 1 / MOST_OFF), MOST_OFF);
    zoid_learned_add(&c->crew[crew].factor, factor);
    c->crew[crew].last = now;
    pthread_mutex_unlock(&c->mutex);
}
