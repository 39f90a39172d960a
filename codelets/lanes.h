/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the planes lie of a block whose sweeps go through lanes: those of a core's vectors
 * (cpu/lanes.h), or of a GPU's warps (cuda/lanes.h). */
#ifndef ZOID_CODELETS_LANES_H
#define ZOID_CODELETS_LANES_H

#include "codelets/block.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes from a plane of a part to the next. What goes between ranks is a halo that has all points
 * of its planes, row by row as they lie elsewhere, and the planes as far apart as it says. */
static inline size_t zoid_lanes_apart(const struct zoid_run *run, const struct zoid_part *part)
{
    return part->halo ? part->halo * zoid_type_size(run->layout->type)
                      : zoid_layout_plane_bytes(run->layout);
}

/* Bytes of a plane that all parts have: without what lies between two planes. */
static inline size_t zoid_lanes_bytes(const struct zoid_run *run)
{
    const struct zoid_layout *layout = run->layout;

    return (size_t)(zoid_layout_row(layout) * (layout->hi[1] - layout->lo[1])) *
           zoid_type_size(layout->type);
}

/* The part that was given a plane: a halo, of which a slab names the planes as well, or another.
 * NULL: none was. */
static inline const struct zoid_part *zoid_lanes_given_in(const struct zoid_run *run, long t,
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

#ifdef __cplusplus
}
#endif
#endif
