/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimate on GPUs: slabs come in rounds, one for all lanes. In a round, a slab takes as long as
 * its blocks' kernels, its transfer in or its transfer out, whichever is longest. Slabs that stay
 * come in the first round and leave in the last. */
#include <math.h>
#include <string.h>

#include "codelets/cuda/lanes.h"
#include "codelets/cuda/run.h"
#include "codelets/op/traits.h"
#include "graphs/cell.h"
#include "graphs/common/grid.h"
#include "graphs/message.h"
#include "runtime/machine/card.h"
#include "runtime/plan/amount.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/cost.h"
#include "runtime/plan/place.h"
#include "runtime/plan/tier.h"

static const struct zoid_card *card_of(const struct zoid_model *m)
{
    return zoid_card_of(m->machine->gpu);
}

/* Way of a launch up the planes: planes of the unit of threads (codelets/cuda/run.h) with the most
 * work, and planes if all units computed all the time. Zeros for kernels without tiles, and for a
 * GPU that is not there. */
struct climb {
    double planes, even;
};

static struct climb climb_of(const struct zoid_machine *machine, const struct zoid_cuda_tiles *t,
                             const struct zoid_layout *layout, double planes)
{
    const long all = (long)machine->gpu_processors * t->units;
    struct zoid_cuda_climb climb;
    double across, along;

    if (all == 0 || planes <= 0)
        return (struct climb){0, 0};
    across = (double)(layout->hi[0] - layout->lo[0]) / t->values;
    along = layout->dims == 3 ? (double)(layout->hi[1] - layout->lo[1]) / t->rows : 1;
    climb =
        zoid_cuda_climb_of((long)(ceil(across) * ceil(along)), (long)ceil(planes), t->lead, all);
    return (struct climb){(double)climb.planes, across * along * planes / (double)all};
}

static double stretch_of(struct climb climb)
{
    return climb.even > 0 ? climb.planes / climb.even : 1;
}

double zoid_estimate_stretch(const struct zoid_machine *machine, const struct zoid_cuda_tiles *t,
                             const struct zoid_layout *layout, double planes)
{
    return stretch_of(climb_of(machine, t, layout, planes));
}

struct zoid_cuda_gpu zoid_estimate_gpu_of(const struct zoid_machine *machine)
{
    return (struct zoid_cuda_gpu){machine->gpu_processors, machine->gpu_shared};
}

/* Seconds of a block on a GPU: in its kernels, and between them. */
struct block {
    double near, far;
};

/* Layers that match, in a launch of their own after each time: as long as copying their bytes takes
 * LAYERS times. wave of radius 4, f32, with 512 and 1024 points an axis on an H200. */
static const double LAYERS = 1.9;

static struct block layers_of(const struct zoid_model *m, const struct zoid_plan *p, double planes,
                              double times)
{
    const struct zoid_estimate_layers l = zoid_estimate_layers(p);

    if (!(l.points > 0))
        return (struct block){0, 0};
    return (struct block){
        .near =
            times * planes * l.points * (2 * l.memory + l.beside) * LAYERS * m->rates->gpu_memory,
        .far = times * card_of(m)->launch,
    };
}

/* The gain of several times in a launch is taken to be linear in their number; the stages of one
 * step gain nothing, since steps were measured with them. */
