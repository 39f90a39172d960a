/* SPDX-License-Identifier: BSD-3-Clause */
/* A block runner of the operator's own: reads planes from where the views locate them, computes
 * them one by one in arrays of doubles, and writes them where the views tell. */
#include "runner.h"

#include <stdatomic.h>
#include <stdlib.h>

static _Atomic long blocks;

long runner_blocks(void)
{
    return blocks;
}

/* Planes of the whole domain at every time of a block; those that the block has are valid. */
struct levels {
    const struct zoid_block_args *run;
    long points; /* in a plane */
    double *value, *coefficient;
};

static double *plane_of(const struct levels *l, long t, long z)
{
    return l->value + ((t - l->run->zoid.t0) * l->run->shape->n[2] + z) * l->points;
}

/* Index of the element for point i, (x, y), of the plane in a slot of a part. */
static long element(const struct zoid_block_args *run, long slot, long i)
{
    const long x = i % run->shape->n[0], y = i / run->shape->n[0];

    return slot * run->layout->plane + zoid_layout_at(run->layout, x, y);
}

static void take(const struct levels *l, const struct zoid_part *part, long t, long z)
{
    const struct zoid_block_args *run = l->run;
    const long slot = zoid_view_slot(&part->in, t, z);
    double *to = part->coefficient ? l->coefficient + z * l->points : plane_of(l, t, z);

    for (long i = 0; i < l->points; i++)
        to[i] = run->op->type == ZOID_F32 ? (double)((float *)part->base)[element(run, slot, i)]
                                          : ((double *)part->base)[element(run, slot, i)];
}

static void leave(const struct levels *l, const struct zoid_part *part, long t, long z)
{
    const struct zoid_block_args *run = l->run;
    const long slot = zoid_view_slot(&part->out, t, z);
    const double *from = plane_of(l, t, z);

    for (long i = 0; i < l->points; i++)
        if (run->op->type == ZOID_F32)
            ((float *)part->base)[element(run, slot, i)] = (float)from[i];
        else
            ((double *)part->base)[element(run, slot, i)] = from[i];
}

static void each_plane(const struct levels *l, bool reads)
{
    const struct zoid_block_args *run = l->run;

    for (size_t p = 0; p < run->nparts; p++) {
        const struct zoid_part *part = &run->part[p];
        const struct zoid_view *view = reads ? &part->in : &part->out;

        for (long t = view->t0; (reads ? part->reads : part->writes) && t <= view->t1; t++)
            for (long z = 0; z < run->shape->n[2]; z++)
                if (zoid_view_has(view, t, z)) {
                    if (reads)
                        take(l, part, t, z);
                    else
                        leave(l, part, t, z);
                }
    }
}

static void compute(const struct levels *l, long t, long z)
{
    const struct zoid_op *op = l->run->op;
    const long *n = l->run->shape->n, r = op->radius;
    const double wind = l->run->params->value[0] / (1 + l->run->params->value[1] * (double)t);
    const double *u = plane_of(l, t - 1, z), *c = l->coefficient + z * l->points;
    double *next = plane_of(l, t, z);

    for (long i = 0; i < l->points; i++) {
        const long x = i % n[0], y = i / n[0];
        const long step[] = {r, r * n[0], r * l->points};

        next[i] = u[i];
        for (int a = 0; a < 3 && x >= r && y >= r && z >= r; a++)
            next[i] = fused(op, times(op, wind, c[i]), less(op, u[i - step[a]], u[i]), next[i]);
    }
}

static void run(const struct zoid_block_args *run, const struct zoid_cpu *cpu)
{
    struct levels l = {.run = run, .points = run->shape->n[0] * run->shape->n[1]};
    const size_t planes = (size_t)(run->shape->n[2] * l.points);

    (void)cpu;
    blocks++;
    l.value = calloc(planes * (size_t)(run->zoid.t1 - run->zoid.t0 + 1), sizeof *l.value);
    l.coefficient = calloc(planes, sizeof *l.coefficient);
    if (!l.value || !l.coefficient)
        abort();
    each_plane(&l, true);
    for (long t = run->zoid.t0 + 1; t <= run->zoid.t1; t++) {
        const struct zoid_box box = zoid_clipped_at(&run->zoid, &run->region, t);

        for (long z = box.lo[2]; z < box.hi[2]; z++)
            compute(&l, t, z);
    }
    each_plane(&l, false);
    free(l.value);
    free(l.coefficient);
}

static void run_wrongly(const struct zoid_block_args *run, const struct zoid_cpu *cpu)
{
    (void)run;
    (void)cpu;
    abort();
}

static bool fits(const struct zoid_blocks *b)
{
    return b->shape->dims == 3 && b->op->nstate == 1 && b->planes >= 1 && b->times > 0;
}

static bool fits_nothing(const struct zoid_blocks *b)
{
    (void)b;
    return false;
}

static double fast(const struct zoid_blocks *b, const struct zoid_pace *pace)
{
    return 1e-6 * pace->near * (double)b->layout->plane;
}

static double slow(const struct zoid_blocks *b, const struct zoid_pace *pace)
{
    return 1e6 * pace->far * (double)b->layout->plane;
}

static const struct zoid_block_runner
    last = {.name = "by hand", .fits = fits, .seconds = fast, .run = run},
    dear = {.name = "slow", .fits = fits, .seconds = slow, .run = run_wrongly},
    none = {.name = "nothing", .fits = fits_nothing, .seconds = fast, .run = run_wrongly};

const struct zoid_block_runner *const runners[] = {&dear, &none, &last, NULL};
