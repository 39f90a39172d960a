/* SPDX-License-Identifier: BSD-3-Clause */
/* The planner: every choice is made, and proved to fit, before anything is allocated.
 *
 * It tries a fixed list of candidates (method x slab x depth x lanes), drops those that do not fit
 * the budget and takes the cheapest by estimate.c. The list does not depend on the budget, so the
 * smallest total over it is the smallest budget that works. */
#include "runtime/plan/plan.h"

#include <limits.h>
#include <string.h>

#include "codelets/device.h"
#include "runtime/plan/alias.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/cells.h"
#include "runtime/plan/estimate.h"

static const uint64_t MIB = 1 << 20;

struct search {
    const struct zoid_site *site;
    const struct zoid_problem *problem;
    const struct zoid_request *request;
    const char *name;                 /* of the method, as it was asked for */
    const struct zoid_method *method; /* NULL: any */
    struct zoid_model model;
    struct zoid_plan best;
    struct zoid_plan other; /* the best of another method, or on another device or memory */
    bool any_other;
    uint64_t least, least_gpu, least_disk; /* of the smallest candidate */
    bool on_gpu, on_disk;                  /* what is being tried */
    bool any_tried;                        /* something was */
    struct zoid_graph tried;               /* the last one */
    long lowest; /* slab that some method would take, when none took the one asked for */
    bool any;
    struct zoid_cell_grid grid; /* that is being tried */
    bool strips;                /* the method's name stands for them */
};

static bool fits(struct search *s, const struct zoid_plan *p)
{
    bool ram = p->total_bytes <= p->budget, disk = p->disk_bytes <= p->disk_budget;

    s->any_tried = true;
    if (disk && p->total_bytes < s->least)
        s->least = p->total_bytes;
    /* The smallest budget of another memory is one of a plan that there is room for otherwise. */
    if (p->on_disk && ram && p->disk_bytes < s->least_disk)
        s->least_disk = p->disk_bytes;
    if (p->on_gpu && ram && disk && p->gpu_bytes < s->least_gpu)
        s->least_gpu = p->gpu_bytes;
    return ram && disk && (!p->on_gpu || p->gpu_bytes <= p->gpu_budget);
}

/* Planes that a recursion may leave in one piece, of a cell its own points: they move between two buffers,
 * beside their coefficients. */
static long leaf_planes(const struct zoid_problem *problem, const struct zoid_graph *graph,
                        uint64_t bytes)
{
    const struct zoid_shape *shape = &graph->shape;
    struct zoid_layout whole = zoid_layout_make(problem->op, problem->n, zoid_layout_ghost(shape));
    struct zoid_patch own = zoid_cell_own(graph, zoid_cells(graph) - 1, 0);
    struct zoid_layout layout = zoid_layout_window(&whole, &own);
    uint64_t fields = 2 * (uint64_t)problem->op->nstate + (uint64_t)problem->op->ncoef;
    uint64_t planes = bytes / zoid_layout_plane_bytes(&layout) / fields;

    return planes > LONG_MAX ? LONG_MAX : planes < 1 ? 1 : (long)planes;
}

struct zoid_layout zoid_plan_layout(const struct zoid_plan *plan, long cell)
{
    const struct zoid_problem *p = &plan->problem;
    struct zoid_layout whole = zoid_layout_make(p->op, p->n, zoid_layout_ghost(&plan->graph.shape));
    struct zoid_patch window = zoid_cell_window(&plan->graph, cell);

    return zoid_layout_window(&whole, &window);
}

size_t zoid_plan_halo(const struct zoid_plan *plan)
{
    struct zoid_rim rim = zoid_cell_rim_most(&plan->graph);

    return zoid_cells(&plan->graph) > 1 ? zoid_layout_rim(&plan->layout, &rim) : 0;
}

static bool alike(const struct zoid_plan *a, const struct zoid_plan *b)
{
    return a->graph.method == b->graph.method && a->on_gpu == b->on_gpu && a->on_disk == b->on_disk;
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
                 o->on_gpu == s->best.on_gpu ? ""
                 : o->on_gpu                 ? " on GPUs"
                                             : " on cores",
                 o->on_disk == s->best.on_disk ? ""
                 : o->on_disk                  ? " on the disk"
                                               : " in memory",
                 o->graph.block, o->graph.depth, o->cost.seconds);
}

