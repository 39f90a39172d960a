/* SPDX-License-Identifier: BSD-3-Clause */
/* List scheduling: a free worker takes the first block, in stream order, whose dependencies have
 * ended. Blocks are known from their submission on, and are submitted while fewer than `most` of
 * them are in flight. Memory grows with the blocks.
 *
 * With ways, data come to the memory of blocks and leave it (graphs/residence.h), and messages go
 *
 *   block -> link down -> thread (sends) -> network -> thread (receives) -> link up -> block
 *
 * A block is submitted when its data have room, and those that are not messages are fetched at
 * once; messages when all else that the block waits for has ended. All ranks do the same at the
 * same time: a rank receives a message when the one that it sends in the same direction arrives, or
 * at the end of a row of ranks the one in the opposite direction. */
#include "graphs/sinks/schedule.h"

#include <math.h>
#include <stdlib.h>

#include "graphs/cell.h"
#include "graphs/common/grid.h"
#include "graphs/common/messages.h"
#include "graphs/message.h"
#include "graphs/residence.h"
#include "graphs/sinks/activities.h"
#include "graphs/sinks/numbering.h"

/* A datum: its last writer, and a list of its readers since; and its copy in the memory apart. */
struct history {
    long writer, readers;
    bool there, valid, dirty; /* it has room there, its contents, which nothing else has */
    long claims;              /* blocks that have not ended */
    long leaving, left_by;    /* the transfer home that has not ended, and whose contents it has */
    long written_by;          /* the last block that wrote it and has ended */
    enum zoid_residence after;
    double bytes;
};

/* Access of a block that has not ended. */
struct use {
    long datum;
    bool writes;
    enum zoid_residence after;
};

/* Sent messages without a receiver yet, or the other way round: lists, the oldest one last. */
struct pairing {
    long sent, awaited;
};

struct scheduler {
    struct zoid_sink sink;
    const struct zoid_graph *graph;
    const struct zoid_schedule_options *options;
    const struct zoid_schedule_ways *ways;
    struct zoid_census census;
    struct zoid_numbering numbering;
    struct zoid_residence_in in;
    struct history *data;
    struct history **accessed; /* by the block that is being submitted, access by access */
    struct zoid_activities act;
    struct use *use;
    long uses, room_for_uses, in_flight;
    double used;
    struct pairing *pair;
    long *like; /* of a heading that which the rank's own messages have */
    struct zoid_schedule *schedule;
};

static struct history *history_of(const struct scheduler *s, const struct zoid_datum *datum)
{
    const long number = zoid_graph_number(&s->numbering, s->graph, &s->census, datum);

    return number < 0 ? NULL : &s->data[number];
}

static double bytes_of(const struct scheduler *s, const struct zoid_datum *datum)
{
    return s->ways->bytes(s->ways->of, datum);
}

/* Returns the bytes of a datum of `bytes` in the memory apart, in whole grains. */
static double room_for(const struct scheduler *s, double bytes)
{
    const double grain = s->ways->grain;

    return grain > 0 ? ceil(bytes / grain) * grain : bytes;
}

/* A reader waits for the last writer, a writer for it and for all readers since. */
static void depend(struct scheduler *s, long activity, struct history *h, bool writes)
{
    zoid_activity_wait(&s->act, activity, h->writer);
    if (writes)
        zoid_activity_wait_list(&s->act, activity, h->readers);
}

static void note(struct scheduler *s, long activity, struct history *h, bool writes)
{
    if (!writes) {
        zoid_activity_prepend(&s->act, &h->readers, activity);
        return;
    }
    h->writer = activity;
    h->readers = 0;
}

/* ---- the memory apart ----------------------------------------------------------------------- */

static void drop(struct scheduler *s, struct history *h)
{
    s->used -= h->there ? room_for(s, h->bytes) : 0;
    h->there = h->valid = h->dirty = false;
}

/* Make the transfer home of a datum, after its last writer. */
static long send_home(struct scheduler *s, struct history *h, double bytes)
{
    const double seconds = bytes * s->ways->down + s->ways->datum;
    const long down = zoid_activity_make(&s->act, ZOID_ON_DOWN, seconds);

    if (!down)
        return 0;
    s->schedule->down += seconds;
    s->act.all[down].of = h - s->data + 1;
    h->leaving = down;
    h->left_by = h->writer;
    zoid_activity_wait(&s->act, down, h->writer);
    zoid_activity_listed(&s->act, down);
    return down;
}

