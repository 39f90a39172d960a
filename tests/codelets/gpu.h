/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs blocks on a GPU with data in main memory: gpu_cuda.c in a build with CUDA, else
 * gpu_plain.c. */
#ifndef ZOID_TESTS_CODELETS_GPU_H
#define ZOID_TESTS_CODELETS_GPU_H

#include <stdlib.h>

#include "codelets/block.h"

/* True if blocks are to run on a GPU; true if there is one. */
static inline bool gpu_wanted(void)
{
    return getenv("ZOID_TEST_GPU") != NULL;
}

bool gpu_present(void);
/* Runs a block on the GPU; copies the bytes of its parts between host and GPU memory before and
 * after. */
void gpu_run(const struct zoid_block_args *run);

#endif
