/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources and receivers by their definition: a stage of the plain loop nest, then the sources'
 * contributions one by one; and which blocks handle them. test_run.c tests them in graphs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "codelets/block/sample_points.h"
#include "codelets/op/interpolation.h"
#include "codelets/op/reference.h"
#include "codelets/op/traits.h"
#include "tests/codelets/fused.h"
#include "tests/codelets/places.h"
#include "tests/codelets/sample.h"
#include "tests/suite.h"

enum { CASES = 1500, STEPS = 9 };

static double value_of(const struct zoid_op *op, const char *fields, long i)
{
    return op->type == ZOID_F32 ? (double)((const zoid_f32 *)fields)[i]
                                : ((const zoid_f64 *)fields)[i];
}

static long wrapped(const struct zoid_shape *s, int axis, long i)
{
    return s->face[axis][0] == ZOID_PERIODIC && i >= s->n[axis] ? i - s->n[axis] : i;
}

/* Interpolation stencil of a position: calls back with index and weight of each grid point, x
 * fastest. */
typedef void around_fn(void *user, long i, double weight);
static void around(const struct zoid_shape *s, const double at[ZOID_AXES], around_fn *call,
                   void *user)
{
    for (long z = 0; z < 2; z++)
        for (long y = 0; y < 2; y++)
            for (long x = 0; x < 2; x++) {
                const double fx = at[0] - floor(at[0]), fy = at[1] - floor(at[1]),
                             fz = at[2] - floor(at[2]);
                const double w = (x ? fx : 1 - fx) * (y ? fy : 1 - fy) * (z ? fz : 1 - fz);
                const long i = wrapped(s, 0, (long)at[0] + x), j = wrapped(s, 1, (long)at[1] + y),
                           k = wrapped(s, 2, (long)at[2] + z);

                if (w != 0)
                    call(user, i + s->n[0] * (j + s->n[1] * k), w);
            }
}

struct adding {
    const struct zoid_op *op;
    char *field;
    const char *gain; /* or NULL */
    double value;
};

static void add(void *user, long i, double weight)
{
    const struct adding *a = user;
    double more = weight * a->value;

    if (a->gain)
        more = more * value_of(a->op, a->gain, i);
    more = value_of(a->op, a->field, i) + more;
    if (a->op->type == ZOID_F32)
        ((zoid_f32 *)a->field)[i] = (zoid_f32)more;
    else
        ((zoid_f64 *)a->field)[i] = more;
}

struct seeing {
    const struct zoid_op *op;
    const char *field;
    double sum;
};

static void see(void *user, long i, double weight)
{
    struct seeing *s = user;

    s->sum += weight * value_of(s->op, s->field, i);
}

/* A run by the definition and one by the operator. */
struct trial {
    const struct zoid_op *op;
    struct zoid_shape shape;
    struct zoid_params params;
    size_t field;
    struct places places;
    long start, steps;
};

static struct zoid_reference reference_of(const struct trial *t)
{
    return (struct zoid_reference){
        .op = t->op, .params = &t->params, .shape = &t->shape, .threads = 1};
}

/* The field's storage after `steps` steps. */
static char *field_at(const struct trial *t, char *state, int field, long steps)
{
    return state + (size_t)zoid_op_stored(t->op, field, steps) * t->field;
}

static void see_all(const struct trial *t, char *state, long step, double *seen)
{
    for (size_t i = 0; i < t->places.points.receivers; i++) {
        const struct zoid_receiver *r = &t->places.receiver[i];
        struct seeing s = {t->op, field_at(t, state, r->field, step), 0};

        around(&t->shape, r->at, see, &s);
        seen[i] = s.sum;
    }
}

/* The stages of a step one by one, each followed by the contributions to the fields that it
 * writes. */
static char *defined(const struct trial *t, char *state, char *spare, double *seen)
{
    const size_t bytes = (size_t)t->op->nstate * t->field;
    struct zoid_op one = *t->op;
    struct zoid_reference run = reference_of(t);

    one.step = 1;
    run.op = &one;
    run.steps = 1;
    see_all(t, state, t->start, seen);
    for (long step = t->start; step < t->start + t->steps; step++) {
        for (run.start = step * t->op->step; run.start < (step + 1) * t->op->step; run.start++) {
            char *after = zoid_reference_run(&run, state, spare);

            if (after != state)
                memcpy(state, after, bytes);
            for (size_t i = 0; i < t->places.points.sources; i++) {
                const struct zoid_source *s = &t->places.source[i];
                const int stored = zoid_op_stored(t->op, s->field, step + 1);
                struct adding adding = {.op = t->op,
                                        .field = field_at(t, state, s->field, step + 1),
                                        .gain = t->op->gain ? state + (size_t)t->op->gain * t->field
                                                            : NULL};

                if (step >= s->samples ||
                    !(t->op->stage[run.start % t->op->nstages].writes >> stored & 1))
                    continue;
                adding.value = s->series[step];
                around(&t->shape, s->at, add, &adding);
            }
        }
        seen += t->places.points.receivers;
        see_all(t, state, step + 1, seen);
    }
    return state;
}

static void draw(const struct zoid_op *op, uint64_t *random, struct trial *t)
{
    long n[ZOID_AXES] = {1, 1, 1};

    *t = (struct trial){.op = op, .params = zoid_op_defaults(op)};
    for (int a = 0; a < op->dims; a++)
        n[a] = sample_between(random, 1, op->dims == 3 ? 12 : 20);
    t->shape = zoid_op_shape(op, n);
    sample_faces(op, random, op->dims, &t->shape);
    t->start = sample_between(random, 0, 3);
    t->steps = sample_between(random, 0, STEPS);
    t->field = (size_t)(n[0] * n[1] * n[2]) * zoid_type_size(op->type);
    places_draw(op, &t->shape, random, &t->places);
}

