/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a state still has numbers: one that was not stable ends with infinities and none. Looked
 * for where values pass by anyway, on their way into a file. */
#ifndef ZOID_RUNTIME_SESSION_OUTPUT_FINITE_H
#define ZOID_RUNTIME_SESSION_OUTPUT_FINITE_H

#include "runtime/zoid.h"

/* What is looked at: a state field after so many steps from time 0. */
struct zoid_finite {
    const struct zoid_problem *problem;
    int field;
    long step;
};

/* Looks at the values of a box, one after the other. ZOID_CHECK_FAILED: one of them is no number,
 * which the message names. */
enum zoid_status zoid_finite_look(const struct zoid_finite *of, const struct zoid_box *box,
                                  const void *values);
/* Reads a box of it, and looks at the values while they are in a cache. Those that are no numbers
 * are there as well. */
enum zoid_status zoid_finite_read(const struct zoid_finite *of, const struct zoid_job *job,
                                  const struct zoid_box *box, void *room);

#endif
