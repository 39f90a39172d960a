/* SPDX-License-Identifier: BSD-3-Clause */
/* A run, from its options to its final state; results.h writes its results. Call in this order:
 * prepare, open, results open, fill, run, check, results leave, close. All functions are
 * collective, except for those that return bytes, seconds or bool. */
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

/* All resources of a run; zoid_session_close releases them. */
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
    struct zoid_given *given;       /* field sources, or NULL */
    double stability;               /* stability number; NaN: not defined by the operator */
    struct zoid_point_list *points; /* sources and receivers, or NULL */
    struct zoid_record record;
    struct zoid_restart restart;
    struct zoid_march march;
    double begun; /* start of the program or session, on CLOCK_MONOTONIC */
    struct zoid_report report;
    char *settings; /* that were set, for the report; owned */
    bool learns;    /* measured rates are refined by the run */
    bool ran;
};

/* Make the problem from the options, with field sources, sources and receivers; on a restart,
 * position it at the checkpoint. */
enum zoid_status zoid_session_prepare(struct zoid_session *session);
/* Open a context, with a trace in folder `trace` unless NULL, and make the plan. ZOID_DOES_NOT_FIT:
 * memory, or the time that a stop may take. */
enum zoid_status zoid_session_open(struct zoid_session *session, const char *trace);
/* Return the size of the last checkpoint in bytes, with the receivers' samples of all steps. */
double zoid_session_checkpoint_bytes(const struct zoid_session *session);
/* Return the predicted duration of a stop in seconds, including its checkpoint. */
double zoid_session_stop_seconds(const struct zoid_session *session);
/* Create the job, and fill it with the initial state. */
enum zoid_status zoid_session_fill(struct zoid_session *session);
/* Run the job and make the report. Fails as zoid_app.run and zoid_march_run do. */
enum zoid_status zoid_session_run(struct zoid_session *session);
/* The report so far, with the settings that were set; valid until the session is closed. */
const struct zoid_report *zoid_session_report(struct zoid_session *session);
/* Return true if the run ended before its last step because an output had a non-finite value. */
bool zoid_session_lost(const struct zoid_session *session, enum zoid_status ended);
/* Refine the machine's rates by this run, if requested. Prints a line on failure. */
void zoid_session_refine(const struct zoid_session *session);
/* Check the final state if requested; fails as zoid_check does. */
enum zoid_status zoid_session_check(struct zoid_session *session);
/* Release all resources and draw the trace. Returns `before`, or if that is ZOID_OK, its own
 * status. Aborts all ranks if `before` is a failure that only this rank knows. */
enum zoid_status zoid_session_close(struct zoid_session *session, enum zoid_status before);

#endif
