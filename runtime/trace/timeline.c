/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/trace/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Make room for one more element of `size` bytes; the allocation doubles whenever the count is a
 * power of two. */
static enum zoid_status grow(void **array, size_t count, size_t size)
{
    void *larger;

    if (count & (count - 1))
        return ZOID_OK;
    larger = realloc(*array, (count ? 2 * count : 1) * size);
    if (!larger)
        return zoid_fail(ZOID_RESOURCE, "out of memory for the timeline");
    *array = larger;
    return ZOID_OK;
}

/* Appends *item to t->array, which t->count counts. */
#define APPEND(t, array, count, item)                           \
    (grow((void **)&(t)->array, (t)->count, sizeof *(t)->array) \
         ? ZOID_RESOURCE                                        \
         : ((t)->array[(t)->count++] = *(item), ZOID_OK))

enum zoid_status zoid_timeline_create(struct zoid_timeline **timeline)
{
    *timeline = calloc(1, sizeof **timeline);
    return *timeline ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "out of memory for the timeline");
}

void zoid_timeline_destroy(struct zoid_timeline **timeline)
{
    struct zoid_timeline *t = *timeline;

    if (!t)
        return;
    free(t->worker);
    free(t->link);
    free(t->block);
    free(t->transfer);
    free(t->wait);
    free(t->work);
    free(t->held);
    free(t->member);
    free(t->border);
    free(t->part);
    free(t->gap);
    free(t);
    *timeline = NULL;
}

enum zoid_status zoid_timeline_add_worker(struct zoid_timeline *t,
                                          const struct zoid_timeline_worker *worker)
{
    return APPEND(t, worker, workers, worker);
}

enum zoid_status zoid_timeline_add_block(struct zoid_timeline *t,
                                         const struct zoid_timeline_block *block)
{
    return APPEND(t, block, blocks, block);
}

enum zoid_status zoid_timeline_add_transfer(struct zoid_timeline *t,
                                            const struct zoid_timeline_transfer *transfer)
{
    return APPEND(t, transfer, transfers, transfer);
}

enum zoid_status zoid_timeline_add_held(struct zoid_timeline *t, int rank,
                                        const struct zoid_span *span)
{
    const struct zoid_timeline_held held = {.span = *span, .rank = rank};

    return APPEND(t, held, helds, &held);
}

enum zoid_status zoid_timeline_add_member(struct zoid_timeline *t,
                                          const struct zoid_timeline_member *member)
{
    return APPEND(t, member, members, member);
}

enum zoid_status zoid_timeline_add_border(struct zoid_timeline *t,
                                          const struct zoid_timeline_border *border)
{
    return APPEND(t, border, borders, border);
}

enum zoid_status zoid_timeline_add_part(struct zoid_timeline *t,
                                        const struct zoid_timeline_part *part)
{
    for (size_t i = 0; i < t->parts; i++)
        if (t->part[i].part == part->part) {
            t->part[i] = *part;
            return ZOID_OK;
        }
    return APPEND(t, part, parts, part);
}

/* Until the timeline is finished, a wait is the moment at which it would begin. */
enum zoid_status zoid_timeline_add_request(struct zoid_timeline *t, int worker, double time)
{
    const struct zoid_timeline_wait wait = {.span = {time, time}, .worker = worker};

    return APPEND(t, wait, waits, &wait);
}

enum zoid_status zoid_timeline_add_work(struct zoid_timeline *t, int worker, double time, bool ends)
{
    const struct zoid_timeline_wait work = {.span = {time, time}, .worker = worker};

    if (!ends)
        return APPEND(t, work, works, &work);
    for (size_t i = t->works; i > 0; i--)
        if (t->work[i - 1].worker == worker) {
            t->work[i - 1].span.end = time;
            break;
        }
    return ZOID_OK;
}

/* ---- finishing ---------------------------------------------------------------------------- */

