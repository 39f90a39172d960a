/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/report/account.h"

#include <math.h>
#include <string.h>

#include "graphs/cell.h"
#include "runtime/plan/cost.h"
#include "runtime/plan/moves.h"
#include "runtime/plan/parts.h"
#include "runtime/plan/place.h"
#include "runtime/plan/ranks.h"
#include "runtime/ranks/ranks.h"
#include "runtime/report/traffic.h"

struct zoid_account zoid_account_open(const struct zoid_work *work, struct zoid_rank_report *each)
{
    struct zoid_account account = {.work = work,
                                   .each = each,
                                   .busy_seconds = zoid_clock_busy_seconds(&work->clock),
                                   .core_seconds = zoid_clock_core_seconds(&work->clock)};

    if (work->disk)
        account.disk = zoid_disk_traffic(work->disk);
    zoid_traffic_start(zoid_plan_streams(work->plan));
    return account;
}

/* Every point of the domain once per step. */
static double useful_points(const struct zoid_problem *problem, long steps)
{
    double points = (double)steps;

    for (int a = 0; a < ZOID_AXES; a++)
        points *= (double)problem->n[a];
    return points;
}

/* Entries of the problem; a run may have been stopped after `steps` steps. */
static void fill_problem(const struct zoid_problem *problem, long steps, struct zoid_report *r)
{
    r->op = problem->op;
    memcpy(r->size, problem->n, sizeof r->size);
    r->steps = steps;
    r->useful = useful_points(problem, steps);
}

static void fill_plan(const struct zoid_plan *plan, struct zoid_report *r)
{
    const struct zoid_graph *g = &plan->graph;

    r->method = g->method->name;
    r->alias = plan->alias;
    r->block = g->block;
    r->depth = g->depth;
    r->team = plan->place[0].team;
    r->strip = zoid_plan_strip(plan);
    for (int a = 0; a < ZOID_AXES; a++)
        r->cells[a] = zoid_rank_cells_along(g, a);
    for (int a = 0; a < ZOID_AXES; a++)
        r->ranks[a] = zoid_ranks_along(g, a);
    r->exchange = zoid_ranks_exchange(g);
    r->epoch = g->epoch;
    r->traversal = plan->place[0].traversal;
    r->serial = plan->serial;
    r->clamped = plan->clamped;
}

static void fill_predicted(const struct zoid_cost *cost, double seconds, struct zoid_report *r)
{
    const enum zoid_resource bound = zoid_cost_bound(cost);

    r->predicted_seconds = cost->seconds;
    r->bound = zoid_resource_name(bound);
    r->bound_fraction = seconds > 0 ? cost->part[bound] / seconds : NAN;
    r->rates = cost->calibrated ? "calibrated" : "default";
}

static void fill_core_seconds(const struct zoid_account *a, struct zoid_report *r)
{
    const struct zoid_plan *plan = a->work->plan;
    const bool known = !a->each;

    r->core_seconds = known ? zoid_clock_core_seconds(&a->work->clock) - a->core_seconds : NAN;
    r->predicted_core_seconds = known ? plan->cost.near + plan->cost.far : NAN;
}

static void fill_traffic(const struct zoid_account *a, struct zoid_report *r)
{
    const struct zoid_traffic moved = zoid_traffic_read();
    const struct zoid_disk_range *range = a->work->disk;

    r->h2d = moved.h2d;
    r->d2h = moved.d2h;
    r->p2p = moved.p2p;
    r->disk_read = moved.disk_read;
    r->disk_write = moved.disk_write;
    r->disk_folder = NULL;
    r->disk_direct = false;
    if (range) {
        const struct zoid_disk_traffic end = zoid_disk_traffic(range);
        const struct zoid_disk *disk = zoid_disk_of(range);

        r->disk_folder = zoid_disk_folder(disk);
        r->disk_direct = zoid_disk_direct(disk);
        r->disk_read = (double)(end.read - a->disk.read);
        r->disk_write = (double)(end.written - a->disk.written);
    }
}

