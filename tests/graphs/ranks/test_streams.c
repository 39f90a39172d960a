/* SPDX-License-Identifier: BSD-3-Clause */
/* The stream of a rank is that of all ranks without the blocks of the others, and uses the data of
 * the rank's census. */
#include <stdlib.h>

#include "graphs/cell.h"
#include "graphs/leg.h"
#include "graphs/message.h"
#include "graphs/method.h"
#include "tests/effort.h"
#include "tests/graphs/ranks/streams.h"
#include "tests/suite.h"

enum { CASES = 60 }; /* runs of each method */

/* Accesses of a rank by row and column of its census: the row in the graph of all ranks, counted
 * from 1. */
struct data {
    struct zoid_census census; /* of all legs */
    struct zoid_census leg[RUN_LEGS];
    long *row[ZOID_KINDS];
};

/* True for calls of `last` by ranks that take turns. Each rank makes them at its own time, so they
 * are not compared. */
static bool skipped(const struct stream *s, long i)
{
    return s->event[i].call == CALL_LAST && zoid_in_order(&s->run->leg->shape);
}

static void expect_own(const struct stream *all, const struct stream *own, int rank)
{
    long at = 0;

    for (long i = 0; i < all->events; i++) {
        const struct event *e = &all->event[i];

        while (at < own->events && skipped(own, at))
            at++;
        if (!event_of(e, rank) || skipped(all, i))
            continue;
        ck_assert_msg(at < own->events, "%s: rank %d lacks %s", case_words(own->run->leg), rank,
                      event_words(e));
        if (!event_same(e, &own->event[at]))
            ck_abort_msg("%s: rank %d has another %s", case_words(own->run->leg), rank,
                         event_words(e));
        at++;
    }
    while (at < own->events && skipped(own, at))
        at++;
    ck_assert_msg(at == own->events, "%s: rank %d has more", case_words(own->run->leg), rank);
}

/* ---- the census of a rank ---------------------------------------------------------------- */

static void make_data(const struct run *own, struct data *data)
{
    *data = (struct data){.census = {.blocks = 0}};
    for (long i = 0; i < own->legs; i++) {
        zoid_graph_census(&own->leg[i], &data->leg[i]);
        zoid_census_join(&data->census, &data->leg[i]);
    }
    for (int k = 0; k < ZOID_KINDS; k++)
        data->row[k] = calloc((size_t)(data->census.kind[k].rows * data->census.kind[k].cols) + 1,
                              sizeof *data->row[k]);
}

static void free_data(struct data *data)
{
    for (int k = 0; k < ZOID_KINDS; k++)
        free(data->row[k]);
}

/* Between two legs dead data may change rows. Messages that a rank sends itself share one datum
 * over all epochs. */
static void forget_dead(struct data *data)
{
    static const enum zoid_kind dead[] = {ZOID_REUSE, ZOID_EDGE, ZOID_RELAY};

    for (size_t i = 0; i < sizeof dead / sizeof *dead; i++) {
        const struct zoid_census_row *kind = &data->census.kind[dead[i]];

        for (long n = 0; n < kind->rows * kind->cols; n++)
            data->row[dead[i]][n] = 0;
    }
}

static void use(const struct run *own, const struct event *e, struct data *data,
                const struct zoid_datum *d)
{
    const struct zoid_graph *g = &own->leg[e->leg];
    const struct zoid_census *census = &data->leg[e->leg];
    const long row = zoid_rank_row(g, &census->kind[d->kind], d);
    const bool sent = d->kind == ZOID_MESSAGE && d->owner == g->rank;
    const long name = sent ? d->row / ZOID_MESSAGE_EPOCHS * ZOID_MESSAGE_EPOCHS : d->row;
    long *has;

    ck_assert_msg(row >= 0 && row < census->kind[d->kind].rows && d->col >= 0 &&
                      d->col < census->kind[d->kind].cols,
                  "%s, rank %d: %s: row %ld of kind %d is %ld of %ld", case_words(g), g->rank,
                  event_words(e), d->row, d->kind, row, census->kind[d->kind].rows);
    has = &data->row[d->kind][row * data->census.kind[d->kind].cols + d->col];
    ck_assert_msg(*has == 0 || *has == name + 1, "%s, rank %d: %s: rows %ld and %ld are both %ld",
                  case_words(g), g->rank, event_words(e), *has - 1, name, row);
    *has = name + 1;
}

