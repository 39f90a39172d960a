/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_REPORT_TRAFFIC_H
#define ZOID_RUNTIME_REPORT_TRAFFIC_H

#include "runtime/zoid_advanced.h"

/* Start to count the bytes that StarPU moves between memories, if there are several. */
void zoid_traffic_start(bool several);
/* Bytes moved since then, or since the last call, which resets the counters. */
struct zoid_traffic zoid_traffic_read(void);

#endif
