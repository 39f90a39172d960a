/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps of every variant and instruction set against the reference, byte for byte: the domain is
 * cut into random boxes, each is swept from input planes scattered over several pieces that hold
 * nothing but what the stage may read, and what lies outside the box must not change. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/run.h"
#include "tests/codelets/sample.h"

enum { TRIALS = 150 };

struct trial {
    const struct zoid_op *op;
    enum zoid_isa isa;
    struct zoid_shape shape;
    struct zoid_layout layout;
    size_t size, plane; /* bytes of an element, elements of a plane */
    int chain;
    long t;
    uint64_t random;
    const char *from; /* plain arrays of the time before ... */
    char *to;         /* ... and of this one */
};

static size_t points(const struct zoid_shape *s)
{
    return (size_t)(s->n[0] * s->n[1] * s->n[2]);
}

/* Byte offset in the plain arrays. */
static size_t plain_at(const struct trial *w, int field, const long p[ZOID_AXES])
{
    const long *n = w->shape.n;

    return (size_t)(((field * n[2] + p[2]) * n[1] + p[1]) * n[0] + p[0]) * w->size;
}

/* Byte offset in a piece; false where the point is not in it. */
static bool piece_at(const struct trial *w, const struct zoid_piece *piece, int field,
                     const long p[ZOID_AXES], size_t *at)
{
    long x = w->chain > 0 ? p[0] : 0, y = w->chain > 1 ? p[1] : 0, plane = p[w->chain];

    *at = ((size_t)field * piece->field + (size_t)(plane - piece->lo) * w->plane +
           (size_t)zoid_layout_at(&w->layout, x, y)) *
          w->size;
    return plane >= piece->lo && plane < piece->hi;
}

/* Whether a point is at most the stage's reach away from the box. */
static bool near(const struct trial *w, const struct zoid_box *box, const long p[ZOID_AXES])
{
    const struct zoid_reach *reach = &w->shape.reach[(w->t - 1) % w->shape.stages];

    for (int a = 0; a < ZOID_AXES; a++)
        if (p[a] < box->lo[a] - reach->lo[a] || p[a] >= box->hi[a] + reach->hi[a])
            return false;
    return true;
}

/* Calls f for every field and point of the planes [lo, hi) that the domain has. */
static void each_point(struct trial *w, long lo, long hi, void *context,
                       void (*f)(struct trial *w, void *context, int field, const long *p))
{
    const long *n = w->shape.n;
    long plane = (long)points(&w->shape) / n[w->chain];

    lo = lo > 0 ? lo : 0;
    hi = hi < n[w->chain] ? hi : n[w->chain];
    for (int field = 0; field < w->op->nstate; field++)
        for (long i = lo * plane; i < hi * plane; i++)
            f(w, context, field, (long[]){i % n[0], i / n[0] % n[1], i / n[0] / n[1]});
}

struct transfer {
    const struct zoid_piece *piece;
    const struct zoid_box *box;
};

static void put_near(struct trial *w, void *context, int field, const long *p)
{
    const struct transfer *move = context;
    size_t at;

    if (piece_at(w, move->piece, field, p, &at) && near(w, move->box, p))
        memcpy((char *)move->piece->base + at, w->from + plain_at(w, field, p), w->size);
}

/* Takes the box out of the output piece and leaves poison there. */
static void take_box(struct trial *w, void *context, int field, const long *p)
{
    const struct transfer *move = context;
    size_t at;

    for (int a = 0; a < ZOID_AXES; a++)
        if (p[a] < move->box->lo[a] || p[a] >= move->box->hi[a])
            return;
    ck_assert(piece_at(w, move->piece, field, p, &at));
    memcpy(w->to + plain_at(w, field, p), (char *)move->piece->base + at, w->size);
    sample_poison((char *)move->piece->base + at, w->size);
}

static size_t piece_bytes(const struct trial *w, const struct zoid_piece *piece)
{
    return ((size_t)(w->op->nstate - 1) * piece->field +
            (size_t)(piece->hi - piece->lo) * w->plane) *
           w->size;
}

static struct zoid_piece new_piece(struct trial *w, long lo, long hi)
{
    size_t gap = (size_t)sample_between(&w->random, 0, 2) * ZOID_LINE / w->size;
    struct zoid_piece piece = {.lo = lo, .hi = hi, .field = (size_t)(hi - lo) * w->plane + gap};

    piece.base = sample_memory(piece_bytes(w, &piece));
    sample_poison(piece.base, piece_bytes(w, &piece));
    return piece;
}

