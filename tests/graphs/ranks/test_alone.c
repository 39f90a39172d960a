/* SPDX-License-Identifier: BSD-3-Clause */
/* The stream of one rank, proved by itself: of ranks that are alike, and of parts, whose methods
 * differ. */
#include <string.h>

#include "graphs/cell.h"
#include "graphs/common/grid.h"
#include "graphs/sinks/prove.h"
#include "tests/effort.h"
#include "tests/graphs/ranks/parts.h"
#include "tests/suite.h"

enum { CASES = 900, ALIKE = 60, MOVED = 300, SPOILT = 40 };

/* A run of one rank; its legs end where those of all ranks do. */
struct proof {
    const struct run *run;
    long leg;
};

static bool ends(void *self, long steps)
{
    const struct proof *proof = self;

    return steps == proof->run->end[proof->leg];
}

static struct zoid_prove *begin(struct proof *proof)
{
    const struct zoid_graph *first = proof->run->leg;
    struct zoid_prove *prove = zoid_prove_create(&(struct zoid_prove_options){
        .graph = first, .redundant = case_redundant(first), .last = ends, .self = proof});

    ck_assert_ptr_nonnull(prove);
    return prove;
}

/* Destroys the prover. Returns NULL if all legs are proved, else the reason; the string is valid
 * until the next call. */
static const char *verdict(struct zoid_prove *prove)
{
    static char reason[512];
    const char *why;
    const int rc = zoid_prove_verdict(prove, &why);

    snprintf(reason, sizeof reason, "%s", why);
    zoid_prove_destroy(&prove);
    return rc ? reason : NULL;
}

static void expect_proof(const struct run *run, const char *fault)
{
    ck_assert_msg(!fault, "%s, rank %d: %s", case_words(run->leg), run->leg->rank, fault);
}

static void prove_run(const struct run *run)
{
    struct proof proof = {.run = run};
    struct zoid_prove *prove = begin(&proof);
    int rc = 0;

    for (; !rc && proof.leg < run->legs; proof.leg++) {
        zoid_graph_emit(&run->leg[proof.leg], zoid_prove_sink(prove));
        if (proof.leg + 1 < run->legs)
            rc = zoid_prove_next(prove, &run->leg[proof.leg + 1]);
    }
    expect_proof(run, verdict(prove));
}

START_TEST(each_part_is_proved)
{
    uint64_t seed = (uint64_t)_i << 32 | 45;

    for (int i = 0; i < effort(CASES); i++) {
        struct common c;
        struct run part[PARTS];

        parts_draw(&seed, _i, &c, part);
        for (long p = 0; p < c.parts; p++)
            prove_run(&part[p]);
    }
}
END_TEST

START_TEST(each_rank_is_proved)
{
    uint64_t seed = (uint64_t)_i << 32 | 46;

    for (int i = 0; i < effort(ALIKE); i++) {
        struct run run, own;

        run_make(&seed, zoid_methods[_i], &run);
        for (int r = 0; r < zoid_ranks(run.leg); r++) {
            run_of_rank(&run, r, &own);
            prove_run(&own);
        }
    }
}
END_TEST

/* ---- moves ------------------------------------------------------------------------------- */

/* Two parts whose border moves between their legs, each of which is a first one; those in order
 * have room for all planes. */
struct moves {
    struct common c;
    struct run part[PARTS];
    long border[RUN_LEGS][PARTS];
};

/* Where the line of a part's first cell lies. */
static long lies(const struct zoid_graph *g)
{
    return zoid_cell_base(g, g->rank * zoid_rank_cells(g));
}

/* A leg of a part after a move, where its slabs lie. */
static bool draw_moved(uint64_t *seed, const struct moves *m, const struct run *part, long leg,
                       struct zoid_graph *g)
{
    const struct zoid_graph *before = &part->leg[leg - 1];
    bool clamped;

    *g = *before;
    g->start = part->end[leg - 1];
    g->lanes = (int)case_between(seed, 1, 4);
    g->cut[zoid_chain(&g->shape)].border = m->border[leg];
    return !zoid_graph_init(g, &clamped) && g->line == before->line && g->epoch == before->epoch &&
           g->block == before->block && lies(g) == lies(before);
}

