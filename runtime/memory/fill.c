/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/memory/fill.h"

#include <limits.h>
#include <string.h>

#include "codelets/block/finish.h"
#include "codelets/threads/parallel.h"
#include "graphs/cell.h"
#include "runtime/config.h"
#include "runtime/plan/parts.h"

struct zoid_values zoid_values_packed(const struct zoid_box *box, void *at)
{
    const long row = box->hi[0] - box->lo[0];

    return (struct zoid_values){.at = at, .stride = {1, row, row * (box->hi[1] - box->lo[1])}};
}

struct zoid_values zoid_values_stored(const struct zoid_layout *layout, const struct zoid_box *box,
                                      void *planes)
{
    const long x = layout->dims > 1 ? box->lo[0] : 0, y = layout->dims > 2 ? box->lo[1] : 0;
    struct zoid_values values = {.stride = {1, layout->pitch, layout->plane}};

    values.at = (char *)planes + zoid_layout_at(layout, x, y) * (long)zoid_type_size(layout->type);
    values.stride[layout->dims - 1] = layout->plane / layout->width;
    return values;
}

struct zoid_values zoid_values_part(const struct zoid_values *values, size_t size,
                                    const struct zoid_box *box, const struct zoid_box *part)
{
    const size_t x = (size_t)(part->lo[0] - box->lo[0]);
    char *row = zoid_values_row(values, size, part->lo[1] - box->lo[1], part->lo[2] - box->lo[2]);
    struct zoid_values found = *values;

    found.at = row + x * size;
    return found;
}

static int stored(const struct zoid_state *state, int field)
{
    return zoid_op_stored(state->plan->problem.op, field, state->steps);
}

/* Pin planes of all cells' lines from `plane` on. Planes here are counted within a line;
 * zoid_store_pin counts those of the first cell as the domain does. */
static long hold(const struct zoid_state *state, int field, long plane,
                 enum starpu_data_access_mode mode)
{
    const struct zoid_graph *g = &state->plan->graph;
    const long base = zoid_cell_base(g, zoid_graph_cells(g).lo);
    const long end = zoid_store_pin(state->store, field, base + plane, mode);

    return end == LONG_MAX ? end : end - base;
}

/* A patch with the bounds of all of its ranges filled in. */
static struct zoid_patch named(const struct zoid_graph *g, struct zoid_patch patch)
{
    for (int a = 0; a < zoid_chain(&g->shape); a++)
        if (zoid_range_all(&patch.axis[a]))
            patch.axis[a].hi = g->shape.n[a];
    return patch;
}

/* ---- into the store ------------------------------------------------------------------------ */

/* Shared by the threads that fill a state. */
struct filling {
    const struct zoid_state *state;
    const struct zoid_plan *plan;
    struct zoid_store *store;
    zoid_box_fn *box;     /* writes the values of boxes; NULL if `piece` is set */
    zoid_piece_fn *piece; /* writes coefficients that come in pieces; or NULL */
    void *user;
    int field;   /* the first field, of the state or of the coefficients */
    long lo, hi; /* planes being filled */
    long batch;  /* planes that a thread takes at a time; in pieces, those of one */
};

/* Move a box, whose planes are set, to the part of a window that begins at `at` or, if that is
 * beyond the end of an axis, to the next part; false at the end of the window. Beyond a periodic
 * face the points of a window are those of the domain again, so a window may consist of several
 * boxes. */
static bool next_part(const struct zoid_shape *shape, const struct zoid_patch *window,
                      long at[ZOID_PLANE_AXES], struct zoid_box *box)
{
    for (int a = 0; a < zoid_chain(shape); a++) {
        const struct zoid_range *range = &window->axis[a];

        if (at[a] >= range->hi) {
            if (a + 1 == zoid_chain(shape))
                return false;
            at[a] = range->lo;
            at[a + 1] += box->hi[a + 1] - box->lo[a + 1];
        }
        box->lo[a] = zoid_fold(shape, a, at[a]);
        box->hi[a] = zoid_min(shape->n[a], box->lo[a] + range->hi - at[a]);
    }
    return true;
}

