/* SPDX-License-Identifier: BSD-3-Clause */
/* The planner: every choice is made, and proved to fit, before anything is allocated.
 *
 * It tries a fixed list of candidates (method x slab x depth x lanes), drops those that do not fit
 * the budget and takes the cheapest by estimate.c. The list does not depend on the budget, so the
 * smallest total over it is the smallest budget that works. */
#include <limits.h>
#include <string.h>

#include "codelets/run.h"
#include "runtime/context.h"
#include "runtime/estimate.h"
#include "runtime/store.h"
#include "runtime/zoid.h"

static const uint64_t MIB = 1 << 20;

/* What one handle costs StarPU beside the memory it manages. */
static const uint64_t HANDLE_BYTES = 24 << 10; /* measured: 21.4 KB with room for 32 memory nodes */

struct search {
    const struct zoid_machine *machine;
    const struct zoid_problem *problem;
    const struct zoid_request *request;
    const struct zoid_method *method; /* NULL: any */
    struct zoid_plan best;
    double best_cost;
    uint64_t least, least_gpu; /* of the smallest candidate: main memory, and a GPU's */
    bool on_gpu;               /* what is being tried */
    struct zoid_graph tried;   /* the last one */
    long lowest; /* slab that some method would take, when none took the one asked for */
    bool any;
};

