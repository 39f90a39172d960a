/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks of a simulation, in place of runtime/ranks/mpi.c and post.c. SMPI starts them; all that
 * they tell each other goes through world.h.
 *
 * An actor of each rank is its thread of messages. A message takes the network's `way` and `wire`
 * from one rank to the other (scripts/simulate makes them its latency and bandwidth), and each of
 * its ends keeps the thread busy for a while, so that the next message waits. The thread of a rank
 * on few cores takes that time from the blocks of a core. */
#include <math.h>
#include <starpu_mpi.h>
#include <starpu_thread_util.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/ranks/mpi.h"
#include "runtime/ranks/posted.h"
#include "runtime/simulate/run.h"
#include "runtime/simulate/world.h"

static int rank, size = 1;
static long calls; /* collective ones so far */

/* ---- the world ------------------------------------------------------------------------------ */

bool zoid_mpi_started(void)
{
    return starpu_mpi_world_size() > 1;
}

enum zoid_status zoid_mpi_start(struct zoid_ranks *r)
{
    rank = starpu_mpi_world_rank();
    size = starpu_mpi_world_size();
    *r = (struct zoid_ranks){.rank = rank, .size = size, .host_rank = 0, .host_size = 1};
    return ZOID_OK;
}

void zoid_mpi_end(void)
{
    if (size > 1)
        zoid_mpi_barrier();
}

void zoid_mpi_abort(int code)
{
    fflush(NULL);
    _exit(code);
}

/* ---- collective calls ----------------------------------------------------------------------- */

/* Up a binary tree and down again. */
static struct zoid_world_call call_of(size_t n, size_t all, zoid_world_fn *combine)
{
    const double hops = 2 * ceil(log2(fmax(size, 2)));

    return (struct zoid_world_call){.rank = rank,
                                    .ranks = size,
                                    .n = n,
                                    .all = all,
                                    .combine = combine,
                                    .seconds = hops * zoid_simulate_hop((double)all)};
}

static void together(const struct zoid_world_call *call, const void *mine, void *result)
{
    const long number = calls++;

    zoid_world_tell(call, number, mine);
    zoid_world_hear(call, number, result);
}

/* Reduce in place. */
static void reduce(void *values, size_t n, zoid_world_fn *combine)
{
    const struct zoid_world_call call = call_of(n, n, combine);

    together(&call, values, values);
}

static void nothing(void *all, const void *mine, size_t n, int of, bool first)
{
    (void)all;
    (void)mine;
    (void)n;
    (void)of;
    (void)first;
}

void zoid_mpi_barrier(void)
{
    reduce(NULL, 0, nothing);
}

/* Each rank has a host. */
void zoid_mpi_host_barrier(void)
{
}

void zoid_mpi_host_gather(const void *mine, size_t n, void *all)
{
    memcpy(all, mine, n);
}

uint64_t zoid_mpi_host_least(uint64_t value)
{
    return value;
}

/* All ranks name the same one, whose bytes are the result. */
static int source;

static void from_source(void *all, const void *mine, size_t n, int of, bool first)
{
    (void)first;
    if (of == source)
        memcpy(all, mine, n);
}

void zoid_mpi_broadcast(void *bytes, size_t n, int from)
{
    source = from;
    reduce(bytes, n, from_source);
}

static void least(void *all, const void *mine, size_t n, int of, bool first)
{
    uint64_t *a = all;
    const uint64_t *m = mine;

    (void)of;
    for (size_t i = 0; i < n / sizeof *a; i++)
        a[i] = first || m[i] < a[i] ? m[i] : a[i];
}

void zoid_mpi_least(uint64_t *values, int n)
{
    reduce(values, (size_t)n * sizeof *values, least);
}

uint64_t zoid_mpi_greatest(uint64_t value)
{
    uint64_t complement = ~value;

    zoid_mpi_least(&complement, 1);
    return ~complement;
}

static void longest(void *all, const void *mine, size_t n, int of, bool first)
{
    double *a = all;
    const double *m = mine;

    (void)of;
    for (size_t i = 0; i < n / sizeof *a; i++)
        a[i] = first ? m[i] : fmax(a[i], m[i]);
}

double zoid_mpi_longest(double seconds)
{
    reduce(&seconds, sizeof seconds, longest);
    return seconds;
}

