/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/search.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/device.h"
#include "graphs/common/arith.h"
#include "runtime/plan/amount.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/cells.h"
#include "runtime/plan/coefficients.h"
#include "runtime/plan/finalists.h"
#include "runtime/plan/floor.h"
#include "runtime/plan/place.h"
#include "runtime/plan/ranking.h"
#include "runtime/plan/ranks.h"
#include "runtime/plan/tier.h"

/* Of slabs of a height and a number of lanes: the deepest blocks that fit, or may, and the least
 * deep that do not. */
struct depths {
    long deep, too_deep;
};

/* No machine has more workers than lets lanes be halved so often. */
enum { LANES = 32 };

/* Of the last candidate that exchanged in one of two ways: what its messages follow from, and what
 * these come to. */
struct messages_known {
    struct zoid_census_row row;
    long cells[ZOID_AXES], planes, epoch, line;
    struct zoid_byte_sums sums;
};

struct search {
    const struct zoid_wanted *wanted;
    struct zoid_found *found;
    struct zoid_model model;
    struct zoid_ranking ranking;
    bool scouts;                    /* only some candidates are looked at, */
    struct zoid_ranking scouted;    /* and of those of this cut, what came of it */
    const struct zoid_plan *around; /* only candidates about as high and deep; NULL: any */
    struct zoid_finalists *finalists;
    /* What is being tried, from the outside in; cells are those of a rank. */
    struct zoid_cell_grid grid;
    enum zoid_place_kind place;
    enum zoid_tier_kind home;
    struct zoid_graph last;      /* with one lane, */
    struct depths depths[LANES]; /* of the numbers of lanes that are tried, in that order */
    struct depths *at;           /* that of them which is tried now */
    bool fitted, passed_over;    /* and whether it fitted, in any way, or was not looked at */
    struct zoid_pieces_known pieces;
    struct messages_known messages[2];
};

/* Whether there is room in all tiers but `except`, and but that of the place, which is asked last.
 */
static bool fits_elsewhere(const struct zoid_plan *p, int except)
{
    for (int t = 0; t < ZOID_TIERS; t++) {
        const bool last = t != ZOID_RAM && t == (int)p->place[0].memory;

        if (t != except && !last && p->tier[t].bytes > p->tier[t].capacity)
            return false;
    }
    return true;
}

/* The smallest budget of a tier is one of a plan that there is room for otherwise. */
static bool fits(struct search *s, const struct zoid_plan *p)
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

/* Whether a candidate cannot be better than what is known. Of several that take as long the first
 * one counts, and scouts have run ahead. */
static bool is_hopeless(const struct search *s, const struct zoid_plan *p)
{
    const double seconds = s->wanted->request->each ? 0 : zoid_floor_seconds(&s->model, p);

    return seconds >= zoid_ranking_bar(&s->ranking, p) ||
           seconds > zoid_ranking_bar(&s->scouted, p);
}

/* Whether a candidate does not fit, as its slabs say, or a much less deep one of as many lanes.
 * Where nothing fits, all are counted: one of them is the smallest. */
static bool is_too_large(const struct search *s, const struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    /* The last lanes, and the last epoch, have less to keep. */
    const bool deeper_is_larger = g->method->pipelined && zoid_estimate_passes(p) > g->lanes;

    if (!zoid_plan_streams(p) || (!s->ranking.any && !s->scouted.any) || s->wanted->request->each)
        return false;
    return (deeper_is_larger && s->at->too_deep < g->depth - g->depth / 4) ||
           zoid_floor_bytes(p) > p->tier[p->place[0].memory].capacity;
}

/* What MPI sends at once. */
static const uint64_t MOST_OF_MESSAGE = INT_MAX;

static uint64_t largest_message(const struct zoid_plan *p)
{
    return zoid_larger(p->messages.most, zoid_budget_datum_bytes(p, ZOID_RELAY));
}