static void use_view(const struct run *own, const struct event *e, const struct data *data,
                     const struct zoid_access *a, const struct zoid_view *v)
{
    for (long t = v->t0; t <= v->t1; t++)
        ck_assert_msg(v->lo >= v->hi || zoid_view_slot(v, t, v->hi - 1 + v->drift * (t - v->t0)) <
                                            data->leg[e->leg].kind[a->datum.kind].planes,
                      "%s: %s: planes of kind %d", case_words(own->leg), event_words(e),
                      a->datum.kind);
}

static void use_access(const struct run *own, const struct event *e, struct data *data,
                       const struct zoid_access *a)
{
    use(own, e, data, &a->datum);
    if (a->mode & ZOID_READ)
        use_view(own, e, data, a, &a->in);
    if (a->mode & ZOID_WRITE)
        use_view(own, e, data, a, &a->out);
}

static void use_block(const struct run *own, const struct event *e, struct data *data)
{
    const struct zoid_census *census = &data->leg[e->leg];
    const struct zoid_block *b = &e->block;
    long count[ZOID_KINDS] = {0};

    for (size_t i = 0; i < b->naccess; i++) {
        use_access(own, e, data, &b->access[i]);
        count[b->access[i].datum.kind]++;
    }
    for (size_t i = 0; i < b->nfetch; i++)
        use(own, e, data, &b->fetch[i]);
    ck_assert_msg((long)b->naccess <= census->max_access && count[ZOID_HALO] <= census->max_halos &&
                      count[ZOID_MESSAGE] <= census->max_messages &&
                      count[ZOID_COEFFICIENT] <= census->max_coefficients &&
                      count[ZOID_SLAB] <= census->block_slabs,
                  "%s: %s has more than the census says", case_words(own->leg), event_words(e));
}

/* Names that zoid_rank_messages returns map back to their rows. */
static void expect_names(const struct zoid_graph *g)
{
    struct zoid_datum *name;
    struct zoid_census census;

    zoid_graph_census(g, &census);
    name = calloc((size_t)census.kind[ZOID_MESSAGE].rows + 1, sizeof *name);
    if (census.kind[ZOID_MESSAGE].rows)
        zoid_rank_messages(g, name);
    for (long row = 0; row < census.kind[ZOID_MESSAGE].rows; row++)
        ck_assert_int_eq(zoid_rank_row(g, &census.kind[ZOID_MESSAGE], &name[row]), row);
    free(name);
}

static void expect_census(const struct stream *stream)
{
    const struct run *own = stream->run;
    long blocks[RUN_LEGS] = {0}, leg = 0;
    struct data data;

    make_data(own, &data);
    expect_names(own->leg);
    for (long i = 0; i < stream->events; i++) {
        const struct event *e = &stream->event[i];

        if (e->leg != leg)
            forget_dead(&data);
        leg = e->leg;
        blocks[e->leg] += e->call == CALL_BLOCK;
        if (e->call == CALL_LOAD || e->call == CALL_STORE)
            use_access(own, e, &data, &e->access);
        if (e->call == CALL_MESSAGE)
            use(own, e, &data, &e->message.datum);
        if (e->call == CALL_BLOCK)
            use_block(own, e, &data);
        for (size_t a = 0; e->call == CALL_JOIN && a < e->block.naccess; a++)
            use_access(own, e, &data, &e->block.access[a]);
    }
    for (long i = 0; i < own->legs; i++) {
        struct zoid_graph g = own->leg[i];
        struct zoid_census census;

        g.steps = own->end[i] - g.start;
        zoid_graph_census(&g, &census);
        ck_assert_msg(blocks[i] == census.blocks, "%s: leg %ld has %ld blocks, not %ld",
                      case_words(own->leg), i, blocks[i], census.blocks);
    }
    free_data(&data);
}

