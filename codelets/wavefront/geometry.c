/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds of tiles: the points of a tile are a polyhedron of (t, point), the tile's first
 * coordinates being parameters; variables are eliminated one after the other, from the last axis to
 * the time (Fourier and Motzkin), without the bounds that are known to be redundant (Kohler). */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/threads/parallel.h"
#include "codelets/wavefront/wavefront.h"

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

static long floor_div(long a, long b)
{
    return a / b - (a % b < 0);
}

static long ceil_div(long a, long b)
{
    return -floor_div(-a, b);
}

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
    a->constant = floor_div(a->constant, common);
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

static bool find_bounds(struct zoid_wavefront *w)
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

/* ---- rows ------------------------------------------------------------------------------------ */

/* Returns the determinant of the rows and columns that two sets of bits select. */
static long determinant(const int (*phi)[M], int n, unsigned rows, unsigned columns)
{
    long sum = 0, sign = 1;
    int r = 0;

    if (!rows)
        return 1;
    while (!(rows >> r & 1))
        r++;
    for (int c = 0; c < n; c++)
        if (columns >> c & 1) {
            sum += sign * phi[r][c] * determinant(phi, n, rows & ~(1u << r), columns & ~(1u << c));
            sign = -sign;
        }
    return sum;
}

struct zoid_wavefront_shape zoid_wavefront_sor(int axes, bool balanced)
{
    struct zoid_wavefront_shape s = {{{0}}};

    for (int i = 0; i <= axes; i++) {
        /* The balanced first row takes the place of the time's, of x in 2-D, of y in 3-D. */
        const int axis = axes == 1 ? 0 : 2, row = !balanced ? i : i < axis ? i + 1 : i;

        if (balanced && i == axis)
            continue;
        s.phi[row][0] = 1;
        s.phi[row][i] = 1;
    }
    for (int i = 0; i <= axes && balanced; i++)
        s.phi[0][i] = i ? 1 : 2;
    return s;
}

/* SOR depends on (1, 0), on (0, e) and on (1, -e) for each axis e. */
static const char *wrong_rows(const struct zoid_wavefront_nest *nest, int rows)
{
    for (int k = 0; k < rows; k++)
        for (int i = 0; i < rows; i++) {
            const int one = nest->shape.phi[k][i];

            if (one < 0 || one > ZOID_WAVEFRONT_PHI)
                return "have coefficients below 0 or above 8";
            if (one > nest->shape.phi[k][0])
                return "do not order the dependences of SOR";
        }
    return NULL;
}

static bool orders_all(const struct zoid_wavefront_nest *nest, int rows)
{
    bool all = true;

    for (int i = 1; i < rows; i++)
        all &= nest->shape.phi[0][i] > 0 && nest->shape.phi[0][i] < nest->shape.phi[0][0];
    return all;
}

static bool invert(struct zoid_wavefront *w)
{
    const unsigned all = (1u << w->rows) - 1;
    const long d = determinant(w->nest.shape.phi, w->rows, all, all);

    if (labs(d) != 1)
        return false;
    for (int i = 0; i < w->rows; i++)
        for (int k = 0; k < w->rows; k++) {
            const long minor =
                determinant(w->nest.shape.phi, w->rows, all & ~(1u << k), all & ~(1u << i));

            w->inverse[i][k] = (int)((i + k) & 1 ? -d * minor : d * minor);
        }
    return true;
}

/* Ranges of a tile's points and of tiles; false if integers cannot hold them. */
static bool find_ranges(struct zoid_wavefront *w)
{
    enum { MOST = 1 << 28 };
    long all = 0;

    for (int k = 0; k < w->rows; k++) {
        long lo = 0, hi = 0;

        for (int i = 0; i < w->rows; i++) {
            lo += w->nest.shape.phi[k][i] * (i ? 1l : 0l);
            hi += w->nest.shape.phi[k][i] * (i ? w->n[i - 1] - 2 : w->nest.steps - 1);
            w->before[i] += zoid_min(w->inverse[i][k], 0) * (w->tile[k] - 1l);
            w->after[i] += zoid_max(w->inverse[i][k], 0) * (w->tile[k] - 1l);
        }
        w->first[k] = floor_div(lo, w->tile[k]);
        w->last[k] = floor_div(hi, w->tile[k]);
        all += hi + w->tile[k];
    }
    for (int i = 0; i < w->rows; i++)
        for (int k = 0; k < w->rows; k++)
            if (labs(w->inverse[i][k]) * all > 4l * MOST)
                return false;
    return all <= MOST;
}

