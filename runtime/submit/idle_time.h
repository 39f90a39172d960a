/* SPDX-License-Identifier: BSD-3-Clause */
/* Time that workers of a rank idle while a block is held: while it lacks only messages of other
 * ranks.
 *
 * Receives are posted an epoch before their data are needed, so one is always open, which tells
 * nothing. A block is held from its submission, or from the end of the last block that it depends
 * on if that comes later, until the last message that it reads has come.
 *
 * A moment has the idle time: the seconds that all workers together have been idle before it. The
 * length of a span of idle time is the time that workers were idle in it, and overlapping spans
 * count once. A span in which a block was held is known when the block has ended. */
#ifndef ZOID_RUNTIME_SUBMIT_IDLE_TIME_H
#define ZOID_RUNTIME_SUBMIT_IDLE_TIME_H

#include <pthread.h>
#include <starpu.h>
#include <stdbool.h>

/* Disjoint spans that may still grow: earlier ones are settled, and a span is cut if it would
 * overlap with these. */
enum { ZOID_IDLE_SPANS_OPEN = 64 };

struct zoid_moment {
    double time, idle;
};

struct zoid_wait {
    double from, to;
};

struct zoid_idle_time {
    pthread_mutex_t mutex;
    struct zoid_moment now;
    int idle_workers;
    int blocks[STARPU_NMAXWORKERS]; /* of a worker, begun and not ended */
    double settled, until;          /* sum of the settled spans, and the end of the last */
    int open;
    struct zoid_wait wait[ZOID_IDLE_SPANS_OPEN]; /* of idle time, in order */
};

/* Times of a datum: last end of a block that writes it, last end of one that reads it, and last
 * arrival of a message. Initialise with zeros. */
struct zoid_marks {
    struct zoid_moment written, read, came;
};

/* Access of a block to a datum. */
struct zoid_use {
    struct zoid_marks *marks;
    bool writes;
};

/* Submission of a block, and its begin on a worker. */
struct zoid_submission {
    struct zoid_moment submitted, begun;
    int worker;
};

/* Thread-safe. Times are in seconds from any origin, and may be slightly out of order between
 * threads. */
void zoid_idle_time_init(struct zoid_idle_time *waits, int workers, double now);
void zoid_idle_time_submitted(struct zoid_idle_time *waits, double now,
                              struct zoid_submission *turn);
/* Set turn->worker before. A worker may begin a block before its previous one has ended. */
void zoid_idle_time_begins(struct zoid_idle_time *waits, double now, struct zoid_submission *turn);
/* Call before any block that depends on this one can begin. Returns the times between which the
 * block was held; if it was not, `to` is not later than `from`. */
struct zoid_wait zoid_idle_time_ends(struct zoid_idle_time *waits, double now,
                                     const struct zoid_submission *turn, const struct zoid_use *use,
                                     size_t n);
/* A message has arrived; the call may come shortly after blocks that wait for it have begun. */
void zoid_idle_time_came(struct zoid_idle_time *waits, double now, struct zoid_marks *marks);
/* Worker-seconds idle while a block was held. */
double zoid_idle_time_sum(const struct zoid_idle_time *waits);

#endif
