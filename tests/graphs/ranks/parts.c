/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/graphs/ranks/parts.h"

#include "graphs/common/arith.h"
#include "graphs/leg.h"

static void draw_shape(uint64_t *seed, bool in_order, struct zoid_shape *s)
{
    *s = (struct zoid_shape){.dims = (int)case_between(seed, 1, 3), .n = {1, 1, 1}};
    for (int a = 0; a < zoid_chain(s); a++)
        s->n[a] = case_between(seed, 1, 8);
    s->n[zoid_chain(s)] = case_between(seed, 24, 90);
    s->stages = (int)case_between(seed, 1, 2);
    for (int i = 0; i < s->stages; i++) {
        s->order[i] = in_order;
        for (int a = 0; a < s->dims; a++) {
            s->reach[i].lo[a] = case_between(seed, in_order, 2);
            s->reach[i].hi[a] = case_between(seed, in_order, 2);
        }
    }
    if (!in_order && !case_between(seed, 0, 2))
        for (int side = 0; side < 2; side++)
            s->face[zoid_chain(s)][side] = ZOID_PERIODIC;
}

static void draw_common(uint64_t *seed, bool in_order, struct common *c)
{
    long n;

    draw_shape(seed, in_order, &c->shape);
    n = c->shape.n[zoid_chain(&c->shape)];
    c->parts = case_between(seed, 2, PARTS);
    c->border[0] = 0;
    for (long i = 1; i < c->parts; i++)
        c->border[i] = zoid_min(c->border[i - 1] + case_between(seed, 2, n - 4), n - c->parts + i);
    c->border[c->parts] = n;
    for (int a = 0; a < ZOID_PLANE_AXES; a++)
        c->across[a] = a < zoid_chain(&c->shape) && !in_order && !case_between(seed, 0, 3) ? 2 : 1;
    c->start = case_start(seed);
    c->steps = case_between(seed, 1, STEPS);
    c->epoch = case_between(seed, 1, EPOCH);
    c->legs = case_between(seed, 1, RUN_LEGS);
}

static long divisor(uint64_t *seed, long of)
{
    long d = case_between(seed, 1, of);

    while (of % d)
        d--;
    return d;
}

/* The first leg of a part; those of sweeps in order have depth and slabs in common. */
static int draw_part(uint64_t *seed, const struct common *c, const struct zoid_graph *below,
                     struct zoid_graph *g)
{
    const int chain = zoid_chain(&c->shape);
    const struct zoid_method *m = zoid_methods[case_between(seed, 0, case_methods() - 1)];
    bool clamped;

    if (zoid_in_order(&c->shape))
        m = zoid_method_find("leaning");
    *g = (struct zoid_graph){.method = m,
                             .shape = c->shape,
                             .start = c->start,
                             .steps = c->steps,
                             .block = case_between(seed, m->min_block(&c->shape), 40),
                             .depth = divisor(seed, c->epoch),
                             .epoch = c->epoch,
                             .rank = below ? below->rank + 1 : 0,
                             .apart = true,
                             .line = case_between(seed, 0, 1) ? case_between(seed, 1, 90) : 0,
                             .lanes = (int)case_between(seed, 1, 4),
                             .elastic = case_between(seed, 0, 1),
                             .leg.is = c->legs > 1 ? ZOID_LEG_FIRST : ZOID_LEG_ONLY};
    if (below && zoid_in_order(&c->shape)) {
        g->block = below->block;
        g->depth = below->depth;
        g->line = below->line;
    }
    for (int a = 0; a < ZOID_PLANE_AXES; a++)
        g->cut[a].cells = c->across[a];
    g->cut[chain] = (struct zoid_axis_cells){c->parts, 1, c->border};
    g->ranks[chain] = c->parts;
    return zoid_graph_init(g, &clamped) || g->epoch != c->epoch;
}

/* The other legs of all parts: of as many steps, each with a depth and lanes of its own, and with
 * ends that all agree to. */
static bool draw_legs(uint64_t *seed, const struct common *c, struct run part[])
{
    bool clamped, refused = false;

    for (long i = 0; i < c->legs; i++) {
        const long steps = i ? case_between(seed, 0, 20) : c->steps;
        const long depth = divisor(seed, c->epoch);
        const long epochs = steps ? (steps - 1) / c->epoch : 0;
        const long ended = case_between(seed, 0, 1) ? case_between(seed, 0, epochs) : 0;

        for (long p = 0; p < c->parts && !refused; p++) {
            struct zoid_graph *g = &part[p].leg[i];

            part[p].legs = i + 1;
            if (i) {
                *g = g[-1];
                g->steps = steps;
                g->depth = zoid_in_order(&c->shape) ? depth : divisor(seed, c->epoch);
                g->lanes = (int)case_between(seed, 1, 4);
                refused = zoid_graph_follow(g, &g[-1], part[p].end[i - 1] - g[-1].start, &clamped);
            }
            part[p].end[i] = g->start + (ended ? ended * c->epoch : steps);
        }
    }
    return !refused;
}

void parts_draw(uint64_t *seed, bool in_order, struct common *c, struct run part[])
{
    bool refused;

    do {
        draw_common(seed, in_order, c);
        refused = false;
        for (long i = 0; i < c->parts && !refused; i++)
            refused = draw_part(seed, c, i ? part[i - 1].leg : NULL, part[i].leg);
    } while (refused || !draw_legs(seed, c, part));
}
