/* SPDX-License-Identifier: BSD-3-Clause */
/* An operator's one-step sweep over a whole field, again and again, against copying: a step cannot
 * be faster than the operator's least traffic at the bandwidth of a copy. Rounds of both take turns,
 * between the same two buffers, on a GPU where there is one, else on all cores. */
#include "apps/bench.h"

#include <pthread.h>
#include <starpu.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "apps/team.h"
#include "codelets/cuda/run.h"
#include "codelets/run.h"

/* The least that a copy moves from one buffer to the other, so that no cache holds both. */
static const size_t GPU_COPY = 1 << 30;
enum { HUGE_PAGE = 2 << 20 };

struct kernel {
    const struct zoid_machine *machine;
    struct zoid_problem problem;
    struct zoid_shape shape;
    struct zoid_layout layout;
    size_t plane, field, bytes; /* bytes of a plane and of a field; of a buffer */
    char *buffer[2];
    void *pattern; /* one padded plane, which all planes are copies of */
    bool on_gpu;
    unsigned worker, node; /* the GPU's */
    int members;           /* cores */
    pthread_barrier_t step;
    void *stream; /* while a GPU works */
    double seconds;
    int error;
};

static long planes(const struct kernel *k)
{
    return k->problem.n[k->problem.op->dims - 1];
}

static int fields(const struct kernel *k)
{
    return k->problem.op->nstate + k->problem.op->ncoef;
}

static struct zoid_piece piece(const struct kernel *k, long t, long lo, long hi)
{
    return (struct zoid_piece){.lo = lo,
                               .hi = hi,
                               .base = k->buffer[t % 2] + (size_t)lo * k->plane,
                               .field = k->field / zoid_type_size(k->problem.op->type)};
}

/* Time t of planes [lo, hi), all that is before it in one piece. */
static struct zoid_sweep sweep_of(const struct kernel *k, long t, const struct zoid_piece *before,
                                  const struct zoid_piece *after)
{
    struct zoid_sweep sweep = {.op = k->problem.op,
                               .params = &k->problem.params,
                               .shape = &k->shape,
                               .layout = &k->layout,
                               .t = t,
                               .fields = (1u << k->problem.op->nstate) - 1,
                               .in = {{1, before}},
                               .out = *after};

    for (int a = 0; a < ZOID_AXES; a++)
        sweep.box.hi[a] = k->problem.n[a];
    sweep.box.lo[zoid_chain(&k->shape)] = after->lo;
    sweep.box.hi[zoid_chain(&k->shape)] = after->hi;
    return sweep;
}

static long times(const struct kernel *k)
{
    return k->problem.steps * k->problem.op->nstages;
}

/* ---- on cores ---------------------------------------------------------------------------- */

static long part(long n, int member, int members)
{
    return n / members * member + (member < n % members ? member : n % members);
}

static void core_fill(void *arg, int member)
{
    struct kernel *k = arg;
    long lo = part(planes(k), member, k->members), hi = part(planes(k), member + 1, k->members);

    for (int b = 0; b < 2; b++)
        for (int f = 0; f < fields(k); f++)
            for (long z = lo; z < hi; z++)
                memcpy(k->buffer[b] + (size_t)f * k->field + (size_t)z * k->plane, k->pattern,
                       k->plane);
}

static void core_copy(void *arg, int member)
{
    struct kernel *k = arg;
    size_t lines = k->bytes / ZOID_LINE;
    size_t lo = (size_t)part((long)lines, member, k->members) * ZOID_LINE;
    size_t hi = (size_t)part((long)lines, member + 1, k->members) * ZOID_LINE;

    for (long s = 0; s < k->problem.steps; s++)
        memcpy(k->buffer[(s + 1) % 2] + lo, k->buffer[s % 2] + lo, hi - lo);
}

static void core_sweep(void *arg, int member)
{
    struct kernel *k = arg;
    long lo = part(planes(k), member, k->members), hi = part(planes(k), member + 1, k->members);

    for (long t = 1; t <= times(k); t++) {
        struct zoid_piece before = piece(k, t - 1, 0, planes(k)), after = piece(k, t, lo, hi);
        struct zoid_sweep sweep = sweep_of(k, t, &before, &after);

        if (lo < hi)
            k->problem.op->cpu[k->machine->isa](&sweep);
        pthread_barrier_wait(&k->step);
    }
}

/* ---- on a GPU: on the thread of StarPU's worker, which has chosen it ---------------------- */

