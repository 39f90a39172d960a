/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <starpu.h>
#include <starpu_fxt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graphs/cell.h"
#include "runtime/error.h"
#include "runtime/log.h"
#include "runtime/machine/capabilities.h"
#include "runtime/machine/clock.h"
#include "runtime/machine/environment.h"
#include "runtime/ranks/ranks.h"
#include "runtime/trace/timeline.h"
#include "runtime/trace/trace_folder.h"

enum { MOST_TEXT = 320 };

/* FxT, which writes StarPU's raw trace, ends the process if the head of that file does not fit its
 * disk, and the head has 24 bytes for every thread of the machine. So space for it is reserved from
 * before the run until the file is written. */
enum { HEAD_ROOM = 2 << 20, NO_ROOM = -1 };

enum { SWITCH, FOLDER, FILE_NAME, VARIABLES };

/* The user's choice of the kinds of events to record. */
static const char events[] = "STARPU_FXT_EVENTS";

struct zoid_trace {
    struct zoid_trace_folder folder;
    char file[ZOID_TRACE_NAME];
    struct zoid_environment setting[VARIABLES];
    int room; /* an unnamed file that reserves space */
    bool ran;
    long tasks;
    char title[MOST_TEXT], rate[64];
};

/* ---- beginning ---------------------------------------------------------------------------- */

static enum zoid_status take_room(struct zoid_trace *t)
{
    char path[ZOID_TRACE_PATH];
    int error;

    snprintf(path, sizeof path, "%s/.zoid-XXXXXX", t->folder.mine);
    t->room = mkstemp(path);
    if (t->room < 0)
        return zoid_trace_folder_refuse(t->folder.mine, errno);
    unlink(path);
    error = posix_fallocate(t->room, 0, HEAD_ROOM);
    return error ? zoid_trace_folder_refuse(t->folder.mine, error) : ZOID_OK;
}

static void give_room(struct zoid_trace *t)
{
    if (t->room != NO_ROOM)
        close(t->room);
    t->room = NO_ROOM;
}

static enum zoid_status order(struct zoid_trace *t)
{
    const char *user = getenv("USER");
    char name[ZOID_TRACE_NAME - sizeof "_2147483647"];
    enum zoid_status status;

    /* StarPU's default name, whatever else the environment says; StarPU appends the rank. */
    snprintf(name, sizeof name, "prof_file_%s", user ? user : "");
    snprintf(t->file, sizeof t->file, "%s_%d", name, zoid_ranks_here()->rank);
    status = zoid_environment_set(&t->setting[SWITCH], "STARPU_FXT_TRACE", "1");
    if (!status)
        status = zoid_environment_set(&t->setting[FOLDER], "STARPU_FXT_PREFIX", t->folder.mine);
    if (!status)
        status = zoid_environment_set(&t->setting[FILE_NAME], "STARPU_FXT_SUFFIX", name);
    return status;
}

static void take_orders_back(struct zoid_trace *t)
{
    for (int v = 0; v < VARIABLES; v++)
        zoid_environment_restore(&t->setting[v]);
}

/* *trace is NULL if there is no memory. */
static enum zoid_status create(struct zoid_trace **trace)
{
    *trace = calloc(1, sizeof **trace);
    if (!*trace)
        return zoid_no_memory();
    (*trace)->room = NO_ROOM;
    if (!ZOID_STARPU_FXT || !zoid_trace_convert)
        return zoid_fail(ZOID_RESOURCE, "this StarPU was built without FxT, so it records no "
                                        "trace; run scripts/setup, which builds one with it");
    return ZOID_OK;
}

static void give_up(struct zoid_trace *t)
{
    if (!t)
        return;
    give_room(t);
    zoid_trace_folder_remove(&t->folder);
    free(t);
}

enum zoid_status zoid_trace_begin(const char *folder, struct zoid_trace **trace)
{
    struct zoid_trace *t;
    enum zoid_status status;

    *trace = NULL;
    if (!folder)
        return ZOID_OK;
    status = zoid_ranks_agree(create(&t));
    if (!status)
        status = zoid_trace_folder_make(folder, &t->folder);
    if (!status)
        status = zoid_ranks_agree(take_room(t));
    if (status) {
        give_up(t);
        return status;
    }
    status = zoid_ranks_agree(order(t));
    if (status)
        zoid_trace_end(&t); /* cannot fail, since nothing ran */
    *trace = t;
    return status;
}

/* ---- the run ------------------------------------------------------------------------------ */

