/* SPDX-License-Identifier: BSD-3-Clause */
/* A rate that is learned from samples that scatter, with spikes, and that may change for good. */
#ifndef ZOID_RUNTIME_PLAN_LEARNED_H
#define ZOID_RUNTIME_PLAN_LEARNED_H

struct zoid_learned {
    double rate;
    int samples; /* since the rate was last forgotten; 0: nothing is known */
    int odd;     /* samples in a row that were larger (positive) or smaller than known, by far */
};

/* Learn from a sample, above 0. A sample moves the rate by a bounded factor, unless it is far off,
 * or another one before it was off the same way: then the rate is forgotten, and the sample is the
 * new one. Returns by how much the sample deviates, as a logarithm within the bound, 0 or more;
 * less than 0: the rate is the sample. */
double zoid_learned_add(struct zoid_learned *learned, double sample);
/* Return the weight of the n-th sample: 1/n, down to a least one. */
double zoid_learned_weight(int n);

#endif