/* Fill planes of a cell, contiguous from `memory` on: all points of its window, owned and ghost. */
static void fill_window(const struct filling *f, int field, const struct zoid_layout *layout,
                        const struct zoid_patch *window, struct zoid_box box, void *memory)
{
    const struct zoid_shape *shape = &f->plan->graph.shape;
    long at[ZOID_PLANE_AXES] = {window->axis[0].lo, window->axis[1].lo};

    for (; next_part(shape, window, at, &box); at[0] += box.hi[0] - box.lo[0]) {
        struct zoid_box stored = box;
        struct zoid_values to;

        for (int a = 0; a < zoid_chain(shape); a++)
            stored.lo[a] = at[a];
        to = zoid_values_stored(layout, &stored, memory);
        f->box(f->user, field, &box, &to);
    }
}

/* Fill planes that are contiguous in the domain and in memory. */
static void fill_planes(const struct filling *f, int field, long cell, struct zoid_range planes,
                        char *memory)
{
    const struct zoid_graph *g = &f->plan->graph;
    const struct zoid_layout layout = zoid_plan_layout(f->plan, cell);
    const struct zoid_finish finish = zoid_finish_of(f->plan->problem.op, &g->shape, &layout);
    const struct zoid_box box = zoid_problem_planes(&f->plan->problem, planes.lo, planes.hi);
    const size_t bytes = zoid_layout_plane_bytes(&layout);

    if (zoid_chain(&g->shape) > 0) {
        const struct zoid_patch window = named(g, zoid_cell_window(g, cell));

        fill_window(f, field, &layout, &window, box, memory);
    } else {
        const struct zoid_values to = zoid_values_stored(&layout, &box, memory);

        f->box(f->user, field, &box, &to);
    }
    for (long i = 0; i < planes.hi - planes.lo; i++)
        zoid_finish_plane(&finish, &g->shape, &layout, field < f->plan->problem.op->nstate,
                          memory + (size_t)i * bytes);
}

/* Fill planes of a cell's line; beyond a periodic face they are those of the domain again. */
static void fill_line(const struct filling *f, int field, long cell, struct zoid_range line,
                      char *memory)
{
    const struct zoid_shape *shape = &f->plan->graph.shape;
    const long n = shape->n[zoid_chain(shape)], base = zoid_cell_base(&f->plan->graph, cell);
    const size_t bytes = zoid_layout_plane_bytes(&f->plan->layout);

    for (long z = line.lo, end; z < line.hi; z = end) {
        const long at = zoid_modulo(base + z, n);

        end = zoid_min(line.hi, z + n - at);
        fill_planes(f, field, cell, (struct zoid_range){at, at + end - z},
                    memory + (size_t)(z - line.lo) * bytes);
    }
}

static long batches(const struct filling *f)
{
    return (f->hi - f->lo + f->batch - 1) / f->batch;
}

/* Fill batch i: batches of planes, cell after cell, field after field. */
static void fill_batch(void *arg, int thread, long i)
{
    const struct filling *f = arg;
    const struct zoid_graph *g = &f->plan->graph;
    const long cells = zoid_rank_cells(g), cell = i / batches(f) % cells;
    const long lo = f->lo + i % batches(f) * f->batch, hi = zoid_min(lo + f->batch, f->hi);
    const int field = f->field + (int)(i / batches(f) / cells);
    const long first = zoid_graph_cells(g).lo, base = zoid_cell_base(g, first + cell);

    (void)thread;
    for (long z = lo, end; z < hi; z = end) {
        char *planes = zoid_store_planes(f->store, stored(f->state, field), cell, base + z, &end);

        end = end == LONG_MAX ? hi : zoid_min(end - base, hi);
        if (f->piece)
            f->piece(f->user, base + z, base + end, planes);
        else
            fill_line(f, field, first + cell, (struct zoid_range){z, end}, planes);
    }
}

/* Fill planes [lo, hi) of all lines and of `fields` fields, in parts that main memory has room for.
 * `mode`: STARPU_W loses what data hold besides. */
static void fill_lines(struct filling *f, int first, int fields, struct zoid_range line,
                       enum starpu_data_access_mode mode)
{
    const long cells = zoid_rank_cells(&f->plan->graph);

