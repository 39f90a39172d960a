/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants of rows and tables of the run: the plain loop nest against the loops here, byte for
 * byte (tide and ebb of tests/outside/lopsided.def), and weights of differences by the spacing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/op/reference.h"
#include "codelets/ops/lists.h"
#include "tests/codelets/sample.h"
#include "tests/effort.h"
#include "tests/suite.h"

enum { TRIALS = 100 };

/* ---- loops by hand ------------------------------------------------------------------------- */

struct plain {
    struct zoid_shape shape;
    const struct zoid_params *params;
    long step; /* from 0 */
};

static double constant(const struct plain *p, int i)
{
    const double rate = p->params->value[0], *h = p->params->spacing;

    return i < p->shape.dims ? rate * (h[0] / h[i]) * (h[0] / h[i]) : 1 / (3 + rate);
}

static double table(const struct plain *p, int i)
{
    const long last = p->params->rows - 1;

    return p->params->rows ? p->params->row[2 * (p->step < last ? p->step : last) + i]
                           : p->params->table[i];
}

static bool inside(const struct plain *p, long i)
{
    const long *n = p->shape.n, at[] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
    bool in = true;

    for (int a = 0; a < p->shape.dims; a++)
        in = in && at[a] > 0 && at[a] < n[a] - 1;
    return in;
}

