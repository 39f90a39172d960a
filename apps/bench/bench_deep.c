/* SPDX-License-Identifier: BSD-3-Clause */
/* Temporal blocking under its published names, on domains from what the fastest memory holds to many
 * times that: Endo's three cases (tiers) and Jin's sweep over domains. The fastest memory is a GPU's, or
 * without one main memory; what it has no room for is in main memory, or on a disk. Variants take turns
 * within a domain. Each starts with the state at home and ends with all of it there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/bench/bench.h"

enum { STEPS = 64, MOST_DOMAINS = 8, MOST_VARIANTS = 16 };

/* What is used of the fastest memory where nothing says how much, and how wide planes then are. Simple
 * kernels are slow on cores. */
static const struct {
    uint64_t bytes;
    long square, line; /* of a plane's points: x and y of a square, x alone */
} usual[] = {{64ull << 20, 256, 16384}, {2ull << 30, 512, 65536}};
/* What a limit leaves for StarPU and scratch, beside a domain that somebody names. */
static const uint64_t BESIDE = 4ull << 20;

struct domain {
    char name[32];
    long planes;
    uint64_t gpu_mem, ram; /* limits; 0: none */
    bool disk;             /* wanted */
};

struct variant {
    char name[40];
    const char *method;
    long depth; /* 0: as the options say */
    uint64_t leaf;
    enum zoid_overlap overlap;
    bool fits;
    struct zoid_plan plan;
    double *seconds, *moved; /* a round */
};

struct deep {
    const struct zoid_bench *bench;
    struct zoid_problem problem;
    struct zoid_machine machine;
    bool gpu;
    uint64_t plane; /* bytes of all fields */
    uint64_t fast,
        slow; /* what may be used of the fastest memory, and beside a GPU of main memory */
    struct domain domain[MOST_DOMAINS];
    int domains;
    struct variant variant[MOST_VARIANTS];
    int variants;
    struct zoid_bench_files *files;
    long rows;
};

/* ---- what is compared -------------------------------------------------------------------- */

static void add_domain(struct deep *d, const char *name, double bytes)
{
    struct domain *domain = &d->domain[d->domains++];
    double planes = floor(bytes / (double)d->plane);

    *domain = (struct domain){.planes = planes < 1 ? 1 : (long)planes};
    snprintf(domain->name, sizeof domain->name, "%s", name);
    if (bytes < (double)d->fast)
        domain->gpu_mem = d->gpu ? d->machine.gpu_mem : 0;
    else
        *(d->gpu ? &domain->gpu_mem : &domain->ram) = d->fast;
    domain->disk = domain->ram > 0;
}

static struct variant *add_variant(struct deep *d, const char *method)
{
    struct variant *v = &d->variant[d->variants++];

    *v = (struct variant){.method = method};
    snprintf(v->name, sizeof v->name, "%s", method);
    return v;
}

/* In the fastest memory, in the next one, and, beside a GPU, on a disk. */
static void endo(struct deep *d)
{
    static const long depths[] = {4, 16, 64};
    double core = d->bench->options.axes
                      ? (double)d->problem.n[d->problem.op->dims - 1] * (double)d->plane
                      : (double)d->fast / 2;

    add_domain(d, "in core", core);
    add_domain(d, "4 x the limit", 4 * (double)d->fast);
    if (d->gpu) {
        add_domain(d, "beyond RAM", 2 * (double)d->slow);
        d->domain[d->domains - 1].ram = d->slow;
        d->domain[d->domains - 1].disk = true;
    }
    add_variant(d, "base");
    for (int i = 0; i < 3 && (i == 0 || depths[i] <= d->problem.steps); i++) {
        struct variant *v = add_variant(d, "single");

        v->depth = depths[i];
        snprintf(v->name, sizeof v->name, "single k=%ld", v->depth);
    }
    for (int parts = 4; parts <= 256; parts *= 8) {
        struct variant *v = add_variant(d, "recursive");

        v->leaf = d->fast / (uint64_t)parts;
        v->overlap = ZOID_OVERLAP_OFF;
        snprintf(v->name, sizeof v->name, "recursive leaf=1/%d", parts);
    }
    snprintf(add_variant(d, "recursive")->name, sizeof d->variant->name, "recursive overlap");
    snprintf(add_variant(d, "auto")->name, sizeof d->variant->name, "auto overlap");
}

