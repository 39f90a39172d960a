/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the prover share: the symbolic store and how a rule fails. */
#ifndef ZOID_GRAPHS_SINKS_PROVE_STATE_H
#define ZOID_GRAPHS_SINKS_PROVE_STATE_H

#include "graphs/sinks/numbering.h"
#include "graphs/sinks/prove_cover.h"

/* The planes of `view` that exist: what one block, or the load, left. A write is accepted only when
 * all of them were there to be left, so nothing else need be kept. */
struct zoid_prove_holding {
    bool some;   /* at least one plane of the view exists */
    bool unread; /* since it was written */
    struct zoid_view view;
    struct zoid region; /* of the block that wrote it: planes outside never existed */
};

/* A datum that is held has one holding, or several where blocks kept what others had left; these
 * share no slot.
 *
 * A message is two: what it is to its reader, and what its owner has, which is one datum for all
 * names that epochs take turns with. Its exchange is the one that the reader awaits or has got, or
 * that the owner leaves planes for or has sent last. */
struct zoid_prove_datum {
    enum { ZOID_UNWRITTEN, ZOID_HELD, ZOID_DEAD } state;
    long turn;      /* in which it was last accessed */
    bool only_read; /* in that turn */
    size_t holdings, room;
    struct zoid_prove_holding *holding;
    long exchange; /* 0: none */
    bool open;     /* the exchange: what was awaited has not come, what was left has not gone */
};

/* What a rank has come to. */
struct zoid_prove_rank {
    long laps;           /* of this leg that it has opened */
    long blocks;         /* of this leg */
    long cell, exchange; /* of its latest block: its cell, and the one that its epoch ends with */
};

enum zoid_prove_phase { ZOID_LOADING, ZOID_RUNNING, ZOID_STORING, ZOID_JUDGING };

struct zoid_prove {
    struct zoid_sink sink;
    struct zoid_graph graph;
    struct zoid_census census;
    struct zoid_numbering numbering; /* of the data of all legs so far */
    struct zoid_numbering own;       /* of this leg's */
    bool redundant;
    bool (*last)(void *self, long steps);
    void *self;
    int chain;
    long cells; /* of a rank */
    long ranks;
    long first, times;     /* the first time of the leg, and the last one */
    long planned;          /* the last one that the leg could have had */
    long loaded;           /* the first one of the run */
    struct zoid domain;    /* as a region */
    struct zoid_box whole; /* the domain at any time */
    long volume;           /* of it */
    /* Where points exist: the domain, again and again along the chain axis, or one that is cut, if
     * that is periodic. */
    struct zoid everywhere;
    struct zoid_box space;

    enum zoid_prove_phase phase;
    const struct zoid_block *block; /* the one that is being proved, while it is */
    bool joins;                     /* it names a join */
    const struct zoid_message *message;
    long turn; /* counts loads, blocks and stores */
    long blocks;
    struct zoid_prove_datum *data; /* and after these, what owners have of messages */
    struct zoid_cover *done;       /* per time of the leg; what the first one has is loaded */
    struct zoid_cover stored, coefficients;
    bool stores; /* the leg has */
    long asked;  /* how often the sink was, whether the leg ends */
    struct zoid_boxes scratch, left;

    struct zoid_prove_rank *rank;
    long *latest; /* position that each lap, a pass of one cell, has reached, of each rank */
    long laps_room;
    long *lane_lap; /* the lap that each lane has reached, of each rank */
    int lanes;

    bool failed;
    char why[512];
};

/* ---- prove_state.c: the bottom --------------------------------------------------------------- */

struct zoid_prove_words {
    char s[240];
};

