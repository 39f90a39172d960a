/* SPDX-License-Identifier: BSD-3-Clause */
/* Legend above the rows, and sums below them. */
#include <math.h>

#include "apps/trace/gantt_draw.h"

/* ---- legend ------------------------------------------------------------------------------- */

enum { LEGEND = 20, SWATCH = 12, MARGIN = 14 };

double zoid_gantt_legend_height(void)
{
    return LEGEND;
}

/* Draws a coloured square and its meaning; returns the position of the next entry. */
static double entry(const struct zoid_picture *p, double x, double y, struct zoid_colour colour,
                    const char *name)
{
    zoid_gantt_box(p, x, y, SWATCH, SWATCH, colour);
    zoid_gantt_colour(p, zoid_colour_ink);
    return x + SWATCH + 5 +
           zoid_gantt_text(p, x + SWATCH + 5, y + SWATCH - 2, ZOID_ALIGN_LEFT, "%s", name) + 16;
}

static double gradient(const struct zoid_picture *p, double x, double y)
{
    enum { WIDE = 240 };
    const struct zoid_timeline *t = p->gantt->timeline;
    double each = (double)WIDE / (double)t->passes;

    zoid_gantt_colour(p, zoid_colour_ink);
    x += zoid_gantt_text(p, x, y + SWATCH - 2, ZOID_ALIGN_LEFT, "pass 0") + 6;
    /* With several hundred passes, one would be too narrow to see. */
    for (int i = 0; i < WIDE; i += each < 1 ? 1 : (int)ceil(each))
        zoid_gantt_box(p, x + i, y, each < 1 ? 1.2 : fmin(ceil(each), WIDE - i), SWATCH,
                       zoid_gantt_pass_colour(t, (long)((double)i / WIDE * (double)t->passes)));
    x += WIDE + 6;
    zoid_gantt_colour(p, zoid_colour_ink);
    x += zoid_gantt_text(p, x, y + SWATCH - 2, ZOID_ALIGN_LEFT, "%ld", t->passes - 1) + 16;
    return x;
}

static double passes(const struct zoid_picture *p, double x, double y)
{
    const struct zoid_timeline *t = p->gantt->timeline;
    char name[32];

    if (t->passes >= GANTT_FIRST_GRADIENT)
        return gradient(p, x, y);
    for (long pass = 0; pass < t->passes; pass++) {
        snprintf(name, sizeof name, "pass %ld", pass);
        x = entry(p, x, y, zoid_gantt_pass_colour(t, pass), name);
    }
    return x;
}

static bool has_link(const struct zoid_timeline *t, enum zoid_link_kind kind)
{
    for (size_t l = 0; l < t->links; l++)
        if (t->link[l].kind == kind)
            return true;
    return false;
}

void zoid_gantt_legend(const struct zoid_picture *p, double y)
{
    static const char *const kinds[] = {[ZOID_LINK_UPLOAD] = "upload",
                                        [ZOID_LINK_DOWNLOAD] = "download",
                                        [ZOID_LINK_PEER] = "GPU to GPU",
                                        [ZOID_LINK_OTHER] = "other transfer"};
    const struct zoid_timeline *t = p->gantt->timeline;
    double x = MARGIN;

    cairo_set_font_size(p->cairo, 12);
    x = passes(p, x, y);
    x = entry(p, x, y, zoid_colour_waiting, "waiting for data");
    if (zoid_timeline_ranks(t) > 1)
        x = entry(p, x, y, zoid_colour_held, "waiting for messages");
    x = entry(p, x, y, zoid_colour_starved, "starved: no block is ready");
    for (enum zoid_link_kind kind = ZOID_LINK_UPLOAD; kind <= ZOID_LINK_OTHER; kind++)
        if (has_link(t, kind))
            x = entry(p, x, y, zoid_gantt_link_colour(kind), kinds[kind]);
}

/* ---- tables ------------------------------------------------------------------------------- */

enum { ROW = 17, FULL_COLUMN = 16, MOST_COLUMNS = 4, SENTENCE = 22 };

