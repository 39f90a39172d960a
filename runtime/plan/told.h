/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans that one rank has made, as bytes that others take them from: ranks are copies of one
 * program, but their pointers differ. */
#ifndef ZOID_RUNTIME_PLAN_TOLD_H
#define ZOID_RUNTIME_PLAN_TOLD_H

#include "runtime/plan/plans.h"

/* Pointers of a plan, as numbers: -1 stands for NULL. */
struct zoid_told_plan {
    int method, alias, runner;
};

struct zoid_told {
    char op[ZOID_RATES_NAME]; /* of the problem */
    struct zoid_told_plan part[ZOID_PARTS_MOST];
    struct zoid_plans plans; /* whose pointers are not read */
};

/* Describe plans for others; not those of a rank, but those that zoid_plans_at makes for a site
 * with rank -1. */
void zoid_told_make(const struct zoid_plans *plans, struct zoid_told *told);
/* Take plans for the rank of a site, and count its own data. ZOID_BAD_ARGUMENT: they are of another
 * problem. */
enum zoid_status zoid_told_take(const struct zoid_told *told, const struct zoid_site *site,
                                const struct zoid_problem *problem, struct zoid_plans *plans);

#endif
