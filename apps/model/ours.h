/* SPDX-License-Identifier: BSD-3-Clause */
/* The planner's prediction for runs of ranks, with three factors fitted to reports. */
#ifndef ZOID_APPS_MODEL_OURS_H
#define ZOID_APPS_MODEL_OURS_H

#include "apps/model/runs.h"
#include "runtime/plan/estimate.h"

enum zoid_ours_factor { ZOID_OURS_COMPUTE, ZOID_OURS_WAY, ZOID_OURS_WIRE, ZOID_OURS_FACTORS };
extern const char *const zoid_ours_names[ZOID_OURS_FACTORS];

/* This machine and its rates; the ranks are on one host, or on several. */
struct zoid_ours {
    struct zoid_machine machine;
    struct zoid_rates rates;
    double factor[ZOID_OURS_FACTORS];
};

/* Take the rates of this machine, with factors of 1. Starts nothing. The caller closes it. */
enum zoid_status zoid_ours_open(bool several_hosts, struct zoid_ours *ours);
void zoid_ours_close(struct zoid_ours *ours);
/* Fit the factors by least squares of relative errors. Fails like zoid_ours_seconds. */
enum zoid_status zoid_ours_fit(const struct zoid_model_runs *runs, struct zoid_ours *ours);
/* Predict the halo exchanges of a run with epochs of R steps, and its seconds, with the factors.
 * Fails like the planner, if it cannot have such epochs. */
enum zoid_status zoid_ours_seconds(const struct zoid_ours *ours, const struct zoid_model_run *run,
                                   long r, struct zoid_exchange_cost *cost, double *seconds);
/* Write the factors to the file of rates, under its lock: those of latency and bandwidth of the
 * network, and of the operator of `run`, if
 * the file has it. */
enum zoid_status zoid_ours_keep(const struct zoid_ours *ours, const struct zoid_model_runs *runs);

#endif
