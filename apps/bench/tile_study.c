/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/bench/tile_study.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/op/reference.h"
#include "codelets/threads/parallel.h"
#include "runtime/error.h"

enum { SIZES = 10, TIMES = 3, REPEAT = 20, ROUNDS = 64, FEW_POINTS = 1 << 20, BARRIERS = 1000 };
/* Seconds that a wavefront of a fit is repeated for, up to REPEAT times. */
static const double long_enough = 2e-3;
/* Values that fits are made of. */
static const size_t fit_bytes[2] = {[false] = 1 << 26, [true] = 1 << 30};

static const struct zoid_op *op_of(const struct zoid_tile_study *s)
{
    return s->problem->op;
}

static size_t bytes_of(const struct zoid_tile_study *s, const long n[ZOID_AXES])
{
    return (size_t)(n[0] * n[1] * n[2]) * zoid_type_size(op_of(s)->type);
}

/* Limits tile sizes to the coordinates that there are. */
static void limit_sizes(struct zoid_tile_space *s)
{
    for (int k = 0; k <= s->nest.axes; k++) {
        long most = s->nest.shape.phi[k][0] * zoid_min(s->nest.steps, INT_MAX);

        for (int a = 0; a < s->nest.axes; a++)
            most += s->nest.shape.phi[k][1 + a] * s->nest.n[s->nest.axes - 1 - a];
        s->most[k] = (int)zoid_max(zoid_min(s->most[k], most), 1);
        s->least[k] = (int)zoid_min(s->least[k], s->most[k]);
    }
}

/* Makes the geometry of a nest with a tile size. */
static enum zoid_status make(const struct zoid_wavefront_nest *nest, const int *tile,
                             struct zoid_wavefront *w)
{
    const char *reason = zoid_wavefront_make(nest, tile, w);

    if (reason)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "the rows of this nest %s; give a smaller {size} or "
                         "fewer {steps}",
                         reason);
    return ZOID_OK;
}

enum zoid_status zoid_tile_study_open(const struct zoid_problem *problem, bool gpu, uint64_t seed,
                                      struct zoid_tile_study *s)
{
    const int axes = problem->op->dims;
    struct zoid_wavefront w;
    enum zoid_status status;

    *s = (struct zoid_tile_study){.problem = problem,
                                  .omega = problem->params.value[0],
                                  .state = {(unsigned short)seed, (unsigned short)(seed >> 16),
                                            (unsigned short)(seed >> 32)}};
    status = zoid_tile_device_open(
        gpu, (size_t)zoid_max((long)bytes_of(s, problem->n), (long)fit_bytes[gpu]), &s->device);
    for (int i = 0; i < ZOID_TILE_SHAPES && !status; i++) {
        struct zoid_wavefront_nest *nest = &s->space[i].nest;

        zoid_tile_device_layouts(&s->device, axes, &s->model[i]);
        zoid_tile_device_space(&s->device, axes, &s->space[i]);
        s->space[i].type = problem->op->type;
        *nest = (struct zoid_wavefront_nest){.axes = axes, .steps = problem->steps};
        memcpy(nest->n, problem->n, sizeof nest->n);
        nest->shape = zoid_wavefront_sor(axes, i == ZOID_TILE_BALANCED);
        limit_sizes(&s->space[i]);
        status = make(nest, s->space[i].most, &w);
    }
    return status;
}

void zoid_tile_study_close(struct zoid_tile_study *s)
{
    zoid_tile_device_close(&s->device);
}

/* ---- a run ---------------------------------------------------------------------------------- */

static struct zoid_wavefront_run run_of(const struct zoid_tile_study *s, enum zoid_tile_shape shape,
                                        const struct zoid_tile_layout *layout)
{
    const struct zoid_tile_model *m = &s->model[shape];
    struct zoid_wavefront_run run = {.type = op_of(s)->type,
                                     .omega = s->omega,
                                     .resident = m->resident[layout->resident],
                                     .repeat = 1};

    memcpy(run.threads, m->threads[layout->threads], sizeof run.threads);
    return run;
}

/* Stores the least seconds among `times` runs. */
static enum zoid_status least_of(struct zoid_tile_study *s, const struct zoid_wavefront_run *run,
                                 long times, double *seconds)
{
    enum zoid_status status = ZOID_OK;

    *seconds = INFINITY;
    for (long i = 0; i < times && !status; i++) {
        double one = INFINITY;

        status = zoid_tile_device_run(&s->device, run, &one);
        *seconds = fmin(*seconds, one);
    }
    return status;
}

