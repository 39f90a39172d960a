/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/search.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "codelets/block/device.h"
#include "codelets/block/tile.h"
#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/method.h"
#include "runtime/boundary.h"
#include "runtime/error.h"
#include "runtime/machine/core.h"
#include "runtime/plan/cells.h"
#include "runtime/plan/finalists.h"
#include "runtime/plan/floor.h"
#include "runtime/plan/parts.h"
#include "runtime/plan/place.h"
#include "runtime/plan/ranking.h"
#include "runtime/plan/ranks.h"
#include "runtime/plan/tier.h"
#include "runtime/plan/trial.h"

/* Cores that a chain of blocks, or a cell each, feeds well enough. */
enum { FEW = 2 };

/* Return whether a size is within a half of the sample's best, if there is one. */
static bool is_near(long size, long centre)
{
    return !centre || (2 * size <= 3 * centre && 3 * size >= 2 * centre);
}

/* Call `each` for the sizes worth trying up to `most`: steps of one, then of a quarter, then the
 * even parts of `most`. For a sample, only some of them. */
static void each_size(struct zoid_trial *s, struct zoid_graph *g, long *size, long fixed, long most,
                      void (*each)(struct zoid_trial *, struct zoid_graph *))
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

/* The i-th number of lanes to try; 0: no more. With two lanes, a GPU runs blocks of one while
 * StarPU handles those of the other, and slabs that do not stay come for two visits at once; a
 * third would hide nothing more. Methods without lanes use one worker of a place that data stream
 * to. */
static int lanes_at(const struct zoid_trial *s, const struct zoid_graph *g, int i)
{
    const bool streams = zoid_streams(s->place), pipelined = g->method->pipelined;
    const int workers = streams && !pipelined ? 1 : zoid_trial_workers(s);
    const bool two = streams && pipelined && s->wanted->request->overlap != ZOID_OVERLAP_OFF;
    const int most = two ? 2 * workers : workers, named = s->wanted->request->lanes;

    if (i >= ZOID_TRIAL_LANES || (named && i))
        return 0;
    return named ? (int)zoid_min(named, most) : most >> i;
}

/* Try the i-th number of lanes. */
static void one_lanes(struct zoid_trial *s, struct zoid_graph *g, int i)
{
    struct zoid_depths *d = s->at = &s->depths[i];

    g->lanes = lanes_at(s, g, i);
    s->fitted = s->passed_over = false;
    zoid_trial_consider(s, g);
    if (s->fitted || (s->passed_over && g->depth < d->too_deep))
        d->deep = zoid_max(d->deep, g->depth);
    else if (!s->passed_over)
        d->too_deep = zoid_min(d->too_deep, g->depth);
}

static void each_lanes(struct zoid_trial *s, struct zoid_graph *g)
{
    struct zoid_graph next = *g;
    bool clamped;

    /* Depths beyond the method's limit are clamped to the same depth. */
    next.lanes = 1;
    if (!zoid_graph_init(&next, &clamped)) {
        if (s->last.method == next.method && s->last.elastic == next.elastic &&
            s->last.block == next.block && s->last.depth == next.depth)
            return;
        s->last = next;
    }
    /* Passes that share the lanes evenly are not faster with fewer lanes, unless they become
     * wider. */
    for (int i = 0; lanes_at(s, g, i) > 0; i++) {
        one_lanes(s, g, i);
        if (g->elastic && s->fitted && !g->method->wide && !s->wanted->request->each)
            break;
    }
}

/* Try the depths; if data stream, bisect, for each number of lanes, to the deepest blocks that fit:
 * between two depths of the list, up to a quarter of the memory would be unused. */
static void each_depth(struct zoid_trial *s, struct zoid_graph *g)
{
    enum { PART = 32 }; /* 1 / PART may stay unused */
    const long steps = s->wanted->problem->steps, depth = s->wanted->request->depth;

    for (int i = 0; i < ZOID_TRIAL_LANES; i++)
        s->depths[i] = (struct zoid_depths){0, LONG_MAX};
    each_size(s, g, &g->depth, depth ? depth : g->method->single_step, steps ? steps : 1,
              each_lanes);
    if (s->scouts || !zoid_streams(s->place))
        return;
    for (int i = 0; lanes_at(s, g, i) > 0; i++) {
        const struct zoid_depths *d = &s->depths[i];

        while (d->deep > 0 && d->too_deep < LONG_MAX &&
               d->too_deep - d->deep > 1 + d->deep / PART) {
            g->depth = d->deep + (d->too_deep - d->deep) / 2;
            one_lanes(s, g, i);
        }
    }
}

