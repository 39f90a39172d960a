/* SPDX-License-Identifier: BSD-3-Clause */
/* GPU tasks; compiled only with CUDA. */
#include <starpu_cuda.h>

#include "codelets/cuda/run.h"
#include "runtime/submit/task.h"

static void note(const struct zoid_task *t, int error)
{
    int none = 0;

    if (error)
        atomic_compare_exchange_strong(&t->work->cuda_error, &none, error);
}

void zoid_task_cuda(void *buffers[], void *arg)
{
    struct zoid_task *t = arg;
    struct zoid_part part[t->nparts + 1];
    struct zoid_block_args run;
    void *scratch = t->work->scratch ? (void *)STARPU_VECTOR_GET_PTR(buffers[t->nbuffers])
                                     : t->work->gpu_scratch.own[starpu_worker_get_id()];
    void *stream = starpu_cuda_get_local_stream();
    int error;

    zoid_task_run(t, ZOID_GPUS, buffers, scratch, part, &run);
    error = zoid_cuda_timer_begin(&t->timer, stream);
    /* Without scratch, of which the work has a note. */
    if (!error && (scratch || !t->work->gpu_scratch.bytes))
        error = zoid_cuda_run(&run, t->work->plan->graph.block, stream);
    if (!error)
        error = zoid_cuda_timer_end(&t->timer, stream);
    zoid_task_starts(t);
    note(t, error);
}

void zoid_task_cuda_ended(struct zoid_task *t, int worker)
{
    double seconds = 0;

    if (t->timer.end)
        note(t, zoid_cuda_timer_read(&t->timer, &seconds));
    zoid_cuda_timer_close(&t->timer);
    zoid_clock_add_core(&t->work->clock, worker, seconds);
    zoid_dealer_teach(&t->work->dealer, worker, (double)t->points, seconds);
}

const char *zoid_task_cuda_error(int error)
{
    return zoid_cuda_error(error);
}
