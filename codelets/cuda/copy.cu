/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of rows of planes on a GPU, in one launch: what halos have of a plane is short rows,
 * and few of them a plane. */
#include <cuda_runtime.h>

#include "codelets/cuda/order.cuh"

namespace
{

enum { THREADS = 256, EACH = 4 /* units that a thread moves at least, of rows that long */ };

/* As struct zoid_copy says. */
struct rows_order {
    char *to;
    const char *from;
    long rows, lines, width; /* lines: of all planes; width: units of a row */
    size_t to_row, from_row, to_plane, from_plane;
};

/* Threads go along rows, and where these are short, a block of them takes several. */
template <class Unit> __global__ void copy_rows(const __grid_constant__ rows_order o)
{
    const long line = blockIdx.x * (long)blockDim.y + threadIdx.y;
    const long plane = line / o.rows, row = line - plane * o.rows;

    if (line >= o.lines)
        return;
    const Unit *from =
        reinterpret_cast<const Unit *>(o.from + plane * o.from_plane + row * o.from_row);
    Unit *to = reinterpret_cast<Unit *>(o.to + plane * o.to_plane + row * o.to_row);

    for (long i = blockIdx.y * (long)blockDim.x + threadIdx.x; i < o.width;
         i += (long)gridDim.y * blockDim.x)
        to[i] = from[i];
}

template <class Unit> cudaError_t launch(rows_order o, size_t bytes, cudaStream_t stream)
{
    int across = 1;

    o.width = (long)(bytes / sizeof(Unit));
    while (across < THREADS && across < o.width)
        across *= 2;
    const int abreast = THREADS / across;
    const long parts = (o.width + (long)across * EACH - 1) / ((long)across * EACH);
    const long lines = (o.lines + abreast - 1) / abreast;

    copy_rows<Unit><<<dim3((unsigned)lines, (unsigned)(parts < 64 ? parts : 64)),
                      dim3(across, abreast), 0, stream>>>(o);
    return cudaGetLastError();
}

/* Whether all that a copy begins at, and goes on by, is a multiple of so many bytes. */
bool aligned(const zoid_copy *c, size_t unit)
{
    const size_t all = (size_t)c->to | (size_t)c->from | c->bytes | c->to_row | c->from_row |
                       c->to_plane | c->from_plane;

    return all % unit == 0;
}

} // namespace

int zoid_cuda_copy_rows(const zoid_copy *c, void *stream)
{
    const cudaStream_t s = static_cast<cudaStream_t>(stream);
    const rows_order o = {static_cast<char *>(c->to),
                          static_cast<const char *>(c->from),
                          c->rows,
                          c->rows * c->planes,
                          0,
                          c->to_row,
                          c->from_row,
                          c->to_plane,
                          c->from_plane};

    if (aligned(c, sizeof(uint4)))
        return launch<uint4>(o, c->bytes, s);
    if (aligned(c, sizeof(uint2)))
        return launch<uint2>(o, c->bytes, s);
    if (aligned(c, sizeof(unsigned)))
        return launch<unsigned>(o, c->bytes, s);
    return launch<unsigned char>(o, c->bytes, s);
}

int zoid_cuda_load_copy(void)
{
    int error = load(copy_rows<uint4>);

    error = error ? error : load(copy_rows<uint2>);
    error = error ? error : load(copy_rows<unsigned>);
    return error ? error : load(copy_rows<unsigned char>);
}
