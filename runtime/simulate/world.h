/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulated ranks tell one another by the memory of the process, of which all of them are actors.
 * The program is loaded once for each rank; this is a library of its own, which is loaded once.
 *
 * A message is a transfer of SimGrid's from host to host, which begins as soon as both its ends are
 * there:
 *
 *   rank a: zoid_world_post --\                        /--> a's box
 *                              match -> transfer by -> +
 *   rank b: zoid_world_post --/          an actor      \--> b's box
 *
 * Collective calls are numbered, in the same order by all ranks. */
#ifndef ZOID_RUNTIME_SIMULATE_WORLD_H
#define ZOID_RUNTIME_SIMULATE_WORLD_H

#include <stdbool.h>
#include <stddef.h>

/* ---- messages ------------------------------------------------------------------------------- */

/* An end of a message; `own` is its rank's. */
struct zoid_world_end {
    int rank, peer;
    long tag;
    double way, bytes; /* of a send: seconds before its first byte moves, and bytes */
    bool sends, arrived;
    struct zoid_world_end *next;
    void *own;
};

/* Items for an actor of a rank, which takes them one by one. */
struct zoid_world_box;
struct zoid_world_box *zoid_world_open(int rank);
void zoid_world_close(struct zoid_world_box *box);
/* NULL: there will be no more items. */
void zoid_world_put(struct zoid_world_box *box, struct zoid_world_end *end);
/* Wait for an item; NULL: there will be no more. */
struct zoid_world_end *zoid_world_take(struct zoid_world_box *box);

/* Post an end. When its bytes have moved it comes into its rank's box, with `arrived` set. Ends of
 * the same ranks and tag meet in order, and bytes from one rank to another move in the order in
 * which messages have begun, as MPI's connections carry them. */
void zoid_world_post(struct zoid_world_end *end);

/* ---- collective calls ----------------------------------------------------------------------- */

/* Combine the `n` bytes of one rank into the result, which is zeros before the first one. */
typedef void zoid_world_fn(void *all, const void *mine, size_t n, int rank, bool first);

struct zoid_world_call {
    int rank, ranks;
    size_t n, all; /* bytes of a rank, and of the result */
    zoid_world_fn *combine;
    double seconds; /* that it takes after all ranks have called */
};

/* Give this rank's part, without waiting. */
void zoid_world_tell(const struct zoid_world_call *call, long number, const void *mine);
/* Wait until all ranks have, and for the call's seconds, and copy the result; NULL: drop it. */
void zoid_world_hear(const struct zoid_world_call *call, long number, void *result);

#endif
