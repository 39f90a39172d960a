/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps of every variant, those of tests/outside/lopsided.def too, and instruction set against the
 * reference, byte for byte: the domain is cut into random boxes, each swept from input planes
 * scattered over several segments that hold only values that the stage may read of each field;
 * points outside the box must not change. Then the planes are finished: ghost points must equal the
 * points that they mirror. */
#include <stdlib.h>
#include <string.h>

#include "codelets/block/finish.h"
#include "codelets/op/reference.h"
#include "codelets/op/traits.h"
#include "tests/codelets/sample.h"
#include "tests/effort.h"
#include "tests/suite.h"

/* TRIALS: for all variants together. */
enum { TRIALS = 900, MOST_PLANES = 20100 };

struct trial {
    const struct zoid_op *op;
    enum zoid_isa isa;
    struct zoid_shape shape;
    struct zoid_layout layout;
    struct zoid_finish finish;
    struct zoid_groups groups;
    size_t size, plane; /* bytes of an element, elements of a plane */
    int chain;
    long t;
    uint64_t random;
    const char *coefficients; /* plain arrays of all fields; only the coefficients are used */
    const char *from;         /* the state at the previous time */
    char *to;                 /* the state at this time */
};

static size_t points(const struct zoid_shape *s)
{
    return (size_t)(s->n[0] * s->n[1] * s->n[2]);
}

/* Maps a point to its image q in the domain; returns false if there is no image. */
static bool stands_for(const struct trial *w, const long p[ZOID_AXES], long q[ZOID_AXES])
{
    for (int a = 0; a < ZOID_AXES; a++) {
        q[a] = zoid_fold(&w->shape, a, p[a]);
        if (q[a] < 0 || q[a] >= w->shape.n[a])
            return false;
    }
    return true;
}

static bool in_box(const struct zoid_box *box, const long p[ZOID_AXES])
{
    for (int a = 0; a < ZOID_AXES; a++)
        if (p[a] < box->lo[a] || p[a] >= box->hi[a])
            return false;
    return true;
}

/* Byte offset of a domain point in the plain arrays. */
static size_t plain_at(const struct trial *w, int field, const long p[ZOID_AXES])
{
    const long *n = w->shape.n;

    return (size_t)(((field * n[2] + p[2]) * n[1] + p[1]) * n[0] + p[0]) * w->size;
}

/* Address of a point in a segment whose first field is `first`. */
static char *segment_at(const struct trial *w, const struct zoid_segment *segment, int field,
                        const long p[ZOID_AXES])
{
    long x = w->chain > 0 ? p[0] : 0, y = w->chain > 1 ? p[1] : 0;

    return (char *)segment->base +
           ((size_t)field * segment->field + (size_t)(p[w->chain] - segment->lo) * w->plane +
            (size_t)zoid_layout_at(&w->layout, x, y)) *
               w->size;
}

struct point {
    int field;
    long p[ZOID_AXES];
    char *at;
};

/* Calls f for every point of a segment with the fields [first, end), ghost points included. */
static void each_point(struct trial *w, const struct zoid_segment *segment, int first, int end,
                       void *context, void (*f)(struct trial *w, void *context, struct point *at))
{
    long lo[ZOID_AXES] = {0}, hi[ZOID_AXES] = {1, 1, 1};
    struct point at;

    for (int a = 0; a < w->chain; a++) {
        lo[a] = w->layout.lo[a];
        hi[a] = w->layout.hi[a];
    }
    lo[w->chain] = segment->lo;
    hi[w->chain] = segment->hi;
    for (at.field = first; at.field < end; at.field++)
        for (at.p[2] = lo[2]; at.p[2] < hi[2]; at.p[2]++)
            for (at.p[1] = lo[1]; at.p[1] < hi[1]; at.p[1]++)
                for (at.p[0] = lo[0]; at.p[0] < hi[0]; at.p[0]++) {
                    at.at = segment_at(w, segment, at.field - first, at.p);
                    f(w, context, &at);
                }
}

/* True if the stage may read a field at a point for the box: within the reach in its row, and where
 * the field is carried over. */
static bool may_read(const struct trial *w, const struct zoid_sweep *sweep, const struct point *at)
{
    const struct zoid_stage *stage = &w->op->stage[zoid_stage_of(w->op, w->t)];
    struct zoid_box around = sweep->box;

    if (sweep->fields >> at->field & 1 && in_box(&around, at->p))
        return true;
    for (int r = 0; r < stage->nreads; r++) {
        const struct zoid_read *read = &stage->read[r];

        for (int a = 0; a < ZOID_AXES; a++) {
            around.lo[a] = sweep->box.lo[a] - read->reach.lo[a];
            around.hi[a] = sweep->box.hi[a] + read->reach.hi[a];
        }
        if (read->field == at->field && in_box(&around, at->p))
            return true;
    }
    return false;
}

static void put_near(struct trial *w, void *context, struct point *at)
{
    long q[ZOID_AXES];

    if (may_read(w, context, at) && stands_for(w, at->p, q))
        sample_image(w->op, &w->shape, at->field, at->p,
                     (at->field < w->op->nstate ? w->from : w->coefficients) +
                         plain_at(w, at->field, q),
                     at->at);
}

