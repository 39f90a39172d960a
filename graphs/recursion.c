/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs/recursion.h"

#include <limits.h>

#include "graphs/chain.h"

typedef __int128 wide;

/* Slabs of a leaf when nobody says how large it may be. */
enum { LEAF_SLABS = 8 };
/* What a space cut needs beyond twice what a piece shrinks, since it goes between slabs. */
enum { CUT_SLABS = 3 };

/* By how many planes a piece shrinks in a step. */
static long shrink(const struct zoid_recursion *r)
{
    return r->stages * (r->lo + r->hi);
}

/* Pieces of a step are cut in space until they are leaves. */
long zoid_recursion_leaf_planes(const struct zoid_graph *g)
{
    long n = g->shape.n[zoid_chain(&g->shape)], wanted = g->leaf, lo, hi;

    if (!wanted)
        wanted = g->block < n / LEAF_SLABS ? LEAF_SLABS * g->block : n;
    zoid_chain_reach(&g->shape, &lo, &hi);
    return zoid_max(zoid_min(wanted, n), CUT_SLABS * g->block + 3 * g->shape.stages * (lo + hi));
}

void zoid_recursion_init(struct zoid_recursion *r, const struct zoid_graph *g)
{
    *r = (struct zoid_recursion){.n = g->shape.n[zoid_chain(&g->shape)],
                                 .block = g->block,
                                 .stages = g->shape.stages,
                                 .abreast = g->lanes};
    zoid_chain_reach(&g->shape, &r->lo, &r->hi);
    r->leaf = zoid_recursion_leaf_planes(g);
    /* A piece of one unit can be cut in space until it is a leaf. */
    r->unit = shrink(r) ? (r->leaf - CUT_SLABS * g->block) / (3 * shrink(r)) : g->depth;
}

struct zoid_recursion_piece zoid_recursion_pass(const struct zoid_recursion *r, long steps)
{
    return (struct zoid_recursion_piece){.height = steps, .hi = r->n};
}

/* ---- cuts -------------------------------------------------------------------------------- */

static long growth(const struct zoid_recursion *r, const struct zoid_recursion_piece *p)
{
    return zoid_max(zoid_recursion_move(r, p, ZOID_HIGH) - zoid_recursion_move(r, p, ZOID_LOW), 0);
}

static long units(const struct zoid_recursion *r, const struct zoid_recursion_piece *p)
{
    return zoid_ceil_div(p->height, r->unit);
}

/* What is not wider is not cut in space: each half must be as wide as it shrinks. */
static long widest(const struct zoid_recursion *r, const struct zoid_recursion_piece *p)
{
    return zoid_max(r->leaf - growth(r, p), 2 * p->height * shrink(r) + CUT_SLABS * r->block);
}

enum way { LEAF, IN_SPACE, IN_TIME };

static enum way way_of(const struct zoid_recursion *r, const struct zoid_recursion_piece *p)
{
    bool alone = p->face[ZOID_LOW] == ZOID_FACE_STILL && p->face[ZOID_HIGH] == ZOID_FACE_STILL;
    long width = p->hi - p->lo;

    if (width + growth(r, p) <= r->leaf && (alone || units(r, p) <= ZOID_RECURSION_UNITS))
        return LEAF;
    return width > widest(r, p) ? IN_SPACE : IN_TIME;
}

static struct zoid_recursion_piece lower(const struct zoid_recursion *r,
                                         struct zoid_recursion_piece p)
{
    long below = 1;

    /* A power of two, so that there are few heights. */
    while (2 * below < units(r, &p))
        below *= 2;
    p.height = below * r->unit;
    return p;
}

static struct zoid_recursion_piece upper(const struct zoid_recursion *r,
                                         struct zoid_recursion_piece p)
{
    struct zoid_recursion_piece below = lower(r, p);

    p.t0 += below.height;
    p.height -= below.height;
    p.lo += zoid_recursion_move(r, &below, ZOID_LOW);
    p.hi += zoid_recursion_move(r, &below, ZOID_HIGH);
    for (int side = ZOID_LOW; side <= ZOID_HIGH; side++)
        p.slope[side] += units(r, &below);
    return p;
}

/* A space cut: upright pieces 0 ... uprights - 1, and at face i > 0, between i - 1 and i, an inverted
 * one. Slopes lie in rings: two of each face, then the frames of the pieces. The first piece and the
 * last may take more than a frame: what they overlap is dead then, or not yet written. */
struct cut {
    struct zoid_recursion_piece piece;
    long uprights;
    long faces, frames; /* of the rings */
    long units, frame;  /* slopes of a line, and of a frame */
};

