/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/sweep.h"

/* Rows or planes that are a multiple of this many bytes apart would all want the same few sets of
 * the first-level cache. */
enum { CROWDED = 4096 };

/* What a GPU's first-level cache holds together: rows of which a vector load for 32 threads begins
 * elsewhere take one more of them. */
enum { TOGETHER = 128 };

/* At least `bytes`, in whole lines of all caches, and not crowded. */
static long spread(long bytes)
{
    bytes = (bytes + TOGETHER - 1) / TOGETHER * TOGETHER;
    return bytes % CROWDED ? bytes : bytes + TOGETHER;
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
        .type = op->type, .dims = op->dims, .hi = {1, 1}, .pitch = 1, .plane = 1};
    long size = (long)zoid_type_size(op->type);

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

struct zoid_layout zoid_layout_window(const struct zoid_layout *whole, struct zoid_rows rows)
{
    struct zoid_layout layout = *whole;
    const long size = (long)zoid_type_size(whole->type), ghost = -whole->lo[0];
    const int axis = whole->dims - 2;

    if (rows.lo == rows.hi)
        return layout;
    layout.window = true;
    layout.lo[axis] = rows.lo - ghost;
    layout.hi[axis] = rows.hi + ghost;
    layout.pitch = spread((layout.hi[0] - layout.lo[0]) * size) / size;
    layout.plane = spread((layout.hi[1] - layout.lo[1]) * layout.pitch * size) / size;
    return layout;
}

size_t zoid_layout_plane_bytes(const struct zoid_layout *layout)
{
    return (size_t)layout->plane * zoid_type_size(layout->type);
}
