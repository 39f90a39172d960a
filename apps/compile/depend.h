/* SPDX-License-Identifier: BSD-3-Clause */
/* Dependences between the statements of a nest, by isl. */
#ifndef ZOID_APPS_COMPILE_DEPEND_H
#define ZOID_APPS_COMPILE_DEPEND_H

#include "apps/compile/meaning.h"

enum zoid_dependence_kind { ZOID_FLOW, ZOID_ANTI, ZOID_OUTPUT };

/* Statement `to` depends on statement `from`, `distance` later: in time, then along each axis of
 * the arrays, slowest first, in the directions of the loops. */
struct zoid_dependence {
    int from, to;
    enum zoid_dependence_kind kind;
    int distance[1 + ZOID_NEST_AXES];
    size_t at; /* of the read, or the later write, in the source */
};

struct zoid_dependences {
    int statements, dims; /* 1 and the axes */
    int n;
    struct zoid_dependence *dependence; /* in the order of their members, each once */
};

/* Find them; without regard to `mirrored` of the nest, which zoid_depend_mirror then applies. For
 * two accesses to one place, only the next one depends on the first, as in Candl. Refuses
 * dependences that are not uniform, and nests that take too long. */
struct zoid_dependences *zoid_depend(struct zoid_meaning *m);
/* Turn the distances along mirrored axes, and sort. */
void zoid_depend_mirror(struct zoid_meaning *m, struct zoid_dependences *all);
const char *zoid_dependence_name(enum zoid_dependence_kind kind);

#endif
