/* SPDX-License-Identifier: BSD-3-Clause */
/* Work that a thread does while its caller goes on, one after the other: making files whole. */
#ifndef ZOID_RUNTIME_IO_BACKGROUND_H
#define ZOID_RUNTIME_IO_BACKGROUND_H

#include <pthread.h>

#include "runtime/error.h"

struct zoid_background {
    enum zoid_status (*work)(void *user);
    void *user;
    /* Of nobody else. */
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t moved;
    bool running; /* there is a thread */
    long begun, over;
    struct zoid_failure last; /* how the last one ended */
};

/* Sets `work` and `user`. */
void zoid_background_open(struct zoid_background *background, enum zoid_status (*work)(void *user),
                          void *user);
/* Waits until all is over. */
void zoid_background_close(struct zoid_background *background);
/* Does the work once more, after the one before has been waited for. */
void zoid_background_begin(struct zoid_background *background);
/* Waits until it is over, and returns what it returned. */
enum zoid_status zoid_background_end(struct zoid_background *background);
/* How often it has begun; and, from any other thread, waits until that many are over, and returns
 * what the last one that is over returned. */
long zoid_background_begun(const struct zoid_background *background);
enum zoid_status zoid_background_wait(struct zoid_background *background, long begun);

#endif
