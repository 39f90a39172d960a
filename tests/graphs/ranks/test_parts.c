/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks above one another that share no more than borders and epoch: each has a method, slabs, a
 * depth and lanes of its own, and their streams fit. */
#include "graphs/common/arith.h"
#include "graphs/common/grid.h"
#include "tests/effort.h"
#include "tests/graphs/ranks/channels.h"
#include "tests/graphs/ranks/parts.h"
#include "tests/suite.h"

enum { CASES = 600, SPOILT = 30 };

static void expect_fit(const struct common *c, const struct stream stream[],
                       const struct schedule *schedule)
{
    const char *fault = channels_fault(stream, (int)c->parts, schedule);

    ck_assert_msg(!fault, "%s, at %ld: %s", case_words(stream->run->leg), c->border[1], fault);
}

static void expect_all(uint64_t *seed, const struct common *c, const struct stream stream[])
{
    static const int up[PARTS] = {0, 1, 2}, down[][PARTS] = {{1, 0}, {2, 1, 0}};
    const int *back = down[c->parts - 2];

    expect_fit(c, stream, &(struct schedule){.order = up});
    expect_fit(c, stream, &(struct schedule){.order = back});
    expect_fit(c, stream, &(struct schedule){.order = up, .shared = true});
    expect_fit(c, stream, &(struct schedule){.order = back, .shared = true});
    expect_fit(c, stream, &(struct schedule){.seed = *seed, .shared = true});
}

START_TEST(parts_fit)
{
    uint64_t seed = (uint64_t)_i << 32 | 43;

    for (int i = 0; i < effort(CASES); i++) {
        struct common c;
        struct run part[PARTS];
        struct stream stream[PARTS];

        parts_draw(&seed, _i, &c, part);
        for (long p = 0; p < c.parts; p++)
            stream_record(&stream[p], &part[p]);
        expect_all(&seed, &c, stream);
        for (long p = 0; p < c.parts; p++)
            stream_free(&stream[p]);
    }
}
END_TEST

/* ---- sabotages --------------------------------------------------------------------------- */

/* The second part takes the border for a plane higher, or lower. */
static void other_border(struct common *c, struct run part[], struct stream stream[])
{
    static long border[PARTS + 1];
    const int chain = zoid_chain(&c->shape);
    const long up = c->border[2] - c->border[1] > c->epoch * 2 * 2 * 2 ? 1 : -1;

    for (long i = 0; i <= c->parts; i++)
        border[i] = c->border[i] + (i == 1 ? up : 0);
    for (long i = 0; i < part[1].legs; i++)
        part[1].leg[i].cut[chain].border = border;
    stream_free(&stream[1]);
    stream_record(&stream[1], &part[1]);
}

static long first_message(const struct stream *s, bool sends)
{
    for (long i = 0; i < s->events; i++)
        if (s->event[i].call == CALL_MESSAGE && s->event[i].message.sends == sends)
            return i;
    ck_abort_msg("no message to leave out");
    return -1;
}

static void leave_out(struct stream *s, bool sends)
{
    const long at = first_message(s, sends);

    for (long i = at; i + 1 < s->events; i++)
        s->event[i] = s->event[i + 1];
    s->events--;
}

static void no_exchange(struct common *c, struct run part[], struct stream stream[])
{
    (void)c, (void)part;
    leave_out(&stream[0], true);
}

static void no_await(struct common *c, struct run part[], struct stream stream[])
{
    (void)c, (void)part;
    leave_out(&stream[1], false);
}

/* The first part ends its first leg an epoch before the others do. */
static void early_end(struct common *c, struct run part[], struct stream stream[])
{
    part[0].end[0] = c->start + (part[0].end[0] - c->start - 1) / c->epoch * c->epoch;
    stream_free(&stream[0]);
    stream_record(&stream[0], &part[0]);
}

static void (*const sabotages[])(struct common *, struct run[], struct stream[]) = {
    other_border, no_exchange, no_await, early_end};

/* True if the parts exchange in the first leg, and end it after the second epoch or later. */
static bool exchanges(const struct common *c, const struct run part[])
{
    struct zoid_range beside = zoid_grid_beside(part[0].leg, zoid_chain(&c->shape), 1);

    return c->parts == 2 && beside.lo && beside.hi && part[0].end[0] - c->start > 2 * c->epoch &&
           part[0].legs == 1;
}

START_TEST(sabotage)
{
    uint64_t seed = (uint64_t)_i << 32 | 44;

    for (int i = 0; i < SPOILT;) {
        struct common c;
        struct run part[PARTS];
        struct stream stream[PARTS];
        bool found;

        parts_draw(&seed, false, &c, part);
        if (!exchanges(&c, part))
            continue;
        for (long p = 0; p < c.parts; p++)
            stream_record(&stream[p], &part[p]);
        sabotages[_i](&c, part, stream);
        found = channels_fault(stream, 2, &(struct schedule){.seed = seed}) != NULL;
        ck_assert_msg(found, "%s, at %ld: sabotage %d is not found", case_words(part[0].leg),
                      c.border[1], _i);
        for (long p = 0; p < c.parts; p++)
            stream_free(&stream[p]);
        i++;
    }
}
END_TEST

/* The first access that leaves a relay; NULL: there is no such one. */
static struct zoid_access *first_relay(const struct stream *s)
{
    for (long i = 0; i < s->events; i++)
        for (size_t n = 0; s->event[i].call == CALL_BLOCK && n < s->event[i].block.naccess; n++) {
            const struct zoid_access *a = &s->event[i].block.access[n];

            if (a->datum.kind == ZOID_RELAY && a->mode == ZOID_WRITE)
                return (struct zoid_access *)a;
        }
    return NULL;
}

START_TEST(relays_elsewhere)
{
    uint64_t seed = 50;

    for (int i = 0; i < SPOILT;) {
        struct common c;
        struct run part[PARTS];
        struct stream stream[PARTS];
        struct zoid_access *relay;

        parts_draw(&seed, true, &c, part);
        for (long p = 0; p < c.parts; p++)
            stream_record(&stream[p], &part[p]);
        relay = first_relay(&stream[0]);
        if (relay) {
            relay->out.slot++;
            ck_assert_msg(channels_fault(stream, (int)c.parts, &(struct schedule){.seed = seed}),
                          "%s: another slot is not found", case_words(part[0].leg));
            i++;
        }
        for (long p = 0; p < c.parts; p++)
            stream_free(&stream[p]);
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, parts_fit, 0, 2);
    tcase_add_loop_test(tests, sabotage, 0, sizeof sabotages / sizeof *sabotages);
    tcase_add_test(tests, relays_elsewhere);
}

int main(void)
{
    return run_suite("parts", 120, add);
}
