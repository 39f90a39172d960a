/* SPDX-License-Identifier: BSD-3-Clause */
/* One task for every two data that hold planes of one another's mirror image:
 *
 *     planes    0 1 2 3 4 5 6 7 8 9        slabs of 4 planes, of which the last is lower
 *     slabs    |   a   |   b   | c |
 *     mirror   |9 8|7 6 5 4|3 2 1 0|       tasks: a with c (planes 0, 1), a with b (2, 3), b with
 *                                          itself (4, 5)
 *
 * A task swaps the planes, and the points within them. If data move to a disk and back, StarPU
 * fetches the two that a task needs.
 *
 * Ranks mirror their own planes and do not change places, so in the mirror their order is reversed.
 * Their ghost planes then come from the ranks on the opposite sides. */
#include "runtime/memory/mirror.h"

#include <stdlib.h>
#include <string.h>

#include "codelets/sweep.h"
#include "graphs/cell.h"
#include "graphs/common/grid.h"
#include "runtime/error.h"
#include "runtime/plan/ranks.h"
#include "runtime/ranks/ranks.h"

/* The planes of a rank; `sum` is a plane's index plus that of its image. */
struct image {
    long lo, hi, sum;
};

/* Argument of a task: planes [lo, hi) of a datum, and their images in another one or in itself. */
struct turn {
    const struct zoid_state *state;
    struct image image;
    struct zoid_noted low, high;
    long lo, hi;
    int fields;
};

/* ---- planes ------------------------------------------------------------------------------ */

/* Swap and reverse two rows, which may be the same. */
#define SWAP(T)                                            \
    static void swap_##T(zoid_##T *a, zoid_##T *b, long n) \
    {                                                      \
        const long points = a == b ? n / 2 : n;            \
                                                           \
        for (long x = 0; x < points; x++) {                \
            const zoid_##T value = a[x];                   \
                                                           \
            a[x] = b[n - 1 - x];                           \
            b[n - 1 - x] = value;                          \
        }                                                  \
    }

SWAP(f32)
SWAP(f64)
SWAP(u8)

static void swap_rows(enum zoid_type type, void *a, void *b, long n)
{
    if (type == ZOID_F32)
        swap_f32(a, b, n);
    else if (type == ZOID_F64)
        swap_f64(a, b, n);
    else
        swap_u8(a, b, n);
}

/* Swap and mirror two planes, which may be the same. */
static void swap_planes(const struct zoid_layout *layout, const long n[ZOID_AXES], char *a, char *b)
{
    const size_t size = zoid_type_size(layout->type);
    const long columns = layout->dims > 1 ? n[0] : layout->width;
    const long rows = layout->dims > 2 ? n[1] : 1;

    for (long y = 0; y < (a == b ? (rows + 1) / 2 : rows); y++) {
        const long from =
            layout->dims > 1 ? zoid_layout_at(layout, 0, layout->dims > 2 ? y : 0) : 0;
        const long to = from + (rows - 1 - 2 * y) * layout->pitch;

        swap_rows(layout->type, a + (size_t)from * size, b + (size_t)to * size, columns);
    }
}

static char *plane_of(const struct zoid_noted *noted, void *memory, int field, long plane)
{
    return (char *)memory +
           ((size_t)(field * noted->capacity) + (size_t)(noted->slot + plane - noted->lo)) *
               noted->plane_bytes;
}

static void run(void *buffers[], void *arg)
{
    const struct turn *t = arg;
    const struct zoid_plan *plan = t->state->plan;
    void *low = (void *)STARPU_VECTOR_GET_PTR(buffers[0]);
    void *high = t->low.handle == t->high.handle ? low : (void *)STARPU_VECTOR_GET_PTR(buffers[1]);

    for (int f = 0; f < t->fields; f++)
        for (long plane = t->lo; plane < t->hi; plane++)
            swap_planes(&plan->layout, plan->problem.n, plane_of(&t->low, low, f, plane),
                        plane_of(&t->high, high, f, t->image.sum - plane));
}

/* ---- tasks ------------------------------------------------------------------------------- */

