/* SPDX-License-Identifier: BSD-3-Clause */
/* Loop nests on cores, by ways that alternate: the loop as gcc compiles it, on one core; in tiles
 * of minimal and of balanced rows, with and without copies, with tiles of the default and the
 * fastest of some; and as Zoid runs the nest's function, a step at a time and by its own plan. Each
 * way is a program, whose arrays are compared with the plain loop's before it is timed. */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/bench/bench.h"
#include "apps/bench/nests.h"
#include "codelets/threads/parallel.h"
#include "runtime/error.h"
#include "runtime/session/problem.h"

enum { TILES = 4, ROWS = 4, PLAIN = 0, PLUTO = 1 + ROWS * TILES, LINES, STEP, ZOID, WAYS };

/* How far tiles go along their rows, by the axes of the nest; the first one is the default. */
static const char *const tiles[ZOID_AXES][TILES] = {
    {"32", "128", "512", "2048"}, {"32", "8", "16", "64"}, {"32", "8", "16", "8,8,16,64"}};
static const struct {
    const char *rows, *label;
    bool copies;
} rows[ROWS] = {{"minimal", "minimal", false},
                {"balanced", "balanced", false},
                {"minimal", "minimal, copies", true},
                {"balanced", "balanced, copies", true}};
/* PLUTO's own choice, and without diamonds. */
static const struct {
    const char *option, *label, *name;
} plutos[] = {{NULL, "pluto", "pluto"},
              {"--nodiamond-tile", "pluto, no diamonds", "pluto-nodiamond"}};
/* Points along each axis, and steps, of the benchmarks of Di's thesis (2013), by axes. */
static const long usual[ZOID_AXES][2] = {{65536, 65536}, {4096, 1000}, {256, 256}};

struct way {
    struct zoid_nest_tiles tiles;
    struct zoid_nest_run run;
    bool timed, best;
    double once; /* seconds of the run that was compared */
    double *seconds;
};

struct loops {
    const struct zoid_bench *bench;
    struct zoid_tools tools;
    struct zoid_nest_file nest;
    struct zoid_bench_files *files;
    struct way way[WAYS];
    double *seconds; /* of all ways and rounds */
    long n[ZOID_AXES], steps;
    bool any;
};

static void progress(const struct loops *l, const char *what, long i, long n)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s: %s, %ld of %ld", l->nest.name, what, i, n);
}

static void end_progress(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

/* ---- programs ---------------------------------------------------------------------------- */

static enum zoid_status build_tiles(struct loops *l, int row)
{
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < TILES && !status; i++) {
        struct way *w = &l->way[1 + row * TILES + i];

        progress(l, "building", 1 + row * TILES + i, ROWS * TILES);
        w->tiles = (struct zoid_nest_tiles){
            .rows = rows[row].rows, .tile = tiles[l->nest.axes - 1][i], .copies = rows[row].copies};
        snprintf(w->tiles.way, sizeof w->tiles.way, "%d-%d", row, i);
        status = zoid_nest_tiled(&l->nest, row % 2 ? w[-TILES].tiles.way : NULL, &w->tiles);
        w->timed = w->tiles.made;
        w->run.program = w->tiles.way;
        if (!status && !w->timed)
            break;
    }
    return status;
}

static enum zoid_status build_pluto(struct loops *l, int way)
{
    struct way *w = &l->way[way];
    enum zoid_status status;

    w->tiles = (struct zoid_nest_tiles){.rows = plutos[way - PLUTO].option};
    snprintf(w->tiles.way, sizeof w->tiles.way, "%s", plutos[way - PLUTO].name);
    w->run.program = w->tiles.way;
    status = zoid_nest_pluto(&l->nest, l->bench->pluto, &w->tiles);
    w->timed = w->tiles.made;
    return status;
}

static enum zoid_status build_all(struct loops *l)
{
    enum zoid_status status = zoid_nest_module(&l->nest);

