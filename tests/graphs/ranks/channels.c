/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/graphs/ranks/channels.h"

#include <stdarg.h>
#include <stdlib.h>

#include "graphs/cell.h"
#include "graphs/message.h"
#include "tests/check.h"

enum { WAITING = 8 }; /* maximal number of versions in a channel */

/* Where a message has a plane. */
struct plane {
    int time, slot;
    bool there;
};

/* Planes of all of the domain, of one version. */
struct planes {
    struct planes *before; /* of another version */
    struct plane plane[];
};

/* Contents of a message: its patch at a time, and its planes; empty if no block has written it. */
struct version {
    long time;
    struct zoid_patch patch;
    struct plane *plane;
    struct zoid_view relay; /* planes of a relay, which one block leaves */
};

/* A name at the receiving rank. */
struct name {
    struct version way[WAITING]; /* sent, and not yet awaited */
    long on_way;
    bool awaited; /* a receive without a message yet */
    bool has;
    struct version version;
};

/* State of the messages at their sender, for all names that epochs alternate between. */
struct left {
    bool open; /* written and not sent */
    long row;
    struct version version;
};

struct channels {
    const struct stream *stream;
    const struct zoid_graph *graph;
    int ranks;
    bool shared;
    long *at; /* index of the next event of each rank */
    struct shelf {
        long rows, cols;
        struct name *name;
        struct left *left;
    } messages, relays;
    struct planes *planes; /* of the latest version */
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

static bool travels(const struct zoid_datum *d)
{
    return d->kind == ZOID_MESSAGE || d->kind == ZOID_RELAY;
}

static const struct shelf *shelf_of(const struct channels *c, const struct zoid_datum *d)
{
    return d->kind == ZOID_RELAY ? &c->relays : &c->messages;
}

static struct name *name_of(const struct channels *c, const struct zoid_datum *d)
{
    const struct shelf *shelf = shelf_of(c, d);

    return &shelf->name[d->row * shelf->cols + d->col];
}

static struct left *left_of(const struct channels *c, const struct zoid_datum *d)
{
    const struct shelf *shelf = shelf_of(c, d);
    const long names = d->kind == ZOID_RELAY ? 1 : ZOID_MESSAGE_EPOCHS;

    return &shelf->left[d->row / names * shelf->cols + d->col];
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

/* Patches are equal if they differ only by whole periods of an axis. */
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
    return travels(&a->datum) && a->mode == ZOID_READ;
}

static bool waits(const struct channels *c, const struct zoid_block *b)
{
    bool waits = false;

    for (size_t i = 0; i < b->naccess; i++)
        waits |= reads(&b->access[i]) && name_of(c, &b->access[i].datum)->awaited;
    return waits;
}

static const struct event *next_of(const struct channels *c, int rank)
{
    const struct stream *s = &c->stream[rank];

    return c->at[rank] < s->events ? &s->event[c->at[rank]] : NULL;
}

/* True if a block would leave something in the reader's only copy before it is awaited. */
static bool is_early(const struct channels *c, const struct event *e)
{
    bool early = false;

    for (size_t i = 0; c->shared && i < e->block.naccess; i++) {
        const struct zoid_access *a = &e->block.access[i];
        const struct event *there;

        if (!travels(&a->datum) || reads(a) || name_of(c, &a->datum)->awaited)
            continue;
        there = next_of(c, zoid_cell_rank(c->graph, a->datum.kind == ZOID_RELAY
                                                        ? a->datum.row + 1
                                                        : zoid_message_to(c->graph, &a->datum)));
        early |= there && there->leg <= e->leg;
    }
    return early;
}

/* Planes that exist: all along a periodic chain axis, by their number in the domain. */
static bool exists(const struct channels *c, long *plane)
{
    const struct zoid_shape *shape = &c->graph->shape;
    const long n = shape->n[zoid_chain(shape)];

    if (zoid_chain_periodic(shape))
        *plane = zoid_modulo(*plane, n);
    return *plane >= 0 && *plane < n;
}

/* A version without contents. */
static struct version new_version(struct channels *c)
{
    const long n = c->graph->shape.n[zoid_chain(&c->graph->shape)];
    struct planes *planes = calloc(1, sizeof *planes + (size_t)n * sizeof *planes->plane);

