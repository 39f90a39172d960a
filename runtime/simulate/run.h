/* SPDX-License-Identifier: BSD-3-Clause */
/* The run that is simulated, and its seconds. */
#ifndef ZOID_RUNTIME_SIMULATE_RUN_H
#define ZOID_RUNTIME_SIMULATE_RUN_H

/* Return the seconds of a hop of a collective call; 0 until a run is known. */
double zoid_simulate_hop(double bytes);
/* Return the seconds before the first byte of a message moves. */
double zoid_simulate_way(void);
/* Return the seconds that an end of a message takes the thread of messages. On few cores, a block
 * loses them, too. */
double zoid_simulate_message(double bytes);

#endif
