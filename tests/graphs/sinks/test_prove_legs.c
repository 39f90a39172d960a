/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of legs with one error: a leg's output is not the next one's input, or a leg does not end
 * where its sink has ended it. */
#include <stdlib.h>

#include "graphs/leg.h"
#include "graphs/method.h"
#include "graphs/sinks/prove.h"
#include "tests/graphs/cases.h"
#include "tests/graphs/sinks/sabotage.h"
#include "tests/suite.h"

enum { LEGS = 3 };

/* How answers are passed between the prover and the emission. */
enum asking {
    HONEST,
    UNASKED,  /* the prover is not called */
    EARLY,    /* the emission ends though the prover did not say so */
    ENDLESS,  /* the emission goes on though the prover ended it */
    LATE,     /* the prover is called after blocks of the last pass */
    ELSEWHERE /* called with another step */
};

/* A list of legs of 3, 4 and 6 steps. */
struct leg_case {
    struct zoid_graph (*graph)(void);
    void (*change)(struct zoid_graph *leg, int i); /* on leg i when it is ready; NULL: no change */
    int leg;                                       /* the leg to change */
    long pass, position;
    void (*twist)(struct sabotage *s, struct sabotage_item *item); /* NULL: no change */
    long end; /* the step at which the prover ends legs */
    enum asking asking;
    const char *why;
};

/* ---- lists ------------------------------------------------------------------------------- */

/* Slabs of 5 planes; 20 planes need 4 or 5 of them; passes of two steps. */
static struct zoid_graph leaning(void)
{
    struct zoid_graph g = sabotage_leaning();

    g.steps = 3;
    g.leg.is = ZOID_LEG_FIRST;
    return g;
}

/* Slabs 1 to 4, which a run alone needs; all legs together need five. */
static struct zoid_graph low(void)
{
    struct zoid_graph g = leaning();

    g.shape.n[0] = 17;
    g.start = 5;
    g.depth = 3;
    return g;
}

static struct zoid_graph overlapped(void)
{
    struct zoid_graph g = leaning();

    g.method = &zoid_overlapped;
    return g;
}

static struct zoid_graph constant(void)
{
    return sabotage_coefficients(leaning(), ZOID_COEFFICIENTS_ALL);
}

static struct zoid_graph cells(void)
{
    return sabotage_cells(leaning());
}

static struct zoid_graph overlapped_cells(void)
{
    struct zoid_graph g = cells();

    g.method = &zoid_overlapped;
    return g;
}

/* ---- errors in a leg's parameters -------------------------------------------------------- */

static void a_step_late(struct zoid_graph *leg, int i)
{
    leg->start += i == 1;
}

static void a_step_early(struct zoid_graph *leg, int i)
{
    leg->start -= i == 1;
}

static void alone(struct zoid_graph *leg, int i)
{
    leg->leg.is = i == 0 ? ZOID_LEG_ONLY : leg->leg.is;
}

static void all_alone(struct zoid_graph *leg, int i)
{
    (void)i;
    if (leg->leg.is == ZOID_LEG_FIRST)
        leg->leg.is = ZOID_LEG_ONLY;
}

static void load_again(struct zoid_graph *leg, int i)
{
    leg->leg.is = i == 1 ? ZOID_LEG_FIRST : leg->leg.is;
}

static void roles_swapped(struct zoid_graph *leg, int i)
{
    leg->leg.epochs += i == 1;
}

static void as_if_loaded(struct zoid_graph *leg, int i)
{
    leg->leg.epochs = i == 1 ? 0 : leg->leg.epochs;
}

static void other_pieces(struct zoid_graph *leg, int i)
{
    leg->leg.piece += i == 1;
}

static void other_slabs(struct zoid_graph *leg, int i)
{
    leg->block += i == 1;
}

static void other_epochs(struct zoid_graph *leg, int i)
{
    leg->epoch *= i == 1 ? 2 : 1;
}

/* ---- errors in its blocks ---------------------------------------------------------------- */

static void drop(struct sabotage *s, struct sabotage_item *item)
{
    (void)item;
    s->drop = true;
}

static void drop_pass_1(struct sabotage *s, struct sabotage_item *item)
{
    s->drop = item->block.pass == 1;
}

static void deaf_from_time_2(struct sabotage *s, struct sabotage_item *item)
{
    s->deaf |= item->block.zoid.t0 == 2;
}

/* Three planes of drift. */
static void undrifted(struct sabotage *s, struct sabotage_item *item)
{
    struct zoid_access *a = sabotage_access(item, ZOID_SLAB, ZOID_UPDATE, 0);

    (void)s;
    a->in.lo += 3;
    a->in.hi += 3;
}

