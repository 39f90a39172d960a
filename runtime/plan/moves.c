/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/moves.h"

#include <math.h>

#include "graphs/sinks/moves.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/coefficients.h"
#include "runtime/plan/place.h"
#include "runtime/plan/tier.h"

/* Most accesses of all blocks, which take a second or two. */
static const double most_accesses = 5e6;

struct zoid_plan_sizes zoid_plan_sizes_of(const struct zoid_plan *p)
{
    struct zoid_plan_sizes s = {.plan = p};

    for (int k = 0; k < ZOID_KINDS; k++)
        s.most[k] = (double)zoid_budget_datum_bytes(p, k);
    return s;
}

double zoid_plan_size(const void *of, const struct zoid_datum *datum)
{
    const struct zoid_plan_sizes *s = of;

    if (zoid_kind_in_pieces(s->plan->problem.op, datum->kind))
        return (double)zoid_piece_bytes(s->plan, (int)datum->kind, datum->row, datum->col);
    if (datum->kind == ZOID_MESSAGE)
        return (double)zoid_budget_message_bytes(s->plan, datum);
    return s->most[datum->kind];
}

static struct zoid_moves_options options_of(const struct zoid_plan *p,
                                            const struct zoid_moves_run *run)
{
    const enum zoid_tier_kind near = p->place.memory;
    const int gpus = p->place.workers;
    struct zoid_moves_options o = {.end = run->end, .bytes = run->bytes, .of = run->of};

    if (near != ZOID_RAM)
        o.memories = gpus < p->graph.lanes ? gpus : p->graph.lanes;
    for (int k = 0; k < ZOID_KINDS; k++) {
        o.kept[k] = p->keep[k][near] == ZOID_KEEP_ALL;
        o.far[k] = zoid_plan_beyond(p, k);
    }
    /* With several GPUs, another one may have brought them. */
    o.settled = run->settled && o.memories == 1;
    return o;
}

struct zoid_traffic zoid_plan_moves(const struct zoid_plan *p, const struct zoid_moves_run *run)
{
    const enum zoid_tier_kind near = p->place.memory;
    const struct zoid_traffic nothing = {0, 0, 0, 0, 0}, unknown = {NAN, NAN, NAN, NAN, NAN};
    struct zoid_moves_options options = options_of(p, run);
    struct zoid_plan_sizes sizes;
    struct zoid_traffic traffic;
    struct zoid_moves moves;

    /* A scheduler decides which blocks run on GPUs, and StarPU which data stay there. */
    if (near == ZOID_RAM && p->home == ZOID_RAM)
        return zoid_plan_on_gpus(p) ? (struct zoid_traffic){.h2d = NAN, .d2h = NAN, .p2p = NAN}
                                    : nothing;
    if ((double)p->census.blocks * (double)p->census.max_access > most_accesses ||
        options.memories > ZOID_MOVES_MEMORIES)
        return unknown;
    if (!options.bytes) {
        sizes = zoid_plan_sizes_of(p);
        options.bytes = zoid_plan_size;
        options.of = &sizes;
    }
    if (zoid_moves_graph(&p->graph, &options, &moves))
        return unknown;
    traffic = (struct zoid_traffic){moves.up, moves.down, moves.peer, moves.far_up, moves.far_down};
    if (near != ZOID_RAM && p->keep[ZOID_SLAB][near] == ZOID_KEEP_BLOCKS)
        traffic.h2d = traffic.d2h = traffic.p2p = NAN;
    return traffic;
}
