/* SPDX-License-Identifier: BSD-3-Clause */
/* How kernels are laid out, as it was measured to pay: a row for each architecture. A kernel and
 * what launches it must agree, so all code of a build has one row, that of the lowest architecture
 * it is compiled for; the first row stands for those that nobody has measured. */
#ifndef ZOID_CODELETS_CUDA_TUNED_CUH
#define ZOID_CODELETS_CUDA_TUNED_CUH

namespace
{

/* How a launch by tiles is laid out: warps of a block of threads, rows of a thread, planes that are
 * on their way. */
struct tile_shape {
    int warps, rows, ahead;
};

/* What is tuned of launches by tiles. */
struct fused_tuning {
    tile_shape flat;                       /* in 2-D */
    tile_shape one, one_of_several;        /* a single time, of one field and of more */
    tile_shape diagonal, diagonal_doubles; /* of an update that looks at diagonal neighbours */
    tile_shape doubles, wide_doubles;      /* radius 1, and more */
    tile_shape usual;                      /* all others */
    int short_reach, short_reach_several;  /* in 2-D, times x radius below that: */
    int blocks, short_blocks; /* blocks of threads that a multiprocessor has then, or not */
    /* The most times at once that pay, by radius from 1 on; with diagonal neighbours; and whole
     * rounds of the stages of an operator that has edges of its own. */
    int most_flat[2], most[2], most_diagonal, most_rounds;
    /* A single time pays for radii from, up to; and with so many fields read at the point only. */
    int one_least, one_most, one_direct;
};

/* What is tuned of marches, by the planes that an update reads. */
struct march_tuning {
    int few, some;             /* up to so many planes */
    int ahead_few, ahead_some; /* in 2-D, steps before rows are needed that they are loaded */
    int rows_few, rows_bytes;  /* rows of a thread where it reads few planes; of bytes */
    int rows_some;             /* and some, or many */
    /* From so many planes on they are many, up to so many of one field, and of several. */
    int many, most_many, most_many_several;
    int warps, tall_warps; /* tall: with rows_few rows, or many planes */
    /* Blocks of threads of a multiprocessor: where rows are read in line, where tall, where rows
     * beside the own ones are asked for ahead, and by registers of a thread up to so many. */
    int line_blocks, tall_blocks, early_blocks;
    int registers[2], blocks[2];
};

struct tuning {
    int arch; /* compute capability, times 100 */
    fused_tuning fused;
    march_tuning march;
};

constexpr tuning tunings[] = {
    {.arch = 900, /* an H200 */
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
               .most_flat = {6, 3},
               .most = {4, 2},
               .most_diagonal = 2,
               .most_rounds = 3,
               .one_least = 2,
               .one_most = 4,
               .one_direct = 2},
     .march = {.few = 3,
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
               .blocks = {3, 2}}},
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
