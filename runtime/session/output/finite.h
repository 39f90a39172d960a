/* SPDX-License-Identifier: BSD-3-Clause */
/* Check for non-finite values (NaN or Inf), with which unstable runs end, made on values that are
 * in a cache anyway, on their way into a file. */
#ifndef ZOID_RUNTIME_SESSION_OUTPUT_FINITE_H
#define ZOID_RUNTIME_SESSION_OUTPUT_FINITE_H

#include "runtime/zoid_advanced.h"

/* The values to check: a state field after `step` steps from time 0. */
struct zoid_finite {
    const struct zoid_problem *problem;
    int field;
    long step;
};

/* Check the values of a box, which are packed. ZOID_CHECK_FAILED: one of them is non-finite; the
 * message names it. */
enum zoid_status zoid_finite_look(const struct zoid_finite *of, const struct zoid_box *box,
                                  const void *values);
/* Read a box of the field, and check the values while they are in a cache. Values that fail are
 * read as well. */
enum zoid_status zoid_finite_read(const struct zoid_finite *of, const struct zoid_job *job,
                                  const struct zoid_box *box, void *room);

#endif
