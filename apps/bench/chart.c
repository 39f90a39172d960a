/* SPDX-License-Identifier: BSD-3-Clause */
/* One panel. Domains stand side by side in the order of the rows, rates are logarithmic:
 *
 *     GUP/s  o---
 *       |        ---o      a line a variant, in colours and marks of its own; where a variant
 *       |  ^---            has no room it has no mark
 *       |      ----^
 *       +--------------
 *        core     4 x
 */
#include "apps/bench/chart.h"

#include <math.h>
#include <string.h>

#include "apps/bench/page.h"
#include "apps/bench/roofline_panel.h"

enum { WIDTH = 1400, HEIGHT = 760, LEFT = 90, RIGHT = 320, TOP = 70, BOTTOM = 70 };
enum { MOST = 32, MARK = 5, SHAPES = 3 };

static const struct zoid_colour colours[] = {
    {0.12, 0.47, 0.71}, {0.85, 0.37, 0.01}, {0.17, 0.63, 0.17}, {0.58, 0.40, 0.74},
    {0.55, 0.34, 0.29}, {0.09, 0.65, 0.71}, {0.80, 0.15, 0.30}, {0.45, 0.45, 0.45}};
enum { COLOURS = sizeof colours / sizeof *colours };

/* What differs from row to row, in the order in which it first came. */
struct names {
    const char *name[MOST];
    int n;
};

struct chart {
    struct zoid_picture picture;
    const json_t *rows;
    struct names domains, variants;
    double lo, hi; /* logarithms to base 10 */
};

static int index_of(struct names *names, const char *name)
{
    int i = 0;

    while (i < names->n && strcmp(names->name[i], name))
        i++;
    if (i == names->n && i < MOST)
        names->name[names->n++] = name;
    return i;
}

static double rate_of(const json_t *row)
{
    return json_number_value(json_object_get(row, "gups"));
}

static void scale(struct chart *c)
{
    const json_t *row;
    size_t i;

    c->lo = INFINITY;
    c->hi = -INFINITY;
    json_array_foreach(c->rows, i, row)
    {
        index_of(&c->domains, zoid_row_text(row, "domain"));
        index_of(&c->variants, zoid_row_text(row, "variant"));
        c->lo = fmin(c->lo, log10(rate_of(row)));
        c->hi = fmax(c->hi, log10(rate_of(row)));
    }
    c->lo = floor(c->lo * 5 - 0.3) / 5;
    c->hi = ceil(c->hi * 5 + 0.3) / 5;
}

static double x_of(const struct chart *c, int domain)
{
    return LEFT + (domain + 0.5) * (WIDTH - LEFT - RIGHT) / c->domains.n;
}

static double y_of(const struct chart *c, double rate)
{
    return TOP + (c->hi - log10(rate)) / (c->hi - c->lo) * (HEIGHT - TOP - BOTTOM);
}

static void line(const struct chart *c, double x0, double y0, double x1, double y1)
{
    cairo_move_to(c->picture.cairo, x0, y0);
    cairo_line_to(c->picture.cairo, x1, y1);
    cairo_stroke(c->picture.cairo);
}

/* Circles, triangles and squares. */
static void mark(const struct chart *c, int variant, double x, double y)
{
    cairo_t *cairo = c->picture.cairo;
    int shape = variant / COLOURS % SHAPES;

    cairo_new_path(cairo);
    if (shape == 0) {
        cairo_arc(cairo, x, y, MARK - 0.5, 0, 2 * acos(-1));
    } else if (shape == 1) {
        cairo_move_to(cairo, x, y - MARK - 1);
        cairo_line_to(cairo, x + MARK + 1, y + MARK - 1);
        cairo_line_to(cairo, x - MARK - 1, y + MARK - 1);
        cairo_close_path(cairo);
    } else {
        cairo_rectangle(cairo, x - MARK + 1, y - MARK + 1, 2 * MARK - 2, 2 * MARK - 2);
    }
    cairo_fill(cairo);
}

static void draw_axes(const struct chart *c)
{
    static const double steps[] = {1, 2, 5};

    for (int e = (int)floor(c->lo); e <= (int)ceil(c->hi); e++)
        for (int i = 0; i < 3; i++) {
            double value = steps[i] * pow(10, e);

            if (log10(value) < c->lo - 1e-9 || log10(value) > c->hi + 1e-9)
                continue;
            zoid_gantt_colour(&c->picture, zoid_colour_starved);
            line(c, LEFT, y_of(c, value), WIDTH - RIGHT, y_of(c, value));
            zoid_gantt_colour(&c->picture, zoid_colour_ink);
            zoid_gantt_text(&c->picture, LEFT - 8, y_of(c, value) + 4, ZOID_ALIGN_RIGHT, "%g",
                            value);
        }
    zoid_gantt_text(&c->picture, LEFT - 8, TOP - 14, ZOID_ALIGN_RIGHT, "GUP/s");
    for (int i = 0; i < c->domains.n; i++)
        zoid_gantt_text(&c->picture, x_of(c, i), HEIGHT - BOTTOM + 22, ZOID_ALIGN_CENTRE, "%s",
                        c->domains.name[i]);
}

static void draw_variant(struct chart *c, int variant)
{
    double x, y, last_x = NAN, last_y = NAN, legend = TOP + 20 * variant;
    const json_t *row;
    size_t i;

    zoid_gantt_colour(&c->picture, colours[variant % COLOURS]);
    json_array_foreach(c->rows, i, row)
    {
        if (index_of(&c->variants, zoid_row_text(row, "variant")) != variant)
            continue;
        x = x_of(c, index_of(&c->domains, zoid_row_text(row, "domain")));
        y = y_of(c, rate_of(row));
        mark(c, variant, x, y);
        if (isfinite(last_x))
            line(c, last_x, last_y, x, y);
        last_x = x;
        last_y = y;
    }
    mark(c, variant, WIDTH - RIGHT + 24, legend - 4);
    zoid_gantt_colour(&c->picture, zoid_colour_ink);
    zoid_gantt_text(&c->picture, WIDTH - RIGHT + 38, legend, ZOID_ALIGN_LEFT, "%s",
                    c->variants.name[variant]);
}

static void draw(const void *document, cairo_t *cairo)
{
    struct chart c = {.picture = {.cairo = cairo}, .rows = json_object_get(document, "rows")};

    if (!json_array_size(c.rows))
        return;
    scale(&c);
    cairo_set_font_size(cairo, 18);
    zoid_gantt_colour(&c.picture, zoid_colour_ink);
    zoid_gantt_text(&c.picture, LEFT + 30, 30, ZOID_ALIGN_LEFT, "%s by domain",
                    zoid_row_text(json_array_get(c.rows, 0), "operator"));
    cairo_set_font_size(cairo, 13);
    draw_axes(&c);
    for (int i = 0; i < c.variants.n; i++)
        draw_variant(&c, i);
}

enum zoid_status zoid_chart_draw(const json_t *document, bool svg, FILE *out)
{
    const struct zoid_page page = {
        .what = "the chart", .width = WIDTH, .height = HEIGHT, .draw = draw, .user = document};

    return zoid_page_write(&page, svg, out);
}