static void consider(struct search *s, const struct zoid_graph *wanted)
{
    struct zoid_plan p = {.problem = *s->problem,
                          .graph = *wanted,
                          .traversal = s->request->traversal,
                          .serial = s->request->overlap == ZOID_OVERLAP_OFF,
                          .workers = s->site->workers[s->on_gpu ? ZOID_GPUS : ZOID_CORES],
                          .on_gpu = s->on_gpu,
                          .on_disk = s->on_disk,
                          .budget = s->best.budget,
                          .disk_budget = s->best.disk_budget,
                          .gpu_budget = s->site->capacity[ZOID_GPU_MEMORY]};

    if (zoid_graph_init(&p.graph, &p.clamped)) {
        long lowest = p.graph.method->min_block(&p.graph.shape);

        s->lowest = s->lowest && s->lowest < lowest ? s->lowest : lowest;
        return;
    }
    p.layout = zoid_plan_layout(&p, 0);
    zoid_graph_census(&p.graph, &p.census);
    p.scratch_planes =
        zoid_scratch_planes(&p.graph.shape, p.census.box_planes,
                            p.on_gpu ? p.graph.block : zoid_cpu_batch(&p.graph.shape));
    zoid_budget_count(&p);
    if (!fits(s, &p))
        return;
    p.cost = zoid_estimate(&s->model, &p);
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
    int gpus = g->method->pipelined ? s->site->workers[ZOID_GPUS] : 1;
    int workers = s->on_gpu ? gpus : s->site->workers[ZOID_CORES];
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
    if (s->on_gpu && g->method->pipelined && !serial) {
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
                               .steps = s->problem->steps,
                               .epoch = s->request->epoch,
                               .coefficients = s->problem->op->ncoef > 0,
                               /* CPU cores share any lane; a GPU keeps its own, and slabs go to
                                * and from a disk at the ends of the lanes. */
                               .elastic = !s->on_gpu && !s->on_disk};
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

/* In main memory, and if there is a disk, on that. */
static void each_tier(struct search *s)
{
    s->on_disk = false;
    each_method(s);
    s->on_disk = s->site->folder != NULL;
    if (s->on_disk)
        each_method(s);
}

static void on_gpus(struct search *s)
{
    s->on_gpu = s->site->workers[ZOID_GPUS] > 0 && s->problem->op->cuda;
    if (s->on_gpu)
        each_tier(s);
}

static void on_cores(struct search *s)
{
    s->on_gpu = false;
    if (s->site->workers[ZOID_CORES] > 0)
        each_tier(s);
}

/* Planes so large that few of them fit: slabs stream through GPUs, and these spend much of their time on
 * other things than the best of their kernels. */
static bool planes_are_large(const struct search *s)
{
    const struct zoid_problem *p = s->problem;
    const bool fuses =
        zoid_traversal_fuses(s->best.traversal) && zoid_fuses(p->op, &s->best.graph.shape);
    double points = (double)p->steps / s->best.workers;

    if (!s->best.on_gpu || s->best.in_core)
        return false;
    for (int a = 0; a < p->op->dims; a++)
        points *= (double)p->n[a];
    return s->best.cost.seconds >
           1.2 * points * (fuses ? s->model.op.gpu_even : s->model.op.gpu_step);
}

static void try_cut(struct search *s, struct zoid_cell_grid grid, bool cores)
{
    s->grid = grid;
    on_gpus(s);
    if (cores)
        on_cores(s);
}

/* Cells make of a plane several smaller ones and compute points between them twice, so that they are
 * tried where planes are too large, unless they are asked for. Strips come first, whose rows are whole;
 * cells in both axes have narrower rows, and are for planes of which strips do not fit. */
static void each_cut(struct search *s)
{
    enum { MOST = 64 };
    const struct zoid_shape shape = zoid_problem_shape(s->problem);
    const struct zoid_request *r = s->request;
    const long rows = shape.dims < 2 ? 1 : shape.n[shape.dims - 2];
    bool cores = true;

    if (r->strip != ZOID_STRIP_SOME)
        try_cut(s, zoid_cells_of(r, &shape), true);
    if (zoid_cells_named(r))
        return;
    if (r->strip != ZOID_STRIP_SOME && s->any) {
        cores = false;
        if (!planes_are_large(s))
            return;
    }
    for (long strips = 2; strips <= MOST && strips <= rows; strips *= 2)
        try_cut(s, zoid_cells_strips(&shape, (rows + strips - 1) / strips), cores);
    for (long cells = 2; !s->any && shape.dims == 3 && cells <= MOST; cells *= 2)
        try_cut(s, zoid_cells_squares(&shape, cells), true);
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
                                                         .shape = &shape,
                                                         .method = s->method,
                                                         .name = s->name,
                                                         .strips = s->strips});
    if (!status && s->request->leaf)
        status = check_leaf(s, &shape);
    return status;
}

