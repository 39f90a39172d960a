/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells [subdomains]. A method that cuts the chain axis applies its cuts, which are made for whole
 * planes, to one cell after the other, for an epoch each.
 *
 *            |  c-1  |   c   |  c+1  |
 *   end of           |       |                 owned points
 *   epoch           /         \
 *   begin         /             \              owned and ghost points: a window
 *           y -> |oo|           |oo|
 *
 * Slabs hold windows. An epoch leaves the cell's owned points in them, and in addition a *halo* for
 * each slab, the rim of all its planes (oo), which the blocks that begin the next epoch copy into
 * the windows of the neighbours. Within an epoch planes have all points that are valid at their
 * time. Cells are thus overlapped tiles: within an epoch no block waits for another cell, and
 * points between two cells are computed redundantly. If borders move from one epoch to the next,
 * rims are wider by that shift. */
#include "graphs/common/cells.h"

#include <limits.h>

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/grid.h"
#include "graphs/common/messages.h"
#include "graphs/common/relays.h"

static struct zoid_range beside_of(const struct zoid_chain *chain, int axis, long epoch)
{
    return zoid_grid_beside(chain->graph, axis, zoid_chain_epoch_times(chain, epoch));
}

/* Fix the faces of a cell that lie at the ends of the domain: only they clip planes there. */
static struct zoid_face stop_at_ends(const struct zoid_graph *g, struct zoid_range own,
                                     struct zoid_face face)
{
    const int chain = zoid_chain(&g->shape);

    if (zoid_axis_periodic(&g->shape, chain))
        return face;
    if (own.lo == 0)
        face.lo = face.dlo = 0;
    if (own.hi == g->shape.n[chain]) {
        face.hi = own.hi;
        face.dhi = 0;
    }
    return face;
}

void zoid_cell_clip(const struct zoid_chain *chain, struct zoid_block *b)
{
    const struct zoid_graph *g = chain->graph;
    const long epoch = zoid_chain_epoch(chain, b->pass);
    const long left = zoid_chain_epoch_end(chain, epoch) - b->zoid.t0;
    const struct zoid_patch patch = zoid_cell_own(g, b->cell, epoch);

    for (int a = 0; a < ZOID_AXES; a++) {
        const struct zoid_range own = patch.axis[a];
        struct zoid_range more;
        struct zoid_face face;

        if (!zoid_axis_cut(g, a))
            continue;
        more = zoid_grid_beside(g, a, 1);
        face = (struct zoid_face){own.lo - left * more.lo, own.hi + left * more.hi, (int)more.lo,
                                  -(int)more.hi};
        if (zoid_grid_relays(g)) {
            face.lo = own.lo + left * more.hi;
            face.dlo = -(int)more.hi;
        }
        b->region.dim[a] = a == zoid_chain(&g->shape) ? stop_at_ends(g, own, face) : face;
        if (a < zoid_chain(&g->shape) && zoid_axis_periodic(&g->shape, a))
            b->zoid.dim[a] = face;
    }
}

/* ---- halos --------------------------------------------------------------------------------- */

/* Range [lo, hi) of cell indices along each axis. */
struct partners {
    struct zoid_range axis[ZOID_AXES];
};

/* Points that cells with index i along an axis have left when an epoch begins, or that they need
 * then. */
typedef struct zoid_range along_fn(const struct zoid_chain *chain, int axis, long i, long epoch);

static struct zoid_range left_along(const struct zoid_chain *chain, int axis, long i, long epoch)
{
    return zoid_grid_own(chain->graph, axis, i, epoch - 1);
}

static struct zoid_range need_along(const struct zoid_chain *chain, int axis, long i, long epoch)
{
    struct zoid_range own = zoid_grid_own(chain->graph, axis, i, epoch);
    struct zoid_range more = beside_of(chain, axis, epoch);

    return (struct zoid_range){own.lo - more.lo, own.hi + more.hi};
}

/* Cells that a cell exchanges points with: those whose points `theirs` overlap its `own`. */
struct exchange {
    along_fn *theirs, *own;
};
static const struct exchange givers = {left_along, need_along}, takers = {need_along, left_along};

