/* SPDX-License-Identifier: BSD-3-Clause */
/* Refines the rates that a run was predicted from by its measured blocks, or, of several ranks,
 * those of the network by the time that workers waited for messages. */
#ifndef ZOID_RUNTIME_CALIBRATE_REFINE_H
#define ZOID_RUNTIME_CALIBRATE_REFINE_H

#include "runtime/context.h"

/* Updates the file of rates after a run of the plan, given its report. Returns ZOID_OK without a
 * change if the run is not comparable: fewer steps than planned, or too short; ranks that take
 * turns or hardly wait; on GPUs, sources or receivers, or a traversal other than the best; or rates
 * of the prediction that are not in the file, because they were defaults or a calibration has
 * replaced them. Of several ranks the first one writes the file, if there is one. */
enum zoid_status zoid_refine(const struct zoid_context *context, const struct zoid_plan *plan,
                             const struct zoid_report *report);

#endif
