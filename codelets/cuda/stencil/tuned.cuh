/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel shapes as measured, one row per architecture. A kernel and its launch must agree, so a
 * build uses one row: that of the lowest architecture that it is compiled for, or the first row if
 * that has not been measured. */
#ifndef ZOID_CODELETS_CUDA_STENCIL_TUNED_CUH
#define ZOID_CODELETS_CUDA_STENCIL_TUNED_CUH

namespace
{

/* Shape of a launch by tiles: warps of a block of threads, rows per thread, planes of prefetch. */
struct tile_shape {
    int warps, rows, ahead;
};

/* Tuning of launches by tiles. */
struct fused_tuning {
    tile_shape flat;                       /* 2-D */
    tile_shape one, one_of_several;        /* a single time, of one field and of several */
    tile_shape diagonal, diagonal_doubles; /* updates that read diagonal neighbours */
    tile_shape doubles, wide_doubles;      /* radius 1, and larger */
    tile_shape usual;                      /* all other updates */
    int short_reach, short_reach_several;  /* 2-D, short: times x radius is below */
    int blocks, short_blocks;              /* resident blocks per multiprocessor; if short */
    /* The most fused times that pay: by radius from 1 on, in 2-D and 3-D; and in 3-D with diagonal
     * neighbours. */
    int most_flat[2], most[2], most_diagonal;
    /* In 2-D, the most planes that a thread holds, of all fields and times, and bytes of shared
     * memory of a block of threads. */
    int most_planes, most_shared;
    /* Radii from which and up to which a single time pays by tiles; the most fields read at the
     * point only. */
    int one_least, one_most, one_direct;
};

/* Tuning of the register-streaming sweeps of stream.cu, by the planes that an update reads. */
struct stream_tuning {
    int few, some;             /* up to that many planes are few, or some */
    int ahead_few, ahead_some; /* 2-D: steps by which rows are prefetched */
    int rows_few, rows_bytes;  /* rows per thread: few planes, and of bytes */
    int rows_some;             /* some planes, or many */
    /* From `many` planes on they are many, up to these limits for one field and for several. */
    int many, most_many, most_many_several;
    int warps, tall_warps; /* tall: rows_few rows or many planes */
    /* Resident blocks of threads per multiprocessor: for few planes without diagonal neighbours; if
     * tall; if rows beside the thread's own are prefetched; else by the registers of a thread. */
    int line_blocks, tall_blocks, early_blocks;
    int registers[2], blocks[2];
};

/* Tuning of launches of several times in 1-D. */
struct line_tuning {
    int most;                /* times */
    int few, each_few;       /* up to `few` stretches in shared memory: vectors of a thread */
    int some, each_some;     /* more than these, up to `some`; else one */
    int blocks, most_shared; /* resident blocks per multiprocessor; bytes of a block */
};

struct tuning {
    int arch; /* compute capability x 100 */
    fused_tuning fused;
    stream_tuning stream;
    line_tuning line;
};

constexpr tuning tunings[] = {
    {.arch = 900, /* H200 */
     .fused = {.flat = {4, 1, 3},
               .one = {16, 2, 2},
               .one_of_several = {16, 2, 1},
               .diagonal = {12, 3, 2},
               .diagonal_doubles = {12, 3, 1},
               .doubles = {8, 4, 1},
               .wide_doubles = {16, 2, 1},
               .usual = {16, 2, 2},
               .short_reach = 5,
               .short_reach_several = 3,
               .blocks = 2,
               .short_blocks = 3,
               .most_flat = {8, 4},
               .most = {4, 2},
               .most_diagonal = 2,
               .most_planes = 26,
               .most_shared = 112 << 10,
               .one_least = 2,
               .one_most = 4,
               .one_direct = 2},
     .stream = {.few = 3,
                .some = 6,
                .ahead_few = 6,
                .ahead_some = 3,
                .rows_few = 4,
                .rows_bytes = 2,
                .rows_some = 2,
                .many = 9,
                .most_many = 11,
                .most_many_several = 9,
                .warps = 8,
                .tall_warps = 4,
                .line_blocks = 4,
                .tall_blocks = 3,
                .early_blocks = 2,
                .registers = {80, 128},
                .blocks = {3, 2}},
     .line = {.most = 8,
              .few = 3,
              .each_few = 4,
              .some = 7,
              .each_some = 2,
              .blocks = 4,
              .most_shared = 112 << 10}},
};

constexpr tuning tuning_of()
{
    constexpr int compiled_for[] = {__CUDA_ARCH_LIST__}; /* ascending */
    tuning found = tunings[0];

    for (const tuning &t : tunings)
        if (t.arch <= compiled_for[0] && t.arch > found.arch)
            found = t;
    return found;
}

constexpr tuning tuned = tuning_of();

} // namespace
#endif
