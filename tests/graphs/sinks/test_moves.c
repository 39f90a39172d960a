/* SPDX-License-Identifier: BSD-3-Clause */
/* Data movement if every datum is loaded once a visit: by formulas for simple streams, and for
 * random ones against the history of each datum, as versions. */
#include <stdlib.h>
#include <string.h>

#include "graphs/cell.h"
#include "graphs/kinds.h"
#include "graphs/method.h"
#include "graphs/sinks/moves.h"
#include "tests/effort.h"
#include "tests/graphs/cases.h"
#include "tests/suite.h"

enum { CASES = 120, MOST_MEMORIES = 3 };

/* Data of a kind have the same size, except coefficients. */
enum { SLAB = 101, EDGE = 1009, PIECE = 10007, HALO = 100003 };

static double bytes_of(const void *of, const struct zoid_datum *d)
{
    const long kind[ZOID_KINDS] = {
        [ZOID_SLAB] = SLAB,        [ZOID_REUSE] = 7,
        [ZOID_EDGE] = EDGE,        [ZOID_COEFFICIENT] = PIECE * (d->col + 1),
        [ZOID_HALO] = HALO,        [ZOID_END] = 1000003,
        [ZOID_MESSAGE] = 10000019, [ZOID_RELAY] = 100000007};

    (void)of;
    return (double)kind[d->kind];
}

static struct zoid_moves_options memories(int n)
{
    struct zoid_moves_options o = {.memories = n, .bytes = bytes_of};

    /* Kinds for which GPU memory always has room. */
    o.kept[ZOID_REUSE] = true;
    return o;
}

static bool alike(const struct zoid_moves *a, const struct zoid_moves *b)
{
    return a->up == b->up && a->down == b->down && a->peer == b->peer && a->far_up == b->far_up &&
           a->far_down == b->far_down;
}

static void expect(const struct zoid_graph *g, const struct zoid_moves_options *o,
                   const struct zoid_moves *want)
{
    struct zoid_moves got;

    ck_assert_int_eq(zoid_moves_graph(g, o, &got), 0);
    ck_assert_msg(alike(&got, want),
                  "%s, %d memories: up %.0f down %.0f peer %.0f far %.0f %.0f, and should be "
                  "%.0f %.0f %.0f %.0f %.0f",
                  case_words(g), o->memories, got.up, got.down, got.peer, got.far_up, got.far_down,
                  want->up, want->down, want->peer, want->far_up, want->far_down);
}

static struct zoid_graph line_of(const struct zoid_method *method, long depth, long steps,
                                 int lanes)
{
    struct zoid_graph g = case_line(method, 100, 10, depth, steps);
    bool clamped;

    g.lanes = lanes;
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    return g;
}

/* ---- by formulas ------------------------------------------------------------------------- */

/* Number of slabs of 10 planes that hold any of 100 planes at this drift. */
static long slabs_at(long drift)
{
    return (100 + drift + 9) / 10 - drift / 10;
}

/* A round of lanes loads the slabs that exist when its first pass begins, and writes back those
 * that exist when its last one ends. Slabs that vanish in the last pass of a round were written by
 * the pass before. */
static struct zoid_moves leaning(long depth, long steps, int lanes, int memories)
{
    struct zoid_moves want = {.up = 0};
    const long passes = (steps + depth - 1) / depth;

    for (long p = 0; p < passes; p++) {
        const long from = p * depth, to = from + depth < steps ? from + depth : steps;
        const bool first = p % lanes == 0, last = p % lanes == lanes - 1 || p == passes - 1;

        if (first)
            want.up += SLAB * (double)slabs_at(from);
        else
            want.down += SLAB * (double)(to / 10 - from / 10);
        if (!first && memories > 1)
            want.peer += SLAB * (double)slabs_at(from);
        if (last)
            want.down += SLAB * (double)slabs_at(to);
    }
    return want;
}

