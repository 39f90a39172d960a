/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rule of joins, broken in one place of a legal graph. */
#include <string.h>

#include "graphs/message.h"
#include "graphs/method.h"
#include "tests/graphs/cases.h"
#include "tests/suite.h"

/* Forwards a stream, except for one join, which a twist changes. */
struct spoiler {
    struct zoid_sink sink, *to;
    long n; /* joins before it */
    void (*twist)(struct zoid_join *join, struct zoid_access *access);
    enum { ONCE, NEVER, TWICE, LATE } when; /* LATE: after the message was sent */
    bool holds, spoilt;
    struct zoid_join held;
    struct zoid_access access[ZOID_JOIN_MOST];
};

static int hand_over(struct spoiler *s)
{
    s->holds = false;
    s->held.access = s->access;
    return s->to->join(s->to, &s->held);
}

static int on_join(struct zoid_sink *self, const struct zoid_join *join)
{
    struct spoiler *s = (struct spoiler *)self;
    int rc;

    if (s->n--)
        return s->to->join(s->to, join);
    s->spoilt = true;
    s->held = *join;
    memcpy(s->access, join->access, join->naccess * sizeof *join->access);
    if (s->twist)
        s->twist(&s->held, s->access);
    s->holds = s->when == LATE;
    if (s->when == NEVER || s->when == LATE)
        return 0;
    rc = hand_over(s);
    return rc || s->when != TWICE ? rc : hand_over(s);
}

static int on_message(struct zoid_sink *self, const struct zoid_message *m)
{
    struct spoiler *s = (struct spoiler *)self;
    int rc = s->to->message(s->to, m);

    return !rc && s->holds ? hand_over(s) : rc;
}

static int on_load(struct zoid_sink *self, const struct zoid_access *a)
{
    const struct spoiler *s = (struct spoiler *)self;

    return s->to->load(s->to, a);
}

static int on_block(struct zoid_sink *self, const struct zoid_block *b)
{
    const struct spoiler *s = (struct spoiler *)self;

    return s->to->block(s->to, b);
}

static int on_store(struct zoid_sink *self, const struct zoid_access *a)
{
    const struct spoiler *s = (struct spoiler *)self;

    return s->to->store(s->to, a);
}

/* ---- graphs ------------------------------------------------------------------------------ */

/* 2 x 2 ranks of one cell of 4 x 4 points, two slabs of 5 planes, two epochs of one pass of 2
 * steps. In round y, rank 0 joins messages 118:j, from rank 1, to its own to rank 2, 49:j, to which
 * it contributes x [0, 4) of y [2, 4); rank 1 joins 43:j to 130:j, and so on. */
static struct zoid_graph square(void)
{
    struct zoid_graph g = case_line(&zoid_leaning, 10, 5, 2, 4);

    g.shape = (struct zoid_shape){
        .dims = 3, .n = {8, 8, 10}, .stages = 1, .reach = {{{1, 1, 1}, {1, 1, 1}}}};
    for (int a = 0; a < ZOID_PLANE_AXES; a++) {
        g.cut[a].cells = 2;
        g.ranks[a] = 2;
    }
    g.epoch = 2;
    g.rank = ZOID_EVERY_RANK;
    g.joined = true;
    return g;
}

/* 2 x 1 x 2 ranks of one cell of 4 x 3 points and a line of 12 planes, 10 own and 2 ghost planes,
 * in slabs of 1 plane. Planes [8, 10) go up from rank 0. */
static struct zoid_graph tower(void)
{
    struct zoid_graph g = square();

    g.shape.n[1] = 3;
    g.shape.n[2] = 20;
    g.method = &zoid_overlapped;
    g.block = 1;
    g.cut[1].cells = 1;
    g.ranks[1] = 1;
    g.cut[2].cells = g.ranks[2] = 2;
    return g;
}

/* ---- twists ------------------------------------------------------------------------------ */

static void narrow(struct zoid_join *j, struct zoid_access *access)
{
    (void)j;
    access[0].out.patch = access[0].in.patch;
}

