/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/model/machines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "graphs/cell.h"
#include "runtime/plan/cost.h"
#include "runtime/plan/plans.h"
#include "runtime/plan/ranks.h"
#include "runtime/session/session.h"
#include "runtime/zoid_session.h"

/* ---- options --------------------------------------------------------------------------------- */

enum row { MACHINE, NODES, EPOCH, WEAK, ROWS };
static const struct zoid_option options[ROWS] = {
    [MACHINE] = {.key = "machine",
                 .value = "NAME|FOLDER",
                 .doc = "print a table of plans for a machine that files describe",
                 .detail = "one of share/zoid/machines, or a folder"},
    [NODES] = {.key = "nodes",
               .value = "N,...",
               .doc = "numbers of such machines, with a rank on each [1]"},
    [EPOCH] = {.key = "epoch",
               .value = "STEPS,...",
               .doc = "steps between two halo exchanges [the planner's choice]"},
    [WEAK] = {.key = "weak", .doc = "the size is that of a node: domains grow with their number"},
};

static enum zoid_status set_own(void *object, size_t index, const char *text)
{
    struct zoid_model_machines *m = object;
    char **const texts[ROWS] = {[MACHINE] = &m->machine, [NODES] = &m->nodes, [EPOCH] = &m->epoch};

    m->weak |= index == WEAK;
    if (!texts[index])
        return ZOID_OK;
    free(*texts[index]);
    *texts[index] = strdup(text);
    return *texts[index] ? ZOID_OK : zoid_command_no_memory();
}

/* ---- the session's options ------------------------------------------------------------------- */

/* Those of the table, which has them as lists, and those of runs. */
static const struct zoid_option_change changes[] = {
    {.key = "machine", .how = ZOID_OPTION_LEFT_OUT},
    {.key = "nodes", .how = ZOID_OPTION_LEFT_OUT},
    {.key = "epoch", .how = ZOID_OPTION_LEFT_OUT},
    {.key = "load", .how = ZOID_OPTION_LEFT_OUT},
    {.key = "init", .how = ZOID_OPTION_LEFT_OUT},
    {.key = "seed", .how = ZOID_OPTION_LEFT_OUT},
    {.key = "rates", .how = ZOID_OPTION_LEFT_OUT},
    {.key = "disk", .how = ZOID_OPTION_LEFT_OUT},
    {.key = "disk_mem", .how = ZOID_OPTION_LEFT_OUT},
    {.key = "oversubscribe", .how = ZOID_OPTION_LEFT_OUT},
    {.key = NULL}};
static const struct zoid_program program = {.name = "zoid-model",
                                            .choose = "operator",
                                            .groups = ZOID_GROUP_problem | ZOID_GROUP_operator |
                                                      ZOID_GROUP_parameters | ZOID_GROUP_cut |
                                                      ZOID_GROUP_memory | ZOID_GROUP_ranks,
                                            .changes = changes};

/* Keep the settings for the sessions of the table, besides setting it here, where it is refused if
 * it is wrong. */
static enum zoid_status set(void *object, size_t index, const char *text)
{
    struct zoid_model_machines *m = object;
    enum zoid_status status = zoid_session_set_option(m->session, index, text);
    struct zoid_model_given *more;

    if (status)
        return status;
    more = realloc(m->given, (m->n + 1) * sizeof *more);
    if (!more)
        return zoid_command_no_memory();
    m->given = more;
    more[m->n] = (struct zoid_model_given){index, text ? strdup(text) : NULL};
    if (text && !more[m->n].text)
        return zoid_command_no_memory();
    m->n++;
    return ZOID_OK;
}

enum zoid_status zoid_model_machines_open(struct zoid_model_machines *m,
                                          struct zoid_command_rows *rows)
{
    enum zoid_status status = zoid_session_create(&m->session);
    const struct zoid_option *option;
    size_t n;

    if (!status)
        status = zoid_session_set_program(m->session, &program);
    for (size_t i = 0; i < ROWS; i++) {
        struct zoid_command_row row = {
            .option = options[i], .set = set_own, .object = m, .index = i};

        row.option.group = 2;
        row.option.title = "Machines";
        zoid_command_add(rows, &row);
    }
    n = status ? 0 : zoid_session_options(m->session, &option);
    for (size_t i = 0; i < n; i++) {
        struct zoid_command_row row = {.option = option[i], .set = set, .object = m, .index = i};

        row.option.group += 2; /* after those of the program */
        zoid_command_add(rows, &row);
    }
    return status;
}