enum zoid_status zoid_tile_study_time(struct zoid_tile_study *s, enum zoid_tile_shape shape,
                                      const struct zoid_tile_layout *layout, long rounds,
                                      double *seconds)
{
    struct zoid_wavefront_run run = run_of(s, shape, layout);
    struct zoid_wavefront_list list;
    struct zoid_wavefront w;
    enum zoid_status status = make(&s->space[shape].nest, layout->tile, &w);
    bool fits = false;

    *seconds = INFINITY;
    run.w = &w;
    run.list = &list;
    if (!status)
        status = zoid_tile_device_fits(&s->device, &run, &fits);
    if (status || !fits)
        return status;
    if (!zoid_wavefront_tiles(&w, &list))
        return zoid_no_memory();
    status = least_of(s, &run, rounds, seconds);
    zoid_wavefront_free(&list);
    return status;
}

bool zoid_tile_study_predict(const struct zoid_tile_study *s, enum zoid_tile_shape shape,
                             const struct zoid_tile_layout *layout,
                             double seconds[ZOID_TILE_MODELS])
{
    const struct zoid_tile_model *m = &s->model[shape];
    struct zoid_tile_profile profile = {.n = 0};
    struct zoid_wavefront w;
    bool done = !zoid_wavefront_make(&s->space[shape].nest, layout->tile, &w) &&
                zoid_tile_profile(&w, &profile);

    if (done) {
        const struct zoid_tile_terms terms =
            zoid_tile_terms_of(&w, &m->machine, m->threads[layout->threads]);

        for (int kind = 0; kind < ZOID_TILE_MODELS; kind++)
            seconds[kind] =
                zoid_tile_predict(m, kind, layout->threads, layout->resident, &terms, &profile);
    }
    zoid_tile_profile_free(&profile);
    return done;
}

/* ---- values --------------------------------------------------------------------------------- */

static void draw_values(struct zoid_tile_study *s, void *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (op_of(s)->type == ZOID_F32)
            ((zoid_f32 *)values)[i] = (zoid_f32)erand48(s->state);
        else
            ((zoid_f64 *)values)[i] = erand48(s->state);
}

enum zoid_status zoid_tile_study_fill(struct zoid_tile_study *s)
{
    const size_t bytes = bytes_of(s, s->problem->n);
    void *values = malloc(bytes + 1);
    enum zoid_status status = values ? ZOID_OK : zoid_no_memory();

    if (!status) {
        draw_values(s, values, bytes / zoid_type_size(op_of(s)->type));
        status = zoid_tile_device_put(&s->device, values, bytes);
    }
    free(values);
    return status;
}

struct values {
    void *start, *tiled, *spare;
    size_t bytes;
};

static enum zoid_status compare(const struct zoid_tile_study *s,
                                const struct zoid_wavefront_nest *nest, struct values *v)
{
    const struct zoid_shape shape = zoid_op_shape(op_of(s), nest->n);
    const struct zoid_reference plain = {.op = op_of(s),
                                         .params = &s->problem->params,
                                         .shape = &shape,
                                         .steps = nest->steps,
                                         .threads = zoid_cores()};

    if (!memcmp(zoid_reference_run(&plain, v->start, v->spare), v->tiled, v->bytes))
        return ZOID_OK;
    return zoid_fail(ZOID_CHECK_FAILED,
                     "tiles have other bytes than the plain loop nest in %ldx%ldx%ld, %ld steps",
                     nest->n[0], nest->n[1], nest->n[2], nest->steps);
}

/* Runs a nest with a layout, and compares. */
static enum zoid_status check_nest(struct zoid_tile_study *s,
                                   const struct zoid_wavefront_nest *nest,
                                   struct zoid_wavefront_run *run, struct values *v)
{
    double seconds;
    enum zoid_status status;

    draw_values(s, v->start, v->bytes / zoid_type_size(run->type));
    status = zoid_tile_device_put(&s->device, v->start, v->bytes);
    if (!status)
        status = zoid_tile_device_run(&s->device, run, &seconds);
    if (!status)
        status = zoid_tile_device_get(&s->device, v->tiled, v->bytes);
    return status ? status : compare(s, nest, v);
}

