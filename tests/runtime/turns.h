/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs that are alive at the same time in one context, for tests that run them in turns. */
#ifndef ZOID_TESTS_RUNTIME_TURNS_H
#define ZOID_TESTS_RUNTIME_TURNS_H

#include "runtime/zoid_advanced.h"

/* Steps of a whole run, and of its two parts. */
enum { TURN_STEPS = 19, TURN_FIRST = 7, TURN_SECOND = 12 };

/* A job, with all that it was made of. The problem refers to the other members, so it must not
 * move. */
struct turn {
    struct zoid_problem problem;
    struct zoid_initial initial;
    struct zoid_source source;
    struct zoid_receiver receiver[2];
    struct zoid_points points;
    double series[TURN_STEPS];
    struct zoid_request request;
    bool to_disk;
    uint64_t on_disk;     /* bytes */
    struct zoid_job *job; /* NULL: none */
};

/* heat, wave with a source, and the same wave with another source. */
enum { TURN_KINDS = 3 };

/* Describe a run of that kind, in main memory. */
void turn_describe(struct turn *turn, int kind);
/* Give it a folder, or the context's disk if that is NULL, and the least main memory that it can do
 * with. */
void turn_to_disk(const struct zoid_context *context, struct turn *turn, const char *folder);
/* Plan, create and fill the job. */
void turn_make(struct zoid_context *context, struct turn *turn);
void turn_run(struct turn *turn, long steps);
/* Compare every byte of the state, and the record, with the plain loop nest's. */
void turn_check(struct turn *turn);
/* Return the state, field after field, then the record; the caller frees it. */
char *turn_bytes(const struct turn *turn, size_t *bytes);

#endif
