/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs/sinks/activities.h"

#include <math.h>
#include <stdlib.h>

/* An activity in a heap; key: the time at which it ends or became ready, or its number. */
struct item {
    double key;
    long activity;
};

/* Binary heap, least key first, and of equal ones the least number. */
struct zoid_activity_heap {
    struct item *item;
    long n, room;
};

/* After those of the resources: running activities, and those that wait for a connection to each
 * peer. */
enum { RUNNING = ZOID_ON_ALL, PEERS, HEAPS = PEERS + ZOID_PEERS };

/* Grow an array for one more element, if needed; element 0 stays free. */
static void *grown(struct zoid_activities *a, void *all, long have, long *room, size_t size)
{
    void *more;

    if (have + 1 < *room)
        return all;
    more = realloc(all, (size_t)(2 * *room + 64) * size);
    if (!more) {
        a->failed = true;
        return all;
    }
    *room = 2 * *room + 64;
    return more;
}

/* ---- heaps ---------------------------------------------------------------------------------- */

static bool before(struct item a, struct item b)
{
    return a.key < b.key || (a.key <= b.key && a.activity < b.activity);
}

static void put(struct zoid_activities *a, int of, struct item item)
{
    struct zoid_activity_heap *h = &a->heap[of];
    long i;

    h->item = grown(a, h->item, h->n, &h->room, sizeof *h->item);
    if (a->failed)
        return;
    for (i = h->n++; i && before(item, h->item[(i - 1) / 2]); i = (i - 1) / 2)
        h->item[i] = h->item[(i - 1) / 2];
    h->item[i] = item;
}

static struct item take(struct zoid_activity_heap *h)
{
    const struct item first = h->item[0], last = h->item[--h->n];
    long i = 0, child;

    while ((child = 2 * i + 1) < h->n) {
        child += child + 1 < h->n && before(h->item[child + 1], h->item[child]);
        if (!before(h->item[child], last))
            break;
        h->item[i] = h->item[child];
        i = child;
    }
    h->item[i] = last;
    return first;
}

bool zoid_activities_init(struct zoid_activities *a)
{
    return (a->heap = calloc(HEAPS, sizeof *a->heap)) != NULL;
}

void zoid_activities_free(struct zoid_activities *a)
{
    for (int i = 0; a->heap && i < HEAPS; i++)
        free(a->heap[i].item);
    free(a->heap);
    free(a->all);
    free(a->link);
}

/* ---- dependences ---------------------------------------------------------------------------- */

static void is_ready(struct zoid_activities *a, long activity)
{
    const struct zoid_activity *one = &a->all[activity];

    if (one->on == ZOID_ON_NOTHING)
        put(a, RUNNING, (struct item){a->now + one->seconds, activity});
    else
        put(a, one->on == ZOID_ON_WIRE ? PEERS + one->peer : (int)one->on,
            (struct item){one->on == ZOID_ON_WORKERS ? (double)activity : a->now, activity});
}

long zoid_activity_make(struct zoid_activities *a, enum zoid_resource_of_activity on,
                        double seconds)
{
    a->all = grown(a, a->all, a->n, &a->room, sizeof *a->all);
    if (a->failed)
        return 0;
    a->all[++a->n] = (struct zoid_activity){.on = on, .seconds = seconds, .waits = 1};
    return a->n;
}

void zoid_activity_prepend(struct zoid_activities *a, long *list, long activity)
{
    a->link = grown(a, a->link, a->links, &a->room_for_links, sizeof *a->link);
    if (a->failed)
        return;
    a->link[++a->links] = (struct zoid_activity_link){activity, *list};
    *list = a->links;
}

void zoid_activity_wait(struct zoid_activities *a, long activity, long other)
{
    if (a->failed || !other || other == activity || a->all[other].ended)
        return;
    a->all[activity].waits++;
    zoid_activity_prepend(a, &a->all[other].after, activity);
}

