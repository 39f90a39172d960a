/* SPDX-License-Identifier: BSD-3-Clause */
/* The lanes and the time axis. A lane with few pieces is drawn piece by piece; one with many is
 * sampled into columns, each the average of what happens during it, and painted as an image: what
 * is narrower than a pixel keeps its share of the colour, and the file stays small. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/trace/gantt_draw.h"

/* In a whole picture; more would make the SVG a matter of megabytes. */
enum { MOST_PIECES = 4000 };
enum { AXIS = 26, BETWEEN_GROUPS = 10 };
static const double LEAST_LABELLED = 13, PLOT = GANTT_WIDTH - GANTT_LEFT - GANTT_RIGHT;

/* What a lane shows, one after the other. */
struct piece {
    struct zoid_span span;
    struct zoid_colour colour;
    long label; /* -1: none */
};

static double between(double least, double value, double most)
{
    return fmin(fmax(value, least), most);
}

/* As high as looks good, and lower for many. */
static double pitch(size_t lanes, double room, double most)
{
    return lanes ? floor(between(11, room / (double)lanes, most)) : 0;
}

static double worker_pitch(const struct zoid_timeline *t)
{
    return pitch(t->workers, 640, 44);
}

static double link_pitch(const struct zoid_timeline *t)
{
    return pitch(t->links, 320, 30);
}

double zoid_gantt_lanes_height(const struct zoid_timeline *t)
{
    return AXIS + worker_pitch(t) * (double)t->workers +
           (t->links ? BETWEEN_GROUPS + link_pitch(t) * (double)t->links : 0) + AXIS;
}

static double x_of(const struct zoid_timeline *t, double time)
{
    double length = t->run.end - t->run.begin;

    return GANTT_LEFT + (length > 0 ? (time - t->run.begin) / length * PLOT : 0);
}

/* ---- pieces ------------------------------------------------------------------------------- */

static size_t worker_pieces(const struct zoid_timeline *t, int lane, struct piece *piece)
{
    size_t n = 0;

    for (size_t i = 0; i < t->waits; i++)
        if (t->wait[i].lane == lane)
            piece[n++] = (struct piece){t->wait[i].span, zoid_colour_waiting, -1};
    for (size_t i = 0; i < t->blocks; i++)
        if (t->block[i].lane == lane)
            piece[n++] =
                (struct piece){t->block[i].span, zoid_gantt_pass_colour(t, t->block[i].pass),
                               t->block[i].position};
    return n;
}

/* What was queued while something else moved is drawn from that one's end. */
static size_t link_pieces(const struct zoid_timeline *t, int lane, struct piece *piece)
{
    const struct zoid_colour colour = zoid_gantt_link_colour(t->link[lane].kind);
    double covered = t->run.begin;
    size_t n = 0;

    for (size_t i = 0; i < t->transfers; i++) {
        struct zoid_span span = t->transfer[i].span;

        if (t->transfer[i].lane != lane || span.end <= covered)
            continue;
        span.begin = fmax(span.begin, covered);
        covered = span.end;
        piece[n++] = (struct piece){span, colour, -1};
    }
    return n;
}

/* ---- one lane ----------------------------------------------------------------------------- */

struct lane {
    double y, height;
    size_t pieces;
    const struct piece *piece;
};

/* In the middle of its block, dark on bright colours and bright on dark ones. */
static void label_piece(const struct zoid_picture *p, const struct lane *lane,
                        const struct piece *piece, double x, double width)
{
    double light = 0.3 * piece->colour.red + 0.59 * piece->colour.green + 0.11 * piece->colour.blue;
    cairo_text_extents_t extents;
    char text[24];

    snprintf(text, sizeof text, "%ld", piece->label);
    cairo_text_extents(p->cairo, text, &extents);
    if (extents.x_advance + 3 > width)
        return;
    zoid_gantt_colour(p, light > 0.55 ? zoid_colour_ink : (struct zoid_colour){1, 1, 1});
    zoid_gantt_text(p, x + width / 2, lane->y + lane->height / 2 + 4, ZOID_ALIGN_CENTRE, "%s",
                    text);
}

static void draw_pieces(const struct zoid_picture *p, const struct lane *lane)
{
    enum { WIDE = 5 };

    for (size_t i = 0; i < lane->pieces; i++) {
        const struct piece *piece = &lane->piece[i];
        double x = x_of(p->gantt->timeline, piece->span.begin);
        double width = x_of(p->gantt->timeline, piece->span.end) - x;

        /* A thin gap tells wide neighbours of one colour apart. */
        zoid_gantt_box(p, x, lane->y, width > WIDE ? width - 0.75 : width, lane->height,
                       piece->colour);
        if (piece->label >= 0 && lane->height >= LEAST_LABELLED && width > WIDE)
            label_piece(p, lane, piece, x, width);
    }
}

