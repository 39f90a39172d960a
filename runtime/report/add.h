/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_REPORT_ADD_H
#define ZOID_RUNTIME_REPORT_ADD_H

#include "runtime/zoid_advanced.h"

/* Accumulate the reports of legs that ran one after the other: add the counters of `leg` to those
 * in `all`. The other fields become those of `leg`, except app, seed and check, which stay, and
 * each, which becomes NULL. */
void zoid_report_add(const struct zoid_report *leg, struct zoid_report *all);

#endif