#define BY_HAND(T, FMA)                                                                         \
    static zoid_##T differences_##T(const struct plain *p, const zoid_##T *u, zoid_##T sum)     \
    {                                                                                           \
        const long stride[] = {1, p->shape.n[0], p->shape.n[0] * p->shape.n[1]};                \
                                                                                                \
        for (int a = 0; a < p->shape.dims; a++)                                                 \
            sum = FMA((zoid_##T)constant(p, a), (u[-stride[a]] + u[stride[a]]) - (u[0] + u[0]), \
                      sum);                                                                     \
        return sum;                                                                             \
    }                                                                                           \
                                                                                                \
    static void tide_##T(const struct plain *p, zoid_##T *u, zoid_##T *next, long points)       \
    {                                                                                           \
        const zoid_##T shift = (zoid_##T)constant(p, p->shape.dims) * (zoid_##T)table(p, 1);    \
                                                                                                \
        for (long i = 0; i < points; i++)                                                       \
            next[i] = inside(p, i) ? differences_##T(p, u + i, u[i]) : u[i];                    \
        for (long i = 0; i < points; i++)                                                       \
            u[i] = FMA((zoid_##T)table(p, 0), next[i], shift);                                  \
    }                                                                                           \
                                                                                                \
    static void ebb_##T(const struct plain *p, zoid_##T *u, long points)                        \
    {                                                                                           \
        for (long i = 0; i < points; i++)                                                       \
            if (inside(p, i))                                                                   \
                u[i] = FMA((zoid_##T)constant(p, p->shape.dims), (zoid_##T)table(p, 1),         \
                           differences_##T(p, u + i, (zoid_##T)table(p, 0) * u[i]));            \
    }

BY_HAND(f32, fmaf)
BY_HAND(f64, fma)

static void by_hand(const struct zoid_op *op, struct plain *p, long start, long steps, void *u,
                    void *next)
{
    const long points = p->shape.n[0] * p->shape.n[1] * p->shape.n[2];

    for (p->step = start; p->step < start + steps; p->step++)
        if (!strcmp(op->family, "tide") && op->type == ZOID_F32)
            tide_f32(p, u, next, points);
        else if (!strcmp(op->family, "tide"))
            tide_f64(p, u, next, points);
        else if (op->type == ZOID_F32)
            ebb_f32(p, u, points);
        else
            ebb_f64(p, u, points);
}

static void compare(const struct zoid_op *op, const struct zoid_params *params, uint64_t *random)
{
    long n[ZOID_AXES], points = 1;
    const long start = sample_between(random, 0, 9), steps = sample_between(random, 0, 5);
    struct plain p = {.params = params};
    size_t bytes;
    char *fields, *expected, *spare;
    const char *result;

    for (int a = 0; a < ZOID_AXES; a++) {
        n[a] = sample_between(random, 1, 9);
        points *= a < op->dims ? n[a] : 1;
    }
    p.shape = zoid_op_shape(op, n);
    bytes = (size_t)points * zoid_type_size(op->type);
    fields = sample_memory(bytes);
    expected = sample_memory(bytes);
    spare = sample_memory(bytes);
    sample_fields(op, *random, (size_t)points, fields);
    memcpy(expected, fields, bytes);
    by_hand(op, &p, start, steps, expected, spare);
    result = zoid_reference_run(&(struct zoid_reference){.op = op,
                                                         .params = params,
                                                         .shape = &p.shape,
                                                         .start = start,
                                                         .steps = steps,
                                                         .threads = 2},
                                fields, spare);
    ck_assert_msg(memcmp(result, expected, bytes) == 0, "%s %ldx%ldx%ld steps %ld from %ld",
                  op->name, p.shape.n[0], p.shape.n[1], p.shape.n[2], steps, start);
    free(fields);
    free(expected);
    free(spare);
}

START_TEST(plain_loops)
{
    const struct zoid_op *op = sample_op(_i);
    const struct zoid_params rows = sample_params(op), values = zoid_op_defaults(op);
    uint64_t random = (uint64_t)_i;

    for (int i = 0; op->constants && op->ntables && i < effort(TRIALS); i++) {
        compare(op, &rows, &random);
        compare(op, &values, &random);
    }
}
END_TEST

/* ---- what params hold ---------------------------------------------------------------------- */

/* Constants are rounded once, follow the parameters, and fit. */
START_TEST(derived)
{
    const struct zoid_op *op = sample_op(_i);
    struct zoid_params params = zoid_op_defaults(op);
    double constant[ZOID_MAX_CONSTANTS] = {0};

    for (int a = 0; a < ZOID_AXES; a++)
        ck_assert(params.spacing[a] == 1);
    params.spacing[2] = 0.3;
    params.value[0] = 0.0625;
    zoid_op_derive(op, &params);
    if (op->constants)
        ck_assert_int_le(op->constants(op, &params, constant), ZOID_MAX_CONSTANTS);
    ck_assert(!memcmp(params.constant, constant, sizeof constant));
    for (int i = 0; i < ZOID_MAX_CONSTANTS; i++)
        ck_assert(params.constant32[i] == (float)constant[i]);
}
END_TEST

START_TEST(rows_of_times)
{
    static const double rows[] = {1, 2, 3, 4, 5, 6};
    struct zoid_params p = {.table = {7, 8}, .tables = 2, .stages = 2};

    ck_assert(zoid_table_row(&p, 1)[1] == 8 && zoid_table_row(&p, 99)[0] == 7);
    p.row = rows;
    p.rows = 3;
    ck_assert(zoid_table_row(&p, 1) == rows && zoid_table_row(&p, 2) == rows);
    ck_assert(zoid_table_row(&p, 3) == rows + 2 && zoid_table_row(&p, 6) == rows + 4);
    ck_assert(zoid_table_row(&p, 7) == rows + 4 && zoid_table_row(&p, 1000000000) == rows + 4);
}
END_TEST

/* With equal spacing the weights are those of spacing 1, bit for bit; otherwise products. */
START_TEST(star_weights)
{
    for (int radius = 1; radius <= 6; radius++)
        for (int dims = 1; dims <= ZOID_AXES; dims++) {
            const struct zoid_op *op = zoid_op_find("wave", dims, radius, ZOID_F64);
            const double one[] = {1, 1, 1}, same[] = {0.1, 0.1, 0.1}, h[] = {2, 1, 4};
            const double w[] = {1, 4, 0.25}, sum[] = {1, 5, 5.25};

            ck_assert_int_eq(zoid_star_weights(op), 1 + radius * dims);
            ck_assert(zoid_star_axes(op, same) == dims && zoid_star_axes(op, h) == sum[dims - 1]);
            for (int i = 0; i < zoid_star_weights(op); i++) {
                const double c = zoid_star_weight(op, one, i);

                ck_assert(zoid_star_weight(op, same, i) == c);
                ck_assert(zoid_star_weight(op, h, i) ==
                              (i ? w[(i - 1) % dims] * c : c / dims * sum[dims - 1]) ||
                          fabs(zoid_star_weight(op, h, i) / c - sum[dims - 1] / dims) < 1e-15);
            }
        }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, plain_loops, 0, sample_ops());
    tcase_add_loop_test(tests, derived, 0, sample_ops());
    tcase_add_test(tests, rows_of_times);
    tcase_add_test(tests, star_weights);
}

int main(void)
{
    return run_suite("constants", 60, add);
}
