/* SPDX-License-Identifier: BSD-3-Clause */
/* The pictures of a trace, made from the files that the library leaves in its folder. */
#ifndef ZOID_APPS_TRACE_DRAW_H
#define ZOID_APPS_TRACE_DRAW_H

#include "runtime/zoid.h"

/* Draws gantt.svg and gantt.png into the folder, from its paje.trace, tasks.rec and summary.txt.
 * Each takes its place when it is whole. ZOID_RESOURCE when the folder has no whole trace, or has
 * no room for pictures. */
enum zoid_status zoid_trace_draw(const char *folder);

#endif
