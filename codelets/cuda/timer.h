/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the time that a GPU takes for the work queued on a stream. */
#ifndef ZOID_CODELETS_CUDA_TIMER_H
#define ZOID_CODELETS_CUDA_TIMER_H

#ifdef __cplusplus
extern "C" {
#endif

struct zoid_cuda_timer {
    void *begin, *end; /* CUDA events, or NULL */
};

/* Weak, as zoid_cuda_run: NULL in builds without CUDA. They return CUDA's error code; after an
 * error a timer may still be closed. */

/* Starts timing after the work already queued on `stream`, which is of the calling thread's GPU. */
__attribute__((weak)) int zoid_cuda_timer_begin(struct zoid_cuda_timer *timer, void *stream);
/* Stops timing after the work queued on `stream` so far. */
__attribute__((weak)) int zoid_cuda_timer_end(struct zoid_cuda_timer *timer, void *stream);
/* Stores the seconds between the two events; the stream must have passed the second one. */
__attribute__((weak)) int zoid_cuda_timer_read(const struct zoid_cuda_timer *timer,
                                               double *seconds);
__attribute__((weak)) void zoid_cuda_timer_close(struct zoid_cuda_timer *timer);

#ifdef __cplusplus
}
#endif

#endif
