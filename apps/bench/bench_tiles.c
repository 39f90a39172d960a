/* SPDX-License-Identifier: BSD-3-Clause */
/* SOR by tiles in wavefronts: whether its values are the plain loop nest's, how well two models
 * (tile_model.h) predict the seconds of random layouts from a few fitted tile sizes, and how good
 * the layouts are that they choose. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/bench/bench.h"
#include "apps/bench/tile_study.h"
#include "runtime/error.h"
#include "runtime/machine/clock.h"

enum { DRAWN = 100, CHECKED = 12, LAYOUTS = 1000000 };
static const char *const model_names[ZOID_TILE_MODELS] = {"di", "groups"};
static const char *const shape_names[ZOID_TILE_SHAPES] = {"minimal", "balanced"};
static const char *const device_names[ZOID_BENCH_DEVICES] = {"cpu", "gpu"};
/* Points along an axis, and steps, of 1-D to 3-D. */
static const long default_size[ZOID_BENCH_DEVICES][ZOID_AXES][2] = {
    {{32768, 4096}, {512, 64}, {64, 64}}, {{65536, 65536}, {4096, 256}, {512, 64}}};

/* A layout that was run. */
struct timed {
    enum zoid_tile_shape shape;
    struct zoid_tile_layout layout;
    double seconds, predicted[ZOID_TILE_MODELS];
    bool chosen;
};

struct tiles {
    const struct zoid_bench *bench;
    enum zoid_bench_device device;
    struct zoid_problem problem;
    struct zoid_tile_study study;
    struct timed *timed;
    long n, skipped;
    struct zoid_tile_choice choice[ZOID_TILE_MODELS];
    enum zoid_tile_shape chosen_shape[ZOID_TILE_MODELS];
    double searched; /* seconds */
    long checked, fits, sizes;
};

/* ---- layouts -------------------------------------------------------------------------------- */

static double gups(const struct tiles *t, double seconds)
{
    return zoid_sample_points(&t->problem) / seconds * 1e-9;
}

static enum zoid_status time_layout(struct tiles *t, struct timed *one)
{
    enum zoid_status status =
        zoid_tile_study_time(&t->study, one->shape, &one->layout, t->bench->rounds, &one->seconds);

    if (status)
        return status;
    if (isinf(one->seconds)) {
        t->skipped++;
        return ZOID_OK;
    }
    if (!zoid_tile_study_predict(&t->study, one->shape, &one->layout, one->predicted))
        return zoid_no_memory();
    t->timed[t->n++] = *one;
    return ZOID_OK;
}

/* Runs random layouts of entries that have a fit. */
static enum zoid_status time_random(struct tiles *t)
{
    const long wanted = t->bench->draw ? t->bench->draw : DRAWN;
    enum zoid_status status = ZOID_OK;

    for (long i = 0; i < wanted && !status; i++) {
        struct timed one = {.shape = (enum zoid_tile_shape)(i % ZOID_TILE_SHAPES)};
        const struct zoid_tile_model *m = &t->study.model[one.shape];

        do {
            one.layout.threads = (int)(m->nthreads * erand48(t->study.state));
            one.layout.resident = (int)(m->nresident * erand48(t->study.state));
        } while (!m->entry[one.layout.threads][one.layout.resident].known);
        if (zoid_tile_draw(&t->study.space[one.shape], m, t->study.state, &one.layout))
            status = time_layout(t, &one);
        else
            t->skipped++;
    }
    return status;
}

/* Chooses a layout of either shape by each model. */
static enum zoid_status choose(struct tiles *t)
{
    t->searched = -zoid_machine_clock();
    for (int kind = 0; kind < ZOID_TILE_MODELS; kind++) {
        struct zoid_tile_choice *best = &t->choice[kind];

        best->predicted = INFINITY;
        for (int shape = 0; shape < ZOID_TILE_SHAPES; shape++) {
            struct zoid_tile_choice one;

            if (!zoid_tile_choose(&t->study.space[shape], &t->study.model[shape], kind,
                                  LAYOUTS / ZOID_TILE_SHAPES, &one))
                return zoid_fail(ZOID_RESOURCE,
                                 "no layout of %s tiles can be chosen by model %s: none has a "
                                 "fit and a time above 0, or memory ran out",
                                 shape_names[shape], model_names[kind]);
            one.layouts += shape ? best->layouts : 0;
            one.evaluated += shape ? best->evaluated : 0;
            if (one.predicted < best->predicted) {
                *best = one;
                t->chosen_shape[kind] = (enum zoid_tile_shape)shape;
            }
            best->layouts = one.layouts;
            best->evaluated = one.evaluated;
        }
    }
    t->searched = (t->searched + zoid_machine_clock()) / ZOID_TILE_MODELS;
    return ZOID_OK;
}

