/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of each kind of datum: graphs/kinds.def as a table. */
#ifndef ZOID_GRAPHS_KINDS_H
#define ZOID_GRAPHS_KINDS_H

#include "graphs/graph.h"

enum zoid_kind_planes { ZOID_PLANES_WHOLE, ZOID_PLANES_RIM, ZOID_PLANES_OWN, ZOID_PLANES_PATCH };
enum zoid_kind_home { ZOID_HOME_FARTHEST, ZOID_HOME_RAM, ZOID_HOME_STREAM, ZOID_HOME_PLACE };

struct zoid_kind_type {
    const char *one, *several;
    const char *colour;
    bool constant;
    enum zoid_kind_planes planes;
    enum zoid_kind_home home;
};

extern const struct zoid_kind_type zoid_kinds[ZOID_KINDS];

/* True for kinds whose data are pieces of planes that never move (graphs/common/pieces.h). */
static inline bool zoid_kind_stands(enum zoid_kind kind)
{
    return kind == ZOID_COEFFICIENT || kind == ZOID_MEMORY;
}

/* True for kinds that one rank owns and sends, and another rank reads. */
static inline bool zoid_kind_travels(enum zoid_kind kind)
{
    return kind == ZOID_MESSAGE || kind == ZOID_RELAY;
}

#endif
