/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of layers that match, in halos: behind the fields of a halo lies the memory of its points,
 * as struct zoid_tail has it. Pieces have that of whole windows, so a block that begins an epoch
 * completes the memory of the planes that it takes, and one that ends an epoch leaves that of the
 * planes that it leaves. */
#include "codelets/block/halo.h"
#include "graphs/rim.h"

/* Points of a patch of a halo that are in a layer, and where their psi is in a plane's tail. */
struct area {
    struct zoid_range axis[ZOID_PLANE_AXES];
    long at;
};

static long width_of(const struct zoid_range *r)
{
    return zoid_max(r->hi - r->lo, 0);
}

static long points_of(const struct area *a)
{
    return width_of(&a->axis[0]) * width_of(&a->axis[1]);
}

static struct zoid_range both(const struct zoid_range *a, long lo, long hi)
{
    return (struct zoid_range){zoid_max(a->lo, lo), zoid_min(a->hi, hi)};
}

/* Returns the points of a patch in the layer at a face; a layer along the chain axis has all. */
static struct area area_of(const struct zoid_shape *shape, const struct zoid_layers *l,
                           const struct zoid_patch *patch, int axis, int side, long at)
{
    struct area area = {.at = at};

    for (int a = 0; a < ZOID_PLANE_AXES; a++) {
        area.axis[a] = patch->axis[a];
        if (a >= l->chain)
            area.axis[a] = (struct zoid_range){0, 1};
        else if (zoid_range_all(&patch->axis[a]))
            area.axis[a] = (struct zoid_range){0, shape->n[a]};
    }
    if (axis < l->chain)
        area.axis[axis] = both(&area.axis[axis], l->face[axis][side].lo, l->face[axis][side].hi);
    return area;
}

static bool any_across(const struct zoid_layers *l)
{
    return l->face[l->chain][ZOID_LOW].there || l->face[l->chain][ZOID_HIGH].there;
}

/* A call for each area of a halo, by ascending places; returns the elements of all. */
typedef void area_fn(void *user, int axis, int side, const struct area *area);
static long each_area(const struct zoid_shape *shape, const struct zoid_layers *l,
                      const struct zoid_rim *rim, bool across, area_fn *call, void *user)
{
    const struct zoid_patches patches = zoid_rim_patches(rim);
    long at = 0;

    for (int i = 0; i < patches.n; i++)
        for (int f = 0; f < (l->chain + 1) * ZOID_SIDES; f++) {
            const int axis = f / ZOID_SIDES, side = f % ZOID_SIDES;
            const bool chain = axis == l->chain;
            struct area area;

            if (chain ? !across || side : !l->face[axis][side].there)
                continue;
            area = area_of(shape, l, &patches.patch[i], axis, side, at);
            if (call)
                call(user, axis, side, &area);
            at += ZOID_LAYER_VALUES * points_of(&area);
        }
    return at;
}

/* In whole cache lines of the smallest type. */
static struct zoid_tail tail_of(long elements, bool across)
{
    const long line = ZOID_LINE / (long)sizeof(zoid_f32);

    return (struct zoid_tail){(size_t)((elements + line - 1) / line * line), across};
}

struct zoid_tail zoid_halo_tail(const struct zoid_shape *shape, const struct zoid_layers *l,
                                const struct zoid_rim *rim, bool across)
{
    across = across && any_across(l);
    return tail_of(l->any ? each_area(shape, l, rim, across, NULL, NULL) : 0, across);
}

struct zoid_tail zoid_halo_tail_most(const struct zoid_shape *shape, const struct zoid_layers *l,
                                     const struct zoid_rim *rim)
{
    const struct zoid_patches patches = zoid_rim_patches(rim);
    long elements = 0;

    for (int i = 0; i < patches.n && l->any; i++) {
        const struct area all = area_of(shape, l, &patches.patch[i], l->chain, ZOID_LOW, 0);

        for (int axis = 0; axis < l->chain; axis++) {
            const long layers = l->face[axis][ZOID_LOW].there + l->face[axis][ZOID_HIGH].there;

            elements += ZOID_LAYER_VALUES * width_of(&all.axis[1 - axis]) *
                        zoid_min(width_of(&all.axis[axis]), layers * l->points);
        }
        elements += any_across(l) ? ZOID_LAYER_VALUES * points_of(&all) : 0;
    }
    return tail_of(elements, any_across(l));
}

/* ---- copies -------------------------------------------------------------------------------- */

/* Planes [lo, hi) of a halo's tail, from `base` on. */
struct planes {
    long lo, hi, stride; /* elements from one to the next */
    char *base;
};

