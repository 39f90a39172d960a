/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/ledger.h"

#include <stdlib.h>

enum leaving { NO, SENT, DROPPED };

/* Copy of a datum in a memory. */
struct zoid_ledger_copy {
    bool there;                /* it has room there */
    long uses;                 /* claims of blocks that have not ended */
    long last;                 /* the last claim, as counted by `begun`, */
    enum zoid_residence after; /* and the residence that it asks for */
    int to;
    bool dirty;  /* modified in a memory, and not written back since */
    bool dead;   /* its contents have no more readers */
    bool old;    /* outdated: written elsewhere since it came, and not being fetched */
    bool handed; /* waits for a claim in the memory that it is handed on to */
    bool again;  /* used while it was being sent */
    enum leaving leaving;
    bool listed; /* in the list of drops: */
    long next;
};

/* Blocks that have claimed a datum to write it, and those of them that have ended: they do so one
 * after the other. */
struct zoid_ledger_datum {
    long claimed, ended;
    int memory;  /* of the last of these claims */
    long mortal; /* its contents die, while fewer blocks have written it */
};

static struct zoid_ledger_copy *copy_of(const struct zoid_ledger *l, long datum, int memory)
{
    return &l->copy[datum * l->memories + memory];
}

bool zoid_ledger_init(struct zoid_ledger *l)
{
    const size_t copies = (size_t)(l->data * l->memories);

    l->dropping = -1;
    l->waiting = NULL;
    l->claimed = l->begun = l->over = 0;
    l->copy = calloc(copies + 1, sizeof *l->copy);
    l->datum = calloc((size_t)l->data + 1, sizeof *l->datum);
    return l->copy && l->datum;
}

void zoid_ledger_free(struct zoid_ledger *l)
{
    free(l->copy);
    free(l->datum);
    l->copy = NULL;
    l->datum = NULL;
}

/* True if the last block that reads the datum's contents, present or coming, has claimed it. The
 * ledger may be the last to learn of its end: perhaps all readers have ended and there is no copy,
 * even if a block that writes it again has claimed it already. */
static bool is_dying(const struct zoid_ledger *l, long datum)
{
    return l->datum[datum].ended < l->datum[datum].mortal;
}

/* ---- leaving ------------------------------------------------------------------------------ */

static void set_leaving(struct zoid_ledger *l, struct zoid_ledger_copy *c, int memory,
                        enum leaving leaving)
{
    l->memory[memory].leaving += (leaving != NO) - (c->leaving != NO);
    c->leaving = leaving;
}

/* Drop a copy; true if it is gone now. */
static bool try_to_drop(struct zoid_ledger *l, long datum, int memory)
{
    struct zoid_ledger_copy *c = copy_of(l, datum, memory);

    if (!l->ways.drop(l->ways.self, datum, memory, c->dead))
        return false;
    set_leaving(l, c, memory, NO);
    c->there = c->dirty = c->dead = c->handed = c->old = false;
    l->memory[memory].used -= l->bytes[datum];
    return true;
}

static void drop(struct zoid_ledger *l, long datum, int memory, bool dead)
{
    struct zoid_ledger_copy *c = copy_of(l, datum, memory);

    set_leaving(l, c, memory, DROPPED);
    c->dead = dead;
    if (try_to_drop(l, datum, memory) || c->listed)
        return;
    c->listed = true;
    c->next = l->dropping;
    l->dropping = datum * l->memories + memory;
}

/* Copies that have been claimed again in the meantime stay. */
void zoid_ledger_settle(struct zoid_ledger *l)
{
    for (long *at = &l->dropping; *at >= 0;) {
        struct zoid_ledger_copy *c = &l->copy[*at];

        if (c->leaving == DROPPED && !try_to_drop(l, *at / l->memories, (int)(*at % l->memories))) {
            at = &c->next;
            continue;
        }
        c->listed = false;
        *at = c->next;
    }
}

/* Copy a datum elsewhere. Readers of one that dies fetch it themselves. A write in the meantime
 * makes the copy dirty again; a copy that goes to another memory is for that one to write back. */
static void send(struct zoid_ledger *l, long datum, int from, int to)
{
    struct zoid_ledger_copy *c = copy_of(l, datum, from);

    if (is_dying(l, datum)) {
        drop(l, datum, from, true);
        return;
    }
    if (!l->ways.send(l->ways.self, datum, from, to))
        return;
    set_leaving(l, c, from, SENT);
    if (to >= 0) {
        copy_of(l, datum, to)->dirty = c->dirty;
        copy_of(l, datum, to)->old = false;
    }
    c->dirty = c->handed = false;
}

