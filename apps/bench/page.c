/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/bench/page.h"

#include <cairo-svg.h>

static cairo_status_t put(void *file, const unsigned char *data, unsigned length)
{
    return fwrite(data, 1, length, file) == length ? CAIRO_STATUS_SUCCESS
                                                   : CAIRO_STATUS_WRITE_ERROR;
}

static void draw(const struct zoid_page *page, cairo_surface_t *surface)
{
    cairo_t *cairo = cairo_create(surface);

    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_paint(cairo);
    cairo_set_line_width(cairo, 1);
    /* Cairo's own font, as in apps/trace/gantt.c. */
    cairo_select_font_face(cairo, "@cairo: medium", CAIRO_FONT_SLANT_NORMAL,
                           CAIRO_FONT_WEIGHT_NORMAL);
    page->draw(page->user, cairo);
    cairo_destroy(cairo);
}

enum zoid_status zoid_page_write(const struct zoid_page *page, bool svg, FILE *out)
{
    cairo_surface_t *surface =
        svg ? cairo_svg_surface_create_for_stream(put, out, page->width, page->height)
            : cairo_image_surface_create(CAIRO_FORMAT_RGB24, page->width, page->height);
    cairo_status_t status = cairo_surface_status(surface);

    if (status == CAIRO_STATUS_SUCCESS) {
        draw(page, surface);
        if (!svg)
            status = cairo_surface_write_to_png_stream(surface, put, out);
        cairo_surface_finish(surface);
        status = status ? status : cairo_surface_status(surface);
    }
    cairo_surface_destroy(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE, "cannot draw %s: %s; make room or name another file",
                     page->what, cairo_status_to_string(status));
}