static struct zoid_range partners_along(const struct zoid_chain *chain, int axis, long i,
                                        long epoch, const struct exchange *with)
{
    const bool circle = zoid_axis_periodic(&chain->graph->shape, axis);
    const long first = circle ? LONG_MIN : 0;
    const long end = circle ? LONG_MAX : zoid_cells_along(chain->graph, axis);
    const struct zoid_range own = with->own(chain, axis, i, epoch);
    struct zoid_range p = {i, i};

    while (p.lo > first && with->theirs(chain, axis, p.lo - 1, epoch).hi > own.lo)
        p.lo--;
    while (p.lo < end && with->theirs(chain, axis, p.lo, epoch).hi <= own.lo)
        p.lo++;
    for (p.hi = p.lo; p.hi < end && with->theirs(chain, axis, p.hi, epoch).lo < own.hi;)
        p.hi++;
    return p;
}

static struct partners partners_of(const struct zoid_chain *chain, long cell, long epoch,
                                   const struct exchange *with)
{
    struct partners p = {{{0, 1}, {0, 1}, {0, 1}}};

    for (int a = 0; a < ZOID_AXES; a++)
        if (zoid_axis_cut(chain->graph, a))
            p.axis[a] =
                partners_along(chain, a, zoid_grid_index(chain->graph, cell, a), epoch, with);
    return p;
}

/* Part of its owned planes that a cell leaves for another: all of each slab, or for a cell above or
 * below, those that it reads. */
static enum zoid_grid_part part_for(const struct zoid_graph *g, const struct zoid_cell_index *from,
                                    const struct zoid_cell_index *to)
{
    const int chain = zoid_chain(&g->shape);

    if (from->axis[chain] == to->axis[chain])
        return ZOID_PART_ALL;
    return from->axis[chain] > to->axis[chain] ? ZOID_PART_LOW : ZOID_PART_HIGH;
}

/* Halo or end that a cell leaves for all others of its rank. Two rows alternate between epochs. */
static struct zoid_datum left_for_own(long cell, enum zoid_grid_part part, long epoch, long col)
{
    const bool all = part == ZOID_PART_ALL;

    return (struct zoid_datum){.kind = all ? ZOID_HALO : ZOID_END,
                               .row = 2 * cell + epoch % 2,
                               .col = all ? col : (long)part};
}

/* Datum that one cell has left for another and that `epoch` reads: a message, or within a rank the
 * halo or end that it left for all cells. */
static struct zoid_datum left_for(const struct zoid_graph *g, const struct zoid_cell_index *from,
                                  const struct zoid_cell_index *to, long epoch, long col)
{
    const enum zoid_grid_part part = part_for(g, from, to);

    if (zoid_message_goes(g, from, to))
        return zoid_message_datum(g, from, to, epoch, part == ZOID_PART_ALL ? col : 0);
    return left_for_own(zoid_grid_cell(g, from->axis), part, epoch, col);
}

static bool same(const struct zoid_cell_index *a, const struct zoid_cell_index *b)
{
    return a->axis[0] == b->axis[0] && a->axis[1] == b->axis[1] && a->axis[2] == b->axis[2];
}

/* True if one cell leaves points for another directly: if ranks exchange axis by axis, not across
 * an edge or a corner of its rank. */
static bool gives(const struct zoid_graph *g, const struct zoid_cell_index *from,
                  const struct zoid_cell_index *to)
{
    return !same(from, to) && (!zoid_ranks_apart(g, from, to) || zoid_message_goes(g, from, to));
}

/* First partner; false if there is none. */
static bool first_of(const struct partners *p, struct zoid_cell_index *at)
{
    bool some = true;

    for (int a = 0; a < ZOID_AXES; a++) {
        at->axis[a] = p->axis[a].lo;
        some &= p->axis[a].lo < p->axis[a].hi;
    }
    return some;
}

/* Partner after another; false if there is none. */
static bool next_of(const struct partners *p, struct zoid_cell_index *at)
{
    for (int a = 0; a < ZOID_AXES; a++) {
        if (++at->axis[a] < p->axis[a].hi)
            return true;
        at->axis[a] = p->axis[a].lo;
    }
    return false;
}