    f->field = first;
    for (f->lo = line.lo; fields && f->lo < line.hi; f->lo = f->hi) {
        f->hi = zoid_min(hold(f->state, first, f->lo, mode), line.hi);
        /* Idle workers of StarPU poll: pause them, to leave the cores to these threads. Fields of a
         * simulation have addresses, and no memory. */
        if (!ZOID_SIMULATED) {
            starpu_pause();
            zoid_parallel(zoid_cores(), fields * cells * batches(f), fill_batch, f);
            starpu_resume();
        }
        zoid_store_unpin(f->store);
    }
}

static void fill_fields(struct filling *f, int first, int fields)
{
    fill_lines(f, first, fields, (struct zoid_range){0, zoid_cell_line(&f->plan->graph)}, STARPU_W);
}

static struct filling filling_of(const struct zoid_state *state, void *user)
{
    /* Bytes that are worth waking a thread for. */
    static const size_t least = 1 << 18;
    const size_t bytes = zoid_layout_plane_bytes(&state->plan->layout);

    return (struct filling){.state = state,
                            .plan = state->plan,
                            .store = state->store,
                            .user = user,
                            .batch = bytes < least ? (long)(least / bytes) : 1};
}

void zoid_fill_coefficients(const struct zoid_state *state, zoid_box_fn *box, void *user)
{
    const struct zoid_op *op = state->plan->problem.op;
    struct filling f = filling_of(state, user);

    f.box = box;
    fill_fields(&f, op->nstate, op->ncoef);
}

void zoid_fill_pieces(const struct zoid_state *state, zoid_piece_fn *piece, void *user)
{
    const struct zoid_op *op = state->plan->problem.op;
    struct filling f = filling_of(state, user);

    f.piece = piece;
    f.batch = state->plan->census.kind[ZOID_COEFFICIENT].planes;
    fill_fields(&f, op->nstate, op->ncoef);
}

void zoid_fill_state(const struct zoid_state *state, zoid_box_fn *box, void *user)
{
    struct filling f = filling_of(state, user);

    f.box = box;
    fill_fields(&f, 0, state->plan->problem.op->nstate);
}

void zoid_fill_planes(const struct zoid_state *state, int field, struct zoid_range planes,
                      zoid_box_fn *box, void *user)
{
    const struct zoid_graph *g = &state->plan->graph;
    const long base = zoid_cell_base(g, zoid_graph_cells(g).lo);
    struct filling f = filling_of(state, user);

    f.box = box;
    fill_lines(&f, field, 1, (struct zoid_range){planes.lo - base, planes.hi - base}, STARPU_RW);
}

/* ---- out of the store ---------------------------------------------------------------------- */

void zoid_values_copy(const struct zoid_box *box, size_t size, const struct zoid_values *from,
                      const struct zoid_values *to)
{
    const size_t row = (size_t)(box->hi[0] - box->lo[0]) * size;

    for (long z = 0; z < box->hi[2] - box->lo[2]; z++)
        for (long y = 0; y < box->hi[1] - box->lo[1]; y++)
            memcpy(zoid_values_row(to, size, y, z), zoid_values_row(from, size, y, z), row);
}

/* Shared by the threads that read a box. */
struct reading {
    const struct zoid_state *state;
    int field;
    const struct zoid_box *box;
    const struct zoid_values *to;
    zoid_box_fn *look; /* called for each part that was read; or NULL */
    void *user;
    int at;              /* where the field is stored */
    struct zoid_range z; /* pinned planes, counted within lines */
    long parts;          /* a thread reads one of these at a time */
};

/* Copy the points of `box` that a cell owns; the planes are contiguous from `planes` on. The box is
 * part of the one being read. */
static void read_planes(const struct reading *r, long cell, struct zoid_box box, void *planes)
{
    const struct zoid_state *state = r->state;
    const struct zoid_graph *g = &state->plan->graph;
    const struct zoid_patch own = named(g, zoid_cell_own(g, cell, state->epoch));
    const struct zoid_layout layout = zoid_plan_layout(state->plan, cell);
    const size_t size = zoid_layout_point_bytes(&layout);
    struct zoid_box mine = box;
    struct zoid_values from, part;

    for (int a = 0; a < layout.dims - 1; a++) {
        mine.lo[a] = own.axis[a].lo;
        mine.hi[a] = own.axis[a].hi;
    }
    box = zoid_box_intersect(&box, &mine);
    if (zoid_box_empty(&box))
        return;
    from = zoid_values_stored(&layout, &box, planes);
    part = zoid_values_part(r->to, size, r->box, &box);
    zoid_values_copy(&box, size, &from, &part);
    if (r->look)
        r->look(r->user, r->field, &box, &part);
}