static void jin(struct deep *d)
{
    static const double times[] = {0.5, 1, 2, 4, 8};
    char name[32];

    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "%g x the limit", times[i]);
        add_domain(d, name, times[i] * (double)d->fast);
    }
    for (const struct zoid_alias *a = zoid_aliases; a->name; a++)
        if (!strncmp(a->name, "1D-", 3))
            add_variant(d, a->name);
}

/* ---- one variant ------------------------------------------------------------------------- */

/* A step is a step where only one is made a visit: few do. */
static long steps_of(const struct deep *d, const struct variant *v)
{
    const struct zoid_alias *a = zoid_alias_find(v->method);
    long few = d->problem.steps / 8;

    return !a || !a->depth ? d->problem.steps : few < 1 ? 1 : few;
}

/* The planner takes slabs that are too low for a depth, where that is faster, and the depth is clamped.
 * Here it is the depth that is compared, so slabs are higher where there is room. */
static void deepen(struct zoid_context *context, const struct zoid_problem *problem,
                   struct zoid_request *request, struct zoid_plan *plan)
{
    struct zoid_plan next;

    while (plan->graph.block < problem->n[problem->op->dims - 1]) {
        if (plan->graph.depth >= request->depth || plan->graph.depth >= problem->steps)
            return;
        request->block = 2 * plan->graph.block;
        if (zoid_plan_make(context, problem, request, &next))
            return;
        *plan = next;
    }
}

static enum zoid_status plan_variant(const struct deep *d, const struct domain *domain,
                                     struct zoid_context *context, struct variant *v)
{
    const struct zoid_alias *a = zoid_alias_find(v->method);
    struct zoid_request request = zoid_options_request(&d->bench->options);
    struct zoid_problem problem = d->problem;
    enum zoid_status status;

    problem.n[problem.op->dims - 1] = domain->planes;
    problem.steps = steps_of(d, v);
    request.method = v->method;
    request.depth = v->depth ? v->depth : a && a->depth ? 0 : request.depth;
    request.leaf = v->leaf;
    request.overlap = v->overlap;
    request.ram = domain->ram;
    status = zoid_plan_make(context, &problem, &request, &v->plan);
    if (!status && v->depth && !request.block)
        deepen(context, &problem, &request, &v->plan);
    return status;
}

/* In the memory of a GPU the second run counts: the first one allocates there. */
static enum zoid_status run_variant(const struct deep *d, struct zoid_context *context,
                                    struct variant *v, long round)
{
    struct zoid_report report = {.op = d->problem.op};
    struct zoid_job *job = NULL;
    enum zoid_status status = zoid_job_create(context, &v->plan, &job);

    if (!status)
        status = zoid_bench_fill(job, &v->plan.problem);
    if (!status)
        status = zoid_job_run(job, false, &report);
    if (!status && v->plan.keep[ZOID_SLAB][ZOID_GPU_MEMORY] == ZOID_KEEP_ALL)
        status = zoid_bench_again(job, &report);
    zoid_job_destroy(&job);
    v->seconds[round] = report.seconds;
    v->moved[round] = report.h2d + report.d2h + report.disk_read + report.disk_write;
    return status;
}

/* ---- rows -------------------------------------------------------------------------------- */

static void print_head(void)
{
    printf("%-14s %20s  %-20s %-10s %6s %6s %6s %10s %8s %10s\n", "domain", "size", "variant",
           "method", "block", "depth", "steps", "GUP/s", "spread", "B a point");
}

static void print_name(const struct domain *domain, const struct zoid_problem *p,
                       const struct variant *v)
{
    char size[64];

    snprintf(size, sizeof size, "%ldx%ldx%ld", p->n[0], p->n[1], p->n[2]);
    printf("%-14s %20s  %-20s ", domain->name, size, v->name);
}