static int by_number_then_begin(int number_a, int number_b, const struct zoid_span *a,
                                const struct zoid_span *b)
{
    if (number_a != number_b)
        return number_a < number_b ? -1 : 1;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

static int order_blocks(const void *a, const void *b)
{
    const struct zoid_timeline_block *x = a, *y = b;

    return by_number_then_begin(x->worker, y->worker, &x->span, &y->span);
}

static int order_transfers(const void *a, const void *b)
{
    const struct zoid_timeline_transfer *x = a, *y = b;

    return by_number_then_begin(x->link, y->link, &x->span, &y->span);
}

static int order_waits(const void *a, const void *b)
{
    const struct zoid_timeline_wait *x = a, *y = b;

    return by_number_then_begin(x->worker, y->worker, &x->span, &y->span);
}

static int order_helds(const void *a, const void *b)
{
    const struct zoid_timeline_held *x = a, *y = b;

    return by_number_then_begin(x->rank, y->rank, &x->span, &y->span);
}

static int order_workers(const void *a, const void *b)
{
    const struct zoid_timeline_worker *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank - y->rank;
    if (x->device != y->device)
        return x->device == ZOID_DEVICE_GPU ? -1 : 1;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->id - y->id;
}

static int order_links(const void *a, const void *b)
{
    const struct zoid_timeline_link *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank - y->rank;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->from != y->from ? x->from - y->from : x->to - y->to;
}

static void sort(void *array, size_t count, size_t size, int (*order)(const void *, const void *))
{
    if (count)
        qsort(array, count, size, order);
}

static int worker_of(const struct zoid_timeline *t, int id)
{
    for (size_t w = 0; w < t->workers; w++)
        if (t->worker[w].id == id)
            return (int)w;
    return -1;
}

static bool clip(struct zoid_span *span, const struct zoid_span *run)
{
    span->begin = fmax(span->begin, run->begin);
    span->end = fmin(span->end, run->end);
    return span->begin <= span->end;
}

/* Without marks the run spans all blocks. */
static void find_run(struct zoid_timeline *t)
{
    if (t->marked || !t->blocks)
        return;
    t->run = t->block[0].span;
    for (size_t i = 1; i < t->blocks; i++) {
        t->run.begin = fmin(t->run.begin, t->block[i].span.begin);
        t->run.end = fmax(t->run.end, t->block[i].span.end);
    }
}

static size_t keep_working_kinds(struct zoid_timeline *t)
{
    bool none = !t->blocks; /* then all workers stay */
    bool works[] = {[ZOID_DEVICE_CPU] = none, [ZOID_DEVICE_GPU] = none};
    size_t kept = 0, all = t->workers;

    for (size_t i = 0; i < t->blocks; i++) {
        int w = worker_of(t, t->block[i].worker);

        if (w >= 0)
            works[t->worker[w].device] = true;
    }
    for (size_t w = 0; w < all; w++)
        if (works[t->worker[w].device])
            t->worker[kept++] = t->worker[w];
    t->workers = kept;
    sort(t->worker, kept, sizeof *t->worker, order_workers);
    return all - kept;
}

/* Replace the spans of blocks by those of their work. Both are in order; a worker does one block
 * after another. */
static void trim_blocks(struct zoid_timeline *t)
{
    size_t i = 0;

    for (size_t w = 0; w < t->works; w++)
        t->work[w].worker = worker_of(t, t->work[w].worker);
    sort(t->work, t->works, sizeof *t->work, order_waits);
    for (size_t w = 0; w < t->works; w++) {
        const struct zoid_timeline_wait *work = &t->work[w];

        while (i < t->blocks &&
               (t->block[i].worker < work->worker ||
                (t->block[i].worker == work->worker && t->block[i].span.end < work->span.end)))
            i++;
        if (i < t->blocks && t->block[i].worker == work->worker &&
            t->block[i].span.begin <= work->span.begin)
            t->block[i].span = work->span;
    }
}

static void finish_blocks(struct zoid_timeline *t)
{
    size_t kept = 0;

    for (size_t i = 0; i < t->blocks; i++) {
        struct zoid_timeline_block b = t->block[i];

        b.worker = worker_of(t, b.worker);
        if (b.worker < 0 || !clip(&b.span, &t->run))
            continue;
        if (b.pass >= t->passes)
            t->passes = b.pass + 1;
        t->block[kept++] = b;
    }
    t->blocks = kept;
    sort(t->block, kept, sizeof *t->block, order_blocks);
}

/* Copy the blocks of teams to their members; several runs may name the same one. */
static enum zoid_status share_blocks(struct zoid_timeline *t)
{
    const size_t own = t->blocks;
    enum zoid_status status = ZOID_OK;

    for (size_t m = 0; m < t->members; m++) {
        const int worker = worker_of(t, t->member[m].worker);
        const int first = worker_of(t, t->member[m].first);
        bool known = worker < 0 || first < 0;

        for (size_t i = 0; i < m; i++)
            known = known || t->member[i].worker == t->member[m].worker;
        for (size_t i = 0; i < own && !known && !status; i++) {
            struct zoid_timeline_block b = t->block[i];

            b.shared = true;
            if (b.worker != first)
                continue;
            b.worker = worker;
            status = APPEND(t, block, blocks, &b);
        }
    }
    t->shared = t->blocks - own;
    sort(t->block, t->blocks, sizeof *t->block, order_blocks);
    return status;
}

/* A worker that requested data waits until its next block starts. A request that it makes while it
 * computes counts only if it is repeated, as StarPU does, when that block ends. */
static void finish_waits(struct zoid_timeline *t)
{
    const struct zoid_timeline_block *b = t->block, *end = b + t->blocks;
    size_t kept = 0;
    double computed = 0;

    for (size_t i = 0; i < t->waits; i++)
        t->wait[i].worker = worker_of(t, t->wait[i].worker);
    sort(t->wait, t->waits, sizeof *t->wait, order_waits);
    for (size_t i = 0; i < t->waits; i++) {
        struct zoid_timeline_wait w = t->wait[i];

        if (!i || w.worker != t->wait[i - 1].worker)
            computed = 0;
        for (; b < end &&
               (b->worker < w.worker || (b->worker == w.worker && b->span.begin < w.span.begin));
             b++)
            if (b->worker == w.worker)
                computed = fmax(computed, b->span.end);
        if (w.worker < 0 || b == end || b->worker != w.worker || w.span.begin < computed)
            continue;
        w.span.end = b->span.begin;
        if (kept && t->wait[kept - 1].worker == w.worker &&
            t->wait[kept - 1].span.end >= w.span.end)
            continue;
        if (clip(&w.span, &t->run))
            t->wait[kept++] = w;
    }
    t->waits = kept;
}

static void finish_helds(struct zoid_timeline *t)
{
    size_t kept = 0;

    sort(t->held, t->helds, sizeof *t->held, order_helds);
    for (size_t i = 0; i < t->helds; i++) {
        struct zoid_timeline_held h = t->held[i], *last = kept ? &t->held[kept - 1] : NULL;

        if (!clip(&h.span, &t->run))
            continue;
        if (last && last->rank == h.rank && h.span.begin <= last->span.end)
            last->span.end = fmax(last->span.end, h.span.end);
        else
            t->held[kept++] = h;
    }
    t->helds = kept;
}

/* The next span of a worker among its blocks and waits, which are in order; NULL: no more. */
static const struct zoid_span *next_of(const struct zoid_timeline *t, int worker, size_t block,
                                       size_t wait)
{
    const struct zoid_span *b =
        block < t->blocks && t->block[block].worker == worker ? &t->block[block].span : NULL;
    const struct zoid_span *w =
        wait < t->waits && t->wait[wait].worker == worker ? &t->wait[wait].span : NULL;

    return !b || (w && w->begin < b->begin) ? w : b;
}

static enum zoid_status add_gap(struct zoid_timeline *t, int worker, double begin, double end)
{
    const struct zoid_timeline_wait gap = {.span = {begin, end}, .worker = worker};

    return begin < end ? APPEND(t, gap, gaps, &gap) : ZOID_OK;
}

/* Find the gaps of a worker. Its blocks and waits are read from *block and *wait on, which
 * advance. */
static enum zoid_status find_gaps_of(struct zoid_timeline *t, int worker, size_t *block,
                                     size_t *wait)
{
    enum zoid_status status = ZOID_OK;

    for (size_t h = 0; h < t->helds && !status; h++) {
        const struct zoid_span *held = &t->held[h].span, *next;
        double free_from = held->begin;

        if (t->held[h].rank != t->worker[worker].rank)
            continue;
        while (!status && (next = next_of(t, worker, *block, *wait)) && next->begin < held->end) {
            status = add_gap(t, worker, free_from, next->begin);
            free_from = fmax(free_from, next->end);
            if (next->end > held->end)
                break;
            ++*(*wait < t->waits && next == &t->wait[*wait].span ? wait : block);
        }
        if (!status)
            status = add_gap(t, worker, free_from, held->end);
    }
    return status;
}

static enum zoid_status find_gaps(struct zoid_timeline *t)
{
    size_t block = 0, wait = 0;
    enum zoid_status status = ZOID_OK;

    for (size_t w = 0; w < t->workers && !status; w++) {
        while (block < t->blocks && t->block[block].worker < (int)w)
            block++;
        while (wait < t->waits && t->wait[wait].worker < (int)w)
            wait++;
        status = find_gaps_of(t, (int)w, &block, &wait);
    }
    return status;
}

enum { UNKNOWN = -1 };

/* The GPU whose memory a node is, or UNKNOWN. */
static int gpu_of_node(const struct zoid_timeline_worker *worker, size_t workers, int node)
{
    for (size_t w = 0; w < workers; w++)
        if (worker[w].node == node && worker[w].device == ZOID_DEVICE_GPU)
            return worker[w].number;
    return UNKNOWN;
}

static void describe_link(const struct zoid_timeline *t, struct zoid_timeline_link *l)
{
    int from = gpu_of_node(t->worker, t->workers, l->from);
    int to = gpu_of_node(t->worker, t->workers, l->to);

    if (from != UNKNOWN && to != UNKNOWN) {
        l->kind = ZOID_LINK_PEER;
        snprintf(l->name, sizeof l->name, "GPU %d to GPU %d", from, to);
    } else if (to != UNKNOWN) {
        l->kind = ZOID_LINK_UPLOAD;
        snprintf(l->name, sizeof l->name, "upload GPU %d", to);
    } else if (from != UNKNOWN) {
        l->kind = ZOID_LINK_DOWNLOAD;
        snprintf(l->name, sizeof l->name, "download GPU %d", from);
    } else {
        l->kind = ZOID_LINK_OTHER;
        snprintf(l->name, sizeof l->name, "memory %d to %d", l->from % ZOID_TIMELINE_IDS,
                 l->to % ZOID_TIMELINE_IDS);
    }
}

static int link_of(const struct zoid_timeline *t, int from, int to)
{
    for (size_t l = 0; l < t->links; l++)
        if (t->link[l].from == from && t->link[l].to == to)
            return (int)l;
    return -1;
}

static enum zoid_status finish_transfers(struct zoid_timeline *t)
{
    size_t kept = 0;

    for (size_t i = 0; i < t->transfers; i++) {
        struct zoid_timeline_transfer x = t->transfer[i];
        struct zoid_timeline_link link = {
            .from = x.from, .to = x.to, .rank = x.from / ZOID_TIMELINE_IDS};

        if (!clip(&x.span, &t->run))
            continue;
        if (link_of(t, x.from, x.to) < 0) {
            describe_link(t, &link);
            if (APPEND(t, link, links, &link))
                return ZOID_RESOURCE;
        }
        t->transfer[kept++] = x;
    }
    t->transfers = kept;
    sort(t->link, t->links, sizeof *t->link, order_links);
    for (size_t i = 0; i < kept; i++)
        t->transfer[i].link = link_of(t, t->transfer[i].from, t->transfer[i].to);
    sort(t->transfer, kept, sizeof *t->transfer, order_transfers);
    return ZOID_OK;
}

enum zoid_status zoid_timeline_finish(struct zoid_timeline *t, size_t *idle_workers)
{
    size_t idle;
    enum zoid_status status;

    find_run(t);
    /* Links are named after GPUs, including those that only store data. */
    status = finish_transfers(t);
    idle = keep_working_kinds(t);
    if (idle_workers)
        *idle_workers = idle;
    finish_blocks(t);
    /* A wait ends where StarPU's own record of the block begins, so blocks are trimmed later. */
    finish_waits(t);
    finish_helds(t);
    trim_blocks(t);
    if (!status)
        status = share_blocks(t);
    return status ? status : find_gaps(t);
}
