/* SPDX-License-Identifier: BSD-3-Clause */
/* The report is a JSON object; its text form is the leaves of that object, one per line. So the
 * keys are listed once. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "graphs/common/arith.h"
#include "runtime/config.h"
#include "runtime/plan/alias.h"
#include "runtime/plan/ranks.h"
#include "runtime/zoid_advanced.h"

/* Enough for a rate or a time; counts are written as integers, in full. */
enum { STYLE = JSON_REAL_PRECISION(9) };

static json_t *number(double value)
{
    if (!isfinite(value))
        return json_null();
    if (value == trunc(value) && fabs(value) < 0x1p63)
        return json_integer((json_int_t)value);
    return json_real(value);
}

/* For most readers JSON's integers end at 2^63; a larger seed travels as a string. */
static json_t *seed_of(uint64_t seed)
{
    if (seed <= INT64_MAX)
        return json_integer((json_int_t)seed);
    return json_sprintf("%" PRIu64, seed);
}

/* One number per axis. */
static json_t *three(const long axis[ZOID_AXES])
{
    return json_pack("[I, I, I]", (json_int_t)axis[0], (json_int_t)axis[1], (json_int_t)axis[2]);
}

/* Add a member to an object; *lost is set if that fails. */
static void put(json_t *object, const char *key, json_t *value, bool *lost)
{
    *lost |= json_object_set_new(object, key, value) != 0;
}

static void put_problem(json_t *o, const struct zoid_report *r, bool *lost)
{
    put(o, "version", json_string(zoid_version()), lost);
    put(o, "app", json_string(r->app), lost);
    if (ZOID_SIMULATED)
        put(o, "simulated", json_true(), lost);
    put(o, "operator", json_string(r->op->name), lost);
    put(o, "type", json_string(zoid_type_name(r->op->type)), lost);
    put(o, "radius", json_integer(r->op->radius), lost);
    put(o, "size", three(r->size), lost);
    put(o, "steps", json_integer(r->steps), lost);
    if (r->start)
        put(o, "start", json_integer(r->start), lost);
    put(o, "seed", seed_of(r->seed), lost);
}

static json_t *bytes_of(const struct zoid_report *r, bool *lost)
{
    json_t *o = json_object();

    put(o, "h2d", number(r->h2d), lost);
    put(o, "d2h", number(r->d2h), lost);
    put(o, "p2p", number(r->p2p), lost);
    put(o, "disk_read", number(r->disk_read), lost);
    put(o, "disk_write", number(r->disk_write), lost);
    put(o, "mpi", number(r->mpi), lost);
    return o;
}

static json_t *planned_of(const struct zoid_traffic *t, bool *lost)
{
    json_t *o = json_object();

    put(o, "h2d", number(t->h2d), lost);
    put(o, "d2h", number(t->d2h), lost);
    put(o, "p2p", number(t->p2p), lost);
    put(o, "disk_read", number(t->disk_read), lost);
    put(o, "disk_write", number(t->disk_write), lost);
    return o;
}

static long ranks_of(const struct zoid_report *r)
{
    return r->ranks[0] * r->ranks[1] * r->ranks[2];
}

/* A list for each figure, with one number per rank. */
static json_t *each_of(const struct zoid_report *r, bool *lost)
{
    static const struct {
        const char *name;
        size_t at;
    } figures[] = {{"messages", offsetof(struct zoid_rank_report, messages)},
                   {"bytes_mpi", offsetof(struct zoid_rank_report, mpi)},
                   {"waiting", offsetof(struct zoid_rank_report, waiting)},
                   {"busy_workers", offsetof(struct zoid_rank_report, busy_workers)},
                   {"block_seconds", offsetof(struct zoid_rank_report, block_seconds)},
                   {"stream", offsetof(struct zoid_rank_report, stream)}};
    json_t *o = json_object();

    for (size_t f = 0; f < sizeof figures / sizeof *figures; f++) {
        json_t *list = json_array();

        for (long rank = 0; rank < ranks_of(r); rank++) {
            const char *row = (const char *)&r->each[rank];

            *lost |= json_array_append_new(list, number(*(const double *)(row + figures[f].at)));
        }
        put(o, figures[f].name, list, lost);
    }
    return o;
}

static void put_ranks(json_t *o, const struct zoid_report *r, bool *lost)
{
    put(o, "ranks", three(r->ranks), lost);
    put(o, "exchange", json_string(zoid_exchange_name(r->exchange)), lost);
    put(o, "messages", number(r->messages), lost);
    put(o, "waiting", number(r->waiting), lost);
    if (r->each)
        put(o, "per_rank", each_of(r, lost), lost);
}

/* Parts of the time in which resources are at work, and workers wait for messages. A real run's
 * links and network are at work for longer or less long than the rates say. */
