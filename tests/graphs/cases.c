/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/graphs/cases.h"

#include <string.h>

#include "graphs/cell.h"
#include "graphs/method.h"
#include "graphs/reach.h"
#include "tests/check.h"

long case_between(uint64_t *seed, long lo, long hi)
{
    uint64_t v = *seed += 0x9e3779b97f4a7c15;

    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9;
    v = (v ^ v >> 27) * 0x94d049bb133111eb;
    v ^= v >> 31;
    return lo + (long)(v % (uint64_t)(hi - lo + 1));
}

long case_start(uint64_t *seed)
{
    return case_between(seed, 0, 1) ? case_between(seed, 1, 50) : 0;
}

static long random_reach(uint64_t *seed)
{
    return case_between(seed, 0, 40) ? case_between(seed, 0, 3) : case_between(seed, 4, 50);
}

/* Half of the axes have simple faces. */
static void random_faces(uint64_t *seed, unsigned char face[ZOID_SIDES])
{
    static const unsigned char some[] = {ZOID_DIRICHLET, ZOID_NEUMANN, ZOID_SPONGE,
                                         ZOID_ABSORB,    ZOID_BARE,    ZOID_ODD};
    long kind = case_between(seed, 0, 7);

    if (kind < 4)
        face[ZOID_LOW] = face[ZOID_HIGH] = kind == 0 ? ZOID_PERIODIC : ZOID_NEUMANN;
    if (kind == 2 || kind == 3)
        face[kind - 2] = some[case_between(seed, 0, 5)];
}

struct zoid_shape case_shape(uint64_t *seed)
{
    struct zoid_shape shape = {.dims = (int)case_between(seed, 1, 3),
                               .n = {1, 1, 1},
                               .stages = (int)case_between(seed, 1, 3)};

    for (int a = 0; a < shape.dims; a++)
        shape.n[a] = case_between(seed, 1, a == zoid_chain(&shape) ? 40 : 4);
    for (int a = 0; a < shape.dims; a++)
        random_faces(seed, shape.face[a]);
    for (int s = 0; s < shape.stages; s++)
        for (int a = 0; a < shape.dims; a++) {
            shape.reach[s].lo[a] = random_reach(seed);
            shape.reach[s].hi[a] = random_reach(seed);
        }
    shape.alternates = !case_between(seed, 0, 2);
    return shape;
}

/* Usually enlarges the domain: recursion cuts only subzoids wider than a few slabs and a few times
 * the reach. */
static void make_room(uint64_t *seed, struct zoid_graph *g)
{
    int chain = zoid_chain(&g->shape);

    g->leaf = case_between(seed, 0, 60);
    if (!case_between(seed, 0, 3))
        return;
    g->shape.n[chain] = case_between(seed, 20, 200);
    g->shape.stages = (int)case_between(seed, 1, 2);
    for (int s = 0; s < g->shape.stages; s++) {
        g->shape.reach[s].lo[chain] = case_between(seed, 0, 2);
        g->shape.reach[s].hi[chain] = case_between(seed, 0, 2);
    }
    g->block = case_between(seed, 1, 5);
    g->depth = case_between(seed, 1, 30);
    g->steps = case_between(seed, 0, 30);
}

/* Arbitrary borders that move from one epoch to the next. Valid until the next call. */
static const long *random_borders(uint64_t *seed, long n, struct zoid_axis_cells *cut, int axis)
{
    enum { EPOCHS = 4, MOST = 64 };
    static long table[ZOID_PLANE_AXES][EPOCHS * MOST];
    long *border = table[axis];

    cut->epochs = case_between(seed, 1, EPOCHS);
    cut->cells = case_between(seed, 2, n < 6 ? n : 6);
    for (long e = 0; e < cut->epochs; e++, border += cut->cells + 1) {
        border[0] = 0;
        border[cut->cells] = n;
        for (long i = 1; i < cut->cells; i++)
            border[i] = case_between(seed, border[i - 1] + 1, n - (cut->cells - i));
    }
    return table[axis];
}

static void cut_axis(uint64_t *seed, struct zoid_graph *g, int axis, long most)
{
    struct zoid_axis_cells *cut = &g->cut[axis];

    g->shape.n[axis] = case_between(seed, 1, most);
    for (int s = 0; s < g->shape.stages; s++) {
        g->shape.reach[s].lo[axis] = case_between(seed, 0, 3);
        g->shape.reach[s].hi[axis] = case_between(seed, 0, 3);
    }
    cut->cells = case_between(seed, 1, case_between(seed, 1, most + 2));
    if (g->shape.n[axis] > 1 && !case_between(seed, 0, 2))
        cut->border = random_borders(seed, g->shape.n[axis], cut, axis);
    else if (!case_between(seed, 0, 2))
        g->shape.grain[axis] = case_between(seed, 1, 6);
}

