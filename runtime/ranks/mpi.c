/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/mpi.h"

#include <math.h>
#include <mpi.h>
#include <starpu_mpi.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/error.h"
#include "runtime/machine/clock.h"
#include "runtime/ranks/nap.h"
#include "runtime/ranks/post.h"

/* Communicators of our own: our messages never match the caller's, nor messages any others. */
static MPI_Comm ours = MPI_COMM_NULL, host = MPI_COMM_NULL, messages = MPI_COMM_NULL;
enum { CLOCK_TAG = 1, PASS_TAG };
static bool started_here;

/* ---- waiting ------------------------------------------------------------------------------ */

/* Longest sleep: until other ranks come, perhaps seconds later, as when one writes a file (a late
 * start then costs little); and while bytes move, since MPI moves some at each poll. */
static const double TILL_THEY_COME = 2e-3, TILL_BYTES_CAME = 50e-6;
/* Bytes that are worth a barrier before their transfer. */
enum { MANY_BYTES = 1 << 16 };

/* No call here blocks within MPI, which would poll: every wait is one of these. */
static void wait_with(MPI_Request *request, double longest)
{
    struct zoid_nap nap = {.since = 0};
    int done = 0;

    while (!MPI_Test(request, &done, MPI_STATUS_IGNORE) && !done)
        zoid_nap(&nap, longest);
}

static void wait_for(MPI_Request request)
{
    wait_with(&request, TILL_THEY_COME);
}

static void barrier(MPI_Comm comm)
{
    MPI_Request request;

    MPI_Ibarrier(comm, &request);
    wait_for(request);
}

/* Prepare a collective call on `bytes` bytes, with a barrier if they are many. Returns the longest
 * sleep while they move. */
static double meet_for(size_t bytes)
{
    if (bytes < MANY_BYTES)
        return TILL_THEY_COME;
    barrier(ours);
    return TILL_BYTES_CAME;
}

static void reduce(void *values, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    MPI_Request request;

    MPI_Iallreduce(MPI_IN_PLACE, values, n, type, op, comm, &request);
    wait_for(request);
}

/* ---- initialization and finalization ------------------------------------------------------ */

bool zoid_mpi_started(void)
{
    int started;

    MPI_Initialized(&started);
    return started;
}

/* Initialize MPI, unless that is done, and return its thread level. */
static enum zoid_status start_mpi(int *level)
{
    int ended;

    MPI_Finalized(&ended);
    if (ended)
        return zoid_fail(ZOID_RESOURCE, "MPI has ended in this process, and starts once; end it "
                                        "when all is done");
    if (zoid_mpi_started()) {
        MPI_Query_thread(level);
        return ZOID_OK;
    }
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, level))
        return zoid_fail(ZOID_RESOURCE, "MPI does not start; does mpirun start other programs?");
    started_here = true;
    return ZOID_OK;
}

enum zoid_status zoid_mpi_start(struct zoid_ranks *r)
{
    int level = MPI_THREAD_SINGLE;
    MPI_Request request;
    enum zoid_status status = start_mpi(&level);

    if (status)
        return status;
    MPI_Comm_idup(MPI_COMM_WORLD, &ours, &request);
    wait_for(request);
    MPI_Comm_idup(ours, &messages, &request);
    wait_for(request);
    MPI_Comm_set_name(messages, "zoid messages");
    MPI_Comm_rank(ours, &r->rank);
    MPI_Comm_size(ours, &r->size);
    barrier(ours);
    MPI_Comm_split_type(ours, MPI_COMM_TYPE_SHARED, r->rank, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &r->host_rank);
    MPI_Comm_size(host, &r->host_size);
    if (level < MPI_THREAD_MULTIPLE)
        return zoid_fail(ZOID_RESOURCE,
                         "this MPI lets one thread speak at a time, and ranks need several; build "
                         "it with MPI_THREAD_MULTIPLE, or ask MPI_Init_thread for that");
    return ZOID_OK;
}

void zoid_mpi_end(void)
{
    if (ours == MPI_COMM_NULL)
        return;
    barrier(ours);
    MPI_Comm_free(&host);
    MPI_Comm_free(&messages);
    MPI_Comm_free(&ours);
    if (started_here)
        MPI_Finalize();
}

