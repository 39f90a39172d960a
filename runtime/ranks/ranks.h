/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks: processes that a launcher (mpirun, srun) started to work together. Only this folder uses
 * MPI.
 *
 * A rank is a process from zoid_ranks_start to zoid_ranks_end. All functions are collective, called
 * by all ranks in the same order, except zoid_ranks_here, zoid_ranks_know and zoid_ranks_abort.
 * With one rank they do nothing, and MPI is never initialized. An error within MPI ends all ranks,
 * as zoid_ranks_abort does. */
#ifndef ZOID_RUNTIME_RANKS_RANKS_H
#define ZOID_RUNTIME_RANKS_RANKS_H

#include "runtime/zoid_advanced.h"

struct zoid_ranks {
    int rank, size;           /* this rank, of how many */
    int host_rank, host_size; /* the same on this host */
};

/* Return this process's rank; rank 0 of 1 until zoid_ranks_start. */
const struct zoid_ranks *zoid_ranks_here(void);

/* Public: zoid_ranks_start, zoid_ranks_agree and zoid_ranks_abort; and zoid_ranks_end, which waits
 * for all ranks, and finalizes the MPI that zoid_ranks_start initialized. */

/* Return whether all ranks know this status: it is ZOID_OK, the last one that they agreed on, or
 * there is one rank. */
bool zoid_ranks_know(enum zoid_status status);

void zoid_ranks_barrier(void);
/* Broadcast rank 0's bytes to all ranks. */
void zoid_ranks_broadcast(void *bytes, size_t n);
/* Reduce each value to its minimum over all ranks; on all ranks. */
void zoid_ranks_least(uint64_t *values, int n);
/* Gather `n` bytes of each rank, fewer than 2 GiB, in the order of ranks, on rank 0; on other ranks
 * `all` may be NULL. */
void zoid_ranks_gather(const void *mine, size_t n, void *all);

/* Ask all ranks for the greatest of each of `n` numbers, without waiting; and wait for the answer
 * to the last question, of the same number of numbers. False: nothing was asked since the last
 * answer.
 */
enum { ZOID_ASKED_MOST = 8 };
void zoid_ranks_ask(const double *numbers, int n);
bool zoid_ranks_answer(double *numbers, int n);
/* Sum numbers over all ranks, and return the greatest of one; on all ranks. */
void zoid_ranks_add(double *values, int n);
double zoid_ranks_longest(double seconds);
/* Return by how many seconds the first rank's CLOCK_MONOTONIC is ahead of this rank's: 0 if both
 * are on one host, otherwise with an error below half the round trip of a message. */
double zoid_ranks_clock(void);
/* Send `sent` units of `unit` bytes from `mine` to rank `to`, and receive `got` units in `theirs`
 * from rank `from`, which may be the same; -1: no rank. A unit has less than 2 GiB. */
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
/* Reduce `n` bytes by bitwise OR over all ranks; on all ranks. */
void zoid_ranks_combine(void *bytes, size_t n);

struct starpu_conf;
struct zoid_share;
/* Return what zoid_ranks_start took of this host; its GPUs are set when a context opens. */
const struct zoid_share *zoid_ranks_share(void);
/* Start StarPU on all ranks, each with its share; the first rank of each host starts before the
 * others, since it measures the machine if that is not done. With several ranks, start StarPU-MPI
 * on MPI_COMM_WORLD, and the thread that carries messages. ZOID_RESOURCE: it did not start on some
 * rank. */
enum zoid_status zoid_ranks_start_starpu(const struct zoid_share *share, struct starpu_conf *conf);
/* Wait for all messages, and shut all down. */
void zoid_ranks_stop_starpu(void);

#endif
