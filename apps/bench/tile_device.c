/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/bench/tile_device.h"

#include <stdlib.h>
#include <string.h>

#include "codelets/cuda/run.h"
#include "codelets/threads/parallel.h"
#include "runtime/error.h"
#include "runtime/machine/clock.h"

/* Bytes that CUDA takes of each block's shared memory, and the kernel. */
enum { BLOCK_BYTES = 1024 + 128, WARP = 32 };
/* A tile on cores is to stay in a core's cache. */
static const double core_bytes = 1 << 20;

static enum zoid_status cuda(int error)
{
    if (!error)
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE, "CUDA failed: %s; look at the GPU, or give {device=cpu}",
                     zoid_cuda_error(error));
}

/* ---- opening -------------------------------------------------------------------------------- */

static enum zoid_status open_gpu(struct zoid_tile_device *d)
{
    struct zoid_wavefront_gpu_facts facts;
    enum zoid_status status;

    if (!zoid_wavefront_gpu_open)
        return zoid_fail(ZOID_RESOURCE, "this build has no code for GPUs; give {device=cpu}");
    status = cuda(zoid_wavefront_gpu_open(d->bytes, &d->gpu, &facts));
    d->machine = (struct zoid_tile_machine){.processors = facts.processors, .lanes = WARP};
    d->shared = (double)facts.shared;
    d->block = (double)facts.block;
    d->own = BLOCK_BYTES;
    return status;
}

enum zoid_status zoid_tile_device_open(bool gpu, size_t bytes, struct zoid_tile_device *d)
{
    *d = (struct zoid_tile_device){.bytes = bytes};
    if (gpu)
        return open_gpu(d);
    d->machine = (struct zoid_tile_machine){.processors = 1, .lanes = 1, .apart = true};
    d->block = core_bytes;
    d->shared = core_bytes * zoid_cores();
    d->values = malloc(bytes + 1);
    if (!d->values)
        return zoid_no_memory();
    memset(d->values, 0, bytes);
    return ZOID_OK;
}

void zoid_tile_device_close(struct zoid_tile_device *d)
{
    if (d->gpu)
        zoid_wavefront_gpu_close(&d->gpu);
    zoid_team_destroy(&d->team);
    free(d->values);
    d->values = NULL;
}

/* ---- layouts -------------------------------------------------------------------------------- */

static void add_threads(struct zoid_tile_model *m, int x, int y, int z)
{
    const int threads[ZOID_AXES] = {x, y, z};

    memcpy(m->threads[m->nthreads++], threads, sizeof threads);
}

void zoid_tile_device_layouts(const struct zoid_tile_device *d, int axes, struct zoid_tile_model *m)
{
    m->machine = d->machine;
    m->nthreads = m->nresident = 0;
    if (!d->machine.apart) {
        for (int warps = 2; warps <= 16; warps *= 2) {
            const int z = warps >= 8 ? 4 : 2;

            if (axes == 3)
                add_threads(m, WARP, warps / z, z);
            else
                add_threads(m, axes == 1 ? WARP * warps : WARP, axes == 1 ? 1 : warps, 1);
        }
        for (int b = 1; b <= 4; b *= 2)
            m->resident[m->nresident++] = b;
        return;
    }
    for (int n = 1; n <= zoid_cores() && m->nthreads < ZOID_TILE_THREADS; n *= 2) {
        add_threads(m, n, 1, 1);
        m->resident[m->nresident++] = n;
    }
    if (m->resident[m->nresident - 1] < zoid_cores() && m->nresident < ZOID_TILE_RESIDENT)
        m->resident[m->nresident++] = zoid_cores();
}

void zoid_tile_device_space(const struct zoid_tile_device *d, int axes, struct zoid_tile_space *s)
{
    static const int sizes[2][ZOID_AXES][ZOID_WAVEFRONT_ROWS][2] = {
        {{{48, 1047}, {32, 2304}},
         {{4, 64}, {2, 72}, {16, 144}},
         {{2, 32}, {2, 18}, {2, 18}, {16, 144}}},
        {{{16, 512}, {64, 4096}},
         {{4, 64}, {4, 64}, {16, 256}},
         {{2, 16}, {4, 32}, {4, 32}, {8, 128}}}};

    for (int k = 0; k < ZOID_WAVEFRONT_ROWS; k++) {
        s->least[k] = sizes[d->machine.apart][axes - 1][k][0];
        s->most[k] = sizes[d->machine.apart][axes - 1][k][1];
    }
    s->bytes = d->shared;
    s->block = d->block;
    s->own = d->own;
}

enum zoid_status zoid_tile_device_fits(const struct zoid_tile_device *d,
                                       const struct zoid_wavefront_run *run, bool *fits)
{
    int blocks = 0;
    enum zoid_status status = ZOID_OK;

    if (!d->machine.apart)
        status = cuda(zoid_wavefront_gpu_resident(run, &blocks));
    *fits = d->machine.apart ? run->threads[0] * run->resident <= zoid_cores()
                             : run->resident <= blocks;
    return status;
}

/* ---- values and runs ------------------------------------------------------------------------ */

enum zoid_status zoid_tile_device_put(struct zoid_tile_device *d, const void *values, size_t bytes)
{
    if (d->gpu)
        return cuda(zoid_wavefront_gpu_put(d->gpu, values, bytes));
    memcpy(d->values, values, bytes);
    return ZOID_OK;
}

enum zoid_status zoid_tile_device_get(struct zoid_tile_device *d, void *values, size_t bytes)
{
    if (d->gpu)
        return cuda(zoid_wavefront_gpu_get(d->gpu, values, bytes));
    memcpy(values, d->values, bytes);
    return ZOID_OK;
}

/* Makes the team of a run, unless it is there. */
static enum zoid_status make_team(struct zoid_tile_device *d, const struct zoid_wavefront_run *run)
{
    const int members = run->threads[0] * run->resident;

    if (d->members != members) {
        zoid_team_destroy(&d->team);
        d->team = zoid_team_create(members, NULL, NULL);
        d->members = members;
    }
    if (zoid_team_size(d->team) == members)
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE, "the system refuses %d threads; allow more of them (ulimit -u)",
                     members);
}

enum zoid_status zoid_tile_device_run(struct zoid_tile_device *d,
                                      const struct zoid_wavefront_run *run, double *seconds)
{
    enum zoid_status status;

    if (d->gpu)
        return cuda(zoid_wavefront_gpu_run(d->gpu, run, seconds));
    status = make_team(d, run);
    if (status)
        return status;
    *seconds = -zoid_machine_clock();
    zoid_wavefront_on_cores(run, d->values, d->team);
    *seconds += zoid_machine_clock();
    return ZOID_OK;
}

enum zoid_status zoid_tile_device_term(struct zoid_tile_device *d,
                                       const struct zoid_wavefront_run *run,
                                       enum zoid_wavefront_term term, double *seconds)
{
    enum zoid_status status;

    if (d->gpu)
        return cuda(zoid_wavefront_gpu_term(d->gpu, run, term, seconds));
    status = make_team(d, run);
    if (status)
        return status;
    *seconds = -zoid_machine_clock();
    zoid_wavefront_barriers(d->team, run->threads[0], term == ZOID_WAVEFRONT_BLOCKS,
                            term == ZOID_WAVEFRONT_LAUNCH ? 0 : run->repeat);
    *seconds += zoid_machine_clock();
    return ZOID_OK;
}
