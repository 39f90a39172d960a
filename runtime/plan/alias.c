/* SPDX-License-Identifier: BSD-3-Clause */
/* Temporal blocking under the names that papers gave it. 1D-...: Jin (2014), who cuts a domain
 * larger than a GPU's memory along one axis; 2D-...: along two. N: one step per visit; T: several,
 * with planes of the neighbours (ghost planes); TB: hands these on instead; TBM: the same in place.
 * 2 before that: a kernel of two steps; R after it: a kernel that keeps planes in registers; any
 * other: a simple kernel. P: copies overlap computation. 2D-1D-...: ranks have boxes of the planes,
 * and each cuts its own along the last axis as 1D-... does; S after that: a kernel of two steps.
 * There, copies do not overlap computation, but halo exchanges between ranks do. `base` and
 * `single` are Endo's (2018): one step per visit, and trapezoids of one height. His `recursive` is
 * the method of that name. `b2r` is Liu and Perumalla's: a rank has one box, with ghost points for
 * R steps around it. */
#include "runtime/plan/alias.h"

#include <string.h>

#include "runtime/plan/cells.h"
#include "runtime/plan/place.h"

const struct zoid_alias zoid_aliases[] = {
    {.name = "1D-N",
     .method = "naive",
     .traversal = ZOID_TRAVERSAL_NAIVE,
     .overlap = ZOID_OVERLAP_OFF,
     .depth = 1},
    {.name = "1D-T",
     .method = "overlapped",
     .traversal = ZOID_TRAVERSAL_NAIVE,
     .overlap = ZOID_OVERLAP_OFF},
    {.name = "1D-2T",
     .method = "overlapped",
     .traversal = ZOID_TRAVERSAL_TWO,
     .overlap = ZOID_OVERLAP_OFF},
    {.name = "1D-TB",
     .method = "leaning",
     .traversal = ZOID_TRAVERSAL_NAIVE,
     .overlap = ZOID_OVERLAP_OFF},
    {.name = "1D-TBM",
     .method = "leaning",
     .traversal = ZOID_TRAVERSAL_NAIVE,
     .overlap = ZOID_OVERLAP_OFF},
    {.name = "1D-2TBM",
     .method = "leaning",
     .traversal = ZOID_TRAVERSAL_TWO,
     .overlap = ZOID_OVERLAP_OFF},
    {.name = "1D-P-2TBM",
     .method = "leaning",
     .traversal = ZOID_TRAVERSAL_TWO,
     .overlap = ZOID_OVERLAP_ON},
    {.name = "1D-TBMR",
     .method = "leaning",
     .traversal = ZOID_TRAVERSAL_STEP,
     .overlap = ZOID_OVERLAP_OFF},
    {.name = "1D-P-TBMR",
     .method = "leaning",
     .traversal = ZOID_TRAVERSAL_STEP,
     .overlap = ZOID_OVERLAP_ON},
    {.name = "2D-N",
     .method = "naive",
     .traversal = ZOID_TRAVERSAL_NAIVE,
     .overlap = ZOID_OVERLAP_OFF,
     .depth = 1,
     .strips = true},
    {.name = "2D-T",
     .method = "overlapped",
     .traversal = ZOID_TRAVERSAL_NAIVE,
     .overlap = ZOID_OVERLAP_OFF,
     .strips = true},
    {.name = "2D-TBM",
     .method = "leaning",
     .traversal = ZOID_TRAVERSAL_NAIVE,
     .overlap = ZOID_OVERLAP_OFF,
     .strips = true},
    {.name = "2D-1D-N",
     .method = "naive",
     .traversal = ZOID_TRAVERSAL_NAIVE,
     .overlap = ZOID_OVERLAP_OFF,
     .depth = 1,
     .ranks = true},
    {.name = "2D-1D-T",
     .method = "overlapped",
     .traversal = ZOID_TRAVERSAL_NAIVE,
     .overlap = ZOID_OVERLAP_OFF,
     .ranks = true},
    {.name = "2D-1D-TBM",
     .method = "leaning",
     .traversal = ZOID_TRAVERSAL_NAIVE,
     .overlap = ZOID_OVERLAP_OFF,
     .ranks = true},
    {.name = "2D-1D-TBMS",
     .method = "leaning",
     .traversal = ZOID_TRAVERSAL_TWO,
     .overlap = ZOID_OVERLAP_OFF,
     .ranks = true},
    {.name = "2D-1D-TBMR",
     .method = "leaning",
     .traversal = ZOID_TRAVERSAL_STEP,
     .overlap = ZOID_OVERLAP_OFF,
     .ranks = true},
    {.name = "base",
     .method = "naive",
     .traversal = ZOID_TRAVERSAL_STEP,
     .overlap = ZOID_OVERLAP_OFF,
     .depth = 1},
    {.name = "single",
     .method = "trapezoid",
     .traversal = ZOID_TRAVERSAL_STEP,
     .overlap = ZOID_OVERLAP_OFF},
    {.name = "b2r", .method = "overlapped", .overlap = ZOID_OVERLAP_ON, .single = true},
    {.name = NULL},
};

