/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs run for real, with a number for each plane: the data are arrays of slots, blocks take
 * planes from where their views say they are and leave others where they say they belong, and what
 * comes out is what the whole domain makes of itself plane by plane. Knows neither builders nor the
 * prover. */
#include <stdlib.h>
#include <string.h>

#include "tests/graphs/cases.h"
#include "tests/suite.h"

enum { PARTS = 4, CASES = 250, LEGS = 4 };

typedef uint64_t number;

static const number poison = 0xdeaddeaddeaddead;

struct replay {
    struct zoid_sink sink;
    const struct zoid_graph *graph; /* the leg that is at its turn */
    long legs;
    struct zoid_graph leg[LEGS];
    long end[LEGS];            /* the step at which each of them ends */
    struct zoid_census census; /* of all of them */
    number **data[ZOID_KINDS];
    number *first, *last, *constant; /* of the planes: at both ends, and their coefficients */
    long stored;
    int chain;
    /* The block that runs, and planes [lo, hi) of each of its times. */
    const struct zoid_block *block;
    struct {
        long lo, hi;
        number *plane;
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

/* Whether a stage reads what lies below as it is now. */
static bool ascends(const struct replay *r, long t)
{
    const struct zoid_shape *shape = &r->graph->shape;

    return shape->order[(t - 1) % shape->stages] == ZOID_ASCENDING;
}

/* Whether a plane is computed from the coefficients of another one that its stage looks at. */
static bool near(const struct replay *r, long plane, long other)
{
    const struct zoid_graph *g = r->graph;

    if (g->coefficients == ZOID_COEFFICIENTS_NEAR)
        return other >= plane - g->coefficient_reach.lo && other <= plane + g->coefficient_reach.hi;
    return g->coefficients;
}

static number next_of(const struct replay *r, const number *before, const number *now, long t,
                      long plane)
{
    const struct zoid_shape *shape = &r->graph->shape;
    const struct zoid_reach *reach = &shape->reach[(t - 1) % shape->stages];
    number value = (number)t;

    for (long z = plane - reach->lo[r->chain]; z <= plane + reach->hi[r->chain]; z++) {
        long from = zoid_fold(shape, r->chain, z);
        const number *state = z < plane && ascends(r, t) ? now : before;
        bool constant = near(r, plane, zoid_chain_periodic(shape) ? z : from);

        value = mix(value, inside(r, from) ? state[from] : 1);
        value = mix(value, inside(r, from) && constant ? r->constant[from] : 2);
    }
    return value;
}

static void run_plainly(struct replay *r)
{
    long n = r->graph->shape.n[r->chain];
    number *state = r->last, *spare = calloc((size_t)n, sizeof *spare);

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

static number *slots(const struct replay *r, const struct zoid_datum *d)
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

/* The plane as the block numbers it, state or coefficients, at a time of the block. */
static number given(const struct replay *r, bool constant, long t, long plane)
{
    const struct zoid_block *b = r->block;

    if (!constant && t > b->zoid.t0 && plane >= r->level[t - b->zoid.t0].lo &&
        plane < r->level[t - b->zoid.t0].hi)
        return r->level[t - b->zoid.t0].plane[plane - r->level[t - b->zoid.t0].lo];
    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];

        if ((a->datum.kind == ZOID_COEFFICIENT) == constant && a->mode & ZOID_READ &&
            zoid_view_has(&a->in, t, plane))
            return slots(r, &a->datum)[zoid_view_slot(&a->in, t, plane)];
    }
    return poison;
}

static number computed(const struct replay *r, long t, long plane)
{
    const struct zoid_shape *shape = &r->graph->shape;
    const struct zoid_reach *reach = &shape->reach[(t - 1) % shape->stages];
    number value = (number)t;

    for (long z = plane - reach->lo[r->chain]; z <= plane + reach->hi[r->chain]; z++) {
        long from = zoid_chain_periodic(shape) ? z : zoid_fold(shape, r->chain, z);
        bool there = exists(r, from);

        value = mix(value, there ? given(r, false, t - (z >= plane || !ascends(r, t)), from) : 1);
        value = mix(value, there && near(r, plane, from) ? given(r, true, t, from) : 2);
    }
    return value;
}

static void compute(struct replay *r, long t)
{
    struct zoid_box box = zoid_clipped_at(&r->block->zoid, &r->block->region, t);
    long level = t - r->block->zoid.t0, lo = box.lo[r->chain], hi = box.hi[r->chain];
    number *plane = calloc((size_t)(hi - lo) + 1, sizeof *plane);

    r->level[level].lo = r->level[level].hi = lo;
    r->level[level].plane = plane;
    for (long z = lo; z < hi; z++) {
        plane[z - lo] = computed(r, t, z);
        r->level[level].hi = z + 1;
    }
}

/* Into a copy of the datum, since others may still want what it held, and what it keeps stays. */
static number *leave(const struct replay *r, const struct zoid_access *a)
{
    size_t room = (size_t)r->census.kind[a->datum.kind].planes;
    number *copy = calloc(room, sizeof *copy);

    for (size_t i = 0; i < room; i++)
        copy[i] = a->keeps ? slots(r, &a->datum)[i] : poison;
    for (long t = a->out.t0; t <= a->out.t1; t++)
        for (long z = a->out.lo + a->out.drift * (t - a->out.t0); zoid_view_has(&a->out, t, z); z++)
            if (exists(r, z))
                copy[zoid_view_slot(&a->out, t, z)] = given(r, false, t, z);
    return copy;
}

static int on_block(struct zoid_sink *sink, const struct zoid_block *b)
{
    struct replay *r = (struct replay *)sink;
    size_t levels = (size_t)(b->zoid.t1 - b->zoid.t0) + 1;
    number *left[b->naccess + 1];

    r->block = b;
    r->level = calloc(levels, sizeof *r->level);
    for (long t = b->zoid.t0 + 1; t <= b->zoid.t1; t++)
        compute(r, t);
    for (size_t i = 0; i < b->naccess; i++)
        left[i] = b->access[i].mode & ZOID_WRITE ? leave(r, &b->access[i]) : NULL;
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
    const number *from = a->datum.kind == ZOID_COEFFICIENT ? r->constant : r->first;

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
            ck_assert_msg(slots(r, &a->datum)[zoid_view_slot(&a->in, a->in.t0, z)] == r->last[z],
                          "%s: plane %ld is wrong", case_words(r->graph), z);
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

/* As many legs as are wanted, some of which their sink ends. */
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
        r->first[z] = mix(z, 3);
        r->constant[z] = mix(z, 4);
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
