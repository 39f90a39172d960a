/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads workers, requests for data, transfers and marks from paje.trace. A Paje trace describes
 * itself: its head lists the kinds of events, each with a number and the names of its fields; then
 * each line is an event. Unknown events are skipped: later versions may have more. */
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/trace/timeline.h"

/* StarPU writes milliseconds. */
static const double MILLI = 1e-3;

const char zoid_timeline_run_begins[] = "zoid run begins";
const char zoid_timeline_run_ends[] = "zoid run ends";
const char zoid_timeline_clock[] = "zoid clock ";
const char zoid_timeline_was_held[] = "zoid held ";
const char zoid_timeline_team[] = "zoid team ";
const char zoid_timeline_border[] = "zoid border ";
const char zoid_timeline_part[] = "zoid part ";

enum { MOST_EVENTS = 128, MOST_FIELDS = 32, NAME = 32 };

struct event_definition {
    char name[NAME];
    int fields;
    char field[MOST_FIELDS][NAME];
};

/* Containers, which tell the memory node of a worker and its thread; and links without their end so
 * far. */
struct place {
    char alias[NAME];
    int node, worker; /* -1: not a worker's thread */
};

struct open_link {
    char key[NAME];
    struct zoid_timeline_transfer transfer;
};

struct paje {
    struct zoid_timeline *timeline;
    struct event_definition event[MOST_EVENTS];
    int defining; /* the event whose fields the head lists now; -1: no event */
    size_t places, opens;
    struct place *place;
    struct open_link *open;
    /* The current line. */
    const struct event_definition *definition;
    int words;
    char *word[MOST_FIELDS + 1];
};

/* Split a line into words in place; quotes hold a word together. */
static int split(char *line, char **word, int most)
{
    int n = 0;

    while (n < most) {
        line += strspn(line, " \t\r\n");
        if (!*line)
            break;
        if (*line == '"') {
            word[n++] = ++line;
            line += strcspn(line, "\"\n");
        } else {
            word[n++] = line;
            line += strcspn(line, " \t\r\n");
        }
        if (*line)
            *line++ = '\0';
    }
    return n;
}

static void read_definition(struct paje *p)
{
    struct event_definition *e;
    long number;

    if (p->words >= 3 && !strcmp(p->word[0], "%EventDef")) {
        number = strtol(p->word[2], NULL, 10);
        p->defining = number >= 0 && number < MOST_EVENTS ? (int)number : -1;
        if (p->defining < 0)
            return;
        e = &p->event[p->defining];
        *e = (struct event_definition){.fields = 0};
        snprintf(e->name, sizeof e->name, "%s", p->word[1]);
    } else if (!strcmp(p->word[0], "%EndEventDef")) {
        p->defining = -1;
    } else if (p->words >= 3 && p->defining >= 0) {
        e = &p->event[p->defining];
        if (e->fields < MOST_FIELDS)
            snprintf(e->field[e->fields++], NAME, "%s", p->word[1]);
    }
}

/* Field `name` of the current line; NULL: the line has no such field. */
static const char *field(const struct paje *p, const char *name)
{
    for (int f = 0; f < p->definition->fields && f + 1 < p->words; f++)
        if (!strcmp(p->definition->field[f], name))
            return p->word[f + 1];
    return NULL;
}

static bool has(const struct paje *p, const char *name, const char *value)
{
    const char *is = field(p, name);

    return is && !strcmp(is, value);
}

static double seconds(const struct paje *p)
{
    const char *time = field(p, "Time");

    return time ? strtod(time, NULL) * MILLI : 0;
}

/* The number after a prefix such as `mm` in `mm3`, or after a rank and the prefix as in `0_mm3`;
 * -1: the word does not look like that. */
static int number_behind(const char *prefix, const char *word)
{
    char *end;
    long number;

    if (!word)
        return -1;
    if (strchr(word, '_'))
        word = strchr(word, '_') + 1;
    if (strncmp(word, prefix, strlen(prefix)))
        return -1;
    number = strtol(word + strlen(prefix), &end, 10);
    if (end == word + strlen(prefix) || *end || number < 0 || number >= ZOID_TIMELINE_IDS)
        return -1;
    return (int)number;
}

/* Threads are in memory nodes, and workers in threads. */
static enum zoid_status note_place(struct paje *p, const char *alias, int node)
{
    struct place *larger = realloc(p->place, (p->places + 1) * sizeof *larger);

    if (!larger)
        return zoid_fail(ZOID_RESOURCE, "out of memory for the timeline");
    p->place = larger;
    larger[p->places] = (struct place){.node = node, .worker = -1};
    snprintf(larger[p->places++].alias, NAME, "%s", alias);
    return ZOID_OK;
}

