/* SPDX-License-Identifier: BSD-3-Clause */
/* Random sources and receivers. */
#ifndef ZOID_TESTS_CODELETS_PLACES_H
#define ZOID_TESTS_CODELETS_PLACES_H

#include <stdint.h>

#include "codelets/points.h"

enum { PLACES = 12, SAMPLES = 16 };

struct places {
    struct zoid_points points; /* built from the arrays below */
    struct zoid_source source[PLACES];
    struct zoid_receiver receiver[PLACES];
    double series[PLACES][SAMPLES];
};

/* Draws positions on points, between them, at faces, and several at one position; an empty set if
 * the operator or the domain has no room for them. Series have up to SAMPLES samples. *places
 * points to itself: do not copy or move it. */
void places_draw(const struct zoid_op *op, const struct zoid_shape *shape, uint64_t *random,
                 struct places *places);

#endif
