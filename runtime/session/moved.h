/* SPDX-License-Identifier: BSD-3-Clause */
/* Comparison of a run's GPU transfers with those that its plan needs. */
#ifndef ZOID_RUNTIME_SESSION_MOVED_H
#define ZOID_RUNTIME_SESSION_MOVED_H

#include "runtime/zoid_advanced.h"

enum { ZOID_MOVED_LINE = 160 };
/* Return whether more bytes were transferred to GPUs, or from them to their home, than planned: by
 * over 2 % plus one datum per GPU. If so, write a warning to `line`. Transfers planned between two
 * GPUs may go through main memory, and vice versa. Always false if home is a disk, since nearly
 * full main memory causes detours. */
bool zoid_moved_more(const struct zoid_plan *plan, const struct zoid_report *report,
                     char line[ZOID_MOVED_LINE]);

#endif
