/* SPDX-License-Identifier: BSD-3-Clause */
/* Queues the kernels of a stage of MLSOR, one after the other; mlsor/sweep.c has the picture. The
 * first one carries planes over from the time before. If a seam lies at the end of a box, only one
 * of its two planes is the box's: the other plane's lines are in the spare plane between the
 * kernels. */
#include "codelets/cuda/mlsor/mlsor.cuh"

#include <algorithm>

namespace
{

typedef void kernel_fn(mlsor_order);

template <class T> kernel_fn *kernel_for(int dims, bool rhs)
{
    if (dims == 3)
        return rhs ? mlsor<T, true, true> : mlsor<T, true, false>;
    return rhs ? mlsor<T, false, true> : mlsor<T, false, false>;
}

kernel_fn *kernel_of(const zoid_mlsor_kind *kind)
{
    return kind->type == ZOID_F32 ? kernel_for<float>(kind->dims, kind->rhs)
                                  : kernel_for<double>(kind->dims, kind->rhs);
}

int subdomains(const zoid_mlsor_kind *kind, long n)
{
    return n > 2 ? (int)((n - 2 + kind->subdomain - 1) / kind->subdomain) : 0;
}

/* Returns the kernel arguments without the addresses of planes. */
mlsor_order order_of(const zoid_sweep *s)
{
    const zoid_mlsor *m = static_cast<const zoid_mlsor *>(s->op->self);
    const zoid_mlsor_kind *kind = &m->kind;
    const double omega = s->params->value[0];
    const long number = (s->t - 1) / 2, last = kind->dims - 1;
    const long n[ZOID_AXES] = {kind->n[0], kind->dims == 3 ? kind->n[1] : 1, kind->n[last]};
    mlsor_order o = {};

    o.q = omega / (2 * kind->dims);
    o.keep = 1 - omega;
    for (int a = 0; a < ZOID_AXES; a++) {
        o.n[a] = (int)n[a];
        o.subdomains[a] = subdomains(kind, n[a]);
    }
    if (kind->dims == 2)
        o.subdomains[Y] = 1;
    o.part[LINES] = (int)((s->t - 1) % 2);
    o.p = (int)kind->subdomain;
    o.layers = (int)kind->layers;
    o.visit = (int)std::min(kind->layers, kind->sweeps - number * kind->layers);
    o.back = !kind->forward && number % 2;
    o.row = n[0];
    o.line = m->line;
    o.plane = (long)zoid_layout_plane_bytes(s->layout);
    o.tile = zoid_mlsor_tile_of(kind);
    o.across = o.tile.tiles;
    o.spare = static_cast<char *>(s->spare);
    return o;
}

/* Carries all planes: an axis of two points has no inner point. */
cudaError_t carry(const mlsor_order &o, const zoid_cuda_sweep *c)
{
    const zoid_sweep *s = c->sweep;

    for (size_t i = 0; i < c->nout; i++)
        for (size_t j = 0; j < s->in[0].n; j++) {
            const zoid_segment &to = c->out[i], &from = s->in[0].segment[j];
            const long lo = std::max(to.lo, from.lo), hi = std::min(to.hi, from.hi);
            cudaError_t error = cudaSuccess;

            if (lo < hi)
                error = cudaMemcpyAsync(static_cast<char *>(to.base) + (lo - to.lo) * o.plane,
                                        static_cast<char *>(from.base) + (lo - from.lo) * o.plane,
                                        (hi - lo) * o.plane, cudaMemcpyDeviceToDevice,
                                        static_cast<cudaStream_t>(c->stream));
            if (error != cudaSuccess)
                return error;
        }
    return cudaSuccess;
}

/* Queues the kernels of a stage for the planes of a box. */
cudaError_t launch(mlsor_order *o, const zoid_mlsor_kind *kind, void *stream)
{
    const int seams = o->part[LINES], planes = o->hi - o->lo + seams;
    kernel_fn *kernel = kernel_of(kind);
    cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             (int)o->tile.shared);

    o->from = o->lo - seams;
    o->along = ceil_div(o->subdomains[X], o->across);
    for (int y = 0; y < (kind->dims == 3 ? 2 : 1); y++)
        for (int x = 0; x < 2 && error == cudaSuccess; x++) {
            const long warps = (long)o->along * o->subdomains[Y] * planes;

            o->part[X] = x;
            o->part[Y] = y;
            o->first = x == 0 && y == 0;
            kernel<<<dim3((unsigned)warps), dim3(WARP), o->tile.shared,
                     static_cast<cudaStream_t>(stream)>>>(*o);
            error = cudaGetLastError();
        }
    return error;
}

int load_mlsor(void)
{
    int error = 0;

    for (int i = 0; i < 8 && !error; i++) {
        kernel_fn *const kernel = i & 1 ? kernel_for<float>(2 + (i >> 1 & 1), i >> 2)
                                        : kernel_for<double>(2 + (i >> 1 & 1), i >> 2);

        error = load(kernel);
    }
    return error;
}

} // namespace

int zoid_cuda_mlsor(const zoid_cuda_sweep *c)
{
    const zoid_sweep *s = c->sweep;
    const zoid_mlsor *m = static_cast<const zoid_mlsor *>(s->op->self);
    const size_t size = zoid_type_size(s->op->type);
    mlsor_order o = order_of(s);

    if (!o.subdomains[X] || !o.subdomains[Y])
        return carry(o, c);
    return in_launches(
        s, zoid_chain(s->shape),
        [&](const field_layout &f, long lo, long hi) {
            o.origin = (int)f.origin;
            return select(&o.in, s->in[0].segment, s->in[0].n, lo - 1, hi + 1, f, size) &&
                   select(&o.b, s->in[1].segment, s->in[1].n, lo - 1, hi + 1, f, size) &&
                   select(&o.out, c->out, c->nout, lo, hi, f, size);
        },
        [&](const extent &box) {
            o.lo = box.lo[2];
            o.hi = box.hi[2];
            return launch(&o, &m->kind, c->stream);
        });
}

const zoid_cuda_kernels zoid_cuda_mlsor_kernels = {
    .most = 1, .naive = zoid_cuda_mlsor, .load = load_mlsor};
