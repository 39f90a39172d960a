/* SPDX-License-Identifier: BSD-3-Clause */
/* One stage at a time, for every variant of ops.def of type ZOID_TYPE and ZOID_DIMS dimensions, by
 * register streaming (2.5-D blocking).
 *
 * A warp owns a stretch of one or a few rows, 16 bytes of each row per thread, and marches along
 * the chain axis with the planes around it in a queue of registers:
 *
 *      z + R   <- loaded now          rows beyond the thread's own are loaded on demand: the
 *      z       <- computed now        neighbouring warp has just loaded them, so they come from
 *      z - R   <- dropped next        the first-level cache
 *
 * Neighbours along x come from the threads beside. The outermost threads of a warp only serve the
 * others, so stretches overlap. Marches are short, so that concurrent blocks of threads work on the
 * same few planes. Rows are padded to whole vectors. Values that are carried or outside the box are
 * computed from arbitrary data and dropped. */
#include <utility>

#include "codelets/cuda/order.cuh"
#include "codelets/cuda/stencil/vectors.cuh"

typedef ZOID_JOIN(zoid_, ZOID_TYPE) here;
typedef vec<here, 1> value_here;

/* State of a point update; see ops/point.h. */
struct zoid_at {
    const zoid_params *params;
    long t, p[ZOID_AXES];
    const long *n;
    const value_here *queue;  /* [fields][slots][rows] */
    int centre, row;          /* slot of the current plane; row of the thread */
    const char *const *plane; /* [field][slots]: addresses of its planes */
    const unsigned *beyond;   /* offsets of the rows below and above, in quads */
    const value_here *beside; /* those rows of the current plane, if prefetched */
    void *result;             /* value_here[fields] */
};

/* The same, with the kernel's shape Tile as a type: see fused.cu. */
template <class Tile> struct zoid_at_in : zoid_at {
    typedef Tile tile;
};

template <class At>
ZOID_INLINE value_here here_load(const At *at, int, int field, int dx, int dy, int dz)
{
    typedef typename At::tile tile;
    const int planes = ZOID_DIMS == 3 ? dz : dy, row = at->row + (ZOID_DIMS == 3 ? dy : 0);
    const int slot = field * tile::QUEUE + (at->centre + planes + tile::QUEUE) % tile::QUEUE;
    value_here own;

    if (ZOID_DIMS == 2 || (row >= 0 && row < tile::ROWS)) {
        own = at->queue[slot * tile::ROWS + row];
    } else {
        const int i = tile::BELOW + (row < 0 ? row : row - tile::ROWS);

        if constexpr (tile::EARLY)
            own = at->beside[i];
        else
            own = clean(load_vector<here, 1>(at->plane[slot] + (size_t)at->beyond[i] * QUAD),
                        tile::BITS);
    }
    return dx ? shifted(own, dx) : own;
}

#include "codelets/cuda/stencil/variants.cuh"

#include "codelets/cuda/stencil/carry.cuh"
#include "codelets/cuda/stencil/stream.cuh"

