/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a simulation are actors that one thread of the system runs: one that waits by pthreads
 * would stop all of them, so locks are StarPU's. ZoidSimulated.cmake includes this before all else
 * in files of runtime/ whose threads wait for StarPU's workers. */
#ifndef ZOID_RUNTIME_SIMULATE_THREADS_H
#define ZOID_RUNTIME_SIMULATE_THREADS_H

#include <errno.h>
#include <pthread.h>
#include <starpu.h>
#include <starpu_thread_util.h>

#undef PTHREAD_MUTEX_INITIALIZER
#undef PTHREAD_COND_INITIALIZER
#define pthread_mutex_t starpu_pthread_mutex_t
#define pthread_cond_t starpu_pthread_cond_t
#define PTHREAD_MUTEX_INITIALIZER STARPU_PTHREAD_MUTEX_INITIALIZER
#define PTHREAD_COND_INITIALIZER STARPU_PTHREAD_COND_INITIALIZER
#define pthread_mutex_init starpu_pthread_mutex_init
#define pthread_mutex_lock starpu_pthread_mutex_lock
#define pthread_mutex_unlock starpu_pthread_mutex_unlock
#define pthread_mutex_destroy starpu_pthread_mutex_destroy
#define pthread_cond_init(cond, attributes) \
    ((void)(attributes), starpu_pthread_cond_init(cond, NULL))
#define pthread_cond_wait starpu_pthread_cond_wait
#define pthread_cond_signal starpu_pthread_cond_signal
#define pthread_cond_broadcast starpu_pthread_cond_broadcast
#define pthread_cond_destroy starpu_pthread_cond_destroy

/* Time limits are of the system's clock, so a wait ends after some simulated microseconds; callers
 * look again. */
static inline int zoid_simulate_wait(starpu_pthread_mutex_t *mutex)
{
    starpu_pthread_mutex_unlock(mutex);
    starpu_sleep(20e-6f);
    starpu_pthread_mutex_lock(mutex);
    return ETIMEDOUT;
}
#define pthread_cond_timedwait(cond, mutex, until) \
    ((void)(cond), (void)(until), zoid_simulate_wait(mutex))

#endif
