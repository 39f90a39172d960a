/* SPDX-License-Identifier: BSD-3-Clause */
/* Data on their way to a memory, a few at a time; the others wait for their turn.
 *
 * Data that go from a GPU to a disk need room in main memory. StarPU would begin with all of them
 * at once, let each hold what room it got, and then wait for ever for one that got none. Whoever
 * waits for data sleeps, since the threads that move them want the cores. */
#ifndef ZOID_RUNTIME_MEMORY_TRANSIT_H
#define ZOID_RUNTIME_MEMORY_TRANSIT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include <starpu.h>

struct zoid_transit {
    pthread_mutex_t mutex;
    pthread_cond_t over;
    size_t most, moving, waiting;      /* data that may move at once, do, and wait (for its test) */
    bool starting;                     /* somebody is about to start those that wait */
    struct zoid_trip *first, **behind; /* that wait */
};

void zoid_transit_init(struct zoid_transit *transit, size_t most);
/* Waits for who is writing the datum, and for no task that has not begun. False: out of memory. */
bool zoid_transit_add(struct zoid_transit *transit, starpu_data_handle_t handle, unsigned node);
/* The same; calls when the datum has arrived, or is kept where it is. */
bool zoid_transit_send(struct zoid_transit *transit, starpu_data_handle_t handle, unsigned node,
                       void (*over)(void *arg, bool kept), void *arg);
/* A datum that waits is wanted where it is. */
void zoid_transit_drop(struct zoid_transit *transit, starpu_data_handle_t handle);
void zoid_transit_drop_all(struct zoid_transit *transit);
/* Until all have arrived. */
void zoid_transit_wait(struct zoid_transit *transit);

#endif
