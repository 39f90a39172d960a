/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a block time by time. The planes of a time lie in pieces: where an `out` view wants a plane
 * it is computed straight into that datum, otherwise into one of two halves of the scratch, by the
 * parity of the time. The next time reads those pieces and the `in` views of its time, wherever
 * they are; nothing is gathered. */
#include "codelets/run.h"

#include <assert.h>

/* The part that a piece lies in, or NOWHERE. */
enum { NOWHERE = -1 };

struct placed {
    struct zoid_piece piece;
    long part;
};

struct runner {
    const struct zoid_run *run;
    const struct zoid_device *device;
    void *self;   /* the device's */
    int error;    /* its first; nothing more is asked of it then */
    size_t plane; /* elements */
    size_t size;  /* bytes of an element */
    int chain;
    long half;  /* planes of a half of the scratch */
    size_t nin; /* planes of the time before */
    struct zoid_piece *in;
    size_t nout; /* planes of this time, by ascending plane */
    struct placed *out;
    struct zoid_piece *pieces; /* of out */
};

static long min(long a, long b)
{
    return a < b ? a : b;
}

static long max(long a, long b)
{
    return a > b ? a : b;
}

static void *slot_address(const struct runner *r, void *base, long slot)
{
    return (char *)base + slot * (long)(r->plane * r->size);
}

/* The planes of time t that a view of a part shows; an empty piece if none. */
static struct zoid_piece shown(const struct runner *r, const struct zoid_part *part,
                               const struct zoid_view *view, long t)
{
    long shift = view->drift * (t - view->t0);
    struct zoid_piece piece = {.field = (size_t)part->capacity * r->plane};

    if (t < view->t0 || t > view->t1)
        return piece;
    piece.lo = max(view->lo + shift, 0);
    piece.hi = max(min(view->hi + shift, r->run->shape->n[r->chain]), piece.lo);
    if (piece.lo < piece.hi)
        piece.base = slot_address(r, part->base, zoid_view_slot(view, t, piece.lo));
    return piece;
}

static struct zoid_piece part_in(const struct runner *r, size_t i, long t)
{
    const struct zoid_part *part = &r->run->part[i];

    return part->reads ? shown(r, part, &part->in, t) : (struct zoid_piece){.lo = 0};
}

static struct zoid_piece part_out(const struct runner *r, size_t i, long t)
{
    const struct zoid_part *part = &r->run->part[i];

    return part->writes ? shown(r, part, &part->out, t) : (struct zoid_piece){.lo = 0};
}

/* The planes that two pieces have in common, moved from one to the other. */
static void copy(struct runner *r, const struct zoid_piece *from, const struct zoid_piece *to)
{
    long lo = max(from->lo, to->lo), hi = min(from->hi, to->hi);

    for (int f = 0; lo < hi && f < r->run->op->nstate && !r->error; f++)
        r->error = r->device->copy(
            r->self,
            (char *)slot_address(r, to->base, lo - to->lo) + (size_t)f * to->field * r->size,
            (char *)slot_address(r, from->base, lo - from->lo) + (size_t)f * from->field * r->size,
            (size_t)(hi - lo) * r->plane * r->size);
}

/* What the time after t reads: the block's own planes, then what it was given. */
static void collect(struct runner *r, long t)
{
    r->nin = 0;
    for (size_t i = 0; i < r->nout; i++)
        r->in[r->nin++] = r->out[i].piece;
    for (size_t i = 0; i < r->run->nparts; i++) {
        struct zoid_piece piece = part_in(r, i, t);

        if (piece.lo < piece.hi)
            r->in[r->nin++] = piece;
    }
}

/* Where plane `plane` of time t goes, with all the planes up to *end that go there as well. */
static struct placed place(const struct runner *r, long t, long plane, long end)
{
    struct placed run = {.piece = {.lo = plane, .hi = end}, .part = NOWHERE};

