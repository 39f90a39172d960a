/* SPDX-License-Identifier: BSD-3-Clause */
/* State shared by the files of the prover: the symbolic store, and the report of a violation.
 * Functions that return int return 0, or non-zero after a violation. */
#ifndef ZOID_GRAPHS_SINKS_PROVE_STATE_H
#define ZOID_GRAPHS_SINKS_PROVE_STATE_H

#include "graphs/leg.h"
#include "graphs/sinks/numbering.h"
#include "graphs/sinks/prove_cover.h"

/* Existing planes of `view`, as one block or the load left them. A write is accepted only if its
 * block has all of them, so no other state is needed. */
struct zoid_prove_holding {
    bool some;   /* at least one plane of the view exists */
    bool unread; /* not read since it was written */
    struct zoid_view view;
    struct zoid region; /* of the block that wrote it: planes outside never existed */
};

/* State of a datum. If held, it has one holding, or several if blocks kept planes that others had
 * left; these share no slot.
 *
 * Each message has two of these: its reader's, and its owner's, which is one for all names that
 * epochs alternate among. `exchange`: the one that the reader awaits or has received, or that the
 * owner leaves planes for or has sent last. */
struct zoid_prove_datum {
    enum { ZOID_UNWRITTEN, ZOID_HELD, ZOID_DEAD } state;
    long turn;      /* of its latest access */
    bool only_read; /* in that turn */
    size_t holdings, room;
    struct zoid_prove_holding *holding;
    long exchange; /* 0: none */
    bool open;     /* the exchange is pending: awaited and not arrived, or left and not sent */
};

/* The memory of a plane of a cell: of all points that the cell has of it at the time. */
struct zoid_prove_memory {
    long time; /* of the last update */
    long full; /* the time at which the points of the whole window had it last */
};

/* Progress of a rank. */
struct zoid_prove_rank {
    long laps;           /* opened in this leg */
    long blocks;         /* of this leg */
    long cell, exchange; /* of its latest block: its cell, and the exchange that ends its epoch */
};

enum zoid_prove_phase { ZOID_LOADING, ZOID_RUNNING, ZOID_STORING, ZOID_JUDGING };

struct zoid_prove {
    struct zoid_sink sink;
    struct zoid_graph graph;
    struct zoid_census census;
    struct zoid_numbering numbering; /* of the data of all legs so far */
    struct zoid_numbering own;       /* of the data of this leg */
    bool redundant;
    bool (*last)(void *self, long steps);
    void *self;
    int chain;
    long cells; /* of a rank */
    long ranks;
    long messages;         /* rows of messages in the stream's own census */
    long first, times;     /* the first time of the leg, and the last one */
    long planned;          /* last time that the leg could have had */
    long loaded;           /* first time of the run: that of pieces that never move */
    struct zoid domain;    /* as a region */
    struct zoid_box whole; /* the domain at any time */
    struct zoid_box share; /* the points of the stream's ranks: the domain, or the owned ones */
    /* Points that exist: the domain, repeated along a periodic chain axis and periodic cut axes. */
    struct zoid everywhere;
    struct zoid_box space;

    enum zoid_prove_phase phase;
    const struct zoid_block *block; /* under proof; else NULL */
    bool joins;                     /* `block` names a join */
    const struct zoid_message *message;
    long turn; /* counts callbacks */
    long blocks;
    struct zoid_prove_datum *data; /* by number; then the owners' relays and messages */
    struct zoid_cover *done; /* points computed at each time of the leg; at the first one, loaded */
    struct zoid_cover stored, coefficients, memory;
    struct zoid_prove_memory
        *remembered;       /* of the planes of each cell's line, if points have any */
    long line;             /* planes of a line then */
    bool stores;           /* the leg has a store */
    bool moved;            /* the borders moved before this leg, */
    struct zoid_gain gain; /* and these planes were copied */
    long asked;            /* number of calls of `last` by the builder */
    struct zoid_boxes scratch, left;

    struct zoid_prove_rank *rank;
    long *latest; /* position that each lap (a pass of one cell) has reached, of each rank */
    long laps_room;
    long *lane_lap; /* lap that each lane has reached, of each rank */
    int lanes;

