/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/block/tile.h"

#include <math.h>

#include "codelets/sweep.h"

bool zoid_tiled(const struct zoid_shape *shape)
{
    int axis = zoid_chain(shape) - 1;

    return axis >= 0 && !zoid_face_open(shape, axis, ZOID_LOW) &&
           !zoid_face_open(shape, axis, ZOID_HIGH) && !zoid_in_order(shape);
}

long zoid_tile_lean(const struct zoid_shape *shape, size_t value)
{
    int axis = zoid_chain(shape) - 1;
    long lean = 1, line = axis == 0 ? ZOID_LINE / (long)value : 1;

    for (int s = 0; s < shape->stages; s++)
        lean = zoid_max(lean, zoid_max(shape->reach[s].lo[axis], shape->reach[s].hi[axis]));
    return (lean + line - 1) / line * line;
}

static double fit(double bytes, double row, long lean)
{
    return bytes / (row > 1 ? row : 1) / (double)lean - 2;
}

/* Leaves a quarter of the cache to streamed data. */
double zoid_tile_fit(size_t cache, double row, long lean)
{
    return fit(0.75 * (double)cache, row, lean);
}

double zoid_tile_fit_wavefront(size_t cache, double row, long lean)
{
    return fit((double)cache, row, lean);
}

double zoid_tile_again(double times, long n, double leans, bool leave)
{
    const double rows = (double)(n + 1) / ((double)n * leans);

    return ceil(times / (double)n) - 1 + times * (rows + (leave ? 1 : 0));
}
