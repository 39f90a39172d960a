/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams of all methods through the ledger: blocks end, data arrive and copies are freed in any
 * order that dependencies allow, and the ledger is notified in the same order, at once or later.
 * Its requests are executed by a model of the memories that tracks which copies are valid. */
#include <string.h>

#include "graphs/kinds.h"
#include "graphs/sinks/numbering.h"
#include "runtime/submit/ledger.h"
#include "tests/graphs/cases.h"
#include "tests/suite.h"

enum { MEMORIES = 3, FLIGHT = 12, TRIPS = 4000, FLYING = 4000, WORDS = TRIPS + FLIGHT };

struct copy {
    bool valid;
};

struct trip {
    long datum;
    int from, to; /* `from` NOWHERE: loaded from any valid copy */
};
enum { NOWHERE = -3 };

/* A block, or the invalidation of a datum, which is ordered with the stream too. */
struct flying {
    bool forgets;
    int memory;
    size_t n;
    struct zoid_ledger_use *use;
};

/* A pending notification of the ledger: the end of a block, or of a transfer. */
struct word {
    bool ended;
    struct flying block;
    struct trip trip;
};

static struct machine {
    struct zoid_sink sink;
    const struct zoid_graph *graph;
    struct zoid_ledger ledger;
    struct zoid_ledger_memory memory[MEMORIES];
    struct zoid_numbering numbering;
    unsigned long long *bytes;
    struct copy *copy; /* of each datum in each memory, */
    bool *home;        /* and at home */
    bool *dead;
    bool *asked;  /* to be invalidated: must not be requested */
    bool *mortal; /* has died before: its readers may have to load it themselves */
    struct flying *flight;
    int flying;
    struct trip *trip;
    int trips;
    struct word *word;
    int words;
    int blocks; /* that the ledger considers in flight */
    bool hears_late;
    uint64_t seed;
    unsigned long long up, down, most; /* bytes moved, and the most that a block needs at once */
    long missed;                       /* reads of data that were not prefetched */
    bool measures;                     /* only `most` is computed */
} m;

static struct copy *at(long datum, int memory)
{
    return &m.copy[datum * MEMORIES + memory];
}

static bool somewhere(long datum, int but)
{
    bool found = m.home[datum];

    for (int i = 0; i < m.ledger.memories; i++)
        found |= i != but && at(datum, i)->valid;
    return found;
}

/* ---- requests of the ledger ---------------------------------------------------------------- */

static void plan_trip(long datum, int from, int to)
{
    ck_assert_int_lt(m.trips, TRIPS);
    m.trip[m.trips++] = (struct trip){datum, from, to};
}

static void bring(void *self, long datum, int memory)
{
    (void)self;
    ck_assert(!m.asked[datum]);
    ck_assert_msg(somewhere(datum, NOWHERE), "nobody has what is asked for");
    if (!at(datum, memory)->valid)
        plan_trip(datum, NOWHERE, memory);
}

static bool send(void *self, long datum, int from, int to)
{
    (void)self;
    ck_assert(!m.asked[datum]);
    ck_assert_msg(somewhere(datum, NOWHERE), "nobody has what is sent");
    ck_assert(m.hears_late || at(datum, from)->valid);
    plan_trip(datum, from, to);
    return true;
}

static bool drop(void *self, long datum, int memory, bool dead)
{
    (void)self;
    /* Dead data stay until they are invalidated. */
    if (case_between(&m.seed, 0, 9) == 0 || (dead && at(datum, memory)->valid))
        return false;
    ck_assert_msg(!at(datum, memory)->valid || somewhere(datum, memory),
                  "what is dropped is lost: datum %ld, memory %d of %d%s; %s", datum, memory,
                  m.ledger.memories, dead ? ", dead" : "", case_words(m.graph));
    at(datum, memory)->valid = false;
    return true;
}

/* ---- notifications -------------------------------------------------------------------------- */