static void compare(struct trial *t, uint64_t random)
{
    const size_t state = (size_t)t->op->nstate * t->field;
    const size_t all = state + (size_t)t->op->ncoef * t->field;
    const size_t seen = (size_t)(t->steps + 1) * t->places.points.receivers * sizeof(double);
    char *fields = sample_memory(all), *plain = sample_memory(all);
    char *room = sample_memory(state), *spare = sample_memory(state);
    double *should = sample_memory(seen), *is = sample_memory(seen);
    struct zoid_reference run = reference_of(t);
    char *result, *expected;

    sample_fields(t->op, random, t->field / zoid_type_size(t->op->type), fields);
    memcpy(plain, fields, all);
    expected = defined(t, plain, spare, should);
    run.start = t->start;
    run.steps = t->steps;
    run.points = &t->places.points;
    run.seen = is;
    result = zoid_reference_run(&run, fields, room);
    ck_assert_msg(!memcmp(result, expected, state), "%s: other values", t->op->name);
    ck_assert_msg(!memcmp(is, should, seen), "%s: receivers see others", t->op->name);
    free(room);
    free(fields);
    free(plain);
    free(spare);
    free(should);
    free(is);
}

START_TEST(definition)
{
    const struct zoid_op *op = zoid_op_at((size_t)_i);

    for (int i = 0; op->sources && i < effort_each(CASES, sample_variants()); i++) {
        uint64_t random = sample_mix((uint64_t)(_i * CASES + i));
        struct trial t;

        draw(op, &random, &t);
        compare(&t, random);
    }
}
END_TEST

/* A field with sources is written once a step, whatever its role. */
START_TEST(fields)
{
    const struct zoid_op *op = zoid_op_at((size_t)_i);

    for (int f = 0; f < op->nstate; f++)
        for (long step = 0; step < 4 && op->sources >> f & 1; step++) {
            int times = 0;

            for (long t = step * op->step + 1; t <= (step + 1) * op->step; t++)
                times += zoid_writes_field(op, t, f);
            ck_assert_int_eq(times, 1);
        }
    ck_assert(!op->sources || (zoid_op_plain(op) && !zoid_op_in_order(op)));
    ck_assert(!op->gain || (op->gain >= op->nstate && op->gain < op->nstate + op->ncoef));
}
END_TEST

START_TEST(corners)
{
    const struct zoid_shape shape = {
        .dims = 3, .n = {5, 6, 7}, .face = {[1] = {ZOID_PERIODIC, ZOID_PERIODIC}}};
    struct zoid_interpolation_node corner[ZOID_INTERPOLATION_NODES];

    ck_assert_int_eq(zoid_interpolation_nodes(&shape, (const double[]){4, 5, 6}, corner), 1);
    ck_assert_int_eq(corner[0].at[2], 6);
    ck_assert_double_eq(corner[0].weight, 1);
    ck_assert_int_eq(zoid_interpolation_nodes(&shape, (const double[]){1.25, 5.5, 0}, corner), 4);
    ck_assert_int_eq(corner[1].at[0], 2);
    ck_assert_double_eq(corner[1].weight, 0.125);
    ck_assert_int_eq(corner[2].at[1], 0);
    ck_assert_double_eq(corner[2].weight, 0.375);
    ck_assert_int_eq(zoid_interpolation_nodes(&shape, (const double[]){0.5, 0.5, 0.5}, corner), 8);
    for (int c = 0; c < 8; c++)
        ck_assert_double_eq(corner[c].weight, 0.125);
}
END_TEST

/* A box has sample points if one of its planes does, within its rows; also beyond a periodic face.
 */
START_TEST(meetings)
{
    const struct zoid_op *op = zoid_op_find("wave", 3, 2, ZOID_F32);
    struct zoid_shape shape = zoid_op_shape(op, (const long[]){20, 20, 20});
    const struct zoid_receiver receiver = {.at = {7, 8, 9.5}};
    struct zoid_sample_points *sample_points;

    memset(shape.face, ZOID_PERIODIC, sizeof shape.face);
    sample_points = zoid_sample_points_create(
        op, &shape, &(struct zoid_points){.receivers = 1, .receiver = &receiver});
    ck_assert_ptr_nonnull(sample_points);
    ck_assert_uint_eq(sample_points->keeps.n, 2);
    ck_assert(zoid_sample_points_meet(sample_points, &(struct zoid_box){{0, 0, 10}, {20, 20, 11}}));
    ck_assert(
        !zoid_sample_points_meet(sample_points, &(struct zoid_box){{0, 0, 11}, {20, 20, 20}}));
    ck_assert(!zoid_sample_points_meet(sample_points, &(struct zoid_box){{0, 9, 0}, {20, 20, 20}}));
    ck_assert(zoid_sample_points_meet(sample_points, &(struct zoid_box){{0, 26, 0}, {20, 30, 20}}));
    ck_assert(
        zoid_sample_points_meet(sample_points, &(struct zoid_box){{-13, 0, -11}, {-12, 20, -10}}));
    ck_assert(
        !zoid_sample_points_meet(sample_points, &(struct zoid_box){{-12, 0, -11}, {0, 20, -10}}));
    zoid_sample_points_destroy(&sample_points);
    ck_assert_ptr_null(sample_points);
}
END_TEST

static void add_tests(TCase *tests)
{
    const int variants = sample_variants();

    tcase_add_loop_test(tests, definition, 0, variants);
    tcase_add_loop_test(tests, fields, 0, variants);
    tcase_add_test(tests, corners);
    tcase_add_test(tests, meetings);
}

int main(void)
{
    return run_suite("points", 240, add_tests);
}
