/* SPDX-License-Identifier: BSD-3-Clause */
/* The planner: every choice is made, and proved to fit, before anything is allocated.
 *
 * It tries a fixed list of candidates (method x slab x depth x lanes), drops those that do not fit
 * the budget and takes the cheapest by estimate.c. The list does not depend on the budget, so the
 * smallest total over it is the smallest budget that works. */
#include "runtime/plan/plan.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "codelets/device.h"
#include "runtime/plan/alias.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/cells.h"
#include "runtime/plan/place.h"
#include "runtime/plan/tier.h"

struct search {
    const struct zoid_site *site;
    const struct zoid_problem *problem;
    const struct zoid_request *request;
    const char *name;                 /* of the method, as it was asked for */
    const struct zoid_method *method; /* NULL: any */
    struct zoid_model model;
    struct zoid_tier tier[ZOID_TIERS]; /* as they are without a plan */
    struct zoid_plan best;
    struct zoid_plan other; /* the best of another method, place or home */
    bool any_other;
    uint64_t least[ZOID_TIERS]; /* bytes of the smallest candidate */
    enum zoid_place_kind place; /* what is being tried */
    enum zoid_tier_kind home;
    bool no_runner;          /* nothing runs some of the blocks that fit */
    bool any_tried;          /* something was */
    struct zoid_graph tried; /* the last one */
    long lowest; /* slab that some method would take, when none took the one asked for */
    bool any;
    struct zoid_cell_grid grid; /* that is being tried */
    bool strips;                /* the method's name stands for them */
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

    s->any_tried = true;
    for (int t = 0; t < ZOID_TIERS; t++) {
        if (zoid_plan_uses(p, t) && fits_elsewhere(p, t) && p->tier[t].bytes < s->least[t])
            s->least[t] = p->tier[t].bytes;
        all = all && p->tier[t].bytes <= p->tier[t].capacity;
    }
    return all;
}

/* How planes lie that have such a patch. */
static struct zoid_layout layout_of(const struct zoid_problem *problem,
                                    const struct zoid_graph *graph, const struct zoid_patch *patch)
{
    struct zoid_layout whole =
        zoid_layout_make(problem->op, problem->n, zoid_layout_ghost(&graph->shape));

    return zoid_layout_window(&whole, patch);
}

/* Planes that a recursion may leave in one piece, of a cell its own points: they move between two
 * buffers, beside their coefficients. */
static long leaf_planes(const struct zoid_problem *problem, const struct zoid_graph *graph,
                        uint64_t bytes)
{
    struct zoid_patch own = zoid_cell_own(graph, zoid_cells(graph) - 1, 0);
    struct zoid_layout layout = layout_of(problem, graph, &own);
    uint64_t fields = 2 * (uint64_t)problem->op->nstate + (uint64_t)problem->op->ncoef;
    uint64_t planes = bytes / zoid_layout_plane_bytes(&layout) / fields;

    return planes > LONG_MAX ? LONG_MAX : planes < 1 ? 1 : (long)planes;
}

struct zoid_layout zoid_plan_layout(const struct zoid_plan *plan, long cell)
{
    struct zoid_patch window = zoid_cell_window(&plan->graph, cell);

    return layout_of(&plan->problem, &plan->graph, &window);
}

size_t zoid_plan_halo(const struct zoid_plan *plan)
{
    struct zoid_rim rim = zoid_cell_rim_most(&plan->graph);

    return zoid_cells(&plan->graph) > 1 ? zoid_layout_rim(&plan->layout, &rim) : 0;
}

static bool alike(const struct zoid_plan *a, const struct zoid_plan *b)
{
    return a->graph.method == b->graph.method && a->place[0].kind == b->place[0].kind &&
           a->home == b->home;
}

static void keep_other(struct search *s, const struct zoid_plan *p)
{
    if (s->any_other && !alike(&s->other, &s->best) && p->cost.seconds >= s->other.cost.seconds)
        return;
    s->other = *p;
    s->any_other = true;
}

/* The plan's reason goes on with what came next, and what that would take. */
static void name_other(struct search *s)
{
    char *reason = s->best.reason;
    const size_t at = strlen(reason), room = sizeof s->best.reason - at;
    const struct zoid_plan *o = &s->other;

    if (!s->any_other || alike(o, &s->best))
        snprintf(reason + at, room, "; nothing else fits");
    else
        snprintf(reason + at, room, "; %.3g s, next %s%s%s, %ld planes, %ld steps: %.3g s",
                 s->best.cost.seconds, o->graph.method->name,
                 o->place[0].kind == s->best.place[0].kind ? "" : zoid_place_of(o)->on,
                 o->home == s->best.home ? "" : zoid_tiers[o->home]->in, o->graph.block,
                 o->graph.depth, o->cost.seconds);
}

