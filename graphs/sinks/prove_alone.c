/* SPDX-License-Identifier: BSD-3-Clause */
/* The stream of one of several ranks. A message from another rank is taken as right: its patch
 * of the planes that the reader may read, of the time at which the epoch begins, in the slots that
 * both count alike. So this rank has to send the same, for every exchange in turn, and to await an
 * answer to each message. */
#include <stdlib.h>

#include "graphs/cell.h"
#include "graphs/message.h"
#include "graphs/reach.h"
#include "graphs/sinks/prove_state.h"

/* ---- messages ---------------------------------------------------------------------------- */

/* Planes of a message that lie in successive slots. */
struct run {
    struct zoid_range planes;
    long slot;
};

/* Slab that has the planes of a message between two cells of the same height. */
static const struct zoid_prove_datum *slab_of(const struct zoid_prove *p,
                                              const struct zoid_datum *d)
{
    const long cell =
        zoid_prove_foreign(p, d) ? zoid_message_to(&p->graph, d) : zoid_message_from(d);

    return zoid_prove_find(p, &(struct zoid_datum){.kind = ZOID_SLAB, .row = cell, .col = d->col});
}

/* Planes of a message that the i-th holding of its slab has. */
static struct run run_of_holding(const struct zoid_prove *p, const struct zoid_datum *d,
                                 const struct zoid_prove_holding *holding, long t)
{
    const struct zoid_box box = zoid_prove_planes(p, &holding->view, &holding->region, t);
    struct run run = {.planes = {box.lo[p->chain], box.hi[p->chain]}};

    if (zoid_box_empty(&box))
        return (struct run){.planes = {0, 0}};
    if (zoid_axis_cut(&p->graph, p->chain)) {
        const struct zoid_range own = zoid_prove_near(p, d);

        run.planes.lo = zoid_max(run.planes.lo, own.lo);
        run.planes.hi = zoid_min(run.planes.hi, own.hi);
    }
    run.slot = zoid_view_slot(&holding->view, t, run.planes.lo);
    return run;
}

/* The i-th run of a message of time t. False: there are fewer. */
static bool run_of(const struct zoid_prove *p, const struct zoid_datum *d, long t, size_t i,
                   struct run *run)
{
    const struct zoid_prove_datum *slab;

    if (zoid_prove_step(p, d)) {
        *run = (struct run){.planes = zoid_prove_near(p, d)};
        return i == 0;
    }
    slab = slab_of(p, d);
    if (slab->state != ZOID_HELD || i >= slab->holdings)
        return false;
    *run = run_of_holding(p, d, &slab->holding[i], t);
    return true;
}

int zoid_prove_receive(struct zoid_prove *p, const struct zoid_datum *d, long t)
{
    struct run run;

    for (size_t i = 0; run_of(p, d, t, i, &run); i++) {
        const struct zoid_view view = {.t0 = t,
                                       .t1 = t,
                                       .lo = run.planes.lo,
                                       .hi = run.planes.hi,
                                       .slot = run.slot,
                                       .patch = zoid_message_patch(&p->graph, d)};

        if (view.lo < view.hi && zoid_prove_received(p, d, &view))
            return -1;
    }
    zoid_prove_find(p, d)->state = ZOID_HELD;
    zoid_prove_find(p, d)->open = false;
    return 0;
}

/* Check that a plane of a message is in the slot in which its reader expects it. */
static int prove_slot(struct zoid_prove *p, const struct zoid_datum *d, long t, long plane,
                      long slot)
{
    struct run run;

    for (size_t i = 0; run_of(p, d, t, i, &run); i++)
        if (plane >= run.planes.lo && plane < run.planes.hi &&
            slot != run.slot + plane - run.planes.lo)
            return zoid_prove_fail(p, "sends plane %ld in slot %ld of %s, where it is read in %ld",
                                   plane, slot, zoid_prove_name(d).s,
                                   run.slot + plane - run.planes.lo);
    return 0;
}

int zoid_prove_placed(struct zoid_prove *p, const struct zoid_datum *d, long t)
{
    const struct zoid_prove_datum *left = zoid_prove_left(p, d);

    for (size_t i = 0; i < left->holdings; i++) {
        const struct zoid_view *view = &left->holding[i].view;
        const struct zoid_box box = zoid_prove_planes(p, view, &left->holding[i].region, t);
        const long plane = zoid_prove_plane(p, &box);

        if (!zoid_box_empty(&box) && prove_slot(p, d, t, plane, zoid_view_slot(view, t, plane)))
            return -1;
    }
    return 0;
}

/* ---- every exchange ------------------------------------------------------------------------ */

/* The last exchange that a leg has: a whole run ends without one, unless a sink has ended it. */
static long last_exchange(const struct zoid_prove *p)
{
    const struct zoid_graph *g = &p->graph;
    const long next = zoid_prove_next_epoch(p);

    return g->leg.is == ZOID_LEG_ONLY && p->times == p->planned && next > g->leg.epochs ? next - 1
                                                                                        : next;
}