/* They are the same whatever the lanes are. */
static struct zoid_byte_sums messages_of(struct search *s, const struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    struct messages_known *known = &s->messages[g->joined];
    struct messages_known one = {.row = p->census.kind[ZOID_MESSAGE],
                                 .cells = {g->cut[0].cells, g->cut[1].cells, g->cut[2].cells},
                                 .planes = p->census.kind[ZOID_SLAB].planes,
                                 .epoch = g->epoch,
                                 .line = g->line};

    if (!one.row.rows)
        return one.sums;
    one.sums = known->sums;
    if (memcmp(known, &one, sizeof one)) {
        one.sums = zoid_budget_messages(p);
        *known = one;
    }
    return one.sums;
}

static void try(struct search *s, const struct zoid_graph *graph)
{
    const struct zoid_wanted *w = s->wanted;
    struct zoid_plan p = {.problem = *w->problem,
                          .graph = *graph,
                          .serial = w->request->overlap == ZOID_OVERLAP_OFF,
                          .places = 1,
                          .ways = zoid_streams(s->place) ? 0 : w->site->ways,
                          .home = s->home};

    int rc = zoid_graph_init(&p.graph, &p.clamped);

    if (rc == ZOID_GRAPH_BAD_RANKS) {
        s->found->thin = true;
        s->found->epoch = zoid_max(s->found->epoch, zoid_epoch_most(&p.graph));
        return;
    }
    if (rc) {
        long lowest = p.graph.method->min_block(&p.graph.shape), known = s->found->lowest;

        s->found->lowest = known && known < lowest ? known : lowest;
        return;
    }
    p.place[0] =
        zoid_place_make(s->place, w->site->workers[s->place], w->request->traversal, p.graph.lanes);
    memcpy(p.tier, w->tier, sizeof p.tier);
    p.layout = zoid_plan_layout(&p, 0);
    if (is_too_large(s, &p))
        return;
    if (is_hopeless(s, &p)) {
        s->passed_over = true;
        return;
    }
    zoid_graph_census(&p.graph, &p.census);
    s->found->censuses++;
    /* All legs have pieces of coefficients alike. */
    if (w->request->again)
        p.graph.leg.piece = p.census.kind[ZOID_COEFFICIENT].planes;
    p.scratch_planes = zoid_plan_scratch(&p);
    if (p.problem.op->coefficient_bytes)
        p.pieces = zoid_piece_sums(&s->pieces, &p, w->site->capacity[ZOID_RAM]);
    p.messages = messages_of(s, &p);
    zoid_budget_keep(&p);
    if (largest_message(&p) > MOST_OF_MESSAGE) {
        const uint64_t known = s->found->message, most = largest_message(&p);

        s->found->message = known ? zoid_smaller(known, most) : most;
        return;
    }
    if (!fits(s, &p))
        return;
    s->fitted = true;
    p.cost = zoid_estimate(&s->model, &p);
    if (p.problem.op->runner && !(p.cost.seconds < INFINITY)) {
        s->found->no_runner = true;
        return;
    }
    zoid_ranking_add(&s->ranking, &p);
    if (!zoid_plan_streams(&p))
        zoid_finalists_add(s->finalists, &p);
    if (w->request->each && !s->scouts && p.cost.seconds < INFINITY)
        w->request->each(w->request->self, &p);
}

/* By epochs of so many steps, unless they are given. */
static void try_epoch(struct search *s, struct zoid_graph *g, long steps)
{
    if (g->epoch || steps > g->steps)
        return;
    g->epoch = steps;
    try(s, g);
    g->epoch = 0;
}

/* Epochs of several visits: on cores, which need not wait for halos between them. Where ranks take
 * turns, also of as many passes as there are lanes: passes of an epoch follow one another more
 * closely than epochs do. */
static void try_epochs(struct search *s, struct zoid_graph *g)
{
    const long passes = zoid_min(g->lanes, zoid_ceil_div(g->steps, g->depth));
    const bool several = s->wanted->request->each || !zoid_streams(s->place);

    try(s, g);
    for (long visits = 2; several && zoid_rank_cells(g) > 1 && visits <= 4; visits *= 2)
        try_epoch(s, g, visits * g->depth);
    if (!zoid_in_order(&g->shape) || zoid_ranks(g) == 1 || g->epoch || passes < 2)
        return;
    try_epoch(s, g, passes * g->depth);
}

