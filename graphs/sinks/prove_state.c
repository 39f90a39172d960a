/* SPDX-License-Identifier: BSD-3-Clause */
/* Bottom layer of the prover: failure of a rule, positions of planes, and covers of points. */
#include "graphs/sinks/prove_state.h"

#include <stdarg.h>

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/reach.h"

/* ---- failure of a rule --------------------------------------------------------------------- */

int zoid_prove_fail(struct zoid_prove *p, const char *format, ...)
{
    static const char *const subject[] = {[ZOID_LOADING] = "the load ",
                                          [ZOID_RUNNING] = "the leg ",
                                          [ZOID_STORING] = "the store ",
                                          [ZOID_JUDGING] = "the graph "};
    va_list args;
    int n;

    if (p->failed)
        return -1;
    p->failed = true;
    if (p->message)
        n = snprintf(p->why, sizeof p->why, "rank %d ", p->message->rank);
    else if (p->block && zoid_cells(&p->graph) == 1)
        n = snprintf(p->why, sizeof p->why, "block (pass %ld, position %ld) ", p->block->pass,
                     p->block->position);
    else if (p->block)
        n = snprintf(p->why, sizeof p->why, "%s (pass %ld, cell %ld, position %ld) ",
                     p->joins ? "the join after block" : "block", p->block->pass, p->block->cell,
                     p->block->position);
    else
        n = snprintf(p->why, sizeof p->why, "%s", subject[p->phase]);
    va_start(args, format);
    vsnprintf(p->why + n, sizeof p->why - (size_t)n, format, args);
    va_end(args);
    return -1;
}

int zoid_prove_no_memory(struct zoid_prove *p)
{
    return zoid_prove_fail(p, "is not proved: out of memory");
}

/* ---- positions of planes ------------------------------------------------------------------- */

struct zoid_box zoid_prove_planes(const struct zoid_prove *p, const struct zoid_view *view,
                                  const struct zoid *region, long t)
{
    struct zoid_box box = zoid_box_at(region, t);
    long shift = view->drift * (t - view->t0);

    if (t < view->t0 || t > view->t1)
        return (struct zoid_box){.lo = {0}};
    if (box.lo[p->chain] < view->lo + shift)
        box.lo[p->chain] = view->lo + shift;
    if (box.hi[p->chain] > view->hi + shift)
        box.hi[p->chain] = view->hi + shift;
    for (int a = 0; a < ZOID_AXES; a++) {
        const struct zoid_range *range = &view->patch.axis[a];

        if (zoid_range_all(range))
            continue;
        box.lo[a] = box.lo[a] < range->lo ? range->lo : box.lo[a];
        box.hi[a] = box.hi[a] > range->hi ? range->hi : box.hi[a];
    }
    return zoid_box_intersect(&box, &p->space);
}

long zoid_prove_outside(const struct zoid_prove *p, const struct zoid_box *box,
                        const struct zoid_box *around)
{
    struct zoid_box slab = zoid_box_intersect(box, around);

    if (zoid_box_empty(&slab) || box->lo[p->chain] < slab.lo[p->chain])
        return box->lo[p->chain];
    /* Above the slab, unless the missing points are at the sides of its planes. */
    slab.hi[p->chain] = box->hi[p->chain];
    slab.lo[p->chain] = box->lo[p->chain];
    return zoid_box_within(box, &slab) ? around->hi[p->chain] : box->lo[p->chain];
}

long zoid_prove_lowest(const struct zoid_prove *p, const struct zoid_boxes *set)
{
    long lowest = zoid_prove_plane(p, &set->box[0]);

    for (size_t i = 1; i < set->count; i++)
        if (lowest > zoid_prove_plane(p, &set->box[i]))
            lowest = zoid_prove_plane(p, &set->box[i]);
    return lowest;
}

/* True if the first of two boxes starts lower along the axes that are cut, y before x. */
static bool before(const struct zoid_prove *p, const struct zoid_box *a, const struct zoid_box *b)
{
    for (int axis = p->chain - 1; axis >= 0; axis--)
        if (zoid_axis_cut(&p->graph, axis) && a->lo[axis] != b->lo[axis])
            return a->lo[axis] < b->lo[axis];
    return false;
}

struct zoid_prove_words zoid_prove_where(const struct zoid_prove *p, const struct zoid_boxes *set)
{
    struct zoid_prove_words words;
    const long at = zoid_prove_lowest(p, set);
    const struct zoid_box *box = NULL;
    int n = 0;

    for (size_t i = 0; i < set->count; i++)
        if (zoid_prove_plane(p, &set->box[i]) == at && (!box || before(p, &set->box[i], box)))
            box = &set->box[i];
    for (int a = 0; a < p->chain; a++)
        if (zoid_axis_cut(&p->graph, a))
            n += snprintf(words.s + n, sizeof words.s - (size_t)n, "%s%c %ld", n ? ", " : "",
                          "xy"[a], box -> lo[a]);
    snprintf(words.s + n, sizeof words.s - (size_t)n, "%splane %ld", n ? " of " : "", at);
    return words;
}

/* ---- points of the stream ------------------------------------------------------------------ */

