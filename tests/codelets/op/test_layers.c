/* SPDX-License-Identifier: BSD-3-Clause */
/* Perfectly matched layers of the reference loop against their definition, computed by itself in
 * long double; and that values in layers never grow. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/block/layer.h"
#include "codelets/op/reference.h"
#include "tests/codelets/definition.h"
#include "tests/codelets/sample.h"
#include "tests/suite.h"

enum { MOST = 6, VARIANTS = 2 * MOST * ZOID_AXES };

static const struct zoid_op *variant(int i)
{
    return zoid_op_find("wave", 1 + i / 2 % ZOID_AXES, 1 + i / 2 / ZOID_AXES,
                        i % 2 ? ZOID_F64 : ZOID_F32);
}

/* Weights of the central differences of order 2 r, by their closed form. */
static long double product(int r, int i)
{
    long double p = i % 2 ? 1 : -1;

    for (int k = 1; k <= r; k++)
        p *= k <= i ? (long double)(r - i + k) / (r + k) : 1;
    return p;
}

static long double first_weight(int r, int i)
{
    return product(r, i) / i;
}

static long double second_weight(int r, int i)
{
    long double sum = 0;

    if (i > 0)
        return 2 * product(r, i) / ((long double)i * i);
    for (int k = 1; k <= r; k++)
        sum -= 2 * second_weight(r, k);
    return sum;
}

/* A run by definition. Memory is of the whole domain, for each face. */
struct run {
    const struct zoid_op *op;
    struct zoid_shape shape;
    struct zoid_params params;
    long points, step[ZOID_AXES];
    long double *u, *before, *v2, *memory[ZOID_AXES][ZOID_SIDES][ZOID_LAYER_VALUES];
};

static long double spacing_of(const struct run *r, int axis)
{
    return (long double)r->params.spacing[0] / (long double)r->params.spacing[axis];
}

static long double first(const struct run *r, int axis, long i)
{
    long double sum = 0;

    for (int k = 1; k <= r->op->radius; k++)
        sum += first_weight(r->op->radius, k) *
               (r->u[i + k * r->step[axis]] - r->u[i - k * r->step[axis]]);
    return sum * spacing_of(r, axis);
}

static long double second(const struct run *r, int axis, long i)
{
    long double sum = second_weight(r->op->radius, 0) * r->u[i];

    for (int k = 1; k <= r->op->radius; k++)
        sum += second_weight(r->op->radius, k) *
               (r->u[i + k * r->step[axis]] + r->u[i - k * r->step[axis]]);
    return sum * powl(spacing_of(r, axis), 2);
}

/* Returns the increment of point i by the layer at a boundary at a distance of d. */
static long double added(struct run *r, int axis, int side, long i, long d)
{
    const struct zoid_pml *pml = &r->params.pml;
    const long double L = (long double)pml->points, pi = acosl(-1), sign = side ? -1 : 1;
    const long double V = (long double)r->params.speed * spacing_of(r, axis);
    const long double R =
        pml->reflection > 0 ? (long double)pml->reflection : powl(10, -(4 + L / 10));
    const long double q = (r->op->radius + L - (long double)d) / L;
    const long double S = 2 * V * logl(1 / R) / L, G = pi * (long double)pml->shift;
    const long double sigma = S * powl(q, 3), beta = sigma + G, slope = 3 * S * q * q;
    const long double a = expl(-beta), b = sigma / beta * (a - 1), by_q = -slope * a;
    const long double to_axis = -sign / L * spacing_of(r, axis), da = by_q * to_axis;
    const long double db = (G * slope / (beta * beta) * (a - 1) + sigma / beta * by_q) * to_axis;
    const long double d1 = first(r, axis, i), d2 = second(r, axis, i);
    long double *psi = &r->memory[axis][side][0][i], *P = &r->memory[axis][side][1][i];
    long double *zeta = &r->memory[axis][side][2][i];

    *P = a * *P + da * *psi + db * d1 + b * d2;
    *psi = a * *psi + b * d1;
    *zeta = a * *zeta + b * (d2 + *P);
    return r->v2[i] * (*P + *zeta);
}

static void step(struct run *r)
{
    const long *n = r->shape.n, reach = r->op->radius;
    long double *now = r->u;

    for (long i = 0; i < r->points; i++) {
        const long p[ZOID_AXES] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
        long double value = 2 * now[i] - r->before[i];
        bool kept = false;

        for (int a = 0; a < r->op->dims; a++)
            kept = kept || p[a] < reach || p[a] >= n[a] - reach;
        if (kept) {
            r->before[i] = now[i];
            continue;
        }
        for (int a = 0; a < r->op->dims; a++)
            value += r->v2[i] * second(r, a, i);
        for (int a = 0; a < r->op->dims; a++)
            for (int side = 0; side < ZOID_SIDES; side++) {
                const long d = side ? n[a] - 1 - p[a] : p[a];

                if (r->shape.face[a][side] == ZOID_PML && d < reach + r->params.pml.points)
                    value += added(r, a, side, i, d);
            }
        r->before[i] = value;
    }
    r->u = r->before;
    r->before = now;
}

static long double *zeros(long points)
{
    long double *values = calloc((size_t)points, sizeof *values);

    ck_assert_ptr_nonnull(values);
    return values;
}

static struct run run_create(const struct zoid_op *op, const long n[ZOID_AXES], long points)
{
    struct run r = {.op = op, .shape = zoid_op_shape(op, n), .params = zoid_op_defaults(op)};