static void consider(struct search *s, const struct zoid_graph *wanted)
{
    struct zoid_plan p = {.problem = *s->problem,
                          .graph = *wanted,
                          .serial = s->request->overlap == ZOID_OVERLAP_OFF,
                          .places = 1,
                          .home = s->home};

    if (zoid_graph_init(&p.graph, &p.clamped)) {
        long lowest = p.graph.method->min_block(&p.graph.shape);

        s->lowest = s->lowest && s->lowest < lowest ? s->lowest : lowest;
        return;
    }
    p.place[0] =
        zoid_place_make(s->place, s->site->workers[s->place], s->request->traversal, p.graph.lanes);
    memcpy(p.tier, s->tier, sizeof p.tier);
    p.layout = zoid_plan_layout(&p, 0);
    zoid_graph_census(&p.graph, &p.census);
    /* All legs have pieces of coefficients alike. */
    if (s->request->again)
        p.graph.leg.piece = p.census.kind[ZOID_COEFFICIENT].planes;
    p.scratch_planes = zoid_scratch_planes(&p.graph.shape, p.census.box_planes,
                                           zoid_places[s->place]->batch(&p.graph));
    zoid_budget_count(&p);
    if (!fits(s, &p))
        return;
    p.cost = zoid_estimate(&s->model, &p);
    if (p.problem.op->runner && !(p.cost.seconds < INFINITY)) {
        s->no_runner = true;
        return;
    }
    if (!s->any) {
        s->best = p;
        s->any = true;
    } else if (p.cost.seconds < s->best.cost.seconds) {
        if (!alike(&p, &s->best))
            keep_other(s, &s->best);
        s->best = p;
    } else if (!alike(&p, &s->best)) {
        keep_other(s, &p);
    }
}

/* Sizes worth trying up to `most`: fine steps where they matter, then powers of two, then the
 * even parts of `most`. Calls try for each. */
static void each_size(struct search *s, struct zoid_graph *g, long *size, long fixed, long most,
                      void (*try)(struct search *, struct zoid_graph *))
{
    if (fixed) {
        *size = fixed;
        try(s, g);
        return;
    }
    for (long v = 1; v <= most; v += v < 8 ? 1 : v / 4) {
        *size = v;
        try(s, g);
    }
    for (long parts = 1; parts <= 16 && most / parts > 8; parts++) {
        *size = (most + parts - 1) / parts;
        try(s, g);
    }
}

static void each_lanes(struct search *s, struct zoid_graph *g)
{
    const bool streams = zoid_streams(s->place);
    /* Where there are no lanes, one worker of a place that data come to has them all. */
    int workers = streams && !g->method->pipelined ? 1 : s->site->workers[s->place];
    bool serial = s->request->overlap == ZOID_OVERLAP_OFF, clamped;
    struct zoid_graph next = *g;

    /* Many depths beyond what a method can do are the same one. */
    next.lanes = 1;
    if (!zoid_graph_init(&next, &clamped)) {
        if (s->tried.method == next.method && s->tried.elastic == next.elastic &&
            s->tried.block == next.block && s->tried.depth == next.depth)
            return;
        s->tried = next;
    }
    /* With two lanes a GPU has blocks of one to run while StarPU follows up those of another, and
     * slabs that do not stay come for two visits at once. A third has nothing left to hide. */
    if (streams && g->method->pipelined && !serial) {
        g->lanes = 2 * workers;
        consider(s, g);
    }
    for (int lanes = workers; lanes >= 1; lanes = lanes > 1 ? lanes / 2 : 0) {
        g->lanes = lanes;
        consider(s, g);
    }
}

static void each_depth(struct search *s, struct zoid_graph *g)
{
    long steps = s->problem->steps ? s->problem->steps : 1;
    long fixed = s->request->depth ? s->request->depth : g->method->single_step;

    each_size(s, g, &g->depth, fixed, steps, each_lanes);
}

static void each_method(struct search *s)
{
    s->tried = (struct zoid_graph){0};
    for (size_t i = 0; zoid_methods[i]; i++) {
        struct zoid_graph g = {.method = zoid_methods[i],
                               .shape = zoid_problem_shape(s->problem),
                               .start = s->problem->start,
                               .steps = s->problem->steps,
                               .leg = {.is = s->request->again ? ZOID_LEG_FIRST : ZOID_LEG_ONLY},
                               .epoch = s->request->epoch,
                               .coefficients = s->problem->op->ncoef > 0,
                               /* CPU cores share any lane; a GPU keeps its own, and slabs go to
                                * and from a disk at the ends of the lanes. */
                               .elastic = !zoid_streams(s->place) && s->home == ZOID_RAM};
        long extent = g.shape.n[g.shape.dims - 1];
        long lowest = g.method->min_block(&g.shape);

        zoid_cells_apply(&s->grid, &g);
        if (s->request->leaf)
            g.leaf = leaf_planes(s->problem, &g, s->request->leaf);
        if ((s->method && s->method != g.method) || zoid_method_refuses(g.method, &g.shape) ||
            (s->request->leaf && !g.method->leaf) || (zoid_cells(&g) > 1 && !g.method->cells))
            continue;
        each_size(s, &g, &g.block, s->request->block, extent > lowest ? extent : lowest,
                  each_depth);
    }
}

