/* SPDX-License-Identifier: BSD-3-Clause */
/* Random sources and receivers. */
#ifndef ZOID_TESTS_CODELETS_PLACES_H
#define ZOID_TESTS_CODELETS_PLACES_H

#include <stdint.h>

#include "codelets/points.h"

enum { PLACES = 12, SAMPLES = 16 };

struct places {
    struct zoid_points points; /* of what follows */
    struct zoid_source source[PLACES];
    struct zoid_receiver receiver[PLACES];
    double series[PLACES][SAMPLES];
};

/* On points, between them, at faces, several at one place; none where the operator or the domain
 * has no room for them. Series are of any length up to SAMPLES. Do not move it: it points to
 * itself. */
void places_draw(const struct zoid_op *op, const struct zoid_shape *shape, uint64_t *random,
                 struct places *places);

#endif