/* The latest of that name, or NULL: threads come and go, and their names are reused. */
static struct place *place_of(const struct paje *p, const char *alias)
{
    for (size_t i = p->places; alias && i > 0; i--)
        if (!strcmp(p->place[i - 1].alias, alias))
            return &p->place[i - 1];
    return NULL;
}

static enum zoid_status read_worker(struct paje *p, int id, const char *name, const char *thread)
{
    struct zoid_timeline_worker w = {.id = id};
    struct place *place = place_of(p, thread);
    int stream = 0;

    if (place) {
        place->worker = id;
        w.node = place->node;
    }

    if (sscanf(name, "CUDA%d_%d", &w.number, &stream) >= 1 ||
        sscanf(name, "CUDA %d", &w.number) == 1)
        w.device = ZOID_DEVICE_GPU;
    else if (sscanf(name, "CPU%d", &w.number) != 1)
        w.number = id;
    if (stream)
        snprintf(w.name, sizeof w.name, "GPU %d (%d)", w.number, stream);
    else
        snprintf(w.name, sizeof w.name, "%s %d", w.device == ZOID_DEVICE_GPU ? "GPU" : "CPU",
                 w.number);
    return zoid_timeline_add_worker(p->timeline, &w);
}

static enum zoid_status read_container(struct paje *p)
{
    const char *alias = field(p, "Alias"), *in = field(p, "Container"), *name = field(p, "Name");
    int worker = number_behind("w", alias);

    if (!alias || !in || !name)
        return ZOID_OK;
    if (has(p, "Type", "T"))
        return note_place(p, alias, number_behind("mn", in));
    if (has(p, "Type", "W") && worker >= 0)
        return read_worker(p, worker, name, in);
    return ZOID_OK;
}

static enum zoid_status read_state(struct paje *p)
{
    int worker = number_behind("w", field(p, "Container"));

    if (worker < 0 || !has(p, "Type", "WS") ||
        !(has(p, "Value", "Fi") || has(p, "Value", "FetchingInput")))
        return ZOID_OK;
    return zoid_timeline_add_request(p->timeline, worker, seconds(p));
}

/* Marks that a worker's thread sets around the work of a block. */
static enum zoid_status read_work(struct paje *p)
{
    const struct place *thread = place_of(p, field(p, "Container"));
    const char *value = field(p, "Value");
    long code = value ? strtol(value, NULL, 10) : 0;

    if (!thread || thread->worker < 0 ||
        (code != ZOID_TIMELINE_BLOCK_BEGINS && code != ZOID_TIMELINE_BLOCK_ENDS))
        return ZOID_OK;
    return zoid_timeline_add_work(p->timeline, thread->worker, seconds(p),
                                  code == ZOID_TIMELINE_BLOCK_ENDS);
}

/* A thread may be delayed between reading its clock and marking it: the best of several marks is
 * the one with the least delay. */
static void read_clock(struct paje *p, const char *value)
{
    struct zoid_timeline *t = p->timeline;
    const struct zoid_timeline_mark mark = {
        .known = true, .trace = seconds(p), .clock = strtod(value, NULL)};
    struct zoid_timeline_mark *best = t->marked ? &t->after : &t->before;

    if (!best->known || mark.trace - mark.clock < best->trace - best->clock)
        *best = mark;
}

static enum zoid_status read_held(struct paje *p, const char *value)
{
    const double time = seconds(p);
    struct zoid_span span = {time, time};
    double from, to;

    if (sscanf(value, "%lf %lf", &from, &to) != 2)
        return ZOID_OK;
    span.begin -= from;
    span.end -= to;
    return zoid_timeline_add_held(p->timeline, 0, &span);
}

static enum zoid_status read_member(struct paje *p, const char *value)
{
    struct zoid_timeline_member member;

    if (sscanf(value, "%d %d", &member.worker, &member.first) != 2)
        return ZOID_OK;
    return zoid_timeline_add_member(p->timeline, &member);
}

static enum zoid_status read_border(struct paje *p, const char *value)
{
    struct zoid_timeline_border border = {.time = seconds(p)};

    if (sscanf(value, "%d %ld %ld", &border.border, &border.plane, &border.planes) != 3)
        return ZOID_OK;
    return zoid_timeline_add_border(p->timeline, &border);
}

static enum zoid_status read_part(struct paje *p, const char *value)
{
    struct zoid_timeline_part part;
    int plan = 0;