static void no_halo(struct sabotage *s, struct sabotage_item *item)
{
    struct zoid_access *a = sabotage_access(item, ZOID_HALO, ZOID_WRITE, 0);

    (void)s;
    if (item->block.cell == 1)
        *a = item->access[--item->block.naccess];
}

static void old_store(struct sabotage *s, struct sabotage_item *item)
{
    (void)s;
    item->access[0].in.t0 = item->access[0].in.t1 = 3;
}

static const struct leg_case leg_cases[] = {
    {leaning, NULL, 0, 0, 0, NULL, 0, HONEST, ""},
    {leaning, NULL, 0, 0, 0, NULL, 5, HONEST, ""},
    {overlapped, NULL, 0, 0, 0, NULL, 0, HONEST, ""},
    {constant, NULL, 0, 0, 0, NULL, 0, HONEST, ""},
    {cells, NULL, 0, 0, 0, NULL, 5, HONEST, ""},
    {overlapped_cells, NULL, 0, 0, 0, NULL, 2, HONEST, ""},
    {leaning, a_step_late, 0, 0, 0, NULL, 0, HONEST,
     "block (pass 0, position 0) reads plane 0 of time 4, which slab 0:0 does not hold (it holds "
     "planes [0, 2) of time 3)"},
    {leaning, a_step_early, 0, 0, 0, NULL, 0, HONEST,
     "block (pass 0, position 0) reads plane 0 of time 2, which slab 0:0 does not hold (it holds "
     "planes [0, 2) of time 3)"},
    {overlapped, a_step_late, 0, 0, 0, NULL, 0, HONEST,
     "block (pass 0, position 0) reads plane 0 of time 4, which slab 0:0 does not hold (it holds "
     "planes [0, 5) of time 3)"},
    {low, NULL, 0, 0, 0, NULL, 0, HONEST, ""},
    {low, alone, 0, 0, 0, NULL, 0, HONEST,
     "block (pass 0, position 3) fetches slab 0:4, which was never written"},
    {leaning, load_again, 0, 0, 0, NULL, 0, HONEST, "the leg loads again"},
    {leaning, NULL, 1, 0, 2, undrifted, 0, HONEST,
     "block (pass 0, position 2) reads plane 10 of time 3 in slot 0 of slab 0:2, which holds it in "
     "slot 3"},
    {leaning, other_slabs, 0, 0, 0, NULL, 0, HONEST, "the graph has legs of different slabs"},
    {leaning, NULL, 2, SABOTAGE_STORE, 1, old_store, 0, HONEST,
     "the store has no legal `in` view of slab 0:3: planes [2, 7) of times 3 to 3"},
    {leaning, NULL, 1, SABOTAGE_STORE, 1, drop, 0, HONEST,
     "the graph never stores plane 3 of time 7"},
    {constant, other_pieces, 0, 0, 0, NULL, 0, HONEST,
     "block (pass 0, position 0) reads plane 5 of time 3, which coefficient 0:0 does not hold (it "
     "holds planes [0, 5) of time 0)"},
    {cells, roles_swapped, 0, 0, 0, NULL, 0, HONEST,
     "block (pass 0, cell 0, position 0) reads plane 0 of time 3, which halo 3:0 does not hold (it "
     "holds planes [0, 3) of time 2)"},
    {cells, as_if_loaded, 0, 0, 0, NULL, 0, HONEST,
     "block (pass 0, cell 0, position 0) reads x [0, 6) of plane 0 of time 3, of which slab 0:0 "
     "has [0, 4)"},
    {cells, alone, 0, 0, 0, NULL, 0, HONEST,
     "block (pass 0, cell 0, position 0) fetches halo 2:1, which was never written"},
    {cells, all_alone, 0, 0, 0, NULL, 0, HONEST,
     "block (pass 0, cell 0, position 0) fetches halo 2:1, which was never written"},
    {cells, other_epochs, 0, 0, 0, NULL, 0, HONEST, "the graph has legs of different epochs"},
    {cells, NULL, 0, 1, 2, no_halo, 0, HONEST,
     "block (pass 0, cell 0, position 1) fetches halo 2:2, which was never written"},
    {overlapped_cells, roles_swapped, 0, 0, 0, NULL, 0, HONEST,
     "block (pass 1, cell 0, position 0) reads plane 0 of time 3, which halo 3:0 does not hold (it "
     "holds planes [0, 5) of time 2)"},
    {leaning, NULL, 1, SABOTAGE_ALL, 0, drop_pass_1, 7, HONEST,
     "the store reads plane 0 of time 7, which slab 0:1 does not hold (it holds planes [0, 5) of "
     "time 5)"},
    {leaning, NULL, 2, SABOTAGE_ALL, 0, drop_pass_1, 11, HONEST,
     "the store reads plane 0 of time 11, which slab 0:2 does not hold (it holds planes [1, 6) of "
     "time 9)"},
    {overlapped, NULL, 0, SABOTAGE_ALL, 0, deaf_from_time_2, 2, ENDLESS,
     "the graph leaves plane 4 of time 2 in edge 0:1, which nobody has read"},
    {leaning, NULL, 0, 0, 0, NULL, 5, ENDLESS,
     "block (pass 1, position 1) computes times 5 to 7, of 5"},
    {leaning, NULL, 0, 0, 0, NULL, 0, EARLY,
     "the store has no legal `in` view of slab 0:0: planes [-2, 3) of times 2 to 2"},
    {leaning, NULL, 0, 0, 0, NULL, 5, UNASKED, "the graph does not ask whether it ends at step 2"},
    {leaning, NULL, 0, 0, 0, NULL, 5, LATE, "the leg asks too late whether it ends at step 2"},
    {cells, NULL, 0, 0, 0, NULL, 5, LATE, "the leg asks too late whether it ends at step 2"},
    {leaning, NULL, 0, 0, 0, NULL, 5, ELSEWHERE, "the leg asks whether it ends at step 3"},
};

