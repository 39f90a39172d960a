/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/memories.h"

#include <stdlib.h>
#include <time.h>

#include "graphs/kinds.h"
#include "runtime/error.h"
#include "runtime/memory/transit.h"
#include "runtime/plan/amount.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/place.h"
#include "runtime/plan/tier.h"
#include "runtime/submit/evict.h"
#include "runtime/submit/ledger.h"

/* Message to the thread that submits. */
struct word {
    struct word *next;
    void (*tell)(struct zoid_memories *, struct word *);
};

struct zoid_stay {
    struct word word;
    int memory;
    size_t n;
    struct zoid_ledger_use use[];
};

/* A datum on its way out of a memory. */
struct trip {
    struct word word;
    struct zoid_memories *memories;
    long datum;
    int from;
    unsigned node;
    bool kept;
};

struct zoid_memories {
    const struct zoid_placement *placement;
    struct zoid_ledger ledger;
    unsigned long long *bytes;
    struct zoid_transit home;
    pthread_mutex_t mutex;
    pthread_cond_t news;
    struct word *first, **behind;
};

/* ---- messages ------------------------------------------------------------------------------ */

static void leave_word(struct zoid_memories *m, struct word *word)
{
    word->next = NULL;
    pthread_mutex_lock(&m->mutex);
    *m->behind = word;
    m->behind = &word->next;
    pthread_cond_signal(&m->news);
    pthread_mutex_unlock(&m->mutex);
}

static struct word *take_words(struct zoid_memories *m)
{
    struct word *words;

    pthread_mutex_lock(&m->mutex);
    words = m->first;
    m->first = NULL;
    m->behind = &m->first;
    pthread_mutex_unlock(&m->mutex);
    return words;
}

static void tell_ended(struct zoid_memories *m, struct word *word)
{
    struct zoid_stay *stay = (struct zoid_stay *)word;

    zoid_ledger_ended(&m->ledger, stay->memory, stay->use, stay->n);
    free(word);
}

/* Nothing is fetched for blocks whose end is among the messages already. */
static void look_ahead(struct word *word)
{
    for (; word; word = word->next)
        if (word->tell == tell_ended) {
            struct zoid_stay *stay = (struct zoid_stay *)word;

            zoid_ledger_past(stay->use, stay->n);
        }
}

static void settle(struct zoid_memories *m)
{
    struct word *word = take_words(m), *next;

    for (look_ahead(word); word; word = next) {
        next = word->next;
        word->tell(m, word);
    }
    zoid_ledger_settle(&m->ledger);
}

/* Wait for a message; if StarPU has refused a drop, for 0.2 ms at most. */
static void wait_for_news(struct zoid_memories *m)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 200000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&m->mutex);
    while (!m->first)
        if (m->ledger.dropping < 0)
            pthread_cond_wait(&m->news, &m->mutex);
        else if (pthread_cond_timedwait(&m->news, &m->mutex, &until))
            break;
    pthread_mutex_unlock(&m->mutex);
}

/* ---- callbacks of the ledger --------------------------------------------------------------- */

static unsigned node_of(const struct zoid_memories *m, int memory)
{
    return starpu_worker_get_memory_node((unsigned)m->placement->gpu[memory]);
}

static starpu_data_handle_t handle_of(const struct zoid_memories *m, long datum)
{
    return zoid_store_handle_at(m->placement->store, (size_t)datum);
}

static enum zoid_kind kind_of(const struct zoid_memories *m, long datum)
{
    return zoid_store_kind_at(m->placement->store, (size_t)datum);
}

/* Messages of ranks are fetched once they have arrived and a block asks for them. */
static void bring(void *self, long datum, int memory)
{
    const struct zoid_memories *m = self;

    if (!zoid_kind_travels(kind_of(m, datum)))
        starpu_data_prefetch_on_node(handle_of(m, datum), node_of(m, memory), 1);
}

static void tell_arrived(struct zoid_memories *m, struct word *word)
{
    const struct trip *trip = (struct trip *)word;

    zoid_ledger_arrived(&m->ledger, trip->datum, trip->from, trip->kept);
    free(word);
}

static void over(void *arg, bool kept)
{
    struct trip *trip = arg;

    trip->kept = kept;
    leave_word(trip->memories, &trip->word);
}

static void arrived(void *arg)
{
    const struct trip *trip = arg;

    starpu_data_release_on_node(handle_of(trip->memories, trip->datum), (int)trip->node);
    over(arg, false);
}

static unsigned destination(const struct zoid_memories *m, long datum, int to)
{
    const struct zoid_placement *p = m->placement;

    if (to >= 0)
        return node_of(m, to);
    return to == ZOID_LEDGER_HOME && zoid_plan_beyond(p->plan, kind_of(m, datum))
               ? zoid_store_home(p->store)
               : STARPU_MAIN_RAM;
}

/* Starts at once; to a disk, a few transfers at a time. */
static bool send(void *self, long datum, int from, int to)
{
    struct zoid_memories *m = self;
    struct trip *trip = malloc(sizeof *trip);

    if (!trip)
        return false;
    *trip = (struct trip){.word.tell = tell_arrived,
                          .memories = m,
                          .datum = datum,
                          .from = from,
                          .node = destination(m, datum, to)};
    if (trip->node != STARPU_MAIN_RAM && to < 0) {
        if (zoid_transit_send(&m->home, handle_of(m, datum), trip->node, over, trip))
            return true;
        free(trip);
        return false;
    }
    /* Unlike a prefetch, this has a callback when it is done; it waits for no task that has not
     * begun. */
    starpu_data_acquire_on_node_cb_sequential_consistency(handle_of(m, datum), (int)trip->node,
                                                          STARPU_R, arrived, trip, 0);
    return true;
}

