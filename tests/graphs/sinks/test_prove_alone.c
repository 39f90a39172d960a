/* SPDX-License-Identifier: BSD-3-Clause */
/* The prover refuses wrong streams of one rank, in which it does not see what others do. */
#include <string.h>

#include "graphs/method.h"
#include "tests/graphs/cases.h"
#include "tests/graphs/sinks/sabotage.h"
#include "tests/suite.h"

/* The lower of two parts of 20 planes, in slabs of 5; three epochs of two passes of two steps. */
static struct zoid_graph lower(void)
{
    struct zoid_graph g = case_line(&zoid_naive, 40, 5, 1, 12);

    g.cut[0].cells = g.ranks[0] = 2;
    g.apart = true;
    g.epoch = 4;
    return g;
}

static struct zoid_graph upper(void)
{
    struct zoid_graph g = lower();

    g.rank = 1;
    return g;
}

/* The second of three ranks along x, of one cell each, which exchange slab by slab. */
static struct zoid_graph middle(void)
{
    struct zoid_graph g = sabotage_cells(sabotage_leaning());

    g.ranks[0] = 3;
    g.rank = 1;
    return g;
}

static struct zoid_graph all(void)
{
    struct zoid_graph g = middle();

    g.rank = ZOID_EVERY_RANK;
    return g;
}

/* ---- errors ------------------------------------------------------------------------------ */

static void nothing(struct sabotage *s, struct sabotage_item *item)
{
    (void)s, (void)item;
}

static void drop(struct sabotage *s, struct sabotage_item *item)
{
    (void)item;
    s->drop = true;
}

/* The n-th access to a message in a mode, of the first block that has it. */
static struct zoid_access *message(struct sabotage *s, struct sabotage_item *item,
                                   enum zoid_mode mode)
{
    for (size_t i = 0; i < item->block.naccess && !s->marked; i++)
        if (item->access[i].datum.kind == ZOID_MESSAGE && item->access[i].mode == mode) {
            s->marked = true;
            return &item->access[i];
        }
    return NULL;
}

static void take_more(struct sabotage *s, struct sabotage_item *item)
{
    struct zoid_access *a = message(s, item, ZOID_READ);

    if (a)
        a->in.hi += 9;
}

static void take_earlier(struct sabotage *s, struct sabotage_item *item)
{
    struct zoid_access *a = message(s, item, ZOID_READ);

    if (a)
        a->in.t0 = a->in.t1 += 1;
}

static void take_elsewhere(struct sabotage *s, struct sabotage_item *item)
{
    struct zoid_access *a = message(s, item, ZOID_READ);

    if (a)
        a->in.slot++;
}

static void take_patch(struct sabotage *s, struct sabotage_item *item)
{
    struct zoid_access *a = message(s, item, ZOID_READ);

    if (a)
        a->in.patch.axis[0].lo++;
}

static void take_not(struct sabotage *s, struct sabotage_item *item)
{
    struct zoid_access *a = message(s, item, ZOID_READ);

    if (a)
        *a = item->access[--item->block.naccess];
}

static void leave_less(struct sabotage *s, struct sabotage_item *item)
{
    struct zoid_access *a = message(s, item, ZOID_WRITE);

    if (a)
        a->out.lo++, a->out.slot++;
}

static void leave_elsewhere(struct sabotage *s, struct sabotage_item *item)
{
    struct zoid_access *a = message(s, item, ZOID_WRITE);

    if (a)
        a->out.slot--;
}

static void leave_not(struct sabotage *s, struct sabotage_item *item)
{
    struct zoid_access *a = message(s, item, ZOID_WRITE);

    if (a)
        *a = item->access[--item->block.naccess];
}

static void of_other_rank(struct sabotage *s, struct sabotage_item *item)
{
    (void)s;
    item->message.rank = 0;
}