START_TEST(leaning_streams)
{
    for (long depth = 1; depth <= 12; depth++)
        for (int lanes = 1; lanes <= 4; lanes++)
            for (int n = 1; n <= lanes; n += lanes - 1 ? lanes - 1 : 1) {
                const struct zoid_graph g = line_of(&zoid_leaning, depth, 30, lanes);
                const struct zoid_moves_options o = memories(n);
                const struct zoid_moves want = leaning(depth, 30, lanes, n);

                expect(&g, &o, &want);
            }
}
END_TEST

/* Two lanes that share a memory transfer nothing between them, and two that do not transfer all;
 * with four lanes in two memories every second one does. */
START_TEST(lanes_share_memories)
{
    const struct zoid_graph g = line_of(&zoid_trapezoid, 5, 20, 4);
    struct zoid_moves_options o = memories(1);

    expect(&g, &o, &(struct zoid_moves){.up = 10 * SLAB, .down = 10 * SLAB});
    o.memories = 2;
    expect(&g, &o, &(struct zoid_moves){.up = 10 * SLAB, .down = 10 * SLAB, .peer = 10 * SLAB});
    o.memories = 4;
    expect(&g, &o, &(struct zoid_moves){.up = 10 * SLAB, .down = 10 * SLAB, .peer = 30 * SLAB});
}
END_TEST

/* The same slabs with a home beyond main memory, in which cores compute or which data only pass
 * through. */
START_TEST(from_beyond_main_memory)
{
    const struct zoid_graph g = line_of(&zoid_leaning, 3, 30, 2);
    struct zoid_moves want = leaning(3, 30, 2, 1);
    struct zoid_moves_options o = memories(1);

    o.far[ZOID_SLAB] = o.far[ZOID_COEFFICIENT] = true;
    want.far_up = want.up;
    want.far_down = want.down;
    expect(&g, &o, &want);
    o.memories = 0;
    want.up = want.down = 0;
    expect(&g, &o, &want);
    o.far[ZOID_SLAB] = false;
    expect(&g, &o, &(struct zoid_moves){.up = 0});
}
END_TEST

/* Every slab is loaded once a pass, but in the first pass only read; edges, two at each border
 * between slabs, are written back by one pass and loaded by the next. */
START_TEST(overlapped_and_naive)
{
    const struct zoid_method *const methods[] = {&zoid_overlapped, &zoid_naive};

    for (int i = 0; i < 2; i++) {
        const long depth = i ? 1 : 5, passes = 20 / depth;
        const struct zoid_graph g = line_of(methods[i], depth, 20, 1);
        const struct zoid_moves_options o = memories(1);
        const double edges = (double)passes * 18 * EDGE;

        expect(&g, &o,
               &(struct zoid_moves){.up = (double)(passes + 1) * 10 * SLAB + edges,
                                    .down = (double)passes * 10 * SLAB + edges});
    }
}
END_TEST

/* All slabs are loaded once, and those that exist at the end are written back, whatever the number
 * of passes. */
START_TEST(slabs_that_stay)
{
    for (int m = 0; m < case_methods(); m++) {
        const struct zoid_graph g = line_of(zoid_methods[m], 5, 33, 1);
        const long end = g.method == &zoid_leaning ? slabs_at(33) : 10;
        struct zoid_moves want = {.up = 10 * SLAB, .down = SLAB * (double)end};
        struct zoid_moves_options o = memories(1);

        for (int k = 0; k < ZOID_KINDS; k++)
            o.kept[k] = true;
        expect(&g, &o, &want);
        o.far[ZOID_SLAB] = true;
        want.far_up = want.up;
        want.far_down = want.down;
        expect(&g, &o, &want);
    }
}
END_TEST

/* Each piece is loaded once a pass; or once if it is kept; or never, if an earlier leg has loaded
 * it. */