/* Part of some cells' planes, in the line of another cell. */
static struct zoid_range part_in_line(const struct zoid_graph *g, long i, enum zoid_grid_part part,
                                      long cell)
{
    const struct zoid_range planes = zoid_grid_part(g, i, part);
    const long base = zoid_cell_base(g, cell);

    return (struct zoid_range){planes.lo - base, planes.hi - base};
}

/* Restrict a view to a range: in its own slots for all planes, in slots counted from the start of
 * the range for a part. No-op if lines are not cut: the only line has all planes. */
static void clip(const struct zoid_graph *g, struct zoid_view *view, struct zoid_range range,
                 enum zoid_grid_part part)
{
    const long lo = zoid_max(view->lo, range.lo);

    if (!zoid_grid_line_cut(g))
        return;
    view->slot = part == ZOID_PART_ALL ? view->slot + lo - view->lo : lo - range.lo;
    view->lo = lo;
    view->hi = zoid_max(zoid_min(view->hi, range.hi), lo);
}

bool zoid_cell_clip_to(const struct zoid_graph *g, struct zoid_view *view,
                       const struct zoid_cell_index *from, const struct zoid_cell_index *to)
{
    const enum zoid_grid_part part = part_for(g, from, to);
    const long cell = zoid_grid_cell(g, from->axis);

    clip(g, view, part_in_line(g, from->axis[zoid_chain(&g->shape)], part, cell), part);
    return part == ZOID_PART_ALL;
}

struct zoid_patch zoid_cell_kept(const struct zoid_chain *chain, const struct zoid_block *b,
                                 const struct zoid_view *view)
{
    const struct zoid_graph *g = chain->graph;
    const int axis = zoid_chain(&g->shape);
    struct zoid_patch kept;
    struct zoid_range *own;

    if (!zoid_chain_begins_epoch(chain, b))
        return (struct zoid_patch){{{0, 0}}};
    kept = zoid_cell_own(g, b->cell, zoid_chain_epoch(chain, b->pass) - 1);
    own = &kept.axis[axis];
    if (!zoid_grid_line_cut(g))
        return kept;
    *own = part_in_line(g, zoid_grid_index(g, b->cell, axis), ZOID_PART_ALL, b->cell);
    if (view->lo >= own->lo && view->hi <= own->hi)
        *own = (struct zoid_range){0, 0};
    return kept;
}

void zoid_cell_take(const struct zoid_chain *chain, struct zoid_block *b,
                    struct zoid_access *access, const struct zoid_cell_slab *slab)
{
    const struct zoid_graph *g = chain->graph;
    const long epoch = zoid_chain_epoch(chain, b->pass);
    const struct zoid_cell_index own = zoid_cell_beside(g, b->cell, ZOID_MIDDLE);
    struct zoid_cell_index at;
    struct partners p;

    if (!zoid_chain_begins_epoch(chain, b))
        return;
    p = partners_of(chain, b->cell, epoch, &givers);
    for (bool some = first_of(&p, &at); some; some = next_of(&p, &at)) {
        const enum zoid_grid_part part = part_for(g, &at, &own);
        /* Neighbouring blocks read ends, too. */
        struct zoid_access a = {.datum = left_for(g, &at, &own, epoch, slab->col),
                                .mode = ZOID_READ,
                                .in = slab->view,
                                .next = part == ZOID_PART_ALL ? ZOID_NEXT_RAM : ZOID_NEXT_SAME};

        clip(g, &a.in, part_in_line(g, at.axis[zoid_chain(&g->shape)], part, b->cell), part);
        if (!gives(g, &at, &own) || (zoid_grid_line_cut(g) && a.in.lo >= a.in.hi))
            continue;
        a.in.patch = a.datum.kind == ZOID_MESSAGE ? zoid_message_whole(g, &at, &own)
                                                  : zoid_grid_patch(g, at.axis, epoch - 1);
        access[b->naccess++] = a;
    }
}

/* True for the first of the partners that stand for the same cell, which a periodic axis may
 * repeat. */
