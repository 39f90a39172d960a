/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of operators is consistent, and a worked example matches to the bit. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/op/reference.h"
#include "codelets/op/traits.h"
#include "codelets/sweep.h"
#include "tests/codelets/sample.h"
#include "tests/suite.h"

/* The full name, or the name without suffixes that the family and type imply. */
START_TEST(names)
{
    const struct zoid_op *op, *other;

    ck_assert_ptr_nonnull(zoid_op_at(0));
    for (size_t i = 0; (op = zoid_op_at(i)); i++) {
        char full[80], brief[80];
        int alike = 0;

        snprintf(full, sizeof full, "%s%dd_r%d_%s", op->family, op->dims, op->radius,
                 zoid_type_name(op->type));
        snprintf(brief, sizeof brief, "%s_%s", op->family, zoid_type_name(op->type));
        ck_assert_ptr_eq(zoid_op_find(op->family, op->dims, op->radius, op->type), op);
        for (size_t j = 0; (other = zoid_op_at(j)); j++) {
            ck_assert_int_eq(strcmp(op->name, other->name) == 0, i == j);
            alike += strcmp(op->family, other->family) == 0 && op->type == other->type;
        }
        ck_assert_str_eq(op->name, alike > 1 ? full : brief);
    }
    ck_assert_ptr_null(zoid_op_find("no such family", 3, 1, ZOID_F32));
    ck_assert_ptr_null(zoid_op_find("heat", 4, 1, ZOID_F32));
    ck_assert_ptr_null(zoid_op_find("heat", 3, 99, ZOID_F32));
}
END_TEST

static void check_stage(const struct zoid_op *op, const struct zoid_stage *stage)
{
    ck_assert_int_ge(stage->nreads, 1);
    ck_assert_int_le(stage->nreads, ZOID_MAX_READS);
    ck_assert_uint_ne(stage->writes, 0);
    ck_assert_uint_lt(stage->writes, 1u << op->nstate);
    for (int r = 0; r < stage->nreads; r++) {
        const struct zoid_read *read = &stage->read[r];

        ck_assert_int_ge(read->field, 0);
        ck_assert_int_lt(read->field, op->nstate + op->ncoef);
        for (int a = 0; a < ZOID_AXES; a++) {
            ck_assert_int_le(read->reach.lo[a], a < op->dims ? ZOID_MAX_REACH : 0);
            ck_assert_int_le(read->reach.hi[a], a < op->dims ? ZOID_MAX_REACH : 0);
            ck_assert_int_ge(read->reach.lo[a], 0);
            ck_assert_int_ge(read->reach.hi[a], 0);
        }
    }
}

/* A stage writes one group, and every group is written. */
static void check_groups(const struct zoid_op *op)
{
    const struct zoid_groups g = zoid_op_groups(op);
    unsigned written = 0;

    ck_assert_int_ge(g.n, 1);
    ck_assert_int_le(g.n, ZOID_MAX_GROUPS);
    ck_assert_int_eq(g.first[0], 0);
    ck_assert_int_eq(g.first[g.n], op->nstate);
    ck_assert_int_eq(g.first[g.n + 1], op->nstate + op->ncoef);
    for (int s = 0; s < op->nstages; s++) {
        int group = zoid_op_written(op, s);
        unsigned fields = (1u << g.first[group + 1]) - (1u << g.first[group]);

        ck_assert_uint_ne(op->stage[s].writes & fields, 0);
        ck_assert_uint_eq(op->stage[s].writes & ~fields, 0);
        written |= op->stage[s].writes;
    }
    ck_assert_uint_eq(written, (1u << op->nstate) - 1);
}

/* Steps consist of whole stages; if a step has half of them, the two fields that swap roles are
 * filled alike. */
static void check_steps(const struct zoid_op *op)
{
    ck_assert_int_ge(op->step, 1);
    ck_assert_int_eq(op->nstages % op->step, 0);
    ck_assert_int_eq(op->rotates, op->step < op->nstages);
    if (op->rotates) {
        ck_assert_int_ge(op->nstate, 2);
        ck_assert(op->fill[0] == op->fill[1]);
        ck_assert_int_eq(op->nstages, 2 * op->step);
        ck_assert(!zoid_op_in_order(op));
    }
    for (int f = 0; f < op->nstate; f++)
        for (long steps = 0; steps < 4; steps++)
            ck_assert_int_eq(zoid_op_stored(op, f, steps),
                             op->rotates && f < 2 && steps % 2 ? 1 - f : f);
}

/* Least memory traffic: each input read once and each output written once, whatever caches hold in
 * between. */
