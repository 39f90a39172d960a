/* SPDX-License-Identifier: BSD-3-Clause */
/* The roofline picture: what kernels reach, over the operations that they have for a byte. */
#ifndef ZOID_APPS_BENCH_ROOFLINE_H
#define ZOID_APPS_BENCH_ROOFLINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "runtime/zoid.h"

/* Draws the rows of what `zoid-bench --what kernels --json` writes, a panel a device, as PNG or
 * SVG. ZOID_RESOURCE when the stream takes no more. */
enum zoid_status zoid_roofline_draw(const json_t *document, bool svg, FILE *out);

#endif
