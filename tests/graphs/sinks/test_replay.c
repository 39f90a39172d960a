/* SPDX-License-Identifier: BSD-3-Clause */
/* labels: repeats */
/* Executes graphs, with one number for each plane, or two if fields are written alternately: data
 * are arrays of slots, blocks read planes where their views locate them and write where the views
 * tell, with the largest number of fused steps that the graph allows, and the result equals that of
 * the whole domain plane by plane. Independent of builders and prover. */
#include <stdlib.h>
#include <string.h>

#include "graphs/leg.h"
#include "tests/graphs/cases.h"
#include "tests/suite.h"

enum { PARTS = 4, CASES = 250, LEGS = 4 };

typedef uint64_t number;

/* State of a plane: the fields that even times write, and those that odd times write; if all times
 * write all fields, only the first is used. */
struct state {
    number field[2];
};

static const struct state poison = {{0xdeaddeaddeaddead, 0xdeaddeaddeaddead}};

struct replay {
    struct zoid_sink sink;
    const struct zoid_graph *graph; /* the current leg */
    long legs;
    struct zoid_graph leg[LEGS];
    long end[LEGS];            /* the step at which each leg ends */
    struct zoid_census census; /* of all legs */
    struct state **data[ZOID_KINDS];
    struct state *first, *last, *constant; /* of planes: at both ends, and coefficients */
    long stored;
    int chain;
    uint64_t seed;
    /* The current block, and planes [lo, hi) at each of its times. */
    const struct zoid_block *block;
    struct {
        long lo, hi;
        struct state *plane;
    } * level;
};

static number mix(number a, number b)
{
    uint64_t seed = a * 31 ^ b;

    return (number)case_between(&seed, 0, INT64_MAX - 1);
}

/* ---- the plain way ----------------------------------------------------------------------- */

static bool inside(const struct replay *r, long plane)
{
    return plane >= 0 && plane < r->graph->shape.n[r->chain];
}

/* True if a stage reads the planes below at the current time. */
static bool ascends(const struct replay *r, long t)
{
    const struct zoid_shape *shape = &r->graph->shape;

    return shape->order[(t - 1) % shape->stages] == ZOID_ASCENDING;
}

/* True if a plane's update uses the coefficients of another plane. */
static bool near(const struct replay *r, long plane, long other)
{
    const struct zoid_graph *g = r->graph;

    if (g->coefficients == ZOID_COEFFICIENTS_NEAR)
        return other >= plane - g->coefficient_reach.lo && other <= plane + g->coefficient_reach.hi;
    return g->coefficients;
}

/* Index of the fields that a time writes. */
static int written(const struct replay *r, long t)
{
    return r->graph->shape.alternates ? (int)(t % 2) : 0;
}

static struct state next_of(const struct replay *r, const struct state *before,
                            const struct state *now, long t, long plane)
{
    const struct zoid_shape *shape = &r->graph->shape;
    const struct zoid_reach *reach = &shape->reach[(t - 1) % shape->stages];
    const int own = written(r, t), newest = written(r, t - 1);
    struct state state = before[plane];
    number value = mix((number)t, own == newest ? 0 : state.field[own]);

    for (long z = plane - reach->lo[r->chain]; z <= plane + reach->hi[r->chain]; z++) {
        long from = zoid_fold(shape, r->chain, z);
        const struct state *other = z < plane && ascends(r, t) ? now : before;
        bool constant = near(r, plane, zoid_chain_periodic(shape) ? z : from);

        value = mix(value, inside(r, from) ? other[from].field[newest] : 1);
        value = mix(value, inside(r, from) && constant ? r->constant[from].field[0] : 2);
    }
    state.field[own] = value;
    return state;
}

static void run_plainly(struct replay *r)
{
    long n = r->graph->shape.n[r->chain];
    struct state *state = r->last, *spare = calloc((size_t)n, sizeof *spare);

    memcpy(state, r->first, (size_t)n * sizeof *state);
    for (long t = zoid_graph_first_time(r->leg) + 1;
         t <= r->end[r->legs - 1] * r->graph->shape.stages; t++) {
        for (long z = 0; z < n; z++)
            spare[z] = next_of(r, state, spare, t, z);
        memcpy(state, spare, (size_t)n * sizeof *state);
    }
    free(spare);
}

