/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that each run their own stream reach the same end, in every interleaving. */
#include <stdlib.h>

#include "graphs/cell.h"
#include "tests/effort.h"
#include "tests/graphs/ranks/channels.h"
#include "tests/graphs/sinks/sabotage.h"
#include "tests/suite.h"

enum { CASES = 250, MOST = 27 }; /* runs of each method; ranks */

static void record(const struct run *run, struct run own[], struct stream stream[])
{
    for (int r = 0; r < zoid_ranks(run->leg); r++) {
        run_of_rank(run, r, &own[r]);
        stream_record(&stream[r], &own[r]);
    }
}

static void expect_all(const struct run *run, const struct stream stream[],
                       const struct schedule *schedule)
{
    const char *fault = channels_fault(stream, (int)zoid_ranks(run->leg), schedule);

    ck_assert_msg(!fault, "%s: %s", case_words(run->leg), fault);
}

static void shuffle(uint64_t *seed, int ranks, int order[])
{
    for (int r = 0; r < ranks; r++) {
        const int at = (int)case_between(seed, 0, r);

        order[r] = order[at];
        order[at] = r;
    }
}

START_TEST(ranks_agree)
{
    uint64_t seed = (uint64_t)_i << 32 | 13;

    for (int i = 0; i < effort(CASES); i++) {
        int order[MOST], back[MOST], ranks;
        struct stream stream[MOST];
        struct run run, own[MOST];

        run_make(&seed, zoid_methods[_i], &run);
        ranks = (int)zoid_ranks(run.leg);
        record(&run, own, stream);
        shuffle(&seed, ranks, order);
        for (int r = 0; r < ranks; r++)
            back[r] = order[ranks - 1 - r];
        expect_all(&run, stream, &(struct schedule){.order = order});
        expect_all(&run, stream, &(struct schedule){.order = back});
        expect_all(&run, stream, &(struct schedule){.seed = seed});
        expect_all(&run, stream, &(struct schedule){.seed = seed + 1});
        expect_all(&run, stream, &(struct schedule){.order = back, .shared = true});
        for (int r = 0; r < ranks; r++)
            stream_free(&stream[r]);
    }
}
END_TEST

/* ---- sabotages --------------------------------------------------------------------------- */

enum { RANKS = 3, STEPS = 10 };

/* Three ranks of one cell, five epochs of one pass. Messages 42:j ... 44:j go from rank 0 to rank
 * 1, 117:j ... 119:j back, 123:j ... 125:j from rank 1 to rank 2, 198:j ... 200:j back; the first
 * of each three for epoch 3, the second for epochs 1 and 4, the third for epoch 2. */
static struct run ranks_in_a_row(void)
{
    struct run run = {.legs = 1, .leg = {sabotage_cells(sabotage_leaning())}, .end = {STEPS}};
    bool clamped;

    run.leg[0].steps = STEPS;
    run.leg[0].ranks[0] = RANKS;
    run.leg[0].rank = ZOID_EVERY_RANK;
    ck_assert_int_eq(zoid_graph_init(run.leg, &clamped), 0);
    return run;
}

/* Index of the n-th await or send of a message. */
static long find_message(const struct stream *s, bool sends, long row, long col, int n)
{
    for (long i = 0; i < s->events; i++) {
        const struct event *e = &s->event[i];

        if (e->call == CALL_MESSAGE && e->message.sends == sends && e->message.datum.row == row &&
            e->message.datum.col == col && !n--)
            return i;
    }
    ck_abort_msg("no such message to spoil");
    return -1;
}

static long find_block(const struct stream *s, long pass, long position)
{
    for (long i = 0; i < s->events; i++)
        if (s->event[i].call == CALL_BLOCK && s->event[i].block.pass == pass &&
            s->event[i].block.position == position)
            return i;
    ck_abort_msg("no such block to spoil");
    return -1;
}

static struct zoid_access *message_of(const struct event *e, enum zoid_mode mode)
{
    for (size_t i = 0; i < e->block.naccess; i++)
        if (e->block.access[i].datum.kind == ZOID_MESSAGE && e->block.access[i].mode == mode)
            return (struct zoid_access *)&e->block.access[i];
    ck_abort_msg("no such access to spoil");
    return NULL;
}

static void move_event(struct stream *s, long from, long to)
{
    const struct event e = s->event[from];

    for (; from < to; from++)
        s->event[from] = s->event[from + 1];
    for (; from > to; from--)
        s->event[from] = s->event[from - 1];
    s->event[to] = e;
}

static void drop_message(struct stream *s, bool sends, long row, int n)
{
    const long at = find_message(s, sends, row, 1, n);

    move_event(s, at, --s->events);
}