static void too_wide(struct zoid_join *j, struct zoid_access *access)
{
    (void)j;
    access[0].out.patch.axis[0].hi++;
}

static void fewer_planes(struct zoid_join *j, struct zoid_access *access)
{
    (void)j;
    access[0].in.hi--;
    access[0].out.hi--;
}

static void nothing_from(struct zoid_join *j, struct zoid_access *access)
{
    (void)access;
    j->naccess = 1;
}

static void twice_from(struct zoid_join *j, struct zoid_access *access)
{
    access[2] = access[1];
    access[2].datum.col = 1;
    access[2].in.lo = access[2].in.hi;
    j->naccess++;
}

static void other_turn(struct zoid_join *j, struct zoid_access *access)
{
    (void)j;
    access[1].datum.row--;
}

static void other_slot(struct zoid_join *j, struct zoid_access *access)
{
    (void)j;
    access[1].in.slot++;
}

static void narrow_from(struct zoid_join *j, struct zoid_access *access)
{
    (void)j;
    access[1].in.patch.axis[0].lo++;
}

static void other_time(struct zoid_join *j, struct zoid_access *access)
{
    (void)j;
    access[1].in.t0 = access[1].in.t1 = 1;
}

static void from_slab(struct zoid_join *j, struct zoid_access *access)
{
    access[1].datum = (struct zoid_datum){.kind = ZOID_SLAB, .row = j->cell, .owner = j->owner};
}

static void into_next(struct zoid_join *j, struct zoid_access *access)
{
    (void)j;
    access[0].datum.row++;
}

static void into_other_slab(struct zoid_join *j, struct zoid_access *access)
{
    (void)j;
    access[0].datum.col++;
}

static void anew(struct zoid_join *j, struct zoid_access *access)
{
    (void)j;
    access[0].mode = ZOID_WRITE;
}

static void of_other(struct zoid_join *j, struct zoid_access *access)
{
    (void)access;
    j->cell = 1;
    j->owner = 1;
}

static void for_other(struct zoid_join *j, struct zoid_access *access)
{
    (void)access;
    j->owner = 1;
}

static void forgets(struct zoid_join *j, struct zoid_access *access)
{
    (void)j;
    access[0].keeps = false;
}