/* mpirun forwards a rank's output in pieces, and would print its own between them. */
static void be_heard(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
}

void zoid_mpi_abort(int code)
{
    be_heard();
    MPI_Abort(MPI_COMM_WORLD, code);
    _Exit(code);
}

/* ---- communication ------------------------------------------------------------------------ */

void zoid_mpi_barrier(void)
{
    barrier(ours);
}

void zoid_mpi_host_barrier(void)
{
    barrier(host);
}

/* In parts: MPI counts in int. */
void zoid_mpi_broadcast(void *bytes, size_t n, int from)
{
    const size_t most = 1 << 30;
    const double longest = meet_for(n);

    for (size_t done = 0; done < n; done += most) {
        size_t part = n - done < most ? n - done : most;
        MPI_Request request;

        MPI_Ibcast((char *)bytes + done, (int)part, MPI_BYTE, from, ours, &request);
        wait_with(&request, longest);
    }
}

uint64_t zoid_mpi_greatest(uint64_t value)
{
    reduce(&value, 1, MPI_UINT64_T, MPI_MAX, ours);
    return value;
}

void zoid_mpi_least(uint64_t *values, int n)
{
    reduce(values, n, MPI_UINT64_T, MPI_MIN, ours);
}

/* As one element of n bytes: the bytes of all ranks together would have to fit an int. */
void zoid_mpi_gather(const void *mine, size_t n, void *all)
{
    const double longest = meet_for(n);
    MPI_Datatype bytes;
    MPI_Request request;

    MPI_Type_contiguous((int)n, MPI_BYTE, &bytes);
    MPI_Type_commit(&bytes);
    MPI_Igather(mine, 1, bytes, all, 1, bytes, 0, ours, &request);
    wait_with(&request, longest);
    MPI_Type_free(&bytes);
}

void zoid_mpi_host_gather(const void *mine, size_t n, void *all)
{
    MPI_Request request;

    MPI_Iallgather(mine, (int)n, MPI_BYTE, all, (int)n, MPI_BYTE, host, &request);
    wait_for(request);
}

uint64_t zoid_mpi_host_least(uint64_t value)
{
    reduce(&value, 1, MPI_UINT64_T, MPI_MIN, host);
    return value;
}

static MPI_Request question = MPI_REQUEST_NULL;
static double answer[ZOID_ASKED_MOST];

void zoid_mpi_ask(const double *numbers, int n)
{
    memcpy(answer, numbers, (size_t)n * sizeof *numbers);
    MPI_Iallreduce(MPI_IN_PLACE, answer, n, MPI_DOUBLE, MPI_MAX, ours, &question);
}

bool zoid_mpi_answer(double *numbers, int n)
{
    const bool asked = question != MPI_REQUEST_NULL;

    wait_with(&question, TILL_THEY_COME);
    for (int i = 0; i < n; i++)
        numbers[i] = asked ? answer[i] : 0;
    return asked;
}

void zoid_mpi_add(double *values, int n)
{
    reduce(values, n, MPI_DOUBLE, MPI_SUM, ours);
}

double zoid_mpi_longest(double seconds)
{
    reduce(&seconds, 1, MPI_DOUBLE, MPI_MAX, ours);
    return seconds;
}

/* Rounds of messages: fewer if a round takes long, as when ranks wait for cores, but some. */
enum { CLOCK_MOST = 100, CLOCK_LEAST = 10 };
static const double CLOCK_SECONDS = 0.1;

/* Bounds of the seconds by which the first rank's clock is ahead of another. */
struct ahead {
    double least, most;
};

static void send_clock(const void *what, MPI_Datatype type, int rank)
{
    MPI_Request request;

    MPI_Isend(what, 1, type, rank, CLOCK_TAG, ours, &request);
    wait_for(request);
}

static void receive_clock(void *what, MPI_Datatype type, int rank)
{
    MPI_Request request;

    MPI_Irecv(what, 1, type, rank, CLOCK_TAG, ours, &request);
    wait_for(request);
}