static bool once(const struct zoid_graph *g, const struct partners *p,
                 const struct zoid_cell_index *at)
{
    bool first = true;

    for (int a = 0; a < ZOID_AXES; a++)
        first &= at->axis[a] < p->axis[a].lo + zoid_cells_along(g, a);
    return first;
}

void zoid_cell_fetch(const struct zoid_chain *chain, struct zoid_block *b, struct zoid_datum *fetch,
                     long col)
{
    const struct zoid_graph *g = chain->graph;
    const long epoch = zoid_chain_epoch(chain, b->pass);
    const struct zoid_cell_index own = zoid_cell_beside(g, b->cell, ZOID_MIDDLE);
    struct zoid_cell_index at;
    struct partners p;

    if (!zoid_chain_first_of_epoch(chain, b->pass))
        return;
    p = partners_of(chain, b->cell, epoch, &givers);
    for (bool some = first_of(&p, &at); some; some = next_of(&p, &at)) {
        const struct zoid_datum datum = left_for(g, &at, &own, epoch, col);
        const enum zoid_grid_part part = part_for(g, &at, &own);

        /* Data from above or below come for several slabs at once. */
        if (part == ZOID_PART_ALL && gives(g, &at, &own) &&
            zoid_cell_has(chain, b->cell, b->pass, col) &&
            (datum.kind == ZOID_MESSAGE || once(g, &p, &at)))
            fetch[b->nfetch++] = datum;
    }
}

/* True if another cell of the same rank reads a part of a cell in an epoch. */
static bool wanted(const struct zoid_chain *chain, long epoch, long cell, enum zoid_grid_part part)
{
    const struct zoid_cell_index own = zoid_cell_beside(chain->graph, cell, ZOID_MIDDLE);
    const struct partners p = partners_of(chain, cell, epoch, &takers);
    struct zoid_cell_index at;

    for (bool some = first_of(&p, &at); some; some = next_of(&p, &at))
        if (part_for(chain->graph, &own, &at) == part && !same(&at, &own) &&
            !zoid_ranks_apart(chain->graph, &own, &at))
            return true;
    return false;
}

/* True if a slab has planes of a range when a pass begins. */
static bool meets(const struct zoid_chain *chain, long pass, long col, struct zoid_range range)
{
    const struct zoid_view slab = chain->planes(chain, pass, col);

    return zoid_max(slab.lo, range.lo) < zoid_min(slab.hi, range.hi);
}

bool zoid_cell_has(const struct zoid_chain *chain, long cell, long pass, long col)
{
    const struct zoid_graph *g = chain->graph;
    const long i = zoid_grid_index(g, cell, zoid_chain(&g->shape));

    return meets(chain, pass, col, part_in_line(g, i, ZOID_PART_ALL, cell));
}

bool zoid_cell_holds(const struct zoid_chain *chain, const struct zoid_block *b, long col)
{
    if (!zoid_grid_relays(chain->graph))
        return zoid_cell_has(chain, b->cell, b->pass, col);
    return meets(chain, b->pass, col,
                 zoid_relay_faces(chain, b->cell, b->pass, zoid_chain_begin(chain, b->pass))) &&
           (!zoid_chain_first_of_epoch(chain, b->pass) ||
            zoid_cell_has(chain, b->cell, b->pass, col));
}

/* Data that a cell leaves of a slab for other cells. */
struct leaving {
    enum zoid_grid_part part;
    struct zoid_datum datum;
    struct zoid_patch patch;
};

/* True if a block precedes all others that leave planes of a part: it reads the slab when its pass
 * begins, or is the only block to access it; and the slab is the lowest with any of the part. */
static bool begins(const struct zoid_chain *chain, const struct zoid_block *b,
                   const struct zoid_access *slab, const struct leaving *l, struct zoid_range part)
{
    const bool takes =
        chain->alone || (slab->mode & ZOID_READ && b->zoid.t0 == zoid_chain_begin(chain, b->pass));

    return takes && (l->part == ZOID_PART_ALL ||
                     chain->planes(chain, b->pass + 1, slab->datum.col).lo <= part.lo);
}

/* Extend the access that a block already has to a part: several of its slabs have planes of the
 * part, one above the other. False if there is no access yet. */
