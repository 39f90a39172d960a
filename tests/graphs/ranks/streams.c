/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/graphs/ranks/streams.h"

#include <stdlib.h>
#include <string.h>

#include "graphs/cell.h"
#include "graphs/kinds.h"
#include "graphs/leg.h"
#include "tests/check.h"

/* ---- runs -------------------------------------------------------------------------------- */

static void first_leg(uint64_t *seed, const struct zoid_method *method, struct zoid_graph *g)
{
    bool clamped;

    do {
        *g = case_graph(seed, method);
        case_deal(seed, g);
    } while (zoid_ranks(g) == 1);
    g->start = case_start(seed);
    g->leg.is = case_between(seed, 0, 1) ? ZOID_LEG_FIRST : ZOID_LEG_ONLY;
    ck_assert_msg(!zoid_graph_init(g, &clamped), "%s: init", case_words(g));
}

/* A leg like the one before, with other steps and other values of the parameters that are free. */
static void next_leg(uint64_t *seed, const struct zoid_graph *before, long done,
                     struct zoid_graph *g)
{
    bool clamped;

    *g = *before;
    g->steps = case_between(seed, 0, 10);
    if (case_between(seed, 0, 1)) {
        g->depth = case_between(seed, 1, 12);
        g->lanes = (int)case_between(seed, 1, 5);
    }
    ck_assert_msg(!zoid_graph_follow(g, before, done, &clamped), "%s: follow", case_words(g));
}

void run_make(uint64_t *seed, const struct zoid_method *method, struct run *run)
{
    for (long i = 0; i == 0 || i < run->legs; i++) {
        struct zoid_graph *g = &run->leg[i];
        long epochs;

        if (i)
            next_leg(seed, &g[-1], run->end[i - 1] - g[-1].start, g);
        else
            first_leg(seed, method, g);
        if (!i)
            run->legs = g->leg.is == ZOID_LEG_ONLY ? 1 : case_between(seed, 1, RUN_LEGS);
        run->end[i] = g->start + g->steps;
        epochs = g->steps ? (g->steps - 1) / g->epoch : 0;
        if (epochs && case_between(seed, 0, 1))
            run->end[i] = g->start + g->epoch * case_between(seed, 1, epochs);
    }
}

static bool same_plan(const struct zoid_graph *a, const struct zoid_graph *b)
{
    return a->start == b->start && a->steps == b->steps && a->block == b->block &&
           a->depth == b->depth && a->epoch == b->epoch && a->joined == b->joined &&
           a->leaf == b->leaf && a->leg.is == b->leg.is && a->leg.epochs == b->leg.epochs &&
           a->leg.piece == b->leg.piece;
}

void run_of_rank(const struct run *run, int rank, struct run *own)
{
    *own = *run;
    for (long i = 0; i < run->legs; i++) {
        struct zoid_graph *g = &own->leg[i];
        bool clamped;
        int rc;

        g->rank = rank;
        rc = i ? zoid_graph_follow(g, &g[-1], own->end[i - 1] - g[-1].start, &clamped)
               : zoid_graph_init(g, &clamped);
        ck_assert_msg(!rc && !clamped && same_plan(g, &run->leg[i]), "%s: rank %d, leg %ld: %d",
                      case_words(g), rank, i, rc);
    }
}

/* ---- streams ----------------------------------------------------------------------------- */

static struct event *add(struct zoid_sink *self, enum call call)
{
    struct stream *s = (struct stream *)self;

    if (s->events == s->room) {
        s->room = 2 * s->room + 64;
        s->event = realloc(s->event, (size_t)s->room * sizeof *s->event);
        ck_assert_ptr_nonnull(s->event);
    }
    s->begun |= call == CALL_BLOCK;
    s->event[s->events] = (struct event){.call = call, .leg = s->leg, .first = !s->begun};
    return &s->event[s->events++];
}

static int on_load(struct zoid_sink *self, const struct zoid_access *a)
{
    add(self, CALL_LOAD)->access = *a;
    return 0;
}

static int on_message(struct zoid_sink *self, const struct zoid_message *m)
{
    add(self, CALL_MESSAGE)->message = *m;
    return 0;
}

static void *copy_of(const void *list, size_t n, size_t size)
{
    void *copy = calloc(n + 1, size);

    ck_assert_ptr_nonnull(copy);
    if (n)
        memcpy(copy, list, n * size);
    return copy;
}

static int on_block(struct zoid_sink *self, const struct zoid_block *b)
{
    struct zoid_block *block = &add(self, CALL_BLOCK)->block;

    *block = *b;
    block->access = copy_of(b->access, b->naccess, sizeof *b->access);
    block->fetch = copy_of(b->fetch, b->nfetch, sizeof *b->fetch);
    block->done = copy_of(b->done, b->ndone, sizeof *b->done);
    return 0;
}

static int on_join(struct zoid_sink *self, const struct zoid_join *join)
{
    struct zoid_block *block = &add(self, CALL_JOIN)->block;

    *block =
        (struct zoid_block){.owner = join->owner,
                            .pass = join->pass,
                            .cell = join->cell,
                            .position = join->position,
                            .naccess = join->naccess,
                            .access = copy_of(join->access, join->naccess, sizeof *join->access)};
    return 0;
}

