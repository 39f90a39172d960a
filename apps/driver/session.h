/* SPDX-License-Identifier: BSD-3-Clause */
/* A run as options ask for it, from them to its final state; what becomes of that is results.h's
 * matter. In this order: options, prepare, open, results open, fill, run, close. Of several ranks
 * all call everything here. */
#ifndef ZOID_APPS_DRIVER_SESSION_H
#define ZOID_APPS_DRIVER_SESSION_H

#include "apps/driver/driver.h"
#include "apps/driver/given.h"
#include "apps/driver/march.h"
#include "apps/driver/points.h"
#include "apps/driver/record.h"
#include "apps/driver/restart.h"
#include "runtime/io/output.h"
#include "runtime/session/output/dump.h"

/* Everything that a run holds; released in one place. */
struct zoid_session {
    const struct zoid_app *app;
    struct zoid_options *options;
    struct zoid_problem problem;
    struct zoid_plan plan;
    struct zoid_context *context;
    struct zoid_job *job;
    struct zoid_output *graph, *report_file, *record_file;
    struct zoid_dump *dump;
    struct zoid_initial initial;
    struct zoid_given *given;       /* fields; NULL: none */
    double stability;               /* NaN: the operator has no such number */
    struct zoid_point_list *points; /* sources and receivers; NULL: none */
    struct zoid_record record;
    struct zoid_restart restart;
    struct zoid_march march;
    double begun; /* on CLOCK_MONOTONIC */
    struct zoid_report report;
    bool learns; /* from what is run */
    bool ran;
};

/* From the options to the problem, its fields, sources and receivers, and where it goes on. */
enum zoid_status zoid_session_prepare(struct zoid_session *session);
/* A context, with a trace in that folder, if it is not NULL, and the plan. */
enum zoid_status zoid_session_open(struct zoid_session *session, const char *trace);
/* Bytes of the last checkpoint, which has what receivers saw of every step. */
double zoid_session_checkpoint_bytes(const struct zoid_session *session);
/* Seconds that a stop is expected to take, with its checkpoint. */
double zoid_session_stop_seconds(const struct zoid_session *session);
/* The job, with its initial state. */
enum zoid_status zoid_session_fill(struct zoid_session *session);
/* Runs it and makes the report. Statuses are those of zoid_app's `run` and of zoid_march_run. */
enum zoid_status zoid_session_run(struct zoid_session *session);
/* Whether such an end of that was an early one: at a station the state had values that are no
 * numbers, so that there was no point in going on. */
bool zoid_session_lost(const struct zoid_session *session, enum zoid_status ended);
/* Keeps what the run has taught, if it is to. */
void zoid_session_refine(const struct zoid_session *session);
/* Where the options ask for it; as zoid_check. */
enum zoid_status zoid_session_check(struct zoid_session *session);
/* Releases all, draws the trace, and returns the status that came before, or else its own. Ends the
 * process where there are several ranks, of which this one alone has failed. */
enum zoid_status zoid_session_close(struct zoid_session *session, enum zoid_status before);

#endif