static void take_part(const struct zoid_split *split, struct zoid_graph *g)
{
    const int chain = zoid_chain(&g->shape);

    g->cut[chain] = (struct zoid_axis_cells){split->parts, 1, split->border};
    g->ranks[chain] = split->parts;
    g->apart = true;
    g->rank = zoid_ranks_of_part(g, split->part, zoid_ranks_process(g, zoid_ranks_inner(g)));
    g->line = split->line;
}

static void each_method(struct zoid_trial *s)
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
                               .at_once = zoid_place_at_once(s->place, w->problem->op),
                               /* Cores share any lane; a GPU keeps its own, and slabs go to and
                                * from a disk at the ends of the lanes. */
                               .elastic = !zoid_streams(s->place) && s->home == ZOID_RAM,
                               .workers = zoid_trial_workers(s)};
        long extent = g.shape.n[g.shape.dims - 1];
        long lowest = g.method->min_block(&g.shape);

        zoid_cells_apply(&s->grid, &w->ranks, &g);
        if (w->split)
            take_part(w->split, &g);
        else
            g.rank = zoid_ranks_inner(&g);
        zoid_coefficients_apply(w->problem->op, &g);
        if (r->leaf)
            g.leaf = zoid_plan_leaf(w->problem, &g, r->leaf);
        if ((w->method && w->method != g.method) ||
            (s->around && s->around->graph.method != g.method) ||
            (s->place == ZOID_ANY && g.method->chained) ||
            zoid_method_refuses(g.method, &g.shape) || (r->leaf && !g.method->leaf) ||
            (zoid_cells(&g) > 1 && !g.method->cells))
            continue;
        each_size(s, &g, &g.block, r->block, zoid_max(extent, lowest), each_depth);
        zoid_trial_list_teams(s);
    }
}

/* Try main memory as the home, and each tier beyond it that is available. */
static void each_home(struct zoid_trial *s)
{
    for (int t = ZOID_RAM; t < ZOID_TIERS; t++)
        if (zoid_tiers[t]->home(s->wanted->site)) {
            s->home = (enum zoid_tier_kind)t;
            each_method(s);
        }
}

/* Try all places, those that data stream to first; `alone`: these only. ANY place has all workers.
 */
static void each_place(struct zoid_trial *s, bool alone)
{
    const struct zoid_wanted *w = s->wanted;

    for (int k = ZOID_PLACES - 1; k >= 0; k--)
        if (w->site->workers[k] > 0 && zoid_places[k]->can(w->problem->op) &&
            (zoid_streams((enum zoid_place_kind)k) || !alone)) {
            s->place = (enum zoid_place_kind)k;
            each_home(s);
            if (k == ZOID_ANY)
                return;
        }
}

/* Try a sample first, since it shows that most other candidates are no better. */
static void try_all(struct zoid_trial *s, bool alone)
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

/* Try a sample, and candidates similar to its best: for cells on cores. */
static void try_some(struct zoid_trial *s)
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

static void try_cut(struct zoid_trial *s, struct zoid_cell_grid grid, bool alone)
{
    const bool cores = s->ranking.any && !zoid_plan_streams(&s->ranking.best);

    s->grid = grid;
    if (cores && !alone && !s->wanted->request->each)
        try_some(s);
    else
        try_all(s, alone);
}

/* Return whether workers of a place compute several times together. */
static bool place_fuses(const struct zoid_place *place)
{
    bool fuses = false;

    for (int k = 0; k < ZOID_ANY; k++)
        fuses |= zoid_place_of_kind(place, (enum zoid_place_kind)k) &&
                 zoid_traversal_fuses(place->traversal[k]);
    return fuses;
}

/* Return a lower bound of the run's seconds: all workers busy at the operator's best rate. */
static double best_seconds(const struct zoid_trial *s, const struct zoid_plan *p)
{
    const bool fuses = place_fuses(&p->place) && zoid_fuses(p->problem.op, &p->graph.shape);
    const double points =
        zoid_estimate_owned(p) * (double)p->graph.steps / zoid_place_all(&p->place);

    return points * zoid_floor_point(&s->model, p->problem.op, p->place.kind, fuses);
}

/* Return whether smaller planes may be faster than the best plan. On GPUs: slabs stream, few fit,
 * and kernels at their best rate are a small part of the time. On many cores: passes that are
 * chains feed few of them. */
static bool planes_are_large(const struct zoid_trial *s)
{
    const struct zoid_plan *best = &s->ranking.best;

    if (zoid_plan_streams(best) ? zoid_plan_stays(best) : zoid_place_all(&best->place) <= FEW)
        return false;
    return best->cost.seconds > 1.2 * best_seconds(s, best);
}

