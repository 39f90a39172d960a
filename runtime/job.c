/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/finish.h"
#include "codelets/parallel.h"
#include "runtime/context.h"
#include "runtime/machine/core.h"
#include "runtime/report/progress.h"
#include "runtime/report/traffic.h"

/* Where the loads of a graph put the initial state. */
struct load_sink {
    struct zoid_sink sink;
    struct zoid_store *store;
    enum zoid_status status;
};

enum { LOADED = 1 };

static int note_load(struct zoid_sink *sink, const struct zoid_access *access)
{
    struct load_sink *s = (struct load_sink *)sink;

    return s->status = zoid_store_note(s->store, &access->datum, &access->out);
}

static int stop_at_block(struct zoid_sink *sink, const struct zoid_block *block)
{
    (void)sink, (void)block;
    return LOADED;
}

static enum zoid_status note_loads(struct zoid_job *job)
{
    struct load_sink s = {.sink = {.load = note_load, .block = stop_at_block}, .store = job->store};

    if (zoid_graph_emit(&job->plan.graph, &s.sink) == ZOID_GRAPH_NO_MEMORY)
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    return s.status;
}

static enum zoid_status allocate(struct zoid_job *job)
{
    const struct zoid_context *context = job->context;
    enum zoid_status status = zoid_store_create(&job->plan, context->disk, &job->store);

    if (status)
        return status;
    job->work = (struct zoid_work){.plan = &job->plan,
                                   .store = job->store,
                                   .disk = context->disk,
                                   .trace = context->trace,
                                   .core = zoid_machine_core(&context->machine)};
    status = zoid_work_init(&job->work);
    return status ? status : note_loads(job);
}

enum zoid_status zoid_job_create(struct zoid_context *context, const struct zoid_plan *plan,
                                 struct zoid_job **job)
{
    struct zoid_job *j = calloc(1, sizeof *j);
    enum zoid_status status;

    if (!j)
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    j->context = context;
    j->plan = *plan;
    status = allocate(j);
    if (status)
        zoid_job_destroy(&j);
    else
        *job = j;
    return status;
}

void zoid_job_destroy(struct zoid_job **job)
{
    struct zoid_job *j = *job;

    if (!j)
        return;
    zoid_store_destroy(&j->store);
    zoid_work_free(&j->work);
    free(j);
    *job = NULL;
}

enum copy { INTO_STORE, OUT_OF_STORE };

/* Points of a row from `lo` on, up to `hi`, that are those of the domain next to one another. */
static long points_in_line(const struct zoid_shape *shape, long lo, long hi)
{
    long left = shape->n[0] - zoid_fold(shape, 0, lo);

    return left < hi - lo ? left : hi - lo;
}

/* Between a row of a plane of the store, of which the points [lo, hi) are wanted, and one of the
 * domain. */
static void copy_row(const struct zoid_job *job, const struct zoid_layout *layout, char *stored,
                     char *bare, const struct zoid_range *points, enum copy way)
{
    const struct zoid_shape *shape = &job->plan.graph.shape;
    const size_t size = zoid_type_size(layout->type);

    for (long lo = points->lo, end; lo < points->hi; lo = end) {
        char *from = bare + (size_t)zoid_fold(shape, 0, lo) * size;
        char *to = stored + (size_t)(lo - layout->lo[0]) * size;
        size_t bytes;

        end = lo + points_in_line(shape, lo, points->hi);
        bytes = (size_t)(end - lo) * size;
        memcpy(way == INTO_STORE ? to : from, way == INTO_STORE ? from : to, bytes);
    }
}

/* Between a patch of a plane of the store, whose rows are padded, and of a whole one without padding. */
static void copy_part(const struct zoid_job *job, const struct zoid_layout *layout, char *stored,
                      char *plane, const struct zoid_patch *patch, enum copy way)
{
    const struct zoid_shape *shape = &job->plan.graph.shape;
    const size_t size = zoid_type_size(layout->type);
    const long width = layout->dims > 1 ? shape->n[0] : 1;
    const struct zoid_range one = {0, 1};
    const struct zoid_range *points = layout->dims > 1 ? &patch->axis[0] : &one;
    const struct zoid_range *lines = layout->dims == 3 ? &patch->axis[1] : &one;

    for (long y = lines->lo; y < lines->hi; y++) {
        long line = layout->dims == 3 ? zoid_fold(shape, 1, y) : 0;

        copy_row(job, layout, stored + (size_t)((y - layout->lo[1]) * layout->pitch) * size,
                 plane + (size_t)(line * width) * size, points, way);
    }
}

