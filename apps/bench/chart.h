/* SPDX-License-Identifier: BSD-3-Clause */
/* The picture of `zoid-bench --what tiers` and `domains`: rates of variants, domain by domain. */
#ifndef ZOID_APPS_BENCH_CHART_H
#define ZOID_APPS_BENCH_CHART_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "runtime/zoid.h"

/* Draws the rows of what --json writes, as PNG or SVG. ZOID_RESOURCE when the stream takes no more. */
enum zoid_status zoid_chart_draw(const json_t *document, bool svg, FILE *out);

#endif