/* ---- numbers of messages ----------------------------------------------------------------- */

static long most_number(const struct stream *one)
{
    long most = 0;

    for (long i = 0; i < one->events; i++)
        if (one->event[i].call == CALL_MESSAGE) {
            const long n = zoid_message_number(one->run->leg, &one->event[i].message.datum);

            most = n > most ? n : most;
        }
    return most;
}

/* Both ranks of a message give it the same number, since the graph of all does; and what a rank
 * sends has different ones. */
static void expect_numbers(const struct stream *one, const struct zoid_graph *all)
{
    uint64_t *sent = calloc((size_t)most_number(one) + 1, sizeof *sent);

    for (long i = 0; i < one->events; i++) {
        const struct event *e = &one->event[i];
        const struct zoid_datum *d = &e->message.datum;
        long n;

        if (e->call != CALL_MESSAGE)
            continue;
        n = zoid_message_number(one->run->leg, d);
        ck_assert_msg(n >= 0 && n == zoid_message_number(all, d), "%s: %s is number %ld, and %ld",
                      case_words(all), event_words(e), n, zoid_message_number(all, d));
        if (!e->message.sends)
            continue;
        ck_assert_msg(!sent[n] || sent[n] == zoid_datum_index(d), "%s: %s is number %ld again",
                      case_words(all), event_words(e), n);
        sent[n] = zoid_datum_index(d);
    }
    free(sent);
}

static void expect_run(const struct run *run)
{
    struct stream all, one;
    struct run own;

    stream_record(&all, run);
    for (int r = 0; r < zoid_ranks(run->leg); r++) {
        run_of_rank(run, r, &own);
        stream_record(&one, &own);
        expect_own(&all, &one, r);
        expect_census(&one);
        expect_numbers(&one, run->leg);
        stream_free(&one);
    }
    stream_free(&all);
}

START_TEST(ranks_have_their_own)
{
    uint64_t seed = (uint64_t)_i << 32 | 11;

    for (int i = 0; i < effort(CASES); i++) {
        struct run run;

        run_make(&seed, zoid_methods[_i], &run);
        expect_run(&run);
    }
}
END_TEST

/* Ranks of 4 x 3 or 8 x 3 cells, periodic along none of the axes, one, or both. */
START_TEST(ranks_of_many_cells)
{
    struct run run = {.legs = 1, .leg = {case_line(&zoid_leaning, 6, 3, 1, 3)}, .end = {3}};
    struct zoid_graph *g = run.leg;
    bool clamped;

    g->shape = (struct zoid_shape){
        .dims = 3, .n = {8, 9, 6}, .stages = 1, .reach = {{{1, 1, 1}, {1, 1, 1}}}};
    for (int a = 0; a < ZOID_PLANE_AXES; a++)
        if (_i & 1 << a)
            g->shape.face[a][ZOID_LOW] = g->shape.face[a][ZOID_HIGH] = ZOID_PERIODIC;
    g->cut[0].cells = 8;
    g->cut[1].cells = 9;
    g->ranks[0] = _i & 4 ? 1 : 2;
    g->ranks[1] = 3;
    g->joined = _i & 8;
    g->rank = ZOID_EVERY_RANK;
    ck_assert_int_eq(zoid_graph_init(g, &clamped), 0);
    expect_run(&run);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, ranks_have_their_own, 0, case_methods());
    tcase_add_loop_test(tests, ranks_of_many_cells, 0, 16);
}

int main(void)
{
    return run_suite("streams", 120, add);
}
