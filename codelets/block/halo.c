/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/block/halo.h"

#include "graphs/rim.h"

/* A patch of a plane, with its ranges as existing indices, and its location in a plane of a halo.
 */
struct rim_patch {
    struct zoid_range x, y;
    long at, pitch; /* elements */
    bool whole;     /* whole rows of the layout */
};

/* Returns the location of a patch of a rim. *at is the offset of the patch, and on return that of
 * the next one. */
static struct rim_patch patch_of(const struct zoid_runner *r, const struct zoid_patch *patch,
                                 long *at)
{
    const struct zoid_layout *layout = r->run->layout;
    struct rim_patch p = {.x = patch->axis[0], .y = patch->axis[1], .at = *at};

    p.whole = zoid_range_all(&p.x);
    if (p.whole)
        p.x = (struct zoid_range){layout->lo[0], layout->lo[0] + zoid_layout_row(layout)};
    if (zoid_range_all(&p.y))
        p.y = (struct zoid_range){layout->lo[1], layout->hi[1]};
    p.pitch = p.x.hi - p.x.lo;
    *at += p.pitch * (p.y.hi - p.y.lo);
    return p;
}

/* Intersection of a patch of a halo with a segment of whole planes, clipped to the layout. */
struct shared {
    struct zoid_range x, y;
    long lo, hi;
};

static struct shared shared_of(const struct zoid_runner *r, const struct rim_patch *p,
                               const struct zoid_segment *halo, const struct zoid_segment *whole)
{
    const struct zoid_layout *layout = r->run->layout;

    return (struct shared){
        .x = p->whole ? p->x
                      : (struct zoid_range){zoid_max(p->x.lo, layout->lo[0]),
                                            zoid_min(p->x.hi, layout->hi[0])},
        .y = {zoid_max(p->y.lo, layout->lo[1]), zoid_min(p->y.hi, layout->hi[1])},
        .lo = zoid_max(halo->lo, whole->lo),
        .hi = zoid_min(halo->hi, whole->hi)};
}

/* Clips to the cell's own (owned) points: it writes only these to a message. */
static void keep_to(struct shared *s, const struct zoid_patch *patch)
{
    const struct zoid_range *x = &patch->axis[0], *y = &patch->axis[1];

    if (!zoid_range_all(x))
        s->x = (struct zoid_range){zoid_max(s->x.lo, x->lo), zoid_min(s->x.hi, x->hi)};
    if (!zoid_range_all(y))
        s->y = (struct zoid_range){zoid_max(s->y.lo, y->lo), zoid_min(s->y.hi, y->hi)};
}

static bool none(const struct shared *s)
{
    return s->x.lo >= s->x.hi || s->y.lo >= s->y.hi || s->lo >= s->hi;
}

/* Address of the first of these points in the planes of a segment, and in those of a halo. */
static char *in_planes(const struct zoid_runner *r, const struct zoid_segment *segment,
                       const struct shared *s)
{
    return (char *)zoid_slot_address(r, segment->base, s->lo - segment->lo) +
           zoid_layout_at(r->run->layout, s->x.lo, s->y.lo) * (long)r->size;
}

static char *in_halo(const struct zoid_runner *r, const struct zoid_part *part,
                     const struct rim_patch *p, const struct zoid_segment *segment,
                     const struct shared *s)
{
    long row = (s->y.lo - p->y.lo) * p->pitch + s->x.lo - p->x.lo;

    return (char *)segment->base +
           ((s->lo - segment->lo) * (long)part->halo + p->at + row) * (long)r->size;
}

/* Returns the strides of a copy between planes and a halo. Rows that are whole in both are copied
 * as one. */
static struct zoid_copy copy_of(const struct zoid_runner *r, const struct zoid_part *part,
                                const struct rim_patch *p, const struct shared *s, bool into_halo)
{
    const size_t rows = (size_t)(s->y.hi - s->y.lo);
    const size_t halo_row = (size_t)p->pitch * r->size, halo_plane = part->halo * r->size;
    const size_t row = (size_t)zoid_layout_row(r->run->layout) * r->size;
    const size_t plane = r->plane * r->size;
    struct zoid_copy copy = {.bytes = (size_t)(s->x.hi - s->x.lo) * r->size,
                             .rows = (long)rows,
                             .to_row = into_halo ? halo_row : row,
                             .from_row = into_halo ? row : halo_row,
                             .planes = s->hi - s->lo,
                             .to_plane = into_halo ? halo_plane : plane,
                             .from_plane = into_halo ? plane : halo_plane};

    if (p->whole) {
        copy.bytes *= rows;
        copy.rows = 1;
    }
    return copy;
}

