/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches, wavefronts and buffers of band matrices, sized for a cache. */
#include <math.h>

#include "codelets/band/band.h"
#include "codelets/block/wavefront.h"

/* Fewest groups of a batch. */
enum { GROUPS_LEAST = 4 };

double zoid_band_row_bytes(const struct zoid_op *op)
{
    const long n = zoid_band_of(op)->matrix->about.n;

    return fmax((double)zoid_band_bytes(op, 0, n) / (double)n, 1);
}

/* An eighth of the cache amortises a call and leaves room for the rows of other times; larger
 * batches than this only increase the distance of times. */
static const double BATCH_MOST = 512 << 10;

long zoid_band_batch(const struct zoid_op *op, size_t cache)
{
    const long together = GROUPS_LEAST * zoid_band_of(op)->lanes;
    const double rows =
        fmin((double)cache / 8, BATCH_MOST) / zoid_band_row_bytes(op) / (double)together;

    return zoid_min(zoid_max(lround(rows), 1) * together, ZOID_BAND_ROWS_MOST);
}

/* Uses three quarters of the cache. */
long zoid_band_wavefront(const struct zoid_op *op, size_t cache)
{
    const struct zoid_matrix_about *m = &zoid_band_of(op)->matrix->about;
    const double rows =
        0.75 * (double)cache / zoid_band_row_bytes(op) - (double)zoid_band_batch(op, cache);

    return 1 + (long)fmax(fmin(rows / (double)zoid_max(zoid_max(m->lower, m->upper), 1),
                               ZOID_WAVEFRONT_MOST - 1),
                          0);
}

long zoid_band_slack(const struct zoid_op *op, long planes)
{
    const struct zoid_matrix_about *m = &zoid_band_of(op)->matrix->about;

    return zoid_min((ZOID_WAVEFRONT_MOST + 1) * zoid_max(zoid_max(m->lower, m->upper), 1),
                    zoid_max(planes, 0));
}

size_t zoid_band_own_bytes(const struct zoid_band *b)
{
    const long rows = ZOID_BAND_ROWS_MOST + 2 * b->lanes, x = rows + b->diagonals + b->lanes;
    const size_t bytes = (size_t)((x + 2 * rows) * b->vectors) * zoid_type_size(b->op.type);

    return (bytes + 3 * ZOID_LINE) / ZOID_LINE * ZOID_LINE;
}