    for (size_t i = 0; i < r->run->nparts && run.part == NOWHERE; i++) {
        struct zoid_piece want = part_out(r, i, t);

        if (want.lo <= plane && plane < want.hi) {
            run.part = (long)i;
            run.piece.hi = min(run.piece.hi, want.hi);
            run.piece.base = slot_address(r, want.base, plane - want.lo);
            run.piece.field = want.field;
        } else if (want.lo > plane && want.lo < want.hi) {
            run.piece.hi = min(run.piece.hi, want.lo);
        }
    }
    return run;
}

/* Splits the planes [lo, hi) of time t by where they go. */
static void place_all(struct runner *r, long t, long lo, long hi)
{
    size_t half_elements = (size_t)r->run->op->nstate * (size_t)r->half * r->plane;
    char *half = (char *)r->run->scratch + (size_t)(t % 2) * half_elements * r->size;

    r->nout = 0;
    for (long plane = lo; plane < hi;) {
        struct placed next = place(r, t, plane, hi);

        plane = next.piece.hi;
        if (next.part == NOWHERE) {
            if (t == r->run->zoid.t1)
                continue; /* nobody wants them */
            next.piece.base = slot_address(r, half, next.piece.lo - lo);
            next.piece.field = (size_t)r->half * r->plane;
        }
        r->out[r->nout++] = next;
    }
}

/* Planes [lo, hi) of the box at time t, which go to the given pieces. */
static void compute(struct runner *r, long t, const struct zoid_box *box, size_t nout,
                    const struct zoid_piece *out)
{
    struct zoid_sweep sweep = {.op = r->run->op,
                               .params = r->run->params,
                               .shape = r->run->shape,
                               .layout = r->run->layout,
                               .t = t,
                               .box = *box,
                               .npieces = r->nin,
                               .in = r->in};

    if (nout == 0 || r->error)
        return;
    sweep.box.lo[r->chain] = out[0].lo;
    sweep.box.hi[r->chain] = out[nout - 1].hi;
    if (!zoid_box_empty(&sweep.box))
        r->error = r->device->sweep(r->self, &sweep, nout, out);
}

/* Planes that several parts want were computed into the first of them. */
static void hand_out(struct runner *r, long t)
{
    for (size_t i = 0; i < r->run->nparts; i++) {
        struct zoid_piece want = part_out(r, i, t);

        for (size_t j = 0; j < r->nout && want.lo < want.hi; j++)
            if (r->out[j].part != (long)i)
                copy(r, &r->out[j].piece, &want);
    }
}

static void one_time(struct runner *r, long t)
{
    struct zoid_box box = zoid_clipped_at(&r->run->zoid, &r->run->region, t);

    collect(r, t - 1);
    place_all(r, t, box.lo[r->chain], box.hi[r->chain]);
    for (size_t i = 0; i < r->nout; i++)
        r->pieces[i] = r->out[i].piece;
    compute(r, t, &box, r->nout, r->pieces);
    hand_out(r, t);
}

/* The planes of t0 that somebody wants. */
static void hand_on(struct runner *r)
{
    collect(r, r->run->zoid.t0);
    for (size_t i = 0; i < r->run->nparts; i++) {
        struct zoid_piece want = part_out(r, i, r->run->zoid.t0);

        for (size_t j = 0; j < r->nin && want.lo < want.hi; j++)
            copy(r, &r->in[j], &want);
    }
}

/* Whether the only time of a block overwrites what it reads, and by how many planes the writing
 * must then lag behind the computing.
 *
 *     slot                 0   1   2   3   4
 *     before, time t       5   6   7   8   9      a slab that drifts down by one plane
 *     after, time t + 1    4   5   6   7   8
 *
 * With reach 1 plane 4 of t + 1 goes where plane 5 of t lies, which the outputs up to 6 read: it
 * can be written once 6 is computed, two planes later. In general plane z goes where plane
 * z + shift lies, which the outputs up to z + shift + reach.lo read. Planes are computed upwards,
 * into a short ring that stays in cache, and leave it in the same order. */
