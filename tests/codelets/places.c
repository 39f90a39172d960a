/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codelets/places.h"

#include "tests/codelets/sample.h"

/* First and last point along an axis that every stage computes. */
static void range_of(const struct zoid_op *op, const struct zoid_shape *shape, int axis, long *lo,
                     long *hi)
{
    *lo = 0;
    *hi = shape->n[axis] - 1;
    for (int s = 0; s < op->nstages; s++) {
        const struct zoid_reach reach = zoid_op_reach(op, s);

        if (!zoid_face_open(shape, axis, ZOID_LOW))
            *lo = zoid_max(*lo, reach.lo[axis]);
        if (!zoid_face_open(shape, axis, ZOID_HIGH))
            *hi = zoid_min(*hi, shape->n[axis] - 1 - reach.hi[axis]);
    }
}

static void draw_place(const struct zoid_op *op, const struct zoid_shape *shape, uint64_t *random,
                       double at[ZOID_AXES])
{
    for (int a = 0; a < ZOID_AXES; a++) {
        const bool round = zoid_axis_periodic(shape, a);
        long lo, hi;

        range_of(op, shape, a, &lo, &hi);
        at[a] = (double)sample_between(random, lo, hi);
        if ((at[a] < (double)hi || round) && sample_between(random, 0, 1))
            at[a] += (double)sample_between(random, 1, 7) / 8;
    }
}

static int draw_field(const struct zoid_op *op, uint64_t *random)
{
    int field;

    do
        field = (int)sample_between(random, 0, op->nstate - 1);
    while (!(op->sources >> field & 1));
    return field;
}

void places_draw(const struct zoid_op *op, const struct zoid_shape *shape, uint64_t *random,
                 struct places *p)
{
    long lo, hi;

    *p = (struct places){.points = {.source = p->source, .receiver = p->receiver}};
    for (int a = 0; a < op->dims; a++) {
        range_of(op, shape, a, &lo, &hi);
        if (lo > hi || !op->sources)
            return;
    }
    p->points.sources = (size_t)sample_between(random, 0, PLACES);
    p->points.receivers = (size_t)sample_between(random, 0, PLACES);
    for (size_t i = 0; i < PLACES; i++) {
        p->source[i] = (struct zoid_source){.field = draw_field(op, random),
                                            .samples = sample_between(random, 0, SAMPLES),
                                            .series = p->series[i]};
        p->receiver[i].field = draw_field(op, random);
        draw_place(op, shape, random, p->source[i].at);
        draw_place(op, shape, random, p->receiver[i].at);
        for (int a = 0; a < ZOID_AXES && i && sample_between(random, 0, 3) == 0; a++)
            p->source[i].at[a] = p->receiver[i].at[a] = p->source[i - 1].at[a];
        for (int s = 0; s < SAMPLES; s++)
            p->series[i][s] = (double)sample_between(random, -1000, 1000) / 4096;
    }
}
