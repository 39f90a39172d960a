/* SPDX-License-Identifier: BSD-3-Clause */
/* A block of a single time that overwrites its input: planes are computed upwards into a short ring
 * buffer that stays in cache, and leave it in the same order. */
#include "codelets/block/in_place.h"

#include <assert.h>

#include "codelets/block/scratch.h"
#include "codelets/block/stage.h"
#include "codelets/block/tile.h"

/* Returns the number of planes by which writing must lag behind computing, if the only time of a
 * block overwrites its input.
 *
 *     slot                 0   1   2   3   4
 *     before, time t       5   6   7   8   9      a slab that drifts down by one plane
 *     after, time t + 1    4   5   6   7   8
 *
 * With reach 1 plane 4 of t + 1 overwrites plane 5 of t, which the outputs up to 6 read: it can be
 * written once 6 is computed, two planes later. In general plane z overwrites plane z + shift,
 * which the outputs up to z + shift + reach.lo read, or reach.hi if it stands for planes beyond a
 * mirrored face. */
static long lag_in_place(const struct zoid_runner *r)
{
    const struct zoid_block_args *run = r->run;
    struct zoid_reach reach = zoid_op_reach(run->op, zoid_stage_of(run->op, run->zoid.t1));
    long lag = 0;

    for (size_t i = 0; i < run->nparts; i++) {
        const struct zoid_part *part = &run->part[i];

        if (zoid_part_updated(part))
            lag = zoid_max(lag, zoid_slab_shift(r, part) +
                                    zoid_max(reach.lo[r->chain], reach.hi[r->chain]));
    }
    return lag;
}

/* ---- whole planes -------------------------------------------------------------------------- */

/* Copies planes [lo, hi) from the ring to parts; plane p is in slot (p - first) % planes. */
static void drain(struct zoid_runner *r, long planes, long first, long lo, long hi)
{
    while (lo < hi) {
        long slot = (lo - first) % planes, n = zoid_min(planes - slot, hi - lo);

        for (int g = 0; g < r->groups.n; g++) {
            struct zoid_segment ring = {
                .lo = lo,
                .hi = lo + n,
                .base = zoid_slot_address(r, r->run->scratch, slot + r->groups.first[g] * planes),
                .field = (size_t)planes * r->plane};

            zoid_scatter_planes(r, r->run->zoid.t1, g, &(struct zoid_list){1, &ring});
        }
        lo += n;
    }
}

/* Lists planes [lo, hi) of the ring as updated, for a time that ascends; planes below them were
 * given. */
static void freshen(struct zoid_runner *r, long planes, long first, long lo, long hi)
{
    zoid_list_updated(r, r->run->zoid.t1);
    for (long n; lo < hi; lo += n) {
        long slot = (lo - first) % planes;

        n = zoid_min(planes - slot, hi - lo);
        r->updated.segment[r->updated.n++] =
            (struct zoid_segment){.lo = lo,
                                  .hi = lo + n,
                                  .base = zoid_slot_address(r, r->run->scratch, slot),
                                  .field = (size_t)planes * r->plane};
    }
}

/* Computes whole planes. */
static void all_rows(struct zoid_runner *r)
{
    long planes = lag_in_place(r) + r->device->batch, drained;
    const struct zoid_sweep whole = zoid_sweep_of(r, r->run->zoid.t1, -1);
    long first = whole.box.lo[r->chain], end = whole.box.hi[r->chain];

    assert(planes <= zoid_scratch_planes(r->run->shape, 0, r->device->batch));
    drained = first;
    for (long plane = first; plane < end;) {
        struct zoid_sweep sweep = whole;
        long slot = (plane - first) % planes, ready;
        long n = zoid_min(zoid_min(r->device->batch, planes - slot), end - plane);
        struct zoid_segment ring = {.lo = plane,
                                    .hi = plane + n,
                                    .base = zoid_slot_address(r, r->run->scratch, slot),
                                    .field = (size_t)planes * r->plane};

        if (zoid_sweep_ascends(&whole))
            freshen(r, planes, first, zoid_max(plane - (planes - r->device->batch), first), plane);
        zoid_stage_compute(r, &sweep, &(struct zoid_list){1, &ring});
        plane += n;
        ready = plane < end ? zoid_max(plane - (planes - r->device->batch), drained) : end;
        drain(r, planes, first, drained, ready);
        drained = ready;
    }
}