/* Return whether a team can compute blocks of such planes together. */
static bool suits_team(const struct zoid_op *op, const struct zoid_shape *shape)
{
    for (size_t i = 0; op->runner && op->runner[i]; i++)
        if (op->runner[i]->excess)
            return true;
    return zoid_tiled(shape);
}

/* Try teams of all cores that share a cache and a memory, where slabs of many cores lie in main
 * memory: a team brings less of it in than its cores by themselves, and needs no halos. */
static void each_team(struct zoid_trial *s, const struct zoid_shape *shape)
{
    const int cores = s->wanted->site->workers[ZOID_CORES];
    const long rows = shape->dims < 2 ? 1 : shape->n[shape->dims - 2];
    const struct zoid_request *r = s->wanted->request;
    long teams;

    if (r->team || s->ranking.best.place.kind != ZOID_CORES)
        return;
    s->team = (int)zoid_min(cores, zoid_machine_team(s->wanted->site->machine));
    teams = zoid_place_teams(cores, s->team);
    if (s->team > FEW && suits_team(s->wanted->problem->op, shape)) {
        const bool cut = teams > 1 && zoid_cells_possible(shape) && !zoid_cells_named(r);

        try_cut(s, zoid_cells_strips(shape, cut ? (rows + teams - 1) / teams : 0), false);
    }
    s->team = 1;
}

/* Try the cuts. Cells split planes into smaller ones and compute ghost points between them, so they
 * are tried if planes are too large, or on request. Strips come first, since their rows are whole;
 * cells along both axes have shorter rows, and are for planes whose strips do not fit. */
static void each_cut(struct zoid_trial *s)
{
    enum { MOST = 64 };
    const long cores = s->wanted->site->workers[ZOID_CORES];
    const struct zoid_shape whole = zoid_problem_shape(s->wanted->problem);
    const struct zoid_shape shape = zoid_ranks_part(&whole, &s->wanted->ranks);
    const struct zoid_request *r = s->wanted->request;
    const long rows = shape.dims < 2 ? 1 : shape.n[shape.dims - 2];
    bool alone = false;
    int in_vain = 0;

    s->team = zoid_max(r->team, 1);
    if (r->strip != ZOID_STRIP_SOME)
        try_cut(s, zoid_cells_of(r, &shape), false);
    if (!s->ranking.any && s->wanted->known > 0)
        return;
    if (zoid_cells_named(r) || !zoid_cells_possible(&shape)) {
        if ((r->strip == ZOID_STRIP_NONE || !zoid_cells_named(r)) && s->ranking.any &&
            planes_are_large(s))
            each_team(s, &shape);
        return;
    }
    if (r->strip != ZOID_STRIP_SOME && s->ranking.any) {
        alone = zoid_plan_streams(&s->ranking.best);
        if (!planes_are_large(s))
            return;
    }
    /* Stop once two doublings in a row have gained nothing. */
    for (long strips = 2; strips <= MOST && strips <= rows && in_vain < 2; strips *= 2) {
        const double before = s->ranking.any ? s->ranking.best.cost.seconds : INFINITY;

        try_cut(s, zoid_cells_strips(&shape, (rows + strips - 1) / strips), alone);
        in_vain = !s->ranking.any || s->ranking.best.cost.seconds < before ? 0 : in_vain + 1;
    }
    if (s->ranking.any && !zoid_plan_streams(&s->ranking.best) && cores > FEW && rows >= cores)
        try_cut(s, zoid_cells_strips(&shape, (rows + cores - 1) / cores), false);
    if (s->ranking.any)
        each_team(s, &shape);
    for (long cells = 2; !s->ranking.any && shape.dims == 3 && cells <= MOST; cells *= 2)
        try_cut(s, zoid_cells_squares(&shape, cells), false);
}

enum zoid_status zoid_search(const struct zoid_wanted *wanted, struct zoid_found *found)
{
    struct zoid_trial s = {
        .wanted = wanted,
        .found = found,
        .model = zoid_model_of(wanted->site->machine, wanted->site->rates, wanted->problem->op),
        .finalists = calloc(1, sizeof *s.finalists)};

    *found = (struct zoid_found){.any = false};
    for (int t = 0; t < ZOID_TIERS; t++)
        found->least[t] = UINT64_MAX;
    if (!s.finalists)
        return zoid_no_memory();
    each_cut(&s);
    found->any = s.ranking.any;
    if (found->any) {
        zoid_finalists_rank(s.finalists, &s.model, &s.ranking);
        zoid_finalists_replay(s.finalists, &s.model, &s.ranking);
        found->best = s.ranking.best;
        zoid_ranking_explain(&s.ranking, &found->best);
    }
    free(s.finalists);
    return ZOID_OK;
}
