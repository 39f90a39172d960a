/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/memory/layers.h"

#include <stdlib.h>
#include <string.h>

#include "graphs/cell.h"
#include "runtime/config.h"
#include "runtime/error.h"
#include "runtime/memory/ghosts.h"
#include "runtime/plan/coefficients.h"
#include "runtime/plan/parts.h"
#include "runtime/ranks/ranks.h"

struct zoid_layer_planes zoid_layer_planes_of(const struct zoid_shape *shape,
                                              const struct zoid_layers *layers, int axis, int side)
{
    const struct zoid_layer_face *face = &layers->face[axis][side];
    struct zoid_layer_planes p = {.n = {1, 1}, .planes = {0, shape->n[layers->chain]}};

    for (int a = 0; a < layers->chain; a++)
        p.n[a] = a == axis ? layers->points : shape->n[a];
    if (axis == layers->chain)
        p.planes = (struct zoid_range){face->lo, face->hi};
    return p;
}

size_t zoid_layer_plane_bytes(const struct zoid_layer_planes *p, enum zoid_type type)
{
    return (size_t)(ZOID_LAYER_VALUES * p->n[0] * p->n[1]) * zoid_type_size(type);
}

/* The layers of a plan, without a layout. */
static struct zoid_layers layers_of(const struct zoid_plan *plan)
{
    return zoid_layers_of(plan->problem.op, &plan->graph.shape, &plan->problem.params, NULL);
}

/* ---- cells --------------------------------------------------------------------------------- */

/* The layer at a face as a cell has it. */
struct here {
    const struct zoid_plan *plan;
    long cell;
    struct zoid_layers layers; /* with the cell's layout */
    int axis, side;
    struct zoid_layer_planes all;
    struct zoid_range points[ZOID_PLANE_AXES]; /* of x and y that are copied */
};

/* Points of an axis of planes that values of the layer have. */
static struct zoid_range along(const struct here *h, int axis)
{
    const long lo =
        axis == h->axis && axis < h->layers.chain ? h->layers.face[axis][h->side].lo : 0;

    return (struct zoid_range){lo, lo + h->all.n[axis]};
}

/* With all points that the window has, or those of `own`. */
static struct here here_of(const struct zoid_plan *plan, long cell, int axis, int side,
                           const struct zoid_patch *own)
{
    const struct zoid_shape *shape = &plan->graph.shape;
    const struct zoid_layout layout = zoid_plan_layout(plan, cell);
    struct here h = {.plan = plan,
                     .cell = cell,
                     .layers =
                         zoid_layers_of(plan->problem.op, shape, &plan->problem.params, &layout),
                     .axis = axis,
                     .side = side};

    h.all = zoid_layer_planes_of(shape, &h.layers, axis, side);
    for (int a = 0; a < ZOID_PLANE_AXES; a++) {
        const bool round = a < h.layers.chain && zoid_axis_periodic(shape, a);
        struct zoid_range *points = &h.points[a];

        *points = along(&h, a);
        if (a < h.layers.chain && layout.window[a]) {
            points->lo = round ? layout.lo[a] : zoid_max(points->lo, layout.lo[a]);
            points->hi = round ? layout.hi[a] : zoid_min(points->hi, layout.hi[a]);
        }
        if (own && a < h.layers.chain && !zoid_range_all(&own->axis[a])) {
            points->lo = zoid_max(points->lo, own->axis[a].lo);
            points->hi = zoid_min(points->hi, own->axis[a].hi);
        }
    }
    return h;
}

/* A piece in main memory. */
struct piece {
    starpu_data_handle_t handle;
    struct zoid_range planes;
    char *base;
};

/* Copies n points from (x, y) on of a plane of a piece: into it, or out of it. `values`: of all of
 * the layer in the plane. */
