/* SPDX-License-Identifier: BSD-3-Clause */
/* Queues blocks whose sweeps run in the lanes of warps. A launch has all tiles of as many groups of
 * times as can be resident together, or part of the tiles of one group. */
#include <algorithm>

#include "codelets/cuda/inorder/lanes_deep.cuh"
#include "codelets/cuda/inorder/lanes_flat.cuh"
#include "codelets/cuda/inorder/lanes_line.cuh"
#include "codelets/cuda/run.h"

namespace
{

typedef void kernel_fn(lanes_order);

struct lanes_kernel {
    const void *run; /* a kernel_fn */
    size_t shared;

    lanes_kernel(const void *kernel, size_t shared) : run(kernel), shared(shared)
    {
    }
    lanes_kernel(kernel_fn *kernel, size_t shared)
        : run(reinterpret_cast<const void *>(kernel)), shared(shared)
    {
    }
};

template <class T, bool RHS> lanes_kernel kernel_for(int dims)
{
    if (dims == 1)
        return {line<T, RHS>, 0};
    if (dims == 2)
        return {flat<T, RHS>, sizeof(flat_memory<T, RHS>)};
    return {deep<T, RHS>, sizeof(deep_memory<T, RHS>)};
}

lanes_kernel kernel_of(const zoid_op *op)
{
    if (!zoid_lanes_know(op)) {
        size_t shared = 0;
        const void *kernel = op->kernels->skewed(&shared);

        return {kernel, shared};
    }
    if (op->type == ZOID_F32)
        return op->ncoef ? kernel_for<float, true>(op->dims) : kernel_for<float, false>(op->dims);
    return op->ncoef ? kernel_for<double, true>(op->dims) : kernel_for<double, false>(op->dims);
}

/* Stores the most resident warps, limited by the room in the ring (ZOID_WARPS). */
cudaError_t warps_of(const lanes_kernel &kernel, long *warps)
{
    int device = 0, processors = 0, each = 0;
    cudaError_t error = cudaGetDevice(&device);

    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaFuncSetAttribute(kernel.run, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)kernel.shared);
    if (error == cudaSuccess)
        error =
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel.run, LANES, kernel.shared);
    *warps = std::min((long)processors * each, (long)ZOID_WARPS);
    return error == cudaSuccess && *warps == 0 ? cudaErrorLaunchOutOfResources : error;
}

/* A list of parts of the block, with room for `room`. */
struct parts {
    const zoid_block_args *run;
    shown *list;
    int *n, room;
};

bool add(const parts &to, const zoid_part *part, const zoid_view *v)
{
    if (*to.n == to.room)
        return false;
    to.list[(*to.n)++] = {v->t0,
                          v->t1,
                          v->lo,
                          v->hi,
                          v->drift,
                          v->slot,
                          v->advance - v->drift,
                          (long)zoid_lanes_apart(to.run, part),
                          part->capacity * (long)zoid_lanes_apart(to.run, part),
                          (char *)part->base};
    return true;
}

/* Adds the parts that are read, either halos or all others. */
bool add_read(const parts &to, bool halos)
{
    bool fits = true;

    for (size_t i = 0; i < to.run->nparts; i++) {
        const zoid_part *part = &to.run->part[i];

        if (part->reads && !part->coefficient && (part->halo > 0) == halos)
            fits = fits && add(to, part, &part->in);
    }
    return fits;
}

bool set_parts(lanes_order *o, const zoid_block_args *run)
{
    const parts read = {run, o->read, &o->reads, STATES};
    const parts write = {run, o->write, &o->writes, STATES};
    const parts piece = {run, o->piece, &o->pieces, PIECES};
    bool fits = add_read(read, true) && add_read(read, false);

    for (size_t i = 0; i < run->nparts; i++) {
        const zoid_part *part = &run->part[i];

        if (part->coefficient)
            fits = fits && add(piece, part, &part->in);
        if (part->writes)
            fits = fits && add(write, part, &part->out);
    }
    return fits;
}

faces faces_of(const zoid *z, int chain)
{
    return {z->t0, z->dim[chain].lo, z->dim[chain].hi, z->dim[chain].dlo, z->dim[chain].dhi};
}

long planes_of(const zoid_block_args *run, long t)
{
    const zoid_box box = zoid_clipped_at(&run->zoid, &run->region, t);
    const int chain = zoid_chain(run->shape);

    return std::max(box.hi[chain] - box.lo[chain], 0l);
}

