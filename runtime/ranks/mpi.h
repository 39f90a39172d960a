/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI, for ranks.c and message_requests.c. Defined only in builds with MPI, and for
 * simulations. */
#ifndef ZOID_RUNTIME_RANKS_MPI_H
#define ZOID_RUNTIME_RANKS_MPI_H

#include "runtime/ranks/ranks.h"

/* Return whether MPI is initialized, by the caller or by zoid_mpi_start. */
__attribute__((weak)) bool zoid_mpi_started(void);
/* Initialize MPI unless that is done; *ranks describes its world, even after a failure. */
__attribute__((weak)) enum zoid_status zoid_mpi_start(struct zoid_ranks *ranks);
__attribute__((weak)) void zoid_mpi_end(void);
__attribute__((weak)) _Noreturn void zoid_mpi_abort(int code);

__attribute__((weak)) void zoid_mpi_barrier(void);
__attribute__((weak)) void zoid_mpi_host_barrier(void);
__attribute__((weak)) void zoid_mpi_broadcast(void *bytes, size_t n, int from);
__attribute__((weak)) uint64_t zoid_mpi_greatest(uint64_t value);
__attribute__((weak)) void zoid_mpi_least(uint64_t *values, int n);
__attribute__((weak)) void zoid_mpi_gather(const void *mine, size_t n, void *all);
__attribute__((weak)) void zoid_mpi_host_gather(const void *mine, size_t n, void *all);
__attribute__((weak)) uint64_t zoid_mpi_host_least(uint64_t value);

__attribute__((weak)) void zoid_mpi_ask(const double *numbers, int n);
__attribute__((weak)) bool zoid_mpi_answer(double *numbers, int n);
__attribute__((weak)) void zoid_mpi_add(double *values, int n);
__attribute__((weak)) double zoid_mpi_longest(double seconds);
__attribute__((weak)) double zoid_mpi_clock(void);
__attribute__((weak)) void zoid_mpi_pass(const struct zoid_pass *pass);
__attribute__((weak)) void zoid_mpi_combine(void *bytes, size_t n);

/* Start and stop StarPU-MPI, for traces, and the thread that carries messages, which may nap
 * (post.h). StarPU is running, and keeps running. */
__attribute__((weak)) enum zoid_status zoid_mpi_start_starpu(bool naps);
__attribute__((weak)) void zoid_mpi_stop_starpu(void);

/* Parcels; the first two return 0 or a negative errno. */
struct zoid_message_request;
__attribute__((weak)) int zoid_mpi_send(const struct zoid_message_request *message);
__attribute__((weak)) int zoid_mpi_receive(const struct zoid_message_request *message);
__attribute__((weak)) void zoid_mpi_wait(void);

#endif
