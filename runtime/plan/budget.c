/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/budget.h"

#include "codelets/parallel.h"
#include "graphs/kinds.h"
#include "runtime/plan/tier.h"

/* What one handle costs StarPU beside the memory it manages. */
static const uint64_t HANDLE_BYTES = 24 << 10; /* measured: 21.4 KB with room for 32 memory nodes */

/* The driver takes GPU memory in such; a datum counts as whole ones. */
static const uint64_t GPU_PAGE = 2 << 20;

/* On a GPU, beside the slabs in use: one arriving, one leaving, and one on its way from or to the
 * next GPU. In main memory, between GPUs and disk: two each way. */
enum { SLABS_ON_THE_WAY = 3, SLABS_BETWEEN = 2 * ZOID_BUDGET_HOMEWARD };

/* Blocks of a GPU for which StarPU has begun: one runs, one is next, and one's data are asked for. */
enum { BEGUN = 3 };

static uint64_t saturating_mul(uint64_t a, uint64_t b)
{
    uint64_t product;

    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t saturating_add(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t whole(uint64_t bytes, uint64_t grain)
{
    return saturating_add(bytes, grain - 1) / grain * grain;
}

int zoid_kind_fields(const struct zoid_op *op, int kind)
{
    return zoid_kinds[kind].constant ? op->ncoef : op->nstate;
}

bool zoid_budget_on_disk(const struct zoid_plan *p, int kind)
{
    return p->on_disk && zoid_kinds[kind].home == ZOID_HOME_FARTHEST;
}

bool zoid_budget_at_home(const struct zoid_plan *p, int kind)
{
    /* Edges outlive their pass, as slabs do, and go where these go, but for the disk. What a GPU has no room
     * to keep needs a place that nothing else takes: StarPU makes none for it. */
    const enum zoid_kind_home home = zoid_kinds[kind].home;

    return !p->on_gpu || home == ZOID_HOME_FARTHEST || home == ZOID_HOME_RAM ||
           (home == ZOID_HOME_STREAM && !p->in_core) || (home == ZOID_HOME_PLACE && p->swaps);
}

size_t zoid_budget_plane_bytes(const struct zoid_plan *p, int kind)
{
    if (zoid_kinds[kind].planes == ZOID_PLANES_WHOLE)
        return zoid_layout_plane_bytes(&p->layout);
    return zoid_plan_halo(p) * zoid_type_size(p->layout.type);
}

uint64_t zoid_budget_datum_bytes(const struct zoid_plan *p, int kind)
{
    uint64_t fields = (uint64_t)zoid_kind_fields(p->problem.op, kind);
    uint64_t bytes = saturating_mul(saturating_mul((uint64_t)p->census.kind[kind].planes, fields),
                                    zoid_budget_plane_bytes(p, kind));

    return zoid_budget_on_disk(p, kind) ? whole(bytes, ZOID_DISK_BLOCK) : bytes;
}

uint64_t zoid_budget_data(const struct zoid_plan *p, int kind)
{
    const struct zoid_census_row *row = &p->census.kind[kind];

    return saturating_mul((uint64_t)row->rows, (uint64_t)row->cols);
}

/* ---- GPUs -------------------------------------------------------------------------------- */

/* Coefficients that a worker must hold at once: those of a block, and of the one that comes next. */
static uint64_t coefficients_in_flight(const struct zoid_plan *p, uint64_t workers)
{
    uint64_t two = 2 * (uint64_t)p->census.max_coefficients;

    return smaller(saturating_mul(two, workers), zoid_budget_data(p, ZOID_COEFFICIENT));
}

/* Edges that a GPU must hold at once where they come and go with the slabs: each lane's slab at work
 * reads some and leaves two, and of each of the others two arrive or leave. */
static uint64_t edges_in_flight(const struct zoid_plan *p, uint64_t slabs, uint64_t lanes)
{
    uint64_t most = 2 * slabs + lanes * (uint64_t)p->census.max_access;

    return smaller(most, zoid_budget_data(p, ZOID_EDGE));
}

/* What a GPU may have room for: everything, what passes have open, or what blocks that have begun access. */
enum room { ALL, OPEN, BLOCKS };

/* Reuse data that a GPU must hold at once: every lane has a ring of its own. */
static uint64_t reuse_on_gpu(const struct zoid_plan *p, enum room room, uint64_t lanes)
{
    const struct zoid_census_row *row = &p->census.kind[ZOID_REUSE];
    uint64_t rings = saturating_mul(smaller((uint64_t)row->rows, lanes), (uint64_t)row->cols);
    uint64_t a_block = (uint64_t)(p->census.max_access - p->census.block_slabs);

    return room == BLOCKS ? smaller(rings, BEGUN * a_block) : rings;
}

/* Data of a kind that one GPU must hold at once. */
static uint64_t on_gpu(const struct zoid_plan *p, int kind, enum room room)
{
    const uint64_t data = zoid_budget_data(p, kind);
    const uint64_t lanes =
        ((uint64_t)p->graph.lanes + (uint64_t)p->workers - 1) / (uint64_t)p->workers;
    const uint64_t open = lanes * (uint64_t)(p->census.open_slabs + 1) - 1;
    const uint64_t begun = BEGUN * (uint64_t)p->census.block_slabs;
    const uint64_t slabs = SLABS_ON_THE_WAY + (room == BLOCKS ? smaller(begun, open) : open);

    /* Other data may come to any GPU. */
    if (kind == ZOID_REUSE)
        return reuse_on_gpu(p, room, lanes);
    if (room == ALL)
        return data;
    switch (kind) {
    case ZOID_SLAB:
        return smaller(data, slabs);
    case ZOID_COEFFICIENT:
        return coefficients_in_flight(p, 1);
    case ZOID_EDGE:
        return edges_in_flight(p, slabs, lanes);
    case ZOID_HALO:
        return smaller(data, BEGUN * lanes * (uint64_t)p->census.max_access);
    default:
        return data;
    }
}

static uint64_t gpu_bytes(const struct zoid_plan *p, uint64_t plane, enum room room)
{
    uint64_t sum = whole(saturating_mul((uint64_t)p->scratch_planes, plane), GPU_PAGE);

    for (int k = 0; k < ZOID_KINDS; k++)
        sum = saturating_add(sum, saturating_mul(whole(zoid_budget_datum_bytes(p, k), GPU_PAGE),
                                                 on_gpu(p, k, room)));
    return sum;
}

/* Where all passes go in one lane, beside a disk main memory holds what they have open, and a GPU without the
 * room for that takes it from there block by block: its link is much faster than the disk. */
static void count_gpu(struct zoid_plan *p, uint64_t plane)
{
    const bool swaps = p->on_disk && p->graph.method->revisits;
    const enum room least = swaps ? BLOCKS : OPEN;
    enum room room = ALL;

    while ((p->gpu_bytes = gpu_bytes(p, plane, room)) > p->gpu_budget && room != least)
        room++;
    p->in_core = room == ALL && p->gpu_bytes <= p->gpu_budget;
    p->swaps = room == BLOCKS;
}

/* ---- main memory ------------------------------------------------------------------------- */

uint64_t zoid_budget_running(const struct zoid_plan *p)
{
    /* A lane belongs to a GPU, and any core takes what is ready. */
    uint64_t abreast = p->on_gpu ? 1 : (uint64_t)p->census.abreast;
    uint64_t most = saturating_mul((uint64_t)p->graph.lanes, abreast);

    return smaller(most, (uint64_t)p->workers);
}

/* Who fills the state or reads it goes plane by plane, and wants all cells of one: half of what may be
 * there. */
static uint64_t with_all_cells(const struct zoid_plan *p)
{
    const uint64_t cells = (uint64_t)zoid_cells(&p->graph);

    return cells > 1 ? 2 * cells : 0;
}

/* Slabs that main memory must hold where they are at home on a disk. On cores, beside those that blocks
 * have open, as many are on their way from one lane to the next or to the disk, and one is arriving.
 * Where all passes go in one lane, blocks that run at the same time are near in the order of one pass, or
 * of one for each cell that has slopes of its own.
 * On GPUs, StarPU keeps the room of a slab that came through until the block that writes it has ended. */
static uint64_t slabs_in_memory(const struct zoid_plan *p)
{
    uint64_t open = (uint64_t)p->census.open_slabs;
    uint64_t running = zoid_budget_running(p), most;
    uint64_t rings = larger((uint64_t)p->census.kind[ZOID_REUSE].rows, 1);
    const uint64_t begun = p->on_gpu ? BEGUN : 2, beside = p->on_gpu ? SLABS_BETWEEN : 1;

    if (p->graph.method->revisits)
        most = smaller(rings, running) * open + begun * running * (uint64_t)p->census.block_slabs +
               beside;
    else
        most = begun * (p->on_gpu ? (uint64_t)p->workers : running) * open + beside;
    return larger(most, with_all_cells(p));
}

/* Data of a kind that main memory must hold at once. */
static uint64_t in_memory(const struct zoid_plan *p, int kind)
{
    uint64_t all = zoid_budget_data(p, kind);

    if (!zoid_budget_on_disk(p, kind))
        return all;
    if (kind == ZOID_COEFFICIENT)
        return smaller(
            all, larger(coefficients_in_flight(p, zoid_budget_running(p)), with_all_cells(p)));
    return smaller(all, slabs_in_memory(p));
}

/* Left to who fills the state, a plane a core, and to who reads it, one. */
static uint64_t staging(const struct zoid_plan *p)
{
    return p->on_disk
               ? saturating_mul(zoid_layout_plane_bytes(&p->layout), (uint64_t)zoid_cores() + 1)
               : 0;
}

void zoid_budget_count(struct zoid_plan *p)
{
    uint64_t plane =
        saturating_mul(zoid_layout_plane_bytes(&p->layout), (uint64_t)p->problem.op->nstate);
    uint64_t handles = 0;

    p->staging_bytes = p->total_bytes = staging(p);
    p->disk_bytes = 0;
    for (int k = 0; k < ZOID_KINDS; k++) {
        uint64_t count = zoid_budget_data(p, k), datum = zoid_budget_datum_bytes(p, k);

        handles = saturating_add(handles, count);
        p->bytes[k] = saturating_mul(in_memory(p, k), datum);
        p->total_bytes = saturating_add(p->total_bytes, p->bytes[k]);
        if (zoid_budget_on_disk(p, k))
            p->disk_bytes = saturating_add(p->disk_bytes, saturating_mul(count, datum));
    }
    p->scratch_bytes =
        saturating_mul(saturating_mul((uint64_t)p->scratch_planes, plane), (uint64_t)p->workers);
    p->handle_bytes = saturating_mul(handles, HANDLE_BYTES);
    p->total_bytes = saturating_add(p->total_bytes, p->scratch_bytes);
    p->total_bytes = saturating_add(p->total_bytes, p->handle_bytes);
    if (p->on_gpu)
        count_gpu(p, plane);
}

uint64_t zoid_budget_starpu(const struct zoid_plan *p)
{
    uint64_t others = p->staging_bytes + p->handle_bytes;

    /* What lives on GPUs comes to main memory only where StarPU makes room there. */
    for (int k = 0; k < ZOID_KINDS; k++)
        if (!zoid_budget_on_disk(p, k) && zoid_budget_at_home(p, k))
            others += p->bytes[k];
    return p->budget - others;
}
