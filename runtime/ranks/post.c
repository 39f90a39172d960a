/* SPDX-License-Identifier: BSD-3-Clause */
/* Parcels on their way, from the left to the right; all but the ends is done by one thread:
 *
 *   submitted:  StarPU      acquired:    open:              done:
 *   the datum is acquired   a list  -->  MPI tests them --> the datum is released
 *
 * The thread sleeps until StarPU has acquired a datum. While requests are open it tests them, and
 * naps between tests if it shares its core; a datum that is acquired ends the nap. The thread holds
 * no lock meanwhile, since workers that end blocks acquire data for messages. */
#define _GNU_SOURCE /* for pthread_setname_np */
#include "runtime/ranks/post.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <starpu.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/ranks/message_requests.h"
#include "runtime/ranks/mpi.h"
#include "runtime/ranks/nap.h"

/* The first nap and the longest; naps are long only after some milliseconds without a message. */
static const double FIRST = 50e-6, LONGEST = 1e-3;
enum { ROOM_AT_FIRST = 64 };

struct posted {
    struct zoid_message_request request;
    bool sends;
    struct posted *next;
};

/* Requests that are open: the first `n` of three arrays. */
struct table {
    int n, room;
    MPI_Request *request;
    struct posted **posted;
    int *done; /* places of requests that a test has found complete */
};

static MPI_Comm comm;
static bool naps;
static int core; /* to poll on, by StarPU's number */
static pthread_t thread;
static struct table table; /* the thread's own */

/* Shared by the thread and the submitting threads. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news, idle = PTHREAD_COND_INITIALIZER;
static struct posted *first, **last; /* messages whose data are acquired, in order */
static long in_flight;               /* messages that are submitted and not done */
static struct table larger;          /* for the thread to take over; room 0: empty */
static bool ends;

/* ---- room for requests -------------------------------------------------------------------- */

static void free_table(struct table *t)
{
    free(t->request);
    free(t->posted);
    free(t->done);
    *t = (struct table){.room = 0};
}

static bool make_table(int room, struct table *t)
{
    *t = (struct table){.room = room,
                        .request = malloc((size_t)room * sizeof *t->request),
                        .posted = malloc((size_t)room * sizeof *t->posted),
                        .done = malloc((size_t)room * sizeof *t->done)};
    if (t->request && t->posted && t->done)
        return true;
    free_table(t);
    return false;
}

/* Have room for one more request in flight, so that the thread never lacks any. */
static bool reserve(void)
{
    const int room = larger.room ? larger.room : table.room;
    struct table more;

    if (in_flight < room)
        return true;
    if (room > INT_MAX / 2 || !make_table(2 * room, &more))
        return false;
    free_table(&larger);
    larger = more;
    return true;
}

static void take_over_larger(void)
{
    if (!larger.room)
        return;
    memcpy(larger.request, table.request, (size_t)table.n * sizeof *table.request);
    memcpy(larger.posted, table.posted, (size_t)table.n * sizeof *table.posted);
    larger.n = table.n;
    free_table(&table);
    table = larger;
    larger = (struct table){.room = 0};
}

/* ---- submission --------------------------------------------------------------------------- */

static void acquired(void *arg)
{
    struct posted *p = arg;

    pthread_mutex_lock(&mutex);
    p->next = NULL;
    *last = p;
    last = &p->next;
    pthread_cond_signal(&news);
    pthread_mutex_unlock(&mutex);
}

static void count_done(int n)
{
    pthread_mutex_lock(&mutex);
    in_flight -= n;
    if (!in_flight)
        pthread_cond_broadcast(&idle);
    pthread_mutex_unlock(&mutex);
}

/* MPI counts bytes in int, and has fewer tags. */
static int check(const struct zoid_message_request *m)
{
    const int *most;
    int is_set;

    if (starpu_data_get_size(m->handle) > INT_MAX)
        return -EMSGSIZE;
    MPI_Comm_get_attr(comm, MPI_TAG_UB, (void *)&most, &is_set);
    return m->tag <= *most ? 0 : -ERANGE;
}

