/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_REPORT_TRAFFIC_H
#define ZOID_RUNTIME_REPORT_TRAFFIC_H

#include "runtime/zoid.h"

/* Starts counting the bytes that StarPU moves between memories; where there is only one there is
 * nothing to count. */
void zoid_traffic_start(bool several);
/* What has moved since. */
struct zoid_traffic zoid_traffic_read(void);

#endif