static void leave(struct scheduler *s, struct history *h)
{
    if (h->claims || h->after == ZOID_STAYS || h->leaving)
        return;
    if (h->after == ZOID_GOES_HOME && h->dirty)
        send_home(s, h, h->bytes);
    else
        drop(s, h);
}

static void block_ended(struct scheduler *s, long number, const struct zoid_activity *block)
{
    const struct use *use = s->use + block->of;

    s->in_flight--;
    s->schedule->seconds = s->act.now;
    for (long i = 0; i < block->n; i++) {
        struct history *h = &s->data[use[i].datum];

        h->claims--;
        if (use[i].writes) {
            h->dirty = true;
            h->written_by = number;
        }
        h->after = use[i].after;
        leave(s, h);
    }
}

static void has_ended(void *self, long activity)
{
    struct scheduler *s = self;
    const struct zoid_activity one = s->act.all[activity];

    if (one.on == ZOID_ON_WORKERS) {
        block_ended(s, activity, &one);
    } else if (one.on == ZOID_ON_DOWN) {
        struct history *h = &s->data[one.of - 1];

        s->schedule->seconds = s->act.now;
        if (h->leaving != activity)
            return;
        h->leaving = 0;
        h->dirty = h->dirty && h->written_by > h->left_by;
        leave(s, h);
    }
}

/* ---- blocks --------------------------------------------------------------------------------- */

static bool is_kept(const struct scheduler *s, const struct zoid_access *a)
{
    return s->ways->kept[a->datum.kind];
}

/* Find the data of a block; false if the census does not have all of them. */
static bool find_data(struct scheduler *s, const struct zoid_block *b)
{
    if (b->naccess > (size_t)s->census.max_access)
        return false;
    for (size_t i = 0; i < b->naccess; i++)
        if (!(s->accessed[i] = history_of(s, &b->access[i].datum)))
            return false;
    return true;
}

/* Bytes that a block needs besides those that are there. */
static double need_of(const struct scheduler *s, const struct zoid_block *b)
{
    double need = 0;

    for (size_t i = 0; i < b->naccess; i++)
        if (!s->accessed[i]->there && !is_kept(s, &b->access[i]))
            need += room_for(s, bytes_of(s, &b->access[i].datum));
    return need;
}

/* Fetch a datum: a message after `gate`, others at once. */
static void fetch(struct scheduler *s, const struct zoid_access *a, struct history *h, long gate,
                  long block)
{
    const double seconds = bytes_of(s, &a->datum) * s->ways->up + s->ways->datum;
    const long up = zoid_activity_make(&s->act, ZOID_ON_UP, seconds);

    if (!up)
        return;
    s->schedule->up += seconds;
    zoid_activity_wait(&s->act, up, h->writer);
    zoid_activity_wait(&s->act, up, h->leaving);
    if (zoid_kind_travels(a->datum.kind))
        zoid_activity_wait(&s->act, up, gate);
    zoid_activity_listed(&s->act, up);
    zoid_activity_wait(&s->act, zoid_kind_travels(a->datum.kind) ? block : gate, up);
    h->writer = up;
}

static void claim(struct scheduler *s, const struct zoid_access *a, struct history *h, long gate,
                  long block)
{
    h->bytes = bytes_of(s, &a->datum);
    if (!h->there && !is_kept(s, a)) {
        s->used += room_for(s, h->bytes);
        h->there = true;
    }
    if (zoid_access_reads(a) && !h->valid)
        fetch(s, a, h, gate, block);
    h->valid = true;
}

static bool add_use(struct scheduler *s, const struct zoid_access *a, struct history *h, long first)
{
    const struct use use = {h - s->data, zoid_access_writes(a), zoid_residence_after(a, &s->in)};

    for (long i = first; i < s->uses; i++)
        if (s->use[i].datum == use.datum) {
            s->use[i].writes |= use.writes;
            s->use[i].after = use.after;
            return true;
        }
    if (s->uses + 1 >= s->room_for_uses) {
        struct use *more = realloc(s->use, (size_t)(2 * s->room_for_uses + 64) * sizeof *more);

        if (!more)
            return false;
        s->use = more;
        s->room_for_uses = 2 * s->room_for_uses + 64;
    }
    h->claims++;
    s->use[s->uses++] = use;
    return true;
}

