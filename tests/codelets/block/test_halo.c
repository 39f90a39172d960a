/* SPDX-License-Identifier: BSD-3-Clause */
/* Halo exchange between cells (subdomains): windows and rims of random cells, and blocks that only
 * move planes, on cores or, with ZOID_TEST_GPU, on a GPU. */
#include <stdlib.h>
#include <string.h>

#include "codelets/block.h"
#include "codelets/block/layout.h"
#include "tests/codelets/fused.h"
#include "tests/codelets/gpu.h"
#include "tests/codelets/sample.h"
#include "tests/effort.h"
#include "tests/suite.h"

/* TRIALS: for all variants together. */
enum { TRIALS = 5200, CELLS = 4, LAPS = 2, PLANES = 3 };

/* A domain, its cells before and after their borders move, and the halo widths of its blocks. */
struct trial {
    const struct zoid_op *op;
    struct zoid_shape shape;
    struct zoid_layout whole;
    size_t size; /* bytes of an element */
    long cells[ZOID_PLANE_AXES], more[ZOID_PLANE_AXES], shift[ZOID_PLANE_AXES];
    long border[2][ZOID_PLANE_AXES][CELLS + 1]; /* before and after */
    char *plain, *slab[CELLS * CELLS], *halo[CELLS * CELLS];
    size_t plane; /* elements of a halo's plane */
    struct zoid_part part[2 + CELLS * CELLS * (2 * LAPS + 1) * (2 * LAPS + 1)];
    size_t nparts;
    uint64_t random;
};

static long least(long a, long b)
{
    return a < b ? a : b;
}

static long most(long a, long b)
{
    return a > b ? a : b;
}

static long cells_of(const struct trial *b)
{
    return b->cells[0] * b->cells[1];
}

static bool cut(const struct trial *b, int axis)
{
    return b->cells[axis] > 1;
}

static struct zoid_range own_along(const struct trial *b, bool after, int axis, long cell)
{
    const long i = axis ? cell / b->cells[0] : cell % b->cells[0];
    const long *border = b->border[after][axis];

    return cut(b, axis) ? (struct zoid_range){border[i], border[i + 1]} : (struct zoid_range){0, 0};
}

static struct zoid_patch own_of(const struct trial *b, bool after, long cell)
{
    return (struct zoid_patch){{own_along(b, after, 0, cell), own_along(b, after, 1, cell)}};
}

/* The points that a cell reads; with `all`, also its former points: its whole window. */
static struct zoid_patch seen_of(const struct trial *b, long cell, bool all)
{
    struct zoid_patch seen = own_of(b, true, cell);

    for (int a = 0; a < ZOID_PLANE_AXES; a++) {
        const struct zoid_range before = own_along(b, false, a, cell);
        struct zoid_range *r = &seen.axis[a];

        if (!cut(b, a))
            continue;
        r->lo -= b->more[a];
        r->hi += b->more[a];
        if (!zoid_axis_periodic(&b->shape, a)) {
            r->lo = most(r->lo, 0);
            r->hi = least(r->hi, b->shape.n[a]);
        }
        r->lo = all ? least(r->lo, before.lo) : r->lo;
        r->hi = all ? most(r->hi, before.hi) : r->hi;
    }
    return seen;
}

static struct zoid_layout layout_of(const struct trial *b, long cell)
{
    const struct zoid_patch window = seen_of(b, cell, true);

    return zoid_layout_window(&b->whole, &window);
}

static struct zoid_rim rim_of(const struct trial *b, const struct zoid_patch *own)
{
    struct zoid_rim rim = {.of = *own};

    for (int a = 0; a < ZOID_PLANE_AXES; a++)
        rim.lo[a] = rim.hi[a] = cut(b, a) ? b->more[a] + b->shift[a] : 0;
    return rim;
}

/* ---- a trial ------------------------------------------------------------------------------- */