/* Stores the most planes of any time, and of those between groups. */
void count_planes(const zoid_block_args *run, long *most, long *between)
{
    *most = *between = 1;
    for (long t = run->zoid.t0 + 1; t <= run->zoid.t1; t++) {
        const long planes = planes_of(run, t);

        *most = std::max(*most, planes);
        if (t < run->zoid.t1 && (t - run->zoid.t0) % LANES == 0)
            *between = std::max(*between, planes);
    }
}

bool set_order(lanes_order *o, const zoid_block_args *run)
{
    const zoid_layout *layout = run->layout;
    const long size = (long)zoid_type_size(layout->type);
    const int chain = zoid_chain(run->shape);
    const zoid_box all = {{}, {run->shape->n[0], run->shape->n[1], run->shape->n[2]}};
    const zoid_boxes boxes = zoid_boxes_of(run->op, 0, run->shape, &all);

    o->params = params_of(run->op, run->params, run->zoid.t0);
    for (int a = 0; a < ZOID_AXES; a++)
        o->n[a] = a < chain ? run->shape->n[a] : 1;
    o->n[2] = run->shape->n[chain];
    for (int a = 0; a < ZOID_AXES; a++)
        o->domain[a] = run->shape->n[a];
    for (int f = 0; f < run->op->nstate; f++) {
        o->x[f] = {boxes.of[f].lo[0], boxes.of[f].hi[0]};
        o->planes[f] = {boxes.of[f].lo[chain], boxes.of[f].hi[chain]};
    }
    o->pitch = layout->pitch * size;
    o->plane = layout->plane * size;
    o->t0 = run->zoid.t0;
    o->t1 = run->zoid.t1;
    o->zoid = faces_of(&run->zoid, chain);
    o->region = faces_of(&run->region, chain);
    o->tiles = zoid_warp_tiles_of(run->op, run->shape->n);
    o->apart = o->tiles.apart;
    o->all[0] = o->tiles.across;
    o->all[1] = o->tiles.along;
    return set_parts(o, run);
}

/* Partitions the scratch: planes between groups, progress of warps, ring, edges between
 * launches. */
void set_room(lanes_order *o, const zoid_block_args *run, long warps)
{
    const zoid_warp_tiles *t = &o->tiles;
    const long groups = (o->t1 - o->t0 + LANES - 1) / LANES;
    long most;
    char *at;

    count_planes(run, &most, &o->slots);
    warps = std::min(warps, t->across * t->along * groups);
    o->between = (char *)run->scratch;
    at = o->between + (groups > 1 ? o->slots * o->plane * run->op->nstate : 0);
    at += (ZOID_LINE - (size_t)at % ZOID_LINE) % ZOID_LINE;
    o->done = (unsigned *)at;
    at += warps * ZOID_LINE;
    o->ring = at;
    at += (size_t)(warps * t->ahead * (t->east + t->north)) * 2 * t->vector;
    o->west = at;
    o->south = at + (size_t)(most + LANES * t->apart) * (size_t)t->east * t->vector;
}

/* Lets tiles of rows that lean go round a circle if all are resident; otherwise there are as many
 * as the rows of all groups cross. */
void set_lean(lanes_order *o, const zoid_block_args *run, long warps)
{
    const zoid_warp_skew skew = zoid_warp_skew_of(&run->op->stage[0]);
    const int chain = zoid_chain(run->shape);
    const long columns = o->tiles.columns;
    long lowest = o->n[2], highest = 0;

    if (skew.lean && o->all[0] <= warps) {
        o->circle = o->all[0] * columns;
        return;
    }
    for (long t = o->t0 + 1; t <= o->t1; t++) {
        const zoid_box box = zoid_clipped_at(&run->zoid, &run->region, t);
        const long lane = (t - o->t0 - 1) % LANES, behind = lane * skew.apart;
        const long stored = t < o->t1 ? behind : std::max(lane, (long)skew.storing) * skew.apart;

        lowest = std::min(lowest, box.lo[chain] + behind);
        highest = std::max(highest, box.hi[chain] + stored);
    }
    o->upright = lowest - std::max(skew.below, skew.apart);
    if (skew.lean)
        o->all[0] += std::max(highest - o->upright, 0l) * skew.lean / columns + 1;
}

cudaError_t launch(lanes_order *o, const lanes_kernel &kernel, long groups, cudaStream_t stream)
{
    const long warps = groups * o->count[0] * o->count[1];
    void *arguments[] = {o};
    cudaError_t error;

    /* Clears progress and ring; the edges lie behind them. */
    error = cudaMemsetAsync(o->done, 0, (size_t)(o->west - (char *)o->done), stream);
    if (error != cudaSuccess)
        return error;
    return cudaLaunchCooperativeKernel(kernel.run, dim3((unsigned)warps), dim3(LANES), arguments,
                                       kernel.shared, stream);
}

