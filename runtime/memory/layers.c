/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/memory/layers.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/config.h"
#include "runtime/error.h"
#include "runtime/plan/coefficients.h"

static struct zoid_layers layers_of(const struct zoid_plan *plan)
{
    return zoid_layers_of(plan->problem.op, &plan->graph.shape, &plan->problem.params,
                          &plan->layout);
}

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

/* Where the rows of a plane of a layer lie in a piece. */
struct rows {
    char *first;
    size_t bytes, row, value; /* bytes of a row; distances of rows, and of psi, P and zeta */
    long n;                   /* rows of each of these */
};

static struct rows rows_of(const struct zoid_plan *plan, const struct zoid_layers *l, int axis,
                           int side, struct zoid_range piece, long plane, char *base)
{
    const struct zoid_layer_planes p = zoid_layer_planes_of(&plan->graph.shape, l, axis, side);
    const struct zoid_layer_face *face = &l->face[axis][side];
    const size_t size = zoid_type_size(plan->layout.type);
    const long x = axis == 0 && l->chain > 0 ? face->lo : 0;
    const long y = axis == 1 && l->chain > 1 ? face->lo : 0;

    return (struct rows){.first =
                             base + (size_t)zoid_layers_at(l, face, piece.lo, plane, x, y) * size,
                         .bytes = (size_t)p.n[0] * size,
                         .row = (size_t)face->row * size,
                         .value = (size_t)face->apart * size,
                         .n = p.n[1]};
}

static void copy(const struct rows *rows, char *values, bool into)
{
    for (int v = 0; v < ZOID_LAYER_VALUES; v++)
        for (long y = 0; y < rows->n; y++, values += rows->bytes) {
            char *row = rows->first + (size_t)v * rows->value + (size_t)y * rows->row;

            memcpy(into ? row : values, into ? values : row, rows->bytes);
        }
}

/* A piece in main memory. */
struct piece {
    starpu_data_handle_t handle;
    struct zoid_range planes;
    char *base;
};

static struct piece take(const struct zoid_state *state, long i, enum starpu_data_access_mode mode)
{
    const struct zoid_datum datum = {.kind = ZOID_MEMORY, .col = i};
    struct piece piece = {.handle = zoid_store_handle(state->store, &datum),
                          .planes = zoid_piece_planes(state->plan, ZOID_MEMORY, 0, i)};

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

static long pieces_of(const struct zoid_plan *plan)
{
    return plan->census.kind[ZOID_MEMORY].cols;
}

/* Fill the planes of the layer at a face that a piece has. */
static void fill_face(const struct zoid_plan *plan, int axis, int side, const struct piece *piece,
                      zoid_memory_fn *memory, void *user, char *values)
{
    const struct zoid_layers l = layers_of(plan);
    const struct zoid_layer_planes p = zoid_layer_planes_of(&plan->graph.shape, &l, axis, side);
    const long end = zoid_min(piece->planes.hi, p.planes.hi);

    for (long z = zoid_max(piece->planes.lo, p.planes.lo); l.face[axis][side].there && z < end;
         z++) {
        const struct rows rows = rows_of(plan, &l, axis, side, piece->planes, z, piece->base);

        memory(user, axis, side, z, values);
        copy(&rows, values, true);
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
    char *values = memory ? room_of(plan) : NULL;

    if (memory && !values)
        return zoid_no_memory();
    for (long i = 0; i < pieces_of(plan) && !ZOID_SIMULATED; i++) {
        const struct piece piece = take(state, i, STARPU_W);

        memset(piece.base, 0, zoid_piece_bytes(plan, ZOID_MEMORY, 0, i));
        for (int f = 0; f < plan->problem.op->dims * ZOID_SIDES && memory; f++)
            fill_face(plan, f / ZOID_SIDES, f % ZOID_SIDES, &piece, memory, user, values);
        give_back(state, &piece, true);
    }
    free(values);
    return ZOID_OK;
}

enum zoid_status zoid_memory_read(const struct zoid_state *state, int axis, int side,
                                  zoid_memory_plane_fn *plane, void *user)
{
    const struct zoid_plan *plan = state->plan;
    const struct zoid_layers l = layers_of(plan);
    const struct zoid_layer_planes p = zoid_layer_planes_of(&plan->graph.shape, &l, axis, side);
    const size_t bytes = zoid_layer_plane_bytes(&p, plan->layout.type);
    char *values = malloc(bytes);
    enum zoid_status status = values ? ZOID_OK : zoid_no_memory();

    for (long i = 0; i < pieces_of(plan) && !status; i++) {
        const struct zoid_range planes = zoid_piece_planes(plan, ZOID_MEMORY, 0, i);
        const long end = zoid_min(planes.hi, p.planes.hi);
        struct piece piece;

        if (zoid_max(planes.lo, p.planes.lo) >= end)
            continue;
        piece = take(state, i, STARPU_R);
        for (long z = zoid_max(planes.lo, p.planes.lo); z < end && !status; z++) {
            const struct rows rows = rows_of(plan, &l, axis, side, planes, z, piece.base);

            copy(&rows, values, false);
            status = plane(user, z, values, bytes);
        }
        give_back(state, &piece, false);
    }
    free(values);
    return status;
}

/* ---- from one state to another ------------------------------------------------------------- */

/* The memory of all layers, packed. */
struct carried {
    const struct zoid_plan *plan;
    char *at[ZOID_AXES][ZOID_SIDES], *next;
};

static enum zoid_status keep_plane(void *carried, long plane, const void *values, size_t bytes)
{
    struct carried *c = carried;

    (void)plane;
    memcpy(c->next, values, bytes);
    c->next += bytes;
    return ZOID_OK;
}

static void bring_plane(void *carried, int axis, int side, long plane, void *values)
{
    const struct carried *c = carried;
    const struct zoid_layers l = layers_of(c->plan);
    const struct zoid_layer_planes p = zoid_layer_planes_of(&c->plan->graph.shape, &l, axis, side);
    const size_t bytes = zoid_layer_plane_bytes(&p, c->plan->layout.type);

    memcpy(values, c->at[axis][side] + (size_t)(plane - p.planes.lo) * bytes, bytes);
}

enum zoid_status zoid_memory_carry(const struct zoid_state *from, const struct zoid_state *to)
{
    const struct zoid_plan *plan = from->plan;
    const struct zoid_layers l = layers_of(plan);
    struct carried c = {.plan = plan};
    enum zoid_status status = ZOID_OK;

    for (int axis = 0; axis < l.dims && !status; axis++)
        for (int side = 0; side < ZOID_SIDES && !status; side++) {
            const struct zoid_layer_planes p =
                zoid_layer_planes_of(&plan->graph.shape, &l, axis, side);
            const size_t planes = (size_t)(p.planes.hi - p.planes.lo);

            if (!l.face[axis][side].there)
                continue;
            c.next = malloc(planes * zoid_layer_plane_bytes(&p, plan->layout.type));
            c.at[axis][side] = c.next;
            status = c.next ? zoid_memory_read(from, axis, side, keep_plane, &c) : zoid_no_memory();
        }
    if (!status)
        status = zoid_memory_fill(to, bring_plane, &c);
    for (int i = 0; i < ZOID_AXES * ZOID_SIDES; i++)
        free(c.at[i / ZOID_SIDES][i % ZOID_SIDES]);
    return status;
}