/* Runs them, and checks their values. */
static enum zoid_status time_chosen(struct tiles *t)
{
    enum zoid_status status = ZOID_OK;

    for (int kind = 0; kind < ZOID_TILE_MODELS && !status; kind++) {
        struct timed one = {
            .shape = t->chosen_shape[kind], .layout = t->choice[kind].layout, .chosen = true};

        status = time_layout(t, &one);
    }
    return status;
}

static enum zoid_status check_chosen(struct tiles *t)
{
    enum zoid_status status = ZOID_OK;

    for (int kind = 0; kind < ZOID_TILE_MODELS && !status; kind++)
        status = zoid_tile_study_check_one(&t->study, t->chosen_shape[kind],
                                           &t->choice[kind].layout, &t->checked);
    return status;
}

/* ---- results -------------------------------------------------------------------------------- */

static void write_layout(const struct tiles *t, const struct timed *one, char *text, size_t size)
{
    const struct zoid_tile_model *m = &t->study.model[one->shape];
    const int *threads = m->threads[one->layout.threads];
    int used = snprintf(text, size, "%s ", shape_names[one->shape]);

    for (int k = 0; k <= t->problem.op->dims; k++)
        used +=
            snprintf(text + used, size - (size_t)used, "%s%d", k ? "x" : "", one->layout.tile[k]);
    snprintf(text + used, size - (size_t)used, " threads %dx%dx%d resident %d", threads[0],
             threads[1], threads[2], m->resident[one->layout.resident]);
}

static json_t *row_of(const struct tiles *t, const struct timed *one)
{
    static const char *const keys[] = {"tile1", "tile2", "tile3", "tile4"};
    const struct zoid_tile_model *m = &t->study.model[one->shape];
    const int *threads = m->threads[one->layout.threads];
    json_t *row = zoid_bench_row(&t->problem);

    if (!row)
        return NULL;
    json_object_set_new(row, "device", json_string(device_names[t->device]));
    json_object_set_new(row, "steps", json_integer(t->problem.steps));
    json_object_set_new(row, "shape", json_string(shape_names[one->shape]));
    for (int k = 0; k < ZOID_WAVEFRONT_ROWS; k++)
        json_object_set_new(row, keys[k], json_integer(one->layout.tile[k]));
    json_object_set_new(row, "threads_x", json_integer(threads[0]));
    json_object_set_new(row, "threads_y", json_integer(threads[1]));
    json_object_set_new(row, "threads_z", json_integer(threads[2]));
    json_object_set_new(row, "resident", json_integer(m->resident[one->layout.resident]));
    json_object_set_new(row, "chosen", json_integer(one->chosen));
    zoid_bench_put(row, "seconds", one->seconds);
    zoid_bench_put(row, "gups", gups(t, one->seconds));
    for (int kind = 0; kind < ZOID_TILE_MODELS; kind++)
        zoid_bench_put(row, model_names[kind], one->predicted[kind]);
    return row;
}

static int ascending(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;

    return (one > other) - (one < other);
}

/* The errors of a model over the random layouts, and its choices. */
static void print_model(const struct tiles *t, int kind, const struct timed *best, double *error)
{
    const struct timed *among = NULL, *chosen = NULL;
    const char *name = model_names[kind];
    const struct zoid_tile_choice *choice = &t->choice[kind];
    long n = 0;

    for (long i = 0; i < t->n; i++) {
        const struct timed *one = &t->timed[i];

        if (one->shape == t->chosen_shape[kind] && one->chosen &&
            !memcmp(&one->layout, &choice->layout, sizeof one->layout))
            chosen = one;
        if (one->chosen)
            continue;
        error[n++] = fabs(one->predicted[kind] / one->seconds - 1);
        if (!among || one->predicted[kind] < among->predicted[kind])
            among = one;
    }
    qsort(error, (size_t)n, sizeof *error, ascending);
    printf("%s.layouts %ld\n%s.predicted %ld\n", name, choice->layouts, name, choice->evaluated);
    if (n)
        printf("%s.median %.4f\n%s.p95 %.4f\n%s.most %.4f\n%s.best_of_random_over_best %.4f\n",
               name, error[n / 2], name, error[(n * 95 - 1) / 100], name, error[n - 1], name,
               among->seconds / best->seconds - 1);
    if (chosen) {
        char text[128];

        write_layout(t, chosen, text, sizeof text);
        printf("%s.chosen %s\n%s.chosen_predicted_us %.1f\n%s.chosen_us %.1f\n"
               "%s.chosen_over_best %.4f\n",
               name, text, name, choice->predicted * 1e6, name, chosen->seconds * 1e6, name,
               chosen->seconds / best->seconds - 1);
    }
}

