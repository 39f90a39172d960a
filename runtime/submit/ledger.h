/* SPDX-License-Identifier: BSD-3-Clause */
/* What is in memories that data come and go through: who wants it, and what makes room for what.
 *
 * StarPU, which knows nothing of what comes next, would evict data that are about to be used
 * (docs/design/memory.md). The ledger knows: a block *claims* its data before it is submitted, in
 * the order of the stream, and is submitted when the memory of who runs it has room for all of
 * them. What it reads is asked for at once, or when the block that writes it has ended. When the
 * last block that has claimed a copy has ended, the copy stays, goes home, is handed on or is
 * dropped (graphs/residence.h). So StarPU never has to evict anything.
 *
 * A plain object: it moves nothing itself, but asks for it. One thread calls it. */
#ifndef ZOID_RUNTIME_SUBMIT_LEDGER_H
#define ZOID_RUNTIME_SUBMIT_LEDGER_H

#include <stddef.h>

#include "graphs/residence.h"

/* Where data go that are in none of the memories: home, or main memory where that is not home. */
enum { ZOID_LEDGER_HOME = -1, ZOID_LEDGER_RAM = -2 };

/* A block's use of a datum. */
struct zoid_ledger_use {
    long datum; /* its number */
    bool reads, writes;
    bool dies; /* nobody reads it afterwards: until it is written again nobody may ask for it */
    enum zoid_residence after;
    int to; /* the memory that it is handed on to */
    /* The ledger's, while the block is on its way: it comes when so many have written the datum. */
    int memory;
    long wanted;
    bool past; /* or the block has ended, and needs nothing */
    struct zoid_ledger_use *next, **before;
};

/* What the ledger asks for, but of data that die. None of these may call the ledger. */
struct zoid_ledger_ways {
    void *self;
    /* A copy is to come to a memory; nobody tells when it has. */
    void (*bring)(void *self, long datum, int memory);
    /* What a memory has is to go to another one, home or to main memory; zoid_ledger_arrived is
     * told when it is there. False: it cannot go now. */
    bool (*send)(void *self, long datum, int from, int to);
    /* Frees a copy that nobody wants, and whose datum is `dead` as soon as others have read it, or
     * is elsewhere too. False: somebody still has it, and it is asked for again. */
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
    bool
        by_blocks; /* a memory has no room for all that stays: what was used longest ago makes it */
    const unsigned long long *bytes; /* of each datum; the caller's */
    struct zoid_ledger_memory *memory;
    struct zoid_ledger_copy *copy;   /* of each datum in each memory */
    struct zoid_ledger_datum *datum; /* what holds in all memories */
    struct zoid_ledger_use *waiting; /* for blocks that write what they read */
    long claimed;                    /* blocks that have claimed data and not ended */
    long begun;                      /* blocks that have claimed data so far */
    long dropping;                   /* the first copy that is to be dropped; -1: there is none */
    long over;                       /* blocks that had to go on without room */
};

/* Nothing is there. False: out of memory. Free it after that as well. */
bool zoid_ledger_init(struct zoid_ledger *ledger);
void zoid_ledger_free(struct zoid_ledger *ledger);
/* A block that runs in a memory claims its data, each named once; the array is the ledger's until
 * the block has ended. False: there is no room now, and
 * nothing has changed but that others may have been asked to leave; ask again when a block has
 * ended, a datum has arrived, or some have been dropped. There is always room when nothing is
 * claimed and nothing leaves. */
bool zoid_ledger_claim(struct zoid_ledger *ledger, int memory, struct zoid_ledger_use *use,
                       size_t n);
/* A block that has claimed these has ended, but the ledger is told of others before it: nothing is
 * brought for it any more. */
void zoid_ledger_past(struct zoid_ledger_use *use, size_t n);
/* A block that has claimed these has ended. */
void zoid_ledger_ended(struct zoid_ledger *ledger, int memory, struct zoid_ledger_use *use,
                       size_t n);
/* What was sent from a memory has arrived; or it was `kept`: it was not sent after all. */
void zoid_ledger_arrived(struct zoid_ledger *ledger, long datum, int from, bool kept);
/* Asks again for drops that were refused. */
void zoid_ledger_settle(struct zoid_ledger *ledger);
/* Nothing is claimed: all that is there leaves. */
void zoid_ledger_clear(struct zoid_ledger *ledger);
/* Whether nothing is claimed, and nothing leaves. */
bool zoid_ledger_quiet(const struct zoid_ledger *ledger);

#endif
