/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs/volume.h"

/* at + step i, for i = 0, 1, ... */
struct line {
    long at, step;
};

static long value(struct line l, long i)
{
    return l.at + l.step * i;
}

/* Sum over first <= i < end. */
static long sum(struct line l, long first, long end)
{
    return (end - first) * l.at + l.step * (end * (end - 1) / 2 - first * (first - 1) / 2);
}

/* True if a <= b at all of first <= i < end. */
static bool stays_below(struct line a, struct line b, long first, long end)
{
    return value(a, first) <= value(b, first) && value(a, end - 1) <= value(b, end - 1);
}

/* Sum of the lower of two lines over first <= i < end, for first < end. */
static long sum_min(struct line a, struct line b, long first, long end)
{
    struct line low = a, high = b;
    long turn;

    if (stays_below(a, b, first, end))
        return sum(a, first, end);
    if (stays_below(b, a, first, end))
        return sum(b, first, end);
    if (a.step < b.step) {
        low = b;
        high = a;
    }
    /* `low` crosses `high`: it is the lower one before `turn`. */
    turn = zoid_floor_div(high.at - low.at, low.step - high.step) + 1;
    return sum(low, first, turn) + sum(high, turn, end);
}

static long sum_max(struct line a, struct line b, long first, long end)
{
    return -sum_min((struct line){-a.at, -a.step}, (struct line){-b.at, -b.step}, first, end);
}

/* Shrink [*first, *end) to the part where `low` is below `high`. */
static void keep_below(struct line low, struct line high, long *first, long *end)
{
    struct line gap = {high.at - low.at, high.step - low.step};

    if (*first >= *end || (value(gap, *first) > 0 && value(gap, *end - 1) > 0))
        return;
    if (gap.step > 0)
        *first = zoid_max(*first, -zoid_floor_div(gap.at - 1, gap.step));
    else if (gap.step < 0)
        *end = zoid_min(*end, zoid_floor_div(gap.at - 1, -gap.step) + 1);
    else
        *end = *first;
}

/* Intersection of two zoids along one axis: [zoid_max(lo), zoid_min(hi)), at the i-th of some
 * times. */
struct span {
    struct line lo[2], hi[2];
};

static struct span span_of(const struct zoid *a, const struct zoid *b, int axis, long start)
{
    const struct zoid *z[] = {a, b};
    struct span s;

    for (int i = 0; i < 2; i++) {
        struct zoid_face face = z[i]->dim[axis];
        long since = start - z[i]->t0;

        s.lo[i] = (struct line){face.lo + face.dlo * since, face.dlo};
        s.hi[i] = (struct line){face.hi + face.dhi * since, face.dhi};
    }
    return s;
}

static long span_width(const struct span *s, long i)
{
    long lo = zoid_max(value(s->lo[0], i), value(s->lo[1], i));

    return zoid_max(zoid_min(value(s->hi[0], i), value(s->hi[1], i)) - lo, 0);
}

/* Sum of the widths at `count` times. While no face has met its opposite, the width is the lower of
 * two lines less the higher of two lines; that is one interval of times. */
static long span_sum(const struct span *s, long count)
{
    long first = 0, end = count;

    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            keep_below(s->lo[i], s->hi[j], &first, &end);
    if (first >= end)
        return 0;
    return sum_min(s->hi[0], s->hi[1], first, end) - sum_max(s->lo[0], s->lo[1], first, end);
}

static bool moves(struct zoid_face f)
{
    return f.dlo || f.dhi;
}

static long product_sum(const struct zoid *a, const struct zoid *b, long start, long count)
{
    struct span span[ZOID_AXES];
    long points = 0;

    for (int axis = 0; axis < ZOID_AXES; axis++)
        span[axis] = span_of(a, b, axis, start);
    for (long i = 0; i < count; i++) {
        long area = 1;

        for (int axis = 0; axis < ZOID_AXES; axis++)
            area *= span_width(&span[axis], i);
        points += area;
    }
    return points;
}

/* Number of points in both boxes, over `count` times from `start` on. */
static long common_points(const struct zoid *a, const struct zoid *b, long start, long count)
{
    int moving = 0, mover = 0;
    long still = 1;
    struct span span;

    if (count <= 0)
        return 0;
    for (int axis = 0; axis < ZOID_AXES; axis++) {
        struct zoid_face f = a->dim[axis], g = b->dim[axis];

        if (moves(f) || moves(g)) {
            moving++;
            mover = axis;
        } else {
            still *= zoid_max(zoid_min(f.hi, g.hi) - zoid_max(f.lo, g.lo), 0);
        }
    }
    if (!moving)
        return still * count;
    if (moving > 1)
        return product_sum(a, b, start, count);
    span = span_of(a, b, mover, start);
    return still * span_sum(&span, count);
}

long zoid_volume(const struct zoid *z, const struct zoid *region)
{
    return common_points(z, region, z->t0 + 1, z->t1 - z->t0);
}

long zoid_common_volume(const struct zoid *a, const struct zoid *b)
{
    long start = zoid_max(a->t0, b->t0) + 1;

    return common_points(a, b, start, zoid_min(a->t1, b->t1) - start + 1);
}
