/* SPDX-License-Identifier: BSD-3-Clause */
/* A panel a device, both axes logarithmic:
 *
 *     GFLOP/s            /        the slope is the roof: what copying's bandwidth allows when every
 *       |      ^ fused  /         value moves once a step
 *       |      |      /
 *       |      o    /             a line joins an operator's step by step (circle) with its fused
 *       |         /   o           blocks (triangle); colours are families, hollow marks f64
 *       +----------------- flop/B
 */
#include "apps/roofline.h"

#include <cairo-svg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/bench.h"
#include "runtime/gantt_draw.h"

enum { WIDTH = 1600, PANEL = 720, LEFT = 90, RIGHT = 190, TOP = 70, BOTTOM = 60, MARK = 5 };

/* What is drawn, or where the name of a row will be, so that names cover nothing. */
struct taken {
    double x, y, width, height;
    const json_t *named;
};

struct panel {
    struct zoid_picture picture;
    const json_t *rows;
    const char *device;
    double y;                /* of its top */
    double x_lo, x_hi;       /* logarithms to base 2 */
    double y_lo, y_hi, roof; /* logarithms to base 10; the roof in GB/s */
    struct taken *taken;
    size_t ntaken;
};

static const struct zoid_colour colours[] = {
    {0.12, 0.47, 0.71}, {0.85, 0.37, 0.01}, {0.17, 0.63, 0.17}, {0.58, 0.40, 0.74},
    {0.55, 0.34, 0.29}, {0.09, 0.65, 0.71}, {0.80, 0.15, 0.30}, {0.60, 0.60, 0.10},
    {0.89, 0.37, 0.66}, {0.25, 0.28, 0.55}, {0.40, 0.70, 0.34}, {0.45, 0.45, 0.45}};
enum { COLOURS = sizeof colours / sizeof *colours };

/* ---- rows -------------------------------------------------------------------------------- */