    ck_assert_ptr_nonnull(planes);
    planes->before = c->planes;
    c->planes = planes;
    return (struct version){.time = -1, .plane = planes->plane};
}

static void leave_planes(const struct channels *c, const struct zoid_view *view,
                         const struct version *version)
{
    for (long z = view->lo; z < view->hi; z++) {
        long plane = z;

        if (!exists(c, &plane))
            continue;
        version->plane[plane] = (struct plane){
            .time = (int)view->t1, .slot = (int)zoid_view_slot(view, view->t1, z), .there = true};
    }
}

/* Lowest plane of a view that is not where a version has it, or -1. */
static long misplaced(const struct channels *c, const struct zoid_view *view,
                      const struct version *version)
{
    for (long z = view->lo; z < view->hi; z++) {
        const struct plane *at;
        long plane = z;

        if (!exists(c, &plane))
            continue;
        at = &version->plane[plane];
        if (!at->there || at->time != view->t0 || at->slot != zoid_view_slot(view, view->t0, z))
            return z;
    }
    return -1;
}

/* A message has planes of one time, a relay those of a pass from its first time on. */
static long time_of(const struct zoid_access *a, const struct zoid_view *view)
{
    return a->datum.kind == ZOID_RELAY ? view->t0 : view->t1;
}

/* True if a view has planes of a relay at other times, other planes, or in other slots. */
static bool misread(const struct zoid_view *view, const struct zoid_view *left)
{
    bool misread = view->t1 > left->t1 || view->drift != left->drift;

    for (long t = view->t0; t <= view->t1; t++) {
        const long down = view->drift * (t - view->t0);

        for (long z = view->lo + down; z < view->hi + down; z++)
            misread |= z < left->lo + down || z >= left->hi + down ||
                       zoid_view_slot(view, t, z) != zoid_view_slot(left, t, z);
    }
    return misread;
}

static bool take(struct channels *c, const struct zoid_block *b, const struct zoid_access *a)
{
    const struct name *name = name_of(c, &a->datum);

    if (!name->has)
        return fault(c, "cell %ld reads message %ld:%ld, which was never awaited", b->cell,
                     a->datum.row, a->datum.col);
    if (name->version.time != time_of(a, &a->in))
        return fault(c, "cell %ld reads message %ld:%ld of time %ld, which is of time %ld", b->cell,
                     a->datum.row, a->datum.col, a->in.t0, name->version.time);
    if (!same_patch(c, &name->version.patch, &a->in.patch))
        return fault(c, "cell %ld reads message %ld:%ld, which is of another patch", b->cell,
                     a->datum.row, a->datum.col);
    if (a->datum.kind == ZOID_MESSAGE && misplaced(c, &a->in, &name->version) >= 0)
        return fault(c, "cell %ld reads plane %ld of message %ld:%ld, which is not there", b->cell,
                     misplaced(c, &a->in, &name->version), a->datum.row, a->datum.col);
    if (a->datum.kind == ZOID_RELAY && misread(&a->in, &name->version.relay))
        return fault(c, "cell %ld reads relay %ld:%ld, which is elsewhere", b->cell, a->datum.row,
                     a->datum.col);
    return true;
}

static bool leave(struct channels *c, const struct zoid_block *b, const struct zoid_access *a)
{
    struct left *left = left_of(c, &a->datum);

    if (left->open && left->row != a->datum.row)
        return fault(c, "cell %ld leaves message %ld:%ld, and has not sent %ld:%ld", b->cell,
                     a->datum.row, a->datum.col, left->row, a->datum.col);
    if (!left->open)
        left->version = new_version(c);
    leave_planes(c, &a->out, &left->version);
    if (left->open && left->version.time > a->out.t1)
        return true;
    left->open = true;
    left->row = a->datum.row;
    left->version.time = time_of(a, &a->out);
    left->version.patch = a->out.patch;
    left->version.relay = a->out;
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
        else if (travels(&a->datum))
            right = leave(c, b, a);
    }
    return right;
}