    bool failed;
    char why[512];
};

/* ---- prove_state.c: the bottom --------------------------------------------------------------- */

struct zoid_prove_words {
    char s[240];
};

/* Record the first violation, prefixed with the block or phase. Returns non-zero. */
int zoid_prove_fail(struct zoid_prove *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
int zoid_prove_no_memory(struct zoid_prove *p);

/* Planes of a view, or its patch of them, that exist at t: inside the region and the space. */
struct zoid_box zoid_prove_planes(const struct zoid_prove *p, const struct zoid_view *view,
                                  const struct zoid *region, long t);
/* Lowest plane of `box` that is not in `around`; `around` must not contain all of `box`. */
long zoid_prove_outside(const struct zoid_prove *p, const struct zoid_box *box,
                        const struct zoid_box *around);

static inline long zoid_prove_plane(const struct zoid_prove *p, const struct zoid_box *box)
{
    return box->lo[p->chain];
}

/* Lowest plane of a non-empty set. */
long zoid_prove_lowest(const struct zoid_prove *p, const struct zoid_boxes *set);
/* Same in words, with the lowest point along cut axes. */
struct zoid_prove_words zoid_prove_where(const struct zoid_prove *p, const struct zoid_boxes *set);
/* Add a box of time t, modulo the domain, to a cover of the domain. Fails with "`verb` plane ...
 * again" if the cover already has points of the box, unless `redundant`. */
int zoid_prove_add(struct zoid_prove *p, struct zoid_cover *cover, const struct zoid_box *box,
                   long t, const char *verb, bool redundant);

/* True if the stream is that of one of several ranks. */
static inline bool zoid_prove_alone(const struct zoid_prove *p)
{
    return p->ranks > 1 && p->graph.rank != ZOID_EVERY_RANK;
}
/* Points that the stream must have at a time of the leg. */
struct zoid_box zoid_prove_share(const struct zoid_prove *p, long t);
/* Time at which the epoch of a time ends, for a time after the leg's first one; else that time. */
long zoid_prove_epoch_end(const struct zoid_prove *p, long t);

/* True for kinds whose views name the patch that a datum is of, and which hold no other points. */
static inline bool zoid_prove_of_patch(enum zoid_kind kind)
{
    return kind == ZOID_HALO || kind == ZOID_END || kind == ZOID_MESSAGE;
}
/* Data that travel are stored twice: at the owner and at the reader. Numbers of the owners' data:
 * relays come first, then messages, one for all names that epochs alternate among. */
static inline long zoid_prove_relays(const struct zoid_numbering *n)
{
    return n->kind[ZOID_RELAY].rows * n->kind[ZOID_RELAY].cols;
}
static inline long zoid_prove_lefts(const struct zoid_numbering *n)
{
    return zoid_prove_relays(n) +
           n->kind[ZOID_MESSAGE].rows / ZOID_MESSAGE_EPOCHS * n->kind[ZOID_MESSAGE].cols;
}
/* State of a datum of the census; of one that travels, at its reader. */
static inline struct zoid_prove_datum *zoid_prove_find(const struct zoid_prove *p,
                                                       const struct zoid_datum *datum)
{
    return &p->data[zoid_number(&p->numbering, datum)];
}
/* State of a message or a relay of the census at its owner. */
static inline struct zoid_prove_datum *zoid_prove_left(const struct zoid_prove *p,
                                                       const struct zoid_datum *d)
{
    const struct zoid_numbering *n = &p->numbering;

    if (d->kind == ZOID_RELAY)
        return &p->data[n->count + d->row * n->kind[ZOID_RELAY].cols + d->col];
    return &p->data[n->count + zoid_prove_relays(n) +
                    d->row / ZOID_MESSAGE_EPOCHS * n->kind[ZOID_MESSAGE].cols + d->col];
}
/* State that an access is about: the owner's for a write to data that travel. */
static inline struct zoid_prove_datum *zoid_prove_accessed(const struct zoid_prove *p,
                                                           const struct zoid_access *a)
{
    return zoid_kind_travels(a->datum.kind) && a->mode & ZOID_WRITE ? zoid_prove_left(p, &a->datum)
                                                                    : zoid_prove_find(p, &a->datum);
}
struct zoid_prove_words zoid_prove_name(const struct zoid_datum *datum);
/* Contents of a datum near time t, in words that follow "which" or "it". */
struct zoid_prove_words zoid_prove_content(const struct zoid_prove *p,
                                           const struct zoid_prove_datum *datum, long t);

/* ---- prove_read.c and prove_data.c: above that ----------------------------------------------- */

/* Check one access: its datum is in the census, may be accessed by its rank, and is not accessed
 * twice in a turn (except to read, if the domain repeats or the datum is an end or a message); its
 * views suit its mode: `in` within `first` ... `last_in`, `out` within `first` ... `last_out`. For
 * a block, coefficients are constant, and memory is updated, from `first` to `last_out`. */
struct zoid_prove_times {
    long first, last_in, last_out;
    bool block; /* not of a load or store */
};
int zoid_prove_access(struct zoid_prove *p, const struct zoid_access *a,
                      struct zoid_prove_times times);
/* Check that the datum is alive and holds every plane of `in` that exists in `region`, in the same
 * slots, and mark these as read. */
int zoid_prove_read(struct zoid_prove *p, const struct zoid_access *a, const struct zoid *region);
/* Mark all planes of a datum as read. */
void zoid_prove_mark_read(struct zoid_prove_datum *datum);
/* Check that the planes of `out` fit the datum and overwrite no unread planes. From then on the
 * datum holds them, and other planes only if the access keeps these. */
int zoid_prove_write(struct zoid_prove *p, const struct zoid_access *a, const struct zoid *region);
/* Check that no unread planes die. */
int zoid_prove_kill(struct zoid_prove *p, const struct zoid_access *a);
/* Check that a message has no unread planes when the next one may arrive. */
int zoid_prove_lost(struct zoid_prove *p, const struct zoid_datum *message);
/* Check that the datum holds planes and is not accessed in this turn. */
int zoid_prove_fetch(struct zoid_prove *p, const struct zoid_datum *datum);
/* Check that all written planes were read, except those for a next leg, which may not come. */
int zoid_prove_all_read(struct zoid_prove *p, bool end);

/* ---- prove_block.c: for others --------------------------------------------------------------- */

/* Cut from p->left the points of a view at time t; of a halo, the rim. */
int zoid_prove_cut_view(struct zoid_prove *p, const struct zoid_access *a,
                        const struct zoid *region, long t);
/* Same for the views of all accesses to state, or to one of the kinds that never move. */
int zoid_prove_cut_views(struct zoid_prove *p, const struct zoid_block *b, long t,
                         enum zoid_kind kind);

/* ---- prove_memory.c -------------------------------------------------------------------------- */

/* Set all memory to be of the leg's first time, as it was loaded. */
int zoid_prove_memory_load(struct zoid_prove *p);
/* Check that a block that begins an epoch completes the memory of all planes that it takes. */
int zoid_prove_memory_taken(struct zoid_prove *p, const struct zoid_block *b);
/* Check that a block lists the memory of a box of time t, which is of the time before. */
int zoid_prove_memory(struct zoid_prove *p, const struct zoid_block *b, long t,
                      const struct zoid_box *box);
/* Check that a block lists the memory of the planes that it leaves for other cells, which is of
 * that time. */
int zoid_prove_memory_left(struct zoid_prove *p, const struct zoid_block *b);

/* ---- prove_messages.c ------------------------------------------------------------------------ */

/* Check that a block, load or store accesses data of its rank, or reads a message to its cell. */
int zoid_prove_owner(struct zoid_prove *p, const struct zoid_datum *datum, bool writes);
/* Check that a message to be read has arrived for this epoch, or that one to be written is for the
 * next epoch and its predecessor was sent. */
int zoid_prove_exchange(struct zoid_prove *p, const struct zoid_access *a);
/* Same for the accesses of a join, all of which are for the coming exchange. */
int zoid_prove_joined(struct zoid_prove *p, const struct zoid_access *a);
/* Check all rules of sending or awaiting a message. */
int zoid_prove_message(struct zoid_prove *p, const struct zoid_message *message);
/* Check that all awaited messages have arrived, and all that were left were sent. */
int zoid_prove_all_sent(struct zoid_prove *p);
/* Move the contents of a datum from its owner to its reader. If that is of another stream, only
 * take them from the owner. */
void zoid_prove_arrive(struct zoid_prove *p, const struct zoid_datum *datum);
/* Add planes to an awaited datum that arrive from another stream. */
int zoid_prove_received(struct zoid_prove *p, const struct zoid_datum *datum,
                        const struct zoid_view *view);
/* Number of the epoch after the last one of this leg, counted over all legs. */
long zoid_prove_next_epoch(const struct zoid_prove *p);
/* True if the stream's rank receives a datum, but does not own it. */
bool zoid_prove_foreign(const struct zoid_prove *p, const struct zoid_datum *datum);

/* Number of cells from the sender of a message to its receiver, along the chain axis. */
int zoid_prove_step(const struct zoid_prove *p, const struct zoid_datum *message);
/* Owned planes of the sender of a message that are near enough to a cell above or below to be read
 * in an epoch; all of them if the receiver is at the same height. */
struct zoid_range zoid_prove_near(const struct zoid_prove *p, const struct zoid_datum *message);

/* ---- prove_alone.c: the stream of one rank --------------------------------------------------- */

/* Make an awaited message of time t hold all that its sender has to leave in it. */
int zoid_prove_receive(struct zoid_prove *p, const struct zoid_datum *message, long t);
/* Check that a message of time t has its planes in the slots in which they are received. */
int zoid_prove_placed(struct zoid_prove *p, const struct zoid_datum *message, long t);
/* Check, at the end of a leg, that the last exchange with each cell above and below took place. */
int zoid_prove_all_exchanged(struct zoid_prove *p);
/* Check that an access reads no other planes of a relay than those that its sender has to leave in
 * it; `pass`: first and last time of these. */
int zoid_prove_relayed(struct zoid_prove *p, const struct zoid_access *a,
                       const struct zoid_range *pass);
/* Check that all of these planes were left, in any part of the relay. */
int zoid_prove_relay_whole(struct zoid_prove *p, const struct zoid_datum *relay,
                           const struct zoid_range *pass);

/* ---- prove_relays.c -------------------------------------------------------------------------- */

/* Check that a block leaves relays of its own cell, and reads those of the cell below. */
int zoid_prove_relay_owner(struct zoid_prove *p, const struct zoid_datum *relay, bool writes);
/* Check that a relay to be read has arrived for its pass, or that one to be written is for its pass
 * and its predecessor was sent. */
int zoid_prove_relay_access(struct zoid_prove *p, const struct zoid_access *a);
/* Check all rules of sending or awaiting a relay. */
int zoid_prove_relay(struct zoid_prove *p, const struct zoid_message *message);
/* Check that all relays that were awaited or left were sent. */
int zoid_prove_relays_sent(struct zoid_prove *p);

/* ---- prove_legs.c ---------------------------------------------------------------------------- */

/* Allocate the data of a leg in addition to those of earlier legs, some of which keep their
 * contents. Fails if out of memory or if they are too many. */
int zoid_prove_data(struct zoid_prove *p, const struct zoid_census *census);
void zoid_prove_free_data(struct zoid_prove *p);
/* Check a load after a move: the datum is given the planes that were copied, and then has those
 * that the load names, in the same slots. Adds these to `cover`. */
int zoid_prove_bring(struct zoid_prove *p, const struct zoid_access *load,
                     struct zoid_cover *cover);

/* ---- prove_block.c: above both; prove.c, the sink, is the top -------------------------------- */

/* Check all rules of a block, and apply it to the store. */
int zoid_prove_block(struct zoid_prove *p, const struct zoid_block *block);
/* Same for a join. */
int zoid_prove_join(struct zoid_prove *p, const struct zoid_join *join);
/* Epoch of a pass, counted over all legs. */
long zoid_prove_epoch(const struct zoid_prove *p, long pass);
/* True if a pass of this leg has been opened. */
bool zoid_prove_opened(const struct zoid_prove *p, long pass);

#endif