static void choose_cells(struct trial *b, int axis)
{
    const long n = b->shape.n[axis];

    b->cells[axis] = axis < b->op->dims - 1 ? sample_between(&b->random, 1, least(n, CELLS)) : 1;
    b->more[axis] = sample_between(&b->random, 0, least(n, 7));
    for (int after = 0; after < 2; after++) {
        long *at = b->border[after][axis];

        at[0] = 0;
        at[b->cells[axis]] = n;
        for (long i = 1; i < b->cells[axis]; i++)
            at[i] = sample_between(&b->random, at[i - 1] + 1, n - b->cells[axis] + i);
    }
    if (sample_between(&b->random, 0, 1))
        memcpy(b->border[1][axis], b->border[0][axis], sizeof b->border[0][axis]);
    for (long i = 0; i <= b->cells[axis]; i++)
        b->shift[axis] = most(b->shift[axis], labs(b->border[1][axis][i] - b->border[0][axis][i]));
}

static void choose(struct trial *b, const struct zoid_op *op, uint64_t seed)
{
    long n[ZOID_AXES] = {1, 1, 1};
    size_t points;

    *b = (struct trial){.op = op, .size = zoid_type_size(op->type), .random = sample_mix(seed)};
    for (int a = 0; a < op->dims; a++)
        n[a] = a < op->dims - 1 ? sample_between(&b->random, 1, 40) : PLANES;
    b->shape = zoid_op_shape(op, n);
    if (sample_between(&b->random, 0, 3))
        sample_faces(op, &b->random, op->dims - 1, &b->shape);
    b->whole = zoid_layout_make(op, n, zoid_layout_ghost(&b->shape));
    for (int a = 0; a < ZOID_PLANE_AXES; a++)
        choose_cells(b, a);
    points = (size_t)(n[0] * n[1] * n[2]);
    b->plain = sample_memory((size_t)(op->nstate + op->ncoef) * points * b->size);
    sample_fields(op, seed, points, b->plain);
}

/* Byte offset of a point's value in the plain fields; after folding, both axes must lie in the
 * domain. */
static size_t plain_at(const struct trial *b, int field, long x, long y, long plane)
{
    const long *n = b->shape.n;
    const int chain = b->op->dims - 1;
    const long px = zoid_fold(&b->shape, 0, x),
               py = chain == 2 ? zoid_fold(&b->shape, 1, y) : plane;
    const long pz = chain == 2 ? plane : 0;

    return (size_t)(((field * n[2] + pz) * n[1] + py) * n[0] + px) * b->size;
}

static char *slab_at(const struct zoid_layout *layout, char *slab, int field, long x, long y,
                     long plane)
{
    return slab + (field * PLANES + plane) * (long)zoid_layout_plane_bytes(layout) +
           zoid_layout_at(layout, x, y) * (long)zoid_type_size(layout->type);
}

/* True if a coordinate lies in a patch, or is the image of one that does. */
static bool right(const struct trial *b, const struct zoid_patch *patch, int axis, long i)
{
    const struct zoid_range *r = &patch->axis[axis];
    const bool ghosts = axis < b->op->dims - 1 && !b->op->own_edges;
    const long n = axis < b->op->dims - 1 ? b->shape.n[axis] : 1;
    long at = i;

    if (ghosts && !(cut(b, axis) && zoid_axis_periodic(&b->shape, axis)))
        at = zoid_fold(&b->shape, axis, i);
    if (zoid_range_all(r))
        return at >= 0 && at < n;
    return at >= r->lo && at < r->hi;
}

/* Writes the points of a patch and their ghost images into a slab, or checks them there. */
static void each_point(const struct trial *b, const struct zoid_layout *layout, char *slab,
                       const struct zoid_patch *patch, bool put)
{
    for (int f = 0; f < b->op->nstate; f++)
        for (long z = 0; z < PLANES; z++)
            for (long y = layout->lo[1]; y < layout->hi[1]; y++)
                for (long x = layout->lo[0]; x < layout->hi[0]; x++) {
                    char *here = slab_at(layout, slab, f, x, y, z);
                    double plain;

                    if (!right(b, patch, 0, x) || !right(b, patch, 1, y))
                        continue;
                    sample_image(b->op, &b->shape, f, (const long[ZOID_AXES]){x, y},
                                 b->plain + plain_at(b, f, x, y, z), &plain);
                    if (put)
                        memcpy(here, &plain, b->size);
                    else
                        ck_assert_msg(memcmp(here, &plain, b->size) == 0,
                                      "%s: field %d of %ld, %ld, %ld; %ldx%ld of %ldx%ld points",
                                      b->op->name, f, x, y, z, b->cells[0], b->cells[1],
                                      b->shape.n[0], b->shape.n[1]);
                }
}

