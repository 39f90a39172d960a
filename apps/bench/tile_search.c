/* SPDX-License-Identifier: BSD-3-Clause */
/* A layout takes at least a round and a barrier for each wavefront, and as many rounds as would
 * fill the multiprocessors, a bound that costs no geometry. Tile sizes are predicted in the order
 * of their bounds, until these exceed the best prediction. The first model's halves are not in it.
 */
#include "apps/bench/tile_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/threads/parallel.h"

enum { M = ZOID_WAVEFRONT_ROWS, SIZES = 4096, BATCH = 128, FOUND = 8192, PART = 1024 };

/* ---- tile sizes ----------------------------------------------------------------------------- */

struct sizes {
    int least[M], most[M];
};

/* Tile sizes for a number of threads. */
static struct sizes sizes_for(const struct zoid_tile_space *s, const struct zoid_tile_model *m,
                              int threads)
{
    struct sizes sizes;

    memcpy(sizes.least, s->least, sizeof sizes.least);
    memcpy(sizes.most, s->most, sizeof sizes.most);
    for (int k = 1; k <= s->nest.axes && !m->machine.apart; k++) {
        const int along = m->threads[threads][s->nest.axes - k];

        if (along == 1)
            continue;
        sizes.least[k] = (int)zoid_max(s->least[k], along / 2);
        sizes.most[k] = (int)zoid_max(zoid_min(s->most[k], 9 * along / 2), sizes.least[k]);
    }
    return sizes;
}

/* A geometry with a tile size, without its bounds. */
static void set_tile(struct zoid_wavefront *w, const int *tile)
{
    memcpy(w->tile, tile, sizeof w->tile);
}

static bool fits(const struct zoid_tile_space *s, const struct zoid_wavefront *w, int resident)
{
    const long row = zoid_wavefront_extent(w, s->nest.axes - 1);
    const double box =
        zoid_wavefront_box(w) / (double)row * (double)(row + 1) * (double)zoid_type_size(s->type);

    return box + s->own <= s->block && resident * (box + s->own) <= s->bytes;
}

/* Makes the part of the geometry that all tile sizes share. */
static bool begin(const struct zoid_tile_space *s, struct zoid_wavefront *w)
{
    return !zoid_wavefront_make(&s->nest, s->most, w) && !w->empty;
}

bool zoid_tile_draw(const struct zoid_tile_space *s, const struct zoid_tile_model *m,
                    unsigned short state[3], struct zoid_tile_layout *layout)
{
    enum { TRIES = 10000 };
    const struct sizes sizes = sizes_for(s, m, layout->threads);
    struct zoid_wavefront w;

    if (!begin(s, &w))
        return false;
    for (int i = 0; i < TRIES; i++) {
        memset(layout->tile, 0, sizeof layout->tile);
        for (int k = 0; k <= s->nest.axes; k++) {
            const double least = sizes.least[k], most = sizes.most[k] + 1;

            layout->tile[k] = (int)(least * pow(most / least, erand48(state)));
            layout->tile[k] = (int)zoid_min(layout->tile[k], sizes.most[k]);
        }
        set_tile(&w, layout->tile);
        if (fits(s, &w, m->resident[layout->resident]))
            return true;
    }
    return false;
}

/* ---- all of them ---------------------------------------------------------------------------- */

struct candidate {
    int tile[M], threads, layouts;
    double bound;
};

struct search {
    const struct zoid_tile_space *space;
    const struct zoid_tile_model *model;
    enum zoid_tile_model_kind kind;
    struct zoid_wavefront w;
    /* Terms of the expected number of tiles: a factor, and the sizes that it is divided by. */
    int nterms;
    struct {
        double factor;
        unsigned sizes;
    } term[1 << (2 * M)];
    struct candidate *candidate;
    long n, room, layouts;
    long from;                            /* of a batch */
    struct zoid_tile_choice found[FOUND]; /* layouts < 0: out of memory */
};

/* Sizes of a coordinate, about `steps` of them in equal proportions. */
static int sizes_of(int least, int most, long steps, int *size)
{
    int n = 0;

    for (long i = 0; i < steps && n < SIZES; i++) {
        const double part = steps > 1 ? (double)i / (double)(steps - 1) : 0;
        const int one = (int)(least * pow((double)most / least, part) + 0.5);

        if (!n || one > size[n - 1])
            size[n++] = one;
    }
    return n;
}

