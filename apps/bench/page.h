/* SPDX-License-Identifier: BSD-3-Clause */
/* A picture in a file, as PNG or SVG. */
#ifndef ZOID_APPS_BENCH_PAGE_H
#define ZOID_APPS_BENCH_PAGE_H

#include <cairo.h>
#include <stdbool.h>
#include <stdio.h>

#include "runtime/zoid.h"

struct zoid_page {
    const char *what; /* for messages: "cannot draw ..." */
    int width, height;
    /* Paper is white, lines are one wide, and the font is cairo's own. */
    void (*draw)(const void *user, cairo_t *cairo);
    const void *user;
};

/* ZOID_RESOURCE when the stream takes no more. */
enum zoid_status zoid_page_write(const struct zoid_page *page, bool svg, FILE *out);

#endif
