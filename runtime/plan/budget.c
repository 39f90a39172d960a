/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/budget.h"

#include "codelets/block/sample_points.h"
#include "codelets/op/interpolation.h"
#include "codelets/threads/parallel.h"
#include "graphs/kinds.h"
#include "graphs/message.h"
#include "runtime/plan/amount.h"
#include "runtime/plan/coefficients.h"
#include "runtime/plan/dealt.h"
#include "runtime/plan/parts.h"
#include "runtime/plan/place.h"
#include "runtime/plan/ranks.h"
#include "runtime/plan/tier.h"

/* Memory that StarPU uses per handle, besides the data. */
static const uint64_t HANDLE_BYTES = 24 << 10; /* measured: 21.4 KB with room for 32 memory nodes */

int zoid_kind_fields(const struct zoid_op *op, int kind)
{
    return zoid_kinds[kind].constant ? op->ncoef : op->nstate;
}

uint64_t zoid_budget_handles(uint64_t data)
{
    return zoid_amount_times(data, HANDLE_BYTES);
}

size_t zoid_budget_plane_bytes(const struct zoid_plan *p, int kind)
{
    if (zoid_kind_in_pieces(p->problem.op, kind))
        return 0;
    if (zoid_kinds[kind].planes == ZOID_PLANES_WHOLE)
        return zoid_layout_plane_bytes(&p->layout);
    if (zoid_kinds[kind].planes == ZOID_PLANES_PATCH)
        return 0;
    return (zoid_kinds[kind].planes == ZOID_PLANES_OWN ? zoid_plan_end(p) : zoid_plan_halo(p)) *
           zoid_type_size(p->layout.type);
}

/* Byte sums of a kind whose data differ in size; NULL for other kinds. */
static const struct zoid_byte_sums *sums_of(const struct zoid_plan *p, int kind)
{
    if (zoid_kinds[kind].planes == ZOID_PLANES_PATCH)
        return &p->messages;
    if (kind == ZOID_MEMORY)
        return &p->memory;
    return zoid_kind_in_pieces(p->problem.op, kind) ? &p->pieces : NULL;
}

/* Another part of this process has the messages that it reads. */
static bool is_elsewhere(const struct zoid_plan *p, const struct zoid_datum *message)
{
    return message->owner == p->graph.rank &&
           zoid_ranks_together(&p->graph, zoid_ranks_reader(&p->graph, message));
}

/* Elements of a plane of a message: of all fields, and of memory. */
static uint64_t elements_of(const struct zoid_plan *p, const struct zoid_datum *message)
{
    return zoid_amount_plus(
        zoid_amount_times(zoid_plan_message(p, message), (uint64_t)p->problem.op->nstate),
        zoid_plan_message_tail(p, message).plane);
}

/* Bytes of as many elements in each of the planes. */
static uint64_t bytes_of(const struct zoid_plan *p, uint64_t elements, long planes)
{
    return zoid_amount_times(zoid_amount_times(elements, (uint64_t)planes),
                             zoid_type_size(p->layout.type));
}

uint64_t zoid_budget_message_bytes(const struct zoid_plan *p, const struct zoid_datum *message)
{
    return is_elsewhere(p, message) ? 0
                                    : bytes_of(p, elements_of(p, message),
                                               zoid_message_planes(&p->graph, &p->census, message));
}

/* Return whether two messages go from the same cell to the same other cell. */
static bool same_way(const struct zoid_datum *a, const struct zoid_datum *b)
{
    return a->row / ZOID_MESSAGE_EPOCHS == b->row / ZOID_MESSAGE_EPOCHS;
}

static void add_message(struct zoid_byte_sums *sums, uint64_t elements)
{
    sums->all = zoid_amount_plus(sums->all, elements);
    sums->most = zoid_larger(sums->most, elements);
    sums->data += elements > 0;
}

/* Return the rank at the other end of a message. */
static int peer_of(const struct zoid_graph *g, const struct zoid_datum *message)
{
    return message->owner == g->rank ? zoid_ranks_reader(g, message) : message->owner;
}

struct zoid_messages zoid_budget_name(const struct zoid_plan *p)
{
    const long rows = p->census.kind[ZOID_MESSAGE].rows;
    struct zoid_datum message[rows + 1];
    struct zoid_messages named = {.all = {{0}}};
    uint64_t elements = 0;

