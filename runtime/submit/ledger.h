/* SPDX-License-Identifier: BSD-3-Clause */
/* Contents of the memories that data stream through: which block needs a datum, and which datum
 * makes room for which.
 *
 * StarPU does not know the coming accesses, and would evict data that are about to be used
 * (docs/design/memory.md). The ledger knows: a block *claims* its data before it is submitted, in
 * the order of the stream, and is submitted when the memory of its worker has room for all of them.
 * Data that it reads are prefetched at once, or when the block that writes them has ended. When the
 * last block with a claim on a copy has ended, the copy stays, is written back to its home, is
 * handed on or is dropped (graphs/residence.h). So StarPU never has to evict.
 *
 * Moves no data itself: callbacks do. Not thread-safe: one thread calls it. */
#ifndef ZOID_RUNTIME_SUBMIT_LEDGER_H
#define ZOID_RUNTIME_SUBMIT_LEDGER_H

#include <stddef.h>

#include "graphs/residence.h"

/* Destinations other than these memories: home, or main memory even if that is not home. */
enum { ZOID_LEDGER_HOME = -1, ZOID_LEDGER_RAM = -2 };

/* Use of a datum by a block. */
struct zoid_ledger_use {
    long datum; /* its index */
    bool reads, writes;
    bool dies; /* its last reader: until it is written again the datum must not be requested */
    enum zoid_residence after;
    int to; /* the memory that it is handed on to */
    /* The ledger's, while the block is in flight; the datum is fetched once `wanted` blocks have
     * written it. */
    int memory;
    long wanted;
    bool past; /* the block has ended: nothing is fetched for it */
    struct zoid_ledger_use *next, **before;
};

/* Callbacks, by which the ledger moves data. They must not call the ledger. Data that die are only
 * dropped, never brought or sent. */
struct zoid_ledger_ways {
    void *self;
    /* Prefetch a copy into a memory; there is no notice of its arrival. */
    void (*bring)(void *self, long datum, int memory);
    /* Copy a datum from a memory to another one, home or to main memory, and later call
     * zoid_ledger_arrived. False: this is not possible now. */
    bool (*send)(void *self, long datum, int from, int to);
    /* Free a copy that no block has claimed, and whose datum is elsewhere too or is `dead` as soon
     * as others have read it. False: the copy is in use, and the ledger will ask again. */
    bool (*drop)(void *self, long datum, int memory, bool dead);
};

struct zoid_ledger_memory {
    unsigned long long capacity, used; /* bytes */
    long leaving;                      /* copies on their way out, or about to be dropped */
};

struct zoid_ledger {
    struct zoid_ledger_ways ways;
    long data;
    int memories;
    bool by_blocks;                  /* not all that stays fits: evict the least recently used */
    const unsigned long long *bytes; /* of each datum; the caller's */
    struct zoid_ledger_memory *memory;
    struct zoid_ledger_copy *copy;   /* of each datum in each memory */
    struct zoid_ledger_datum *datum; /* state common to all memories */
    struct zoid_ledger_use *waiting; /* uses that wait for a block that writes the datum */
    long claimed;                    /* blocks that have claims and have not ended */
    long begun;                      /* claims that blocks have attempted so far */
    long dropping;                   /* the first copy of the list of drops; -1: it is empty */
    long over;                       /* blocks admitted without room */
};

/* Allocate an empty ledger for `data` data and `memories` memories. False: out of memory. Free it
 * after that, too. */
bool zoid_ledger_init(struct zoid_ledger *ledger);
void zoid_ledger_free(struct zoid_ledger *ledger);
/* Claim the data of a block that runs in a memory, each named once; the array is the ledger's until
 * the block has ended. False: there is no room now, and nothing has changed, except that other
 * copies may have been asked to leave; try again when a block has ended, a datum has arrived, or
 * one was dropped. Succeeds whenever nothing is claimed and nothing leaves. */
bool zoid_ledger_claim(struct zoid_ledger *ledger, int memory, struct zoid_ledger_use *use,
                       size_t n);
/* Note that the block with these claims has ended, before the ledger processes that: nothing is
 * fetched for it any more. */
void zoid_ledger_past(struct zoid_ledger_use *use, size_t n);
/* Release the claims of a block that has ended. */
void zoid_ledger_ended(struct zoid_ledger *ledger, int memory, struct zoid_ledger_use *use,
                       size_t n);
/* The copy sent from a memory has arrived; with `kept`, it was not sent after all. */
void zoid_ledger_arrived(struct zoid_ledger *ledger, long datum, int from, bool kept);
/* Retry the drops that were refused. */
void zoid_ledger_settle(struct zoid_ledger *ledger);
/* Empty all memories. Nothing may be claimed. */
void zoid_ledger_clear(struct zoid_ledger *ledger);
/* True if nothing is claimed, and nothing leaves. */
bool zoid_ledger_quiet(const struct zoid_ledger *ledger);

#endif
