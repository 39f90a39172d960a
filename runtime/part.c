/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/part.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/block/absorb.h"
#include "codelets/block/layer.h"
#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/kinds.h"
#include "runtime/boundary.h"
#include "runtime/error.h"
#include "runtime/memory/record.h"
#include "runtime/plan/place.h"
#include "runtime/plan/ranks.h"
#include "runtime/submit/watch.h"

/* ---- data ---------------------------------------------------------------------------------- */

/* Sink that records where a graph's loads put the initial state and the coefficients. */
struct load_sink {
    struct zoid_sink sink;
    struct zoid_store *store;
    bool coefficients; /* record these too */
    enum zoid_status status;
};

enum { LOADED = 1 };

static int note_load(struct zoid_sink *sink, const struct zoid_access *access)
{
    struct load_sink *s = (struct load_sink *)sink;

    if ((zoid_kinds[access->datum.kind].constant && !s->coefficients) ||
        access->datum.kind == ZOID_MEMORY)
        return 0;
    return s->status = zoid_store_note(s->store, &access->datum, &access->out);
}

static int stop_at_block(struct zoid_sink *sink, const struct zoid_block *block)
{
    (void)sink, (void)block;
    return LOADED;
}

enum zoid_status zoid_part_note_loads(struct zoid_job_part *part, bool coefficients)
{
    struct load_sink s = {.sink = {.load = note_load, .block = stop_at_block},
                          .store = part->store,
                          .coefficients = coefficients};

    zoid_store_discard(part->store, coefficients);
    if (zoid_graph_emit(&part->plan.graph, &s.sink) == ZOID_GRAPH_NO_MEMORY)
        return zoid_no_memory();
    return s.status;
}

/* ZOID_SLOW=PLACE:FACTOR[@STEP] makes a place slower from a step on, for tests, and
 * ZOID_SLOW=PLACE:NUMBERns gives its points a time; several are separated by commas. The last crew
 * that is named counts. */
static void be_slow(struct zoid_work *work, bool crews)
{
    const char *slow = getenv("ZOID_SLOW");

    work->slow = 1;
    while (slow) {
        int place = -1, end = 0;
        double number = 1;
        bool of_point;

        if (sscanf(slow, "%d:%lf%n", &place, &number, &end) < 2)
            return;
        of_point = !strncmp(slow + end, "ns", 2);
        if (place == work->part || crews) {
            work->slow_crew = place;
            *(of_point ? &work->slow_point : &work->slow) = of_point ? number * 1e-9 : number;
            sscanf(slow + end, "@%ld", &work->slow_from);
        }
        slow = strchr(slow, ',');
        if (slow)
            slow++;
    }
}

/* Prepare the measurement of epochs. */
static void prepare(struct zoid_job_part *part)
{
    if (part->work.channels)
        zoid_epoch_clock_init(&part->work.epochs, part->plan.place.workers,
                              zoid_plan_streams(&part->plan));
    be_slow(&part->work, part->plan.place.crews);
}

/* Makes the factors of faces that absorb, and the coefficients of layers that match, where GPUs can
 * read them. A problem may have those of a job before. */
static enum zoid_status make_layers(struct zoid_job_part *part)
{
    struct zoid_params *params = &part->plan.problem.params;
    const size_t factors =
        zoid_problem_absorbs(&part->plan.problem) ? zoid_absorb_bytes(params) : 0;
    const size_t bytes = zoid_remembers(&part->plan.graph.shape) ? zoid_layer_bytes(params) : 0;

    params->absorb.table = params->pml.table = NULL;
    part->layers = factors + bytes ? malloc(factors + bytes) : NULL;
    if (factors + bytes && !part->layers)
        return zoid_no_memory();
    if (factors)
        zoid_absorb_make(part->plan.problem.op, params, part->layers);
    if (bytes)
        zoid_layer_make(params, part->layers + factors / sizeof *part->layers);
    params->absorb.table = factors ? part->layers : NULL;
    params->pml.table = bytes ? part->layers + factors / sizeof *part->layers : NULL;
    part->planned.problem.params.absorb = params->absorb;
    part->planned.problem.params.pml = params->pml;
    part->pinned = bytes && zoid_plan_on_gpus(&part->plan) ? factors + bytes : 0;
    if (!part->pinned || !starpu_memory_pin(part->layers, part->pinned))
        return ZOID_OK;
    part->pinned = 0;
    return zoid_fail(ZOID_RESOURCE,
                     "the GPUs cannot reach %zu bytes for layers; give them fewer "
                     "points",
                     factors + bytes);
}

