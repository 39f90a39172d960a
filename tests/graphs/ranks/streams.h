/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of several legs as complete streams of sink calls: of all ranks or of one. */
#ifndef ZOID_TESTS_GRAPHS_RANKS_STREAMS_H
#define ZOID_TESTS_GRAPHS_RANKS_STREAMS_H

#include "tests/graphs/cases.h"

enum { RUN_LEGS = 3 };

/* Legs of all ranks, and the step at which each ends, by itself or because a sink ends it. */
struct run {
    long legs;
    struct zoid_graph leg[RUN_LEGS];
    long end[RUN_LEGS];
};

/* Makes a random run of several ranks. */
void run_make(uint64_t *seed, const struct zoid_method *method, struct run *run);
/* Restricts a run to one rank. */
void run_of_rank(const struct run *run, int rank, struct run *own);

enum call { CALL_LOAD, CALL_MESSAGE, CALL_JOIN, CALL_BLOCK, CALL_STORE, CALL_LAST };

/* A call of the sink with its arguments. */
struct event {
    enum call call;
    long leg;
    bool first; /* awaited before the leg's first block */
    struct zoid_access access;
    struct zoid_message message;
    struct zoid_block block; /* with its own lists; a join as a block, the written datum first */
    long steps;
};

struct stream {
    struct zoid_sink sink;
    const struct run *run;
    long leg; /* the leg being emitted */
    bool begun;
    struct event *event;
    long events, room;
};

void stream_record(struct stream *stream, const struct run *run);
/* True if the event belongs to the rank; calls of `last` belong to all ranks. */
bool event_of(const struct event *event, int rank);
/* True if two events are equal in all members. */
bool event_same(const struct event *a, const struct event *b);
/* Description of an event; the string is valid until the next call. */
const char *event_words(const struct event *event);
void stream_free(struct stream *stream);

#endif
