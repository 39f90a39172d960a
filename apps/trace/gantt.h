/* SPDX-License-Identifier: BSD-3-Clause */
/* Draw a complete timeline: one row per worker and per link, grouped by rank, and their sums below.
 */
#ifndef ZOID_APPS_TRACE_GANTT_H
#define ZOID_APPS_TRACE_GANTT_H

#include "runtime/trace/timeline.h"

struct zoid_gantt {
    const struct zoid_timeline *timeline;
    const char *title, *subtitle;
    const char *note; /* a line of warning, or NULL */
};

/* Write the chart to a file. ZOID_RESOURCE: out of memory, or the file cannot be written. */
enum zoid_status zoid_gantt_svg(const struct zoid_gantt *gantt, const char *path);
enum zoid_status zoid_gantt_png(const struct zoid_gantt *gantt, const char *path);

#endif