static bool in_place(const struct runner *r, long *lag)
{
    const struct zoid_run *run = r->run;
    const struct zoid_reach *reach = &run->shape->reach[run->zoid.t0 % run->shape->stages];
    bool found = false;

    *lag = 0;
    for (size_t i = 0; i < run->nparts && run->zoid.t1 == run->zoid.t0 + 1; i++) {
        const struct zoid_part *part = &run->part[i];

        if (!part->reads || !part->writes)
            continue;
        found = true;
        *lag = max(*lag, zoid_view_slot(&part->out, run->zoid.t1, 0) -
                             zoid_view_slot(&part->in, run->zoid.t0, 0) + reach->lo[r->chain]);
    }
    return found;
}

/* Planes [lo, hi) leave the ring, in which plane p lies in slot (p - first) % planes. */
static void drain(struct runner *r, long planes, long first, long lo, long hi)
{
    while (lo < hi) {
        long slot = (lo - first) % planes, n = min(planes - slot, hi - lo);
        struct zoid_piece ring = {.lo = lo,
                                  .hi = lo + n,
                                  .base = slot_address(r, r->run->scratch, slot),
                                  .field = (size_t)planes * r->plane};

        for (size_t i = 0; i < r->run->nparts; i++) {
            struct zoid_piece want = part_out(r, i, r->run->zoid.t1);

            copy(r, &ring, &want);
        }
        lo += n;
    }
}

static void one_time_in_place(struct runner *r, long lag)
{
    long t = r->run->zoid.t1, planes = lag + r->device->batch, drained;
    struct zoid_box box = zoid_clipped_at(&r->run->zoid, &r->run->region, t);
    long first = box.lo[r->chain], end = box.hi[r->chain];

    assert(planes <= zoid_scratch_planes(r->run->shape, 0, r->device->batch));
    collect(r, t - 1);
    drained = first;
    for (long plane = first; plane < end;) {
        long slot = (plane - first) % planes, ready;
        long n = min(min(r->device->batch, planes - slot), end - plane);
        struct zoid_piece ring = {.lo = plane,
                                  .hi = plane + n,
                                  .base = slot_address(r, r->run->scratch, slot),
                                  .field = (size_t)planes * r->plane};

        compute(r, t, &box, 1, &ring);
        plane += n;
        ready = plane < end ? max(plane - lag, drained) : end;
        drain(r, planes, first, drained, ready);
        drained = ready;
    }
}

/* Planes of the box at the busiest time between the first and the last. */
static long tallest(const struct runner *r)
{
    long planes = 0;

    for (long t = r->run->zoid.t0 + 1; t < r->run->zoid.t1; t++) {
        struct zoid_box box = zoid_clipped_at(&r->run->zoid, &r->run->region, t);

        planes = max(planes, box.hi[r->chain] - box.lo[r->chain]);
    }
    return planes;
}

long zoid_scratch_planes(const struct zoid_shape *shape, long box_planes, long batch)
{
    long lo, hi;

    zoid_chain_reach(shape, &lo, &hi);
    return max(2 * box_planes, lo + max(lo, hi) + batch);
}

int zoid_run_block(const struct zoid_run *run, const struct zoid_device *device, void *self)
{
    /* Views cut the planes of a time into at most two pieces a part and one more. */
    struct placed out[2 * run->nparts + 1];
    struct zoid_piece pieces[2 * run->nparts + 1], in[3 * run->nparts + 1];
    struct runner r = {.run = run,
                       .device = device,
                       .self = self,
                       .plane = (size_t)run->layout->plane,
                       .size = zoid_type_size(run->layout->type),
                       .chain = zoid_chain(run->shape),
                       .in = in,
                       .out = out,
                       .pieces = pieces};
    long lag;

    r.half = tallest(&r);
    hand_on(&r);
    if (in_place(&r, &lag)) {
        one_time_in_place(&r, lag);
        return r.error;
    }
    for (long t = run->zoid.t0 + 1; t <= run->zoid.t1; t++)
        one_time(&r, t);
    return r.error;
}