static bool several(void)
{
    return zoid_ranks_here()->size > 1;
}

/* Marks by which the traces of several ranks are aligned. StarPU records these events whatever
 * STARPU_FXT_EVENTS says. */
static void mark_clock(void)
{
    enum { MARKS = 5 }; /* the best one counts */
    char text[64];
    double ahead;

    if (!several())
        return;
    ahead = zoid_ranks_clock();
    for (int i = 0; i < MARKS; i++) {
        snprintf(text, sizeof text, "%s%.9f", zoid_timeline_clock, zoid_machine_clock() + ahead);
        starpu_fxt_trace_user_meta_string(text);
    }
}

void zoid_trace_run_begins(struct zoid_trace *t, const struct zoid_plan *plan)
{
    const struct zoid_problem *p = &plan->problem;
    char size[ZOID_TRACE_NAME] = "", ranks[ZOID_TRACE_NAME / 2] = "",
         team[ZOID_TRACE_NAME / 2] = "";

    if (!t)
        return;
    for (int a = 0; a < p->op->dims; a++)
        snprintf(size + strlen(size), sizeof size - strlen(size), "%s%ld", a ? "x" : "", p->n[a]);
    if (several())
        snprintf(ranks, sizeof ranks, ", %d ranks", zoid_ranks_here()->size);
    if (plan->place.team > 1)
        snprintf(team, sizeof team, ", teams of %d", plan->place.team);
    snprintf(t->title, sizeof t->title, "%s, %s points, %ld steps: %s, block %ld, depth %ld%s%s",
             p->op->name, size, p->steps, plan->graph.method->name, plan->graph.block,
             plan->graph.depth, team, ranks);
    t->ran = true;
    mark_clock();
    starpu_fxt_trace_user_event_string(zoid_timeline_run_begins);
}

void zoid_trace_run_ends(struct zoid_trace *t, const struct zoid_report *report)
{
    if (!t)
        return;
    starpu_fxt_trace_user_event_string(zoid_timeline_run_ends);
    mark_clock();
    t->tasks = report->tasks;
    snprintf(t->rate, sizeof t->rate, "%.4g s, %.3g GUP/s", report->seconds, report->gups);
}

void zoid_trace_block_begins(const struct zoid_trace *t)
{
    if (t)
        starpu_fxt_trace_user_event(ZOID_TIMELINE_BLOCK_BEGINS);
}

void zoid_trace_block_ends(const struct zoid_trace *t)
{
    if (t)
        starpu_fxt_trace_user_event(ZOID_TIMELINE_BLOCK_ENDS);
}

void zoid_trace_team(const struct zoid_trace *t, int worker, int first)
{
    char text[64];

    if (!t)
        return;
    snprintf(text, sizeof text, "%s%d %d", zoid_timeline_team, worker, first);
    starpu_fxt_trace_user_meta_string(text);
}

static void note_borders(const struct zoid_graph *g)
{
    const int chain = zoid_chain(&g->shape);
    char text[64];

    for (long i = 1; i < zoid_cells_along(g, chain); i++) {
        snprintf(text, sizeof text, "%s%ld %ld %ld", zoid_timeline_border, i - 1,
                 g->cut[chain].border[i], g->shape.n[chain]);
        starpu_fxt_trace_user_event_string(text);
    }
}

void zoid_trace_part(const struct zoid_trace *t, int part, const struct zoid_plan *plan)
{
    char text[2 * ZOID_TIMELINE_PLAN];

    if (!t)
        return;
    snprintf(text, sizeof text, "%s%d %s, block %ld, depth %ld", zoid_timeline_part, part,
             plan->graph.method->name, plan->graph.block, plan->graph.depth);
    starpu_fxt_trace_user_meta_string(text);
    if (part == 0)
        note_borders(&plan->graph);
}

void zoid_trace_held(const struct zoid_trace *t, double from, double to)
{
    char text[64];

    if (!t)
        return;
    snprintf(text, sizeof text, "%s%.9f %.9f", zoid_timeline_was_held, from, to);
    starpu_fxt_trace_user_event_string(text);
}

/* ---- ending ------------------------------------------------------------------------------- */

void zoid_trace_shutdown(struct zoid_trace *t)
{
    int loud = t ? dup(STDERR_FILENO) : -1, null = loud < 0 ? -1 : open("/dev/null", O_WRONLY);

    if (t)
        give_room(t);
    if (null >= 0)
        dup2(null, STDERR_FILENO);
    zoid_ranks_stop_starpu();
    if (null >= 0) {
        dup2(loud, STDERR_FILENO);
        close(null);
    }
    if (loud >= 0)
        close(loud);
}