/* Notes the tables' values of the times of a launch. */
void set_table(lanes_order *o, const zoid_block_args *run, long groups)
{
    const int n = run->op->ntables;
    const long t = o->t0 + (long)o->group * LANES, times = std::min(groups * LANES, o->t1 - t);

    for (long i = 0; i < times && n; i++)
        std::copy_n(zoid_table_row(run->params, t + 1 + i), n, o->table + i * n);
}

/* Launches all tiles, of as many groups at a time as fit. */
cudaError_t launch_groups(lanes_order *o, const lanes_kernel &kernel, long warps,
                          const zoid_block_args *run, cudaStream_t stream)
{
    const long groups = (o->t1 - o->t0 + LANES - 1) / LANES, tiles = o->all[0] * o->all[1];
    const long most = ZOID_WARP_TABLE / LANES / std::max(run->op->ntables, 1);
    cudaError_t error = cudaSuccess;

    o->count[0] = o->all[0];
    o->count[1] = o->all[1];
    for (long g = 0, n; g < groups && error == cudaSuccess; g += n) {
        n = std::min(std::min(warps / tiles, run->op->ntables ? most : groups), groups - g);
        o->group = (int)g;
        set_table(o, run, n);
        error = launch(o, kernel, n, stream);
    }
    return error;
}

/* Launches, for each group, as many rows of tiles at a time as fit, or parts of a row. */
cudaError_t launch_tiles(lanes_order *o, const lanes_kernel &kernel, long warps,
                         const zoid_block_args *run, cudaStream_t stream)
{
    const long groups = (o->t1 - o->t0 + LANES - 1) / LANES;
    const long across = std::min(warps, o->all[0]), along = warps / across;
    cudaError_t error = cudaSuccess;

    for (long g = 0; g < groups; g++)
        for (long y = 0; y < o->all[1]; y += along)
            for (long x = 0; x < o->all[0] && error == cudaSuccess; x += across) {
                o->group = (int)g;
                o->first[0] = x;
                o->first[1] = y;
                o->count[0] = std::min(across, o->all[0] - x);
                o->count[1] = std::min(along, o->all[1] - y);
                set_table(o, run, 1);
                error = launch(o, kernel, 1, stream);
            }
    return error;
}

/* Copies planes of the first time to the views that need them. */
cudaError_t leave_first(const zoid_block_args *run, cudaStream_t stream)
{
    const long t = run->zoid.t0, n = run->shape->n[zoid_chain(run->shape)];
    cudaError_t error = cudaSuccess;

    for (size_t i = 0; i < run->nparts; i++) {
        const zoid_part *to = &run->part[i];

        for (long z = std::max(to->out.lo, 0l); z < std::min(to->out.hi, n); z++) {
            const zoid_part *from = zoid_lanes_given_in(run, t, z);

            for (int f = 0; f < run->op->nstate && error == cudaSuccess && to->writes && from &&
                            zoid_view_has(&to->out, t, z);
                 f++)
                error = cudaMemcpyAsync(zoid_lanes_plane(run, to, &to->out, f, t, z),
                                        zoid_lanes_plane(run, from, &from->in, f, t, z),
                                        zoid_lanes_bytes(run), cudaMemcpyDeviceToDevice, stream);
        }
    }
    return error;
}

} // namespace

int zoid_cuda_lanes(const zoid_block_args *run, void *stream)
{
    const cudaStream_t queue = static_cast<cudaStream_t>(stream);
    const lanes_kernel kernel = kernel_of(run->op);
    lanes_order o = {};
    long warps;
    cudaError_t error = warps_of(kernel, &warps);

    if (error == cudaSuccess && !set_order(&o, run))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = leave_first(run, queue);
    if (error != cudaSuccess || o.t0 >= o.t1)
        return error;
    set_room(&o, run, warps);
    if (!zoid_lanes_know(run->op))
        set_lean(&o, run, warps);
    if (o.all[0] * o.all[1] <= warps)
        return launch_groups(&o, kernel, warps, run, queue);
    return launch_tiles(&o, kernel, warps, run, queue);
}

int zoid_cuda_load_lanes(const zoid_op *op)
{
    cudaFuncAttributes attributes;
    const lanes_kernel kernel = kernel_of(op);

    return cudaFuncGetAttributes(&attributes, kernel.run);
}
