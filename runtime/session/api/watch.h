/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that tells a program how far an advance is. */
#ifndef ZOID_RUNTIME_SESSION_API_WATCH_H
#define ZOID_RUNTIME_SESSION_API_WATCH_H

#include <pthread.h>

#include "runtime/session/api/api.h"

struct zoid_watch {
    struct zoid_session *session;
    pthread_t thread;
    pthread_mutex_t mutex; /* protects: */
    pthread_cond_t wake;
    bool ends;
    bool runs; /* the thread was started */
};

/* Start calling the session's progress callback, if it has one; without a thread for it, the run
 * goes on unwatched. */
void zoid_watch_begin(struct zoid_watch *watch, struct zoid_session *session);
/* Wait for the last call to return. */
void zoid_watch_end(struct zoid_watch *watch);

#endif