static void gpu_fill(void *arg)
{
    struct kernel *k = arg;

    k->error = zoid_cuda_stream_create(&k->stream);
    for (int b = 0; b < 2; b++)
        for (int f = 0; f < fields(k); f++)
            for (long z = 0; z < planes(k) && !k->error; z++)
                k->error =
                    zoid_cuda_copy(k->buffer[b] + (size_t)f * k->field + (size_t)z * k->plane,
                                   k->pattern, k->plane, k->stream);
    if (!k->error)
        k->error = zoid_cuda_stream_wait(k->stream);
}

static void gpu_end(void *arg)
{
    zoid_cuda_stream_destroy(&((struct kernel *)arg)->stream);
}

static void gpu_copy(void *arg)
{
    struct kernel *k = arg;
    double start = starpu_timing_now();

    for (long s = 0; s < k->problem.steps && !k->error; s++)
        k->error = zoid_cuda_copy(k->buffer[(s + 1) % 2], k->buffer[s % 2], k->bytes, k->stream);
    if (!k->error)
        k->error = zoid_cuda_stream_wait(k->stream);
    k->seconds = (starpu_timing_now() - start) * 1e-6;
}

static void gpu_sweep(void *arg)
{
    struct kernel *k = arg;
    double start = starpu_timing_now();

    for (long t = 1; t <= times(k) && !k->error; t++) {
        struct zoid_piece before = piece(k, t - 1, 0, planes(k)), after = piece(k, t, 0, planes(k));
        struct zoid_sweep sweep = sweep_of(k, t, &before, &after);

        k->error = k->problem.op->cuda(&(struct zoid_cuda_sweep){
            .sweep = &sweep, .nout = 1, .out = &after, .stream = k->stream});
    }
    if (!k->error)
        k->error = zoid_cuda_stream_wait(k->stream);
    k->seconds = (starpu_timing_now() - start) * 1e-6;
}

/* ---- both -------------------------------------------------------------------------------- */

static enum zoid_status on_device(struct kernel *k, zoid_team_fn *core, void (*gpu)(void *),
                                  double *seconds)
{
    if (!k->on_gpu)
        return zoid_team_run(k->members, core, k, seconds);
    starpu_execute_on_specific_workers(gpu, k, 1, &k->worker, "kernels");
    *seconds = k->seconds;
    return k->error ? zoid_fail(ZOID_RESOURCE, "CUDA: %s", zoid_cuda_error(k->error)) : ZOID_OK;
}

static size_t least_copy(const struct kernel *k)
{
    size_t cache = 0;

    for (int i = 0; i < ZOID_MAX_CACHES; i++)
        cache = k->machine->cache[i] > cache ? k->machine->cache[i] : cache;
    return k->on_gpu ? GPU_COPY : cache;
}

static enum zoid_status fits(const struct kernel *k, const struct zoid_bench *b)
{
    uint64_t budget = k->on_gpu ? k->machine->gpu_mem : k->machine->ram_available;
    uint64_t least = (2 * k->bytes + (1 << 20) - 1) >> 20;

    if (!k->on_gpu && b->options.ram && b->options.ram < budget)
        budget = b->options.ram;
    if (least <= budget >> 20)
        return ZOID_OK;
    return zoid_fail(ZOID_DOES_NOT_FIT,
                     "needs at least %llu MiB of %s for two fields, and %llu MiB may be used; use "
                     "%s %lluM or a smaller --size",
                     (unsigned long long)least, k->on_gpu ? "the GPU's memory" : "main memory",
                     (unsigned long long)(budget >> 20), k->on_gpu ? "--gpu-mem" : "--ram",
                     (unsigned long long)least);
}

static enum zoid_status set_up(struct kernel *k, const struct zoid_context *context,
                               const struct zoid_bench *b)
{
    unsigned __int128 bytes;
    enum zoid_status status = zoid_bench_problem(b, &k->problem);

    if (status)
        return status;
    k->machine = zoid_context_machine(context);
    k->on_gpu = k->machine->cuda_workers > 0 && k->problem.op->cuda;
    k->members = k->machine->cpu_workers;
    if (k->on_gpu) {
        k->worker = (unsigned)starpu_worker_get_by_type(STARPU_CUDA_WORKER, 0);
        k->node = starpu_worker_get_memory_node(k->worker);
    }
    k->shape = zoid_op_shape(k->problem.op, k->problem.n);
    k->layout = zoid_layout_make(k->problem.op, k->problem.n, 0);
    k->plane = zoid_layout_plane_bytes(&k->layout);
    bytes = (unsigned __int128)k->plane * (size_t)planes(k) * (size_t)fields(k);
    if (k->problem.steps < 1 || bytes >> 56)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a measurement wants at least one step of a field "
                                            "below 2^56 bytes");
    k->field = k->plane * (size_t)planes(k);
    k->bytes = (size_t)bytes > least_copy(k) ? (size_t)bytes : least_copy(k);
    k->bytes = (k->bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    return fits(k, b);
}