static struct block kernels(const struct zoid_model *m, const struct zoid_plan *p, double planes,
                            double times)
{
    const struct zoid_op *op = p->problem.op;
    const struct zoid_card *card = card_of(m);
    const struct zoid_cuda_gpu gpu = zoid_estimate_gpu_of(m->machine);
    const enum zoid_traversal traversal = p->place.traversal[ZOID_GPUS];
    const double points = planes * (double)p->layout.plane / (double)zoid_op_width(op) / op->step;
    const double copied = 2 * planes * zoid_estimate_state(p);
    const long patches = p->census.max_halos + p->census.max_messages;
    const bool fuses = op->kernels && zoid_fuses(op, &p->graph.shape) &&
                       zoid_cuda_fits(op,
                                      (size_t)(p->census.max_access - patches -
                                               p->census.max_coefficients - p->census.max_memory),
                                      (size_t)p->census.max_coefficients);
    const double most = fuses ? zoid_cuda_most(op, traversal, &gpu) : 1;
    /* A launch that reads a slab must not write it: several times take at least two launches, and a
     * single one is computed into another buffer and copied to its slab. */
    const double fewest = fmax(ceil(times / most), fmin(times, 2));
    const double beside = times > 1 ? 0 : card->launch + copied * m->rates->gpu_memory;
    const bool together = zoid_traversal_fuses(traversal) && times > fewest;
    const double launches = together ? fewest : times, each = times / launches;
    const double others = op->nstate - (double)op->nstate / zoid_op_groups(op).n;
    const double handed = together ? each * card->hand_others * others : card->hand_on * op->nstate;
    const double hand = p->census.kind[ZOID_REUSE].rows ? handed : 0;
    struct zoid_cuda_tiles tiles = {0};
    double one = m->op.gpu_step * points, kernel = 1;
    struct climb climb;

    if (together) {
        const double all = op->kernels->most, gain = m->op.gpu_even / m->op.gpu_step;

        kernel = 1 + (each - 1) / (all - 1) * (all * gain - 1);
        tiles = op->kernels->tiles;
        tiles.lead = (int)ceil(tiles.lead * each / all);
    } else if (op->kernels && zoid_cuda_one(op, traversal, &gpu)) {
        tiles = op->kernels->one_tiles;
    }
    climb = climb_of(m->machine, &tiles, &p->layout, planes);
    one *= stretch_of(climb);
    return (struct block){
        .near = launches * fmax(kernel * one, card->plane * climb.planes),
        .far = beside + launches * (card->launch + hand + (climb.planes > 0 ? card->start : 0))};
}

/* Nanoseconds of a warp's step per vector, by dimensions, type and right-hand side, with all warps
 * resident that find room: measured on an H100. */
static const double vector_ns[ZOID_AXES][2][2] = {
    {{140, 150}, {150, 160}}, {{40, 48}, {77, 90}}, {{52, 128}, {123, 408}}};
/* The same for other rows, by type: measured on an H200 for the nine points of seidel-2d. */
static const double row_ns[2] = {122, 178};

/* Steps of consecutive warps in a launch of `groups` groups of times: the planes, the lanes, and
 * the lag of tiles and groups. */
static double steps_of(const struct zoid_warp_tiles *t, double planes, double groups)
{
    const double tile = 2, group = ZOID_WARP_LANES + 5;

    return planes + ZOID_WARP_LANES + tile * (double)(t->across + t->along) + (groups - 1) * group;
}

/* Seconds of a block whose sweeps run in the lanes of warps (codelets/cuda/lanes.h): a launch takes
 * as long as its steps, whether all resident warps work or some of them. */
static struct block in_order(const struct zoid_model *m, const struct zoid_plan *p, double planes,
                             double times)
{
    enum { USUAL = 132, ONE_WARP = 32 };
    const struct zoid_op *op = p->problem.op;
    const struct zoid_warp_tiles t = zoid_warp_tiles_of(op, p->graph.shape.n);
    const double groups = ceil(times / ZOID_WARP_LANES);
    const int processors = m->machine->gpu_processors ? m->machine->gpu_processors : USUAL;
    const double each = floor((double)ZOID_WARP_SHARED / (double)(t.shared + ZOID_WARP_RESERVED));
    const double warps = fmin(fmin(each, ONE_WARP) * processors, ZOID_WARPS);
    const double tiles = (double)t.across * (double)t.along;
    const double step =
        1e-9 * (double)(t.columns * t.rows) *
        (zoid_lanes_know(op) ? vector_ns[op->dims - 1][op->type == ZOID_F64][op->ncoef > 0]
                             : row_ns[op->type == ZOID_F64]);
    const double together = fmin(floor(warps / tiles), groups);
    const double across = fmin(warps, (double)t.across);
    const double parts =
        ceil((double)t.across / across) * ceil((double)t.along / fmax(floor(warps / across), 1));
    const double launches = together >= 1 ? ceil(groups / together) : groups * parts;

    return (struct block){.near = launches * step *
                                  steps_of(&t, planes, together >= 1 ? groups / launches : 1),
                          .far = launches * card_of(m)->launch};
}

/* Rounds, and visits of a slab to the first GPU, which has the most lanes: in the first round (0 if
 * that is the last), in those between, and in the last. Idle passes are the first ones, and on that
 * GPU. */
struct visits {
    double rounds, first, own, last;
};

