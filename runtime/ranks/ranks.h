/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks: processes that a launcher (mpirun, srun) started to work together. Nobody else knows MPI.
 *
 * A rank is a process from zoid_ranks_start to zoid_ranks_end. All ranks call every function here,
 * in the same order, but for zoid_ranks_here, zoid_ranks_know and zoid_ranks_abort. Where there is
 * one rank they do nothing, and MPI is never started. What goes wrong within MPI ends all ranks, as
 * zoid_ranks_abort does. */
#ifndef ZOID_RUNTIME_RANKS_RANKS_H
#define ZOID_RUNTIME_RANKS_RANKS_H

#include "runtime/zoid.h"

struct zoid_ranks {
    int rank, size;           /* which one this is, of how many */
    int host_rank, host_size; /* the same among those of this host */
};

/* One of one until zoid_ranks_start. */
const struct zoid_ranks *zoid_ranks_here(void);

/* Joins the ranks that the launcher started, through the MPI that the caller has started or else
 * through our own; does nothing where that was done. ZOID_RESOURCE, of all ranks: the launcher
 * started several, and this build has no MPI, or MPI knows of one, or it lets one thread speak at a
 * time. */
enum zoid_status zoid_ranks_start(void);
/* zoid_ranks_end is public: it waits for all ranks, and ends the MPI that zoid_ranks_start started.
 */
/* Ends all ranks with that exit code, and says nothing. */
_Noreturn void zoid_ranks_abort(enum zoid_status status);

/* The worst status of all ranks, with the message of the first rank that has it. */
enum zoid_status zoid_ranks_agree(enum zoid_status status);
/* Whether all ranks know of this status: it is a success, they have agreed on it last, or there is
 * one rank. */
bool zoid_ranks_know(enum zoid_status status);

void zoid_ranks_barrier(void);
/* Rank 0's bytes, on all ranks. */
void zoid_ranks_broadcast(void *bytes, size_t n);
/* The least of all ranks, of each of the values; on all ranks. */
void zoid_ranks_least(uint64_t *values, int n);
/* `n` bytes of each rank, fewer than 2 GiB, one rank after the other, on rank 0; elsewhere `all`
 * may be NULL. */
void zoid_ranks_gather(const void *mine, size_t n, void *all);

/* Asks all ranks, without waiting, whether any says yes; and waits for what the last question came
 * to, false where there was none. */
void zoid_ranks_ask(bool yes);
bool zoid_ranks_answer(void);
/* The sums of numbers, and the greatest of one. */
void zoid_ranks_add(double *values, int n);
double zoid_ranks_longest(double seconds);
/* How many seconds the first rank's CLOCK_MONOTONIC is ahead of this rank's: 0 where both are of a
 * host, else right to less than half the time that a message takes to it and back. */
double zoid_ranks_clock(void);
/* Sends `sent` units of so many bytes to a rank, and gets `got` from one, which may be the same;
 * -1: to nobody, or from nobody. A unit has less than 2 GiB. */
struct zoid_pass {
    size_t unit;
    const void *mine;
    long sent;
    int to;
    void *theirs;
    long got;
    int from;
};
void zoid_ranks_pass(const struct zoid_pass *pass);
/* Of `n` bytes that each rank has, the bits that any has; on all ranks. */
void zoid_ranks_combine(void *bytes, size_t n);

struct starpu_conf;
struct zoid_share;
/* What zoid_ranks_start took of this host; but for GPUs, which are shared when a context opens. */
const struct zoid_share *zoid_ranks_share(void);
/* Starts StarPU on all ranks, each with its share, the first of each host before the others, since
 * it measures the machine where nobody has; and where there are several, StarPU-MPI on
 * MPI_COMM_WORLD. ZOID_RESOURCE: it did not start on one. */
enum zoid_status zoid_ranks_start_starpu(const struct zoid_share *share, struct starpu_conf *conf);
/* Waits for all messages, and shuts both down. */
void zoid_ranks_stop_starpu(void);

#endif
