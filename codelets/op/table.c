/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of the variants in ZOID_ROWS, ops.def or a list from outside the tree. ZOID_TABLE(i)
 * returns variant i, in their order; NULL past the end. With ZOID_MODULE_VERSION, also the
 * description of a shared object. ZOID_TEXT_FILE defines ZOID_TEXT, the hash of their text. */
#include <math.h>

#include "codelets/op.h"
#include "codelets/op/module.h"
#include "codelets/ops/lists.h"

#ifdef ZOID_TEXT_FILE
#include ZOID_TEXT_FILE
#else
#define ZOID_TEXT 0
#endif

/* Traversals besides the portable one: ZOID_NO_v3 and ZOID_NO_v4, those that are not compiled. */
#if defined __x86_64__ && !defined ZOID_NO_v3
#define ON_V3(...) __VA_ARGS__
#else
#define ON_V3(...)
#endif
#if defined __x86_64__ && !defined ZOID_NO_v4
#define ON_V4(...) __VA_ARGS__
#else
#define ON_V4(...)
#endif

/* Lanes have no bytes. */
#define OF_f32(...) __VA_ARGS__
#define OF_f64(...) __VA_ARGS__
#define OF_u8(...)

/* CUDA kernels besides. */
#ifdef ZOID_KERNELS
#define ON_CUDA(...) __VA_ARGS__
#else
#define ON_CUDA(...)
#endif

enum { ZOID_TYPE_f32 = ZOID_F32, ZOID_TYPE_f64 = ZOID_F64, ZOID_TYPE_u8 = ZOID_U8 };
#define PLUS_ONE(stage, ...) +1

/* clang-format off */
#define ZOID_VARIANT(variant, family_, nd, nr, type_, stages, ...)                                 \
    zoid_loop_fn zoid_reference_##variant;                                                         \
    zoid_row_fn zoid_row_##variant;                                                                \
    zoid_sweep_fn zoid_sweep_portable_##variant;                                                   \
    ON_V3(zoid_sweep_fn zoid_sweep_v3_##variant;)                                                  \
    ON_V4(zoid_sweep_fn zoid_sweep_v4_##variant;)                                                  \
    OF_##type_(ON_V3(zoid_skewed_fn zoid_skewed_v3_##variant;))                                    \
    OF_##type_(ON_V4(zoid_skewed_fn zoid_skewed_v4_##variant;))                                    \
    ON_CUDA(zoid_cuda_fn zoid_cuda_##variant;)                                                     \
    ON_CUDA(extern const struct zoid_cuda_kernels zoid_kernels_##variant;)                         \
    static const struct zoid_op *op_##variant(void)                                                \
    {                                                                                              \
        enum { D = nd, R = nr, SIZE = sizeof(zoid_##type_) };                                      \
        static const struct zoid_op op = {                                                         \
            .name = #variant,                                                                      \
            .family = #family_,                                                                    \
            .dims = D,                                                                             \
            .radius = R,                                                                           \
            .type = (enum zoid_type)ZOID_TYPE_##type_,                                             \
            .nstages = 0 stages(PLUS_ONE),                                                         \
            .step = ZOID_STEP_##stages,                                                            \
            .rotates = ZOID_STEP_##stages < 0 stages(PLUS_ONE),                                    \
            .cpu = {[ZOID_PORTABLE] = zoid_sweep_portable_##variant,                               \
                    ON_V3([ZOID_V3] = zoid_sweep_v3_##variant,)                                    \
                    ON_V4([ZOID_V4] = zoid_sweep_v4_##variant)},                                   \
            ON_CUDA(.cuda = zoid_cuda_##variant, .kernels = &zoid_kernels_##variant,)              \
            .row = zoid_row_##variant,                                                             \
            .skewed = {OF_##type_(ON_V3([ZOID_V3] = zoid_skewed_v3_##variant,)                     \
                                  ON_V4([ZOID_V4] = zoid_skewed_v4_##variant))},                   \
            .reference = zoid_reference_##variant,                                                 \
            .text = ZOID_TEXT,                                                                     \
            __VA_ARGS__};                                                                          \
        return &op;                                                                                \
    }
#include ZOID_ROWS
#undef ZOID_VARIANT

#undef ZOID_FILL
#define ZOID_FILL(...)
#undef ZOID_STABILITY
#define ZOID_STABILITY(...)
#undef ZOID_SPEED
#define ZOID_SPEED(...)
#undef ZOID_CONSTANTS
#define ZOID_CONSTANTS(...)
#define ZOID_VARIANT(variant, ...) op_##variant,
static const struct zoid_op *(*const table[])(void) = {
#include ZOID_ROWS
};
#undef ZOID_VARIANT
/* clang-format on */

zoid_table_fn ZOID_TABLE;

const struct zoid_op *ZOID_TABLE(size_t i)
{
    return i < sizeof table / sizeof *table ? table[i]() : NULL;
}

#ifdef ZOID_MODULE_VERSION
extern const struct zoid_module zoid_module;
const struct zoid_module zoid_module = {
    .abi = ZOID_MODULE_ABI,
    .version = ZOID_MODULE_VERSION,
    .op_bytes = sizeof(struct zoid_op),
    .table = ZOID_TABLE,
};
#endif
