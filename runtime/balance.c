/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/balance.h"

#include <stdlib.h>

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/grid.h"
#include "runtime/boundary.h"
#include "runtime/error.h"
#include "runtime/machine/clock.h"

enum { PARTS = 2 };

/* ---- the controller ------------------------------------------------------------------------ */

/* Return the ghost planes that a part computes in an epoch, on average: each step computes fewer.
 */
static double ghost_planes(const struct zoid_graph *g)
{
    const struct zoid_range beside = zoid_grid_most_beside(g, zoid_chain(&g->shape));

    return (double)(beside.lo + beside.hi) / 4;
}

/* Return the planes that a part may own: its buffers have room for so long a line. */
static long room_of(const struct zoid_graph *g)
{
    const struct zoid_range beside = zoid_grid_most_beside(g, zoid_chain(&g->shape));
    const long n = g->shape.n[zoid_chain(&g->shape)], line = zoid_cell_line(g);
    const bool round = zoid_axis_periodic(&g->shape, zoid_chain(&g->shape));

    if (line >= n && !round)
        return n;
    return line - beside.hi - (round ? beside.lo : 0);
}

struct zoid_balancer zoid_balancer_begin(struct zoid_job_part *part, long border[])
{
    const struct zoid_graph *g = &part[0].plan.graph;
    const double epochs = (double)zoid_max(zoid_epochs(g), 1);
    const struct zoid_border_case of = {.planes = g->shape.n[zoid_chain(&g->shape)],
                                        .least = zoid_grid_least_planes(g),
                                        .ghost = ghost_planes(g),
                                        .cost = 0.02 * part[1].plan.cost.seconds / epochs};

    return (struct zoid_balancer){.part = part,
                                  .border = border,
                                  .control = zoid_border_begin(&of),
                                  .wish = border[1],
                                  .most = room_of(g),
                                  .report = {.first = border[1], .last = border[1]}};
}

void zoid_balancer_run(struct zoid_balancer *b, long end)
{
    b->end = end;
    b->moving = false;
    b->learned = 0;
    for (int i = 0; i < PARTS; i++)
        zoid_epoch_clock_begin(&b->part[i].work.epochs);
}

bool zoid_balancer_moves(void *balance, long steps)
{
    struct zoid_balancer *b = balance;
    const long epoch = b->part[0].plan.graph.epoch, n = b->control.of.planes;
    const long done = zoid_min(zoid_epoch_clock_done(&b->part[0].work.epochs),
                               zoid_epoch_clock_done(&b->part[1].work.epochs));

    for (; b->learned < done; b->learned++) {
        double seconds[PARTS];

        for (int i = 0; i < PARTS; i++)
            seconds[i] = zoid_epoch_clock_seconds(&b->part[i].work.epochs, b->learned);
        zoid_border_learn(&b->control, b->border[1], seconds);
    }
    b->wish = zoid_border_wish(&b->control, b->border[1], (b->end - steps) / epoch);
    b->wish = zoid_min(zoid_max(b->wish, n - room_of(&b->part[1].plan.graph)), b->most);
    return b->moving = b->wish != b->border[1];
}

/* ---- a move -------------------------------------------------------------------------------- */

/* Buffer for planes of one field on their way to a part. */
struct carried {
    size_t size; /* bytes of a point */
    struct zoid_box box;
    void *values;
};

/* Fill a box, part of those planes. */
static void unload(void *carried, int field, const struct zoid_box *box,
                   const struct zoid_values *to)
{
    const struct carried *c = carried;
    const struct zoid_values all = zoid_values_packed(&c->box, c->values);
    struct zoid_values from = all;

    (void)field;
    from.at = (char *)zoid_values_row(&all, c->size, box->lo[1] - c->box.lo[1],
                                      box->lo[2] - c->box.lo[2]) +
              (size_t)(box->lo[0] - c->box.lo[0]) * c->size;
    zoid_values_copy(box, c->size, &from, to);
}

/* The parts as they were before the border moved. */
struct before {
    long border[PARTS + 1];
    struct zoid_plan plan[PARTS];
    struct zoid_state state[PARTS];
};

static void remember(const struct zoid_balancer *b, struct before *old)
{
    const int chain = zoid_chain(&b->part[0].plan.graph.shape);

    for (int i = 0; i <= PARTS; i++)
        old->border[i] = b->border[i];
    for (int i = 0; i < PARTS; i++) {
        old->plan[i] = b->part[i].plan;
        old->plan[i].graph.cut[chain].border = old->border;
        old->state[i] = b->part[i].state;
        old->state[i].plan = &old->plan[i];
    }
}