/* Return whether GPUs share the cells of their rank. Otherwise they share its passes, as in a
 * domain of one cell, or if ranks, of one cell each, take turns. */
static bool deals_cells(const struct zoid_graph *g)
{
    return zoid_cells(g) > 1 && !zoid_grid_relays(g);
}

static struct visits visits_of(const struct zoid_plan *p, int gpus)
{
    const double passes = zoid_estimate_passes(p), idle = (double)p->census.idle;
    const double lanes = zoid_estimate_lanes(p), rounds = zoid_estimate_rounds(p);
    /* The last pass may be a short one. */
    const double missing = passes - (double)p->graph.steps / (double)p->graph.depth;
    const double own = ceil(lanes / gpus), left = passes + idle - (rounds - 1) * lanes;
    const double last = left > own ? own : left - missing;
    /* With several GPUs, one skips the passes that compute nothing, while the others compute. */
    const double spared = gpus > 1 ? 0 : idle;

    /* Strips are distributed over the GPUs, and the lanes of one take its visits of an epoch. */
    if (deals_cells(&p->graph))
        return (struct visits){rounds, rounds > 1 ? fmax(lanes - idle, 0) / gpus : 0, lanes / gpus,
                               (left - missing - (rounds > 1 ? 0 : idle)) / gpus};
    if (rounds > 1)
        return (struct visits){rounds, fmax(own - spared, 0), own, last};
    return (struct visits){rounds, 0, own, fmax(last - spared, 0)};
}

/* Mean number of cells that read the halos of a cell. */
static double readers_of(const struct zoid_graph *g)
{
    double around = 1;

    for (int a = 0; a < zoid_chain(&g->shape); a++)
        around *= 3 - 2 / (double)zoid_rank_cells_along(g, a);
    return around - 1;
}

/* Bytes of the messages that a rank sends between the epochs of so many visits, and that it
 * receives. */
static double messages_of(const struct zoid_plan *p, double visits)
{
    const double bytes = (double)p->remote_messages.all / (1 + ZOID_MESSAGE_EPOCHS);
    const struct zoid_graph *g = &p->graph;

    return bytes > 0 ? bytes * fmax(visits * (double)g->depth / (double)g->epoch - 1, 0) : 0;
}

/* Seconds of all slabs on each link, once; and of StarPU's thread, if slabs come and go. */
struct ways {
    double up, down, peer, disk, thread;
};

static struct ways ways_of(const struct zoid_model *m, const struct zoid_plan *p, int gpus)
{
    const struct zoid_tier *gpu = &p->tier[ZOID_GPU_MEMORY];
    /* Strips are distributed over the GPUs; without strips every slab comes to one GPU and is
     * passed on to the others. */
    const double sharers = deals_cells(&p->graph) ? gpus : 1;
    const double planes = zoid_estimate_planes(p) / sharers;
    const struct zoid_census_row *slabs = &p->census.kind[ZOID_SLAB];
    /* Slabs move whole: some that emerge and vanish at the ends exist besides the others, and the
     * last pass sends all of them home. */
    const double state = planes * zoid_estimate_state(p);
    const double whole = fmax((double)slabs->rows * (double)slabs->cols * (double)slabs->planes *
                                  zoid_estimate_state(p) / sharers,
                              state);
    const double coefficients = planes * zoid_estimate_coefficients(p);
    /* A GPU with room for blocks only keeps most data that the next blocks access: in runs with no
     * more room, half a slab to a whole one was reloaded for each block. */
    const double again = p->keep[ZOID_SLAB][ZOID_GPU_MEMORY] == ZOID_KEEP_BLOCKS
                             ? (double)p->census.blocks / zoid_estimate_rounds(p) *
                                   (double)slabs->planes * zoid_estimate_state(p)
                             : 0;
    const double left =
        zoid_plan_stays(p) ? 0 : zoid_estimate_halos(p) / zoid_estimate_rounds(p) / sharers;
    /* Messages of a round, which pass main memory. */
    const double sent =
        zoid_plan_stays(p) ? 0 : messages_of(p, zoid_estimate_passes(p)) / zoid_estimate_rounds(p);
    const struct zoid_census_row *edges = &p->census.kind[ZOID_EDGE];
    /* Edges of a pass, which come and go with the slabs. */
    const double beside = p->keep[ZOID_EDGE][ZOID_RAM]
                              ? (double)edges->rows / 2 * (double)edges->cols *
                                    (double)edges->planes * zoid_estimate_state(p) / sharers
                              : 0;