enum zoid_status zoid_tile_study_check_one(struct zoid_tile_study *s, enum zoid_tile_shape shape,
                                           const struct zoid_tile_layout *layout, long *checked)
{
    struct zoid_wavefront_nest nest = s->space[shape].nest;
    struct zoid_wavefront_run run = run_of(s, shape, layout);
    struct zoid_wavefront_list list;
    struct zoid_wavefront w;
    struct values v;
    enum zoid_status status = make(&nest, layout->tile, &w);
    bool fits = false;

    for (int a = 0; a < nest.axes && !status; a++)
        nest.n[a] = zoid_min(nest.n[a], (2 + a) * zoid_wavefront_extent(&w, nest.axes - 1 - a) / 2 +
                                            (long)(7 * erand48(s->state)));
    nest.steps = zoid_min(nest.steps, 5 * layout->tile[0] / 2);
    if (!status)
        status = make(&nest, layout->tile, &w);
    run.w = &w;
    run.list = &list;
    if (!status)
        status = zoid_tile_device_fits(&s->device, &run, &fits);
    if (status || !fits || bytes_of(s, nest.n) > s->device.bytes)
        return status;
    if (!zoid_wavefront_tiles(&w, &list))
        return zoid_no_memory();
    v.bytes = bytes_of(s, nest.n);
    v.start = malloc(v.bytes + 1);
    v.tiled = malloc(v.bytes + 1);
    v.spare = malloc(v.bytes + 1);
    status = v.start && v.tiled && v.spare ? check_nest(s, &nest, &run, &v) : zoid_no_memory();
    free(v.start);
    free(v.tiled);
    free(v.spare);
    zoid_wavefront_free(&list);
    *checked += !status;
    return status;
}

enum zoid_status zoid_tile_study_check(struct zoid_tile_study *s, int n, long *checked)
{
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < n && !status; i++) {
        const enum zoid_tile_shape shape = i % ZOID_TILE_SHAPES;
        const struct zoid_tile_model *m = &s->model[shape];
        struct zoid_tile_layout layout = {
            .threads = (int)(m->nthreads * erand48(s->state)),
            .resident = (int)(m->nresident * erand48(s->state)),
        };

        if (zoid_tile_draw(&s->space[shape], m, s->state, &layout))
            status = zoid_tile_study_check_one(s, shape, &layout, checked);
    }
    return status;
}

/* ---- overheads and fits --------------------------------------------------------------------- */

static enum zoid_status least_term(struct zoid_tile_study *s, const struct zoid_wavefront_run *run,
                                   enum zoid_wavefront_term term, double *seconds)
{
    enum zoid_status status = ZOID_OK;

    *seconds = INFINITY;
    for (int i = 0; i < TIMES && !status; i++) {
        double one = INFINITY;

        status = zoid_tile_device_term(&s->device, run, term, &one);
        *seconds = fmin(*seconds, one);
    }
    return status;
}

/* Measures sigma_blk or sigma_thd: the difference of many and few. */
static enum zoid_status measure_barrier(struct zoid_tile_study *s, struct zoid_wavefront_run *run,
                                        enum zoid_wavefront_term term, double *seconds)
{
    const long barriers =
        s->device.gpu && term == ZOID_WAVEFRONT_THREADS ? 20l * BARRIERS : BARRIERS;
    double few = 0, many = 0;
    enum zoid_status status;

    run->repeat = barriers;
    status = least_term(s, run, term, &few);
    run->repeat = 2 * barriers;
    if (!status)
        status = least_term(s, run, term, &many);
    *seconds = fmax(0, (many - few) / (double)barriers);
    return status;
}

/* Makes a wavefront of full tiles, in a domain as large as it takes; false: it would be larger than
 * the device's values. */
static bool full_tiles(const struct zoid_tile_study *s, enum zoid_tile_shape shape,
                       const struct zoid_tile_layout *layout, long tiles, struct zoid_wavefront *w,
                       struct zoid_wavefront_list *list)
{
    struct zoid_wavefront_nest nest = s->space[shape].nest;

    for (long times = 2;; times *= 2) {
        nest.steps = 8l * layout->tile[0];
        for (int a = 0; a < nest.axes; a++) {
            nest.n[a] = times * layout->tile[nest.axes - a];
            nest.steps = zoid_max(nest.steps, nest.n[a]);
        }
        if (bytes_of(s, nest.n) > s->device.bytes || zoid_wavefront_make(&nest, layout->tile, w))
            return false;
        if (zoid_wavefront_full_list(w, tiles, list))
            return true;
    }
}

/* Rounds of a wavefront whose tiles take as many bytes as the domain: they are as far away, in the
 * same caches or beyond them. Large tiles have fewer. */
static long rounds_of(const struct zoid_tile_study *s, const struct zoid_wavefront *w, long tiles)
{
    const double bytes = zoid_wavefront_box(w) * (double)zoid_type_size(op_of(s)->type);
    const double rounds = (double)bytes_of(s, s->problem->n) / (bytes * (double)tiles);
    double points = 1;

    for (int k = 0; k < w->rows; k++)
        points *= w->tile[k];
    return (long)fmax(1, fmin(fmin(rounds, ROUNDS), FEW_POINTS / points));
}

