/* SPDX-License-Identifier: BSD-3-Clause */
/* Data in transit to a memory, a few at a time; the others queue.
 *
 * Transfers from a GPU to a disk need room in main memory. StarPU would start all of them at once,
 * let each hold the room that it got, and wait forever for one that got no room. Threads that wait
 * for data sleep, since the threads that move them need the cores. */
#ifndef ZOID_RUNTIME_MEMORY_TRANSIT_H
#define ZOID_RUNTIME_MEMORY_TRANSIT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include <starpu.h>

struct zoid_transit {
    pthread_mutex_t mutex;
    pthread_cond_t over;
    /* Limit of data that move at once, data that move, and data that wait (for the test). */
    size_t most, moving, waiting;
    bool starting;                     /* a thread is about to start waiting trips */
    struct zoid_trip *first, **behind; /* the queue of waiting trips */
};

void zoid_transit_init(struct zoid_transit *transit, size_t most);
/* Queue the transfer of a datum to `node`. It waits for a task that is writing the datum, but not
 * for tasks that have not begun. False: out of memory. */
bool zoid_transit_add(struct zoid_transit *transit, starpu_data_handle_t handle, unsigned node);
/* The same, with a callback once the datum has arrived or, with `kept`, was dropped from the queue
 * and stays where it is. The callback must not call this transit. */
bool zoid_transit_send(struct zoid_transit *transit, starpu_data_handle_t handle, unsigned node,
                       void (*over)(void *arg, bool kept), void *arg);
/* Drop the waiting transfers of a datum, or of all, from the queue: the datum is needed where it
 * is. */
void zoid_transit_discard(struct zoid_transit *transit, starpu_data_handle_t handle);
void zoid_transit_discard_all(struct zoid_transit *transit);
/* Wait until all data have arrived. */
void zoid_transit_wait(struct zoid_transit *transit);

#endif
