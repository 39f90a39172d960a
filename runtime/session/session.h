/* SPDX-License-Identifier: BSD-3-Clause */
/* A session: a run from its settings to its results. Call in this order: open, restart (settings
 * are complete then), prepare, plan, fill, run or advance, check, results, close. All functions are
 * collective, except for those that return bytes, seconds or bool. */
#ifndef ZOID_RUNTIME_SESSION_SESSION_H
#define ZOID_RUNTIME_SESSION_SESSION_H

#include "runtime/io/array_view.h"
#include "runtime/io/output.h"
#include "runtime/session/engine.h"
#include "runtime/session/fields.h"
#include "runtime/session/held.h"
#include "runtime/session/options.h"
#include "runtime/session/output/dump.h"
#include "runtime/session/points.h"
#include "runtime/session/record.h"
#include "runtime/session/restart.h"
#include "runtime/session/run_loop.h"
#include "runtime/session/run_tables.h"

struct zoid_session {
    const char *name; /* of the program, in reports and lines on stderr */
    /* Operator families, the default first, up to a NULL; NULL: all, also those loaded later. */
    const char *const *families;
    unsigned groups; /* of the program's settings; 0: settings that are set select the engine */
    struct zoid_settings settings;
    struct zoid_array_views arrays;   /* that settings may name in place of files; owns names */
    struct zoid_added_points added;   /* sources and receivers besides those of the settings */
    const struct zoid_matrix *matrix; /* in place of the setting; or NULL */
    /* Add derived values of the final state to the report; or NULL. */
    enum zoid_status (*derive)(struct zoid_session *session);
    bool resumable;            /* plan for several legs */
    bool shares;               /* the context that sessions share, rather than one of its own */
    enum zoid_rates_use rates; /* of the machine, unless set; 0: learn */
    double begun;              /* start of the program or session, on CLOCK_MONOTONIC */

    const struct zoid_engine *engine;
    void *own;                        /* its state */
    struct zoid_problem problem;      /* that the job runs */
    struct zoid_request request;      /* for its plan */
    struct zoid_initial initial;      /* of the problem in the layout of files */
    const struct zoid_problem *shown; /* describes files of the state; NULL: initial.problem */
    struct zoid_reader reader;        /* reads the state in that layout */
    struct zoid_reader kept;          /* and in the layout of `initial`, for checkpoints */
    long leg;                         /* steps between two looks of the engine; 0: never */
    long every;                       /* steps between checkpoints; 0: no number */
    const char *rhs;                  /* a coefficient as FIELD=VALUE, or NULL */
    struct zoid_fields *fields;       /* field sources, or NULL */
    struct zoid_run_tables tables;    /* of the operator, a value for each step */
    struct zoid_held_faces held;      /* values of faces that are held */
    double stability;                 /* stability number; NaN: not defined by the operator */
    struct zoid_point_list *points;   /* sources and receivers, or NULL */
    struct zoid_record record;
    struct zoid_restart restart;

    struct zoid_plans plans;
    struct zoid_plan *plan; /* of the last place; NULL: not made yet */
    struct zoid_context *context;
    struct zoid_job *job;
    struct zoid_run_loop loop;
    struct zoid_output *report_file, *record_file;
    struct zoid_dump *dump;
    struct zoid_report report;
    char *given;         /* settings that were set, for the report; owned */
    bool learns;         /* rates that are missing are measured before the run, */
    bool refines;        /* and those that there are refined by it */
    bool filled;         /* the job has a state */
    bool opened;         /* the run loop has begun */
    bool tried;          /* both ways to use the places were */
    double fill_seconds; /* to create the job and to fill it */
    volatile bool stop;  /* a stop was requested */

    /* Of the interface for programs (runtime/zoid_session.h). */
    enum {
        ZOID_SESSION_NEW,
        ZOID_SESSION_EXAMINED,
        ZOID_SESSION_PLANNED,
        ZOID_SESSION_READY,
        ZOID_SESSION_BROKEN
    } state;
    bool step_chosen;            /* by {dt=auto}, which a plan that fails brings back */
    bool alone;                  /* of a program that runs it once (zoid_session_set_program) */
    struct zoid_options options; /* of that program */
    FILE *list;                  /* of the plans that fit; or NULL */
    bool rewound;                /* it went back, and is filled before it is used */
    double rate;                 /* points computed in a step; 0: unknown */
    /* Points computed before the current advance, and expected in it. */
    double before, goal;
    struct {
        int (*call)(void *user, const struct zoid_session *session, double done); /* or NULL */
        void *user;
        double seconds; /* between two calls */
    } watch;
    char *text; /* the text returned last */
};

/* Start a session with default settings; its name, families and groups are the caller's. */
enum zoid_status zoid_session_open(struct zoid_session *session);
/* Return the families of its operators. */
const char *const *zoid_session_families(const struct zoid_session *session);
/* Make the problem from the settings, with field sources, sources and receivers; on a restart,
 * position it at the checkpoint. */
enum zoid_status zoid_session_prepare(struct zoid_session *session);
/* Open a context, with a trace in folder `trace` unless NULL, and make the plan; `each` is called
 * for every plan that fits (zoid_request.each), unless NULL. ZOID_DOES_NOT_FIT: memory, or the time
 * that a stop may take. */
enum zoid_status zoid_session_make_plan(struct zoid_session *session, const char *trace,
                                        void (*each)(void *self, const struct zoid_plan *plan),
                                        void *self);
/* The plans are others: the session's plan is that of the last place, which has the method that the
 * request names. */
void zoid_session_planned(struct zoid_session *session);
/* Plan, and halve the depth until a stop is within the limit, since shallower passes end sooner:
 * for zoid_session_make_plan, and to plan again. */
enum zoid_status zoid_session_plan_within(struct zoid_session *session,
                                          struct zoid_request *request);
/* Return the size of the last checkpoint in bytes, with the receivers' samples of all steps. */
double zoid_session_checkpoint_bytes(const struct zoid_session *session);
/* Return the predicted duration of a stop in seconds, including its checkpoint. */
double zoid_session_stop_seconds(const struct zoid_session *session);
/* Create the job, and fill it with the initial state. */
enum zoid_status zoid_session_fill(struct zoid_session *session);
/* Go back to step 0: fill the state again, with the sources, receivers and output files that the
 * settings have now; coefficients, plan and memory stay. */
enum zoid_status zoid_session_refill(struct zoid_session *session);
/* Run the job to its end, and make the report. Fails as zoid_engine.run and zoid_run_loop_until
 * do. */
enum zoid_status zoid_session_compute(struct zoid_session *session);
/* Run the job to `step`, counted from time 0, and complete the outputs that were due. */
enum zoid_status zoid_session_until(struct zoid_session *session, long step);
/* Request a stop at the end of a pass. Async-signal-safe and thread-safe while the job exists. */
void zoid_session_halt(struct zoid_session *session);
/* Others are public, in zoid_program.h: _report_of, _derive, _lost, _refine, _check and _close. */

#endif
