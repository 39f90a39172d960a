/* SPDX-License-Identifier: BSD-3-Clause */
/* What the planner knows of the memories that data lie in. */
#ifndef ZOID_RUNTIME_PLAN_TIER_H
#define ZOID_RUNTIME_PLAN_TIER_H

/* What is read from a disk or written there starts at, and has, a multiple of this: in the file and in
 * main memory. */
enum { ZOID_DISK_BLOCK = 4096 };

#endif