static const struct {
    struct zoid_graph (*graph)(void), (*emitted)(void);
    long pass, position;
    void (*twist)(struct sabotage *s, struct sabotage_item *item);
    const char *why;
} cases[] = {
    {lower, lower, SABOTAGE_ALL, 0, nothing, ""},
    {upper, upper, SABOTAGE_ALL, 0, nothing, ""},
    {middle, middle, SABOTAGE_ALL, 0, nothing, ""},
    {middle, all, SABOTAGE_ALL, 0, nothing, "the load accesses slab 0:0, which is rank 0's"},
    {lower, upper, SABOTAGE_ALL, 0, nothing, "the load accesses slab 1:0, which is rank 1's"},
    {upper, upper, SABOTAGE_MESSAGE, 0, of_other_rank,
     "rank 0 awaits message 43:0 in the stream of rank 1"},
    {upper, upper, SABOTAGE_MESSAGE, 0, drop,
     "block (pass 5, cell 1, position 0) reads message 43:0, which was never awaited"},
    {upper, upper, SABOTAGE_MESSAGE, 1, drop,
     "block (pass 9, cell 1, position 0) reads message 44:0, which was never awaited"},
    {upper, upper, SABOTAGE_MESSAGE, 2, drop,
     "block (pass 5, cell 1, position 0) takes message 43:0 for epoch 1, for which message 118:0 "
     "was not sent"},
    {upper, upper, SABOTAGE_MESSAGE, 3, drop,
     "block (pass 9, cell 1, position 0) takes message 44:0 for epoch 2, for which message 119:0 "
     "was not sent"},
    {lower, lower, SABOTAGE_LOAD, 3, drop, "the load never brings plane 15 of time 0"},
    {lower, lower, SABOTAGE_STORE, 3, drop, "the graph never stores plane 15 of time 12"},
    {upper, upper, SABOTAGE_ALL, 0, take_more,
     "block (pass 5, cell 1, position 0) reads plane 20 of time 4, which message 43:0 does not "
     "hold (it holds planes [16, 20) of time 4)"},
    {upper, upper, SABOTAGE_ALL, 0, take_earlier,
     "block (pass 5, cell 1, position 0) has no legal `in` view of message 43:0: planes [16, 20) "
     "of times 5 to 5"},
    {upper, upper, SABOTAGE_ALL, 0, take_elsewhere,
     "block (pass 5, cell 1, position 0) reads plane 16 of time 4 in slot 1 of message 43:0, which "
     "holds it in slot 0"},
    {upper, upper, SABOTAGE_ALL, 0, take_not,
     "block (pass 5, cell 1, position 0) reads plane 16 of time 4, which none of its views has"},
    {upper, upper, SABOTAGE_ALL, 0, leave_less,
     "rank 1 sends message 118:0 without plane 20 of time 4"},
    {upper, upper, SABOTAGE_ALL, 0, leave_not,
     "block (pass 4, cell 1, position 1) keeps what message 118:0 holds, which was never written"},
    {middle, middle, SABOTAGE_ALL, 0, take_more,
     "block (pass 1, cell 1, position 0) reads plane 3 of time 2, which message 43:0 does not hold "
     "(it holds planes [0, 3) of time 2)"},
    {middle, middle, SABOTAGE_ALL, 0, take_patch,
     "block (pass 1, cell 1, position 0) reads message 43:0 as that of x [3, 4), and it is of [2, "
     "4)"},
    {middle, middle, SABOTAGE_ALL, 0, take_elsewhere,
     "block (pass 1, cell 1, position 0) reads plane 0 of time 2 in slot 3 of message 43:0, which "
     "holds it in slot 2"},
    {middle, middle, SABOTAGE_ALL, 0, leave_elsewhere,
     "rank 1 sends plane 0 in slot 1 of message 118:0, where it is read in 2"},
    {middle, middle, SABOTAGE_MESSAGE, 9, drop,
     "block (pass 1, cell 1, position 3) fetches message 199:4, which was never written"},
    {middle, middle, SABOTAGE_MESSAGE, 30, drop,
     "block (pass 2, cell 1, position 0) takes message 44:0 for epoch 2, for which message 119:0 "
     "was not sent"},
};

START_TEST(sabotage)
{
    struct zoid_graph g = cases[_i].graph(), emitted = cases[_i].emitted();
    struct zoid_prove_options options = {.graph = &g, .redundant = true};
    struct sabotage s = {
        .pass = cases[_i].pass, .position = cases[_i].position, .twist = cases[_i].twist};
    struct zoid_prove *prove;
    const char *why;
    bool clamped;

    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    ck_assert_int_eq(zoid_graph_init(&emitted, &clamped), 0);
    prove = zoid_prove_create(&options);
    ck_assert_ptr_nonnull(prove);
    sabotage_init(&s, zoid_prove_sink(prove));
    zoid_graph_emit(&emitted, &s.sink);
    zoid_prove_verdict(prove, &why);
    ck_assert_str_eq(why, cases[_i].why);
    zoid_prove_destroy(&prove);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, sabotage, 0, (int)(sizeof cases / sizeof *cases));
}

int main(void)
{
    return run_suite("prove_alone", 60, add);
}
