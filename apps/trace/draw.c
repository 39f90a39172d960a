/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/trace/draw.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "apps/trace/gantt.h"
#include "runtime/io/output.h"

enum { MOST_PATH = 4096, MOST_LINE = 512 };

/* Values of the first lines of a summary; empty if missing. */
struct said {
    char run[MOST_LINE], rate[MOST_LINE], note[MOST_LINE];
    int ranks; /* 1 if missing */
};

static enum zoid_status in_folder(const char *folder, const char *name, char path[MOST_PATH])
{
    if (snprintf(path, MOST_PATH, "%s/%s", folder, name) < MOST_PATH)
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE, "the path of the folder is too long; go there and name it .");
}

/* Returns whether the line has that key, and copies its value. */
static bool takes(const char *line, const char *key, char value[MOST_LINE])
{
    size_t length = strlen(key);

    if (strncmp(line, key, length) || line[length] != ' ')
        return false;
    snprintf(value, MOST_LINE, "%s", line + length + 1);
    value[strcspn(value, "\n")] = '\0';
    return true;
}

static enum zoid_status read_summary(const char *folder, struct said *said)
{
    char path[MOST_PATH], line[MOST_LINE], ranks[MOST_LINE] = "1", *end;
    enum zoid_status status = in_folder(folder, "summary.txt", path);
    FILE *file = status ? NULL : fopen(path, "r");
    long number;

    *said = (struct said){.run = ""};
    if (status)
        return status;
    if (!file)
        return zoid_fail(ZOID_RESOURCE, "cannot read %s: %s; name a folder that {trace} has filled",
                         path, strerror(errno));
    while (fgets(line, sizeof line, file))
        if (takes(line, "run", said->run) || takes(line, "rate", said->rate) ||
            takes(line, "note", said->note) || takes(line, "ranks", ranks))
            continue;
    fclose(file);
    number = strtol(ranks, &end, 10);
    if (*end || number < 1 || number > INT_MAX)
        return zoid_fail(ZOID_RESOURCE, "%s speaks of '%s' ranks; run it again", path, ranks);
    said->ranks = (int)number;
    return ZOID_OK;
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void describe(const struct zoid_timeline *t, const char *rate, size_t idle,
                     char text[2 * MOST_LINE])
{
    const size_t blocks = t->blocks - t->shared;
    char took_no_part[64] = "", ranks[64] = "";

    if (zoid_timeline_ranks(t) > 1)
        snprintf(ranks, sizeof ranks, " of %d ranks", zoid_timeline_ranks(t));
    if (idle)
        snprintf(took_no_part, sizeof took_no_part, "; %zu other worker%s took no part", idle,
                 plural(idle));
    snprintf(text, 2 * MOST_LINE, "%s: %zu block%s in %ld pass%s by %zu worker%s%s%s", rate, blocks,
             plural(blocks), t->passes, t->passes == 1 ? "" : "es", t->workers, plural(t->workers),
             ranks, took_no_part);
}

static enum zoid_status draw_one(const struct zoid_gantt *gantt, const char *folder,
                                 const char *name,
                                 enum zoid_status (*draw)(const struct zoid_gantt *, const char *))
{
    char path[MOST_PATH];
    struct zoid_output *output = NULL;
    enum zoid_status status = in_folder(folder, name, path);

    if (!status)
        status = zoid_output_open(path, &output);
    if (!status)
        status = draw(gantt, zoid_output_file(output));
    if (!status)
        return zoid_output_commit(&output);
    zoid_output_discard(&output);
    return status;
}

enum zoid_status zoid_trace_draw(const char *folder)
{
    struct zoid_timeline *timeline = NULL;
    struct said said;
    char subtitle[2 * MOST_LINE];
    size_t idle = 0;
    enum zoid_status status = read_summary(folder, &said);

    if (!status)
        status = zoid_timeline_read(folder, said.ranks, &timeline, &idle);
    if (!status) {
        const struct zoid_gantt gantt = {.timeline = timeline,
                                         .title = said.run,
                                         .subtitle = subtitle,
                                         .note = *said.note ? said.note : NULL};

        describe(timeline, said.rate, idle, subtitle);
        status = draw_one(&gantt, folder, "gantt.svg", zoid_gantt_svg);
        if (!status)
            status = draw_one(&gantt, folder, "gantt.png", zoid_gantt_png);
    }
    zoid_timeline_destroy(&timeline);
    return status;
}