const char *zoid_wavefront_make(const struct zoid_wavefront_nest *nest, const int *tile,
                                struct zoid_wavefront *w)
{
    const char *reason = wrong_rows(nest, 1 + nest->axes);

    *w = (struct zoid_wavefront){.nest = *nest, .rows = 1 + nest->axes};
    if (reason)
        return reason;
    if (!invert(w))
        return "have no inverse in integers";
    w->balanced = orders_all(nest, w->rows);
    w->empty = nest->steps < 1;
    for (int a = 0; a < nest->axes; a++) {
        w->n[a] = nest->n[nest->axes - 1 - a];
        w->empty |= w->n[a] < 3;
    }
    memcpy(w->tile, tile, (size_t)w->rows * sizeof *tile);
    if (w->empty)
        return NULL;
    if (!find_ranges(w))
        return "give coordinates above 2^28";
    return find_bounds(w) ? NULL : "need too many bounds";
}

long zoid_wavefront_waves(const struct zoid_wavefront *w)
{
    long waves = w->tile[0];

    for (int k = 1; k < w->rows && !w->balanced; k++)
        waves += w->tile[k] - 1;
    return waves;
}

long zoid_wavefront_extent(const struct zoid_wavefront *w, int axis)
{
    long extent = 3;

    for (int k = 0; k < w->rows; k++)
        extent += labs(w->inverse[1 + axis][k]) * (w->tile[k] - 1l);
    return extent;
}

double zoid_wavefront_box(const struct zoid_wavefront *w)
{
    double points = 1;

    for (int a = 0; a < w->nest.axes; a++)
        points *= (double)zoid_wavefront_extent(w, a);
    return points;
}

/* ---- a tile -----------------------------------------------------------------------------------
 */

struct range {
    long lo, hi;
};

/* Bounds of variable v, of which those before are known: x. */
static struct range range_of(const struct zoid_wavefront_bounds *b, int v, const long *x,
                             const long *first)
{
    struct range r = {LONG_MIN / 2, LONG_MAX / 2};

    for (int i = 0; i < b->n && r.lo <= r.hi; i++) {
        const struct zoid_wavefront_bound *one = &b->bound[i];
        long rest = one->constant;

        for (int k = 0; k < M; k++)
            rest += one->tile[k] * first[k];
        for (int j = 0; j < v; j++)
            rest += one->at[j] * x[j];
        if (one->at[v] > 0)
            r.lo = zoid_max(r.lo, ceil_div(-rest, one->at[v]));
        else if (one->at[v] < 0)
            r.hi = zoid_min(r.hi, floor_div(rest, -one->at[v]));
        else if (rest < 0)
            r.hi = r.lo - 1;
    }
    return r;
}

static bool search(const struct zoid_wavefront *w, int v, long *x, const long *first)
{
    const struct range r = range_of(&w->points[v], v, x, first);

    if (v == w->rows - 1)
        return r.lo <= r.hi;
    for (x[v] = r.lo; x[v] <= r.hi; x[v]++)
        if (search(w, v + 1, x, first))
            return true;
    return false;
}

static void first_of(const struct zoid_wavefront *w, const long *tau, long first[M])
{
    for (int k = 0; k < M; k++)
        first[k] = k < w->rows ? tau[k] * w->tile[k] : 0;
}

bool zoid_wavefront_live(const struct zoid_wavefront *w, const long *tau)
{
    long first[M], x[M] = {0};

    first_of(w, tau, first);
    return !w->empty && search(w, 0, x, first);
}

bool zoid_wavefront_full(const struct zoid_wavefront *w, const long *tau)
{
    bool full = !w->empty;

    for (int i = 0; i < w->rows && full; i++) {
        long x = 0;

        for (int k = 0; k < w->rows; k++)
            x += w->inverse[i][k] * tau[k] * w->tile[k];
        full = x + w->before[i] >= (i ? 1 : 0) &&
               x + w->after[i] <= (i ? w->n[i - 1] - 2 : w->nest.steps - 1);
    }
    return full;
}

void zoid_wavefront_span(const struct zoid_wavefront *w, const long *tau, long *first, long *last)
{
    long begin_at[M];
    struct range r;

    first_of(w, tau, begin_at);
    r = range_of(&w->waves, 0, NULL, begin_at);
    *first = r.lo;
    *last = r.hi;
}

/* ---- rows of tiles ----------------------------------------------------------------------------
 */