static bool draw_move(uint64_t *seed, struct moves *m, long leg)
{
    const long n = m->border[0][2], steps = case_between(seed, 0, STEPS);
    const long epochs = steps ? (steps - 1) / m->c.epoch : 0, ended = case_between(seed, 0, epochs);

    memcpy(m->border[leg], m->border[0], sizeof m->border[0]);
    m->border[leg][1] = case_between(seed, 1, n - 1);
    for (int p = 0; p < 2; p++) {
        if (!draw_moved(seed, m, &m->part[p], leg, &m->part[p].leg[leg]))
            return false;
        m->part[p].leg[leg].steps = steps;
        m->part[p].end[leg] = m->part[p].leg[leg].start + (ended ? ended * m->c.epoch : steps);
    }
    return true;
}

/* Returns false if the first legs leave no room. */
static bool draw_rest(uint64_t *seed, struct moves *m)
{
    enum { TRIES = 20 };
    bool clamped;

    for (int p = 0; p < 2; p++) {
        struct zoid_graph *g = m->part[p].leg;

        if (zoid_in_order(&g->shape) || case_between(seed, 0, 1))
            g->line = 2 * m->border[0][2];
        m->part[p].legs = RUN_LEGS;
        g->cut[zoid_chain(&g->shape)].border = m->border[0];
        if (zoid_graph_init(g, &clamped) || g->epoch != m->c.epoch)
            return false;
    }
    for (long leg = 1; leg < RUN_LEGS; leg++) {
        int tries = 0;

        while (tries < TRIES && !draw_move(seed, m, leg))
            tries++;
        if (tries == TRIES)
            return false;
    }
    return true;
}

static void draw_moves(uint64_t *seed, bool in_order, struct moves *m)
{
    do {
        parts_draw(seed, in_order, &m->c, m->part);
        memcpy(m->border[0], m->c.border, sizeof m->border[0]);
    } while (m->c.parts != 2 || m->c.legs == 1 || !draw_rest(seed, m));
}

/* Proves the legs of a part; `spoil`, if any, changes the gain of a leg. */
static const char *moved_fault(const struct run *run,
                               void (*spoil)(const struct zoid_graph *, struct zoid_gain *))
{
    struct proof proof = {.run = run};
    struct zoid_prove *prove = begin(&proof);
    int rc = 0;

    for (; !rc && proof.leg < run->legs; proof.leg++) {
        const struct zoid_graph *g = &run->leg[proof.leg];

        zoid_graph_emit(g, zoid_prove_sink(prove));
        if (proof.leg + 1 < run->legs) {
            struct zoid_gain gain = zoid_graph_gain(g, g + 1);

            if (spoil)
                spoil(g + 1, &gain);
            rc = zoid_prove_moved(prove, g + 1, &gain);
        }
    }
    return verdict(prove);
}

START_TEST(borders_move)
{
    uint64_t seed = (uint64_t)_i << 32 | 47;

    for (int i = 0; i < effort(MOVED); i++) {
        struct moves m;

        draw_moves(&seed, _i, &m);
        for (int p = 0; p < 2; p++)
            expect_proof(&m.part[p], moved_fault(&m.part[p], NULL));
    }
}
END_TEST

/* ---- sabotages --------------------------------------------------------------------------- */

/* Gains of one plane too few: the first that the part did not own and does now, or the farthest
 * ghost plane. */
static void no_own_plane(const struct zoid_graph *g, struct zoid_gain *gain)
{
    const struct zoid_range own = zoid_cell_own(g, g->rank, 0).axis[zoid_chain(&g->shape)];

    gain->below.hi -= gain->below.hi > own.lo;
    gain->above.lo += gain->above.lo < own.hi;
}

static void no_ghost_plane(const struct zoid_graph *g, struct zoid_gain *gain)
{
    (void)g;
    gain->below.lo += gain->below.lo < gain->below.hi;
    gain->above.hi -= gain->above.lo < gain->above.hi;
}

/* True if the part of a rank gains planes at every move, which it reads all: its only stage reads
 * them in a whole epoch. */
static bool gains(const struct moves *m, int rank)
{
    const struct zoid_shape *s = &m->c.shape;
    const struct zoid_reach *reach = &s->reach[0];
    const int chain = zoid_chain(s);
    bool gains = s->stages == 1 && m->c.across[0] * m->c.across[1] == 1 && reach->lo[chain] > 0 &&
                 reach->hi[chain] > 0 && !zoid_chain_periodic(s);

    for (long leg = 1; leg < RUN_LEGS; leg++) {
        const long up = m->border[leg][1] - m->border[leg - 1][1];

        gains &= m->part[0].leg[leg].steps >= m->c.epoch && (rank ? up < 0 : up > 0);
    }
    return gains;
}