/* Bytes a point and step: what crossed the links and went from and to the disk. */
static enum zoid_status put_row(struct deep *d, const struct domain *domain, struct variant *v)
{
    const struct zoid_graph *g = &v->plan.graph;
    const struct zoid_problem *p = &v->plan.problem;
    long rounds = d->bench->rounds;
    double points = zoid_bench_points(p), spread = zoid_bench_spread(v->seconds, rounds);
    double gups = points / zoid_bench_median(v->seconds, rounds) * 1e-9;
    double moved = zoid_bench_median(v->moved, rounds) / points;
    json_t *row = zoid_bench_row(p);

    print_name(domain, p, v);
    printf("%-10s %6ld %6ld %6ld %10.3f %8.3f %10.3g\n", g->method->name, g->block, g->depth,
           p->steps, gups, spread, moved);
    fflush(stdout);
    d->rows++;
    if (row) {
        json_object_set_new(row, "domain", json_string(domain->name));
        json_object_set_new(row, "variant", json_string(v->name));
        zoid_bench_put(row, "limit_bytes", (double)d->fast);
        json_object_set_new(row, "method", json_string(g->method->name));
        json_object_set_new(row, "traversal",
                            json_string(zoid_traversal_name(v->plan.place[0].traversal)));
        json_object_set_new(row, "overlap", json_string(v->plan.serial ? "off" : "on"));
        json_object_set_new(row, "device",
                            json_string(v->plan.place[0].kind == ZOID_GPUS ? "gpu" : "cpu"));
        json_object_set_new(row, "block", json_integer(g->block));
        json_object_set_new(row, "depth", json_integer(g->depth));
        json_object_set_new(row, "leaf", json_integer(g->leaf));
        json_object_set_new(row, "lanes", json_integer(g->lanes));
        json_object_set_new(row, "steps", json_integer(p->steps));
        zoid_bench_put(row, "gups", gups);
        zoid_bench_put(row, "spread", spread);
        zoid_bench_put(row, "moved_bytes_a_point", moved);
    }
    return zoid_bench_files_add(d->files, row);
}

/* ---- a domain ---------------------------------------------------------------------------- */

static void say(const struct deep *d, const struct domain *domain, const char *what, long round)
{
    fprintf(stderr, "zoid-bench: %s: %s, round %ld of %ld\n", domain->name, what, round + 1,
            d->bench->rounds);
}

/* Those that have no room are left out, with a line that says why. */
static enum zoid_status plan_all(struct deep *d, const struct domain *domain,
                                 struct zoid_context *context)
{
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < d->variants && !status; i++) {
        struct variant *v = &d->variant[i];

        status = plan_variant(d, domain, context, v);
        v->fits = !status;
        if (status != ZOID_DOES_NOT_FIT && status != ZOID_RESOURCE)
            continue;
        print_name(domain, &d->problem, v);
        printf("%s\n", zoid_error());
        status = ZOID_OK;
    }
    return status;
}

static enum zoid_status run_all(struct deep *d, const struct domain *domain,
                                struct zoid_context *context)
{
    enum zoid_status status = plan_all(d, domain, context);

    for (long r = 0; r < d->bench->rounds; r++)
        for (int i = 0; i < d->variants && !status; i++) {
            if (!d->variant[i].fits)
                continue;
            say(d, domain, d->variant[i].name, r);
            status = run_variant(d, context, &d->variant[i], r);
        }
    for (int i = 0; i < d->variants && !status; i++)
        if (d->variant[i].fits)
            status = put_row(d, domain, &d->variant[i]);
    return status;
}

static enum zoid_status one_domain(struct deep *d, const struct domain *domain)
{
    const struct zoid_context_options wanted = {
        .gpu_mem = domain->gpu_mem, .disk = domain->disk ? d->bench->options.disk : NULL};
    struct zoid_context *context = NULL;
    enum zoid_status status;