START_TEST(coefficients)
{
    struct zoid_graph g = line_of(&zoid_leaning, 4, 8, 1);
    struct zoid_moves_options o = memories(1);
    const struct zoid_moves slabs = leaning(4, 8, 1, 1);
    struct zoid_moves want = slabs;
    struct zoid_census census;
    bool clamped;
    long pieces;
    double all;

    g.coefficients = ZOID_COEFFICIENTS_ALL;
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    zoid_graph_census(&g, &census);
    pieces = census.kind[ZOID_COEFFICIENT].cols;
    all = (double)(PIECE * pieces * (pieces + 1) / 2);
    want.up += 2 * all;
    expect(&g, &o, &want);
    o.settled = true;
    expect(&g, &o, &want);
    o.kept[ZOID_COEFFICIENT] = true;
    expect(&g, &o, &slabs);
    o.settled = false;
    want.up = slabs.up + all;
    expect(&g, &o, &want);
}
END_TEST

/* Two cells: a slab of each is loaded once an epoch, and between two epochs each slab's halo is
 * written back and loaded for the other cell. */
START_TEST(cells)
{
    struct zoid_graph g = line_of(&zoid_trapezoid, 4, 12, 1);
    const struct zoid_moves_options o = memories(1);
    bool clamped;

    g.shape = (struct zoid_shape){
        .dims = 2, .n = {64, 100, 1}, .stages = 1, .reach = {{{1, 1, 0}, {1, 1, 0}}}};
    g.cut[0].cells = 2;
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    expect(&g, &o,
           &(struct zoid_moves){.up = 60 * SLAB + 40 * HALO, .down = 60 * SLAB + 40 * HALO});
}
END_TEST

/* The only cell of a rank: the lanes of a memory hand slabs on from epoch to epoch, since one
 * begins while the one before is at work; not if the chain axis is cut, where it waits for all of
 * it. */
START_TEST(cells_of_ranks)
{
    enum { MESSAGE = 10000019, SLABS = 10, EPOCHS = 4 };

    for (int i = 0; i < 4; i++) {
        const int lanes = i % 2 + 1, axis = i / 2;
        const long slabs = axis ? SLABS / 2 + 1 : SLABS, rounds = axis ? EPOCHS : EPOCHS / lanes;
        struct zoid_graph g = line_of(&zoid_trapezoid, 4, 4 * EPOCHS, lanes);
        const struct zoid_moves_options o = memories(1);
        struct zoid_moves moves;
        bool clamped;

        g.shape = (struct zoid_shape){
            .dims = 2, .n = {64, 100, 1}, .stages = 1, .reach = {{{1, 1, 0}, {1, 1, 0}}}};
        g.epoch = 4;
        g.cut[axis].cells = g.ranks[axis] = 2;
        ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
        ck_assert_int_eq(zoid_moves_graph(&g, &o, &moves), 0);
        ck_assert_int_eq((long)moves.up % MESSAGE, rounds * slabs * SLAB);
        ck_assert_int_eq((long)moves.down % MESSAGE, rounds * slabs * SLAB);
    }
}
END_TEST

/* A graph ended early by its sink moves the same data as one with that number of steps. */
START_TEST(ends_early)
{
    for (int m = 0; m < case_methods(); m++) {
        const struct zoid_graph g = line_of(zoid_methods[m], 3, 30, 2),
                                shorter = line_of(zoid_methods[m], 3, 12, 2);
        struct zoid_moves_options o = memories(2);
        struct zoid_moves want;

        ck_assert_int_eq(zoid_moves_graph(&shorter, &o, &want), 0);
        o.end = 12;
        expect(&g, &o, &want);
        /* Kept data are written back to be stored. */
        for (int k = 0; k < ZOID_KINDS; k++)
            o.kept[k] = true;
        o.memories = 1;
        want = (struct zoid_moves){.up = 10 * SLAB,
                                   .down = SLAB *
                                           (double)(g.method == &zoid_leaning ? slabs_at(12) : 10)};
        expect(&g, &o, &want);
    }
}
END_TEST

/* ---- by the histories of data ------------------------------------------------------------ */

/* An access to a datum: by a block in a memory, or by a task in main memory. */
enum { AT_HOME = -1 };

struct event {
    struct zoid_datum datum;
    int at;
    bool reads, writes;
    bool looks;     /* at home: needs the current contents */
    bool last;      /* by a block at its last time */
    bool neighbour; /* the next lane shares the memory */
    enum zoid_next next;
};