static void make_room(struct scheduler *s, const struct zoid_block *b)
{
    const double room = s->ways && s->ways->near ? s->ways->room : 0;

    while (s->in_flight >= s->options->most && zoid_activities_go_on(&s->act))
        ;
    while (room > 0 && s->used + need_of(s, b) > room && zoid_activities_go_on(&s->act))
        ;
}

static int on_block(struct zoid_sink *self, const struct zoid_block *b)
{
    struct scheduler *s = (struct scheduler *)self;
    const double seconds = s->options->seconds(s->options->of, b);
    const bool near = s->ways && s->ways->near;
    long block, gate;

    if (!find_data(s, b))
        return ZOID_BAD_CENSUS;
    make_room(s, b);
    block = zoid_activity_make(&s->act, ZOID_ON_WORKERS, seconds);
    gate = near ? zoid_activity_make(&s->act, ZOID_ON_NOTHING, s->ways->turn) : block;
    if (s->act.failed)
        return ZOID_GRAPH_NO_MEMORY;
    s->in_flight++;
    s->schedule->work += seconds;
    s->act.all[block].of = s->uses;
    s->in.last = b->zoid.t1 == zoid_graph_last_time(s->graph);
    for (size_t i = 0; i < b->naccess; i++)
        depend(s, gate, s->accessed[i], zoid_access_writes(&b->access[i]));
    /* Not earlier: a block may access a message several times, and its gate must not wait for the
     * message's way up, which waits for the gate. */
    for (size_t i = 0; near && i < b->naccess; i++)
        claim(s, &b->access[i], s->accessed[i], gate, block);
    for (size_t i = 0; i < b->naccess; i++) {
        note(s, block, s->accessed[i], zoid_access_writes(&b->access[i]));
        if (near && !add_use(s, &b->access[i], s->accessed[i], s->act.all[block].of))
            return ZOID_GRAPH_NO_MEMORY;
    }
    s->act.all[block].n = s->uses - s->act.all[block].of;
    if (gate != block) {
        zoid_activity_wait(&s->act, block, gate);
        zoid_activity_listed(&s->act, gate);
    }
    zoid_activity_listed(&s->act, block);
    return s->act.failed ? ZOID_GRAPH_NO_MEMORY : 0;
}

/* ---- messages ------------------------------------------------------------------------------- */

/* Let an activity that reads a datum in main memory wait for it, and for its way there. */
static void wait_at_home(struct scheduler *s, long activity, const struct zoid_datum *datum,
                         struct history *h)
{
    const bool comes = h->leaving && h->left_by == h->writer;

    if (s->ways->near && h->valid && !comes && (h->dirty || h->claims))
        send_home(s, h, bytes_of(s, datum));
    zoid_activity_wait(&s->act, activity, h->leaving);
    zoid_activity_wait(&s->act, activity, h->writer);
}

/* The oldest of a list, which it leaves; 0 if there is none. */
static long oldest(struct scheduler *s, long *list)
{
    long one;

    if (!*list)
        return 0;
    while (s->act.link[*list].next)
        list = &s->act.link[*list].next;
    one = s->act.link[*list].activity;
    *list = 0;
    return one;
}

/* A way from a cell of the rank, by its place among them: that of a message. */
struct heading {
    long cell;
    int direction;
};

static const int stride[ZOID_AXES] = {1, 3, 9};

static int step_of(int direction, int axis)
{
    return direction / stride[axis] % 3 - 1;
}

static struct heading heading_of(const struct scheduler *s, const struct zoid_datum *message)
{
    const struct zoid_graph *g = s->graph;
    struct heading h = {0, zoid_message_direction(message)};

    for (int a = ZOID_AXES - 1; a >= 0; a--) {
        const long cells = zoid_rank_cells_along(g, a);

        h.cell = h.cell * cells + zoid_grid_index(g, zoid_message_from(message), a) % cells;
    }
    return h;
}

/* The same with some axes turned round. */
static struct heading turned(const struct scheduler *s, struct heading h, int axes)
{
    struct heading t = {0, h.direction};
    long index[ZOID_AXES];

    for (int a = 0; a < ZOID_AXES; a++) {
        const long cells = zoid_rank_cells_along(s->graph, a);

        index[a] = axes >> a & 1 ? cells - 1 - h.cell % cells : h.cell % cells;
        h.cell /= cells;
        t.direction -= axes >> a & 1 ? 2 * stride[a] * step_of(h.direction, a) : 0;
    }
    for (int a = ZOID_AXES - 1; a >= 0; a--)
        t.cell = t.cell * zoid_rank_cells_along(s->graph, a) + index[a];
    return t;
}

