/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole runs on cores compared with plain loop nests (apps/bench/yardstick.h): the same operator,
 * domain and steps, alternating in one process, both timed without their initialisation. After the
 * first round the states are compared byte by byte. In that round the loops also try several tile
 * heights, and keep the fastest. */
#include <limits.h>
#include <math.h>
#include <starpu.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "apps/bench/bench.h"
#include "apps/bench/yardstick.h"
#include "runtime/boundary.h"
#include "runtime/error.h"
#include "runtime/job.h"
#include "runtime/session/problem.h"
#include "runtime/session/request.h"

/* Default size of a field in bytes: 512^3 values of 4 bytes. */
static const double FIELD_BYTES = 1 << 29;
enum { STEPS = 64, HUGE_PAGE = 2 << 20, PATTERN = 1 << 20 };
/* Tile heights of the plain loops in rows; 0: whole planes. */
static const long heights[] = {0, 8, 16, 32, 64, 128};
enum { HEIGHTS = sizeof heights / sizeof *heights };

/* Memory of the plain loops. A field that a stage writes and reads at neighbours has a second
 * buffer. */
struct loops {
    const struct zoid_problem *problem;
    struct zoid_shape shape;
    size_t plane, bytes; /* per plane; per field, with the planes around it */
    long planes;         /* of the domain */
    long rows;           /* per tile */
    char *memory[2 * ZOID_MAX_FIELDS];
    int allocated;
    char *field[ZOID_MAX_FIELDS], *spare[ZOID_MAX_FIELDS]; /* first value of each */
    long t;
};

struct comparison {
    const struct zoid_bench *bench;
    struct zoid_context *context;
    struct zoid_problem problem;
    struct zoid_plan plan;
    struct zoid_job *job;
    struct loops loops;
    double *plain, *zoid; /* seconds of each round */
};

/* ---- the plain loops --------------------------------------------------------------------- */

static bool needs_spare(const struct zoid_op *op, int field)
{
    for (int s = 0; s < op->nstages; s++)
        for (int i = 0; i < op->stage[s].nreads; i++) {
            const struct zoid_read *read = &op->stage[s].read[i];
            long beside = 0;

            for (int a = 0; a < ZOID_AXES; a++)
                beside += read->reach.lo[a] + read->reach.hi[a];
            if (read->field == field && beside && op->stage[s].writes >> field & 1)
                return true;
        }
    return false;
}

static size_t pattern_planes(const struct loops *l)
{
    return l->plane < PATTERN ? PATTERN / l->plane : 1;
}

static int blocks_of_memory(const struct zoid_op *op)
{
    int n = op->nstate + op->ncoef;

    for (int f = 0; f < op->nstate; f++)
        n += needs_spare(op, f);
    return n;
}

