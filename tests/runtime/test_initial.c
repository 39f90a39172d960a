/* SPDX-License-Identifier: BSD-3-Clause */
/* Initial states: values known from other sources, and every point of every field of odd shapes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/zoid_advanced.h"
#include "tests/suite.h"

enum { MOST = 4096 };

/* The definition, byte by byte, in 128 bits for products that need them. */
static double by_definition(uint64_t seed, uint64_t index)
{
    unsigned __int128 v = seed;

    v = (v + index) % ((unsigned __int128)1 << 64);
    v = (v + 0x9e3779b97f4a7c15) % ((unsigned __int128)1 << 64);
    v = (v ^ v / (1 << 30)) * 0xbf58476d1ce4e5b9 % ((unsigned __int128)1 << 64);
    v = (v ^ v / (1 << 27)) * 0x94d049bb133111eb % ((unsigned __int128)1 << 64);
    v = v ^ v / ((uint64_t)1 << 31);
    return (double)(uint64_t)(v / ((uint64_t)1 << 40)) / 16777216;
}

static void alive(size_t count, double *value)
{
    for (size_t i = 0; i < count; i++)
        value[i] = value[i] < 0.25;
}

/* A user's fill function; its values are large, so that the type's rounding comes after it. */
static void squares(size_t count, double *value)
{
    for (size_t i = 0; i < count; i++)
        value[i] = 3 + 200 * value[i] * value[i];
}

/* Value of field f of op_of for the random value v. */
static double filled(const struct zoid_op *op, size_t f, double v)
{
    if (op->fill[f] == alive)
        v = v < 0.25 ? 1 : 0;
    else if (op->fill[f] == squares)
        v = 3 + 200 * v * v;
    else
        v *= op->type == ZOID_U8 ? 256 : 1;
    return op->type == ZOID_F32 ? (double)(float)v : op->type == ZOID_F64 ? v : floor(v);
}

/* The fields of this tree that are filled by a function of the random value, as documented. */
static const struct {
    const char *family, *field;
    int dims, radius;
    enum zoid_type type;
    double factor, summand;
} media[] = {
    {"wave", "v2", 3, 4, ZOID_F64, 0.09, 0.01},      {"seismic", "rho", 3, 2, ZOID_F64, 1, 1},
    {"seismic", "lambda", 3, 2, ZOID_F32, 0.5, 0.5}, {"seismic", "mu", 3, 2, ZOID_F64, 0.5, 0.5},
    {"wave", "v2", 2, 1, ZOID_F32, 0.09, 0.01},      {"seismic", "vx", 3, 2, ZOID_F64, 1, 0},
};

static double value_at(enum zoid_type type, const void *plane, size_t i)
{
    switch (type) {
    case ZOID_F32:
        return (double)((const float *)plane)[i];
    case ZOID_F64:
        return ((const double *)plane)[i];
    default:
        return ((const unsigned char *)plane)[i];
    }
}

/* Makes state and coefficients, field after field, as doubles. */
static void make(struct zoid_initial *initial, double *state)
{
    const struct zoid_problem *p = initial->problem;
    const struct zoid_box all = zoid_problem_planes(p, 0, p->n[p->op->dims - 1]);
    const size_t count = (size_t)zoid_box_volume(&all);
    double room[MOST];
    const struct zoid_values to = zoid_values_packed(&all, room);

    for (int f = 0; f < p->op->nstate + p->op->ncoef; f++) {
        zoid_initial_box(initial, f, &all, &to);
        for (size_t i = 0; i < count; i++)
            *state++ = value_at(p->op->type, room, i);
    }
}

struct shape {
    int dims;
    long n[ZOID_AXES];
};

static const struct shape shapes[] = {
    {.dims = 1, .n = {17, 1, 1}}, {.dims = 1, .n = {1, 1, 1}}, {.dims = 2, .n = {7, 6, 1}},
    {.dims = 2, .n = {1, 9, 1}},  {.dims = 3, .n = {5, 4, 3}}, {.dims = 3, .n = {6, 1, 2}},
    {.dims = 3, .n = {1, 1, 8}},
};

enum { SHAPES = sizeof shapes / sizeof *shapes, FIELDS = 3, COEFFICIENTS = 4 };