static enum zoid_status allocate(struct kernel *k)
{
    for (int b = 0; b < 2; b++) {
        k->buffer[b] = k->on_gpu ? (char *)starpu_malloc_on_node(k->node, k->bytes)
                                 : aligned_alloc(HUGE_PAGE, k->bytes);
        if (!k->buffer[b])
            return zoid_fail(ZOID_RESOURCE, "no room for two fields of %zu bytes", k->bytes);
        if (!k->on_gpu)
            madvise(k->buffer[b], k->bytes, MADV_HUGEPAGE);
    }
    k->pattern = calloc(1, k->plane);
    return k->pattern ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "out of memory");
}

/* Random values, so that a memory has to work as it does for any state. */
static enum zoid_status fill(struct kernel *k)
{
    const struct zoid_op *op = k->problem.op;
    struct zoid_initial initial = {.problem = &k->problem};
    long width = op->dims > 1 ? k->problem.n[0] : 1, rows = op->dims > 2 ? k->problem.n[1] : 1;
    size_t size = zoid_type_size(op->type), row = (size_t)width * size;
    char *bare = malloc((size_t)rows * row);
    double unused;

    if (!bare)
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    zoid_initial_plane(&initial, 0, 0, bare);
    for (long y = 0; y < rows; y++)
        memcpy((char *)k->pattern + (size_t)zoid_layout_at(&k->layout, 0, y) * size,
               bare + (size_t)y * row, row);
    free(bare);
    return on_device(k, core_fill, gpu_fill, &unused);
}

/* The first round warms up and is not counted. */
static enum zoid_status measure(struct kernel *k, long rounds, double *copy, double *sweep)
{
    enum zoid_status status = fill(k);

    for (long r = -1; r < rounds && !status; r++) {
        status = on_device(k, core_copy, gpu_copy, &copy[r < 0 ? 0 : r]);
        if (!status)
            status = on_device(k, core_sweep, gpu_sweep, &sweep[r < 0 ? 0 : r]);
    }
    return status;
}

static void print(const struct kernel *k, long rounds, double *copy, double *sweep)
{
    const struct zoid_problem *p = &k->problem;
    double moved = 2 * (double)k->bytes * (double)p->steps;
    double bandwidth = moved / zoid_bench_median(copy, rounds);
    double limit = bandwidth / p->op->bytes;
    double rate = zoid_bench_points(p) / zoid_bench_median(sweep, rounds);

    printf("operator %s\nsize %ldx%ldx%ld\nsteps %ld\nworkers %d %s\nrounds %ld\n", p->op->name,
           p->n[0], p->n[1], p->n[2], p->steps, k->on_gpu ? 1 : k->members,
           k->on_gpu ? "cuda" : "cpu", rounds);
    printf("copy.bytes %zu\ncopy.gbps %.3f\nlimit.gups %.3f\nkernel.gups %.3f\nspread %.4f\n",
           k->bytes, bandwidth * 1e-9, limit * 1e-9, rate * 1e-9, zoid_bench_spread(sweep, rounds));
    printf("kernel_over_limit %.4f\n", rate / limit);
}

static void tear_down(struct kernel *k)
{
    if (k->stream)
        starpu_execute_on_specific_workers(gpu_end, k, 1, &k->worker, "kernels");
    for (int b = 0; b < 2; b++)
        if (k->on_gpu && k->buffer[b])
            starpu_free_on_node(k->node, (uintptr_t)k->buffer[b], k->bytes);
        else
            free(k->buffer[b]);
    free(k->pattern);
}

enum zoid_status zoid_bench_kernels(const struct zoid_bench *b)
{
    double copy[b->rounds], sweep[b->rounds];
    struct zoid_context *context = NULL;
    struct kernel k = {.error = 0};
    enum zoid_status status =
        zoid_context_open(&(struct zoid_context_options){.gpu_mem = b->options.gpu_mem}, &context);

    if (!status)
        status = set_up(&k, context, b);
    if (!status)
        status = allocate(&k);
    if (!status && pthread_barrier_init(&k.step, NULL, k.members > 0 ? (unsigned)k.members : 1))
        status = zoid_fail(ZOID_RESOURCE, "out of memory");
    if (!status) {
        status = measure(&k, b->rounds, copy, sweep);
        pthread_barrier_destroy(&k.step);
    }
    if (!status)
        print(&k, b->rounds, copy, sweep);
    tear_down(&k);
    zoid_context_close(&context);
    return status;
}