namespace
{

template <class K, int S>
__global__ void __launch_bounds__(WARP *stream_tile<K, S>::WARPS, stream_tile<K, S>::BLOCKS)
    stream_planes(const __grid_constant__ stream_order_of<K, S> o)
{
    typedef stream_tile<K, S> tile;
    const int warp = threadIdx.x / WARP, thread = threadIdx.x % WARP;
    const int tile_x = blockIdx.x % o.tiles_x, rest = blockIdx.x / o.tiles_x;
    streamer<K, S> m = {o};
    bool useful = false;

    /* In 2-D the warps of a block of threads lie side by side. */
    m.x = o.first + (K::D > 2 ? tile_x : tile_x * tile::WARPS + warp) * tile::STRETCH +
          thread * value_here::N;
    m.y = K::D > 2 ? o.box.lo[1] + (rest % o.tiles_y * tile::WARPS + warp) * tile::ROWS : 0;
    m.z = o.box.lo[2] + rest / o.tiles_y * o.planes;
    m.end = min(m.z + o.planes, o.box.hi[2]);
    m.set_out();
    UNROLL
    for (int r = 0; r < tile::ROWS; r++)
        useful = useful || m.written[r];
    if (__any_sync(EVERYONE, useful))
        m.stream_planes();
}

/* ---- launches -------------------------------------------------------------------------------- */

template <class K, int S> cudaError_t launch(stream_order_of<K, S> *o, cudaStream_t stream)
{
    typedef stream_tile<K, S> tile;
    constexpr int THREADS = (int)WARP * (int)tile::WARPS;
    enum { SHORT = tile::SLOTS <= 3 ? 16 : 8 * ((tile::SLOTS + 1) / 2), LONG_2D = 64 };
    const int width = o->box.hi[0] - o->f.x0, rows = o->box.hi[1] - o->box.lo[1];
    const int planes = o->box.hi[2] - o->box.lo[2];
    long columns;

    o->first = round_down(o->box.lo[0] - o->f.x0, value_here::N) - tile::SERVE * value_here::N;
    o->tiles_x = ceil_div(width - o->first - tile::SERVE * value_here::N, tile::STRETCH);
    if (K::D < 3)
        o->tiles_x = ceil_div(o->tiles_x, tile::WARPS);
    o->tiles_y = K::D > 2 ? ceil_div(rows, tile::WARPS * tile::ROWS) : 1;
    columns = (long)o->tiles_x * o->tiles_y;
    /* Enough marches for every multiprocessor: shorter ones if necessary. */
    o->planes = ceil_div(planes * columns, 4l * resident(stream_planes<K, S>, THREADS, 0));
    o->planes = max(2, min(o->planes, K::D > 2 ? (int)SHORT : (int)LONG_2D));
    stream_planes<K, S>
        <<<(unsigned)(columns * ceil_div(planes, o->planes)), THREADS, 0, stream>>>(*o);
    return cudaGetLastError();
}

/* Input segments of a march, before they are merged. */
struct march_lists {
    field_layout f;
    list in[ZOID_MAX_GROUPS + 1];
};

template <class K, int S> int sweep_stage(const zoid_cuda_sweep *c)
{
    typedef touched<K, S> what;
    const zoid_sweep *s = c->sweep;
    const cudaStream_t stream = static_cast<cudaStream_t>(c->stream);
    stream_order_of<K, S> o = {};
    march_lists lists;

    o.t = s->t;
    return in_launches(
        s, K::D - 1,
        [&](const field_layout &f, long lo, long hi) {
            const long origin = f.origin + stream_tile<K, S>::LO;

            o.f = lists.f = f;
            return select_all<what>(&lists, &o.out, c, lo, hi, sizeof(here)) &&
                   merge(&o.in, lists.in, (int)(lo - origin),
                         (int)(hi - f.origin) + stream_tile<K, S>::HI + stream_tile<K, S>::AHEAD,
                         f.plane);
        },
        [&](const extent &box) {
            cudaError_t error;

            o.box = box;
            o.inner = boxes_of<what>(s, o.f.origin);
            error = carry_others<K, S>(lists, o.box, o.out, s->fields, stream);
            return error == cudaSuccess ? launch<K, S>(&o, stream) : error;
        });
}

template <class K> int sweep(const zoid_cuda_sweep *c)
{
    return by_stage<K>(c, [&]<int S>() { return sweep_stage<K, S>(c); });
}

template <class K> int load_all()
{
    int error = load(carry);

    each_stage<K>([&]<int S>() { error = error ? error : load(stream_planes<K, S>); });
    return error;
}

} // namespace

#define ZOID_SWEEP(variant)                                      \
    extern "C" int zoid_cuda_##variant(const zoid_cuda_sweep *c) \
    {                                                            \
        return sweep<variant##_kind>(c);                         \
    }                                                            \
    extern "C" int zoid_load_##variant(void)                     \
    {                                                            \
        return load_all<variant##_kind>();                       \
    }
#define ZOID_VARIANT(variant, family, dims, radius, type, ...) \
    ZOID_HERE(type, dims, family, ZOID_SWEEP(variant))
#include ZOID_ROWS
