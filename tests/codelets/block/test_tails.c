/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of layers behind the fields of messages: a block leaves it from its pieces, a join adds
 * that of other messages, and a block takes it into its pieces, point by point. */
#include <stdlib.h>
#include <string.h>

#include "codelets/block/halo.h"
#include "codelets/block/layout.h"
#include "codelets/block/run.h"
#include "codelets/cpu/run.h"
#include "graphs/rim.h"
#include "tests/codelets/fused.h"
#include "tests/codelets/sample.h"
#include "tests/effort.h"
#include "tests/suite.h"

enum { TRIALS = 400, MOST = 24, MESSAGES = 3, PIECES = 2 };

/* A message: the planes [lo, hi) of a patch, of which a block leaves the points of `kept`. */
struct message {
    struct zoid_part part;
    struct zoid_patch patch, kept;
    long lo, hi;
};

struct trial {
    const struct zoid_op *op;
    struct zoid_params params;
    struct zoid_shape shape;
    struct zoid_layout layout;
    struct zoid_layers layers;
    int chain;
    size_t size;
    uint64_t random;
    struct message message[1 + MESSAGES]; /* the first one is joined */
    struct zoid_part piece[PIECES];
};

static struct zoid_range cut(const struct zoid_range *a, long lo, long hi)
{
    return (struct zoid_range){a->lo > lo ? a->lo : lo, a->hi < hi ? a->hi : hi};
}

static void put(const struct trial *b, void *base, long i, double value)
{
    if (b->size == sizeof(zoid_f32))
        ((zoid_f32 *)base)[i] = (zoid_f32)value;
    else
        ((zoid_f64 *)base)[i] = value;
}

static double get(const struct trial *b, const void *base, long i)
{
    return b->size == sizeof(zoid_f32) ? (double)((const zoid_f32 *)base)[i]
                                       : ((const zoid_f64 *)base)[i];
}

/* The value of a point's memory: layers, values and points differ; those of both layers along the
 * chain axis are told apart by the plane. */
static double code(const struct trial *b, int face, int v, long plane, long x, long y)
{
    const int layer = face / ZOID_SIDES == b->chain ? 2 * b->chain : face;

    return 1 + (double)((((plane * 5 + layer) * ZOID_LAYER_VALUES + v) * MOST + y) * MOST + x);
}

static bool in_patch(const struct message *m, const struct zoid_patch *patch, long plane, long x,
                     long y)
{
    const struct zoid_range *a = patch->axis;

    return plane >= m->lo && plane < m->hi && x >= a[0].lo && x < a[0].hi &&
           (zoid_range_all(&a[1]) || (y >= a[1].lo && y < a[1].hi));
}

/* ---- elements ------------------------------------------------------------------------------ */

/* A call for each value of memory of a datum, at `element` from `base`. */
typedef void value_fn(const struct trial *b, int face, int v, long plane, long x, long y,
                      void *base, long element);

/* Those of the layer at a face; `at` is where the layer begins in its plane. */
static long each_of_area(const struct trial *b, struct message *m, int face, long plane, long at,
                         value_fn *call)
{
    const int axis = face / ZOID_SIDES;
    const struct zoid_layer_face *f = &b->layers.face[axis][face % ZOID_SIDES];
    const struct zoid_layer_face *low = b->layers.face[axis], *high = low + 1;
    struct zoid_range x = m->patch.axis[0], y = m->patch.axis[1];
    const bool there = axis < b->chain || (low->there && plane >= low->lo && plane < low->hi) ||
                       (high->there && plane >= high->lo && plane < high->hi);
    char *base =
        (char *)m->part.base + (size_t)(b->op->nstate * m->part.capacity) * m->part.halo * b->size;

    if (b->chain == 1)
        y = (struct zoid_range){0, 1};
    if (axis < b->chain)
        *(axis ? &y : &x) = cut(axis ? &y : &x, f->lo, f->hi);
    if (x.lo >= x.hi || y.lo >= y.hi)
        return at;
    at += (plane - m->lo) * (long)m->part.tail.plane;
    for (int v = 0; v < ZOID_LAYER_VALUES; v++)
        for (long j = y.lo; j < y.hi; j++)
            for (long i = x.lo; i < x.hi; i++, at++)
                if (there)
                    call(b, face, v, plane, i, j, base, at);
    return at - (plane - m->lo) * (long)m->part.tail.plane;
}

static void each_in_message(const struct trial *b, struct message *m, value_fn *call)
{
    for (long plane = m->lo; plane < m->hi; plane++) {
        long at = 0;

        for (int face = 0; face < b->chain * ZOID_SIDES; face++)
            if (b->layers.face[face / ZOID_SIDES][face % ZOID_SIDES].there)
                at = each_of_area(b, m, face, plane, at, call);
        if (m->part.tail.across)
            at = each_of_area(b, m, b->chain * ZOID_SIDES, plane, at, call);
        ck_assert_int_le(at, (long)m->part.tail.plane);
    }
}