void zoid_model_machines_close(struct zoid_model_machines *m)
{
    char *const texts[] = {m->machine, m->nodes, m->epoch, m->csv};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    for (size_t i = 0; i < m->n; i++)
        free(m->given[i].text);
    free(m->given);
    zoid_session_destroy(&m->session);
}

/* ---- lists ----------------------------------------------------------------------------------- */

enum { MOST = 64, MOST_NODES = 1000000 };
struct list {
    size_t n;
    long value[MOST];
};

static enum zoid_status parse(const char *key, const char *text, struct list *list)
{
    const char *at = text;
    char *end;

    list->n = 0;
    if (!text) {
        list->value[list->n++] = 0;
        return ZOID_OK;
    }
    do {
        at += list->n > 0;
        errno = 0;
        list->value[list->n] = *at >= '1' && *at <= '9' ? strtol(at, &end, 10) : 0;
        if (!list->value[list->n] || errno)
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "{%s} '%s' is no list of numbers above 0, as in 1,8,64", key, text);
        at = end;
    } while (++list->n < MOST && *at == ',');
    return *at ? zoid_fail(ZOID_BAD_ARGUMENT,
                           "{%s} '%s' is no list of up to %d numbers above 0, as in 1,8,64", key,
                           text, MOST)
               : ZOID_OK;
}

/* ---- domains that grow ----------------------------------------------------------------------- */

/* Store the size of a node's domain. */
static enum zoid_status examine(struct zoid_model_machines *m)
{
    const enum zoid_status status = zoid_session_examine(m->session);
    const struct zoid_problem *problem = status ? NULL : zoid_session_problem_of(m->session);

    if (status)
        return status;
    memcpy(m->size, problem->n, sizeof m->size);
    m->dims = problem->op->dims;
    return ZOID_OK;
}

/* Multiply the shortest axis by each prime factor of `nodes`, the largest first. */
static void grow(long nodes, int dims, long n[ZOID_AXES])
{
    for (long factor = nodes; factor > 1; factor--) {
        bool prime = true;

        for (long d = 2; d * d <= factor && prime; d++)
            prime = factor % d != 0;
        for (; prime && nodes % factor == 0; nodes /= factor) {
            int shortest = 0;

            for (int a = 1; a < dims; a++)
                shortest = n[a] < n[shortest] ? a : shortest;
            n[shortest] *= factor;
        }
    }
}

static enum zoid_status set_size(struct zoid_session *s, int dims, const long n[ZOID_AXES])
{
    int64_t values[ZOID_AXES];

    for (int a = 0; a < dims; a++)
        values[a] = n[a];
    return zoid_session_set_ints(s, "size", dims, values);
}

/* ---- a plan ---------------------------------------------------------------------------------- */

static enum zoid_status set_number(struct zoid_session *s, const char *key, long value)
{
    return value ? zoid_session_set_int(s, key, value) : ZOID_OK;
}

/* Plan in a session of its own, which the caller destroys. */
static enum zoid_status plan(const struct zoid_model_machines *m, long nodes, long epoch,
                             struct zoid_session **session)
{
    enum zoid_status status = zoid_session_create(session);
    long n[ZOID_AXES];

    if (!status)
        status = zoid_session_set_program(*session, &program);
    for (size_t i = 0; i < m->n && !status; i++)
        status = zoid_session_set_option(*session, m->given[i].index, m->given[i].text);
    if (!status && m->weak) {
        memcpy(n, m->size, sizeof n);
        grow(nodes, m->dims, n);
        status = set_size(*session, m->dims, n);
    }
    if (!status)
        status = zoid_session_set_text(*session, "machine", m->machine);
    if (!status)
        status = set_number(*session, "nodes", nodes);
    if (!status)
        status = set_number(*session, "epoch", epoch);
    return status ? status : zoid_session_plan(*session);
}

struct table {
    FILE *csv;    /* or NULL */
    bool any;     /* plans */
    double first; /* points a second of the first plan */
};

/* Ranks along an axis; places of a rank share its planes as ranks of the graph. */
static int ranks_along(const struct zoid_graph *g, int axis)
{
    return g->apart && axis == zoid_chain(&g->shape) ? 1 : (int)zoid_ranks_along(g, axis);
}