/* Stencil reach along an axis per step, the larger of both sides. */
static long most_reach(const struct zoid_shape *shape, int axis)
{
    long lo, hi;

    zoid_axis_reach(shape, axis, &lo, &hi);
    return shape->stages * zoid_max(lo, hi);
}

/* Fixed borders at least one step's reach apart. Valid until the next call. */
static const long *still_borders(uint64_t *seed, long far, struct zoid_axis_cells *cut, int axis)
{
    enum { MOST = 7 };
    static long table[ZOID_AXES][MOST];

    cut->epochs = 1;
    for (long i = 1; i <= cut->cells; i++)
        table[axis][i] = table[axis][i - 1] + case_between(seed, far, 3 * far);
    return table[axis];
}

/* Cuts an axis into cells at least one step's reach wide. */
static void cut_wide(uint64_t *seed, struct zoid_graph *g, int axis, long cells)
{
    const long grain = axis < zoid_chain(&g->shape) ? case_between(seed, 0, 3) : 0;
    struct zoid_axis_cells *cut = &g->cut[axis];
    long far;

    for (int s = 0; s < g->shape.stages; s++) {
        g->shape.reach[s].lo[axis] = case_between(seed, 0, 2);
        g->shape.reach[s].hi[axis] = case_between(seed, 0, 2);
    }
    far = zoid_max(most_reach(&g->shape, axis), 1);
    *cut = (struct zoid_axis_cells){.cells = cells};
    g->shape.grain[axis] = grain;
    if (!case_between(seed, 0, 3)) {
        cut->border = still_borders(seed, far, cut, axis);
        g->shape.grain[axis] = 0;
        g->shape.n[axis] = cut->border[cut->cells];
        return;
    }
    g->shape.n[axis] = cut->cells * zoid_max(grain, 1) * case_between(seed, far, 3 * far);
    g->shape.n[axis] += case_between(seed, 0, cut->cells - 1);
}

/* Cuts the chain axis: cells have no part that the method refuses, and slabs fit the reach. */
static void cut_line(uint64_t *seed, struct zoid_graph *g, long cells)
{
    const struct zoid_graph before = *g;

    cut_wide(seed, g, zoid_chain(&g->shape), cells);
    if (zoid_method_refuses(g->method, &g->shape))
        *g = before;
    g->block = zoid_max(g->block, g->method->min_block(&g->shape));
}

static void choose_epoch(uint64_t *seed, struct zoid_graph *g)
{
    g->epoch = case_between(seed, 1, zoid_min(zoid_epoch_most(g), 9));
}

/* Ranks in order, which relay planes, do not hand memory on. */
static void forget(struct zoid_graph *g)
{
    for (int i = 0; i < ZOID_AXES * ZOID_SIDES; i++)
        if (g->shape.face[i / ZOID_SIDES][i % ZOID_SIDES] == ZOID_PML)
            g->shape.face[i / ZOID_SIDES][i % ZOID_SIDES] = ZOID_ABSORB;
}

void case_cut(uint64_t *seed, struct zoid_graph *g)
{
    const int axes = zoid_chain(&g->shape);
    const bool line = !case_between(seed, 0, 2);

    if (!g->method->cells || zoid_in_order(&g->shape))
        return;
    if (line)
        cut_line(seed, g, case_between(seed, 2, 4));
    if (!axes || (line && case_between(seed, 0, 1))) {
        if (zoid_cells(g) > 1)
            choose_epoch(seed, g);
        return;
    }
    if (axes > 1 && case_between(seed, 0, 1))
        for (int a = 0; a < axes; a++)
            cut_axis(seed, g, a, 7);
    else
        cut_axis(seed, g, (int)case_between(seed, 0, axes - 1), 18);
    if (line)
        choose_epoch(seed, g);
    else if (zoid_cells(g) > 1 && case_between(seed, 0, 1))
        g->epoch = case_between(seed, 1, 9);
}

static void deal_axis(uint64_t *seed, struct zoid_graph *g, int axis, long least)
{
    const long ranks = case_between(seed, least, case_between(seed, least, 3));

    g->ranks[axis] = ranks;
    cut_wide(seed, g, axis, ranks * (1 + !case_between(seed, 0, 2)));
}

/* Deals to ranks along the chain axis. */
static void deal_line(uint64_t *seed, struct zoid_graph *g)
{
    const int chain = zoid_chain(&g->shape);
    const long ranks = case_between(seed, 2, case_between(seed, 2, 3));

    cut_line(seed, g, ranks * (1 + !case_between(seed, 0, 2)));
    if (g->cut[chain].cells > 1)
        g->ranks[chain] = ranks;
}

