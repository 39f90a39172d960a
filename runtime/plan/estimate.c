/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of the estimates that all places share: the rates of an operator, and the costs of slabs,
 * passes, lanes and the disk. */
#include "runtime/plan/estimate.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "codelets/block/layer.h"
#include "codelets/mlsor/cuda.h"
#include "codelets/op/traits.h"
#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/grid.h"
#include "graphs/volume.h"
#include "runtime/machine/card.h"
#include "runtime/machine/refine.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/coefficients.h"
#include "runtime/plan/place.h"
#include "runtime/plan/tier.h"

/* ---- the model of an operator -------------------------------------------------------------- */

/* Rates on cores of an operator that is not measured. An update costs its traffic between a core
 * and its own cache, or its operations, whichever takes longer; and its traffic from memory, which
 * is half as fast tile by tile. In order, an operation waits for the one before it, including those
 * of the point before. */
static void default_core(const struct zoid_rates *rates, const struct zoid_op *op,
                         struct zoid_op_rates *r)
{
    const double flop =
        zoid_op_in_order(op) ? 0.7e-9 : 0.09e-9 / 12 * (double)zoid_type_size(op->type) / 4;
    const double near = rates->cost[0].seconds, far = rates->cost[rates->costs - 1].seconds;

    r->tiled = fmax(near * op->bytes, flop * op->flops);
    r->step = r->tiled + (far - near) * op->bytes;
    r->visit = 2 * (far - near) * op->bytes;
    r->exceeding = (far - near) * op->bytes / 4;
    /* Additional time per point of heat in a wavefront of times, with sweeps of two planes of a low
     * tile. Points in order, and operators with runners of their own, are no faster for it. */
    if (!zoid_op_in_order(op) && !op->runner) {
        r->marched = r->tiled + 0.12e-9;
        r->marched_visit = r->visit;
    }
}

/* Seconds per operation of mlsor on a GPU, by dimensions, type and right-hand side: measured on an
 * H100 with subdomains of 16 points per edge; larger subdomains hide less of their latencies. */
static double mlsor_operation(const struct zoid_mlsor_kind *kind)
{
    static const double picoseconds[2][2][2] = {{{0.39, 0.48}, {0.70, 1.0}},
                                                {{1.3, 3.1}, {3.4, 6.5}}};

    return 1e-12 * picoseconds[kind->dims - 2][kind->type == ZOID_F64][kind->rhs];
}

/* Rates on GPUs of an operator that is not measured: 0.85 of the bandwidth of copying, or 0.7 with
 * more than MANY fields, as in seismic; and the card's gain from each further time of a launch, or
 * 0.5 if the operator's coefficients are in pieces. mlsor, however, computes for longer than it
 * copies. */
static void default_gpu(const struct zoid_machine *machine, const struct zoid_rates *rates,
                        const struct zoid_op *op, struct zoid_op_rates *r)
{
    enum { MANY = 6 };
    const struct zoid_card *card = zoid_card_of(machine->gpu);
    const double reached = op->nstate + op->ncoef > MANY ? 0.7 : 0.85;
    const double by_type = op->type == ZOID_F64 ? card->gain_f64 : card->gain;
    const double gain = op->coefficient_bytes ? 0.5 : by_type;
    const int most = op->kernels ? op->kernels->most : 1;

    r->gpu_step = rates->gpu_memory * op->bytes / reached;
    if (op->cuda && op->cuda == zoid_cuda_mlsor) {
        const struct zoid_mlsor *m = op->self;

        r->gpu_step = fmax(r->gpu_step, mlsor_operation(&m->kind) * op->flops);
    }
    r->gpu_even = r->gpu_step / (1 + gain * (most - 1));
}

static const struct zoid_op *op_named(const char *name)
{
    const struct zoid_op *op;
    char of_op[ZOID_RATES_NAME];

    for (size_t i = 0; (op = zoid_op_at(i)); i++) {
        zoid_rates_name(op, of_op);
        if (!strcmp(of_op, name))
            break;
    }
    return op;
}

/* Geometric mean of factors. */
struct mean {
    double log, n;
};

static void add(struct mean *mean, double factor)
{
    mean->log += log(factor);
    mean->n++;
}

static double of(const struct mean *mean)
{
    return mean->n > 0 ? exp(mean->log / mean->n) : 1;
}