/* True if an output holds a point that the sweep stores, or a ghost point of one, and then its
 * image in q. If the operator handles its own edges there are no ghost points. */
static bool stored(const struct trial *w, const struct zoid_sweep *sweep, const struct point *at,
                   long q[ZOID_AXES])
{
    return sweep->fields >> at->field & 1 && stands_for(w, at->p, q) && in_box(&sweep->box, q) &&
           at->p[w->chain] == q[w->chain] &&
           (!w->op->own_edges || memcmp(at->p, q, sizeof at->p) == 0);
}

/* Copies the box out of the output segment. */
static void take_box(struct trial *w, void *context, struct point *at)
{
    long q[ZOID_AXES];

    if (stored(w, context, at, q) && memcmp(at->p, q, sizeof q) == 0)
        memcpy(w->to + plain_at(w, at->field, q), at->at, w->size);
}

/* Compares the box's points and their ghost points with the copy, and poisons them. */
static void compare_ghost(struct trial *w, void *context, struct point *at)
{
    long q[ZOID_AXES];
    double image;

    if (!stored(w, context, at, q))
        return;
    sample_image(w->op, &w->shape, at->field, at->p, w->to + plain_at(w, at->field, q), &image);
    ck_assert_msg(memcmp(at->at, &image, w->size) == 0, "%s: ghost %ld %ld %ld", w->op->name,
                  at->p[0], at->p[1], at->p[2]);
    sample_poison(at->at, w->size);
}

static size_t segment_bytes(const struct trial *w, const struct zoid_segment *segment, int fields)
{
    return ((size_t)(fields - 1) * segment->field +
            (size_t)(segment->hi - segment->lo) * w->plane) *
           w->size;
}

static struct zoid_segment new_segment(struct trial *w, long lo, long hi, int fields)
{
    size_t gap = (size_t)sample_between(&w->random, 0, 2) * ZOID_LINE / w->size;
    struct zoid_segment segment = {.lo = lo, .hi = hi, .field = (size_t)(hi - lo) * w->plane + gap};

    segment.base = sample_memory(segment_bytes(w, &segment, fields));
    sample_poison(segment.base, segment_bytes(w, &segment, fields));
    return segment;
}

/* The planes of a group that the box reads, cut into segments listed in random order. Planes beyond
 * the domain exist only at mirrored or periodic faces. */
static size_t input_segments(struct trial *w, struct zoid_sweep *sweep, int g,
                             struct zoid_segment *segment)
{
    struct zoid_reach reach = zoid_op_reach(w->op, zoid_stage_of(w->op, w->t));
    int c = w->chain, first = w->groups.first[g], end = w->groups.first[g + 1];
    long lo = sweep->box.lo[c] - reach.lo[c], hi = sweep->box.hi[c] + reach.hi[c];
    size_t n = 0;

    if (!zoid_face_open(&w->shape, c, ZOID_LOW))
        lo = lo > 0 ? lo : 0;
    if (!zoid_face_open(&w->shape, c, ZOID_HIGH))
        hi = hi < w->shape.n[c] ? hi : w->shape.n[c];
    while (lo < hi && first < end) {
        long cut = sample_between(&w->random, lo + 1, hi);
        size_t at = (size_t)sample_between(&w->random, 0, (long)n);
        struct zoid_segment next = new_segment(w, lo, cut, end - first);

        each_point(w, &next, first, end, sweep, put_near);
        segment[n++] = segment[at];
        segment[at] = next;
        lo = cut;
    }
    return n;
}

/* Ghosts at free faces also stand for points outside of the box, with the sign turned. */
static bool all_poison(const struct trial *w, const struct zoid_segment *segment)
{
    for (size_t i = 0; i < segment_bytes(w, segment, w->op->nstate); i++)
        if ((((const unsigned char *)segment->base)[i] | 0x80) != 0xff)
            return false;
    return true;
}

static void sweep_box(struct trial *w, const struct zoid_box *box)
{
    static struct zoid_segment in[ZOID_MAX_GROUPS + 1][MOST_PLANES];
    unsigned all = (1u << w->op->nstate) - 1;
    int written = zoid_op_written(w->op, zoid_stage_of(w->op, w->t));
    unsigned group =
        ((1u << w->groups.first[written + 1]) - 1) & ~((1u << w->groups.first[written]) - 1);
    long below = sample_between(&w->random, 0, 1), above = sample_between(&w->random, 0, 1);
    struct zoid_sweep sweep = {.op = w->op,
                               .params = (const struct zoid_params[]){sample_params(w->op)},
                               .shape = &w->shape,
                               .layout = &w->layout,
                               .t = w->t,
                               .box = *box,
                               .fields = sample_between(&w->random, 0, 1) ? group : all};

    for (int g = 0; g <= w->groups.n; g++)
        sweep.in[g] = (struct zoid_segments){input_segments(w, &sweep, g, in[g]), in[g]};
    sweep.out = new_segment(w, box->lo[w->chain] - below, box->hi[w->chain] + above, w->op->nstate);
    w->op->cpu[w->isa](&sweep);
    zoid_finish_sweep(&w->finish, &sweep);
    each_point(w, &sweep.out, 0, w->op->nstate, &sweep, take_box);
    each_point(w, &sweep.out, 0, w->op->nstate, &sweep, compare_ghost);
    ck_assert_msg(all_poison(w, &sweep.out), "%s %s wrote outside its box", w->op->name,
                  zoid_isa_name(w->isa));
    for (int g = 0; g <= w->groups.n; g++)
        for (size_t i = 0; i < sweep.in[g].n; i++)
            free(in[g][i].base);
    free(sweep.out.base);
}

