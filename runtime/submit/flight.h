/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks that are submitted and have not ended. StarPU counts as well, but also what sends and
 * receives wait with. */
#ifndef ZOID_RUNTIME_SUBMIT_FLIGHT_H
#define ZOID_RUNTIME_SUBMIT_FLIGHT_H

#include <pthread.h>

struct zoid_flight {
    pthread_mutex_t mutex;
    pthread_cond_t fewer;
    long blocks;
};

void zoid_flight_init(struct zoid_flight *flight);
void zoid_flight_begins(struct zoid_flight *flight);
void zoid_flight_ended(struct zoid_flight *flight);
/* Waits until there are no more than so many. */
void zoid_flight_wait(struct zoid_flight *flight, long most);

#endif
