/* SPDX-License-Identifier: BSD-3-Clause */
/* How kernels go through a tile: by its intra-tile wavefront v = q_1 (balanced), or v = q_1 + ... +
 * q_m, and in it by q_2 ... q_m, the last one fastest. The time and the point are linear in these.
 */
#ifndef ZOID_CODELETS_WAVEFRONT_STEPS_H
#define ZOID_CODELETS_WAVEFRONT_STEPS_H

#include "codelets/wavefront/wavefront.h"

struct zoid_wavefront_steps {
    /* Change of (t, point) with v and with q_2 ... q_m. */
    int by[ZOID_WAVEFRONT_ROWS][ZOID_WAVEFRONT_ROWS];
    /* Sum wavefronts: the most that q_1 and q_(k + 1) ... q_m add to those up to q_k. */
    int beyond[ZOID_WAVEFRONT_ROWS];
};

static inline struct zoid_wavefront_steps zoid_wavefront_steps_of(const struct zoid_wavefront *w)
{
    struct zoid_wavefront_steps s = {{{0}}, {0}};
    int beyond = w->tile[0] - 1;

    for (int i = 0; i < w->rows; i++)
        for (int k = 0; k < w->rows; k++)
            s.by[i][k] = w->inverse[i][k] - (k && !w->balanced ? w->inverse[i][0] : 0);
    for (int k = w->rows - 1; k > 0; k--) {
        s.beyond[k] = beyond;
        beyond += w->tile[k] - 1;
    }
    return s;
}

#endif
