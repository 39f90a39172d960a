/* SPDX-License-Identifier: BSD-3-Clause */
/* Locations of the planes of a block whose sweeps use SIMD lanes: those of a core's vectors
 * (cpu/lanes.h) or of a GPU's warps (cuda/lanes.h). */
#ifndef ZOID_CODELETS_BLOCK_LANES_H
#define ZOID_CODELETS_BLOCK_LANES_H

#include "codelets/block.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns true for operators with the point update of sor or sor_rhs, which lanes of cores and of
 * GPUs have by themselves. Those of other rows in order are compiled for each row (cpu/skewed.c,
 * cuda/inorder/skewed.cu). */
bool zoid_lanes_know(const struct zoid_op *op);

/* Stride of planes of a part, in bytes. A part that ranks exchange is a halo: it has all points of
 * its planes, row by row as in other parts, at the stride that it states. */
static inline size_t zoid_lanes_apart(const struct zoid_block_args *run,
                                      const struct zoid_part *part)
{
    return part->halo ? part->halo * zoid_type_size(run->layout->type)
                      : zoid_layout_plane_bytes(run->layout);
}

/* Bytes of a plane that all parts store, without padding between planes. */
static inline size_t zoid_lanes_bytes(const struct zoid_block_args *run)
{
    const struct zoid_layout *layout = run->layout;

    return (size_t)(zoid_layout_row(layout) * (layout->hi[1] - layout->lo[1])) *
           zoid_type_size(layout->type);
}

/* Returns the part that has a given plane at time t, or NULL: a halo, even if a slab's view names
 * the plane as well, or else another part. */
static inline const struct zoid_part *zoid_lanes_given_in(const struct zoid_block_args *run, long t,
                                                          long plane)
{
    const struct zoid_part *found = NULL;

    for (size_t i = 0; i < run->nparts; i++) {
        const struct zoid_part *part = &run->part[i];

        if (!part->reads || part->coefficient || !zoid_view_has(&part->in, t, plane))
            continue;
        if (part->halo)
            return part;
        found = found ? found : part;
    }
    return found;
}

/* Returns the part that has the coefficients of a plane, or NULL. */
static inline const struct zoid_part *zoid_lanes_coefficient_in(const struct zoid_block_args *run,
                                                                long plane)
{
    for (size_t i = 0; i < run->nparts; i++) {
        const struct zoid_part *part = &run->part[i];

        if (part->coefficient && zoid_view_has(&part->in, part->in.t0, plane))
            return part;
    }
    return NULL;
}

/* Returns the address of a plane of a field in a part, by one of its views. */
static inline char *zoid_lanes_plane(const struct zoid_block_args *run,
                                     const struct zoid_part *part, const struct zoid_view *view,
                                     int field, long t, long plane)
{
    const long slot = field * part->capacity + zoid_view_slot(view, t, plane);

    return (char *)part->base + (size_t)slot * zoid_lanes_apart(run, part);
}

/* Returns the most planes of a block at any time. */
long zoid_lanes_most_planes(const struct zoid_block_args *run);
/* Copies the planes of the first time that parts want, on a core. */
void zoid_lanes_leave_first(const struct zoid_block_args *run);

#ifdef __cplusplus
}
#endif
#endif