static void go(struct zoid_ledger *l, long datum, int memory, int to)
{
    if (copy_of(l, datum, memory)->dirty)
        send(l, datum, memory, to);
    else
        drop(l, datum, memory, false);
}

/* True if a datum has a dirty copy, so that its home is out of date. */
static bool dirty_somewhere(const struct zoid_ledger *l, long datum)
{
    for (int m = 0; m < l->memories; m++)
        if (copy_of(l, datum, m)->dirty)
            return true;
    return false;
}

/* Drop a copy; a dirty datum that is dead is dead in all memories. */
static void forget(struct zoid_ledger *l, long datum, int memory)
{
    const bool dead = dirty_somewhere(l, datum);

    for (int m = 0; m < l->memories; m++) {
        const struct zoid_ledger_copy *c = copy_of(l, datum, m);

        if (m == memory || (dead && c->there && !c->uses && c->leaving != SENT))
            drop(l, datum, m, dead);
    }
}

/* A copy lost its last claim. An outdated copy is not worth a transfer. */
static void leave(struct zoid_ledger *l, long datum, int memory)
{
    struct zoid_ledger_copy *c = copy_of(l, datum, memory);

    if (c->leaving == SENT) {
        c->again = true;
        return;
    }
    if (c->old) {
        drop(l, datum, memory, is_dying(l, datum));
        return;
    }
    switch (c->after) {
    case ZOID_GOES_HOME:
        go(l, datum, memory, ZOID_LEDGER_HOME);
        break;
    case ZOID_HANDED_ON:
        if (copy_of(l, datum, c->to)->uses)
            send(l, datum, memory, c->to);
        else
            c->handed = true;
        break;
    case ZOID_DROPPED:
        forget(l, datum, memory);
        break;
    default:
        break;
    }
}

void zoid_ledger_arrived(struct zoid_ledger *l, long datum, int from, bool kept)
{
    struct zoid_ledger_copy *c = copy_of(l, datum, from);
    const bool again = c->again;

    set_leaving(l, c, from, NO);
    c->again = false;
    c->dirty = c->dirty || kept;
    if (c->uses)
        return;
    if (again)
        leave(l, datum, from);
    else if (!kept)
        drop(l, datum, from, false);
}

/* ---- room ---------------------------------------------------------------------------------- */

static unsigned long long room(const struct zoid_ledger_memory *m)
{
    return m->capacity > m->used ? m->capacity - m->used : 0;
}

/* The least recently used copy that is neither claimed nor leaving; -1: there is no such copy. */
static long idlest(const struct zoid_ledger *l, int memory)
{
    long found = -1;

    for (long d = 0; d < l->data; d++) {
        const struct zoid_ledger_copy *c = copy_of(l, d, memory);

        if (c->there && !c->uses && !c->leaving && c->last < l->begun &&
            (found < 0 || c->last < copy_of(l, found, memory)->last))
            found = d;
    }
    return found;
}

/* Let idle copies leave until `need` bytes will be free. */
static void spill(struct zoid_ledger *l, int memory, unsigned long long need)
{
    unsigned long long coming = room(&l->memory[memory]);

    for (long d = 0; d < l->data; d++)
        if (copy_of(l, d, memory)->leaving)
            coming += l->bytes[d];
    while (coming < need) {
        const long d = idlest(l, memory);

        if (d < 0)
            return;
        copy_of(l, d, memory)->last = l->begun; /* not again, if it cannot leave */
        coming += l->bytes[d];
        go(l, d, memory, ZOID_LEDGER_RAM);
    }
}

/* True if a block may claim `need` more bytes: there is room, or nothing could make any. */
static bool has_room(struct zoid_ledger *l, int memory, unsigned long long need)
{
    struct zoid_ledger_memory *m = &l->memory[memory];

    if (room(m) >= need)
        return true;
    if (l->by_blocks || (!l->claimed && !m->leaving))
        spill(l, memory, need);
    if (room(m) >= need)
        return true;
    if (l->claimed || m->leaving)
        return false;
    l->over++;
    return true;
}

/* ---- blocks ------------------------------------------------------------------------------- */

/* From the memory where it waits to be handed on; otherwise from any. */
static void fetch(struct zoid_ledger *l, const struct zoid_ledger_use *use, int memory)
{
    const long datum = use->datum;

    copy_of(l, datum, memory)->old = is_dying(l, datum);
    if (is_dying(l, datum))
        return;
    for (int m = 0; m < l->memories; m++)
        if (copy_of(l, datum, m)->handed && m != memory) {
            send(l, datum, m, memory);
            return;
        }
    if (!use->past)
        l->ways.bring(l->ways.self, datum, memory);
}