void zoid_part_set_shift(struct zoid_job_part *part, double shift)
{
    struct zoid_params *params = &part->plan.problem.params;

    params->pml.shift = shift;
    if (params->pml.table)
        zoid_layer_make(params, part->layers + (params->pml.table - part->layers));
    part->planned.problem.params.pml = params->pml;
}

enum zoid_status zoid_part_create(struct zoid_job_part *part, struct zoid_disk *disk,
                                  const struct zoid_work *common)
{
    enum zoid_status status = zoid_store_create(&part->plan, disk, &part->store);

    if (status)
        return status;
    part->work = *common;
    part->work.plan = &part->plan;
    part->work.store = part->store;
    part->work.disk = zoid_store_range(part->store);
    part->state = (struct zoid_state){
        .plan = &part->plan, .store = part->store, .steps = part->plan.problem.start};
    prepare(part);
    status = zoid_work_init(&part->work);
    if (!status)
        status = make_layers(part);
    if (!status)
        status = zoid_record_create(&part->plan, &part->work.sample_points);
    return status ? status : zoid_part_note_loads(part, true);
}

void zoid_part_destroy(struct zoid_job_part *part)
{
    zoid_store_destroy(&part->store);
    zoid_work_free(&part->work);
    zoid_record_destroy(&part->plan, &part->work.sample_points);
    if (part->pinned)
        starpu_memory_unpin(part->layers, part->pinned);
    free(part->layers);
    part->layers = NULL;
    part->pinned = 0;
}

void zoid_parts_share(struct zoid_job_part *part, int parts)
{
    for (int i = 0; i < parts; i++)
        for (int j = 0; j < parts; j++)
            if (i != j)
                zoid_store_share(part[i].store, &part[i].plan, part[j].store, &part[j].plan);
}

struct zoid_plan zoid_part_offered(const struct zoid_job_part *part)
{
    struct zoid_plan run = part->planned;

    run.tier[ZOID_RAM].capacity = part->plan.tier[ZOID_RAM].capacity;
    return run;
}

enum zoid_status zoid_part_plan(struct zoid_job_part *part, const struct zoid_next_leg *leg,
                                const struct zoid_points *points)
{
    struct zoid_plan run = zoid_part_offered(part);
    struct zoid_next_leg next = *leg;

    if (points)
        run.problem.points = points->sources || points->receivers ? points : NULL;
    next.run = &run;
    return zoid_plan_next(&part->plan, &next);
}

enum zoid_status zoid_part_fit(struct zoid_job_part *part)
{
    const enum zoid_status status = zoid_store_fit(part->store, &part->plan);

    return status ? status : zoid_work_fit(&part->work);
}

enum zoid_status zoid_part_begin(struct zoid_job_part *part, long start, long end)
{
    const struct zoid_next_leg first = {.first = true, .start = start, .steps = end - start};
    enum zoid_status status = zoid_part_plan(part, &first, NULL);

    if (!status)
        status = zoid_part_fit(part);
    if (!status)
        status = zoid_part_note_loads(part, false);
    part->state.steps = start;
    part->state.epoch = 0;
    return status;
}

void zoid_part_ended(struct zoid_job_part *part, long end)
{
    const struct zoid_graph *g = &part->plan.graph;
    const long epochs = zoid_cells(g) > 1 ? zoid_ceil_div(end - g->start, g->epoch) : 0;

    part->state.steps = end;
    part->state.epoch = zoid_max(g->leg.epochs + epochs - 1, 0);
    part->settled |= end > g->start;
}

/* ---- clocks -------------------------------------------------------------------------------- */

