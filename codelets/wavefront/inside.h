/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside of the geometry of tiles: rounding up, ranges, and the bounds (bounds.c). */
#ifndef ZOID_CODELETS_WAVEFRONT_INSIDE_H
#define ZOID_CODELETS_WAVEFRONT_INSIDE_H

#include "codelets/wavefront/wavefront.h"

struct zoid_wavefront_range {
    long lo, hi;
};

static inline long zoid_wavefront_ceil(long a, long b)
{
    return -zoid_floor_div(-a, b);
}

/* Find the bounds of a geometry whose ranges are set; false: too many, or too large numbers. */
bool zoid_wavefront_find_bounds(struct zoid_wavefront *w);

#endif
