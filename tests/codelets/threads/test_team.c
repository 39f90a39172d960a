/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams: every member is called, and the bytes of a block are those of one core, whatever the
 * number of members and their speed. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "codelets/cpu/run.h"
#include "codelets/threads/team.h"
#include "tests/codelets/sample.h"
#include "tests/suite.h"

enum { MOST = 9, TIMES = 23 };

/* Sleeps up to 30 us, at random. */
static void dawdle(uint64_t *random)
{
    if (sample_between(random, 0, 2) == 0)
        nanosleep(&(struct timespec){.tv_nsec = sample_between(random, 0, 30000)}, NULL);
}

struct called {
    _Atomic int calls[MOST];
    bool bound[MOST];
};

static void bind(void *arg, int member)
{
    struct called *called = arg;

    called->bound[member] = true;
}

static void body(void *arg, int member)
{
    struct called *called = arg;
    uint64_t random = sample_mix((uint64_t)(member + called->calls[member]));

    dawdle(&random);
    called->calls[member]++;
}

START_TEST(every_member_is_called)
{
    enum { CALLS = 500 };
    struct called called = {.calls = {0}};
    struct zoid_team *team = zoid_team_create(_i, bind, &called);

    ck_assert_int_eq(zoid_team_size(team), _i);
    for (int c = 1; c <= effort(CALLS); c++) {
        zoid_team_call(team, body, &called);
        for (int i = 0; i < MOST; i++) {
            ck_assert_int_eq(called.calls[i], i < _i ? c : 0);
            ck_assert_int_eq(called.bound[i], i > 0 && i < _i);
        }
        /* Members go to sleep. */
        if (c % 100 == 0)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    zoid_team_destroy(&team);
    ck_assert_ptr_null(team);
    zoid_team_destroy(&team);
}
END_TEST

START_TEST(one_member_is_the_caller)
{
    struct called called = {.calls = {0}};

    ck_assert_ptr_null(zoid_team_create(1, bind, &called));
    ck_assert_ptr_null(zoid_team_create(0, bind, &called));
    ck_assert_int_eq(zoid_team_size(NULL), 1);
    zoid_team_call(NULL, body, &called);
    ck_assert_int_eq(called.calls[0], 1);
}
END_TEST

START_TEST(times_are_added_up_and_taken)
{
    struct zoid_team *team = zoid_team_create(3, NULL, NULL);
    struct zoid_team_wait wait = {.waited = 2};
    struct zoid_team_time time;

    zoid_team_spent(team, &wait);
    zoid_team_spent(team, &wait);
    time = zoid_team_take(team);
    ck_assert_double_eq_tol(time.waited, 4, 1e-6);
    time = zoid_team_take(team);
    ck_assert(time.waited == 0 && time.core == 0);
    for (int i = 0; i < 100; i++)
        zoid_team_wait(&wait);
    zoid_team_waited(&wait);
    ck_assert(wait.waited > 2 && wait.turns == 0);
    zoid_team_destroy(&team);
}
END_TEST

/* ---- blocks -------------------------------------------------------------------------------- */

/* A core that dawdles, as several members do at the same time. */
struct slow {
    enum zoid_isa isa;
    bool dawdles;
    _Atomic uint64_t sweeps;
    pthread_t caller;
    _Atomic bool together; /* others than the caller have computed, too */
};

static int sweep(void *self, const struct zoid_sweep *given, size_t nout,
                 const struct zoid_segment *out)
{
    struct slow *s = self;
    uint64_t random = sample_mix(s->sweeps++);

    if (!pthread_equal(pthread_self(), s->caller))
        s->together = true;
    if (s->dawdles)
        dawdle(&random);
    return zoid_cpu.sweep(&s->isa, given, nout, out);
}

/* A block of a whole domain that it updates in place. */
struct whole {
    const struct zoid_op *op;
    struct zoid_shape shape;
    struct zoid_layout layout;
    long planes;
    size_t plane, bytes;
    char *state, *coefficients;
    size_t coefficient_bytes;
};

static struct whole whole_of(const struct zoid_op *op, const long n[ZOID_AXES], uint64_t seed)
{
    struct whole w = {.op = op, .shape = zoid_op_shape(op, n)};
    size_t values;

    w.layout = zoid_layout_make(op, n, zoid_layout_ghost(&w.shape));
    w.planes = n[zoid_chain(&w.shape)];
    w.plane = zoid_layout_plane_bytes(&w.layout);
    w.bytes = (size_t)w.planes * w.plane * (size_t)op->nstate;
    w.coefficient_bytes = (size_t)w.planes * w.plane * (size_t)op->ncoef;
    w.state = sample_memory(w.bytes);
    w.coefficients = sample_memory(w.coefficient_bytes + 1);
    values = w.bytes / zoid_type_size(op->type);
    for (size_t i = 0; i < values; i++)
        if (op->type == ZOID_F64)
            ((double *)w.state)[i] = (double)sample_between(&seed, 0, 1000) / 1024;
        else if (op->type == ZOID_F32)
            ((float *)w.state)[i] = (float)sample_between(&seed, 0, 1000) / 1024;
        else
            ((unsigned char *)w.state)[i] = (unsigned char)sample_between(&seed, 0, 1);
    values = w.coefficient_bytes / zoid_type_size(op->type);
    for (size_t i = 0; i < values; i++)
        if (op->type == ZOID_F64)
            ((double *)w.coefficients)[i] = 0.01;
        else
            ((float *)w.coefficients)[i] = 0.01F;
    return w;
}

/* Runs the block by a team, or alone, in time steps that march; returns the state afterwards. */
static char *run_whole(const struct whole *w, long times, struct zoid_team *team, size_t cache,
                       struct slow *slow)
{
    const struct zoid zoid = zoid_domain(&w->shape, 0, times);
    const struct zoid_view in = {.hi = w->planes},
                           out = {.t0 = times, .t1 = times, .hi = w->planes};
    const size_t scratch = (size_t)(2 * w->planes + 64) * w->plane * (size_t)w->op->nstate;
    struct zoid_part part[] = {
        {.reads = true, .writes = true, .in = in, .out = out, .capacity = w->planes},
        {.reads = true,
         .coefficient = true,
         .in = {.t1 = times, .hi = w->planes},
         .capacity = w->planes,
         .base = w->coefficients}};
    struct zoid_device device = zoid_cpu;
    struct zoid_block_args run = {.op = w->op,
                                  .params = (const struct zoid_params[]){zoid_op_defaults(w->op)},
                                  .shape = &w->shape,
                                  .layout = &w->layout,
                                  .zoid = zoid,
                                  .region = zoid,
                                  .nparts = w->op->ncoef ? 2 : 1,
                                  .part = part,
                                  .scratch = sample_memory(scratch),
                                  .team = team};

    part[0].base = sample_memory(w->bytes);
    memcpy(part[0].base, w->state, w->bytes);
    sample_poison(run.scratch, scratch);
    device.batch = device.abreast;
    device.cache = cache;
    device.wavefront = 16;
    device.sweep = sweep;
    slow->caller = pthread_self();
    ck_assert_int_eq(zoid_run_block(&run, &device, slow), 0);
    free(run.scratch);
    return part[0].base;
}

/* Returns whether several members have computed. */
static bool check_bytes(const struct zoid_op *op, const long n[ZOID_AXES], long times, int members,
                        size_t cache)
{
    struct whole w = whole_of(op, n, (uint64_t)(times * 100 + members));
    struct zoid_team *team = zoid_team_create(members, NULL, NULL);
    struct slow one = {.isa = zoid_isa_best()}, several = {.isa = one.isa, .dawdles = true};
    char *alone = run_whole(&w, times, NULL, cache, &one);
    char *together = run_whole(&w, times, team, cache, &several);

    ck_assert_msg(!memcmp(alone, together, w.bytes), "%s %ldx%ldx%ld, %ld times, %d members",
                  op->name, n[0], n[1], n[2], times, members);
    ck_assert(!one.together);
    zoid_team_destroy(&team);
    free(alone);
    free(together);
    free(w.state);
    free(w.coefficients);
    return several.together;
}

/* Rows that are few, odd or fewer than a reach; more members than tiles; one step, and more than a
 * slab has planes. Rows of a stencil in slabs, and of one whose times drift through scratch. */
START_TEST(bytes_are_those_of_one_core)
{
    static const struct {
        const char *family;
        int dims, radius;
        enum zoid_type type;
    } ops[] = {{"heat", 3, 1, ZOID_F32}, {"heat", 3, 4, ZOID_F32}, {"heat", 3, 2, ZOID_F64},
               {"wave", 3, 1, ZOID_F64}, {"wave", 3, 2, ZOID_F32}, {"wave", 3, 4, ZOID_F32},
               {"heat", 2, 1, ZOID_F32}, {"wave", 2, 2, ZOID_F32}};
    static const long rows[] = {1, 3, 17, 61, 150}, times[] = {1, 2, 5, 12, TIMES};
    const struct zoid_op *op =
        zoid_op_find(ops[_i].family, ops[_i].dims, ops[_i].radius, ops[_i].type);
    uint64_t random = sample_mix((uint64_t)_i);
    int together = 0;

    ck_assert_ptr_nonnull(op);
    for (int i = 0; i < effort(100) + 5; i++) {
        const long y = rows[sample_between(&random, 0, 4)], z = sample_between(&random, 1, 40);
        const long n[ZOID_AXES] = {op->dims == 2 ? 16 * y : sample_between(&random, 1, 40),
                                   op->dims == 2 ? z : y, op->dims == 2 ? 1 : z};

        together += check_bytes(op, n, times[i / 5 % 5], i % 5 + 1,
                                (size_t)1 << sample_between(&random, 8, 15));
    }
    ck_assert_int_gt(together, effort(100) / 20);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, every_member_is_called, 2, 6);
    tcase_add_test(tests, one_member_is_the_caller);
    tcase_add_test(tests, times_are_added_up_and_taken);
    tcase_add_loop_test(tests, bytes_are_those_of_one_core, 0, 8);
}

int main(void)
{
    return run_suite("team", 120, add);
}