/* Returns whether the table lists ranks, since the workers of several ranks are too many. */
static bool by_rank(const struct zoid_timeline *t)
{
    return zoid_timeline_ranks(t) > 1 && t->workers > FULL_COLUMN * MOST_COLUMNS;
}

static size_t worker_rows(const struct zoid_timeline *t)
{
    return by_rank(t) ? (size_t)zoid_timeline_ranks(t) : t->workers;
}

/* Layout of a table in up to four columns. */
struct table {
    size_t rows; /* per column */
    int columns;
    double width; /* of a column */
};

static struct table table_for(size_t entries)
{
    struct table t = {.columns = (int)((entries + FULL_COLUMN - 1) / FULL_COLUMN)};

    t.columns = t.columns < 1 ? 1 : t.columns > MOST_COLUMNS ? MOST_COLUMNS : t.columns;
    t.rows = (entries + (size_t)t.columns - 1) / (size_t)t.columns;
    t.width = t.columns <= 2 ? 760 : (GANTT_WIDTH - 2.0 * MARGIN) / t.columns;
    return t;
}

static double table_height(size_t entries)
{
    return entries ? ROW * (double)(table_for(entries).rows + 1) + 16 : 0;
}

double zoid_gantt_summary_height(const struct zoid_timeline *t)
{
    return SENTENCE + table_height(worker_rows(t)) +
           (t->links ? SENTENCE + table_height(t->links) : 0);
}

/* Right ends of a worker's cells; narrow tables have room for percentages only. */
enum { BUSY, WAITING, HELD, STARVED, BLOCKS, CELLS };

static void worker_cells(const struct zoid_timeline *t, const struct table *table, double x,
                         double at[CELLS])
{
    static const double one[][CELLS] = {{0.53, 0.66, 0, 0.80, 0.91}, {0.36, 0.56, 0, 0.76, 0.90}},
                        several[][CELLS] = {{0.48, 0.58, 0.73, 0.85, 0.96},
                                            {0.36, 0.52, 0.70, 0.85, 0.96}};
    const double *part = (zoid_timeline_ranks(t) > 1 ? several : one)[table->columns <= 2];

    for (int i = 0; i < CELLS; i++)
        at[i] = x + table->width * part[i];
}

static void amount(const struct zoid_picture *p, double x, double y, double seconds, double whole,
                   bool wide)
{
    char text[24];
    double percent = whole > 0 ? 100 * seconds / whole : 0;

    if (wide)
        zoid_gantt_text(p, x, y, ZOID_ALIGN_RIGHT, "%s  %5.1f %%",
                        zoid_gantt_seconds(seconds, text), percent);
    else
        zoid_gantt_text(p, x, y, ZOID_ALIGN_RIGHT, "%.1f %%", percent);
}

/* Sums up a row; returns its worker-seconds. */
static double row_of(const struct zoid_timeline *t, size_t row, struct zoid_worker_sum *sum,
                     char name[64])
{
    const double whole = t->run.end - t->run.begin;
    size_t workers = 1;

    if (by_rank(t)) {
        *sum = zoid_timeline_rank_sum(t, (int)row, &workers);
        snprintf(name, 64, "rank %zu", row);
        return whole * (double)workers;
    }
    *sum = zoid_timeline_worker_sum(t, (int)row);
    if (zoid_timeline_ranks(t) > 1)
        snprintf(name, 64, "rank %d %s", t->worker[row].rank, t->worker[row].name);
    else
        snprintf(name, 64, "%s", t->worker[row].name);
    return whole;
}

