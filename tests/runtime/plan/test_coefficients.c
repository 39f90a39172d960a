/* SPDX-License-Identifier: BSD-3-Clause */
/* Coefficients and memory in pieces of different sizes, as the planner counts them. */
#include "codelets/block/halo.h"
#include "graphs/cell.h"
#include "graphs/rim.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/coefficients.h"
#include "runtime/plan/parts.h"
#include "runtime/zoid_advanced.h"
#include "tests/runtime/band.h"
#include "tests/runtime/context.h"
#include "tests/suite.h"

/* A matrix of 20 MiB. */
static const struct band_kind large = {30000, 30, 90, 1, 3};

/* All sizes that a plan computes for pieces are those of the pieces. */
START_TEST(pieces_are_counted)
{
    struct zoid_context *context = open_context("2", _i);
    struct band *band = band_create(&large);
    const struct zoid_op *op = &band->op;
    const struct zoid_problem p = {.op = op, .n = {large.n, 1, 1}, .steps = 11};
    const struct zoid_request request = {
        .method = "naive", .block = 1000, .budget[ZOID_RAM] = _i ? 12 << 20 : 0};
    const uint64_t grain = _i ? 4096 : ZOID_LINE;
    uint64_t all = 0, most = 0;
    struct zoid_plan plan;

    ck_assert_msg(!zoid_plan_make(context, &p, &request, &plan), "%s", zoid_error());
    ck_assert_int_eq(plan.home, _i ? ZOID_DISK : ZOID_RAM);
    for (long lo = 0, step = plan.census.kind[ZOID_COEFFICIENT].planes; lo < large.n; lo += step) {
        const long hi = lo + step < large.n ? lo + step : large.n;
        const uint64_t bytes = (op->coefficient_bytes(op, lo, hi) + grain - 1) / grain * grain;

        all += bytes;
        most = bytes > most ? bytes : most;
    }
    ck_assert_uint_eq(plan.pieces.all, all);
    ck_assert_uint_eq(plan.pieces.most, most);
    ck_assert_uint_lt(all, most * (uint64_t)plan.census.kind[ZOID_COEFFICIENT].cols);
    if (_i)
        ck_assert_uint_lt(plan.bytes[ZOID_COEFFICIENT], all);
    else
        ck_assert_uint_eq(plan.bytes[ZOID_COEFFICIENT], all);
    zoid_context_close(&context);
    band_destroy(&band);
}
END_TEST

/* So are those of memory, wherever layers begin and end in a piece; and a plan for a long line does
 * not look at each of its pieces. */
START_TEST(memory_is_counted)
{
    static const long heights[] = {1, 2, 3, 5, 7, 12, 50, 101};
    struct zoid_context *context = open_context("1", false);
    struct zoid_problem p = {.op = zoid_op_find("wave", 1 + _i % 2, 2, ZOID_F32), .steps = 4};
    struct zoid_plan plan;

    p.params = zoid_op_defaults(p.op);
    p.params.speed = 0.4;
    p.n[0] = _i % 2 ? 40 : 101;
    p.n[1] = _i % 2 ? 101 : 1;
    p.n[2] = 1;
    p.face[0][ZOID_LOW] = ZOID_PML;
    p.face[_i % 2][ZOID_HIGH] = ZOID_PML;
    if (_i > 1)
        p.face[_i % 2][ZOID_LOW] = ZOID_PML;
    for (size_t k = 0; k < sizeof heights / sizeof *heights; k++) {
        const struct zoid_request request = {.method = "naive", .block = heights[k]};
        struct zoid_byte_sums sums = {.all = 0};

        ck_assert_msg(!zoid_plan_make(context, &p, &request, &plan), "%s", zoid_error());
        for (long i = 0; i < plan.census.kind[ZOID_MEMORY].cols; i++) {
            const uint64_t bytes = zoid_piece_bytes(&plan, ZOID_MEMORY, 0, i);

            sums.all += bytes;
            sums.most = bytes > sums.most ? bytes : sums.most;
        }
        ck_assert_uint_gt(sums.most, 0);
        ck_assert_uint_eq(plan.memory.all, sums.all);
        ck_assert_uint_eq(plan.memory.most, sums.most);
    }
    p.n[_i % 2] = 400000000 / p.n[1 - _i % 2];
    ck_assert_msg(!zoid_plan_make(context, &p, &(struct zoid_request){.depth = 1}, &plan), "%s",
                  zoid_error());
    zoid_context_close(&context);
}
END_TEST

/* So are those of cells, each of which has that of its window; and a halo has no more memory than
 * it has room for, wherever its cell lies. */