static bool add_candidate(struct search *s, const int *tile, int threads)
{
    struct candidate one = {.threads = threads};

    memcpy(one.tile, tile, sizeof one.tile);
    set_tile(&s->w, tile);
    for (int b = 0; b < s->model->nresident; b++)
        one.layouts +=
            s->model->entry[threads][b].known && fits(s->space, &s->w, s->model->resident[b]);
    if (!one.layouts)
        return true;
    if (s->n == s->room) {
        const long room = s->room ? 2 * s->room : PART;
        struct candidate *larger = realloc(s->candidate, (size_t)room * sizeof *larger);

        if (!larger)
            return false;
        s->candidate = larger;
        s->room = room;
    }
    s->candidate[s->n++] = one;
    s->layouts += one.layouts;
    return true;
}

/* Lists tile sizes; false: out of memory. */
static bool list_sizes(struct search *s, long steps)
{
    static const int none[M];
    int size[M][SIZES], n[M], at[M], tile[M];

    s->n = s->layouts = 0;
    for (int t = 0; t < s->model->nthreads; t++) {
        const struct sizes sizes = sizes_for(s->space, s->model, t);
        int k = 0;

        for (int i = 0; i < s->w.rows; i++)
            n[i] = sizes_of(sizes.least[i], sizes.most[i], steps, size[i]);
        memcpy(at, none, sizeof at);
        memcpy(tile, none, sizeof tile);
        while (k >= 0) {
            for (int i = 0; i < s->w.rows; i++)
                tile[i] = size[i][at[i]];
            if (!add_candidate(s, tile, t))
                return false;
            for (k = s->w.rows - 1; k >= 0 && ++at[k] == n[k]; k--)
                at[k] = 0;
        }
    }
    return true;
}

/* The tiles that meet a parallelepiped P are expected to be vol(P + tile) / vol(tile), and the sum
 * is a zonotope, whose volume is that of the parallelepipeds of all choices of its edges: some of
 * P's, and for each other row an edge of the tile. */
static void find_terms(struct search *s)
{
    const struct zoid_wavefront_nest *nest = &s->space->nest;
    const unsigned all = 1u << s->w.rows;

    s->nterms = 0;
    for (unsigned columns = 0; columns < all; columns++)
        for (unsigned rows = 0; rows < all; rows++) {
            double factor;

            if (__builtin_popcount(rows) != __builtin_popcount(columns))
                continue;
            factor = fabs((double)zoid_wavefront_minor(&nest->shape, rows, columns));
            for (int i = 0; i < s->w.rows; i++)
                if (columns >> i & 1)
                    factor *= (double)(i ? s->w.n[i - 1] - 3 : nest->steps - 1);
            if (factor <= 0)
                continue;
            s->term[s->nterms].factor = factor;
            s->term[s->nterms++].sizes = rows;
        }
}

static double tiles_of(const struct search *s, const int *tile)
{
    double tiles = 0, size[1 << M] = {1};

    for (unsigned rows = 1; rows < 1u << s->w.rows; rows++)
        size[rows] = size[rows & (rows - 1)] * tile[__builtin_ctz(rows)];
    for (int i = 0; i < s->nterms; i++)
        tiles += s->term[i].factor / size[s->term[i].sizes];
    return tiles;
}

/* Returns the number of wavefronts from the first point's to the last one's. */
static double waves_of(const struct zoid_wavefront *w)
{
    long waves = 1;

    for (int k = 0; k < w->rows; k++) {
        long first = 0, last = (w->nest.steps - 1) * w->nest.shape.phi[k][0];

        for (int i = 1; i < w->rows; i++) {
            first += w->nest.shape.phi[k][i];
            last += w->nest.shape.phi[k][i] * (w->n[i - 1] - 2);
        }
        waves += last / w->tile[k] - first / w->tile[k];
    }
    return (double)waves;
}

static double bound_of(const struct search *s, const struct candidate *c, struct zoid_wavefront *w)
{
    const struct zoid_tile_model *m = s->model;
    struct zoid_tile_terms terms;
    double least = INFINITY, waves, rounds;

    set_tile(w, c->tile);
    terms = zoid_tile_terms_of(w, &m->machine, m->threads[c->threads]);
    waves = waves_of(w);
    rounds = 0.9 * tiles_of(s, c->tile) / m->machine.processors;
    for (int b = 0; b < m->nresident; b++) {
        const struct zoid_tile_entry *e = &m->entry[c->threads][b];
        double each = INFINITY, group = INFINITY;

        if (!e->known || !fits(s->space, w, m->resident[b]))
            continue;
        for (int i = 1; i <= m->resident[b]; i++) {
            const double one = zoid_tile_group(m, s->kind, c->threads, b, i, &terms);

            group = fmin(group, one);
            each = fmin(each, one / i);
        }
        if (group <= 0)
            continue;
        least = fmin(least, fmax(rounds * each, waves * group) + waves * e->blocks);
    }
    return m->launch + least;
}

