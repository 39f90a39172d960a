/* SPDX-License-Identifier: BSD-3-Clause */
/* Row of the borders between parts that share a domain: planes upwards, the lowest part at the
 * bottom, each border a line over time, and its moves ticks. */
#include "apps/trace/gantt_draw.h"

enum { HEIGHT = 88, ABOVE = 10, TICK = 7 };

double zoid_gantt_border_height(const struct zoid_timeline *t)
{
    return t->borders ? ABOVE + HEIGHT : 0;
}

/* Returns the height at which a plane lies, in a row that begins at y. */
static double height_of(const struct zoid_timeline_border *border, double y)
{
    return y + HEIGHT - (double)HEIGHT * (double)border->plane / (double)border->planes;
}

/* Draw a line from where the border is to where it has moved, and a tick at the top of the row. */
static void draw_move(const struct zoid_picture *p, double x, double top, double from, double to)
{
    cairo_line_to(p->cairo, x, from);
    cairo_line_to(p->cairo, x, to);
    cairo_stroke(p->cairo);
    zoid_gantt_box(p, x - 1, top, 2, TICK, zoid_colour_ink);
    zoid_gantt_colour(p, zoid_colour_busy);
    cairo_move_to(p->cairo, x, to);
}

static void draw_border(const struct zoid_picture *p, int border, double y)
{
    const struct zoid_timeline *t = p->gantt->timeline;
    const struct zoid_timeline_border *now = NULL;

    zoid_gantt_colour(p, zoid_colour_busy);
    cairo_set_line_width(p->cairo, 2);
    for (size_t i = 0; i < t->borders; i++) {
        const struct zoid_timeline_border *next = &t->border[i];

        if (next->border != border || next->planes <= 0)
            continue;
        if (!now)
            cairo_move_to(p->cairo, GANTT_LEFT, height_of(next, y));
        else if (next->plane != now->plane)
            draw_move(p, zoid_gantt_x(t, next->time), y, height_of(now, y), height_of(next, y));
        now = next;
    }
    if (!now)
        return;
    cairo_line_to(p->cairo, GANTT_WIDTH - GANTT_RIGHT, height_of(now, y));
    cairo_stroke(p->cairo);
    cairo_set_font_size(p->cairo, 11);
    zoid_gantt_colour(p, zoid_colour_faint);
    zoid_gantt_text(p, GANTT_WIDTH - GANTT_RIGHT - 4, height_of(now, y) - 4, ZOID_ALIGN_RIGHT,
                    "%ld", now->plane);
}

/* Plans, from the lowest part upwards. */
static void name_parts(const struct zoid_picture *p, double y)
{
    const struct zoid_timeline *t = p->gantt->timeline;
    enum { LINE = 14 };

    cairo_set_font_size(p->cairo, 11);
    zoid_gantt_colour(p, zoid_colour_ink);
    for (size_t i = 0; i < t->parts; i++)
        zoid_gantt_text(p, GANTT_LEFT + 6, y + HEIGHT - 5 - (double)(LINE * i), ZOID_ALIGN_LEFT,
                        "place %d: %s", t->part[i].part, t->part[i].plan);
    zoid_gantt_text(p, GANTT_LEFT - 8, y + HEIGHT / 2.0 + 4, ZOID_ALIGN_RIGHT, "border");
}

void zoid_gantt_border(const struct zoid_picture *p, double y)
{
    const struct zoid_timeline *t = p->gantt->timeline;
    int borders = 0;

    if (!t->borders)
        return;
    y += ABOVE;
    zoid_gantt_box(p, GANTT_LEFT, y, GANTT_WIDTH - GANTT_LEFT - GANTT_RIGHT, HEIGHT,
                   zoid_colour_starved);
    for (size_t i = 0; i < t->borders; i++)
        if (borders <= t->border[i].border)
            borders = t->border[i].border + 1;
    for (int b = 0; b < borders; b++)
        draw_border(p, b, y);
    name_parts(p, y);
}
