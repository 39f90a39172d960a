/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine's clock, which all that tells or keeps a time reads. */
#ifndef ZOID_RUNTIME_MACHINE_CLOCK_H
#define ZOID_RUNTIME_MACHINE_CLOCK_H

/* Seconds of CLOCK_MONOTONIC. */
double zoid_machine_clock(void);

#endif
