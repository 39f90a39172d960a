/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/graphs/sinks/sabotage.h"

#include <string.h>

#include "graphs/method.h"
#include "tests/check.h"
#include "tests/graphs/cases.h"

struct zoid_access *sabotage_access(struct sabotage_item *item, enum zoid_kind kind,
                                    enum zoid_mode mode, int n)
{
    for (size_t i = 0; i < item->block.naccess; i++)
        if (item->access[i].datum.kind == kind && item->access[i].mode == mode && !n--)
            return &item->access[i];
    ck_abort_msg("no such access to spoil");
    return NULL;
}

static bool twist_now(struct sabotage *s, struct sabotage_item *item, long pass, long position)
{
    if (s->pass != SABOTAGE_ALL && (s->pass != pass || s->position != position))
        return false;
    s->twist(s, item);
    s->spoilt = true;
    return true;
}

static int end(struct sabotage *s, const struct zoid_access *a, long pass, long position,
               int (*call)(struct zoid_sink *, const struct zoid_access *))
{
    struct sabotage_item item = {.block = {.naccess = 1}, .access = {*a}};
    bool spoilt = s->pass == pass && twist_now(s, &item, pass, position);
    int rc = 0;

    if (s->deaf || (spoilt && s->drop))
        return 0;
    rc = call(s->to, &item.access[0]);
    return rc || !spoilt || !s->twice ? rc : call(s->to, &item.access[0]);
}

static int on_load(struct zoid_sink *self, const struct zoid_access *a)
{
    struct sabotage *s = (struct sabotage *)self;

    return end(s, a, SABOTAGE_LOAD, s->loads++, s->to->load);
}

static int on_store(struct zoid_sink *self, const struct zoid_access *a)
{
    struct sabotage *s = (struct sabotage *)self;

    return end(s, a, SABOTAGE_STORE, s->stores++, s->to->store);
}

/* Forwards an item as a twist has asked for, and then an item held back until after the next one of
 * its sort. */
static int pass_on(struct sabotage *s, struct sabotage_item *item, bool spoilt,
                   sabotage_hand_over *hand_over)
{
    int rc;

    if (s->deaf || (spoilt && s->drop))
        return 0;
    if (spoilt && s->late) {
        s->held = *item;
        s->holds = hand_over;
        return 0;
    }
    rc = hand_over(s, item);
    if (!rc && spoilt && s->twice)
        rc = hand_over(s, item);
    if (!rc && s->holds == hand_over) {
        s->holds = NULL;
        rc = hand_over(s, &s->held);
    }
    return rc;
}

static int hand_over_message(struct sabotage *s, struct sabotage_item *item)
{
    return s->to->message(s->to, &item->message);
}

static int on_message(struct zoid_sink *self, const struct zoid_message *m)
{
    struct sabotage *s = (struct sabotage *)self;
    struct sabotage_item item = {.message = *m};
    bool spoilt = s->pass == SABOTAGE_MESSAGE && twist_now(s, &item, s->pass, s->messages++);

    return pass_on(s, &item, spoilt, hand_over_message);
}

static int hand_over_block(struct sabotage *s, struct sabotage_item *item)
{
    item->block.access = item->access;
    item->block.fetch = item->fetch;
    return s->to->block(s->to, &item->block);
}

static int on_block(struct zoid_sink *self, const struct zoid_block *b)
{
    struct sabotage *s = (struct sabotage *)self;
    struct sabotage_item item = {.block = *b};

    ck_assert_uint_lt(b->naccess, SABOTAGE_ACCESS); /* room for one more */
    memcpy(item.access, b->access, b->naccess * sizeof *b->access);
    memcpy(item.fetch, b->fetch, b->nfetch * sizeof *b->fetch);
    return pass_on(s, &item, twist_now(s, &item, b->pass, b->position), hand_over_block);
}

void sabotage_init(struct sabotage *s, struct zoid_sink *to)
{
    s->sink = (struct zoid_sink){
        .message = on_message, .load = on_load, .block = on_block, .store = on_store};
    s->to = to;
}

/* 20 planes in slabs of 5, three passes of 2 steps. Leaning, every pass shifts the slabs by 2:
 * block (1, 2) advances planes [8, 13) of time 2 to planes [6, 11) of time 4. */
struct zoid_graph sabotage_leaning(void)
{
    return case_line(&zoid_leaning, 20, 5, 2, 6);
}

struct zoid_graph sabotage_cells(struct zoid_graph g)
{
    g.shape = (struct zoid_shape){
        .dims = 2, .n = {12, 20, 1}, .stages = 1, .reach = {{{1, 1, 0}, {1, 1, 0}}}};
    g.cut[0].cells = 3;
    g.epoch = g.depth;
    return g;
}

struct zoid_graph sabotage_coefficients(struct zoid_graph g, enum zoid_coefficients which)
{
    g.coefficients = which;
    return g;
}
