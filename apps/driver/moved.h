/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a run has moved what its plan has no need of. */
#ifndef ZOID_APPS_DRIVER_MOVED_H
#define ZOID_APPS_DRIVER_MOVED_H

#include "runtime/zoid.h"

enum { ZOID_MOVED_LINE = 160 };
/* Whether more bytes have come to GPUs, or gone home from them, than was planned: by 2 %, and by a
 * datum for each GPU. `line` then says so. Data that were to go from one GPU to another may have
 * gone through main memory, and the other way round. With a disk nothing is said: main memory that
 * is nearly full has data take detours. */
bool zoid_moved_more(const struct zoid_plan *plan, const struct zoid_report *report,
                     char line[ZOID_MOVED_LINE]);

#endif
