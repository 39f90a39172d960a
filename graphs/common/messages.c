/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs/common/messages.h"

#include "graphs/cell.h"
#include "graphs/common/grid.h"
#include "graphs/message.h"

/* Number of cells that a direction moves along an axis: -1, 0 or 1. */
static int step_along(int direction, int axis)
{
    static const int stride[ZOID_AXES] = {1, 3, 9};

    return direction / stride[axis] % 3 - 1;
}

bool zoid_direction_cut(const struct zoid_graph *g, int direction)
{
    bool all = true;

    for (int a = 0; a < ZOID_AXES; a++)
        all &= zoid_axis_cut(g, a) || !step_along(direction, a);
    return all;
}

struct zoid_cell_index zoid_cell_beside(const struct zoid_graph *g, long cell, int direction)
{
    struct zoid_cell_index at;

    for (int a = 0; a < ZOID_AXES; a++)
        at.axis[a] = zoid_grid_index(g, cell, a) + step_along(direction, a);
    return at;
}

static int direction_of(const struct zoid_cell_index *from, const struct zoid_cell_index *to)
{
    return (int)(to->axis[0] - from->axis[0] + 3 * (to->axis[1] - from->axis[1]) +
                 9 * (to->axis[2] - from->axis[2])) +
           ZOID_MIDDLE;
}

/* True if there are cells with this index along an axis. */
static bool along(const struct zoid_graph *g, int axis, long i)
{
    return zoid_axis_periodic(&g->shape, axis) || (i >= 0 && i < zoid_cells_along(g, axis));
}

/* The cell above reads below its owned points. */
bool zoid_message_goes_along(const struct zoid_graph *g, int axis, long from, long to)
{
    const struct zoid_range more = zoid_grid_most_beside(g, axis);

    if (from == to)
        return true;
    return zoid_axis_cut(g, axis) && along(g, axis, from) && along(g, axis, to) &&
           (to > from ? more.lo : more.hi) > 0;
}

bool zoid_message_goes(const struct zoid_graph *g, const struct zoid_cell_index *from,
                       const struct zoid_cell_index *to)
{
    int axis, apart;

    if (zoid_ranks(g) == 1)
        return false;
    for (int a = 0; a < ZOID_AXES; a++)
        if (!zoid_message_goes_along(g, a, from->axis[a], to->axis[a]))
            return false;
    apart = zoid_grid_apart(g, from->axis, to->axis, &axis);
    return g->joined ? apart == 1 : apart > 0;
}

bool zoid_ranks_apart(const struct zoid_graph *g, const struct zoid_cell_index *from,
                      const struct zoid_cell_index *to)
{
    int axis;

    return zoid_grid_apart(g, from->axis, to->axis, &axis) > 0;
}

int zoid_message_axis(const struct zoid_graph *g, const struct zoid_cell_index *from,
                      const struct zoid_cell_index *to)
{
    int axis = 0;

    zoid_grid_apart(g, from->axis, to->axis, &axis);
    return axis;
}

struct zoid_datum zoid_message_datum(const struct zoid_graph *g, const struct zoid_cell_index *from,
                                     const struct zoid_cell_index *to, long epoch, long col)
{
    const long cell = zoid_grid_cell(g, from->axis);
    const long pair = cell * ZOID_DIRECTIONS + direction_of(from, to);

    return (struct zoid_datum){.kind = ZOID_MESSAGE,
                               .row = pair * ZOID_MESSAGE_EPOCHS + epoch % ZOID_MESSAGE_EPOCHS,
                               .col = col,
                               .owner = zoid_cell_rank(g, cell)};
}

struct zoid_patch zoid_message_own(const struct zoid_graph *g, const struct zoid_cell_index *from,
                                   const struct zoid_cell_index *to)
{
    struct zoid_patch patch = zoid_grid_patch(g, from->axis, 0);

    for (int a = 0; a < zoid_chain(&g->shape); a++) {
        const struct zoid_range more = zoid_grid_most_beside(g, a);
        struct zoid_range *left = &patch.axis[a], own;

        if (!zoid_axis_cut(g, a))
            continue;
        own = zoid_grid_own(g, a, to->axis[a], 0);
        left->lo = zoid_max(left->lo, own.lo - more.lo);
        left->hi = zoid_min(left->hi, own.hi + more.hi);
    }
    return patch;
}

