/* SPDX-License-Identifier: BSD-3-Clause */
/* A sink that hands a stream on with one thing wrong. */
#ifndef ZOID_TESTS_GRAPHS_SINKS_SABOTAGE_H
#define ZOID_TESTS_GRAPHS_SINKS_SABOTAGE_H

#include "graphs/graph.h"

enum { SABOTAGE_ACCESS = 32 };

/* A copy of what goes by, for a twist to spoil. A load or store has access[0] only, a message
 * nothing else. */
struct sabotage_item {
    struct zoid_message message;
    struct zoid_block block;
    struct zoid_access access[SABOTAGE_ACCESS];
    struct zoid_datum fetch[SABOTAGE_ACCESS];
};

struct sabotage;
typedef int sabotage_hand_over(struct sabotage *s, struct sabotage_item *item);

struct sabotage {
    struct zoid_sink sink;
    struct zoid_sink *to;
    /* What to spoil: a block by pass and position; or the position-th load, store or message. */
    long pass, position;
    void (*twist)(struct sabotage *s, struct sabotage_item *item);

    /* A twist may ask for these. */
    bool drop;  /* this one */
    bool twice; /* this one */
    bool late;  /* this one after the next block, or message */
    bool deaf;  /* this one and everything that follows */

    bool spoilt; /* it was there to be spoilt */
    long loads, stores, messages;
    sabotage_hand_over *holds; /* what the item that is held waits for; NULL: none is */
    struct sabotage_item held;
};

enum { SABOTAGE_LOAD = -1, SABOTAGE_STORE = -2, SABOTAGE_ALL = -3, SABOTAGE_MESSAGE = -4 };

void sabotage_init(struct sabotage *s, struct zoid_sink *to);

/* The n-th access of the kind and mode; it must exist. */
struct zoid_access *sabotage_access(struct sabotage_item *item, enum zoid_kind kind,
                                    enum zoid_mode mode, int n);

/* A legal graph, where to spoil it and what the prover must say; NULL at the end. */
struct sabotage_case {
    struct zoid_graph (*graph)(void);
    long pass, position;
    void (*twist)(struct sabotage *s, struct sabotage_item *item);
    const char *why;
};

extern const struct sabotage_case sabotage_cases[];

/* The legal graph that most cases spoil: 20 planes in slabs of 5, three passes of 2 steps. */
struct zoid_graph sabotage_leaning(void);
/* The same with planes that are three cells of 4 points, of which blocks look at 2 more on either
 * side; cells exchange halos after every pass. */
struct zoid_graph sabotage_cells(struct zoid_graph graph);
/* A graph with coefficients. */
struct zoid_graph sabotage_coefficients(struct zoid_graph graph, enum zoid_coefficients which);

#endif