static const char *in_folder(const char *folder, const char *name, char path[ZOID_TRACE_PATH])
{
    snprintf(path, ZOID_TRACE_PATH, "%s/%s", folder, name);
    return path;
}

static bool incomplete(const struct zoid_trace *t, const struct zoid_timeline *timeline)
{
    return timeline->blocks - timeline->shared < (size_t)t->tasks;
}

/* A warning for readers of the trace; an empty line if there is nothing to say. */
static void find_note(const struct zoid_trace *t, const struct zoid_timeline *timeline,
                      char note[MOST_TEXT])
{
    const char *size = getenv("STARPU_TRACE_BUFFER_SIZE");

    *note = '\0';
    if (incomplete(t, timeline))
        snprintf(note, MOST_TEXT, "Incomplete: the trace has %zu of %ld blocks; %s.",
                 timeline->blocks - timeline->shared, t->tasks,
                 getenv(events) ? "STARPU_FXT_EVENTS leaves events out"
                                : "make room, or name a folder on another disk");
    else if (timeline->overflows)
        snprintf(note, MOST_TEXT,
                 "The trace buffer overflowed (%dx), and the run waited while it was written: set "
                 "STARPU_TRACE_BUFFER_SIZE to more than %s MiB.",
                 timeline->overflows, size ? size : "its 64");
}

/* Write the sums, below facts about the run that are not in the trace. */
static enum zoid_status write_summary(const struct zoid_trace *t,
                                      const struct zoid_timeline *timeline, const char *note)
{
    char path[ZOID_TRACE_PATH];
    FILE *file = fopen(in_folder(t->folder.all, "summary.txt", path), "w");
    bool written;

    if (!file)
        return zoid_trace_folder_refuse(t->folder.all, errno);
    fprintf(file, "run %s\nrate %s\n", t->title, t->rate);
    if (*note)
        fprintf(file, "note %s\n", note);
    zoid_timeline_print(timeline, file);
    written = !ferror(file);
    written &= fclose(file) == 0;
    return written ? ZOID_OK : zoid_trace_folder_refuse(t->folder.all, errno ? errno : EIO);
}

/* A trace without all blocks is a failure, unless the user has left events out. */
static enum zoid_status tell(const struct zoid_trace *t, const struct zoid_timeline *timeline,
                             const char *note)
{
    if (incomplete(t, timeline) && !getenv(events))
        return zoid_fail(ZOID_RESOURCE, "%s: %s", t->folder.all, note);
    if (*note)
        zoid_log("zoid: %s: %s", t->folder.all, note);
    return ZOID_OK;
}

/* Summarise the traces of all ranks. */
static enum zoid_status sum_up(const struct zoid_trace *t)
{
    struct zoid_timeline *timeline = NULL;
    char note[MOST_TEXT] = "";
    enum zoid_status status =
        zoid_timeline_read(t->folder.all, zoid_ranks_here()->size, &timeline, NULL);

    if (!status) {
        find_note(t, timeline, note);
        status = write_summary(t, timeline, note);
    }
    if (!status)
        status = tell(t, timeline, note);
    zoid_timeline_destroy(&timeline);
    return status;
}

static enum zoid_status make_files(const struct zoid_trace *t)
{
    const bool first = zoid_ranks_here()->rank == 0;
    char path[ZOID_TRACE_PATH];
    enum zoid_status status;

    /* So that a folder with a summary has a whole trace. */
    if (first)
        unlink(in_folder(t->folder.all, "summary.txt", path));
    status = zoid_ranks_agree(zoid_trace_convert(t->folder.mine, t->file));
    if (!status && first)
        status = sum_up(t);
    return zoid_ranks_agree(status);
}

enum zoid_status zoid_trace_end(struct zoid_trace **trace)
{
    struct zoid_trace *t = *trace;
    enum zoid_status status = ZOID_OK;
    char path[ZOID_TRACE_PATH];

    if (!t)
        return ZOID_OK;
    take_orders_back(t);
    give_room(t);
    if (t->ran) {
        status = make_files(t);
    } else {
        unlink(in_folder(t->folder.mine, t->file, path));
        zoid_trace_folder_remove(&t->folder);
    }
    free(t);
    *trace = NULL;
    return status;
}