/* Narrows a range of tau_m, at which a bound is `constant` + `by` tau_m. */
static void narrow(struct range *r, long constant, long by)
{
    if (by > 0)
        r->lo = zoid_max(r->lo, ceil_div(-constant, by));
    else if (by < 0)
        r->hi = zoid_min(r->hi, floor_div(constant, -by));
    else if (constant < 0)
        r->hi = r->lo - 1;
}

/* Sets the coordinates of the tile of a row with the given tau_m. */
static void at_row(const struct zoid_wavefront *w, long sum, const long *lead, long last, long *tau)
{
    tau[w->rows - 1] = last;
    tau[0] = sum - last;
    for (int k = 1; k < w->rows - 1; k++) {
        tau[k] = lead[k - 1];
        tau[0] -= lead[k - 1];
    }
}

/* Tiles of a row that may have points. */
static struct range live_of(const struct zoid_wavefront *w, long sum, const long *lead)
{
    const int m = w->rows - 1;
    struct range r = {w->first[m], w->last[m]};
    long tau[M] = {0};

    at_row(w, sum, lead, 0, tau);
    for (int i = 0; i < w->tiles.n && r.lo <= r.hi; i++) {
        const struct zoid_wavefront_bound *one = &w->tiles.bound[i];
        long constant = one->constant;

        for (int k = 0; k < m; k++)
            constant += one->tile[k] * tau[k] * w->tile[k];
        narrow(&r, constant, (long)one->tile[m] * w->tile[m] - (long)one->tile[0] * w->tile[0]);
    }
    return r;
}

/* Those that are full. */
static struct range full_of(const struct zoid_wavefront *w, long sum, const long *lead)
{
    const int m = w->rows - 1;
    struct range r = {w->first[m], w->last[m]};
    long tau[M] = {0};

    at_row(w, sum, lead, 0, tau);
    for (int i = 0; i < w->rows && r.lo <= r.hi; i++) {
        const long by = (long)w->inverse[i][m] * w->tile[m] - (long)w->inverse[i][0] * w->tile[0];
        long x = 0;

        for (int k = 0; k < m; k++)
            x += w->inverse[i][k] * tau[k] * w->tile[k];
        narrow(&r, x + w->before[i] - (i ? 1 : 0), by);
        narrow(&r, (i ? w->n[i - 1] - 2 : w->nest.steps - 1) - x - w->after[i], -by);
    }
    return r;
}

static long length(struct range r)
{
    return r.lo <= r.hi ? r.hi - r.lo + 1 : 0;
}

/* Goes to the next row of a wavefront; false: there is no more. */
static bool next_lead(const struct zoid_wavefront *w, long *lead)
{
    for (int k = w->rows - 2; k > 0; k--) {
        if (lead[k - 1]++ < w->last[k])
            return true;
        lead[k - 1] = w->first[k];
    }
    return false;
}

static void first_lead(const struct zoid_wavefront *w, long *lead)
{
    for (int k = 1; k < w->rows - 1; k++)
        lead[k - 1] = w->first[k];
}

void zoid_wavefront_sums(const struct zoid_wavefront *w, long *first, long *last)
{
    *first = *last = 0;
    for (int k = 0; k < w->rows; k++) {
        *first += w->first[k];
        *last += w->last[k];
    }
}

/* Lines of tiles along coordinate c, of which tau has the others. */
static struct range live_line(const struct zoid_wavefront *w, int c, const long *tau)
{
    struct range r = {w->first[c], w->last[c]};

    for (int i = 0; i < w->tiles.n && r.lo <= r.hi; i++) {
        const struct zoid_wavefront_bound *one = &w->tiles.bound[i];
        long constant = one->constant;

        for (int k = 0; k < w->rows; k++)
            constant += k == c ? 0 : one->tile[k] * tau[k] * w->tile[k];
        narrow(&r, constant, (long)one->tile[c] * w->tile[c]);
    }
    return r;
}

static struct range full_line(const struct zoid_wavefront *w, int c, const long *tau)
{
    struct range r = {w->first[c], w->last[c]};

    for (int i = 0; i < w->rows && r.lo <= r.hi; i++) {
        const long by = (long)w->inverse[i][c] * w->tile[c];
        long x = 0;

        for (int k = 0; k < w->rows; k++)
            x += k == c ? 0 : w->inverse[i][k] * tau[k] * w->tile[k];
        narrow(&r, x + w->before[i] - (i ? 1 : 0), by);
        narrow(&r, (i ? w->n[i - 1] - 2 : w->nest.steps - 1) - x - w->after[i], -by);
    }
    return r;
}

/* Adds a line's tiles to the differences of their wavefronts' numbers. */
static void count_line(struct range r, long sum, long *number)
{
    if (r.lo > r.hi)
        return;
    number[sum + r.lo]++;
    number[sum + r.hi + 1]--;
}

