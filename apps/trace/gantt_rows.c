/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows and time axis. A row with few bars is drawn bar by bar. A row with many is sampled into
 * columns, the average of the bars in each, and painted as an image: bars narrower than a pixel
 * keep their share of the colour, and the file stays small. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/trace/gantt_draw.h"

/* Maximum per picture; with more an SVG would take megabytes. */
enum { MOST_BARS = 4000 };
enum { AXIS = 26, BETWEEN_GROUPS = 10 };
static const double LEAST_LABELLED = 13, PLOT = GANTT_WIDTH - GANTT_LEFT - GANTT_RIGHT;

/* Element of a row. */
struct bar {
    struct zoid_span span;
    struct zoid_colour colour;
    long label; /* -1: no label */
};

static double between(double least, double value, double most)
{
    return fmin(fmax(value, least), most);
}

/* Returns the height per row: at most `most`, less for many rows, and too low for names for very
 * many. */
static double pitch(size_t rows, double room, double most)
{
    const double named = 11, low = 3, all_named = 128;

    if (!rows)
        return 0;
    return floor(between(fmin(named, fmax(low, named * all_named / (double)rows)),
                         room / (double)rows, most));
}

static double worker_pitch(const struct zoid_timeline *t)
{
    return pitch(t->workers, 640, 44);
}

static double link_pitch(const struct zoid_timeline *t)
{
    return pitch(t->links, 320, 30);
}

/* Height of the bars within a row's pitch. */
static double height(double pitch)
{
    return pitch - (pitch >= 16 ? 4 : pitch >= 8 ? 2 : 1);
}

/* Rows are grouped by rank, links below workers. */
static double between_ranks(const struct zoid_timeline *t)
{
    return zoid_timeline_ranks(t) <= 32 ? BETWEEN_GROUPS : 3;
}

static double over_links(const struct zoid_timeline *t)
{
    return zoid_timeline_ranks(t) == 1 ? BETWEEN_GROUPS : 0;
}

double zoid_gantt_rows_height(const struct zoid_timeline *t)
{
    return AXIS + worker_pitch(t) * (double)t->workers + (t->links ? over_links(t) : 0) +
           link_pitch(t) * (double)t->links + between_ranks(t) * (zoid_timeline_ranks(t) - 1) +
           zoid_gantt_border_height(t) + AXIS;
}

double zoid_gantt_x(const struct zoid_timeline *t, double time)
{
    double length = t->run.end - t->run.begin;

    return GANTT_LEFT + (length > 0 ? (time - t->run.begin) / length * PLOT : 0);
}

/* ---- bars --------------------------------------------------------------------------------- */

static size_t worker_bars(const struct zoid_timeline *t, int worker, struct bar *bar)
{
    size_t n = 0;

    for (size_t i = 0; i < t->gaps; i++)
        if (t->gap[i].worker == worker)
            bar[n++] = (struct bar){t->gap[i].span, zoid_colour_held, -1};
    for (size_t i = 0; i < t->waits; i++)
        if (t->wait[i].worker == worker)
            bar[n++] = (struct bar){t->wait[i].span, zoid_colour_waiting, -1};
    for (size_t i = 0; i < t->blocks; i++)
        if (t->block[i].worker == worker)
            bar[n++] = (struct bar){t->block[i].span, zoid_gantt_pass_colour(t, t->block[i].pass),
                                    t->block[i].position};
    return n;
}

/* A transfer queued behind another one is drawn from the end of that one. */
static size_t link_bars(const struct zoid_timeline *t, int link, struct bar *bar)
{
    const struct zoid_colour colour = zoid_gantt_link_colour(t->link[link].kind);
    double covered = t->run.begin;
    size_t n = 0;

    for (size_t i = 0; i < t->transfers; i++) {
        struct zoid_span span = t->transfer[i].span;

        if (t->transfer[i].link != link || span.end <= covered)
            continue;
        span.begin = fmax(span.begin, covered);
        covered = span.end;
        bar[n++] = (struct bar){span, colour, -1};
    }
    return n;
}

/* ---- one row ------------------------------------------------------------------------------ */

struct row {
    double y, height;
    size_t bars;
    const struct bar *bar;
};

/* Labels a bar in its middle, with a contrasting colour. */
static void label_bar(const struct zoid_picture *p, const struct row *row, const struct bar *bar,
                      double x, double width)
{
    double light = 0.3 * bar->colour.red + 0.59 * bar->colour.green + 0.11 * bar->colour.blue;
    cairo_text_extents_t extents;
    char text[24];

    snprintf(text, sizeof text, "%ld", bar->label);
    cairo_text_extents(p->cairo, text, &extents);
    if (extents.x_advance + 3 > width)
        return;
    zoid_gantt_colour(p, light > 0.55 ? zoid_colour_ink : (struct zoid_colour){1, 1, 1});
    zoid_gantt_text(p, x + width / 2, row->y + row->height / 2 + 4, ZOID_ALIGN_CENTRE, "%s", text);
}

