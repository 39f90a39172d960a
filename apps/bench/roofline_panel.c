/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/bench/roofline_panel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/bench/bench.h"

static double number(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *zoid_row_text(const json_t *row, const char *key)
{
    const char *value = json_string_value(json_object_get(row, key));

    return value ? value : "";
}

bool zoid_panel_has(const struct zoid_panel *p, const json_t *row)
{
    return !strcmp(zoid_row_text(row, "device"), p->device);
}

double zoid_row_intensity(const json_t *row)
{
    return number(row, "flops") / number(row, "bytes");
}

double zoid_row_rate(const json_t *row, const char *key)
{
    return number(row, key) * number(row, "flops");
}

/* ---- where things are -------------------------------------------------------------------- */

double zoid_panel_x(const struct zoid_panel *p, double flops_a_byte)
{
    return ROOFLINE_LEFT + (log2(flops_a_byte) - p->x_lo) / (p->x_hi - p->x_lo) *
                               (ROOFLINE_WIDTH - ROOFLINE_LEFT - ROOFLINE_RIGHT);
}

double zoid_panel_y(const struct zoid_panel *p, double gflops)
{
    return p->y + ROOFLINE_TOP +
           (p->y_hi - log10(gflops)) / (p->y_hi - p->y_lo) *
               (ROOFLINE_PANEL - ROOFLINE_TOP - ROOFLINE_BOTTOM);
}

static void widen(double value, double *lo, double *hi)
{
    if (isfinite(value)) {
        *lo = fmin(*lo, value);
        *hi = fmax(*hi, value);
    }
}

bool zoid_panel_scale(struct zoid_panel *p)
{
    double copies[json_array_size(p->rows) + 1];
    const json_t *row;
    size_t i, n = 0;

    p->x_lo = p->y_lo = INFINITY;
    p->x_hi = p->y_hi = -INFINITY;
    json_array_foreach(p->rows, i, row)
    {
        if (!zoid_panel_has(p, row))
            continue;
        copies[n++] = number(row, "copy_gbps");
        widen(log2(zoid_row_intensity(row)), &p->x_lo, &p->x_hi);
        widen(log10(zoid_row_rate(row, "step_gups")), &p->y_lo, &p->y_hi);
        widen(log10(zoid_row_rate(row, "fused_gups")), &p->y_lo, &p->y_hi);
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

void zoid_panel_line(const struct zoid_panel *p, double x0, double y0, double x1, double y1)
{
    cairo_move_to(p->picture.cairo, x0, y0);
    cairo_line_to(p->picture.cairo, x1, y1);
    cairo_stroke(p->picture.cairo);
}

static void draw_x_axis(const struct zoid_panel *p)
{
    double bottom = p->y + ROOFLINE_PANEL - ROOFLINE_BOTTOM;

    for (int e = (int)ceil(p->x_lo); e <= (int)floor(p->x_hi); e++) {
        double x = zoid_panel_x(p, exp2(e));

        zoid_gantt_colour(&p->picture, zoid_colour_starved);
        zoid_panel_line(p, x, p->y + ROOFLINE_TOP, x, bottom);
        zoid_gantt_colour(&p->picture, zoid_colour_ink);
        zoid_gantt_text(&p->picture, x, bottom + 18, ZOID_ALIGN_CENTRE, e < 0 ? "1/%.0f" : "%.0f",
                        exp2(abs(e)));
    }
    zoid_gantt_text(&p->picture, (ROOFLINE_WIDTH + ROOFLINE_LEFT - ROOFLINE_RIGHT) * 0.5,
                    bottom + 42, ZOID_ALIGN_CENTRE, "operations a byte of least traffic (flop/B)");
}

static void draw_y_axis(const struct zoid_panel *p)
{
    static const double steps[] = {1, 2, 5};

    for (int e = (int)floor(p->y_lo); e <= (int)ceil(p->y_hi); e++)
        for (int i = 0; i < 3; i++) {
            double value = steps[i] * pow(10, e), y = zoid_panel_y(p, value);

            if (log10(value) < p->y_lo - 1e-9 || log10(value) > p->y_hi + 1e-9)
                continue;
            zoid_gantt_colour(&p->picture, zoid_colour_starved);
            zoid_panel_line(p, ROOFLINE_LEFT, y, ROOFLINE_WIDTH - ROOFLINE_RIGHT, y);
            zoid_gantt_colour(&p->picture, zoid_colour_ink);
            zoid_gantt_text(&p->picture, ROOFLINE_LEFT - 8, y + 4, ZOID_ALIGN_RIGHT, "%g", value);
        }
    zoid_gantt_text(&p->picture, ROOFLINE_LEFT - 8, p->y + ROOFLINE_TOP - 14, ZOID_ALIGN_RIGHT,
                    "GFLOP/s");
}

/* From edge to edge of the panel, as far as it is inside. */
static void draw_roof(const struct zoid_panel *p)
{
    double x0 = fmax(p->x_lo, (p->y_lo - log10(p->roof)) / log10(2));
    double x1 = fmin(p->x_hi, (p->y_hi - log10(p->roof)) / log10(2));

    zoid_gantt_colour(&p->picture, zoid_colour_ink);
    cairo_set_line_width(p->picture.cairo, 2);
    zoid_panel_line(p, zoid_panel_x(p, exp2(x0)), zoid_panel_y(p, p->roof * exp2(x0)),
                    zoid_panel_x(p, exp2(x1)), zoid_panel_y(p, p->roof * exp2(x1)));
    cairo_set_line_width(p->picture.cairo, 1);
}

void zoid_panel_axes(const struct zoid_panel *p)
{
    draw_x_axis(p);
    draw_y_axis(p);
    draw_roof(p);
}
