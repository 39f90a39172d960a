/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/block/list.h"

#include "codelets/block/halo.h"
#include "codelets/block/scratch.h"
#include "codelets/op/traits.h"

/* True if a view has a group as time t itself wrote it. Matters for views by turns. */
static bool has_turn(const struct zoid_runner *r, const struct zoid_view *view, long t, int g)
{
    return !view->by_turns || t == view->t0 ||
           (t > view->t0 && g == zoid_op_written(r->run->op, zoid_stage_of(r->run->op, t)));
}

/* Returns the given planes of a part at time t, of a group. If t did not write the group (by
 * turns), these are the planes of the time before. */
static struct zoid_segment part_in(const struct zoid_runner *r, size_t i, long t, int g)
{
    const struct zoid_part *part = &r->run->part[i];

    if (!part->reads || part->halo || part->memory)
        return (struct zoid_segment){.lo = 0};
    return zoid_view_segment(r, part, &part->in, has_turn(r, &part->in, t, g) ? t : t - 1);
}

/* Returns the planes of time t that a part wants of a group, or of all groups (g < 0). */
static struct zoid_segment part_out(const struct zoid_runner *r, size_t i, long t, int g)
{
    const struct zoid_part *part = &r->run->part[i];

    return part->writes && !part->halo && !part->memory && has_turn(r, &part->out, t, g)
               ? zoid_view_segment(r, part, &part->out, t)
               : (struct zoid_segment){.lo = 0};
}

long zoid_slab_shift(const struct zoid_runner *r, const struct zoid_part *part)
{
    return zoid_view_slot(&part->out, r->run->zoid.t1, 0) -
           zoid_view_slot(&part->in, r->run->zoid.t0, 0);
}

bool zoid_slab_carried(const struct zoid_runner *r)
{
    const struct zoid *z = &r->run->zoid;

    return r->in_place && !r->in_slabs && z->t1 - z->t0 <= r->run->op->nstages;
}

long zoid_slab_read_until(const struct zoid_runner *r)
{
    const long t0 = r->run->zoid.t0;

    if (!r->in_place || r->in_slabs)
        return t0;
    return zoid_slab_carried(r) ? t0 + 1 : t0 + r->run->op->nstages;
}

/* Returns the slots for planes of an intermediate time in a part that is updated in place: those of
 * its planes of t1, to which planes move evenly over the times. */
static struct zoid_segment part_between(const struct zoid_runner *r, size_t i, long t)
{
    const struct zoid_part *part = &r->run->part[i];
    const long t0 = r->run->zoid.t0, times = r->run->zoid.t1 - t0;
    struct zoid_view view = part->out;
    long down;

    if (!zoid_part_updated(part))
        return (struct zoid_segment){.lo = 0};
    down = zoid_slab_shift(r, part) / times;
    view.t0 = t0;
    view.lo += down * times;
    view.hi += down * times;
    view.drift = -(int)down;
    view.advance = 0;
    return zoid_view_segment(r, part, &view, t);
}

/* Adds a segment unless the list has it already. */
static void add(struct zoid_list *list, const struct zoid_segment *segment)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->segment[i].base == segment->base && list->segment[i].lo == segment->lo &&
            list->segment[i].hi == segment->hi)
            return;
    list->segment[list->n++] = *segment;
}

void zoid_list_given(const struct zoid_runner *r, long t, int g, struct zoid_list *list)
{
    for (size_t i = 0; i < r->run->nparts; i++) {
        struct zoid_segment segment = part_in(r, i, t, g);

        if (r->run->part[i].coefficient || segment.lo >= segment.hi)
            continue;
        segment = zoid_of_group(r, segment, g);
        add(list, &segment);
    }
}

void zoid_list_start(struct zoid_runner *r)
{
    struct zoid_list *coefficients = &r->in[r->groups.n];

    for (int g = 0; g < r->groups.n; g++) {
        r->scratch.half[g] = 0;
        r->in[g].n = 0;
        zoid_list_given(r, r->run->zoid.t0, g, &r->in[g]);
    }
    coefficients->n = 0;
    for (size_t i = 0; i < r->run->nparts; i++) {
        struct zoid_segment segment = part_in(r, i, r->run->zoid.t0, 0);

        if (r->run->part[i].coefficient && segment.lo < segment.hi)
            coefficients->segment[coefficients->n++] = segment;
    }
}

void zoid_list_updated(struct zoid_runner *r, long t)
{
    const struct zoid_op *op = r->run->op;
    const bool ascends = op->stage[zoid_stage_of(op, t)].order == ZOID_ASCENDING;

    r->updated.n = 0;
    for (size_t i = 0; i < r->run->nparts && ascends; i++) {
        struct zoid_segment segment = part_in(r, i, t, 0);

        if (!r->run->part[i].coefficient && segment.lo < segment.hi)
            r->updated.segment[r->updated.n++] = segment;
    }
}