static long number_of(struct heading h)
{
    return h.cell * ZOID_DIRECTIONS + h.direction;
}

/* The rank that a message goes to, as a direction. */
static int peer_of(const struct scheduler *s, const struct zoid_datum *message)
{
    const struct zoid_graph *g = s->graph;
    int peer = ZOID_MIDDLE;

    for (int a = 0; a < ZOID_AXES; a++) {
        const long cells = zoid_rank_cells_along(g, a);
        const long at = zoid_grid_index(g, zoid_message_from(message), a) % cells;
        const long to = at + step_of(zoid_message_direction(message), a);

        peer += stride[a] * (to < 0 ? -1 : to >= cells);
    }
    return peer;
}

/* Messages of a name, by the number of a heading of the rank's own. */
static struct pairing *pair_of(const struct scheduler *s, const struct zoid_datum *datum,
                               long number)
{
    const long headings = zoid_rank_cells(s->graph) * ZOID_DIRECTIONS;

    return &s->pair[(datum->col * headings + number) * ZOID_MESSAGE_EPOCHS +
                    datum->row % ZOID_MESSAGE_EPOCHS];
}

static void sends(struct scheduler *s, const struct zoid_datum *datum, struct history *h)
{
    const struct zoid_schedule_ways *w = s->ways;
    const double bytes = bytes_of(s, datum), end = w->message + bytes * w->copy;
    const long thread = zoid_activity_make(&s->act, ZOID_ON_THREAD, end);
    const long way = zoid_activity_make(&s->act, ZOID_ON_NOTHING, w->way);
    const long wire = zoid_activity_make(&s->act, ZOID_ON_WIRE, bytes * w->wire);
    const long arrives = zoid_activity_make(&s->act, ZOID_ON_THREAD, end);
    struct pairing *pair = pair_of(s, datum, number_of(heading_of(s, datum)));
    long awaited;

    if (s->act.failed)
        return;
    s->act.all[wire].peer = peer_of(s, datum);
    wait_at_home(s, thread, datum, h);
    zoid_activity_wait(&s->act, way, thread);
    zoid_activity_wait(&s->act, wire, way);
    zoid_activity_wait(&s->act, arrives, wire);
    zoid_activity_prepend(&s->act, &h->readers, wire);
    if ((awaited = oldest(s, &pair->awaited))) {
        zoid_activity_wait(&s->act, awaited, arrives);
        zoid_activity_listed(&s->act, awaited);
    } else {
        zoid_activity_prepend(&s->act, &pair->sent, arrives);
    }
    zoid_activity_listed(&s->act, thread);
    zoid_activity_listed(&s->act, way);
    zoid_activity_listed(&s->act, wire);
    zoid_activity_listed(&s->act, arrives);
}

static void receives(struct scheduler *s, const struct zoid_datum *datum, struct history *h)
{
    const long came = zoid_activity_make(&s->act, ZOID_ON_NOTHING, 0);
    struct pairing *pair = pair_of(s, datum, s->like[number_of(heading_of(s, datum))]);
    long sent;

    if (s->act.failed)
        return;
    depend(s, came, h, true);
    note(s, came, h, true);
    if (h->claims)
        h->valid = h->dirty = false;
    else
        drop(s, h);
    if ((sent = oldest(s, &pair->sent))) {
        zoid_activity_wait(&s->act, came, sent);
        zoid_activity_listed(&s->act, came);
    } else {
        zoid_activity_prepend(&s->act, &pair->awaited, came);
    }
}

static int on_message(struct zoid_sink *self, const struct zoid_message *m)
{
    struct scheduler *s = (struct scheduler *)self;
    struct history *h = history_of(s, &m->datum);

    if (!h || m->datum.kind != ZOID_MESSAGE)
        return ZOID_BAD_CENSUS;
    if (m->sends)
        sends(s, &m->datum, h);
    else
        receives(s, &m->datum, h);
    return s->act.failed ? ZOID_GRAPH_NO_MEMORY : 0;
}