/* Delivers the first notification. */
static void hear(void)
{
    const struct word w = m.word[0];

    for (int i = 0; i < m.words; i++)
        if (m.word[i].ended)
            zoid_ledger_past(m.word[i].block.use, m.word[i].block.n);
    memmove(m.word, m.word + 1, (size_t)--m.words * sizeof *m.word);
    if (!w.ended) {
        zoid_ledger_arrived(&m.ledger, w.trip.datum, w.trip.from, false);
        return;
    }
    m.blocks--;
    zoid_ledger_ended(&m.ledger, w.block.memory, w.block.use, w.block.n);
    free(w.block.use);
}

static void leave_word(struct word w)
{
    ck_assert_int_lt(m.words, WORDS);
    m.word[m.words++] = w;
    if (!m.hears_late)
        hear();
}

/* ---- progress ------------------------------------------------------------------------------- */

static void arrive(int i)
{
    const struct trip trip = m.trip[i];

    m.trip[i] = m.trip[--m.trips];
    if (trip.to >= 0) {
        m.up += at(trip.datum, trip.to)->valid ? 0 : m.bytes[trip.datum];
        at(trip.datum, trip.to)->valid |= somewhere(trip.datum, trip.to);
    } else {
        m.down += m.home[trip.datum] ? 0 : m.bytes[trip.datum];
        m.home[trip.datum] |= somewhere(trip.datum, NOWHERE);
    }
    if (trip.from != NOWHERE)
        leave_word((struct word){.trip = trip});
}

/* A block may run if the earlier blocks that it depends on have ended, and its inputs are
 * present. */
static bool may_run(int i)
{
    const struct flying *b = &m.flight[i];

    for (int j = 0; j < i; j++)
        for (size_t u = 0; u < b->n; u++)
            for (size_t v = 0; v < m.flight[j].n; v++)
                if (b->use[u].datum == m.flight[j].use[v].datum &&
                    (b->use[u].writes || m.flight[j].use[v].writes))
                    return false;
    for (int t = 0; t < m.trips; t++)
        for (size_t u = 0; u < b->n; u++)
            if (m.trip[t].datum == b->use[u].datum)
                return false;
    return true;
}

static void forget(struct flying *f)
{
    for (int o = 0; o < m.ledger.memories; o++)
        at(f->use->datum, o)->valid = false;
    m.home[f->use->datum] = false;
    m.dead[f->use->datum] = true;
    free(f->use);
}

static void run_block(const struct flying *b)
{
    for (size_t u = 0; u < b->n; u++) {
        const struct zoid_ledger_use *use = &b->use[u];

        if (use->reads && !at(use->datum, b->memory)->valid) {
            ck_assert_msg(somewhere(use->datum, b->memory), "nobody has what a block reads");
            m.missed += !m.mortal[use->datum];
        }
        at(use->datum, b->memory)->valid = true;
        if (use->writes) {
            for (int o = 0; o < m.ledger.memories; o++)
                at(use->datum, o)->valid = o == b->memory;
            m.home[use->datum] = m.dead[use->datum] = false;
        }
    }
}

static void end(int i)
{
    struct flying f = m.flight[i];

    memmove(&m.flight[i], &m.flight[i + 1], (size_t)(--m.flying - i) * sizeof *m.flight);
    if (f.forgets) {
        forget(&f);
        return;
    }
    run_block(&f);
    leave_word((struct word){.ended = true, .block = f});
}

/* Executes a random event; returns false if no event is possible. */
static bool go_on(void)
{
    const int events = m.flying + m.trips + (m.words > 0);
    const int first = events ? (int)case_between(&m.seed, 0, events - 1) : 0;

    for (int e = 0; e < events; e++) {
        const int i = (first + e) % events;

        if (i == m.flying + m.trips) {
            hear();
            return true;
        }
        if (i >= m.flying) {
            arrive(i - m.flying);
            return true;
        }
        if (may_run(i)) {
            end(i);
            return true;
        }
    }
    if (m.ledger.dropping < 0)
        return false;
    zoid_ledger_settle(&m.ledger);
    return true;
}

