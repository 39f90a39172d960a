/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/flight.h"

void zoid_flight_init(struct zoid_flight *f)
{
    *f =
        (struct zoid_flight){.mutex = PTHREAD_MUTEX_INITIALIZER, .fewer = PTHREAD_COND_INITIALIZER};
}

void zoid_flight_begins(struct zoid_flight *f)
{
    pthread_mutex_lock(&f->mutex);
    f->blocks++;
    pthread_mutex_unlock(&f->mutex);
}

void zoid_flight_ended(struct zoid_flight *f)
{
    pthread_mutex_lock(&f->mutex);
    f->blocks--;
    pthread_cond_signal(&f->fewer);
    pthread_mutex_unlock(&f->mutex);
}

void zoid_flight_wait(struct zoid_flight *f, long most)
{
    pthread_mutex_lock(&f->mutex);
    while (f->blocks > most)
        pthread_cond_wait(&f->fewer, &f->mutex);
    pthread_mutex_unlock(&f->mutex);
}
