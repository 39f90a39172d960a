/* SPDX-License-Identifier: BSD-3-Clause */
/* Work that a thread does while its caller goes on, one after the other: making files whole. */
#ifndef ZOID_APPS_FILES_BEHIND_H
#define ZOID_APPS_FILES_BEHIND_H

#include <pthread.h>

#include "runtime/zoid.h"

struct zoid_behind {
    enum zoid_status (*work)(void *user);
    void *user;
    /* Of nobody else. */
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t moved;
    bool running; /* there is a thread */
    long begun, over;
    enum zoid_status status; /* how the last one ended, and why */
    char why[512];
};

/* Sets `work` and `user`. */
void zoid_behind_open(struct zoid_behind *behind, enum zoid_status (*work)(void *user), void *user);
/* Waits until all is over. */
void zoid_behind_close(struct zoid_behind *behind);
/* Does the work once more, after the one before has been waited for. */
void zoid_behind_begin(struct zoid_behind *behind);
/* Waits until it is over, and returns what it returned. */
enum zoid_status zoid_behind_end(struct zoid_behind *behind);
/* How often it has begun; and, from any other thread, waits until that many are over, and returns
 * what the last one that is over returned. */
long zoid_behind_begun(const struct zoid_behind *behind);
enum zoid_status zoid_behind_wait(struct zoid_behind *behind, long begun);

#endif