static void copy_row(const struct here *h, const struct piece *piece, long plane, long x, long y,
                     long n, char *values, bool into)
{
    const struct zoid_shape *shape = &h->plan->graph.shape;
    const struct zoid_layer_face *face = &h->layers.face[h->axis][h->side];
    const size_t size = zoid_type_size(h->plan->layout.type);
    const long row = h->layers.chain > 1 ? zoid_fold(shape, 1, y) - along(h, 1).lo : 0;
    const long first = h->layers.chain > 0 ? zoid_fold(shape, 0, x) - along(h, 0).lo : 0;

    for (int v = 0; v < ZOID_LAYER_VALUES; v++) {
        char *there =
            piece->base + (size_t)(zoid_layers_at(&h->layers, face, piece->planes.lo, plane, x, y) +
                                   v * face->apart) *
                              size;
        char *value = values + (size_t)((v * h->all.n[1] + row) * h->all.n[0] + first) * size;

        memcpy(into ? there : value, into ? value : there, (size_t)n * size);
    }
}

/* Does so for all points of the cell, which may go round a periodic axis. */
static void copy_plane(const struct here *h, const struct piece *piece, long plane, char *values,
                       bool into)
{
    const struct zoid_shape *shape = &h->plan->graph.shape;
    const struct zoid_range *x = &h->points[0], *y = &h->points[1];

    for (long j = y->lo; j < y->hi; j++)
        for (long i = x->lo, n; i < x->hi; i += n) {
            n = x->hi - i;
            if (h->layers.chain > 0)
                n = zoid_min(n, along(h, 0).hi - zoid_fold(shape, 0, i));
            copy_row(h, piece, plane, i, j, n, values, into);
        }
}

static struct piece take(const struct zoid_state *state, long cell, long i,
                         enum starpu_data_access_mode mode)
{
    const struct zoid_datum datum = {.kind = ZOID_MEMORY,
                                     .row = cell,
                                     .col = i,
                                     .owner = zoid_cell_rank(&state->plan->graph, cell)};
    struct piece piece = {.handle = zoid_store_handle(state->store, &datum),
                          .planes = zoid_piece_planes(state->plan, ZOID_MEMORY, cell, i)};

    starpu_data_acquire_on_node(piece.handle, STARPU_MAIN_RAM, mode);
    piece.base = starpu_data_handle_to_pointer(piece.handle, STARPU_MAIN_RAM);
    return piece;
}

static void give_back(const struct zoid_state *state, const struct piece *piece, bool written)
{
    starpu_data_release_on_node(piece->handle, STARPU_MAIN_RAM);
    if (written && zoid_store_range(state->store))
        starpu_data_prefetch_on_node(piece->handle, zoid_store_home(state->store), 1);
}

/* Pieces of a cell. */
static long pieces_of(const struct zoid_plan *plan)
{
    return plan->census.kind[ZOID_MEMORY].cols;
}

/* ---- filling ------------------------------------------------------------------------------- */

/* Fills the planes of the layer at a face that a piece has; along a periodic chain axis a line may
 * have planes beyond the domain. */
static void fill_face(const struct here *h, const struct piece *piece, zoid_memory_fn *memory,
                      void *user, char *values)
{
    const long n = h->plan->graph.shape.n[h->layers.chain];

    for (long z = piece->planes.lo; h->layers.face[h->axis][h->side].there && z < piece->planes.hi;
         z++) {
        const long plane = zoid_modulo(z, n);

        if (plane < h->all.planes.lo || plane >= h->all.planes.hi)
            continue;
        memory(user, h->axis, h->side, plane, values);
        copy_plane(h, piece, z, values, true);
    }
}

/* Room for a plane of any layer. */
static void *room_of(const struct zoid_plan *plan)
{
    const struct zoid_layers l = layers_of(plan);
    size_t most = 1;

    for (int axis = 0; axis < l.dims; axis++) {
        const struct zoid_layer_planes p =
            zoid_layer_planes_of(&plan->graph.shape, &l, axis, ZOID_LOW);
        const size_t bytes = zoid_layer_plane_bytes(&p, plan->layout.type);

        most = bytes > most ? bytes : most;
    }
    return malloc(most);
}

