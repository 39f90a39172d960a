/* SPDX-License-Identifier: BSD-3-Clause */
/* The prover refuses wrong relays of ranks that take turns. */
#include <string.h>

#include "graphs/method.h"
#include "tests/graphs/cases.h"
#include "tests/suite.h"

/* Three ranks of 8 planes; two epochs of two passes of two steps. */
static struct zoid_graph turns(void)
{
    struct zoid_graph g = case_line(&zoid_leaning, 24, 3, 2, 8);
    bool clamped;

    g.shape.order[0] = ZOID_ASCENDING;
    g.cut[0].cells = g.ranks[0] = 3;
    g.rank = ZOID_EVERY_RANK;
    g.epoch = 4;
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    return g;
}

enum spoil {
    NOTHING,
    NO_SEND,
    NO_AWAIT,
    OTHER_PEER,
    OTHER_OWNER,
    NO_READ,
    NO_LEAVE,
    OTHER_PASS,
    OTHER_CELL,
    SHORT,
    NARROW,
    LATE_AWAIT,
    THIN,
    BEYOND,
    TOO_EARLY
};

/* Forwards a stream, except for the first item that the error applies to. */
struct spoiler {
    struct zoid_sink sink, *next;
    enum spoil spoil;
    bool done;
    long blocks; /* so far */
    bool held;   /* an await that is forwarded after the message that follows it */
    struct zoid_message late;
};

static bool spoils(struct spoiler *s, enum spoil spoil)
{
    const bool now = s->spoil == spoil && !s->done;

    s->done |= now;
    return now;
}

static int on_message(struct zoid_sink *self, const struct zoid_message *message)
{
    struct spoiler *s = (struct spoiler *)self;
    struct zoid_message m = *message;
    const bool relay = m.datum.kind == ZOID_RELAY;
    int rc;

    if (relay && m.sends && spoils(s, NO_SEND))
        return 0;
    if (relay && !m.sends && spoils(s, NO_AWAIT))
        return 0;
    if (relay && m.sends && spoils(s, OTHER_PEER))
        m.peer++;
    if (relay && !m.sends && spoils(s, OTHER_OWNER))
        m.datum.owner++;
    /* The await at the end of an epoch, before the rank sends the message down. */
    if (relay && !m.sends && s->blocks && spoils(s, LATE_AWAIT)) {
        s->late = m;
        s->held = true;
        return 0;
    }
    rc = s->next->message(s->next, &m);
    if (!rc && s->held && !relay && m.sends) {
        s->held = false;
        rc = s->next->message(s->next, &s->late);
    }
    return rc;
}

/* The block's first access to a relay in a mode, or NULL. */
static struct zoid_access *relay_of(struct zoid_access *access, size_t n, enum zoid_mode mode)
{
    for (size_t i = 0; i < n; i++)
        if (access[i].datum.kind == ZOID_RELAY && access[i].mode == mode)
            return &access[i];
    return NULL;
}

static int on_block(struct zoid_sink *self, const struct zoid_block *block)
{
    struct spoiler *s = (struct spoiler *)self;
    struct zoid_block b = *block;
    struct zoid_access access[16], *reads, *leaves;

    s->blocks++;
    ck_assert_uint_le(b.naccess, sizeof access / sizeof *access);
    memcpy(access, b.access, b.naccess * sizeof *access);
    b.access = access;
    reads = relay_of(access, b.naccess, ZOID_READ);
    leaves = relay_of(access, b.naccess, ZOID_WRITE);
    if (reads && spoils(s, NO_READ))
        *reads = access[--b.naccess];
    else if (leaves && spoils(s, NO_LEAVE))
        *leaves = access[--b.naccess];
    else if (leaves && spoils(s, OTHER_PASS))
        leaves->datum.col++;
    else if (reads && spoils(s, OTHER_CELL))
        reads->datum.row++, reads->datum.owner++;
    else if (leaves && spoils(s, SHORT))
        leaves->out.t1--;
    else if (reads && spoils(s, NARROW))
        reads->in.lo++;
    else if (leaves && spoils(s, THIN))
        leaves->out.lo++;
    else if (reads && spoils(s, BEYOND))
        reads->in.lo--;
    else if (reads && block->pass > 0 && spoils(s, TOO_EARLY))
        reads->in.t0--;
    return s->next->block(s->next, &b);
}

