/* SPDX-License-Identifier: BSD-3-Clause */
/* Monotonic clock, the source of all times that the runtime reports or keeps. */
#ifndef ZOID_RUNTIME_MACHINE_CLOCK_H
#define ZOID_RUNTIME_MACHINE_CLOCK_H

/* Returns the seconds of CLOCK_MONOTONIC. Thread-safe. */
double zoid_machine_clock(void);

#endif