static bool join(const struct zoid_block *b, struct zoid_access *access, const struct leaving *l,
                 struct zoid_view view)
{
    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_datum *d = &access[i].datum;
        struct zoid_view *out = &access[i].out;

        if (!(access[i].mode & ZOID_WRITE) || d->kind != l->datum.kind || d->row != l->datum.row)
            continue;
        if (d->col != l->datum.col)
            continue;
        if (out->lo == out->hi) {
            out->lo = view.lo;
            out->slot = view.slot;
        }
        out->hi = zoid_max(out->hi, view.hi);
        return true;
    }
    return false;
}

/* Append the write of a part. The first block overwrites the datum, even without planes of its own;
 * the others keep the rest. */
static void leave(const struct zoid_chain *chain, struct zoid_block *b, struct zoid_access *access,
                  const struct zoid_access *slab, const struct leaving *l)
{
    const struct zoid_graph *g = chain->graph;
    const struct zoid_range part =
        part_in_line(g, zoid_grid_index(g, b->cell, zoid_chain(&g->shape)), l->part, b->cell);
    const bool first = begins(chain, b, slab, l, part);
    struct zoid_view view = slab->out;

    if (zoid_grid_line_cut(g) && !meets(chain, b->pass + 1, slab->datum.col, part))
        return;
    if (b->zoid.t1 < zoid_chain_end(chain, b->pass) || view.hi < view.lo)
        view.hi = view.lo;
    clip(g, &view, part, l->part);
    if (!first && view.lo == view.hi)
        return;
    if (l->part != ZOID_PART_ALL && join(b, access, l, view))
        return;
    view.patch = l->patch;
    access[b->naccess++] =
        (struct zoid_access){.datum = l->datum,
                             .mode = ZOID_WRITE,
                             .keeps = (slab->keeps || l->part != ZOID_PART_ALL) && !first,
                             .out = view,
                             .next = l->datum.kind == ZOID_MESSAGE ? ZOID_NEXT_RAM : slab->next};
}

/* Append the halos and ends for cells of the same rank. */
static void leave_own(const struct zoid_chain *chain, struct zoid_block *b,
                      struct zoid_access *access, const struct zoid_access *slab)
{
    const struct zoid_graph *g = chain->graph;
    const long epoch = zoid_chain_epoch(chain, b->pass) + 1;
    const struct zoid_cell_index own = zoid_cell_beside(g, b->cell, ZOID_MIDDLE);

    for (enum zoid_grid_part part = zoid_grid_line_cut(g) ? ZOID_PART_LOW : ZOID_PART_ALL;
         part <= ZOID_PART_ALL && zoid_rank_cells(g) > 1; part++) {
        const struct leaving l = {.part = part,
                                  .datum = left_for_own(b->cell, part, epoch, slab->datum.col),
                                  .patch = zoid_grid_patch(g, own.axis, epoch - 1)};

        if (wanted(chain, epoch, b->cell, part))
            leave(chain, b, access, slab, &l);
    }
}

void zoid_cell_leave(const struct zoid_chain *chain, struct zoid_block *b,
                     struct zoid_access *access, const struct zoid_access *slab, bool done)
{
    const struct zoid_graph *g = chain->graph;
    const long epoch = zoid_chain_epoch(chain, b->pass) + 1;
    const struct zoid_cell_index own = zoid_cell_beside(g, b->cell, ZOID_MIDDLE);

    if (!zoid_chain_leaves(chain, b->pass))
        return;
    leave_own(chain, b, access, slab);
    for (int d = 0; d < ZOID_DIRECTIONS && zoid_ranks(g) > 1; d++) {
        struct zoid_cell_index to;
        struct leaving l;

        if (!zoid_direction_cut(g, d))
            continue;
        to = zoid_cell_beside(g, b->cell, d);
        if (!zoid_message_goes(g, &own, &to))
            continue;
        l.part = part_for(g, &own, &to);
        l.datum = left_for(g, &own, &to, epoch, slab->datum.col);
        l.patch = zoid_message_own(g, &own, &to);
        leave(chain, b, access, slab, &l);
    }
    if (done)
        chain->done[b->ndone++] = slab->datum.col;
}