/* A halo and a piece, and the planes that both have. */
struct pair {
    struct zoid_runner *r;
    const struct zoid_layers *layers;
    struct planes halo;
    struct zoid_segment piece;
    const struct zoid_patch *keep; /* only these points are copied */
    long lo, hi;                   /* planes that are alike in the piece */
    bool into_halo;
};

static struct planes tail_planes(const struct zoid_runner *r, const struct zoid_part *part,
                                 const struct zoid_view *view, long t)
{
    const struct zoid_segment fields = zoid_view_segment(r, part, view, t);
    struct planes p = {fields.lo, fields.hi, (long)part->tail.plane, part->base};

    if (p.lo < p.hi)
        p.base += ((size_t)(r->run->op->nstate * part->capacity) * part->halo +
                   (size_t)zoid_view_slot(view, t, p.lo) * part->tail.plane) *
                  r->size;
    return p;
}

/* Returns the points of an area that a pair copies: those that the window has, and that are kept.
 */
static struct area common(const struct pair *p, const struct area *area)
{
    const struct zoid_layout *layout = p->r->run->layout;
    struct area some = *area;

    for (int a = 0; a < p->layers->chain; a++) {
        if (layout->window[a])
            some.axis[a] = both(&some.axis[a], layout->lo[a], layout->hi[a]);
        if (!zoid_range_all(&p->keep->axis[a]))
            some.axis[a] = both(&some.axis[a], p->keep->axis[a].lo, p->keep->axis[a].hi);
    }
    return some;
}

/* Returns the layer of an area; along the chain axis, the one that the planes are in, or NULL. */
static const struct zoid_layer_face *face_of(const struct pair *p, int axis, int side)
{
    const struct zoid_layer_face *face = p->layers->face[axis];

    if (axis < p->layers->chain)
        return &face[side];
    for (side = ZOID_LOW; side < ZOID_SIDES; side++)
        if (face[side].there && p->lo >= face[side].lo && p->lo < face[side].hi)
            return &face[side];
    return NULL;
}

/* Bytes from the first value of an area in a plane to that of a point. */
static long in_tail(const struct pair *p, const struct area *area, const struct area *some)
{
    return ((p->lo - p->halo.lo) * p->halo.stride + area->at +
            (some->axis[1].lo - area->axis[1].lo) * width_of(&area->axis[0]) + some->axis[0].lo -
            area->axis[0].lo) *
           (long)p->r->size;
}

static void copy_area(void *user, int axis, int side, const struct area *area)
{
    const struct pair *p = user;
    const struct zoid_layers *l = p->layers;
    const size_t size = p->r->size;
    const struct area some = common(p, area);
    const struct zoid_layer_face *face = face_of(p, axis, side);
    const size_t planes[] = {(size_t)p->halo.stride * size,
                             (size_t)zoid_layers_elements(l, p->lo, p->lo + 1) * size};
    size_t rows[] = {(size_t)width_of(&area->axis[0]) * size, 0};
    char *tail, *piece;

    if (!face || !points_of(&some))
        return;
    rows[1] = (size_t)face->row * size;
    tail = p->halo.base + in_tail(p, area, &some);
    piece =
        (char *)p->piece.base +
        zoid_layers_at(l, face, p->piece.lo, p->lo, some.axis[0].lo, some.axis[1].lo) * (long)size;
    for (int v = 0; v < ZOID_LAYER_VALUES; v++) {
        zoid_copy_planes(p->r, &(struct zoid_copy){.to = p->into_halo ? tail : piece,
                                                   .from = p->into_halo ? piece : tail,
                                                   .bytes = (size_t)width_of(&some.axis[0]) * size,
                                                   .rows = width_of(&some.axis[1]),
                                                   .to_row = rows[!p->into_halo],
                                                   .from_row = rows[p->into_halo],
                                                   .planes = p->hi - p->lo,
                                                   .to_plane = planes[!p->into_halo],
                                                   .from_plane = planes[p->into_halo]});
        tail += points_of(area) * (long)size;
        piece += face->apart * (long)size;
    }
}

/* Returns the end of the planes from p->lo on that layers along the chain axis have alike. */
static long alike(const struct pair *p, long end)
{
    for (int side = 0; side < ZOID_SIDES; side++) {
        const struct zoid_layer_face *face = &p->layers->face[p->layers->chain][side];

        end = face->there && face->lo > p->lo ? zoid_min(end, face->lo) : end;
        end = face->there && face->hi > p->lo ? zoid_min(end, face->hi) : end;
    }
    return end;
}

/* Copies the memory of the points that a halo and a piece have. */
static void copy_pair(struct pair *p, const struct zoid_part *halo)
{
    const long end = zoid_min(p->halo.hi, p->piece.hi);

    for (p->lo = zoid_max(p->halo.lo, p->piece.lo); p->lo < end; p->lo = p->hi) {
        p->hi = alike(p, end);
        each_area(p->r->run->shape, p->layers, &halo->rim, halo->tail.across, copy_area, p);
    }
}

