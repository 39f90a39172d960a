/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/trial.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/method.h"
#include "runtime/plan/amount.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/dealt.h"
#include "runtime/plan/floor.h"
#include "runtime/plan/parts.h"
#include "runtime/plan/place.h"
#include "runtime/plan/ranks.h"
#include "runtime/plan/tier.h"

int zoid_trial_workers(const struct zoid_trial *s)
{
    const int workers = s->wanted->site->workers[s->place];

    return zoid_streams(s->place) ? workers : zoid_place_teams(workers, s->team);
}

/* Return whether GPUs take blocks there. */
static bool on_gpus(const struct zoid_trial *s)
{
    return zoid_streams(s->place) ||
           (s->place == ZOID_ANY && s->wanted->site->workers[ZOID_GPUS] > 0);
}

/* Return whether there is room in all tiers other than `except` and the memory of the place, which
 * is checked last. */
static bool fits_elsewhere(const struct zoid_plan *p, int except)
{
    for (int t = 0; t < ZOID_TIERS; t++) {
        const bool last = t < ZOID_RAM;

        if (t != except && !last && p->tier[t].bytes > p->tier[t].capacity)
            return false;
    }
    return true;
}

/* The smallest budget of a tier is that of a plan that fits in all other tiers. */
static bool fits(struct zoid_trial *s, const struct zoid_plan *p)
{
    bool all = true;

    s->found->any_tried = true;
    for (int t = 0; t < ZOID_TIERS; t++) {
        if (zoid_plan_uses(p, t) && fits_elsewhere(p, t) && p->tier[t].bytes < s->found->least[t])
            s->found->least[t] = p->tier[t].bytes;
        all = all && p->tier[t].bytes <= p->tier[t].capacity;
    }
    return all;
}

/* Return whether a candidate cannot be better than the known ones. The first of equals counts, but
 * those of the sample were tried ahead of their turn. */
static bool is_hopeless(const struct zoid_trial *s, const struct zoid_plan *p)
{
    const double seconds = s->wanted->request->each ? 0 : zoid_floor_seconds(&s->model, p);

    return (s->wanted->known > 0 && seconds >= s->wanted->known) ||
           seconds >= zoid_ranking_bar(&s->ranking, p) ||
           seconds > zoid_ranking_bar(&s->scouted, p);
}

/* Return whether a candidate does not fit, because its slabs do not, or because a much less deep
 * one with the same lanes does not. Before anything fits, all are counted, since one of them is the
 * smallest. */
static bool is_too_large(const struct zoid_trial *s, const struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    /* The last lanes, and the last epoch, keep less data. */
    const bool deeper_is_larger = g->method->pipelined && zoid_estimate_passes(p) > g->lanes;

    if (!zoid_plan_streams(p) || (!s->ranking.any && !s->scouted.any) || s->wanted->request->each)
        return false;
    return (deeper_is_larger && s->at->too_deep < g->depth - g->depth / 4) ||
           zoid_floor_bytes(p) > p->tier[p->place.memory].capacity;
}

/* Largest message of MPI, in bytes. */
static const uint64_t MOST_OF_MESSAGE = INT_MAX;

static uint64_t largest_message(const struct zoid_plan *p)
{
    return zoid_larger(p->remote_messages.most, zoid_budget_datum_bytes(p, ZOID_RELAY));
}

/* Set the byte sums of messages. */
static void count_messages(struct zoid_trial *s, struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    struct zoid_messages_known *known = &s->messages[g->joined];
    struct zoid_messages_known one = {.cells = {g->cut[0].cells, g->cut[1].cells, g->cut[2].cells},
                                      .rows = p->census.kind[ZOID_MESSAGE].rows,
                                      .epoch = g->epoch,
                                      .line = g->line};

    one.messages = known->messages;
    if (one.rows && memcmp(known, &one, sizeof one)) {
        one.messages = zoid_budget_name(p);
        *known = one;
    }
    if (one.rows)
        zoid_budget_messages(p, &known->messages);
    else
        p->messages = p->remote_messages = p->remote_beside = (struct zoid_byte_sums){0, 0, 0};
}

/* List a plan. Of teams that the request does not name, only the best of each method and home is,
 * once all of them are known. */
static void list(struct zoid_trial *s, const struct zoid_plan *p)
{
    const struct zoid_request *r = s->wanted->request;

    if (!r->each || s->scouts || !(p->cost.seconds < INFINITY))
        return;
    if (s->team == 1 || r->team)
        r->each(r->self, p);
    else if (!zoid_plan_streams(p))
        zoid_ranking_add(&s->listed, p);
}

void zoid_trial_list_teams(struct zoid_trial *s)
{
    const struct zoid_request *r = s->wanted->request;

    if (s->listed.any)
        r->each(r->self, &s->listed.best);
    s->listed.any = false;
}

/* Try a candidate. Returns its predicted seconds; INFINITY: it does not fit; NaN: it is hopeless,
 * and its time is not known. */