/* Planes of a box that the c-th cell of this rank owns, counted within its line. */
static struct zoid_range wanted(const struct zoid_state *state, long c, const struct zoid_box *box)
{
    const struct zoid_graph *g = &state->plan->graph;
    const long cell = zoid_graph_cells(g).lo + c, base = zoid_cell_base(g, cell);
    const int chain = zoid_chain(&g->shape);
    struct zoid_range own = zoid_cell_own(g, cell, state->epoch).axis[chain];

    if (zoid_range_all(&own))
        own.hi = g->shape.n[chain];
    return (struct zoid_range){zoid_max(own.lo, box->lo[chain]) - base,
                               zoid_min(own.hi, box->hi[chain]) - base};
}

/* Read part i: a part of the pinned planes of a cell. */
static void read_part(void *arg, int thread, long i)
{
    const struct reading *r = arg;
    const struct zoid_graph *g = &r->state->plan->graph;
    const int chain = zoid_chain(&g->shape);
    const long c = i / r->parts, part = i % r->parts, high = r->z.hi - r->z.lo;
    const long base = zoid_cell_base(g, zoid_graph_cells(g).lo + c);
    const struct zoid_range line = wanted(r->state, c, r->box);
    const long hi = zoid_min(r->z.lo + high * (part + 1) / r->parts, line.hi);

    (void)thread;
    for (long lo = zoid_max(r->z.lo + high * part / r->parts, line.lo), end; lo < hi; lo = end) {
        void *planes = zoid_store_planes(r->state->store, r->at, c, base + lo, &end);
        struct zoid_box some = *r->box;

        end = zoid_min(end == LONG_MAX ? hi : end - base, hi);
        some.lo[chain] = base + lo;
        some.hi[chain] = base + end;
        read_planes(r, zoid_graph_cells(g).lo + c, some, planes);
    }
}

/* Read the pinned planes, on all cores if there is enough to wake threads for: together they have
 * more bandwidth than one. Idle workers of StarPU poll, so they are paused. A part is still in a
 * cache when `look` sees it. */
static void read_held(struct reading *r)
{
    static const size_t least = 1 << 22, cached = 1 << 19;
    const struct zoid_graph *g = &r->state->plan->graph;
    const long high = r->z.hi - r->z.lo, cells = zoid_rank_cells(g);
    const size_t bytes = (size_t)high * zoid_layout_plane_bytes(&r->state->plan->layout);
    const bool many = bytes * (size_t)cells >= least;

    r->parts = many ? zoid_min(high, zoid_max(4l * zoid_cores(), (long)(bytes / cached))) : 1;
    if (many)
        starpu_pause();
    zoid_parallel(many ? zoid_cores() : 1, cells * r->parts, read_part, r);
    if (many)
        starpu_resume();
}

void zoid_fill_read(const struct zoid_state *state, int field, const struct zoid_box *box,
                    const struct zoid_values *to, zoid_box_fn *look, void *user)
{
    const struct zoid_graph *g = &state->plan->graph;
    struct reading r = {.state = state,
                        .field = field,
                        .box = box,
                        .to = to,
                        .look = look,
                        .user = user,
                        .at = stored(state, field)};
    struct zoid_range lines = {zoid_cell_line(g), 0};

    for (long c = 0; c < zoid_rank_cells(g); c++) {
        const struct zoid_range line = wanted(state, c, box);

        lines.lo = zoid_min(lines.lo, line.lo);
        lines.hi = zoid_max(lines.hi, line.hi);
    }
    for (r.z.lo = lines.lo; r.z.lo < lines.hi; r.z.lo = r.z.hi) {
        r.z.hi = zoid_min(hold(state, r.at, r.z.lo, STARPU_R), lines.hi);
        read_held(&r);
    }
}