/* ---- by blocks --------------------------------------------------------------------------- */

static struct state *slots(const struct replay *r, const struct zoid_datum *d)
{
    return r->data[d->kind][d->row * r->census.kind[d->kind].cols + d->col];
}

static void forget(const struct replay *r, const struct zoid_datum *d)
{
    for (long i = 0; i < r->census.kind[d->kind].planes; i++)
        slots(r, d)[i] = poison;
}

static bool exists(const struct replay *r, long plane)
{
    return zoid_chain_periodic(&r->graph->shape) || inside(r, plane);
}

/* The block's level at a time, if it has the plane. */
static const struct state *level_at(const struct replay *r, long t, long plane)
{
    const long i = t - r->block->zoid.t0;

    return i > 0 && plane >= r->level[i].lo && plane < r->level[i].hi
               ? &r->level[i].plane[plane - r->level[i].lo]
               : NULL;
}

/* Value of the plane at a time from the views; if the field is not written at that time, from the
 * time before. */
static number viewed(const struct replay *r, bool constant, long t, long plane, int field)
{
    const struct zoid_block *b = r->block;

    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];
        const bool turn = !a->in.by_turns || t == a->in.t0 || field == written(r, t);
        const long at = turn ? t : t - 1;

        if ((a->datum.kind == ZOID_COEFFICIENT) == constant && a->mode & ZOID_READ &&
            zoid_view_has(&a->in, at, plane))
            return slots(r, &a->datum)[zoid_view_slot(&a->in, at, plane)].field[field];
    }
    return poison.field[0];
}

/* Value of a plane's field at a time of the block, in the block's numbering. */
static number given(const struct replay *r, long t, long plane, int field)
{
    const struct state *own = level_at(r, t, plane);

    return own ? own->field[field] : viewed(r, false, t, plane, field);
}

static struct state computed(const struct replay *r, long t, long plane)
{
    const struct zoid_shape *shape = &r->graph->shape;
    const struct zoid_reach *reach = &shape->reach[(t - 1) % shape->stages];
    const int own = written(r, t), newest = written(r, t - 1);
    const number old = own == newest ? 0 : given(r, t - 1, plane, own);
    struct state state = {{0, 0}};
    number value = mix((number)t, old);

    if (own != newest)
        state.field[newest] = given(r, t - 1, plane, newest);
    for (long z = plane - reach->lo[r->chain]; z <= plane + reach->hi[r->chain]; z++) {
        long from = zoid_chain_periodic(shape) ? z : zoid_fold(shape, r->chain, z);
        const bool there = exists(r, from), constant = there && near(r, plane, from);
        const long at = t - (z >= plane || !ascends(r, t));

        value = mix(value, there ? given(r, at, from, newest) : 1);
        value = mix(value, constant ? viewed(r, true, t, from, 0) : 2);
    }
    state.field[own] = value;
    return state;
}

static void compute(struct replay *r, long t)
{
    struct zoid_box box = zoid_clipped_at(&r->block->zoid, &r->block->region, t);
    long level = t - r->block->zoid.t0, lo = box.lo[r->chain], hi = box.hi[r->chain];
    struct state *plane = calloc((size_t)(hi - lo) + 1, sizeof *plane);

    r->level[level].lo = r->level[level].hi = lo;
    r->level[level].plane = plane;
    for (long z = lo; z < hi; z++) {
        plane[z - lo] = computed(r, t, z);
        r->level[level].hi = z + 1;
    }
}

/* Writes a view's planes of time t to its slots; with `planes` false poison, for planes not
 * computed yet. */
static void leave(const struct replay *r, const struct zoid_view *v, long t, bool planes,
                  struct state *slot)
{
    for (long z = v->lo + v->drift * (t - v->t0); zoid_view_has(v, t, z); z++)
        for (int f = 0; f <= r->graph->shape.alternates && exists(r, z); f++)
            if (!v->by_turns || t == v->t0 || f == written(r, t))
                slot[zoid_view_slot(v, t, z)].field[f] =
                    planes ? given(r, t, z, f) : poison.field[f];
}

