/* SPDX-License-Identifier: BSD-3-Clause */
/* Boxes of statements (iteration domains); indices that leave an array in a domain of any size. */
#include "apps/compile/range.h"

#include <string.h>

static void print(const struct zoid_meaning *m, const struct zoid_poly *poly, char to[128])
{
    zoid_poly_print(poly, m->ir->names, to, 128);
}

/* Where the first extent is stated nowhere, it is as far as the nest reaches. */
static void find_first_extent(struct zoid_meaning *m)
{
    struct zoid_poly *extent = &m->ir->extent[0], far;
    const struct zoid_poly one = zoid_poly_integer(1);
    bool found = false;

    for (int i = 0; i < m->n; i++) {
        const struct zoid_statement *s = m->statement[i];
        int most = 0;
        int64_t more;

        for (const struct zoid_nest_read *r = s->reads; r; r = r->next)
            if (r->offset[0] > most)
                most = r->offset[0];
        if (s->depth[0] < 0)
            continue;
        if (!zoid_poly_add(&s->hi[0], &one, most, &far) ||
            (found && !zoid_poly_difference(&far, extent, &more)))
            zoid_refuse(m->text, s->item->left->at,
                        "%s has an extent that is not stated; declare it with extents",
                        s->item->left->symbol->name);
        if (!found || more > 0)
            *extent = far;
        found = true;
    }
    if (!found)
        zoid_refuse(m->text, m->statement[0]->item->left->at,
                    "%s has an extent that is not stated; declare it with extents",
                    m->statement[0]->item->left->symbol->name);
}

/* The extent of all from that of a line a[n*m]. */
static bool from_product(struct zoid_meaning *m)
{
    const struct zoid_symbol *s = m->statement[0]->item->left->symbol;
    struct zoid_poly inner = zoid_poly_integer(1), left;

    if (s->open || s->dims != 1)
        return false;
    for (int a = 1; a < m->ir->axes; a++)
        if (!zoid_poly_multiply(&inner, &m->ir->extent[a], &inner))
            return false;
    zoid_poly_divide(&s->extent[0], &inner, &m->ir->extent[0], &left);
    return !left.n;
}

/* A face: an axis that is fixed at 0, 1, n - 1 or n - 2. */
static void set_face(struct zoid_meaning *m, struct zoid_statement *s, int axis)
{
    const struct zoid_ast *at = s->item->left;
    int64_t start = -1, end = -1, extent;

    (void)(zoid_poly_constant(&s->lo[axis], &start) || (start = -1));
    if (!zoid_poly_difference(&m->ir->extent[axis], &s->lo[axis], &end))
        end = -1;
    if (start == 0 || start == 1) {
        s->box.lo[axis] = (struct zoid_side){.at = (int)start};
        s->box.hi[axis] = (struct zoid_side){.at = (int)start + 1};
    } else if (end == 1 || end == 2) {
        s->box.lo[axis] = (struct zoid_side){.end = true, .at = (int)end};
        s->box.hi[axis] = (struct zoid_side){.end = true, .at = (int)end - 1};
    } else
        zoid_refuse(m->text, at->at,
                    "%s at one place of an axis, which is not 0, 1, n - 1 or "
                    "n - 2; loop over the axis",
                    at->symbol->name);
    start = start == 0 || start == 1 ? start + 1 : end;
    if (start > m->ir->least[axis])
        m->ir->least[axis] = (int)start;
    if (zoid_poly_constant(&m->ir->extent[axis], &extent) && extent < start)
        zoid_refuse(m->text, at->at, "%s leaves the array, whose extent is %lld", at->symbol->name,
                    (long long)extent);
}

static void set_side(struct zoid_meaning *m, struct zoid_statement *s, int axis)
{
    const struct zoid_ast *at = s->item->left;
    const char *variable = s->loop[s->depth[axis]]->symbol->name;
    int64_t lo, hi;
    char text[128], other[128];

    print(m, &s->hi[axis], text);
    print(m, &m->ir->extent[axis], other);
    if (!zoid_poly_constant(&s->lo[axis], &lo))
        zoid_refuse(m->text, at->at,
                    "%s from a place that is not a fixed distance from the first "
                    "point; begin the loop at an integer",
                    at->symbol->name);
    if (lo < 0)
        zoid_refuse(m->text, at->at, "%s leaves the array where %s = %lld; begin at %d",
                    at->symbol->name, variable, (long long)lo - s->offset[axis], -s->offset[axis]);
    if (!zoid_poly_difference(&m->ir->extent[axis], &s->hi[axis], &hi))
        zoid_refuse(m->text, at->at,
                    "%s leaves the array for some sizes, or ends at %s of %s; end "
                    "the loop a fixed distance before %s",
                    at->symbol->name, text, other, other);
    if (hi < 0)
        zoid_refuse(m->text, at->at,
                    "%s leaves the array where %s = %s - 1; end the loop %lld "
                    "earlier",
                    at->symbol->name, variable, other, (long long)-hi);
    if (lo > 1000000 || hi > 1000000)
        zoid_refuse(m->text, at->at,
                    "%s on a box that begins or ends more than a million points "
                    "from a face; take a larger one",
                    at->symbol->name);
    s->box.lo[axis] = (struct zoid_side){.at = (int)lo};
    s->box.hi[axis] = (struct zoid_side){.end = true, .at = (int)hi};
}