static void worker_row(const struct zoid_picture *p, const struct table *table, double x, double y,
                       size_t row)
{
    const struct zoid_timeline *t = p->gantt->timeline;
    const double name_wide = zoid_timeline_ranks(t) > 1 ? 95 : 60, bar = 150 - name_wide;
    struct zoid_worker_sum s;
    char name[64];
    double whole = row_of(t, row, &s, name), scale = whole > 0 ? bar / whole : 0, at[CELLS];
    const bool wide = table->columns <= 2;

    worker_cells(t, table, x, at);
    zoid_gantt_colour(p, zoid_colour_ink);
    zoid_gantt_text(p, x, y, ZOID_ALIGN_LEFT, "%s", name);
    x += name_wide;
    zoid_gantt_box(p, x, y - 9, bar, 10, zoid_colour_starved);
    zoid_gantt_box(p, x, y - 9, s.busy * scale, 10, zoid_colour_busy);
    zoid_gantt_box(p, x + s.busy * scale, y - 9, s.waiting * scale, 10, zoid_colour_waiting);
    zoid_gantt_box(p, x + (s.busy + s.waiting) * scale, y - 9, s.held * scale, 10,
                   zoid_colour_held);
    zoid_gantt_colour(p, zoid_colour_ink);
    amount(p, at[BUSY], y, s.busy, whole, wide);
    amount(p, at[WAITING], y, s.waiting, whole, wide);
    if (zoid_timeline_ranks(t) > 1)
        amount(p, at[HELD], y, s.held, whole, wide);
    amount(p, at[STARVED], y, s.starved, whole, wide);
    zoid_gantt_text(p, at[BLOCKS], y, ZOID_ALIGN_RIGHT, "%ld", s.blocks);
}

static void worker_head(const struct zoid_picture *p, const struct table *table, double x, double y)
{
    const struct zoid_timeline *t = p->gantt->timeline;
    const bool several = zoid_timeline_ranks(t) > 1, wide = table->columns <= 2;
    double at[CELLS];

    worker_cells(t, table, x, at);
    zoid_gantt_colour(p, zoid_colour_faint);
    zoid_gantt_text(p, x, y, ZOID_ALIGN_LEFT, by_rank(t) ? "rank" : "worker");
    zoid_gantt_text(p, at[BUSY], y, ZOID_ALIGN_RIGHT, "busy");
    zoid_gantt_text(p, at[WAITING], y, ZOID_ALIGN_RIGHT,
                    wide      ? "waiting for data"
                    : several ? "data"
                              : "waiting");
    if (several)
        zoid_gantt_text(p, at[HELD], y, ZOID_ALIGN_RIGHT, wide ? "for messages" : "messages");
    zoid_gantt_text(p, at[STARVED], y, ZOID_ALIGN_RIGHT, "starved");
    zoid_gantt_text(p, at[BLOCKS], y, ZOID_ALIGN_RIGHT, "blocks");
}

static void worker_table(const struct zoid_picture *p, double y)
{
    const struct zoid_timeline *t = p->gantt->timeline;
    const struct table table = table_for(worker_rows(t));

    for (int c = 0; c < table.columns && (size_t)c * table.rows < worker_rows(t); c++)
        worker_head(p, &table, MARGIN + c * table.width, y);
    for (size_t w = 0; w < worker_rows(t); w++)
        worker_row(p, &table, MARGIN + (double)(w / table.rows) * table.width,
                   y + ROW * (double)(w % table.rows + 1), w);
}

static void link_cells(const struct table *table, double x, double at[4])
{
    static const double wide[] = {0.34, 0.52, 0.72, 0.90}, narrow[] = {0.44, 0.60, 0.77, 0.93};

    for (int i = 0; i < 4; i++)
        at[i] = x + table->width * (table->columns <= 2 ? wide[i] : narrow[i]);
}

static void link_row(const struct zoid_picture *p, const struct table *table, double x, double y,
                     int link)
{
    const struct zoid_timeline *t = p->gantt->timeline;
    struct zoid_link_sum s = zoid_timeline_link_sum(t, link);
    double at[4];
    char text[24];

    link_cells(table, x, at);
    zoid_gantt_colour(p, zoid_colour_ink);
    if (zoid_timeline_ranks(t) > 1)
        zoid_gantt_text(p, x, y, ZOID_ALIGN_LEFT, "rank %d %s", t->link[link].rank,
                        t->link[link].name);
    else
        zoid_gantt_text(p, x, y, ZOID_ALIGN_LEFT, "%s", t->link[link].name);
    zoid_gantt_text(p, at[0], y, ZOID_ALIGN_RIGHT, "%ld", s.transfers);
    zoid_gantt_text(p, at[1], y, ZOID_ALIGN_RIGHT, "%s", zoid_gantt_bytes(s.bytes, text));
    amount(p, at[2], y, s.busy, t->run.end - t->run.begin, table->columns <= 2);
    if (s.busy > 0)
        zoid_gantt_text(p, at[3], y, ZOID_ALIGN_RIGHT, "%s/s",
                        zoid_gantt_bytes(s.bytes / s.busy, text));
}

