/* SPDX-License-Identifier: BSD-3-Clause */
/* A sink that forwards a stream with one error in it. */
#ifndef ZOID_TESTS_GRAPHS_SINKS_SABOTAGE_H
#define ZOID_TESTS_GRAPHS_SINKS_SABOTAGE_H

#include "graphs/graph.h"

enum { SABOTAGE_ACCESS = 32 };

/* A copy of the current item, for a twist to change. A load or store has access[0] only, a message
 * only `message`. */
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
    /* The item to change: a block by pass and position; or the position-th load, store or
     * message. */
    long pass, position;
    void (*twist)(struct sabotage *s, struct sabotage_item *item);

    /* Set by a twist: */
    bool drop;   /* drop this item */
    bool twice;  /* forward this item twice */
    bool late;   /* forward it after the next block, or message */
    bool deaf;   /* drop this item and all that follow */
    bool marked; /* for twists of the first item of their sort */

    bool spoilt; /* the item was found */
    long loads, stores, messages;
    sabotage_hand_over *holds; /* forwards the held item; NULL: no item is held */
    struct sabotage_item held;
};

enum { SABOTAGE_LOAD = -1, SABOTAGE_STORE = -2, SABOTAGE_ALL = -3, SABOTAGE_MESSAGE = -4 };

void sabotage_init(struct sabotage *s, struct zoid_sink *to);

/* The n-th access of the kind and mode; fails the test if it does not exist. */
struct zoid_access *sabotage_access(struct sabotage_item *item, enum zoid_kind kind,
                                    enum zoid_mode mode, int n);

/* A legal graph, where to change it and the prover's expected message; the array ends with NULL. */
struct sabotage_case {
    struct zoid_graph (*graph)(void);
    long pass, position;
    void (*twist)(struct sabotage *s, struct sabotage_item *item);
    const char *why;
};

extern const struct sabotage_case sabotage_cases[];

/* The legal graph of most cases: 20 planes in slabs of 5, three passes of 2 steps. */
struct zoid_graph sabotage_leaning(void);
/* The same graph with planes cut into three cells of 4 points, with a halo of 2 on either side,
 * which exchange halos after every pass. */
struct zoid_graph sabotage_cells(struct zoid_graph graph);
/* Adds coefficients to a graph. */
struct zoid_graph sabotage_coefficients(struct zoid_graph graph, enum zoid_coefficients which);

#endif