/* A message to a cell that lies aside adds nothing: the cell straight ahead, of the same rank, has
 * these points. */
bool zoid_message_adds(const struct zoid_graph *g, const struct zoid_cell_index *from,
                       const struct zoid_cell_index *to, int axis, int step)
{
    struct zoid_cell_index beside = *from;

    beside.axis[axis] += step;
    return g->joined && axis < zoid_message_axis(g, from, to) &&
           from->axis[axis] == to->axis[axis] && zoid_message_goes(g, &beside, from);
}

struct zoid_patch zoid_message_whole(const struct zoid_graph *g, const struct zoid_cell_index *from,
                                     const struct zoid_cell_index *to)
{
    struct zoid_patch patch = zoid_message_own(g, from, to);

    for (int a = 0; a < zoid_chain(&g->shape); a++) {
        const struct zoid_range more = zoid_grid_most_beside(g, a);

        if (zoid_message_adds(g, from, to, a, -1))
            patch.axis[a].lo -= more.lo;
        if (zoid_message_adds(g, from, to, a, 1))
            patch.axis[a].hi += more.hi;
    }
    return patch;
}

long zoid_message_from(const struct zoid_datum *message)
{
    return message->row / ZOID_MESSAGE_EPOCHS / ZOID_DIRECTIONS;
}

int zoid_message_direction(const struct zoid_datum *message)
{
    return (int)(message->row / ZOID_MESSAGE_EPOCHS % ZOID_DIRECTIONS);
}

long zoid_message_to(const struct zoid_graph *g, const struct zoid_datum *message)
{
    const struct zoid_cell_index to =
        zoid_cell_beside(g, zoid_message_from(message), zoid_message_direction(message));

    return zoid_grid_cell(g, to.axis);
}

struct zoid_patch zoid_message_patch(const struct zoid_graph *g, const struct zoid_datum *message)
{
    const long cell = zoid_message_from(message);
    const struct zoid_cell_index from = zoid_cell_beside(g, cell, ZOID_MIDDLE);
    const struct zoid_cell_index to = zoid_cell_beside(g, cell, zoid_message_direction(message));

    return zoid_message_whole(g, &from, &to);
}

long zoid_message_planes(const struct zoid_graph *g, const struct zoid_census *census,
                         const struct zoid_datum *message)
{
    return zoid_heading_planes(g, census, zoid_message_heading(g, message), message->col);
}

enum zoid_heading zoid_message_heading(const struct zoid_graph *g, const struct zoid_datum *message)
{
    return (enum zoid_heading)(ZOID_BESIDE +
                               step_along(zoid_message_direction(message), zoid_chain(&g->shape)));
}

long zoid_heading_planes(const struct zoid_graph *g, const struct zoid_census *census,
                         enum zoid_heading heading, long column)
{
    const struct zoid_range more = zoid_grid_most_beside(g, zoid_chain(&g->shape));

    if (heading == ZOID_BESIDE)
        return census->kind[ZOID_SLAB].planes;
    return column ? 0 : heading == ZOID_UPWARD ? more.lo : more.hi;
}

int zoid_message_pairs(const struct zoid_graph *g, long cell, bool sends,
                       zoid_message_pair_fn *call, void *self)
{
    const struct zoid_cell_index own = zoid_cell_beside(g, cell, ZOID_MIDDLE);
    int rc = 0;

    for (int d = 0; d < ZOID_DIRECTIONS && !rc; d++) {
        struct zoid_cell_index other;
        struct zoid_message_pair pair;

        if (!zoid_direction_cut(g, d))
            continue;
        other = zoid_cell_beside(g, cell, d);
        pair = (struct zoid_message_pair){.from = sends ? own : other, .to = sends ? other : own};
        if (!zoid_message_goes(g, &pair.from, &pair.to))
            continue;
        pair.rank = zoid_cell_rank(g, cell);
        pair.peer = zoid_cell_rank(g, zoid_grid_cell(g, other.axis));
        rc = call(self, &pair);
    }
    return rc;
}
