/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes that a plan has moved between memories: those that move if every datum comes once a
 * visit (graphs/sinks/moves.c). */
#ifndef ZOID_RUNTIME_PLAN_MOVES_H
#define ZOID_RUNTIME_PLAN_MOVES_H

#include "runtime/zoid.h"

/* What is known of a run beside its plan. */
struct zoid_moves_run {
    long end;     /* the step at whose end it was stopped; 0: it was not */
    bool settled; /* runs before it have brought what GPUs keep of coefficients */
    double (*bytes)(const void *of, const struct zoid_datum *datum); /* NULL: as the plan has it */
    const void *of;
};

/* Of the plan's own rank. Goes through all blocks, about a microsecond each. Numbers are NaN where
 * nobody knows: there are so many blocks that this would take seconds, or memory has run out; and
 * the ways of GPUs that have room for the data of a few blocks only. */
struct zoid_traffic zoid_plan_moves(const struct zoid_plan *plan, const struct zoid_moves_run *run);

#endif
