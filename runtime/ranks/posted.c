/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/posted.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "runtime/ranks/mpi.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static long in_flight; /* messages that are submitted and have not ended */

static void acquired(void *arg)
{
    zoid_post_acquired(arg);
}

void zoid_posted_count(int ended)
{
    pthread_mutex_lock(&mutex);
    in_flight -= ended;
    if (!in_flight)
        pthread_cond_broadcast(&idle);
    pthread_mutex_unlock(&mutex);
}

void zoid_posted_end(struct zoid_posted *p)
{
    if (p->request.done)
        p->request.done(p->request.arg);
    starpu_data_release_on_node(p->request.handle, STARPU_MAIN_RAM);
    free(p);
}

static int submit(const struct zoid_message_request *m, bool sends)
{
    struct zoid_posted *p;
    bool room;
    int error;

    /* MPI counts bytes in int. */
    if (starpu_data_get_size(m->handle) > INT_MAX)
        return -EMSGSIZE;
    if (!zoid_post_has_tag(m->tag))
        return -ERANGE;
    p = malloc(sizeof *p);
    pthread_mutex_lock(&mutex);
    room = p && zoid_post_reserve(in_flight);
    in_flight += room;
    pthread_mutex_unlock(&mutex);
    if (!room) {
        free(p);
        return -ENOMEM;
    }
    *p = (struct zoid_posted){.request = *m, .sends = sends};
    error = starpu_data_acquire_on_node_cb(m->handle, STARPU_MAIN_RAM, sends ? STARPU_R : STARPU_W,
                                           acquired, p);
    if (!error)
        return 0;
    free(p);
    zoid_posted_count(1);
    return error;
}

int zoid_mpi_send(const struct zoid_message_request *m)
{
    return submit(m, true);
}

int zoid_mpi_receive(const struct zoid_message_request *m)
{
    return submit(m, false);
}

void zoid_mpi_wait(void)
{
    starpu_task_wait_for_all();
    pthread_mutex_lock(&mutex);
    while (in_flight)
        pthread_cond_wait(&idle, &mutex);
    pthread_mutex_unlock(&mutex);
    /* StarPU's own tasks that follow the last messages. */
    starpu_task_wait_for_all();
}
