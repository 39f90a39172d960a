/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists and numbers of the tiles of wavefronts: the tiles of a line have points between two ends,
 * by the bounds of tiles; near the ends each tile is looked at. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/threads/parallel.h"
#include "codelets/wavefront/inside.h"

enum { M = ZOID_WAVEFRONT_ROWS };

/* ---- rows of tiles -------------------------------------------------------------------------- */

/* Narrows a range of tau_m, at which a bound is `constant` + `by` tau_m. */
static void narrow(struct zoid_wavefront_range *r, long constant, long by)
{
    if (by > 0)
        r->lo = zoid_max(r->lo, zoid_wavefront_ceil(-constant, by));
    else if (by < 0)
        r->hi = zoid_min(r->hi, zoid_floor_div(constant, -by));
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

/* Tiles of a line that may have points, by their coordinate c; tau has the others, those of the
 * tile at 0. Coordinate `falls` falls by as much as c rises; NONE: no one does. */
enum { NONE = -1 };
static struct zoid_wavefront_range live_line(const struct zoid_wavefront *w, int c, int falls,
                                             const long *tau)
{
    struct zoid_wavefront_range r = {w->first[c], w->last[c]};

    for (int i = 0; i < w->tiles.n && r.lo <= r.hi; i++) {
        const struct zoid_wavefront_bound *one = &w->tiles.bound[i];
        long constant = one->constant, by = (long)one->tile[c] * w->tile[c];

        for (int k = 0; k < w->rows; k++)
            constant += k == c ? 0 : one->tile[k] * tau[k] * w->tile[k];
        if (falls != NONE)
            by -= (long)one->tile[falls] * w->tile[falls];
        narrow(&r, constant, by);
    }
    return r;
}

/* Those that are full. */
static struct zoid_wavefront_range full_line(const struct zoid_wavefront *w, int c, int falls,
                                             const long *tau)
{
    struct zoid_wavefront_range r = {w->first[c], w->last[c]};

    for (int i = 0; i < w->rows && r.lo <= r.hi; i++) {
        long x = 0, by = (long)w->inverse[i][c] * w->tile[c];

        for (int k = 0; k < w->rows; k++)
            x += k == c ? 0 : w->inverse[i][k] * tau[k] * w->tile[k];
        if (falls != NONE)
            by -= (long)w->inverse[i][falls] * w->tile[falls];
        narrow(&r, x + w->before[i] - (i ? 1 : 0), by);
        narrow(&r, (i ? w->n[i - 1] - 2 : w->nest.steps - 1) - x - w->after[i], -by);
    }
    return r;
}

static long length(struct zoid_wavefront_range r)
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

/* Adds a line's tiles to the differences of their wavefronts' numbers. */
static void count_line(struct zoid_wavefront_range r, long sum, long *number)
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
        const struct zoid_wavefront_range live = live_line(w, c, NONE, tau);
        long sum = -from;

        for (int i = 0; i < w->rows; i++)
            sum += i == c ? 0 : tau[i];
        count_line(live, sum, tiles);
        if (live.lo <= live.hi)
            count_line(full_line(w, c, NONE, tau), sum, full);
        for (k = w->rows - 1; k >= 0 && (k == c || ++tau[k] > w->last[k]); k--)
            tau[k] = w->first[k];
    }
    sum_up(tiles, to - from + 2);
    sum_up(full, to - from + 2);
}

/* ---- lists ---------------------------------------------------------------------------------- */

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
static void add_tiles(struct builder *b, const long *lead, struct zoid_wavefront_range r)
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
            add_tiles(b, lead, (struct zoid_wavefront_range){last, last});
    }
}

/* Adds a row of tiles: those between two full ones are full. */
static void add_row(struct builder *b, long sum, const long *lead)
{
    const int m = b->w->rows - 1;
    struct zoid_wavefront_range live, full = {0, -1};
    long tau[M];

    at_row(b->w, sum, lead, 0, tau);
    live = live_line(b->w, m, 0, tau);
    b->next = LONG_MIN;
    if (live.lo <= live.hi)
        full = full_line(b->w, m, 0, tau);
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
        struct zoid_wavefront_range full;
        long tau[M];

        at_row(w, sum, lead, 0, tau);
        full = full_line(w, w->rows - 1, 0, tau);
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