/* At home in main memory, and in each tier beyond it that there is. */
static void each_home(struct search *s)
{
    for (int t = ZOID_RAM; t < ZOID_TIERS; t++)
        if (zoid_tiers[t]->home(s->site)) {
            s->home = (enum zoid_tier_kind)t;
            each_method(s);
        }
}

/* All places, those that data stream to first; or these alone. */
static void try_cut(struct search *s, struct zoid_cell_grid grid, bool alone)
{
    s->grid = grid;
    for (int k = ZOID_PLACES - 1; k >= 0; k--)
        if (s->site->workers[k] > 0 && zoid_places[k]->can(s->problem->op) &&
            (zoid_streams((enum zoid_place_kind)k) || !alone)) {
            s->place = (enum zoid_place_kind)k;
            each_home(s);
        }
}

/* Planes so large that few of them fit: slabs stream through GPUs, and these spend much of their
 * time on other things than the best of their kernels. */
static bool planes_are_large(const struct search *s)
{
    const struct zoid_problem *p = s->problem;
    const bool fuses =
        zoid_traversal_fuses(s->best.place[0].traversal) && zoid_fuses(p->op, &s->best.graph.shape);
    double points = (double)p->steps / s->best.place[0].workers;

    if (!zoid_plan_streams(&s->best) || zoid_plan_stays(&s->best))
        return false;
    for (int a = 0; a < p->op->dims; a++)
        points *= (double)p->n[a];
    return s->best.cost.seconds >
           1.2 * points * (fuses ? s->model.op.gpu_even : s->model.op.gpu_step);
}

/* Cells make of a plane several smaller ones and compute points between them twice, so that they
 * are tried where planes are too large, unless they are asked for. Strips come first, whose rows
 * are whole; cells in both axes have narrower rows, and are for planes of which strips do not fit.
 */
static void each_cut(struct search *s)
{
    enum { MOST = 64 };
    const struct zoid_shape shape = zoid_problem_shape(s->problem);
    const struct zoid_request *r = s->request;
    const long rows = shape.dims < 2 ? 1 : shape.n[shape.dims - 2];
    bool alone = false;

    if (r->strip != ZOID_STRIP_SOME)
        try_cut(s, zoid_cells_of(r, &shape), false);
    if (zoid_cells_named(r) || !zoid_cells_possible(&shape))
        return;
    if (r->strip != ZOID_STRIP_SOME && s->any) {
        alone = true;
        if (!planes_are_large(s))
            return;
    }
    for (long strips = 2; strips <= MOST && strips <= rows; strips *= 2)
        try_cut(s, zoid_cells_strips(&shape, (rows + strips - 1) / strips), alone);
    for (long cells = 2; !s->any && shape.dims == 3 && cells <= MOST; cells *= 2)
        try_cut(s, zoid_cells_squares(&shape, cells), false);
}

/* The last of the methods that can is no worse than the others. */
static enum zoid_status refuse_shape(const struct search *s, const struct zoid_shape *shape)
{
    const char *able = NULL;

    for (size_t i = 0; zoid_methods[i]; i++)
        if (!zoid_method_refuses(zoid_methods[i], shape))
            able = zoid_methods[i]->name;
    return zoid_fail(ZOID_BAD_ARGUMENT, "%s cannot do %s; use --method %s", s->name,
                     zoid_method_refuses(s->method, shape), able);
}

/* A leaf is for methods that recurse. */
static enum zoid_status check_leaf(const struct search *s, const struct zoid_shape *shape)
{
    const char *able = NULL;

    for (size_t i = 0; zoid_methods[i]; i++)
        if (zoid_methods[i]->leaf && !zoid_method_refuses(zoid_methods[i], shape) &&
            (!zoid_cells_wanted(s->request) || zoid_methods[i]->cells))
            able = zoid_methods[i]->name;
    if (!able)
        return zoid_fail(ZOID_BAD_ARGUMENT, "no method that --leaf is for can do this; drop it");
    if (s->method && !s->method->leaf)
        return zoid_fail(ZOID_BAD_ARGUMENT, "%s has no use for --leaf; use --method %s", s->name,
                         able);
    return ZOID_OK;
}

static enum zoid_status validate(struct search *s)
{
    const struct zoid_shape shape = zoid_problem_shape(s->problem);
    const char *name = s->request->method;
    enum zoid_status status = zoid_problem_check(s->problem);

