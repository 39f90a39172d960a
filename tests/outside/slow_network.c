/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into all ranks of a host: a slow network. A message on the communicator "zoid messages"
 * arrives SLOW_NETWORK_US microseconds after it was sent, whatever its length and the number of
 * messages in flight. Agreements between ranks use other communicators, and take no longer than
 * without this layer.
 *
 * Each message is accompanied by another one, on a communicator of this layer, with its time of
 * sending by CLOCK_MONOTONIC, which all processes of a host share. Both are matched in the same
 * order. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A receive that has not been reported as complete. */
struct waiting {
    struct waiting *next;
    MPI_Request request;
    bool told;  /* due is set */
    double due; /* in seconds; first receives the time of sending */
    MPI_Request due_comes;
};

static MPI_Comm times = MPI_COMM_NULL;
static struct waiting *first;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double latency(void)
{
    const char *us = getenv("SLOW_NETWORK_US");

    return us ? 1e-6 * atof(us) : 0;
}

static bool is_slow(MPI_Comm comm)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length;

    PMPI_Comm_get_name(comm, name, &length);
    return !strcmp(name, "zoid messages");
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int failed = PMPI_Init_thread(argc, argv, required, provided);

    return failed ? failed : PMPI_Comm_dup(MPI_COMM_WORLD, &times);
}

int MPI_Finalize(void)
{
    PMPI_Comm_free(&times);
    return PMPI_Finalize();
}

/* ---- sending ------------------------------------------------------------------------------- */

static void tell(int to, int tag)
{
    double sent = now();

    PMPI_Send(&sent, 1, MPI_DOUBLE, to, tag, times);
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    if (is_slow(comm))
        tell(to, tag);
    return PMPI_Isend(buffer, count, type, to, tag, comm, request);
}

/* ---- receiving ----------------------------------------------------------------------------- */

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    int failed = PMPI_Irecv(buffer, count, type, from, tag, comm, request);
    struct waiting *w;

    if (failed || !is_slow(comm))
        return failed;
    w = malloc(sizeof *w);
    if (!w)
        abort();
    *w = (struct waiting){.request = *request};
    PMPI_Irecv(&w->due, 1, MPI_DOUBLE, from, tag, times, &w->due_comes);
    pthread_mutex_lock(&guard);
    w->next = first;
    first = w;
    pthread_mutex_unlock(&guard);
    return MPI_SUCCESS;
}

/* The pointer to the receive in the list; points to NULL for any other request. */
static struct waiting **find(MPI_Request request)
{
    struct waiting **w = &first;

    while (*w && (*w)->request != request)
        w = &(*w)->next;
    return w;
}

static void forget(struct waiting **place)
{
    struct waiting *w = *place;

    *place = w->next;
    free(w);
}

/* True if the receive is complete and due. */
static bool arrived(struct waiting *w)
{
    int complete = 0;

    if (w->told)
        return now() >= w->due;
    PMPI_Request_get_status(w->request, &complete, MPI_STATUS_IGNORE);
    if (!complete)
        return false;
    PMPI_Wait(&w->due_comes, MPI_STATUS_IGNORE);
    w->due += latency();
    w->told = true;
    return now() >= w->due;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    struct waiting **w;
    bool early;

    pthread_mutex_lock(&guard);
    w = find(*request);
    early = *w && !arrived(*w);
    if (*w && !early)
        forget(w);
    pthread_mutex_unlock(&guard);
    *flag = 0;
    return early ? MPI_SUCCESS : PMPI_Test(request, flag, status);
}

int MPI_Testsome(int n, MPI_Request request[], int *done, int index[], MPI_Status status[])
{
    *done = 0;
    for (int i = 0; i < n; i++) {
        int complete, failed = MPI_Test(&request[i], &complete, MPI_STATUS_IGNORE);

        if (failed)
            return failed;
        if (complete)
            index[(*done)++] = i;
    }
    (void)status; /* ignored, as by messages */
    return MPI_SUCCESS;
}
