/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs/methods/recursion.h"

#include <limits.h>
#include <math.h>

#include "graphs/common/arith.h"
#include "graphs/common/grid.h"
#include "graphs/common/passes.h"
#include "graphs/methods/recursion_cut.h"

/* Slabs of a leaf if its size is not given. */
enum { LEAF_SLABS = 8 };

/* Raised so that subzoids of one step can be cut in space down to leaves. */
long zoid_recursion_leaf_planes(const struct zoid_graph *g)
{
    long n = zoid_cell_line(g), wanted = g->leaf, lo, hi;

    if (!wanted)
        wanted = g->block < n / LEAF_SLABS ? LEAF_SLABS * g->block : n;
    zoid_chain_reach(&g->shape, &lo, &hi);
    return zoid_max(zoid_min(wanted, n),
                    ZOID_CUT_SLABS * g->block + 3 * g->shape.stages * (lo + hi));
}

void zoid_recursion_measure(struct zoid_recursion *r, const struct zoid_graph *g)
{
    r->n = zoid_cell_line(g);
    r->block = g->block;
    r->stages = g->shape.stages;
    r->abreast = g->lanes;
    r->laps = 1;
    zoid_chain_reach(&g->shape, &r->lo, &r->hi);
    zoid_chain_near(g, &r->near[ZOID_LOW], &r->near[ZOID_HIGH]);
    r->leaf = zoid_recursion_leaf_planes(g);
    /* A subzoid of one unit can be cut in space until it is a leaf. */
    r->unit = zoid_cut_shrink(r) ? (r->leaf - ZOID_CUT_SLABS * g->block) / (3 * zoid_cut_shrink(r))
                                 : g->depth;
}

void zoid_recursion_init(struct zoid_recursion *r, const struct zoid_graph *g)
{
    zoid_recursion_measure(r, g);
    for (int i = 0; i < ZOID_RECURSION_SUMS; i++)
        r->known[i].height = 0;
}

/* ---- sums -------------------------------------------------------------------------------- */

static void most(long *value, long other)
{
    *value = zoid_max(*value, other);
}

void zoid_recursion_add(struct zoid_recursion_sum *sum, const struct zoid_recursion_sum *one,
                        long times)
{
    sum->leaves += times * one->leaves;
    sum->steps += times * one->steps;
    most(&sum->frame, one->frame);
    most(&sum->between, one->between);
    most(&sum->looked, one->looked);
    most(&sum->slabs, one->slabs);
}

/* Planes that a leaf computes over all times. */
static double planes_of_leaf(const struct zoid_recursion *r, const struct zoid_subzoid *p, long low,
                             long high)
{
    double times = (double)(p->height * r->stages);

    return times * (double)(p->hi - p->lo) + (double)(high - low) * times * (times + 1) / 2;
}

static struct zoid_recursion_sum sum_of_leaf(const struct zoid_recursion *r,
                                             const struct zoid_subzoid *p)
{
    long times = p->height * r->stages, low = zoid_recursion_move(r, p, ZOID_LOW) / times;
    long high = zoid_recursion_move(r, p, ZOID_HIGH) / times, width = p->hi - p->lo;
    long lo = p->lo + zoid_min(low * times, 0), hi = p->hi + zoid_max(high * times, 0);
    struct zoid_recursion_sum sum = {.leaves = 1,
                                     .steps = p->height,
                                     .slabs = zoid_ceil_div(hi, r->block) - lo / r->block,
                                     .chain = planes_of_leaf(r, p, low, high)};

    if (times > 1)
        sum.between = zoid_max(width + high - low, width + (high - low) * (times - 1));
    sum.looked = p->hi + zoid_max(high, high * times) - p->lo - zoid_min(low, low * times) +
                 (p->face[ZOID_LOW] == ZOID_FACE_STILL ? 0 : r->near[ZOID_LOW]) +
                 (p->face[ZOID_HIGH] == ZOID_FACE_STILL ? 0 : r->near[ZOID_HIGH]);
    return sum;
}

static struct zoid_recursion_sum sum_of_width(struct zoid_recursion *r, const struct zoid_cut *c,
                                              long slabs)
{
    struct zoid_subzoid p = zoid_cut_upright(r, c, 1);

    p.hi = p.lo + slabs * r->block;
    return zoid_recursion_sum(r, &p);
}