const struct zoid_alias *zoid_alias_find(const char *name)
{
    for (const struct zoid_alias *a = zoid_aliases; a->name; a++)
        if (!strcmp(a->name, name))
            return a;
    return NULL;
}

const char *zoid_overlap_name(enum zoid_overlap overlap)
{
    static const char *const names[] = {
        [ZOID_OVERLAP_DEFAULT] = "default", [ZOID_OVERLAP_ON] = "on", [ZOID_OVERLAP_OFF] = "off"};

    return names[overlap];
}

static enum zoid_status refuse(const struct zoid_alias *a, const char *option, const char *meant,
                               const char *asked)
{
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "%s stands for {%s=%s}; drop {%s=%s}, or use {method=%s} instead", a->name,
                     option, meant, option, asked, a->method);
}

/* Refuse another traversal, of all workers or of a kind of them. */
static enum zoid_status check_traversal(const struct zoid_alias *a, const struct zoid_request *r)
{
    const enum zoid_traversal *asked = r->traversal;
    char other[32];

    for (int k = 0; k < ZOID_ANY; k++) {
        const int other_kind = ZOID_ANY - 1 - k;
        const bool alike = asked[k] == asked[other_kind] &&
                           r->traversal_named[k] == r->traversal_named[other_kind];

        if (asked[k] == a->traversal || !(r->traversal_named[k] || asked[k]))
            continue;
        snprintf(other, sizeof other, "%s%s%s", alike ? "" : zoid_places[k]->name, alike ? "" : "=",
                 zoid_traversal_name(asked[k]));
        return refuse(a, "traversal", zoid_traversal_name(a->traversal), other);
    }
    return ZOID_OK;
}

/* Refuse planes that are cut if the alias stands for whole ones, or the other way round. */
static enum zoid_status check_cells(const struct zoid_alias *a, const struct zoid_request *r)
{
    const char *meant = a->strips  ? "planes that are cut"
                        : a->ranks ? "one cell a rank"
                                   : "planes that are not cut";
    char strip[32], *option = zoid_cells_asked(r) ? "cells" : strip;

    snprintf(strip, sizeof strip, "strip %ld", r->strip > 0 ? r->strip : 0);
    if (!zoid_cells_named(r) || (a->single && zoid_cells_asked(r)) ||
        a->strips == zoid_cells_wanted(r))
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT, "%s stands for %s; drop {%s}, or use {method=%s} instead",
                     a->name, meant, option, a->method);
}

static enum zoid_status check_ranks(const struct zoid_alias *a, const struct zoid_request *r,
                                    int chain)
{
    const char axis = "xyz"[chain];

    if (!a->ranks || r->ranks[chain] <= 1)
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "%s stands for ranks that leave %c whole; name 1 along it, not %ld, or use "
                     "{method=%s} instead",
                     a->name, axis, r->ranks[chain], a->method);
}

/* Make every cell one slab, as high as the cell, and every epoch one visit. */
static enum zoid_status make_single(const struct zoid_alias *a, struct zoid_request *r)
{
    static const long HIGHEST = 1L << 40;

    if (r->block)
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "%s stands for one slab a cell; drop {block=%ld}, or use {method=%s} instead", a->name,
            r->block, a->method);
    if (r->depth && r->epoch && r->depth != r->epoch)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s stands for a visit an epoch; drop {depth=%ld} or {epoch=%ld}, or use "
                         "{method=%s} instead",
                         a->name, r->depth, r->epoch, a->method);
    r->block = HIGHEST;
    r->depth = r->epoch ? r->epoch : r->depth;
    return ZOID_OK;
}

enum zoid_status zoid_alias_apply(struct zoid_request *request, int chain,
                                  const struct zoid_alias **alias)
{
    const struct zoid_alias *a = request->method ? zoid_alias_find(request->method) : NULL;

    if (!a)
        return ZOID_OK;
    if (check_traversal(a, request))
        return ZOID_BAD_ARGUMENT;
    if (request->overlap && request->overlap != a->overlap)
        return refuse(a, "overlap", zoid_overlap_name(a->overlap),
                      zoid_overlap_name(request->overlap));
    if (a->depth && request->depth && request->depth != a->depth)
        return zoid_fail(ZOID_BAD_ARGUMENT, "%s stands for {depth=%ld}; drop {depth=%ld}", a->name,
                         a->depth, request->depth);
    if (check_cells(a, request) || check_ranks(a, request, chain))
        return ZOID_BAD_ARGUMENT;
    if (!zoid_cells_named(request))
        request->strip = a->strips ? ZOID_STRIP_SOME : ZOID_STRIP_NONE;
    request->method = a->method;
    for (int k = 0; k < ZOID_ANY; k++)
        request->traversal[k] = a->traversal;
    request->overlap = a->overlap;
    request->depth = a->depth ? a->depth : request->depth;
    *alias = a;
    return a->single ? make_single(a, request) : ZOID_OK;
}