/* By both ways to exchange where they differ and any will do. */
static void consider(struct search *s, struct zoid_graph *g)
{
    const enum zoid_exchange exchange = s->wanted->request->exchange;

    g->joined = exchange == ZOID_EXCHANGE_JOINED;
    try_epochs(s, g);
    if (exchange || zoid_ranks_axes(g) < 2)
        return;
    g->joined = true;
    try(s, g);
    g->joined = false;
}

/* Within a half of what scouts found, if they did. */
static bool is_near(long size, long centre)
{
    return !centre || (2 * size <= 3 * centre && 3 * size >= 2 * centre);
}

/* Sizes worth trying up to `most`: fine steps where they matter, then powers of two, then the
 * even parts of `most`. Calls back for each, or scouting for some. */
static void each_size(struct search *s, struct zoid_graph *g, long *size, long fixed, long most,
                      void (*each)(struct search *, struct zoid_graph *))
{
    enum { SOME = 4 };
    const struct zoid_graph *around = s->around ? &s->around->graph : NULL;
    const long centre = !around ? 0 : size == &g->block ? around->block : around->depth;
    int n = 0;

    if (fixed) {
        *size = fixed;
        each(s, g);
        return;
    }
    for (long v = 1; v <= most; v += v < 8 ? 1 : v / 4) {
        *size = v;
        if (is_near(v, centre) && (!s->scouts || n++ % SOME == 0))
            each(s, g);
    }
    for (long parts = 1; parts <= 16 && most / parts > 8; parts += s->scouts ? SOME : 1) {
        *size = (most + parts - 1) / parts;
        if (is_near(*size, centre))
            each(s, g);
    }
}

/* The i-th number of lanes that is tried; 0: there are no more. With two lanes a GPU has blocks of
 * one to run while StarPU follows up those of another, and slabs that do not stay come for two
 * visits at once. A third has nothing left to hide. Where there are no lanes, one worker of a place
 * that data come to has them all. */
static int lanes_at(const struct search *s, const struct zoid_graph *g, int i)
{
    const bool streams = zoid_streams(s->place), pipelined = g->method->pipelined;
    const int workers = streams && !pipelined ? 1 : s->wanted->site->workers[s->place];
    const bool two = streams && pipelined && s->wanted->request->overlap != ZOID_OVERLAP_OFF;
    const int most = two ? 2 * workers : workers, named = s->wanted->request->lanes;

    if (i >= LANES || (named && i))
        return 0;
    return named ? (int)zoid_min(named, most) : most >> i;
}

/* By the i-th number of lanes. */
static void one_lanes(struct search *s, struct zoid_graph *g, int i)
{
    struct depths *d = s->at = &s->depths[i];

    g->lanes = lanes_at(s, g, i);
    s->fitted = s->passed_over = false;
    consider(s, g);
    if (s->fitted || (s->passed_over && g->depth < d->too_deep))
        d->deep = zoid_max(d->deep, g->depth);
    else if (!s->passed_over)
        d->too_deep = zoid_min(d->too_deep, g->depth);
}

static void each_lanes(struct search *s, struct zoid_graph *g)
{
    struct zoid_graph next = *g;
    bool clamped;

    /* Many depths beyond what a method can do are the same one. */
    next.lanes = 1;
    if (!zoid_graph_init(&next, &clamped)) {
        if (s->last.method == next.method && s->last.elastic == next.elastic &&
            s->last.block == next.block && s->last.depth == next.depth)
            return;
        s->last = next;
    }
    /* Passes that share the lanes evenly are none the faster for fewer of them, if they are not
     * wider for it. */
    for (int i = 0; lanes_at(s, g, i) > 0; i++) {
        one_lanes(s, g, i);
        if (g->elastic && s->fitted && !g->method->wide && !s->wanted->request->each)
            break;
    }
}

/* And where data come and go, of every number of lanes the deepest blocks that there is room for:
 * between one of those depths and the next up to a quarter of the memory would lie idle. */
