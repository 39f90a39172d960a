/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/epoch_clock.h"

#include <string.h>

void zoid_epoch_clock_init(struct zoid_epoch_clock *p, int workers, bool together)
{
    *p = (struct zoid_epoch_clock){.mutex = PTHREAD_MUTEX_INITIALIZER,
                                   .ended = PTHREAD_COND_INITIALIZER,
                                   .workers = workers,
                                   .together = together};
}

void zoid_epoch_clock_begin(struct zoid_epoch_clock *p)
{
    p->submits = p->whole = p->done = 0;
    p->over = false;
    memset(p->epoch, 0, sizeof p->epoch);
}

static void move_on(struct zoid_epoch_clock *p)
{
    const long before = p->done;

    while (p->done < p->whole && !p->epoch[p->done % ZOID_EPOCHS_KEPT].blocks)
        p->done++;
    if (p->done > before)
        pthread_cond_broadcast(&p->ended);
}

void zoid_epoch_clock_submitted(struct zoid_epoch_clock *p, long epoch)
{
    pthread_mutex_lock(&p->mutex);
    while (p->submits < epoch) {
        p->submits++;
        p->epoch[p->submits % ZOID_EPOCHS_KEPT].blocks = 0;
        p->epoch[p->submits % ZOID_EPOCHS_KEPT].seconds = 0;
    }
    p->epoch[epoch % ZOID_EPOCHS_KEPT].blocks++;
    pthread_mutex_unlock(&p->mutex);
}

void zoid_epoch_clock_whole(struct zoid_epoch_clock *p, long epochs)
{
    pthread_mutex_lock(&p->mutex);
    p->whole = epochs;
    move_on(p);
    pthread_mutex_unlock(&p->mutex);
}

void zoid_epoch_clock_begins(struct zoid_epoch_clock *p, double now)
{
    pthread_mutex_lock(&p->mutex);
    if (!p->at_work++)
        p->since = now;
    pthread_mutex_unlock(&p->mutex);
}

void zoid_epoch_clock_ends(struct zoid_epoch_clock *p, long epoch, double now, double seconds)
{
    pthread_mutex_lock(&p->mutex);
    p->epoch[epoch % ZOID_EPOCHS_KEPT].seconds += p->together ? now - p->since : seconds;
    p->since = now;
    p->at_work--;
    p->epoch[epoch % ZOID_EPOCHS_KEPT].blocks--;
    move_on(p);
    pthread_mutex_unlock(&p->mutex);
}

long zoid_epoch_clock_done(struct zoid_epoch_clock *p)
{
    long done;

    pthread_mutex_lock(&p->mutex);
    done = p->done;
    pthread_mutex_unlock(&p->mutex);
    return done;
}

void zoid_epoch_clock_over(struct zoid_epoch_clock *p)
{
    pthread_mutex_lock(&p->mutex);
    p->over = true;
    pthread_cond_broadcast(&p->ended);
    pthread_mutex_unlock(&p->mutex);
}

void zoid_epoch_clock_wait(struct zoid_epoch_clock *p, long epochs)
{
    pthread_mutex_lock(&p->mutex);
    while (p->done < epochs && !p->over)
        pthread_cond_wait(&p->ended, &p->mutex);
    pthread_mutex_unlock(&p->mutex);
}

double zoid_epoch_clock_seconds(struct zoid_epoch_clock *p, long epoch)
{
    double seconds;

    pthread_mutex_lock(&p->mutex);
    seconds = p->epoch[epoch % ZOID_EPOCHS_KEPT].seconds / (p->together ? 1 : p->workers);
    pthread_mutex_unlock(&p->mutex);
    return seconds;
}