static json_t *time_of(const struct zoid_report *r)
{
    const double each = r->seconds * (double)ranks_of(r), all = r->seconds * r->takers;

    return json_pack("{s:o, s:o, s:o, s:o}", "kernels", number(r->busy_workers / r->takers),
                     "links", number(r->link_seconds / each), "network",
                     number(r->network_seconds / each), "waiting", number(r->waiting / all));
}

static json_t *place_of(const struct zoid_report *r, int i)
{
    const struct zoid_place_report *p = &r->place[i];

    return json_pack("{s:s, s:i, s:i, s:o, s:o, s:s?, s:I, s:I, s:i, s:s, s:o, s:o, s:o, s:o, s:o}",
                     "kind", p->kind, "workers", p->workers, "team", p->team, "planes",
                     r->balance == ZOID_BALANCE_SCHEDULER ? json_null() : json_integer(p->planes),
                     "share", number(p->useful / r->useful), "method", p->method, "block",
                     (json_int_t)p->block, "depth", (json_int_t)p->depth, "lanes", p->lanes,
                     "traversal", zoid_traversal_name(p->traversal), "seconds", number(p->seconds),
                     "waiting", number(p->waiting), "useful", number(p->useful), "redundant",
                     number(p->redundant), "predicted_seconds", number(p->predicted_seconds));
}

/* The steps after which the border moved, and the planes of the lower place then; the first ones.
 */
static json_t *borders_of(const struct zoid_border_report *b, bool *lost)
{
    json_t *list = json_array();

    for (long i = 0; i < b->moves && i < ZOID_BORDERS_MOST; i++)
        *lost |= json_array_append_new(
            list, json_pack("[I, I]", (json_int_t)b->way[i].step, (json_int_t)b->way[i].planes));
    return list;
}

/* Epochs of the run until the border stayed within 3 % of its last place; NULL: not all moves are
 * known. */
static json_t *settled_of(const struct zoid_report *r)
{
    const struct zoid_border_report *b = &r->border;
    long planes = b->first, step = r->start;

    if (b->moves > ZOID_BORDERS_MOST)
        return json_null();
    for (long i = 0; i < b->moves; i++) {
        if (fabs((double)(planes - b->last)) > 0.03 * (double)b->last)
            step = b->way[i].step;
        planes = b->way[i].planes;
    }
    return json_integer(zoid_ceil_div(step - r->start, zoid_max(r->epoch, 1)));
}

static void put_places(json_t *o, const struct zoid_report *r, bool *lost)
{
    json_t *list = json_array();

    for (int i = 0; i < r->places; i++)
        *lost |= json_array_append_new(list, place_of(r, i));
    put(o, "balance", json_string(zoid_balance_name(r->balance)), lost);
    put(o, "places", list, lost);
    if (r->places > 2 || r->balance == ZOID_BALANCE_SCHEDULER)
        return;
    put(o, "border",
        json_pack("{s:I, s:I, s:I, s:o, s:o}", "first", (json_int_t)r->border.first, "last",
                  (json_int_t)r->border.last, "moves", (json_int_t)r->border.moves, "settled",
                  settled_of(r), "seconds", number(r->border.seconds)),
        lost);
    if (r->border.moves)
        put(o, "borders", borders_of(&r->border, lost), lost);
}

static void put_kept(json_t *o, const char *key, const struct zoid_kept_report *kept, bool *lost)
{
    if (kept->written)
        put(o, key,
            json_pack("{s:I, s:o, s:o}", "written", (json_int_t)kept->written, "seconds",
                      number(kept->seconds), "bytes", number(kept->bytes)),
            lost);
}

