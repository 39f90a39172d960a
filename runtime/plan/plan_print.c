/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan as text. */
#include "graphs/cell.h"
#include "graphs/kinds.h"
#include "runtime/plan/alias.h"
#include "runtime/plan/cost.h"
#include "runtime/plan/jin.h"
#include "runtime/plan/moves.h"
#include "runtime/plan/parts.h"
#include "runtime/plan/place.h"
#include "runtime/plan/ranks.h"

const char *zoid_balance_name(enum zoid_balance balance)
{
    static const char *const names[] = {[ZOID_BALANCE_AUTO] = "auto",
                                        [ZOID_BALANCE_GPU] = "gpu",
                                        [ZOID_BALANCE_CPU] = "cpu",
                                        [ZOID_BALANCE_SPLIT] = "split",
                                        [ZOID_BALANCE_SCHEDULER] = "scheduler"};

    return names[balance];
}

const char *zoid_traversal_name(enum zoid_traversal traversal)
{
    static const char *const names[ZOID_TRAVERSALS] = {[ZOID_TRAVERSAL_BEST] = "best",
                                                       [ZOID_TRAVERSAL_TWO] = "two",
                                                       [ZOID_TRAVERSAL_STEP] = "step",
                                                       [ZOID_TRAVERSAL_NAIVE] = "naive"};

    return names[traversal];
}

const char *zoid_resource_name(enum zoid_resource resource)
{
    static const char *const names[ZOID_COSTS] = {
        [ZOID_COST_COMPUTE] = "compute",     [ZOID_COST_MEMORY] = "memory",
        [ZOID_COST_LINK_UP] = "link_up",     [ZOID_COST_LINK_DOWN] = "link_down",
        [ZOID_COST_LINK_PEER] = "link_peer", [ZOID_COST_DISK] = "disk",
        [ZOID_COST_TASK] = "tasks",          [ZOID_COST_MESSAGE] = "messages"};

    return names[resource];
}

enum zoid_resource zoid_cost_bound(const struct zoid_cost *cost)
{
    enum zoid_resource most = ZOID_COST_COMPUTE;

    for (int r = 0; r < ZOID_COSTS; r++)
        if (cost->part[r] > cost->part[most])
            most = (enum zoid_resource)r;
    return most;
}

static void print_cost(const struct zoid_cost *c, FILE *out)
{
    const enum zoid_resource bound = zoid_cost_bound(c);

    fprintf(out, "predicted_seconds %.6g\n", c->seconds);
    for (int r = 0; r < ZOID_COSTS; r++)
        if (c->part[r] > 0)
            fprintf(out, "predicted.%s %.6g\n", zoid_resource_name((enum zoid_resource)r),
                    c->part[r]);
    fprintf(out, "bound.name %s\nbound.fraction %.4g\nrates %s\n", zoid_resource_name(bound),
            c->seconds > 0 ? c->part[bound] / c->seconds : 0,
            c->calibrated ? "calibrated" : "default");
}

static void print_tier(const struct zoid_plan *p, enum zoid_tier_kind tier, FILE *out)
{
    const struct zoid_tier *t = &p->tier[tier];

    fprintf(out, "%s.total %llu\n%s.budget %llu\n", t->name, (unsigned long long)t->bytes, t->name,
            (unsigned long long)t->capacity);
}

/* Print how much of the slabs the place's own memory keeps, and who evicts them. */
static void print_kept(const struct zoid_plan *p, FILE *out)
{
    const enum zoid_tier_kind near = zoid_plan_near(p);
    const enum zoid_keep slabs = p->keep[ZOID_SLAB][near];
    const char *name = p->tier[near].name;

    fprintf(out, "%s.in_core %s\n%s.swaps %s\n", name, slabs == ZOID_KEEP_ALL ? "true" : "false",
            name, slabs == ZOID_KEEP_BLOCKS ? "true" : "false");
    if (slabs != ZOID_KEEP_ALL)
        fprintf(out, "%s.evicted_by %s\n", name, zoid_plan_evicts(p) ? "zoid" : "starpu");
}

