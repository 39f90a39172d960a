/* SPDX-License-Identifier: BSD-3-Clause */
/* A task for every two data that hold planes of one another's mirror image:
 *
 *     planes    0 1 2 3 4 5 6 7 8 9        slabs of 4 planes, of which the last is lower
 *     slabs    |   a   |   b   | c |
 *     mirror   |9 8|7 6 5 4|3 2 1 0|       tasks: a with c (planes 0, 1), a with b (2, 3), b with
 *                                          itself (4, 5)
 *
 * A task exchanges the planes, and the points within them. Where data move to a disk and back,
 * StarPU brings the two that a task wants. */
#include "runtime/memory/turn.h"

#include <stdlib.h>

#include "codelets/sweep.h"

/* What a task turns: planes [lo, hi) of a datum with their images in another one, or in itself. */
struct turn {
    const struct zoid_state *state;
    struct zoid_noted low, high;
    long lo, hi;
    int fields;
};

/* ---- planes ------------------------------------------------------------------------------ */

/* Points of two rows, which may be the same: each with the other's from the other end. */
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

/* Two planes, which may be the same. */
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
    const long last = plan->graph.shape.n[zoid_chain(&plan->graph.shape)] - 1;
    void *low = (void *)STARPU_VECTOR_GET_PTR(buffers[0]);
    void *high = t->low.handle == t->high.handle ? low : (void *)STARPU_VECTOR_GET_PTR(buffers[1]);

    for (int f = 0; f < t->fields; f++)
        for (long plane = t->lo; plane < t->hi; plane++)
            swap_planes(&plan->layout, plan->problem.n, plane_of(&t->low, low, f, plane),
                        plane_of(&t->high, high, f, last - plane));
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
        return zoid_fail(ZOID_RESOURCE, "out of memory");
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

/* Planes of the lower half that datum i has, with their images. */
static enum zoid_status turn_datum(const struct zoid_state *state, bool coefficients, size_t i)
{
    const struct zoid_op *op = state->plan->problem.op;
    const struct zoid_shape *shape = &state->plan->graph.shape;
    const long n = shape->n[zoid_chain(shape)];
    struct turn turn = {.state = state,
                        .low = zoid_store_noted(state->store, coefficients, i),
                        .fields = coefficients ? op->ncoef : op->nstate};
    enum zoid_status status = ZOID_OK;

    for (size_t j = i; j < zoid_store_notes(state->store, coefficients) && !status; j++) {
        turn.high = zoid_store_noted(state->store, coefficients, j);
        turn.lo = zoid_max(turn.low.lo, n - zoid_min(turn.high.hi, n));
        turn.hi = zoid_min(zoid_min(turn.low.hi, n - turn.high.lo), (n + 1) / 2);
        if (turn.lo >= turn.hi)
            continue;
        status = submit(&turn);
        /* As many as keep workers busy, so that memory has room for what they want. */
        starpu_task_wait_for_n_submitted(2 * starpu_worker_get_count());
    }
    return status;
}

enum zoid_status zoid_turn(const struct zoid_state *state)
{
    enum zoid_status status = ZOID_OK;

    zoid_store_drop(state->store);
    for (int coefficients = 0; coefficients < 2; coefficients++)
        for (size_t i = 0; i < zoid_store_notes(state->store, coefficients) && !status; i++)
            status = turn_datum(state, coefficients, i);
    starpu_task_wait_for_all();
    return status ? status : zoid_store_fetch(state->store);
}
