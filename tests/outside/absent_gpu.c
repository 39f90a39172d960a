/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into a program: emulates a GPU, or ABSENT_GPUS of them. Their memory cannot be read or
 * written, copies take as long as over a link, and kernels compute nothing but take a short time,
 * with ABSENT_SEED multiplied by a random factor of 0.6 to 2. Compiled with Zoid's headers, it also
 * makes blocks take ABSENT_RATE nanoseconds per point and time; default 0. ABSENT_NAME sets the
 * GPU's name; links are ABSENT_BOTH times as slow while both directions are busy. So the results of
 * a run are wrong, but its data movement, its timing and its end are those of a run on a GPU. CUDA
 * functions missing here are not called by StarPU or Zoid.
 *
 * Compiled with HOST_GPU it is a part of libzoid-host (host_gpu.h): the GPUs have memory, copies
 * are made, cores compute the blocks, and all of it is complete when the call returns. */
#define _GNU_SOURCE /* for MAP_NORESERVE and RTLD_NEXT */
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#ifdef HOST_GPU
#include "tests/outside/host_gpu.h"
#elif __has_include("codelets/cuda/run.h")
#include "codelets/cuda/run.h"
#define KNOWS_BLOCKS 1
#endif

/* Seconds per byte on the link, and on the GPU; and overheads of a copy and of a kernel. */
#ifdef HOST_GPU
static const double LINK = 0, NEAR = 0, COPY = 0, KERNEL = 0;
static const char NAME[] = "host GPU";
static const size_t MEMORY = (size_t)2 << 30;
#else
static const double LINK = 1 / 54e9, NEAR = 1 / 2e12, COPY = 5e-6, KERNEL = 60e-6;
static const char NAME[] = "absent GPU";
static const size_t MEMORY = (size_t)140 << 30;
#endif
enum { PROCESSORS = 132, SHARED = 227 << 10 };

/* ---- time: a stream is busy until all of its work is done ---------------------------------- */

