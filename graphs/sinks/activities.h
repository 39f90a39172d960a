/* SPDX-License-Identifier: BSD-3-Clause */
/* Event-driven schedule of activities on resources: an activity begins when all that it waits for
 * have ended and its resource is free, and the clock goes from one end to the next. */
#ifndef ZOID_GRAPHS_SINKS_ACTIVITIES_H
#define ZOID_GRAPHS_SINKS_ACTIVITIES_H

#include <stdbool.h>

/* Resources serve in the order in which activities become ready, workers in that of their numbers.
 * - NOWHERE: takes its seconds without a resource.
 * - WORKERS: as many at a time as there are.
 * - UP, DOWN: links to and from a memory, one at a time each.
 * - THREAD: one at a time; those that wait for it go on when it begins.
 * - WIRE: one for each peer at a time, which share the bandwidth. */
enum zoid_resource_of_activity {
    ZOID_ON_NOTHING,
    ZOID_ON_WORKERS,
    ZOID_ON_UP,
    ZOID_ON_DOWN,
    ZOID_ON_THREAD,
    ZOID_ON_WIRE,
    ZOID_ON_ALL
};
enum { ZOID_PEERS = 27 };

struct zoid_activity {
    enum zoid_resource_of_activity on;
    int peer;       /* of one on the wire */
    double seconds; /* without others on its resource */
    long waits;     /* number of activities that it waits for */
    long after;     /* list of those that wait for it */
    bool ended;     /* for those that wait for it */
    long of, n;     /* the caller's */
};

/* List element: an activity, and the index of the next element; 0 ends a list. */
struct zoid_activity_link {
    long activity, next;
};

struct zoid_activity_heap;

/* Activities are numbered from 1. Set `workers`, `steals`, `ended` and `self`, the rest to 0. */
struct zoid_activities {
    int workers;
    bool steals; /* the thread's seconds are lost to the next activity of a worker */
    void (*ended)(void *self, long activity); /* may make activities; NULL: nothing */
    void *self;
    double now;
    bool failed; /* out of memory */
    struct zoid_activity *all;
    long n, room;
    struct zoid_activity_link *link;
    long links, room_for_links;
    struct zoid_activity_heap *heap; /* ready activities, by resource, and running ones */
    int busy[ZOID_ON_ALL];
    double owed, left[ZOID_PEERS]; /* left: of each peer's message, at the whole bandwidth */
};

bool zoid_activities_init(struct zoid_activities *a);
void zoid_activities_free(struct zoid_activities *a);
/* Make an activity, which begins after zoid_activity_listed at the earliest. Returns 0 if memory
 * has run out. */
long zoid_activity_make(struct zoid_activities *a, enum zoid_resource_of_activity on,
                        double seconds);
/* Let one wait for another; 0: for none. */
void zoid_activity_wait(struct zoid_activities *a, long activity, long other);
/* All that it waits for is listed. */
void zoid_activity_listed(struct zoid_activities *a, long activity);
/* Prepend to a list of activities. */
void zoid_activity_prepend(struct zoid_activities *a, long *list, long activity);
/* Wait for all of a list. */
void zoid_activity_wait_list(struct zoid_activities *a, long activity, long list);
/* Go on to the next end, and to all at the same time; false if nothing runs. */
bool zoid_activities_go_on(struct zoid_activities *a);

#endif
