/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions that are alive at the same time and run in turns, in schedules that a seed draws: each
 * has the bytes that it has alone, at every step. Run alone it is one rank; tests/apps/test_ranks
 * starts two, which draw the same, with CK_FORK=no. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/ranks/ranks.h"
#include "runtime/zoid_session.h"
#include "tests/runtime/context.h"
#include "tests/suite.h"

enum { SCHEDULES = 50, ACTS = 12, SLOTS = 4, STEPS = 20, LIMIT = SANITIZED ? 300 : 120 };

struct setting {
    const char *key, *value;
};
enum { SETTINGS = 8, CUTS = 3 };

/* A computation, and ways to cut it. Grids of heat and wave are large enough for several slabs on a
 * disk, of which few fit into the least main memory. */
static const struct kind {
    struct setting set[SETTINGS], cut[CUTS][3];
    const char *type; /* of its values */
    int axes;
    int64_t n[2]; /* slowest axis first */
    int fields, receivers;
    const char *field[2];
    bool iterates, disk;
} kinds[] = {{.set = {{"operator", "heat"}, {"size", "96x3000"}, {"seed", "5"}},
              .cut = {{{"method", "leaning"}, {"block", "100"}, {"depth", "5"}},
                      {{"method", "trapezoid"}, {"block", "150"}, {"depth", "4"}},
                      {{"method", "recursive"}, {"block", "60"}, {"depth", "6"}}},
              .type = "<f4",
              .axes = 2,
              .n = {3000, 96},
              .fields = 1,
              .field = {"u"},
              .disk = true},
             {.set = {{"operator", "wave"},
                      {"size", "96x1200"},
                      {"seed", "6"},
                      {"source", "20.5,600.25:ricker:0.1,3"},
                      {"receivers", "30,590"},
                      {"receivers", "50.5,100.5"}},
              .cut = {{{"method", "leaning"}, {"block", "100"}, {"depth", "4"}},
                      {{"method", "overlapped"}, {"block", "120"}, {"depth", "3"}},
                      {{"method", "trapezoid"}, {"block", "150"}, {"depth", "4"}}},
              .type = "<f4",
              .axes = 2,
              .n = {1200, 96},
              .fields = 2,
              .receivers = 2,
              .field = {"u", "u_before"},
              .disk = true},
             {.set = {{"solver", "rbsor"}, {"type", "f64"}, {"size", "60x80"}, {"rhs", "0.5"}},
              .cut = {{{"method", "leaning"}, {"block", "9"}, {"depth", "2"}},
                      {{"method", "overlapped"}, {"block", "16"}, {"depth", "2"}},
                      {{"method", "naive"}, {"block", "11"}}},
              .type = "<f8",
              .axes = 2,
              .n = {80, 60},
              .fields = 1,
              .field = {"u"},
              .iterates = true},
             {.set = {{"matrix", "band:5"}, {"type", "f64"}, {"rows", "3000"}},
              .cut = {{{"method", "leaning"}, {"block", "256"}, {"depth", "3"}},
                      {{"method", "overlapped"}, {"block", "512"}, {"depth", "2"}},
                      {{"method", "naive"}, {"block", "700"}}},
              .type = "<f8",
              .axes = 1,
              .n = {3000},
              .fields = 1,
              .field = {"x"}}};
enum { KINDS = sizeof kinds / sizeof *kinds, MOST_VALUES = 96 * 3000 };

/* Checksums of a session alone, after each step, and the least MiB of main memory with a
 * disk, after each cut. */
static uint64_t alone[KINDS][STEPS + 1], least[KINDS][CUTS];
static char folders[2][32] = {"turns-XXXXXX", "turns-XXXXXX"};

static struct slot {
    const struct kind *kind;
    struct zoid_session *session; /* NULL: none */
    bool stopped;
} slots[SLOTS];

static void must(enum zoid_status status)
{
    ck_assert_msg(!status, "%d %s", status, zoid_error());
}

static void set(struct slot *s, const struct setting *list, int n)
{
    for (int i = 0; i < n && list[i].key; i++)
        must(zoid_session_set_text(s->session, list[i].key, list[i].value));
}

static void create(struct slot *s, const struct kind *kind)
{
    *s = (struct slot){.kind = kind};
    must(zoid_session_create(&s->session));
    set(s, kind->set, SETTINGS);
    must(zoid_session_set_int(s->session, "steps", STEPS));
    must(zoid_session_set_int(s->session, "resumable", 1));
}

