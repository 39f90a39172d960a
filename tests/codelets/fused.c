/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codelets/fused.h"

#include <stdlib.h>
#include <string.h>

#include "codelets/cpu/run.h"
#include "tests/check.h"
#include "tests/codelets/gpu.h"
#include "tests/codelets/sample.h"

enum { ROOM = 256 }; /* segments of an input */

struct device {
    enum zoid_isa isa;
    int most;
    struct fused_seen seen;
};

static int sweep(void *self, const struct zoid_sweep *given, size_t nout,
                 const struct zoid_segment *out)
{
    return zoid_cpu.sweep(&((struct device *)self)->isa, given, nout, out);
}

static int fusible(void *self, const struct zoid_block_args *run)
{
    (void)run;
    return ((struct device *)self)->most;
}

/* ---- wavefronts of pipelined steps -------------------------------------------------------- */

enum { TIMES = 64 };

struct marching {
    enum zoid_isa isa;
    const struct zoid_block_args *run;
    struct zoid_box box[TIMES]; /* of the last sweep of each time, by time modulo TIMES */
    long t;                     /* of the last sweep */
    struct fused_seen seen;
};

/* True if the address lies in a slab that the block updates in place. */
static bool in_slab(const struct zoid_block_args *run, const void *address)
{
    const size_t plane = zoid_layout_plane_bytes(run->layout) * (size_t)run->op->nstate;

    for (size_t i = 0; i < run->nparts; i++) {
        const struct zoid_part *part = &run->part[i];
        const char *base = part->base, *at = address;

        if (zoid_part_updated(part) && at >= base && at < base + (size_t)part->capacity * plane)
            return true;
    }
    return false;
}

/* True if the box continues another one above or below, in the same rows. */
static bool goes_on(const struct zoid_sweep *s, const struct zoid_box *before)
{
    const int chain = zoid_chain(s->shape);

    for (int a = 0; a < chain; a++)
        if (s->box.lo[a] != before->lo[a] || s->box.hi[a] != before->hi[a])
            return false;
    return (s->box.lo[chain] >= before->hi[chain] || s->box.hi[chain] <= before->lo[chain]) &&
           before->hi[chain] > before->lo[chain];
}

static int march_sweep(void *self, const struct zoid_sweep *given, size_t nout,
                       const struct zoid_segment *out)
{
    struct marching *m = self;
    struct zoid_box *last = &m->box[given->t % TIMES];

    m->seen.back += given->t < m->t && goes_on(given, last);
    /* Steps other than the first and the last ones: the last ones write to the slab in any case. */
    for (size_t i = 0; i < nout; i++)
        m->seen.in_slab += given->t > m->run->zoid.t0 &&
                           given->t <= m->run->zoid.t1 - given->op->nstages &&
                           in_slab(m->run, out[i].base);
    *last = given->box;
    m->t = given->t;
    return zoid_cpu.sweep(&m->isa, given, nout, out);
}

static struct fused_seen march(const struct zoid_block_args *run, const struct zoid_cpu *cpu,
                               int most)
{
    struct marching self = {.isa = cpu->isa, .run = run};
    struct zoid_device device = zoid_cpu;

    device.batch = device.abreast;
    device.cache = cpu->cache;
    device.wavefront = most;
    device.sweep = march_sweep;
    zoid_run_block(run, &device, &self);
    return self.seen;
}

/* ---- fused steps ---------------------------------------------------------------------------- */

/* Buffer for all planes of the box. */
static struct zoid_segment own_planes(const struct zoid_sweep *s)
{
    int chain = zoid_chain(s->shape);
    long lo = s->box.lo[chain], hi = s->box.hi[chain], planes = hi > lo ? hi - lo : 0;
    size_t bytes = (size_t)(planes * s->op->nstate) * zoid_layout_plane_bytes(s->layout);
    struct zoid_segment segment = {.lo = lo,
                                   .hi = lo + planes,
                                   .base = sample_memory(bytes),
                                   .field = (size_t)(planes * s->layout->plane)};

    sample_poison(segment.base, bytes);
    return segment;
}

