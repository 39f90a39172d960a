/* SPDX-License-Identifier: BSD-3-Clause */
/* The thread that carries messages by MPI. It sleeps until StarPU has acquired a datum. While
 * requests are open it tests them, and naps between tests if it shares its core; a datum that is
 * acquired ends the nap. The thread holds no lock meanwhile, since workers that end blocks acquire
 * data for messages. */
#define _GNU_SOURCE /* for pthread_setname_np */
#include "runtime/ranks/post.h"

#include <limits.h>
#include <pthread.h>
#include <starpu.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/ranks/mpi.h"
#include "runtime/ranks/nap.h"
#include "runtime/ranks/posted.h"

/* The first nap and the longest; naps are long only after some milliseconds without a message. */
static const double FIRST = 50e-6, LONGEST = 1e-3;
enum { ROOM_AT_FIRST = 64 };

/* Requests that are open: the first `n` of three arrays. */
struct table {
    int n, room;
    MPI_Request *request;
    struct zoid_posted **posted;
    int *done; /* places of requests that a test has found complete */
};

static MPI_Comm comm;
static bool naps;
static int core; /* to poll on, by StarPU's number */
static pthread_t thread;
static struct table table; /* the thread's own */

/* Shared by the thread and the submitting threads. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news;
static struct zoid_posted *first, **last; /* messages whose data are acquired, in order */
static struct table larger;               /* for the thread to take over; room 0: empty */
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

/* So that the thread never lacks any. */
static bool reserve(long in_flight)
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

bool zoid_post_reserve(long in_flight)
{
    bool room;

    pthread_mutex_lock(&mutex);
    room = reserve(in_flight);
    pthread_mutex_unlock(&mutex);
    return room;
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

void zoid_post_acquired(struct zoid_posted *p)
{
    pthread_mutex_lock(&mutex);
    p->next = NULL;
    *last = p;
    last = &p->next;
    pthread_cond_signal(&news);
    pthread_mutex_unlock(&mutex);
}

bool zoid_post_has_tag(long tag)
{
    const int *most;
    int is_set;

    MPI_Comm_get_attr(comm, MPI_TAG_UB, (void *)&most, &is_set);
    return tag <= *most;
}

/* ---- the thread --------------------------------------------------------------------------- */

static void open_request(struct zoid_posted *p)
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

/* Test all requests, and finish messages that are sent or have come. Returns their number. */
static int finish_some(void)
{
    int n, kept = 0;

    MPI_Testsome(table.n, table.request, &n, table.done, MPI_STATUSES_IGNORE);
    for (int i = 0; i < n; i++) {
        zoid_posted_end(table.posted[table.done[i]]);
        table.posted[table.done[i]] = NULL;
    }
    for (int i = 0; n > 0 && i < table.n; i++)
        if (table.posted[i]) {
            table.request[kept] = table.request[i];
            table.posted[kept++] = table.posted[i];
        }
    if (n > 0) {
        table.n = kept;
        zoid_posted_count(n);
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
    struct zoid_posted *p, *next;

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