/* Gives it a folder, and the least main memory that it can do with. */
static void to_disk(struct slot *s, int cut, const char *folder)
{
    uint64_t *mib = &least[s->kind - kinds][cut];

    must(zoid_session_set_text(s->session, "disk", folder));
    if (!*mib) {
        must(zoid_session_set_int(s->session, "ram", 1));
        ck_assert_int_eq(zoid_session_plan(s->session), ZOID_DOES_NOT_FIT);
        *mib = named_mib();
    }
    must(zoid_session_set_int(s->session, "ram", (int64_t)*mib << 20));
}

/* ---- checksums ----------------------------------------------------------------------------- */

static uint64_t sum_of(uint64_t sum, const void *data, size_t bytes)
{
    const uint64_t *word = data;

    for (size_t i = 0; i < bytes / sizeof *word; i++)
        sum = (sum ^ word[i]) * 0x100000001b3u ^ sum >> 29;
    return sum;
}

/* Of all fields, and of the record so far. */
static uint64_t sum(const struct slot *s)
{
    static union {
        float f32[MOST_VALUES];
        double f64[MOST_VALUES];
    } values;
    const struct kind *k = s->kind;
    const size_t width = strcmp(k->type, "<f8") ? sizeof(float) : sizeof(double);
    const size_t bytes = (size_t)(k->n[0] * (k->axes > 1 ? k->n[1] : 1)) * width;
    struct zoid_array to = {.type = k->type,
                            .axes = k->axes,
                            .device = -1,
                            .shape = {k->n[0], k->n[1]},
                            .data = &values};
    uint64_t all = 1;
    int64_t rows;

    for (int f = 0; f < k->fields; f++) {
        must(zoid_session_read(s->session, k->field[f], NULL, NULL, &to));
        all = sum_of(all, &values, bytes);
    }
    rows = zoid_session_record_rows(s->session); /* of one that went back: once it was read */
    ck_assert(rows == (k->receivers ? zoid_session_step(s->session) + 1 : 0));
    if (!rows)
        return all;
    to = (struct zoid_array){
        .type = "<f8", .axes = 2, .device = -1, .shape = {rows, k->receivers}, .data = &values};
    must(zoid_session_record(s->session, &to));
    return sum_of(all, &values, (size_t)(rows * k->receivers) * sizeof(double));
}

static void check(const struct slot *s)
{
    const int64_t step = zoid_session_step(s->session);

    ck_assert_msg(sum(s) == alone[s->kind - kinds][step],
                  "%s=%s differs from its run alone, after %ld steps", s->kind->set->key,
                  s->kind->set->value, (long)step);
}

static enum zoid_status go_on(struct slot *s, int64_t steps)
{
    struct zoid_solution solution = {.size = sizeof solution};
    enum zoid_status status;

    if (!s->kind->iterates)
        return zoid_session_advance(s->session, steps);
    status = zoid_session_solve(s->session, &solution);
    if (!status)
        ck_assert_int_eq(solution.sweeps, STEPS);
    return status;
}

/* One that was stopped does nothing once. */
static void advance(struct slot *s, int64_t steps)
{
    const int64_t before = zoid_session_step(s->session), from = before < 0 ? 0 : before;

    if (s->stopped) {
        s->stopped = false;
        ck_assert_int_eq(go_on(s, steps), ZOID_STOPPED);
        ck_assert_int_eq(zoid_session_step(s->session), from);
        return;
    }
    must(go_on(s, steps));
    ck_assert_int_eq(zoid_session_step(s->session), s->kind->iterates ? STEPS : from + steps);
}

/* Computes the checksums of each kind alone, and compares its end with the plain loop nest. */
static void learn(void)
{
    struct slot s;

    for (int i = 0; i < KINDS; i++) {
        create(&s, &kinds[i]);
        must(zoid_session_set_int(s.session, "check", 1));
        must(zoid_session_start(s.session));
        alone[i][0] = sum(&s);
        for (int step = kinds[i].iterates ? STEPS : 1; step <= STEPS; step++) {
            advance(&s, 1);
            alone[i][step] = sum(&s);
        }
        must(zoid_session_finish(s.session));
        zoid_session_destroy(&s.session);
    }
}

/* ---- schedules ----------------------------------------------------------------------------- */

static int draw(unsigned *seed, int n)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (int)((*seed >> 16) % (unsigned)n);
}

/* Blocks of these methods wait for no others of their pass: StarPU's scheduler deals them. */
static bool is_dealt(const char *method)
{
    return strcmp(method, "leaning") != 0 && strcmp(method, "recursive") != 0;
}