/* Keeps the first reason, after the name of the block or phase, and returns non-zero. */
int zoid_prove_fail(struct zoid_prove *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
int zoid_prove_no_memory(struct zoid_prove *p);

/* The planes of a view, or its patch of them, that exist at t: inside the region and the space. */
struct zoid_box zoid_prove_planes(const struct zoid_prove *p, const struct zoid_view *view,
                                  const struct zoid *region, long t);
/* The lowest plane of `box` that is not in `around`, which does not hold all of it. */
long zoid_prove_outside(const struct zoid_prove *p, const struct zoid_box *box,
                        const struct zoid_box *around);

static inline long zoid_prove_plane(const struct zoid_prove *p, const struct zoid_box *box)
{
    return box->lo[p->chain];
}

/* The lowest plane of a set that is not empty. */
long zoid_prove_lowest(const struct zoid_prove *p, const struct zoid_boxes *set);
/* The same in words, with its lowest point along the axes that are cut. */
struct zoid_prove_words zoid_prove_where(const struct zoid_prove *p, const struct zoid_boxes *set);
/* Adds a box of time t, modulo the domain, to a cover that may grow to the domain; fails where it
 * has points of the box already, unless that is redundant: "`verb` plane ... again". */
int zoid_prove_add(struct zoid_prove *p, struct zoid_cover *cover, const struct zoid_box *box,
                   long t, const char *verb, bool redundant);

/* Whether a kind's views name the patch that a datum is of, and it has no points but those. */
static inline bool zoid_prove_of_patch(enum zoid_kind kind)
{
    return kind == ZOID_HALO || kind == ZOID_END || kind == ZOID_MESSAGE;
}
/* What travels is two: what its owner has of it, and what its reader has. How many data owners
 * have: of messages one for all names that epochs take turns with, and before them all relays. */
static inline long zoid_prove_relays(const struct zoid_numbering *n)
{
    return n->kind[ZOID_RELAY].rows * n->kind[ZOID_RELAY].cols;
}
static inline long zoid_prove_lefts(const struct zoid_numbering *n)
{
    return zoid_prove_relays(n) +
           n->kind[ZOID_MESSAGE].rows / ZOID_MESSAGE_EPOCHS * n->kind[ZOID_MESSAGE].cols;
}
/* A datum of the census; of what travels, what has arrived. */
static inline struct zoid_prove_datum *zoid_prove_find(const struct zoid_prove *p,
                                                       const struct zoid_datum *datum)
{
    return &p->data[zoid_number(&p->numbering, datum)];
}
/* What its owner has of a message or a relay of the census. */
static inline struct zoid_prove_datum *zoid_prove_left(const struct zoid_prove *p,
                                                       const struct zoid_datum *d)
{
    const struct zoid_numbering *n = &p->numbering;

    if (d->kind == ZOID_RELAY)
        return &p->data[n->count + d->row * n->kind[ZOID_RELAY].cols + d->col];
    return &p->data[n->count + zoid_prove_relays(n) +
                    d->row / ZOID_MESSAGE_EPOCHS * n->kind[ZOID_MESSAGE].cols + d->col];
}
/* What an access is about: who writes what travels is its owner. */
static inline struct zoid_prove_datum *zoid_prove_accessed(const struct zoid_prove *p,
                                                           const struct zoid_access *a)
{
    return zoid_kind_travels(a->datum.kind) && a->mode & ZOID_WRITE ? zoid_prove_left(p, &a->datum)
                                                                    : zoid_prove_find(p, &a->datum);
}
struct zoid_prove_words zoid_prove_name(const struct zoid_datum *datum);
/* What a datum holds, near time t; follows "which" or "it". */
struct zoid_prove_words zoid_prove_content(const struct zoid_prove *p,
                                           const struct zoid_prove_datum *datum, long t);

/* ---- prove_read.c and prove_data.c: above that ----------------------------------------------- */

/* The rules of one access. A legal one has a datum of the census, which its rank may access and is
 * not accessed twice in a turn (or only read, by a block of a periodic chain), and views that suit
 * its mode: `in` within `first` ... `last_in`, `out` within `first` ... `last_out`. To a block
 * coefficients are constant, from `first` to `last_out`. */
struct zoid_prove_times {
    long first, last_in, last_out;
    bool block; /* not of a load or store */
};
int zoid_prove_access(struct zoid_prove *p, const struct zoid_access *a,
                      struct zoid_prove_times times);
/* The datum is alive and holds, in the very slots, every plane that `in` names. */
int zoid_prove_read(struct zoid_prove *p, const struct zoid_access *a, const struct zoid *region);
/* The planes of `out` fit the datum, and no unread planes go; from now on it holds them, and
 * nothing else unless the access keeps it. */
int zoid_prove_write(struct zoid_prove *p, const struct zoid_access *a, const struct zoid *region);
/* Unread planes do not die, and are not there when a next message may come. */
int zoid_prove_kill(struct zoid_prove *p, const struct zoid_access *a);
int zoid_prove_lost(struct zoid_prove *p, const struct zoid_datum *message);
/* The datum holds something and this turn does not access it. */
int zoid_prove_fetch(struct zoid_prove *p, const struct zoid_datum *datum);
/* Whatever was written has been read, except what a next leg is to begin from, and there may be
 * one. */
int zoid_prove_all_read(struct zoid_prove *p, bool end);

/* ---- prove_messages.c ------------------------------------------------------------------------ */

/* A block, load or store of a rank accesses data of its own, and reads messages to its cell. */
int zoid_prove_owner(struct zoid_prove *p, const struct zoid_datum *datum, bool writes);
/* A message that a block reads has come for its epoch; one that it writes is for the next one, and
 * what was left before that has gone. */
int zoid_prove_exchange(struct zoid_prove *p, const struct zoid_access *a);
/* The same of what a join reads and writes, which is all for the exchange that comes. */
int zoid_prove_joined(struct zoid_prove *p, const struct zoid_access *a);
/* All rules of what a rank does with a message. */
int zoid_prove_message(struct zoid_prove *p, const struct zoid_message *message);
/* Whatever was awaited has come, and what was left has gone. */
int zoid_prove_all_sent(struct zoid_prove *p);
/* What was left of a datum is what has come. */
void zoid_prove_arrive(struct zoid_prove *p, const struct zoid_datum *datum);

/* ---- prove_relays.c -------------------------------------------------------------------------- */

/* A block of a cell leaves relays of it, and reads those of the cell below. */
int zoid_prove_relay_owner(struct zoid_prove *p, const struct zoid_datum *relay, bool writes);
/* One that it reads has come for its pass; one that it leaves is for its pass, and what was left
 * before that has gone. */
int zoid_prove_relay_access(struct zoid_prove *p, const struct zoid_access *a);
/* All rules of what a rank does with a relay. */
int zoid_prove_relay(struct zoid_prove *p, const struct zoid_message *message);
int zoid_prove_relays_sent(struct zoid_prove *p);

/* ---- prove_legs.c ---------------------------------------------------------------------------- */

/* Makes room for the data of a leg beside those of the legs before it, of which some hold what they
 * held. Returns non-zero where that cannot be. */
int zoid_prove_data(struct zoid_prove *p, const struct zoid_census *census);
void zoid_prove_free_data(struct zoid_prove *p);

/* ---- prove_block.c: above both; prove.c, the sink, is the top -------------------------------- */

/* All rules of a block, which becomes part of the store, and of a join. */
int zoid_prove_block(struct zoid_prove *p, const struct zoid_block *block);
int zoid_prove_join(struct zoid_prove *p, const struct zoid_join *join);
/* The epoch of a pass, counted over all legs. */
long zoid_prove_epoch(const struct zoid_prove *p, long pass);
/* Whether a pass of this leg has been opened. */
bool zoid_prove_opened(const struct zoid_prove *p, long pass);

#endif
