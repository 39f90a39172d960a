/* SPDX-License-Identifier: BSD-3-Clause */
/* Work in a thread, completing files one after the other, while its caller goes on. */
#ifndef ZOID_RUNTIME_IO_BACKGROUND_H
#define ZOID_RUNTIME_IO_BACKGROUND_H

#include <pthread.h>
#include <stdbool.h>

#include "runtime/error.h"

struct zoid_background {
    enum zoid_status (*work)(void *user);
    void *user;
    /* Private. */
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t moved;
    bool running; /* there is a thread */
    long begun, over;
    struct zoid_failure last; /* how the last one ended */
};

/* Initialise with the work, and its argument `user`. */
void zoid_background_open(struct zoid_background *background, enum zoid_status (*work)(void *user),
                          void *user);
/* Wait until all work is over, and destroy the lock. */
void zoid_background_close(struct zoid_background *background);
/* Start the work once more, in the calling thread if no other can be had. Call zoid_background_end
 * after the one before. */
void zoid_background_begin(struct zoid_background *background);
/* Wait until the work is over. Returns the status of the latest one. */
enum zoid_status zoid_background_end(struct zoid_background *background);
/* Number of times that the work has begun. / From any other thread: wait until work number `begun`
 * is over; return the status of the latest one that is over. */
long zoid_background_begun(const struct zoid_background *background);
enum zoid_status zoid_background_wait(struct zoid_background *background, long begun);

#endif
