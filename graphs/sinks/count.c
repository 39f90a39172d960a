/* SPDX-License-Identifier: BSD-3-Clause */
/* Cost of a graph, counted by emitting it. Memory grows with the data of the graph, not with its
 * blocks. */
#include <stdlib.h>

#include "graphs/leg.h"
#include "graphs/residence.h"
#include "graphs/sinks/count.h"
#include "graphs/sinks/numbering.h"
#include "graphs/volume.h"

/* Longest chain of dependent blocks up to here, in points and in blocks. */
struct path {
    long points, blocks;
};

/* Dependencies between blocks are those of tasks submitted in this order: a reader waits for the
 * last writer, a writer for it and for all readers since. */
struct history {
    struct path writer, readers;
};

struct counter {
    struct zoid_sink sink;
    const struct zoid_graph *graph; /* one of the legs */
    struct zoid_census census;      /* the data of all legs */
    struct zoid_numbering numbering;
    struct history *data;
    struct zoid domain;
    int chain;
    bool periodic; /* along the chain axis: then all planes are in the domain */
    struct zoid_count *count;
};

static long number(const struct counter *c, const struct zoid_datum *datum)
{
    return zoid_graph_number(&c->numbering, c->graph, &c->census, datum);
}

static struct path longest(struct path a, struct path b)
{
    return (struct path){.points = a.points > b.points ? a.points : b.points,
                         .blocks = a.blocks > b.blocks ? a.blocks : b.blocks};
}

static bool inside(const struct counter *c, const struct zoid_view *v, long t)
{
    long shift = v->drift * (t - v->t0);

    return c->periodic || (v->lo + shift >= 0 && v->hi + shift <= c->domain.dim[c->chain].hi);
}

/* Planes of a view that are in the domain, summed over its times. */
static long planes(const struct counter *c, const struct zoid_view *v)
{
    struct zoid z = {.t0 = v->t0 - 1, .t1 = v->t1};
    struct zoid line = {.t1 = 0};

    if (inside(c, v, v->t0) && inside(c, v, v->t1))
        return (v->hi - v->lo) * (v->t1 - v->t0 + 1);
    for (int a = 0; a < ZOID_AXES; a++)
        z.dim[a].hi = line.dim[a].hi = 1;
    z.dim[c->chain] = (struct zoid_face){v->lo - v->drift, v->hi - v->drift, v->drift, v->drift};
    line.dim[c->chain] = c->domain.dim[c->chain];
    return zoid_volume(&z, &line);
}

static struct path wait_for(const struct counter *c, const struct zoid_block *b)
{
    struct path path = {.points = 0};

    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];
        const struct history *h = &c->data[number(c, &a->datum)];

        path = longest(path, h->writer);
        if (zoid_access_writes(a))
            path = longest(path, h->readers);
    }
    return path;
}

static void leave(const struct counter *c, const struct zoid_block *b, struct path path)
{
    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];
        struct history *h = &c->data[number(c, &a->datum)];

        if (zoid_access_writes(a))
            *h = (struct history){.writer = path};
        else
            h->readers = longest(h->readers, path);
    }
}

static int count_block(struct zoid_sink *self, const struct zoid_block *b)
{
    struct counter *c = (struct counter *)self;
    struct zoid_count *count = c->count;
    long points = zoid_volume(&b->zoid, &b->region);
    struct path path;

    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];

        if (number(c, &a->datum) < 0)
            return ZOID_BAD_CENSUS;
        if (a->mode & ZOID_READ)
            count->plane_reads[a->datum.kind] += planes(c, &a->in);
        if (a->mode & ZOID_WRITE)
            count->plane_writes[a->datum.kind] += planes(c, &a->out);
    }
    path = wait_for(c, b);
    path.points += points;
    path.blocks++;
    leave(c, b, path);
    count->blocks++;
    count->points += points;
    if (path.points > count->critical_points)
        count->critical_points = path.points;
    if (path.blocks > count->critical_blocks)
        count->critical_blocks = path.blocks;
    return 0;
}

int zoid_count_legs(const struct zoid_graph *leg, long legs, struct zoid_count *count)
{
    struct counter c = {
        .sink = {.block = count_block},
        .graph = leg,
        .domain = zoid_domain(&leg->shape, zoid_graph_first_time(leg),
                              zoid_graph_last_time(&leg[legs - 1])),
        .chain = zoid_chain(&leg->shape),
        .periodic = zoid_chain_periodic(&leg->shape),
        .count = count,
    };
    struct zoid_census census;
    int rc = 0;

    *count = (struct zoid_count){.useful = zoid_volume(&c.domain, &c.domain)};
    for (long i = 0; i < legs; i++) {
        zoid_graph_census(&leg[i], &census);
        zoid_census_join(&c.census, &census);
    }
    if (zoid_numbering_init(&c.numbering, &c.census))
        return ZOID_BAD_CENSUS;
    c.data = calloc((size_t)c.numbering.count + 1, sizeof *c.data);
    if (!c.data)
        return ZOID_GRAPH_NO_MEMORY;
    for (long i = 0; !rc && i < legs; i++)
        rc = zoid_graph_emit(&leg[i], &c.sink);
    free(c.data);
    count->redundant = count->points - count->useful;
    return rc;
}

int zoid_count_graph(const struct zoid_graph *graph, struct zoid_count *count)
{
    return zoid_count_legs(graph, 1, count);
}