static void put_run(json_t *o, const struct zoid_report *r, bool *lost)
{
    put(o, "method", json_string(r->method), lost);
    if (r->alias)
        put(o, "alias", json_string(r->alias), lost);
    put(o, "block", json_integer(r->block), lost);
    put(o, "depth", json_integer(r->depth), lost);
    if (r->jin_depth > 0)
        put(o, "jin", json_pack("{s:I}", "depth", (json_int_t)r->jin_depth), lost);
    if (r->team > 1)
        put(o, "team", json_integer(r->team), lost);
    if (r->strip)
        put(o, "strip", json_integer(r->strip), lost);
    if (ranks_of(r) > 1)
        put_ranks(o, r, lost);
    if (r->places)
        put_places(o, r, lost);
    if (r->epoch) {
        put(o, "cells", three(r->cells), lost);
        put(o, "epoch", json_integer(r->epoch), lost);
        put(o, "epochs", json_integer(r->epochs), lost);
    }
    if (r->traversal != ZOID_TRAVERSAL_BEST)
        put(o, "traversal", json_string(zoid_traversal_name(r->traversal)), lost);
    if (r->serial)
        put(o, "overlap", json_false(), lost);
    put(o, "clamped", json_boolean(r->clamped), lost);
    put(o, "seconds", number(r->seconds), lost);
    put(o, "gups", number(r->gups), lost);
    put(o, "check", json_string(r->check), lost);
    put(o, "workers", json_pack("{s:i, s:i}", "cpu", r->cpu_workers, "cuda", r->cuda_workers),
        lost);
    put(o, "busy_workers", number(r->busy_workers), lost);
    if (ZOID_SIMULATED)
        put(o, "time", time_of(r), lost);
    put(o, "bytes", bytes_of(r, lost), lost);
    put(o, "planned", planned_of(&r->planned, lost), lost);
    if (r->disk_folder)
        put(o, "disk",
            json_pack("{s:s, s:b}", "folder", r->disk_folder, "direct", (int)r->disk_direct), lost);
    put(o, "points",
        json_pack("{s:o, s:o}", "useful", number(r->useful), "redundant", number(r->redundant)),
        lost);
    put(o, "tasks", json_integer(r->tasks), lost);
    put(o, "predicted_seconds", number(r->predicted_seconds), lost);
    put(o, "core_seconds",
        json_pack("{s:o, s:o}", "measured", number(r->core_seconds), "predicted",
                  number(r->predicted_core_seconds)),
        lost);
    put(o, "bound",
        json_pack("{s:s?, s:o}", "name", r->bound, "fraction", number(r->bound_fraction)), lost);
    put(o, "rates", r->rates ? json_string(r->rates) : json_null(), lost);
}

/* An object that is left out if it is empty. */
static void put_derived(json_t *o, const struct zoid_report *r, bool *lost)
{
    json_t *all = json_object();

    for (int i = 0; i < ZOID_MAX_DERIVED && r->derived[i].name; i++)
        put(all, r->derived[i].name,
            r->derived[i].text ? json_string(r->derived[i].text) : number(r->derived[i].value),
            lost);
    if (json_object_size(all))
        put(o, "derived", all, lost);
    else
        json_decref(all);
}

/* NULL: out of memory. */
static json_t *report_object(const struct zoid_report *report)
{
    json_t *object = json_object();
    bool lost = false;

    put_problem(object, report, &lost);
    put_run(object, report, &lost);
    put_kept(object, "checkpoints", &report->checkpoints, &lost);
    put_kept(object, "snapshots", &report->snapshots, &lost);
    put_derived(object, report, &lost);
    if (report->settings)
        put(object, "settings", json_loads(report->settings, 0, NULL), &lost);
    if (!lost)
        return object;
    json_decref(object);
    zoid_fail(ZOID_RESOURCE, "out of memory for the report");
    return NULL;
}

static bool print_leaf(const json_t *value, FILE *out)
{
    char *text;

    if (json_is_string(value)) {
        fputs(json_string_value(value), out);
        return true;
    }
    text = json_dumps(value, JSON_ENCODE_ANY | STYLE);
    if (text)
        fputs(text, out);
    free(text);
    return text != NULL;
}

/* One line, or for an object one line per member. Sizes have an x between their numbers; lists,
 * which are within objects, a space. */
static bool print_value(const char *group, const char *key, json_t *value, FILE *out)
{
    bool printed = true;
    const char *member;
    char name[32];
    size_t i;
    json_t *part;

    if (json_is_object(json_array_get(value, 0)) || json_is_array(json_array_get(value, 0))) {
        json_array_foreach(value, i, part)
        {
            snprintf(name, sizeof name, "%s.%zu", key, i);
            printed &= json_is_object(part) ? print_value("", name, part, out)
                                            : print_value(key, name + strlen(key) + 1, part, out);
        }
        return printed;
    }
    if (json_is_object(value)) {
        json_object_foreach(value, member, part) printed &= print_value(key, member, part, out);
        return printed;
    }
    fprintf(out, "%s%s%s ", group, *group ? "." : "", key);
    if (json_is_array(value))
        json_array_foreach(value, i, part)
        {
            fputs(!i ? "" : *group ? " " : "x", out);
            printed &= print_leaf(part, out);
        }
    else
        printed = print_leaf(value, out);
    fputc('\n', out);
    return printed;
}

enum zoid_status zoid_report_print(const struct zoid_report *report, FILE *out)
{
    json_t *object = report_object(report), *value;
    bool printed = true;
    const char *key;

    if (!object)
        return ZOID_RESOURCE;
    json_object_foreach(object, key, value) printed &= print_value("", key, value, out);
    json_decref(object);
    return printed ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "out of memory for the report");
}

enum zoid_status zoid_report_json(const struct zoid_report *report, FILE *out)
{
    json_t *object = report_object(report);
    char *text = object ? json_dumps(object, JSON_INDENT(2) | STYLE) : NULL;

    if (object && !text)
        zoid_fail(ZOID_RESOURCE, "out of memory for the report");
    json_decref(object);
    if (!text)
        return ZOID_RESOURCE;
    fprintf(out, "%s\n", text);
    free(text);
    return ZOID_OK;
}
