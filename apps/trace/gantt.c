/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/trace/gantt.h"

#include <cairo-svg.h>
#include <math.h>
#include <stdarg.h>

#include "apps/trace/gantt_draw.h"

const struct zoid_colour zoid_colour_ink = {0.13, 0.13, 0.15},
                         zoid_colour_faint = {0.45, 0.45, 0.5},
                         zoid_colour_busy = {0.31, 0.47, 0.65},
                         zoid_colour_waiting = {0.96, 0.62, 0.58},
                         zoid_colour_held = {0.78, 0.71, 0.91},
                         zoid_colour_starved = {0.91, 0.91, 0.92},
                         zoid_colour_warning = {0.75, 0.1, 0.1};

void zoid_gantt_colour(const struct zoid_picture *p, struct zoid_colour colour)
{
    cairo_set_source_rgb(p->cairo, colour.red, colour.green, colour.blue);
}

void zoid_gantt_box(const struct zoid_picture *p, double x, double y, double width, double height,
                    struct zoid_colour colour)
{
    zoid_gantt_colour(p, colour);
    cairo_rectangle(p->cairo, x, y, width, height);
    cairo_fill(p->cairo);
}

double zoid_gantt_text(const struct zoid_picture *p, double x, double y, enum zoid_align align,
                       const char *format, ...)
{
    cairo_text_extents_t extents;
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cairo_text_extents(p->cairo, text, &extents);
    cairo_move_to(p->cairo, x - extents.x_advance * 0.5 * (int)align, y);
    cairo_show_text(p->cairo, text);
    return extents.x_advance;
}

const char *zoid_gantt_seconds(double seconds, char text[24])
{
    if (seconds >= 1 || seconds == 0)
        snprintf(text, 24, "%.3g s", seconds);
    else if (seconds >= 1e-3)
        snprintf(text, 24, "%.3g ms", seconds * 1e3);
    else
        snprintf(text, 24, "%.3g us", seconds * 1e6);
    return text;
}

const char *zoid_gantt_bytes(double bytes, char text[24])
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    size_t u = 0;

    while (bytes >= 999.5 && u + 1 < sizeof units / sizeof *units) {
        bytes /= 1000;
        u++;
    }
    snprintf(text, 24, "%.3g %s", bytes, units[u]);
    return text;
}

/* ---- colours ------------------------------------------------------------------------------ */

static struct zoid_colour mix(struct zoid_colour a, struct zoid_colour b, double part)
{
    return (struct zoid_colour){a.red + part * (b.red - a.red),
                                a.green + part * (b.green - a.green),
                                a.blue + part * (b.blue - a.blue)};
}

/* A few passes get distinct colours, most of them also for the colour-blind. Many passes get a
 * gradient, with alternating levels of brightness to separate neighbours. There are three levels
 * because workers often share passes by twos and fours: with two or four, each worker would have
 * its own. */
struct zoid_colour zoid_gantt_pass_colour(const struct zoid_timeline *t, long pass)
{
    static const struct zoid_colour few[GANTT_FIRST_GRADIENT - 1] = {
        {0.12, 0.47, 0.71}, {0.99, 0.68, 0.28}, {0.17, 0.63, 0.17}, {0.58, 0.40, 0.74},
        {0.55, 0.34, 0.29}, {0.09, 0.75, 0.81}, {0.74, 0.74, 0.13}, {0.89, 0.47, 0.76},
        {0.20, 0.25, 0.55}, {0.60, 0.85, 0.54}};
    static const struct zoid_colour many[] = {{0.27, 0.00, 0.33},
                                              {0.23, 0.32, 0.55},
                                              {0.13, 0.57, 0.55},
                                              {0.37, 0.79, 0.38},
                                              {0.95, 0.87, 0.14}};
    static const struct zoid_colour unknown = {0.5, 0.5, 0.5}, white = {1, 1, 1};
    enum { INTERVALS = sizeof many / sizeof *many - 1 };
    double at;
    int i;

    if (pass < 0)
        return unknown;
    if (t->passes < GANTT_FIRST_GRADIENT)
        return few[pass % (GANTT_FIRST_GRADIENT - 1)];
    at = (double)pass / (double)(t->passes - 1) * INTERVALS;
    i = at >= INTERVALS ? INTERVALS - 1 : (int)at;
    return mix(mix(many[i], many[i + 1], at - i), white, 0.1 * (double)(pass % 3));
}

