/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/graphs/ranks/channels.h"

#include <check.h>
#include <stdarg.h>
#include <stdlib.h>

enum { WAITING = 8 }; /* versions in a channel at most */

/* What a message holds: its patch, of a time; of none where nobody has left it. */
struct version {
    long time;
    struct zoid_patch patch;
};

/* A name at the rank that reads it. */
struct name {
    struct version way[WAITING]; /* sent, and not yet awaited */
    long on_way;
    bool awaited; /* a receive that nothing has come for */
    bool has;
    struct version version;
};

/* What its owner has: of all names that epochs take turns with. */
struct left {
    bool open; /* and not sent */
    long row;
    struct version version;
};

struct channels {
    const struct stream *stream;
    const struct zoid_graph *graph;
    int ranks;
    long *at; /* the event that each rank has come to */
    long cols;
    struct name *name;
    struct left *left;
    bool failed;
};

static char why[256];

__attribute__((format(printf, 2, 3))) static bool fault(struct channels *c, const char *format, ...)
{
    va_list args;

    if (!c->failed) {
        va_start(args, format);
        vsnprintf(why, sizeof why, format, args);
        va_end(args);
    }
    c->failed = true;
    return false;
}

static struct name *name_of(const struct channels *c, const struct zoid_datum *d)
{
    return &c->name[d->row * c->cols + d->col];
}

static struct left *left_of(const struct channels *c, const struct zoid_datum *d)
{
    return &c->left[d->row / ZOID_MESSAGE_EPOCHS * c->cols + d->col];
}

/* ---- messages ---------------------------------------------------------------------------- */

static void deliver(struct name *name, struct version version)
{
    name->awaited = false;
    name->has = true;
    name->version = version;
}

static bool await(struct channels *c, const struct event *e)
{
    const struct zoid_message *m = &e->message;
    struct name *name = name_of(c, &m->datum);

    if (name->awaited)
        return fault(c, "rank %d awaits message %ld:%ld twice", m->rank, m->datum.row,
                     m->datum.col);
    if (name->on_way && !(e->first && e->leg > 0))
        return fault(c, "message %ld:%ld comes before rank %d awaits it", m->datum.row,
                     m->datum.col, m->rank);
    name->has = false;
    name->awaited = true;
    if (!name->on_way)
        return true;
    deliver(name, name->way[0]);
    name->on_way--;
    for (long i = 0; i < name->on_way; i++)
        name->way[i] = name->way[i + 1];
    return true;
}

static bool send(struct channels *c, const struct zoid_message *m)
{
    struct name *name = name_of(c, &m->datum);
    struct left *left = left_of(c, &m->datum);
    const struct version version = left->open ? left->version : (struct version){.time = -1};

    if (left->open && left->row != m->datum.row)
        return fault(c, "rank %d sends message %ld:%ld, and has left %ld:%ld", m->rank,
                     m->datum.row, m->datum.col, left->row, m->datum.col);
    left->open = false;
    if (name->awaited) {
        deliver(name, version);
        return true;
    }
    if (name->on_way == WAITING)
        return fault(c, "rank %d is too far ahead", m->rank);
    name->way[name->on_way++] = version;
    return true;
}

/* ---- blocks ------------------------------------------------------------------------------ */

/* Patches are the same where both are counted from other laps of a periodic axis. */
static bool same_patch(const struct channels *c, const struct zoid_patch *a,
                       const struct zoid_patch *b)
{
    bool same = true;

    for (int axis = 0; axis < ZOID_PLANE_AXES; axis++) {
        const struct zoid_range *x = &a->axis[axis], *y = &b->axis[axis];

        same &= x->hi - x->lo == y->hi - y->lo;
        same &= x->lo == y->lo || (zoid_axis_periodic(&c->graph->shape, axis) &&
                                   (x->lo - y->lo) % c->graph->shape.n[axis] == 0);
    }
    return same;
}

static bool reads(const struct zoid_access *a)
{
    return a->datum.kind == ZOID_MESSAGE && a->mode == ZOID_READ;
}

static bool waits(const struct channels *c, const struct zoid_block *b)
{
    bool waits = false;

    for (size_t i = 0; i < b->naccess; i++)
        waits |= reads(&b->access[i]) && name_of(c, &b->access[i].datum)->awaited;
    return waits;
}

static bool take(struct channels *c, const struct zoid_block *b, const struct zoid_access *a)
{
    const struct name *name = name_of(c, &a->datum);

    if (!name->has)
        return fault(c, "cell %ld reads message %ld:%ld, which was never awaited", b->cell,
                     a->datum.row, a->datum.col);
    if (name->version.time != a->in.t0)
        return fault(c, "cell %ld reads message %ld:%ld of time %ld, which is of time %ld", b->cell,
                     a->datum.row, a->datum.col, a->in.t0, name->version.time);
    if (!same_patch(c, &name->version.patch, &a->in.patch))
        return fault(c, "cell %ld reads message %ld:%ld, which is of another patch", b->cell,
                     a->datum.row, a->datum.col);
    return true;
}