    return (struct ways){
        .up = ((zoid_plan_stays(p) ? state : whole) + again + beside + coefficients +
               left * readers_of(&p->graph) + sent) *
              gpu->up,
        .down = (whole + again + beside + left + sent) * gpu->down,
        .peer =
            gpus > 1 && !deals_cells(&p->graph) ? (state + coefficients) * m->rates->link_peer : 0,
        .disk = zoid_estimate_disk(m, p) / zoid_estimate_rounds(p),
        .thread = zoid_plan_stays(p)
                      ? 0
                      : card_of(m)->move * (double)p->census.blocks * (double)p->census.max_access /
                            zoid_estimate_rounds(p) / gpus,
    };
}

/* Slabs that a GPU has room for besides all other data. */
static double slots_of(const struct zoid_plan *p)
{
    const struct zoid_tier *gpu = &p->tier[ZOID_GPU_MEMORY];
    const uint64_t slab = zoid_whole(zoid_budget_datum_bytes(p, ZOID_SLAB), gpu->grain);
    const uint64_t spare = gpu->capacity > gpu->bytes ? gpu->capacity - gpu->bytes : 0;

    return (double)zoid_tier_gpu.data(p, ZOID_SLAB) + floor((double)spare / (double)slab);
}

/* Seconds of a round if slots limit it. A slab has a slot from the start of its transfer in to the
 * end of its transfer out, and meanwhile every lane works on another slab. The factor is for free
 * slots, which are not filled at once (simulated: 1.07 to 1.14 of the longest way). */
static double held(const struct zoid_plan *p, const struct ways *w, double work, double both)
{
    const double lanes = ceil((double)p->place.lanes / p->place.workers);

    return 1.15 * ((w->up + w->down) * both + lanes * work) / slots_of(p);
}

/* Seconds of a round: `work` seconds of kernels, and the transfers in and out that overlap them. */
static double round_of(const struct zoid_model *m, const struct zoid_plan *p, const struct ways *w,
                       double work, bool up, bool down)
{
    double both = up && down && !p->serial ? m->rates->link_both : 1;
    double link = zoid_estimate_together(p, up ? w->up : 0, down ? w->down : 0) * both + w->thread;

    const double round = zoid_estimate_together(p, zoid_estimate_together(p, work, link),
                                                zoid_estimate_together(p, w->peer, w->disk));

    return up && down && zoid_plan_evicts(p) &&
                   p->keep[ZOID_SLAB][ZOID_GPU_MEMORY] == ZOID_KEEP_OPEN
               ? fmax(round, held(p, w, work, both))
               : round;
}

/* Share of all planes, of all cells, that the first block needs. */
static double share_of(const struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    const double extent = (double)zoid_cell_line(g);
    const double max_planes =
        fmax((double)(g->leaf ? g->leaf : g->block), (double)p->census.box_planes);

    return fmin(max_planes / extent, 1) / (double)zoid_rank_cells(g);
}

/* Ends of a run, in seconds: transfer in for the first block; passes, each some slabs behind the
 * one before, until the first slab can leave; transfer out after the last blocks. */
struct ends {
    double in, fill, slab, out;
};

/* Ends of a round of `visits` visits with `work` seconds of kernels. Leaning blocks leave a slab
 * when the next block has ended, and the last of these is a short one. */
static struct ends ends_of(const struct zoid_plan *p, const struct ways *w, double work,
                           double visits, double height)
{
    const struct zoid_graph *g = &p->graph;
    const struct zoid_census_row *slabs = &p->census.kind[ZOID_SLAB];
    const bool leans = p->census.kind[ZOID_REUSE].rows && g->method->pipelined;
    const double lag = zoid_estimate_lag(p, height), share = share_of(p), passes = fmax(visits, 1);
    const double slab = g->method->spans ? share : height / zoid_estimate_planes(p);
    const double behind = lag * (leans ? passes : passes - 1);
    const double shortest = leans && lag > 0 ? work * slab / passes / (2 * lag) : w->down;

    /* Slabs move whole; blocks of a recursion leave several at once. */
    const double left =
        w->down * (g->method->spans ? share : 1 / (double)(slabs->rows * slabs->cols));

    return (struct ends){
        .in = w->up * share,
        .fill = work * slab + fmax(w->up * fmin(behind * slab, 1 - share),
                                   work * fmin(slab * behind / 2, 1 - slab)),
        .slab = work * slab,
        .out = left + fmax(left - shortest, 0),
    };
}