static struct starpu_codelet codelet = {
    .where = STARPU_CPU, .cpu_funcs = {run}, .nbuffers = STARPU_VARIABLE_NBUFFERS, .name = "turn"};

static enum zoid_status submit(const struct turn *turn)
{
    struct turn *own = malloc(sizeof *own);
    struct starpu_task *task = starpu_task_create();
    const int data = turn->low.handle == turn->high.handle ? 1 : 2;
    int rc;

    if (!own) {
        starpu_task_destroy(task);
        return zoid_no_memory();
    }
    *own = *turn;
    task->cl = &codelet;
    task->cl_arg = own;
    task->cl_arg_size = sizeof *own;
    task->cl_arg_free = 1;
    task->nbuffers = data;
    STARPU_TASK_SET_HANDLE(task, own->low.handle, 0);
    STARPU_TASK_SET_MODE(task, STARPU_RW, 0);
    if (data == 2) {
        STARPU_TASK_SET_HANDLE(task, own->high.handle, 1);
        STARPU_TASK_SET_MODE(task, STARPU_RW, 1);
    }
    rc = starpu_task_submit(task);
    if (rc) {
        task->destroy = 0;
        starpu_task_destroy(task);
        return zoid_fail(ZOID_RESOURCE, "StarPU refuses a task: %d", rc);
    }
    return ZOID_OK;
}

/* All planes whose image is in the line of the rank's cell, too. */
static struct image image_of(const struct zoid_graph *g)
{
    const long cell = zoid_graph_cells(g).lo, base = zoid_cell_base(g, cell);
    const long end = base + zoid_cell_line(g), sum = zoid_cell_image(g, cell);

    return (struct image){zoid_max(base, sum + 1 - end), zoid_min(end, sum + 1 - base), sum};
}

/* Submit the tasks for the planes of the lower half that datum i has, with their images. */
static enum zoid_status turn_datum(const struct zoid_state *state, bool coefficients, size_t i)
{
    const struct zoid_op *op = state->plan->problem.op;
    const struct image image = image_of(&state->plan->graph);
    struct turn turn = {.state = state,
                        .image = image,
                        .low = zoid_store_noted(state->store, coefficients, i),
                        .fields = coefficients ? op->ncoef : op->nstate};
    enum zoid_status status = ZOID_OK;

    for (size_t j = i; j < zoid_store_notes(state->store, coefficients) && !status; j++) {
        turn.high = zoid_store_noted(state->store, coefficients, j);
        turn.lo = zoid_max(turn.low.lo, image.sum + 1 - zoid_min(turn.high.hi, image.hi));
        turn.hi = zoid_min(turn.low.hi, image.sum + 1 - turn.high.lo);
        turn.hi = zoid_min(turn.hi, zoid_floor_div(image.sum, 2) + 1);
        if (turn.lo >= turn.hi)
            continue;
        status = submit(&turn);
        /* Enough tasks to keep workers busy, and few enough for memory to have room for their
         * data. */
        starpu_task_wait_for_n_submitted(2 * starpu_worker_get_count());
    }
    return status;
}

enum zoid_status zoid_mirror(const struct zoid_state *state)
{
    enum zoid_status status = ZOID_OK;

    zoid_store_unpin(state->store);
    for (int coefficients = 0; coefficients < 2; coefficients++)
        for (size_t i = 0; i < zoid_store_notes(state->store, coefficients) && !status; i++)
            status = turn_datum(state, coefficients, i);
    starpu_task_wait_for_all();
    return status ? status : zoid_store_fetch(state->store);
}

/* ---- ghost planes -------------------------------------------------------------------------- */

/* Copy planes of a group of fields, one field after the other, out of the store or into it. */
static void move(const struct zoid_state *state, bool coefficients, struct zoid_range planes,
                 char *room, bool in)
{
    const struct zoid_op *op = state->plan->problem.op;
    const int first = coefficients ? op->nstate : 0, fields = coefficients ? op->ncoef : op->nstate;
    const size_t bytes = zoid_layout_plane_bytes(&state->plan->layout);

    for (int f = first; f < first + fields; f++)
        for (long z = planes.lo, end; z < planes.hi; z = end) {
            const long held = zoid_store_pin(state->store, f, z, in ? STARPU_RW : STARPU_R);
            char *stored = zoid_store_planes(state->store, f, 0, z, &end);
            size_t some;

            end = zoid_min(zoid_min(end, held), planes.hi);
            some = (size_t)(end - z) * bytes;
            memcpy(in ? stored : room, in ? room : stored, some);
            room += some;
        }
    zoid_store_unpin(state->store);
}