/* Print the predicted traffic, if there is any and it is known. */
static void print_moves(const struct zoid_plan *p, const struct zoid_traffic *t, FILE *out)
{
    const bool streams = zoid_plan_streams(p);
    const struct {
        const char *name;
        double bytes;
        bool always;
    } way[] = {{"h2d", t->h2d, streams},
               {"d2h", t->d2h, streams},
               {"p2p", t->p2p, false},
               {"disk_read", t->disk_read, false},
               {"disk_write", t->disk_write, false}};

    for (size_t i = 0; i < sizeof way / sizeof *way; i++)
        if (way[i].bytes > 0 || (way[i].bytes == 0 && way[i].always))
            fprintf(out, "planned.%s %.0f\n", way[i].name, way[i].bytes);
}

/* Print what came second among ranks. */
static void print_second(const struct zoid_seconds *s, FILE *out)
{
    if (s->seconds.epoch > 0)
        fprintf(out, "second.epoch.steps %ld\nsecond.epoch.seconds %.6g\n", s->epoch,
                s->seconds.epoch);
    if (s->seconds.exchange > 0)
        fprintf(out, "second.exchange.name %s\nsecond.exchange.seconds %.6g\n",
                zoid_exchange_name(s->exchange), s->seconds.exchange);
    if (s->seconds.ranks > 0)
        fprintf(out, "second.ranks.grid %ldx%ldx%ld\nsecond.ranks.seconds %.6g\n", s->ranks[0],
                s->ranks[1], s->ranks[2], s->seconds.ranks);
}

void zoid_plan_print(const struct zoid_plan *p, FILE *out)
{
    const enum zoid_tier_kind near = zoid_plan_near(p);
    const struct zoid_graph *g = &p->graph;
    const struct zoid_traffic moves = zoid_plan_moves(p, &(struct zoid_moves_run){.end = 0});
    const double jin = zoid_jin_of_plan(p, &moves);

    fprintf(out, "operator %s\nsize %ldx%ldx%ld\nsteps %ld\n", p->problem.op->name, p->problem.n[0],
            p->problem.n[1], p->problem.n[2], p->problem.steps);
    fprintf(out, "method %s\n", p->graph.method->name);
    if (p->alias)
        fprintf(out, "alias %s\n", p->alias);
    fprintf(out, "block %ld\ndepth %ld\ntraversal %s\noverlap %s\nlanes %d\nworkers %d %s\n",
            p->graph.block, p->graph.depth, zoid_traversal_name(zoid_place_traversal(&p->place)),
            p->serial ? "false" : "true", p->graph.lanes, zoid_place_all(&p->place),
            zoid_place_of(p)->workers);
    if (jin > 0)
        fprintf(out, "jin.depth %.0f\n", jin);
    if (p->place.team > 1)
        fprintf(out, "team %d\n", p->place.team);
    if (zoid_plan_strip(p))
        fprintf(out, "strip %ld\n", zoid_plan_strip(p));
    if (zoid_ranks(g) > 1)
        fprintf(out, "ranks %ldx%ldx%ld\nexchange %s\n", zoid_ranks_along(g, 0),
                zoid_ranks_along(g, 1), zoid_ranks_along(g, 2),
                zoid_exchange_name(zoid_ranks_exchange(g)));
    if (zoid_cells(g) > 1)
        fprintf(out, "cells %ldx%ldx%ld\nepoch %ld\n", zoid_rank_cells_along(g, 0),
                zoid_rank_cells_along(g, 1), zoid_rank_cells_along(g, 2), g->epoch);
    if (p->graph.leaf)
        fprintf(out, "leaf %ld\n", p->graph.leaf);
    fprintf(out, "clamped %s\nblocks %ld\n", p->clamped ? "true" : "false", p->census.blocks);
    for (int k = 0; k < ZOID_KINDS; k++)
        if (p->bytes[k])
            fprintf(out, "ram.%s %llu\n", zoid_kinds[k].several, (unsigned long long)p->bytes[k]);
    if (p->staging_bytes)
        fprintf(out, "ram.staging %llu\n", (unsigned long long)p->staging_bytes);
    if (p->record_bytes)
        fprintf(out, "ram.record %llu\n", (unsigned long long)p->record_bytes);
    fprintf(out, "ram.scratch %llu\nram.handles %llu\n", (unsigned long long)p->scratch_bytes,
            (unsigned long long)p->handle_bytes);
    print_tier(p, ZOID_RAM, out);
    if (p->home != ZOID_RAM)
        print_tier(p, p->home, out);
    if (near != ZOID_RAM) {
        print_tier(p, near, out);
        print_kept(p, out);
    }
    print_moves(p, &moves, out);
    print_cost(&p->cost, out);
    if (zoid_ranks_processes(g) > 1)
        fprintf(out, "predicted_by %s\n", p->cost.replayed ? "replay" : "sums");
    print_second(&p->second, out);
    fprintf(out, "reason %s\n", p->reason);
}