/* True if the planes of a group that time t computes last until the end of the block and may be
 * stored at their final location: not while a slab that is updated in place still holds input of
 * the first times there. */
static bool stays(const struct zoid_runner *r, const struct zoid_computing *computing)
{
    const struct zoid_op *op = r->run->op;
    const int g = computing->g;
    long t = computing->t, t1 = r->run->zoid.t1;

    if (g < 0 || computing->from < zoid_slab_read_until(r))
        return false;
    for (long later = t + 1; later <= zoid_min(t1, t + op->nstages); later++)
        if (zoid_op_written(op, zoid_stage_of(op, later)) == g)
            return false;
    return true;
}

/* Assigns a prefix of a run of planes without a destination to a segment, as far as both extend; if
 * the segment starts later, ends the run there. */
static void go_to(const struct zoid_runner *r, struct zoid_segment want, struct zoid_segment *run)
{
    if (want.lo <= run->lo && run->lo < want.hi) {
        run->hi = zoid_min(run->hi, want.hi);
        run->base = zoid_slot_address(r, want.base, run->lo - want.lo);
        run->field = want.field;
    } else if (want.lo > run->lo && want.lo < want.hi) {
        run->hi = zoid_min(run->hi, want.lo);
    }
}

/* Returns the destination of plane `plane` and of the following planes, up to `end`, that share it;
 * base is NULL if no part stores them. */
static struct zoid_segment goes_to(const struct zoid_runner *r,
                                   const struct zoid_computing *computing, long plane, long end)
{
    struct zoid_segment run = {.lo = plane, .hi = end};
    bool stay = stays(r, computing);
    size_t times = (size_t)(computing->until - computing->t) + 1, nparts = r->run->nparts;

    for (size_t i = 0; i < nparts * (times + stay) && !run.base; i++) {
        long t = i / nparts < times ? computing->t + (long)(i / nparts) : r->run->zoid.t1;

        go_to(r, part_out(r, i % nparts, t, computing->g), &run);
    }
    /* Not for planes that stay: they would overwrite planes of intermediate times. */
    for (size_t i = 0; i < nparts && r->in_slabs && !stay && !run.base; i++)
        go_to(r, part_between(r, i, computing->t), &run);
    return run;
}

/* Selects the half of the scratch for the next time of a group, or of all groups. Without drift a
 * plane has the same slot in both halves at all times; the planes of a box have distinct slots. */
static char *next_half(struct zoid_runner *r, int g)
{
    size_t bytes = (size_t)r->run->op->nstate * (size_t)r->scratch.planes * r->plane * r->size;
    int side = 0;

    for (int i = 0; g < 0 && i < r->groups.n; i++)
        r->scratch.half[i] = 0;
    if (g >= 0)
        side = r->scratch.half[g] = r->scratch.one[g] ? 0 : 1 - r->scratch.half[g];
    return (char *)r->run->scratch + (size_t)side * bytes;
}

void zoid_list_outputs(struct zoid_runner *r, const struct zoid_computing *computing)
{
    const long t = computing->t;
    const bool kept = computing->kept;
    char *half = kept ? next_half(r, computing->g) : NULL;

    r->out.n = 0;
    for (long plane = r->now.lo; plane < r->now.hi;) {
        struct zoid_segment next = goes_to(r, computing, plane, r->now.hi);

        if (!next.base && !kept) {
            plane = next.hi;
            continue;
        }
        if (!next.base) {
            long passed = t - r->run->zoid.t0, left = r->run->zoid.t1 - t;
            long slot = zoid_modulo(next.lo - passed * r->scratch.drift.planes, r->scratch.planes);

            next.hi = zoid_min(next.hi, next.lo + r->scratch.planes - slot);
            next.base = (char *)zoid_slot_address(r, half, slot) +
                        (size_t)left * r->scratch.drift.step * r->size;
            next.field = (size_t)r->scratch.planes * r->plane;
        }
        r->out.segment[r->out.n++] = next;
        plane = next.hi;
    }
}

void zoid_list_clip(const struct zoid_runner *r, struct zoid_list *list, long lo, long hi)
{
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++) {
        struct zoid_segment segment = list->segment[i];
        long from = zoid_max(segment.lo, lo);

        segment.hi = zoid_min(segment.hi, hi);
        if (from >= segment.hi)
            continue;
        segment.base = zoid_slot_address(r, segment.base, from - segment.lo);
        segment.lo = from;
        list->segment[n++] = segment;
    }
    list->n = n;
}