static void wait_for(struct zoid_ledger *l, struct zoid_ledger_use *use, long wanted)
{
    use->wanted = wanted;
    use->next = l->waiting;
    use->before = &l->waiting;
    if (use->next)
        use->next->before = &use->next;
    l->waiting = use;
}

static void wait_no_more(struct zoid_ledger_use *use)
{
    if (!use->wanted)
        return;
    *use->before = use->next;
    if (use->next)
        use->next->before = use->before;
    use->wanted = 0;
}

/* Request a datum that a block reads and that is missing, or will be: now, or when the last block
 * elsewhere that writes it before has ended. */
static void ask(struct zoid_ledger *l, int memory, struct zoid_ledger_use *use)
{
    const struct zoid_ledger_copy *c = copy_of(l, use->datum, memory);
    const struct zoid_ledger_datum *w = &l->datum[use->datum];

    use->wanted = 0;
    use->past = false;
    if (!use->reads)
        return;
    if (w->claimed == w->ended) {
        if (!c->there || c->leaving || c->old)
            fetch(l, use, memory);
    } else if (w->memory != memory) {
        wait_for(l, use, w->claimed);
    }
}

/* Claim a datum for the latest block. */
static void take(struct zoid_ledger *l, int memory, struct zoid_ledger_use *use)
{
    struct zoid_ledger_copy *c = copy_of(l, use->datum, memory);
    struct zoid_ledger_datum *w = &l->datum[use->datum];

    use->memory = memory;
    ask(l, memory, use);
    if (!c->there)
        l->memory[memory].used += l->bytes[use->datum];
    if (c->leaving == DROPPED)
        set_leaving(l, c, memory, NO);
    c->there = true;
    c->dead = c->handed = false;
    c->uses++;
    c->last = l->begun;
    c->after = use->after;
    c->to = use->to;
    if (use->writes) {
        w->claimed++;
        w->memory = memory;
    }
    if (use->dies)
        w->mortal = w->claimed + 1;
}

bool zoid_ledger_claim(struct zoid_ledger *l, int memory, struct zoid_ledger_use *use, size_t n)
{
    unsigned long long need = 0;

    l->begun++;
    for (size_t i = 0; i < n; i++) {
        struct zoid_ledger_copy *c = copy_of(l, use[i].datum, memory);

        c->last = l->begun; /* not to be evicted for this claim */
        need += c->there ? 0 : l->bytes[use[i].datum];
    }
    if (!has_room(l, memory, need))
        return false;
    for (size_t i = 0; i < n; i++)
        take(l, memory, &use[i]);
    l->claimed++;
    return true;
}

/* A block has written a datum: copies elsewhere are outdated. */
static void outdate(struct zoid_ledger *l, long datum, int memory)
{
    for (int m = 0; m < l->memories; m++) {
        copy_of(l, datum, m)->dirty = m == memory;
        copy_of(l, datum, m)->old = m != memory;
    }
    l->datum[datum].ended++;
}

/* Fetch a datum for the uses that have waited for this write, unless it is on its way to them. */
static void come(struct zoid_ledger *l, long datum)
{
    struct zoid_ledger_use *next;

    for (struct zoid_ledger_use *use = l->waiting; use; use = next) {
        next = use->next;
        if (use->datum != datum || use->wanted > l->datum[datum].ended)
            continue;
        wait_no_more(use);
        if (copy_of(l, datum, use->memory)->old)
            fetch(l, use, use->memory);
    }
}

void zoid_ledger_past(struct zoid_ledger_use *use, size_t n)
{
    for (size_t i = 0; i < n; i++)
        use[i].past = true;
}

void zoid_ledger_ended(struct zoid_ledger *l, int memory, struct zoid_ledger_use *use, size_t n)
{
    l->claimed--;
    for (size_t i = 0; i < n; i++) {
        wait_no_more(&use[i]);
        copy_of(l, use[i].datum, memory)->uses--;
        if (use[i].writes)
            outdate(l, use[i].datum, memory);
    }
    for (size_t i = 0; i < n; i++) {
        if (!copy_of(l, use[i].datum, memory)->uses)
            leave(l, use[i].datum, memory);
        if (use[i].writes)
            come(l, use[i].datum);
    }
}

void zoid_ledger_clear(struct zoid_ledger *l)
{
    for (long d = 0; d < l->data; d++)
        for (int m = 0; m < l->memories; m++) {
            const struct zoid_ledger_copy *c = copy_of(l, d, m);

            if (c->there && !c->leaving)
                go(l, d, m, ZOID_LEDGER_HOME);
        }
}

bool zoid_ledger_quiet(const struct zoid_ledger *l)
{
    for (int m = 0; m < l->memories; m++)
        if (l->memory[m].leaving)
            return false;
    return !l->claimed;
}