static void link_table(const struct zoid_picture *p, double y)
{
    const struct zoid_timeline *t = p->gantt->timeline;
    const struct table table = table_for(t->links);
    double at[4];

    for (int c = 0; c < table.columns && (size_t)c * table.rows < t->links; c++) {
        double x = MARGIN + c * table.width;

        link_cells(&table, x, at);
        zoid_gantt_colour(p, zoid_colour_faint);
        zoid_gantt_text(p, x, y, ZOID_ALIGN_LEFT, "link");
        zoid_gantt_text(p, at[0], y, ZOID_ALIGN_RIGHT, "transfers");
        zoid_gantt_text(p, at[1], y, ZOID_ALIGN_RIGHT, "bytes");
        zoid_gantt_text(p, at[2], y, ZOID_ALIGN_RIGHT, "moving");
        zoid_gantt_text(p, at[3], y, ZOID_ALIGN_RIGHT, "rate");
    }
    for (size_t l = 0; l < t->links; l++)
        link_row(p, &table, MARGIN + (double)(l / table.rows) * table.width,
                 y + ROW * (double)(l % table.rows + 1), (int)l);
}

/* ---- both --------------------------------------------------------------------------------- */

static void sentence(const struct zoid_picture *p, double y)
{
    const struct zoid_timeline *t = p->gantt->timeline;
    double busy = 0, waiting = 0, held = 0, starved = 0, whole = t->run.end - t->run.begin;

    for (size_t w = 0; w < t->workers; w++) {
        struct zoid_worker_sum s = zoid_timeline_worker_sum(t, (int)w);

        busy += s.busy;
        waiting += s.waiting;
        held += s.held;
        starved += s.starved;
    }
    whole = whole > 0 ? whole : 1;
    if (t->workers == 1)
        zoid_gantt_text(p, MARGIN, y, ZOID_ALIGN_LEFT,
                        "The worker was busy for %.1f %% of the time, waited for data for %.1f %% "
                        "and was starved for %.1f %%.",
                        100 * busy / whole, 100 * waiting / whole, 100 * starved / whole);
    else if (zoid_timeline_ranks(t) > 1)
        zoid_gantt_text(p, MARGIN, y, ZOID_ALIGN_LEFT,
                        "Of %zu workers, on average %.2f were busy, %.2f waited for data, %.2f for "
                        "messages of other ranks, and %.2f were starved.",
                        t->workers, busy / whole, waiting / whole, held / whole, starved / whole);
    else
        zoid_gantt_text(p, MARGIN, y, ZOID_ALIGN_LEFT,
                        "Of %zu workers, on average %.2f were busy, %.2f waited for data and %.2f "
                        "were starved.",
                        t->workers, busy / whole, waiting / whole, starved / whole);
}

void zoid_gantt_summary(const struct zoid_picture *p, double y)
{
    const struct zoid_timeline *t = p->gantt->timeline;

    cairo_set_font_size(p->cairo, 13);
    zoid_gantt_colour(p, zoid_colour_ink);
    sentence(p, y + SWATCH);
    y += SENTENCE;
    cairo_set_font_size(p->cairo, 12);
    worker_table(p, y + SWATCH);
    if (!t->links)
        return;
    y += table_height(worker_rows(t));
    cairo_set_font_size(p->cairo, 13);
    zoid_gantt_colour(p, zoid_colour_ink);
    zoid_gantt_text(p, MARGIN, y + SWATCH, ZOID_ALIGN_LEFT,
                    "Overlap of transfer and compute: while something moved, some worker computed "
                    "for %.1f %% of the time.",
                    100 * zoid_timeline_overlap(t));
    cairo_set_font_size(p->cairo, 12);
    link_table(p, y + SENTENCE + SWATCH);
}