/* One cell per rank along the chain axis, sometimes only as high as the halo that blocks read below
 * them. */
static void deal_in_order(uint64_t *seed, struct zoid_graph *g)
{
    const int chain = zoid_chain(&g->shape);
    const long ranks = case_between(seed, 2, 6);
    struct zoid_axis_cells *cut = &g->cut[chain];
    long lo, hi;

    for (int s = 0; s < g->shape.stages; s++) {
        g->shape.reach[s].lo[chain] = case_between(seed, 0, 2);
        g->shape.reach[s].hi[chain] = case_between(seed, 0, 2);
    }
    zoid_chain_reach(&g->shape, &lo, &hi);
    lo += zoid_max(hi, 1);
    *cut = (struct zoid_axis_cells){.cells = ranks};
    g->ranks[chain] = ranks;
    g->turned = case_between(seed, 0, 1);
    if (case_between(seed, 0, 1)) {
        cut->border =
            still_borders(seed, zoid_max(lo, g->shape.stages * zoid_max(hi, 1)), cut, chain);
        g->shape.n[chain] = cut->border[ranks];
    } else {
        g->shape.n[chain] =
            ranks * zoid_max(lo, g->shape.stages * zoid_max(hi, 1)) + case_between(seed, 0, 30);
    }
    g->block = zoid_max(g->block, g->method->min_block(&g->shape));
    choose_epoch(seed, g);
}

void case_deal(uint64_t *seed, struct zoid_graph *g)
{
    const int axes = zoid_chain(&g->shape);
    const long planes = g->shape.n[axes], several = case_between(seed, 0, zoid_max(axes - 1, 0));
    const bool line = !axes || case_between(seed, 0, 1);

    if (!g->method->cells)
        return;
    g->rank = ZOID_EVERY_RANK;
    if (zoid_in_order(&g->shape)) {
        forget(g);
        deal_in_order(seed, g);
        return;
    }
    /* There are many cells, so each is kept small. */
    g->steps = zoid_min(g->steps, case_between(seed, 0, 12));
    g->shape.n[axes] = zoid_min(planes, g->method == &zoid_recursive ? 60 : 20);
    if (zoid_method_refuses(g->method, &g->shape))
        g->shape.n[axes] = planes;
    if (line)
        deal_line(seed, g);
    for (int a = 0; a < axes && (!line || case_between(seed, 0, 1)); a++)
        deal_axis(seed, g, a, a == several && !line ? 2 : 1);
    choose_epoch(seed, g);
    g->joined = case_between(seed, 0, 1);
}

/* In half of the cases all stages ascend, else some of them. */
static void random_order(uint64_t *seed, struct zoid_shape *shape)
{
    bool all = case_between(seed, 0, 1);

    shape->alternates = false;
    for (int s = 0; s < shape->stages; s++)
        shape->order[s] = all || case_between(seed, 0, 1) ? ZOID_ASCENDING : ZOID_ANY_ORDER;
}

/* A third of the graphs look up coefficients near the plane, some farther than their stage's
 * reach. */
static void random_coefficients(uint64_t *seed, struct zoid_graph *g)
{
    g->coefficients = (enum zoid_coefficients)case_between(seed, 0, 1);
    if (!g->coefficients || case_between(seed, 0, 2))
        return;
    g->coefficients = ZOID_COEFFICIENTS_NEAR;
    g->coefficient_reach.lo = random_reach(seed);
    g->coefficient_reach.hi = random_reach(seed);
}

/* A fifth of the graphs have memory, if the method can. */
static void random_memory(uint64_t *seed, struct zoid_graph *g)
{
    const int axis = (int)case_between(seed, 0, g->shape.dims - 1);
    const int side = (int)case_between(seed, 0, 1);
    const struct zoid_shape before = g->shape;

    if (case_between(seed, 0, 4) || zoid_axis_periodic(&g->shape, axis))
        return;
    g->shape.face[axis][side] = ZOID_PML;
    if (zoid_method_refuses(g->method, &g->shape))
        g->shape = before;
}

struct zoid_graph case_graph(uint64_t *seed, const struct zoid_method *method)
{
    struct zoid_graph g = {.method = method, .shape = case_shape(seed)};
    long lowest, n = g.shape.n[zoid_chain(&g.shape)];