    if (rows)
        zoid_rank_messages(&p->graph, message);
    for (long i = 0; i < rows; i++) {
        const struct zoid_datum *one = &message[i];
        const enum zoid_heading heading = zoid_message_heading(&p->graph, one);

        if (!i || !same_way(one, one - 1))
            elements = is_elsewhere(p, one) ? 0 : elements_of(p, one);
        add_message(&named.all[heading], elements);
        if (!zoid_ranks_together(&p->graph, peer_of(&p->graph, one)))
            add_message(&named.remote_messages[heading], elements);
    }
    return named;
}

/* All columns except the first are alike. */
static struct zoid_byte_sums in_all_columns(const struct zoid_plan *p,
                                            const struct zoid_byte_sums named[])
{
    const long cols = p->census.kind[ZOID_MESSAGE].cols;
    struct zoid_byte_sums sums = {0, 0, 0};

    for (int i = 0; i < 2 * ZOID_HEADINGS; i++) {
        const struct zoid_byte_sums *one = &named[i / 2];
        const uint64_t alike = i % 2 ? (uint64_t)cols - 1 : 1;
        const long planes =
            zoid_heading_planes(&p->graph, &p->census, (enum zoid_heading)(i / 2), i % 2);

        if (!one->data || !planes)
            continue;
        sums.all =
            zoid_amount_plus(sums.all, zoid_amount_times(bytes_of(p, one->all, planes), alike));
        sums.most = zoid_larger(sums.most, bytes_of(p, one->most, planes));
        sums.data = zoid_amount_plus(sums.data, zoid_amount_times(one->data, alike));
    }
    return sums;
}

void zoid_budget_messages(struct zoid_plan *p, const struct zoid_messages *messages)
{
    const struct zoid_byte_sums beside[ZOID_HEADINGS] = {
        [ZOID_BESIDE] = messages->remote_messages[ZOID_BESIDE]};

    p->messages = in_all_columns(p, messages->all);
    p->remote_messages = in_all_columns(p, messages->remote_messages);
    p->remote_beside = in_all_columns(p, beside);
}

/* The same for a plan whose messages have not been named. */
static void count_messages(struct zoid_plan *p)
{
    const struct zoid_messages named = zoid_budget_name(p);

    zoid_budget_messages(p, &named);
}

uint64_t zoid_budget_datum_bytes(const struct zoid_plan *p, int kind)
{
    const uint64_t planes = (uint64_t)p->census.kind[kind].planes;
    uint64_t bytes;

    if (sums_of(p, kind))
        return sums_of(p, kind)->most;
    /* Most kinds have no data, and counting the points of a rim takes time. */
    if (!planes)
        return 0;
    bytes = zoid_amount_times((uint64_t)zoid_kind_fields(p->problem.op, kind),
                              zoid_budget_plane_bytes(p, kind));
    bytes = zoid_amount_plus(bytes, zoid_plan_tail(p, kind).plane * zoid_type_size(p->layout.type));
    bytes = zoid_amount_times(planes, bytes);
    return zoid_plan_beyond(p, kind) ? zoid_whole(bytes, p->tier[p->home].grain) : bytes;
}

uint64_t zoid_budget_data(const struct zoid_plan *p, int kind)
{
    const struct zoid_census_row *row = &p->census.kind[kind];

    if (zoid_kinds[kind].planes == ZOID_PLANES_PATCH)
        return p->messages.data;
    return zoid_amount_times((uint64_t)row->rows, (uint64_t)row->cols);
}

uint64_t zoid_budget_bytes(const struct zoid_plan *p, int kind, uint64_t data)
{
    const uint64_t bytes = zoid_amount_times(data, zoid_budget_datum_bytes(p, kind));

    return sums_of(p, kind) ? zoid_smaller(bytes, sums_of(p, kind)->all) : bytes;
}

uint64_t zoid_budget_running(const struct zoid_plan *p)
{
    /* A lane belongs to a GPU; any core takes any block that is ready. */
    uint64_t abreast = zoid_plan_streams(p) ? 1 : (uint64_t)p->census.about.abreast;
    uint64_t most = zoid_amount_times((uint64_t)p->place.lanes, abreast);

    return zoid_smaller(most, (uint64_t)p->place.workers);
}

/* Bytes reserved for filling the state, a plane per core, and for reading it, one plane. */
static uint64_t staging(const struct zoid_plan *p)
{
    return p->home != ZOID_RAM
               ? zoid_amount_times(zoid_layout_plane_bytes(&p->layout), (uint64_t)zoid_cores() + 1)
               : 0;
}