    for (int i = 0; i < WAYS; i++)
        l->way[i] = (struct way){.seconds = l->seconds + i * l->bench->rounds};
    if (!status)
        status = zoid_nest_plain(&l->nest);
    if (!status)
        status = zoid_nest_zoid(&l->nest);
    for (int row = 0; row < ROWS && !status; row++)
        status = build_tiles(l, row);
    for (int i = PLUTO; i <= LINES && l->bench->pluto && !status; i++)
        status = build_pluto(l, i);
    l->way[PLAIN].run.program = "plain";
    l->way[STEP].run = (struct zoid_nest_run){.program = "zoid", .settings = "depth=1"};
    l->way[ZOID].run = (struct zoid_nest_run){.program = "zoid"};
    l->way[PLAIN].timed = l->way[STEP].timed = l->way[ZOID].timed = true;
    return status;
}

/* ---- rounds ------------------------------------------------------------------------------ */

static const char *label_of(int way)
{
    if (way == PLAIN)
        return "plain";
    if (way >= STEP)
        return way == STEP ? "zoid, step by step" : "zoid";
    return way >= PLUTO ? plutos[way - PLUTO].label : rows[(way - 1) / TILES].label;
}

/* The same in files, where a column says which have copies; values have no commas. */
static const char *name_of(int way)
{
    if (way == STEP)
        return "step";
    if (way >= PLUTO && way < STEP)
        return plutos[way - PLUTO].name;
    return way > PLAIN && way < PLUTO ? rows[(way - 1) / TILES].rows : label_of(way);
}

static enum zoid_status run(struct loops *l, int way, const char *mode, double *seconds)
{
    struct zoid_nest_run *r = &l->way[way].run;
    bool same = true;
    enum zoid_status status;

    r->mode = mode;
    r->n = l->n;
    r->steps = l->steps;
    status = zoid_nest_run(&l->nest, r, seconds, &same);
    if (status || same)
        return status;
    return zoid_fail(ZOID_CHECK_FAILED,
                     "%s: the plain loop and %s (tiles of %s) leave other values", l->nest.name,
                     label_of(way), l->way[way].tiles.tile ? l->way[way].tiles.tile : "its own");
}

/* Runs all programs once, and leaves of each kind of tiles the default and the fastest. */
static enum zoid_status compare(struct loops *l)
{
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < WAYS && !status; i++) {
        progress(l, "comparing", i + 1, WAYS);
        if (l->way[i].timed)
            status = run(l, i, i == PLAIN ? "write" : "check", &l->way[i].once);
    }
    for (int row = 0; row < ROWS && !status; row++) {
        struct way *w = &l->way[1 + row * TILES], *best = w;

        for (int i = 1; i < TILES; i++)
            if (w[i].timed && w[i].once < best->once)
                best = &w[i];
        best->best = w->timed;
        for (int i = 1; i < TILES; i++)
            w[i].timed = &w[i] == best;
    }
    return status;
}

static enum zoid_status time_all(struct loops *l)
{
    enum zoid_status status = ZOID_OK;

    for (long r = 0; r < l->bench->rounds && !status; r++) {
        progress(l, "round", r + 1, l->bench->rounds);
        for (int i = 0; i < WAYS && !status; i++)
            if (l->way[i].timed)
                status = run(l, i, "time", &l->way[i].seconds[r]);
    }
    return status;
}

/* ---- results ----------------------------------------------------------------------------- */

static void print_head(void)
{
    printf("%-12s %-16s %6s  %-18s %-10s %4s %9s %7s %8s\n", "nest", "size", "steps", "way", "tile",
           "best", "GUP/s", "spread", "speed-up");
}

static json_t *row_of(const struct loops *l, int i, const char *tile)
{
    const struct way *w = &l->way[i];
    json_int_t n[ZOID_AXES] = {1, 1, 1};

    for (int a = 0; a < l->nest.axes; a++)
        n[a] = l->n[l->nest.axes - 1 - a];
    return json_pack("{s:s, s:s, s:i, s:I, s:I, s:I, s:I, s:s, s:i, s:s, s:i}", "nest",
                     l->nest.name, "type", l->nest.type, "dims", l->nest.axes, "nx", n[0], "ny",
                     n[1], "nz", n[2], "steps", (json_int_t)l->steps, "way", name_of(i), "copies",
                     w->tiles.copies, "tile", tile, "best", w->best);
}