/* Copies a halo's points of all state fields into the planes of a segment that the halo has too. */
static void fill_from(struct zoid_runner *r, const struct zoid_part *part,
                      const struct zoid_segment *to)
{
    const struct zoid_segment from = zoid_view_segment(r, part, &part->in, r->run->zoid.t0);
    const struct zoid_patches patches = zoid_rim_patches(&part->rim);
    long at = 0;

    for (int i = 0; i < patches.n; i++) {
        const struct rim_patch p = patch_of(r, &patches.patch[i], &at);
        const struct shared s = shared_of(r, &p, &from, to);

        for (int f = 0; f < r->run->op->nstate && !none(&s); f++) {
            struct zoid_copy copy = copy_of(r, part, &p, &s, false);

            copy.to = in_planes(r, to, &s) + (size_t)f * to->field * r->size;
            copy.from = in_halo(r, part, &p, &from, &s) + (size_t)f * from.field * r->size;
            zoid_copy_planes(r, &copy);
        }
    }
}

/* Fills the points at one index of x or y beyond a mirrored face from their mirror images. */
static void fill_mirror(struct zoid_runner *r, const struct zoid_segment *to, int axis, long ghost,
                        long source)
{
    const struct zoid_layout *layout = r->run->layout;
    const size_t step = r->plane * r->size;
    const size_t row = (size_t)layout->pitch * r->size;
    const long unit = axis ? layout->pitch : 1;
    char *base = zoid_slot_address(r, to->base, 0);

    for (int f = 0; f < r->run->op->nstate; f++) {
        char *field = base + (size_t)f * to->field * r->size;

        zoid_copy_planes(r, &(struct zoid_copy){
                                .to = field + (ghost - layout->lo[axis]) * unit * (long)r->size,
                                .from = field + (source - layout->lo[axis]) * unit * (long)r->size,
                                .bytes = (size_t)unit * r->size,
                                .turned = zoid_fold_turns(r->run->shape, axis, ghost) ? r->size : 0,
                                .rows = axis ? 1 : layout->hi[1] - layout->lo[1],
                                .to_row = row,
                                .from_row = row,
                                .planes = to->hi - to->lo,
                                .to_plane = step,
                                .from_plane = step});
    }
}

/* Fills the points beyond mirrored faces whose sources may have come from halos. If planes are cut
 * along that axis only, these are the sources that the cell does not own; if along both axes, or if
 * some planes belong to other cells, all of them. */
static void fill_mirrors(struct zoid_runner *r, const struct zoid_segment *to,
                         const struct zoid_patch *own)
{
    const struct zoid_shape *shape = r->run->shape;
    const struct zoid_layout *layout = r->run->layout;
    const bool any =
        (layout->window[0] && layout->window[1]) || !zoid_range_all(&own->axis[r->chain]);

    for (int axis = 0; axis < r->chain && !r->run->op->own_edges; axis++) {
        const struct zoid_range *kept = &own->axis[axis];

        if (!layout->window[axis] || zoid_axis_periodic(shape, axis))
            continue;
        for (long i = layout->lo[axis]; i < layout->hi[axis]; i++) {
            long source = zoid_fold(shape, axis, i);

            if (source != i && source >= layout->lo[axis] && source < layout->hi[axis] &&
                (any || source < kept->lo || source >= kept->hi))
                fill_mirror(r, to, axis, i, source);
        }
    }
}

