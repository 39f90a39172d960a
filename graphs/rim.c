/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs/rim.h"

/* Rim along one axis: [lo, low) and [high, hi). */
struct borders {
    long lo, low, high, hi;
};

static struct borders borders_of(const struct zoid_rim *rim, int axis)
{
    struct borders b = {.lo = rim->of.axis[axis].lo, .hi = rim->of.axis[axis].hi};

    b.low = b.hi - b.lo < rim->lo[axis] ? b.hi : b.lo + rim->lo[axis];
    b.high = b.hi - b.low < rim->hi[axis] ? b.low : b.hi - rim->hi[axis];
    return b;
}

static void add_patch(struct zoid_patches *all, struct zoid_range x, struct zoid_range y)
{
    all->patch[all->n++] = (struct zoid_patch){{x, y}};
}

struct zoid_rim zoid_patch_rim(const struct zoid_patch *patch)
{
    return (struct zoid_rim){.of = *patch, .all = true};
}

struct zoid_patches zoid_rim_patches(const struct zoid_rim *rim)
{
    const struct zoid_range *of = rim->of.axis;
    const bool cut_x = !zoid_range_all(&of[0]), cut_y = !zoid_range_all(&of[1]);
    const struct borders x = borders_of(rim, 0), y = borders_of(rim, 1);
    const struct zoid_range between = {y.low, y.high};
    struct zoid_patches all = {.n = 0};

    if (rim->all)
        return (struct zoid_patches){1, {rim->of}};
    if (cut_y && y.lo < y.low)
        add_patch(&all, of[0], (struct zoid_range){y.lo, y.low});
    if (cut_y && y.high < y.hi)
        add_patch(&all, of[0], (struct zoid_range){y.high, y.hi});
    if (!cut_x || (cut_y && y.low == y.high))
        return all;
    if (x.lo < x.low)
        add_patch(&all, (struct zoid_range){x.lo, x.low}, between);
    if (x.high < x.hi)
        add_patch(&all, (struct zoid_range){x.high, x.hi}, between);
    return all;
}