/* ---- tiles of rows ------------------------------------------------------------------------- */

/* A tile: rows of all planes that are computed before the rows above them, so that ring and inputs
 * stay in the core's private cache. The new values of the last rows are held back in `kept`, plane
 * by plane, until the rows above, which read the old ones, are computed.
 *
 *     y ->   . . . . k k|. . . . k k|. . .     k: `reach` rows of a tile that are kept
 *            from       to
 *
 * A slot of the ring is a batch of planes at the stride that sweeps require; the rows of all slots
 * lie side by side. */
struct tile {
    long first, end;      /* planes */
    long from, to;        /* rows */
    long lowest, highest; /* over all tiles */
    long reach, lag;
    long height; /* most rows of a tile */
    long slots;
    char *ring, *kept;
    size_t row; /* bytes */
};

/* Returns the address that row 0 of the layout would have if row y is at `at`. */
static void *row_0(const struct zoid_runner *r, const struct tile *tile, char *at, long y)
{
    return at - (y - r->run->layout->lo[1]) * (long)tile->row;
}

static struct zoid_segment in_ring(const struct zoid_runner *r, const struct tile *tile, long plane,
                                   long n)
{
    const long slot = (plane - tile->first) / r->device->batch % tile->slots;
    char *at = tile->ring + (size_t)(slot * tile->height) * tile->row;

    return (struct zoid_segment){.lo = plane,
                                 .hi = plane + n,
                                 .base = row_0(r, tile, at, tile->from),
                                 .field = (size_t)r->device->batch * r->plane};
}

/* Address of the kept rows of a plane, first field; and stride of fields in bytes. */
static char *in_kept(const struct tile *tile, long plane)
{
    return tile->kept + (size_t)((plane - tile->first) * tile->reach) * tile->row;
}

static size_t kept_field(const struct tile *tile)
{
    return (size_t)((tile->end - tile->first) * tile->reach) * tile->row;
}

/* Copies rows [from, to) of planes to the parts that want them. */
static void leave(struct zoid_runner *r, const struct zoid_segment *planes, long from, long to)
{
    r->now.from = from;
    r->now.to = to;
    for (int g = 0; g < r->groups.n; g++) {
        struct zoid_segment own = zoid_of_group(r, *planes, g);

        zoid_scatter_planes(r, r->run->zoid.t1, g, &(struct zoid_list){1, &own});
    }
}

/* Copies the rows that the tile below has kept. */
static void leave_kept(struct zoid_runner *r, const struct tile *tile, long plane)
{
    const long from = tile->from - tile->reach;
    const struct zoid_segment kept = {.lo = plane,
                                      .hi = plane + 1,
                                      .base = row_0(r, tile, in_kept(tile, plane), from),
                                      .field = kept_field(tile) / r->size};

    leave(r, &kept, from, tile->from);
}

/* Keeps the last rows of planes of the ring, from row `from` on. */
static void keep(struct zoid_runner *r, const struct tile *tile, const struct zoid_segment *ring,
                 long from)
{
    const size_t above = (size_t)(from - r->run->layout->lo[1]) * tile->row;
    const size_t bytes = (size_t)tile->reach * tile->row;

    for (int f = 0; f < r->run->op->nstate; f++)
        zoid_copy_planes(r,
                         &(struct zoid_copy){
                             .to = in_kept(tile, ring->lo) + (size_t)f * kept_field(tile),
                             .from = (char *)ring->base + (size_t)f * ring->field * r->size + above,
                             .bytes = bytes,
                             .rows = 1,
                             .planes = ring->hi - ring->lo,
                             .to_plane = bytes,
                             .from_plane = r->plane * r->size});
}