static void tell_clock(int rank)
{
    unsigned char asks;
    double time;

    for (;;) {
        receive_clock(&asks, MPI_BYTE, rank);
        if (!asks)
            return;
        time = zoid_machine_clock();
        send_clock(&time, MPI_DOUBLE, rank);
    }
}

/* The first rank read its clock between the question and the arrival of the answer. */
static struct ahead ask_clock(void)
{
    const double start = zoid_machine_clock();
    struct ahead ahead = {-INFINITY, INFINITY};
    unsigned char asks = 1;
    double time;

    for (int i = 0;
         i < CLOCK_MOST && (i < CLOCK_LEAST || zoid_machine_clock() < start + CLOCK_SECONDS); i++) {
        const double before = zoid_machine_clock();

        send_clock(&asks, MPI_BYTE, 0);
        receive_clock(&time, MPI_DOUBLE, 0);
        ahead.least = fmax(ahead.least, time - zoid_machine_clock());
        ahead.most = fmin(ahead.most, time - before);
    }
    asks = 0;
    send_clock(&asks, MPI_BYTE, 0);
    return ahead;
}

/* Ranks of a host share one clock, unless their bounds contradict that; the first rank's offset is
 * 0. */
static struct ahead of_host(struct ahead ahead)
{
    struct ahead all = ahead;

    reduce(&all.least, 1, MPI_DOUBLE, MPI_MAX, host);
    reduce(&all.most, 1, MPI_DOUBLE, MPI_MIN, host);
    return all.least <= all.most ? all : ahead;
}

double zoid_mpi_clock(void)
{
    struct ahead ahead = {0, 0};
    int rank, size;

    MPI_Comm_rank(ours, &rank);
    MPI_Comm_size(ours, &size);
    if (rank > 0)
        ahead = ask_clock();
    for (int r = 1; rank == 0 && r < size; r++)
        tell_clock(r);
    ahead = of_host(ahead);
    return (ahead.least + ahead.most) / 2;
}

/* In whole units: bytes might exceed MPI's counts. Ranks send and receive different amounts, so
 * there is always a barrier. */
void zoid_mpi_pass(const struct zoid_pass *p)
{
    MPI_Datatype unit;
    MPI_Request out, in;

    MPI_Type_contiguous((int)p->unit, MPI_BYTE, &unit);
    MPI_Type_commit(&unit);
    barrier(ours);
    MPI_Irecv(p->theirs, (int)p->got, unit, p->from < 0 ? MPI_PROC_NULL : p->from, PASS_TAG, ours,
              &in);
    MPI_Isend(p->mine, (int)p->sent, unit, p->to < 0 ? MPI_PROC_NULL : p->to, PASS_TAG, ours, &out);
    wait_with(&in, TILL_BYTES_CAME);
    wait_with(&out, TILL_BYTES_CAME);
    MPI_Type_free(&unit);
}

/* In parts: MPI allocates a buffer of the size that it reduces at a time. */
void zoid_mpi_combine(void *bytes, size_t n)
{
    const size_t most = 1 << 24;
    const double longest = meet_for(n);

    for (size_t done = 0; done < n; done += most) {
        size_t part = n - done < most ? n - done : most;
        MPI_Request request;

        MPI_Iallreduce(MPI_IN_PLACE, (char *)bytes + done, (int)part, MPI_BYTE, MPI_BOR, ours,
                       &request);
        wait_with(&request, longest);
    }
}

/* ---- StarPU ------------------------------------------------------------------------------- */

/* Parcels first: StarPU-MPI, which is there for traces, would take the core that StarPU has left.
 */
enum zoid_status zoid_mpi_start_starpu(bool naps)
{
    if (!zoid_post_start(messages, naps))
        return zoid_no_memory();
    if (starpu_mpi_init_comm(NULL, NULL, 0, MPI_COMM_WORLD))
        return zoid_fail(ZOID_RESOURCE, "StarPU-MPI does not start; run scripts/setup again");
    return ZOID_OK;
}

/* With traces, StarPU-MPI has a barrier of its own. */
void zoid_mpi_stop_starpu(void)
{
    zoid_post_stop();
    barrier(ours);
    starpu_mpi_shutdown();
}