/* A read along an axis where the statement has a loop. */
static void check_loop(struct zoid_meaning *m, const struct zoid_statement *s,
                       const struct zoid_nest_read *r, int axis)
{
    const struct zoid_item *loop = s->loop[s->depth[axis]];
    const int lo = s->box.lo[axis].at + r->offset[axis], hi = s->box.hi[axis].at - r->offset[axis];
    struct zoid_poly past = loop->hi;
    const struct zoid_poly one = zoid_poly_integer(1);
    int64_t extent, from;
    char text[128];

    /* A loop that never runs reads nothing. */
    if (zoid_poly_constant(&m->ir->extent[axis], &extent) &&
        extent - s->box.hi[axis].at <= s->box.lo[axis].at)
        return;
    if (lo < 0 && zoid_poly_constant(&loop->lo, &from))
        zoid_refuse(m->text, r->at, "%s leaves the array where %s = %lld; begin at %lld",
                    r->array->name, loop->symbol->name, (long long)from, (long long)from - lo);
    if (hi < 0 && zoid_poly_add(&past, &one, hi, &past)) {
        print(m, &past, text);
        zoid_refuse(m->text, r->at, "%s leaves the array where %s reaches %s; end the loop there",
                    r->array->name, loop->symbol->name, text);
    }
}

/* And where it is fixed. */
static void check_face(struct zoid_meaning *m, const struct zoid_statement *s,
                       const struct zoid_nest_read *r, int axis)
{
    const struct zoid_side lo = s->box.lo[axis];
    const int offset = r->offset[axis];
    const int least = lo.end ? lo.at - offset : lo.at + offset + 1;
    const bool outside = lo.end ? offset >= lo.at : lo.at + offset < 0;
    int64_t extent;

    if (least > m->ir->least[axis])
        m->ir->least[axis] = least;
    if (outside || (zoid_poly_constant(&m->ir->extent[axis], &extent) && extent < least))
        zoid_refuse(m->text, r->at, "%s leaves the array; read a point that it has",
                    r->array->name);
}

/* A profile is as long as its axes. */
static void check_profile(struct zoid_meaning *m, const struct zoid_nest_read *r)
{
    const struct zoid_symbol *s = r->array->symbol;

    for (int a = 0, i = 0; a < m->ir->axes; a++) {
        if (!(r->array->axes >> a & 1))
            continue;
        if (!(s->open && i == 0) && !zoid_poly_equal(&s->extent[i], &m->ir->extent[a]))
            zoid_refuse(m->text, r->at,
                        "%s has another extent along %s than other arrays; give all the same",
                        s->name, zoid_ir_axis(m->ir, a));
        i++;
    }
}

void zoid_set_ranges(struct zoid_meaning *m)
{
    if (!m->extent_known[0] && !from_product(m))
        find_first_extent(m);
    for (int a = 0; a < m->ir->axes; a++) {
        int64_t extent;

        m->ir->least[a] = 1;
        if (zoid_poly_constant(&m->ir->extent[a], &extent) && extent < 1)
            zoid_refuse(m->text, m->nest->at, "an extent of %lld; take at least 1",
                        (long long)extent);
    }
    for (int i = 0; i < m->n; i++)
        for (int a = 0; a < m->ir->axes; a++)
            if (m->statement[i]->depth[a] < 0)
                set_face(m, m->statement[i], a);
            else
                set_side(m, m->statement[i], a);
    for (int i = 0; i < m->n; i++)
        for (const struct zoid_nest_read *r = m->statement[i]->reads; r; r = r->next) {
            if (r->array->kind == ZOID_ARRAY_PROFILE)
                check_profile(m, r);
            for (int a = 0; a < m->ir->axes; a++)
                if (m->statement[i]->depth[a] < 0)
                    check_face(m, m->statement[i], r, a);
                else
                    check_loop(m, m->statement[i], r, a);
        }
}

bool zoid_range_disjoint(int axes, const struct zoid_ir_box *a, const int *offset,
                         const struct zoid_ir_box *b)
{
    for (int x = 0; x < axes; x++) {
        const int move = offset ? offset[x] : 0;
        const struct zoid_side *alo = &a->lo[x], *ahi = &a->hi[x], *blo = &b->lo[x],
                               *bhi = &b->hi[x];

        /* Coordinates from one end: `at` grows upwards, or downwards from the other. */
        if (ahi->end == blo->end &&
            (ahi->end ? ahi->at - move >= blo->at : ahi->at + move <= blo->at))
            return true;
        if (bhi->end == alo->end &&
            (bhi->end ? bhi->at >= alo->at - move : bhi->at <= alo->at + move))
            return true;
    }
    return false;
}

bool zoid_range_inside(int axes, const struct zoid_ir_box *a, const struct zoid_ir_box *b)
{
    for (int x = 0; x < axes; x++) {
        if (a->lo[x].end != b->lo[x].end || a->hi[x].end != b->hi[x].end)
            return false;
        if (a->lo[x].end ? a->lo[x].at > b->lo[x].at : a->lo[x].at < b->lo[x].at)
            return false;
        if (a->hi[x].end ? a->hi[x].at < b->hi[x].at : a->hi[x].at > b->hi[x].at)
            return false;
    }
    return true;
}
