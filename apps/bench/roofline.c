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
#include "apps/bench/roofline.h"

#include <math.h>
#include <string.h>

#include "apps/bench/page.h"
#include "apps/bench/roofline_panel.h"

enum { MARK = 5 };

static const struct zoid_colour colours[] = {
    {0.12, 0.47, 0.71}, {0.85, 0.37, 0.01}, {0.17, 0.63, 0.17}, {0.58, 0.40, 0.74},
    {0.55, 0.34, 0.29}, {0.09, 0.65, 0.71}, {0.80, 0.15, 0.30}, {0.60, 0.60, 0.10},
    {0.89, 0.37, 0.66}, {0.25, 0.28, 0.55}, {0.40, 0.70, 0.34}, {0.45, 0.45, 0.45}};
enum { COLOURS = sizeof colours / sizeof *colours };

/* Which of the panel's families the row is of; *first: it is the first one of it. */
static int family_of(const struct zoid_panel *p, const json_t *row, bool *first)
{
    const json_t *other;
    const char *last = "";
    int family = -1;
    size_t i;

    *first = false;
    json_array_foreach(p->rows, i, other)
    {
        bool new = zoid_panel_has(p, other) && strcmp(last, zoid_row_text(other, "family"));

        if (new) {
            family++;
            last = zoid_row_text(other, "family");
        }
        if (other == row)
            *first = new;
        if (zoid_panel_has(p, other) && !strcmp(last, zoid_row_text(row, "family")))
            break;
    }
    return family;
}

/* ---- points ------------------------------------------------------------------------------ */

static bool is_free(const struct zoid_panel *p, const struct zoid_taken *place)
{
    if (place->x < ROOFLINE_LEFT || place->x + place->width > ROOFLINE_WIDTH - ROOFLINE_RIGHT ||
        place->y + place->height > p->y + ROOFLINE_PANEL - ROOFLINE_BOTTOM)
        return false;
    for (size_t i = 0; i < p->ntaken; i++) {
        const struct zoid_taken *t = &p->taken[i];

        if (place->x < t->x + t->width && t->x < place->x + place->width &&
            place->y < t->y + t->height && t->y < place->y + place->height)
            return false;
    }
    return true;
}

static void mark(const struct zoid_panel *p, double x, double y, bool fused, bool hollow)
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
    return !strcmp(zoid_row_text(row, "type"), "f64");
}

static void draw_point(struct zoid_panel *p, const json_t *row)
{
    static const char *const keys[] = {"step_gups", "fused_gups"};
    double x = zoid_panel_x(p, zoid_row_intensity(row)), y[2];
    bool first;

    zoid_gantt_colour(&p->picture, colours[family_of(p, row, &first) % COLOURS]);
    for (int i = 0; i < 2; i++) {
        y[i] = zoid_panel_y(p, zoid_row_rate(row, keys[i]));
        if (!isfinite(y[i]))
            continue;
        mark(p, x, y[i], i == 1, wide_type(row));
        p->taken[p->ntaken++] =
            (struct zoid_taken){x - MARK, y[i] - MARK, 2 * MARK, 2 * MARK, NULL};
    }
    if (isfinite(y[0]) && isfinite(y[1])) {
        cairo_set_line_width(p->picture.cairo, 0.5);
        zoid_panel_line(p, x, y[0], x, y[1]);
        cairo_set_line_width(p->picture.cairo, 1);
    }
}

/* A name hangs under its step's mark, or at the nearest place beside or below that is free. */
static void place_name(struct zoid_panel *p, const json_t *row)
{
    enum { WIDE = 11, GAP = 12, COLUMNS = 17, LEVELS = 4 };
    double x = zoid_panel_x(p, zoid_row_intensity(row)),
           y = zoid_panel_y(p, zoid_row_rate(row, "step_gups"));
    cairo_text_extents_t extents;

    cairo_text_extents(p->picture.cairo, zoid_row_text(row, "operator"), &extents);
    for (int i = 0; i < LEVELS * COLUMNS; i++) {
        int column = i % COLUMNS, level = i / COLUMNS;
        const struct zoid_taken place = {.x = x - WIDE / 2.0 +
                                              (column + 1) / 2 * (column % 2 ? WIDE : -WIDE),
                                         .y = y + GAP + level * (extents.x_advance + GAP),
                                         .width = WIDE,
                                         .height = extents.x_advance,
                                         .named = row};

        if (!is_free(p, &place))
            continue;
        zoid_gantt_colour(&p->picture, zoid_colour_starved);
        zoid_panel_line(p, x, y + MARK, place.x + WIDE / 2.0, place.y - 2);
        p->taken[p->ntaken++] = place;
        return;
    }
}