static uint64_t record(const struct zoid_plan *p)
{
    const struct zoid_points *points = p->problem.points;
    const uint64_t kept = points ? points->receivers * ZOID_INTERPOLATION_NODES : 0;

    return points ? zoid_amount_plus(
                        zoid_sample_points_bytes(points, &p->graph.shape),
                        zoid_amount_times((uint64_t)p->problem.steps + 1,
                                          zoid_amount_times(kept, zoid_type_size(p->layout.type))))
                  : 0;
}

/* ---- data in each tier --------------------------------------------------------------------- */

/* How much of a kind the memory of a place, other than main memory, keeps, if it keeps `slabs` of
 * the slabs. Data whose home it is stay, unless there is room for blocks only. */
static enum zoid_keep kept_near(int kind, enum zoid_keep slabs)
{
    if (zoid_kinds[kind].home == ZOID_HOME_PLACE)
        return slabs == ZOID_KEEP_BLOCKS ? ZOID_KEEP_BLOCKS : ZOID_KEEP_ALL;
    if (zoid_kinds[kind].constant)
        return slabs == ZOID_KEEP_ALL ? ZOID_KEEP_ALL : ZOID_KEEP_BLOCKS;
    return slabs;
}

/* Return whether data of a kind are transferred from there to main memory. Edges outlive their
 * pass, as slabs do, and go where slabs go, except to the disk. Data that a place has no room to
 * keep need room in main memory that nothing else uses: StarPU evicts nothing for it. */
static bool comes_home(int kind, enum zoid_keep slabs)
{
    switch (zoid_kinds[kind].home) {
    case ZOID_HOME_STREAM:
        return slabs != ZOID_KEEP_ALL;
    case ZOID_HOME_PLACE:
        return slabs == ZOID_KEEP_BLOCKS;
    default:
        return true;
    }
}

/* Set what every tier keeps, for a place whose memory keeps `slabs` of the slabs. */
static void lay_out(struct zoid_plan *p, enum zoid_keep slabs)
{
    const enum zoid_tier_kind near = p->place.memory;

    for (int k = 0; k < ZOID_KINDS; k++) {
        const struct zoid_kind_type *kind = &zoid_kinds[k];
        enum zoid_keep *keep = p->keep[k];

        for (int t = 0; t < ZOID_TIERS; t++)
            keep[t] = ZOID_KEEP_NONE;
        if (near == ZOID_RAM || comes_home(k, slabs))
            keep[ZOID_RAM] = ZOID_KEEP_ALL;
        if (p->home != ZOID_RAM && kind->home == ZOID_HOME_FARTHEST) {
            keep[p->home] = ZOID_KEEP_ALL;
            keep[ZOID_RAM] = kind->constant ? ZOID_KEEP_BLOCKS : ZOID_KEEP_OPEN;
        }
        if (near != ZOID_RAM)
            keep[near] = kept_near(k, slabs);
    }
}

/* Bytes of a worker's scratch. */
static uint64_t scratch(const struct zoid_plan *p)
{
    return zoid_amount_times(
        (uint64_t)p->scratch_planes,
        zoid_amount_times(zoid_layout_plane_bytes(&p->layout), (uint64_t)p->problem.op->nstate));
}

uint64_t zoid_budget_scratch_in(const struct zoid_plan *p, enum zoid_tier_kind tier)
{
    return zoid_whole(scratch(p), p->tier[tier].grain);
}

uint64_t zoid_budget_datum_in(const struct zoid_plan *p, int kind, enum zoid_tier_kind tier)
{
    return zoid_whole(zoid_budget_datum_bytes(p, kind), p->tier[tier].grain);
}

uint64_t zoid_budget_data_in(const struct zoid_plan *p, int kind, enum zoid_tier_kind tier,
                             uint64_t data)
{
    const uint64_t bytes = zoid_amount_times(zoid_budget_datum_in(p, kind, tier), data);
    const struct zoid_byte_sums *sums = sums_of(p, kind);

    return sums ? zoid_smaller(bytes, zoid_amount_plus(
                                          sums->all, zoid_amount_times(p->tier[tier].grain, data)))
                : bytes;
}

static uint64_t near_bytes(const struct zoid_plan *p)
{
    const enum zoid_tier_kind near = p->place.memory;
    uint64_t sum = zoid_budget_scratch_in(p, near);

    for (int k = 0; k < ZOID_KINDS; k++)
        sum = zoid_amount_plus(sum, zoid_budget_data_in(p, k, near, zoid_tiers[near]->data(p, k)));
    return sum;
}

