/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <starpu.h>
#include <starpu_fxt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/machine/capabilities.h"
#include "runtime/machine/setting.h"
#include "runtime/ranks/ranks.h"
#include "runtime/trace/timeline.h"

/* StarPU keeps paths in 1024 bytes, and cuts longer ones. */
enum { MOST_PATH = 1024, MOST_NAME = 160, MOST_TEXT = 320 };

/* FxT, which writes StarPU's raw trace, ends the process when the head of that file does not fit
 * its disk, and the head names every thread of the machine, in 24 bytes. So room for it is taken
 * before the run and kept until the file is written. */
enum { HEAD_ROOM = 2 << 20, NO_ROOM = -1 };

enum { SWITCH, FOLDER, FILE_NAME, VARIABLES };

/* The user's: which kinds of events to record. */
static const char events[] = "STARPU_FXT_EVENTS";

struct zoid_trace {
    char folder[MOST_PATH - MOST_NAME];
    char file[MOST_NAME];
    struct zoid_setting setting[VARIABLES];
    int room; /* a file without a name that takes room */
    bool created, ran;
    long tasks;
    char title[MOST_TEXT], rate[64];
};

/* ---- beginning ---------------------------------------------------------------------------- */

static enum zoid_status refuse(const char *folder, int error)
{
    return zoid_fail(ZOID_RESOURCE,
                     "cannot write a trace into %s: %s; name a folder that can be written", folder,
                     strerror(error));
}

static enum zoid_status make_folder(struct zoid_trace *t)
{
    struct stat st;

    if (!mkdir(t->folder, 0777))
        t->created = true;
    else if (errno != EEXIST)
        return refuse(t->folder, errno);
    if (!stat(t->folder, &st) && !S_ISDIR(st.st_mode))
        return refuse(t->folder, ENOTDIR);
    return ZOID_OK;
}

static enum zoid_status take_room(struct zoid_trace *t)
{
    char path[MOST_PATH];
    int error;

    snprintf(path, sizeof path, "%s/.zoid-XXXXXX", t->folder);
    t->room = mkstemp(path);
    if (t->room < 0)
        return refuse(t->folder, errno);
    unlink(path);
    error = posix_fallocate(t->room, 0, HEAD_ROOM);
    return error ? refuse(t->folder, error) : ZOID_OK;
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
    char name[MOST_NAME - sizeof "_2147483647"];
    enum zoid_status status;

    /* The name that StarPU would choose, whatever else the environment says; it adds the rank. */
    snprintf(name, sizeof name, "prof_file_%s", user ? user : "");
    snprintf(t->file, sizeof t->file, "%s_%d", name, zoid_ranks_here()->rank);
    status = zoid_setting_make(&t->setting[SWITCH], "STARPU_FXT_TRACE", "1");
    if (!status)
        status = zoid_setting_make(&t->setting[FOLDER], "STARPU_FXT_PREFIX", t->folder);
    if (!status)
        status = zoid_setting_make(&t->setting[FILE_NAME], "STARPU_FXT_SUFFIX", name);
    return status;
}

static void take_orders_back(struct zoid_trace *t)
{
    for (int v = 0; v < VARIABLES; v++)
        zoid_setting_undo(&t->setting[v]);
}

enum zoid_status zoid_trace_begin(const char *folder, struct zoid_trace **trace)
{
    struct zoid_trace *t;
    enum zoid_status status;

    *trace = NULL;
    if (!folder)
        return ZOID_OK;
    if (!ZOID_STARPU_FXT || !zoid_trace_convert)
        return zoid_fail(ZOID_RESOURCE, "this StarPU was built without FxT, so it records no "
                                        "trace; run scripts/setup, which builds one with it");
    if (strlen(folder) >= sizeof t->folder)
        return refuse(folder, ENAMETOOLONG);
    t = calloc(1, sizeof *t);
    if (!t)
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    t->room = NO_ROOM;
    strcpy(t->folder, folder);
    status = make_folder(t);
    if (!status)
        status = take_room(t);
    if (status) {
        give_room(t);
        if (t->created)
            rmdir(t->folder);
        free(t);
        return status;
    }
    status = order(t);
    if (status)
        zoid_trace_end(&t); /* of a trace that ran nothing: cannot fail */
    *trace = t;
    return status;
}

/* ---- the run ------------------------------------------------------------------------------ */

