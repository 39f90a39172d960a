/* SPDX-License-Identifier: BSD-3-Clause */
/* Relaxations of Poisson's equation as they are defined, point by point, one after another: what
 * they compute, and nothing of how Zoid does. */
#ifndef ZOID_TESTS_CODELETS_SEQUENTIAL_H
#define ZOID_TESTS_CODELETS_SEQUENTIAL_H

#include "codelets/op.h"

/* A domain whose outermost layer stays as it is; u and b have all of its points, x fastest, of type
 * f32 or f64; b: NULL: none. */
struct sequential {
    int dims;
    enum zoid_type type;
    long n[ZOID_AXES];
    double omega;
    const void *b;
    void *u;
};

/* MLSOR with subdomains of P points and K layers, of which the last visit may have fewer. */
struct sequential_mlsor {
    long subdomain, layers;
    bool forward;
};

/* SSOR: so many sweeps up, then as many down, and so on. */
void sequential_ssor(const struct sequential *s, long layers, long sweeps);
void sequential_mlsor(const struct sequential *s, const struct sequential_mlsor *kind, long sweeps);

#endif
