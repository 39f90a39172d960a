/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_MACHINE_FREE_RAM_H
#define ZOID_RUNTIME_MACHINE_FREE_RAM_H

#include <stdint.h>

/* Return the bytes of main memory that the machine, or the process's control group, has free now;
 * 0: not known. */
uint64_t zoid_machine_free_ram(void);

#endif