/* An operator outside the table. */
static struct zoid_op op_of(int i)
{
    return (struct zoid_op){.name = "test",
                            .dims = shapes[i / ZOID_TYPES].dims,
                            .type = (enum zoid_type)(i % ZOID_TYPES),
                            .nstate = FIELDS,
                            .ncoef = COEFFICIENTS,
                            .fill = {[1] = alive, [FIELDS] = squares, [FIELDS + 3] = alive}};
}

static struct zoid_problem problem_of(const struct zoid_op *op, int i)
{
    struct zoid_problem p = {.op = op};

    memcpy(p.n, shapes[i / ZOID_TYPES].n, sizeof p.n);
    return p;
}

static size_t points(const struct zoid_problem *p)
{
    return (size_t)(p->n[0] * p->n[1] * p->n[2]);
}

START_TEST(known_values)
{
    const struct zoid_op op = {.name = "test", .dims = 1, .type = ZOID_F64, .nstate = 1};
    const struct zoid_problem problem = {.op = &op, .n = {8, 1, 1}};
    struct zoid_initial initial = {.problem = &problem, .kind = ZOID_INIT_RANDOM};
    double value[2];
    const struct zoid_box two = zoid_problem_planes(&problem, 0, 2);
    const struct zoid_values to = zoid_values_packed(&two, value);

    /* The first outputs of splitmix64 from state 0 begin e220a8, and 910a2d for 1. */
    zoid_initial_box(&initial, 0, &two, &to);
    ck_assert(value[0] == 0xe220a8 / 16777216.0);
    ck_assert(value[1] == 0x910a2d / 16777216.0);
    initial.seed = 7;
    zoid_initial_box(&initial, 0, &two, &to);
    ck_assert(value[0] == 0x63cbe1 / 16777216.0);
    /* Seed and index add up modulo 2^64. */
    initial.seed = UINT64_MAX;
    zoid_initial_box(&initial, 0, &two, &to);
    ck_assert(value[0] == 0xe4d971 / 16777216.0);
    ck_assert(value[1] == 0xe220a8 / 16777216.0);
}
END_TEST

START_TEST(random_everywhere)
{
    static const uint64_t seeds[] = {0, 7, UINT64_MAX - 20};
    const struct zoid_op op = op_of(_i);
    const struct zoid_problem problem = problem_of(&op, _i);
    double state[MOST];

    for (size_t s = 0; s < sizeof seeds / sizeof *seeds; s++) {
        struct zoid_initial initial = {
            .problem = &problem, .kind = ZOID_INIT_RANDOM, .seed = seeds[s]};

        make(&initial, state);
        for (size_t i = 0; i < (FIELDS + COEFFICIENTS) * points(&problem); i++)
            ck_assert_msg(state[i] == filled(&op, i / points(&problem), by_definition(seeds[s], i)),
                          "value %zu is %g", i, state[i]);
    }
}
END_TEST

/* A medium is never zero: without randomness it has the middle of its range. */
static void medium_is_plain(const struct zoid_op *op, const struct zoid_problem *problem,
                            const double *state)
{
    const size_t count = points(problem);

    for (size_t i = FIELDS * count; i < (FIELDS + COEFFICIENTS) * count; i++)
        ck_assert(state[i] == filled(op, i / count, 0.5));
}

START_TEST(zero_everywhere)
{
    const struct zoid_op op = op_of(_i);
    const struct zoid_problem problem = problem_of(&op, _i);
    struct zoid_initial initial = {.problem = &problem, .kind = ZOID_INIT_ZERO, .seed = 3};
    double state[MOST];

    make(&initial, state);
    for (size_t i = 0; i < FIELDS * points(&problem); i++)
        ck_assert(state[i] == 0);
    medium_is_plain(&op, &problem, state);
}
END_TEST

START_TEST(one_point)
{
    const struct zoid_op op = op_of(_i);
    const struct zoid_problem problem = problem_of(&op, _i);
    struct zoid_initial initial = {.problem = &problem, .kind = ZOID_INIT_POINT};
    const long *n = problem.n;
    double state[MOST], *value = state;

    make(&initial, state);
    for (int f = 0; f < FIELDS; f++)
        for (long z = 0; z < n[2]; z++)
            for (long y = 0; y < n[1]; y++)
                for (long x = 0; x < n[0]; x++)
                    ck_assert(*value++ == (x == n[0] / 2 && y == n[1] / 2 && z == n[2] / 2));
    medium_is_plain(&op, &problem, state);
}
END_TEST