struct log {
    struct zoid_sink sink;
    const struct zoid_graph *graph;
    int memories;
    struct event *event;
    size_t n, room;
};

static void add_event(struct log *l, struct event e)
{
    if (l->n == l->room) {
        l->room = 2 * l->room + 64;
        l->event = realloc(l->event, l->room * sizeof *l->event);
        ck_assert_ptr_nonnull(l->event);
    }
    l->event[l->n++] = e;
}

static int share(const struct log *l, int lane)
{
    return l->memories ? lane % l->graph->lanes * l->memories / l->graph->lanes : 0;
}

/* A block reads all its data before it writes any, and then releases all of them. */
static int log_block(struct zoid_sink *self, const struct zoid_block *b)
{
    struct log *l = (struct log *)self;

    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];
        struct event e = {.datum = a->datum,
                          .at = share(l, b->lane),
                          .reads = a->mode != ZOID_WRITE || a->keeps,
                          .writes = a->mode != ZOID_READ || a->fills,
                          .last = b->zoid.t1 ==
                                  (l->graph->start + l->graph->steps) * l->graph->shape.stages,
                          .neighbour = share(l, b->lane) == share(l, b->lane + 1),
                          .next = a->next};
        bool again = false;

        for (size_t j = i + 1; j < b->naccess; j++)
            again |= zoid_datum_index(&b->access[j].datum) == zoid_datum_index(&a->datum);
        for (size_t j = 0; j < i; j++)
            if (zoid_datum_index(&b->access[j].datum) == zoid_datum_index(&a->datum)) {
                e.reads |= b->access[j].mode != ZOID_WRITE || b->access[j].keeps;
                e.writes |= b->access[j].mode != ZOID_READ || b->access[j].fills;
            }
        if (!again)
            add_event(l, e);
    }
    return 0;
}

static int log_message(struct zoid_sink *self, const struct zoid_message *m)
{
    add_event(
        (struct log *)self,
        (struct event){.datum = m->datum, .at = AT_HOME, .looks = m->sends, .writes = !m->sends});
    return 0;
}

static int log_join(struct zoid_sink *self, const struct zoid_join *join)
{
    for (size_t i = 0; i < join->naccess; i++)
        add_event((struct log *)self, (struct event){.datum = join->access[i].datum,
                                                     .at = AT_HOME,
                                                     .looks = true,
                                                     .writes = join->access[i].mode & ZOID_WRITE});
    return 0;
}

static int log_store(struct zoid_sink *self, const struct zoid_access *a)
{
    add_event((struct log *)self, (struct event){.datum = a->datum, .at = AT_HOME, .looks = true});
    return 0;
}

/* Versions of a datum: the newest, and the one at each place; -1: not there. */
struct versions {
    long newest, home, at[MOST_MEMORIES];
    bool moving;
};

static void look_at_home(struct versions *v, const struct event *e, bool far, bool near,
                         double bytes, struct zoid_moves *sum)
{
    if (v->home == v->newest)
        return;
    sum->down += near ? bytes : 0;
    sum->far_down += far ? bytes : 0;
    v->home = v->newest;
    (void)e;
}

static void take(struct versions *v, const struct event *e, const struct zoid_moves_options *o,
                 double bytes, struct zoid_moves *sum)
{
    const bool constant = e->datum.kind == ZOID_COEFFICIENT;
    bool elsewhere = false;

    if (v->at[e->at] == v->newest)
        return;
    for (int m = 0; m < MOST_MEMORIES; m++)
        elsewhere |= v->at[m] == v->newest;
    if (elsewhere && !constant) {
        sum->peer += bytes;
        for (int m = 0; v->moving && m < MOST_MEMORIES; m++)
            v->at[m] = -1;
    } else {
        ck_assert_int_eq(v->home, v->newest);
        sum->up += o->memories ? bytes : 0;
        sum->far_up += o->far[e->datum.kind] ? bytes : 0;
    }
    v->at[e->at] = v->newest;
    v->moving = false;
}