/* Seconds of kernels of the first GPU in the first round (0 if that is the last), in one of those
 * between, and in the last. */
struct work {
    double first, own, last;
};

/* Seconds of a run whose slabs come and go in one round, or come in the first and leave in the
 * last. */
static double staying(const struct zoid_model *m, const struct zoid_plan *p, const struct ways *w,
                      const struct visits *v, const struct work *k, const struct ends *e)
{
    const struct zoid_tier *gpu = &p->tier[ZOID_GPU_MEMORY];
    const double last = round_of(m, p, w, k->last, false, false);
    const double up = w->up + messages_of(p, v->rounds > 1 ? v->first : v->last) * gpu->up;
    const double down = w->down + messages_of(p, v->last) * gpu->down;
    double under, way, rest;

    if (v->rounds > 1)
        return fmax(up, e->in + round_of(m, p, w, k->first, false, false)) +
               (v->rounds - 2) * round_of(m, p, w, k->own, false, false) +
               fmax(last + e->out, e->fill + down);
    under = fmax(fmin(up - e->in - e->fill, down), 0);
    way = e->in + e->fill + down + (m->rates->link_both - 1) * under;
    rest = up + e->slab + e->out;
    return fmax(e->in + last + e->out, fmax(way, rest));
}

/* Seconds of all rounds; slabs come and go in each, unless they stay. */
static double in_rounds(const struct zoid_model *m, const struct zoid_plan *p, const struct ways *w,
                        const struct visits *v, const struct work *k)
{
    const bool stay = zoid_plan_stays(p);

    if (v->rounds <= 1)
        return round_of(m, p, w, k->last, true, true);
    return round_of(m, p, w, k->first, true, !stay) +
           (v->rounds - 2) * round_of(m, p, w, k->own, !stay, !stay) +
           round_of(m, p, w, k->last, !stay, true);
}

static double seconds_of(const struct zoid_model *m, const struct zoid_plan *p,
                         const struct ways *w, const struct visits *v, const struct work *k,
                         double height)
{
    const struct ends e = ends_of(p, w, k->last, v->last, height);
    const double disk = w->disk * share_of(p);

    if (p->serial)
        return in_rounds(m, p, w, v, k);
    if (zoid_plan_stays(p) || v->rounds <= 1)
        return staying(m, p, w, v, k, &e) + 2 * disk;
    return in_rounds(m, p, w, v, k) + e.in + e.slab + e.out + 2 * disk -
           fmax(fmax(e.in, e.slab), fmax(e.out, disk));
}

/* Number of blocks if all were like the mean. */
static double all_blocks(const struct zoid_plan *p)
{
    return p->census.planes / (p->census.about.mean_planes * fmax(p->census.about.mean_times, 1));
}

/* Blocks per slab and visit: several if blocks are lower or shorter, less than one if they span
 * slabs. */
static double blocks_of(const struct zoid_plan *p, double slabs)
{
    const struct zoid_graph *g = &p->graph;

    return g->steps ? all_blocks(p) / slabs * (double)g->depth / (double)g->steps : 1;
}

/* Factor by which similar runs took longer than their blocks; 0: not applied, since slabs come
 * once, or from a disk. */
static double waits_of(const struct zoid_model *m, const struct zoid_plan *p)
{
    return zoid_plan_stays(p) || zoid_estimate_rounds(p) <= 2 || p->home != ZOID_RAM ? 0
                                                                                     : m->gpu.waits;
}

/* Seconds of a block, with the correction from earlier runs; rates include that of kernels. */
static struct block parts_of(const struct zoid_model *m, const struct zoid_plan *p, double planes,
                             double times)
{
    const struct block layers = layers_of(m, p, planes, fmax(times, 1));
    struct block block = zoid_op_in_order(p->problem.op) ? in_order(m, p, planes, fmax(times, 1))
                                                         : kernels(m, p, planes, fmax(times, 1));

    block.near += layers.near;
    block.far = (block.far + layers.far) * m->gpu.far;
    return block;
}