/* Stores the least seconds of a round of full tiles; INFINITY: they do not fit. */
static enum zoid_status time_round(struct zoid_tile_study *s, enum zoid_tile_shape shape,
                                   const struct zoid_tile_layout *layout, struct zoid_wavefront *w,
                                   double *seconds)
{
    struct zoid_tile_model *m = &s->model[shape];
    struct zoid_wavefront_run run = run_of(s, shape, layout);
    const long tiles = (long)run.resident * m->machine.processors;
    struct zoid_wavefront_list list;
    enum zoid_status status = make(&s->space[shape].nest, layout->tile, w);
    bool fits = false;
    long rounds = status ? 0 : rounds_of(s, w, tiles);

    *seconds = INFINITY;
    while (rounds && !full_tiles(s, shape, layout, rounds * tiles, w, &list))
        rounds /= 2;
    if (!rounds)
        return status;
    run.w = w;
    run.list = &list;
    status = zoid_tile_device_fits(&s->device, &run, &fits);
    if (!status && fits)
        status = least_of(s, &run, 1, seconds);
    if (!status && !isinf(*seconds)) {
        run.repeat = (long)fmax(1, fmin(REPEAT, long_enough / *seconds));
        status = least_of(s, &run, TIMES, seconds);
        *seconds = (*seconds - m->launch) / (double)run.repeat -
                   m->entry[layout->threads][layout->resident].blocks;
        *seconds /= (double)rounds;
    }
    zoid_wavefront_free(&list);
    return status;
}

/* Measures one tile size; *used stays if it does not fit. */
static enum zoid_status sample(struct zoid_tile_study *s, enum zoid_tile_shape shape,
                               const struct zoid_tile_layout *layout,
                               struct zoid_tile_sample *samples, int *used)
{
    const struct zoid_tile_model *m = &s->model[shape];
    struct zoid_wavefront w;
    double seconds;
    const enum zoid_status status = time_round(s, shape, layout, &w, &seconds);

    if (!status && seconds > 0 && !isinf(seconds))
        samples[(*used)++] = (struct zoid_tile_sample){
            zoid_tile_terms_of(&w, &m->machine, m->threads[layout->threads]), seconds};
    return status;
}

/* Fits an entry, unless its threads and resident tiles do not fit even with the smallest tiles. */
static enum zoid_status fit_entry(struct zoid_tile_study *s, enum zoid_tile_shape shape,
                                  struct zoid_tile_layout *layout, long *fits, long *sizes)
{
    struct zoid_tile_model *m = &s->model[shape];
    struct zoid_tile_entry *e = &m->entry[layout->threads][layout->resident];
    struct zoid_wavefront_run run = run_of(s, shape, layout);
    struct zoid_tile_sample samples[SIZES];
    struct zoid_wavefront w;
    int used = 0;
    enum zoid_status status = make(&s->space[shape].nest, s->space[shape].least, &w);
    bool room = false;

    run.w = &w;
    if (!status)
        status = zoid_tile_device_fits(&s->device, &run, &room);
    if (status || !room)
        return status;
    status = measure_barrier(s, &run, ZOID_WAVEFRONT_BLOCKS, &e->blocks);
    if (!status)
        status = measure_barrier(s, &run, ZOID_WAVEFRONT_THREADS, &e->sync);
    for (int i = 0; i < SIZES && !status; i++)
        if (zoid_tile_draw(&s->space[shape], m, s->state, layout))
            status = sample(s, shape, layout, samples, &used);
    if (status)
        return status;
    zoid_tile_model_fit(m, layout->threads, layout->resident, used, samples);
    *fits += e->known;
    *sizes += used;
    return ZOID_OK;
}

enum zoid_status zoid_tile_study_fit(struct zoid_tile_study *s, long *fits, long *sizes)
{
    enum zoid_status status = ZOID_OK;

    for (int shape = 0; shape < ZOID_TILE_SHAPES && !status; shape++) {
        struct zoid_tile_model *m = &s->model[shape];
        struct zoid_tile_layout layout = {.threads = 0};
        struct zoid_wavefront_run run = run_of(s, shape, &layout);

        status = least_term(s, &run, ZOID_WAVEFRONT_LAUNCH, &m->launch);
        for (int i = 0; i < m->nthreads * m->nresident && !status; i++) {
            layout.threads = i / m->nresident;
            layout.resident = i % m->nresident;
            status = fit_entry(s, shape, &layout, fits, sizes);
        }
    }
    return status;
}
