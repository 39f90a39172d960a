/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/block/scratch.h"
#include "codelets/op/traits.h"
#include "tests/codelets/gpu.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/block/sample_points.h"
#include "codelets/cuda/lanes.h"
#include "codelets/cuda/run.h"
#include "tests/check.h"

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

static size_t part_bytes(const struct zoid_block_args *run, const struct zoid_part *part)
{
    int fields = part->coefficient ? run->op->ncoef : run->op->nstate;

    if (part->halo)
        return (size_t)(part->capacity * fields) * part->halo * zoid_type_size(run->op->type);
    return (size_t)(part->capacity * fields) * zoid_layout_plane_bytes(run->layout);
}

static size_t scratch_bytes(const struct zoid_block_args *run)
{
    int chain = zoid_chain(run->shape);
    long planes = 0, max_planes = 0;

    for (long t = run->zoid.t0 + 1; t <= run->zoid.t1; t++) {
        struct zoid_box box = zoid_clipped_at(&run->zoid, &run->region, t);

        max_planes = zoid_max(max_planes, box.hi[chain] - box.lo[chain]);
        if (t < run->zoid.t1)
            planes = max_planes;
    }
    planes =
        zoid_scratch_planes(run->shape, planes, BATCH) + zoid_scratch_spare(run->op, run->shape);
    if (zoid_op_in_order(run->op))
        planes = zoid_warp_scratch(run->op, run->shape, run->layout, max_planes,
                                   run->zoid.t1 - run->zoid.t0);
    return (size_t)(planes * run->op->nstate) * zoid_layout_plane_bytes(run->layout);
}

/* GPU memory, and a host buffer for a single copy of a block's parts. Both are reused by the next
 * block and filled with NaN bytes; scratch, which may be much larger, only on the GPU. */
struct memory {
    char *there, *here;
    size_t bytes, parts;
};

static struct memory memory_of(size_t parts, size_t scratch)
{
    static struct memory kept;

    if (parts + scratch > kept.bytes) {
        must(cudaFree(kept.there));
        must(cudaMalloc((void **)&kept.there, parts + scratch));
        kept.bytes = parts + scratch;
    }
    if (parts > kept.parts) {
        must(cudaFreeHost(kept.here));
        must(cudaMallocHost((void **)&kept.here, parts));
        kept.parts = parts;
    }
    memset(kept.here, 0xff, parts);
    must(cudaMemsetAsync(kept.there + parts, 0xff, scratch, NULL));
    return kept;
}

/* Rounds the offset of a part up to its alignment. */
static size_t padded(size_t bytes)
{
    return (bytes + 511) / 512 * 512;
}

/* Loads the operator's kernels, as a job does before its first block. */
static void load(const struct zoid_op *op)
{
    static const struct zoid_op *loaded;

    if (loaded != op)
        must(zoid_cuda_load(op));
    loaded = op;
}

/* Registers or unregisters the host memory of sample points and record for access by the GPU. */
static void pin(const struct zoid_sample_points *sample_points, bool on)
{
    const size_t record =
        sample_points ? (size_t)sample_points->rows * zoid_record_row_bytes(sample_points) : 0;

    if (sample_points && sample_points->bytes)
        must(on ? cudaHostRegister(sample_points->room, sample_points->bytes,
                                   cudaHostRegisterPortable)
                : cudaHostUnregister(sample_points->room));
    if (record)
        must(on ? cudaHostRegister(sample_points->record, record, cudaHostRegisterPortable)
                : cudaHostUnregister(sample_points->record));
}

void gpu_run(const struct zoid_block_args *run)
{
    struct zoid_part part[run->nparts + 1];
    struct zoid_block_args there = *run;
    size_t parts = 0;
    struct memory memory;

    load(run->op);
    for (size_t i = 0; i < run->nparts; i++)
        parts += padded(part_bytes(run, &run->part[i]));
    memory = memory_of(parts, padded(scratch_bytes(run)));
    there.part = part;
    there.scratch = memory.there + parts;
    for (size_t i = 0, at = 0; i < run->nparts; at += padded(part_bytes(run, &part[i++]))) {
        part[i] = run->part[i];
        part[i].base = memory.there + at;
        memcpy(memory.here + at, run->part[i].base, part_bytes(run, &part[i]));
    }
    must(cudaMemcpyAsync(memory.there, memory.here, parts, cudaMemcpyHostToDevice, NULL));
    pin(run->sample_points, true);
    must(zoid_cuda_run(&there, BATCH, NULL));
    must(cudaMemcpy(memory.here, memory.there, parts, cudaMemcpyDeviceToHost));
    pin(run->sample_points, false);
    for (size_t i = 0, at = 0; i < run->nparts; at += padded(part_bytes(run, &part[i++])))
        if (part[i].writes)
            memcpy(run->part[i].base, memory.here + at, part_bytes(run, &part[i]));
}
