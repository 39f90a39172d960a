/* SPDX-License-Identifier: BSD-3-Clause */
/* The domain is a single block: zoid_run_block finds out where each time lies. The devices here run
 * one sweep after the other, on a GPU's stream, or on all cores together: each core takes a share
 * of every sweep, with a barrier after it. */
#include "runtime/measure/field.h"

#include <pthread.h>
#include <starpu.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "codelets/cpu/run.h"
#include "codelets/cuda/lanes.h"
#include "codelets/cuda/run.h"
#include "codelets/op/traits.h"
#include "runtime/boundary.h"
#include "runtime/error.h"
#include "runtime/measure/team.h"
#include "runtime/memory/fill.h"

/* Least bytes of a buffer, so that no cache holds a copy. */
static const size_t GPU_COPY = 1 << 30;
enum { HUGE_PAGE = 2 << 20, PATTERN = 1 << 20 };

enum memory { BEFORE, AFTER, COEFFICIENTS, SCRATCH, MEMORIES };

struct zoid_field {
    const struct zoid_machine *machine;
    struct zoid_problem problem;
    struct zoid_shape shape;
    struct zoid_layout layout;
    size_t plane, field; /* bytes */
    long planes, depth, times;
    size_t bytes[MEMORIES];
    char *memory[MEMORIES];
    /* Padded planes of every field that are copied to all planes. */
    char *pattern;
    long pattern_planes;
    bool gpu, fused;
    enum zoid_traversal traversal; /* for zoid_field_sweep */
    unsigned worker, node;         /* of the GPU */
    void *stream;                  /* on a GPU */
    int members, error;            /* cores; first error of CUDA */
    pthread_barrier_t step;
    double seconds;
};

static int all_fields(const struct zoid_field *f)
{
    return f->problem.op->nstate + f->problem.op->ncoef;
}

/* ---- the block --------------------------------------------------------------------------- */

enum { PARTS = 3 };

static struct zoid_block_args run_of(const struct zoid_field *f, struct zoid_part part[PARTS])
{
    const long t1 = f->depth * f->problem.op->step;
    const struct zoid_view all = {.hi = f->planes};
    const struct zoid zoid = zoid_domain(&f->shape, 0, t1);

    part[0] = (struct zoid_part){
        .reads = true, .in = all, .base = f->memory[BEFORE], .capacity = f->planes};
    part[1] = (struct zoid_part){
        .writes = true, .out = all, .base = f->memory[AFTER], .capacity = f->planes};
    part[1].out.t0 = part[1].out.t1 = t1;
    part[2] = (struct zoid_part){.reads = true,
                                 .coefficient = true,
                                 .in = all,
                                 .base = f->memory[COEFFICIENTS],
                                 .capacity = f->planes};
    part[2].in.t1 = t1;
    return (struct zoid_block_args){.traversal = f->fused ? ZOID_TRAVERSAL_BEST : f->traversal,
                                    .op = f->problem.op,
                                    .params = &f->problem.params,
                                    .shape = &f->shape,
                                    .layout = &f->layout,
                                    .zoid = zoid,
                                    .region = zoid,
                                    .nparts = f->problem.op->ncoef ? 3 : 2,
                                    .part = part,
                                    .scratch = f->memory[SCRATCH]};
}

/* ---- on cores ---------------------------------------------------------------------------- */

/* A core that takes part in all sweeps of a block. */
struct member {
    struct zoid_field *field;
    int index;
    enum zoid_isa isa;
};

static long share(long n, int member, int members)
{
    return n / members * member + (member < n % members ? member : n % members);
}

static int share_sweep(void *self, const struct zoid_sweep *sweep, size_t nout,
                       const struct zoid_segment *out)
{
    struct member *m = self;
    const struct zoid_field *f = m->field;
    long lo = share(f->planes, m->index, f->members);
    long hi = share(f->planes, m->index + 1, f->members);
    struct zoid_segment mine[nout];
    size_t n = 0;

    for (size_t i = 0; i < nout; i++) {
        struct zoid_segment p = out[i];
        long from = p.lo > lo ? p.lo : lo;

        p.hi = p.hi < hi ? p.hi : hi;
        p.base = (char *)p.base + (size_t)(from - p.lo) * f->plane;
        p.lo = from;
        if (p.lo < p.hi)
            mine[n++] = p;
    }
    zoid_cpu.sweep(&m->isa, sweep, n, mine);
    pthread_barrier_wait(&m->field->step);
    return 0;
}

