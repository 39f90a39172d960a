/* SPDX-License-Identifier: BSD-3-Clause */
/* Count of the blocks in flight: submitted and not ended. StarPU's own count includes the tasks
 * with which sends and receives wait. */
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
/* Wait until at most `most` blocks are in flight. */
void zoid_flight_wait(struct zoid_flight *flight, long most);

#endif