    r.points = n[0] * n[1] * n[2];
    r.step[0] = 1;
    r.step[1] = n[0];
    r.step[2] = n[0] * n[1];
    memset(r.shape.face, ZOID_DIRICHLET, sizeof r.shape.face);
    r.params.pml.points = points;
    r.params.speed = 0.4;
    r.u = zeros(r.points);
    r.before = zeros(r.points);
    r.v2 = zeros(r.points);
    for (int i = 0; i < ZOID_AXES * ZOID_SIDES * ZOID_LAYER_VALUES; i++)
        r.memory[i / ZOID_LAYER_VALUES / ZOID_SIDES][i / ZOID_LAYER_VALUES % ZOID_SIDES]
                [i % ZOID_LAYER_VALUES] = zeros(r.points);
    return r;
}

static void run_free(struct run *r)
{
    for (int i = 0; i < ZOID_AXES * ZOID_SIDES * ZOID_LAYER_VALUES; i++)
        free(r->memory[i / ZOID_LAYER_VALUES / ZOID_SIDES][i / ZOID_LAYER_VALUES % ZOID_SIDES]
                      [i % ZOID_LAYER_VALUES]);
    free(r->u);
    free(r->before);
    free(r->v2);
}

/* Runs the reference loop over `state`: u, u before and v2. Returns its result. */
static void *reference(const struct run *r, long steps, void *state, void *spare, void *memory)
{
    return zoid_reference_run(&(struct zoid_reference){.op = r->op,
                                                       .params = &r->params,
                                                       .shape = &r->shape,
                                                       .steps = steps,
                                                       .threads = 1,
                                                       .memory = memory},
                              state, spare);
}

/* Random domains from the least on, with some faces that match, of uneven spacing. */
START_TEST(definition)
{
    enum { STEPS = 6 };
    const struct zoid_op *op = variant(_i);
    uint64_t random = (uint64_t)_i << 20;
    const long layer = sample_between(&random, 1, 3);
    long n[ZOID_AXES] = {1, 1, 1};
    const size_t size = zoid_type_size(op->type);
    struct run r;
    void *state, *spare, *memory;
    const char *result;

    for (int a = 0; a < op->dims; a++)
        n[a] = sample_between(&random, 2 * (op->radius + layer) + 1, 2 * (op->radius + layer) + 3);
    r = run_create(op, n, layer);
    for (int a = 0; a < op->dims; a++)
        for (int side = 0; side < ZOID_SIDES; side++)
            if (a == 0 || sample_between(&random, 0, 2))
                r.shape.face[a][side] = ZOID_PML;
    r.params.spacing[1] = 1.25;
    r.params.spacing[2] = 0.8;
    zoid_op_derive(op, &r.params);
    state = sample_memory(3 * (size_t)r.points * size);
    spare = sample_memory(2 * (size_t)r.points * size);
    memory = calloc(1, zoid_reference_memory(op, &r.shape, &r.params));
    for (long i = 0; i < 3 * r.points; i++) {
        long double *of = i < r.points ? r.u : i < 2 * r.points ? r.before : r.v2;

        definition_set(op, state, i, sample_value(++random, 0) * (i < 2 * r.points ? 1 : 0.05));
        of[i % r.points] = (long double)definition_get(op, state, i);
    }
    result = reference(&r, STEPS, state, spare, memory);
    for (int t = 0; t < STEPS; t++)
        step(&r);
    for (long i = 0; i < r.points; i++)
        ck_assert_double_eq_tol((double)definition_get(op, result, i), (double)r.u[i],
                                500 * (op->type == ZOID_F32 ? 6e-8 : 1e-16));
    free(state), free(spare), free(memory);
    run_free(&r);
}
END_TEST

/* On a line with a layer at either end, at 0.98 of the limit of stability, nothing grows. */
START_TEST(nothing_grows)
{
    enum { STEPS = 4000, LAYER = 10 };
    const int radius = 1 + _i;
    const struct zoid_op *op = zoid_op_find("wave", 1, radius, ZOID_F64);
    const long n[ZOID_AXES] = {2 * (radius + LAYER) + 12, 1, 1};
    struct run r = run_create(op, n, LAYER);
    double state[3 * 64], spare[2 * 64], most = 0, top = 0;
    uint64_t random = 3;
    const double *result;
    void *memory;

    for (int k = -radius; k <= radius; k++)
        top += fabs((double)second_weight(radius, abs(k)));
    r.shape.face[0][ZOID_LOW] = r.shape.face[0][ZOID_HIGH] = ZOID_PML;
    for (long i = 0; i < n[0]; i++) {
        const bool kept = i < radius || i >= n[0] - radius;

        state[i] = kept ? 0 : sample_value(++random, 0);
        state[n[0] + i] = state[i];
        state[2 * n[0] + i] = 4 / top * 0.98 * 0.98;
    }
    r.params.speed = sqrt(state[2 * n[0]]);
    memory = calloc(1, zoid_reference_memory(op, &r.shape, &r.params));
    ck_assert_ptr_nonnull(memory);
    result = reference(&r, STEPS, state, spare, memory);
    for (long i = 0; i < n[0]; i++) {
        ck_assert_double_finite(result[i]);
        most = fmax(most, fabs(result[i]));
    }
    ck_assert_double_lt(most, 0.5);
    free(memory);
    run_free(&r);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, definition, 0, VARIANTS);
    tcase_add_loop_test(tests, nothing_grows, 0, MOST);
}

int main(void)
{
    return run_suite("layers", 60, add);
}