START_TEST(too_few_planes_are_found)
{
    static void (*const few[])(const struct zoid_graph *, struct zoid_gain *) = {no_own_plane,
                                                                                 no_ghost_plane};
    uint64_t seed = (uint64_t)_i << 32 | 48;

    for (int i = 0; i < SPOILT;) {
        struct moves m;

        draw_moves(&seed, false, &m);
        for (int p = 0; p < 2; p++)
            if (gains(&m, p)) {
                ck_assert_msg(moved_fault(&m.part[p], few[_i]), "%s: gain %d is not missed",
                              case_words(m.part[p].leg), _i);
                i++;
            }
    }
}
END_TEST

/* Forwards a stream, but for the first message that it sends, or awaits; or ends an epoch early. */
struct spoiler {
    struct zoid_sink sink;
    struct zoid_sink *to;
    enum { ALL, NO_SEND, NO_AWAIT, EARLY } what;
    bool done;
};

static int on_load(struct zoid_sink *self, const struct zoid_access *a)
{
    struct zoid_sink *to = ((struct spoiler *)self)->to;

    return to->load(to, a);
}

static int on_block(struct zoid_sink *self, const struct zoid_block *b)
{
    struct zoid_sink *to = ((struct spoiler *)self)->to;

    return to->block(to, b);
}

static int on_store(struct zoid_sink *self, const struct zoid_access *a)
{
    struct zoid_sink *to = ((struct spoiler *)self)->to;

    return to->store(to, a);
}

static int on_message(struct zoid_sink *self, const struct zoid_message *m)
{
    struct spoiler *s = (struct spoiler *)self;
    const bool drops = !s->done && s->what == (m->sends ? NO_SEND : NO_AWAIT);

    s->done |= drops;
    return drops ? 0 : s->to->message(s->to, m);
}

static bool on_last(struct zoid_sink *self, long steps)
{
    const struct spoiler *s = (struct spoiler *)self;

    return s->to->last(s->to, steps) || s->what == EARLY;
}

/* Proves one leg that is spoilt, or emitted from another graph than the one that it is of. */
static const char *spoilt_fault(const struct run *run, const struct zoid_graph *emitted, int what)
{
    struct proof proof = {.run = run};
    struct zoid_prove *prove = begin(&proof);
    struct spoiler s = {.sink = {.load = on_load,
                                 .block = on_block,
                                 .store = on_store,
                                 .message = on_message,
                                 .last = on_last},
                        .to = zoid_prove_sink(prove),
                        .what = what};

    zoid_graph_emit(emitted, &s.sink);
    return verdict(prove);
}

/* True if the parts exchange, and end after the second epoch or later. */
static bool exchange(const struct common *c, const struct run part[])
{
    const struct zoid_range beside = zoid_grid_beside(part[0].leg, zoid_chain(&c->shape), 1);

    return c->parts == 2 && c->legs == 1 && beside.lo && beside.hi &&
           part[0].end[0] - c->start > 2 * c->epoch;
}

static void expect_found(const struct run *run, const struct zoid_graph *emitted, int what)
{
    ck_assert_msg(spoilt_fault(run, emitted, what), "%s, rank %d: sabotage %d is not found",
                  case_words(run->leg), run->leg->rank, what);
}

START_TEST(sabotages_are_found)
{
    uint64_t seed = (uint64_t)_i << 32 | 49;

    for (int i = 0; i < SPOILT;) {
        struct common c;
        struct run part[PARTS];
        long border[PARTS + 1];

        parts_draw(&seed, false, &c, part);
        if (!exchange(&c, part))
            continue;
        memcpy(border, c.border, sizeof border);
        border[1] += border[1] > 1 ? -1 : 1;
        for (int p = 0; p < 2; p++) {
            struct zoid_graph other = part[p].leg[0];

            other.cut[zoid_chain(&c.shape)].border = border;
            ck_assert_ptr_null(spoilt_fault(&part[p], part[p].leg, ALL));
            expect_found(&part[p], &other, ALL);
            for (int what = NO_SEND; what <= EARLY; what++)
                expect_found(&part[p], part[p].leg, what);
        }
        i++;
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, each_part_is_proved, 0, 2);
    tcase_add_loop_test(tests, borders_move, 0, 2);
    tcase_add_loop_test(tests, too_few_planes_are_found, 0, 2);
    tcase_add_test(tests, sabotages_are_found);
    tcase_add_loop_test(tests, each_rank_is_proved, 0, case_methods());
}

int main(void)
{
    return run_suite("alone", 120, add);
}