static int share_copy(void *self, const struct zoid_copy *copy)
{
    struct member *m = self;
    size_t lo = (size_t)share((long)copy->bytes, m->index, m->field->members);
    size_t hi = (size_t)share((long)copy->bytes, m->index + 1, m->field->members);

    for (long i = 0; i < copy->planes; i++)
        for (long row = 0; row < copy->rows; row++)
            memcpy((char *)copy->to + (size_t)i * copy->to_plane + (size_t)row * copy->to_row + lo,
                   (const char *)copy->from + (size_t)i * copy->from_plane +
                       (size_t)row * copy->from_row + lo,
                   hi - lo);
    pthread_barrier_wait(&m->field->step);
    return 0;
}

static void core_blocks(void *arg, int index)
{
    static const struct zoid_device together = {.sweep = share_sweep, .copy = share_copy};
    struct zoid_field *f = arg;
    struct member m = {.field = f,
                       .index = index,
                       .isa =
                           f->traversal == ZOID_TRAVERSAL_NAIVE ? ZOID_PORTABLE : f->machine->isa};
    struct zoid_part part[PARTS];
    struct zoid_block_args run = run_of(f, part);

    for (long i = 0; i < f->times; i++)
        zoid_run_block(&run, &together, &m);
}

static void core_copy(void *arg, int index)
{
    struct zoid_field *f = arg;
    size_t lines = f->bytes[BEFORE] / ZOID_LINE;
    size_t lo = (size_t)share((long)lines, index, f->members) * ZOID_LINE;
    size_t hi = (size_t)share((long)lines, index + 1, f->members) * ZOID_LINE;

    for (long i = 0; i < f->times; i++)
        zoid_stream_copy(f->memory[AFTER] + lo, f->memory[BEFORE] + lo, hi - lo);
}

/* ---- filling, on any device --------------------------------------------------------------- */

static char *where(const struct zoid_field *f, int field, long z)
{
    int nstate = f->problem.op->nstate;
    char *base = f->memory[field < nstate ? BEFORE : COEFFICIENTS];

    return base + (size_t)(field < nstate ? field : field - nstate) * f->field +
           (size_t)z * f->plane;
}

static void core_fill(void *arg, int index)
{
    struct zoid_field *f = arg;
    long lo = share(f->planes, index, f->members), hi = share(f->planes, index + 1, f->members), n;

    for (int i = 0; i < all_fields(f); i++)
        for (long z = lo; z < hi; z += n) {
            n = hi - z < f->pattern_planes ? hi - z : f->pattern_planes;
            memcpy(where(f, i, z), f->pattern + (size_t)(i * f->pattern_planes) * f->plane,
                   (size_t)n * f->plane);
        }
}

/* Copies the pattern to the GPU once per field, and then within the GPU. */
static void gpu_fill(void *arg)
{
    struct zoid_field *f = arg;
    long n;

    f->error = zoid_cuda_stream_create(&f->stream);
    for (int i = 0; i < all_fields(f); i++)
        for (long z = 0; z < f->planes && !f->error; z += n) {
            const char *from = f->pattern + (size_t)(i * f->pattern_planes) * f->plane;

            n = f->planes - z < f->pattern_planes ? f->planes - z : f->pattern_planes;
            f->error = zoid_cuda_copy(where(f, i, z), z ? where(f, i, 0) : from,
                                      (size_t)n * f->plane, f->stream);
        }
    if (!f->error)
        f->error = zoid_cuda_stream_wait(f->stream);
}

/* ---- on a GPU: on the thread of StarPU's worker, which has selected the device ------------ */

static void gpu_blocks(void *arg)
{
    struct zoid_field *f = arg;
    struct zoid_part part[PARTS];
    struct zoid_block_args run = run_of(f, part);
    double start = starpu_timing_now();

    for (long i = 0; i < f->times && !f->error; i++)
        f->error = zoid_cuda_run(&run, f->planes, f->stream);
    if (!f->error)
        f->error = zoid_cuda_stream_wait(f->stream);
    f->seconds = (starpu_timing_now() - start) * 1e-6;
}

