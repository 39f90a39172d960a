/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds of tiles: the points of a tile are a polyhedron of (t, point), the tile's first
 * coordinates being parameters; variables are eliminated one after the other, from the last axis to
 * the time (Fourier and Motzkin), without the bounds that are known to be redundant (Kohler). */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/wavefront/inside.h"

enum { M = ZOID_WAVEFRONT_ROWS, WAVE = M, VARIABLES = M + 1 };

/* A bound of (t, point) and of the intra-tile wavefront. `from`: the first bounds that it is of. */
struct inequality {
    long at[VARIABLES], tile[M], constant;
    unsigned from;
};
struct inequalities {
    int n;
    bool too_many;
    struct inequality of[ZOID_WAVEFRONT_BOUNDS];
};

static long gcd(long a, long b)
{
    while (b) {
        const long rest = a % b;

        a = b;
        b = rest;
    }
    return labs(a);
}

/* ---- elimination ---------------------------------------------------------------------------- */

static bool alike(const struct inequality *a, const struct inequality *b)
{
    return !memcmp(a->at, b->at, sizeof a->at) && !memcmp(a->tile, b->tile, sizeof a->tile);
}

/* Divides by the common factor: variables and coordinates are integers. */
static void reduce(struct inequality *a)
{
    long common = 0;

    for (int i = 0; i < VARIABLES; i++)
        common = gcd(common, a->at[i]);
    for (int k = 0; k < M; k++)
        common = gcd(common, a->tile[k]);
    if (common < 2)
        return;
    for (int i = 0; i < VARIABLES; i++)
        a->at[i] /= common;
    for (int k = 0; k < M; k++)
        a->tile[k] /= common;
    a->constant = zoid_floor_div(a->constant, common);
}

static void add(struct inequalities *s, struct inequality one)
{
    static const struct inequality none;

    reduce(&one);
    if (alike(&one, &none) && one.constant >= 0)
        return;
    for (int i = 0; i < s->n; i++)
        if (alike(&s->of[i], &one)) {
            if (one.constant < s->of[i].constant ||
                (one.constant == s->of[i].constant &&
                 __builtin_popcount(one.from) < __builtin_popcount(s->of[i].from)))
                s->of[i] = one;
            return;
        }
    if (s->n < ZOID_WAVEFRONT_BOUNDS)
        s->of[s->n++] = one;
    else
        s->too_many = true;
}

/* Combines a lower and an upper bound of a variable. */
static struct inequality combined(const struct inequality *lo, const struct inequality *hi, int v)
{
    const long a = -hi->at[v], b = lo->at[v];
    struct inequality one = {.constant = a * lo->constant + b * hi->constant,
                             .from = lo->from | hi->from};

    for (int i = 0; i < VARIABLES; i++)
        one.at[i] = a * lo->at[i] + b * hi->at[i];
    for (int k = 0; k < M; k++)
        one.tile[k] = a * lo->tile[k] + b * hi->tile[k];
    return one;
}

/* Eliminates a variable, after `before` others. */
static void eliminate(struct inequalities *s, int v, int before)
{
    struct inequalities left = {.too_many = s->too_many};

    for (int i = 0; i < s->n; i++)
        if (!s->of[i].at[v])
            add(&left, s->of[i]);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++)
            if (s->of[i].at[v] > 0 && s->of[j].at[v] < 0 &&
                __builtin_popcount(s->of[i].from | s->of[j].from) <= before + 2)
                add(&left, combined(&s->of[i], &s->of[j], v));
    *s = left;
}

static void begin(struct inequalities *s, struct inequality one)
{
    one.from = 1u << s->n;
    if (s->n < (int)(8 * sizeof one.from))
        s->of[s->n++] = one;
}

/* The polyhedron; its domain is not empty. */
static struct inequalities polyhedron(const struct zoid_wavefront *w)
{
    struct inequalities s = {.n = 0};

    for (int i = 0; i < w->rows; i++) {
        struct inequality lo = {.constant = i ? -1 : 0};
        struct inequality hi = {.constant = i ? w->n[i - 1] - 2 : w->nest.steps - 1};

        lo.at[i] = 1;
        hi.at[i] = -1;
        begin(&s, lo);
        begin(&s, hi);
    }
    for (int k = 0; k < w->rows; k++) {
        struct inequality lo = {.constant = 0}, hi = {.constant = w->tile[k] - 1};

        lo.tile[k] = -1;
        hi.tile[k] = 1;
        for (int i = 0; i < w->rows; i++) {
            lo.at[i] = w->nest.shape.phi[k][i];
            hi.at[i] = -w->nest.shape.phi[k][i];
        }
        begin(&s, lo);
        begin(&s, hi);
    }
    return s;
}

/* Adds the intra-tile wavefront to it, as a variable. */
static void add_wave(const struct zoid_wavefront *w, struct inequalities *s)
{
    struct inequality lo = {.at[WAVE] = 1}, hi = {.at[WAVE] = -1};

    for (int k = 0; k < (w->balanced ? 1 : w->rows); k++) {
        lo.tile[k] = 1;
        hi.tile[k] = -1;
        for (int i = 0; i < w->rows; i++) {
            lo.at[i] -= w->nest.shape.phi[k][i];
            hi.at[i] += w->nest.shape.phi[k][i];
        }
    }
    begin(s, lo);
    begin(s, hi);
}

static bool keep(const struct inequalities *s, int first, struct zoid_wavefront_bounds *to)
{
    to->n = s->n;
    for (int i = 0; i < s->n; i++) {
        const struct inequality *from = &s->of[i];
        struct zoid_wavefront_bound *one = &to->bound[i];

        *one = (struct zoid_wavefront_bound){.constant = from->constant};
        for (int v = first; v < VARIABLES && v - first < M; v++) {
            if (labs(from->at[v]) > INT_MAX)
                return false;
            one->at[v - first] = (int)from->at[v];
        }
        for (int k = 0; k < M; k++) {
            if (labs(from->tile[k]) > INT_MAX)
                return false;
            one->tile[k] = (int)from->tile[k];
        }
    }
    return !s->too_many;
}

bool zoid_wavefront_find_bounds(struct zoid_wavefront *w)
{
    struct inequalities s = polyhedron(w);
    bool kept = true;

    for (int i = w->rows - 1; i >= 0; i--) {
        kept &= keep(&s, 0, &w->points[i]);
        eliminate(&s, i, w->rows - 1 - i);
    }
    kept &= keep(&s, 0, &w->tiles);
    s = polyhedron(w);
    add_wave(w, &s);
    for (int i = w->rows - 1; i >= 0; i--)
        eliminate(&s, i, w->rows - 1 - i);
    return kept && keep(&s, WAVE, &w->waves);
}
