/* SPDX-License-Identifier: BSD-3-Clause */
/* Baseline: the blocks of a job without a runtime. */
#ifndef ZOID_RUNTIME_MEASURE_PLAIN_H
#define ZOID_RUNTIME_MEASURE_PLAIN_H

#include "runtime/zoid_advanced.h"

/* Runs the blocks of the job's graph on the job's data, whatever their values.
 *
 * On cores: as many threads as StarPU has CPU workers; each takes the next block of the stream and
 * spins until its two dependencies are done: the same position of the pass before, and the position
 * before in the same pass. On a GPU: the kernels of all blocks back to back on one stream, with the
 * data in GPU memory throughout. Only for chains of leaning blocks, which have no other
 * dependencies; on a GPU the plan must have one lane and keep the slabs there.
 *
 * Stores the seconds from the first block to the end of the last one; recording the stream is
 * excluded. ZOID_RESOURCE: out of memory, no thread, or CUDA fails. */
enum zoid_status zoid_plain_run(struct zoid_job *job, double *seconds);

#endif