static void draw_bars(const struct zoid_picture *p, const struct row *row)
{
    enum { WIDE = 5 };

    for (size_t i = 0; i < row->bars; i++) {
        const struct bar *bar = &row->bar[i];
        double x = zoid_gantt_x(p->gantt->timeline, bar->span.begin);
        double width = zoid_gantt_x(p->gantt->timeline, bar->span.end) - x;

        /* A thin gap separates wide neighbours of the same colour. */
        zoid_gantt_box(p, x, row->y, width > WIDE ? width - 0.75 : width, row->height, bar->colour);
        if (bar->label >= 0 && row->height >= LEAST_LABELLED && width > WIDE)
            label_bar(p, row, bar, x, width);
    }
}

/* Covered fraction of a column, and the weighted sum of its colours. */
struct column {
    double weight;
    struct zoid_colour sum;
};

static void cover(struct column *column, double part, struct zoid_colour colour)
{
    column->weight += part;
    column->sum.red += part * colour.red;
    column->sum.green += part * colour.green;
    column->sum.blue += part * colour.blue;
}

static void sample(const struct zoid_timeline *t, const struct row *row, struct column *column,
                   int columns)
{
    double scale = columns / PLOT;

    for (size_t i = 0; i < row->bars; i++) {
        const struct bar *bar = &row->bar[i];
        double from = (zoid_gantt_x(t, bar->span.begin) - GANTT_LEFT) * scale;
        double to = fmin((zoid_gantt_x(t, bar->span.end) - GANTT_LEFT) * scale, columns);

        for (int c = (int)from; c < columns && c < to; c++)
            cover(&column[c], fmin(to, c + 1) - fmax(from, c), bar->colour);
    }
}

static uint32_t byte(double value)
{
    return (uint32_t)lrint(255 * between(0, value, 1));
}

static uint32_t pixel(const struct column *c)
{
    double share = fmax(c->weight, 1), rest = fmax(0, 1 - c->weight);

    return byte(c->sum.red / share + rest * zoid_colour_starved.red) << 16 |
           byte(c->sum.green / share + rest * zoid_colour_starved.green) << 8 |
           byte(c->sum.blue / share + rest * zoid_colour_starved.blue);
}

static void paint_image(const struct zoid_picture *p, const struct row *row, cairo_surface_t *image)
{
    cairo_save(p->cairo);
    cairo_translate(p->cairo, GANTT_LEFT, row->y);
    cairo_rectangle(p->cairo, 0, 0, PLOT, row->height);
    cairo_clip(p->cairo);
    cairo_scale(p->cairo, 1.0 / p->detail, 1);
    cairo_set_source_surface(p->cairo, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(p->cairo), CAIRO_FILTER_NEAREST);
    cairo_paint(p->cairo);
    cairo_restore(p->cairo);
}

static enum zoid_status draw_columns(const struct zoid_picture *p, const struct row *row)
{
    int columns = (int)PLOT * p->detail, lines = (int)ceil(row->height);
    struct column *column = calloc((size_t)columns, sizeof *column);
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns, lines);
    unsigned char *data = cairo_image_surface_get_data(image);

    bool room = column && data;

    if (room) {
        sample(p->gantt->timeline, row, column, columns);
        for (int c = 0; c < columns; c++)
            ((uint32_t *)(void *)data)[c] = pixel(&column[c]);
        for (int l = 1; l < lines; l++)
            memcpy(data + l * cairo_image_surface_get_stride(image), data,
                   (size_t)columns * sizeof(uint32_t));
        cairo_surface_mark_dirty(image);
        paint_image(p, row, image);
    }
    cairo_surface_destroy(image);
    free(column);
    return room ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "out of memory for the picture");
}

static enum zoid_status draw_row(const struct zoid_picture *p, const struct row *row,
                                 const char *name)
{
    const struct zoid_timeline *t = p->gantt->timeline;
    bool labelled = row->height >= 8;

    zoid_gantt_box(p, GANTT_LEFT, row->y, PLOT, row->height, zoid_colour_starved);
    cairo_set_font_size(p->cairo, between(8, row->height - 1, 12));
    zoid_gantt_colour(p, zoid_colour_ink);
    if (labelled)
        zoid_gantt_text(p, GANTT_LEFT - 8, row->y + row->height / 2 + 4, ZOID_ALIGN_RIGHT, "%s",
                        name);
    cairo_set_font_size(p->cairo, 11);
    if (row->bars * (t->workers + t->links) > MOST_BARS)
        return draw_columns(p, row);
    draw_bars(p, row);
    return ZOID_OK;
}