static void measure_loops(struct loops *l, const struct zoid_problem *p)
{
    const size_t line = ZOID_LINE;
    size_t before;

    *l = (struct loops){
        .problem = p, .shape = zoid_problem_shape(p), .plane = zoid_type_size(p->op->type)};
    for (int a = 0; a < p->op->dims - 1; a++)
        l->plane *= (size_t)p->n[a];
    l->planes = p->n[p->op->dims - 1];
    before = (l->plane + line - 1) / line * line + line;
    l->bytes = before + ((size_t)l->planes + pattern_planes(l) + 1) * l->plane + line;
    l->bytes = (l->bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

static char *allocate_field(struct loops *l)
{
    const size_t line = ZOID_LINE;
    char *memory = aligned_alloc(HUGE_PAGE, l->bytes);

    if (!memory)
        return NULL;
    madvise(memory, l->bytes, MADV_HUGEPAGE);
    l->memory[l->allocated++] = memory;
    return memory + (l->plane + line - 1) / line * line + line;
}

static void free_loops(struct loops *l)
{
    while (l->allocated > 0)
        free(l->memory[--l->allocated]);
}

/* Returns the points that a stage computes. */
static struct zoid_boxes computed(const struct loops *l, int stage)
{
    const long *n = l->problem->n;
    const struct zoid_box all = {.hi = {n[0], n[1], n[2]}};

    return zoid_boxes_of(l->problem->op, stage, &l->shape, &all);
}

/* Returns a box with the points of all fields. */
static struct zoid_box around(const struct zoid_boxes *boxes)
{
    struct zoid_box box = {.lo = {LONG_MAX, LONG_MAX, LONG_MAX}};

    for (int f = 0; f < ZOID_MAX_FIELDS; f++)
        for (int a = 0; a < ZOID_AXES && boxes->fields >> f & 1; a++) {
            box.lo[a] = zoid_min(box.lo[a], boxes->of[f].lo[a]);
            box.hi[a] = zoid_max(box.hi[a], boxes->of[f].hi[a]);
        }
    return box;
}

/* Copies the points of field 0 that are not updated to field 1, since rotating fields exchange
 * their roles. */
static void share_layers(struct loops *l)
{
    const struct zoid_box box = computed(l, 0).of[1];
    const long *n = l->problem->n;
    const size_t value = zoid_type_size(l->problem->op->type);

    for (long i = 0; i < n[0] * n[1] * n[2]; i++) {
        const long x = i % n[0], y = i / n[0] % n[1], z = i / n[0] / n[1];

        if (x < box.lo[0] || x >= box.hi[0] || y < box.lo[1] || y >= box.hi[1] || z < box.lo[2] ||
            z >= box.hi[2])
            memcpy(l->field[1] + (size_t)i * value, l->field[0] + (size_t)i * value, value);
    }
}

/* Allocates and fills all fields as zoid_sample_fill does: every plane equals the first. */
static enum zoid_status make_loops(struct loops *l)
{
    const struct zoid_op *op = l->problem->op;
    struct zoid_initial initial = {.problem = l->problem};
    const struct zoid_box plane = zoid_problem_planes(l->problem, 0, 1);
    const size_t n = pattern_planes(l);
    char *pattern = malloc(n * l->plane);
    bool complete = pattern;

    for (int f = 0; f < op->nstate + op->ncoef && complete; f++) {
        const struct zoid_values to = zoid_values_packed(&plane, pattern);
        bool two = f < op->nstate && needs_spare(op, f);

        l->field[f] = allocate_field(l);
        l->spare[f] = two ? allocate_field(l) : NULL;
        complete = l->field[f] && (l->spare[f] || !two);
        zoid_initial_box(&initial, f, &plane, &to);
        for (size_t i = 1; i < n; i++)
            memcpy(pattern + i * l->plane, pattern, l->plane);
        for (int i = 0; i < 1 + two && complete; i++)
            zoid_yardstick_fill(i ? l->spare[f] : l->field[f], pattern, n * l->plane,
                                (l->planes + (long)n - 1) / (long)n);
    }
    free(pattern);
    if (complete && op->rotates && !op->keeps_own)
        share_layers(l);
    return complete ? ZOID_OK : zoid_no_memory();
}

static void one_time(struct loops *l)
{
    const struct zoid_op *op = l->problem->op;
    const int stage = zoid_stage_of(op, ++l->t);
    const unsigned writes = op->stage[stage].writes;
    struct zoid_yardstick sweep = {.op = op,
                                   .params = &l->problem->params,
                                   .boxes = computed(l, stage),
                                   .rows = l->rows,
                                   .t = l->t};

    sweep.box = around(&sweep.boxes);
    for (int a = 0; a < ZOID_AXES; a++)
        sweep.n[a] = l->problem->n[a];
    for (int f = 0; f < op->nstate + op->ncoef; f++) {
        sweep.from[f] = l->field[f];
        sweep.to[f] = l->spare[f] ? l->spare[f] : l->field[f];
    }
    if (!zoid_box_empty(&sweep.box))
        zoid_yardstick_sweep(&sweep);
    for (int f = 0; f < op->nstate; f++)
        if (writes >> f & 1 && l->spare[f]) {
            char *swap = l->field[f];

            l->field[f] = l->spare[f];
            l->spare[f] = swap;
        }
}

static double run_loops(struct loops *l)
{
    const long times = l->problem->steps * l->problem->op->step;
    double start;

    starpu_pause();
    start = starpu_timing_now();
    for (long i = 0; i < times; i++)
        one_time(l);
    start = starpu_timing_now() - start;
    starpu_resume();
    return start * 1e-6;
}

/* Runs the steps with each tile height in turn, if planes have rows, and keeps that of the fastest
 * step. */
static void tune_loops(struct loops *l)
{
    const int step = l->problem->op->step, tried = l->problem->op->dims > 2 ? HEIGHTS : 1;
    double least = INFINITY;
    long best = 0;

    starpu_pause();
    for (long i = 0; i < l->problem->steps; i++) {
        const double start = starpu_timing_now();

        l->rows = heights[i % tried];
        for (int stage = 0; stage < step; stage++)
            one_time(l);
        if (starpu_timing_now() - start < least) {
            least = starpu_timing_now() - start;
            best = l->rows;
        }
    }
    l->rows = best;
    starpu_resume();
}

/* ---- both -------------------------------------------------------------------------------- */

static enum zoid_status run_zoid(struct zoid_job *job, double *seconds)
{
    struct zoid_report report = {.seconds = 0};
    enum zoid_status status;

    status = zoid_job_again(job, false, &report);
    *seconds = report.seconds;
    return status;
}

/* Expected next values of a field. */
struct expected {
    const struct zoid_op *op;
    const char *values;
};

static enum zoid_status compare_part(void *expected, const struct zoid_box *box, const void *values,
                                     size_t bytes)
{
    struct expected *e = expected;
    const bool same = !memcmp(values, e->values, bytes);

    (void)box;
    e->values += bytes;
    return same ? ZOID_OK
                : zoid_fail(ZOID_CHECK_FAILED, "%s: the run and the plain loops differ",
                            e->op->name);
}

static enum zoid_status compare(const struct comparison *c)
{
    const struct zoid_op *op = c->problem.op;
    enum zoid_status status = ZOID_OK;

    for (int f = 0; f < op->nstate && !status; f++) {
        struct expected expected = {
            .op = op, .values = c->loops.field[zoid_op_stored(op, f, c->problem.steps)]};

        status = zoid_job_each(c->job, f, compare_part, &expected);
    }
    return status;
}

/* The first round warms up and is not counted. */
static enum zoid_status run_rounds(struct comparison *c)
{
    enum zoid_status status = ZOID_OK;

    for (long r = -1; r < c->bench->rounds && !status; r++) {
        if (r < 0)
            tune_loops(&c->loops);
        else
            c->plain[r] = run_loops(&c->loops);
        status = run_zoid(c->job, &c->zoid[r < 0 ? 0 : r]);
        if (!status && r < 0)
            status = compare(c);
    }
    return status;
}

static void print_head(void)
{
    printf("%-16s %18s %6s %12s %8s %12s %8s %6s  %s\n", "operator", "size", "steps", "plain GUP/s",
           "spread", "zoid GUP/s", "spread", "ratio", "method");
}

static void finish_row(struct comparison *c, json_t *row)
{
    const struct zoid_problem *p = &c->problem;
    const struct zoid_graph *g = &c->plan.graph;
    long rounds = c->bench->rounds;
    double points = zoid_sample_points(p);
    double plain = points / zoid_sample_median(c->plain, rounds) * 1e-9;
    double zoid = points / zoid_sample_median(c->zoid, rounds) * 1e-9;
    double plain_spread = zoid_sample_spread(c->plain, rounds);
    double zoid_spread = zoid_sample_spread(c->zoid, rounds);
    char size[64];

    json_object_set_new(row, "steps", json_integer(p->steps));
    json_object_set_new(row, "threads", json_integer(zoid_yardstick_threads()));
    json_object_set_new(row, "plain_rows", json_integer(c->loops.rows));
    zoid_bench_put(row, "plain_gups", plain);
    zoid_bench_put(row, "plain_spread", plain_spread);
    json_object_set_new(row, "method", json_string(g->method->name));
    json_object_set_new(row, "block", json_integer(g->block));
    json_object_set_new(row, "depth", json_integer(g->depth));
    zoid_bench_put(row, "zoid_gups", zoid);
    zoid_bench_put(row, "zoid_spread", zoid_spread);
    zoid_bench_put(row, "zoid_over_plain", zoid / plain);
    snprintf(size, sizeof size, "%ldx%ldx%ld", p->n[0], p->n[1], p->n[2]);
    printf("%-16s %18s %6ld %12.3f %8.3f %12.3f %8.3f %6.2f  %s, %ld planes, %ld steps\n",
           p->op->name, size, p->steps, plain, plain_spread, zoid, zoid_spread, zoid / plain,
           g->method->name, g->block, g->depth);
    fflush(stdout);
}

/* Plans with the budget that the plain loops leave. */
static enum zoid_status plan(struct comparison *c)
{
    const struct zoid_settings *o = &c->bench->settings;
    const struct zoid_machine *m = zoid_context_machine(c->context);
    uint64_t taken = (uint64_t)blocks_of_memory(c->problem.op) * c->loops.bytes;
    const uint64_t asked = o->ram;
    uint64_t budget = asked && asked < m->ram_available ? asked : m->ram_available;
    struct zoid_request request = zoid_settings_request(o);

    request.budget[ZOID_RAM] = budget - taken;
    if (budget > taken)
        return zoid_plan_make(c->context, &c->problem, &request, &c->plan);
    return zoid_fail(ZOID_DOES_NOT_FIT,
                     "the plain loops alone need %llu MiB of main memory, and %llu MiB may be "
                     "used; give a smaller {size}",
                     (unsigned long long)(taken >> 20), (unsigned long long)(budget >> 20));
}

static enum zoid_status measure(struct comparison *c, json_t *row)
{
    enum zoid_status status = plan(c);

    if (!status)
        status = zoid_job_create(c->context, &c->plan, &c->job);
    if (!status)
        status = zoid_sample_fill(c->job, &c->problem);
    if (!status)
        status = make_loops(&c->loops);
    if (!status)
        status = run_rounds(c);
    if (!status)
        finish_row(c, row);
    zoid_job_destroy(&c->job);
    free_loops(&c->loops);
    return status;
}

static enum zoid_status one_operator(struct comparison *c, const struct zoid_op *op,
                                     struct zoid_bench_files *files)
{
    enum zoid_status status = zoid_bench_variant(c->bench, op, FIELD_BYTES, STEPS, &c->problem);
    json_t *row;

    if (status)
        return status;
    if (c->problem.steps < 1)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a measurement wants at least one step");
    measure_loops(&c->loops, &c->problem);
    row = zoid_bench_row(&c->problem);
    status = row ? measure(c, row) : zoid_no_memory();
    if (!status)
        return zoid_bench_files_add(files, row);
    json_decref(row);
    return status;
}

static enum zoid_status all_operators(struct comparison *c, struct zoid_bench_files *files)
{
    const struct zoid_op *op;
    enum zoid_status status = ZOID_OK;
    bool any = false;

    print_head();
    for (size_t i = 0; !status && (op = zoid_bench_next(c->bench, &i));) {
        status = one_operator(c, op, files);
        any |= !status;
        if (status != ZOID_DOES_NOT_FIT)
            continue;
        printf("%-16s %s\n", op->name, zoid_error_as(ZOID_NAMES_OPTIONS));
        status = ZOID_OK;
    }
    return !status && !any ? ZOID_DOES_NOT_FIT : status;
}

static enum zoid_status refuse(const struct zoid_bench *b)
{
    size_t first = 0;

    if (!zoid_yardstick_sweep)
        return zoid_fail(ZOID_RESOURCE,
                         "this build has no plain loops: its compiler has no OpenMP, or it has "
                         "sanitizers");
    if (b->settings.has_boundary)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "plain loops know nothing beyond the domain's faces; drop {boundary}");
    if (b->settings.has_load)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{what=plain} has loops of Zoid's own operators alone; drop {load}");
    return zoid_bench_next(b, &first) ? ZOID_OK : zoid_bench_none(b);
}

enum zoid_status zoid_bench_plain(const struct zoid_bench *b)
{
    double plain[b->rounds], zoid[b->rounds];
    struct comparison c = {.bench = b, .plain = plain, .zoid = zoid};
    struct zoid_bench_files *files = NULL;
    enum zoid_status status = refuse(b);

    /* Compare on cores only. */
    setenv("STARPU_NCUDA", "0", 1);
    if (!status)
        status = zoid_bench_files_open(b, &files);
    if (!status)
        status = zoid_context_open(NULL, &c.context);
    if (!status)
        status = all_operators(&c, files);
    if (!status)
        status = zoid_bench_files_commit(&files, zoid_context_machine(c.context));
    zoid_bench_files_discard(&files);
    zoid_context_close(&c.context);
    return status;
}