/* Writes to a copy of the datum, since other views may still read the old contents; slots that are
 * kept stay. */
static struct state *leave_all(const struct replay *r, const struct zoid_access *a)
{
    size_t room = (size_t)r->census.kind[a->datum.kind].planes;
    struct state *copy = calloc(room, sizeof *copy);

    for (size_t i = 0; i < room; i++)
        copy[i] = a->keeps ? slots(r, &a->datum)[i] : poison;
    for (long t = a->out.t0; t <= a->out.t1; t++)
        leave(r, &a->out, t, true, copy);
    return copy;
}

/* Updates around a circle overwrite slots while other planes are still to be read. */
static bool in_circle(const struct zoid_access *a)
{
    return a->mode == ZOID_UPDATE && a->out.around;
}

static void leave_in_circles(const struct replay *r, long t, bool planes)
{
    for (size_t i = 0; i < r->block->naccess; i++) {
        const struct zoid_access *a = &r->block->access[i];

        if (in_circle(a) && t >= a->out.t0 && t <= a->out.t1)
            leave(r, &a->out, t, planes, slots(r, &a->datum));
    }
}

/* Times after t up to `end` in one launch, which may write its outputs before it has read its
 * inputs. */
static void launch(struct replay *r, long t, long end)
{
    for (long u = t + 1; u <= end; u++)
        leave_in_circles(r, u, false);
    for (long u = t + 1; u <= end; u++)
        compute(r, u);
    for (long u = t + 1; u <= end; u++)
        leave_in_circles(r, u, true);
}

static int on_block(struct zoid_sink *sink, const struct zoid_block *b)
{
    struct replay *r = (struct replay *)sink;
    const long most = r->graph->at_once ? r->graph->at_once : b->zoid.t1 - b->zoid.t0;
    size_t levels = (size_t)(b->zoid.t1 - b->zoid.t0) + 1;
    struct state *left[b->naccess + 1];

    r->block = b;
    r->level = calloc(levels, sizeof *r->level);
    leave_in_circles(r, b->zoid.t0, true);
    for (long t = b->zoid.t0, end; t < b->zoid.t1; t = end) {
        end = zoid_min(t + case_between(&r->seed, 1, most), b->zoid.t1);
        launch(r, t, end);
    }
    for (size_t i = 0; i < b->naccess; i++)
        left[i] = b->access[i].mode & ZOID_WRITE && !in_circle(&b->access[i])
                      ? leave_all(r, &b->access[i])
                      : NULL;
    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_datum *d = &b->access[i].datum;

        if (left[i])
            memcpy(slots(r, d), left[i], (size_t)r->census.kind[d->kind].planes * sizeof *left[i]);
        free(left[i]);
        if (b->access[i].next == ZOID_NEXT_DEAD)
            forget(r, d);
    }
    for (size_t i = 0; i < levels; i++)
        free(r->level[i].plane);
    free(r->level);
    return 0;
}

static int on_load(struct zoid_sink *sink, const struct zoid_access *a)
{
    const struct replay *r = (struct replay *)sink;
    const struct state *from = a->datum.kind == ZOID_COEFFICIENT ? r->constant : r->first;

    for (long z = 0; z < r->graph->shape.n[r->chain]; z++)
        if (zoid_view_has(&a->out, a->out.t0, z))
            slots(r, &a->datum)[zoid_view_slot(&a->out, a->out.t0, z)] = from[z];
    return 0;
}

static int on_store(struct zoid_sink *sink, const struct zoid_access *a)
{
    struct replay *r = (struct replay *)sink;

    for (long z = 0; z < r->graph->shape.n[r->chain]; z++)
        if (zoid_view_has(&a->in, a->in.t0, z)) {
            const struct state *slot = &slots(r, &a->datum)[zoid_view_slot(&a->in, a->in.t0, z)];

            for (int f = 0; f <= r->graph->shape.alternates; f++)
                ck_assert_msg(slot->field[f] == r->last[z].field[f], "%s: plane %ld is wrong",
                              case_words(r->graph), z);
            r->stored++;
        }
    return 0;
}