static void print_fits(const struct tiles *t)
{
    printf("%-8s %-9s %8s %9s %9s  %-38s %s\n", "shape", "threads", "resident", "barrier",
           "threads'", "di: warps, points, values (us)",
           "groups: waves, warps, trips, values (us)");
    for (int shape = 0; shape < ZOID_TILE_SHAPES; shape++) {
        const struct zoid_tile_model *m = &t->study.model[shape];

        for (int i = 0; i < m->nthreads * m->nresident; i++) {
            const int *threads = m->threads[i / m->nresident];
            const struct zoid_tile_entry *e = &m->entry[i / m->nresident][i % m->nresident];
            const double *di = e->coefficient[ZOID_TILE_DI];
            const double *groups = e->coefficient[ZOID_TILE_GROUPS];

            if (e->known)
                printf("%-8s %3dx%dx%-3d %8d %9.3f %9.5f  %12.3e %12.3e %12.3e %12.3e %12.3e "
                       "%12.3e %12.3e\n",
                       shape_names[shape], threads[0], threads[1], threads[2],
                       m->resident[i % m->nresident], e->blocks * 1e6, e->sync * 1e6, di[0] * 1e6,
                       di[1] * 1e6, di[2] * 1e6, groups[0] * 1e6, groups[1] * 1e6, groups[2] * 1e6,
                       groups[3] * 1e6);
        }
    }
}

/* Prints the results; the best layout is the fastest one that was run. */
static enum zoid_status print_results(const struct tiles *t)
{
    const struct timed *best[ZOID_TILE_SHAPES] = {NULL}, *overall = NULL;
    double *error = calloc((size_t)t->n + 1, sizeof *error);
    char text[128];

    if (!error)
        return zoid_no_memory();
    for (long i = 0; i < t->n; i++) {
        const struct timed *one = &t->timed[i];

        if (!best[one->shape] || one->seconds < best[one->shape]->seconds)
            best[one->shape] = one;
        if (!overall || one->seconds < overall->seconds)
            overall = one;
    }
    printf("checked %ld\nlaunch_us %.3f\nfits %ld\nfitted_sizes %ld\nlayouts_run %ld\n"
           "layouts_skipped %ld\nsearch_seconds %.3f\n",
           t->checked, t->study.model[0].launch * 1e6, t->fits, t->sizes, t->n, t->skipped,
           t->searched);
    for (int shape = 0; shape < ZOID_TILE_SHAPES; shape++)
        if (best[shape]) {
            write_layout(t, best[shape], text, sizeof text);
            printf("%s.best %s\n%s.best_us %.1f\n%s.best_gups %.3f\n", shape_names[shape], text,
                   shape_names[shape], best[shape]->seconds * 1e6, shape_names[shape],
                   gups(t, best[shape]->seconds));
        }
    for (int kind = 0; kind < ZOID_TILE_MODELS && overall; kind++)
        print_model(t, kind, overall, error);
    fflush(stdout);
    free(error);
    return ZOID_OK;
}

/* ---- cases ---------------------------------------------------------------------------------- */

static enum zoid_status measure(struct tiles *t)
{
    enum zoid_status status = zoid_tile_study_open(&t->problem, t->device == ZOID_BENCH_GPU,
                                                   t->bench->settings.seed, &t->study);

    if (!status)
        status = zoid_tile_study_check(&t->study, CHECKED, &t->checked);
    if (!status)
        status = zoid_tile_study_fit(&t->study, &t->fits, &t->sizes);
    if (!status && !t->fits)
        status = zoid_fail(ZOID_RESOURCE, "no tile size could be measured on this device");
    if (!status)
        print_fits(t);
    if (!status)
        status = choose(t);
    if (!status)
        status = check_chosen(t);
    if (!status)
        status = zoid_tile_study_fill(&t->study);
    if (!status)
        status = time_random(t);
    if (!status)
        status = time_chosen(t);
    return status ? status : print_results(t);
}

