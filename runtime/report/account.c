/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/report/account.h"

#include <math.h>
#include <string.h>

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "runtime/plan/cost.h"
#include "runtime/plan/estimate.h"
#include "runtime/plan/jin.h"
#include "runtime/plan/moves.h"
#include "runtime/plan/parts.h"
#include "runtime/plan/place.h"
#include "runtime/plan/ranks.h"
#include "runtime/plan/tier.h"
#include "runtime/ranks/ranks.h"
#include "runtime/report/traffic.h"

/* Seconds and points of a crew since the job was created. */
static struct zoid_done done_by(const struct zoid_job_part *part, int crew)
{
    int worker[STARPU_NMAXWORKERS];
    const int n = zoid_dealer_crew(&part->plan.place.crew[crew], worker);
    struct zoid_done sum = {0, 0};

    for (int i = 0; i < n; i++) {
        const struct zoid_done one = zoid_clock_of(&part->work.clock, worker[i]);

        sum.seconds += one.seconds;
        sum.points += one.points;
    }
    return sum;
}

struct zoid_account zoid_account_open(const struct zoid_job_part *part, int parts,
                                      const struct zoid_place *seat, int places,
                                      struct zoid_rank_report *each)
{
    struct zoid_account account = {.part = part,
                                   .parts = parts,
                                   .seat = seat,
                                   .places = places,
                                   .each = each,
                                   .core_seconds = zoid_parts_core_seconds(part, parts),
                                   .start = part->plan.graph.start,
                                   .worked = {{.end = part->plan.graph.start}}};
    bool streams = false;

    for (int i = 0; i < parts; i++) {
        streams |= zoid_plan_on_gpus(&part[i].plan);
        account.busy_seconds[i] = zoid_clock_busy_seconds(&part[i].work.clock);
        account.predicted_seconds = fmax(account.predicted_seconds, part[i].plan.cost.seconds);
    }
    for (int i = 0; i < part->plan.place.crews; i++)
        account.crew[i] = done_by(part, i);
    if (part->work.disk)
        account.disk = zoid_disk_traffic(part->work.disk);
    zoid_traffic_start(streams);
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
    r->team = plan->place.team;
    r->strip = zoid_plan_strip(plan);
    for (int a = 0; a < ZOID_AXES; a++)
        r->cells[a] = zoid_rank_cells_along(g, a);
    for (int a = 0; a < ZOID_AXES; a++)
        r->ranks[a] = g->apart && a == zoid_chain(&g->shape) ? 1 : zoid_ranks_along(g, a);
    r->exchange = zoid_ranks_exchange(g);
    r->epoch = g->epoch;
    r->traversal = zoid_place_traversal(&plan->place);
    r->serial = plan->serial;
    r->clamped = plan->clamped;
}

static void fill_predicted(const struct zoid_cost *cost, double predicted, double seconds,
                           struct zoid_report *r)
{
    const enum zoid_resource bound = zoid_cost_bound(cost);

    r->predicted_seconds = predicted;
    r->bound = zoid_resource_name(bound);
    r->bound_fraction = seconds > 0 ? cost->part[bound] / seconds : NAN;
    r->rates = cost->calibrated ? "calibrated" : "default";
}

/* Rates are learned from runs of one place. */
static void fill_core_seconds(const struct zoid_account *a, struct zoid_report *r)
{
    const struct zoid_plan *plan = &a->part->plan;
    const bool known = !a->each && a->parts == 1 && !plan->place.crews;

    r->core_seconds = known ? zoid_parts_core_seconds(a->part, a->parts) - a->core_seconds : NAN;
    r->predicted_core_seconds = known ? plan->cost.near + plan->cost.far : NAN;
}

