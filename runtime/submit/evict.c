/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled with StarPU 1.4 and later. */
#include "runtime/submit/evict.h"

bool zoid_evict(starpu_data_handle_t handle, unsigned node, bool dead)
{
    int allocated, valid, loading, requested;

    starpu_data_query_status2(handle, (int)node, &allocated, &valid, &loading, &requested);
    if (!allocated && !loading)
        return true;
    /* An invalidation frees the copy itself; before that StarPU would write it back. */
    if (loading || (dead && valid))
        return false;
    starpu_data_evict_from_node(handle, node);
    return !starpu_data_test_if_allocated_on_node(handle, node);
}
