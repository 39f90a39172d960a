/* SPDX-License-Identifier: BSD-3-Clause */
/* Carries fields that a stage does not write but a sweep has to store. Include variants.cuh
 * first. */
#ifndef ZOID_CODELETS_CUDA_STENCIL_CARRY_CUH
#define ZOID_CODELETS_CUDA_STENCIL_CARRY_CUH

#include "codelets/cuda/order.cuh"

namespace
{

struct carry_order {
    field_layout f;
    extent box;
    list in, out;
    int in_field, out_field, size;
};

[[maybe_unused]] __global__ void carry(const __grid_constant__ carry_order o)
{
    const long width = o.box.hi[0] - o.box.lo[0], rows = o.box.hi[1] - o.box.lo[1];
    const long points = width * rows * (o.box.hi[2] - o.box.lo[2]);

    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < points;
         i += (long)gridDim.x * blockDim.x) {
        const int p = o.box.lo[2] + (int)(i / width / rows);
        const long at = (o.box.lo[1] - o.f.y0 + i / width % rows) * o.f.pitch +
                        (o.box.lo[0] - o.f.x0 + i % width) * o.size;
        int stop = NEVER;
        const spot from = find(o.in, p, o.f.plane, &stop);
        const spot to = find(o.out, p, o.f.plane, &stop);

        for (int b = 0; b < o.size && from.at && to.at; b++)
            to.at[to.field * o.out_field + at + b] = from.at[from.field * o.in_field + at + b];
    }
}

/* Queues copies of those of `fields` that stage S does not write. */
template <class K, int S, class Order>
cudaError_t carry_others(const Order &order, const extent &box, const list &out, unsigned fields,
                         cudaStream_t stream)
{
    typedef touched<K, S> what;
    carry_order o = {order.f, box, {}, out, 0, 0, (int)sizeof(here)};

    if (K::D < 3) {
        o.box.lo[1] = o.f.y0;
        o.box.hi[1] = o.f.y0 + 1;
    }
    for (int f = 0; f < what::state; f++)
        if (fields >> f & 1 && !what::writes(f)) {
            o.in = order.in[what::group(f)];
            o.in_field = f - what::first(f);
            o.out_field = f;
            carry<<<1024, 256, 0, stream>>>(o);
        }
    return cudaGetLastError();
}

} // namespace
#endif