/* Parts of a space cut. */
struct parts {
    struct zoid_recursion_sum first, last, narrow, wide, inverted;
    struct zoid_recursion_sum all;
};

static struct parts parts_of(struct zoid_recursion *r, const struct zoid_cut *c)
{
    struct zoid_subzoid first = zoid_cut_upright(r, c, 0),
                        last = zoid_cut_upright(r, c, c->uprights - 1);
    struct zoid_subzoid between = zoid_cut_inverted(r, c, 1);
    long middle = c->uprights - 2, wide = zoid_cut_wider(r, c, c->uprights - 1);
    struct parts parts = {.first = zoid_recursion_sum(r, &first),
                          .last = zoid_recursion_sum(r, &last)};

    zoid_recursion_add(&parts.all, &parts.first, 1);
    zoid_recursion_add(&parts.all, &parts.last, 1);
    if (middle > wide) {
        parts.narrow = sum_of_width(r, c, zoid_cut_narrow(r, c));
        zoid_recursion_add(&parts.all, &parts.narrow, middle - wide);
    }
    if (wide) {
        parts.wide = sum_of_width(r, c, zoid_cut_narrow(r, c) + 1);
        zoid_recursion_add(&parts.all, &parts.wide, wide);
    }
    if (zoid_cut_shrink(r)) {
        parts.inverted = zoid_recursion_sum(r, &between);
        zoid_recursion_add(&parts.all, &parts.inverted, c->uprights - 1);
    }
    return parts;
}

/* Slopes of a frame in the ring: the maximum of the subzoids between the first and the last, if
 * there are any, else those of the first. */
static long frame_of(const struct zoid_cut *c, const struct parts *parts)
{
    long frame = zoid_max(parts->inverted.frame, zoid_max(parts->narrow.frame, parts->wide.frame));

    return c->uprights > 2 ? frame : parts->first.frame;
}

/* End of the highest frame, counted from the end of the faces' slopes. */
static long frames_end(const struct zoid_cut *c, const struct parts *parts)
{
    long frame = frame_of(c, parts), end = (c->uprights - 1) % c->frames * frame;

    end += zoid_max(parts->last.frame, parts->inverted.frame);
    if (c->uprights > c->frames)
        end = zoid_max(end, c->frames * frame);
    return zoid_max(end, parts->first.frame);
}

/* Critical path of a space cut. An inverted subzoid waits for the upright ones on both sides. If
 * slopes are few, an upright subzoid that writes some waits for the inverted one that read their
 * previous contents, of the same cell or of an earlier one: for all of it if leaves are as high as
 * the subzoids, for about two of its leaves, one above the other, if they are lower. */
static double chain_of(const struct zoid_recursion *r, const struct zoid_cut *c,
                       const struct parts *parts)
{
    double upright = fmax(fmax(parts->first.chain, parts->last.chain),
                          fmax(parts->narrow.chain, parts->wide.chain));
    double leaves = (double)(c->subzoid.height * parts->first.leaves) / (double)parts->first.steps;
    long faces = (zoid_cut_whole(&c->subzoid) ? r->laps : 1) * (c->uprights - 1);
    long turns = c->units && faces > c->faces ? zoid_ceil_div(faces, zoid_max(c->faces - 1, 1)) : 1;

    return (upright + parts->inverted.chain) * (1 + (double)(turns - 1) * fmin(2 / leaves, 1));
}

static struct zoid_recursion_sum sum_of_parts(struct zoid_recursion *r,
                                              const struct zoid_subzoid *p)
{
    struct zoid_subzoid half[] = {zoid_cut_lower(r, *p), zoid_cut_upper(r, *p)};
    struct zoid_recursion_sum sum = {.leaves = 0};
    struct parts parts;

    if (zoid_cut_way(r, p) == ZOID_CUT_SPACE) {
        struct zoid_cut c = zoid_cut_of(r, p);

        parts = parts_of(r, &c);
        parts.all.frame = 2 * c.faces * c.units + frames_end(&c, &parts);
        parts.all.chain = chain_of(r, &c, &parts);
        return parts.all;
    }
    for (int i = 0; i < 2; i++) {
        struct zoid_recursion_sum one = zoid_recursion_sum(r, &half[i]);

        zoid_recursion_add(&sum, &one, 1);
        sum.chain += one.chain;
    }
    return sum;
}

