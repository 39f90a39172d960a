/* SPDX-License-Identifier: BSD-3-Clause */
/* How long workers of a rank have nothing to run while a block is held: while it lacks nothing but
 * messages of other ranks.
 *
 * Receives are posted an epoch before anybody wants what they bring, so one is always open, and
 * that says nothing. A block is held from its submission, or from the end of the last block that it
 * follows in some datum if that comes later, to when the last message that it reads has come.
 *
 * A moment knows the idle time: the seconds that all workers together have been idle before. A span
 * of that is as long as workers were idle in it, and what is held at the same time counts once.
 * From when to when a block was held is known when it has ended. */
#ifndef ZOID_RUNTIME_SUBMIT_WAITS_H
#define ZOID_RUNTIME_SUBMIT_WAITS_H

#include <pthread.h>
#include <starpu.h>
#include <stdbool.h>

/* Spans apart from each other that are open to more: those before them are settled, and what would
 * reach into them is cut. */
enum { ZOID_WAITS_OPEN = 64 };

struct zoid_moment {
    double time, idle;
};

struct zoid_wait {
    double from, to;
};

struct zoid_waits {
    pthread_mutex_t mutex;
    struct zoid_moment now;
    int idle_workers;
    int blocks[STARPU_NMAXWORKERS]; /* that a worker has begun and not ended */
    double settled, until; /* the sum of spans that are settled, and the end of the last of them */
    int open;
    struct zoid_wait wait[ZOID_WAITS_OPEN]; /* of idle time, in order */
};

/* Of a datum: when a block that writes it ended last, one that reads it, and when a message came
 * into it last. Begins at 0. */
struct zoid_marks {
    struct zoid_moment written, read, came;
};

/* What a block does with a datum. */
struct zoid_use {
    struct zoid_marks *marks;
    bool writes;
};

/* Of a block that was submitted; and has begun, on a worker. */
struct zoid_turn {
    struct zoid_moment submitted, begun;
    int worker;
};

/* Times are seconds after some moment, and may come a little out of order from several threads. */
void zoid_waits_init(struct zoid_waits *waits, int workers, double now);
void zoid_waits_submitted(struct zoid_waits *waits, double now, struct zoid_turn *turn);
/* turn->worker is set. A worker may begin a block before the last one has ended. */
void zoid_waits_begins(struct zoid_waits *waits, double now, struct zoid_turn *turn);
/* Before any block may begin that follows it. Returns the times from which and up to which it was
 * held; where it was not, the second is not the later one. */
struct zoid_wait zoid_waits_ends(struct zoid_waits *waits, double now, const struct zoid_turn *turn,
                                 const struct zoid_use *use, size_t n);
/* A message is there; perhaps a moment after blocks that wait for it have begun. */
void zoid_waits_came(struct zoid_waits *waits, double now, struct zoid_marks *marks);
/* Worker-seconds. */
double zoid_waits_sum(const struct zoid_waits *waits);

#endif