static void each_in_piece(const struct trial *b, const struct zoid_part *piece, value_fn *call)
{
    const long *n = b->shape.n;

    for (long plane = piece->in.lo; plane < piece->in.hi; plane++)
        for (int face = 0; face < b->shape.dims * ZOID_SIDES; face++) {
            const int axis = face / ZOID_SIDES;
            const struct zoid_layer_face *f = &b->layers.face[axis][face % ZOID_SIDES];
            const bool chain = axis == b->chain;
            const struct zoid_range x = {axis ? 0 : f->lo, axis ? n[0] : f->hi};
            const struct zoid_range y = {axis == 1 && !chain ? f->lo : 0, b->chain == 1 ? 1
                                                                          : axis == 1 && !chain
                                                                              ? f->hi
                                                                              : n[1]};

            if (!f->there || (chain && (plane < f->lo || plane >= f->hi)))
                continue;
            for (int v = 0; v < ZOID_LAYER_VALUES; v++)
                for (long j = y.lo; j < y.hi; j++)
                    for (long i = x.lo; i < x.hi; i++)
                        call(b, face, v, plane, i, j, piece->base,
                             zoid_layers_at(&b->layers, f, piece->in.lo, plane, i, j) +
                                 v * f->apart);
        }
}

/* ---- a trial ------------------------------------------------------------------------------- */

static void make_message(struct trial *b, struct message *m)
{
    const long *n = b->shape.n;
    struct zoid_rim rim;

    *m = (struct message){.lo = sample_between(&b->random, 0, n[b->chain] - 1)};
    m->hi = sample_between(&b->random, m->lo + 1, n[b->chain]);
    for (int a = 0; a < b->chain; a++) {
        m->patch.axis[a].lo = sample_between(&b->random, 0, n[a] - 1);
        m->patch.axis[a].hi = sample_between(&b->random, m->patch.axis[a].lo + 1, n[a]);
        m->kept.axis[a].lo =
            sample_between(&b->random, m->patch.axis[a].lo, m->patch.axis[a].hi - 1);
        m->kept.axis[a].hi =
            sample_between(&b->random, m->kept.axis[a].lo + 1, m->patch.axis[a].hi);
    }
    rim = zoid_patch_rim(&m->patch);
    m->part = (struct zoid_part){
        .capacity = m->hi - m->lo,
        .halo = zoid_layout_rim(&b->layout, &rim),
        .rim = rim,
        .tail = zoid_halo_tail(&b->shape, &b->layers, &rim, sample_between(&b->random, 0, 3)),
        .in = {.lo = m->lo, .hi = m->hi, .patch = m->patch},
        .out = {.lo = m->lo, .hi = m->hi, .patch = m->kept}};
    m->part.base =
        calloc((size_t)m->part.capacity,
               ((size_t)b->op->nstate * m->part.halo + m->part.tail.plane) * b->size + b->size);
}

static void make_pieces(struct trial *b)
{
    const long n = b->shape.n[b->chain], middle = sample_between(&b->random, 1, n - 1);

    for (int i = 0; i < PIECES; i++) {
        const struct zoid_view planes = {.lo = i ? middle : 0, .hi = i ? n : middle};
        const long elements = zoid_layers_elements(&b->layers, planes.lo, planes.hi);

        b->piece[i] = (struct zoid_part){.reads = true,
                                         .writes = true,
                                         .memory = true,
                                         .in = planes,
                                         .out = planes,
                                         .base = calloc((size_t)elements + 1, b->size)};
    }
}

static void choose(struct trial *b, uint64_t seed)
{
    long n[ZOID_AXES] = {1, 1, 1};

    *b = (struct trial){.random = sample_mix(seed)};
    b->chain = (int)sample_between(&b->random, 1, 2);
    b->op = zoid_op_find("wave", b->chain + 1, 1, sample_between(&b->random, 0, 1));
    b->size = zoid_type_size(b->op->type);
    b->params = sample_params(b->op);
    b->params.speed = 0.3;
    b->params.pml.points = sample_between(&b->random, 1, 6);
    for (int a = 0; a <= b->chain; a++)
        n[a] = sample_between(&b->random, 2 * (b->params.pml.points + 1) + 1, MOST);
    b->shape = zoid_op_shape(b->op, n);
    for (int face = 0; face < b->op->dims * ZOID_SIDES; face++)
        if (sample_between(&b->random, 0, 2))
            b->shape.face[face / ZOID_SIDES][face % ZOID_SIDES] = ZOID_PML;
    b->layout = zoid_layout_make(b->op, n, zoid_layout_ghost(&b->shape));
    b->layers = zoid_layers_of(b->op, &b->shape, &b->params, &b->layout);
    for (int i = 0; i <= MESSAGES; i++)
        make_message(b, &b->message[i]);
    make_pieces(b);
}

static void clear(struct trial *b)
{
    for (int i = 0; i <= MESSAGES; i++)
        free(b->message[i].part.base);
    for (int i = 0; i < PIECES; i++)
        free(b->piece[i].base);
}