static void fill_traffic(const struct zoid_account *a, struct zoid_report *r)
{
    const struct zoid_traffic moved = zoid_traffic_read();
    const struct zoid_disk_range *range = a->part->work.disk;

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

/* Of places that share a run there is no traffic of each. */
static void fill_jin(const struct zoid_account *a, double points, struct zoid_report *r)
{
    const struct zoid_plan *plan = &a->part->plan;
    const struct zoid_traffic moved = {.h2d = r->h2d, .d2h = r->d2h};
    const struct zoid_jin jin = {.planes = r->block,
                                 .depth = r->depth,
                                 .steps = r->steps,
                                 .link = zoid_jin_link(plan, &moved),
                                 .kernels =
                                     zoid_parts_core_seconds(a->part, a->parts) - a->core_seconds,
                                 .redundant = points / a->useful[0]};
    const bool streams = a->parts == 1 && zoid_plan_streams(plan) && !zoid_plan_stays(plan);

    r->jin_depth = streams && jin.kernels > 0 && points > 0 ? zoid_jin_depth(&jin) : 0;
}

static double size_of(const void *store, const struct zoid_datum *datum)
{
    return (double)starpu_data_get_size(zoid_store_handle(store, datum));
}

static void add_traffic(struct zoid_traffic *sum, const struct zoid_traffic *more)
{
    sum->h2d += more->h2d;
    sum->d2h += more->d2h;
    sum->p2p += more->p2p;
    sum->disk_read += more->disk_read;
    sum->disk_write += more->disk_write;
}

/* Transfers that the blocks of a leg needed. */
static void add_planned(struct zoid_account *a, const struct zoid_job_part *part, long end)
{
    const struct zoid_graph *g = &part->plan.graph;
    const struct zoid_moves_run run = {.end = end < g->start + g->steps ? end : 0,
                                       .settled = part->settled,
                                       .bytes = size_of,
                                       .of = part->store};
    const struct zoid_traffic moves = zoid_plan_moves(&part->plan, &run);

    add_traffic(&a->planned, &moves);
}

/* Number of epochs of a leg that has run up to a step; 0: one cell. */
static long epochs_of(const struct zoid_graph *g, long end)
{
    return g->epoch ? zoid_ceil_div(end - g->start, g->epoch) : 0;
}

void zoid_account_leg(struct zoid_account *a, const struct zoid_worked worked[])
{
    for (int i = 0; i < a->parts; i++) {
        const struct zoid_job_part *part = &a->part[i];
        struct zoid_worked *sum = &a->worked[i];

        add_planned(a, part, worked[i].end);
        a->useful[i] +=
            zoid_estimate_owned(&part->plan) * (double)(worked[i].end - part->plan.graph.start);
        sum->tasks += worked[i].tasks;
        sum->points += worked[i].points;
        zoid_stream_add(&a->stream, worked[i].stream);
        sum->messages += worked[i].messages;
        sum->bytes += worked[i].bytes;
        sum->waiting += worked[i].waiting;
        sum->end = worked[i].end;
    }
    a->epochs += epochs_of(&a->part->plan.graph, worked[0].end);
}

/* Sums over ranks are computed from the rows of the report, so that they agree with them. */
static void gather_ranks(double busy, double stream, struct zoid_rank_report *each,
                         struct zoid_report *r)
{
    const struct zoid_rank_report mine = {.stream = stream,
                                          .messages = r->messages,
                                          .mpi = r->mpi,
                                          .waiting = r->waiting,
                                          .busy_workers = r->busy_workers,
                                          .block_seconds = busy};
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

/* Places of all ranks: points and workers add up, and seconds are a worker's. */
static void add_places(struct zoid_report *r)
{
    enum { WORKERS, SECONDS, WAITING, USEFUL, REDUNDANT, ALL };
    double sum[ZOID_PARTS_MOST * ALL + 1];

    for (int i = 0; i < r->places; i++) {
        const struct zoid_place_report *p = &r->place[i];
        double *one = &sum[i * ALL];

        one[WORKERS] = p->workers;
        one[SECONDS] = p->seconds * p->workers;
        one[WAITING] = p->waiting * p->workers;
        one[USEFUL] = p->useful;
        one[REDUNDANT] = p->redundant;
    }
    zoid_ranks_add(sum, r->places * ALL);
    for (int i = 0; i < r->places; i++) {
        struct zoid_place_report *p = &r->place[i];
        const double *one = &sum[i * ALL];

        p->workers = (int)one[WORKERS];
        p->seconds = one[SECONDS] / one[WORKERS];
        p->waiting = one[WAITING] / one[WORKERS];
        p->useful = one[USEFUL];
        p->redundant = one[REDUNDANT];
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
    enum { MORE = 7 };
    double value[N + MORE];

    for (int i = 0; i < N; i++)
        value[i] = *sum[i];
    value[N] = (double)r->tasks;
    value[N + 1] = (double)r->cpu_workers;
    value[N + 2] = (double)r->cuda_workers;
    value[N + 3] = r->redundant + r->useful;
    value[N + 4] = r->takers;
    value[N + 5] = r->link_seconds;
    value[N + 6] = r->network_seconds;
    zoid_ranks_add(value, N + MORE);
    for (int i = 0; i < N; i++)
        *sum[i] = value[i];
    r->tasks = (long)value[N];
    r->cpu_workers = (int)value[N + 1];
    r->cuda_workers = (int)value[N + 2];
    r->redundant = value[N + 3] - r->useful;
    r->takers = (int)value[N + 4];
    r->link_seconds = value[N + 5];
    r->network_seconds = value[N + 6];
    if (r->places)
        add_places(r);
    r->seconds = zoid_ranks_longest(r->seconds);
    r->gups = r->seconds > 0 ? r->useful / r->seconds * 1e-9 : NAN;
}

/* Totals of all subdomains. */
static struct zoid_worked all_worked(const struct zoid_account *a)
{
    struct zoid_worked all = a->worked[0];

    for (int i = 1; i < a->parts; i++) {
        all.tasks += a->worked[i].tasks;
        all.points += a->worked[i].points;
        all.messages += a->worked[i].messages;
        all.bytes += a->worked[i].bytes;
        all.waiting += a->worked[i].waiting;
    }
    return all;
}

static struct zoid_place_report place_of(const struct zoid_account *a, int i, double seconds)
{
    const struct zoid_plan *plan = &a->part[i].plan;
    const struct zoid_graph *g = &plan->graph;
    const double busy = zoid_clock_busy_seconds(&a->part[i].work.clock) - a->busy_seconds[i];
    const double each = busy / zoid_place_all(&plan->place);
    const int chain = zoid_chain(&g->shape);
    const struct zoid_range own = zoid_cell_own(g, zoid_graph_cells(g).lo, 0).axis[chain];

    return (struct zoid_place_report){
        .kind = zoid_place_of(plan)->name,
        .method = g->method->name,
        .workers = plan->place.workers,
        .team = plan->place.team,
        .lanes = g->lanes,
        .planes = zoid_range_all(&own) ? g->shape.n[chain] : own.hi - own.lo,
        .block = g->block,
        .depth = g->depth,
        .traversal = zoid_place_traversal(&plan->place),
        .useful = a->useful[i],
        .redundant = a->worked[i].points / g->shape.stages - a->useful[i],
        .seconds = each,
        .waiting = fmax(seconds - each, 0),
        .predicted_seconds = plan->cost.seconds};
}

/* A place that had no part in this run. */
static struct zoid_place_report idle_place(const struct zoid_place *seat, double seconds)
{
    return (struct zoid_place_report){
        .kind = zoid_places[seat->kind]->name, .workers = seat->workers, .waiting = seconds};
}

/* A crew has the part of the points that it computed, of useful ones as of the others. */
static struct zoid_place_report crew_of(const struct zoid_account *a, int i, double seconds)
{
    const struct zoid_crew *crew = &a->part->plan.place.crew[i];
    const struct zoid_done now = done_by(a->part, i);
    const double all = a->worked->points / a->part->plan.graph.shape.stages;
    const double points = (now.points - a->crew[i].points) / a->part->plan.graph.shape.stages;
    struct zoid_place_report r = place_of(a, 0, seconds);

    r.kind = zoid_places[crew->kind]->name;
    r.workers = crew->workers;
    r.traversal = a->part->plan.place.traversal[crew->kind];
    r.planes = 0;
    r.useful = all > 0 ? a->useful[0] * points / all : 0;
    r.redundant = points - r.useful;
    r.seconds = (now.seconds - a->crew[i].seconds) / crew->workers;
    r.waiting = fmax(seconds - r.seconds, 0);
    return r;
}

static void fill_places(const struct zoid_account *a, double seconds, struct zoid_report *r)
{
    const int crews = a->part->plan.place.crews;
    const bool first = a->part->work.part == 0;

    if (crews) {
        r->places = crews;
        r->balance = ZOID_BALANCE_SCHEDULER;
        for (int i = 0; i < crews; i++)
            r->place[i] = crew_of(a, i, seconds);
        return;
    }
    r->places = a->places > 1 ? a->places : 0;
    r->balance = a->parts > 1 ? ZOID_BALANCE_SPLIT : first ? ZOID_BALANCE_CPU : ZOID_BALANCE_GPU;
    for (int i = 0; i < r->places; i++)
        r->place[i] = idle_place(&a->seat[i], seconds);
    for (int i = 0; i < a->parts && r->places; i++)
        r->place[a->part[i].work.part] = place_of(a, i, seconds);
}

/* Of the last leg's place, as its workers are all that there are in a simulation. */
static void fill_links(const struct zoid_account *a, const struct zoid_context *context,
                       struct zoid_report *r)
{
    const struct zoid_plan *plan = &a->part[a->parts - 1].plan;
    const struct zoid_tier *gpu = &plan->tier[ZOID_GPU_MEMORY];
    const double way = fmax(r->h2d * gpu->up, r->d2h * gpu->down);

    r->takers = plan->place.workers;
    r->link_seconds = zoid_plan_streams(plan) ? way / plan->place.workers : 0;
    r->network_seconds = r->mpi * zoid_rates_network(&context->rates, &context->machine).wire;
}

void zoid_account_close(const struct zoid_account *a, const struct zoid_context *context,
                        double seconds, struct zoid_report *r)
{
    const struct zoid_plan *plan = &a->part[a->parts - 1].plan;
    const struct zoid_worked all = all_worked(a);
    double busy = zoid_parts_busy_seconds(a->part, a->parts);

    for (int i = 0; i < a->parts; i++)
        busy -= a->busy_seconds[i];
    fill_problem(&plan->problem, all.end - a->start, r);
    fill_plan(plan, r);
    fill_predicted(&plan->cost, a->predicted_seconds, seconds, r);
    fill_core_seconds(a, r);
    fill_traffic(a, r);
    fill_jin(a, all.points / plan->graph.shape.stages, r);
    fill_places(a, seconds, r);
    r->planned = a->planned;
    r->epochs = a->epochs;
    r->seconds = seconds;
    r->gups = seconds > 0 ? r->useful / seconds * 1e-9 : NAN;
    r->cpu_workers = context->machine.cpu_workers;
    r->cuda_workers = context->machine.cuda_workers;
    r->busy_workers = seconds > 0 ? busy / seconds : NAN;
    r->redundant = all.points / plan->graph.shape.stages - r->useful;
    r->tasks = all.tasks;
    r->mpi = all.bytes;
    r->messages = (double)all.messages;
    r->waiting = all.waiting;
    fill_links(a, context, r);
    r->each = NULL;
    if (a->each) {
        add_ranks(r);
        gather_ranks(busy, zoid_stream_digest(&a->stream), a->each, r);
    }
}
