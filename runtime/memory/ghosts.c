/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/memory/ghosts.h"

#include <stdlib.h>
#include <string.h>

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "runtime/error.h"
#include "runtime/memory/fill.h"
#include "runtime/plan/ranks.h"
#include "runtime/ranks/ranks.h"

/* Planes of which boxes go from one process to another. */
struct ghosts {
    const struct zoid_graph *graph;
    const struct zoid_box *planes;
    size_t bytes; /* of a point */
    void *values;
    int part; /* this process's */
};

enum way { COUNT, PACK, UNPACK };

/* One direction: the boxes that process `from` owns and process `to` holds as well. */
struct passing {
    const struct ghosts *ghosts;
    enum way way;
    char *room;  /* packed boxes */
    long points; /* so far */
};

static void pass_box(struct passing *p, const struct zoid_box *box)
{
    const struct ghosts *g = p->ghosts;
    const struct zoid_values all = zoid_values_packed(g->planes, g->values);
    const size_t before = (size_t)p->points * g->bytes;
    struct zoid_values part, packed;

    p->points += zoid_box_volume(box);
    if (p->way == COUNT)
        return;
    packed = zoid_values_packed(box, p->room + before);
    part = zoid_values_part(&all, g->bytes, g->planes, box);
    if (p->way == PACK)
        zoid_values_copy(box, g->bytes, &part, &packed);
    else
        zoid_values_copy(box, g->bytes, &packed, &part);
}

/* A range that may stand for a whole axis. */
static struct zoid_range named(const struct zoid_shape *shape, int axis, struct zoid_range range)
{
    return zoid_range_all(&range) ? (struct zoid_range){0, shape->n[axis]} : range;
}

/* Pass what of the box lies in the owned and in the held points along the axes from `axis` on.
 * Beyond a periodic face, points held are those of the domain again. */
static void pass_axes(struct passing *p, const struct zoid_patch *own,
                      const struct zoid_patch *window, int axis, struct zoid_box box)
{
    const struct zoid_shape *shape = &p->ghosts->graph->shape;
    const struct zoid_box *all = p->ghosts->planes;
    struct zoid_range mine, held;

    if (axis == zoid_chain(shape)) {
        pass_box(p, &box);
        return;
    }
    mine = named(shape, axis, own->axis[axis]);
    held = named(shape, axis, window->axis[axis]);
    for (long turn = zoid_floor_div(held.lo, shape->n[axis]); turn * shape->n[axis] < held.hi;
         turn++) {
        const long shift = turn * shape->n[axis];

        box.lo[axis] = zoid_max(zoid_max(mine.lo, held.lo - shift), all->lo[axis]);
        box.hi[axis] = zoid_min(zoid_min(mine.hi, held.hi - shift), all->hi[axis]);
        if (box.lo[axis] < box.hi[axis])
            pass_axes(p, own, window, axis + 1, box);
    }
}

/* The c-th cell of a process. */
static long cell_of(const struct ghosts *g, int process, long c)
{
    return zoid_ranks_of_part(g->graph, g->part, process) * zoid_rank_cells(g->graph) + c;
}

static long pass_boxes(const struct ghosts *g, int from, int to, enum way way, void *room)
{
    struct passing p = {.ghosts = g, .way = way, .room = room};
    const long cells = zoid_rank_cells(g->graph);

    for (long i = 0; i < cells * cells; i++) {
        const struct zoid_patch own = zoid_cell_own(g->graph, cell_of(g, from, i / cells), 0);
        const struct zoid_patch window = zoid_cell_window(g->graph, cell_of(g, to, i % cells));

        pass_axes(&p, &own, &window, 0, *g->planes);
    }
    return p.points;
}

/* Return whether any process has points for the one that comes that many after it. */
static bool any_pass(const struct ghosts *g, int processes, int after)
{
    for (int i = 0; i < processes; i++)
        if (pass_boxes(g, i, (i + after) % processes, COUNT, NULL))
            return true;
    return false;
}

static enum zoid_status pass(const struct ghosts *g, int to, int from)
{
    const int here = zoid_ranks_here()->rank;
    const long out = pass_boxes(g, here, to, COUNT, NULL);
    const long in = pass_boxes(g, from, here, COUNT, NULL);
    char *room = malloc((size_t)(out + in) * g->bytes + 1), *came = room + (size_t)out * g->bytes;
    const struct zoid_pass points = {.unit = g->bytes,
                                     .mine = room,
                                     .sent = out,
                                     .to = out ? to : -1,
                                     .theirs = came,
                                     .got = in,
                                     .from = in ? from : -1};
    const enum zoid_status status = zoid_ranks_agree(room ? ZOID_OK : zoid_no_memory());

    if (!status) {
        pass_boxes(g, here, to, PACK, room);
        zoid_ranks_pass(&points);
        pass_boxes(g, from, here, UNPACK, came);
    }
    free(room);
    return status;
}

enum zoid_status zoid_ghosts_exchange(const struct zoid_graph *graph, const struct zoid_box *planes,
                                      size_t point_bytes, void *values)
{
    const struct ghosts g = {.graph = graph,
                             .planes = planes,
                             .bytes = point_bytes,
                             .values = values,
                             .part = zoid_ranks_part_of(graph, graph->rank)};
    const int processes = zoid_ranks_processes(graph), here = zoid_ranks_here()->rank;
    enum zoid_status status = ZOID_OK;

    for (int after = 1; after < processes && !status; after++)
        if (any_pass(&g, processes, after))
            status = pass(&g, (here + after) % processes, (here + processes - after) % processes);
    return status;
}