static enum zoid_status add_row(struct loops *l, int i, double points, double plain)
{
    struct way *w = &l->way[i];
    const long rounds = l->bench->rounds;
    const double median = zoid_sample_median(w->seconds, rounds);
    const double spread = zoid_sample_spread(w->seconds, rounds);
    char tile[32], size[64] = "";
    json_t *row;

    snprintf(tile, sizeof tile, "%s", w->tiles.tile ? w->tiles.tile : "-");
    for (char *c = tile; *c; c++)
        *c = *c == ',' ? 'x' : *c;
    for (int a = l->nest.axes - 1, at = 0; a >= 0; a--)
        at += snprintf(size + at, sizeof size - (size_t)at, "%s%ld", at ? "x" : "", l->n[a]);
    printf("%-12s %-16s %6ld  %-18s %-10s %4s %9.3f %7.3f %8.2f\n", l->nest.name, size, l->steps,
           label_of(i), tile, w->best ? "yes" : "", points / median * 1e-9, spread, plain / median);
    row = row_of(l, i, tile);
    if (!row)
        return zoid_no_memory();
    zoid_bench_put(row, "seconds", median);
    zoid_bench_put(row, "gups", points / median * 1e-9);
    zoid_bench_put(row, "spread", spread);
    zoid_bench_put(row, "over_plain", plain / median);
    return zoid_bench_files_add(l->files, row);
}

static enum zoid_status finish(struct loops *l)
{
    const double plain = zoid_sample_median(l->way[PLAIN].seconds, l->bench->rounds);
    double points = (double)l->steps;
    enum zoid_status status = ZOID_OK;

    for (int a = 0; a < l->nest.axes; a++)
        points *= (double)l->n[a];
    if (!l->any)
        print_head();
    for (int i = 0; i < WAYS && !status; i++)
        if (l->way[i].timed)
            status = add_row(l, i, points, plain);
        else if (l->way[i].tiles.same)
            printf("%-12s %24s %-18s has the minimal rows\n", l->nest.name, "", label_of(i));
        else if (l->way[i].tiles.said[0])
            printf("%-12s %24s %-18s %s\n", l->nest.name, "", label_of(i), l->way[i].tiles.said);
    fflush(stdout);
    return status;
}

/* ---- nests ------------------------------------------------------------------------------- */

static long scaled(const struct loops *l, long n)
{
    const double scale = l->bench->scale * (double)n;

    return scale < 1 ? 1 : scale < (double)INT_MAX ? lround(scale) : INT_MAX;
}

/* Sets extents and steps: those of the options, or else the usual ones. Refuses those beyond int,
 * which parameters of nests are. */
static enum zoid_status set_size(struct loops *l)
{
    const struct zoid_settings *o = &l->bench->settings;
    const int axes = l->nest.axes;

    for (int a = 0; a < axes; a++) {
        l->n[a] = o->has_size ? o->size.n[o->size.axes == 1 ? 0 : axes - 1 - a]
                              : scaled(l, usual[axes - 1][0]);
        for (int b = 0; b < a; b++) /* a parameter for several axes */
            if (!strcmp(l->nest.extent[a], l->nest.extent[b]))
                l->n[a] = l->n[b];
    }
    l->steps = o->has_steps ? o->steps : scaled(l, usual[axes - 1][1]);
    for (int a = 0; a < axes; a++)
        if (l->n[a] > INT_MAX)
            return zoid_fail(ZOID_BAD_ARGUMENT, "{size} has an extent of %ld; give at most %d",
                             l->n[a], INT_MAX);
    if (l->steps > INT_MAX)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{steps=%ld} go beyond int; give at most %d", l->steps,
                         INT_MAX);
    return ZOID_OK;
}

static enum zoid_status one_nest(struct loops *l, const char *path)
{
    const long dims = zoid_problem_dims(&l->bench->settings);
    enum zoid_status status = zoid_nest_open(&l->tools, path, &l->nest);