/* ---- the axis ----------------------------------------------------------------------------- */

/* Returns 1, 2 or 5 times a power of ten, for about ten ticks. */
static double tick_step(double length)
{
    double power = pow(10, floor(log10(length / 10))), ratio = length / 10 / power;

    return power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
}

static void draw_axis(const struct zoid_picture *p, double top, double bottom)
{
    const struct zoid_timeline *t = p->gantt->timeline;
    double length = t->run.end - t->run.begin, step = tick_step(length);
    double unit = length >= 1 ? 1 : length >= 1e-3 ? 1e-3 : 1e-6;
    const char *name = length >= 1 ? "s" : length >= 1e-3 ? "ms" : "us";

    if (!(length > 0))
        return;
    cairo_set_font_size(p->cairo, 12);
    cairo_set_line_width(p->cairo, 1);
    for (long i = 0; (double)i * step <= length * (1 + 1e-9); i++) {
        double x = zoid_gantt_x(t, t->run.begin + (double)i * step);

        cairo_set_source_rgba(p->cairo, 0, 0, 0, 0.18);
        cairo_move_to(p->cairo, floor(x) + 0.5, top - 4);
        cairo_line_to(p->cairo, floor(x) + 0.5, bottom + 4);
        cairo_stroke(p->cairo);
        zoid_gantt_colour(p, zoid_colour_faint);
        zoid_gantt_text(p, x, top - 8, ZOID_ALIGN_CENTRE, "%.10g %s", (double)i * step / unit,
                        name);
        zoid_gantt_text(p, x, bottom + 16, ZOID_ALIGN_CENTRE, "%.10g %s", (double)i * step / unit,
                        name);
    }
}

/* ---- all of them -------------------------------------------------------------------------- */

/* Draws the rows of a rank, from *worker and *link on, and advances both to the next rank. */
static enum zoid_status draw_rank(const struct zoid_picture *p, int rank, struct row *row,
                                  struct bar *bar, size_t *worker, size_t *link)
{
    const struct zoid_timeline *t = p->gantt->timeline;
    enum zoid_status status = ZOID_OK;

    row->height = height(worker_pitch(t));
    for (; *worker < t->workers && t->worker[*worker].rank == rank && !status; ++*worker) {
        row->bars = worker_bars(t, (int)*worker, bar);
        status = draw_row(p, row, t->worker[*worker].name);
        row->y += worker_pitch(t);
    }
    row->y += t->links ? over_links(t) : 0;
    row->height = height(link_pitch(t));
    for (; *link < t->links && t->link[*link].rank == rank && !status; ++*link) {
        row->bars = link_bars(t, (int)*link, bar);
        status = draw_row(p, row, t->link[*link].name);
        row->y += link_pitch(t);
    }
    return status;
}

/* Names a rank at the left of its first row, if the last name is far enough above. */
static void name_rank(const struct zoid_picture *p, int rank, double y, double *named)
{
    enum { LINE = 12, LEFT = 14 };
    const struct zoid_timeline *t = p->gantt->timeline;

    if (zoid_timeline_ranks(t) == 1 || y < *named + LINE)
        return;
    cairo_set_font_size(p->cairo, 12);
    zoid_gantt_colour(p, zoid_colour_ink);
    /* On the line of the first worker's name. */
    zoid_gantt_text(p, LEFT, y + fmax(LINE - 2, worker_pitch(t) / 2 + 2), ZOID_ALIGN_LEFT,
                    "rank %d", rank);
    *named = y;
}

enum zoid_status zoid_gantt_rows(const struct zoid_picture *p, double y)
{
    const struct zoid_timeline *t = p->gantt->timeline;
    struct bar *bar = malloc((t->blocks + t->waits + t->gaps + t->transfers + 1) * sizeof *bar);
    struct row row = {.y = y + AXIS, .bar = bar};
    double named = -INFINITY;
    size_t worker = 0, link = 0;
    enum zoid_status status = ZOID_OK;

    if (!bar)
        return zoid_fail(ZOID_RESOURCE, "out of memory for the picture");
    for (int rank = 0; rank < zoid_timeline_ranks(t) && !status; rank++) {
        row.y += rank ? between_ranks(t) : 0;
        name_rank(p, rank, row.y, &named);
        status = draw_rank(p, rank, &row, bar, &worker, &link);
    }
    free(bar);
    zoid_gantt_border(p, row.y);
    row.y += zoid_gantt_border_height(t);
    draw_axis(p, y + AXIS, row.y);
    return status;
}
