/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks above one another that share no more than borders and epoch: each has a method, slabs, a
 * depth and lanes of its own, and their streams fit. */
#include "graphs/common/arith.h"
#include "graphs/common/grid.h"
#include "graphs/leg.h"
#include "tests/effort.h"
#include "tests/graphs/ranks/channels.h"
#include "tests/suite.h"

enum { CASES = 600, SPOILT = 30, PARTS = 3, STEPS = 40, EPOCH = 12 };

/* Common properties of all parts. */
struct common {
    struct zoid_shape shape;
    long parts, border[PARTS + 1];
    long start, steps, epoch, legs;
};

static void draw_shape(uint64_t *seed, bool in_order, struct zoid_shape *s)
{
    *s = (struct zoid_shape){.dims = (int)case_between(seed, 1, 3), .n = {1, 1, 1}};
    for (int a = 0; a < zoid_chain(s); a++)
        s->n[a] = case_between(seed, 1, 6);
    s->n[zoid_chain(s)] = case_between(seed, 24, 90);
    s->stages = (int)case_between(seed, 1, 2);
    for (int i = 0; i < s->stages; i++) {
        s->order[i] = in_order;
        for (int a = 0; a < s->dims; a++) {
            s->reach[i].lo[a] = case_between(seed, in_order, 2);
            s->reach[i].hi[a] = case_between(seed, in_order, 2);
        }
    }
    if (!in_order && !case_between(seed, 0, 2))
        for (int side = 0; side < 2; side++)
            s->face[zoid_chain(s)][side] = ZOID_PERIODIC;
}

static void draw_common(uint64_t *seed, bool in_order, struct common *c)
{
    long n;

    draw_shape(seed, in_order, &c->shape);
    n = c->shape.n[zoid_chain(&c->shape)];
    c->parts = case_between(seed, 2, PARTS);
    c->border[0] = 0;
    for (long i = 1; i < c->parts; i++)
        c->border[i] = zoid_min(c->border[i - 1] + case_between(seed, 2, n - 4), n - c->parts + i);
    c->border[c->parts] = n;
    c->start = case_start(seed);
    c->steps = case_between(seed, 1, STEPS);
    c->epoch = case_between(seed, 1, EPOCH);
    c->legs = case_between(seed, 1, RUN_LEGS);
}

static long divisor(uint64_t *seed, long of)
{
    long d = case_between(seed, 1, of);

    while (of % d)
        d--;
    return d;
}

/* The first leg of a part; those of sweeps in order have depth and slabs in common. */
static int draw_part(uint64_t *seed, const struct common *c, const struct zoid_graph *below,
                     struct zoid_graph *g)
{
    const int chain = zoid_chain(&c->shape);
    const struct zoid_method *m = zoid_methods[case_between(seed, 0, case_methods() - 1)];
    bool clamped;

    if (zoid_in_order(&c->shape))
        m = zoid_method_find("leaning");
    *g = (struct zoid_graph){.method = m,
                             .shape = c->shape,
                             .start = c->start,
                             .steps = c->steps,
                             .block = case_between(seed, m->min_block(&c->shape), 40),
                             .depth = divisor(seed, c->epoch),
                             .epoch = c->epoch,
                             .rank = below ? below->rank + 1 : 0,
                             .apart = true,
                             .line = case_between(seed, 0, 1) ? case_between(seed, 1, 90) : 0,
                             .lanes = (int)case_between(seed, 1, 4),
                             .elastic = case_between(seed, 0, 1),
                             .leg.is = c->legs > 1 ? ZOID_LEG_FIRST : ZOID_LEG_ONLY};
    if (below && zoid_in_order(&c->shape)) {
        g->block = below->block;
        g->depth = below->depth;
        g->line = below->line;
    }
    g->cut[chain] = (struct zoid_axis_cells){c->parts, 1, c->border};
    g->ranks[chain] = c->parts;
    return zoid_graph_init(g, &clamped) || g->epoch != c->epoch;
}

/* The other legs of all parts: of as many steps, each with a depth and lanes of its own, and with
 * ends that all agree to. */
static bool draw_legs(uint64_t *seed, const struct common *c, struct run part[])
{
    bool clamped, refused = false;

    for (long i = 0; i < c->legs; i++) {
        const long steps = i ? case_between(seed, 0, 20) : c->steps;
        const long depth = divisor(seed, c->epoch);
        const long epochs = steps ? (steps - 1) / c->epoch : 0;
        const long ended = case_between(seed, 0, 1) ? case_between(seed, 0, epochs) : 0;

        for (long p = 0; p < c->parts && !refused; p++) {
            struct zoid_graph *g = &part[p].leg[i];

            part[p].legs = i + 1;
            if (i) {
                *g = g[-1];
                g->steps = steps;
                g->depth = zoid_in_order(&c->shape) ? depth : divisor(seed, c->epoch);
                g->lanes = (int)case_between(seed, 1, 4);
                refused = zoid_graph_follow(g, &g[-1], part[p].end[i - 1] - g[-1].start, &clamped);
            }
            part[p].end[i] = g->start + (ended ? ended * c->epoch : steps);
        }
    }
    return !refused;
}

/* Draws the common properties of a run, then the parts, until all are accepted. */
static void draw(uint64_t *seed, bool in_order, struct common *c, struct run part[])
{
    bool refused;

    do {
        draw_common(seed, in_order, c);
        refused = false;
        for (long i = 0; i < c->parts && !refused; i++)
            refused = draw_part(seed, c, i ? part[i - 1].leg : NULL, part[i].leg);
    } while (refused || !draw_legs(seed, c, part));
}

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

        draw(&seed, _i, &c, part);
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

        draw(&seed, false, &c, part);
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

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, parts_fit, 0, 2);
    tcase_add_loop_test(tests, sabotage, 0, sizeof sabotages / sizeof *sabotages);
}

int main(void)
{
    return run_suite("parts", 120, add);
}