static double block_of(const struct zoid_model *m, const struct zoid_plan *p,
                       const struct zoid_block_extent *e)
{
    const struct block block = parts_of(m, p, e->planes / fmax(e->times, 1), e->times);

    return block.near + block.far;
}

static struct zoid_cost estimate_gpus(const struct zoid_model *m, struct zoid_plan *p)
{
    const struct zoid_graph *g = &p->graph;
    double extent = (double)zoid_cell_line(g);
    double height = g->block < extent ? (double)g->block : extent;
    double slabs = extent / height * (double)zoid_rank_cells(g);
    int gpus = g->lanes < p->place.workers ? g->lanes : p->place.workers;
    const struct visits v = visits_of(p, gpus);
    const struct ways w = ways_of(m, p, gpus);
    double blocks = blocks_of(p, slabs);
    const struct block parts =
        parts_of(m, p, p->census.about.mean_planes, p->census.about.mean_times);
    double block = parts.near + parts.far, alone = block + m->rates->gpu_task;
    /* With one lane, a GPU waits for StarPU after every block. */
    const bool cut = deals_cells(g);
    double turn = cut && g->lanes > gpus ? 0 : cut ? alone / gpus : alone;
    const double each = slabs * blocks, between = fmax(v.rounds - 2, 0),
                 next = block + card_of(m)->between;
    const struct work k = {v.rounds > 1 ? each * fmax(v.first * next, turn) : 0,
                           each * fmax(v.own * next, turn), each * fmax(v.last * next, turn)};
    double computed = each * block * (v.first + between * v.own + v.last);
    double moves = zoid_plan_stays(p) ? 1 : v.rounds;
    struct zoid_cost cost = {
        .part = {[ZOID_COST_COMPUTE] = computed,
                 [ZOID_COST_LINK_UP] = moves * w.up,
                 [ZOID_COST_LINK_DOWN] = moves * w.down,
                 [ZOID_COST_LINK_PEER] = v.rounds * w.peer,
                 [ZOID_COST_DISK] = v.rounds * w.disk,
                 [ZOID_COST_TASK] = fmax(k.first + between * k.own + k.last - computed, 0)},
        .near = all_blocks(p) * parts.near,
        .far = all_blocks(p) * parts.far,
        .waits = waits_of(m, p),
        .calibrated = m->gpus && (p->home != ZOID_DISK || *m->rates->disk)};

    snprintf(p->reason, sizeof p->reason,
             "slabs of %ld planes run %ld steps a visit, %.0f visits in turn on %d of %d GPUs, %s",
             g->block, g->depth, v.own, gpus, p->place.workers,
             zoid_plan_stays(p) ? "and stay there" : "and stream through them");
    /* One StarPU thread drives each GPU, and takes the same time for the short blocks of two lanes
     * as for those of one. */
    cost.part[ZOID_COST_TASK] =
        fmax(cost.part[ZOID_COST_TASK],
             (double)p->census.blocks * fmax(m->rates->submit, m->rates->gpu_task / gpus));
    /* The GPUs start and end one after the other. */
    cost.seconds = card_of(m)->before +
                   fmax(seconds_of(m, p, &w, &v, &k, height), cost.part[ZOID_COST_TASK]) +
                   (gpus - 1) * blocks * block;
    if (cost.waits > 0)
        cost.seconds = fmax(cost.seconds * cost.waits, cost.part[zoid_cost_bound(&cost)]);
    return cost;
}

static bool can(const struct zoid_op *op)
{
    return zoid_op_on_gpus(op);
}

static long batch(const struct zoid_graph *graph)
{
    return graph->block;
}

/* Operators with kernels of their own compute times in their own order. */
static long at_once(const struct zoid_op *op)
{
    return op->kernels && zoid_op_plain(op) && !op->runner ? op->kernels->most : 0;
}

const struct zoid_place_type zoid_place_gpus = {.name = "gpus",
                                                .workers = "cuda",
                                                .on = " on GPUs",
                                                .memory = ZOID_GPU_MEMORY,
                                                .begun = 3,
                                                .beside = 2 * ZOID_BUDGET_WRITING_BACK,
                                                .can = can,
                                                .batch = batch,
                                                .at_once = at_once,
                                                .block = block_of,
                                                .estimate = estimate_gpus};