static void drain_slot(struct zoid_runner *r, const struct tile *tile, long plane, long n)
{
    const struct zoid_segment ring = in_ring(r, tile, plane, n);
    const bool last = tile->to == tile->highest;
    const long to = last ? tile->to : tile->to - tile->reach;

    for (long p = plane; p < plane + n && tile->from > tile->lowest; p++)
        leave_kept(r, tile, p);
    leave(r, &ring, tile->from, to);
    if (!last)
        keep(r, tile, &ring, to);
}

static void one_tile(struct zoid_runner *r, const struct tile *tile)
{
    const long batch = r->device->batch;
    long drained = tile->first;

    for (long plane = tile->first; plane < tile->end;) {
        const long n = zoid_min(batch, tile->end - plane);
        struct zoid_segment ring = in_ring(r, tile, plane, n);
        struct zoid_sweep sweep = zoid_sweep_of(r, r->run->zoid.t1, -1);

        sweep.box.lo[1] = tile->from;
        sweep.box.hi[1] = tile->to;
        zoid_stage_compute(r, &sweep, &(struct zoid_list){1, &ring});
        plane += n;
        for (; drained < plane && (plane == tile->end || drained + batch + tile->lag <= plane);
             drained = zoid_min(drained + batch, tile->end))
            drain_slot(r, tile, drained, zoid_min(batch, tile->end - drained));
    }
}

long zoid_in_place_rows(size_t cache, double row, const struct zoid_shape *shape, long batch)
{
    const int chain = zoid_chain(shape);
    long lo, hi, lean, least;
    double rows;

    if (!cache || chain < 2 || !zoid_tiled(shape))
        return 0;
    zoid_chain_reach(shape, &lo, &hi);
    lean = zoid_tile_lean(shape, 1);
    least = ZOID_TILE_LEAST * lean;
    /* Input planes, and those of the ring. */
    row *= (double)(lo + hi + batch + zoid_max(lo, hi) + 2 * batch - 1);
    if (zoid_tile_fit(cache, row, 1) >= (double)shape->n[1])
        return 0;
    rows = zoid_tile_fit(cache / 2, row, lean) * (double)lean;
    return rows > (double)least ? (long)rows : least;
}

/* Sets the tile's sizes. True if there are several tiles and the scratch has room for their kept
 * rows. */
static bool cut(struct zoid_runner *r, struct tile *tile)
{
    const struct zoid_block_args *run = r->run;
    const struct zoid_sweep whole = zoid_sweep_of(r, run->zoid.t1, -1);
    const long batch = r->device->batch, rows = (long)r->plane / run->layout->pitch;
    const long room = zoid_scratch_planes(run->shape, 0, batch) - batch;

    *tile = (struct tile){.first = whole.box.lo[r->chain],
                          .end = whole.box.hi[r->chain],
                          .lowest = whole.box.lo[1],
                          .highest = whole.box.hi[1],
                          .reach = zoid_tile_lean(run->shape, r->size),
                          .lag = lag_in_place(r),
                          .ring = run->scratch,
                          .row = (size_t)run->layout->pitch * r->size};
    tile->height = zoid_in_place_rows(r->device->cache, (double)(tile->row * run->op->nstate),
                                      run->shape, batch);
    tile->slots = (tile->lag + 2 * batch - 1) / batch;
    tile->height = zoid_min(tile->height, rows / tile->slots);
    tile->kept = tile->ring + (size_t)(run->op->nstate * batch) * r->plane * r->size;
    return tile->height >= ZOID_TILE_LEAST * tile->reach &&
           tile->height < tile->highest - tile->lowest &&
           (tile->end - tile->first) * tile->reach <= room * rows;
}

static void tiles_of_rows(struct zoid_runner *r, struct tile *tile)
{
    for (tile->from = tile->lowest; tile->from < tile->highest; tile->from = tile->to) {
        const long left = tile->highest - tile->from;

        tile->to = tile->from + zoid_min(tile->height, left);
        one_tile(r, tile);
    }
}

void zoid_one_time_in_place(struct zoid_runner *r)
{
    const struct zoid_sweep whole = zoid_sweep_of(r, r->run->zoid.t1, -1);
    struct tile tile;

    if (r->chain == 2 && !zoid_sweep_ascends(&whole) && cut(r, &tile))
        tiles_of_rows(r, &tile);
    else
        all_rows(r);
}
