/* SPDX-License-Identifier: BSD-3-Clause */
/* GPU tasks; compiled where there is CUDA. */
#include <starpu_cuda.h>

#include "codelets/cuda/run.h"
#include "runtime/submit/task.h"

void zoid_task_cuda(void *buffers[], void *arg)
{
    struct zoid_task *t = arg;
    struct zoid_part part[t->nparts + 1];
    struct zoid_run run;
    void *scratch = t->work->scratch ? (void *)STARPU_VECTOR_GET_PTR(buffers[t->nbuffers]) : NULL;
    int error, none = 0;

    zoid_task_run(t, buffers, scratch, part, &run);
    error = zoid_cuda_run(&run, t->work->plan->graph.block, starpu_cuda_get_local_stream());
    zoid_task_starts(t);
    if (error)
        atomic_compare_exchange_strong(&t->work->cuda_error, &none, error);
}

const char *zoid_task_cuda_error(int error)
{
    return zoid_cuda_error(error);
}
