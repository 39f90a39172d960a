/* SPDX-License-Identifier: BSD-3-Clause */
/* What goes from GPUs home to a disk, a few data at a time.
 *
 * On their way they need room in main memory. StarPU would begin with all of them at once, each holding
 * what room it has, and then wait for ever for one that has none. */
#ifndef ZOID_RUNTIME_HOMEWARD_H
#define ZOID_RUNTIME_HOMEWARD_H

#include <pthread.h>
#include <stddef.h>

#include <starpu.h>

/* At a time: as many as main memory has room for beside those that arrive (budget.c); and how many wait.
 * What finds no place goes home when its room is wanted, or at the end. */
enum { ZOID_HOMEWARD_MOVING = 2, ZOID_HOMEWARD_WAITING = 64 };

struct zoid_homeward {
    pthread_mutex_t mutex;
    pthread_cond_t arrival;
    unsigned home; /* the disk's memory node */
    struct zoid_homeward_slot {
        struct zoid_homeward *homeward;
        starpu_data_handle_t handle; /* NULL: free */
    } moving[ZOID_HOMEWARD_MOVING];
    size_t nwaiting;
    starpu_data_handle_t waiting[ZOID_HOMEWARD_WAITING];
};

void zoid_homeward_init(struct zoid_homeward *homeward, unsigned home);
/* A task has ended after which nobody on a GPU wants the datum for a while. */
void zoid_homeward_add(struct zoid_homeward *homeward, starpu_data_handle_t handle);
/* A task starts that wants it after all. */
void zoid_homeward_drop(struct zoid_homeward *homeward, starpu_data_handle_t handle);
/* Forgets those that wait, and waits for those on their way. */
void zoid_homeward_end(struct zoid_homeward *homeward);

#endif