static void each_depth(struct search *s, struct zoid_graph *g)
{
    enum { PART = 32 }; /* that may */
    const long steps = s->wanted->problem->steps, depth = s->wanted->request->depth;

    for (int i = 0; i < LANES; i++)
        s->depths[i] = (struct depths){0, LONG_MAX};
    each_size(s, g, &g->depth, depth ? depth : g->method->single_step, steps ? steps : 1,
              each_lanes);
    if (s->scouts || !zoid_streams(s->place))
        return;
    for (int i = 0; lanes_at(s, g, i) > 0; i++) {
        const struct depths *d = &s->depths[i];

        while (d->deep > 0 && d->too_deep < LONG_MAX &&
               d->too_deep - d->deep > 1 + d->deep / PART) {
            g->depth = d->deep + (d->too_deep - d->deep) / 2;
            one_lanes(s, g, i);
        }
    }
}

static void each_method(struct search *s)
{
    const struct zoid_wanted *w = s->wanted;
    const struct zoid_request *r = w->request;

    s->last = (struct zoid_graph){0};
    for (size_t i = 0; zoid_methods[i]; i++) {
        struct zoid_graph g = {.method = zoid_methods[i],
                               .shape = zoid_problem_shape(w->problem),
                               .start = w->problem->start,
                               .steps = w->problem->steps,
                               .leg = {.is = r->again ? ZOID_LEG_FIRST : ZOID_LEG_ONLY},
                               .epoch = r->epoch,
                               .at_once = zoid_places[s->place]->at_once(w->problem->op),
                               /* CPU cores share any lane; a GPU keeps its own, and slabs go to
                                * and from a disk at the ends of the lanes. */
                               .elastic = !zoid_streams(s->place) && s->home == ZOID_RAM,
                               .workers = w->site->workers[s->place]};
        long extent = g.shape.n[g.shape.dims - 1];
        long lowest = g.method->min_block(&g.shape);

        zoid_cells_apply(&s->grid, &w->ranks, &g);
        g.rank = zoid_ranks_inner(&g);
        zoid_coefficients_apply(w->problem->op, &g);
        if (r->leaf)
            g.leaf = zoid_plan_leaf(w->problem, &g, r->leaf);
        if ((w->method && w->method != g.method) ||
            (s->around && s->around->graph.method != g.method) ||
            zoid_method_refuses(g.method, &g.shape) || (r->leaf && !g.method->leaf) ||
            (zoid_cells(&g) > 1 && !g.method->cells))
            continue;
        each_size(s, &g, &g.block, r->block, zoid_max(extent, lowest), each_depth);
    }
}

/* At home in main memory, and in each tier beyond it that there is. */
static void each_home(struct search *s)
{
    for (int t = ZOID_RAM; t < ZOID_TIERS; t++)
        if (zoid_tiers[t]->home(s->wanted->site)) {
            s->home = (enum zoid_tier_kind)t;
            each_method(s);
        }
}

/* All places, those that data stream to first; or these alone. */
static void each_place(struct search *s, bool alone)
{
    const struct zoid_wanted *w = s->wanted;

    for (int k = ZOID_PLACES - 1; k >= 0; k--)
        if (w->site->workers[k] > 0 && zoid_places[k]->can(w->problem->op) &&
            (zoid_streams((enum zoid_place_kind)k) || !alone)) {
            s->place = (enum zoid_place_kind)k;
            each_home(s);
        }
}

/* What some candidates take says of most others that they are no better. */
static void try_all(struct search *s, bool alone)
{
    const struct zoid_ranking before = s->ranking;

    s->scouted = (struct zoid_ranking){.any = false};
    s->scouts = true;
    each_place(s, alone);
    s->scouted = s->ranking;
    s->ranking = before;
    s->scouts = false;
    each_place(s, alone);
}

/* Of cells on cores, only some candidates, and those like the best of them. */
static void try_some(struct search *s)
{
    const struct zoid_ranking before = s->ranking;
    struct zoid_plan best;

    s->ranking = s->scouted = (struct zoid_ranking){.any = false};
    s->scouts = true;
    each_place(s, false);
    s->scouts = false;
    if (s->ranking.any) {
        best = s->ranking.best;
        s->around = &best;
        each_place(s, false);
        s->around = NULL;
    }
    zoid_ranking_join(&s->ranking, &before);
}

