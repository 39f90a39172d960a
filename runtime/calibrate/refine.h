/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run has measured of its own blocks refines the rates that it was predicted from. */
#ifndef ZOID_RUNTIME_CALIBRATE_REFINE_H
#define ZOID_RUNTIME_CALIBRATE_REFINE_H

#include "runtime/context.h"

/* After a run of the plan, with its report: changes the file of rates, for the next run. Several
 * ranks teach nothing, nor do blocks on GPUs with sources and receivers, or by another traversal
 * than the best; nor does a run that the file's rates have not predicted, since they were defaults
 * or somebody has calibrated meanwhile. */
enum zoid_status zoid_refine(const struct zoid_context *context, const struct zoid_plan *plan,
                             const struct zoid_report *report);

#endif