static struct cut cut_of(const struct zoid_recursion *r, const struct zoid_recursion_piece *p)
{
    bool whole = p->face[ZOID_LOW] == ZOID_FACE_STILL && p->face[ZOID_HIGH] == ZOID_FACE_STILL;
    struct cut c = {.piece = *p,
                    .uprights = zoid_ceil_div(p->hi - p->lo, widest(r, p) - r->block),
                    .units = shrink(r) ? units(r, p) : 0};

    c.frames = zoid_min(c.uprights, whole ? r->abreast + 1 : 2);
    c.faces = zoid_min(c.uprights - 1, c.frames);
    return c;
}

/* Where upright piece i starts: between two slabs, but at the ends. */
static long start(const struct zoid_recursion *r, const struct cut *c, long i)
{
    const struct zoid_recursion_piece *p = &c->piece;

    if (i == 0 || i == c->uprights)
        return i ? p->hi : p->lo;
    return (long)(((wide)p->lo * c->uprights + (wide)(p->hi - p->lo) * i) /
                  ((wide)c->uprights * r->block)) *
           r->block;
}

/* The slopes along face i: what the piece below it leaves, and what the one above it does. */
static long line(const struct cut *c, long face, int side)
{
    return c->piece.frame + ((face - 1) % c->faces * 2 + side) * c->units;
}

static long frame(const struct cut *c, long i)
{
    return c->piece.frame + 2 * c->faces * c->units + i % c->frames * c->frame;
}

static struct zoid_recursion_piece upright(const struct zoid_recursion *r, const struct cut *c,
                                           long i)
{
    struct zoid_recursion_piece p = c->piece;

    p.lo = start(r, c, i);
    p.hi = start(r, c, i + 1);
    /* Without a reach there is nothing to leave. */
    if (i && c->units) {
        p.face[ZOID_LOW] = ZOID_FACE_IN;
        p.slope[ZOID_LOW] = line(c, i, ZOID_HIGH);
    }
    if (i + 1 < c->uprights && c->units) {
        p.face[ZOID_HIGH] = ZOID_FACE_IN;
        p.slope[ZOID_HIGH] = line(c, i + 1, ZOID_LOW);
    }
    p.frame = frame(c, i);
    return p;
}

