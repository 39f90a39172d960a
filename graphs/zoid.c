/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs/zoid.h"

long zoid_fold(const struct zoid_shape *s, int axis, long i)
{
    long n = s->n[axis], period = 2 * (n - 1);

    if ((i >= 0 && i < n) || !zoid_face_open(s, axis, i < 0 ? ZOID_LOW : ZOID_HIGH))
        return i;
    if (s->face[axis][i < 0 ? ZOID_LOW : ZOID_HIGH] == ZOID_BARE)
        return i < 0 ? 0 : n - 1;
    if (zoid_axis_periodic(s, axis))
        return zoid_modulo(i, n);
    if (n == 1)
        return 0;
    i = zoid_modulo(i, period);
    return i < n ? i : period - i;
}

bool zoid_fold_turns(const struct zoid_shape *s, int axis, long i)
{
    const long n = s->n[axis];
    bool turns = false;

    while (i < 0 || i >= n) {
        const int side = i < 0 ? ZOID_LOW : ZOID_HIGH;

        if (!zoid_face_mirrored(s, axis, side))
            break;
        turns ^= s->face[axis][side] == ZOID_ODD;
        if (n == 1)
            break;
        i = i < 0 ? -i : 2 * (n - 1) - i;
    }
    return turns;
}

bool zoid_box_empty(const struct zoid_box *b)
{
    for (int a = 0; a < ZOID_AXES; a++)
        if (b->lo[a] >= b->hi[a])
            return true;
    return false;
}

long zoid_box_volume(const struct zoid_box *b)
{
    long volume = 1;

    for (int a = 0; a < ZOID_AXES; a++)
        volume *= zoid_max(b->hi[a] - b->lo[a], 0);
    return volume;
}

struct zoid_box zoid_box_intersect(const struct zoid_box *a, const struct zoid_box *b)
{
    struct zoid_box both;

    for (int i = 0; i < ZOID_AXES; i++) {
        both.lo[i] = zoid_max(a->lo[i], b->lo[i]);
        both.hi[i] = zoid_max(zoid_min(a->hi[i], b->hi[i]), both.lo[i]);
    }
    return both;
}

struct zoid_box zoid_box_at(const struct zoid *z, long t)
{
    struct zoid_box box;

    for (int a = 0; a < ZOID_AXES; a++) {
        box.lo[a] = z->dim[a].lo + z->dim[a].dlo * (t - z->t0);
        box.hi[a] = z->dim[a].hi + z->dim[a].dhi * (t - z->t0);
    }
    return box;
}

struct zoid_box zoid_clipped_at(const struct zoid *z, const struct zoid *region, long t)
{
    struct zoid_box own = zoid_box_at(z, t), around = zoid_box_at(region, t);

    return zoid_box_intersect(&own, &around);
}

struct zoid zoid_domain(const struct zoid_shape *s, long t0, long t1)
{
    struct zoid z = {.t0 = t0, .t1 = t1};

    for (int a = 0; a < ZOID_AXES; a++)
        z.dim[a] = (struct zoid_face){.hi = a < s->dims ? s->n[a] : 1};
    return z;
}