/* Applies enum zoid_next, unless the kind is kept to the end. */
static void part_with(struct versions *v, const struct event *e, const struct zoid_moves_options *o,
                      double bytes, struct zoid_moves *sum)
{
    const bool constant = e->datum.kind == ZOID_COEFFICIENT;
    const bool place = e->datum.kind == ZOID_REUSE, dead = e->next == ZOID_NEXT_DEAD;

    if (o->kept[e->datum.kind] && (place || dead || !e->writes || !e->last))
        return;
    if (e->next == ZOID_NEXT_SAME || (e->next == ZOID_NEXT_LANE && e->neighbour))
        return;
    if (e->next == ZOID_NEXT_LANE && !constant) {
        v->moving = true;
        return;
    }
    if (!constant && (e->next == ZOID_NEXT_RAM || e->datum.kind == ZOID_SLAB))
        look_at_home(v, e, o->far[e->datum.kind], o->memories > 0, bytes, sum);
    v->at[e->at] = -1;
}

static void tell(const struct log *l, size_t first, bool *told, const struct zoid_moves_options *o,
                 struct zoid_moves *sum)
{
    const struct zoid_datum *d = &l->event[first].datum;
    const double bytes = bytes_of(NULL, d);
    struct versions v = {.at = {-1, -1, -1}};

    for (size_t i = first; i < l->n; i++) {
        const struct event *e = &l->event[i];

        if (zoid_datum_index(&e->datum) != zoid_datum_index(d))
            continue;
        told[i] = true;
        if (e->at == AT_HOME) {
            if (e->looks)
                look_at_home(&v, e, o->far[d->kind], o->memories > 0, bytes, sum);
            if (e->writes)
                v.home = ++v.newest;
            continue;
        }
        if (e->reads)
            take(&v, e, o, bytes, sum);
        if (e->writes) {
            v.at[e->at] = ++v.newest;
            v.moving = false;
        }
        part_with(&v, e, o, bytes, sum);
    }
}

static struct zoid_moves moves_by_history(const struct zoid_graph *g,
                                          const struct zoid_moves_options *o)
{
    struct log l = {
        .sink = {.block = log_block, .message = log_message, .join = log_join, .store = log_store},
        .graph = g,
        .memories = o->memories};
    struct zoid_moves sum = {.up = 0};
    bool *told;

    ck_assert_int_eq(zoid_graph_emit(g, &l.sink), 0);
    told = calloc(l.n + 1, sizeof *told);
    for (size_t i = 0; i < l.n; i++)
        if (!told[i])
            tell(&l, i, told, o, &sum);
    free(told);
    free(l.event);
    return sum;
}

static struct zoid_moves_options random_options(uint64_t *seed, const struct zoid_graph *g)
{
    const long most = g->lanes < MOST_MEMORIES ? g->lanes : MOST_MEMORIES;
    struct zoid_moves_options o = memories((int)case_between(seed, 0, most));
    const bool all = case_between(seed, 0, 2) == 0;

    for (int k = 0; k < ZOID_KINDS; k++)
        o.kept[k] = k == ZOID_REUSE || all;
    if (!o.memories || case_between(seed, 0, 1))
        o.far[ZOID_SLAB] = o.far[ZOID_COEFFICIENT] = true;
    /* Without GPU memories, main memory is the nearest tier and has room for the data at home
     * there. */
    for (int k = 0; k < ZOID_KINDS && !o.memories; k++)
        o.kept[k] = !o.far[k];
    return o;
}

static void compare(uint64_t *seed, const struct zoid_graph *g)
{
    const struct zoid_moves_options o = random_options(seed, g);
    const struct zoid_moves want = moves_by_history(g, &o);

    expect(g, &o, &want);
}

START_TEST(histories)
{
    uint64_t seed = (uint64_t)_i << 40 | 9;

    for (int i = 0; i < effort(CASES); i++) {
        struct zoid_graph g = case_graph(&seed, zoid_methods[_i]);
        bool clamped;

        if (g.method->cells && i % 2)
            case_cut(&seed, &g);
        ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
        compare(&seed, &g);
    }
}
END_TEST

