/* SPDX-License-Identifier: BSD-3-Clause */
/* List scheduling: a free worker takes the first block, in stream order, whose dependencies have
 * ended. Blocks are known from their submission on, and are submitted while fewer than `most` of
 * them are in flight. Memory grows with the blocks. */
#include <stdlib.h>

#include "graphs/residence.h"
#include "graphs/sinks/numbering.h"
#include "graphs/sinks/schedule.h"

/* List element: a block, and the index of the next element; 0 ends a list. */
struct link {
    long block, next;
};

/* A block and its dependencies. */
struct entry {
    double seconds; /* duration */
    long waits;     /* number of blocks that it waits for */
    long after;     /* list of blocks that wait for it */
    bool ended;
};

/* Last writer of a datum, and a list of its readers since. */
struct history {
    long writer, readers;
};

/* A block in a heap; key: time at which it ends, or its own number. */
struct item {
    double key;
    long block;
};

/* Binary heap, least key first. */
struct heap {
    struct item *item;
    long n, room;
};

struct scheduler {
    struct zoid_sink sink;
    const struct zoid_graph *graph;
    const struct zoid_schedule_options *options;
    struct zoid_census census;
    struct zoid_numbering numbering;
    struct history *data;
    struct entry *block; /* from 1 on */
    long blocks, room_for_blocks, in_flight;
    struct link *link;
    long links, room_for_links;
    struct heap ready, running; /* by their numbers, and by their ends */
    struct zoid_schedule *schedule;
};

/* ---- heaps -------------------------------------------------------------------------------- */

static void put(struct heap *h, struct item item)
{
    long i = h->n++;

    for (; i && h->item[(i - 1) / 2].key > item.key; i = (i - 1) / 2)
        h->item[i] = h->item[(i - 1) / 2];
    h->item[i] = item;
}

static struct item take(struct heap *h)
{
    const struct item first = h->item[0], last = h->item[--h->n];
    long i = 0, child;

    while ((child = 2 * i + 1) < h->n) {
        child += child + 1 < h->n && h->item[child + 1].key < h->item[child].key;
        if (h->item[child].key >= last.key)
            break;
        h->item[i] = h->item[child];
        i = child;
    }
    h->item[i] = last;
    return first;
}

/* ---- time --------------------------------------------------------------------------------- */

static void start_what_can(struct scheduler *s)
{
    while (s->ready.n && s->running.n < s->options->workers) {
        const long block = take(&s->ready).block;

        put(&s->running, (struct item){s->schedule->seconds + s->block[block].seconds, block});
    }
}

static void is_ready(struct scheduler *s, long block)
{
    put(&s->ready, (struct item){(double)block, block});
}

static void end_block(struct scheduler *s, long block)
{
    struct entry *e = &s->block[block];

    e->ended = true;
    s->in_flight--;
    for (long l = e->after; l; l = s->link[l].next)
        if (!--s->block[s->link[l].block].waits)
            is_ready(s, s->link[l].block);
}

/* Advance to the end of the next block, and of all that end with it. */
static void go_on(struct scheduler *s)
{
    s->schedule->seconds = s->running.item[0].key;
    while (s->running.n && s->running.item[0].key <= s->schedule->seconds)
        end_block(s, take(&s->running).block);
    start_what_can(s);
}

/* ---- blocks ------------------------------------------------------------------------------- */

/* Grow an array for one more entry, if needed; entry 0 stays free. */
static void *room_for(void *all, long have, long *room, size_t size)
{
    void *grown;

    if (have + 1 < *room)
        return all;
    grown = realloc(all, (size_t)(2 * *room + 64) * size);
    if (grown)
        *room = 2 * *room + 64;
    return grown;
}

static bool prepend(struct scheduler *s, long *list, long block)
{
    struct link *grown = room_for(s->link, s->links, &s->room_for_links, sizeof *grown);

    if (!grown)
        return false;
    s->link = grown;
    s->link[++s->links] = (struct link){block, *list};
    *list = s->links;
    return true;
}

static bool wait_for(struct scheduler *s, long block, long other)
{
    if (!other || other == block || s->block[other].ended)
        return true;
    s->block[block].waits++;
    return prepend(s, &s->block[other].after, block);
}

/* A reader waits for the last writer, a writer for it and for all readers since. */
static bool access_datum(struct scheduler *s, long block, const struct zoid_access *a,
                         struct history *h)
{
    bool all = wait_for(s, block, h->writer);

    if (!zoid_access_writes(a))
        return all && prepend(s, &h->readers, block);
    for (long l = h->readers; l && all; l = s->link[l].next)
        all = wait_for(s, block, s->link[l].block);
    *h = (struct history){.writer = block};
    return all;
}

static bool make_room(struct scheduler *s)
{
    struct entry *blocks = room_for(s->block, s->blocks, &s->room_for_blocks, sizeof *blocks);
    struct item *ready = NULL;

    s->block = blocks ? blocks : s->block;
    if (blocks)
        ready = room_for(s->ready.item, s->in_flight, &s->ready.room, sizeof *ready);
    s->ready.item = ready ? ready : s->ready.item;
    return ready;
}

static struct history *history_of(const struct scheduler *s, const struct zoid_datum *datum)
{
    const long number = zoid_graph_number(&s->numbering, s->graph, &s->census, datum);

    return number < 0 ? NULL : &s->data[number];
}

static int on_block(struct zoid_sink *self, const struct zoid_block *b)
{
    struct scheduler *s = (struct scheduler *)self;
    const double seconds = s->options->seconds(s->options->of, b);
    long block;

    while (s->in_flight >= s->options->most)
        go_on(s);
    if (!make_room(s))
        return ZOID_GRAPH_NO_MEMORY;
    block = ++s->blocks;
    s->block[block] = (struct entry){.seconds = seconds};
    s->in_flight++;
    s->schedule->work += seconds;
    for (size_t i = 0; i < b->naccess; i++) {
        struct history *h = history_of(s, &b->access[i].datum);

        if (!h)
            return ZOID_BAD_CENSUS;
        if (!access_datum(s, block, &b->access[i], h))
            return ZOID_GRAPH_NO_MEMORY;
    }
    if (!s->block[block].waits)
        is_ready(s, block);
    start_what_can(s);
    return 0;
}

int zoid_schedule_graph(const struct zoid_graph *graph, const struct zoid_schedule_options *options,
                        struct zoid_schedule *schedule)
{
    struct scheduler s = {
        .sink = {.block = on_block}, .graph = graph, .options = options, .schedule = schedule};
    int rc = ZOID_GRAPH_NO_MEMORY;

    *schedule = (struct zoid_schedule){.seconds = 0};
    zoid_graph_census(graph, &s.census);
    if (zoid_numbering_init(&s.numbering, &s.census))
        return ZOID_BAD_CENSUS;
    s.data = calloc((size_t)s.numbering.count + 1, sizeof *s.data);
    s.running.item = malloc(((size_t)options->workers + 1) * sizeof *s.running.item);
    if (s.data && s.running.item)
        rc = zoid_graph_emit(graph, &s.sink);
    while (!rc && s.running.n)
        go_on(&s);
    free(s.running.item);
    free(s.ready.item);
    free(s.link);
    free(s.block);
    free(s.data);
    return rc;
}
