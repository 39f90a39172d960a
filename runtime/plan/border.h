/* SPDX-License-Identifier: BSD-3-Clause */
/* Load balancing between two subdomains that compute a domain together: a controller learns how
 * long each takes for a plane, and places the border where both take as long. It knows no clock and
 * no StarPU, and allocates no memory: callers pass planes and seconds. */
#ifndef ZOID_RUNTIME_PLAN_BORDER_H
#define ZOID_RUNTIME_PLAN_BORDER_H

#include <stdbool.h>

#include "runtime/plan/learned.h"

/* Input of the controller. */
struct zoid_border_case {
    long planes;  /* of the domain */
    long least;   /* planes of a subdomain, at least */
    double ghost; /* planes that each subdomain computes in an epoch besides its own, on average */
    double cost;  /* seconds of a move, as predicted */
    double leave; /* seconds until one subdomain computes all planes; infinite: both stay */
    /* Return by which factor an epoch of a subdomain takes longer in a leg of `epochs` epochs,
     * which fills and drains the pipeline of its passes, than in the middle of a leg. NULL: by 1.
     */
    double (*leg)(void *of, int part, long epochs);
    void *of;
};

/* Lower and upper subdomain; seconds a plane and epoch. */
struct zoid_border {
    struct zoid_border_case of;
    struct zoid_learned rate[2];
    double scatter;     /* mean deviation of an epoch from the rate, as a logarithm, */
    int deviations;     /* and how many it has had */
    long epochs, moves; /* learned from, and made */
};

struct zoid_border zoid_border_begin(const struct zoid_border_case *of);
/* Learn from an epoch that both subdomains have ended, the lower one with `planes` planes. */
void zoid_border_learn(struct zoid_border *border, long planes, const double seconds[2]);
/* Return whether two epochs or more have shown the rates of both. */
bool zoid_border_is_known(const struct zoid_border *border);
/* Return the planes that the lower subdomain should go on with, or `planes`: a move is not worth
 * its cost in the epochs that are left. */
long zoid_border_wish(const struct zoid_border *border, long planes, long epochs_left);
/* Return the subdomain, 0 or 1, that is so slow that the other one would be faster by itself than
 * beside its least planes, and by more than leaving it costs in the epochs that are left; -1:
 * neither. */
int zoid_border_leaves(const struct zoid_border *border, long epochs_left);
/* Note a move, and the seconds that it took. */
void zoid_border_moved(struct zoid_border *border, double seconds);

#endif