static enum zoid_status one_case(struct tiles *t, const struct zoid_op *op,
                                 struct zoid_bench_files *files)
{
    const long *sizes = default_size[t->device][op->dims - 1];
    struct zoid_bench bench = *t->bench;
    enum zoid_status status;

    if (!bench.settings.has_size) {
        bench.settings.size.axes = op->dims;
        for (int a = 0; a < op->dims; a++)
            bench.settings.size.n[a] = sizes[0];
        bench.settings.has_size = true;
    }
    status = zoid_bench_variant(&bench, op, 0, sizes[1], &t->problem);
    if (status)
        return status;
    for (int a = 0; a < op->dims; a++)
        if (t->problem.n[a] < 3 || t->problem.steps < 1)
            return zoid_fail(ZOID_BAD_ARGUMENT, "a measurement wants at least one step, and three "
                                                "points along each axis");
    printf("operator %s\ndevice %s\nsize %ldx%ldx%ld\nsteps %ld\n", op->name,
           device_names[t->device], t->problem.n[0], t->problem.n[1], t->problem.n[2],
           t->problem.steps);
    t->n = t->skipped = t->checked = t->fits = t->sizes = 0;
    t->timed = calloc((size_t)(t->bench->draw ? t->bench->draw : DRAWN) + ZOID_TILE_MODELS,
                      sizeof *t->timed);
    status = t->timed ? measure(t) : zoid_no_memory();
    for (long i = 0; i < t->n && !status; i++)
        status = zoid_bench_files_add(files, row_of(t, &t->timed[i]));
    zoid_tile_study_close(&t->study);
    free(t->timed);
    t->timed = NULL;
    return status;
}

static bool wanted(const struct zoid_bench *b, const struct zoid_op *op)
{
    return !strcmp(op->family, "sor") && (b->settings.has_type || op->type == ZOID_F32);
}

static enum zoid_status all_cases(struct tiles *t, const struct zoid_machine *machine,
                                  struct zoid_bench_files *files)
{
    enum zoid_status status = ZOID_OK;
    long devices = 0;

    for (int d = 0; d < ZOID_BENCH_DEVICES && !status; d++) {
        const struct zoid_op *op;

        t->device = (enum zoid_bench_device)d;
        if ((t->bench->device != ZOID_BENCH_DEVICES && t->bench->device != t->device) ||
            (d == ZOID_BENCH_GPU ? machine->cuda_workers : machine->cpu_workers) < 1)
            continue;
        devices++;
        for (size_t i = 0; !status && (op = zoid_bench_next(t->bench, &i));)
            if (wanted(t->bench, op))
                status = one_case(t, op, files);
    }
    if (!status && !devices)
        return zoid_fail(ZOID_RESOURCE, "there is no such device at work here; give another "
                                        "{device}, or look at STARPU_NCPU and STARPU_NCUDA");
    return status;
}

static enum zoid_status refuse(const struct zoid_bench *b)
{
    const struct zoid_op *op;
    bool any = false;

    if (b->settings.has_boundary)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "tiles know nothing beyond the domain's faces; drop {boundary}");
    if (zoid_bench_cuts(b))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{what=tiles} has no blocks of a method; drop {method}, {block}, {depth}, "
                         "{leaf}, {traversal} and {overlap}");
    if (b->settings.ram || b->settings.gpu_mem)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{what=tiles} keeps its values whole; drop {ram} and {gpu_mem}");
    for (size_t i = 0; (op = zoid_bench_next(b, &i));)
        any |= wanted(b, op);
    if (!any && !b->settings.operator)
        return zoid_bench_none(b);
    return any ? ZOID_OK
               : zoid_fail(ZOID_BAD_ARGUMENT, "{what=tiles} is for {operator=sor}, f32 or f64");
}

enum zoid_status zoid_bench_tiles(const struct zoid_bench *b)
{
    struct tiles *t = calloc(1, sizeof *t);
    struct zoid_bench_files *files = NULL;
    struct zoid_machine machine;
    enum zoid_status status = t ? refuse(b) : zoid_no_memory();

    if (!status)
        status = zoid_bench_files_open(b, &files);
    if (!status)
        status = zoid_bench_machine(&machine);
    if (!status) {
        t->bench = b;
        status = all_cases(t, &machine, files);
    }
    if (!status)
        status = zoid_bench_files_commit(&files, &machine);
    zoid_bench_files_discard(&files);
    free(t);
    return status;
}