static bool on_last(struct zoid_sink *sink, long steps)
{
    const struct replay *r = (struct replay *)sink;

    return steps == r->end[r->graph - r->leg];
}

/* ---- both -------------------------------------------------------------------------------- */

/* Makes `legs` random legs; the sink ends some of them early. */
static void make_legs(struct replay *r, uint64_t *seed, long legs)
{
    bool clamped;

    r->legs = legs;
    for (long i = 0; i < legs; i++) {
        struct zoid_graph *g = &r->leg[i];
        struct zoid_census census;
        int rc;

        if (i > 0) {
            *g = g[-1];
            g->steps = case_between(seed, 0, 12);
            g->depth = case_between(seed, 1, 12);
            rc = zoid_graph_follow(g, &g[-1], r->end[i - 1] - g[-1].start, &clamped);
        } else {
            g->leg.is = legs > 1 ? ZOID_LEG_FIRST : ZOID_LEG_ONLY;
            g->start = case_between(seed, 0, 9);
            rc = zoid_graph_init(g, &clamped);
        }
        ck_assert_int_eq(rc, 0);
        r->end[i] = g->start + g->steps;
        if (g->steps > g->depth && case_between(seed, 0, 1))
            r->end[i] = g->start + g->depth * case_between(seed, 1, (g->steps - 1) / g->depth);
        zoid_graph_census(g, &census);
        zoid_census_join(&r->census, &census);
    }
}

static void emit_legs(struct replay *r)
{
    for (long i = 0; i < r->legs; i++) {
        r->graph = &r->leg[i];
        r->sink.store = i + 1 < r->legs ? NULL : on_store;
        ck_assert_int_eq(zoid_graph_emit(r->graph, &r->sink), 0);
    }
}

static void allocate(struct replay *r)
{
    size_t n = (size_t)r->graph->shape.n[r->chain];

    for (int k = 0; k < ZOID_KINDS; k++) {
        size_t count = (size_t)(r->census.kind[k].rows * r->census.kind[k].cols);

        r->data[k] = calloc(count + 1, sizeof *r->data[k]);
        for (size_t i = 0; i < count; i++) {
            struct zoid_datum d = {.kind = (enum zoid_kind)k, .col = (long)i};

            r->data[k][i] = calloc((size_t)r->census.kind[k].planes + 1, sizeof *r->data[k][i]);
            forget(r, &d);
        }
    }
    r->first = calloc(n, sizeof *r->first);
    r->last = calloc(n, sizeof *r->last);
    r->constant = calloc(n, sizeof *r->constant);
    for (size_t z = 0; z < n; z++) {
        r->first[z].field[0] = mix(z, 3);
        if (r->graph->shape.alternates)
            r->first[z].field[1] = mix(z, 5);
        r->constant[z].field[0] = mix(z, 4);
    }
}

static void release(struct replay *r)
{
    for (int k = 0; k < ZOID_KINDS; k++) {
        for (long i = 0; i < r->census.kind[k].rows * r->census.kind[k].cols; i++)
            free(r->data[k][i]);
        free(r->data[k]);
    }
    free(r->first);
    free(r->last);
    free(r->constant);
}

START_TEST(graphs_compute_what_the_domain_does)
{
    uint64_t seed = (uint64_t)_i << 32 | 5;

    for (int i = 0; i < CASES; i++) {
        struct replay r = {.sink = {.load = on_load, .block = on_block, .last = on_last}};

        r.leg[0] = case_graph(&seed, zoid_methods[_i / PARTS]);
        r.graph = r.leg;
        r.chain = zoid_chain(&r.graph->shape);
        make_legs(&r, &seed, case_between(&seed, 0, 1) ? 1 : case_between(&seed, 2, LEGS));
        allocate(&r);
        run_plainly(&r);
        emit_legs(&r);
        ck_assert_int_eq(r.stored, r.graph->shape.n[r.chain]);
        release(&r);
    }
}
END_TEST

static void add(TCase *tests)
{
    const int methods = case_methods();

    tcase_add_loop_test(tests, graphs_compute_what_the_domain_does, 0, methods * PARTS);
}

int main(void)
{
    return run_suite("replay", 120, add);
}
