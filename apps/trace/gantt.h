/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws a finished timeline: a row a worker and a row a link, rank by rank, and under
 * them the sums. */
#ifndef ZOID_APPS_TRACE_GANTT_H
#define ZOID_APPS_TRACE_GANTT_H

#include "runtime/trace/timeline.h"

struct zoid_gantt {
    const struct zoid_timeline *timeline;
    const char *title, *subtitle;
    const char *note; /* a line of warning, or NULL */
};

/* ZOID_RESOURCE when the file cannot be written. */
enum zoid_status zoid_gantt_svg(const struct zoid_gantt *gantt, const char *path);
enum zoid_status zoid_gantt_png(const struct zoid_gantt *gantt, const char *path);

#endif
