/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules of memory: each cell has that of its window, and updates it at each time for the points
 * that it computes then. So it is of the latest time at these points only, and at the cell's own
 * ones when an epoch ends; the next epoch begins with what other cells have left of theirs. */
#include <stdlib.h>

#include "graphs/cell.h"
#include "graphs/sinks/prove_state.h"

int zoid_prove_memory_load(struct zoid_prove *p)
{
    const long cells = zoid_prove_alone(p) ? p->cells : zoid_cells(&p->graph);
    long n;

    free(p->remembered);
    p->remembered = NULL;
    p->line = zoid_cell_line(&p->graph);
    n = cells * p->line;
    if (!zoid_remembers(&p->graph.shape))
        return 0;
    p->remembered = calloc((size_t)n, sizeof *p->remembered);
    if (!p->remembered)
        return zoid_prove_no_memory(p);
    for (long i = 0; i < n; i++)
        p->remembered[i] = (struct zoid_prove_memory){p->first, p->first};
    return 0;
}

/* Memory of a plane of a block's cell. */
static struct zoid_prove_memory *memory_of(const struct zoid_prove *p, const struct zoid_block *b,
                                           long plane)
{
    const long cell = zoid_prove_alone(p) ? b->cell % p->cells : b->cell;
    const long at = plane - zoid_cell_base(&p->graph, b->cell);

    return &p->remembered[cell * p->line + zoid_modulo(at, p->line)];
}

/* The plane as the domain counts it. */
static long named(const struct zoid_prove *p, long plane)
{
    return zoid_modulo(plane, p->whole.hi[p->chain]);
}

/* First time of the epoch that computes time t. */
static long epoch_begin(const struct zoid_prove *p, long t)
{
    const long times = p->graph.epoch * p->graph.shape.stages;

    return times ? p->first + (t - 1 - p->first) / times * times : p->first;
}

static bool several(const struct zoid_prove *p)
{
    return zoid_remembers(&p->graph.shape) && zoid_cells(&p->graph) > 1;
}

/* Check that a block lists the memory of a box. */
static int prove_listed(struct zoid_prove *p, const struct zoid_block *b, long t,
                        const struct zoid_box *box)
{
    p->left.count = 0;
    if (zoid_boxes_push(&p->left, box))
        return zoid_prove_no_memory(p);
    if (zoid_prove_cut_views(p, b, t, ZOID_MEMORY))
        return -1;
    if (p->left.count)
        return zoid_prove_fail(p, "lacks the memory of %s at time %ld",
                               zoid_prove_where(p, &p->left).s, t);
    return 0;
}

/* ---- the beginning of an epoch ------------------------------------------------------------- */

/* Check that the planes of a halo whose memory the block lists, and so completes, are not of a
 * later time than the halo. */
static int prove_completed(struct zoid_prove *p, const struct zoid_block *b,
                           const struct zoid_access *halo, const struct zoid_access *memory)
{
    const struct zoid_box planes = zoid_prove_planes(p, &halo->in, &p->everywhere, halo->in.t0);
    const long lo = zoid_max(planes.lo[p->chain], memory->in.lo);
    const long hi = zoid_min(planes.hi[p->chain], memory->in.hi);

    for (long i = lo; i < hi; i++)
        if (memory_of(p, b, i)->time > halo->in.t0)
            return zoid_prove_fail(p,
                                   "completes the memory of plane %ld at time %ld, which is of "
                                   "time %ld",
                                   named(p, i), halo->in.t0, memory_of(p, b, i)->time);
    return 0;
}

/* Check that of the planes of a slab all points that the first time of the epoch may compute are
 * the cell's own, or come in a halo. Other planes than the cell's own ones come in halos alone, and
 * their memory is older. */
