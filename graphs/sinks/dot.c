/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphviz output: a node per block and per join, a row and a colour per pass, an arrow per datum
 * that one block leaves for another. Dashed arrows are write-after-read dependencies: their block
 * waits until others have finished with a datum that it writes. They are left out between blocks
 * that an ordinary arrow connects. */
#include <errno.h>
#include <stdlib.h>

#include "graphs/cell.h"
#include "graphs/sinks/numbering.h"

enum { COLOURS = 12 }; /* of the scheme set312 */

/* A block that has read a datum since it was written, and the reader before it. */
struct reader {
    long block;
    struct reader *next;
};

struct history {
    long writer; /* counted from 1; 0 is the load */
    struct reader *readers;
};

struct drawing {
    struct zoid_sink sink;
    struct zoid_numbering numbering;
    struct history *data;
    long blocks;
    int chain;
    bool cells;
    FILE *out;
    int error; /* errno of the stream's failure */
};

enum { STREAM_FAILED = ZOID_BAD_CENSUS + 1 };

static const char room[] = ", style=dashed";

static struct history *history_of(const struct drawing *d, const struct zoid_access *a)
{
    return &d->data[zoid_number(&d->numbering, &a->datum)];
}

static void draw_node(const struct drawing *d, const struct zoid_block *b)
{
    struct zoid_box from = zoid_clipped_at(&b->zoid, &b->region, b->zoid.t0);
    struct zoid_box to = zoid_clipped_at(&b->zoid, &b->region, b->zoid.t1);
    char cell[32] = "";

    if (d->cells)
        snprintf(cell, sizeof cell, "cell %ld, ", b->cell);
    fprintf(d->out,
            "  subgraph \"pass %ld\" { rank=same; b%ld [fillcolor=%ld, label=\""
            "pass %ld, %sposition %ld\\ntimes %ld to %ld\\nplanes [%ld, %ld) to [%ld, %ld)\"]; }\n",
            b->pass, d->blocks, b->pass % COLOURS + 1, b->pass, cell, b->position, b->zoid.t0,
            b->zoid.t1, from.lo[d->chain], from.hi[d->chain], to.lo[d->chain], to.hi[d->chain]);
}

static void draw_edge(const struct drawing *d, long from, enum zoid_kind kind, const char *more)
{
    if (from)
        fprintf(d->out, "  b%ld -> b%ld [label=\"%s\", color=%s, fontcolor=%s%s];\n", from,
                d->blocks, zoid_kind_name(kind), zoid_kinds[kind].colour, zoid_kinds[kind].colour,
                more);
}

/* True if the block reads a datum that block `from` wrote. */
static bool reads_from(const struct drawing *d, const struct zoid_block *b, long from)
{
    for (size_t i = 0; i < b->naccess; i++)
        if (b->access[i].mode & ZOID_READ && history_of(d, &b->access[i])->writer == from)
            return true;
    return false;
}

static void draw_room(const struct drawing *d, const struct zoid_block *b,
                      const struct zoid_access *a)
{
    const struct history *h = history_of(d, a);

    for (const struct reader *r = h->readers; r; r = r->next)
        if (!reads_from(d, b, r->block))
            draw_edge(d, r->block, a->datum.kind, room);
    if (!h->readers && !reads_from(d, b, h->writer))
        draw_edge(d, h->writer, a->datum.kind, room);
}

static void forget_readers(struct history *h)
{
    while (h->readers) {
        struct reader *r = h->readers;

        h->readers = r->next;
        free(r);
    }
}

static int remember(const struct drawing *d, const struct zoid_access *a)
{
    struct history *h = history_of(d, a);
    struct reader *r;

    if (a->mode & ZOID_WRITE) {
        forget_readers(h);
        h->writer = d->blocks;
        return 0;
    }
    /* Constants are never written, so their readers are not needed. */
    if (zoid_kinds[a->datum.kind].constant)
        return 0;
    r = malloc(sizeof *r);
    if (!r)
        return ZOID_GRAPH_NO_MEMORY;
    *r = (struct reader){.block = d->blocks, .next = h->readers};
    h->readers = r;
    return 0;
}

/* Draw the arrows to a node, and record its accesses. */
static int draw_accesses(struct drawing *d, const struct zoid_block *b)
{
    int rc = 0;

    for (size_t i = 0; i < b->naccess; i++)
        if (zoid_number(&d->numbering, &b->access[i].datum) < 0)
            return ZOID_BAD_CENSUS;
    for (size_t i = 0; i < b->naccess; i++)
        if (b->access[i].mode & ZOID_READ)
            draw_edge(d, history_of(d, &b->access[i])->writer, b->access[i].datum.kind, "");
    for (size_t i = 0; i < b->naccess; i++)
        if (b->access[i].mode & ZOID_WRITE)
            draw_room(d, b, &b->access[i]);
    for (size_t i = 0; !rc && i < b->naccess; i++)
        rc = remember(d, &b->access[i]);
    if (rc || !ferror(d->out))
        return rc;
    d->error = errno;
    return STREAM_FAILED;
}

static int draw_block(struct zoid_sink *self, const struct zoid_block *b)
{
    struct drawing *d = (struct drawing *)self;

    d->blocks++;
    draw_node(d, b);
    return draw_accesses(d, b);
}

static int draw_join(struct zoid_sink *self, const struct zoid_join *join)
{
    struct drawing *d = (struct drawing *)self;

    d->blocks++;
    fprintf(d->out, "  b%ld [shape=ellipse, style=solid, label=\"pass %ld, cell %ld: join\"];\n",
            d->blocks, join->pass, join->cell);
    return draw_accesses(d, &(struct zoid_block){.naccess = join->naccess, .access = join->access});
}

static int draw_all(struct drawing *d, const struct zoid_graph *graph)
{
    int rc;

    fprintf(d->out,
            "digraph \"%s\" {\n"
            "  splines=polyline;\n"
            "  node [shape=box, style=filled, colorscheme=set312, fontname=sans];\n"
            "  edge [fontname=sans, fontsize=10];\n",
            graph->method->name);
    rc = zoid_graph_emit(graph, &d->sink);
    fprintf(d->out, "}\n");
    for (long i = 0; i < d->numbering.count; i++)
        forget_readers(&d->data[i]);
    return rc;
}

int zoid_dot_graph(const struct zoid_graph *graph, FILE *out)
{
    struct drawing d = {
        .sink = {.block = draw_block, .join = draw_join},
        .chain = zoid_chain(&graph->shape),
        .cells = zoid_cells(graph) > 1,
        .out = out,
    };
    struct zoid_census census;
    int rc;

    zoid_graph_census(graph, &census);
    if (zoid_numbering_init(&d.numbering, &census)) {
        errno = EINVAL;
        return ZOID_BAD_CENSUS;
    }
    d.data = calloc((size_t)d.numbering.count + 1, sizeof *d.data);
    if (!d.data)
        return ZOID_GRAPH_NO_MEMORY;
    rc = draw_all(&d, graph);
    free(d.data);
    if (rc == 0 && (fflush(out) || ferror(out))) {
        d.error = errno;
        rc = STREAM_FAILED;
    }
    if (rc)
        errno = rc == STREAM_FAILED ? d.error : rc == ZOID_GRAPH_NO_MEMORY ? ENOMEM : EINVAL;
    return rc;
}