/* ---- schedules --------------------------------------------------------------------------- */

/* Executes the next event of a rank; returns false if it is blocked or at its end. */
static bool advance(struct channels *c, int rank)
{
    const struct event *e = next_of(c, rank);
    bool moves = e && !c->failed;

    if (moves && (e->call == CALL_BLOCK || e->call == CALL_JOIN))
        moves = !is_early(c, e) && run_block(c, &e->block, rank);
    if (moves && e->call == CALL_MESSAGE)
        moves = e->message.sends ? send(c, &e->message) : await(c, e);
    c->at[rank] += moves;
    return moves;
}

/* Each rank first executes the awaits that its first leg has before its first block. */
static void begin(struct channels *c)
{
    for (int r = 0; r < c->ranks; r++)
        for (const struct event *e = next_of(c, r);
             e && e->first && e->leg == 0 && (e->call != CALL_MESSAGE || !e->message.sends);
             e = next_of(c, r))
            if (!advance(c, r))
                return;
}

/* Advances a random rank for a while or, if it is blocked, one after it; with an order, the first
 * rank that can move, by one event. Returns false if all are blocked. */
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

/* Reports messages that were awaited and not sent, or sent and not awaited. */
static void judge_shelf(struct channels *c, const struct shelf *shelf, const char *what)
{
    for (long i = 0; !c->failed && i < shelf->rows * shelf->cols; i++) {
        const long row = i / shelf->cols, col = i % shelf->cols;

        if (shelf->name[i].awaited)
            fault(c, "%s %ld:%ld was awaited and never sent", what, row, col);
        if (shelf->name[i].on_way)
            fault(c, "%s %ld:%ld was sent and never awaited", what, row, col);
    }
}

/* Reports ranks that are still blocked, then such messages. */
static void judge(struct channels *c)
{
    for (int r = 0; !c->failed && r < c->ranks; r++)
        if (next_of(c, r))
            fault(c, "rank %d waits at cell %ld, pass %ld", r, next_of(c, r)->block.cell,
                  next_of(c, r)->block.pass);
    judge_shelf(c, &c->messages, "message");
    judge_shelf(c, &c->relays, "relay");
}

/* A later leg may have more relays. */
static void make_shelf(const struct channels *c, enum zoid_kind kind, struct shelf *shelf)
{
    *shelf = (struct shelf){.rows = 0};
    for (int r = 0; r < c->ranks; r++)
        for (long i = 0; i < c->stream[r].run->legs; i++) {
            struct zoid_graph all = c->stream[r].run->leg[i];
            struct zoid_census census;

            all.rank = ZOID_EVERY_RANK;
            zoid_graph_census(&all, &census);
            shelf->rows = zoid_max(shelf->rows, census.kind[kind].rows);
            shelf->cols = zoid_max(shelf->cols, census.kind[kind].cols);
        }
    shelf->name = calloc((size_t)(shelf->rows * shelf->cols) + 1, sizeof *shelf->name);
    shelf->left = calloc((size_t)(shelf->rows * shelf->cols) + 1, sizeof *shelf->left);
    ck_assert(shelf->name && shelf->left);
}

static void free_planes(struct channels *c)
{
    while (c->planes) {
        struct planes *planes = c->planes;

        c->planes = planes->before;
        free(planes);
    }
}

const char *channels_fault(const struct stream *stream, int ranks, const struct schedule *schedule)
{
    struct channels c = {
        .stream = stream, .graph = stream[0].run->leg, .ranks = ranks, .shared = schedule->shared};
    struct schedule s = *schedule;

    make_shelf(&c, ZOID_MESSAGE, &c.messages);
    make_shelf(&c, ZOID_RELAY, &c.relays);
    c.at = calloc((size_t)ranks, sizeof *c.at);
    ck_assert_ptr_nonnull(c.at);
    begin(&c);
    while (!c.failed && move(&c, &s))
        ;
    judge(&c);
    free(c.at);
    free(c.messages.name);
    free(c.messages.left);
    free(c.relays.name);
    free(c.relays.left);
    free_planes(&c);
    return c.failed ? why : NULL;
}
