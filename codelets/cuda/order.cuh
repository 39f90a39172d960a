/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel arguments, by value: where the planes of a sweep lie, and which points it covers. Planes
 * count from `origin`, so that an int holds them. */
#ifndef ZOID_CODELETS_CUDA_ORDER_CUH
#define ZOID_CODELETS_CUDA_ORDER_CUH

#include <cuda_runtime.h>

#include "codelets/cuda/inner.h"
#include "codelets/cuda/params.cuh"
#include "codelets/cuda/run.h"

namespace
{

enum { MAX_SEGMENTS = 32 };
enum : int { NEVER = ZOID_CUDA_NEVER };

/* Consecutive planes of some fields; plane p of field f starts at plane0 + p planes + f fields. */
struct segment {
    int lo, hi;
    char *plane0;
    size_t field; /* bytes */
};

struct list {
    int n;
    struct segment segment[MAX_SEGMENTS];
};

/* Points of a box, or of its computed part: x, the other plane axis, then the chain axis. */
struct extent {
    int lo[ZOID_AXES], hi[ZOID_AXES];
};

template <int N> struct boxes {
    extent box[N];
};

/* Layout of the fields, which all kernels need. */
struct field_layout {
    launch_params params;
    long n[ZOID_AXES];
    long origin;
    long pitch, plane; /* bytes */
    int x0, y0;        /* coordinates of a plane's first value */
    int width, rows;   /* values of a row, rows of a plane */
};

/* Address of a plane, if any segment holds it. */
struct spot {
    char *at; /* first field; NULL: in no segment */
    size_t field;
};

/* Returns where plane p lies. Lowers *stop to the plane up to which the answer advances plane by
 * plane. */
__host__ __device__ __forceinline__ spot find(const list &l, int p, long plane, int *stop)
{
    spot found = {nullptr, 0};

    for (int i = 0; i < l.n; i++)
        if (l.segment[i].lo > p) {
            *stop = min(*stop, l.segment[i].lo);
        } else if (p < l.segment[i].hi && !found.at) {
            found.at = l.segment[i].plane0 + p * plane;
            found.field = l.segment[i].field;
            *stop = min(*stop, l.segment[i].hi);
        }
    return found;
}

/* Copies the segments that hold planes of [from, to); returns false if there are too many. */
bool select(list *l, const zoid_segment *given, size_t n, long from, long to, const field_layout &f,
            size_t size)
{
    l->n = 0;
    for (size_t i = 0; i < n; i++) {
        const zoid_segment &one = given[i];
        long lo = one.lo > from ? one.lo : from, hi = one.hi < to ? one.hi : to;

        if (lo >= hi)
            continue;
        if (l->n == MAX_SEGMENTS)
            return false;
        l->segment[l->n++] = {(int)(lo - f.origin), (int)(hi - f.origin),
                              static_cast<char *>(one.base) - (one.lo - f.origin) * f.plane,
                              one.field * size};
    }
    return true;
}

field_layout layout_of(const zoid_sweep *s, long origin)
{
    const zoid_layout *layout = s->layout;
    const long size = (long)zoid_type_size(layout->type);
    field_layout f = {{}, {}, origin, layout->pitch * size, layout->plane * size};

    f.params = params_of(s->op, s->params, s->t);
    for (int a = 0; a < ZOID_AXES; a++)
        f.n[a] = s->shape->n[a];
    f.x0 = layout->dims > 1 ? (int)layout->lo[0] : 0;
    f.y0 = layout->dims > 2 ? (int)layout->lo[1] : 0;
    f.width = (int)layout->pitch;
    f.rows = layout->dims > 2 ? (int)(layout->hi[1] - layout->lo[1]) : 1;
    return f;
}

/* Returns a box with planes counted from `origin`, its last axis being the chain axis. */
extent extent_of(const zoid_box &box, int chain, long origin)
{
    extent e = {};

    for (int a = 0; a < chain; a++) {
        e.lo[a] = (int)box.lo[a];
        e.hi[a] = (int)box.hi[a];
    }
    e.lo[2] = (int)(box.lo[chain] - origin);
    e.hi[2] = (int)(box.hi[chain] - origin);
    return e;
}

/* Returns the extent of a box of points: one along axes that planes do not have. */
extent points_of(extent box, int chain)
{
    for (int a = chain; a < 2; a++) {
        box.lo[a] = 0;
        box.hi[a] = 1;
    }
    return box;
}

/* Largest multiple of n that is at most i. */
constexpr int round_down(int i, int n)
{
    return (i >= 0 ? i : i - n + 1) / n * n;
}

constexpr int ceil_div(long a, long b)
{
    return (int)((a + b - 1) / b);
}

/* Returns the number of blocks of threads of a kernel that are resident on the GPU. */
template <class Kernel> int resident(Kernel *kernel, int threads, size_t shared)
{
    int device = 0, processors = 1, each = 1;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, shared);
    return processors * (each > 0 ? each : 1);
}

