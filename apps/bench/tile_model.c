/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/bench/tile_model.h"

#include <math.h>
#include <stdlib.h>

enum { M = ZOID_WAVEFRONT_ROWS };

static long parts(long n, long of)
{
    return (n + of - 1) / of;
}

/* ---- a tile --------------------------------------------------------------------------------- */

/* Returns the sum of ceil(i / of) for 1 <= i <= n. */
static double ramp(long n, long of)
{
    const double whole = (double)(n / of), rest = (double)(n % of);

    return (double)of * whole * (whole + 1) / 2 + rest * (whole + 1);
}

/* Returns the sum of ceil(length / of) over the diagonals of a by b points. */
static double diagonals(long a, long b, long of)
{
    const long least = zoid_min(a, b), most = zoid_max(a, b);

    return 2 * ramp(least - 1, of) + (double)((most - least + 1) * parts(least, of));
}

/* Threads along coordinate k. */
static int threads_along(const struct zoid_wavefront *w, const struct zoid_tile_machine *machine,
                         const int *threads, int k)
{
    if (machine->apart)
        return k == 1 ? threads[0] * threads[1] * threads[2] : 1;
    return threads[w->rows - 1 - k];
}

/* Greatest number of coordinates k of wavefront v, a sum, for any coordinates before k. */
static long length_along(const struct zoid_wavefront *w, int k, long v)
{
    long before = 0, others = w->tile[0] - 1, least, most, lo, hi;

    for (int i = 1; i < w->rows; i++) {
        before += i < k ? w->tile[i] - 1 : 0;
        others += i > k ? w->tile[i] - 1 : 0;
    }
    least = zoid_min(w->tile[k] - 1, others);
    most = zoid_max(w->tile[k] - 1, others);
    lo = zoid_max(0, v - before); /* of the sum that is left for k and the others */
    hi = zoid_min(v, least + most);
    if (hi < least)
        return hi + 1;
    return lo > most ? least + most - lo + 1 : least + 1;
}

static double trips_of(const struct zoid_wavefront *w, const struct zoid_tile_machine *machine,
                       const int *threads)
{
    const long waves = zoid_wavefront_waves(w);
    double trips = 0;

    if (w->rows == 2 && !w->balanced)
        return diagonals(w->tile[0], w->tile[1], threads_along(w, machine, threads, 1));
    for (long v = 0; v < (w->balanced ? 1 : waves); v++) {
        double one = w->balanced ? (double)waves : 1;

        for (int k = 1; k < w->rows; k++)
            one *= (double)parts(w->balanced ? w->tile[k] : length_along(w, k, v),
                                 threads_along(w, machine, threads, k));
        trips += one;
    }
    return trips;
}

struct zoid_tile_terms zoid_tile_terms_of(const struct zoid_wavefront *w,
                                          const struct zoid_tile_machine *machine,
                                          const int *threads)
{
    const int last = w->rows - 1;
    struct zoid_tile_terms terms = {.waves = (double)zoid_wavefront_waves(w),
                                    .points = 1,
                                    .trips = trips_of(w, machine, threads),
                                    .memory = 2 * zoid_wavefront_box(w)};

    for (int k = 0; k < w->rows; k++)
        terms.points *= w->tile[k];
    terms.warps = w->balanced ? w->tile[0] * (double)parts(w->tile[last], machine->lanes)
                              : diagonals(w->tile[0], w->tile[last], machine->lanes);
    for (int k = 1; k < last; k++)
        terms.warps *= w->tile[k];
    return terms;
}

/* ---- least squares -------------------------------------------------------------------------- */

enum { SAMPLES = 64 };