static int prove_slab(struct zoid_prove *p, const struct zoid_block *b,
                      const struct zoid_access *slab)
{
    const struct zoid_box first = zoid_box_at(&b->region, b->zoid.t0 + 1);
    const struct zoid_box own = zoid_prove_planes(p, &slab->in, &b->region, b->zoid.t0);
    const bool completes = !zoid_patch_all(&slab->in.patch);
    struct zoid_view whole = slab->in;
    struct zoid_box planes;

    whole.patch = (struct zoid_patch){{{0, 0}}};
    planes = zoid_prove_planes(p, &whole, &b->region, b->zoid.t0);
    planes = zoid_box_intersect(&planes, &first);
    if (zoid_box_empty(&planes))
        return 0;
    if (completes && prove_listed(p, b, b->zoid.t0, &planes))
        return -1;
    p->left.count = 0;
    if (zoid_boxes_push(&p->left, &planes))
        return zoid_prove_no_memory(p);
    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];

        if (a->mode & ZOID_READ && (a == slab || zoid_prove_of_patch(a->datum.kind)) &&
            zoid_prove_cut_view(p, a, &b->region, b->zoid.t0))
            return -1;
    }
    if (p->left.count)
        return zoid_prove_fail(p, "has no memory of %s at time %ld",
                               zoid_prove_where(p, &p->left).s, b->zoid.t0);
    for (long i = planes.lo[p->chain]; i < planes.hi[p->chain]; i++) {
        struct zoid_prove_memory *memory = memory_of(p, b, i);
        const bool has = i >= own.lo[p->chain] && i < own.hi[p->chain] && !zoid_box_empty(&own);

        if (has && memory->time != b->zoid.t0)
            return zoid_prove_fail(p, "takes plane %ld of time %ld, whose memory is of time %ld",
                                   named(p, i), b->zoid.t0, memory->time);
        *memory = (struct zoid_prove_memory){b->zoid.t0, b->zoid.t0};
    }
    return 0;
}

int zoid_prove_memory_taken(struct zoid_prove *p, const struct zoid_block *b)
{
    if (!several(p) || b->zoid.t0 == b->zoid.t1 || b->zoid.t0 != epoch_begin(p, b->zoid.t0 + 1))
        return 0;
    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];

        if (!(a->mode & ZOID_READ))
            continue;
        for (size_t j = 0; zoid_prove_of_patch(a->datum.kind) && j < b->naccess; j++)
            if (b->access[j].datum.kind == ZOID_MEMORY && prove_completed(p, b, a, &b->access[j]))
                return -1;
    }
    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];

        if (a->mode & ZOID_READ && a->datum.kind == ZOID_SLAB && prove_slab(p, b, a))
            return -1;
    }
    return 0;
}

/* ---- updates ------------------------------------------------------------------------------- */

int zoid_prove_memory(struct zoid_prove *p, const struct zoid_block *b, long t,
                      const struct zoid_box *box)
{
    if (!zoid_remembers(&p->graph.shape))
        return 0;
    if (prove_listed(p, b, t, box))
        return -1;
    for (long i = box->lo[p->chain]; i < box->hi[p->chain]; i++) {
        struct zoid_prove_memory *memory = memory_of(p, b, i);

        if (memory->time != t - 1)
            return zoid_prove_fail(p,
                                   "updates the memory of plane %ld at time %ld, which is of "
                                   "time %ld",
                                   named(p, i), t, memory->time);
        if (several(p) && memory->full != epoch_begin(p, t))
            return zoid_prove_fail(p,
                                   "updates the memory of plane %ld at time %ld, which was "
                                   "complete at time %ld",
                                   named(p, i), t, memory->full);
        memory->time = t;
    }
    return 0;
}

/* ---- the end of an epoch ------------------------------------------------------------------- */

int zoid_prove_memory_left(struct zoid_prove *p, const struct zoid_block *b)
{
    for (size_t i = 0; several(p) && i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];
        struct zoid_box planes;

        if (!(a->mode & ZOID_WRITE) || !zoid_prove_of_patch(a->datum.kind))
            continue;
        planes = zoid_prove_planes(p, &a->out, &b->region, a->out.t0);
        if (zoid_box_empty(&planes))
            continue;
        if (prove_listed(p, b, a->out.t0, &planes))
            return -1;
        for (long j = planes.lo[p->chain]; j < planes.hi[p->chain]; j++)
            if (memory_of(p, b, j)->time != a->out.t0)
                return zoid_prove_fail(p,
                                       "leaves the memory of plane %ld of time %ld in %s, which "
                                       "is of time %ld",
                                       named(p, j), a->out.t0, zoid_prove_name(&a->datum).s,
                                       memory_of(p, b, j)->time);
    }
    return 0;
}