/* In main memory, at once; outdates a copy of the message that it changes. */
static int on_join(struct zoid_sink *self, const struct zoid_join *j)
{
    struct scheduler *s = (struct scheduler *)self;
    const long join = zoid_activity_make(&s->act, ZOID_ON_NOTHING, 0);

    for (size_t i = 0; i < j->naccess && join; i++) {
        struct history *h = history_of(s, &j->access[i].datum);

        if (!h)
            return ZOID_BAD_CENSUS;
        wait_at_home(s, join, &j->access[i].datum, h);
        depend(s, join, h, !i);
        note(s, join, h, !i);
        h->valid = h->valid && i;
    }
    zoid_activity_listed(&s->act, join);
    return s->act.failed ? ZOID_GRAPH_NO_MEMORY : 0;
}

/* ---- headings ------------------------------------------------------------------------------- */

static int mark(void *self, const struct zoid_message_pair *pair)
{
    struct scheduler *s = self;
    const struct zoid_datum d = zoid_message_datum(s->graph, &pair->from, &pair->to, 0, 0);
    const long number = number_of(heading_of(s, &d));

    s->like[number] = number;
    return 0;
}

/* Find the headings of received messages: the rank's own where it sends such ones, or those that
 * are turned round where it has no neighbour. */
static void find_headings(struct scheduler *s)
{
    const struct zoid_range cells = zoid_graph_cells(s->graph);
    const long all = (cells.hi - cells.lo) * ZOID_DIRECTIONS;

    for (long i = 0; i < all; i++)
        s->like[i] = -1;
    for (long c = cells.lo; c < cells.hi; c++)
        zoid_message_pairs(s->graph, c, true, mark, s);
    for (long i = 0; i < all; i++)
        for (int axes = 1; axes < 1 << ZOID_AXES && s->like[i] < 0; axes++) {
            const struct heading h = {i / ZOID_DIRECTIONS, (int)(i % ZOID_DIRECTIONS)};
            const long other = number_of(turned(s, h, axes));

            if (s->like[other] == other)
                s->like[i] = other;
        }
    for (long i = 0; i < all; i++)
        s->like[i] = s->like[i] < 0 ? i : s->like[i];
}

/* ---- the graph ------------------------------------------------------------------------------ */

static bool begin(struct scheduler *s)
{
    const size_t headings = (size_t)zoid_rank_cells(s->graph) * ZOID_DIRECTIONS;
    const size_t names = (size_t)(s->census.kind[ZOID_MESSAGE].cols + 1) * ZOID_MESSAGE_EPOCHS;

    s->data = calloc((size_t)s->numbering.count + 1, sizeof *s->data);
    s->accessed = calloc((size_t)s->census.max_access + 1, sizeof *s->accessed);
    if (!s->data || !s->accessed || !zoid_activities_init(&s->act))
        return false;
    if (!s->ways)
        return true;
    s->sink.message = on_message;
    s->sink.join = on_join;
    s->in.next_lane_here = true;
    for (int k = 0; k < ZOID_KINDS; k++)
        s->in.kept[k] = s->ways->kept[k];
    s->like = calloc(headings, sizeof *s->like);
    s->pair = calloc(headings * names, sizeof *s->pair);
    if (s->like && s->pair)
        find_headings(s);
    return s->like && s->pair;
}

int zoid_schedule_graph(const struct zoid_graph *graph, const struct zoid_schedule_options *options,
                        struct zoid_schedule *schedule)
{
    struct scheduler s = {.sink = {.block = on_block},
                          .graph = graph,
                          .options = options,
                          .ways = options->ways,
                          .act = {.workers = options->workers, .ended = has_ended},
                          .schedule = schedule};
    int rc = ZOID_GRAPH_NO_MEMORY;

    *schedule = (struct zoid_schedule){.seconds = 0};
    s.act.self = &s;
    s.act.steals = s.ways && s.ways->steals;
    zoid_graph_census(graph, &s.census);
    if (zoid_numbering_init(&s.numbering, &s.census))
        return ZOID_BAD_CENSUS;
    if (begin(&s))
        rc = zoid_graph_emit(graph, &s.sink);
    while (!rc && zoid_activities_go_on(&s.act))
        ;
    if (!rc && (s.act.failed || s.in_flight))
        rc = s.act.failed ? ZOID_GRAPH_NO_MEMORY : ZOID_SCHEDULE_STUCK;
    zoid_activities_free(&s.act);
    free(s.pair);
    free(s.like);
    free(s.use);
    free(s.accessed);
    free(s.data);
    return rc;
}