/* Correct the default rates of an operator by the mean deviation of measured operators from theirs:
 * of a step, of the gain from launches of several times, and of the time between kernels. A launch
 * is not faster than copying memory. */
static void like_others(const struct zoid_op *op, struct zoid_model *m)
{
    const struct zoid_rates *rates = m->rates;
    const int most = op->kernels ? op->kernels->most : 1;
    struct mean step = {0, 0}, gain = {0, 0}, far = {0, 0};

    for (size_t i = 0; i < rates->ops; i++) {
        const struct zoid_op *other = op_named(rates->op[i].name);
        const struct zoid_op_rates known = zoid_rates_refined(&rates->op[i]);
        struct zoid_op_rates usual;

        if (!other || !(known.gpu_step > 0 && known.gpu_even > 0))
            continue;
        default_gpu(m->machine, rates, other, &usual);
        add(&step, known.gpu_step / usual.gpu_step);
        if (usual.gpu_even < usual.gpu_step)
            add(&gain, known.gpu_step / known.gpu_even * usual.gpu_even / usual.gpu_step);
        if (known.gpus.runs > 0)
            add(&far, zoid_factor(known.gpus.far));
    }
    m->op.gpu_step *= of(&step);
    m->op.gpu_even *= of(&step);
    if (most > 1)
        m->op.gpu_even = fmin(
            fmax(m->op.gpu_even / of(&gain), rates->gpu_memory * op->bytes / most), m->op.gpu_step);
    m->gpu.far = of(&far);
}

struct zoid_model zoid_model_of(const struct zoid_machine *machine, const struct zoid_rates *rates,
                                const struct zoid_op *op)
{
    const struct zoid_op_rates *known = zoid_rates_find(rates, op);
    struct zoid_model m = {.machine = machine,
                           .rates = rates,
                           .near = 1,
                           .far = 1,
                           .waits = 1,
                           .gpu = {.far = 1, .waits = 1},
                           .network = zoid_rates_network(rates, machine)};

    if (known) {
        m.op = zoid_rates_refined(known);
        m.near = zoid_factor(known->cores.near);
        m.far = zoid_factor(known->cores.far);
        m.waits = zoid_factor(known->cores.waits);
        m.gpu.far = zoid_factor(known->gpus.far);
        m.gpu.waits = zoid_factor(known->gpus.waits);
    }
    m.cores = m.op.tiled > 0 && m.op.exceeding > 0 && m.op.visit > 0 && m.op.step > 0;
    m.gpus = m.op.gpu_step > 0 && m.op.gpu_even > 0;
    if (!m.cores)
        default_core(rates, op, &m.op);
    if (!m.gpus) {
        default_gpu(machine, rates, op, &m.op);
        like_others(op, &m);
    }
    return m;
}

/* ---- shared by all places ------------------------------------------------------------------- */

struct zoid_block_extent zoid_estimate_extent(const struct zoid_layout *layout,
                                              const struct zoid *zoid, const struct zoid *region)
{
    const double points = (double)zoid_volume(zoid, region);
    struct zoid line = *zoid, whole = *region;
    double plane = 1, planes;

    for (int a = 0; a < layout->dims - 1; a++) {
        line.dim[a] = whole.dim[a] = (struct zoid_face){.hi = 1};
        plane *= (double)(layout->hi[a] - layout->lo[a]);
    }
    planes = (double)zoid_volume(&line, &whole);
    return (struct zoid_block_extent){.planes = planes,
                                      .times = (double)(zoid->t1 - zoid->t0),
                                      .blocks = 1,
                                      .share = planes > 0 ? points / (planes * plane) : 0};
}

double zoid_estimate_state(const struct zoid_plan *p)
{
    return (double)zoid_layout_plane_bytes(&p->layout) * p->problem.op->nstate +
           (zoid_remembers(&p->graph.shape) ? zoid_memory_of_plane(p) : 0);
}

double zoid_estimate_coefficients(const struct zoid_plan *p)
{
    return zoid_coefficients_of_plane(&p->problem, zoid_layout_plane_bytes(&p->layout));
}