    d->problem.n[d->problem.op->dims - 1] = domain->planes;
    if (domain->disk && !d->bench->options.disk) {
        printf("%-14s is left out: it wants a disk; name a folder with --disk\n", domain->name);
        return ZOID_OK;
    }
    status = zoid_context_open(&wanted, &context);
    if (!status)
        status = run_all(d, domain, context);
    zoid_context_close(&context);
    return status;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static enum zoid_status refuse(const struct zoid_bench *b)
{
    const struct zoid_options *o = &b->options;

    if (strcmp(o->method, "auto") || o->traversal_named || o->overlap || o->leaf)
        return zoid_fail(ZOID_BAD_ARGUMENT, "tiers and domains have methods of their own; drop "
                                            "--method, --traversal, --overlap and --leaf");
    return o->steps == 0 ? zoid_fail(ZOID_BAD_ARGUMENT, "a measurement wants at least one step")
                         : ZOID_OK;
}

/* Which machine this is without any limits, and with it what the fastest memory is. */
static enum zoid_status look(struct deep *d)
{
    struct zoid_context *context = NULL;
    enum zoid_status status = zoid_context_open(NULL, &context);

    if (!status)
        d->machine = *zoid_context_machine(context);
    zoid_context_close(&context);
    d->gpu = d->machine.cuda_workers > 0 && d->problem.op->cuda;
    if (!status && d->bench->options.gpu_mem && !d->gpu)
        status = zoid_fail(ZOID_RESOURCE,
                           "--gpu-mem asks for a GPU, and none is at work for %s "
                           "here; drop it to measure CPU cores",
                           d->problem.op->name);
    return status;
}

static void set_sizes(struct deep *d)
{
    const struct zoid_options *o = &d->bench->options;
    int chain = d->problem.op->dims - 1;
    uint64_t fast = usual[d->gpu].bytes, given = d->gpu ? o->gpu_mem : o->ram;
    struct zoid_layout layout;

    for (int a = 0; a < chain && !o->axes; a++)
        d->problem.n[a] = chain == 2 ? usual[d->gpu].square : usual[d->gpu].line;
    d->problem.steps = o->steps < 0 ? STEPS : o->steps;
    layout = zoid_layout_make(d->problem.op, d->problem.n, 0);
    d->plane =
        zoid_layout_plane_bytes(&layout) * (uint64_t)(d->problem.op->nstate + d->problem.op->ncoef);
    if (o->axes)
        fast = 2 * d->plane * (uint64_t)d->problem.n[chain] + BESIDE;
    d->fast = given ? given : fast;
    d->slow = d->gpu && o->ram ? o->ram : 6 * d->fast;
}

static enum zoid_status measure(const struct zoid_bench *b, void (*choose)(struct deep *))
{
    double *room = malloc(2 * MOST_VARIANTS * (size_t)b->rounds * sizeof *room);
    struct deep *d = calloc(1, sizeof *d);
    enum zoid_status status = room && d ? refuse(b) : zoid_fail(ZOID_RESOURCE, "out of memory");

    if (!status) {
        d->bench = b;
        status = zoid_bench_problem(b, &d->problem);
    }
    if (!status)
        status = zoid_bench_files_open(b, &d->files);
    if (!status)
        status = look(d);
    if (!status) {
        set_sizes(d);
        choose(d);
        print_head();
    }
    for (int i = 0; !status && i < d->variants; i++) {
        d->variant[i].seconds = room + 2 * i * b->rounds;
        d->variant[i].moved = d->variant[i].seconds + b->rounds;
    }
    for (int i = 0; !status && i < d->domains; i++)
        status = one_domain(d, &d->domain[i]);
    if (!status && !d->rows)
        status = zoid_fail(ZOID_DOES_NOT_FIT, "nothing had room; raise the limits");
    if (!status)
        status = zoid_bench_files_commit(&d->files, &d->machine);
    if (d)
        zoid_bench_files_discard(&d->files);
    free(d);
    free(room);
    return status;
}

enum zoid_status zoid_bench_tiers(const struct zoid_bench *bench)
{
    return measure(bench, endo);
}

enum zoid_status zoid_bench_domains(const struct zoid_bench *bench)
{
    return measure(bench, jin);
}