static void no_send(struct stream s[])
{
    drop_message(&s[1], true, 118, 0);
}

static void no_last_send(struct stream s[])
{
    drop_message(&s[1], true, 118, 1);
}

static void no_await(struct stream s[])
{
    drop_message(&s[0], false, 119, 0);
}

static void await_twice(struct stream s[])
{
    s[0].event[find_message(&s[0], false, 118, 2, 0)].message.datum.col = 1;
}

static void swapped_sends(struct stream s[])
{
    struct event *a = &s[1].event[find_message(&s[1], true, 118, 1, 0)];
    struct event *b = &s[1].event[find_message(&s[1], true, 119, 1, 0)];
    const struct event e = *a;

    *a = *b;
    *b = e;
}

static void await_before_reader(struct stream s[])
{
    move_event(&s[0], find_message(&s[0], false, 118, 1, 1), find_block(&s[0], 1, 1));
}

static void await_after_answer(struct stream s[])
{
    const long at = find_message(&s[0], false, 119, 1, 0);

    move_event(&s[0], at, at + 1);
}

static void send_before_block(struct stream s[])
{
    move_event(&s[1], find_message(&s[1], true, 118, 1, 0), find_block(&s[1], 0, 1));
}

/* Gives turns 0 and 2 the same name. */
static void take_turns(struct zoid_datum *d)
{
    if (d->kind == ZOID_MESSAGE && d->row % 3 == 2)
        d->row -= 2;
}

static void two_turns(struct stream s[])
{
    for (int r = 0; r < RANKS; r++)
        for (long i = 0; i < s[r].events; i++) {
            struct event *e = &s[r].event[i];

            if (e->call == CALL_MESSAGE)
                take_turns(&e->message.datum);
            for (size_t a = 0; e->call == CALL_BLOCK && a < e->block.naccess; a++)
                take_turns((struct zoid_datum *)&e->block.access[a].datum);
        }
}

static void shallow(struct stream s[])
{
    message_of(&s[1].event[find_block(&s[1], 0, 1)], ZOID_WRITE)->out.patch.axis[0].hi--;
}

static void slab_of_rank(struct stream s[])
{
    struct event *e = &s[0].event[find_block(&s[0], 1, 1)];
    struct zoid_datum *d = (struct zoid_datum *)&e->block.access[0].datum;

    *d = (struct zoid_datum){.kind = ZOID_SLAB, .row = 1, .col = 1, .owner = 1};
}

/* Ends rank 1 after four epochs; it sends no new messages in the last one. */
static void early_end(struct stream s[])
{
    static struct run run;

    run = *s[1].run;
    run.end[0] -= 2;
    stream_free(&s[1]);
    stream_record(&s[1], &run);
}

static void none(struct stream s[])
{
    (void)s;
}

static const struct {
    void (*twist)(struct stream s[]);
    const char *why; /* NULL: no fault */
} spoilt[] = {
    {none, NULL},
    {no_send, "cell 1 leaves message 119:1, and has not sent 118:1"},
    {no_last_send, "rank 0 waits at cell 0, pass 4"},
    {no_await, "cell 0 reads message 119:1, which was never awaited"},
    {await_twice, "rank 0 awaits message 118:1 twice"},
    {swapped_sends, "rank 1 sends message 119:1, and has left 118:1"},
    {await_before_reader, "rank 0 waits at cell 0, pass 1"},
    {await_after_answer, "message 119:1 comes before rank 0 awaits it"},
    {send_before_block, "cell 1 leaves message 119:1, and has not sent 118:1"},
    {two_turns, "rank 2 awaits message 123:0 twice"},
    {shallow, "cell 0 reads message 118:1, which is of another patch"},
    {slab_of_rank, "cell 0 accesses data of rank 1"},
    {early_end, "cell 2 reads message 124:1 of time 8, which is of time -1"},
};

/* Rank 1 runs ahead of rank 2, and rank 2 ahead of rank 0. */
START_TEST(sabotage)
{
    static const int order[RANKS] = {1, 2, 0};
    const struct run run = ranks_in_a_row();
    struct stream stream[RANKS];
    struct run own[RANKS];
    const char *fault;

    record(&run, own, stream);
    spoilt[_i].twist(stream);
    fault = channels_fault(stream, RANKS, &(struct schedule){.order = order});
    if (spoilt[_i].why)
        ck_assert_pstr_eq(fault, spoilt[_i].why);
    else
        ck_assert_ptr_null(fault);
    for (int r = 0; r < RANKS; r++)
        stream_free(&stream[r]);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, ranks_agree, 0, case_methods());
    tcase_add_loop_test(tests, sabotage, 0, sizeof spoilt / sizeof *spoilt);
}

int main(void)
{
    return run_suite("channels", 120, add);
}