    if (method->in_order && !case_between(seed, 0, 2))
        random_order(seed, &g.shape);
    if (zoid_method_refuses(method, &g.shape))
        memset(g.shape.face, ZOID_DIRICHLET, sizeof g.shape.face);
    random_memory(seed, &g);
    lowest = method->min_block(&g.shape);
    g.block = case_between(seed, lowest, case_between(seed, lowest, lowest + n + 5));
    g.steps = case_between(seed, 0, 8) ? case_between(seed, 0, 12) : case_between(seed, 13, 30);
    g.depth = case_between(seed, 1, 12);
    g.lanes = (int)case_between(seed, 1, 5);
    g.elastic = case_between(seed, 0, 1);
    g.workers = (int)case_between(seed, 0, 9);
    g.at_once = case_between(seed, 0, 1) ? case_between(seed, 1, 5) : 0;
    random_coefficients(seed, &g);
    if (method == &zoid_recursive)
        make_room(seed, &g);
    return g;
}

struct zoid_graph case_line(const struct zoid_method *method, long n, long block, long depth,
                            long steps)
{
    return (struct zoid_graph){
        .method = method,
        .shape = {.dims = 1, .n = {n, 1, 1}, .stages = 1, .reach = {{.lo = {1}, .hi = {1}}}},
        .steps = steps,
        .block = block,
        .depth = depth,
        .lanes = 1,
    };
}

const char *case_words(const struct zoid_graph *g)
{
    static char words[512];
    int n = snprintf(words, sizeof words, "%s, %ldx%ldx%ld, reach", g->method->name, g->shape.n[0],
                     g->shape.n[1], g->shape.n[2]);

    for (int s = 0; s < g->shape.stages; s++) {
        for (int a = 0; a < g->shape.dims; a++)
            n += snprintf(words + n, sizeof words - (size_t)n, "%s%ld:%ld", a ? "," : " ",
                          g->shape.reach[s].lo[a], g->shape.reach[s].hi[a]);
        n += snprintf(words + n, sizeof words - (size_t)n, "%s",
                      g->shape.order[s] ? " in order" : "");
    }
    n += snprintf(words + n, sizeof words - (size_t)n, ", faces");
    for (int a = 0; a < g->shape.dims; a++)
        n += snprintf(words + n, sizeof words - (size_t)n, " %d:%d", g->shape.face[a][ZOID_LOW],
                      g->shape.face[a][ZOID_HIGH]);
    for (int a = 0; a < g->shape.dims; a++)
        n += snprintf(words + n, sizeof words - (size_t)n, "%s %ld%s", a ? " x" : ", cells",
                      g->cut[a].cells, g->cut[a].border ? " of a table" : "");
    if (zoid_ranks(g) > 1)
        n += snprintf(words + n, sizeof words - (size_t)n, ", ranks %ld x %ld x %ld%s",
                      zoid_ranks_along(g, 0), zoid_ranks_along(g, 1), zoid_ranks_along(g, 2),
                      g->joined   ? " joined"
                      : g->turned ? " turned"
                                  : "");
    snprintf(words + n, sizeof words - (size_t)n,
             ", epoch %ld, %ld steps, block %ld, depth %ld, leaf %ld, %d lanes, %d workers%s%s",
             g->epoch, g->steps, g->block, g->depth, g->leaf, g->lanes, g->workers,
             g->elastic ? ", elastic" : "", g->coefficients ? ", coefficients" : "");
    if (g->coefficients == ZOID_COEFFICIENTS_NEAR)
        snprintf(words + strlen(words), sizeof words - strlen(words), " near %ld:%ld",
                 g->coefficient_reach.lo, g->coefficient_reach.hi);
    return words;
}

bool case_redundant(const struct zoid_graph *graph)
{
    /* Within a step, naive blocks of an operator with several stages overlap. */
    return graph->method == &zoid_overlapped ||
           (zoid_cells(graph) > 1 && !zoid_in_order(&graph->shape)) ||
           (graph->method == &zoid_naive && graph->shape.stages > 1);
}

const char *case_disproof(const struct zoid_graph *graph)
{
    static char reason[512];
    struct zoid_prove_options options = {.graph = graph, .redundant = case_redundant(graph)};
    struct zoid_prove *prove = zoid_prove_create(&options);
    const char *why;
    int rc, verdict;

    ck_assert_ptr_nonnull(prove);
    rc = zoid_graph_emit(graph, zoid_prove_sink(prove));
    verdict = zoid_prove_verdict(prove, &why);
    snprintf(reason, sizeof reason, "%s (emission returned %d)", why, rc);
    zoid_prove_destroy(&prove);
    return rc || verdict ? reason : NULL;
}

int case_methods(void)
{
    int methods = 0;

    while (zoid_methods[methods])
        methods++;
    return methods;
}
