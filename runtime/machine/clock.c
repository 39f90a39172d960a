/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/machine/clock.h"

#include <time.h>

double zoid_machine_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
