/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops over all cores, for what is done before and after StarPU runs. */
#ifndef ZOID_CODELETS_PARALLEL_H
#define ZOID_CODELETS_PARALLEL_H

/* Cores that the caller may use. */
int zoid_cores(void);
/* Calls body(arg, thread, i) for every 0 <= i < n, in any order, on up to `threads` threads, of
 * which the caller is one; `thread` numbers them from 0. Fewer threads do the work where the system
 * has no more to give. */
void zoid_parallel(int threads, long n, void (*body)(void *arg, int thread, long i), void *arg);

#endif
