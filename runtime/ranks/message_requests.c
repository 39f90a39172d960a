/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/message_requests.h"

#include <errno.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/ranks/mpi.h"

static enum zoid_status status_of(const char *what, const struct zoid_message_request *m, int error)
{
    if (error == -ENOMEM)
        return zoid_no_memory();
    return error
               ? zoid_fail(ZOID_RESOURCE, "cannot %s rank %d: %s", what, m->rank, strerror(-error))
               : ZOID_OK;
}

enum zoid_status zoid_message_send(const struct zoid_message_request *m)
{
    return status_of("send to", m, zoid_mpi_send(m));
}

enum zoid_status zoid_message_receive(const struct zoid_message_request *m)
{
    return status_of("receive from", m, zoid_mpi_receive(m));
}

void zoid_message_requests_wait(void)
{
    if (zoid_ranks_here()->size > 1)
        zoid_mpi_wait();
    else
        starpu_task_wait_for_all();
}
