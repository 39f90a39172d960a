/* SPDX-License-Identifier: BSD-3-Clause */
/* SEG-Y files as models: traces are columns of points along the domain's last axis. */
#ifndef ZOID_APPS_FILES_SEGY_H
#define ZOID_APPS_FILES_SEGY_H

#include "runtime/zoid.h"

/* Whether this build has the library for them. */
bool zoid_segy_here(void);
/* Turns the samples so that x is fastest: floats, into a file that has no name, in TMPDIR or else
 * /var/tmp. Trace i is the column at x = i mod n[0], y = i / n[0]. ZOID_BAD_ARGUMENT: it is no such
 * file, or a damaged one, or has another number of traces or samples than the domain, or samples
 * that are no IBM or IEEE floats. ZOID_RESOURCE: it cannot be read, there is no space, or this
 * build has no such library. */
enum zoid_status zoid_segy_turn(const char *path, const char *called,
                                const struct zoid_problem *problem, int *file);

#endif