/* A cell's own points out of the store, and into it all that it looks at. */
static void copy_plane(const struct zoid_job *job, int field, long z, char *plane, enum copy way)
{
    const struct zoid_graph *g = &job->plan.graph;

    for (long c = 0; c < zoid_cells(g); c++) {
        struct zoid_layout layout = zoid_plan_layout(&job->plan, c);
        struct zoid_patch patch =
            way == INTO_STORE ? zoid_cell_window(g, c) : zoid_cell_own(g, c, zoid_epochs(g) - 1);
        char *stored = zoid_store_plane(job->store, field, c, z);

        for (int a = 0; a < layout.dims - 1; a++)
            if (zoid_range_all(&patch.axis[a]))
                patch.axis[a].hi = g->shape.n[a];
        copy_part(job, &layout, stored, plane, &patch, way);
        if (way == INTO_STORE) {
            struct zoid_finish finish = zoid_finish_of(job->plan.problem.op, &g->shape, &layout);

            zoid_finish_plane(&finish, &g->shape, &layout, stored);
        }
    }
}

static enum zoid_status disk_status(const struct zoid_job *job)
{
    return job->plan.on_disk ? zoid_disk_status(job->context->disk) : ZOID_OK;
}

/* What the threads that fill a job share. */
struct filling {
    struct zoid_job *job;
    zoid_plane_fn *plane;
    void *user;
    int field;    /* the first, of the state or of the coefficients */
    long lo, hi;  /* planes that are being filled */
    long batch;   /* how many of them a thread takes at a time */
    char *bare;   /* a plane for each thread */
    size_t bytes; /* of one */
};

static long batches(const struct filling *f)
{
    return (f->hi - f->lo + f->batch - 1) / f->batch;
}

/* Planes in batches of `batch`, field after field. */
static void fill_batch(void *arg, int thread, long i)
{
    const struct filling *f = arg;
    long lo = f->lo + i % batches(f) * f->batch, hi = lo + f->batch < f->hi ? lo + f->batch : f->hi;
    int field = f->field + (int)(i / batches(f));
    char *bare = f->bare + (size_t)thread * f->bytes;

    for (long z = lo; z < hi; z++) {
        f->plane(f->user, field, z, bare);
        copy_plane(f->job, field, z, bare, INTO_STORE);
    }
}

/* Of `fields` fields all planes, as many at a time as main memory has room for. */
static void fill_fields(struct filling *f, int threads, int fields)
{
    const struct zoid_problem *p = &f->job->plan.problem;
    long planes = p->n[p->op->dims - 1];

    for (f->lo = 0; fields && f->lo < planes; f->lo = f->hi) {
        f->hi = zoid_store_hold(f->job->store, f->field, f->lo, STARPU_W);
        f->hi = f->hi < planes ? f->hi : planes;
        /* StarPU's idle workers poll; the threads want the cores for themselves. */
        starpu_pause();
        zoid_parallel(threads, fields * batches(f), fill_batch, f);
        starpu_resume();
        zoid_store_drop(f->job->store);
    }
}

enum zoid_status zoid_job_fill(struct zoid_job *job, zoid_plane_fn *plane, void *user)
{
    /* Bytes that are worth waking a thread for, and that all threads together may spend. */
    static const size_t least = 1 << 16, most = 1 << 28;
    const struct zoid_problem *p = &job->plan.problem;
    struct filling f = {.job = job, .plane = plane, .user = user};
    int threads = zoid_cores();

    f.bytes = zoid_type_size(p->op->type);
    for (int a = 0; a < p->op->dims - 1; a++)
        f.bytes *= (size_t)p->n[a];
    f.batch = f.bytes < least ? (long)(least / f.bytes) : 1;
    if ((size_t)threads > most / f.bytes)
        threads = most / f.bytes ? (int)(most / f.bytes) : 1;
    f.bare = malloc((size_t)threads * f.bytes);
    if (!f.bare)
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    fill_fields(&f, threads, p->op->nstate);
    f.field = p->op->nstate;
    fill_fields(&f, threads, p->op->ncoef);
    free(f.bare);
    job->filled = true;
    return disk_status(job);
}