static double product(int n, const double *a, const double *b)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Orthogonalizes the selected columns one after the other, and solves. */
static void solve(int n, int terms, double (*column)[SAMPLES], const double *right, unsigned among,
                  double *coefficient)
{
    double basis[ZOID_TILE_COEFFICIENTS][SAMPLES],
        upper[ZOID_TILE_COEFFICIENTS][ZOID_TILE_COEFFICIENTS] = {{0}};
    const double negligible = 1e-9;

    for (int j = 0; j < terms; j++) {
        const double before = sqrt(product(n, column[j], column[j]));
        double left;

        for (int i = 0; i < n; i++)
            basis[j][i] = column[j][i];
        for (int pass = 0; pass < 2; pass++)
            for (int k = 0; k < j; k++) {
                const double along = among >> k & 1 ? product(n, basis[k], basis[j]) : 0;

                upper[k][j] += along;
                for (int i = 0; i < n; i++)
                    basis[j][i] -= along * basis[k][i];
            }
        left = sqrt(product(n, basis[j], basis[j]));
        if (!(left > negligible * before))
            among &= ~(1u << j);
        upper[j][j] = left;
        for (int i = 0; i < n && among >> j & 1; i++)
            basis[j][i] /= left;
    }
    for (int j = terms - 1; j >= 0; j--) {
        coefficient[j] = 0;
        if (!(among >> j & 1))
            continue;
        coefficient[j] = product(n, basis[j], right);
        for (int k = j + 1; k < terms; k++)
            coefficient[j] -= upper[j][k] * coefficient[k];
        coefficient[j] /= upper[j][j];
    }
}

void zoid_tile_least_squares(int n, int terms, const double *rows, const double *seconds,
                             bool positive, double *coefficient)
{
    double column[ZOID_TILE_COEFFICIENTS][SAMPLES], right[SAMPLES], size[ZOID_TILE_COEFFICIENTS];
    unsigned among = (1u << terms) - 1;
    int worst;

    n = n < SAMPLES ? n : SAMPLES;
    for (int j = 0; j < terms; j++)
        size[j] = 0;
    for (int i = 0; i < n; i++) {
        right[i] = 1;
        for (int j = 0; j < terms; j++) {
            column[j][i] = rows[i * terms + j] / seconds[i];
            size[j] += fabs(column[j][i]);
        }
    }
    do {
        worst = -1;
        solve(n, terms, column, right, among, coefficient);
        for (int j = 0; j < terms && positive; j++)
            if (coefficient[j] < 0 &&
                (worst < 0 || coefficient[j] * size[j] < coefficient[worst] * size[worst]))
                worst = j;
        if (worst >= 0)
            among &= ~(1u << worst);
    } while (worst >= 0);
}

/* ---- the models ----------------------------------------------------------------------------- */

static const int terms_in[ZOID_TILE_MODELS] = {[ZOID_TILE_DI] = 3, [ZOID_TILE_GROUPS] = 4};

static void terms_of(enum zoid_tile_model_kind kind, const struct zoid_tile_terms *t, double *term)
{
    if (kind == ZOID_TILE_DI) {
        term[0] = t->warps;
        term[1] = t->points;
        term[2] = t->memory;
        return;
    }
    term[0] = t->waves;
    term[1] = t->warps;
    term[2] = t->trips;
    term[3] = t->memory;
}

/* Tiles of a round that one multiprocessor computes one after the other, by the first model. */
static int in_turn(const struct zoid_tile_model *m, int tiles)
{
    return m->machine.apart ? 1 : tiles;
}

void zoid_tile_model_fit(struct zoid_tile_model *m, int threads, int resident, int n,
                         const struct zoid_tile_sample *samples)
{
    struct zoid_tile_entry *e = &m->entry[threads][resident];

    for (int kind = 0; kind < ZOID_TILE_MODELS; kind++) {
        double rows[SAMPLES * ZOID_TILE_COEFFICIENTS], seconds[SAMPLES];
        const int terms = terms_in[kind];
        int used = 0;

        for (int i = 0; i < n && used < SAMPLES; i++) {
            const struct zoid_tile_sample *s = &samples[i];
            double term[ZOID_TILE_COEFFICIENTS];

            terms_of(kind, &s->terms, term);
            seconds[used] = s->seconds;
            if (kind == ZOID_TILE_DI)
                seconds[used] =
                    s->seconds / in_turn(m, m->resident[resident]) - (s->terms.waves + 2) * e->sync;
            for (int j = 0; j < terms; j++)
                rows[used * terms + j] = term[j];
            used += seconds[used] > 0;
        }
        e->known |= used >= terms;
        zoid_tile_least_squares(used, terms, rows, seconds, kind == ZOID_TILE_GROUPS,
                                e->coefficient[kind]);
    }
}