struct zoid_estimate_layers zoid_estimate_layers(const struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    const struct zoid_op *op = p->problem.op;
    const int chain = zoid_chain(&g->shape);
    const double rows = chain == 2 ? (double)(p->layout.hi[1] - p->layout.lo[1]) : 1;
    const double size = (double)zoid_type_size(p->layout.type), memory = ZOID_LAYER_VALUES * size;
    struct zoid_estimate_layers l = {.points = zoid_memory_of_plane(p) / memory,
                                     .flops = 6 * (double)op->radius + 17,
                                     .memory = memory,
                                     .beside = 4 * size};

    for (int axis = 0; axis <= chain; axis++)
        for (int side = 0; side < ZOID_SIDES; side++) {
            const double points = (double)p->problem.params.pml.points;
            const double line = (double)g->shape.n[axis];
            const double part =
                axis == chain ? fmin(points / line, 1) : 1 / (double)zoid_cells_along(g, axis);

            if (g->shape.face[axis][side] != ZOID_PML)
                continue;
            l.layers += part;
            l.rows += part * (axis == 1 && axis < chain ? points : rows);
        }
    return l;
}

/* Mean number of points of a block's row along a plane axis: the ghost points that a cell computes
 * become fewer, by the reach, with each step of an epoch. */
static double mean_width(const struct zoid_graph *g, int axis)
{
    const struct zoid_shape *shape = &g->shape;
    const double n = (double)shape->n[axis], cells = (double)zoid_cells_along(g, axis);
    const double cuts = shape->face[axis][ZOID_LOW] == ZOID_PERIODIC ? cells : cells - 1;
    double reach = 0;

    for (int i = 0; i < shape->stages; i++)
        reach += (double)(shape->reach[i].lo[axis] + shape->reach[i].hi[axis]);
    return zoid_axis_cut(g, axis)
               ? fmin(n, n / cells + reach * (double)(g->epoch - 1) / 2 * cuts / cells)
               : n;
}

double zoid_estimate_points(const struct zoid_plan *p)
{
    double points = p->census.planes;

    for (int a = 0; a < zoid_chain(&p->graph.shape); a++)
        points *= mean_width(&p->graph, a);
    return points;
}

double zoid_estimate_share(const struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    const struct zoid_patch window = zoid_cell_window(g, zoid_graph_cells(g).lo);
    double share = 1;

    for (int a = 0; a < zoid_chain(&g->shape); a++)
        if (zoid_axis_cut(g, a))
            share *= fmin(mean_width(g, a) / (double)(window.axis[a].hi - window.axis[a].lo), 1);
    return share;
}

/* Halos of one epoch are stored apart from those of the next. */
double zoid_estimate_halos(const struct zoid_plan *p)
{
    const struct zoid_census_row *row = &p->census.kind[ZOID_HALO];
    const double epoch =
        (double)row->rows / 2 * (double)row->cols * (double)zoid_budget_datum_bytes(p, ZOID_HALO);

    return epoch * (double)(zoid_epochs(&p->graph) - 1);
}

double zoid_estimate_passes(const struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;

    return g->steps > g->depth ? ceil((double)g->steps / (double)g->depth) : 1;
}

/* Passes of a rank's only cell follow one another through epochs as soon as messages allow; with
 * several cells, or if the chain axis is cut, only those of an epoch do. */
double zoid_estimate_lanes(const struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    const bool on = zoid_rank_cells(g) == 1 && !zoid_grid_line_cut(g);
    const long visits = on ? LONG_MAX : g->epoch / g->depth;

    return g->method->pipelined && !zoid_grid_round(g)
               ? (double)(g->lanes < visits ? g->lanes : visits)
               : 1;
}

double zoid_estimate_rounds(const struct zoid_plan *p)
{
    return ceil((zoid_estimate_passes(p) + (double)p->census.idle) / zoid_estimate_lanes(p));
}

double zoid_estimate_lag(const struct zoid_plan *p, double height)
{
    const struct zoid_graph *g = &p->graph;
    const double extent = (double)zoid_cell_line(g);
    long lo, hi;

    if (!g->method->pipelined)
        return 0;
    zoid_chain_reach(&g->shape, &lo, &hi);
    return ceil(fmin((double)(lo > hi ? lo : hi) * (double)(g->depth * g->shape.stages), extent) /
                height);
}

