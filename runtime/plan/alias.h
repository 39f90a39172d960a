/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of methods in papers, and of choices of a request. */
#ifndef ZOID_RUNTIME_PLAN_ALIAS_H
#define ZOID_RUNTIME_PLAN_ALIAS_H

#include "runtime/zoid_advanced.h"

/* A name from the literature, and the choices of a request that it stands for. */
struct zoid_alias {
    const char *name;
    const char *method;
    enum zoid_traversal traversal;
    enum zoid_overlap overlap;
    long depth;  /* 0: any */
    bool strips; /* planes are cut into strips; otherwise they are not cut */
    bool ranks;  /* each rank has a part of every plane: the slowest axis is not split */
    bool single; /* one slab per cell, one visit per epoch; the request may name cells */
};

/* All aliases; the last entry has a NULL name. */
extern const struct zoid_alias zoid_aliases[];
/* Return the alias of that name; NULL: unknown. */
const struct zoid_alias *zoid_alias_find(const char *name);
/* Replace an alias as the request's method by the choices that it stands for, and return the alias
 * in *alias. No change if the method is no alias. `chain` is the slowest axis of the domain.
 * ZOID_BAD_ARGUMENT: the request makes a choice that the alias does not stand for. */
enum zoid_status zoid_alias_apply(struct zoid_request *request, int chain,
                                  const struct zoid_alias **alias);

/* Return the name that --traversal accepts. */
const char *zoid_traversal_name(enum zoid_traversal traversal);
/* Return the name that --balance accepts. */
const char *zoid_balance_name(enum zoid_balance balance);
/* Return the name that --overlap accepts. */
const char *zoid_overlap_name(enum zoid_overlap overlap);

#endif
