/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of zoid_advanced.h: what a program with a command line needs besides zoid_session.h. Its
 * options are settings of a session, and it prints plans and reports as they are. As with all of
 * zoid_advanced.h, declarations may change with each minor release. */
#ifndef ZOID_RUNTIME_ZOID_PROGRAM_H
#define ZOID_RUNTIME_ZOID_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/zoid.h"

#ifdef __cplusplus
extern "C" {
#endif

struct zoid_context;
struct zoid_derived;
struct zoid_job;
struct zoid_plan;
struct zoid_problem;
struct zoid_report;
struct zoid_session;

/* ---- failures, ranks, files ---------------------------------------------------------------- */

/* A failure that outlives its thread's next one. */
struct zoid_failure {
    enum zoid_status status; /* ZOID_OK: none */
    char text[512];
};

/* Store the calling thread's last failure, unless *failure has one or status is ZOID_OK. */
void zoid_failure_keep(struct zoid_failure *failure, enum zoid_status status);
/* Make *failure the calling thread's last one and return its status; no-op if it is ZOID_OK. */
enum zoid_status zoid_failure_raise(const struct zoid_failure *failure);

/* Join the ranks that the launcher started, through the caller's MPI if it is initialized,
 * otherwise through one of our own. No-op if done already. Collective. ZOID_RESOURCE, on all ranks:
 * the launcher started several ranks, and this build has no MPI, or MPI knows of one rank only, or
 * it does not support MPI_THREAD_MULTIPLE. */
enum zoid_status zoid_ranks_start(void);
/* Return the worst status of all ranks, with the message of the first rank that has it.
 * Collective. */
enum zoid_status zoid_ranks_agree(enum zoid_status status);
/* End all ranks with that exit code, without a message. */
void zoid_ranks_abort(enum zoid_status status) __attribute__((noreturn));

/* Remove the files of all outputs that are not complete yet and have a name: for a program's
 * handler of signals that end it. The library has no such handlers. Async-signal-safe. */
void zoid_output_remove_unfinished(void);

/* ---- options ------------------------------------------------------------------------------- */

/* Message for an empty path; takes the key. */
#define ZOID_NO_FILE "{%s} '' names no file; name one"

/* Groups of settings: name and title, in the order of --help. */
#define ZOID_SETTING_GROUPS(GROUP)                  \
    GROUP(problem, "The problem")                   \
    GROUP(operator, "The operator")                 \
    GROUP(parameters, "Parameters of the operator") \
    GROUP(fields, "Its coefficients")               \
    GROUP(points, "Sources and receivers")          \
    GROUP(solve, "The iteration")                   \
    GROUP(matrix, "The matrix")                     \
    GROUP(power, "What is computed of it")          \
    GROUP(cut, "How it is computed")                \
    GROUP(memory, "Where it is computed")           \
    GROUP(ranks, "Ranks")                           \
    GROUP(results, "What comes out")                \
    GROUP(keep, "What is kept on the way")          \
    GROUP(snapshots, "Snapshots")                   \
    GROUP(cli, "What is printed")

#define ZOID_GROUP_NUMBER(group, title) ZOID_GROUP_NUMBER_##group,
#define ZOID_GROUP_BIT(group, title) ZOID_GROUP_##group = 1 << ZOID_GROUP_NUMBER_##group,
enum { ZOID_SETTING_GROUPS(ZOID_GROUP_NUMBER) ZOID_GROUPS };
enum { ZOID_SETTING_GROUPS(ZOID_GROUP_BIT) };

enum {
    ZOID_GROUPS_RUN = ZOID_GROUP_cut | ZOID_GROUP_memory | ZOID_GROUP_ranks | ZOID_GROUP_results |
                      ZOID_GROUP_keep,
    ZOID_GROUPS_FIELDS =
        ZOID_GROUP_problem | ZOID_GROUP_operator | ZOID_GROUP_fields | ZOID_GROUP_points,
    ZOID_GROUPS_STENCIL =
        ZOID_GROUPS_FIELDS | ZOID_GROUP_parameters | ZOID_GROUPS_RUN | ZOID_GROUP_snapshots
};

/* An option: a setting as a command line lists it. */
struct zoid_option {
    const char *key;          /* its name, with _ for - */
    const char *value;        /* such as N; NULL: it takes none */
    const char *fallback;     /* the text of the default; NULL: doc says how it is chosen */
    const char *doc, *detail; /* a line; more, or NULL */
    const char *title;        /* of its group */
    int group;                /* groups are listed in this order, from 1 on */
    bool advanced;            /* listed by --help-all alone */
};

enum zoid_option_how { ZOID_OPTION_CHANGED, ZOID_OPTION_ADDED, ZOID_OPTION_LEFT_OUT };
/* Values that an option accepts: those of its setting, a kind of initial state, any text. */
enum zoid_option_values { ZOID_VALUES_OF_SETTING, ZOID_VALUES_INIT_KIND, ZOID_VALUES_TEXT };

/* Change of an option; members that are zero keep the setting's. */
struct zoid_option_change {
    const char *key; /* NULL ends the list */
    enum zoid_option_how how;
    unsigned group; /* ZOID_GROUP_... */
    enum zoid_option_values values;
    const char *const *list;                     /* names that are accepted; NULL ends it */
    const char *fallback, *value, *doc, *detail; /* `detail` belongs to `doc` */
};

/* The parts in which programs that run a session differ. */
struct zoid_program {
    const char *name;            /* in reports and messages, such as zoid-heat */
    const char *const *families; /* operator families, the default first, up to a NULL; or
                                    NULL: all */
    const char *choose;          /* key of the option that selects a family, or NULL */
    unsigned groups;             /* ZOID_GROUP_... of its options; 0: ZOID_GROUPS_STENCIL */
    bool no_params;              /* operator parameters are settings of a group */
    const struct zoid_option_change *changes; /* or NULL */
    /* Add derived values of the final state to the report (zoid_session_derive); or NULL.
     * Collective. */
    enum zoid_status (*derive)(struct zoid_session *session);
};

/* Make a new session that of a program: its options are the settings of its groups that at least
 * one of its operators can use, its report has the program's name, it has a context of its own, and
 * measures missing rates unless the setting `rates` says otherwise. Borrows *program, which must
 * outlive the session. Call it before settings are set. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_session_set_program(struct zoid_session *session,
                                          const struct zoid_program *program);
/* Return the number of the program's options, and store them, which the session owns. */
size_t zoid_session_options(const struct zoid_session *session, const struct zoid_option **options);
/* Set the setting of option i by the text of a command line; NULL: it takes none.
 * ZOID_BAD_ARGUMENT: as zoid_session_set_text, and a name that the program does not accept. */
enum zoid_status zoid_session_set_option(struct zoid_session *session, size_t i, const char *text);
/* Return whether a setting was set, rather than having its default. Takes no memory. */
bool zoid_session_is_set(const struct zoid_session *session, const char *key);

/* ---- the plan ------------------------------------------------------------------------------ */

/* Check all settings, read the files that they name and make the problem, as zoid_session_plan does
 * first; no setting can be changed then. Starts nothing. Collective. */
enum zoid_status zoid_session_examine(struct zoid_session *session);
/* Have zoid_session_plan print every plan that fits and its predicted seconds, a line each, on rank
 * 0. */
void zoid_session_list_plans(struct zoid_session *session, FILE *out);
/* Write the graph of blocks of all ranks for Graphviz, on rank 0; the session is planned and cannot
 * run then. Collective. ZOID_RESOURCE: the file cannot be written. */
enum zoid_status zoid_session_write_graph(struct zoid_session *session, const char *path);
/* The session's problem once it was examined; its plan and context once it is planned; its job once
 * it has started; its report so far, with the settings that were set. Owned by the session. */
const struct zoid_problem *zoid_session_problem_of(const struct zoid_session *session);
const struct zoid_plan *zoid_session_plan_of(const struct zoid_session *session);
const struct zoid_context *zoid_session_context_of(const struct zoid_session *session);
struct zoid_job *zoid_session_job_of(const struct zoid_session *session);
const struct zoid_report *zoid_session_report_of(struct zoid_session *session);
/* Print a line per rank, `rank.N` and its share of its host, on the first rank. Collective. Prints
 * nothing with one rank. */
void zoid_context_print_ranks(const struct zoid_context *context, FILE *out);

/* Prediction of how a planned session stops early. */
struct zoid_stop_forecast {
    double seconds;            /* until it has stopped, with its checkpoint, */
    double checkpoint_seconds; /* and of the checkpoint alone */
    bool repeats;              /* checkpoints are due before the end */
    uint64_t staging;          /* bytes from which they are written while the run goes on; 0: the
                                  run waits for each */
};
struct zoid_stop_forecast zoid_session_stop_forecast(const struct zoid_session *session);

/* ---- the run of a session that has started: collective ------------------------------------- */

/* Have the run print its progress on standard error: a line a second, or a minute if that is no
 * terminal. Call it between zoid_session_plan and zoid_session_complete. */
void zoid_session_print_progress(struct zoid_session *session);
/* Run a session that has started to its end, by steps or by its iteration. Fails as
 * zoid_session_advance and zoid_session_solve do. */
enum zoid_status zoid_session_complete(struct zoid_session *session);
/* Return true if the run ended before its last step because an output had a non-finite value. */
bool zoid_session_lost(const struct zoid_session *session, enum zoid_status ended);
/* Return whether more bytes were transferred to GPUs, or from them to their home, than planned: by
 * over 2 % plus one datum per GPU. If so, write a warning to `line`. Transfers planned between two
 * GPUs may go through main memory, and vice versa. Always false if home is a disk, since nearly
 * full main memory causes detours. */
enum { ZOID_MOVED_LINE = 160 };
bool zoid_moved_more(const struct zoid_plan *plan, const struct zoid_report *report,
                     char line[ZOID_MOVED_LINE]);
/* Refine the machine's rates by this run, if the session measures them. A failure to store them is
 * no failure of the run. */
enum zoid_status zoid_session_refine(const struct zoid_session *session);
/* Check the final state if the setting `check` is on; fails as zoid_check does. */
enum zoid_status zoid_session_check(struct zoid_session *session);
/* Write dump and record, and add derived values to the report. Files that have non-finite values
 * are complete; *found keeps ZOID_CHECK_FAILED then, unless it has a failure. */
enum zoid_status zoid_session_write_results(struct zoid_session *session,
                                            struct zoid_failure *found);
/* Write the report to its file, if the setting `report` names one. These four are
 * zoid_session_finish in parts; a run that ended early has a report alone. Not collective: rank 0
 * writes. */
enum zoid_status zoid_session_write_report(struct zoid_session *session);
/* Append a value to the report's derived ones, if there is room. */
void zoid_session_derive(struct zoid_session *session, const struct zoid_derived *derived);
/* Release everything but the settings, which zoid_session_destroy releases; the session cannot run
 * then. Returns `before`, or if that is ZOID_OK, ZOID_RESOURCE if the trace could not be written.
 */
enum zoid_status zoid_session_close(struct zoid_session *session, enum zoid_status before);

#ifdef __cplusplus
}
#endif

#endif