static bool leave(struct channels *c, const struct zoid_block *b, const struct zoid_access *a)
{
    struct left *left = left_of(c, &a->datum);

    if (left->open && left->row != a->datum.row)
        return fault(c, "cell %ld leaves message %ld:%ld, and has not sent %ld:%ld", b->cell,
                     a->datum.row, a->datum.col, left->row, a->datum.col);
    if (left->open && left->version.time > a->out.t1)
        return true;
    *left = (struct left){true, a->datum.row, {a->out.t1, a->out.patch}};
    return true;
}

static bool run_block(struct channels *c, const struct zoid_block *b, int rank)
{
    bool right = true;

    if (waits(c, b))
        return false;
    for (size_t i = 0; right && i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];

        if (reads(a))
            right = take(c, b, a);
        else if (a->datum.owner != rank)
            right = fault(c, "cell %ld accesses data of rank %d", b->cell, a->datum.owner);
        else if (a->datum.kind == ZOID_MESSAGE)
            right = leave(c, b, a);
    }
    return right;
}

/* ---- schedules --------------------------------------------------------------------------- */

static const struct event *next_of(const struct channels *c, int rank)
{
    const struct stream *s = &c->stream[rank];

    return c->at[rank] < s->events ? &s->event[c->at[rank]] : NULL;
}

/* Whether a rank has come an event further. */
static bool advance(struct channels *c, int rank)
{
    const struct event *e = next_of(c, rank);
    bool moves = e && !c->failed;

    if (moves && (e->call == CALL_BLOCK || e->call == CALL_JOIN))
        moves = run_block(c, &e->block, rank);
    if (moves && e->call == CALL_MESSAGE)
        moves = e->message.sends ? send(c, &e->message) : await(c, e);
    c->at[rank] += moves;
    return moves;
}

/* Each rank awaits what the first leg awaits before its first block. */
static void begin(struct channels *c)
{
    for (int r = 0; r < c->ranks; r++)
        for (const struct event *e = next_of(c, r);
             e && e->first && e->leg == 0 && (e->call != CALL_MESSAGE || !e->message.sends);
             e = next_of(c, r))
            if (!advance(c, r))
                return;
}

/* Whether anyone moves: a rank at random for a while, or if it cannot those after it; or the first
 * one in order. */
static bool move(struct channels *c, struct schedule *schedule)
{
    const int first = schedule->order ? 0 : (int)case_between(&schedule->seed, 0, c->ranks - 1);
    const long times = schedule->order ? 1 : case_between(&schedule->seed, 1, 40);

    for (int i = 0; i < c->ranks; i++) {
        const int at = (first + i) % c->ranks, rank = schedule->order ? schedule->order[at] : at;

        if (!advance(c, rank))
            continue;
        for (long n = 1; n < times && advance(c, rank); n++)
            ;
        return true;
    }
    return false;
}

/* What somebody waits for, or what nobody has got. */
static void judge(struct channels *c, long rows)
{
    for (int r = 0; !c->failed && r < c->ranks; r++)
        if (next_of(c, r))
            fault(c, "rank %d waits at cell %ld, pass %ld", r, next_of(c, r)->block.cell,
                  next_of(c, r)->block.pass);
    for (long row = 0; !c->failed && row < rows; row++)
        for (long col = 0; col < c->cols; col++) {
            const struct name *name = name_of(c, &(struct zoid_datum){.row = row, .col = col});

            if (name->awaited)
                fault(c, "message %ld:%ld was awaited and never sent", row, col);
            if (name->on_way)
                fault(c, "message %ld:%ld was sent and never awaited", row, col);
        }
}

const char *channels_fault(const struct stream *stream, int ranks, const struct schedule *schedule)
{
    struct channels c = {.stream = stream, .graph = stream[0].run->leg, .ranks = ranks};
    struct zoid_graph all = *c.graph;
    struct schedule s = *schedule;
    struct zoid_census census;
    long rows;

    all.rank = ZOID_EVERY_RANK;
    zoid_graph_census(&all, &census);
    rows = census.kind[ZOID_MESSAGE].rows;
    c.cols = census.kind[ZOID_MESSAGE].cols;
    c.at = calloc((size_t)ranks, sizeof *c.at);
    c.name = calloc((size_t)(rows * c.cols) + 1, sizeof *c.name);
    c.left = calloc((size_t)(rows / ZOID_MESSAGE_EPOCHS * c.cols) + 1, sizeof *c.left);
    ck_assert(c.at && c.name && c.left);
    begin(&c);
    while (!c.failed && move(&c, &s))
        ;
    judge(&c, rows);
    free(c.at);
    free(c.name);
    free(c.left);
    return c.failed ? why : NULL;
}
