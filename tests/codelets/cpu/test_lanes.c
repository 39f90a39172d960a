/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps in order by a team of 2 to 6 members that sleep at random between rows, byte for byte
 * against the plain loop nest: parts of rows in 2-D, tiles of rows in 3-D. Under the thread
 * sanitizer a wait that is missing also shows as a race. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "codelets/cpu/lane_block.h"
#include "codelets/op/reference.h"
#include "codelets/threads/team.h"
#include "graphs/method.h"
#include "tests/codelets/sample.h"
#include "tests/codelets/store.h"
#include "tests/suite.h"

enum { VARIANTS = 8, CASES = 12, MOST = 6 };

/* ---- members that sleep ------------------------------------------------------------------ */

/* The functions that compute rows, set between calls of teams. */
static const struct zoid_lane_rows *real;
static _Atomic uint64_t seed;
static _Atomic int members; /* that have computed rows of the case */

/* Each member has turns of `rows` rows in which it hurries, sleeps now and then, or often: so one
 * gets as far ahead of another as it may. */
struct mood {
    uint64_t random;
    long rows, often; /* sleeps once in `often` rows; 0: never */
};

static void sleep_at_random(const struct zoid_lane_row *row)
{
    enum { TURN = 200, NOW_AND_THEN = 40, OFTEN = 4, NS = 100000 };
    static _Thread_local struct mood mood;

    if (!mood.random) {
        mood.random = sample_mix(atomic_fetch_add(&seed, 1));
        atomic_fetch_add(&members, 1);
    }
    if (mood.rows-- <= 0) {
        mood.rows = sample_between(&mood.random, 1, TURN);
        mood.often = (const long[]){0, NOW_AND_THEN, OFTEN}[sample_between(&mood.random, 0, 2)];
        mood.often *= row->below ? OFTEN : 1; /* a plane has many rows in 3-D */
    }
    if (mood.often && !sample_between(&mood.random, 0, mood.often - 1))
        nanosleep(&(struct timespec){.tv_nsec = sample_between(&mood.random, 0, NS)}, NULL);
}

/* Sleeps both between a wait and the data waited for, and between data and their publication. */
#define SLOW(dims, rhs)                                              \
    static void slow_##dims##_##rhs(const struct zoid_lane_row *row) \
    {                                                                \
        sleep_at_random(row);                                        \
        real->row[(dims)-1][rhs](row);                               \
        sleep_at_random(row);                                        \
    }

SLOW(2, 0)
SLOW(2, 1)
SLOW(3, 0)
SLOW(3, 1)

static void run_slowly(const struct zoid_block_args *run, const struct zoid_cpu *cpu)
{
    struct zoid_lane_rows slow = *real;

    slow.row[1][0] = slow_2_0;
    slow.row[1][1] = slow_2_1;
    slow.row[2][0] = slow_3_0;
    slow.row[2][1] = slow_3_1;
    zoid_lanes_run(run, cpu, &slow);
}

static const struct zoid_block_runner slowly = {.name = "slow lanes", .run = run_slowly};

/* ---- cases ------------------------------------------------------------------------------- */

static const struct zoid_op *variant(int i)
{
    return zoid_op_find(i & 1 ? "sor_rhs" : "sor", i & 2 ? 3 : 2, 1, i & 4 ? ZOID_F64 : ZOID_F32);
}

/* A block of the whole domain, as plans by a team have, or smaller ones. */
static struct zoid_graph random_graph(const struct zoid_op *op, uint64_t *random)
{
    const bool whole = sample_between(random, 0, 2) > 0, flat = op->dims == 2;
    const long n[ZOID_AXES] = {flat ? sample_between(random, 1, 500)
                                    : sample_between(random, 3, 30),
                               sample_between(random, flat ? 20 : 1, flat ? 90 : 100),
                               flat ? 1 : sample_between(random, 10, 40)};
    struct zoid_graph g = {.method = &zoid_leaning,
                           .shape = zoid_op_shape(op, n),
                           .steps = sample_between(random, 1, 40),
                           .lanes = 1,
                           .coefficients = op->ncoef > 0};
    bool clamped;

    g.depth = whole ? g.steps : sample_between(random, 1, g.steps);
    g.block =
        whole ? n[op->dims - 1] : g.method->min_block(&g.shape) + sample_between(random, 0, 9);
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    return g;
}

static void compare(const struct zoid_op *op, uint64_t *random)
{
    struct zoid_graph g = random_graph(op, random);
    const struct zoid_params params = zoid_op_defaults(op);
    const size_t points = (size_t)(g.shape.n[0] * g.shape.n[1] * g.shape.n[2]);
    const size_t field = points * zoid_type_size(op->type);
    char *fields = sample_memory(2 * field), *truth = sample_memory(2 * field);
    char *spare = sample_memory(field);
    const struct zoid_reference run = {
        .op = op, .params = &params, .shape = &g.shape, .steps = g.steps, .threads = 1};
    struct store_core core = {
        .cpu = {.isa = zoid_isa_best(), .cache = (size_t)1 << sample_between(random, 8, 15)},
        .runner = &slowly};
    struct store *store;

    core.team = zoid_team_create((int)sample_between(random, 2, MOST), NULL, NULL);
    ck_assert_ptr_nonnull(core.team);
    sample_fields(op, *random, points, fields);
    memcpy(truth, fields, (size_t)(1 + op->ncoef) * field);
    store = store_create(op, &g, 1, &core, fields);
    ck_assert_int_eq(store_emit(store, &g), 0);
    store_destroy(&store);
    ck_assert_msg(!memcmp(fields, zoid_reference_run(&run, truth, spare), field),
                  "%s %ldx%ldx%ld steps %ld block %ld depth %ld, %d members", op->name,
                  g.shape.n[0], g.shape.n[1], g.shape.n[2], g.steps, g.block, g.depth,
                  zoid_team_size(core.team));
    zoid_team_destroy(&core.team);
    free(fields);
    free(truth);
    free(spare);
}

START_TEST(bytes_are_those_of_the_plain_loop)
{
    const struct zoid_op *op = variant(_i);
    uint64_t random = sample_mix((uint64_t)_i);
    const int cases = effort(CASES);

    ck_assert_ptr_nonnull(op);
    real = zoid_lane_rows_of(zoid_isa_best(), op->type);
    if (!real)
        return;
    for (int i = 0; i < cases; i++)
        compare(op, &random);
    /* The threads of teams are new in each case; the first member is not. */
    ck_assert_int_gt(members, 1 + cases / 2);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, bytes_are_those_of_the_plain_loop, 0, VARIANTS);
}

int main(void)
{
    return run_suite("lanes", 60, add);
}