/* ---- blocks -------------------------------------------------------------------------------- */

static void move(struct trial *b, const struct zoid_layout *layout)
{
    const struct zoid_cpu cpu = {.isa = ZOID_PORTABLE};
    const struct zoid zoid = zoid_domain(&b->shape, 0, 0);

    fused_run(
        &(struct zoid_block_args){.op = b->op,
                                  .params = (const struct zoid_params[]){sample_params(b->op)},
                                  .shape = &b->shape,
                                  .layout = layout,
                                  .zoid = zoid,
                                  .region = zoid,
                                  .nparts = b->nparts,
                                  .part = b->part},
        &cpu, 0);
}

static size_t slab_bytes(const struct trial *b, const struct zoid_layout *layout)
{
    return (size_t)(PLANES * b->op->nstate) * zoid_layout_plane_bytes(layout);
}

static struct zoid_part halo_of(const struct trial *b, long cell, const struct zoid_patch *own)
{
    return (struct zoid_part){.base = b->halo[cell],
                              .capacity = PLANES,
                              .halo = b->plane,
                              .rim = rim_of(b, own),
                              .in = {.hi = PLANES, .patch = *own},
                              .out = {.hi = PLANES, .patch = *own}};
}

static void leave(struct trial *b, long cell)
{
    const struct zoid_layout layout = layout_of(b, cell);
    const struct zoid_patch own = own_of(b, false, cell);
    const size_t bytes = (size_t)PLANES * (size_t)b->op->nstate * b->plane * b->size;

    b->slab[cell] = sample_memory(slab_bytes(b, &layout));
    sample_poison(b->slab[cell], slab_bytes(b, &layout));
    each_point(b, &layout, b->slab[cell], &own, true);
    b->halo[cell] = sample_memory(bytes);
    sample_poison(b->halo[cell], bytes);
    b->part[0] = (struct zoid_part){
        .reads = true, .base = b->slab[cell], .capacity = PLANES, .in = {.hi = PLANES}};
    b->part[1] = halo_of(b, cell, &own);
    b->part[1].writes = true;
    b->nparts = 2;
    move(b, &layout);
}

/* Around periodic axes cells appear again. */
static void list_halos(struct trial *b, long cell, const struct zoid_patch *own)
{
    const long laps[] = {cut(b, 0) && zoid_axis_periodic(&b->shape, 0) ? LAPS : 0,
                         cut(b, 1) && zoid_axis_periodic(&b->shape, 1) ? LAPS : 0};

    for (long y = -laps[1]; y <= laps[1]; y++)
        for (long x = -laps[0]; x <= laps[0]; x++) {
            struct zoid_patch moved = *own;
            const long by[] = {x * b->shape.n[0], y * b->shape.n[1]};

            for (int a = 0; a < ZOID_PLANE_AXES; a++) {
                moved.axis[a].lo += by[a];
                moved.axis[a].hi += by[a];
            }
            if (cell < 0 && !x && !y)
                continue;
            b->part[b->nparts] = halo_of(b, labs(cell) - 1, &moved);
            b->part[b->nparts++].reads = true;
        }
}

static void take(struct trial *b, long cell)
{
    const struct zoid_layout layout = layout_of(b, cell);
    const struct zoid_patch seen = seen_of(b, cell, false);
    char *result = sample_memory(slab_bytes(b, &layout));

    b->part[0] = (struct zoid_part){.reads = true,
                                    .base = b->slab[cell],
                                    .capacity = PLANES,
                                    .in = {.hi = PLANES, .patch = own_of(b, false, cell)}};
    b->part[1] = (struct zoid_part){
        .writes = true, .base = result, .capacity = PLANES, .out = {.hi = PLANES}};
    b->nparts = 2;
    for (long other = 0; other < cells_of(b); other++) {
        const struct zoid_patch own = own_of(b, false, other);

        list_halos(b, other == cell ? -(other + 1) : other + 1, &own);
    }
    move(b, &layout);
    each_point(b, &layout, result, &seen, false);
    free(result);
}

