/* SPDX-License-Identifier: BSD-3-Clause */
/* Gantt charts of a trace, made from the files that the library writes to its folder. */
#ifndef ZOID_APPS_TRACE_DRAW_H
#define ZOID_APPS_TRACE_DRAW_H

#include "runtime/zoid.h"

/* Draw gantt.svg and gantt.png into the folder, from its paje.trace, tasks.rec and summary.txt.
 * Each replaces its predecessor once it is complete. ZOID_RESOURCE: the folder has no complete
 * trace, or the pictures cannot be written. */
enum zoid_status zoid_trace_draw(const char *folder);

#endif
