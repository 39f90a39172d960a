/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/serial.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/budget.h"
#include "runtime/sink.h"

/* Data of a round on their way: whoever waits for them sleeps, since the threads that move them want
 * the cores. */
struct moving {
    pthread_mutex_t mutex;
    pthread_cond_t all;
    long left;
    bool lost; /* out of memory */
};

struct arrival {
    struct moving *moving;
    starpu_data_handle_t handle;
    int node;
};

static void arrive(struct moving *m)
{
    pthread_mutex_lock(&m->mutex);
    if (--m->left == 0)
        pthread_cond_signal(&m->all);
    pthread_mutex_unlock(&m->mutex);
}

static void arrived(void *arg)
{
    struct arrival *a = arg;

    starpu_data_release_on_node(a->handle, a->node);
    arrive(a->moving);
    free(a);
}

static void start(struct moving *m, starpu_data_handle_t handle, unsigned node)
{
    struct arrival *a = malloc(sizeof *a);

    if (!a) {
        m->lost = true;
        return;
    }
    *a = (struct arrival){m, handle, (int)node};
    pthread_mutex_lock(&m->mutex);
    m->left++;
    pthread_mutex_unlock(&m->mutex);
    starpu_data_acquire_on_node_cb(handle, (int)node, STARPU_R, arrived, a);
}

/* What of it has a home moves beside blocks; the rest stays where it is used. */
static bool has_home(const struct zoid_starpu_sink *s, const struct zoid_access *a)
{
    struct zoid_plan const *plan = &s->job->plan;

    return a->datum.kind == ZOID_SLAB || a->datum.kind == ZOID_COEFFICIENT ||
           (plan->on_gpu && zoid_budget_at_home(plan, (int)a->datum.kind));
}

/* Borders that a block leaves come from nowhere. */
static bool made_here(const struct zoid_access *a)
{
    return a->mode == ZOID_WRITE && (a->datum.kind == ZOID_SIDE || a->datum.kind == ZOID_EDGE);
}

static void bring(const struct zoid_starpu_sink *s, const struct zoid_block *b, struct moving *m)
{
    unsigned here = zoid_sink_node(s, b->lane);

    for (size_t i = 0; i < b->naccess; i++)
        if (has_home(s, &b->access[i]) && !made_here(&b->access[i]))
            start(m, zoid_store_handle(s->job->store, &b->access[i].datum), here);
}

static void send_home(const struct zoid_starpu_sink *s, const struct zoid_block *b,
                      struct moving *m)
{
    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];

        if (a->datum.kind != ZOID_COEFFICIENT && has_home(s, a) && a->next == ZOID_NEXT_RAM &&
            !zoid_sink_stays(s, b))
            start(m, zoid_store_handle(s->job->store, &a->datum),
                  a->datum.kind == ZOID_SLAB ? zoid_store_home(s->job->store) : STARPU_MAIN_RAM);
    }
}

static enum zoid_status move(const struct zoid_starpu_sink *s,
                             void (*data)(const struct zoid_starpu_sink *,
                                          const struct zoid_block *, struct moving *))
{
    /* One for whoever waits, so that nobody is the last before all have started. */
    struct moving m = {
        .mutex = PTHREAD_MUTEX_INITIALIZER, .all = PTHREAD_COND_INITIALIZER, .left = 1};

    for (long i = 0; i < s->serial.n; i++)
        data(s, &s->serial.block[i], &m);
    pthread_mutex_lock(&m.mutex);
    m.left--;
    while (m.left)
        pthread_cond_wait(&m.all, &m.mutex);
    pthread_mutex_unlock(&m.mutex);
    return m.lost ? zoid_fail(ZOID_RESOURCE, "out of memory") : ZOID_OK;
}

static void forget_round(struct zoid_serial *serial)
{
    for (long i = 0; i < serial->n; i++)
        free((void *)serial->block[i].access);
    serial->n = 0;
}

enum zoid_status zoid_serial_init(struct zoid_serial *serial, long most)
{
    *serial =
        (struct zoid_serial){.block = calloc((size_t)most, sizeof *serial->block), .most = most};
    return serial->block ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "out of memory");
}

enum zoid_status zoid_serial_flush(struct zoid_starpu_sink *s)
{
    enum zoid_status status = move(s, bring);

    for (long i = 0; i < s->serial.n && !status; i++)
        status = zoid_sink_submit(s, &s->serial.block[i]);
    starpu_task_wait_for_all();
    if (!status)
        status = move(s, send_home);
    forget_round(&s->serial);
    return status;
}

enum zoid_status zoid_serial_add(struct zoid_starpu_sink *s, const struct zoid_block *b)
{
    struct zoid_serial *serial = &s->serial;
    struct zoid_access *access = malloc(b->naccess * sizeof *access);

    if (!access)
        return zoid_fail(ZOID_RESOURCE, "out of memory for tasks");
    memcpy(access, b->access, b->naccess * sizeof *access);
    serial->block[serial->n] = *b;
    serial->block[serial->n].access = access;
    serial->block[serial->n].nfetch = 0;
    return ++serial->n < serial->most ? ZOID_OK : zoid_serial_flush(s);
}

void zoid_serial_free(struct zoid_serial *serial)
{
    forget_round(serial);
    free(serial->block);
    *serial = (struct zoid_serial){.block = NULL};
}
