/* SPDX-License-Identifier: BSD-3-Clause */
/* Strided copies of rows of planes on a GPU, in one launch: halos have few and short rows per
 * plane, and a block copies several fields alike. */
#include <cuda_runtime.h>

#include "codelets/cuda/order.cuh"

namespace
{

enum { THREADS = 256, EACH = 4 /* units per thread, at least, if rows are long enough */ };
enum { MANY = 2048 /* blocks of threads that keep a GPU busy */ };

/* Copies of equal size, see struct zoid_copy. */
struct rows_order {
    long rows, lines, width; /* lines: rows of all planes of a copy; width: units of a row */
    struct one {
        char *to;
        const char *from;
        size_t to_row, from_row, to_plane, from_plane;
    } copy[ZOID_CUDA_COPIES];
};

/* Threads run along rows; if these are short, a block of threads takes several. TURNED: units are
 * floats, whose signs turn. */
template <class Unit, bool TURNED = false>
__global__ void copy_rows(const __grid_constant__ rows_order o)
{
    const long line = blockIdx.x * (long)blockDim.y + threadIdx.y;
    const long plane = line / o.rows, row = line - plane * o.rows;

    if (line >= o.lines)
        return;
    const rows_order::one &c = o.copy[blockIdx.z];
    const Unit *from =
        reinterpret_cast<const Unit *>(c.from + plane * c.from_plane + row * c.from_row);
    Unit *to = reinterpret_cast<Unit *>(c.to + plane * c.to_plane + row * c.to_row);

    for (long i = blockIdx.y * (long)blockDim.x + threadIdx.x; i < o.width;
         i += (long)gridDim.y * blockDim.x)
        if constexpr (TURNED)
            to[i] = -from[i];
        else
            to[i] = from[i];
}

template <class Unit, bool TURNED = false>
cudaError_t launch(rows_order o, size_t bytes, int n, cudaStream_t stream)
{
    int across = 1;

    o.width = (long)(bytes / sizeof(Unit));
    while (across < THREADS && across < o.width)
        across *= 2;
    const int abreast = THREADS / across;
    const long parts = (o.width + (long)across * EACH - 1) / ((long)across * EACH);
    const long lines = (o.lines + abreast - 1) / abreast;

    const long most = MANY / (lines * n) < 64 ? 64 : MANY / (lines * n);

    copy_rows<Unit, TURNED>
        <<<dim3((unsigned)lines, (unsigned)(parts < most ? parts : most), (unsigned)n),
           dim3(across, abreast), 0, stream>>>(o);
    return cudaGetLastError();
}

/* Returns the bits of all addresses, strides and sizes: a unit that divides it suits all copies. */
size_t grain_of(const zoid_copy *c, int n)
{
    size_t all = 0;

    for (int i = 0; i < n; i++)
        all |= (size_t)c[i].to | (size_t)c[i].from | c[i].bytes | c[i].to_row | c[i].from_row |
               c[i].to_plane | c[i].from_plane;
    return all;
}

} // namespace

int zoid_cuda_copy_rows(const zoid_copy *c, int n, void *stream)
{
    const cudaStream_t s = static_cast<cudaStream_t>(stream);
    const size_t grain = grain_of(c, n);
    rows_order o = {c->rows, c->rows * c->planes, 0, {}};

    for (int i = 0; i < n; i++)
        o.copy[i] = {static_cast<char *>(c[i].to),
                     static_cast<const char *>(c[i].from),
                     c[i].to_row,
                     c[i].from_row,
                     c[i].to_plane,
                     c[i].from_plane};
    if (c->turned == sizeof(float))
        return launch<float, true>(o, c->bytes, n, s);
    if (c->turned)
        return launch<double, true>(o, c->bytes, n, s);
    if (grain % sizeof(uint4) == 0)
        return launch<uint4>(o, c->bytes, n, s);
    if (grain % sizeof(uint2) == 0)
        return launch<uint2>(o, c->bytes, n, s);
    if (grain % sizeof(unsigned) == 0)
        return launch<unsigned>(o, c->bytes, n, s);
    return launch<unsigned char>(o, c->bytes, n, s);
}

int zoid_cuda_load_copy(void)
{
    int error = load(copy_rows<uint4>);

    error = error ? error : load(copy_rows<uint2>);
    error = error ? error : load(copy_rows<unsigned>);
    error = error ? error : load(copy_rows<float, true>);
    error = error ? error : load(copy_rows<double, true>);
    return error ? error : load(copy_rows<unsigned char>);
}