static double size_of(const void *store, const struct zoid_datum *datum)
{
    return (double)starpu_data_get_size(zoid_store_handle(store, datum));
}

/* Transfers that the blocks that ran needed. */
static void fill_planned(const struct zoid_account *a, const struct zoid_worked *worked,
                         struct zoid_report *r)
{
    const struct zoid_graph *g = &a->work->plan->graph;
    const bool stopped = worked->end < g->start + g->steps;
    const struct zoid_moves_run run = {.end = stopped ? worked->end : 0,
                                       .settled = a->settled,
                                       .bytes = size_of,
                                       .of = a->work->store};

    r->planned = zoid_plan_moves(a->work->plan, &run);
}

/* Sums over ranks are computed from the rows of the report, so that they agree with them. */
static void gather_ranks(struct zoid_rank_report *each, struct zoid_report *r)
{
    const struct zoid_rank_report mine = {.messages = r->messages,
                                          .mpi = r->mpi,
                                          .waiting = r->waiting,
                                          .busy_workers = r->busy_workers};
    const int ranks = zoid_ranks_here()->size;

    zoid_ranks_gather(&mine, sizeof mine, each);
    zoid_ranks_broadcast(each, (size_t)ranks * sizeof *each);
    r->each = each;
    r->messages = r->mpi = r->waiting = r->busy_workers = 0;
    for (int i = 0; i < ranks; i++) {
        r->messages += each[i].messages;
        r->mpi += each[i].mpi;
        r->waiting += each[i].waiting;
        r->busy_workers += each[i].busy_workers;
    }
}

/* Add the counters of all ranks; the run took the time of the slowest one. */
static void add_ranks(struct zoid_report *r)
{
    struct zoid_traffic *const planned = &r->planned;
    double *const sum[] = {
        &r->h2d,       &r->d2h,       &r->p2p,       &r->disk_read,       &r->disk_write,
        &planned->h2d, &planned->d2h, &planned->p2p, &planned->disk_read, &planned->disk_write};
    enum { N = sizeof sum / sizeof *sum };
    double value[N + 4];

    for (int i = 0; i < N; i++)
        value[i] = *sum[i];
    value[N] = (double)r->tasks;
    value[N + 1] = (double)r->cpu_workers;
    value[N + 2] = (double)r->cuda_workers;
    value[N + 3] = r->redundant + r->useful;
    zoid_ranks_add(value, N + 4);
    for (int i = 0; i < N; i++)
        *sum[i] = value[i];
    r->tasks = (long)value[N];
    r->cpu_workers = (int)value[N + 1];
    r->cuda_workers = (int)value[N + 2];
    r->redundant = value[N + 3] - r->useful;
    r->seconds = zoid_ranks_longest(r->seconds);
    r->gups = r->seconds > 0 ? r->useful / r->seconds * 1e-9 : NAN;
}

void zoid_account_close(const struct zoid_account *a, const struct zoid_machine *machine,
                        const struct zoid_worked *worked, double seconds, struct zoid_report *r)
{
    const struct zoid_plan *plan = a->work->plan;
    const double busy = zoid_clock_busy_seconds(&a->work->clock) - a->busy_seconds;

    fill_problem(&plan->problem, worked->end - plan->graph.start, r);
    fill_plan(plan, r);
    fill_predicted(&plan->cost, seconds, r);
    fill_core_seconds(a, r);
    fill_traffic(a, r);
    fill_planned(a, worked, r);
    r->seconds = seconds;
    r->gups = seconds > 0 ? r->useful / seconds * 1e-9 : NAN;
    r->cpu_workers = machine->cpu_workers;
    r->cuda_workers = machine->cuda_workers;
    r->busy_workers = seconds > 0 ? busy / seconds : NAN;
    r->redundant = worked->points / plan->graph.shape.stages - r->useful;
    r->tasks = worked->tasks;
    r->mpi = worked->bytes;
    r->messages = (double)worked->messages;
    r->waiting = worked->waiting;
    r->each = NULL;
    if (a->each) {
        add_ranks(r);
        gather_ranks(a->each, r);
    }
}