uint64_t zoid_budget_passing(const struct zoid_plan *p)
{
    const enum zoid_tier_kind near = p->place.memory;
    const uint64_t capacity = p->tier[near].capacity;
    uint64_t kept = zoid_budget_scratch_in(p, near);

    for (int k = 0; k < ZOID_KINDS; k++)
        if (p->keep[k][near] == ZOID_KEEP_ALL)
            kept = zoid_amount_plus(kept,
                                    zoid_budget_data_in(p, k, near, zoid_tiers[near]->data(p, k)));
    return capacity > kept ? capacity - kept : 0;
}

/* Keep in the place's memory what fits. If the home is a disk and passes revisit their slabs, main
 * memory holds the open ones, and a GPU without room for these takes them from there block by
 * block: its link is much faster than the disk. */
static void fit_near(struct zoid_plan *p)
{
    struct zoid_tier *near = &p->tier[p->place.memory];
    const bool by_blocks = p->home != ZOID_RAM && p->graph.method->revisits;
    const enum zoid_keep least = by_blocks ? ZOID_KEEP_BLOCKS : ZOID_KEEP_OPEN;
    enum zoid_keep slabs = ZOID_KEEP_ALL;

    for (lay_out(p, slabs); (near->bytes = near_bytes(p)) > near->capacity && slabs != least;
         lay_out(p, slabs))
        slabs--;
}

/* ---- the whole plan ------------------------------------------------------------------------ */

/* Add up the bytes of a plan whose messages and `keep` are set. */
static void add_up(struct zoid_plan *p)
{
    struct zoid_tier *ram = &p->tier[ZOID_RAM];
    const enum zoid_tier_kind near = p->place.memory;
    uint64_t handles = 0;

    for (int t = 0; t < ZOID_TIERS; t++)
        p->tier[t].bytes = 0;
    if (near != ZOID_RAM)
        p->tier[near].bytes = near_bytes(p);
    else if (zoid_plan_on_gpus(p))
        p->tier[ZOID_GPU_MEMORY].bytes = zoid_dealt_bytes(p);
    p->staging_bytes = staging(p);
    p->record_bytes = record(p);
    ram->bytes = zoid_amount_plus(p->staging_bytes, p->record_bytes);
    for (int k = 0; k < ZOID_KINDS; k++) {
        handles = zoid_amount_plus(handles, zoid_budget_data(p, k));
        p->bytes[k] = zoid_budget_bytes(p, k, zoid_tiers[ZOID_RAM]->data(p, k));
        ram->bytes = zoid_amount_plus(ram->bytes, p->bytes[k]);
        if (p->home != ZOID_RAM)
            p->tier[p->home].bytes = zoid_amount_plus(
                p->tier[p->home].bytes, zoid_budget_bytes(p, k, zoid_tiers[p->home]->data(p, k)));
    }
    p->scratch_bytes =
        zoid_amount_times(scratch(p), near != ZOID_RAM || !p->place.crews
                                          ? (uint64_t)p->place.workers
                                          : (uint64_t)zoid_place_of_kind(&p->place, ZOID_CORES));
    p->handle_bytes = zoid_budget_handles(handles);
    ram->bytes = zoid_amount_plus(ram->bytes, p->scratch_bytes);
    ram->bytes = zoid_amount_plus(ram->bytes, p->handle_bytes);
}

void zoid_budget_recount(struct zoid_plan *p)
{
    count_messages(p);
    add_up(p);
}

void zoid_budget_count(struct zoid_plan *p)
{
    count_messages(p);
    zoid_budget_keep(p);
}

void zoid_budget_keep(struct zoid_plan *p)
{
    if (p->place.memory == ZOID_RAM)
        lay_out(p, ZOID_KEEP_ALL);
    else
        fit_near(p);
    if (p->place.crews)
        zoid_dealt_limit(p);
    add_up(p);
}

uint64_t zoid_budget_starpu(const struct zoid_plan *p)
{
    uint64_t others = p->staging_bytes + p->record_bytes + p->handle_bytes;

    if (p->place.memory == ZOID_RAM)
        others += p->scratch_bytes;
    /* Data that live on GPUs come to main memory only if StarPU evicts it there. */
    for (int k = 0; k < ZOID_KINDS; k++)
        if (p->keep[k][ZOID_RAM] == ZOID_KEEP_ALL)
            others += p->bytes[k];
    return p->tier[ZOID_RAM].capacity - others;
}