void zoid_activity_wait_list(struct zoid_activities *a, long activity, long list)
{
    for (long l = list; l && !a->failed; l = a->link[l].next)
        zoid_activity_wait(a, activity, a->link[l].activity);
}

static void wait_less(struct zoid_activities *a, long activity)
{
    if (!--a->all[activity].waits)
        is_ready(a, activity);
}

/* Let those that wait for an activity go on. */
static void release(struct zoid_activities *a, long activity)
{
    a->all[activity].ended = true;
    for (long l = a->all[activity].after; l && !a->failed; l = a->link[l].next)
        wait_less(a, a->link[l].activity);
}

/* ---- time ----------------------------------------------------------------------------------- */

static void start(struct zoid_activities *a, long activity)
{
    const struct zoid_activity *one = &a->all[activity];
    const bool works = one->on == ZOID_ON_WORKERS, thread = one->on == ZOID_ON_THREAD;
    const double end = a->now + one->seconds + (works ? a->owed : 0);

    if (works)
        a->owed = 0;
    if (thread && a->steals)
        a->owed += one->seconds;
    put(a, RUNNING, (struct item){end, activity});
    if (thread)
        release(a, activity);
}

static void start_what_can(struct zoid_activities *a)
{
    for (int on = ZOID_ON_WORKERS; on < ZOID_ON_WIRE; on++)
        while (!a->failed && a->heap[on].n &&
               a->busy[on] < (on == ZOID_ON_WORKERS ? a->workers : 1)) {
            a->busy[on]++;
            start(a, take(&a->heap[on]).activity);
        }
    for (int peer = 0; peer < ZOID_PEERS; peer++)
        if (!(a->left[peer] > 0) && a->heap[PEERS + peer].n)
            a->left[peer] = fmax(a->all[a->heap[PEERS + peer].item->activity].seconds, 1e-15);
}

void zoid_activity_listed(struct zoid_activities *a, long activity)
{
    if (a->failed)
        return;
    wait_less(a, activity);
    start_what_can(a);
}

static void end(struct zoid_activities *a, long activity)
{
    const enum zoid_resource_of_activity on = a->all[activity].on;

    if (on > ZOID_ON_NOTHING && on < ZOID_ON_WIRE)
        a->busy[on]--;
    if (on != ZOID_ON_THREAD)
        release(a, activity);
    if (a->ended)
        a->ended(a->self, activity);
}

/* Seconds until the first message has passed the wire, and how many share it. */
static double first_of_wire(const struct zoid_activities *a, int *sharers)
{
    double least = INFINITY;

    *sharers = 0;
    for (int peer = 0; peer < ZOID_PEERS; peer++)
        if (a->left[peer] > 0) {
            ++*sharers;
            least = fmin(least, a->left[peer]);
        }
    return *sharers ? least * *sharers : INFINITY;
}

bool zoid_activities_go_on(struct zoid_activities *a)
{
    int sharers;
    const double wire = first_of_wire(a, &sharers);
    const struct zoid_activity_heap *running = &a->heap[RUNNING];
    const double other = running->n ? running->item[0].key - a->now : INFINITY;
    const double step = fmin(wire, other);

    if (a->failed || !(step < INFINITY))
        return false;
    for (int peer = 0; peer < ZOID_PEERS; peer++)
        if (a->left[peer] > 0) {
            const double rest = a->left[peer] - step / sharers;

            a->left[peer] = rest > 1e-15 ? rest : 0;
            if (!(a->left[peer] > 0))
                put(a, RUNNING,
                    (struct item){a->now + step, take(&a->heap[PEERS + peer]).activity});
        }
    a->now = other <= wire ? running->item[0].key : a->now + step;
    while (running->n && running->item[0].key <= a->now && !a->failed)
        end(a, take(&a->heap[RUNNING]).activity);
    start_what_can(a);
    return true;
}
