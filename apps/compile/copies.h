/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of arrays that remove anti-dependences: A0[i] = A[i] in loops of their own before a
 * statement, which then reads A0[i + 1] where it read A[i + 1], so that A may be overwritten. */
#ifndef ZOID_APPS_COMPILE_COPIES_H
#define ZOID_APPS_COMPILE_COPIES_H

#include "apps/compile/depend.h"

/* A copy of an array, by a statement of its own in the nest with copies. */
struct zoid_copy {
    struct zoid_nest_array *of, *to;
    int statement;
};

/* A read of a statement of the nest with copies that goes to a copy. */
struct zoid_copied {
    const struct zoid_copy *copy;
    int statement;
    int offset[ZOID_NEST_AXES]; /* from the point, in the direction of indices */
};

struct zoid_copies {
    int n, reads;
    struct zoid_copy *copy;
    struct zoid_copied *read;
    struct zoid_meaning *nest; /* with the copies; its dependences are set, its stages are not */
};

/* Return whether a copy removes a dependence: an anti-dependence of a read whose value does not
 * come from the loops around the statement in the same step. Arrays that take turns have no copies.
 */
bool zoid_copy_removes(const struct zoid_meaning *m, int dependence);
/* Make the copies that remove those of the marked dependences which a copy removes. Refuses a
 * statement too many. */
struct zoid_copies *zoid_copies_make(struct zoid_meaning *m, const bool *marked);

#endif