/* Copy planes of all state fields to a part from their owners, through a buffer for some of them.
 * Ghost planes beyond a periodic face are those of the domain again. */
static enum zoid_status carry(const struct zoid_job_part *to, const struct before *old,
                              struct zoid_range planes)
{
    static const size_t most = 1 << 25;
    const struct zoid_problem *p = &to->plan.problem;
    const struct zoid_shape *shape = &to->plan.graph.shape;
    const int chain = zoid_chain(shape);
    const struct zoid_box one = zoid_problem_planes(p, 0, 1);
    struct carried c = {.size = zoid_op_point_bytes(p->op)};
    const size_t plane = (size_t)zoid_box_volume(&one) * c.size;
    const long at_once = zoid_max((long)(most / plane), 1);

    if (planes.lo >= planes.hi)
        return ZOID_OK;
    c.values = malloc((size_t)zoid_min(at_once, planes.hi - planes.lo) * plane);
    if (!c.values)
        return zoid_no_memory();
    for (long z = planes.lo, end; z < planes.hi; z = end) {
        const long at = zoid_modulo(z, shape->n[chain]);
        const long high = zoid_min(zoid_min(at_once, planes.hi - z), shape->n[chain] - at);

        end = z + high;
        c.box = zoid_problem_planes(p, at, at + high);
        for (int field = 0; field < p->op->nstate; field++) {
            const struct zoid_values values = zoid_values_packed(&c.box, c.values);

            for (int i = 0; i < PARTS; i++)
                zoid_fill_read(&old->state[i], field, &c.box, &values, NULL, NULL);
            zoid_fill_planes(&to->state, field, (struct zoid_range){z, end}, unload, &c);
        }
    }
    free(c.values);
    return ZOID_OK;
}

/* Bring a part the owned and ghost planes that it holds from now on, and did not own. If it has
 * several cells across planes, their ghost points are in halos, and a first leg loads them: bring
 * all planes. */
static enum zoid_status fetch_planes(const struct zoid_balancer *b, int i, const struct before *old)
{
    const struct zoid_graph *g = &b->part[i].plan.graph;
    const int chain = zoid_chain(&g->shape);
    const struct zoid_range own = zoid_grid_own(&old->plan[i].graph, chain, i, 0);
    const struct zoid_range seen = zoid_grid_seen(g, chain, i);
    const struct zoid_range below = {seen.lo, zoid_min(own.lo, seen.hi)};
    const struct zoid_range above = {zoid_max(own.hi, seen.lo), seen.hi};
    enum zoid_status status;

    if (zoid_rank_cells(g) > 1)
        return carry(&b->part[i], old, seen);
    status = carry(&b->part[i], old, below);
    return status ? status : carry(&b->part[i], old, above);
}

/* Make the plan of a part that of a first leg; its data stay where they are. */
static enum zoid_status begin_anew(struct zoid_job_part *part, long steps, long end)
{
    const struct zoid_next_leg first = {.first = true, .start = steps, .steps = end - steps};
    enum zoid_status status = zoid_part_plan(part, &first, NULL);

    if (!status)
        status = zoid_part_fit(part);
    if (!status)
        status = zoid_part_note_loads(part, false);
    part->state.epoch = 0;
    return status;
}

static void note_move(struct zoid_balancer *b, long steps, double seconds)
{
    struct zoid_border_report *r = &b->report;

    r->last = b->border[1];
    r->seconds += seconds;
    if (r->moves < ZOID_BORDERS_MOST) {
        r->way[r->moves].step = steps;
        r->way[r->moves].planes = b->border[1];
    }
    r->moves++;
}

enum zoid_status zoid_balancer_move(struct zoid_balancer *b, long steps)
{
    const double start = zoid_machine_clock();
    enum zoid_status status = ZOID_OK;
    struct before old;

    remember(b, &old);
    b->border[1] = b->wish;
    for (int i = 0; i < PARTS && !status; i++)
        status = begin_anew(&b->part[i], steps, b->end);
    for (int i = 0; i < PARTS && !status; i++)
        status = fetch_planes(b, i, &old);
    zoid_channels_reset(b->part[0].work.channels);
    zoid_parts_share(b->part, PARTS);
    zoid_border_moved(&b->control, zoid_machine_clock() - start);
    note_move(b, steps, zoid_machine_clock() - start);
    return status;
}