START_TEST(memory_of_cells_is_counted)
{
    struct zoid_context *context = open_context("1", false);
    struct zoid_problem p = {.op = zoid_op_find("wave", 2 + _i % 2, 1, ZOID_F64), .steps = 4};
    struct zoid_request request = {
        .method = "trapezoid", .block = 9, .epoch = 1 + _i % 2, .again = true};
    struct zoid_byte_sums sums = {.all = 0};
    struct zoid_layers layers;
    struct zoid_plan plan;

    p.params = zoid_op_defaults(p.op);
    p.params.speed = 0.4;
    for (int a = 0; a < ZOID_AXES; a++) {
        p.n[a] = a < p.op->dims ? 41 + 3 * a : 1;
        request.cells[a] = a < p.op->dims ? (a == 0) + 1 + (_i >> 2 * a) % 4 : 1;
        for (int side = 0; side < ZOID_SIDES && a < p.op->dims; side++)
            p.face[a][side] = !a || !((_i >> (a + side)) % 2) ? ZOID_PML
                              : _i % 5                        ? ZOID_SPONGE
                                                              : ZOID_NEUMANN;
    }
    /* Thin layers, which cells in the middle lack. */
    p.params.pml.points = _i % 3 ? p.params.pml.points : 1;
    ck_assert_msg(!zoid_plan_make(context, &p, &request, &plan), "%s", zoid_error());
    for (long cell = 0; cell < zoid_cells(&plan.graph); cell++)
        for (long i = 0; i < plan.census.kind[ZOID_MEMORY].cols; i++) {
            const uint64_t bytes = zoid_piece_bytes(&plan, ZOID_MEMORY, cell, i);

            sums.all += bytes;
            sums.most = bytes > sums.most ? bytes : sums.most;
        }
    ck_assert_uint_eq(plan.memory.all, sums.all);
    ck_assert_uint_eq(plan.memory.most, sums.most);
    layers = zoid_layers_of(p.op, &plan.graph.shape, &p.params, NULL);
    for (long cell = 0; cell < zoid_cells(&plan.graph); cell++) {
        const struct zoid_patch own = zoid_cell_own(&plan.graph, cell, 0);
        const struct zoid_rim rim = zoid_cell_rim(&plan.graph, &own);
        const struct zoid_rim all = zoid_patch_rim(&own);

        ck_assert_uint_le(zoid_halo_tail(&plan.graph.shape, &layers, &rim, true).plane,
                          zoid_plan_tail(&plan, ZOID_HALO).plane);
        ck_assert_uint_le(zoid_halo_tail(&plan.graph.shape, &layers, &all, true).plane,
                          zoid_plan_tail(&plan, ZOID_END).plane);
    }
    zoid_context_close(&context);
}
END_TEST

static long asked;

static size_t eight_a_row(const struct zoid_op *op, long lo, long hi)
{
    (void)op;
    asked++;
    return 8 * (size_t)(hi - lo);
}

static bool fits_all(const struct zoid_blocks *blocks)
{
    (void)blocks;
    return true;
}

static double a_second(const struct zoid_blocks *blocks, const struct zoid_pace *pace)
{
    (void)blocks, (void)pace;
    return 1;
}

/* For a long line the planner does not try pieces so small that StarPU's bookkeeping exceeds the
 * machine's memory; its refusal then names a number. */
START_TEST(long_lines_are_planned)
{
    static const struct zoid_block_runner any = {
        .name = "any", .fits = fits_all, .seconds = a_second};
    static const struct zoid_block_runner *const runners[] = {&any, NULL};
    struct zoid_context *context = open_context("2", false);
    struct band *band = band_create(&(struct band_kind){1, 0, 0, 1, 1});
    struct zoid_op op = band->op;
    struct zoid_problem p = {.op = &op, .n = {10000000000, 1, 1}, .steps = 3};
    struct zoid_plan plan;
    long most;

    op.coefficient_bytes = eight_a_row;
    op.runner = runners;
    ck_assert_int_eq(zoid_plan_make(context, &p, &(struct zoid_request){.block = 1}, &plan),
                     ZOID_DOES_NOT_FIT);
    ck_assert_uint_lt(named_mib(), UINT64_C(1) << 40);
    p.n[0] = 100000000;
    ck_assert_msg(!zoid_plan_make(context, &p, &(struct zoid_request){.depth = 1}, &plan), "%s",
                  zoid_error());
    /* The smallest pieces number `most`; all other sizes tried add up to a few times that. */
    most = (long)(zoid_context_machine(context)->ram_available / zoid_budget_handles(1));
    ck_assert_int_lt(asked, 20 * most);
    zoid_context_close(&context);
    band_destroy(&band);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, pieces_are_counted, 0, 2);
    tcase_add_loop_test(tests, memory_is_counted, 0, 4);
    tcase_add_loop_test(tests, memory_of_cells_is_counted, 0, 64);
    tcase_add_test(tests, long_lines_are_planned);
}

int main(void)
{
    return run_suite("coefficients", 60, add);
}