static void add(void *all, const void *mine, size_t n, int of, bool first)
{
    double *a = all;
    const double *m = mine;

    (void)of;
    (void)first;
    for (size_t i = 0; i < n / sizeof *a; i++)
        a[i] += m[i];
}

void zoid_mpi_add(double *values, int n)
{
    reduce(values, (size_t)n * sizeof *values, add);
}

static void put(void *all, const void *mine, size_t n, int of, bool first)
{
    (void)first;
    memcpy((char *)all + (size_t)of * n, mine, n);
}

void zoid_mpi_gather(const void *mine, size_t n, void *all)
{
    const struct zoid_world_call call = call_of(n, n * (size_t)size, put);

    together(&call, mine, rank ? NULL : all);
}

/* The question that is open; -1: none. */
static long asked = -1;
static struct zoid_world_call question;

void zoid_mpi_ask(const double *numbers, int n)
{
    const size_t bytes = (size_t)n * sizeof *numbers;

    question = call_of(bytes, bytes, longest);
    asked = calls++;
    zoid_world_tell(&question, asked, numbers);
}

bool zoid_mpi_answer(double *numbers, int n)
{
    double answer[ZOID_ASKED_MOST] = {0};
    const bool open = asked >= 0;

    if (open)
        zoid_world_hear(&question, asked, answer);
    asked = -1;
    if (n)
        memcpy(numbers, answer, (size_t)n * sizeof *numbers);
    return open;
}

/* All ranks have one clock. */
double zoid_mpi_clock(void)
{
    return 0;
}

/* There are no values to pass, or to combine. */
void zoid_mpi_pass(const struct zoid_pass *pass)
{
    (void)pass;
    zoid_mpi_barrier();
}

void zoid_mpi_combine(void *bytes, size_t n)
{
    (void)bytes;
    (void)n;
    zoid_mpi_barrier();
}

/* ---- messages ------------------------------------------------------------------------------- */

static struct zoid_world_box *box;
static starpu_pthread_t thread;

bool zoid_post_has_tag(long tag)
{
    (void)tag;
    return true;
}

bool zoid_post_reserve(long in_flight)
{
    (void)in_flight;
    return true;
}

void zoid_post_acquired(struct zoid_posted *p)
{
    const struct zoid_message_request *m = &p->request;
    struct zoid_world_end *end = malloc(sizeof *end);

    if (!end) {
        fputs("out of memory for the simulation\n", stderr);
        zoid_mpi_abort(ZOID_RESOURCE);
    }
    *end = (struct zoid_world_end){.rank = rank,
                                   .peer = m->rank,
                                   .tag = m->tag,
                                   .way = zoid_simulate_way(),
                                   .bytes = (double)starpu_data_get_size(m->handle),
                                   .sends = p->sends,
                                   .own = p};
    /* Nothing waits for the thread to post a receive. */
    if (end->sends)
        zoid_world_put(box, end);
    else
        zoid_world_post(end);
}

static void end_message(struct zoid_world_end *end)
{
    zoid_posted_end(end->own);
    free(end);
    zoid_posted_count(1);
}

static void *carry(void *arg)
{
    struct zoid_world_end *end;

    (void)arg;
    while ((end = zoid_world_take(box))) {
        const bool begins = !end->arrived;
        /* Not later: the run may end with its last message, and its plan with it. */
        const double seconds = begins == end->sends ? zoid_simulate_message(end->bytes) : 0;

        if (begins)
            zoid_world_post(end);
        else
            end_message(end);
        if (seconds > 0)
            starpu_sleep((float)seconds);
    }
    return NULL;
}

enum zoid_status zoid_mpi_start_starpu(bool naps)
{
    (void)naps;
    box = zoid_world_open(rank);
    starpu_pthread_create(&thread, NULL, carry, NULL);
    return ZOID_OK;
}

/* StarPU starts StarPU-MPI beside the program, which may end before that has begun. */
void zoid_mpi_stop_starpu(void)
{
    if (size > 1) {
        zoid_mpi_wait();
        zoid_world_put(box, NULL);
        starpu_pthread_join(thread, NULL);
        zoid_mpi_barrier();
        zoid_world_close(box);
    }
    starpu_sleep(1e-3f);
    starpu_mpi_shutdown();
}