struct zoid_recursion_sum zoid_recursion_sum(struct zoid_recursion *r, const struct zoid_subzoid *p)
{
    struct zoid_recursion_known key = {.height = p->height,
                                       .width = p->hi - p->lo,
                                       .offset = p->lo % r->block,
                                       .face = {p->face[ZOID_LOW], p->face[ZOID_HIGH]}};
    unsigned long at = (unsigned long)key.height * 31 + (unsigned long)key.width;
    struct zoid_recursion_known *known;

    if (zoid_cut_way(r, p) == ZOID_CUT_NOT)
        return sum_of_leaf(r, p);
    at = (at * 31 + (unsigned long)key.offset) * 9 + key.face[ZOID_LOW] * 3 + key.face[ZOID_HIGH];
    known = &r->known[at % ZOID_RECURSION_SUMS];
    if (known->height != key.height || known->width != key.width || known->offset != key.offset ||
        known->face[ZOID_LOW] != key.face[ZOID_LOW] ||
        known->face[ZOID_HIGH] != key.face[ZOID_HIGH]) {
        key.sum = sum_of_parts(r, p);
        *known = key;
    }
    return known->sum;
}

/* ---- positions --------------------------------------------------------------------------- */

/* Space cut of a subzoid with the size of its frames. */
static struct zoid_cut cut_with_frames(struct zoid_recursion *r, const struct zoid_subzoid *p,
                                       struct parts *parts)
{
    struct zoid_cut c = zoid_cut_of(r, p);

    *parts = parts_of(r, &c);
    c.frame = frame_of(&c, parts);
    return c;
}

/* Number of leaves before upright subzoid i. */
static long before(const struct zoid_recursion *r, const struct zoid_cut *c,
                   const struct parts *parts, long i)
{
    long wide = i ? zoid_cut_wider(r, c, i) : 0;

    return i ? parts->first.leaves + (i - 1) * parts->inverted.leaves +
                   (i - 1 - wide) * parts->narrow.leaves + wide * parts->wide.leaves
             : 0;
}

