/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks on a GPU, whose data are in main memory: gpu_cuda.c where the build has CUDA, gpu_plain.c
 * where it has not. */
#ifndef ZOID_TESTS_CODELETS_GPU_H
#define ZOID_TESTS_CODELETS_GPU_H

#include <stdlib.h>

#include "codelets/run.h"

/* Whether blocks are to run on a GPU, and whether there is one. */
static inline bool gpu_wanted(void)
{
    return getenv("ZOID_TEST_GPU") != NULL;
}

bool gpu_present(void);
/* Runs a block there, with the parts' bytes moved there and back. */
void gpu_run(const struct zoid_run *run);

#endif