static double try(struct zoid_trial *s, const struct zoid_graph *graph)
{
    const struct zoid_wanted *w = s->wanted;
    struct zoid_plan p = {.problem = *w->problem,
                          .graph = *graph,
                          .serial = w->request->overlap == ZOID_OVERLAP_OFF,
                          .ways = on_gpus(s) ? 0 : w->site->ways,
                          .home = s->home};

    int rc = zoid_graph_init(&p.graph, &p.clamped);

    if (rc == ZOID_GRAPH_BAD_RANKS) {
        s->found->thin = true;
        s->found->epoch = zoid_max(s->found->epoch, zoid_epoch_most(&p.graph));
        return INFINITY;
    }
    if (rc) {
        long lowest = p.graph.method->min_block(&p.graph.shape), known = s->found->lowest;

        s->found->lowest = known && known < lowest ? known : lowest;
        return INFINITY;
    }
    p.place =
        zoid_place_make(s->place, zoid_trial_workers(s), w->request->traversal, p.graph.lanes);
    p.place.team = zoid_streams(s->place) ? 1 : s->team;
    p.place.busy = w->site->busy;
    if (s->place == ZOID_ANY)
        zoid_dealt_seat(w->site, &p);
    memcpy(p.tier, w->tier, sizeof p.tier);
    p.layout = zoid_plan_layout(&p, 0);
    if (is_too_large(s, &p))
        return INFINITY;
    if (is_hopeless(s, &p)) {
        s->passed_over = true;
        return NAN;
    }
    zoid_graph_census(&p.graph, &p.census);
    s->found->censuses++;
    /* All legs have the same pieces of coefficients. */
    if (w->request->again)
        p.graph.leg.piece = p.census.kind[ZOID_COEFFICIENT].planes;
    p.scratch_planes = zoid_plan_scratch(&p);
    if (p.problem.op->coefficient_bytes)
        p.pieces = zoid_piece_sums(&s->pieces, &p, w->site->capacity[ZOID_RAM]);
    p.memory = zoid_memory_sums(&s->memory, &p);
    count_messages(s, &p);
    zoid_budget_keep(&p);
    if (largest_message(&p) > MOST_OF_MESSAGE) {
        const uint64_t known = s->found->message, most = largest_message(&p);

        s->found->message = known ? zoid_smaller(known, most) : most;
        return INFINITY;
    }
    if (!fits(s, &p))
        return INFINITY;
    s->fitted = true;
    p.cost = zoid_estimate(&s->model, &p);
    if (p.problem.op->runner && !(p.cost.seconds < INFINITY)) {
        s->found->no_runner = true;
        return INFINITY;
    }
    zoid_ranking_add(&s->ranking, &p);
    if (!zoid_plan_on_gpus(&p))
        zoid_finalists_add(s->finalists, &p);
    else
        zoid_finalists_add_exchanged(s->finalists, &p);
    list(s, &p);
    return p.cost.seconds;
}

/* Try epochs of `steps` steps, unless the request names them. Returns as `try`. */
static double try_epoch(struct zoid_trial *s, struct zoid_graph *g, long steps)
{
    double seconds;

    if (g->epoch || steps > g->steps)
        return INFINITY;
    g->epoch = steps;
    seconds = try(s, g);
    g->epoch = 0;
    return seconds;
}

/* Try epochs of several visits between ranks, which then exchange halos less often: of twice the
 * length, as long as they fit, that pays and cells are wide enough. Longer ones compute more ghost
 * points and need more memory. */
static void try_rank_epochs(struct zoid_trial *s, struct zoid_graph *g)
{
    const bool all = s->wanted->request->each != NULL;
    const long most = g->epoch || s->wanted->visit ? 0 : zoid_min(g->steps, zoid_epoch_most(g));
    double before = try(s, g), now = before;

    for (long visits = 2; visits <= most / g->depth; visits *= 2) {
        if (!all && (now == INFINITY || now > before))
            break;
        before = isnan(now) ? before : now;
        now = try_epoch(s, g, visits * g->depth);
    }
}

/* Try epochs of several visits: on cores, which then need not wait for halos between them. If ranks
 * take turns, also with one pass per lane: passes of an epoch follow one another more closely than
 * epochs do. */
static void try_epochs(struct zoid_trial *s, struct zoid_graph *g)
{
    const long passes = zoid_min(g->lanes, zoid_ceil_div(g->steps, g->depth));
    const bool several = s->wanted->request->each || !zoid_streams(s->place);
    const bool turns = zoid_in_order(&g->shape);

    if (zoid_ranks(g) > 1 && !turns && !g->apart) {
        try_rank_epochs(s, g);
        return;
    }
    try(s, g);
    for (long visits = 2; several && zoid_rank_cells(g) > 1 && visits <= 4; visits *= 2)
        try_epoch(s, g, visits * g->depth);
    if (!turns || zoid_ranks(g) == 1 || g->epoch || passes < 2)
        return;
    try_epoch(s, g, passes * g->depth);
}

void zoid_trial_consider(struct zoid_trial *s, struct zoid_graph *g)
{
    const enum zoid_exchange exchange = s->wanted->request->exchange;

    g->joined = exchange == ZOID_EXCHANGE_JOINED;
    try_epochs(s, g);
    if (exchange || zoid_ranks_axes(g) < 2)
        return;
    g->joined = true;
    try_epochs(s, g);
    g->joined = false;
}
