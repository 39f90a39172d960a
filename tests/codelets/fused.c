/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codelets/fused.h"

#include <stdlib.h>
#include <string.h>

#include "tests/codelets/gpu.h"
#include "tests/codelets/sample.h"

struct device {
    enum zoid_isa isa;
    int most, launches;
};

static int sweep(void *self, const struct zoid_sweep *given, size_t nout,
                 const struct zoid_piece *out)
{
    return zoid_cpu.sweep(&((struct device *)self)->isa, given, nout, out);
}

static int fusible(void *self, const struct zoid_run *run)
{
    (void)run;
    return ((struct device *)self)->most;
}

/* All planes of the box, in memory of their own. */
static struct zoid_piece own_planes(const struct zoid_sweep *s)
{
    int chain = zoid_chain(s->shape);
    long lo = s->box.lo[chain], hi = s->box.hi[chain], planes = hi > lo ? hi - lo : 0;
    size_t bytes = (size_t)(planes * s->op->nstate) * zoid_layout_plane_bytes(s->layout);
    struct zoid_piece piece = {.lo = lo,
                               .hi = lo + planes,
                               .base = sample_memory(bytes),
                               .field = (size_t)(planes * s->layout->plane)};

    sample_poison(piece.base, bytes);
    return piece;
}

static void keep(const struct zoid_sweep *s, const struct zoid_piece *from,
                 const struct zoid_piece *to)
{
    size_t plane = zoid_layout_plane_bytes(s->layout), size = zoid_type_size(s->layout->type);

    for (int f = 0; f < s->op->nstate; f++)
        memcpy((char *)to->base + (size_t)f * to->field * size,
               (char *)from->base + (size_t)f * from->field * size +
                   (size_t)(to->lo - from->lo) * plane,
               (size_t)(to->hi - to->lo) * plane);
}

static int fused(void *self, size_t n, const struct zoid_fused_level *level)
{
    struct device *device = self;
    struct zoid_piece before = {.lo = 0}, own;

    device->launches++;
    for (size_t i = 0; i < n; i++) {
        struct zoid_sweep s = level[i].sweep;
        struct zoid_piece in[s.in[0].n + 1];

        memcpy(in, s.in[0].piece, s.in[0].n * sizeof *in);
        in[s.in[0].n] = before;
        if (i > 0)
            s.in[0] = (struct zoid_pieces){s.in[0].n + 1, in};
        own = own_planes(&s);
        if (!zoid_box_empty(&s.box))
            zoid_cpu.sweep(&device->isa, &s, 1, &own);
        for (size_t j = 0; j < level[i].nout; j++)
            keep(&s, &own, &level[i].out[j]);
        free(before.base);
        before = own;
    }
    free(before.base);
    return 0;
}

int fused_run(const struct zoid_run *run, const struct zoid_cpu *cpu, int most)
{
    struct device self = {.isa = cpu->isa, .most = most};
    struct zoid_device device = zoid_cpu;

    if (gpu_wanted()) {
        gpu_run(run);
        return 0;
    }
    if (most == 0) {
        zoid_cpu_run(run, cpu);
        return 0;
    }
    device.sweep = sweep;
    device.fusible = fusible;
    device.fused = fused;
    zoid_run_block(run, &device, &self);
    return self.launches;
}