static enum zoid_status refuse_gpu(const struct search *s)
{
    unsigned long long least = (s->least_gpu + MIB - 1) / MIB;

    return zoid_fail(ZOID_DOES_NOT_FIT,
                     "needs at least %llu MiB of each GPU's memory, and %llu MiB may be used; "
                     "use --gpu-mem %lluM",
                     least, (unsigned long long)(s->site->capacity[ZOID_GPU_MEMORY] / MIB), least);
}

static enum zoid_status refuse_disk(const struct search *s)
{
    unsigned long long least = (s->least_disk + MIB - 1) / MIB, has = s->best.disk_budget / MIB;

    if (s->request->disk && s->best.disk_budget == s->request->disk)
        return zoid_fail(ZOID_DOES_NOT_FIT,
                         "needs at least %llu MiB of the disk, and --disk allows %llu MiB; use "
                         "--disk %s:%lluM",
                         least, has, s->site->folder, least);
    return zoid_fail(ZOID_RESOURCE,
                     "needs at least %llu MiB of the disk, and %s has %llu MiB free; make room or "
                     "name another folder",
                     least, s->site->folder, has);
}

static enum zoid_status refuse(const struct search *s)
{
    bool limited = s->best.budget < s->site->machine->ram_available;

    if (!s->any_tried)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "slabs of %ld planes are too low for %s here; the smallest that works is "
                         "--block %ld",
                         s->request->block, s->method ? s->name : "any method", s->lowest);
    if (s->least <= s->best.budget)
        return refuse_gpu(s);
    if (s->least_disk != UINT64_MAX)
        return refuse_disk(s);
    return zoid_fail(ZOID_DOES_NOT_FIT,
                     "needs at least %llu MiB of main memory, and %s %llu MiB; use --ram %lluM%s",
                     (unsigned long long)((s->least + MIB - 1) / MIB),
                     limited ? "--ram allows" : "this machine has free",
                     (unsigned long long)(s->best.budget / MIB),
                     (unsigned long long)((s->least + MIB - 1) / MIB),
                     limited ? "" : " on a machine that has it, or a smaller --size");
}

/* Of a tier's capacity, what was asked for; 0: all of it. */
static uint64_t allowed(uint64_t capacity, uint64_t asked)
{
    return asked && asked < capacity ? asked : capacity;
}

/* Whether less became of a request than it names. What the planner chose for itself is no clamping. */
static bool reduced(const struct zoid_plan *plan, const struct zoid_request *r)
{
    const struct zoid_graph *g = &plan->graph;
    bool fewer_cells = false;

    for (int a = 0; a < ZOID_PLANE_AXES; a++)
        fewer_cells |= r->cells[a] > 1 && r->cells[a] > g->shape.n[a];
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
                       .model = zoid_model_of(site->machine, site->rates, problem->op),
                       .least = UINT64_MAX,
                       .least_gpu = UINT64_MAX,
                       .least_disk = UINT64_MAX};
    enum zoid_status status = zoid_alias_apply(&resolved, &alias);

    s.strips = alias && alias->strips;
    if (!status)
        status = validate(&s);
    if (status)
        return status;
    s.best.budget = allowed(site->capacity[ZOID_RAM], request->ram);
    s.best.disk_budget = allowed(site->capacity[ZOID_DISK], request->disk);
    if (site->gpu_wanted && !problem->op->cuda)
        return zoid_fail(ZOID_RESOURCE,
                         "--gpu-mem asks for a GPU, and %s has no code for one; drop it to run on "
                         "CPU cores",
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