/* Advances the list of group g to the time of r->out. */
static void step(struct zoid_runner *r, int g, int computed)
{
    struct zoid_list *list = &r->in[g];

    if (computed >= 0 && g != computed) {
        zoid_list_clip(r, list, r->now.lo, r->now.hi);
        return;
    }
    list->n = r->out.n;
    for (size_t i = 0; i < r->out.n; i++)
        list->segment[i] = zoid_of_group(r, r->out.segment[i], g);
}

void zoid_list_computed(struct zoid_runner *r, long t, int computed)
{
    for (int g = 0; g < r->groups.n; g++) {
        step(r, g, computed);
        zoid_scatter_planes(r, t, g, &r->in[g]);
        zoid_list_given(r, t, g, &r->in[g]);
    }
}

void zoid_list_expected(struct zoid_runner *r, long t, int computed)
{
    for (int g = 0; g < r->groups.n; g++) {
        step(r, g, computed);
        zoid_list_given(r, t, g, &r->in[g]);
    }
}

/* Returns the segment of a list that holds a plane, or NULL. */
static const struct zoid_segment *find(const struct zoid_list *list, long plane)
{
    for (size_t i = 0; i < list->n; i++)
        if (plane >= list->segment[i].lo && plane < list->segment[i].hi)
            return &list->segment[i];
    return NULL;
}

/* True if the list must have planes beyond a face of the chain axis, by the planes that they stand
 * for, or images of these. An operator that is not plain has a runner of its own, with any reach,
 * and needs none of them. */
static bool stands_for_others(const struct zoid_runner *r, int side)
{
    const struct zoid_shape *shape = r->run->shape;

    return (zoid_face_mirrored(shape, r->chain, side) ||
            shape->face[r->chain][side] == ZOID_BARE) &&
           zoid_op_plain(r->run->op);
}

/* True if a stage reads planes of group g other than the one that it computes, and the group is
 * state. */
static bool looks_around(const struct zoid_runner *r, int stage, int g)
{
    const struct zoid_stage *s = &r->run->op->stage[stage];

    for (int i = 0; i < s->nreads && g < r->groups.n; i++) {
        const struct zoid_read *read = &s->read[i];

        if (read->field >= r->groups.first[g] && read->field < r->groups.first[g + 1] &&
            (read->reach.lo[r->chain] || read->reach.hi[r->chain]))
            return true;
    }
    return false;
}

/* Returns the ghost plane of group g that has an index beyond a free boundary. */
static struct zoid_segment image_of(const struct zoid_runner *r, int g, long plane)
{
    const struct zoid_shape *shape = r->run->shape;
    const long low = zoid_scratch_images(shape, ZOID_LOW);
    const long slot = plane < 0 ? low + plane : low + plane - shape->n[r->chain];
    const struct zoid_segment all = {
        .lo = plane,
        .hi = plane + 1,
        .base = zoid_slot_address(r, r->run->images, slot),
        .field = (size_t)(low + zoid_scratch_images(shape, ZOID_HIGH)) * r->plane};

    return zoid_of_group(r, all, g);
}

/* Appends entries for the planes of [lo, hi) of group g beyond a mirrored face. Beyond a bare one
 * values are not used, and any plane will do. */
static size_t mirror(const struct zoid_runner *r, int stage, int g, struct zoid_list *list,
                     size_t n, long lo, long hi)
{
    for (long plane = lo; plane < hi; plane++) {
        long source = zoid_fold(r->run->shape, r->chain, plane);
        const struct zoid_segment *from = find(list, source);

        if (!from && r->run->op->own_edges && list->n)
            from = list->segment, source = from->lo;
        if (!from)
            continue;
        list->segment[n++] =
            zoid_fold_turns(r->run->shape, r->chain, plane) && looks_around(r, stage, g)
                ? image_of(r, g, plane)
                : (struct zoid_segment){.lo = plane,
                                        .hi = plane + 1,
                                        .base = zoid_slot_address(r, from->base, source - from->lo),
                                        .field = from->field};
    }
    return n;
}

void zoid_list_inputs(struct zoid_runner *r, struct zoid_sweep *sweep)
{
    const struct zoid_shape *shape = r->run->shape;
    const int stage = zoid_stage_of(r->run->op, sweep->t);
    struct zoid_reach reach = zoid_op_reach(r->run->op, stage);
    long lo = sweep->box.lo[r->chain] - reach.lo[r->chain];
    long hi = sweep->box.hi[r->chain] + reach.hi[r->chain], n = shape->n[r->chain];

    for (int g = 0; g <= r->groups.n; g++) {
        size_t count = r->in[g].n;

        if (stands_for_others(r, ZOID_LOW))
            count = mirror(r, stage, g, &r->in[g], count, lo, zoid_min(hi, 0));
        if (stands_for_others(r, ZOID_HIGH))
            count = mirror(r, stage, g, &r->in[g], count, zoid_max(lo, n), hi);
        sweep->in[g] = (struct zoid_segments){count, r->in[g].segment};
    }
}

