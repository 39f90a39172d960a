/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/mlsor/mlsor.h"

#include <math.h>
#include <stdio.h>

#include "codelets/mlsor/cuda.h"
#include "codelets/mlsor/sweep.h"
#include "codelets/sweep.h"

long zoid_mlsor_visits(const struct zoid_mlsor_kind *kind, long sweeps)
{
    return sweeps / kind->layers + (sweeps % kind->layers > 0);
}

long zoid_mlsor_at(const struct zoid_mlsor *m, long z)
{
    return (z + m->kind.subdomain - 1) * m->line;
}

/* Both stages have the same reach, in either direction of a visit. */
static struct zoid_stage stage_of(bool rhs)
{
    static const struct zoid_reach reach = {.lo = {0, 1}, .hi = {0, 1}};

    return (struct zoid_stage){.nreads = rhs ? 2 : 1,
                               .read = {{.field = 0, .reach = reach}, {.field = 1, .reach = reach}},
                               .writes = 1u << 0};
}

/* True if there are kernels and a subdomain fits into a GPU's shared memory. */
static bool on_gpus(const struct zoid_mlsor_kind *kind)
{
    return zoid_cuda_mlsor && zoid_mlsor_tile_of(kind).shared <= ZOID_MLSOR_SHARED;
}

static struct zoid_op op_of(const struct zoid_mlsor *m)
{
    const struct zoid_mlsor_kind *kind = &m->kind;
    const double size = (double)zoid_type_size(kind->type), layers = (double)kind->layers;

    return (struct zoid_op){
        .name = m->name,
        .family = "mlsor",
        .dims = 2,
        .radius = 1,
        .type = kind->type,
        .nstate = 1,
        .ncoef = kind->rhs ? 1 : 0,
        .field = {"u", "b"},
        .self = m,
        .nstages = 2,
        .step = 2,
        .own_edges = true,
        .grain = {ZOID_UNCUT},
        .grain_reason = "its subdomains lie side by side in whole planes",
        .stage = {stage_of(kind->rhs), stage_of(kind->rhs)},
        .flops = layers * ((kind->rhs ? 4 : 2) + 3 * kind->dims),
        .bytes = (kind->rhs ? 6 : 4) * size,
        .nparams = 1,
        .param = {{.name = "omega",
                   .summary = "how far a point goes to where its neighbours have it",
                   .value = 1,
                   .least = 0,
                   .most = 2,
                   .above = true,
                   .below = true}},
        .cpu = {[ZOID_PORTABLE] = zoid_mlsor_sweep,
                [ZOID_V3] = zoid_mlsor_sweep,
                [ZOID_V4] = zoid_mlsor_sweep},
        .spare = 1,
        .cuda = on_gpus(kind) ? zoid_cuda_mlsor : NULL,
        .kernels = on_gpus(kind) ? &zoid_cuda_mlsor_kernels : NULL};
}

void zoid_mlsor_make(const struct zoid_mlsor_kind *kind, struct zoid_mlsor *m)
{
    const long p = kind->subdomain, lines = kind->n[kind->dims - 1];

    *m = (struct zoid_mlsor){.kind = *kind, .line = kind->n[0], .n = {1, 1, 1}};
    if (kind->dims == 3)
        m->line *= kind->n[1];
    m->n[0] = p * m->line;
    m->n[1] = (lines + p - 1 + p - 1) / p;
    snprintf(m->name, sizeof m->name, "mlsor%dd_p%ld_k%ld%s_%s", kind->dims, p, kind->layers,
             kind->rhs ? "_rhs" : "", zoid_type_name(kind->type));
    m->op = op_of(m);
}