static double number(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

static const char *text(const json_t *row, const char *key)
{
    const char *value = json_string_value(json_object_get(row, key));

    return value ? value : "";
}

static bool of_panel(const struct panel *p, const json_t *row)
{
    return !strcmp(text(row, "device"), p->device);
}

static double intensity(const json_t *row)
{
    return number(row, "flops") / number(row, "bytes");
}

static double rate(const json_t *row, const char *key)
{
    return number(row, key) * number(row, "flops");
}

/* Which of the panel's families the row is of; *first: it is the first one of it. */
static int family_of(const struct panel *p, const json_t *row, bool *first)
{
    const json_t *other;
    const char *last = "";
    int family = -1;
    size_t i;

    *first = false;
    json_array_foreach(p->rows, i, other)
    {
        bool new = of_panel(p, other) && strcmp(last, text(other, "family"));

        if (new) {
            family++;
            last = text(other, "family");
        }
        if (other == row)
            *first = new;
        if (of_panel(p, other) && !strcmp(last, text(row, "family")))
            break;
    }
    return family;
}

/* ---- where things are -------------------------------------------------------------------- */

static double x_of(const struct panel *p, double flops_a_byte)
{
    return LEFT + (log2(flops_a_byte) - p->x_lo) / (p->x_hi - p->x_lo) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct panel *p, double gflops)
{
    return p->y + TOP + (p->y_hi - log10(gflops)) / (p->y_hi - p->y_lo) * (PANEL - TOP - BOTTOM);
}

static void widen(double value, double *lo, double *hi)
{
    if (isfinite(value)) {
        *lo = fmin(*lo, value);
        *hi = fmax(*hi, value);
    }
}

/* The median bandwidth is the roof, and the axes hold all points and the roof over them. False where
 * there is nothing to draw. */
static bool scale(struct panel *p)
{
    double copies[json_array_size(p->rows) + 1];
    const json_t *row;
    size_t i, n = 0;

    p->x_lo = p->y_lo = INFINITY;
    p->x_hi = p->y_hi = -INFINITY;
    json_array_foreach(p->rows, i, row)
    {
        if (!of_panel(p, row))
            continue;
        copies[n++] = number(row, "copy_gbps");
        widen(log2(intensity(row)), &p->x_lo, &p->x_hi);
        widen(log10(rate(row, "step_gups")), &p->y_lo, &p->y_hi);
        widen(log10(rate(row, "fused_gups")), &p->y_lo, &p->y_hi);
    }
    if (n == 0 || !isfinite(p->y_lo))
        return false;
    p->roof = zoid_bench_median(copies, (long)n);
    p->x_lo = floor(p->x_lo * 2 - 0.3) / 2;
    p->x_hi = ceil(p->x_hi * 2 + 0.3) / 2;
    widen(log10(p->roof) + log10(2) * p->x_lo, &p->y_lo, &p->y_hi);
    /* Names hang from the lowest points. */
    p->y_lo = floor(p->y_lo * 5 - 0.15 * (5 * p->y_hi - 5 * p->y_lo)) / 5;
    p->y_hi = ceil(p->y_hi * 5 + 0.3) / 5;
    return true;
}

/* ---- axes -------------------------------------------------------------------------------- */

static void line(const struct panel *p, double x0, double y0, double x1, double y1)
{
    cairo_move_to(p->picture.cairo, x0, y0);
    cairo_line_to(p->picture.cairo, x1, y1);
    cairo_stroke(p->picture.cairo);
}

static void draw_x_axis(const struct panel *p)
{
    double bottom = p->y + PANEL - BOTTOM;

    for (int e = (int)ceil(p->x_lo); e <= (int)floor(p->x_hi); e++) {
        double x = x_of(p, exp2(e));

        zoid_gantt_colour(&p->picture, zoid_colour_starved);
        line(p, x, p->y + TOP, x, bottom);
        zoid_gantt_colour(&p->picture, zoid_colour_ink);
        zoid_gantt_text(&p->picture, x, bottom + 18, ZOID_ALIGN_CENTRE, e < 0 ? "1/%.0f" : "%.0f",
                        exp2(abs(e)));
    }
    zoid_gantt_text(&p->picture, (WIDTH + LEFT - RIGHT) * 0.5, bottom + 42, ZOID_ALIGN_CENTRE,
                    "operations a byte of least traffic (flop/B)");
}

static void draw_y_axis(const struct panel *p)
{
    static const double steps[] = {1, 2, 5};

    for (int e = (int)floor(p->y_lo); e <= (int)ceil(p->y_hi); e++)
        for (int i = 0; i < 3; i++) {
            double value = steps[i] * pow(10, e), y = y_of(p, value);

            if (log10(value) < p->y_lo - 1e-9 || log10(value) > p->y_hi + 1e-9)
                continue;
            zoid_gantt_colour(&p->picture, zoid_colour_starved);
            line(p, LEFT, y, WIDTH - RIGHT, y);
            zoid_gantt_colour(&p->picture, zoid_colour_ink);
            zoid_gantt_text(&p->picture, LEFT - 8, y + 4, ZOID_ALIGN_RIGHT, "%g", value);
        }
    zoid_gantt_text(&p->picture, LEFT - 8, p->y + TOP - 14, ZOID_ALIGN_RIGHT, "GFLOP/s");
}

/* From edge to edge of the panel, as far as it is inside. */
static void draw_roof(const struct panel *p)
{
    double x0 = fmax(p->x_lo, (p->y_lo - log10(p->roof)) / log10(2));
    double x1 = fmin(p->x_hi, (p->y_hi - log10(p->roof)) / log10(2));

    zoid_gantt_colour(&p->picture, zoid_colour_ink);
    cairo_set_line_width(p->picture.cairo, 2);
    line(p, x_of(p, exp2(x0)), y_of(p, p->roof * exp2(x0)), x_of(p, exp2(x1)),
         y_of(p, p->roof * exp2(x1)));
    cairo_set_line_width(p->picture.cairo, 1);
}

/* ---- points ------------------------------------------------------------------------------ */

static bool is_free(const struct panel *p, const struct taken *place)
{
    if (place->x < LEFT || place->x + place->width > WIDTH - RIGHT ||
        place->y + place->height > p->y + PANEL - BOTTOM)
        return false;
    for (size_t i = 0; i < p->ntaken; i++) {
        const struct taken *t = &p->taken[i];

        if (place->x < t->x + t->width && t->x < place->x + place->width &&
            place->y < t->y + t->height && t->y < place->y + place->height)
            return false;
    }
    return true;
}

static void mark(const struct panel *p, double x, double y, bool fused, bool hollow)
{
    cairo_t *c = p->picture.cairo;

    cairo_new_path(c);
    if (fused) {
        cairo_move_to(c, x, y - MARK - 1);
        cairo_line_to(c, x + MARK + 1, y + MARK - 1);
        cairo_line_to(c, x - MARK - 1, y + MARK - 1);
        cairo_close_path(c);
    } else {
        cairo_arc(c, x, y, MARK - 0.5, 0, 2 * acos(-1));
    }
    if (!hollow)
        cairo_fill_preserve(c);
    cairo_stroke(c);
}

static bool wide_type(const json_t *row)
{
    return !strcmp(text(row, "type"), "f64");
}

static void draw_point(struct panel *p, const json_t *row)
{
    static const char *const keys[] = {"step_gups", "fused_gups"};
    double x = x_of(p, intensity(row)), y[2];
    bool first;

    zoid_gantt_colour(&p->picture, colours[family_of(p, row, &first) % COLOURS]);
    for (int i = 0; i < 2; i++) {
        y[i] = y_of(p, rate(row, keys[i]));
        if (!isfinite(y[i]))
            continue;
        mark(p, x, y[i], i == 1, wide_type(row));
        p->taken[p->ntaken++] = (struct taken){x - MARK, y[i] - MARK, 2 * MARK, 2 * MARK, NULL};
    }
    if (isfinite(y[0]) && isfinite(y[1])) {
        cairo_set_line_width(p->picture.cairo, 0.5);
        line(p, x, y[0], x, y[1]);
        cairo_set_line_width(p->picture.cairo, 1);
    }
}

/* A name hangs under its step's mark, or at the nearest place beside or below that is free. */
static void place_name(struct panel *p, const json_t *row)
{
    enum { WIDE = 11, GAP = 12, COLUMNS = 17, LEVELS = 4 };
    double x = x_of(p, intensity(row)), y = y_of(p, rate(row, "step_gups"));
    cairo_text_extents_t extents;

    cairo_text_extents(p->picture.cairo, text(row, "operator"), &extents);
    for (int i = 0; i < LEVELS * COLUMNS; i++) {
        int column = i % COLUMNS, level = i / COLUMNS;
        const struct taken place = {.x = x - WIDE / 2.0 +
                                         (column + 1) / 2 * (column % 2 ? WIDE : -WIDE),
                                    .y = y + GAP + level * (extents.x_advance + GAP),
                                    .width = WIDE,
                                    .height = extents.x_advance,
                                    .named = row};

        if (!is_free(p, &place))
            continue;
        zoid_gantt_colour(&p->picture, zoid_colour_starved);
        line(p, x, y + MARK, place.x + WIDE / 2.0, place.y - 2);
        p->taken[p->ntaken++] = place;
        return;
    }
}

static void draw_names(const struct panel *p)
{
    cairo_t *cairo = p->picture.cairo;
    bool first;

    for (size_t i = 0; i < p->ntaken; i++) {
        const struct taken *t = &p->taken[i];

        if (!t->named)
            continue;
        zoid_gantt_colour(&p->picture, colours[family_of(p, t->named, &first) % COLOURS]);
        cairo_save(cairo);
        cairo_translate(cairo, t->x + 2, t->y);
        cairo_rotate(cairo, acos(0));
        zoid_gantt_text(&p->picture, 0, 0, ZOID_ALIGN_LEFT, "%s", text(t->named, "operator"));
        cairo_restore(cairo);
    }
}

static void draw_legend(const struct panel *p)
{
    double x = WIDTH - RIGHT + 24, y = p->y + TOP + 10;
    const json_t *row;
    size_t i;

    zoid_gantt_colour(&p->picture, zoid_colour_ink);
    mark(p, x, y - 4, false, false);
    zoid_gantt_text(&p->picture, x + 14, y, ZOID_ALIGN_LEFT, "step by step");
    mark(p, x, y + 16, true, false);
    zoid_gantt_text(&p->picture, x + 14, y + 20, ZOID_ALIGN_LEFT, "several steps");
    mark(p, x, y + 36, false, true);
    zoid_gantt_text(&p->picture, x + 14, y + 40, ZOID_ALIGN_LEFT, "f64 (hollow)");
    y += 74;
    json_array_foreach(p->rows, i, row)
    {
        bool first;
        int family = of_panel(p, row) ? family_of(p, row, &first) : -1;

        if (family < 0 || !first)
            continue;
        zoid_gantt_box(&p->picture, x - 5, y - 9, 10, 10, colours[family % COLOURS]);
        zoid_gantt_colour(&p->picture, zoid_colour_ink);
        zoid_gantt_text(&p->picture, x + 14, y, ZOID_ALIGN_LEFT, "%s", text(row, "family"));
        y += 20;
    }
}

static void draw_panel(struct panel *p, const char *title)
{
    const json_t *row;
    size_t i;

    cairo_set_font_size(p->picture.cairo, 18);
    zoid_gantt_colour(&p->picture, zoid_colour_ink);
    zoid_gantt_text(&p->picture, LEFT + 30, p->y + 30, ZOID_ALIGN_LEFT,
                    "%s; the line: copying at %.4g GB/s", title, p->roof);
    cairo_set_font_size(p->picture.cairo, 13);
    draw_x_axis(p);
    draw_y_axis(p);
    draw_roof(p);
    draw_legend(p);
    json_array_foreach(p->rows, i, row)
    {
        if (of_panel(p, row))
            draw_point(p, row);
    }
    cairo_set_font_size(p->picture.cairo, 11);
    json_array_foreach(p->rows, i, row)
    {
        if (of_panel(p, row) && isfinite(rate(row, "step_gups")))
            place_name(p, row);
    }
    draw_names(p);
}

/* ---- the page ---------------------------------------------------------------------------- */

static const struct {
    const char *device, *title;
} panels[] = {{"gpu", "One GPU"}, {"cpu", "All cores"}};
enum { PANELS = sizeof panels / sizeof *panels };

/* Draws the panels that have rows, from the top; without a surface it only counts them. */
static int draw(const json_t *document, cairo_surface_t *surface)
{
    const json_t *rows = json_object_get(document, "rows");
    struct taken taken[3 * json_array_size(rows) + 1];
    cairo_t *cairo = surface ? cairo_create(surface) : NULL;
    int n = 0;

    if (cairo) {
        cairo_set_source_rgb(cairo, 1, 1, 1);
        cairo_paint(cairo);
        cairo_set_line_width(cairo, 1);
        /* Cairo's own font, as in runtime/gantt.c. */
        cairo_select_font_face(cairo, "@cairo: medium", CAIRO_FONT_SLANT_NORMAL,
                               CAIRO_FONT_WEIGHT_NORMAL);
    }
    for (int i = 0; i < PANELS; i++) {
        struct panel p = {.picture = {.cairo = cairo},
                          .rows = rows,
                          .device = panels[i].device,
                          .y = n * PANEL,
                          .taken = taken};

        if (!scale(&p))
            continue;
        if (cairo)
            draw_panel(&p, panels[i].title);
        n++;
    }
    if (cairo)
        cairo_destroy(cairo);
    return n;
}

static cairo_status_t put(void *file, const unsigned char *data, unsigned length)
{
    return fwrite(data, 1, length, file) == length ? CAIRO_STATUS_SUCCESS
                                                   : CAIRO_STATUS_WRITE_ERROR;
}

enum zoid_status zoid_roofline_draw(const json_t *document, bool svg, FILE *out)
{
    int count = draw(document, NULL), height = PANEL * (count ? count : 1);
    cairo_surface_t *surface = svg ? cairo_svg_surface_create_for_stream(put, out, WIDTH, height)
                                   : cairo_image_surface_create(CAIRO_FORMAT_RGB24, WIDTH, height);
    cairo_status_t status = cairo_surface_status(surface);

    if (status == CAIRO_STATUS_SUCCESS) {
        draw(document, surface);
        if (!svg)
            status = cairo_surface_write_to_png_stream(surface, put, out);
        cairo_surface_finish(surface);
        status = status ? status : cairo_surface_status(surface);
    }
    cairo_surface_destroy(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE, "cannot draw the roofline: %s; make room or name another file",
                     cairo_status_to_string(status));
}