template <class Kernel> int load(Kernel *kernel)
{
    cudaFuncAttributes attributes;

    return cudaFuncGetAttributes(&attributes, kernel);
}

/* Selects the input and output segments that stage What touches for planes [lo, hi) of the box;
 * returns false if there are too many. */
template <class What, class Order>
bool select_all(Order *o, list *out, const zoid_cuda_sweep *c, long lo, long hi, size_t size)
{
    for (int g = 0; g < What::groups; g++)
        if (!select(&o->in[g], c->sweep->in[g].segment, c->sweep->in[g].n,
                    lo - What::lowest(What::C), hi + What::highest(What::C), o->f, size))
            return false;
    return select(out, c->out, c->nout, lo, hi, o->f, size);
}

/* Calls stage<S>() for every stage S of the kind K, on the host. */
template <class K, int S = 0, class Stage> constexpr void each_stage(const Stage &stage)
{
    stage.template operator()<S>();
    if constexpr (S + 1 < K::STAGES)
        each_stage<K, S + 1>(stage);
}

/* Calls stage<S>() for the stage S, of the first LAST + 1, that computes the sweep's time. */
template <class K, class Stage, int LAST = K::STAGES - 1>
int by_stage(const zoid_cuda_sweep *c, const Stage &stage)
{
    if constexpr (LAST > 0)
        if ((c->sweep->t - 1) % K::STAGES < LAST)
            return by_stage<K, Stage, LAST - 1>(c, stage);
    return stage.template operator()<LAST>();
}

/* Splits a sweep into launches, one for all planes unless they lie in too many segments. note(f,
 * lo, hi) records where planes [lo, hi) lie, counted from f's origin, and returns false if there
 * are too many segments; launch(box) then queues the kernels. */
template <class Note, class Launch>
int in_launches(const zoid_sweep *s, int chain, const Note &note, const Launch &launch)
{
    zoid_box box = s->box;
    int error = 0;

    for (long z = s->box.lo[chain]; z < s->box.hi[chain] && !error; z = box.hi[chain]) {
        const field_layout f = layout_of(s, z);

        box.lo[chain] = z;
        box.hi[chain] = s->box.hi[chain] - z < NEVER / 2 ? s->box.hi[chain] : z + NEVER / 2;
        while (!note(f, z, box.hi[chain]))
            box.hi[chain] = z + (box.hi[chain] - z + 1) / 2;
        error = launch(extent_of(box, chain, z));
    }
    return error;
}

/* Returns the boxes of stage What, by their numbers; planes count from `origin`. */
template <class What> boxes<What::BOXES> boxes_of(const zoid_sweep *s, long origin)
{
    boxes<What::BOXES> all = {};

    for (int f = 0; f < What::state; f++)
        if (What::writes(f))
            all.box[What::box_of(f)] = extent_of(zoid_sweep_box(s, f), What::C, origin);
    return all;
}

} // namespace
#endif
