/* SPDX-License-Identifier: BSD-3-Clause */
/* Data that go from rank to rank while StarPU runs. A message is submitted as a task is, and takes
 * its turn among the tasks that access its handle in the order in which they were submitted: one
 * that is sent as a reader, one that is received as a writer.
 *
 * Of the messages from one rank to another with the same tag, the first that is sent meets the
 * first receive. Each tag costs memory until StarPU ends, so let there be few. Post receives before
 * what they receive can have been sent: what comes earlier is copied once more, and its memory
 * counts for nobody. Nothing here waits, but for zoid_parcels_wait. Both calls are for ranks of
 * several. */
#ifndef ZOID_RUNTIME_RANKS_PARCELS_H
#define ZOID_RUNTIME_RANKS_PARCELS_H

#include <starpu.h>

#include "runtime/zoid.h"

struct zoid_parcel {
    starpu_data_handle_t handle;
    int rank; /* to which, or from which */
    int64_t tag;
    int priority;         /* of several that could be sent now the greatest goes first */
    void (*done)(void *); /* when it is sent or received, by the thread of MPI; or NULL */
    void *arg;
};

enum zoid_status zoid_parcel_send(const struct zoid_parcel *message);
enum zoid_status zoid_parcel_receive(const struct zoid_parcel *message);
/* Waits until all tasks and messages that this rank has submitted are done. With one rank too. */
void zoid_parcels_wait(void);

#endif