static void gpu_copy(void *arg)
{
    struct zoid_field *f = arg;
    double start = starpu_timing_now();

    for (long i = 0; i < f->times && !f->error; i++)
        f->error = zoid_cuda_copy(f->memory[AFTER], f->memory[BEFORE], f->bytes[BEFORE], f->stream);
    if (!f->error)
        f->error = zoid_cuda_stream_wait(f->stream);
    f->seconds = (starpu_timing_now() - start) * 1e-6;
}

static void gpu_end(void *arg)
{
    zoid_cuda_stream_destroy(&((struct zoid_field *)arg)->stream);
}

/* ---- both -------------------------------------------------------------------------------- */

static enum zoid_status on_device(struct zoid_field *f, zoid_team_fn *core, void (*gpu)(void *),
                                  double *seconds)
{
    if (!f->gpu)
        return zoid_team_run(f->members, core, f, seconds);
    starpu_execute_on_specific_workers(gpu, f, 1, &f->worker, "kernels");
    *seconds = f->seconds;
    return f->error ? zoid_fail(ZOID_RESOURCE, "CUDA: %s", zoid_cuda_error(f->error)) : ZOID_OK;
}

enum zoid_status zoid_field_copy(struct zoid_field *f, long times, double *bytes, double *seconds)
{
    f->times = times;
    *bytes = 2 * (double)f->bytes[BEFORE] * (double)times;
    return on_device(f, core_copy, gpu_copy, seconds);
}

enum zoid_status zoid_field_sweep(struct zoid_field *f, long times, double *seconds)
{
    f->times = times;
    f->fused = false;
    return on_device(f, core_blocks, gpu_blocks, seconds);
}

enum zoid_status zoid_field_fuse(struct zoid_field *f, long times, double *seconds)
{
    f->times = times;
    f->fused = true;
    return on_device(f, core_blocks, gpu_blocks, seconds);
}

/* ---- life -------------------------------------------------------------------------------- */

static size_t least_copy(const struct zoid_field *f)
{
    size_t cache = 0;

    for (int i = 0; i < ZOID_MAX_CACHES; i++)
        cache = f->machine->cache[i] > cache ? f->machine->cache[i] : cache;
    return f->gpu ? GPU_COPY : cache;
}