/* Planes that cell `own` owns and cell `other` holds as well, if both exist. */
static struct zoid_range shared(const struct zoid_graph *g, long own, long other)
{
    const int chain = zoid_chain(&g->shape);
    struct zoid_range has = {0, 0}, sees;

    if (zoid_min(own, other) < 0 || zoid_max(own, other) >= zoid_cells(g))
        return has;
    has = zoid_grid_own(g, chain, own, 0);
    sees = zoid_grid_seen(g, chain, other);
    has.lo = zoid_max(has.lo, sees.lo);
    return (struct zoid_range){has.lo, zoid_max(zoid_min(has.hi, sees.hi), has.lo)};
}

/* One direction of the exchange: owned planes that go out, ghost planes that come in. */
struct way {
    struct zoid_range out, in; /* planes; empty without a neighbour */
    int to, from;              /* ranks; -1: no neighbour */
};

static struct way way_of(const struct zoid_graph *g, int step)
{
    const long cell = zoid_graph_cells(g).lo, next = cell + step, before = cell - step;
    struct way way = {.to = -1, .from = -1};

    way.out = shared(g, cell, next);
    way.in = shared(g, before, cell);
    if (way.out.lo < way.out.hi)
        way.to = zoid_ranks_process(g, zoid_cell_rank(g, next));
    if (way.in.lo < way.in.hi)
        way.from = zoid_ranks_process(g, zoid_cell_rank(g, before));
    return way;
}

static enum zoid_status pass(const struct zoid_state *state, bool coefficients, int step)
{
    const struct zoid_op *op = state->plan->problem.op;
    const int fields = coefficients ? op->ncoef : op->nstate;
    const size_t bytes = zoid_layout_plane_bytes(&state->plan->layout);
    const struct way way = way_of(&state->plan->graph, step);
    const long out = (way.out.hi - way.out.lo) * fields, in = (way.in.hi - way.in.lo) * fields;
    char *room = malloc((size_t)(out + in) * bytes + 1), *came = room + (size_t)out * bytes;
    const struct zoid_pass planes = {.unit = bytes,
                                     .mine = room,
                                     .sent = out,
                                     .to = way.to,
                                     .theirs = came,
                                     .got = in,
                                     .from = way.from};
    enum zoid_status status = zoid_ranks_agree(room ? ZOID_OK : zoid_no_memory());

    if (!status) {
        move(state, coefficients, way.out, room, false);
        zoid_ranks_pass(&planes);
        move(state, coefficients, way.in, came, true);
    }
    free(room);
    return status;
}

enum zoid_status zoid_mirror_ghosts(const struct zoid_state *state)
{
    const int groups = state->plan->problem.op->ncoef ? 2 : 1;
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < 2 * groups && !status; i++)
        status = pass(state, i / 2, i % 2 ? 1 : -1);
    return status;
}

struct zoid_mirror_sends zoid_mirror_sends(const struct zoid_plan *plan)
{
    const struct zoid_graph *g = &plan->graph;
    const struct zoid_op *op = plan->problem.op;
    const size_t bytes = zoid_layout_plane_bytes(&plan->layout);
    struct zoid_mirror_sends all = {0, 0};

    for (long i = 0; i < 2 * zoid_cells(g); i++) {
        const struct zoid_range out = shared(g, i / 2, i / 2 + (i % 2 ? 1 : -1));

        if (out.lo == out.hi)
            continue;
        all.messages += 1 + (op->ncoef > 0);
        all.bytes += (double)((size_t)((out.hi - out.lo) * (op->nstate + op->ncoef)) * bytes);
    }
    return all;
}
