/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights of the operators that are weighted sums of neighbours, from docs/operators.md. */
#ifndef ZOID_TESTS_CODELETS_WEIGHTS_H
#define ZOID_TESTS_CODELETS_WEIGHTS_H

#include "codelets/op.h"

struct weights {
    int n;
    struct sample_point {
        long offset[ZOID_AXES];
        long double weight; /* not 0 */
    } * sample_point;
};

/* Weights of a family whose single field is replaced by a weighted sum; for wave those of the
 * summed second differences; empty for other families. Freed by weights_free. */
struct weights weights_of(const struct zoid_op *op);
void weights_free(struct weights *weights);
/* The factor that the sum applies to the plane wave cos(k . p + phase). */
long double weights_factor(const struct weights *weights, const double k[ZOID_AXES]);

#endif
