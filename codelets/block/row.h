/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the planes of a sweep, and the segments that fields lie in. */
#ifndef ZOID_CODELETS_BLOCK_ROW_H
#define ZOID_CODELETS_BLOCK_ROW_H

#include <string.h>

#include "codelets/sweep.h"

/* Returns the address of x = 0 of a row of a field in a segment, for the y and z of a point of the
 * domain. */
static inline char *zoid_row_at(const struct zoid_sweep *s, const struct zoid_segment *segment,
                                int field, long y, long z)
{
    const int chain = zoid_chain(s->shape);
    const long plane = chain == 2 ? z : chain == 1 ? y : 0;
    const long in_plane = zoid_layout_at(s->layout, 0, chain == 2 ? y : 0);

    /* In 1-D a plane is a point, and planes of a segment are contiguous. */
    return (char *)segment->base + ((long)((size_t)field * segment->field) +
                                    (plane - segment->lo) * s->layout->plane + in_plane) *
                                       (long)zoid_type_size(s->layout->type);
}

/* Copies floats of `size` bytes with their signs turned. */
static inline void zoid_copy_turned(void *to, const void *from, size_t bytes, size_t size)
{
    for (size_t i = 0; i < bytes / size; i++)
        if (size == sizeof(zoid_f32))
            ((zoid_f32 *)to)[i] = -((const zoid_f32 *)from)[i];
        else
            ((zoid_f64 *)to)[i] = -((const zoid_f64 *)from)[i];
}

/* Returns the segments of the group of state fields that has a field, and sets its index there. */
static inline const struct zoid_segments *zoid_segments_of(const struct zoid_sweep *s,
                                                           const struct zoid_groups *groups,
                                                           int field, int *index)
{
    int g = 0;

    while (field >= groups->first[g + 1])
        g++;
    *index = field - groups->first[g];
    return &s->in[g];
}

#endif
