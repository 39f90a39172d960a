/* SPDX-License-Identifier: BSD-3-Clause */
/* Fused steps of a band: layout in shared memory, number of steps that pay, and launches. */
#include <algorithm>
#include <cstring>

#include "codelets/cuda/band/band_stream.cuh"

namespace
{

enum { BATCH_MOST = 128 };

/* ---- shape ----------------------------------------------------------------------------------- */

int rounded(long i, long n)
{
    return (int)((i + n - 1) / n * n);
}

shape shape_with(const zoid_band *b, int levels, int batch)
{
    const size_t size = zoid_type_size(b->op.type);
    const long lower = b->matrix->about.lower, upper = b->matrix->about.upper;
    const long even = 1 - b->diagonals % 2; /* reads of x by pairs go one row further */
    shape s = {};

    s.levels = levels;
    s.batch = batch;
    s.lag = rounded(batch + upper + even, b->lanes);
    s.ring = rounded(std::max((long)s.lag, upper + (1 + AHEAD) * batch) + batch + lower, OWN);
    s.slots = (int)(((levels - 1) * s.lag + (1 + AHEAD) * batch) / b->lanes);
    s.lines = (int)(b->diagonals | 1);
    s.threads = rounded(levels * batch / OWN, WARP) + BRINGING;
    s.matrix = (size_t)s.slots * (size_t)s.lines * ZOID_LINE;
    s.bytes = s.matrix + (size_t)(levels * b->op.nstate * 2 * s.ring) * size;
    return s;
}

/* Returns the speed-up over single steps, whose matrix comes from memory: a batch takes the time of
 * its transfer, but at least that of a row's sum, which is one chain of additions, and of the reads
 * of shared memory by all levels. */
double worth(const zoid_band *b, const shape &s)
{
    /* Bytes per cycle, and cycles, on an H100; an addition takes 4 cycles in f32 and 8 in f64. */
    const double link = 12, bank = 128, fixed = 1100, size = (double)zoid_type_size(b->op.type);
    const double bytes = s.batch * (double)b->diagonals * size;
    const double busy = fixed + size * (double)b->diagonals + 1.5 * s.levels * bytes / bank;

    return s.levels * bytes / link / std::max(bytes / link, busy);
}

bool fits(const shape &s)
{
    return s.bytes <= SHARED && s.levels * s.batch <= (int)OWN * (int)COMPUTING;
}

/* Returns the layout with the best batch for `levels` levels; its levels are 0 if none fits. */
shape shape_of(const zoid_band *b, int levels)
{
    shape best = {};

    for (int batch = (int)b->lanes; batch <= BATCH_MOST; batch *= 2) {
        const shape s = shape_with(b, levels, batch);

        if (fits(s) && (!best.levels || worth(b, s) > worth(b, best)))
            best = s;
    }
    return best;
}

/* ---- launches -------------------------------------------------------------------------------- */

template <class T> bool add(stream_order<T> *o, int *n, const zoid_segment *given, size_t segments)
{
    for (size_t i = 0; i < segments; i++) {
        if (*n == SEGMENTS)
            return false;
        o->segment[(*n)++] = {given[i].lo, given[i].hi, static_cast<char *>(given[i].base),
                              given[i].field * sizeof(T)};
    }
    return true;
}

template <class T>
bool add_pieces(stream_order<T> *o, const zoid_band *b, const zoid_segments &list)
{
    for (size_t i = 0; i < list.n; i++) {
        const zoid_segment &piece = list.segment[i];
        const zoid_band_piece at = zoid_band_piece_of(b, piece.lo, piece.hi);
        const char *base = static_cast<const char *>(piece.base);

        if (o->pieces == PIECES)
            return false;
        o->piece[o->pieces++] = {piece.lo, piece.hi, at.first * b->lanes, base + at.values,
                                 base + at.rhs};
    }
    return true;
}

template <class T> bool set_levels(stream_order<T> *o, const zoid_cuda_levels *c)
{
    const zoid_band *b = zoid_band_of(c->level->sweep.op);
    bool fits = add_pieces(o, b, c->level->sweep.in[1]);
    int n = 0;

    for (size_t i = 0; i < c->n; i++) {
        const zoid_fused_level &level = c->level[i];
        const int first = n;

        fits = fits && add(o, &n, level.sweep.in[0].segment, level.sweep.in[0].n);
        o->level[i] = {level.sweep.box.lo[0], level.sweep.box.hi[0], (short)first,
                       (short)(n - first)};
        fits = fits && add(o, &n, level.out, level.nout);
        o->level[i].left = (short)(n - first - o->level[i].given);
        o->term[i] = term_of<T>(*zoid_band_term(b, level.sweep.t));
    }
    return fits;
}

/* Blocks of threads for all multiprocessors, each with at least as many rows as the levels lag. */
template <class T> cudaError_t set_blocks(stream_order<T> *o, unsigned *blocks)
{
    int device = 0, processors = 0, each = 0;
    long lo = o->level[0].lo, hi = o->level[0].hi, most, rows;
    cudaError_t error = cudaGetDevice(&device);

    for (int i = 1; i < o->s.levels; i++) {
        lo = std::min(lo, o->level[i].lo);
        hi = std::max(hi, o->level[i].hi);
    }
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaFuncSetAttribute(stream_planes<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)o->s.bytes);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, stream_planes<T>, o->s.threads,
                                                              o->s.bytes);
    if (error != cudaSuccess || each == 0)
        return error == cudaSuccess ? cudaErrorLaunchOutOfResources : error;
    most = (long)processors * each;
    rows = std::max((hi - lo + most - 1) / most, (long)(o->s.levels * o->s.lag));
    o->each = rounded(rows, o->s.batch);
    o->begin = lo;
    *blocks = (unsigned)std::max((hi - lo + o->each - 1) / o->each, 1l);
    return cudaSuccess;
}