static double at_entry(const struct zoid_tile_entry *e, enum zoid_tile_model_kind kind,
                       const struct zoid_tile_terms *terms)
{
    double term[ZOID_TILE_COEFFICIENTS], seconds = 0;

    terms_of(kind, terms, term);
    for (int j = 0; j < terms_in[kind]; j++)
        seconds += e->coefficient[kind][j] * term[j];
    return seconds;
}

double zoid_tile_group(const struct zoid_tile_model *m, enum zoid_tile_model_kind kind, int threads,
                       int resident, int tiles, const struct zoid_tile_terms *terms)
{
    const struct zoid_tile_entry *entry = m->entry[threads];
    int lo = -1, hi = -1;

    if (kind == ZOID_TILE_DI)
        return in_turn(m, tiles) * (at_entry(&entry[resident], kind, terms) +
                                    (terms->waves + 2) * entry[resident].sync);
    for (int b = m->nresident - 1; b >= 0; b--)
        if (entry[b].known && m->resident[b] >= tiles)
            hi = b;
    for (int b = 0; b < m->nresident; b++)
        if (entry[b].known && m->resident[b] <= tiles)
            lo = b;
    lo = lo < 0 ? hi : lo;
    hi = hi < 0 ? lo : hi;
    if (lo == hi)
        return at_entry(&entry[lo], kind, terms);
    return at_entry(&entry[lo], kind, terms) +
           (at_entry(&entry[hi], kind, terms) - at_entry(&entry[lo], kind, terms)) *
               (tiles - m->resident[lo]) / (m->resident[hi] - m->resident[lo]);
}

bool zoid_tile_profile(const struct zoid_wavefront *w, struct zoid_tile_profile *p)
{
    long from, to;

    zoid_wavefront_sums(w, &from, &to);
    p->n = w->empty ? 0 : to - from + 1;
    if (p->n > p->room) {
        zoid_tile_profile_free(p);
        p->tiles = malloc((size_t)(to - from + 2) * sizeof *p->tiles);
        p->full = malloc((size_t)(to - from + 2) * sizeof *p->full);
        if (!p->tiles || !p->full)
            return false;
        p->n = p->room = to - from + 1;
    }
    if (p->n)
        zoid_wavefront_count(w, p->tiles, p->full);
    return true;
}

void zoid_tile_profile_free(struct zoid_tile_profile *p)
{
    free(p->tiles);
    free(p->full);
    *p = (struct zoid_tile_profile){.n = 0};
}

double zoid_tile_predict(const struct zoid_tile_model *m, enum zoid_tile_model_kind kind,
                         int threads, int resident, const struct zoid_tile_terms *terms,
                         const struct zoid_tile_profile *profile)
{
    const int b = m->resident[resident];
    const long at_a_time = (long)b * m->machine.processors;
    const double barrier = m->entry[threads][resident].blocks;
    double group[1 + b], seconds = m->launch;

    for (int i = 1; i <= b; i++)
        group[i] = zoid_tile_group(m, kind, threads, resident, i, terms);
    for (long i = 0; i < profile->n; i++) {
        const long tiles = profile->tiles[i], rounds = parts(tiles, at_a_time);
        const long last = parts(tiles - (rounds - 1) * at_a_time, m->machine.processors);
        const bool half = kind == ZOID_TILE_DI && !profile->full[i];

        if (tiles)
            seconds += ((double)(rounds - 1) * group[b] + group[last]) * (half ? 0.5 : 1) + barrier;
    }
    return seconds;
}
