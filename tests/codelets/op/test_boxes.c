/* SPDX-License-Identifier: BSD-3-Clause */
/* Boxes of fields, and fields that take turns and keep their own values: the plain loop nest
 * against the loops here, byte for byte (hems and seesaw of tests/outside/lopsided.def); and boxes
 * that a field cannot have are found. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/op/reference.h"
#include "codelets/op/wrong_box.h"
#include "tests/codelets/sample.h"
#include "tests/effort.h"
#include "tests/suite.h"

enum { TRIALS = 200 };

static bool has_family(const struct zoid_op *op, const char *family)
{
    return strcmp(op->family, family) == 0;
}

/* ---- by hand ------------------------------------------------------------------------------ */

/* The loops of a program: a field is computed where its own reads are inside, and less far. */
#define HEMS(T, FMA)                                                                         \
    static void hems_##T(const struct zoid_shape *s, zoid_##T *u, zoid_##T *v, zoid_##T *w,  \
                         zoid_##T *next)                                                     \
    {                                                                                        \
        const long stride[] = {1, s->n[0], s->n[0] * s->n[1]}, *n = s->n;                    \
        const long points = n[0] * n[1] * n[2], last = s->dims - 1, flat = s->dims > 1;      \
        const long deep = s->dims > 2;                                                       \
                                                                                             \
        memcpy(next, u, (size_t)points * sizeof *u);                                         \
        for (long i = 0; i < points; i++)                                                    \
            if (i % n[0] >= 1 && i / n[0] % n[1] < n[1] - flat)                              \
                next[i] = FMA((zoid_##T)0.25, v[i - 1] - w[i + flat * n[0]], u[i]);          \
        for (long i = 0; i < points; i++)                                                    \
            if (i / stride[last] % n[last] >= 2 && i % n[0] < n[0] - 3)                      \
                v[i] = FMA((zoid_##T)0.125, u[i - 2 * stride[last]] - w[i], v[i]);           \
        memcpy(u, next, (size_t)points * sizeof *u);                                         \
        memcpy(next, w, (size_t)points * sizeof *w);                                         \
        for (long i = 0; i < points; i++)                                                    \
            if (i % n[0] < n[0] - 1 && i / n[0] % n[1] < n[1] - flat &&                      \
                i / stride[2] < n[2] - deep) {                                               \
                next[i] = FMA((zoid_##T)0.5, u[i] - (v[i] - v[i + deep * stride[2]]), w[i]); \
                if (i % n[0] >= 2)                                                           \
                    next[i] = next[i] - w[i - 2];                                            \
            }                                                                                \
        memcpy(w, next, (size_t)points * sizeof *w);                                         \
    }

/* Two arrays in turn, each with borders of its own. */
#define SEESAW(T, FMA)                                                                            \
    static void seesaw_##T(const struct zoid_shape *s, const zoid_##T *a, zoid_##T *b)            \
    {                                                                                             \
        const long stride[] = {1, s->n[0], s->n[0] * s->n[1]}, *n = s->n, last = s->dims - 1;     \
                                                                                                  \
        for (long i = 0; i < n[0] * n[1] * n[2]; i++)                                             \
            if (i / stride[last] % n[last] >= 1 && i % n[0] < n[0] - 2)                           \
                b[i] = FMA((zoid_##T)0.25, a[i - stride[last]] + a[i + 1], (zoid_##T)0.5 * a[i]); \
    }

HEMS(f32, fmaf)
HEMS(f64, fma)
SEESAW(f32, fmaf)
SEESAW(f64, fma)

static void by_hand(const struct zoid_op *op, const struct zoid_shape *shape, long steps,
                    void *fields, void *spare)
{
    const long n = shape->n[0] * shape->n[1] * shape->n[2];
    float *f = fields;
    double *d = fields;

    for (long i = 0; i < steps; i++)
        if (op->rotates && op->type == ZOID_F32)
            seesaw_f32(shape, f + i % 2 * n, f + (1 - i % 2) * n);
        else if (op->rotates)
            seesaw_f64(shape, d + i % 2 * n, d + (1 - i % 2) * n);
        else if (op->type == ZOID_F32)
            hems_f32(shape, f, f + n, f + 2 * n, spare);
        else
            hems_f64(shape, d, d + n, d + 2 * n, spare);
}

START_TEST(plain_loops)
{
    const struct zoid_op *op = sample_op(_i);
    const struct zoid_params params = zoid_op_defaults(op);
    uint64_t random = (uint64_t)_i;

    const bool known = has_family(op, "hems") || has_family(op, "seesaw");

    for (int i = 0; known && i < effort(TRIALS); i++) {
        long n[ZOID_AXES];
        struct zoid_shape shape;
        const long steps = sample_between(&random, 0, 4);
        size_t points = 1, bytes;
        char *fields, *expected, *spare;
        const char *result;

        for (int a = 0; a < ZOID_AXES; a++) {
            n[a] = sample_between(&random, 1, 9);
            points *= a < op->dims ? (size_t)n[a] : 1;
        }
        shape = zoid_op_shape(op, n);
        bytes = points * zoid_type_size(op->type) * (size_t)op->nstate;
        fields = sample_memory(bytes);
        expected = sample_memory(bytes);
        spare = sample_memory(bytes);
        sample_fields(op, random, points, fields);
        memcpy(expected, fields, bytes);
        by_hand(op, &shape, steps, expected, spare);
        result = zoid_reference_run(
            &(struct zoid_reference){
                .op = op, .params = &params, .shape = &shape, .steps = steps, .threads = 1 + i % 3},
            fields, spare);
        ck_assert_msg(memcmp(result, expected, bytes) == 0, "%s %ldx%ldx%ld steps %ld", op->name,
                      shape.n[0], shape.n[1], shape.n[2], steps);
        free(fields);
        free(expected);
        free(spare);
    }
}
END_TEST

/* ---- wrong boxes -------------------------------------------------------------------------- */

static void expect(const struct zoid_op *op, int stage, int box, const char *why)
{
    const struct zoid_wrong_box wrong = zoid_wrong_box(op);

    ck_assert_msg(wrong.why != NULL, "%s: nothing is wrong, and not %s", op->name, why);
    ck_assert_msg(strstr(wrong.why, why) != NULL, "%s: %s, and not %s", op->name, wrong.why, why);
    ck_assert_int_eq(wrong.stage, stage);
    ck_assert_int_eq(wrong.box, box);
}

START_TEST(rows_are_right)
{
    ck_assert_ptr_null(zoid_wrong_box(sample_op(_i)).why);
}
END_TEST

/* Each box of a row, one layer larger at every face where its field reads beyond. */
START_TEST(too_large)
{
    static const struct {
        const char *family;
        int stage, box, axis, side;
    } all[] = {
        {"fdtd2d", 0, 0, 0, ZOID_LOW}, {"hems", 0, 0, 0, ZOID_LOW},  {"hems", 0, 0, 1, ZOID_HIGH},
        {"hems", 0, 1, -1, ZOID_LOW},  {"hems", 1, 0, 2, ZOID_HIGH},
    };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct zoid_op op = *sample_op(_i);
        const int axis = all[i].axis < 0 ? op.dims - 1 : all[i].axis;
        struct zoid_reach *leaves = &op.stage[all[i].stage].box[all[i].box].leaves;

        if (!has_family(&op, all[i].family) || axis >= op.dims)
            continue;
        if (all[i].side == ZOID_LOW)
            leaves->lo[axis]--;
        else
            leaves->hi[axis]--;
        expect(&op, all[i].stage, all[i].box, "larger than the reads");
    }
}
END_TEST

START_TEST(impossible)
{
    const struct zoid_op *fdtd = zoid_op_find("fdtd2d", 2, 1, ZOID_F32);
    struct zoid_op op = *fdtd;

    op.stage[0].box[1].field = 2;
    expect(&op, 0, 1, "does not write");
    op.stage[0].box[1].field = -1;
    expect(&op, 0, 1, "does not write");
    op.stage[0].box[1].field = 0;
    expect(&op, 0, 1, "second");
    op = *fdtd;
    op.stage[0].box[0].leaves.hi[1] = -1;
    expect(&op, 0, 0, "too far");
    op.stage[0].box[0].leaves.hi[1] = ZOID_MAX_REACH + 1;
    expect(&op, 0, 0, "too far");
    op = *fdtd;
    op.stage[0].box[0].leaves.hi[2] = 1;
    expect(&op, 0, 0, "along an axis");
    op = *fdtd;
    op.stage[1].nboxes = ZOID_MAX_FIELDS + 1;
    expect(&op, 1, ZOID_MAX_FIELDS + 1, "too many");
    op = *fdtd;
    op.own_edges = true;
    expect(&op, 0, 0, "edges");
    op = *fdtd;
    op.reference = NULL;
    expect(&op, 0, 0, "no plain loop");
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, rows_are_right, 0, sample_ops());
    tcase_add_loop_test(tests, plain_loops, sample_variants(), sample_ops());
    tcase_add_loop_test(tests, too_large, 0, sample_ops());
    tcase_add_test(tests, impossible);
}

int main(void)
{
    return run_suite("boxes", 60, add);
}