double zoid_estimate_planes(const struct zoid_plan *p)
{
    return (double)zoid_cell_line(&p->graph) * (double)zoid_rank_cells(&p->graph);
}

/* Factor by which StarPU's evictions increase traffic. If main memory holds few slabs, StarPU,
 * which makes room for two when one arrives, also evicts some that the next lane is about to use:
 * measured with a busy machine and two lanes, 1.5 to 2 times the bytes with less than 6 slabs per
 * lane, and no more with 6. Without a next lane it evicts some of the open slabs: a tenth to a
 * quarter more bytes. */
static double detours(const struct zoid_plan *p)
{
    const double enough = 6, worst = p->graph.method->pipelined ? 2 : 1.2;
    const struct zoid_tier *ram = &p->tier[ZOID_RAM];
    uint64_t slab = zoid_budget_datum_bytes(p, ZOID_SLAB), all = zoid_budget_data(p, ZOID_SLAB);
    double room = (double)(p->bytes[ZOID_SLAB] + ram->capacity - ram->bytes) / (double)slab;

    return room < (double)all &&
                   room < enough * (double)zoid_budget_running(p) * (double)p->census.open_slabs
               ? worst
               : 1;
}

/* Data transferred from and to home in a round: slabs both ways, coefficients one way. */
static double data_moved(const struct zoid_plan *p)
{
    double data = 0;

    if (zoid_plan_beyond(p, ZOID_SLAB))
        data += 2 * (double)zoid_budget_data(p, ZOID_SLAB);
    if (zoid_plan_beyond(p, ZOID_MEMORY))
        data += 2 * (double)zoid_budget_data(p, ZOID_MEMORY);
    if (zoid_plan_beyond(p, ZOID_COEFFICIENT))
        data += (double)zoid_budget_data(p, ZOID_COEFFICIENT);
    return data;
}

double zoid_estimate_disk(const struct zoid_model *m, const struct zoid_plan *p)
{
    const struct zoid_tier *home = &p->tier[p->home];
    const double planes = zoid_estimate_planes(p), state = zoid_estimate_state(p);
    const double bytes =
        planes * ((state + zoid_estimate_coefficients(p)) * home->up + state * home->down);
    double (*datum)(const struct zoid_rates *) = zoid_tiers[p->home]->datum;

    return p->home != ZOID_RAM ? detours(p) * zoid_estimate_rounds(p) *
                                     (bytes + (datum ? data_moved(p) * datum(m->rates) : 0))
                               : 0;
}

double zoid_estimate_together(const struct zoid_plan *p, double a, double b)
{
    return p->serial ? a + b : fmax(a, b);
}

struct zoid_plan zoid_estimate_present(const struct zoid_plan *p)
{
    const long line = zoid_grid_line(&p->graph);
    struct zoid_plan now = *p;
    double part;

    if (!p->graph.apart || p->graph.line <= line)
        return now;
    part = (double)line / (double)p->graph.line;
    now.graph.line = line;
    now.census.blocks = lround(ceil(part * (double)p->census.blocks));
    for (int k = 0; k < ZOID_KINDS; k++)
        now.census.kind[k].cols = lround(ceil(part * (double)p->census.kind[k].cols));
    if (p->memory.all)
        now.memory = zoid_memory_sum(&now);
    return now;
}

struct zoid_cost zoid_estimate(const struct zoid_model *m, struct zoid_plan *p)
{
    struct zoid_plan now = zoid_estimate_present(p);
    struct zoid_cost cost = zoid_place_of(p)->estimate(m, &now);

    p->place = now.place;
    p->turns = now.turns;
    memcpy(p->reason, now.reason, sizeof p->reason);
    zoid_estimate_messages(m, p, &cost);
    return cost;
}

double zoid_estimate_owned(const struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    const int chain = zoid_chain(&g->shape);
    long others = zoid_ranks(g);
    double points = 1;

    for (int a = 0; a < ZOID_AXES; a++)
        if (!g->apart || a != chain)
            points *= (double)g->shape.n[a];
    if (g->apart) {
        const struct zoid_range own = zoid_cell_own(g, zoid_graph_cells(g).lo, 0).axis[chain];

        points *= (double)(own.hi - own.lo);
        others /= zoid_ranks_along(g, chain);
    }
    return points / (double)others;
}