static int submit(const struct zoid_message_request *m, bool sends)
{
    struct posted *p;
    int error = check(m);
    bool room;

    if (error)
        return error;
    p = malloc(sizeof *p);
    pthread_mutex_lock(&mutex);
    room = p && reserve();
    in_flight += room;
    pthread_mutex_unlock(&mutex);
    if (!room) {
        free(p);
        return -ENOMEM;
    }
    *p = (struct posted){.request = *m, .sends = sends};
    error = starpu_data_acquire_on_node_cb(m->handle, STARPU_MAIN_RAM, sends ? STARPU_R : STARPU_W,
                                           acquired, p);
    if (!error)
        return 0;
    free(p);
    count_done(1);
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

/* ---- the thread --------------------------------------------------------------------------- */

static void open_request(struct posted *p)
{
    const struct zoid_message_request *m = &p->request;
    void *bytes = starpu_data_handle_to_pointer(m->handle, STARPU_MAIN_RAM);
    const int n = (int)starpu_data_get_size(m->handle), tag = (int)m->tag;
    MPI_Request *request = &table.request[table.n];

    if (p->sends)
        MPI_Isend(bytes, n, MPI_BYTE, m->rank, tag, comm, request);
    else
        MPI_Irecv(bytes, n, MPI_BYTE, m->rank, tag, comm, request);
    table.posted[table.n++] = p;
}

static void finish(struct posted *p)
{
    if (p->request.done)
        p->request.done(p->request.arg);
    starpu_data_release_on_node(p->request.handle, STARPU_MAIN_RAM);
    free(p);
}

/* Test all requests, and finish messages that are sent or have come. Returns their number. */
static int finish_some(void)
{
    int n, kept = 0;

    MPI_Testsome(table.n, table.request, &n, table.done, MPI_STATUSES_IGNORE);
    for (int i = 0; i < n; i++) {
        finish(table.posted[table.done[i]]);
        table.posted[table.done[i]] = NULL;
    }
    for (int i = 0; n > 0 && i < table.n; i++)
        if (table.posted[i]) {
            table.request[kept] = table.request[i];
            table.posted[kept++] = table.posted[i];
        }
    if (n > 0) {
        table.n = kept;
        count_done(n);
    }
    return n;
}

/* Nap until there are news, at most. */
static void nap_for(double seconds)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(seconds * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&news, &mutex, &until);
}

/* Open the requests of acquired data; before that, wait for some if no request is open, and nap if
 * none has completed. Returns false if there will be no more. */
static bool open_news(struct zoid_nap *nap, bool none_done)
{
    struct posted *p, *next;

    pthread_mutex_lock(&mutex);
    while (!first && !table.n && !ends)
        pthread_cond_wait(&news, &mutex);
    if (!first && table.n && none_done && naps)
        nap_for(zoid_nap_next(nap, LONGEST));
    p = first;
    first = NULL;
    last = &first;
    take_over_larger();
    pthread_mutex_unlock(&mutex);
    if (p || !none_done)
        *nap = (struct zoid_nap){.next = FIRST};
    for (; p; p = next) {
        next = p->next;
        open_request(p);
    }
    return table.n > 0;
}

static void *carry(void *arg)
{
    struct zoid_nap nap = {.next = FIRST};
    bool none_done = false;

    (void)arg;
    pthread_setname_np(pthread_self(), "zoid-messages");
    if (!naps)
        starpu_bind_thread_on(core, STARPU_THREAD_ACTIVE, "messages");
    while (open_news(&nap, none_done))
        none_done = !finish_some();
    return NULL;
}

bool zoid_post_start(MPI_Comm messages, bool shares_core)
{
    pthread_condattr_t clock;
    bool started;

    if (!make_table(ROOM_AT_FIRST, &table))
        return false;
    comm = messages;
    naps = shares_core;
    if (!naps)
        core = (int)starpu_get_next_bindid(STARPU_THREAD_ACTIVE, NULL, 0);
    ends = false;
    first = NULL;
    last = &first;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&news, &clock);
    pthread_condattr_destroy(&clock);
    started = !pthread_create(&thread, NULL, carry, NULL);
    if (!started) {
        pthread_cond_destroy(&news);
        free_table(&table);
    }
    return started;
}

void zoid_post_stop(void)
{
    zoid_mpi_wait();
    pthread_mutex_lock(&mutex);
    ends = true;
    pthread_cond_signal(&news);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    pthread_cond_destroy(&news);
    free_table(&larger);
    free_table(&table);
}