template <class T> int fused_levels(const zoid_cuda_levels *c)
{
    const zoid_band *b = zoid_band_of(c->level->sweep.op);
    stream_order<T> o = {};
    unsigned blocks;
    cudaError_t error;

    o.n = b->matrix->about.n;
    o.lower = (int)b->matrix->about.lower;
    o.upper = (int)b->matrix->about.upper;
    o.diagonals = (int)b->diagonals;
    o.fields = b->op.nstate;
    o.previous = b->previous;
    o.sum = b->sum;
    o.s = shape_of(b, (int)c->n);
    if (!set_levels(&o, c))
        return cudaErrorInvalidValue;
    error = set_blocks(&o, &blocks);
    if (error != cudaSuccess)
        return error;
    stream_planes<T><<<blocks, o.s.threads, o.s.bytes, static_cast<cudaStream_t>(c->stream)>>>(o);
    return cudaGetLastError();
}

int all_levels(const zoid_cuda_levels *c)
{
    return c->level->sweep.op->type == ZOID_F32 ? fused_levels<zoid_f32>(c)
                                                : fused_levels<zoid_f64>(c);
}

/* Returns the best number of levels; 1 unless a single vector in DIA has few enough diagonals for
 * two. */
int most_levels(const zoid_band *b)
{
    const double enough = 1.1;
    int best = 1;

    if (b->format != ZOID_FORMAT_DIA || b->vectors > 1 ||
        b->diagonals > (int)SHARED / (int)ZOID_LINE)
        return 1;
    for (int levels = 2; levels <= LEVELS; levels++) {
        const shape s = shape_of(b, levels);

        if (s.levels && worth(b, s) > (best > 1 ? worth(b, shape_of(b, best)) : enough))
            best = levels;
    }
    return best;
}

} // namespace

void zoid_cuda_band_stream(const zoid_band *band, zoid_cuda_kernels *kernels)
{
    kernels->most = most_levels(band);
    kernels->most_shared = kernels->most > 1 ? shape_of(band, kernels->most).bytes : 0;
    kernels->fused = all_levels;
}

int zoid_cuda_load_band_stream(void)
{
    cudaFuncAttributes attributes;
    int error = cudaFuncGetAttributes(&attributes, stream_planes<zoid_f32>);

    return error ? error : cudaFuncGetAttributes(&attributes, stream_planes<zoid_f64>);
}