static void sum_up(long *number, long n)
{
    for (long i = 1; i < n; i++)
        number[i] += number[i - 1];
}

void zoid_wavefront_count(const struct zoid_wavefront *w, long *tiles, long *full)
{
    long tau[M] = {0}, from, to;
    int c = 0, k = 0;

    zoid_wavefront_sums(w, &from, &to);
    memset(tiles, 0, (size_t)(to - from + 2) * sizeof *tiles);
    memset(full, 0, (size_t)(to - from + 2) * sizeof *full);
    for (int i = 0; i < w->rows; i++) {
        tau[i] = w->first[i];
        c = w->last[i] - w->first[i] > w->last[c] - w->first[c] ? i : c;
    }
    while (k >= 0 && !w->empty) {
        const struct range live = live_line(w, c, tau);
        long sum = -from;

        for (int i = 0; i < w->rows; i++)
            sum += i == c ? 0 : tau[i];
        count_line(live, sum, tiles);
        if (live.lo <= live.hi)
            count_line(full_line(w, c, tau), sum, full);
        for (k = w->rows - 1; k >= 0 && (k == c || ++tau[k] > w->last[k]); k--)
            tau[k] = w->first[k];
    }
    sum_up(tiles, to - from + 2);
    sum_up(full, to - from + 2);
}

/* ---- lists ------------------------------------------------------------------------------------
 */

struct builder {
    const struct zoid_wavefront *w;
    struct zoid_wavefront_list *list;
    long waves, rows; /* that are allocated */
    long tiles;       /* of the wavefront at hand */
    long next;        /* tau_m by which its last row would go on */
    bool failed;
};

static bool make_room(void **memory, long *room, long used, size_t size)
{
    const long more = *room ? 2 * *room : 64;
    void *larger = used < *room ? *memory : realloc(*memory, (size_t)more * size);

    if (!larger)
        return false;
    *room = used < *room ? *room : more;
    *memory = larger;
    return true;
}

/* Adds tiles to the wavefront at hand: to its last row, if they follow it. */
static void add_tiles(struct builder *b, const long *lead, struct range r)
{
    struct zoid_wavefront_list *list = b->list;

    if (b->failed || r.lo > r.hi)
        return;
    if (b->next != r.lo) {
        struct zoid_wavefront_row row = {.first = (int)r.lo, .before = (int)b->tiles};

        for (int k = 1; k < b->w->rows - 1; k++)
            row.lead[k - 1] = (int)lead[k - 1];
        b->failed = list->nrows == INT_MAX ||
                    !make_room((void **)&list->row, &b->rows, list->nrows, sizeof *list->row);
        if (b->failed)
            return;
        list->row[list->nrows++] = row;
    }
    b->next = r.hi + 1;
    b->tiles += length(r);
    b->failed = b->tiles > INT_MAX;
}

static void add_live(struct builder *b, long sum, const long *lead, long from, long to)
{
    for (long last = from; last <= to; last++) {
        long tau[M];

        at_row(b->w, sum, lead, last, tau);
        if (zoid_wavefront_live(b->w, tau))
            add_tiles(b, lead, (struct range){last, last});
    }
}

/* Adds a row of tiles: those between two full ones are full. */
static void add_row(struct builder *b, long sum, const long *lead)
{
    const struct range live = live_of(b->w, sum, lead);
    struct range full = {0, -1};

    b->next = LONG_MIN;
    if (live.lo <= live.hi)
        full = full_of(b->w, sum, lead);
    if (full.lo > full.hi) {
        add_live(b, sum, lead, live.lo, live.hi);
        return;
    }
    add_live(b, sum, lead, live.lo, full.lo - 1);
    add_tiles(b, lead, full);
    add_live(b, sum, lead, full.hi + 1, live.hi);
}

/* Ends the wavefront at hand, if it has tiles. */
static void end_wave(struct builder *b, long sum, long row)
{
    struct zoid_wavefront_list *list = b->list;

    if (b->failed || !b->tiles)
        return;
    b->failed = !make_room((void **)&list->wave, &b->waves, list->nwaves, sizeof *list->wave);
    if (!b->failed)
        list->wave[list->nwaves++] =
            (struct zoid_wavefront_wave){(int)sum, (int)row, (int)b->tiles};
}

/* Lists the wavefronts of some sums. */
static bool list_sums(const struct zoid_wavefront *w, long from, long to,
                      struct zoid_wavefront_list *list)
{
    struct builder b = {.w = w, .list = list};