/* ---- blocks --------------------------------------------------------------------------------- */

static int memory_of(int lane)
{
    return lane % m.graph->lanes * m.ledger.memories / m.graph->lanes;
}

static void list_uses(const struct zoid_block *b, struct flying *f)
{
    struct zoid_residence_in in = {.next_lane_here = memory_of(b->lane + 1) == memory_of(b->lane),
                                   .last = b->zoid.t1 == zoid_graph_last_time(m.graph)};

    *f = (struct flying){.memory = memory_of(b->lane),
                         .use = calloc(b->naccess + 1, sizeof *f->use)};
    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];
        const long datum = zoid_number(&m.numbering, &a->datum);
        size_t u = 0;

        while (u < f->n && f->use[u].datum != datum)
            u++;
        if (u == f->n)
            f->use[f->n++] = (struct zoid_ledger_use){.datum = datum};
        f->use[u].reads |= a->mode & ZOID_READ || a->keeps;
        f->use[u].writes |= a->mode & ZOID_WRITE || a->fills;
        f->use[u].after = zoid_residence_after(a, &in);
        f->use[u].dies |= f->use[u].after == ZOID_DROPPED && !zoid_kinds[a->datum.kind].constant;
        f->use[u].to = memory_of(b->lane + 1);
    }
}

static void within_budget(void)
{
    for (int i = 0; i < m.ledger.memories; i++)
        ck_assert_msg(m.memory[i].used <= m.memory[i].capacity, "%llu of %llu bytes used",
                      m.memory[i].used, m.memory[i].capacity);
}

static void fly(struct flying f)
{
    ck_assert_int_lt(m.flying, FLYING);
    m.flight[m.flying++] = f;
}

/* Submits a block that has claimed its data, and the invalidations after it. */
static void submit(const struct flying *f)
{
    fly(*f);
    m.blocks++;
    for (size_t u = 0; u < f->n; u++) {
        const struct zoid_ledger_use *use = &f->use[u];
        struct flying after = {.forgets = true, .n = 1};

        m.asked[use->datum] = use->dies || (m.asked[use->datum] && !use->writes);
        m.mortal[use->datum] |= use->dies;
        if (!use->dies)
            continue;
        after.use = calloc(1, sizeof *after.use);
        *after.use = (struct zoid_ledger_use){.datum = use->datum, .writes = true};
        fly(after);
    }
}

static int receive(struct zoid_sink *sink, const struct zoid_block *b)
{
    struct flying f;

    (void)sink;
    list_uses(b, &f);
    if (m.measures) {
        unsigned long long all = 0;

        for (size_t u = 0; u < f.n; u++)
            all += m.bytes[f.use[u].datum];
        m.most = all > m.most ? all : m.most;
        free(f.use);
        return 0;
    }
    while (m.blocks == FLIGHT || !zoid_ledger_claim(&m.ledger, f.memory, f.use, f.n))
        ck_assert_msg(go_on(), "nothing goes on");
    within_budget();
    submit(&f);
    for (long k = case_between(&m.seed, 0, 3); k > 0; k--)
        go_on();
    return 0;
}