static double sum(const struct zoid_job_part *part, int parts,
                  double (*of)(const struct zoid_clock *))
{
    double all = 0;

    for (int i = 0; i < parts; i++)
        all += of(&part[i].work.clock);
    return all;
}

double zoid_parts_points(const struct zoid_job_part *part, int parts)
{
    return sum(part, parts, zoid_clock_points);
}

double zoid_parts_busy_seconds(const struct zoid_job_part *part, int parts)
{
    return sum(part, parts, zoid_clock_busy_seconds);
}

double zoid_parts_core_seconds(const struct zoid_job_part *part, int parts)
{
    return sum(part, parts, zoid_clock_core_seconds);
}

/* ---- runs ---------------------------------------------------------------------------------- */

/* The emission of a subdomain by a thread, and its failure. */
struct emission {
    struct zoid_work *work;
    struct zoid_failure failure;
    pthread_t thread;
    bool threaded;
};

static void *emit(void *arg)
{
    struct emission *e = arg;

    zoid_failure_keep(&e->failure, zoid_work_emit(e->work));
    return NULL;
}

static void start(struct emission *e)
{
    struct zoid_work *work = e->work;

    e->threaded = !pthread_create(&e->thread, NULL, emit, e);
    if (e->threaded)
        return;
    zoid_failure_keep(&e->failure, zoid_fail(ZOID_RESOURCE, "the system refuses a thread for each "
                                                            "place; raise the limit of threads "
                                                            "(ulimit -u)"));
    zoid_channels_emitted(work->channels, work->part, true);
    zoid_epoch_clock_over(&work->epochs);
}

/* Emit the graphs of all subdomains, each by a thread. */
static enum zoid_status emit_all(struct zoid_job_part *part, int parts)
{
    struct zoid_channels *channels = part->work.channels;
    struct emission e[ZOID_PARTS_MOST];
    int failed;

    if (parts == 1)
        return zoid_work_emit(&part->work);
    zoid_channels_begin(channels);
    for (int i = 0; i < parts; i++)
        zoid_trace_part(part[i].work.trace, i, &part[i].plan);
    for (int i = 0; i < parts; i++)
        e[i] = (struct emission){.work = &part[i].work};
    for (int i = 1; i < parts; i++)
        start(&e[i]);
    emit(&e[0]);
    for (int i = 1; i < parts; i++)
        if (e[i].threaded)
            pthread_join(e[i].thread, NULL);
    failed = zoid_channels_failed(channels);
    return failed < 0 ? ZOID_OK : zoid_failure_raise(&e[failed].failure);
}

/* Begin to watch the messages of other processes; NULL: this is the only one. */
static enum zoid_status watch_messages(const struct zoid_job_part *part, int parts,
                                       struct zoid_watch **watch)
{
    int workers = 0;

    *watch = NULL;
    if (zoid_ranks_processes(&part->plan.graph) == 1)
        return ZOID_OK;
    *watch = malloc(sizeof **watch);
    if (!*watch)
        return zoid_no_memory();
    for (int i = 0; i < parts; i++)
        workers += part[i].plan.place.workers;
    zoid_watch_begins(*watch, workers);
    return ZOID_OK;
}

enum zoid_status zoid_parts_run(struct zoid_job_part *part, int parts, struct zoid_worked worked[])
{
    struct zoid_failure failure = {.status = ZOID_OK};
    struct zoid_watch *watch;
    enum zoid_status status = watch_messages(part, parts, &watch);

    if (status)
        return status;
    for (int i = 0; i < parts && !status; i++)
        status = zoid_work_begin(&part[i].work, watch);
    if (!status)
        status = emit_all(part, parts);
    zoid_failure_keep(&failure, status);
    for (int i = 0; i < parts; i++) {
        status = zoid_work_end(&part[i].work, &worked[i]);
        if (status && !failure.status)
            zoid_failure_keep(&failure, status);
    }
    /* After a failure blocks that wait for other ranks refer to it. */
    if (watch && !failure.status) {
        worked->waiting = zoid_watch_ends(watch);
        free(watch);
    }
    return failure.status ? zoid_failure_raise(&failure) : ZOID_OK;
}
