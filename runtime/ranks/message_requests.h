/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between ranks while StarPU runs. A message is submitted like a task and is ordered among
 * the tasks that access its handle by their submission: a send as a reader, a receive as a writer.
 *
 * Messages from one rank to another with the same tag match in order: the first send meets the
 * first receive. MPI may have 32768 tags only, and it copies data that arrive before their receive
 * is posted, in memory that no budget counts. Only zoid_message_requests_wait blocks. Send and
 * receive require several ranks. */
#ifndef ZOID_RUNTIME_RANKS_PARCELS_H
#define ZOID_RUNTIME_RANKS_PARCELS_H

#include <starpu.h>

#include "runtime/zoid.h"

struct zoid_message_request {
    starpu_data_handle_t handle;
    int rank; /* destination or source */
    long tag; /* from 0 */
    /* Called by another thread when it is sent or received, before a task that waits for it begins;
     * or NULL. */
    void (*done)(void *);
    void *arg;
};

/* ZOID_RESOURCE: out of memory, or MPI has no such tag, or cannot send 2 GiB at once. */
enum zoid_status zoid_message_send(const struct zoid_message_request *message);
enum zoid_status zoid_message_receive(const struct zoid_message_request *message);
/* Wait until all tasks and messages that this rank has submitted are done; also valid with one
 * rank. */
void zoid_message_requests_wait(void);

#endif