/* The planes that the box reads, cut into pieces that are listed in random order. */
static size_t input_pieces(struct trial *w, const struct zoid_box *box, struct zoid_piece *piece)
{
    const struct zoid_reach *reach = &w->shape.reach[(w->t - 1) % w->shape.stages];
    long lo = box->lo[w->chain] - reach->lo[w->chain], hi = box->hi[w->chain] + reach->hi[w->chain];
    size_t n = 0;

    lo = lo > 0 ? lo : 0;
    hi = hi < w->shape.n[w->chain] ? hi : w->shape.n[w->chain];
    while (lo < hi) {
        long end = sample_between(&w->random, lo + 1, hi);
        size_t at = (size_t)sample_between(&w->random, 0, (long)n);
        struct zoid_piece next = new_piece(w, lo, end);

        each_point(w, lo, end, &(struct transfer){&next, box}, put_near);
        piece[n++] = piece[at];
        piece[at] = next;
        lo = end;
    }
    return n;
}

static bool all_poison(const struct trial *w, const struct zoid_piece *piece)
{
    for (size_t i = 0; i < piece_bytes(w, piece); i++)
        if (((const unsigned char *)piece->base)[i] != 0xff)
            return false;
    return true;
}

static void sweep_box(struct trial *w, const struct zoid_box *box)
{
    struct zoid_piece *in = sample_memory((size_t)(w->shape.n[w->chain] + 1) * sizeof *in);
    long below = sample_between(&w->random, 0, 1), above = sample_between(&w->random, 0, 1);
    struct zoid_piece out = new_piece(w, box->lo[w->chain] - below, box->hi[w->chain] + above);
    size_t npieces = input_pieces(w, box, in);
    struct zoid_sweep sweep = {.op = w->op,
                               .params = &w->op->defaults,
                               .shape = &w->shape,
                               .layout = &w->layout,
                               .t = w->t,
                               .box = *box,
                               .fields = (1u << w->op->nstate) - 1,
                               .in = {{npieces, in}},
                               .out = out};

    w->op->cpu[w->isa](&sweep);
    each_point(w, out.lo, out.hi, &(struct transfer){&out, box}, take_box);
    ck_assert_msg(all_poison(w, &out), "%s %s wrote outside its box", w->op->name,
                  zoid_isa_name(w->isa));
    for (size_t i = 0; i < npieces; i++)
        free(in[i].base);
    free(in);
    free(out.base);
}

/* Cuts the box in two at a random place, a few times over. */
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

/* The first trial is large enough for a sweep to be cut into strips, or a line into parts. */
static void choose_domain(struct trial *w, bool large)
{
    static const long widest[][ZOID_AXES] = {{300}, {90, 40}, {90, 14, 9}};
    static const long largest[][ZOID_AXES] = {{20000}, {20000, 20}, {500, 60, 9}};
    long n[ZOID_AXES];

    for (int a = 0; a < w->op->dims; a++)
        n[a] = large ? largest[w->chain][a] : sample_between(&w->random, 1, widest[w->chain][a]);
    w->shape = zoid_op_shape(w->op, n);
    w->layout = zoid_layout_make(w->op, n, sample_between(&w->random, 0, 2));
    w->plane = (size_t)w->layout.plane;
}

/* One whole step, stage by stage. */
static void one_step(struct trial *w)
{
    size_t bytes = (size_t)w->op->nstate * points(&w->shape) * w->size;
    char *state = sample_memory(bytes), *next = sample_memory(bytes), *spare;
    char *plain = sample_memory(bytes), *plain_spare = sample_memory(bytes), *expected;

    sample_fill(w->op->type, w->random, 0, bytes / w->size, state);
    memcpy(plain, state, bytes);
    expected = zoid_reference_run(w->op, &w->op->defaults, &w->shape, 1, plain, plain_spare);
    for (w->t = 1; w->t <= w->op->nstages; w->t++) {
        struct zoid_box all = {.lo = {0}, .hi = {w->shape.n[0], w->shape.n[1], w->shape.n[2]}};

        w->from = state;
        w->to = next;
        sample_poison(next, bytes);
        sweep_parts(w, all, (int)sample_between(&w->random, 0, 3));
        spare = state;
        state = next;
        next = spare;
    }
    ck_assert_msg(memcmp(state, expected, bytes) == 0, "%s %s %ldx%ldx%ld", w->op->name,
                  zoid_isa_name(w->isa), w->shape.n[0], w->shape.n[1], w->shape.n[2]);
    free(state);
    free(next);
    free(plain);
    free(plain_spare);
}

START_TEST(same_bytes)
{
    struct trial w = {.op = zoid_op_at((size_t)_i)};

    w.size = zoid_type_size(w.op->type);
    w.chain = w.op->dims - 1;
    for (int isa = 0; isa <= (int)zoid_isa_best(); isa++)
        for (int i = 0; i < TRIALS; i++) {
            w.isa = (enum zoid_isa)isa;
            w.random = sample_mix((uint64_t)(_i * TRIALS + i));
            choose_domain(&w, i == 0);
            one_step(&w);
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sweep");
    TCase *tcase = tcase_create("sweep");
    SRunner *runner = srunner_create(suite);
    int variants = 0, failed;

    while (zoid_op_at((size_t)variants))
        variants++;
    tcase_set_timeout(tcase, 240);
    tcase_add_loop_test(tcase, same_bytes, 0, variants);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
