/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads blocks from tasks.rec, the only file with passes and positions, and whole folders. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/trace/timeline.h"
#include "runtime/trace/trace_folder.h"

/* StarPU writes milliseconds. */
static const double MILLI = 1e-3;

/* ---- tasks.rec ---------------------------------------------------------------------------- */

/* One record, a `Key: value` per line; an empty line ends it. */
struct record {
    struct zoid_timeline_block block;
    int seen; /* number of worker, start and end that were read */
};

static const struct record no_record = {.block = {.pass = -1, .position = -1}};

static void read_key(struct record *r, char *line)
{
    char *value = strchr(line, ':');
    long id;

    if (!value)
        return;
    *value++ = '\0';
    if (!strcmp(line, "WorkerId")) {
        id = strtol(value, NULL, 10);
        if (id < 0 || id >= ZOID_TIMELINE_IDS)
            return;
        r->block.worker = (int)id;
        r->seen++;
    } else if (!strcmp(line, "StartTime")) {
        r->block.span.begin = strtod(value, NULL) * MILLI;
        r->seen++;
    } else if (!strcmp(line, "EndTime")) {
        r->block.span.end = strtod(value, NULL) * MILLI;
        r->seen++;
    } else if (!strcmp(line, "Iteration")) {
        sscanf(value, "%ld %ld", &r->block.pass, &r->block.position);
    }
}

static enum zoid_status end_record(struct zoid_timeline *t, struct record *r)
{
    enum zoid_status status = ZOID_OK;

    /* A task that never ran has no times, and one that was cut off has no end. */
    if (r->seen == 3 && r->block.span.end >= r->block.span.begin)
        status = zoid_timeline_add_block(t, &r->block);
    *r = no_record;
    return status;
}

enum zoid_status zoid_timeline_read_tasks(struct zoid_timeline *t, FILE *tasks)
{
    struct record record = no_record;
    enum zoid_status status = ZOID_OK;
    size_t room = 0;
    char *line = NULL;

    while (!status && getline(&line, &room, tasks) >= 0) {
        if (*line == '\n')
            status = end_record(t, &record);
        else
            read_key(&record, line);
    }
    free(line);
    return status ? status : end_record(t, &record);
}

/* ---- a folder ----------------------------------------------------------------------------- */

static enum zoid_status read_file(const char *folder, const char *name, struct zoid_timeline *t,
                                  enum zoid_status (*read)(struct zoid_timeline *, FILE *))
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    enum zoid_status status;
    FILE *file;

    if (!path)
        return zoid_fail(ZOID_RESOURCE, "out of memory for the timeline");
    snprintf(path, size, "%s/%s", folder, name);
    file = fopen(path, "r");
    if (file) {
        status = read(t, file);
        fclose(file);
    } else {
        status = zoid_fail(ZOID_RESOURCE, "cannot read the trace %s: %s; run it again", path,
                           strerror(errno));
    }
    free(path);
    return status;
}

static enum zoid_status read_folder(const char *folder, struct zoid_timeline *t)
{
    enum zoid_status status = read_file(folder, "paje.trace", t, zoid_timeline_read_paje);

    return status ? status : read_file(folder, "tasks.rec", t, zoid_timeline_read_tasks);
}

static enum zoid_status read_rank(const char *folder, int rank, int ranks,
                                  struct zoid_timeline *all)
{
    char mine[ZOID_TRACE_PATH - ZOID_TRACE_NAME];
    struct zoid_timeline *t = NULL;
    enum zoid_status status = ZOID_OK;

    if (!zoid_trace_folder_of(folder, rank, ranks, mine))
        return zoid_fail(ZOID_RESOURCE,
                         "the path of the folder is too long; go there and name it .");
    status = zoid_timeline_create(&t);
    if (!status)
        status = read_folder(mine, t);
    if (!status)
        status = zoid_timeline_add_rank(all, rank, t);
    zoid_timeline_destroy(&t);
    return status;
}

enum zoid_status zoid_timeline_read(const char *folder, int ranks, struct zoid_timeline **timeline,
                                    size_t *idle_workers)
{
    struct zoid_timeline *t;
    enum zoid_status status = zoid_timeline_create(&t);

    if (!status && ranks == 1)
        status = read_folder(folder, t);
    for (int rank = 0; ranks > 1 && rank < ranks && !status; rank++)
        status = read_rank(folder, rank, ranks, t);
    if (!status)
        status = zoid_timeline_finish(t, idle_workers);
    if (status)
        zoid_timeline_destroy(&t);
    else
        *timeline = t;
    return status;
}