static void print_plan(const struct zoid_plans *plans, long nodes, struct table *t)
{
    const struct zoid_plan *p = &plans->part[plans->parts - 1];
    const struct zoid_graph *g = &p->graph;
    const double seconds = zoid_plans_seconds(plans);
    const char *bound = zoid_resource_name(zoid_cost_bound(&p->cost));
    const char *exchange = nodes > 1 ? zoid_exchange_name(zoid_ranks_exchange(g)) : "-";
    double points = (double)p->problem.steps;
    char grid[64], epoch[24] = "-";

    if (nodes > 1)
        snprintf(epoch, sizeof epoch, "%ld", g->epoch);
    for (int a = 0; a < ZOID_AXES; a++)
        points *= (double)p->problem.n[a];
    t->first = t->any ? t->first : points / seconds;
    t->any = true;
    snprintf(grid, sizeof grid, "%dx%dx%d", ranks_along(g, 0), ranks_along(g, 1),
             ranks_along(g, 2));
    printf("%7ld %6s  %-11s %-8s %-10s %6ld %6ld %12.6g %10.4g %10.3g  %s\n", nodes, epoch, grid,
           exchange, g->method->name, g->block, g->depth, seconds, points / seconds * 1e-9,
           points / seconds / t->first, bound);
    if (t->csv)
        fprintf(t->csv, "%ld,%s,%s,%s,%s,%ld,%ld,%.9g,%.9g,%.9g,%s\n", nodes, epoch, grid, exchange,
                g->method->name, g->block, g->depth, seconds, p->cost.alone,
                p->cost.part[ZOID_COST_MESSAGE], bound);
}

/* A line of the table; *failure keeps the first reason that there is no plan. */
static void print_line(const struct zoid_model_machines *m, long nodes, long epoch, struct table *t,
                       struct zoid_failure *failure)
{
    struct zoid_session *session = NULL;
    const enum zoid_status status = plan(m, nodes, epoch, &session);
    char why[ZOID_COMMAND_MESSAGE];

    nodes = nodes ? nodes : 1;
    if (!status) {
        print_plan(&session->plans, nodes, t);
    } else {
        zoid_failure_keep(failure, status);
        zoid_command_message(why);
        printf("%7ld %6ld  -           %s\n", nodes, epoch, why);
    }
    zoid_session_destroy(&session);
}

/* ---- the table ------------------------------------------------------------------------------- */

static enum zoid_status open_csv(const char *path, FILE **csv)
{
    *csv = path ? fopen(path, "w") : NULL;
    if (*csv)
        fputs("nodes,epoch,ranks,exchange,method,block,depth,seconds,alone_seconds,message_seconds,"
              "bound\n",
              *csv);
    return path && !*csv
               ? zoid_fail(ZOID_RESOURCE, "cannot write %s: %s; name another file by {csv}", path,
                           strerror(errno))
               : ZOID_OK;
}

enum zoid_status zoid_model_machines_print(struct zoid_model_machines *m)
{
    struct list nodes, epochs;
    struct table table = {.any = false};
    struct zoid_failure failure = {.status = ZOID_OK};
    bool lost;
    enum zoid_status status = parse("nodes", m->nodes, &nodes);

    for (size_t i = 0; !status && i < nodes.n; i++)
        if (nodes.value[i] > MOST_NODES)
            status = zoid_fail(ZOID_BAD_ARGUMENT, "{nodes} are at most %d", MOST_NODES);
    if (!status)
        status = parse("epoch", m->epoch, &epochs);
    if (!status && m->weak)
        status = examine(m);
    if (!status)
        status = open_csv(m->csv, &table.csv);
    if (status)
        return status;
    printf("%7s %6s  %-11s %-8s %-10s %6s %6s %12s %10s %10s  %s\n", "nodes", "R", "ranks",
           "exchange", "method", "B", "k", "seconds", "GUP/s", "over first", "bound by");
    /* One node exchanges nothing. */
    for (size_t n = 0; n < nodes.n; n++)
        for (size_t e = 0; e < (nodes.value[n] > 1 ? epochs.n : 1); e++)
            print_line(m, nodes.value[n], nodes.value[n] > 1 ? epochs.value[e] : 0, &table,
                       &failure);
    lost = table.csv && ferror(table.csv);
    if (table.csv && (fclose(table.csv) || lost))
        return zoid_fail(ZOID_RESOURCE, "cannot write %s; make room for it", m->csv);
    return table.any ? ZOID_OK : zoid_failure_raise(&failure);
}