static void find_bounds(void *arg, int thread, long part)
{
    struct search *s = arg;
    struct zoid_wavefront w = s->w;
    const long end = zoid_min((part + 1) * PART, s->n);

    (void)thread;
    for (long i = part * PART; i < end; i++)
        s->candidate[i].bound = bound_of(s, &s->candidate[i], &w);
}

static int by_bound(const void *a, const void *b)
{
    const struct candidate *one = a, *other = b;

    if (one->bound != other->bound)
        return one->bound < other->bound ? -1 : 1;
    return memcmp(one->tile, other->tile, sizeof one->tile);
}

/* Returns whether a model gives every round of a layout a time above 0. */
static bool has_time(const struct search *s, int threads, int resident,
                     const struct zoid_tile_terms *terms)
{
    for (int i = 1; i <= s->model->resident[resident]; i++)
        if (zoid_tile_group(s->model, s->kind, threads, resident, i, terms) <= 0)
            return false;
    return true;
}

/* Predicts the layouts of a tile size. */
static void predict(void *arg, int thread, long i)
{
    struct search *s = arg;
    const struct candidate *c = &s->candidate[s->from + i];
    const struct zoid_tile_model *m = s->model;
    struct zoid_tile_profile profile = {.n = 0};
    struct zoid_wavefront w;
    struct zoid_tile_choice *found = &s->found[i];

    (void)thread;
    *found = (struct zoid_tile_choice){.predicted = INFINITY};
    if (zoid_wavefront_make(&s->space->nest, c->tile, &w))
        return;
    if (!zoid_tile_profile(&w, &profile)) {
        found->layouts = -1;
    } else {
        const struct zoid_tile_terms terms =
            zoid_tile_terms_of(&w, &m->machine, m->threads[c->threads]);

        for (int b = 0; b < m->nresident; b++) {
            double seconds;

            if (!m->entry[c->threads][b].known || !fits(s->space, &w, m->resident[b]) ||
                !has_time(s, c->threads, b, &terms))
                continue;
            seconds = zoid_tile_predict(m, s->kind, c->threads, b, &terms, &profile);
            found->evaluated++;
            if (seconds < found->predicted) {
                found->predicted = seconds;
                memcpy(found->layout.tile, c->tile, sizeof c->tile);
                found->layout.threads = c->threads;
                found->layout.resident = b;
            }
        }
    }
    zoid_tile_profile_free(&profile);
}

/* Predicts until bounds exceed the best prediction; false: out of memory. */
static bool predict_all(struct search *s, struct zoid_tile_choice *best)
{
    const long batch = zoid_min((long)BATCH * zoid_cores(), FOUND);

    for (s->from = 0; s->from < s->n; s->from += batch) {
        const long n = zoid_min(batch, s->n - s->from);

        if (s->candidate[s->from].bound >= best->predicted)
            break;
        zoid_parallel(zoid_cores(), n, predict, s);
        for (long i = 0; i < n; i++) {
            if (s->found[i].layouts < 0)
                return false;
            best->evaluated += s->found[i].evaluated;
            if (s->found[i].predicted < best->predicted) {
                best->predicted = s->found[i].predicted;
                best->layout = s->found[i].layout;
            }
        }
    }
    return true;
}

bool zoid_tile_choose(const struct zoid_tile_space *space, const struct zoid_tile_model *model,
                      enum zoid_tile_model_kind kind, long least, struct zoid_tile_choice *choice)
{
    struct search *s = calloc(1, sizeof *s);
    bool found = false;

    *choice = (struct zoid_tile_choice){.predicted = INFINITY};
    if (!s)
        return false;
    s->space = space;
    s->model = model;
    s->kind = kind;
    if (begin(space, &s->w)) {
        long before = -1;

        find_terms(s);
        for (long steps = 8; steps < SIZES && s->layouts < least; steps += steps / 4) {
            found = list_sizes(s, steps);
            if (!found || (s->layouts == before && steps > space->most[0]))
                break;
            before = s->layouts;
        }
    }
    if (found && s->n > 0) {
        zoid_parallel(zoid_cores(), (s->n + PART - 1) / PART, find_bounds, s);
        qsort(s->candidate, (size_t)s->n, sizeof *s->candidate, by_bound);
        found = predict_all(s, choice);
        choice->layouts = s->layouts;
    }
    free(s->candidate);
    free(s);
    return found && choice->predicted < INFINITY;
}
