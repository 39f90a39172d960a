/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codelets/gpu.h"

bool gpu_present(void)
{
    return false;
}

void gpu_run(const struct zoid_block_args *run)
{
    (void)run;
}