    if (sscanf(value, "%d %n", &part.part, &plan) != 1 || !plan)
        return ZOID_OK;
    snprintf(part.plan, sizeof part.plan, "%s", value + plan);
    return zoid_timeline_add_part(p->timeline, &part);
}

static bool begins(const char *text, const char *with)
{
    return text && !strncmp(text, with, strlen(with));
}

static enum zoid_status read_user_event(struct paje *p)
{
    struct zoid_timeline *t = p->timeline;
    const char *value = field(p, "Value");

    if (has(p, "Type", "user_event"))
        return read_work(p);

    if (begins(value, zoid_timeline_was_held))
        return read_held(p, value + strlen(zoid_timeline_was_held));
    if (begins(value, zoid_timeline_team))
        return read_member(p, value + strlen(zoid_timeline_team));
    if (begins(value, zoid_timeline_border))
        return read_border(p, value + strlen(zoid_timeline_border));
    if (begins(value, zoid_timeline_part))
        return read_part(p, value + strlen(zoid_timeline_part));
    if (begins(value, zoid_timeline_clock))
        read_clock(p, value + strlen(zoid_timeline_clock));
    /* Several runs in one trace count as one, from the first to the last. */
    if (has(p, "Value", zoid_timeline_run_begins) && !t->marked) {
        t->run = (struct zoid_span){seconds(p), seconds(p)};
        t->marked = true;
    } else if (has(p, "Value", zoid_timeline_run_ends)) {
        t->run.end = seconds(p);
        t->after.known = false;
    } else if (has(p, "Value", "fxt flush")) {
        t->overflows++;
    }
    return ZOID_OK;
}

static enum zoid_status open_link(struct paje *p)
{
    const char *key = field(p, "Key");
    int from = number_behind("mm", field(p, "StartContainer"));
    struct open_link *larger;

    /* Links between other containers are no transfers. */
    if (!key || from < 0)
        return ZOID_OK;
    larger = realloc(p->open, (p->opens + 1) * sizeof *larger);
    if (!larger)
        return zoid_fail(ZOID_RESOURCE, "out of memory for the timeline");
    p->open = larger;
    larger[p->opens] =
        (struct open_link){.transfer = {.span = {.begin = seconds(p)}, .from = from}};
    snprintf(larger[p->opens++].key, NAME, "%s", key);
    return ZOID_OK;
}

/* The size is taken from here: in the event of the start StarPU cuts it to 32 bits. */
static enum zoid_status close_link(struct paje *p)
{
    const char *key = field(p, "Key"), *size = field(p, "Value");
    int to = number_behind("mm", field(p, "EndContainer"));

    if (!key || !size || to < 0)
        return ZOID_OK;
    for (size_t i = 0; i < p->opens; i++)
        if (!strcmp(p->open[i].key, key)) {
            struct zoid_timeline_transfer x = p->open[i].transfer;

            x.span.end = seconds(p);
            x.to = to;
            x.bytes = strtod(size, NULL);
            p->open[i] = p->open[--p->opens];
            return zoid_timeline_add_transfer(p->timeline, &x);
        }
    return ZOID_OK;
}

static enum zoid_status read_event(struct paje *p)
{
    static const struct {
        const char *name;
        enum zoid_status (*read)(struct paje *p);
    } readers[] = {
        {"PajeCreateContainer", read_container},
        {"PajeSetState", read_state},
        {"PajePushState", read_state},
        {"PajeNewEvent", read_user_event},
        {"PajeStartLink", open_link},
        {"PajeEndLink", close_link},
    };
    char *end;
    long number = strtol(p->word[0], &end, 10);

    if (*end || number < 0 || number >= MOST_EVENTS)
        return ZOID_OK;
    p->definition = &p->event[number];
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (!strcmp(p->definition->name, readers[i].name))
            return readers[i].read(p);
    return ZOID_OK;
}

enum zoid_status zoid_timeline_read_paje(struct zoid_timeline *t, FILE *paje)
{
    struct paje *p = calloc(1, sizeof *p);
    enum zoid_status status = p ? ZOID_OK : zoid_no_memory();
    size_t room = 0;
    char *line = NULL;

    if (p)
        *p = (struct paje){.timeline = t, .defining = -1};
    while (!status && getline(&line, &room, paje) >= 0) {
        p->words = split(line, p->word, MOST_FIELDS + 1);
        if (!p->words)
            continue;
        /* `% Time date` and `%	Time	date` are fields, whatever follows the percent sign. */
        if (*p->word[0] == '%')
            read_definition(p);
        else
            status = read_event(p);
    }
    free(line);
    if (p) {
        free(p->place);
        free(p->open);
    }
    free(p);
    return status;
}