static int prove_exchanged(struct zoid_prove *p, const struct zoid_datum *d)
{
    const long last = last_exchange(p);

    if (!zoid_prove_step(p, d))
        return 0;
    if (d->owner == p->graph.rank)
        return zoid_prove_left(p, d)->exchange == last
                   ? 0
                   : zoid_prove_fail(p, "never sends %s for epoch %ld", zoid_prove_name(d).s, last);
    return d->row % ZOID_MESSAGE_EPOCHS != last % ZOID_MESSAGE_EPOCHS ||
                   zoid_prove_find(p, d)->exchange == last
               ? 0
               : zoid_prove_fail(p, "never awaits %s for epoch %ld", zoid_prove_name(d).s, last);
}

int zoid_prove_all_exchanged(struct zoid_prove *p)
{
    struct zoid_datum *message = calloc((size_t)p->messages + 1, sizeof *message);
    int rc = 0;

    if (!message)
        return zoid_prove_no_memory(p);
    if (p->messages)
        zoid_rank_messages(&p->graph, message);
    for (long i = 0; i < p->messages && !rc; i++)
        rc = prove_exchanged(p, &message[i]);
    free(message);
    return rc;
}

/* ---- relays -------------------------------------------------------------------------------- */

/* Planes that a cell may read of a relay at time t: those below its low face. */
static struct zoid_range relayed(const struct zoid_prove *p, const struct zoid_datum *d,
                                 const struct zoid_range *pass, long t)
{
    const struct zoid_shape *shape = &p->graph.shape;
    long lo, hi, face;

    zoid_axis_reach(shape, p->chain, &lo, &hi);
    hi = zoid_max(hi, 1);
    face = zoid_cell_own(&p->graph, d->row, 0).axis[p->chain].hi +
           hi * (zoid_prove_epoch_end(p, pass->lo + 1) - t);
    return (struct zoid_range){face - zoid_reach_below(shape, lo, hi), face};
}

int zoid_prove_relayed(struct zoid_prove *p, const struct zoid_access *a,
                       const struct zoid_range *pass)
{
    const struct zoid_view *view = &a->in;

    for (long t = view->t0; t <= view->t1; t++) {
        const struct zoid_range most = relayed(p, &a->datum, pass, t);
        const struct zoid_box box = zoid_prove_planes(p, view, &p->everywhere, t);

        if (t < pass->lo || t > pass->hi)
            return zoid_prove_fail(p, "reads time %ld of %s, which is of times %ld to %ld", t,
                                   zoid_prove_name(&a->datum).s, pass->lo, pass->hi);
        if (!zoid_box_empty(&box) && (box.lo[p->chain] < most.lo || box.hi[p->chain] > most.hi))
            return zoid_prove_fail(p,
                                   "reads planes [%ld, %ld) of time %ld of %s, which has those of "
                                   "[%ld, %ld)",
                                   box.lo[p->chain], box.hi[p->chain], t,
                                   zoid_prove_name(&a->datum).s, most.lo, most.hi);
    }
    return 0;
}

/* Make p->left the planes of a time that no part of a relay has. */
static int unrelayed(struct zoid_prove *p, const struct zoid_datum *d,
                     const struct zoid_range *pass, long t)
{
    const struct zoid_range most = relayed(p, d, pass, t);
    const long passes = p->graph.epoch / p->graph.depth;
    struct zoid_box need = p->whole;

    need.lo[p->chain] = zoid_max(most.lo, 0);
    need.hi[p->chain] = zoid_min(most.hi, p->whole.hi[p->chain]);
    p->left.count = 0;
    if (zoid_boxes_push(&p->left, &need))
        return zoid_prove_no_memory(p);
    for (long col = d->col % passes; col < p->own.kind[ZOID_RELAY].cols; col += passes) {
        const struct zoid_datum part = {.kind = ZOID_RELAY, .row = d->row, .col = col};
        const struct zoid_prove_datum *left = zoid_prove_left(p, &part);

        for (size_t i = 0; left->open && i < left->holdings; i++) {
            const struct zoid_prove_holding *holding = &left->holding[i];
            const struct zoid_box box = zoid_prove_planes(p, &holding->view, &holding->region, t);

            if (zoid_boxes_cut(&p->left, &box))
                return zoid_prove_no_memory(p);
        }
    }
    return 0;
}

int zoid_prove_relay_whole(struct zoid_prove *p, const struct zoid_datum *d,
                           const struct zoid_range *pass)
{
    for (long t = pass->lo; t <= pass->hi; t++) {
        if (unrelayed(p, d, pass, t))
            return -1;
        if (p->left.count)
            return zoid_prove_fail(p, "sends %s without %s of time %ld", zoid_prove_name(d).s,
                                   zoid_prove_where(p, &p->left).s, t);
    }
    return 0;
}