/* Cuts the box in two at a random place, recursively. */
static void sweep_parts(struct trial *w, struct zoid_box box, int cuts)
{
    struct zoid_box low = box, high = box;
    int axis = (int)sample_between(&w->random, 0, w->op->dims - 1);
    long cut = sample_between(&w->random, box.lo[axis], box.hi[axis]);

    low.hi[axis] = high.lo[axis] = cut;
    if (cuts > 0 && cut > box.lo[axis] && cut < box.hi[axis]) {
        sweep_parts(w, low, cuts - 1);
        sweep_parts(w, high, cuts - 1);
    } else {
        sweep_box(w, &box);
    }
}

/* The first trial of the best instruction set is large enough for a sweep to be cut into strips, or
 * a line into parts. */
static void choose_domain(struct trial *w, bool large)
{
    static const long widest[][ZOID_AXES] = {{300}, {90, 40}, {90, 14, 9}};
    static const long largest[][ZOID_AXES] = {{20000}, {4100, 20}, {300, 60, 9}};
    long n[ZOID_AXES];

    for (int a = 0; a < w->op->dims; a++)
        n[a] = large ? largest[w->chain][a] : sample_between(&w->random, 1, widest[w->chain][a]);
    w->shape = zoid_op_shape(w->op, n);
    sample_faces(w->op, &w->random, w->op->dims, &w->shape);
    w->layout =
        zoid_layout_make(w->op, n, zoid_layout_ghost(&w->shape) + sample_between(&w->random, 0, 2));
    w->finish = zoid_finish_of(w->op, &w->shape, &w->layout);
    w->plane = (size_t)w->layout.plane;
}

/* Computes a step stage by stage. */
static void all_stages(struct trial *w)
{
    size_t field = points(&w->shape) * w->size, bytes = (size_t)w->op->nstate * field;
    size_t all = bytes + (size_t)w->op->ncoef * field;
    char *initial = sample_memory(all), *state = sample_memory(bytes), *next = sample_memory(bytes);
    char *plain_spare = sample_memory(bytes), *expected, *spare;

    sample_fields(w->op, w->random, points(&w->shape), initial);
    memcpy(state, initial, bytes);
    w->coefficients = initial;
    for (w->t = 1; w->t <= w->op->nstages; w->t++) {
        struct zoid_box box = {.hi = {w->shape.n[0], w->shape.n[1], w->shape.n[2]}};

        w->from = state;
        w->to = next;
        memcpy(next, state, bytes);
        sweep_parts(w, box, (int)sample_between(&w->random, 0, 3));
        spare = state;
        state = next;
        next = spare;
    }
    expected = zoid_reference_run(
        &(struct zoid_reference){.op = w->op,
                                 .params = (const struct zoid_params[]){sample_params(w->op)},
                                 .shape = &w->shape,
                                 .steps = w->op->nstages / w->op->step,
                                 .threads = 1},
        initial, plain_spare);
    ck_assert_msg(memcmp(state, expected, bytes) == 0, "%s %s %ldx%ldx%ld", w->op->name,
                  zoid_isa_name(w->isa), w->shape.n[0], w->shape.n[1], w->shape.n[2]);
    free(initial);
    free(state);
    free(next);
    free(plain_spare);
}

START_TEST(same_bytes)
{
    struct trial w = {.op = sample_op(_i)};
    /* A large domain has a hundred times as many points: only a quarter of the variants have one in
     * a quick run. */
    const int trials = effort_each(TRIALS, sample_ops());
    const bool large = !effort_is_quick() || _i % 4 == 0;

    w.size = zoid_type_size(w.op->type);
    w.chain = w.op->dims - 1;
    w.groups = zoid_op_groups(w.op);
    /* These sweeps do not handle ordered points: see test_order. */
    for (int isa = 0; isa <= (int)zoid_isa_best() && !zoid_op_in_order(w.op); isa++)
        for (int i = 0; i < trials; i++) {
            w.isa = (enum zoid_isa)isa;
            w.random = sample_mix((uint64_t)(_i * trials + i));
            choose_domain(&w, large && i == 0 && isa == (int)zoid_isa_best());
            all_stages(&w);
        }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, same_bytes, 0, sample_ops());
}

int main(void)
{
    return run_suite("sweep", 240, add);
}