/* How much of a column is covered, and the sum of the colours that cover it. */
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

static void sample(const struct zoid_timeline *t, const struct lane *lane, struct column *column,
                   int columns)
{
    double scale = columns / PLOT;

    for (size_t i = 0; i < lane->pieces; i++) {
        const struct piece *piece = &lane->piece[i];
        double from = (x_of(t, piece->span.begin) - GANTT_LEFT) * scale;
        double to = fmin((x_of(t, piece->span.end) - GANTT_LEFT) * scale, columns);

        for (int c = (int)from; c < columns && c < to; c++)
            cover(&column[c], fmin(to, c + 1) - fmax(from, c), piece->colour);
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

static void paint_image(const struct zoid_picture *p, const struct lane *lane,
                        cairo_surface_t *image)
{
    cairo_save(p->cairo);
    cairo_translate(p->cairo, GANTT_LEFT, lane->y);
    cairo_rectangle(p->cairo, 0, 0, PLOT, lane->height);
    cairo_clip(p->cairo);
    cairo_scale(p->cairo, 1.0 / p->detail, 1);
    cairo_set_source_surface(p->cairo, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(p->cairo), CAIRO_FILTER_NEAREST);
    cairo_paint(p->cairo);
    cairo_restore(p->cairo);
}

static enum zoid_status draw_columns(const struct zoid_picture *p, const struct lane *lane)
{
    int columns = (int)PLOT * p->detail, rows = (int)ceil(lane->height);
    struct column *column = calloc((size_t)columns, sizeof *column);
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns, rows);
    unsigned char *data = cairo_image_surface_get_data(image);

    bool room = column && data;

    if (room) {
        sample(p->gantt->timeline, lane, column, columns);
        for (int c = 0; c < columns; c++)
            ((uint32_t *)(void *)data)[c] = pixel(&column[c]);
        for (int r = 1; r < rows; r++)
            memcpy(data + r * cairo_image_surface_get_stride(image), data,
                   (size_t)columns * sizeof(uint32_t));
        cairo_surface_mark_dirty(image);
        paint_image(p, lane, image);
    }
    cairo_surface_destroy(image);
    free(column);
    return room ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "out of memory for the picture");
}

static enum zoid_status draw_lane(const struct zoid_picture *p, const struct lane *lane,
                                  const char *name)
{
    const struct zoid_timeline *t = p->gantt->timeline;
    bool labelled = lane->height >= 8;

    zoid_gantt_box(p, GANTT_LEFT, lane->y, PLOT, lane->height, zoid_colour_starved);
    cairo_set_font_size(p->cairo, between(8, lane->height - 1, 12));
    zoid_gantt_colour(p, zoid_colour_ink);
    if (labelled)
        zoid_gantt_text(p, GANTT_LEFT - 8, lane->y + lane->height / 2 + 4, ZOID_ALIGN_RIGHT, "%s",
                        name);
    cairo_set_font_size(p->cairo, 11);
    if (lane->pieces * (t->workers + t->links) > MOST_PIECES)
        return draw_columns(p, lane);
    draw_pieces(p, lane);
    return ZOID_OK;
}

/* ---- the axis ----------------------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten, so that about ten fit. */
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
        double x = x_of(t, t->run.begin + (double)i * step);

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

enum zoid_status zoid_gantt_lanes(const struct zoid_picture *p, double y)
{
    const struct zoid_timeline *t = p->gantt->timeline;
    struct piece *piece = malloc((t->blocks + t->waits + t->transfers + 1) * sizeof *piece);
    struct lane lane = {.y = y + AXIS, .piece = piece};
    double gap = worker_pitch(t) >= 16 ? 4 : 2;
    enum zoid_status status = ZOID_OK;

    if (!piece)
        return zoid_fail(ZOID_RESOURCE, "out of memory for the picture");
    lane.height = worker_pitch(t) - gap;
    for (size_t w = 0; w < t->workers && !status; w++) {
        lane.pieces = worker_pieces(t, (int)w, piece);
        status = draw_lane(p, &lane, t->worker[w].name);
        lane.y += worker_pitch(t);
    }
    lane.y += t->links ? BETWEEN_GROUPS : 0;
    lane.height = link_pitch(t) - gap;
    for (size_t l = 0; l < t->links && !status; l++) {
        lane.pieces = link_pieces(t, (int)l, piece);
        status = draw_lane(p, &lane, t->link[l].name);
        lane.y += link_pitch(t);
    }
    free(piece);
    draw_axis(p, y + AXIS, lane.y);
    return status;
}