/* Last upright subzoid that starts at or before a position. */
static long upright_at(const struct zoid_recursion *r, const struct zoid_cut *c,
                       const struct parts *parts, long position)
{
    long low = 0, high = c->uprights;

    while (high - low > 1) {
        long middle = low + (high - low) / 2;

        if (before(r, c, parts, middle) <= position)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Descend to the part that has a position, and make the position relative to that part. */
static struct zoid_subzoid part_at(struct zoid_recursion *r, const struct zoid_subzoid *p,
                                   long *position)
{
    struct zoid_subzoid part = zoid_cut_lower(r, *p);
    struct parts parts;
    struct zoid_cut c;
    long i = 0, leaves;

    if (zoid_cut_way(r, p) == ZOID_CUT_SPACE) {
        c = cut_with_frames(r, p, &parts);
        i = upright_at(r, &c, &parts, *position);
        *position -= before(r, &c, &parts, i);
        part = zoid_cut_upright(r, &c, i);
    }
    leaves = zoid_recursion_sum(r, &part).leaves;
    if (*position < leaves)
        return part;
    *position -= leaves;
    return zoid_cut_way(r, p) == ZOID_CUT_SPACE ? zoid_cut_inverted(r, &c, i)
                                                : zoid_cut_upper(r, *p);
}

struct zoid_subzoid zoid_recursion_leaf(struct zoid_recursion *r, struct zoid_subzoid subzoid,
                                        long position)
{
    while (zoid_cut_way(r, &subzoid) != ZOID_CUT_NOT)
        subzoid = part_at(r, &subzoid, &position);
    return subzoid;
}

/* True if a subzoid has one of planes [lo, hi) at its first or last time. */
static bool meets(const struct zoid_recursion *r, const struct zoid_subzoid *p, long lo, long hi)
{
    return p->lo + zoid_min(zoid_recursion_move(r, p, ZOID_LOW), 0) < hi &&
           p->hi + zoid_max(zoid_recursion_move(r, p, ZOID_HIGH), 0) > lo;
}

/* Last part that has one of planes [lo, hi), if the whole has; adds the leaves before it to
 * *leaves. */
static struct zoid_subzoid last_part(struct zoid_recursion *r, const struct zoid_subzoid *p,
                                     long lo, long hi, long *leaves)
{
    struct zoid_subzoid below = zoid_cut_lower(r, *p), part = zoid_cut_upper(r, *p);
    long low = 0, high, own;
    struct parts parts;
    struct zoid_cut c;

    if (zoid_cut_way(r, p) == ZOID_CUT_TIME) {
        if (!meets(r, &part, lo, hi))
            return below;
        *leaves += zoid_recursion_sum(r, &below).leaves;
        return part;
    }
    c = cut_with_frames(r, p, &parts);
    /* No inverted subzoid reaches further down. */
    for (high = c.uprights; high - low > 1;) {
        long middle = low + (high - low) / 2;

        if (zoid_cut_start(r, &c, middle) < hi + p->height * r->stages * r->hi)
            low = middle;
        else
            high = middle;
    }
    for (;; low--) {
        below = zoid_cut_upright(r, &c, low);
        part = low && zoid_cut_shrink(r) ? zoid_cut_inverted(r, &c, low) : below;
        own = before(r, &c, &parts, low);
        if (part.lo == part.hi && meets(r, &part, lo, hi)) {
            *leaves += own + zoid_recursion_sum(r, &below).leaves;
            return part;
        }
        if (meets(r, &below, lo, hi)) {
            *leaves += own;
            return below;
        }
    }
}

long zoid_recursion_last(struct zoid_recursion *r, struct zoid_subzoid subzoid, long lo, long hi)
{
    long position = 0;

    while (zoid_cut_way(r, &subzoid) != ZOID_CUT_NOT)
        subzoid = last_part(r, &subzoid, lo, hi, &position);
    return position;
}

/* ---- passes ------------------------------------------------------------------------------ */

struct zoid_subzoid zoid_recursion_pass(const struct zoid_recursion *r, long steps)
{
    return (struct zoid_subzoid){.height = steps, .hi = r->n};
}

/* A pass that is cut in time first equals two passes. Nor does a larger depth change anything once
 * a slab enters and leaves the nearest memory only once in MOST_UNITS units. */
long zoid_recursion_max_depth(const struct zoid_recursion *r)
{
    enum { MOST_UNITS = 256 };
    long in_space;

    if (!zoid_cut_shrink(r) || r->n <= r->leaf)
        return LONG_MAX;
    in_space = (r->n - ZOID_CUT_SLABS * r->block - 1) / (2 * zoid_cut_shrink(r));
    return in_space / MOST_UNITS < r->unit ? in_space : MOST_UNITS * r->unit;
}

long zoid_recursion_rings(const struct zoid_recursion *r, long steps, long cells)
{
    struct zoid_subzoid pass = zoid_recursion_pass(r, steps);
    struct zoid_cut c;

    if (zoid_cut_way(r, &pass) != ZOID_CUT_SPACE)
        return 1;
    c = zoid_cut_of(r, &pass);
    return zoid_min(cells, zoid_ceil_div(r->abreast + 1, c.uprights));
}

/* An upright subzoid accesses its slabs, and the inverted one at its low face those below in which
 * it ends. */
long zoid_recursion_open(const struct zoid_recursion *r, long steps)
{
    struct zoid_subzoid pass = zoid_recursion_pass(r, steps);
    long slabs = zoid_ceil_div(r->n, r->block), open, last;
    struct zoid_cut c;

    if (zoid_cut_way(r, &pass) != ZOID_CUT_SPACE)
        return slabs;
    c = zoid_cut_of(r, &pass);
    last = slabs - zoid_cut_start(r, &c, c.uprights - 1) / r->block;
    open = last;
    if (c.uprights > 2)
        open = zoid_max(last, zoid_cut_narrow(r, &c) + (zoid_cut_wider(r, &c, c.uprights - 1) > 0));
    open += zoid_ceil_div(steps * r->stages * r->hi, r->block);
    return zoid_max(open, zoid_cut_start(r, &c, 1) / r->block);
}