static double least_bytes(const struct zoid_op *op)
{
    unsigned reads = 0, writes = 0;

    for (int s = 0; s < op->step; s++) {
        for (int r = 0; r < op->stage[s].nreads; r++)
            reads |= 1u << op->stage[s].read[r].field;
        writes |= op->stage[s].writes;
    }
    return (double)(zoid_type_size(op->type) *
                    (size_t)(__builtin_popcount(reads) + __builtin_popcount(writes)));
}

/* The fill function maps each value independently, to a finite one. */
static void check_fill(zoid_fill_fn *fill)
{
    double both[] = {0, 1 - 0x1p-24}, one[] = {1 - 0x1p-24};

    if (!fill)
        return;
    fill(2, both);
    fill(1, one);
    ck_assert(isfinite(both[0]) && isfinite(both[1]));
    ck_assert(both[1] == one[0]);
}

/* Fields that kernels assume to hold only 0 and 1 are filled that way. */
static void check_bits(const struct zoid_op *op, int field)
{
    ck_assert_int_eq(op->type, ZOID_U8);
    ck_assert_ptr_nonnull(op->fill[field]);
    for (int i = 0; i < 256; i++) {
        double value = i / 256.0;

        op->fill[field](1, &value);
        ck_assert(value == 0 || value == 1);
    }
}

/* Where planes may be cut, and why not elsewhere. */
static void check_grain(const struct zoid_op *op)
{
    bool some = false;

    for (int a = 0; a < ZOID_PLANE_AXES; a++) {
        ck_assert_int_ge(op->grain[a], ZOID_UNCUT);
        some |= op->grain[a] == ZOID_UNCUT || op->grain[a] > 1;
    }
    ck_assert(!some || op->grain_reason);
}

START_TEST(rows)
{
    const struct zoid_op *op;

    for (size_t i = 0; (op = zoid_op_at(i)); i++) {
        ck_assert_int_ge(op->dims, 1);
        ck_assert_int_le(op->dims, ZOID_AXES);
        ck_assert_int_ge(op->nstate, 1);
        ck_assert_int_le(op->nstate + op->ncoef, ZOID_MAX_FIELDS);
        for (int f = 0; f < op->nstate + op->ncoef; f++) {
            ck_assert_ptr_nonnull(op->field[f]);
            check_fill(op->fill[f]);
            if (op->bits >> f & 1)
                check_bits(op, f);
        }
        ck_assert_int_ge(op->nstages, 1);
        ck_assert_int_le(op->nstages, ZOID_MAX_STAGES);
        for (int s = 0; s < op->nstages; s++)
            check_stage(op, &op->stage[s]);
        check_groups(op);
        check_steps(op);
        check_grain(op);
        ck_assert_double_gt(op->flops, 0);
        ck_assert_double_ge(op->bytes, least_bytes(op));
        ck_assert_ptr_nonnull(op->reference);
        for (int isa = 0; isa <= (int)zoid_isa_best(); isa++)
            ck_assert_ptr_nonnull(op->cpu[isa]);
    }
}
END_TEST

static void expect_groups(const char *family, int dims, int radius, int n, const int *first)
{
    const struct zoid_op *op = zoid_op_find(family, dims, radius, ZOID_F32);
    struct zoid_groups groups;

    ck_assert_ptr_nonnull(op);
    groups = zoid_op_groups(op);
    ck_assert_int_eq(groups.n, n);
    for (int g = 0; g <= n + 1; g++)
        ck_assert_int_eq(groups.first[g], first[g]);
}

START_TEST(groups)
{
    expect_groups("heat", 3, 1, 1, (const int[]){0, 1, 1});
    expect_groups("wave", 3, 4, 2, (const int[]){0, 1, 2, 3});
    expect_groups("fdtd2d", 2, 1, 2, (const int[]){0, 2, 3, 3});
    expect_groups("seismic", 3, 2, 2, (const int[]){0, 3, 9, 12});
}
END_TEST

START_TEST(heat_row)
{
    const struct zoid_op *op = zoid_op_find("heat", 3, 1, ZOID_F32);
    struct zoid_shape shape;

    ck_assert_ptr_nonnull(op);
    shape = zoid_op_shape(op, (long[]){7, 6, 5});
    ck_assert_int_eq(shape.dims, 3);
    ck_assert_int_eq(shape.stages, 1);
    for (int a = 0; a < ZOID_AXES; a++) {
        ck_assert_int_eq(shape.n[a], 7 - a);
        ck_assert_int_eq(shape.reach[0].lo[a], 1);
        ck_assert_int_eq(shape.reach[0].hi[a], 1);
    }
    ck_assert_double_eq(op->param[0].value, 0.08);
}
END_TEST

