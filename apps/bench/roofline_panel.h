/* SPDX-License-Identifier: BSD-3-Clause */
/* A panel of the roofline picture: its axes, and where a row's rates are in it. */
#ifndef ZOID_APPS_BENCH_ROOFLINE_PANEL_H
#define ZOID_APPS_BENCH_ROOFLINE_PANEL_H

#include <jansson.h>

#include "apps/trace/gantt_draw.h"

enum {
    ROOFLINE_WIDTH = 1600,
    ROOFLINE_PANEL = 720,
    ROOFLINE_LEFT = 90,
    ROOFLINE_RIGHT = 190,
    ROOFLINE_TOP = 70,
    ROOFLINE_BOTTOM = 60
};

/* What is drawn, or where the name of a row will be, so that names cover nothing. */
struct zoid_taken {
    double x, y, width, height;
    const json_t *named;
};

struct zoid_panel {
    struct zoid_picture picture;
    const json_t *rows;
    const char *device;
    double y;                /* of its top */
    double x_lo, x_hi;       /* logarithms to base 2 */
    double y_lo, y_hi, roof; /* logarithms to base 10; the roof in GB/s */
    struct zoid_taken *taken;
    size_t ntaken;
};

/* Of a row; NaN where it has no such rate. */
const char *zoid_row_text(const json_t *row, const char *key);
double zoid_row_intensity(const json_t *row);
double zoid_row_rate(const json_t *row, const char *key);

/* Whether the row is one of the panel's device. */
bool zoid_panel_has(const struct zoid_panel *p, const json_t *row);
/* Sets the axes so that they hold all points and the roof over them, which is the median bandwidth of
 * copying. False where there is nothing to draw. */
bool zoid_panel_scale(struct zoid_panel *p);
double zoid_panel_x(const struct zoid_panel *p, double flops_a_byte);
double zoid_panel_y(const struct zoid_panel *p, double gflops);

void zoid_panel_line(const struct zoid_panel *p, double x0, double y0, double x1, double y1);
/* Axes and roof. */
void zoid_panel_axes(const struct zoid_panel *p);

#endif