    for (long sum = from; sum <= to && !b.failed; sum++) {
        const long row = list->nrows;
        long lead[M] = {0};

        b.tiles = 0;
        first_lead(w, lead);
        do {
            add_row(&b, sum, lead);
        } while (next_lead(w, lead) && !b.failed);
        end_wave(&b, sum, row);
    }
    return !b.failed;
}

/* Parts of a list, by sums, that threads make. */
enum { PARTS = 64 };
struct listing {
    const struct zoid_wavefront *w;
    long from, sums;
    struct zoid_wavefront_list part[PARTS];
    bool done[PARTS];
};

static void list_part(void *arg, int thread, long i)
{
    struct listing *l = arg;

    (void)thread;
    l->done[i] = list_sums(l->w, l->from + l->sums * i / PARTS,
                           l->from + l->sums * (i + 1) / PARTS - 1, &l->part[i]);
}

/* Joins the parts. */
static bool join(const struct listing *l, struct zoid_wavefront_list *list)
{
    long waves = 0, rows = 0;
    bool done = true;

    for (int i = 0; i < PARTS; i++) {
        waves += l->part[i].nwaves;
        rows += l->part[i].nrows;
        done &= l->done[i];
    }
    list->wave = calloc((size_t)waves + 1, sizeof *list->wave);
    list->row = calloc((size_t)rows + 1, sizeof *list->row);
    if (!done || rows > INT_MAX || !list->wave || !list->row)
        return false;
    for (int i = 0; i < PARTS; i++) {
        const struct zoid_wavefront_list *part = &l->part[i];

        for (long k = 0; k < part->nwaves; k++) {
            list->wave[list->nwaves] = part->wave[k];
            list->wave[list->nwaves++].row += (int)list->nrows;
        }
        for (long k = 0; k < part->nrows; k++)
            list->row[list->nrows++] = part->row[k];
    }
    return true;
}

bool zoid_wavefront_tiles(const struct zoid_wavefront *w, struct zoid_wavefront_list *list)
{
    enum { FEW = 512 };
    struct listing l = {.w = w};
    long to;
    bool done;

    *list = (struct zoid_wavefront_list){.nwaves = 0};
    zoid_wavefront_sums(w, &l.from, &to);
    l.sums = w->empty ? 0 : to - l.from + 1;
    zoid_parallel(l.sums < FEW && w->rows == 2 ? 1 : zoid_cores(), PARTS, list_part, &l);
    done = join(&l, list);
    for (int i = 0; i < PARTS; i++)
        zoid_wavefront_free(&l.part[i]);
    if (!done)
        zoid_wavefront_free(list);
    return done;
}

bool zoid_wavefront_full_list(const struct zoid_wavefront *w, long tiles,
                              struct zoid_wavefront_list *list)
{
    struct builder b = {.w = w, .list = list};
    long sum = 0, lead[M] = {0};

    *list = (struct zoid_wavefront_list){.nwaves = 0};
    if (w->empty)
        return false;
    for (int k = 0; k < w->rows; k++)
        sum += (w->first[k] + w->last[k]) / 2;
    first_lead(w, lead);
    do {
        struct range full = full_of(w, sum, lead);

        b.next = LONG_MIN;
        full.hi = zoid_min(full.hi, full.lo + tiles - b.tiles - 1);
        add_tiles(&b, lead, full);
    } while (b.tiles < tiles && next_lead(w, lead) && !b.failed);
    b.failed |= b.tiles < tiles;
    end_wave(&b, sum, 0);
    if (b.failed)
        zoid_wavefront_free(list);
    return !b.failed;
}

void zoid_wavefront_free(struct zoid_wavefront_list *list)
{
    free(list->wave);
    free(list->row);
    *list = (struct zoid_wavefront_list){.nwaves = 0};
}

void zoid_wavefront_tile(const struct zoid_wavefront *w, const struct zoid_wavefront_list *list,
                         long wave, long i, long *tau)
{
    const struct zoid_wavefront_wave *of = &list->wave[wave];
    long lo = of->row, hi = wave + 1 < list->nwaves ? list->wave[wave + 1].row : list->nrows;
    long lead[M] = {0};

    while (hi - lo > 1) {
        const long middle = lo + (hi - lo) / 2;

        if (list->row[middle].before <= i)
            lo = middle;
        else
            hi = middle;
    }
    for (int k = 1; k < w->rows - 1; k++)
        lead[k - 1] = list->row[lo].lead[k - 1];
    at_row(w, of->sum, lead, list->row[lo].first + (i - list->row[lo].before), tau);
}
