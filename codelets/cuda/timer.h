/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a GPU is at work on what a stream is given. */
#ifndef ZOID_CODELETS_CUDA_TIMER_H
#define ZOID_CODELETS_CUDA_TIMER_H

#ifdef __cplusplus
extern "C" {
#endif

struct zoid_cuda_timer {
    void *begin, *end; /* CUDA's events; NULL: none */
};

/* Weak, as zoid_cuda_run is: NULL in builds without CUDA. Return CUDA's error code; a timer may be
 * closed after one. */

/* From what the stream was given before on, on the calling thread's GPU. */
__attribute__((weak)) int zoid_cuda_timer_begin(struct zoid_cuda_timer *timer, void *stream);
/* To what it was given last. */
__attribute__((weak)) int zoid_cuda_timer_end(struct zoid_cuda_timer *timer, void *stream);
/* Once the stream has come so far. */
__attribute__((weak)) int zoid_cuda_timer_read(const struct zoid_cuda_timer *timer,
                                               double *seconds);
__attribute__((weak)) void zoid_cuda_timer_close(struct zoid_cuda_timer *timer);

#ifdef __cplusplus
}
#endif

#endif