static const struct {
    struct zoid_graph (*graph)(void);
    long n;
    int when;
    void (*twist)(struct zoid_join *join, struct zoid_access *access);
    const char *why;
} spoilt[] = {
    {square, 0, ONCE, NULL, ""},
    {tower, 0, ONCE, NULL, ""},
    {square, 0, NEVER, NULL, "rank 0 sends message 49:0 without x 4, y 2 of plane 0 of time 2"},
    {square, 5, NEVER, NULL, "rank 1 sends message 130:1 without x 2, y 2 of plane 3 of time 2"},
    {tower, 0, NEVER, NULL, "rank 0 sends message 67:0 without x 4 of plane 8 of time 2"},
    {square, 0, LATE, NULL, "rank 0 sends message 49:0 without x 4, y 2 of plane 0 of time 2"},
    {square, 0, TWICE, NULL,
     "the join after block (pass 0, cell 0, position 0) reads message 49:0 as that of x [0, 4), "
     "and it is of [0, 6)"},
    {square, 0, ONCE, narrow, "rank 0 sends message 49:0 without x 4, y 2 of plane 0 of time 2"},
    {square, 0, ONCE, too_wide,
     "the join after block (pass 0, cell 0, position 0) leaves plane 0 of time 2 in message 49:0 "
     "without having it"},
    {square, 0, ONCE, fewer_planes,
     "rank 0 sends message 49:0 without x 0, y 2 of plane 2 of time 2"},
    {square, 0, ONCE, nothing_from,
     "the join after block (pass 0, cell 0, position 0) joins 0 messages"},
    {square, 0, ONCE, twice_from,
     "the join after block (pass 0, cell 0, position 0) reads message 118:1 in epoch 1, which is "
     "awaited for epoch 1"},
    {square, 0, ONCE, other_turn,
     "the join after block (pass 0, cell 0, position 0) reads message 117:0, which was never "
     "awaited"},
    {square, 0, ONCE, other_slot,
     "the join after block (pass 0, cell 0, position 0) reads plane 0 of time 2 in slot 3 of "
     "message 118:0, which holds it in slot 2"},
    {square, 0, ONCE, narrow_from,
     "the join after block (pass 0, cell 0, position 0) reads message 118:0 as that of x [5, 6), "
     "and it is of [4, 6)"},
    {square, 0, ONCE, other_time,
     "the join after block (pass 0, cell 0, position 0) has no legal `in` view of message 118:0: "
     "planes [0, 3) of times 1 to 1"},
    {square, 0, ONCE, from_slab,
     "the join after block (pass 0, cell 0, position 0) joins slab 0:0, which is no message"},
    {square, 0, ONCE, into_next,
     "the join after block (pass 0, cell 0, position 0) joins message 50:0, which nobody has left "
     "for epoch 1"},
    {square, 0, ONCE, into_other_slab,
     "the join after block (pass 0, cell 0, position 0) joins message 49:1, which nobody has left "
     "for epoch 1"},
    {square, 0, ONCE, anew,
     "the join after block (pass 0, cell 0, position 0) joins message 49:0, which nobody has left "
     "for epoch 1"},
    {square, 0, ONCE, of_other,
     "the join after block (pass 0, cell 1, position 0) leaves message 49:0, which is of cell 0"},
    {square, 0, ONCE, for_other,
     "the join after block (pass 0, cell 0, position 0) is rank 1's, and its cell rank 0's"},
    {tower, 0, ONCE, forgets,
     "the join after block (pass 1, cell 0, position 11) reads plane 9 of time 2, which message "
     "67:0 does not hold (it holds planes [8, 9) of time 2)"},
    {tower, 1, ONCE, forgets, "rank 0 sends message 67:0 without x 0 of plane 8 of time 2"},
};

START_TEST(spoilt_join)
{
    struct zoid_graph g = spoilt[_i].graph();
    struct zoid_prove *prove;
    struct spoiler s = {.sink = {.message = on_message,
                                 .join = on_join,
                                 .load = on_load,
                                 .block = on_block,
                                 .store = on_store},
                        .n = spoilt[_i].n,
                        .when = spoilt[_i].when,
                        .twist = spoilt[_i].twist};
    const char *why;
    bool clamped;
    int verdict;

    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    prove = zoid_prove_create(&(struct zoid_prove_options){.graph = &g, .redundant = true});
    ck_assert_ptr_nonnull(prove);
    s.to = zoid_prove_sink(prove);
    ck_assert_int_ge(zoid_graph_emit(&g, &s.sink), -1);
    ck_assert(s.spoilt);
    verdict = zoid_prove_verdict(prove, &why);
    ck_assert_str_eq(why, spoilt[_i].why);
    ck_assert_int_eq(verdict != 0, spoilt[_i].why[0] != 0);
    zoid_prove_destroy(&prove);
}
END_TEST

/* Axis by axis a rank has one message per side; directly one more per edge and corner. */
START_TEST(as_many_as_sides)
{
    struct zoid_graph g = square();
    struct zoid_census census;
    bool clamped;

    g.shape.n[0] = g.shape.n[1] = g.shape.n[2] = 24;
    for (int a = 0; a < ZOID_AXES; a++)
        g.cut[a].cells = g.ranks[a] = 3;
    g.method = &zoid_overlapped;
    g.rank = 13; /* in the middle */
    g.joined = _i;
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    zoid_graph_census(&g, &census);
    ck_assert_int_eq(census.kind[ZOID_MESSAGE].rows, (_i ? 6 : 26) * (1 + ZOID_MESSAGE_EPOCHS));
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, spoilt_join, 0, sizeof spoilt / sizeof *spoilt);
    tcase_add_loop_test(tests, as_many_as_sides, 0, 2);
}

int main(void)
{
    return run_suite("joins", 30, add);
}