struct stream {
    double until, busy; /* busy: total busy time */
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct stream first;
static double link_until[2]; /* up, down */
static _Thread_local int current;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double later(double a, double b)
{
    return a > b ? a : b;
}

/* Handles of the default streams are small integers. */
static struct stream *stream_of(cudaStream_t stream)
{
    return (size_t)stream > 2 ? (struct stream *)stream : &first;
}

static double until(cudaStream_t stream)
{
    double until;

    pthread_mutex_lock(&mutex);
    until = stream_of(stream)->until;
    pthread_mutex_unlock(&mutex);
    return until;
}

/* Slowdown of a copy that starts at `from` while the other direction is busy. */
static double both(const double *link, double from)
{
    const char *wanted = getenv("ABSENT_BOTH");

    return link && wanted && link_until[link == link_until] > from ? atof(wanted) : 1;
}

static void work(cudaStream_t stream, double *link, double seconds)
{
    struct stream *s = stream_of(stream);
    double from;

    pthread_mutex_lock(&mutex);
    from = later(later(s->until, link ? *link : 0), now());
    seconds *= both(link, from);
    s->until = from + seconds;
    s->busy += seconds;
    if (link)
        *link = s->until;
    pthread_mutex_unlock(&mutex);
}

static cudaError_t query(double until)
{
    return now() < until ? cudaErrorNotReady : cudaSuccess;
}

static cudaError_t wait_for(double until)
{
    while (query(until)) {
        struct timespec a_moment = {.tv_nsec = 20000};

        nanosleep(&a_moment, NULL);
    }
    return cudaSuccess;
}

/* ---- memory: of host_memory.c, or addresses without memory behind them ---------------------- */

#ifdef HOST_GPU
static cudaError_t take(void **at, size_t bytes)
{
    return host_memory_take(current, bytes, at) ? cudaSuccess : cudaErrorMemoryAllocation;
}

static cudaError_t drop(void *at)
{
    return !at || host_memory_give(at) ? cudaSuccess : cudaErrorInvalidValue;
}

static bool is_there(const void *at)
{
    return host_memory_owner(at) >= 0;
}

static int device_of(const void *at)
{
    return host_memory_owner(at);
}

/* HOST_LOSES=N: every Nth copy is not made, which a test has to see. */
static bool is_lost(void)
{
    static _Atomic unsigned copies;
    const char *wanted = getenv("HOST_LOSES");

    return wanted && ++copies % (unsigned)atoi(wanted) == 0;
}

static void move(char *to, size_t pitch, const char *from, size_t other, size_t width,
                 size_t height)
{
    for (size_t row = 0; row < height && !is_lost(); row++)
        memcpy(to + row * pitch, from + row * other, width);
}

static void fill(void *at, int value, size_t bytes)
{
    memset(at, value, bytes);
}

void host_gpu_worked(void *stream, double seconds)
{
    pthread_mutex_lock(&mutex);
    stream_of(stream)->busy += seconds;
    pthread_mutex_unlock(&mutex);
}
#else
static const size_t SPAN = (size_t)1 << 44, PAGE = 2 << 20;
static char *memory;
static size_t taken;

static cudaError_t take(void **at, size_t bytes)
{
    pthread_mutex_lock(&mutex);
    if (!memory)
        memory = mmap(NULL, SPAN, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    *at = memory + taken;
    taken += (bytes + PAGE - 1) / PAGE * PAGE;
    pthread_mutex_unlock(&mutex);
    return cudaSuccess;
}

static cudaError_t drop(void *at)
{
    return cudaSuccess;
}

static bool is_there(const void *at)
{
    return memory && (const char *)at >= memory && (const char *)at < memory + SPAN;
}

static int device_of(const void *at)
{
    return 0;
}

static void move(char *to, size_t pitch, const char *from, size_t other, size_t width,
                 size_t height)
{
}

static void fill(void *at, int value, size_t bytes)
{
}
#endif

static cudaError_t copy(void *to, size_t pitch, const void *from, size_t other, size_t width,
                        size_t height, cudaStream_t stream)
{
    const size_t bytes = width * height;

    move(to, pitch, from, other, width, height);
    if (is_there(to) && is_there(from))
        work(stream, NULL, COPY + (double)bytes * NEAR);
    else
        work(stream, &link_until[is_there(from)], COPY + (double)bytes * LINK);
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **at, size_t bytes)
{
    return take(at, bytes);
}

cudaError_t cudaMallocAsync(void **at, size_t bytes, cudaStream_t stream)
{
    return take(at, bytes);
}

cudaError_t cudaFree(void *at)
{
    return drop(at);
}

cudaError_t cudaFreeAsync(void *at, cudaStream_t stream)
{
    return drop(at);
}

cudaError_t cudaMemset(void *at, int value, size_t bytes)
{
    fill(at, value, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes, cudaStream_t stream)
{
    return cudaMemset(at, value, bytes);
}

cudaError_t cudaHostAlloc(void **at, size_t bytes, unsigned flags)
{
    *at = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    return *at ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaFreeHost(void *at)
{
    free(at);
    return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void **at, void *host, unsigned flags)
{
    *at = host;
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *at)
{
    *attributes = (struct cudaPointerAttributes){.type = cudaMemoryTypeHost};
    if (is_there(at))
        *attributes =
            (struct cudaPointerAttributes){.type = cudaMemoryTypeDevice, .device = device_of(at)};
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return copy(to, bytes, from, bytes, bytes, 1, stream);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    copy(to, bytes, from, bytes, bytes, 1, NULL);
    return wait_for(until(NULL));
}

cudaError_t cudaMemcpyPeerAsync(void *to, int device, const void *from, int peer, size_t bytes,
                                cudaStream_t stream)
{
    return copy(to, bytes, from, bytes, bytes, 1, stream);
}

cudaError_t cudaMemcpyPeer(void *to, int device, const void *from, int peer, size_t bytes)
{
    return cudaMemcpy(to, from, bytes, cudaMemcpyDefault);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t pitch, const void *from, size_t other, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy(to, pitch, from, other, width, height, stream);
}

cudaError_t cudaMemcpy2D(void *to, size_t pitch, const void *from, size_t other, size_t width,
                         size_t height, enum cudaMemcpyKind kind)
{
    copy(to, pitch, from, other, width, height, NULL);
    return wait_for(until(NULL));
}

/* ---- streams, events, kernels -------------------------------------------------------------- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    *stream = calloc(1, sizeof(struct stream));
    return *stream ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    free(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return query(until(stream));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return wait_for(until(stream));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    return cudaStreamCreateWithFlags((cudaStream_t *)event, flags);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    return cudaStreamDestroy((cudaStream_t)event);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    pthread_mutex_lock(&mutex);
    *(struct stream *)event = *stream_of(stream);
    pthread_mutex_unlock(&mutex);
    return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return cudaStreamQuery((cudaStream_t)event);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return cudaStreamSynchronize((cudaStream_t)event);
}

/* Busy time only: without the time that a stream waited for this machine's cores, which may be
 * oversubscribed. */
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t begin, cudaEvent_t end)
{
    *ms = (float)(1e3 * (((struct stream *)end)->busy - ((struct stream *)begin)->busy));
    return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function)
{
    *kernel = (cudaKernel_t)function;
    return cudaSuccess;
}

/* Random slowdown. */
static double chance(void)
{
    static _Atomic unsigned drawn;
    const char *seed = getenv("ABSENT_SEED");
    unsigned v;

    if (!seed)
        return 1;
    v = (++drawn + 977 * (unsigned)atoi(seed)) * 2654435761u;
    return 0.6 + 1.4 * (double)(v >> 16) / 65536;
}

/* Seconds of a kernel. */
static double duration(void)
{
    return KERNEL * chance();
}

#ifdef KNOWS_BLOCKS
/* Seconds per point and time on top of that. */
static double rate(void)
{
    const char *wanted = getenv("ABSENT_RATE");

    return wanted ? 1e-9 * atof(wanted) : 0;
}

/* Interposes Zoid's function. Launches of a single step take twice as long per step as fused
 * ones. */
int zoid_cuda_run(const struct zoid_block_args *run, long block, void *stream)
{
    int (*own)(const struct zoid_block_args *, long, void *) = dlsym(RTLD_NEXT, "zoid_cuda_run");
    const double times = run->traversal == ZOID_TRAVERSAL_STEP ? 2 : 1;
    double points = 0;

    for (long t = run->zoid.t0 + 1; t <= run->zoid.t1; t++) {
        const struct zoid_box box = zoid_clipped_at(&run->zoid, &run->region, t);

        points += zoid_box_empty(&box) ? 0 : (double)zoid_box_volume(&box);
    }
    work(stream, NULL, points * rate() * times * chance());
    return own(run, block, stream);
}
#endif

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream)
{
    work(stream, NULL, duration());
    return cudaSuccess;
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                        void **arguments, size_t shared, cudaStream_t stream)
{
    work(stream, NULL, duration());
    return cudaSuccess;
}

/* The stream of the next launch. */
static _Thread_local cudaStream_t launched_on;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream)
{
    launched_on = stream;
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    *(cudaStream_t *)stream = launched_on;
    return cudaSuccess;
}

void **__cudaRegisterFatBinary(void *binary)
{
    static void *handle;

    return &handle;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
}

void __cudaUnregisterFatBinary(void **handle)
{
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int threads, void *thread, void *block, void *blocks, void *grid,
                            int *warp)
{
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external,
                       size_t bytes, int constant, int global)
{
}

/* ---- properties ------------------------------------------------------------------------------ */

cudaError_t cudaGetDeviceCount(int *devices)
{
    const char *wanted = getenv("ABSENT_GPUS");

    *devices = wanted ? atoi(wanted) : 1;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *bus, int room, int device)
{
    snprintf(bus, (size_t)room, "0000:%02x:00.0", device + 1);
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = current;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    current = device;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    switch (attribute) {
    case cudaDevAttrComputeMode:
    case cudaDevAttrComputeCapabilityMinor:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrPageableMemoryAccess:
        *value = 0;
        break;
    case cudaDevAttrComputeCapabilityMajor:
        *value = 9;
        break;
    case cudaDevAttrMultiProcessorCount:
        *value = PROCESSORS;
        break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *value = SHARED;
        break;
    default:
        *value = 1;
    }
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    const char *name = getenv("ABSENT_NAME");

    *properties = (struct cudaDeviceProp){.totalGlobalMem = MEMORY,
                                          .major = 9,
                                          .multiProcessorCount = PROCESSORS,
                                          .sharedMemPerBlockOptin = SHARED,
                                          .asyncEngineCount = 3,
                                          .concurrentKernels = 1};
    snprintf(properties->name, sizeof properties->name, "%s", name ? name : NAME);
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *unused, size_t *all)
{
    *unused = *all = MEMORY;
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    *can = device != peer;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    *pool = (cudaMemPool_t)&first;
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function)
{
    *attributes = (struct cudaFuncAttributes){.maxThreadsPerBlock = 1024, .numRegs = 64};
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                   const void *function,
                                                                   int threads, size_t shared,
                                                                   unsigned flags)
{
    *blocks = 2;
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                          int threads, size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared,
                                                                  0);
}

/* A variable on the GPU is its shadow on the host. */
cudaError_t cudaGetSymbolAddress(void **at, const void *symbol)
{
    *at = (void *)symbol;
    return cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t error)
{
    return error ? "an error of a GPU that is not there" : "no error";
}

/* ---- functions without effect
 * -------------------------------------------------------------------- */

#define NOTHING(name, ...)        \
    cudaError_t name(__VA_ARGS__) \
    {                             \
        return cudaSuccess;       \
    }

NOTHING(cudaDeviceEnablePeerAccess, int device, unsigned flags)
NOTHING(cudaDeviceReset, void)
NOTHING(cudaDeviceSynchronize, void)
NOTHING(cudaGetLastError, void)
NOTHING(cudaMemPoolSetAccess, cudaMemPool_t pool, const struct cudaMemAccessDesc *access, size_t n)
NOTHING(cudaMemPoolSetAttribute, cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
NOTHING(cudaMemPoolTrimTo, cudaMemPool_t pool, size_t bytes)
NOTHING(cudaHostRegister, void *at, size_t bytes, unsigned flags)
NOTHING(cudaHostUnregister, void *at)
NOTHING(cudaFuncSetAttribute, const void *function, enum cudaFuncAttribute attribute, int value)