static struct zoid_recursion_piece inverted(const struct zoid_recursion *r, const struct cut *c,
                                            long face)
{
    struct zoid_recursion_piece p = c->piece;

    p.lo = p.hi = start(r, c, face);
    for (int side = ZOID_LOW; side <= ZOID_HIGH; side++) {
        p.face[side] = ZOID_FACE_OUT;
        p.slope[side] = line(c, face, side);
    }
    p.frame = frame(c, face);
    return p;
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

static struct zoid_recursion_sum sum_of_leaf(const struct zoid_recursion *r,
                                             const struct zoid_recursion_piece *p)
{
    long times = p->height * r->stages, low = zoid_recursion_move(r, p, ZOID_LOW) / times;
    long high = zoid_recursion_move(r, p, ZOID_HIGH) / times, width = p->hi - p->lo;
    long lo = p->lo + zoid_min(low * times, 0), hi = p->hi + zoid_max(high * times, 0);
    struct zoid_recursion_sum sum = {
        .leaves = 1, .steps = p->height, .slabs = zoid_ceil_div(hi, r->block) - lo / r->block};

    if (times > 1)
        sum.between = zoid_max(width + high - low, width + (high - low) * (times - 1));
    sum.looked = p->hi + zoid_max(high, high * times) - p->lo - zoid_min(low, low * times) +
                 (p->face[ZOID_LOW] == ZOID_FACE_STILL ? 0 : r->lo) +
                 (p->face[ZOID_HIGH] == ZOID_FACE_STILL ? 0 : r->hi);
    return sum;
}

/* The upright pieces between the first and the last have one of two widths: this many slabs, or one
 * more. */
static long narrow(const struct zoid_recursion *r, const struct cut *c)
{
    return (long)((c->piece.hi - c->piece.lo) / ((wide)c->uprights * r->block));
}

/* How many of pieces 1 ... i - 1 have the larger width. */
static long wider_ones(const struct zoid_recursion *r, const struct cut *c, long i)
{
    return (start(r, c, i) - start(r, c, 1)) / r->block - (i - 1) * narrow(r, c);
}

static struct zoid_recursion_sum sum_of_width(struct zoid_recursion *r, const struct cut *c,
                                              long slabs)
{
    struct zoid_recursion_piece p = upright(r, c, 1);

    p.hi = p.lo + slabs * r->block;
    return zoid_recursion_sum(r, &p);
}

/* The parts of a space cut. */
struct parts {
    struct zoid_recursion_sum first, last, narrow, wide, inverted;
    struct zoid_recursion_sum all;
};

static struct parts parts_of(struct zoid_recursion *r, const struct cut *c)
{
    struct zoid_recursion_piece first = upright(r, c, 0), last = upright(r, c, c->uprights - 1);
    struct zoid_recursion_piece between = inverted(r, c, 1);
    long middle = c->uprights - 2, wide = wider_ones(r, c, c->uprights - 1);
    struct parts parts = {.first = zoid_recursion_sum(r, &first),
                          .last = zoid_recursion_sum(r, &last)};

    zoid_recursion_add(&parts.all, &parts.first, 1);
    zoid_recursion_add(&parts.all, &parts.last, 1);
    if (middle > wide) {
        parts.narrow = sum_of_width(r, c, narrow(r, c));
        zoid_recursion_add(&parts.all, &parts.narrow, middle - wide);
    }
    if (wide) {
        parts.wide = sum_of_width(r, c, narrow(r, c) + 1);
        zoid_recursion_add(&parts.all, &parts.wide, wide);
    }
    if (shrink(r)) {
        parts.inverted = zoid_recursion_sum(r, &between);
        zoid_recursion_add(&parts.all, &parts.inverted, c->uprights - 1);
    }
    return parts;
}

/* The ring's frame is one for the pieces between the first and the last, if there are any. */
static long frame_of(const struct cut *c, const struct parts *parts)
{
    long frame = zoid_max(parts->inverted.frame, zoid_max(parts->narrow.frame, parts->wide.frame));

    return c->uprights > 2 ? frame : parts->first.frame;
}

/* Where the highest frame ends, above the slopes of the faces. */
static long frames_end(const struct cut *c, const struct parts *parts)
{
    long frame = frame_of(c, parts), end = (c->uprights - 1) % c->frames * frame;

    end += zoid_max(parts->last.frame, parts->inverted.frame);
    if (c->uprights > c->frames)
        end = zoid_max(end, c->frames * frame);
    return zoid_max(end, parts->first.frame);
}

static struct zoid_recursion_sum sum_of_parts(struct zoid_recursion *r,
                                              const struct zoid_recursion_piece *p)
{
    struct zoid_recursion_piece half[] = {lower(r, *p), upper(r, *p)};
    struct zoid_recursion_sum sum = {.leaves = 0};
    struct parts parts;

    if (way_of(r, p) == IN_SPACE) {
        struct cut c = cut_of(r, p);

        parts = parts_of(r, &c);
        parts.all.frame = 2 * c.faces * c.units + frames_end(&c, &parts);
        return parts.all;
    }
    for (int i = 0; i < 2; i++) {
        struct zoid_recursion_sum one = zoid_recursion_sum(r, &half[i]);

        zoid_recursion_add(&sum, &one, 1);
    }
    return sum;
}

struct zoid_recursion_sum zoid_recursion_sum(struct zoid_recursion *r,
                                             const struct zoid_recursion_piece *p)
{
    struct zoid_recursion_known key = {.height = p->height,
                                       .width = p->hi - p->lo,
                                       .offset = p->lo % r->block,
                                       .face = {p->face[ZOID_LOW], p->face[ZOID_HIGH]}};
    unsigned long at = (unsigned long)key.height * 31 + (unsigned long)key.width;
    struct zoid_recursion_known *known;

    if (way_of(r, p) == LEAF)
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

/* Of a cut whose frames are not told apart yet. */
static struct cut cut_with_frames(struct zoid_recursion *r, const struct zoid_recursion_piece *p,
                                  struct parts *parts)
{
    struct cut c = cut_of(r, p);

    *parts = parts_of(r, &c);
    c.frame = frame_of(&c, parts);
    return c;
}

/* Leaves before upright piece i. */
static long before(const struct zoid_recursion *r, const struct cut *c, const struct parts *parts,
                   long i)
{
    long wide = i ? wider_ones(r, c, i) : 0;

    return i ? parts->first.leaves + (i - 1) * parts->inverted.leaves +
                   (i - 1 - wide) * parts->narrow.leaves + wide * parts->wide.leaves
             : 0;
}

/* The last upright piece that comes at or before a position. */
static long upright_at(const struct zoid_recursion *r, const struct cut *c,
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

/* One step down to where a position is, which is then counted inside that part. */
static struct zoid_recursion_piece part_at(struct zoid_recursion *r,
                                           const struct zoid_recursion_piece *p, long *position)
{
    struct zoid_recursion_piece part = lower(r, *p);
    struct parts parts;
    struct cut c;
    long i = 0, leaves;

    if (way_of(r, p) == IN_SPACE) {
        c = cut_with_frames(r, p, &parts);
        i = upright_at(r, &c, &parts, *position);
        *position -= before(r, &c, &parts, i);
        part = upright(r, &c, i);
    }
    leaves = zoid_recursion_sum(r, &part).leaves;
    if (*position < leaves)
        return part;
    *position -= leaves;
    return way_of(r, p) == IN_SPACE ? inverted(r, &c, i) : upper(r, *p);
}

struct zoid_recursion_piece zoid_recursion_leaf(struct zoid_recursion *r,
                                                struct zoid_recursion_piece piece, long position)
{
    while (way_of(r, &piece) != LEAF)
        piece = part_at(r, &piece, &position);
    return piece;
}

/* Whether a piece has one of planes [lo, hi) at its first or last time. */
static bool meets(const struct zoid_recursion *r, const struct zoid_recursion_piece *p, long lo,
                  long hi)
{
    return p->lo + zoid_min(zoid_recursion_move(r, p, ZOID_LOW), 0) < hi &&
           p->hi + zoid_max(zoid_recursion_move(r, p, ZOID_HIGH), 0) > lo;
}

/* The last part that has one of planes [lo, hi), where the whole has; *leaves grows by those before it. */
static struct zoid_recursion_piece last_part(struct zoid_recursion *r,
                                             const struct zoid_recursion_piece *p, long lo, long hi,
                                             long *leaves)
{
    struct zoid_recursion_piece below = lower(r, *p), part = upper(r, *p);
    long low = 0, high, own;
    struct parts parts;
    struct cut c;

    if (way_of(r, p) == IN_TIME) {
        if (!meets(r, &part, lo, hi))
            return below;
        *leaves += zoid_recursion_sum(r, &below).leaves;
        return part;
    }
    c = cut_with_frames(r, p, &parts);
    /* No inverted piece reaches further down. */
    for (high = c.uprights; high - low > 1;) {
        long middle = low + (high - low) / 2;

        if (start(r, &c, middle) < hi + p->height * r->stages * r->hi)
            low = middle;
        else
            high = middle;
    }
    for (;; low--) {
        below = upright(r, &c, low);
        part = low && shrink(r) ? inverted(r, &c, low) : below;
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

long zoid_recursion_last(struct zoid_recursion *r, struct zoid_recursion_piece piece, long lo,
                         long hi)
{
    long position = 0;

    while (way_of(r, &piece) != LEAF)
        piece = last_part(r, &piece, lo, hi, &position);
    return position;
}

/* ---- passes ------------------------------------------------------------------------------ */

/* A pass that is cut in time first is two passes. And where it is so high that a slab comes to the
 * memory nearest for the first time and for the last once in so many units, more changes nothing. */
long zoid_recursion_max_depth(const struct zoid_recursion *r)
{
    enum { MOST_UNITS = 256 };
    long in_space;

    if (!shrink(r) || r->n <= r->leaf)
        return LONG_MAX;
    in_space = (r->n - CUT_SLABS * r->block - 1) / (2 * shrink(r));
    return in_space / MOST_UNITS < r->unit ? in_space : MOST_UNITS * r->unit;
}

long zoid_recursion_pieces(const struct zoid_recursion *r, long steps)
{
    struct zoid_recursion_piece pass = zoid_recursion_pass(r, steps);

    return way_of(r, &pass) == IN_SPACE ? cut_of(r, &pass).uprights : 1;
}

/* An upright piece has its slabs, and the inverted one at its low face those below that it ends in. */
long zoid_recursion_open(const struct zoid_recursion *r, long steps)
{
    struct zoid_recursion_piece pass = zoid_recursion_pass(r, steps);
    long slabs = zoid_ceil_div(r->n, r->block), open, last;
    struct cut c;

    if (way_of(r, &pass) != IN_SPACE)
        return slabs;
    c = cut_of(r, &pass);
    last = slabs - start(r, &c, c.uprights - 1) / r->block;
    open = last;
    if (c.uprights > 2)
        open = zoid_max(last, narrow(r, &c) + (wider_ones(r, &c, c.uprights - 1) > 0));
    open += zoid_ceil_div(steps * r->stages * r->hi, r->block);
    return zoid_max(open, start(r, &c, 1) / r->block);
}
