/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory traffic if every datum is brought in once a visit. Memories have room for all such data: a
 * datum stays in the memory of its block until graphs/residence.h evicts it.
 *
 *     beyond  --far up-->   main memory  --up-->   a near memory  <--peer-->  another
 *             <--far down--              <--down--
 *
 * If blocks run in main memory, that is the only near memory, and data at home there never move.
 * Data at home beyond main memory pass through it and do not stay there. */
#include <stdlib.h>

#include "graphs/residence.h"
#include "graphs/sinks/moves.h"
#include "graphs/sinks/numbering.h"

/* Memories that have a datum as it was last written. */
struct copies {
    uint64_t near; /* a bit for each memory */
    bool home;
    bool handed; /* the next memory to take it becomes its only holder */
};

struct mover {
    struct zoid_sink sink;
    const struct zoid_graph *graph;
    const struct zoid_moves_options *options;
    struct zoid_census census;
    struct zoid_numbering numbering;
    struct copies *data, **found; /* found: of each access of a block */
    struct zoid_residence_in in;  /* of the block */
    struct zoid_moves *moves;
};

enum { LOST = ZOID_BAD_CENSUS + 1 };

static struct copies *copies_of(const struct mover *m, const struct zoid_datum *datum)
{
    const long number = zoid_graph_number(&m->numbering, m->graph, &m->census, datum);

    return number < 0 ? NULL : &m->data[number];
}

static double bytes_of(const struct mover *m, const struct zoid_datum *datum)
{
    return m->options->bytes(m->options->of, datum);
}

static int memory_of(const struct mover *m, int lane)
{
    const int memories = m->options->memories;

    return memories ? zoid_lane_memory(lane, m->graph->lanes, memories) : 0;
}

static void come_from_home(const struct mover *m, const struct zoid_datum *datum)
{
    const double bytes = bytes_of(m, datum);

    if (m->options->far[datum->kind])
        m->moves->far_up += bytes;
    if (m->options->memories)
        m->moves->up += bytes;
}

static int go_home(const struct mover *m, const struct zoid_datum *datum, struct copies *c)
{
    double bytes;

    if (c->home)
        return 0;
    if (!c->near)
        return LOST;
    bytes = bytes_of(m, datum);
    if (m->options->memories)
        m->moves->down += bytes;
    if (m->options->far[datum->kind])
        m->moves->far_down += bytes;
    c->home = true;
    return 0;
}

/* ---- blocks ------------------------------------------------------------------------------ */

/* Bring a datum to the block's memory. A copy in another memory is nearer than the home; constants
 * come from home all the same, as memories do not wait for each other's. */
static int bring(const struct mover *m, const struct zoid_access *a, struct copies *c,
                 uint64_t here)
{
    const bool constant = zoid_kinds[a->datum.kind].constant;

    if (c->near & here || !zoid_access_reads(a))
        return 0;
    if (constant && m->options->settled && m->in.kept[a->datum.kind]) {
        c->near |= here;
        return 0;
    }
    if (c->near && !constant)
        m->moves->peer += bytes_of(m, &a->datum);
    else if (c->home)
        come_from_home(m, &a->datum);
    else
        return LOST;
    c->near = here | (c->handed ? 0 : c->near);
    c->handed = false;
    return 0;
}

/* Release a datum after the block. */
static int leave(const struct mover *m, const struct zoid_access *a, struct copies *c,
                 uint64_t here)
{
    int rc = 0;

    switch (zoid_residence_after(a, &m->in)) {
    case ZOID_STAYS:
        break;
    case ZOID_HANDED_ON:
        c->handed = true;
        break;
    case ZOID_GOES_HOME:
        rc = go_home(m, &a->datum, c);
        c->near &= ~here;
        break;
    case ZOID_DROPPED:
        c->near &= ~here;
        break;
    }
    return rc;
}

static int find(const struct mover *m, const struct zoid_block *b)
{
    bool all = b->naccess <= (size_t)m->census.max_access;

    for (size_t i = 0; i < b->naccess && all; i++)
        all = (m->found[i] = copies_of(m, &b->access[i].datum)) != NULL;
    return all ? 0 : ZOID_BAD_CENSUS;
}

static int on_block(struct zoid_sink *self, const struct zoid_block *b)
{
    struct mover *m = (struct mover *)self;
    const int memory = memory_of(m, b->lane);
    const uint64_t here = (uint64_t)1 << memory;
    int rc = find(m, b);

    m->in.next_lane_here = memory_of(m, b->lane + 1) == memory;
    m->in.last = b->zoid.t1 == zoid_graph_last_time(m->graph);
    for (size_t i = 0; i < b->naccess && !rc; i++)
        rc = bring(m, &b->access[i], m->found[i], here);
    for (size_t i = 0; i < b->naccess && !rc; i++)
        if (zoid_access_writes(&b->access[i]))
            *m->found[i] = (struct copies){.near = here};
    for (size_t i = 0; i < b->naccess && !rc; i++)
        rc = leave(m, &b->access[i], m->found[i], here);
    return rc;
}

/* ---- main memory ------------------------------------------------------------------------- */

/* Write a datum back, for a reader in main memory. */
static int show(const struct mover *m, const struct zoid_datum *datum)
{
    struct copies *c = copies_of(m, datum);

    return c ? go_home(m, datum, c) : ZOID_BAD_CENSUS;
}

/* An arriving message invalidates all copies. A join updates a message just before it is sent. */
static int on_message(struct zoid_sink *self, const struct zoid_message *message)
{
    const struct mover *m = (struct mover *)self;
    struct copies *c = copies_of(m, &message->datum);

    if (message->sends)
        return show(m, &message->datum);
    if (c)
        *c = (struct copies){.home = true};
    return c ? 0 : ZOID_BAD_CENSUS;
}

static int on_store(struct zoid_sink *self, const struct zoid_access *access)
{
    return show((struct mover *)self, &access->datum);
}

static bool on_last(struct zoid_sink *self, long steps)
{
    return steps == ((struct mover *)self)->options->end;
}

/* Data that outlive a leg are at home: they were loaded there, or the leg before has left them
 * there. Other data are written before they are read. */
static void begin(const struct mover *m)
{
    for (int k = 0; k < ZOID_KINDS; k++) {
        const enum zoid_kind_home home = zoid_kinds[k].home;
        const long data = m->numbering.kind[k].rows * m->numbering.kind[k].cols;

        for (long i = 0; i < data && (home == ZOID_HOME_FARTHEST || home == ZOID_HOME_RAM); i++)
            m->data[m->numbering.kind[k].first + i].home = true;
    }
}

int zoid_moves_graph(const struct zoid_graph *graph, const struct zoid_moves_options *options,
                     struct zoid_moves *moves)
{
    struct mover m = {
        .sink = {.message = on_message, .block = on_block, .store = on_store, .last = on_last},
        .graph = graph,
        .options = options,
        .moves = moves};
    int rc = ZOID_GRAPH_NO_MEMORY;

    *moves = (struct zoid_moves){.up = 0};
    zoid_graph_census(graph, &m.census);
    if (zoid_numbering_init(&m.numbering, &m.census))
        return ZOID_BAD_CENSUS;
    m.data = calloc((size_t)m.numbering.count + 1, sizeof *m.data);
    m.found = calloc((size_t)m.census.max_access + 1, sizeof *m.found);
    for (int k = 0; k < ZOID_KINDS; k++)
        m.in.kept[k] = options->kept[k];
    if (m.data && m.found) {
        begin(&m);
        rc = zoid_graph_emit(graph, &m.sink);
    }
    free(m.found);
    free(m.data);
    return rc;
}
