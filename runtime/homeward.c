/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/homeward.h"

#include <stdbool.h>
#include <string.h>

void zoid_homeward_init(struct zoid_homeward *homeward, unsigned home)
{
    *homeward = (struct zoid_homeward){
        .mutex = PTHREAD_MUTEX_INITIALIZER, .arrival = PTHREAD_COND_INITIALIZER, .home = home};
    for (int i = 0; i < ZOID_HOMEWARD_MOVING; i++)
        homeward->moving[i].homeward = homeward;
}

static starpu_data_handle_t take(struct zoid_homeward *h, size_t i)
{
    starpu_data_handle_t handle = h->waiting[i];

    h->nwaiting--;
    memmove(h->waiting + i, h->waiting + i + 1, (h->nwaiting - i) * sizeof *h->waiting);
    return handle;
}

static void arrived(void *arg);

/* Unlike a prefetch, this tells when it is done; it waits for no task that has not begun. */
static void depart(struct zoid_homeward_slot *slot)
{
    starpu_data_acquire_on_node_cb_sequential_consistency(slot->handle, (int)slot->homeward->home,
                                                          STARPU_R, arrived, slot, 0);
}

/* The next one takes its place. If there is none, nothing is touched after the lock: whoever waits for
 * the end may be gone. */
static void arrived(void *arg)
{
    struct zoid_homeward_slot *slot = arg;
    struct zoid_homeward *h = slot->homeward;
    bool more;

    starpu_data_release_on_node(slot->handle, (int)h->home);
    pthread_mutex_lock(&h->mutex);
    more = h->nwaiting > 0;
    slot->handle = more ? take(h, 0) : NULL;
    pthread_cond_broadcast(&h->arrival);
    pthread_mutex_unlock(&h->mutex);
    if (more)
        depart(slot);
}

void zoid_homeward_add(struct zoid_homeward *homeward, starpu_data_handle_t handle)
{
    struct zoid_homeward_slot *slot = NULL;

    pthread_mutex_lock(&homeward->mutex);
    for (int i = 0; i < ZOID_HOMEWARD_MOVING && !slot; i++)
        if (!homeward->moving[i].handle)
            slot = &homeward->moving[i];
    if (slot)
        slot->handle = handle;
    else if (homeward->nwaiting < ZOID_HOMEWARD_WAITING)
        homeward->waiting[homeward->nwaiting++] = handle;
    pthread_mutex_unlock(&homeward->mutex);
    if (slot)
        depart(slot);
}

void zoid_homeward_drop(struct zoid_homeward *homeward, starpu_data_handle_t handle)
{
    pthread_mutex_lock(&homeward->mutex);
    for (size_t i = homeward->nwaiting; i-- > 0;)
        if (homeward->waiting[i] == handle)
            take(homeward, i);
    pthread_mutex_unlock(&homeward->mutex);
}

static bool any_moving(const struct zoid_homeward *h)
{
    for (int i = 0; i < ZOID_HOMEWARD_MOVING; i++)
        if (h->moving[i].handle)
            return true;
    return false;
}

void zoid_homeward_end(struct zoid_homeward *homeward)
{
    pthread_mutex_lock(&homeward->mutex);
    homeward->nwaiting = 0;
    while (any_moving(homeward))
        pthread_cond_wait(&homeward->arrival, &homeward->mutex);
    pthread_mutex_unlock(&homeward->mutex);
}