/* A domain of one point, whose field f has the random value with index f. */
START_TEST(rows_are_as_documented)
{
    const struct zoid_op *op =
        zoid_op_find(media[_i].family, media[_i].dims, media[_i].radius, media[_i].type);
    const struct zoid_problem problem = {.op = op, .n = {1, 1, 1}};
    struct zoid_initial initial = {.problem = &problem, .kind = ZOID_INIT_RANDOM, .seed = 11};
    const struct zoid_box point = {.hi = {1, 1, 1}};
    int f = 0;

    ck_assert_ptr_nonnull(op);
    while (strcmp(op->field[f], media[_i].field) != 0)
        ck_assert_int_lt(++f, op->nstate + op->ncoef);
    for (uint64_t seed = 0; seed < 300; seed++) {
        double room;
        const struct zoid_values to = zoid_values_packed(&point, &room);
        double v = media[_i].summand + media[_i].factor * by_definition(seed, (uint64_t)f);

        initial.seed = seed;
        zoid_initial_box(&initial, f, &point, &to);
        v = op->type == ZOID_F32 ? (double)(float)v : v;
        ck_assert(value_at(op->type, &room, 0) == v);
    }
}
END_TEST

START_TEST(a_quarter_is_alive)
{
    const struct zoid_op *op = zoid_op_find("life3d", 3, 1, ZOID_U8);
    const struct zoid_problem problem = {.op = op, .n = {64, 64, 1}};
    struct zoid_initial initial = {.problem = &problem, .kind = ZOID_INIT_RANDOM, .seed = 3};
    const struct zoid_box all = {.hi = {64, 64, 1}};
    unsigned char plane[MOST];
    const struct zoid_values to = zoid_values_packed(&all, plane);

    ck_assert_ptr_nonnull(op);
    zoid_initial_box(&initial, 0, &all, &to);
    for (int i = 0; i < MOST; i++)
        ck_assert_int_eq(plane[i], by_definition(3, (uint64_t)i) < 0.25);
}
END_TEST

/* Any box, also in a strided buffer, equals the same part of the whole. */
START_TEST(boxes_are_parts_of_the_whole)
{
    const struct zoid_op op = op_of(_i);
    const struct zoid_problem problem = problem_of(&op, _i);
    struct zoid_initial initial = {
        .problem = &problem, .kind = (enum zoid_init)(_i % 3), .seed = 11};
    const long *n = problem.n;
    const struct zoid_values to = {.stride = {1, n[0] + 3, (n[0] + 3) * (n[1] + 2)}};
    const size_t size = zoid_type_size(op.type);
    double state[MOST], room[MOST];

    make(&initial, state);
    for (int a = 0; a < ZOID_AXES; a++)
        for (int f = 0; f < FIELDS + COEFFICIENTS; f++) {
            struct zoid_box box = {.hi = {n[0], n[1], n[2]}};
            struct zoid_values part = to;

            memset(room, 0x55, sizeof room);
            part.at = room;
            box.lo[a] = n[a] / 2;
            zoid_initial_box(&initial, f, &box, &part);
            for (long z = 0; z < n[2] + 1 - box.lo[2]; z++)
                for (long y = 0; y < n[1] + 2; y++)
                    for (long x = 0; x < n[0] + 3; x++) {
                        const long at[] = {x + box.lo[0], y + box.lo[1], z + box.lo[2]};
                        const char *row = zoid_values_row(&part, size, y, z);
                        const unsigned char *byte = (const unsigned char *)row + (size_t)x * size;

                        if (at[0] < n[0] && at[1] < n[1] && at[2] < n[2])
                            ck_assert(value_at(op.type, row, (size_t)x) ==
                                      state[((f * n[2] + at[2]) * n[1] + at[1]) * n[0] + at[0]]);
                        else
                            ck_assert_uint_eq(*byte, 0x55);
                    }
        }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, known_values);
    tcase_add_loop_test(tests, random_everywhere, 0, SHAPES * ZOID_TYPES);
    tcase_add_loop_test(tests, zero_everywhere, 0, SHAPES * ZOID_TYPES);
    tcase_add_loop_test(tests, rows_are_as_documented, 0, sizeof media / sizeof *media);
    tcase_add_test(tests, a_quarter_is_alive);
    tcase_add_loop_test(tests, one_point, 0, SHAPES * ZOID_TYPES);
    tcase_add_loop_test(tests, boxes_are_parts_of_the_whole, 0, SHAPES * ZOID_TYPES);
}

int main(void)
{
    return run_suite("initial", 60, add);
}
