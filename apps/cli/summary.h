/* SPDX-License-Identifier: BSD-3-Clause */
/* Summary of a run for people: a few lines with units. Programs read the report. */
#ifndef ZOID_APPS_CLI_SUMMARY_H
#define ZOID_APPS_CLI_SUMMARY_H

#include "runtime/zoid_advanced.h"

void zoid_summary_print(const struct zoid_plan *plan, const struct zoid_report *report, FILE *out);

#endif
