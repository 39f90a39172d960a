/* SPDX-License-Identifier: BSD-3-Clause */
/* Eviction on request. Weak: NULL with StarPU before 1.4, which cannot. */
#ifndef ZOID_RUNTIME_SUBMIT_EVICT_H
#define ZOID_RUNTIME_SUBMIT_EVICT_H

#include <stdbool.h>

#include <starpu.h>

/* Free the copy of a datum in a memory if there are other copies, or if the datum is `dead` and
 * about to be invalidated. Moves no data. False: the copy is still there, because it is in use. */
__attribute__((weak)) bool zoid_evict(starpu_data_handle_t handle, unsigned node, bool dead);

#endif