struct zoid_colour zoid_gantt_link_colour(enum zoid_link_kind kind)
{
    static const struct zoid_colour of[] = {[ZOID_LINK_UPLOAD] = {0.20, 0.55, 0.50},
                                            [ZOID_LINK_DOWNLOAD] = {0.80, 0.45, 0.15},
                                            [ZOID_LINK_PEER] = {0.50, 0.30, 0.60},
                                            [ZOID_LINK_OTHER] = {0.40, 0.45, 0.50}};

    return of[kind];
}

/* ---- the page ----------------------------------------------------------------------------- */

enum { TITLE = 34, SUBTITLE = 56, NOTE = 76, HEAD = 70, HEAD_WITH_NOTE = 90, GAP = 14 };

static double rows_top(const struct zoid_gantt *g)
{
    return (g->note ? HEAD_WITH_NOTE : HEAD) + zoid_gantt_legend_height();
}

static int height(const struct zoid_gantt *g)
{
    return (int)ceil(rows_top(g) + zoid_gantt_rows_height(g->timeline) + GAP +
                     zoid_gantt_summary_height(g->timeline) + GAP);
}

static void draw_head(const struct zoid_picture *p)
{
    cairo_set_font_size(p->cairo, 18);
    zoid_gantt_colour(p, zoid_colour_ink);
    zoid_gantt_text(p, GAP, TITLE, ZOID_ALIGN_LEFT, "%s", p->gantt->title);
    cairo_set_font_size(p->cairo, 13);
    zoid_gantt_colour(p, zoid_colour_faint);
    zoid_gantt_text(p, GAP, SUBTITLE, ZOID_ALIGN_LEFT, "%s", p->gantt->subtitle);
    if (!p->gantt->note)
        return;
    zoid_gantt_colour(p, zoid_colour_warning);
    zoid_gantt_text(p, GAP, NOTE, ZOID_ALIGN_LEFT, "%s", p->gantt->note);
}

static enum zoid_status draw(const struct zoid_gantt *gantt, cairo_surface_t *surface, int detail)
{
    const struct zoid_picture p = {
        .cairo = cairo_create(surface), .gantt = gantt, .detail = detail};
    double y = rows_top(gantt);
    enum zoid_status status;

    cairo_set_source_rgb(p.cairo, 1, 1, 1);
    cairo_paint(p.cairo);
    /* Cairo's built-in font. Others use fontconfig, which writes to stderr if it lacks its
     * configuration, fonts, or a cache folder. */
    cairo_select_font_face(p.cairo, "@cairo: medium", CAIRO_FONT_SLANT_NORMAL,
                           CAIRO_FONT_WEIGHT_NORMAL);
    draw_head(&p);
    zoid_gantt_legend(&p, y - zoid_gantt_legend_height());
    status = zoid_gantt_rows(&p, y);
    zoid_gantt_summary(&p, y + zoid_gantt_rows_height(gantt->timeline) + GAP);
    cairo_destroy(p.cairo);
    return status;
}

static enum zoid_status verdict(cairo_status_t status, const char *path)
{
    if (status == CAIRO_STATUS_SUCCESS)
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE, "cannot draw %s: %s; make room or name another folder", path,
                     cairo_status_to_string(status));
}

static cairo_status_t put(void *file, const unsigned char *data, unsigned length)
{
    return fwrite(data, 1, length, file) == length ? CAIRO_STATUS_SUCCESS
                                                   : CAIRO_STATUS_WRITE_ERROR;
}

/* Cairo does not report that it cannot open or write an SVG, so the file is opened here. */
enum zoid_status zoid_gantt_svg(const struct zoid_gantt *gantt, const char *path)
{
    FILE *file = fopen(path, "w");
    cairo_surface_t *surface;
    enum zoid_status status;
    bool lost;

    if (!file)
        return verdict(CAIRO_STATUS_WRITE_ERROR, path);
    surface = cairo_svg_surface_create_for_stream(put, file, GANTT_WIDTH, height(gantt));
    status = draw(gantt, surface, 4);
    cairo_surface_finish(surface);
    if (!status)
        status = verdict(cairo_surface_status(surface), path);
    cairo_surface_destroy(surface);
    lost = ferror(file);
    lost |= fclose(file) != 0;
    return !status && lost ? verdict(CAIRO_STATUS_WRITE_ERROR, path) : status;
}

enum zoid_status zoid_gantt_png(const struct zoid_gantt *gantt, const char *path)
{
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, GANTT_WIDTH, height(gantt));
    enum zoid_status status = verdict(cairo_surface_status(surface), path);

    if (!status)
        status = draw(gantt, surface, 1);
    if (!status)
        status = verdict(cairo_surface_status(surface), path);
    if (!status)
        status = verdict(cairo_surface_write_to_png(surface, path), path);
    cairo_surface_destroy(surface);
    return status;
}