static uint64_t saturating_mul(uint64_t a, uint64_t b)
{
    uint64_t product;

    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t saturating_add(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* StarPU takes GPU memory in chunks of 32 MiB for what is small, and the driver in pages of 2 MiB. */
static const uint64_t GPU_CHUNK = 32 << 20, GPU_PAGE = 2 << 20;

/* Beside the slabs in use: one arriving, one leaving, and one on its way from or to the next GPU. */
enum { SLABS_ON_THE_WAY = 3 };

static uint64_t on_gpu_bytes(uint64_t datum, uint64_t count)
{
    return saturating_mul(saturating_add(datum, GPU_PAGE - 1) / GPU_PAGE * GPU_PAGE, count);
}

/* Bytes of one datum. */
static uint64_t datum_bytes(const struct zoid_plan *p, int kind)
{
    uint64_t fields = (uint64_t)zoid_kind_fields(p->problem.op, kind);

    return saturating_mul(saturating_mul((uint64_t)p->census.kind[kind].planes, fields),
                          zoid_layout_plane_bytes(&p->layout));
}

static uint64_t data_count(const struct zoid_plan *p, int kind)
{
    const struct zoid_census_row *row = &p->census.kind[kind];

    return saturating_mul((uint64_t)row->rows, (uint64_t)row->cols);
}

/* Coefficients that a GPU must hold at once: those of a block, and of the one that comes next. */
static uint64_t coefficients_in_flight(const struct zoid_plan *p)
{
    uint64_t all = data_count(p, ZOID_COEFFICIENT);
    uint64_t two = 2 * (uint64_t)p->census.max_coefficients;

    return two < all ? two : all;
}

/* What one GPU must hold at once; all slabs and coefficients, if they fit. */
static void count_gpu_bytes(struct zoid_plan *p, uint64_t plane)
{
    uint64_t slab = datum_bytes(p, ZOID_SLAB), slabs = data_count(p, ZOID_SLAB);
    uint64_t coefficient = datum_bytes(p, ZOID_COEFFICIENT), fixed = GPU_CHUNK, all, streamed;
    uint64_t lanes = ((uint64_t)p->graph.lanes + (uint64_t)p->workers - 1) / (uint64_t)p->workers;
    uint64_t in_flight = SLABS_ON_THE_WAY + lanes * (uint64_t)(p->census.open_slabs + 1) - 1;

    for (int k = ZOID_SLAB + 1; k < ZOID_KINDS; k++) {
        const struct zoid_census_row *row = &p->census.kind[k];
        /* Every lane has a ring of its own; other data may come to any GPU. */
        uint64_t rows = (uint64_t)row->rows;

        rows = k == ZOID_REUSE && rows > lanes ? lanes : rows;

        if (k != ZOID_COEFFICIENT)
            fixed = saturating_add(
                fixed, on_gpu_bytes(datum_bytes(p, k), saturating_mul(rows, (uint64_t)row->cols)));
    }
    fixed =
        saturating_add(fixed, on_gpu_bytes(saturating_mul((uint64_t)p->scratch_planes, plane), 1));
    all = saturating_add(on_gpu_bytes(slab, slabs),
                         on_gpu_bytes(coefficient, data_count(p, ZOID_COEFFICIENT)));
    streamed = saturating_add(on_gpu_bytes(slab, slabs < in_flight ? slabs : in_flight),
                              on_gpu_bytes(coefficient, coefficients_in_flight(p)));
    p->in_core = saturating_add(fixed, all) <= p->gpu_budget;
    p->gpu_bytes = saturating_add(fixed, p->in_core ? all : streamed);
}

static void count_bytes(struct zoid_plan *p)
{
    uint64_t plane =
        saturating_mul(zoid_layout_plane_bytes(&p->layout), (uint64_t)p->problem.op->nstate);
    uint64_t handles = 0;

    p->total_bytes = 0;
    for (int k = 0; k < ZOID_KINDS; k++) {
        uint64_t count = data_count(p, k);

        handles = saturating_add(handles, count);
        p->bytes[k] = saturating_mul(count, datum_bytes(p, k));
        p->total_bytes = saturating_add(p->total_bytes, p->bytes[k]);
    }
    p->scratch_bytes =
        saturating_mul(saturating_mul((uint64_t)p->scratch_planes, plane), (uint64_t)p->workers);
    p->handle_bytes = saturating_mul(handles, HANDLE_BYTES);
    p->total_bytes = saturating_add(p->total_bytes, p->scratch_bytes);
    p->total_bytes = saturating_add(p->total_bytes, p->handle_bytes);
    if (p->on_gpu)
        count_gpu_bytes(p, plane);
}

/* Points that a plane must hold beyond the domain: those that stand for others, where a face below
 * the chain axis is open, as far as any stage looks. */
static long ghosts(const struct zoid_shape *shape)
{
    long most = 0;

    for (int a = 0; a < zoid_chain(shape); a++)
        for (int s = 0; s < shape->stages; s++) {
            if (zoid_face_open(shape, a, ZOID_LOW) && shape->reach[s].lo[a] > most)
                most = shape->reach[s].lo[a];
            if (zoid_face_open(shape, a, ZOID_HIGH) && shape->reach[s].hi[a] > most)
                most = shape->reach[s].hi[a];
        }
    return most;
}

static bool fits(struct search *s, const struct zoid_plan *p)
{
    bool ram = p->total_bytes <= p->budget;

    if (p->total_bytes < s->least)
        s->least = p->total_bytes;
    /* The smallest GPU budget is one of a plan that main memory has room for. */
    if (p->on_gpu && ram && p->gpu_bytes < s->least_gpu)
        s->least_gpu = p->gpu_bytes;
    return ram && (!p->on_gpu || p->gpu_bytes <= p->gpu_budget);
}

/* Planes that a recursion may leave in one piece: they move between two buffers, beside their
 * coefficients. */
static long leaf_planes(const struct zoid_problem *problem, const struct zoid_shape *shape,
                        uint64_t bytes)
{
    struct zoid_layout layout = zoid_layout_make(problem->op, problem->n, ghosts(shape));
    uint64_t fields = 2 * (uint64_t)problem->op->nstate + (uint64_t)problem->op->ncoef;
    uint64_t planes = bytes / saturating_mul(zoid_layout_plane_bytes(&layout), fields);

    return planes > LONG_MAX ? LONG_MAX : planes < 1 ? 1 : (long)planes;
}

static void consider(struct search *s, const struct zoid_graph *wanted)
{
    struct zoid_plan p = {.problem = *s->problem,
                          .graph = *wanted,
                          .workers = s->on_gpu ? s->machine->cuda_workers : s->machine->cpu_workers,
                          .on_gpu = s->on_gpu,
                          .budget = s->best.budget,
                          .gpu_budget = s->machine->gpu_mem};
    double cost;

    if (zoid_graph_init(&p.graph, &p.clamped)) {
        long lowest = p.graph.method->min_block(&p.graph.shape);

        s->lowest = s->lowest && s->lowest < lowest ? s->lowest : lowest;
        return;
    }
    p.layout = zoid_layout_make(s->problem->op, s->problem->n, ghosts(&p.graph.shape));
    zoid_graph_census(&p.graph, &p.census);
    p.scratch_planes = zoid_scratch_planes(&p.graph.shape, p.census.box_planes,
                                           p.on_gpu ? p.graph.block : zoid_cpu.batch);
    count_bytes(&p);
    if (!fits(s, &p))
        return;
    cost = zoid_estimate(s->machine, &p);
    if (!s->any || cost < s->best_cost) {
        s->best = p;
        s->best_cost = cost;
        s->any = true;
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
    int gpus = g->method->single_lane ? 1 : s->machine->cuda_workers;
    int workers = s->on_gpu ? gpus : s->machine->cpu_workers;
    struct zoid_graph next = *g;
    bool clamped;

    /* Many depths beyond what a method can do are the same one. */
    next.lanes = 1;
    if (!zoid_graph_init(&next, &clamped)) {
        if (s->tried.method == next.method && s->tried.elastic == next.elastic &&
            s->tried.block == next.block && s->tried.depth == next.depth)
            return;
        s->tried = next;
    }
    /* With several lanes a GPU has blocks of one to run while StarPU follows up those of another, and
     * slabs that do not stay come for several visits at once. */
    for (int own = s->on_gpu && !g->method->single_lane ? 3 : 1; own > 1; own--) {
        g->lanes = own * workers;
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
    for (size_t i = 0; zoid_methods[i]; i++) {
        struct zoid_graph g = {.method = zoid_methods[i],
                               .shape = zoid_problem_shape(s->problem),
                               .steps = s->problem->steps,
                               .coefficients = s->problem->op->ncoef > 0,
                               /* CPU cores share any lane; a GPU keeps its own. */
                               .elastic = !s->on_gpu};
        long extent = g.shape.n[g.shape.dims - 1];
        long lowest = g.method->min_block(&g.shape);

        if (s->request->leaf)
            g.leaf = leaf_planes(s->problem, &g.shape, s->request->leaf);
        if ((s->method && s->method != g.method) || zoid_method_refuses(g.method, &g.shape) ||
            (s->request->leaf && !g.method->leaf))
            continue;
        each_size(s, &g, &g.block, s->request->block, extent > lowest ? extent : lowest,
                  each_depth);
    }
}

/* The last of the methods that can is no worse than the others. */
static enum zoid_status refuse_shape(const struct search *s, const struct zoid_shape *shape)
{
    const char *able = NULL;

    for (size_t i = 0; zoid_methods[i]; i++)
        if (!zoid_method_refuses(zoid_methods[i], shape))
            able = zoid_methods[i]->name;
    return zoid_fail(ZOID_BAD_ARGUMENT, "%s cannot do %s; use --method %s", s->method->name,
                     zoid_method_refuses(s->method, shape), able);
}

/* A leaf is for methods that recurse. */
static enum zoid_status check_leaf(const struct search *s, const struct zoid_shape *shape)
{
    const char *able = NULL;

    for (size_t i = 0; zoid_methods[i]; i++)
        if (zoid_methods[i]->leaf && !zoid_method_refuses(zoid_methods[i], shape))
            able = zoid_methods[i]->name;
    if (!able)
        return zoid_fail(ZOID_BAD_ARGUMENT, "no method that --leaf is for can do this; drop it");
    if (s->method && !s->method->leaf)
        return zoid_fail(ZOID_BAD_ARGUMENT, "%s has no use for --leaf; use --method %s",
                         s->method->name, able);
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
        return zoid_fail(ZOID_BAD_ARGUMENT, "no method is called '%s'; --help lists them", name);
    if (s->method && zoid_method_refuses(s->method, &shape))
        return refuse_shape(s, &shape);
    if (s->request->leaf)
        return check_leaf(s, &shape);
    return ZOID_OK;
}

static enum zoid_status refuse_gpu(const struct search *s)
{
    unsigned long long least = (s->least_gpu + MIB - 1) / MIB;

    return zoid_fail(ZOID_DOES_NOT_FIT,
                     "needs at least %llu MiB of each GPU's memory, and %llu MiB may be used; "
                     "use --gpu-mem %lluM",
                     least, (unsigned long long)(s->machine->gpu_mem / MIB), least);
}

static enum zoid_status refuse(const struct search *s)
{
    bool limited = s->best.budget < s->machine->ram_available;

    if (s->least == UINT64_MAX)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "slabs of %ld planes are too low for %s here; the smallest that works is "
                         "--block %ld",
                         s->request->block, s->method ? s->method->name : "any method", s->lowest);
    if (s->least <= s->best.budget)
        return refuse_gpu(s);
    return zoid_fail(ZOID_DOES_NOT_FIT,
                     "needs at least %llu MiB of main memory, and %s %llu MiB; use --ram %lluM%s",
                     (unsigned long long)((s->least + MIB - 1) / MIB),
                     limited ? "--ram allows" : "this machine has free",
                     (unsigned long long)(s->best.budget / MIB),
                     (unsigned long long)((s->least + MIB - 1) / MIB),
                     limited ? "" : " on a machine that has it, or a smaller --size");
}

enum zoid_status zoid_plan_make(const struct zoid_context *context,
                                const struct zoid_problem *problem,
                                const struct zoid_request *request, struct zoid_plan *plan)
{
    struct search s = {.machine = zoid_context_machine(context),
                       .problem = problem,
                       .request = request,
                       .least = UINT64_MAX,
                       .least_gpu = UINT64_MAX};
    enum zoid_status status = validate(&s);

    if (status)
        return status;
    s.best.budget = s.machine->ram_available;
    if (request->ram && request->ram < s.best.budget)
        s.best.budget = request->ram;
    if (context->gpu_wanted && !problem->op->cuda)
        return zoid_fail(ZOID_RESOURCE,
                         "--gpu-mem asks for a GPU, and %s has no code for one; drop it to run on "
                         "CPU cores",
                         problem->op->name);
    s.on_gpu = s.machine->cuda_workers > 0 && problem->op->cuda;
    if (s.on_gpu)
        each_method(&s);
    /* Who limits the GPU's memory wants the GPU. */
    s.on_gpu = false;
    if (!context->gpu_wanted && s.machine->cpu_workers > 0)
        each_method(&s);
    if (!s.any)
        return refuse(&s);
    *plan = s.best;
    /* What the planner chose for itself is no clamping. */
    plan->clamped = (request->block && plan->graph.block != request->block) ||
                    (request->depth && plan->graph.depth != request->depth) ||
                    (request->leaf &&
                     plan->graph.leaf > leaf_planes(problem, &plan->graph.shape, request->leaf));
    return ZOID_OK;
}

void zoid_plan_print(const struct zoid_plan *p, FILE *out)
{
    static const char *const kind[ZOID_KINDS] = {"slabs", "reuse", "edges", "grids",
                                                 "coefficients"};

    fprintf(out, "operator %s\nsize %ldx%ldx%ld\nsteps %ld\n", p->problem.op->name, p->problem.n[0],
            p->problem.n[1], p->problem.n[2], p->problem.steps);
    fprintf(out, "method %s\nblock %ld\ndepth %ld\nlanes %d\nworkers %d %s\n",
            p->graph.method->name, p->graph.block, p->graph.depth, p->graph.lanes, p->workers,
            p->on_gpu ? "cuda" : "cpu");
    if (p->graph.leaf)
        fprintf(out, "leaf %ld\n", p->graph.leaf);
    fprintf(out, "clamped %s\nblocks %ld\n", p->clamped ? "true" : "false", p->census.blocks);
    for (int k = 0; k < ZOID_KINDS; k++)
        if (p->bytes[k])
            fprintf(out, "ram.%s %llu\n", kind[k], (unsigned long long)p->bytes[k]);
    fprintf(out, "ram.scratch %llu\nram.handles %llu\nram.total %llu\nram.budget %llu\n",
            (unsigned long long)p->scratch_bytes, (unsigned long long)p->handle_bytes,
            (unsigned long long)p->total_bytes, (unsigned long long)p->budget);
    if (p->on_gpu)
        fprintf(out, "gpu.total %llu\ngpu.budget %llu\ngpu.in_core %s\n",
                (unsigned long long)p->gpu_bytes, (unsigned long long)p->gpu_budget,
                p->in_core ? "true" : "false");
    fprintf(out, "predicted_seconds null\nreason %s\n", p->reason);
}