static void draw_names(const struct zoid_panel *p)
{
    cairo_t *cairo = p->picture.cairo;
    bool first;

    for (size_t i = 0; i < p->ntaken; i++) {
        const struct zoid_taken *t = &p->taken[i];

        if (!t->named)
            continue;
        zoid_gantt_colour(&p->picture, colours[family_of(p, t->named, &first) % COLOURS]);
        cairo_save(cairo);
        cairo_translate(cairo, t->x + 2, t->y);
        cairo_rotate(cairo, acos(0));
        zoid_gantt_text(&p->picture, 0, 0, ZOID_ALIGN_LEFT, "%s",
                        zoid_row_text(t->named, "operator"));
        cairo_restore(cairo);
    }
}

static void draw_legend(const struct zoid_panel *p)
{
    double x = ROOFLINE_WIDTH - ROOFLINE_RIGHT + 24, y = p->y + ROOFLINE_TOP + 10;
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
        int family = zoid_panel_has(p, row) ? family_of(p, row, &first) : -1;

        if (family < 0 || !first)
            continue;
        zoid_gantt_box(&p->picture, x - 5, y - 9, 10, 10, colours[family % COLOURS]);
        zoid_gantt_colour(&p->picture, zoid_colour_ink);
        zoid_gantt_text(&p->picture, x + 14, y, ZOID_ALIGN_LEFT, "%s",
                        zoid_row_text(row, "family"));
        y += 20;
    }
}

static void draw_panel(struct zoid_panel *p, const char *title)
{
    const json_t *row;
    size_t i;

    cairo_set_font_size(p->picture.cairo, 18);
    zoid_gantt_colour(&p->picture, zoid_colour_ink);
    zoid_gantt_text(&p->picture, ROOFLINE_LEFT + 30, p->y + 30, ZOID_ALIGN_LEFT,
                    "%s; the line: copying at %.4g GB/s", title, p->roof);
    cairo_set_font_size(p->picture.cairo, 13);
    zoid_panel_axes(p);
    draw_legend(p);
    json_array_foreach(p->rows, i, row)
    {
        if (zoid_panel_has(p, row))
            draw_point(p, row);
    }
    cairo_set_font_size(p->picture.cairo, 11);
    json_array_foreach(p->rows, i, row)
    {
        if (zoid_panel_has(p, row) && isfinite(zoid_row_rate(row, "step_gups")))
            place_name(p, row);
    }
    draw_names(p);
}

/* ---- the page ---------------------------------------------------------------------------- */

static const struct {
    const char *device, *title;
} panels[] = {{"gpu", "One GPU"}, {"cpu", "All cores"}};
enum { PANELS = sizeof panels / sizeof *panels };

/* Draws the panels that have rows, from the top; without a cairo it only counts them. */
static int draw(const json_t *document, cairo_t *cairo)
{
    const json_t *rows = json_object_get(document, "rows");
    struct zoid_taken taken[3 * json_array_size(rows) + 1];
    int n = 0;

    for (int i = 0; i < PANELS; i++) {
        struct zoid_panel p = {.picture = {.cairo = cairo},
                               .rows = rows,
                               .device = panels[i].device,
                               .y = n * ROOFLINE_PANEL,
                               .taken = taken};

        if (!zoid_panel_scale(&p))
            continue;
        if (cairo)
            draw_panel(&p, panels[i].title);
        n++;
    }
    return n;
}

static void draw_page(const void *document, cairo_t *cairo)
{
    draw(document, cairo);
}

enum zoid_status zoid_roofline_draw(const json_t *document, bool svg, FILE *out)
{
    int count = draw(document, NULL);
    const struct zoid_page page = {.what = "the roofline",
                                   .width = ROOFLINE_WIDTH,
                                   .height = ROOFLINE_PANEL * (count ? count : 1),
                                   .draw = draw_page,
                                   .user = document};

    return zoid_page_write(&page, svg, out);
}
