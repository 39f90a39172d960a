/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs/methods/recursion_cut.h"

#include "graphs/common/arith.h"

typedef __int128 wide;

long zoid_cut_shrink(const struct zoid_recursion *r)
{
    return r->stages * (r->lo + r->hi);
}

static long growth(const struct zoid_recursion *r, const struct zoid_subzoid *p)
{
    return zoid_max(zoid_recursion_move(r, p, ZOID_HIGH) - zoid_recursion_move(r, p, ZOID_LOW), 0);
}

static long units(const struct zoid_recursion *r, const struct zoid_subzoid *p)
{
    return zoid_ceil_div(p->height, r->unit);
}

/* Maximum width that is not cut in space: each part must be at least as wide as it shrinks,
 * wherever the cut between two slabs lies. */
static long widest(const struct zoid_recursion *r, const struct zoid_subzoid *p)
{
    return zoid_max(r->leaf - growth(r, p),
                    2 * p->height * zoid_cut_shrink(r) + ZOID_CUT_SLABS * r->block);
}

enum zoid_cut_way zoid_cut_way(const struct zoid_recursion *r, const struct zoid_subzoid *p)
{
    long width = p->hi - p->lo;

    if (width + growth(r, p) <= r->leaf &&
        (zoid_cut_whole(p) || units(r, p) <= ZOID_RECURSION_UNITS))
        return ZOID_CUT_NOT;
    return width > widest(r, p) ? ZOID_CUT_SPACE : ZOID_CUT_TIME;
}

struct zoid_subzoid zoid_cut_lower(const struct zoid_recursion *r, struct zoid_subzoid p)
{
    long below = 1;

    /* A power of two, so that there are few heights. */
    while (2 * below < units(r, &p))
        below *= 2;
    p.height = below * r->unit;
    return p;
}

struct zoid_subzoid zoid_cut_upper(const struct zoid_recursion *r, struct zoid_subzoid p)
{
    struct zoid_subzoid below = zoid_cut_lower(r, p);

    p.t0 += below.height;
    p.height -= below.height;
    p.lo += zoid_recursion_move(r, &below, ZOID_LOW);
    p.hi += zoid_recursion_move(r, &below, ZOID_HIGH);
    for (int side = ZOID_LOW; side <= ZOID_HIGH; side++)
        p.slope[side] += units(r, &below);
    return p;
}

struct zoid_cut zoid_cut_of(const struct zoid_recursion *r, const struct zoid_subzoid *p)
{
    /* The caller, which knows the slopes of the parts, sizes the frames. */
    struct zoid_cut c = {.subzoid = *p,
                         .uprights = zoid_ceil_div(p->hi - p->lo, widest(r, p) - r->block),
                         .units = zoid_cut_shrink(r) ? units(r, p) : 0};

    c.frames = zoid_min(c.uprights, zoid_cut_whole(p) ? r->abreast + 1 : 2);
    c.faces = zoid_min(c.uprights - 1, c.frames);
    return c;
}

long zoid_cut_start(const struct zoid_recursion *r, const struct zoid_cut *c, long i)
{
    const struct zoid_subzoid *p = &c->subzoid;

    if (i == 0 || i == c->uprights)
        return i ? p->hi : p->lo;
    return (long)(((wide)p->lo * c->uprights + (wide)(p->hi - p->lo) * i) /
                  ((wide)c->uprights * r->block)) *
           r->block;
}

/* Slopes along face i: those that the subzoid below it leaves, and those of the one above. */
static long line(const struct zoid_cut *c, long face, int side)
{
    return c->subzoid.frame + ((face - 1) % c->faces * 2 + side) * c->units;
}

static long frame(const struct zoid_cut *c, long i)
{
    return c->subzoid.frame + 2 * c->faces * c->units + i % c->frames * c->frame;
}

struct zoid_subzoid zoid_cut_upright(const struct zoid_recursion *r, const struct zoid_cut *c,
                                     long i)
{
    struct zoid_subzoid p = c->subzoid;

    p.lo = zoid_cut_start(r, c, i);
    p.hi = zoid_cut_start(r, c, i + 1);
    /* Without reach there are no slopes. */
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

struct zoid_subzoid zoid_cut_inverted(const struct zoid_recursion *r, const struct zoid_cut *c,
                                      long face)
{
    struct zoid_subzoid p = c->subzoid;

    p.lo = p.hi = zoid_cut_start(r, c, face);
    for (int side = ZOID_LOW; side <= ZOID_HIGH; side++) {
        p.face[side] = ZOID_FACE_OUT;
        p.slope[side] = line(c, face, side);
    }
    p.frame = frame(c, face);
    return p;
}

long zoid_cut_narrow(const struct zoid_recursion *r, const struct zoid_cut *c)
{
    return (long)((c->subzoid.hi - c->subzoid.lo) / ((wide)c->uprights * r->block));
}

long zoid_cut_wider(const struct zoid_recursion *r, const struct zoid_cut *c, long i)
{
    return (zoid_cut_start(r, c, i) - zoid_cut_start(r, c, 1)) / r->block -
           (i - 1) * zoid_cut_narrow(r, c);
}
