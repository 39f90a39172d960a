/* SPDX-License-Identifier: BSD-3-Clause */
/* Sequential relaxations of Poisson's equation, point by point by their definition, independent of
 * Zoid's implementation. */
#ifndef ZOID_TESTS_CODELETS_SEQUENTIAL_H
#define ZOID_TESTS_CODELETS_SEQUENTIAL_H

#include "codelets/op.h"

/* A domain whose outermost layer is fixed. u and b have all of its points, x fastest, of type f32
 * or f64; b may be NULL: no right-hand side. */
struct sequential {
    int dims;
    enum zoid_type type;
    long n[ZOID_AXES];
    double omega;
    const void *b;
    void *u;
};

/* MLSOR with subdomains of P points and K layers; the last visit may have fewer. */
struct sequential_mlsor {
    long subdomain, layers;
    bool forward;
};

/* SSOR: `layers` forward sweeps, then the same number of backward ones, alternating. */
void sequential_ssor(const struct sequential *s, long layers, long sweeps);
void sequential_mlsor(const struct sequential *s, const struct sequential_mlsor *kind, long sweeps);

#endif