static void exchange(const struct zoid_op *op, uint64_t seed)
{
    struct trial *b = sample_memory(sizeof *b);

    choose(b, op, seed);
    b->plane = ZOID_LINE / b->size;
    for (long c = 0; c < cells_of(b); c++) {
        const struct zoid_layout layout = layout_of(b, c);
        const struct zoid_patch own = own_of(b, false, c);
        const struct zoid_rim rim = rim_of(b, &own);

        b->plane = (size_t)most((long)b->plane, (long)zoid_layout_rim(&layout, &rim));
    }
    for (long c = 0; c < cells_of(b) && cells_of(b) > 1; c++)
        leave(b, c);
    for (long c = 0; c < cells_of(b) && cells_of(b) > 1; c++)
        take(b, c);
    for (long c = 0; c < cells_of(b); c++) {
        free(b->slab[c]);
        free(b->halo[c]);
    }
    free(b->plain);
    free(b);
}

START_TEST(exchanges)
{
    const struct zoid_op *op = zoid_op_at((size_t)_i);
    const int trials = effort_each(TRIALS, sample_variants());

    for (int i = 0; op->dims > 1 && i < trials; i++)
        exchange(op, (uint64_t)(_i * trials + i));
}
END_TEST

/* ---- windows and rims ---------------------------------------------------------------------- */

/* Along a cut axis a plane has the window and its ghost points; along others it is unchanged. */
static void check_window(const struct trial *b, long cell)
{
    const struct zoid_patch window = seen_of(b, cell, true);
    const struct zoid_layout l = layout_of(b, cell);
    const long ghost = -b->whole.lo[0];

    for (int a = 0; a < ZOID_PLANE_AXES; a++) {
        ck_assert_int_eq(l.window[a], cut(b, a));
        ck_assert_int_eq(l.lo[a], cut(b, a) ? window.axis[a].lo - ghost : b->whole.lo[a]);
        ck_assert_int_eq(l.hi[a], cut(b, a) ? window.axis[a].hi + ghost : b->whole.hi[a]);
    }
    ck_assert_int_ge(l.pitch, l.hi[0] - l.lo[0]);
    ck_assert_int_ge(l.plane, l.pitch * (l.hi[1] - l.lo[1]));
    ck_assert_uint_eq((size_t)l.pitch * b->size % ZOID_LINE, 0);
    ck_assert_uint_eq((size_t)l.plane * b->size % ZOID_LINE, 0);
}

/* Counted point by point; without a cut along x, rows are full rows of the layout. */
static void check_rim(const struct trial *b, long cell)
{
    const struct zoid_patch own = own_of(b, false, cell);
    const struct zoid_rim rim = rim_of(b, &own);
    const struct zoid_layout l = layout_of(b, cell);
    const size_t line = ZOID_LINE / b->size;
    const struct zoid_range x = cut(b, 0) ? own.axis[0] : (struct zoid_range){0, l.pitch};
    const struct zoid_range y = cut(b, 1) ? own.axis[1] : (struct zoid_range){l.lo[1], l.hi[1]};
    size_t points = 0;

    for (long j = y.lo; j < y.hi; j++)
        for (long i = x.lo; i < x.hi; i++)
            points += (cut(b, 0) && (i < x.lo + rim.lo[0] || i >= x.hi - rim.hi[0])) ||
                      (cut(b, 1) && (j < y.lo + rim.lo[1] || j >= y.hi - rim.hi[1]));
    ck_assert_uint_eq(zoid_layout_rim(&l, &rim), (points + line - 1) / line * line);
}

START_TEST(shapes)
{
    const struct zoid_op *op = zoid_op_at((size_t)_i);
    const int trials = effort_each(TRIALS, sample_variants());
    struct trial *b = sample_memory(sizeof *b);

    for (int i = 0; op->dims > 1 && i < trials; i++) {
        choose(b, op, (uint64_t)(_i * trials + i));
        for (long c = 0; c < cells_of(b); c++) {
            check_window(b, c);
            check_rim(b, c);
        }
        free(b->plain);
    }
    free(b);
}
END_TEST

/* For test_halo_gpu.sh: skipped without a GPU. */
enum { SKIPPED = 77 };

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, shapes, 0, sample_variants());
    tcase_add_loop_test(tests, exchanges, 0, sample_variants());
}

int main(void)
{
    return gpu_wanted() && !gpu_present() ? SKIPPED : run_suite("halo", 240, add);
}
