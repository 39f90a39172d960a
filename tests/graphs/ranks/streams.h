/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of several legs as the streams that sinks see, kept as a whole: of all ranks or of one. */
#ifndef ZOID_TESTS_GRAPHS_RANKS_STREAMS_H
#define ZOID_TESTS_GRAPHS_RANKS_STREAMS_H

#include "tests/graphs/cases.h"

enum { RUN_LEGS = 3 };

/* Legs of all ranks, and the step at which each of them ends: by itself or as a sink says. */
struct run {
    long legs;
    struct zoid_graph leg[RUN_LEGS];
    long end[RUN_LEGS];
};

/* A random run of several ranks. */
void run_make(uint64_t *seed, const struct zoid_method *method, struct run *run);
/* The same run of one rank. */
void run_of_rank(const struct run *run, int rank, struct run *own);

enum call { CALL_LOAD, CALL_MESSAGE, CALL_JOIN, CALL_BLOCK, CALL_STORE, CALL_LAST };

/* What a sink was called with. */
struct event {
    enum call call;
    long leg;
    bool first; /* what a leg awaits before its first block */
    struct zoid_access access;
    struct zoid_message message;
    struct zoid_block block; /* with lists of its own; a join as a block, which writes first */
    long steps;
};

struct stream {
    struct zoid_sink sink;
    const struct run *run;
    long leg; /* that is emitted */
    bool begun;
    struct event *event;
    long events, room;
};

void stream_record(struct stream *stream, const struct run *run);
/* Whose an event is; a question is everybody's. */
bool event_of(const struct event *event, int rank);
/* Whether two events are the same in everything. */
bool event_same(const struct event *a, const struct event *b);
/* The event in words, valid until the next call. */
const char *event_words(const struct event *event);
void stream_free(struct stream *stream);

#endif
