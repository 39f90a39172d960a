/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/memory/transit.h"

#include <stdlib.h>

struct zoid_trip {
    struct zoid_transit *transit;
    starpu_data_handle_t handle;
    unsigned node;
    void (*over)(void *arg, bool kept); /* NULL: no callback */
    void *arg;
    struct zoid_trip *next;
};

void zoid_transit_init(struct zoid_transit *transit, size_t most)
{
    *transit = (struct zoid_transit){
        .mutex = PTHREAD_MUTEX_INITIALIZER, .over = PTHREAD_COND_INITIALIZER, .most = most};
    transit->behind = &transit->first;
}

/* Remove *at from the queue. */
static struct zoid_trip *take(struct zoid_transit *t, struct zoid_trip **at)
{
    struct zoid_trip *trip = *at;

    *at = trip->next;
    if (!*at)
        t->behind = at;
    t->waiting--;
    return trip;
}

static void arrived(void *arg);

/* End a trip: call its callback, and free it. */
static void tell(struct zoid_trip *trip, bool kept)
{
    if (trip->over)
        trip->over(trip->arg, kept);
    free(trip);
}

/* Start waiting trips; the caller holds the lock. A datum may arrive while it is being started,
 * which calls this again; then the outer call goes on with the next trip, so that calls do not
 * nest. Nothing is touched after the last unlock: a thread that waits may have freed the
 * transit. */
static void start(struct zoid_transit *t)
{
    if (t->starting)
        return;
    t->starting = true;
    while (t->first && t->moving < t->most) {
        struct zoid_trip *trip = take(t, &t->first);

        t->moving++;
        pthread_mutex_unlock(&t->mutex);
        /* Unlike a prefetch, this has a callback when it is done; it waits for no task that has not
         * begun. */
        starpu_data_acquire_on_node_cb_sequential_consistency(trip->handle, (int)trip->node,
                                                              STARPU_R, arrived, trip, 0);
        pthread_mutex_lock(&t->mutex);
    }
    t->starting = false;
    if (!t->moving)
        pthread_cond_broadcast(&t->over);
}

static void arrived(void *arg)
{
    struct zoid_trip *trip = arg;
    struct zoid_transit *t = trip->transit;

    starpu_data_release_on_node(trip->handle, (int)trip->node);
    tell(trip, false);
    pthread_mutex_lock(&t->mutex);
    t->moving--;
    start(t);
    pthread_mutex_unlock(&t->mutex);
}

bool zoid_transit_add(struct zoid_transit *transit, starpu_data_handle_t handle, unsigned node)
{
    return zoid_transit_send(transit, handle, node, NULL, NULL);
}

bool zoid_transit_send(struct zoid_transit *transit, starpu_data_handle_t handle, unsigned node,
                       void (*over)(void *arg, bool kept), void *arg)
{
    struct zoid_trip *trip = malloc(sizeof *trip);

    if (!trip)
        return false;
    *trip = (struct zoid_trip){
        .transit = transit, .handle = handle, .node = node, .over = over, .arg = arg};
    pthread_mutex_lock(&transit->mutex);
    *transit->behind = trip;
    transit->behind = &trip->next;
    transit->waiting++;
    start(transit);
    pthread_mutex_unlock(&transit->mutex);
    return true;
}

/* Drop the trips of a datum; NULL: all. */
static void drop(struct zoid_transit *t, starpu_data_handle_t handle)
{
    pthread_mutex_lock(&t->mutex);
    for (struct zoid_trip **at = &t->first; *at;)
        if (!handle || (*at)->handle == handle)
            tell(take(t, at), true);
        else
            at = &(*at)->next;
    pthread_mutex_unlock(&t->mutex);
}

void zoid_transit_discard(struct zoid_transit *transit, starpu_data_handle_t handle)
{
    drop(transit, handle);
}

void zoid_transit_discard_all(struct zoid_transit *transit)
{
    drop(transit, NULL);
}

void zoid_transit_wait(struct zoid_transit *transit)
{
    pthread_mutex_lock(&transit->mutex);
    while (transit->moving || transit->first || transit->starting)
        pthread_cond_wait(&transit->over, &transit->mutex);
    pthread_mutex_unlock(&transit->mutex);
}
