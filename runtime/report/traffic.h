/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_REPORT_TRAFFIC_H
#define ZOID_RUNTIME_REPORT_TRAFFIC_H

#include <stdbool.h>

/* Starts counting the bytes that StarPU moves between memories; where there is only one there is
 * nothing to count. */
void zoid_traffic_start(bool several);
/* Bytes that have moved since, by way. */
struct zoid_traffic {
    double h2d, d2h, p2p, disk_read, disk_write;
};
struct zoid_traffic zoid_traffic_read(void);

#endif
