/* SPDX-License-Identifier: BSD-3-Clause */
/* The yardstick: the blocks of a job on plain threads, with no runtime under them. */
#ifndef ZOID_APPS_PLAIN_H
#define ZOID_APPS_PLAIN_H

#include "runtime/zoid.h"

/* Does what zoid_job_run does, on as many threads as StarPU has CPU workers: each takes the next
 * block of the stream and waits, spinning, until the same position of the pass before and the
 * position before in the same pass are done. For chains of leaning blocks, whose only dependencies
 * those are. *seconds is the time from the first block to the last; recording the stream is not
 * counted. */
enum zoid_status zoid_plain_run(struct zoid_job *job, double *seconds);

#endif
