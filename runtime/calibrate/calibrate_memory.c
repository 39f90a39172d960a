/* SPDX-License-Identifier: BSD-3-Clause */
/* Rates of memory: bandwidth of copies by all cores, and by fewer. */
#include <string.h>

#include "runtime/calibrate/rounds.h"

struct copying {
    struct zoid_rounds *rounds;
    size_t half;
};

/* In chunks for which memcpy uses no non-temporal stores, like kernels. */
static void copy_halves(void *arg, int member)
{
    const size_t chunk = 1 << 13;
    struct copying *c = arg;
    char *from = c->rounds->memory[member], *to = from + c->half;

    for (long i = 0; i < c->rounds->timing[member].times; i++)
        for (size_t at = 0; at < c->half; at += chunk) {
            size_t n = c->half - at < chunk ? c->half - at : chunk;

            memcpy(to + at, from + at, n);
        }
}

/* From half of the private cache to four times ZOID_FAR, in factors of four. */
static enum zoid_status copy_all(struct zoid_rounds *c, struct zoid_rates *r)
{
    struct copying copying = {.rounds = c};
    enum zoid_status status = ZOID_OK;
    double seconds = 0;

    r->costs = 0;
    for (size_t bytes = zoid_rounds_cache(c->machine) / 2;
         bytes <= c->room && r->costs < ZOID_MAX_COSTS && !status; bytes *= 4) {
        copying.half =
            bytes / 2 / ZOID_LARGE_PAGE ? bytes / 2 / ZOID_LARGE_PAGE * ZOID_LARGE_PAGE : bytes / 2;
        status = zoid_rounds_sample(c, c->n, copy_halves, &copying, &seconds);
        r->cost[r->costs++] = (struct zoid_copy_cost){(double)bytes, seconds / (double)bytes};
    }
    for (int i = 0; i < zoid_rates_few(c->n) && !status; i++) {
        status = zoid_rounds_sample(c, 1 << i, copy_halves, &copying, &seconds);
        r->few[i] = seconds / (2 * (double)copying.half);
    }
    return status;
}

enum zoid_status zoid_calibrate_memory(const struct zoid_calibration *calibration,
                                       struct zoid_rates *r)
{
    const struct zoid_machine *m = &calibration->context->machine;
    const uint64_t most =
        m->ram_available / 2 / (uint64_t)m->cpu_workers / ZOID_LARGE_PAGE * ZOID_LARGE_PAGE;
    struct zoid_rounds rounds;
    enum zoid_status status =
        zoid_rounds_open(&rounds, calibration, most < 4 * ZOID_FAR ? most : 4 * ZOID_FAR, 0);

    r->workers = m->cpu_workers;
    for (; !status && rounds.round < rounds.rounds; rounds.round++, rounds.nth = 0)
        status = copy_all(&rounds, r);
    zoid_rounds_close(&rounds);
    return status;
}