enum zoid_status zoid_job_read(const struct zoid_job *job, int field, long z, void *plane)
{
    const struct zoid_problem *p = &job->plan.problem;
    int stored = zoid_op_stored(p->op, field, job->ran ? p->steps : 0);

    zoid_store_hold(job->store, stored, z, STARPU_R);
    copy_plane(job, stored, z, plane, OUT_OF_STORE);
    return disk_status(job);
}

/* Every point of the domain once a step. */
static double useful_points(const struct zoid_plan *plan)
{
    double points = (double)plan->problem.steps;

    for (int a = 0; a < ZOID_AXES; a++)
        points *= (double)plan->problem.n[a];
    return points;
}

/* Those of all blocks, of all times; 0 where there is no memory to count them. */
static double all_points(const struct zoid_plan *plan)
{
    struct zoid_count count;

    return zoid_count_graph(&plan->graph, &count) ? 0 : (double)count.points;
}

static void fill_report(const struct zoid_job *job, const struct zoid_worked *worked,
                        double seconds, struct zoid_report *r)
{
    const struct zoid_plan *plan = &job->plan;
    const enum zoid_resource bound = zoid_cost_bound(&plan->cost);
    double points = useful_points(plan);

    r->method = plan->graph.method->name;
    r->block = plan->graph.block;
    r->depth = plan->graph.depth;
    r->strip = zoid_plan_strip(plan);
    for (int a = 0; a < ZOID_AXES; a++)
        r->cells[a] = zoid_cells_along(&plan->graph, a);
    r->epoch = plan->graph.epoch;
    r->alias = plan->alias;
    r->traversal = plan->traversal;
    r->serial = plan->serial;
    r->clamped = plan->clamped;
    r->seconds = seconds;
    r->gups = seconds > 0 ? points / seconds * 1e-9 : NAN;
    r->cpu_workers = job->context->machine.cpu_workers;
    r->cuda_workers = job->context->machine.cuda_workers;
    r->busy_workers = seconds > 0 ? zoid_clock_busy_seconds(&job->work.clock) / seconds : NAN;
    r->useful = points;
    r->redundant = worked->points / plan->graph.shape.stages - points;
    r->tasks = worked->tasks;
    zoid_traffic_read(r);
    if (plan->on_disk) {
        const struct zoid_disk *disk = job->context->disk;
        struct zoid_disk_traffic end = zoid_disk_traffic(disk);

        r->disk_folder = zoid_disk_folder(disk);
        r->disk_direct = zoid_disk_direct(disk);
        r->disk_read = (double)(end.read - job->disk_before.read);
        r->disk_write = (double)(end.written - job->disk_before.written);
    }
    r->predicted_seconds = plan->cost.seconds;
    r->bound = zoid_resource_name(bound);
    r->bound_fraction = seconds > 0 ? plan->cost.part[bound] / seconds : NAN;
    r->rates = plan->cost.calibrated ? "calibrated" : "default";
}

enum zoid_status zoid_job_again(struct zoid_job *job, bool progress, struct zoid_report *report)
{
    struct zoid_progress *watch = NULL;
    struct zoid_worked worked;
    enum zoid_status status = ZOID_OK;
    double start;

    zoid_store_drop(job->store);
    if (job->plan.on_disk) {
        status = zoid_store_fetch(job->store);
        job->disk_before = zoid_disk_traffic(job->context->disk);
    }
    if (status)
        return status;
    if (progress)
        watch = zoid_progress_start(&job->work.clock, all_points(&job->plan));
    zoid_traffic_start(job->plan.on_gpu);
    zoid_trace_run_begins(job->context->trace, &job->plan);
    start = starpu_timing_now();
    status = zoid_work_run(&job->work, &worked);
    if (!status)
        status = zoid_store_fetch(job->store);
    fill_report(job, &worked, (starpu_timing_now() - start) * 1e-6, report);
    zoid_trace_run_ends(job->context->trace, report);
    zoid_progress_stop(&watch);
    job->ran = true;
    return status && !job->work.cuda_error ? status : zoid_work_status(&job->work);
}

enum zoid_status zoid_job_run(struct zoid_job *job, bool progress, struct zoid_report *report)
{
    if (!job->filled || job->ran)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a job runs once, after it was filled");
    return zoid_job_again(job, progress, report);
}
