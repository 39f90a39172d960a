/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/io/background.h"

void zoid_background_open(struct zoid_background *b, enum zoid_status (*work)(void *user),
                          void *user)
{
    *b = (struct zoid_background){.work = work, .user = user};
    pthread_mutex_init(&b->mutex, NULL);
    pthread_cond_init(&b->moved, NULL);
}

void zoid_background_close(struct zoid_background *b)
{
    zoid_background_end(b);
    pthread_cond_destroy(&b->moved);
    pthread_mutex_destroy(&b->mutex);
}

static void *work(void *background)
{
    struct zoid_background *b = background;
    const enum zoid_status status = b->work(b->user);

    pthread_mutex_lock(&b->mutex);
    b->last.status = ZOID_OK;
    zoid_failure_keep(&b->last, status);
    b->over++;
    pthread_cond_broadcast(&b->moved);
    pthread_mutex_unlock(&b->mutex);
    return NULL;
}

void zoid_background_begin(struct zoid_background *b)
{
    b->begun++;
    b->running = !pthread_create(&b->thread, NULL, work, b);
    if (!b->running)
        work(b);
}

enum zoid_status zoid_background_end(struct zoid_background *b)
{
    if (b->running)
        pthread_join(b->thread, NULL);
    b->running = false;
    return zoid_failure_raise(&b->last);
}

long zoid_background_begun(const struct zoid_background *b)
{
    return b->begun;
}

enum zoid_status zoid_background_wait(struct zoid_background *b, long begun)
{
    enum zoid_status status;

    pthread_mutex_lock(&b->mutex);
    while (b->over < begun)
        pthread_cond_wait(&b->moved, &b->mutex);
    status = zoid_failure_raise(&b->last);
    pthread_mutex_unlock(&b->mutex);
    return status;
}
