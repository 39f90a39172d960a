/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codelets/gpu.h"

#include <check.h>
#include <cuda_runtime_api.h>
#include <stdlib.h>

#include "codelets/cuda/run.h"

enum { BATCH = 5 };

bool gpu_present(void)
{
    int devices = 0;

    return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
}

static void must(int error)
{
    ck_assert_msg(!error, "CUDA: %s", zoid_cuda_error(error));
}

static size_t part_bytes(const struct zoid_run *run, const struct zoid_part *part)
{
    int fields = part->coefficient ? run->op->ncoef : run->op->nstate;

    if (part->rows)
        return (size_t)(part->capacity * fields * zoid_layout_rows(run->layout, part->rows)) *
               zoid_type_size(run->op->type);
    return (size_t)(part->capacity * fields) * zoid_layout_plane_bytes(run->layout);
}

static size_t scratch_bytes(const struct zoid_run *run)
{
    int chain = zoid_chain(run->shape);
    long planes = 0;

    for (long t = run->zoid.t0 + 1; t < run->zoid.t1; t++) {
        struct zoid_box box = zoid_clipped_at(&run->zoid, &run->region, t);

        if (box.hi[chain] - box.lo[chain] > planes)
            planes = box.hi[chain] - box.lo[chain];
    }
    planes = zoid_scratch_planes(run->shape, planes, BATCH);
    return (size_t)(planes * run->op->nstate) * zoid_layout_plane_bytes(run->layout);
}

/* Memory of the GPU, kept from one block to the next, filled with bytes that are no numbers. */
static char *memory(size_t bytes)
{
    static char *kept;
    static size_t room;

    if (bytes > room) {
        must(cudaFree(kept));
        must(cudaMalloc((void **)&kept, bytes));
        room = bytes;
    }
    must(cudaMemset(kept, 0xff, bytes));
    return kept;
}

/* Parts begin at multiples of this. */
static size_t padded(size_t bytes)
{
    return (bytes + 511) / 512 * 512;
}

void gpu_run(const struct zoid_run *run)
{
    struct zoid_part part[run->nparts + 1];
    struct zoid_run there = *run;
    size_t bytes = padded(scratch_bytes(run));
    char *at;

    for (size_t i = 0; i < run->nparts; i++)
        bytes += padded(part_bytes(run, &run->part[i]));
    at = memory(bytes);
    there.part = part;
    for (size_t i = 0; i < run->nparts; i++) {
        part[i] = run->part[i];
        part[i].base = at;
        at += padded(part_bytes(run, &part[i]));
        must(cudaMemcpy(part[i].base, run->part[i].base, part_bytes(run, &part[i]),
                        cudaMemcpyHostToDevice));
    }
    there.scratch = at;
    must(zoid_cuda_run(&there, BATCH, NULL));
    must(cudaDeviceSynchronize());
    for (size_t i = 0; i < run->nparts; i++)
        if (part[i].writes)
            must(cudaMemcpy(run->part[i].base, part[i].base, part_bytes(run, &part[i]),
                            cudaMemcpyDeviceToHost));
}
