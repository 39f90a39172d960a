/* SPDX-License-Identifier: BSD-3-Clause */
/* The yardstick: the blocks of a job with no runtime under them. */
#ifndef ZOID_RUNTIME_MEASURE_PLAIN_H
#define ZOID_RUNTIME_MEASURE_PLAIN_H

#include "runtime/zoid.h"

/* Runs the blocks of the job's graph on the data of the job, whatever those hold. On CPU cores: as
 * many threads as StarPU has CPU workers; each takes the next block of the stream and waits,
 * spinning, until the same position of the pass before and the position before in the same pass are
 * done. On a GPU: the kernels of all blocks back to back, in the order of the stream, which is the
 * GPU's only one; the data are in its memory before and stay there. For chains of leaning blocks,
 * whose only dependencies those are, and whose plan has one lane if it is for a GPU and keeps the
 * slabs there. *seconds is the time from the first block to the end of the last; recording the
 * stream is not counted. */
enum zoid_status zoid_plain_run(struct zoid_job *job, double *seconds);

#endif