/* Instruction sets are found by name, but only if this machine can run them. */
START_TEST(instruction_sets)
{
    enum zoid_isa isa = ZOID_ISAS;

    ck_assert(!zoid_isa_find("", &isa));
    ck_assert(!zoid_isa_find("v99", &isa));
    ck_assert_int_eq(isa, ZOID_ISAS);
    for (int i = 0; i < ZOID_ISAS; i++) {
        isa = ZOID_ISAS;
        ck_assert_int_eq(zoid_isa_find(zoid_isa_name((enum zoid_isa)i), &isa),
                         i <= (int)zoid_isa_best());
        ck_assert_int_eq(isa, i <= (int)zoid_isa_best() ? i : ZOID_ISAS);
    }
}
END_TEST

/* True if planes of `rows` rows may be padded by half a page, at most 1/32 of their size. */
static bool large(const struct zoid_layout *layout, long rows)
{
    return layout->pitch * rows * (long)zoid_type_size(layout->type) >= 64 * 1024;
}

/* Rows and planes are whole cache lines, with little padding, and no plane is a whole number of
 * pages. */
START_TEST(layouts)
{
    const struct zoid_op *op;
    uint64_t random = 1;

    for (size_t i = 0; (op = zoid_op_at(i)); i++)
        for (int trial = 0; trial < 100; trial++) {
            long n[ZOID_AXES], ghost = sample_between(&random, 0, 3), rows, line;
            struct zoid_layout l;

            for (int a = 0; a < ZOID_AXES; a++)
                n[a] = sample_between(&random, 0, 1) ? sample_between(&random, 1, 9)
                                                     : 1l << sample_between(&random, 4, 11);
            l = zoid_layout_make(op, n, ghost);
            line = 128 / (long)zoid_type_size(op->type);
            for (int a = 0; a < 2; a++) {
                ck_assert_int_eq(l.lo[a], a < op->dims - 1 ? -ghost : 0);
                ck_assert_int_eq(l.hi[a], a < op->dims - 1 ? n[a] + ghost : 1);
            }
            rows = l.hi[1] - l.lo[1];
            ck_assert_int_eq(zoid_layout_at(&l, l.lo[0], l.lo[1]), 0);
            ck_assert_int_lt(zoid_layout_at(&l, l.hi[0] - 1, l.hi[1] - 1), l.plane);
            ck_assert_uint_eq(zoid_layout_plane_bytes(&l),
                              (size_t)l.plane * zoid_type_size(op->type));
            if (op->dims > 1) {
                ck_assert_int_eq(l.pitch % line, 0);
                ck_assert_int_eq(l.plane % line, 0);
                ck_assert_int_ge(l.pitch, l.hi[0] - l.lo[0]);
                ck_assert_int_lt(l.pitch, l.hi[0] - l.lo[0] + 2 * line);
                ck_assert_int_ge(l.plane, l.pitch * rows);
                ck_assert_int_le(l.plane, l.pitch * rows + (large(&l, rows) ? 16 : 1) * line);
                ck_assert_uint_ne(zoid_layout_plane_bytes(&l) % 4096, 0);
            }
        }
}
END_TEST

/* heat, 5 x 4 x 3, one step, seed 7: the six computed points. */
START_TEST(worked_example)
{
    static const uint32_t expected[6] = {0x3ee5975e, 0x3f08223f, 0x3ed6d422,
                                         0x3f388d92, 0x3f3caf4d, 0x3eb745cc};
    const struct zoid_op *op = zoid_op_find("heat", 3, 1, ZOID_F32);
    const struct zoid_shape shape = zoid_op_shape(op, (long[]){5, 4, 3});
    zoid_f32 state[60], spare[60], initial[60], *result;

    sample_fill(ZOID_F32, 7, 0, 60, state);
    memcpy(initial, state, sizeof initial);
    result = zoid_reference_run(
        &(struct zoid_reference){.op = op,
                                 .params = (const struct zoid_params[]){zoid_op_defaults(op)},
                                 .shape = &shape,
                                 .steps = 1,
                                 .threads = 1},
        state, spare);
    for (int i = 0, inner = 0; i < 60; i++) {
        int x = i % 5, y = i / 5 % 4, z = i / 20;
        bool carried = x == 0 || x == 4 || y == 0 || y == 3 || z != 1;
        uint32_t bits;

        memcpy(&bits, carried ? &initial[i] : (const void *)&expected[inner++], sizeof bits);
        ck_assert_mem_eq(&result[i], &bits, sizeof bits);
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, names);
    tcase_add_test(tests, rows);
    tcase_add_test(tests, groups);
    tcase_add_test(tests, heat_row);
    tcase_add_test(tests, instruction_sets);
    tcase_add_test(tests, layouts);
    tcase_add_test(tests, worked_example);
}

int main(void)
{
    return run_suite("ops", 60, add);
}