/* True if a part has memory of layers behind its fields. */
static bool any_tail(const struct zoid_block_args *run)
{
    for (size_t i = 0; i < run->nparts; i++)
        if (run->part[i].tail.plane)
            return true;
    return false;
}

static void copy_all(struct zoid_runner *r, bool into_halo)
{
    const struct zoid_block_args *run = r->run;
    const struct zoid_patch whole = {{{0, 0}}};
    struct zoid_layers layers;

    if (!r->memory.n || !any_tail(run))
        return;
    layers = zoid_layers_of(run->op, run->shape, run->params, run->layout);
    for (size_t i = 0; i < run->nparts; i++) {
        const struct zoid_part *part = &run->part[i];
        struct pair p = {.r = r,
                         .layers = &layers,
                         .keep = into_halo ? &part->out.patch : &whole,
                         .into_halo = into_halo};

        if (!part->tail.plane || !(into_halo ? part->writes : part->reads))
            continue;
        p.halo = into_halo ? tail_planes(r, part, &part->out, run->zoid.t1)
                           : tail_planes(r, part, &part->in, run->zoid.t0);
        for (size_t j = 0; j < r->memory.n; j++) {
            p.piece = r->memory.segment[j];
            copy_pair(&p, part);
        }
    }
}

void zoid_halo_fill_memory(struct zoid_runner *r)
{
    copy_all(r, false);
}

void zoid_halo_leave_memory(struct zoid_runner *r)
{
    copy_all(r, true);
}

/* ---- joins --------------------------------------------------------------------------------- */

/* The areas of a message. */
struct areas {
    struct area of[ZOID_AXES][ZOID_SIDES];
};

static void keep_area(void *user, int axis, int side, const struct area *area)
{
    ((struct areas *)user)->of[axis][side] = *area;
}

static struct areas areas_of(const struct zoid_runner *r, const struct zoid_layers *l,
                             const struct zoid_part *part)
{
    struct areas areas = {.of = {{{.at = 0}}}};

    each_area(r->run->shape, l, &part->rim, part->tail.across, keep_area, &areas);
    return areas;
}

static void join_area(struct zoid_runner *r, const struct planes *to, const struct planes *from,
                      const struct area *into, const struct area *of)
{
    const long lo = zoid_max(to->lo, from->lo), hi = zoid_min(to->hi, from->hi);
    const struct zoid_range x = both(&into->axis[0], of->axis[0].lo, of->axis[0].hi);
    const struct zoid_range y = both(&into->axis[1], of->axis[1].lo, of->axis[1].hi);
    const long to_row = width_of(&into->axis[0]), from_row = width_of(&of->axis[0]);
    const long size = (long)r->size;

    for (int v = 0; v < ZOID_LAYER_VALUES && lo < hi && width_of(&x); v++)
        zoid_copy_planes(
            r,
            &(struct zoid_copy){
                .to = to->base + ((lo - to->lo) * to->stride + into->at + v * points_of(into) +
                                  (y.lo - into->axis[1].lo) * to_row + x.lo - into->axis[0].lo) *
                                     size,
                .from = from->base + ((lo - from->lo) * from->stride + of->at + v * points_of(of) +
                                      (y.lo - of->axis[1].lo) * from_row + x.lo - of->axis[0].lo) *
                                         size,
                .bytes = (size_t)(width_of(&x) * size),
                .rows = width_of(&y),
                .to_row = (size_t)(to_row * size),
                .from_row = (size_t)(from_row * size),
                .planes = hi - lo,
                .to_plane = (size_t)(to->stride * size),
                .from_plane = (size_t)(from->stride * size)});
}

void zoid_halo_join_memory(struct zoid_runner *r, const struct zoid_part *into,
                           const struct zoid_part *part)
{
    const struct zoid_block_args *run = r->run;
    const long t = run->zoid.t0;
    struct zoid_layers l;
    struct areas to, from;
    struct planes to_planes, from_planes;

    if (!into->tail.plane || !part->tail.plane)
        return;
    l = zoid_layers_of(run->op, run->shape, run->params, NULL);
    to = areas_of(r, &l, into);
    from = areas_of(r, &l, part);
    to_planes = tail_planes(r, into, &into->out, t);
    from_planes = tail_planes(r, part, &part->in, t);
    for (int f = 0; f < (l.chain + 1) * ZOID_SIDES; f++)
        join_area(r, &to_planes, &from_planes, &to.of[f / ZOID_SIDES][f % ZOID_SIDES],
                  &from.of[f / ZOID_SIDES][f % ZOID_SIDES]);
}