long zoid_prove_epoch_end(const struct zoid_prove *p, long t)
{
    const struct zoid_graph *g = &p->graph;
    const long times = g->epoch * g->shape.stages;

    return times ? zoid_min(p->first + zoid_ceil_div(t - p->first, times) * times, p->times) : t;
}

/* Cells of ranks in order are higher by some planes before an epoch ends, except at the ends of the
 * domain. */
struct zoid_box zoid_prove_share(const struct zoid_prove *p, long t)
{
    struct zoid_box share = p->share;
    const long n = p->whole.hi[p->chain];
    long lo, hi, up;

    if (!zoid_prove_alone(p) || !zoid_in_order(&p->graph.shape))
        return share;
    zoid_axis_reach(&p->graph.shape, p->chain, &lo, &hi);
    up = (lo || hi ? zoid_max(hi, 1) : 0) * (zoid_prove_epoch_end(p, t) - t);
    if (share.lo[p->chain] > 0)
        share.lo[p->chain] += up;
    share.hi[p->chain] = zoid_min(share.hi[p->chain] + up, n);
    return share;
}

/* ---- covers of points ---------------------------------------------------------------------- */

struct adding {
    long t;
    const char *verb;
    bool redundant;
};

static int add_inside(struct zoid_prove *p, struct zoid_cover *cover, const struct zoid_box *box,
                      const struct adding *how)
{
    const struct zoid_box share = zoid_prove_share(p, how->t);
    const struct zoid_box inside = zoid_box_intersect(box, &share);
    const long volume = zoid_box_volume(&share);
    struct zoid_box again = inside;

    if (!how->redundant && !zoid_box_within(box, &share))
        return zoid_prove_fail(p, "%s plane %ld of time %ld, which is another rank's", how->verb,
                               zoid_prove_outside(p, box, &share), how->t);
    /* The boxes of a full cover have been freed. */
    if (cover->volume < volume && zoid_cover_add(cover, p->chain, &inside, &p->scratch, &again))
        return zoid_prove_no_memory(p);
    if (!zoid_box_empty(&again) && !how->redundant)
        return zoid_prove_fail(p, "%s plane %ld of time %ld again", how->verb,
                               zoid_prove_plane(p, &again), how->t);
    if (cover->volume == volume)
        zoid_cover_free(cover);
    return 0;
}

/* Add a box in parts, split at multiples of n along the axis. */
static int add_laps(struct zoid_prove *p, struct zoid_cover *cover, const struct zoid_box *box,
                    int axis, const struct adding *how)
{
    long n = p->whole.hi[axis];
    struct zoid_box lap = *box;
    int rc = 0;

    for (long lo = box->lo[axis], end; lo < box->hi[axis] && !rc; lo = end) {
        long start = zoid_floor_div(lo, n) * n;

        end = start + n < box->hi[axis] ? start + n : box->hi[axis];
        lap.lo[axis] = lo - start;
        lap.hi[axis] = end - start;
        rc = axis > 0 ? add_laps(p, cover, &lap, axis - 1, how) : add_inside(p, cover, &lap, how);
    }
    return rc;
}

int zoid_prove_add(struct zoid_prove *p, struct zoid_cover *cover, const struct zoid_box *box,
                   long t, const char *verb, bool redundant)
{
    return add_laps(p, cover, box, p->chain, &(struct adding){t, verb, redundant});
}

struct zoid_prove_words zoid_prove_name(const struct zoid_datum *d)
{
    struct zoid_prove_words text;
    const char *kind = (unsigned)d->kind < ZOID_KINDS ? zoid_kind_name(d->kind) : "unknown";

    snprintf(text.s, sizeof text.s, "%s %ld:%ld", kind, d->row, d->col);
    return text;
}

/* Planes of a holding at time t, or at the nearest time that it has. */
static struct zoid_box near(const struct zoid_prove *p, const struct zoid_prove_holding *holding,
                            long *t)
{
    const struct zoid_view *view = &holding->view;

    *t = *t < view->t0 ? view->t0 : *t > view->t1 ? view->t1 : *t;
    return zoid_prove_planes(p, view, &holding->region, *t);
}

struct zoid_prove_words zoid_prove_content(const struct zoid_prove *p,
                                           const struct zoid_prove_datum *d, long t)
{
    struct zoid_prove_words text;
    size_t n = 0, end = sizeof text.s - 1;

    snprintf(text.s, sizeof text.s, "holds nothing");
    if (d->state != ZOID_HELD) {
        snprintf(text.s, sizeof text.s, d->state == ZOID_DEAD ? "is dead" : "was never written");
        return text;
    }
    for (size_t i = 0; i < d->holdings && n < end; i++) {
        long at = t;
        struct zoid_box box = near(p, &d->holding[i], &at);

        if (!zoid_box_empty(&box))
            n += (size_t)snprintf(text.s + n, sizeof text.s - n, "%s [%ld, %ld) of time %ld",
                                  n ? " and" : "holds planes", box.lo[p->chain], box.hi[p->chain],
                                  at);
        else if (d->holdings == 1)
            n += (size_t)snprintf(text.s, sizeof text.s, "holds no planes of time %ld", at);
    }
    return text;
}