static size_t pages(unsigned __int128 bytes)
{
    return ((size_t)bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

/* Counts the bytes of each memory; returns false if a field is too large (2^52 bytes). */
static bool measure(struct zoid_field *f)
{
    const struct zoid_op *op = f->problem.op;
    const unsigned __int128 field = (unsigned __int128)f->plane * (size_t)f->planes;
    const unsigned __int128 state = field * (size_t)op->nstate;

    if (field >> 52)
        return false;
    f->field = (size_t)field;
    f->bytes[BEFORE] = f->bytes[AFTER] = pages(state > least_copy(f) ? state : least_copy(f));
    f->bytes[COEFFICIENTS] = pages(field * (size_t)op->ncoef);
    f->bytes[SCRATCH] = f->depth * op->step > 1 ? pages(2 * state) : 0;
    if (f->gpu && zoid_op_in_order(op))
        f->bytes[SCRATCH] = pages(
            (unsigned __int128)f->plane *
            (size_t)zoid_warp_scratch(op, &f->shape, &f->layout, f->planes, f->depth * op->step));
    return true;
}

uint64_t zoid_field_bytes(const struct zoid_field *f)
{
    uint64_t bytes = 0;

    for (int m = 0; m < MEMORIES; m++)
        bytes += f->bytes[m];
    return bytes;
}

static enum zoid_status fits(const struct zoid_field *f, uint64_t budget)
{
    uint64_t least = (zoid_field_bytes(f) + (1 << 20) - 1) >> 20;

    if (least <= budget >> 20)
        return ZOID_OK;
    return zoid_fail(ZOID_DOES_NOT_FIT,
                     "needs at least %llu MiB of %s for its fields, and %llu MiB may be used; use "
                     "{%s=%lluM} or a smaller {size}",
                     (unsigned long long)least, f->gpu ? "the GPU's memory" : "main memory",
                     (unsigned long long)(budget >> 20), f->gpu ? "gpu_mem" : "ram",
                     (unsigned long long)least);
}

static enum zoid_status allocate(struct zoid_field *f)
{
    for (int m = 0; m < MEMORIES; m++) {
        if (!f->bytes[m])
            continue;
        f->memory[m] = f->gpu ? (char *)starpu_malloc_on_node(f->node, f->bytes[m])
                              : aligned_alloc(HUGE_PAGE, f->bytes[m]);
        if (!f->memory[m])
            return zoid_fail(ZOID_RESOURCE, "no room for fields of %zu bytes", f->bytes[m]);
        if (!f->gpu)
            madvise(f->memory[m], f->bytes[m], MADV_HUGEPAGE);
    }
    f->pattern_planes = PATTERN / (long)f->plane < 1 ? 1 : PATTERN / (long)f->plane;
    if (f->pattern_planes > f->planes)
        f->pattern_planes = f->planes;
    f->pattern = calloc((size_t)(f->pattern_planes * all_fields(f)), f->plane);
    return f->pattern ? ZOID_OK : zoid_no_memory();
}

/* Random values, so that memory works as for any state. */
static enum zoid_status fill(struct zoid_field *f)
{
    struct zoid_initial initial = {.problem = &f->problem};
    const struct zoid_box box = zoid_problem_planes(&f->problem, 0, f->pattern_planes);
    double unused;

    for (int i = 0; i < all_fields(f); i++) {
        const struct zoid_values to = zoid_values_stored(
            &f->layout, &box, f->pattern + (size_t)(i * f->pattern_planes) * f->plane);

        zoid_initial_box(&initial, i, &box, &to);
    }
    return on_device(f, core_fill, gpu_fill, &unused);
}

static enum zoid_status set_up(struct zoid_field *f, const struct zoid_field_request *request)
{
    const struct zoid_op *op = f->problem.op;

    if (f->gpu) {
        f->worker = (unsigned)starpu_worker_get_by_type(STARPU_CUDA_WORKER, 0);
        f->node = starpu_worker_get_memory_node(f->worker);
    }
    f->shape = zoid_problem_shape(&f->problem);
    f->layout = zoid_layout_make(op, f->problem.n, zoid_layout_ghost(&f->shape));
    f->plane = zoid_layout_plane_bytes(&f->layout);
    f->planes = f->problem.n[op->dims - 1];
    if (!measure(f))
        return zoid_fail(ZOID_BAD_ARGUMENT, "a measurement wants fields below 2^52 bytes");
    return fits(f, request->budget);
}

enum zoid_status zoid_field_open(const struct zoid_field_request *request,
                                 struct zoid_field **field)
{
    struct zoid_field *f = calloc(1, sizeof *f);
    int cores = request->machine->cpu_workers;
    enum zoid_status status;

    if (!f || pthread_barrier_init(&f->step, NULL, cores > 0 ? (unsigned)cores : 1)) {
        free(f);
        return zoid_no_memory();
    }
    f->machine = request->machine;
    f->problem = *request->problem;
    f->gpu = request->gpu;
    f->traversal = request->traversal;
    f->depth = request->depth;
    f->members = cores;
    status = set_up(f, request);
    if (!status)
        status = allocate(f);
    if (!status)
        status = fill(f);
    if (status)
        zoid_field_close(&f);
    else
        *field = f;
    return status;
}

void zoid_field_close(struct zoid_field **field)
{
    struct zoid_field *f = *field;

    *field = NULL;
    if (!f)
        return;
    if (f->stream)
        starpu_execute_on_specific_workers(gpu_end, f, 1, &f->worker, "kernels");
    for (int m = 0; m < MEMORIES; m++)
        if (f->gpu && f->memory[m])
            starpu_free_on_node(f->node, (uintptr_t)f->memory[m], f->bytes[m]);
        else
            free(f->memory[m]);
    free(f->pattern);
    pthread_barrier_destroy(&f->step);
    free(f);
}
