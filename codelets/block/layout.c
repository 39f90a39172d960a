/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/block/layout.h"
#include "codelets/sweep.h"
#include "graphs/rim.h"

/* Rows or planes at a stride that is a multiple of this map to the same few sets of the first-level
 * cache. */
enum { CROWDED = 4096 };

/* Line size of a GPU's first-level cache: a row at which a vector load of 32 threads is not aligned
 * to it takes one more line. */
enum { TOGETHER = 128 };

/* Strides from this size on are padded by half of CROWDED. */
enum { LARGE = 64 * 1024 };

/* Returns a stride of at least `bytes`, in whole lines of all caches and no multiple of CROWDED. If
 * padding by one line suffices for that, loads of a core alias with a preceding store whose address
 * has nearly the same low bits; half of CROWDED is farthest from that. */
static long spread(long bytes)
{
    bytes = (bytes + TOGETHER - 1) / TOGETHER * TOGETHER;
    if (bytes % CROWDED)
        return bytes;
    return bytes + (bytes < LARGE ? TOGETHER : CROWDED / 2);
}

long zoid_layout_ghost(const struct zoid_shape *shape)
{
    long ghost = 0;

    for (int a = 0; a < zoid_chain(shape); a++)
        for (int s = 0; s < shape->stages; s++) {
            const struct zoid_reach *reach = &shape->reach[s];
            long lo = zoid_face_open(shape, a, ZOID_LOW) ? reach->lo[a] : 0;
            long hi = zoid_face_open(shape, a, ZOID_HIGH) ? reach->hi[a] : 0;

            ghost = lo > ghost ? lo : ghost;
            ghost = hi > ghost ? hi : ghost;
        }
    return ghost;
}

struct zoid_layout zoid_layout_make(const struct zoid_op *op, const long n[ZOID_AXES], long ghost)
{
    struct zoid_layout layout = {
        .type = op->type, .dims = op->dims, .hi = {1, 1}, .pitch = 1, .width = zoid_op_width(op)};
    long size = (long)zoid_type_size(op->type);

    layout.plane = layout.width;
    for (int a = 0; a < op->dims - 1; a++) {
        layout.lo[a] = -ghost;
        layout.hi[a] = n[a] + ghost;
    }
    if (op->dims > 1) {
        layout.pitch = spread((layout.hi[0] - layout.lo[0]) * size) / size;
        layout.plane = spread((layout.hi[1] - layout.lo[1]) * layout.pitch * size) / size;
    }
    return layout;
}

struct zoid_layout zoid_layout_window(const struct zoid_layout *whole,
                                      const struct zoid_patch *patch)
{
    struct zoid_layout layout = *whole;
    const long size = (long)zoid_type_size(whole->type);

    for (int a = 0; a < whole->dims - 1; a++) {
        const struct zoid_range *range = &patch->axis[a];

        if (zoid_range_all(range))
            continue;
        /* As many ghost points as below point 0 of the whole layout. */
        layout.window[a] = true;
        layout.lo[a] = range->lo + whole->lo[a];
        layout.hi[a] = range->hi - whole->lo[a];
    }
    if (!layout.window[0] && !layout.window[1])
        return layout;
    layout.pitch = spread((layout.hi[0] - layout.lo[0]) * size) / size;
    layout.plane = spread((layout.hi[1] - layout.lo[1]) * layout.pitch * size) / size;
    return layout;
}

int zoid_layout_ways(size_t cache)
{
    return (int)(cache / CROWDED);
}

/* True if sweeps support the reach; others are for the operator's own runners. */
static bool is_usual(const struct zoid_reach *r)
{
    bool usual = true;

    for (int a = 1; a < ZOID_AXES; a++)
        usual = usual && r->lo[a] <= ZOID_MAX_REACH && r->hi[a] <= ZOID_MAX_REACH;
    return usual;
}

/* Returns the most lines of a cache set that the column of a stencil takes in one field: rows
 * around the point, and planes. */
static int crowd(const struct zoid_layout *l, const struct zoid_op *op)
{
    enum { SETS = CROWDED / ZOID_LINE };
    const long size = (long)zoid_type_size(l->type);
    int most = 0;

    for (int s = 0; s < op->nstages; s++)
        for (int i = 0; i < op->stage[s].nreads; i++) {
            const struct zoid_reach *r = &op->stage[s].read[i].reach;
            int set[SETS] = {0};

            if (!is_usual(r))
                continue;
            for (long y = -r->lo[1]; y <= r->hi[1]; y++)
                set[(y + ZOID_MAX_REACH) * l->pitch * size / ZOID_LINE % SETS]++;
            for (long z = -r->lo[2]; z <= r->hi[2]; z++)
                if (z)
                    set[(ZOID_MAX_REACH * l->pitch + (z + SETS) * l->plane) * size / ZOID_LINE %
                        SETS]++;
            for (int j = 0; j < SETS; j++)
                most = set[j] > most ? set[j] : most;
        }
    return most;
}

void zoid_layout_loosen(struct zoid_layout *layout, const struct zoid_op *op, int ways)
{
    const long size = (long)zoid_type_size(layout->type);
    struct zoid_layout loose = *layout;

    if (ways < 1 || layout->dims < 3 || crowd(layout, op) <= ways)
        return;
    loose.pitch += TOGETHER / size;
    loose.plane = spread((loose.hi[1] - loose.lo[1]) * loose.pitch * size) / size;
    if (crowd(&loose, op) < crowd(layout, op))
        *layout = loose;
}

size_t zoid_layout_rim(const struct zoid_layout *layout, const struct zoid_rim *rim)
{
    const struct zoid_patches patches = zoid_rim_patches(rim);
    const long line = ZOID_LINE / (long)zoid_type_size(layout->type);
    long elements = 0;

    for (int i = 0; i < patches.n; i++) {
        const struct zoid_range *x = &patches.patch[i].axis[0], *y = &patches.patch[i].axis[1];
        long width = zoid_range_all(x) ? zoid_layout_row(layout) : x->hi - x->lo;

        elements += width * (zoid_range_all(y) ? layout->hi[1] - layout->lo[1] : y->hi - y->lo);
    }
    return (size_t)((elements + line - 1) / line * line);
}

size_t zoid_layout_plane_bytes(const struct zoid_layout *layout)
{
    return (size_t)layout->plane * zoid_type_size(layout->type);
}
