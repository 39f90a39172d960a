/* SPDX-License-Identifier: BSD-3-Clause */
/* Internals that the parts of the drawing share. Coordinates are pixels of the PNG. */
#ifndef ZOID_APPS_TRACE_GANTT_DRAW_H
#define ZOID_APPS_TRACE_GANTT_DRAW_H

#include <cairo.h>

#include "apps/trace/gantt.h"

enum { GANTT_WIDTH = 1600, GANTT_LEFT = 136, GANTT_RIGHT = 24 };

struct zoid_colour {
    double red, green, blue;
};

extern const struct zoid_colour zoid_colour_ink, zoid_colour_faint, zoid_colour_busy,
    zoid_colour_waiting, zoid_colour_held, zoid_colour_starved, zoid_colour_warning;

struct zoid_picture {
    cairo_t *cairo;
    const struct zoid_gantt *gantt;
    int detail; /* samples per pixel in dense rows: a vector image may be enlarged */
};

struct zoid_colour zoid_gantt_pass_colour(const struct zoid_timeline *t, long pass);
struct zoid_colour zoid_gantt_link_colour(enum zoid_link_kind kind);
/* Number of passes from which on colours are a gradient. */
enum { GANTT_FIRST_GRADIENT = 11 };

void zoid_gantt_colour(const struct zoid_picture *p, struct zoid_colour colour);
void zoid_gantt_box(const struct zoid_picture *p, double x, double y, double width, double height,
                    struct zoid_colour colour);
enum zoid_align { ZOID_ALIGN_LEFT, ZOID_ALIGN_CENTRE, ZOID_ALIGN_RIGHT };
/* Draw text in the current colour, with its baseline at y. Returns its width. */
double zoid_gantt_text(const struct zoid_picture *p, double x, double y, enum zoid_align align,
                       const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Returns where a time lies along the rows. */
double zoid_gantt_x(const struct zoid_timeline *t, double time);

/* Format as 1.23 s, 45.6 ms or 789 us. Returns `text`. */
const char *zoid_gantt_seconds(double seconds, char text[24]);
/* Format as 12.3 GB, with powers of 1000 as in rates. Returns `text`. */
const char *zoid_gantt_bytes(double bytes, char text[24]);

/* The parts of the picture. Each draws downwards from y. */
double zoid_gantt_rows_height(const struct zoid_timeline *t);
enum zoid_status zoid_gantt_rows(const struct zoid_picture *p, double y);

/* The borders between parts; nothing, of no height, where there is one part. */
double zoid_gantt_border_height(const struct zoid_timeline *t);
void zoid_gantt_border(const struct zoid_picture *p, double y);

double zoid_gantt_legend_height(void);
void zoid_gantt_legend(const struct zoid_picture *p, double y);

double zoid_gantt_summary_height(const struct zoid_timeline *t);
void zoid_gantt_summary(const struct zoid_picture *p, double y);

#endif
