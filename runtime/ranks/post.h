/* SPDX-License-Identifier: BSD-3-Clause */
/* The thread that sends and receives messages. Compiled only with MPI. */
#ifndef ZOID_RUNTIME_RANKS_POST_H
#define ZOID_RUNTIME_RANKS_POST_H

#include <mpi.h>
#include <stdbool.h>

/* Start the thread, for messages on `comm`, which has no other messages. StarPU is running. `naps`:
 * it naps while it waits for messages, since it shares its core; otherwise it polls, and takes a
 * core that StarPU has left. False: out of memory or threads. */
bool zoid_post_start(MPI_Comm comm, bool naps);
/* Wait for all tasks and messages, and end the thread. */
void zoid_post_stop(void);

#endif