enum zoid_status zoid_memory_fill(const struct zoid_state *state, zoid_memory_fn *memory,
                                  void *user)
{
    const struct zoid_plan *plan = state->plan;
    const struct zoid_range cells = zoid_graph_cells(&plan->graph);
    const long pieces = pieces_of(plan);
    char *values = memory ? room_of(plan) : NULL;

    if (memory && !values)
        return zoid_no_memory();
    for (long i = 0; i < (cells.hi - cells.lo) * pieces && !ZOID_SIMULATED; i++) {
        const long cell = cells.lo + i / pieces;
        const struct piece piece = take(state, cell, i % pieces, STARPU_W);

        memset(piece.base, 0, zoid_piece_bytes(plan, ZOID_MEMORY, cell, i % pieces));
        for (int f = 0; f < plan->problem.op->dims * ZOID_SIDES && memory; f++) {
            const struct here h = here_of(plan, cell, f / ZOID_SIDES, f % ZOID_SIDES, NULL);

            fill_face(&h, &piece, memory, user, values);
        }
        give_back(state, &piece, true);
    }
    free(values);
    return ZOID_OK;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Copies the points that a cell owns of planes of a layer; the values of `planes` are contiguous.
 */
static void read_cell(const struct zoid_state *state, long cell, int axis, int side,
                      struct zoid_range planes, char *values)
{
    const struct zoid_plan *plan = state->plan;
    const struct zoid_patch own = zoid_cell_own(&plan->graph, cell, state->epoch);
    const struct here h = here_of(plan, cell, axis, side, &own);
    const struct zoid_range *line = &own.axis[h.layers.chain];
    const size_t bytes = zoid_layer_plane_bytes(&h.all, plan->layout.type);
    struct zoid_range some = planes;

    if (!zoid_range_all(line))
        some = (struct zoid_range){zoid_max(planes.lo, line->lo), zoid_min(planes.hi, line->hi)};
    for (long i = 0; i < pieces_of(plan); i++) {
        const struct zoid_range in = zoid_piece_planes(plan, ZOID_MEMORY, cell, i);
        const long lo = zoid_max(in.lo, some.lo), hi = zoid_min(in.hi, some.hi);
        struct piece piece;

        if (lo >= hi || h.points[0].lo >= h.points[0].hi || h.points[1].lo >= h.points[1].hi)
            continue;
        piece = take(state, cell, i, STARPU_R);
        for (long z = lo; z < hi; z++)
            copy_plane(&h, &piece, z, values + (size_t)(z - planes.lo) * bytes, false);
        give_back(state, &piece, false);
    }
}

/* Each point is owned by one cell, of some part, on some rank; those of other ranks are 0. */
static void read_planes(const struct zoid_state owner[], int owners, int axis, int side,
                        struct zoid_range planes, char *values, size_t bytes)
{
    memset(values, 0, bytes);
    for (int i = 0; i < owners; i++) {
        const struct zoid_range cells = zoid_graph_cells(&owner[i].plan->graph);

        for (long cell = cells.lo; cell < cells.hi; cell++)
            read_cell(&owner[i], cell, axis, side, planes, values);
    }
}

/* A collective call for planes of a layer, whose values are contiguous: 0 of points that other
 * ranks own. */
typedef enum zoid_status planes_fn(void *user, struct zoid_range planes, char *values,
                                   size_t plane_bytes);

/* Calls for all planes of the layer at a face, ascending, some megabytes at a time. */
static enum zoid_status read_layer(const struct zoid_state owner[], int owners, int axis, int side,
                                   planes_fn *call, void *user)
{
    static const size_t most = 1 << 22;
    const struct zoid_plan *plan = owner->plan;
    const struct zoid_layers l = layers_of(plan);
    const struct zoid_layer_planes p = zoid_layer_planes_of(&plan->graph.shape, &l, axis, side);
    const size_t bytes = zoid_layer_plane_bytes(&p, plan->layout.type);
    const long at_once = zoid_min(zoid_max((long)(most / bytes), 1), p.planes.hi - p.planes.lo);
    char *values = malloc((size_t)at_once * bytes);
    /* Either all ranks read, or no rank does. */
    enum zoid_status status = zoid_ranks_agree(values ? ZOID_OK : zoid_no_memory());

    for (long z = p.planes.lo, end; z < p.planes.hi && !status; z = end) {
        const struct zoid_range planes = {z, zoid_min(z + at_once, p.planes.hi)};

        end = planes.hi;
        read_planes(owner, owners, axis, side, planes, values, (size_t)(end - z) * bytes);
        status = zoid_ranks_agree(call(user, planes, values, bytes));
    }
    free(values);
    return status;
}

/* Who reads single planes. */
struct reader {
    zoid_memory_plane_fn *plane;
    void *user;
};

static enum zoid_status show_planes(void *reader, struct zoid_range planes, char *values,
                                    size_t plane_bytes)
{
    const struct reader *r = reader;
    enum zoid_status status = ZOID_OK;

    if (zoid_ranks_here()->size > 1)
        zoid_ranks_combine(values, (size_t)(planes.hi - planes.lo) * plane_bytes);
    for (long z = planes.lo; z < planes.hi && !status; z++, values += plane_bytes)
        status = r->plane(r->user, z, values, plane_bytes);
    return status;
}

enum zoid_status zoid_memory_read(const struct zoid_state owner[], int owners, int axis, int side,
                                  zoid_memory_plane_fn *plane, void *user)
{
    return read_layer(owner, owners, axis, side, show_planes, &(struct reader){plane, user});
}

/* ---- from one state to another ------------------------------------------------------------- */

/* States that are given planes of the layer at a face. */
struct receivers {
    const struct zoid_state *state;
    int n, axis, side;
};

/* Gives a cell these planes in a piece, which along a periodic chain axis may have planes beyond
 * the domain. */
static void give_piece(const struct zoid_state *state, const struct here *h, long i,
                       struct zoid_range planes, char *values, size_t plane_bytes)
{
    const struct zoid_range in = zoid_piece_planes(state->plan, ZOID_MEMORY, h->cell, i);
    const long n = state->plan->graph.shape.n[h->layers.chain];
    struct piece piece = {.base = NULL};

    for (long z = in.lo; z < in.hi; z++) {
        const long plane = zoid_modulo(z, n);

        if (plane < planes.lo || plane >= planes.hi)
            continue;
        if (!piece.base)
            piece = take(state, h->cell, i, STARPU_RW);
        copy_plane(h, &piece, z, values + (size_t)(plane - planes.lo) * plane_bytes, true);
    }
    if (piece.base)
        give_back(state, &piece, true);
}

/* Points of planes of a layer as a box, which has the values of a plane one above the other. */
static struct zoid_box box_of(const struct zoid_plan *plan, int axis, int side,
                              struct zoid_range planes)
{
    const struct zoid_layers l = layers_of(plan);
    const long above = ZOID_LAYER_VALUES * (planes.hi - planes.lo);
    struct zoid_box box = zoid_problem_planes(&plan->problem, 0, above);

    if (axis < l.chain) {
        box.lo[axis] = l.face[axis][side].lo;
        box.hi[axis] = box.lo[axis] + l.points;
    }
    return box;
}

/* Complete planes of a layer: their points that this process owns are set, and those that the
 * receivers hold beside them come from the processes that own them. */
static enum zoid_status bring_ghosts(const struct receivers *r, struct zoid_range planes,
                                     char *values)
{
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < r->n && !status; i++) {
        const struct zoid_plan *plan = r->state[i].plan;
        const struct zoid_box box = box_of(plan, r->axis, r->side, planes);

        status =
            zoid_ghosts_exchange(&plan->graph, &box, zoid_type_size(plan->layout.type), values);
    }
    return status;
}

static enum zoid_status give_planes(void *receivers, struct zoid_range planes, char *values,
                                    size_t plane_bytes)
{
    const struct receivers *r = receivers;
    const enum zoid_status status = bring_ghosts(r, planes, values);

    for (int i = 0; i < r->n && !status; i++) {
        const struct zoid_range cells = zoid_graph_cells(&r->state[i].plan->graph);

        for (long cell = cells.lo; cell < cells.hi; cell++) {
            const struct here h = here_of(r->state[i].plan, cell, r->axis, r->side, NULL);

            for (long piece = 0; piece < pieces_of(r->state[i].plan); piece++)
                give_piece(&r->state[i], &h, piece, planes, values, plane_bytes);
        }
    }
    return status;
}

enum zoid_status zoid_memory_carry(const struct zoid_state owner[], int owners,
                                   const struct zoid_state to[], int states)
{
    const struct zoid_layers l = layers_of(owner->plan);
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < l.dims * ZOID_SIDES && !status; i++) {
        struct receivers r = {to, states, i / ZOID_SIDES, i % ZOID_SIDES};

        if (l.face[r.axis][r.side].there)
            status = read_layer(owner, owners, r.axis, r.side, give_planes, &r);
    }
    return status;
}
