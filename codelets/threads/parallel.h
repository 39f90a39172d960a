/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel loops over cores, for work before and after StarPU runs. */
#ifndef ZOID_CODELETS_THREADS_PARALLEL_H
#define ZOID_CODELETS_THREADS_PARALLEL_H

/* Returns the number of cores that the calling thread may use. */
int zoid_cores(void);
/* Calls body(arg, thread, i) for every 0 <= i < n, in any order, on up to `threads` threads,
 * including the caller; `thread` is an index from 0. Returns when all calls have returned. If
 * thread creation fails, fewer threads do the work. */
void zoid_parallel(int threads, long n, void (*body)(void *arg, int thread, long i), void *arg);

#endif