/* Copies rows [from, to) of planes, clipped to the layout. `copy` names the first row of the first
 * plane, the number of planes, and whether signs turn. */
static void copy_planes(struct zoid_runner *r, struct zoid_copy copy, long from, long to)
{
    const struct zoid_layout *layout = r->run->layout;
    const int axis = r->chain - 1;
    const long lo = axis < 0 ? 0 : zoid_max(from, layout->lo[axis]);
    const long hi = axis < 0 ? 1 : zoid_min(to, layout->hi[axis]);
    const size_t step = r->plane * r->size;

    copy.rows = 1;
    if (axis < 0 || (lo == layout->lo[axis] && hi == layout->hi[axis])) {
        copy.bytes = (size_t)copy.planes * step;
        copy.planes = 1;
    } else {
        const size_t at = (size_t)zoid_layout_rows(layout, lo - layout->lo[axis]) * r->size;

        copy.to = (char *)copy.to + at;
        copy.from = (const char *)copy.from + at;
        copy.bytes = (size_t)zoid_layout_rows(layout, hi - lo) * r->size;
        copy.to_plane = copy.from_plane = step;
    }
    if (axis < 0 || lo < hi)
        zoid_copy_planes(r, &copy);
}

/* Fills a ghost plane of group g, in the rows of a sweep. */
static void turn(struct zoid_runner *r, const struct zoid_sweep *sweep, int g, long plane)
{
    const struct zoid_list list = {sweep->in[g].n, (struct zoid_segment *)sweep->in[g].segment};
    const long source = zoid_fold(r->run->shape, r->chain, plane);
    const struct zoid_segment *to = find(&list, plane), *from = find(&list, source);
    const int axis = zoid_max(r->chain - 1, 0);

    if (!to || !from || !zoid_fold_turns(r->run->shape, r->chain, plane))
        return;
    for (int f = 0; f < r->groups.first[g + 1] - r->groups.first[g]; f++)
        copy_planes(
            r,
            (struct zoid_copy){.to = (char *)to->base + (size_t)f * to->field * r->size,
                               .from = (char *)zoid_slot_address(r, from->base, source - from->lo) +
                                       (size_t)f * from->field * r->size,
                               .turned = r->size,
                               .planes = 1},
            sweep->box.lo[axis], sweep->box.hi[axis]);
}

void zoid_list_turn(struct zoid_runner *r, const struct zoid_sweep *sweep)
{
    int stage;
    struct zoid_reach reach;
    long lo, hi;

    if (!r->run->images)
        return;
    stage = zoid_stage_of(r->run->op, sweep->t);
    reach = zoid_op_reach(r->run->op, stage);
    lo = sweep->box.lo[r->chain] - reach.lo[r->chain];
    hi = sweep->box.hi[r->chain] + reach.hi[r->chain];
    for (int g = 0; g < r->groups.n; g++) {
        if (!looks_around(r, stage, g))
            continue;
        for (long plane = lo; plane < zoid_min(hi, 0); plane++)
            turn(r, sweep, g, plane);
        for (long plane = zoid_max(lo, r->run->shape->n[r->chain]); plane < hi; plane++)
            turn(r, sweep, g, plane);
    }
}

/* Copies the planes that two segments of group g have in common. */
static void copy(struct zoid_runner *r, int g, const struct zoid_segment *from,
                 const struct zoid_segment *to)
{
    long lo = zoid_max(from->lo, to->lo), hi = zoid_min(from->hi, to->hi);
    int fields = r->groups.first[g + 1] - r->groups.first[g];
    char *target;
    const char *source;

    if (lo >= hi)
        return;
    target = zoid_slot_address(r, to->base, lo - to->lo);
    source = zoid_slot_address(r, from->base, lo - from->lo);
    for (int f = 0; f < fields && target != source && !r->error; f++)
        copy_planes(r,
                    (struct zoid_copy){.to = target + (size_t)f * to->field * r->size,
                                       .from = source + (size_t)f * from->field * r->size,
                                       .planes = hi - lo},
                    r->now.from, r->now.to);
}

void zoid_scatter_planes(struct zoid_runner *r, long t, int g, const struct zoid_list *list)
{
    for (size_t i = 0; i < r->run->nparts; i++) {
        struct zoid_segment want = part_out(r, i, t, g);

        want = zoid_of_group(r, want, g);
        for (size_t j = 0; j < list->n && want.lo < want.hi; j++)
            copy(r, g, &list->segment[j], &want);
        if (r->run->part[i].halo && r->run->part[i].writes)
            zoid_halo_leave(r, &r->run->part[i], t, g, list);
    }
}