    if (status)
        return status;
    if (s->request->block < 0 || s->request->depth < 0)
        return zoid_fail(ZOID_BAD_ARGUMENT, "slabs and depths are at least 1");
    if (name && strcmp(name, "auto") && !(s->method = zoid_method_find(name)))
        return zoid_fail(ZOID_BAD_ARGUMENT, "no method is called '%s'; --help lists them", s->name);
    if (s->method && zoid_method_refuses(s->method, &shape))
        return refuse_shape(s, &shape);
    status = zoid_cells_check(&(struct zoid_cells_check){.request = s->request,
                                                         .op = s->problem->op,
                                                         .shape = &shape,
                                                         .method = s->method,
                                                         .name = s->name,
                                                         .strips = s->strips});
    if (!status && s->request->leaf)
        status = check_leaf(s, &shape);
    return status;
}

static enum zoid_status refuse_tier(const struct search *s, int tier)
{
    const struct zoid_shortage shortage = {.site = s->site,
                                           .least = s->least[tier],
                                           .capacity = s->tier[tier].capacity,
                                           .asked = s->request->budget[tier]};

    return zoid_tiers[tier]->refuse(&shortage);
}

static enum zoid_status refuse(const struct search *s)
{
    const bool elsewhere = s->least[ZOID_RAM] <= s->tier[ZOID_RAM].capacity;

    if (!s->any_tried)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "slabs of %ld planes are too low for %s here; the smallest that works is "
                         "--block %ld",
                         s->request->block, s->method ? s->name : "any method", s->lowest);
    if (s->no_runner)
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "%s has nothing that runs such blocks; ask for another --block, --depth or "
            "--method",
            s->problem->op->name);
    /* A place's own memory where main memory would do, and what is beyond that where it would not.
     */
    for (int t = 0; t < ZOID_TIERS; t++)
        if (t != ZOID_RAM && (t < ZOID_RAM) == elsewhere && s->least[t] != UINT64_MAX)
            return refuse_tier(s, t);
    return refuse_tier(s, ZOID_RAM);
}

static void find_tiers(struct search *s)
{
    for (int t = 0; t < ZOID_TIERS; t++) {
        const uint64_t capacity = s->site->capacity[t], asked = s->request->budget[t];

        s->tier[t] = zoid_tier_make((enum zoid_tier_kind)t,
                                    asked && asked < capacity ? asked : capacity, s->site->rates);
        s->least[t] = UINT64_MAX;
    }
}

/* Whether less became of a request than it names. What the planner chose for itself is no clamping.
 */
static bool reduced(const struct zoid_plan *plan, const struct zoid_request *r)
{
    const struct zoid_graph *g = &plan->graph;
    bool fewer_cells = false;

    for (int a = 0; a < ZOID_PLANE_AXES; a++)
        fewer_cells |= r->cells[a] > 1 && r->cells[a] > g->cut[a].cells;
    return fewer_cells || (r->block && g->block != r->block) ||
           (r->depth && g->depth != r->depth) || (r->epoch && g->epoch != r->epoch) ||
           (r->strip > 0 && r->strip > g->shape.n[g->shape.dims - 2]) ||
           (r->leaf && g->leaf > leaf_planes(&plan->problem, g, r->leaf));
}

enum zoid_status zoid_plan_at(const struct zoid_site *site, const struct zoid_problem *problem,
                              const struct zoid_request *request, struct zoid_plan *plan)
{
    struct zoid_request resolved = *request;
    const struct zoid_alias *alias = NULL;
    struct search s = {.site = site,
                       .problem = problem,
                       .name = request->method,
                       .request = &resolved,
                       .model = zoid_model_of(site->machine, site->rates, problem->op)};
    enum zoid_status status = zoid_alias_apply(&resolved, &alias);

    s.strips = alias && alias->strips;
    if (!status)
        status = validate(&s);
    if (status)
        return status;
    find_tiers(&s);
    if (site->gpu_wanted && !zoid_places[ZOID_GPUS]->can(problem->op))
        return zoid_fail(ZOID_RESOURCE,
                         "--gpu-mem asks for a GPU, and %s %s; drop it to run on CPU cores",
                         problem->op->name,
                         zoid_op_in_order(problem->op) ? "sweeps in order, which GPUs do not do yet"
                                                       : "has no code for one");
    if (!site->workers[ZOID_CORES] && !zoid_op_on_gpus(problem->op))
        return zoid_fail(ZOID_RESOURCE,
                         "%s runs on CPU cores only, and StarPU has none of them here; raise "
                         "STARPU_NCPU",
                         problem->op->name);
    each_cut(&s);
    if (!s.any)
        return refuse(&s);
    name_other(&s);
    *plan = s.best;
    plan->alias = alias ? alias->name : NULL;
    plan->clamped = reduced(plan, request);
    return ZOID_OK;
}