/* ---- a run ------------------------------------------------------------------------------- */

struct run {
    struct sabotage sabotage;
    const struct leg_case *c;
    struct zoid_prove *prove;
    long ended; /* the step at which the prover has ended the leg; -1: not ended */
    long late;  /* the step of a postponed call; -1: no call */
    int (*block)(struct zoid_sink *self, const struct zoid_block *block);
};

static bool end_at(void *self, long steps)
{
    struct run *run = self;

    if (steps != run->c->end)
        return false;
    run->ended = steps;
    return true;
}

static bool ask(struct zoid_sink *self, long steps)
{
    struct run *run = (struct run *)self;
    struct zoid_sink *to = zoid_prove_sink(run->prove);

    switch (run->c->asking) {
    case UNASKED:
        return false;
    case EARLY:
        to->last(to, steps);
        return true;
    case ENDLESS:
        to->last(to, steps);
        return false;
    case LATE:
        run->late = steps;
        return false;
    case ELSEWHERE:
        return to->last(to, steps + 1);
    default:
        return to->last(to, steps);
    }
}

/* Forwards a block, then makes the postponed call. */
static int on_block(struct zoid_sink *self, const struct zoid_block *b)
{
    struct run *run = (struct run *)self;
    struct zoid_sink *to = zoid_prove_sink(run->prove);
    int rc = run->block(self, b);

    if (run->late >= 0)
        to->last(to, run->late);
    run->late = -1;
    return rc;
}

static int emit_leg(struct run *run, const struct zoid_graph *g, int i)
{
    const struct leg_case *c = run->c;
    const bool spoil = c->twist && c->leg == i;

    run->sabotage = (struct sabotage){
        .pass = spoil ? c->pass : LEGS * SABOTAGE_ALL, .position = c->position, .twist = c->twist};
    sabotage_init(&run->sabotage, zoid_prove_sink(run->prove));
    run->block = run->sabotage.sink.block;
    run->sabotage.sink.block = on_block;
    run->sabotage.sink.last = ask;
    run->ended = run->late = -1;
    zoid_graph_emit(g, &run->sabotage.sink);
    ck_assert_msg(!spoil || run->sabotage.spoilt, "nothing spoilt that should be: %s", c->why);
    return 0;
}

START_TEST(sabotage)
{
    static const long steps[LEGS] = {3, 4, 6};
    struct run run = {.c = &leg_cases[_i]};
    struct zoid_graph g = run.c->graph();
    struct zoid_prove_options options = {
        .graph = &g, .redundant = case_redundant(&g), .last = end_at, .self = &run};
    const char *why;
    bool clamped;

    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    if (run.c->change)
        run.c->change(&g, 0);
    run.prove = zoid_prove_create(&options);
    emit_leg(&run, &g, 0);
    for (int i = 1; i < LEGS; i++) {
        const struct zoid_graph before = g;

        g.steps = steps[i];
        zoid_graph_follow(&g, &before, run.ended < 0 ? before.steps : run.ended - before.start,
                          &clamped);
        if (run.c->change)
            run.c->change(&g, i);
        if (zoid_prove_next(run.prove, &g))
            break;
        emit_leg(&run, &g, i);
    }
    zoid_prove_verdict(run.prove, &why);
    ck_assert_str_eq(why, run.c->why);
    zoid_prove_destroy(&run.prove);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, sabotage, 0, (int)(sizeof leg_cases / sizeof *leg_cases));
}

int main(void)
{
    return run_suite("prove_legs", 60, add);
}