static int on_store(struct zoid_sink *self, const struct zoid_access *a)
{
    add(self, CALL_STORE)->access = *a;
    return 0;
}

static bool on_last(struct zoid_sink *self, long steps)
{
    const struct stream *s = (struct stream *)self;

    add(self, CALL_LAST)->steps = steps;
    return steps == s->run->end[s->leg];
}

void stream_record(struct stream *s, const struct run *run)
{
    *s = (struct stream){.sink = {.message = on_message,
                                  .join = on_join,
                                  .load = on_load,
                                  .block = on_block,
                                  .store = on_store,
                                  .last = on_last},
                         .run = run};
    for (s->leg = 0; s->leg < run->legs; s->leg++) {
        s->begun = false;
        ck_assert_int_eq(zoid_graph_emit(&run->leg[s->leg], &s->sink), 0);
    }
}

void stream_free(struct stream *s)
{
    for (long i = 0; i < s->events; i++)
        if (s->event[i].call == CALL_BLOCK || s->event[i].call == CALL_JOIN) {
            free((void *)s->event[i].block.access);
            free((void *)s->event[i].block.fetch);
            free((void *)s->event[i].block.done);
        }
    free(s->event);
}

/* ---- events ------------------------------------------------------------------------------ */

bool event_of(const struct event *e, int rank)
{
    switch (e->call) {
    case CALL_LOAD:
    case CALL_STORE:
        return e->access.datum.owner == rank;
    case CALL_MESSAGE:
        return e->message.rank == rank;
    case CALL_BLOCK:
    case CALL_JOIN:
        return e->block.owner == rank;
    case CALL_LAST:
        break;
    }
    return true;
}

static bool same_datum(const struct zoid_datum *a, const struct zoid_datum *b)
{
    return a->kind == b->kind && a->row == b->row && a->col == b->col && a->owner == b->owner;
}

static bool same_view(const struct zoid_view *a, const struct zoid_view *b)
{
    return a->t0 == b->t0 && a->t1 == b->t1 && a->lo == b->lo && a->hi == b->hi &&
           a->drift == b->drift && a->advance == b->advance && a->slot == b->slot &&
           a->around == b->around && a->by_turns == b->by_turns &&
           !memcmp(&a->patch, &b->patch, sizeof a->patch);
}

static bool same_access(const struct zoid_access *a, const struct zoid_access *b)
{
    return same_datum(&a->datum, &b->datum) && a->mode == b->mode && a->keeps == b->keeps &&
           a->fills == b->fills && a->next == b->next && same_view(&a->in, &b->in) &&
           same_view(&a->out, &b->out);
}

static bool same_zoid(const struct zoid *a, const struct zoid *b)
{
    bool same = a->t0 == b->t0 && a->t1 == b->t1;

    for (int axis = 0; axis < ZOID_AXES; axis++)
        same &= !memcmp(&a->dim[axis], &b->dim[axis], sizeof a->dim[axis]);
    return same;
}

static bool same_block(const struct zoid_block *a, const struct zoid_block *b)
{
    bool same = same_zoid(&a->zoid, &b->zoid) && same_zoid(&a->region, &b->region) &&
                a->owner == b->owner && a->pass == b->pass && a->cell == b->cell &&
                a->position == b->position && a->lane == b->lane && a->naccess == b->naccess &&
                a->nfetch == b->nfetch && a->ndone == b->ndone;

    for (size_t i = 0; same && i < a->naccess; i++)
        same = same_access(&a->access[i], &b->access[i]);
    for (size_t i = 0; same && i < a->nfetch; i++)
        same = same_datum(&a->fetch[i], &b->fetch[i]);
    for (size_t i = 0; same && i < a->ndone; i++)
        same = a->done[i] == b->done[i];
    return same;
}

bool event_same(const struct event *a, const struct event *b)
{
    if (a->call != b->call || a->leg != b->leg || a->first != b->first || a->steps != b->steps)
        return false;
    switch (a->call) {
    case CALL_LOAD:
    case CALL_STORE:
        return same_access(&a->access, &b->access);
    case CALL_MESSAGE:
        return same_datum(&a->message.datum, &b->message.datum) &&
               a->message.rank == b->message.rank && a->message.peer == b->message.peer &&
               a->message.sends == b->message.sends;
    case CALL_BLOCK:
    case CALL_JOIN:
        return same_block(&a->block, &b->block);
    case CALL_LAST:
        break;
    }
    return true;
}

const char *event_words(const struct event *e)
{
    static const char *const calls[] = {"load", "message", "join", "block", "store", "last"};
    const struct zoid_datum *d = e->call == CALL_MESSAGE ? &e->message.datum : &e->access.datum;
    static char words[256];

    if (e->call == CALL_BLOCK || e->call == CALL_JOIN)
        snprintf(words, sizeof words, "leg %ld: %s (pass %ld, cell %ld, position %ld)", e->leg,
                 calls[e->call], e->block.pass, e->block.cell, e->block.position);
    else
        snprintf(words, sizeof words, "leg %ld: %s %s %ld:%ld", e->leg, calls[e->call],
                 zoid_kinds[d->kind].one, d->row, d->col);
    return words;
}