static void begin(struct slot *s, unsigned *seed)
{
    const int cut = draw(seed, CUTS), disk = draw(seed, 4);

    create(s, &kinds[draw(seed, KINDS)]);
    set(s, s->kind->cut[cut], 3);
    if (s->kind->disk && disk < 2)
        to_disk(s, cut, folders[disk]);
    else if (zoid_ranks_here()->size == 1 && is_dealt(s->kind->cut[cut][0].value))
        must(zoid_session_set_text(s->session, "balance", "scheduler"));
    if (draw(seed, 2))
        must(zoid_session_plan(s->session));
    if (draw(seed, 2))
        must(zoid_session_start(s->session));
}

/* A session whose plan fails; it names a method, since the planner's search would take most of the
 * test's time. */
static void be_refused(void)
{
    struct slot s;

    create(&s, &kinds[0]);
    set(&s, kinds[0].cut[0], 3);
    must(zoid_session_set_int(s.session, "ram", 1));
    ck_assert_int_eq(zoid_session_plan(s.session), ZOID_DOES_NOT_FIT);
    zoid_session_destroy(&s.session);
}

static int at_once(void *user, const struct zoid_session *session, double done)
{
    (void)user;
    (void)session;
    (void)done;
    return 1;
}

/* One rank stops an advance of all soon after it has begun. */
static void hasten(struct slot *s, int drawn)
{
    const struct zoid_ranks *here = zoid_ranks_here();
    enum zoid_status status;

    if (here->rank == drawn % here->size)
        must(zoid_session_set_progress(s->session, at_once, NULL, 1e-4));
    status = zoid_session_advance(s->session, -1);
    ck_assert_msg(!status || status == ZOID_STOPPED, "%s", zoid_error());
    ck_assert(status || zoid_session_step(s->session) == STEPS);
    must(zoid_session_set_progress(s->session, NULL, NULL, 1));
    check(s);
}

/* One rank stops the next advance of all before it begins. */
static void stop(struct slot *s, int drawn)
{
    const struct zoid_ranks *here = zoid_ranks_here();

    if (here->rank == drawn % here->size)
        zoid_session_stop(s->session);
    s->stopped = true;
}

/* Makes a session, if there is not one; has it go on, back or end, or compares it. */
static void act(unsigned seed)
{
    struct slot *s = &slots[draw(&seed, SLOTS)];
    const int what = draw(&seed, 14), some = 1 + draw(&seed, 9);
    const int64_t step = s->session ? zoid_session_step(s->session) : 0;
    const int64_t left = STEPS - (step < 0 ? 0 : step);

    if (!s->session)
        begin(s, &seed);
    else if (what == 0)
        zoid_session_destroy(&s->session);
    else if (what == 1)
        be_refused();
    else if (what == 2 && step >= 0)
        check(s);
    else if (what == 3 && step >= 0 && left)
        stop(s, some);
    else if (what < 6 && left && !s->kind->iterates && !s->stopped)
        hasten(s, some);
    else if (!s->kind->iterates && (what < 8 || !left))
        must(zoid_session_rewind(s->session));
    else if (left)
        advance(s, some < left ? some : left);
    else
        zoid_session_destroy(&s->session);
}

START_TEST(in_any_order)
{
    learn();
    for (int i = 0; i < effort(SCHEDULES); i++) {
        /* Steps at which a run stops are not drawn, and must not change later draws. */
        for (int k = 0; k < ACTS; k++)
            act((unsigned)(i * ACTS + k) * 2654435761u);
        for (int k = 0; k < SLOTS; k++)
            if (slots[k].session && zoid_session_step(slots[k].session) >= 0)
                check(&slots[k]);
        for (int k = 0; k < SLOTS; k++)
            zoid_session_destroy(&slots[k].session);
    }
    must(zoid_shutdown());
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, in_any_order);
}

int main(void)
{
    int failed = 0;

    setenv("STARPU_NCPU", "2", 0);
    setenv("ZOID_RATES_MODE", "default", 0);
    for (int i = 0; i < 2; i++)
        if (!mkdtemp(folders[i]))
            return EXIT_FAILURE;
    alarm((unsigned)effort_limit(LIMIT)); /* Check has none where it does not fork */
    failed = run_suite("sessions in turns", LIMIT, add);
    for (int i = 0; i < 2; i++)
        failed = failed || rmdir(folders[i]);
    zoid_ranks_end();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