static void print_place(const struct zoid_plan *p, int i, FILE *out)
{
    const struct zoid_graph *g = &p->graph;
    const struct zoid_range own =
        zoid_cell_own(g, zoid_graph_cells(g).lo, 0).axis[zoid_chain(&g->shape)];

    fprintf(out, "places.%d.kind %s\nplaces.%d.workers %d\nplaces.%d.team %d\n", i,
            zoid_place_of(p)->name, i, p->place.workers, i, p->place.team);
    fprintf(out, "places.%d.planes %ld\nplaces.%d.room %ld\nplaces.%d.method %s\n", i,
            own.hi - own.lo, i, zoid_cell_line(g), i, g->method->name);
    fprintf(out, "places.%d.block %ld\nplaces.%d.depth %ld\nplaces.%d.lanes %d\n", i, g->block, i,
            g->depth, i, g->lanes);
    fprintf(out, "places.%d.cells %ldx%ldx%ld\n", i, zoid_rank_cells_along(g, 0),
            zoid_rank_cells_along(g, 1), zoid_rank_cells_along(g, 2));
    fprintf(out, "places.%d.traversal %s\nplaces.%d.ram %llu\n", i,
            zoid_traversal_name(zoid_place_traversal(&p->place)), i,
            (unsigned long long)p->tier[ZOID_RAM].bytes);
    fprintf(out, "places.%d.predicted_seconds %.6g\nplaces.%d.reason %s\n", i, p->cost.seconds, i,
            p->reason);
}

/* Predicted seconds of each place by itself, by its kind, or if that is not its alone its number,
 * too. */
static void print_alone(const struct zoid_plans *plans, FILE *out)
{
    for (int i = 0; i < plans->places; i++) {
        const char *kind = zoid_places[plans->seat[i].kind]->name;

        if (plans->alone[i] > 0 && plans->seat[i].shares)
            fprintf(out, "alone.%s.%d.seconds %.6g\n", kind, i, plans->alone[i]);
        else if (plans->alone[i] > 0)
            fprintf(out, "alone.%s.seconds %.6g\n", kind, plans->alone[i]);
    }
}

static void print_crews(const struct zoid_place *place, FILE *out)
{
    fprintf(out, "policy %s\n", place->policy);
    if (place->flight)
        fprintf(out, "in_flight %ld\n", place->flight);
    for (int i = 0; i < place->crews; i++) {
        const struct zoid_crew *crew = &place->crew[i];

        fprintf(out, "places.%d.kind %s\nplaces.%d.workers %d\nplaces.%d.traversal %s\n", i,
                zoid_places[crew->kind]->name, i, crew->workers, i,
                zoid_traversal_name(place->traversal[crew->kind]));
        fprintf(out, "places.%d.point_seconds %.4g\n", i, crew->pace);
    }
}

void zoid_plans_print(const struct zoid_plans *plans, FILE *out)
{
    zoid_plan_print(&plans->part[plans->parts - 1], out);
    if (plans->places < 2 && !plans->part->place.crews)
        return;
    fprintf(out, "balance %s\n", zoid_balance_name(plans->balance));
    if (plans->part->place.crews)
        print_crews(&plans->part->place, out);
    if (plans->second != plans->balance)
        fprintf(out, "balance.tried %s\n", zoid_balance_name(plans->second));
    if (plans->next_seconds > 0)
        fprintf(out, "second.balance.name %s\nsecond.balance.seconds %.6g\n",
                zoid_balance_name(plans->next), plans->next_seconds);
    print_alone(plans, out);
    if (plans->parts == 1)
        return;
    fprintf(out, "border.first %ld\nborder.moves %s\n", plans->border[1],
            plans->moves ? "true" : "false");
    for (int i = 0; i < plans->parts; i++)
        print_place(&plans->part[i], i, out);
}
