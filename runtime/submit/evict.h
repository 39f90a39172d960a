/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies that StarPU frees when it is told to; not there where it cannot (before 1.4). */
#ifndef ZOID_RUNTIME_SUBMIT_EVICT_H
#define ZOID_RUNTIME_SUBMIT_EVICT_H

#include <stdbool.h>

#include <starpu.h>

/* Frees the copy of a datum in a memory, which others have as well, or whose datum is `dead` and
 * about to be invalidated. False: it is still there, since somebody uses it. Moves nothing. */
__attribute__((weak)) bool zoid_evict(starpu_data_handle_t handle, unsigned node, bool dead);

#endif
