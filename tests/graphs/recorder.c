/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/graphs/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

static int record(struct zoid_sink *self, const struct zoid_block *b)
{
    struct recorder *r = (struct recorder *)self;
    struct zoid_access *access = calloc(b->naccess + 1, sizeof *access);
    struct zoid_datum *fetch = calloc(b->nfetch + 1, sizeof *fetch);

    if (r->blocks == r->room) {
        r->room = 2 * r->room + 16;
        r->block = realloc(r->block, (size_t)r->room * sizeof *r->block);
    }
    ck_assert(access && fetch && r->block);
    memcpy(access, b->access, b->naccess * sizeof *access);
    memcpy(fetch, b->fetch, b->nfetch * sizeof *fetch);
    r->block[r->blocks] = *b;
    r->block[r->blocks].fetch = fetch;
    r->block[r->blocks++].access = access;
    return 0;
}

void recorder_fill(struct recorder *r, const struct zoid_graph *graph)
{
    *r = (struct recorder){.sink = {.block = record}};
    ck_assert_int_eq(zoid_graph_emit(graph, &r->sink), 0);
}

void recorder_free(struct recorder *r)
{
    for (long i = 0; i < r->blocks; i++) {
        free((void *)r->block[i].access);
        free((void *)r->block[i].fetch);
    }
    free(r->block);
}

bool recorder_conflict(const struct zoid_block *a, const struct zoid_block *b)
{
    for (size_t i = 0; i < a->naccess; i++)
        for (size_t j = 0; j < b->naccess; j++)
            if (zoid_datum_index(&a->access[i].datum) == zoid_datum_index(&b->access[j].datum) &&
                (a->access[i].mode | b->access[j].mode) & ZOID_WRITE)
                return true;
    return false;
}