static int on_load(struct zoid_sink *self, const struct zoid_access *a)
{
    struct zoid_sink *next = ((struct spoiler *)self)->next;

    return next->load(next, a);
}

static int on_store(struct zoid_sink *self, const struct zoid_access *a)
{
    struct zoid_sink *next = ((struct spoiler *)self)->next;

    return next->store(next, a);
}

static const struct {
    enum spoil spoil;
    const char *why; /* a part of the message; NULL: proved */
} spoilt[] = {
    {NOTHING, NULL},
    {NO_SEND, "reads relay 0:0, which has not come"},
    {NO_AWAIT, "sends relay 0:0, which rank 1 does not await"},
    {OTHER_PEER, "sends relay 0:0 of rank 0 to rank 2"},
    {OTHER_OWNER, "awaits relay 0:0 of rank 1 from rank 0"},
    {NO_READ, "which none of its views has"},
    {NO_LEAVE, "sends relay 0:0, which nobody has left"},
    {OTHER_PASS, "accesses relay 0:1, which is another pass's"},
    {OTHER_CELL, "takes relay 1:0, which is for cell 2"},
    {SHORT, "reads plane"},
    {NARROW, "which none of its views has"},
    {LATE_AWAIT, "awaits relay 0:0 after message"},
};

static void expect_verdict(const struct zoid_graph *g, enum spoil spoil, const char *want)
{
    struct zoid_prove_options options = {.graph = g};
    struct zoid_prove *prove = zoid_prove_create(&options);
    struct spoiler s = {
        .sink = {.message = on_message, .load = on_load, .block = on_block, .store = on_store},
        .next = zoid_prove_sink(prove),
        .spoil = spoil};
    const char *why;
    int rc;

    zoid_graph_emit(g, &s.sink);
    rc = zoid_prove_verdict(prove, &why);
    ck_assert_msg(!rc == !want, "%s", why);
    if (want)
        ck_assert_msg(s.done && strstr(why, want), "%s", why);
    zoid_prove_destroy(&prove);
}

START_TEST(relays_are_proved)
{
    const struct zoid_graph g = turns();

    expect_verdict(&g, spoilt[_i].spoil, spoilt[_i].why);
}
END_TEST

/* The rank between two others, by itself. */
static const struct {
    enum spoil spoil;
    const char *why;
} spoilt_alone[] = {
    {NOTHING, NULL},
    {NO_SEND, "leaves relay 1:0, which it has left already"},
    {NO_AWAIT, "reads relay 0:0, which has not come"},
    {OTHER_PEER, "sends relay 1:0 of rank 1 to rank 3"},
    {OTHER_OWNER, "awaits relay 0:0 of rank 1 from rank 0"},
    {NO_READ, "reads plane 10 of time 1, which none of its views has"},
    {NO_LEAVE, "sends relay 1:0, which"},
    {OTHER_PASS, "accesses relay 1:1, which is another pass's"},
    {OTHER_CELL, "takes relay 1:0, which is for cell 2"},
    {SHORT, "sends relay 1:0 without plane 17 of time 2"},
    {NARROW, "reads plane 10 of time 1, which none of its views has"},
    {LATE_AWAIT, "awaits relay 0:0 after message 118:0 was sent, which lets it come"},
    {THIN, "sends relay 1:0 without plane 19 of time 0"},
    {BEYOND, "reads planes [10, 12) of time 0 of relay 0:0, which has those of [11, 12)"},
    {TOO_EARLY, "has no legal `in` view of relay 0:1: planes [9, 10) of times 1 to 4"},
};

START_TEST(relays_of_one_rank)
{
    struct zoid_graph g = turns();
    bool clamped;

    g.rank = 1;
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    expect_verdict(&g, spoilt_alone[_i].spoil, spoilt_alone[_i].why);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, relays_are_proved, 0, sizeof spoilt / sizeof *spoilt);
    tcase_add_loop_test(tests, relays_of_one_rank, 0, sizeof spoilt_alone / sizeof *spoilt_alone);
}

int main(void)
{
    return run_suite("relays", 60, add);
}