START_TEST(histories_of_ranks)
{
    uint64_t seed = (uint64_t)_i << 40 | 10;

    for (int i = 0; i < effort(CASES / 4); i++) {
        struct zoid_graph g = case_graph(&seed, zoid_methods[_i]);
        bool clamped;

        if (!g.method->cells)
            return;
        case_deal(&seed, &g);
        g.rank = ZOID_EVERY_RANK;
        if (zoid_graph_init(&g, &clamped) || zoid_ranks(&g) == 1)
            continue;
        g.rank = (int)case_between(&seed, 0, zoid_ranks(&g) - 1);
        compare(&seed, &g);
    }
}
END_TEST

/* ---- sabotage ---------------------------------------------------------------------------- */

/* Between a builder and a sink: replaces `from` by `to` for a kind. */
struct liar {
    struct zoid_sink sink, *to;
    struct zoid_access access[64];
};

static struct {
    enum zoid_kind kind;
    enum zoid_next from, to;
} lie;

static int lie_block(struct zoid_sink *self, const struct zoid_block *b)
{
    struct liar *l = (struct liar *)self;
    struct zoid_block other = *b;

    memcpy(l->access, b->access, b->naccess * sizeof *l->access);
    other.access = l->access;
    for (size_t i = 0; i < b->naccess; i++)
        if (l->access[i].datum.kind == lie.kind && l->access[i].next == lie.from)
            l->access[i].next = lie.to;
    return l->to->block(l->to, &other);
}

static int emit_lies(const struct zoid_graph *g, struct zoid_sink *sink)
{
    struct liar l = {.sink = {.block = lie_block}, .to = sink};

    return zoid_leaning.emit(g, &l.sink);
}

START_TEST(lies_are_found)
{
    struct zoid_method lying = zoid_leaning;
    struct zoid_graph g = line_of(&zoid_leaning, 3, 30, 2);
    const struct zoid_moves_options o = memories(2);
    struct zoid_moves truth, told;

    lying.emit = emit_lies;
    ck_assert_int_eq(zoid_moves_graph(&g, &o, &truth), 0);
    g.method = &lying;
    /* A slab written back too early is loaded again; one that is never written back stays; and a
     * datum whose last reader is named wrongly is lost. */
    lie.kind = ZOID_SLAB;
    lie.from = ZOID_NEXT_LANE;
    lie.to = ZOID_NEXT_RAM;
    ck_assert_int_eq(zoid_moves_graph(&g, &o, &told), 0);
    ck_assert(told.up > truth.up && told.down > truth.down && told.peer == 0);
    lie.from = ZOID_NEXT_RAM;
    lie.to = ZOID_NEXT_SAME;
    ck_assert_int_eq(zoid_moves_graph(&g, &o, &told), 0);
    ck_assert(told.up < truth.up && told.down < truth.down);
    lie.kind = ZOID_REUSE;
    lie.from = ZOID_NEXT_SAME;
    lie.to = ZOID_NEXT_DEAD;
    ck_assert_int_eq(
        zoid_moves_graph(&g, &(struct zoid_moves_options){.memories = 2, .bytes = bytes_of}, &told),
        2);
}
END_TEST

static void add(TCase *tests)
{
    const int methods = case_methods();

    tcase_add_test(tests, leaning_streams);
    tcase_add_test(tests, lanes_share_memories);
    tcase_add_test(tests, from_beyond_main_memory);
    tcase_add_test(tests, overlapped_and_naive);
    tcase_add_test(tests, slabs_that_stay);
    tcase_add_test(tests, coefficients);
    tcase_add_test(tests, cells);
    tcase_add_test(tests, cells_of_ranks);
    tcase_add_test(tests, ends_early);
    tcase_add_loop_test(tests, histories, 0, methods);
    tcase_add_loop_test(tests, histories_of_ranks, 0, methods);
    tcase_add_test(tests, lies_are_found);
}

int main(void)
{
    return run_suite("moves", 120, add);
}