static void make(const struct zoid_graph *g, uint64_t seed)
{
    struct zoid_census census;

    m = (struct machine){.sink = {.block = receive}, .graph = g, .seed = seed};
    zoid_graph_census(g, &census);
    ck_assert_int_eq(zoid_numbering_init(&m.numbering, &census), 0);
    m.ledger = (struct zoid_ledger){.ways = {.bring = bring, .send = send, .drop = drop},
                                    .data = m.numbering.count,
                                    .memories =
                                        (int)case_between(&m.seed, 1, zoid_min(g->lanes, MEMORIES)),
                                    .memory = m.memory};
    m.bytes = calloc((size_t)m.ledger.data + 1, sizeof *m.bytes);
    m.copy = calloc((size_t)m.ledger.data * MEMORIES + 1, sizeof *m.copy);
    m.home = calloc((size_t)m.ledger.data + 1, sizeof *m.home);
    m.dead = calloc((size_t)m.ledger.data + 1, sizeof *m.dead);
    m.asked = calloc((size_t)m.ledger.data + 1, sizeof *m.asked);
    m.mortal = calloc((size_t)m.ledger.data + 1, sizeof *m.mortal);
    m.flight = calloc(FLYING, sizeof *m.flight);
    m.word = calloc(WORDS, sizeof *m.word);
    m.hears_late = case_between(&m.seed, 0, 1);
    m.trip = calloc(TRIPS, sizeof *m.trip);
    m.ledger.bytes = m.bytes;
    for (long d = 0; d < m.ledger.data; d++) {
        m.bytes[d] = (unsigned long long)case_between(&m.seed, 1, 5);
        m.home[d] = true;
    }
    ck_assert(zoid_ledger_init(&m.ledger));
}

static void unmake(void)
{
    zoid_ledger_free(&m.ledger);
    free(m.bytes);
    free(m.copy);
    free(m.home);
    free(m.dead);
    free(m.asked);
    free(m.mortal);
    free(m.flight);
    free(m.trip);
    free(m.word);
}

static void measure(const struct zoid_graph *g)
{
    m.measures = true;
    ck_assert_int_eq(zoid_graph_emit(g, &m.sink), 0);
    m.measures = false;
}

/* Runs a whole graph, with memories of `capacity` bytes each. */
static void run(const struct zoid_graph *g, unsigned long long capacity)
{
    for (int i = 0; i < m.ledger.memories; i++)
        m.memory[i].capacity = capacity;
    ck_assert_int_eq(zoid_graph_emit(g, &m.sink), 0);
    while (m.flying || m.words)
        ck_assert_msg(go_on(), "nothing goes on at the end");
    zoid_ledger_clear(&m.ledger);
    while (!zoid_ledger_quiet(&m.ledger))
        ck_assert_msg(go_on(), "not all goes home");
    for (int i = 0; i < m.ledger.memories; i++)
        ck_assert_int_eq(m.memory[i].used, 0);
    for (long d = 0; d < m.ledger.data; d++)
        ck_assert_msg(m.home[d] || m.dead[d], "datum %ld did not come home", d);
    ck_assert_int_eq(m.ledger.over, 0);
    /* A block that runs before the ledger is notified of that loads its inputs itself. */
    ck_assert_msg(!m.missed || m.hears_late, "%ld reads of what nobody has brought: %s", m.missed,
                  case_words(g));
}

static struct zoid_graph some_graph(uint64_t *seed, int method)
{
    struct zoid_graph g;
    bool clamped;

    do {
        g = case_graph(seed, zoid_methods[method]);
        if (case_between(seed, 0, 1))
            case_cut(seed, &g);
        g.coefficients = case_between(seed, 0, 1) ? ZOID_COEFFICIENTS_ALL : ZOID_COEFFICIENTS_NONE;
        g.lanes = zoid_methods[method]->pipelined ? (int)case_between(seed, 1, 4) : 1;
    } while (zoid_graph_init(&g, &clamped));
    return g;
}

START_TEST(blocks_fit_and_find_what_they_read)
{
    uint64_t seed = 20261127 + (uint64_t)_i;

    for (int i = 0; i < effort(150); i++) {
        const struct zoid_graph g = some_graph(&seed, _i);

        make(&g, seed);
        measure(&g);
        /* Capacities from the needs of one block to more than all data. */
        m.ledger.by_blocks = case_between(&seed, 0, 3) == 0;
        run(&g, m.most + (unsigned long long)case_between(&seed, 0, 1) *
                             (unsigned long long)case_between(&seed, 0, 60));
        unmake();
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, blocks_fit_and_find_what_they_read, 0, case_methods());
}

int main(void)
{
    return run_suite("ledger", 120, add);
}