    if (status || (dims && dims != l->nest.axes))
        return status;
    status = set_size(l);
    if (!status)
        status = build_all(l);
    if (!status)
        status = compare(l);
    if (!status)
        status = time_all(l);
    end_progress();
    if (!status)
        status = finish(l);
    l->any |= !status;
    return status;
}

/* Goes through the files of a folder by their names. */
static enum zoid_status all_nests(struct loops *l, const char *folder)
{
    struct dirent **entry = NULL;
    const int n = scandir(folder, &entry, NULL, alphasort);
    char path[PATH_MAX];
    enum zoid_status status = ZOID_OK;
    bool any = false;

    for (int i = 0; i < n; i++) {
        const char *dot = strrchr(entry[i]->d_name, '.');

        zoid_path(path, "%s/%s", folder, entry[i]->d_name);
        if (!status && dot && !strcmp(dot, ".c") && zoid_nests_has(path)) {
            any = true;
            status = one_nest(l, path);
        }
        free(entry[i]);
    }
    free(entry);
    if (!status && !any)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has no .c file with #pragma scop; name a file or a folder by {nests}",
                         folder);
    if (!status && !l->any)
        return zoid_fail(ZOID_BAD_ARGUMENT, "no nest of %s has as many axes as {size} or {dims}",
                         folder);
    return status;
}

static enum zoid_status measure(struct loops *l)
{
    const char *where = l->bench->nests ? l->bench->nests : l->tools.share;
    struct stat about;

    if (stat(where, &about) || S_ISDIR(about.st_mode))
        return all_nests(l, where);
    return one_nest(l, where);
}

/* Sets one number of OpenMP's threads and StarPU's workers, unless the user names both. */
static void share_cores(int all)
{
    const char *starpu = getenv("STARPU_NCPU"), *omp = getenv("OMP_NUM_THREADS");
    const long named = starpu ? atol(starpu) : omp ? atol(omp) : 0;
    char n[24];

    snprintf(n, sizeof n, "%ld", named > 0 ? named : zoid_min(all, zoid_cores()));
    setenv("STARPU_NCPU", n, 0);
    setenv("OMP_NUM_THREADS", n, 0);
}

/* Refuses options of runs that programs of nests do not take. */
static enum zoid_status refuse(const struct zoid_settings *o)
{
    static const char *const taken[] = {"size", "steps", "dims"};

    for (const struct zoid_setting *row = zoid_settings_table; row->key; row++) {
        bool takes = !zoid_setting_has(row, o);

        for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
            takes |= !strcmp(row->key, taken[i]);
        if (!takes)
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "{%s} means nothing to {what=loops}, whose nests run as "
                             "ZOID_SETTINGS says; drop it",
                             row->key);
    }
    if (o->nparams)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{%s} means nothing to {what=loops}, whose nests have 0.1 for each "
                         "parameter; drop it",
                         o->param[0].name);
    if (o->has_steps && o->steps < 1)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a measurement wants at least one step");
    return ZOID_OK;
}

enum zoid_status zoid_bench_loops(const struct zoid_bench *b)
{
    struct loops l = {.bench = b};
    struct zoid_machine machine;
    enum zoid_status status = refuse(&b->settings);

    if (!status)
        status = zoid_machine_probe(&machine);
    if (!status && !(l.seconds = calloc((size_t)(WAYS * b->rounds), sizeof *l.seconds)))
        status = zoid_no_memory();
    /* On cores alone. */
    setenv("STARPU_NCUDA", "0", 1);
    if (!status)
        share_cores(machine.cores);
    if (!status)
        status = zoid_bench_files_open(b, &l.files);
    if (!status)
        status = zoid_tools_open(&l.tools);
    if (!status)
        status = measure(&l);
    if (!status)
        status = zoid_bench_files_commit(&l.files, &machine);
    zoid_bench_files_discard(&l.files);
    zoid_tools_close(&l.tools);
    free(l.seconds);
    return status;
}