static void keep(const struct zoid_sweep *s, const struct zoid_segment *from,
                 const struct zoid_segment *to)
{
    size_t plane = zoid_layout_plane_bytes(s->layout), size = zoid_type_size(s->layout->type);

    for (int f = 0; f < s->op->nstate; f++)
        if (s->fields >> f & 1)
            memcpy((char *)to->base + (size_t)f * to->field * size,
                   (char *)from->base + (size_t)f * from->field * size +
                       (size_t)(to->lo - from->lo) * plane,
                   (size_t)(to->hi - to->lo) * plane);
}

/* Input planes of level i for a group: its given inputs, the planes of the last earlier level that
 * wrote the group and, if the update itself handles the faces, any plane in place of those beyond
 * them. */
static size_t inputs(const struct zoid_fused_level *level, size_t i, int g,
                     const struct zoid_segment *own, struct zoid_segment *in)
{
    const struct zoid_sweep *s = &level[i].sweep;
    const int chain = zoid_chain(s->shape);
    const struct zoid_groups groups = zoid_op_groups(s->op);
    const long beyond[] = {-1, s->shape->n[chain]};
    size_t n = s->in[g].n;

    memcpy(in, s->in[g].segment, n * sizeof *in);
    for (size_t w = i; w-- > 0;)
        if (level[w].sweep.fields >> groups.first[g] & 1) {
            in[n] = own[w];
            in[n].base = (char *)in[n].base +
                         (size_t)groups.first[g] * own[w].field * zoid_type_size(s->layout->type);
            n++;
            break;
        }
    for (int side = 0; side < ZOID_SIDES && s->op->own_edges && n > 0; side++)
        for (size_t j = 0; j < n; j++)
            if (in[j].lo < in[j].hi) {
                in[n] = in[j];
                in[n].lo = beyond[side];
                in[n++].hi = beyond[side] + 1;
                break;
            }
    return n;
}

static void same_boxes(size_t n, const struct zoid_fused_level *level)
{
    for (size_t i = 1; i < n; i++)
        for (int a = 0; a < zoid_chain(level->sweep.shape); a++) {
            ck_assert_int_eq(level[i].sweep.box.lo[a], level->sweep.box.lo[a]);
            ck_assert_int_eq(level[i].sweep.box.hi[a], level->sweep.box.hi[a]);
        }
}

static int fused(void *self, size_t n, const struct zoid_fused_level *level)
{
    struct device *device = self;
    const int groups = zoid_op_groups(level[0].sweep.op).n;
    struct zoid_segment own[n];

    device->seen.launches++;
    same_boxes(n, level);
    for (size_t i = 0; i < n; i++) {
        struct zoid_sweep s = level[i].sweep;
        struct zoid_segment in[groups][ROOM];

        for (int g = 0; g < groups; g++) {
            ck_assert_uint_le(s.in[g].n + 1 + ZOID_SIDES, ROOM);
            s.in[g] = (struct zoid_segments){inputs(level, i, g, own, in[g]), in[g]};
        }
        own[i] = own_planes(&s);
        if (!zoid_box_empty(&s.box))
            zoid_cpu.sweep(&device->isa, &s, 1, &own[i]);
        for (size_t j = 0; j < level[i].nout; j++)
            keep(&s, &own[i], &level[i].out[j]);
    }
    for (size_t i = 0; i < n; i++)
        free(own[i].base);
    return 0;
}

struct fused_seen fused_run(const struct zoid_block_args *run, const struct zoid_cpu *cpu, int most)
{
    struct device self = {.isa = cpu->isa, .most = most};
    struct zoid_device device = zoid_cpu;

    if (gpu_wanted()) {
        gpu_run(run);
        return self.seen;
    }
    if (most == 0) {
        zoid_cpu_run(run, cpu);
        return self.seen;
    }
    if (run->team) {
        zoid_cpu_wavefront.run(run, cpu);
        return self.seen;
    }
    if (most < 0)
        return march(run, cpu, -most);
    /* The smallest batch, so that the ring buffer wraps around in small domains too. */
    device.batch = device.abreast;
    device.sweep = sweep;
    device.fusible = fusible;
    device.fused = fused;
    zoid_run_block(run, &device, &self);
    return self.seen;
}