static void try_cut(struct search *s, struct zoid_cell_grid grid, bool alone)
{
    const bool cores = s->ranking.any && !zoid_plan_streams(&s->ranking.best);

    s->grid = grid;
    if (cores && !alone && !s->wanted->request->each)
        try_some(s);
    else
        try_all(s, alone);
}

/* How long a run would be at least that kept all workers busy at the operator's best rate. */
static double best_seconds(const struct search *s, const struct zoid_plan *p)
{
    const struct zoid_op_rates *r = &s->model.op;
    const bool fuses =
        zoid_traversal_fuses(p->place[0].traversal) && zoid_fuses(p->problem.op, &p->graph.shape);
    const double marched = r->marched > 0 ? fmin(r->marched, r->tiled) : r->tiled;
    double points = (double)p->graph.steps / p->place[0].workers;

    for (int a = 0; a < p->problem.op->dims; a++)
        points *= (double)p->graph.shape.n[a];
    return points * (!zoid_plan_streams(p) ? marched : fuses ? r->gpu_even : r->gpu_step);
}

/* Whether smaller planes may do better than the best of these. On GPUs: slabs stream through them,
 * few of which fit, and they spend much of their time on other things than the best of their
 * kernels. On many cores: passes that are chains feed few of them. */
static bool planes_are_large(const struct search *s)
{
    enum { FEW = 2 };
    const struct zoid_plan *best = &s->ranking.best;

    if (zoid_plan_streams(best) ? zoid_plan_stays(best) : best->place[0].workers <= FEW)
        return false;
    return best->cost.seconds > 1.2 * best_seconds(s, best);
}

/* Cells make of a plane several smaller ones and compute points between them twice, so that they
 * are tried where planes are too large, unless they are asked for. Strips come first, whose rows
 * are whole; cells in both axes have narrower rows, and are for planes of which strips do not fit.
 */
static void each_cut(struct search *s)
{
    enum { MOST = 64 };
    const struct zoid_shape whole = zoid_problem_shape(s->wanted->problem);
    const struct zoid_shape shape = zoid_ranks_part(&whole, &s->wanted->ranks);
    const struct zoid_request *r = s->wanted->request;
    const long rows = shape.dims < 2 ? 1 : shape.n[shape.dims - 2];
    bool alone = false;
    int in_vain = 0;

    if (r->strip != ZOID_STRIP_SOME)
        try_cut(s, zoid_cells_of(r, &shape), false);
    if (zoid_cells_named(r) || !zoid_cells_possible(&shape))
        return;
    if (r->strip != ZOID_STRIP_SOME && s->ranking.any) {
        alone = zoid_plan_streams(&s->ranking.best);
        if (!planes_are_large(s))
            return;
    }
    /* Where twice as many have gained nothing, and twice these neither, no more will. */
    for (long strips = 2; strips <= MOST && strips <= rows && in_vain < 2; strips *= 2) {
        const double before = s->ranking.any ? s->ranking.best.cost.seconds : INFINITY;

        try_cut(s, zoid_cells_strips(&shape, (rows + strips - 1) / strips), alone);
        in_vain = !s->ranking.any || s->ranking.best.cost.seconds < before ? 0 : in_vain + 1;
    }
    for (long cells = 2; !s->ranking.any && shape.dims == 3 && cells <= MOST; cells *= 2)
        try_cut(s, zoid_cells_squares(&shape, cells), false);
}

enum zoid_status zoid_search(const struct zoid_wanted *wanted, struct zoid_found *found)
{
    struct search s = {
        .wanted = wanted,
        .found = found,
        .model = zoid_model_of(wanted->site->machine, wanted->site->rates, wanted->problem->op),
        .finalists = calloc(1, sizeof *s.finalists)};

    *found = (struct zoid_found){.any = false};
    for (int t = 0; t < ZOID_TIERS; t++)
        found->least[t] = UINT64_MAX;
    if (!s.finalists)
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    each_cut(&s);
    found->any = s.ranking.any;
    if (found->any) {
        zoid_finalists_rank(s.finalists, &s.model, &s.ranking);
        found->best = s.ranking.best;
        zoid_ranking_explain(&s.ranking, &found->best);
    }
    free(s.finalists);
    return ZOID_OK;
}