void zoid_halo_fill(struct zoid_runner *r)
{
    for (size_t i = 0; i < r->run->nparts; i++) {
        const struct zoid_part *part = &r->run->part[i];
        struct zoid_segment to;

        if (!part->reads || part->halo || part->coefficient || part->memory ||
            zoid_patch_all(&part->in.patch))
            continue;
        to = zoid_view_segment(r, part, &part->in, r->run->zoid.t0);
        if (to.lo >= to.hi)
            continue;
        for (size_t j = 0; j < r->run->nparts; j++)
            if (r->run->part[j].halo && r->run->part[j].reads)
                fill_from(r, &r->run->part[j], &to);
        fill_mirrors(r, &to, &part->in.patch);
    }
}

/* Intersection of two messages. Their patches name the same axes. */
static struct shared shared_by(const struct rim_patch *a, const struct rim_patch *b,
                               const struct zoid_segment *of_a, const struct zoid_segment *of_b)
{
    return (struct shared){.x = {zoid_max(a->x.lo, b->x.lo), zoid_min(a->x.hi, b->x.hi)},
                           .y = {zoid_max(a->y.lo, b->y.lo), zoid_min(a->y.hi, b->y.hi)},
                           .lo = zoid_max(of_a->lo, of_b->lo),
                           .hi = zoid_min(of_a->hi, of_b->hi)};
}

static void join_from(struct zoid_runner *r, const struct zoid_part *into,
                      const struct zoid_part *part)
{
    const struct zoid_segment to = zoid_view_segment(r, into, &into->out, r->run->zoid.t0);
    const struct zoid_segment from = zoid_view_segment(r, part, &part->in, r->run->zoid.t0);
    long at = 0, from_at = 0;
    const struct rim_patch p = patch_of(r, &into->rim.of, &at);
    const struct rim_patch q = patch_of(r, &part->rim.of, &from_at);
    const struct shared s = shared_by(&p, &q, &to, &from);

    for (int f = 0; f < r->run->op->nstate && !none(&s); f++)
        zoid_copy_planes(
            r, &(struct zoid_copy){
                   .to = in_halo(r, into, &p, &to, &s) + (size_t)f * to.field * r->size,
                   .from = in_halo(r, part, &q, &from, &s) + (size_t)f * from.field * r->size,
                   .bytes = (size_t)(s.x.hi - s.x.lo) * r->size,
                   .rows = s.y.hi - s.y.lo,
                   .to_row = (size_t)p.pitch * r->size,
                   .from_row = (size_t)q.pitch * r->size,
                   .planes = s.hi - s.lo,
                   .to_plane = into->halo * r->size,
                   .from_plane = part->halo * r->size});
}

void zoid_halo_join(struct zoid_runner *r)
{
    const struct zoid_part *into = &r->run->part[0];

    for (size_t i = 1; i < r->run->nparts; i++)
        join_from(r, into, &r->run->part[i]);
    for (size_t i = 1; i < r->run->nparts; i++)
        zoid_halo_join_memory(r, into, &r->run->part[i]);
}

void zoid_halo_leave(struct zoid_runner *r, const struct zoid_part *part, long t, int g,
                     const struct zoid_list *list)
{
    const struct zoid_segment to = zoid_of_group(r, zoid_view_segment(r, part, &part->out, t), g);
    const struct zoid_patches patches = zoid_rim_patches(&part->rim);
    const int fields = r->groups.first[g + 1] - r->groups.first[g];
    long at = 0;

    for (int i = 0; i < patches.n; i++) {
        const struct rim_patch p = patch_of(r, &patches.patch[i], &at);

        for (size_t j = 0; j < list->n; j++) {
            const struct zoid_segment *have = &list->segment[j];
            struct shared s = shared_of(r, &p, &to, have);
            struct zoid_range *tiled = r->chain == 2 ? &s.y : &s.x;

            tiled->lo = zoid_max(tiled->lo, r->now.from);
            tiled->hi = zoid_min(tiled->hi, r->now.to);
            keep_to(&s, &part->out.patch);
            for (int f = 0; f < fields && !none(&s); f++) {
                struct zoid_copy copy = copy_of(r, part, &p, &s, true);

                copy.to = in_halo(r, part, &p, &to, &s) + (size_t)f * to.field * r->size;
                copy.from = in_planes(r, have, &s) + (size_t)f * have->field * r->size;
                zoid_copy_planes(r, &copy);
            }
        }
    }
}