void zoid_trace_run_begins(struct zoid_trace *t, const struct zoid_plan *plan)
{
    const struct zoid_problem *p = &plan->problem;
    char size[MOST_NAME] = "";

    if (!t)
        return;
    for (int a = 0; a < p->op->dims; a++)
        snprintf(size + strlen(size), sizeof size - strlen(size), "%s%ld", a ? "x" : "", p->n[a]);
    snprintf(t->title, sizeof t->title, "%s, %s points, %ld steps: %s, block %ld, depth %ld",
             p->op->name, size, p->steps, plan->graph.method->name, plan->graph.block,
             plan->graph.depth);
    t->ran = true;
    starpu_fxt_trace_user_event_string(zoid_timeline_run_begins);
}

void zoid_trace_run_ends(struct zoid_trace *t, const struct zoid_report *report)
{
    if (!t)
        return;
    starpu_fxt_trace_user_event_string(zoid_timeline_run_ends);
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

static const char *in_folder(const struct zoid_trace *t, const char *name, char path[MOST_PATH])
{
    snprintf(path, MOST_PATH, "%s/%s", t->folder, name);
    return path;
}

static bool incomplete(const struct zoid_trace *t, const struct zoid_timeline *timeline)
{
    return timeline->blocks < (size_t)t->tasks;
}

/* What a reader of the trace must know; an empty line when there is nothing. */
static void find_note(const struct zoid_trace *t, const struct zoid_timeline *timeline,
                      char note[MOST_TEXT])
{
    const char *size = getenv("STARPU_TRACE_BUFFER_SIZE");

    *note = '\0';
    if (incomplete(t, timeline))
        snprintf(note, MOST_TEXT, "Incomplete: the trace has %zu of %ld blocks; %s.",
                 timeline->blocks, t->tasks,
                 getenv(events) ? "STARPU_FXT_EVENTS leaves events out"
                                : "make room, or name a folder on another disk");
    else if (timeline->overflows)
        snprintf(note, MOST_TEXT,
                 "The trace buffer overflowed (%dx), and the run waited while it was written: set "
                 "STARPU_TRACE_BUFFER_SIZE to more than %s MiB.",
                 timeline->overflows, size ? size : "its 64");
}

/* The sums, under what whoever draws the trace cannot know of the run. */
static enum zoid_status write_summary(const struct zoid_trace *t,
                                      const struct zoid_timeline *timeline, const char *note)
{
    char path[MOST_PATH];
    FILE *file = fopen(in_folder(t, "summary.txt", path), "w");
    bool written;

    if (!file)
        return refuse(t->folder, errno);
    fprintf(file, "run %s\nrate %s\n", t->title, t->rate);
    if (*note)
        fprintf(file, "note %s\n", note);
    zoid_timeline_print(timeline, file);
    written = !ferror(file);
    written &= fclose(file) == 0;
    return written ? ZOID_OK : refuse(t->folder, errno ? errno : EIO);
}

/* A trace that lacks blocks is a failure, but where the user has left events out. */
static enum zoid_status tell(const struct zoid_trace *t, const struct zoid_timeline *timeline,
                             const char *note)
{
    if (incomplete(t, timeline) && !getenv(events))
        return zoid_fail(ZOID_RESOURCE, "%s: %s", t->folder, note);
    if (*note)
        fprintf(stderr, "zoid: %s: %s\n", t->folder, note);
    return ZOID_OK;
}

static enum zoid_status make_files(const struct zoid_trace *t)
{
    struct zoid_timeline *timeline = NULL;
    char note[MOST_TEXT] = "", path[MOST_PATH];
    enum zoid_status status;

    /* Who finds a summary finds a whole trace. */
    unlink(in_folder(t, "summary.txt", path));
    status = zoid_trace_convert(t->folder, t->file);
    if (!status)
        status = zoid_timeline_read(t->folder, &timeline, NULL);
    if (!status) {
        find_note(t, timeline, note);
        status = write_summary(t, timeline, note);
    }
    if (!status)
        status = tell(t, timeline, note);
    zoid_timeline_destroy(&timeline);
    return status;
}

enum zoid_status zoid_trace_end(struct zoid_trace **trace)
{
    struct zoid_trace *t = *trace;
    enum zoid_status status = ZOID_OK;
    char path[MOST_PATH];

    if (!t)
        return ZOID_OK;
    take_orders_back(t);
    give_room(t);
    if (t->ran) {
        status = make_files(t);
    } else {
        unlink(in_folder(t, t->file, path));
        if (t->created)
            rmdir(t->folder);
    }
    free(t);
    *trace = NULL;
    return status;
}
