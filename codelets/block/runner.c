/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/block/runner.h"

/* Stride of planes of a part, in elements. */
static size_t plane_of(const struct zoid_runner *r, const struct zoid_part *part)
{
    return part->halo ? part->halo : r->plane;
}

struct zoid_segment zoid_view_segment(const struct zoid_runner *r, const struct zoid_part *part,
                                      const struct zoid_view *view, long t)
{
    const struct zoid_shape *shape = r->run->shape;
    long shift = view->drift * (t - view->t0);
    size_t plane = plane_of(r, part);
    struct zoid_segment segment = {.field = (size_t)part->capacity * plane};

    if (t < view->t0 || t > view->t1)
        return segment;
    segment.lo = view->lo + shift;
    segment.hi = view->hi + shift;
    if (shape->face[r->chain][ZOID_LOW] != ZOID_PERIODIC) {
        segment.lo = zoid_max(segment.lo, 0);
        segment.hi = zoid_max(zoid_min(segment.hi, shape->n[r->chain]), segment.lo);
    }
    if (segment.lo < segment.hi)
        segment.base =
            (char *)part->base + (size_t)zoid_view_slot(view, t, segment.lo) * plane * r->size;
    return segment;
}

void zoid_copy_planes(struct zoid_runner *r, const struct zoid_copy *copy)
{
    if (!r->error && copy->rows > 0 && copy->planes > 0)
        r->error = r->device->copy(r->self, copy);
}
