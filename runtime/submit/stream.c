/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/stream.h"

/* As FNV-1a does with bytes; the shift lets high bits reach low ones. */
static void add(struct zoid_stream *s, long value)
{
    s->digest = (s->digest ^ (uint64_t)value) * 0x100000001b3u;
    s->digest ^= s->digest >> 29;
}

static void add_zoid(struct zoid_stream *s, const struct zoid *z)
{
    add(s, z->t0);
    add(s, z->t1);
    for (int a = 0; a < ZOID_AXES; a++) {
        add(s, z->dim[a].lo);
        add(s, z->dim[a].hi);
        add(s, z->dim[a].dlo);
        add(s, z->dim[a].dhi);
    }
}

static void add_accesses(struct zoid_stream *s, const struct zoid_access *access, size_t n)
{
    add(s, (long)n);
    for (size_t i = 0; i < n; i++) {
        add(s, (long)zoid_datum_index(&access[i].datum));
        add(s, access[i].datum.owner);
        add(s, access[i].mode);
    }
}

void zoid_stream_block(struct zoid_stream *s, const struct zoid_block *b)
{
    add(s, 'b');
    add(s, b->pass);
    add(s, b->cell);
    add(s, b->position);
    add(s, b->lane);
    add_zoid(s, &b->zoid);
    add_zoid(s, &b->region);
    add_accesses(s, b->access, b->naccess);
}

void zoid_stream_join(struct zoid_stream *s, const struct zoid_join *join)
{
    add(s, 'j');
    add(s, join->cell);
    add_accesses(s, join->access, join->naccess);
}

void zoid_stream_message(struct zoid_stream *s, const struct zoid_message *m)
{
    add(s, m->sends ? 's' : 'r');
    add(s, m->peer);
    add(s, (long)zoid_datum_index(&m->datum));
    add(s, m->datum.owner);
}

void zoid_stream_add(struct zoid_stream *s, double digest)
{
    add(s, (long)digest);
}

double zoid_stream_digest(const struct zoid_stream *s)
{
    return (double)(s->digest >> 12);
}