static bool drop(void *self, long datum, int memory, bool dead)
{
    const struct zoid_memories *m = self;

    return zoid_evict(handle_of(m, datum), node_of(m, memory), dead);
}

/* ---- blocks ------------------------------------------------------------------------------- */

static bool kept(const struct zoid_plan *plan, int kind)
{
    return plan->keep[kind][ZOID_GPU_MEMORY] == ZOID_KEEP_ALL;
}

/* Merge the uses of a datum by the same block; the last one sets its residence. */
static void add_use(struct zoid_stay *stay, const struct zoid_ledger_use *use)
{
    for (size_t i = 0; i < stay->n; i++)
        if (stay->use[i].datum == use->datum) {
            stay->use[i].reads |= use->reads;
            stay->use[i].writes |= use->writes;
            stay->use[i].dies |= use->dies;
            stay->use[i].after = use->after;
            return;
        }
    stay->use[stay->n++] = *use;
}

static struct zoid_stay *stay_of(const struct zoid_memories *m, const struct zoid_block *b)
{
    const struct zoid_placement *p = m->placement;
    struct zoid_stay *stay = malloc(sizeof *stay + b->naccess * sizeof *stay->use);
    const int to = zoid_placement_memory(p, b->lane + 1);
    struct zoid_residence_in in = {.last = b->zoid.t1 == zoid_graph_last_time(&p->plan->graph)};

    if (!stay)
        return NULL;
    *stay = (struct zoid_stay){.memory = zoid_placement_memory(p, b->lane)};
    in.next_lane_here = to == stay->memory;
    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];
        const enum zoid_residence after = zoid_residence_after(a, &in);

        if (!kept(p->plan, a->datum.kind))
            add_use(stay, &(struct zoid_ledger_use){
                              .datum = (long)zoid_store_number(p->store, &a->datum),
                              .reads = zoid_access_reads(a),
                              .writes = zoid_access_writes(a),
                              /* StarPU is told to invalidate it, and asserts from then on that it
                               * is not requested. */
                              .dies = after == ZOID_DROPPED && !zoid_kinds[a->datum.kind].constant,
                              .after = after,
                              .to = to});
    }
    return stay;
}

struct zoid_stay *zoid_memories_admit(struct zoid_memories *m, const struct zoid_block *b,
                                      long most)
{
    struct zoid_stay *stay = stay_of(m, b);

    if (!stay)
        return NULL;
    stay->word.tell = tell_ended;
    for (settle(m); m->ledger.claimed >= most ||
                    !zoid_ledger_claim(&m->ledger, stay->memory, stay->use, stay->n);
         settle(m))
        wait_for_news(m);
    return stay;
}

void zoid_memories_ended(struct zoid_memories *m, struct zoid_stay *stay)
{
    leave_word(m, &stay->word);
}

void zoid_memories_keep(struct zoid_memories *m, starpu_data_handle_t handle)
{
    zoid_transit_discard(&m->home, handle);
}

/* ---- begin and end ------------------------------------------------------------------------ */

static bool fill(struct zoid_memories *m)
{
    const struct zoid_plan *plan = m->placement->plan;
    struct zoid_ledger *l = &m->ledger;

    l->memory = calloc((size_t)l->memories, sizeof *l->memory);
    m->bytes = calloc((size_t)l->data + 1, sizeof *m->bytes);
    if (!l->memory || !m->bytes || !zoid_ledger_init(l))
        return false;
    l->bytes = m->bytes;
    for (int i = 0; i < l->memories; i++)
        l->memory[i].capacity = zoid_budget_passing(plan);
    for (long d = 0; d < l->data; d++)
        if (handle_of(m, d))
            m->bytes[d] = zoid_whole(starpu_data_get_size(handle_of(m, d)),
                                     plan->tier[ZOID_GPU_MEMORY].grain);
    return true;
}

enum zoid_status zoid_memories_create(const struct zoid_placement *placement,
                                      struct zoid_memories **memories)
{
    const struct zoid_plan *plan = placement->plan;
    struct zoid_memories *m = calloc(1, sizeof *m);

    if (!m)
        return zoid_no_memory();
    *m = (struct zoid_memories){
        .placement = placement,
        .ledger = {.ways = {.self = m, .bring = bring, .send = send, .drop = drop},
                   .data = (long)zoid_store_data(placement->store),
                   .memories = placement->gpus,
                   .by_blocks = plan->keep[ZOID_SLAB][ZOID_GPU_MEMORY] == ZOID_KEEP_BLOCKS},
        .mutex = PTHREAD_MUTEX_INITIALIZER,
        .news = PTHREAD_COND_INITIALIZER};
    m->behind = &m->first;
    zoid_transit_init(&m->home, ZOID_BUDGET_WRITING_BACK);
    *memories = m;
    if (fill(m))
        return ZOID_OK;
    zoid_memories_destroy(memories);
    return zoid_no_memory();
}

void zoid_memories_finish(struct zoid_memories *m)
{
    for (settle(m); m->ledger.claimed; settle(m))
        wait_for_news(m);
    zoid_ledger_clear(&m->ledger);
    for (settle(m); !zoid_ledger_quiet(&m->ledger); settle(m))
        wait_for_news(m);
    zoid_transit_wait(&m->home);
}

void zoid_memories_destroy(struct zoid_memories **memories)
{
    struct zoid_memories *m = *memories;

    if (!m)
        return;
    zoid_ledger_free(&m->ledger);
    free(m->ledger.memory);
    free(m->bytes);
    free(m);
    *memories = NULL;
}