static void give(const struct trial *b, int face, int v, long plane, long x, long y, void *base,
                 long element)
{
    put(b, base, element, code(b, face, v, plane, x, y));
}

static void is_given(const struct trial *b, int face, int v, long plane, long x, long y, void *base,
                     long element)
{
    ck_assert_msg(get(b, base, element) == code(b, face, v, plane, x, y),
                  "%s: face %d, value %d of %ld, %ld, plane %ld is %g, not %g", b->op->name, face,
                  v, x, y, plane, get(b, base, element), code(b, face, v, plane, x, y));
}

/* It was 0, and stays so where no message has the point. */
static void is_joined(const struct trial *b, int face, int v, long plane, long x, long y,
                      void *base, long element)
{
    bool any = false;

    for (int i = 1; i <= MESSAGES; i++) {
        const struct message *m = &b->message[i];

        any |= in_patch(m, &m->patch, plane, x, y) && m->part.tail.plane &&
               (face / ZOID_SIDES < b->chain || m->part.tail.across);
    }
    if (any && b->message[0].part.tail.plane)
        is_given(b, face, v, plane, x, y, base, element);
    else
        ck_assert(get(b, base, element) == 0);
}

static void run(struct trial *b, size_t n, const struct zoid_part *part, bool joins)
{
    const struct zoid zoid = zoid_domain(&b->shape, 0, 0);
    const struct zoid_block_args args = {.op = b->op,
                                         .params = &b->params,
                                         .shape = &b->shape,
                                         .layout = &b->layout,
                                         .zoid = zoid,
                                         .region = zoid,
                                         .nparts = n,
                                         .part = part};
    const struct zoid_cpu cpu = {.isa = ZOID_PORTABLE};

    if (joins)
        ck_assert_int_eq(zoid_run_join(&args, &zoid_cpu, NULL), 0);
    else
        fused_run(&args, &cpu, 0);
}

START_TEST(messages_join)
{
    struct trial b;
    struct zoid_part part[1 + MESSAGES];

    for (int i = 0; i < effort(TRIALS); i++) {
        choose(&b, (uint64_t)i);
        for (int k = 0; k <= MESSAGES; k++) {
            part[k] = b.message[k].part;
            part[k].reads = k > 0;
            part[k].writes = k == 0;
            if (k)
                each_in_message(&b, &b.message[k], give);
        }
        run(&b, 1 + MESSAGES, part, true);
        each_in_message(&b, &b.message[0], is_joined);
        clear(&b);
    }
}
END_TEST

/* Points that are not kept stay 0, */
static void is_left(const struct trial *b, int face, int v, long plane, long x, long y, void *base,
                    long element)
{
    const struct message *m = &b->message[0];

    if (in_patch(m, &m->kept, plane, x, y))
        is_given(b, face, v, plane, x, y, base, element);
    else
        ck_assert(get(b, base, element) == 0);
}

/* and so do those of pieces that the message does not have. */
static void is_taken(const struct trial *b, int face, int v, long plane, long x, long y, void *base,
                     long element)
{
    const struct message *m = &b->message[0];

    if (in_patch(m, &m->kept, plane, x, y) && (face / ZOID_SIDES < b->chain || m->part.tail.across))
        is_given(b, face, v, plane, x, y, base, element);
    else
        ck_assert(get(b, base, element) == 0);
}

START_TEST(blocks_leave_and_take)
{
    struct trial b;

    for (int i = 0; i < effort(TRIALS); i++) {
        struct zoid_part part[2 + PIECES];
        size_t slab;

        choose(&b, (uint64_t)(TRIALS + i));
        slab = (size_t)(b.op->nstate * b.shape.n[b.chain]) * zoid_layout_plane_bytes(&b.layout);
        part[0] = (struct zoid_part){.reads = true,
                                     .base = calloc(1, slab),
                                     .capacity = b.shape.n[b.chain],
                                     .in = {.hi = b.shape.n[b.chain]}};
        part[1] = b.message[0].part;
        part[1].writes = true;
        memcpy(part + 2, b.piece, sizeof b.piece);
        for (int k = 0; k < PIECES; k++)
            each_in_piece(&b, &b.piece[k], give);
        run(&b, 2 + PIECES, part, false);
        each_in_message(&b, &b.message[0], is_left);
        for (int k = 0; k < PIECES; k++)
            memset(b.piece[k].base, 0,
                   (size_t)zoid_layers_elements(&b.layers, b.piece[k].in.lo, b.piece[k].in.hi) *
                       b.size);
        part[1].writes = false;
        part[1].reads = true;
        run(&b, 2 + PIECES, part, false);
        for (int k = 0; k < PIECES; k++)
            each_in_piece(&b, &b.piece[k], is_taken);
        free(part[0].base);
        clear(&b);
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, messages_join);
    tcase_add_test(tests, blocks_leave_and_take);
}

int main(void)
{
    return run_suite("tails", 60, add);
}
