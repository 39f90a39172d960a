/* SPDX-License-Identifier: BSD-3-Clause */
/* The innermost loops: rows of points, vector by vector. Compiled once per instruction set and
 * type, with ZOID_ISA and ZOID_TYPE defined and isa_<ZOID_ISA>.h included first; every variant of
 * ZOID_ROWS that has this type becomes a zoid_sweep_<ISA>_<variant>.
 *
 *     row   |----:----:----:----:----:----|      : whole vectors, counted from the row's start
 *              ^ lo                  ^ hi        the points to write
 *            PARTIAL WHOLE WHOLE WHOLE PARTIAL     vectors
 *
 * Loads and stores are always of such vectors; x neighbours are shuffled from two of them. Rows are
 * padded to whole vectors, so no access leaves them. At a row's ends a vector may have values that
 * are carried or outside the box, and neighbours that do not exist: these values are computed from
 * arbitrary data and discarded. If fields have boxes of their own, so may whole rows be. */
#include "codelets/cpu/walk.h"

#include "codelets/cpu/wide.h"

enum where { WHOLE, PARTIAL };

/* In WHOLE vectors, for a bundle's own rows: the vector at a point and those on either side, in
 * registers that move along the row, so that each is loaded once. */
enum { BEFORE, HERE, AFTER, BESIDE };
struct window {
    unsigned fields; /* fields that the stage reads on both sides */
    int planes;
    value_wide vector[ZOID_MAX_FIELDS][ZOID_ABREAST][BESIDE];
};

struct zoid_at {
    const struct zoid_params *params;
    const double *tables;
    long t, p[ZOID_AXES];
    const long *n;
    const struct zoid_bundle *bundle;
    int abreast; /* index in the bundle's planes */
    long row, x; /* offsets in elements: of the row in its plane, of the vector in the row */
    enum where where;
    const struct window *window;
    bool boxed;         /* fields have boxes of their own */
    value_wide *result; /* fields that the stage writes */
};

ZOID_INLINE value_wide table_wide(const struct zoid_at *at, int number)
{
    return splat_wide(at->tables[number]);
}

/* Mask of values lo <= i < hi. */
ZOID_INLINE value_mask between(long lo, long hi)
{
    value_mask i = value_numbers();

    lo = clamp(lo, 0, WIDTH);
    hi = clamp(hi, 0, WIDTH);
    return (i >= (__typeof__(i[0]))lo) & (i < (__typeof__(i[0]))hi);
}

ZOID_INLINE value_wide select_x_wide(const struct zoid_at *at, long lo, long hi, value_wide a,
                                     value_wide b)
{
    long x = at->p[0];

    if (at->where == WHOLE && x >= lo && x + WIDTH <= hi)
        return a;
    return choose(between(lo - x, hi - x), a, b);
}

ZOID_INLINE value_wide every_other_wide(const struct zoid_at *at, int dims, long parity,
                                        value_wide a, value_wide b)
{
    value_mask odd;

    for (int axis = 0; axis < dims; axis++)
        parity += at->p[axis];
    odd = (value_numbers() + (__typeof__(value_numbers()[0]))(parity & 1)) & 1;

    return choose(odd == 0, a, b);
}

/* Loads the vector at a distance of `distance` vectors in a row. */
ZOID_INLINE value_wide load_vector(const struct zoid_at *at, const real *row, long distance)
{
    long first = at->x + distance * WIDTH, last = at->bundle->layout->pitch - WIDTH;

    if (at->where == PARTIAL && distance < 0)
        first = first < 0 ? 0 : first;
    if (at->where == PARTIAL && distance > 0)
        first = first > last ? last : first;
    return *(const stored *)(row + first);
}

/* Returns the offset of row y in its plane, or of the nearest row of the plane. */
ZOID_INLINE long row_inside(const struct zoid_layout *layout, long y)
{
    return (clamp(y, layout->lo[1], layout->hi[1] - 1) - layout->lo[1]) * layout->pitch;
}

/* The same in the row that is `dy` rows and `dz` planes away. */
ZOID_INLINE value_wide find_vector(const struct zoid_at *at, int field, long distance, int dy,
                                   int dz)
{
    const struct zoid_bundle *bundle = at->bundle;
    int plane = at->abreast + dz;
    long row = at->row + dy * bundle->layout->pitch;

    if (at->window->fields >> field & 1 && dy == 0 && plane >= 0 && plane < at->window->planes &&
        plane < ZOID_ABREAST && distance >= -1 && distance <= 1)
        return at->window->vector[field][plane][HERE + distance];
    if (at->where == PARTIAL && at->boxed && dy != 0)
        row = row_inside(bundle->layout, at->p[1] + dy);
    return load_vector(at, (const real *)bundle->in[field][ZOID_MAX_REACH + plane] + row, distance);
}

ZOID_INLINE value_wide load_wide(const struct zoid_at *at, int dims, int field, int dx, int dy,
                                 int dz)
{
    int planes = dims == 3 ? dz : dims == 2 ? dy : 0, rows = dims == 3 ? dy : 0;
    int shift = (dx % WIDTH + WIDTH) % WIDTH, distance = (dx - shift) / WIDTH;
    value_wide low = find_vector(at, field, distance, rows, planes);

    if (shift == 0)
        return low;
    return __builtin_shuffle(low, find_vector(at, field, distance + 1, rows, planes),
                             value_numbers() + (__typeof__(value_numbers()[0]))shift);
}

ZOID_INLINE void put_wide(const struct zoid_at *at, int field, value_wide value)
{
    at->result[field] = value;
}

#define ZOID_VARIANT(...)
#define ZOID_VALUE wide
#include ZOID_ROWS
#undef ZOID_VALUE
#undef ZOID_VARIANT

typedef void point_fn(const struct zoid_at *at, int D, int R, int S);

/* Constants that a bundle function is compiled for. */
struct kind {
    point_fn *point;
    const struct zoid_op *op; /* only the members of its row */
    int stage, abreast;
};

/* Returns true if the stage has fields with boxes of their own. */
ZOID_INLINE bool boxed(const struct kind *kind)
{
    return kind->op->stage[kind->stage].nboxes > 0;
}

/* Masks of a PARTIAL vector: values that are written but not computed are carried. Unless fields
 * have boxes of their own, they compute the same, and a row has at most as many such vectors as
 * carried layers fill, and one at each end of a range. */
struct masks {
    value_mask computed, written;
};
enum { MOST_PARTIAL = 2 * ZOID_MAX_REACH / WIDTH + 4 };

ZOID_INLINE struct masks masks_at(const struct zoid_bundle *s, long x)
{
    return (struct masks){.computed = between(s->whole.lo - x, s->whole.hi - x),
                          .written = between(s->lo[0] - x, s->hi[0] - x)};
}

ZOID_INLINE void store(const struct zoid_at *at, const struct masks *masks, int field)
{
    const struct zoid_bundle *s = at->bundle;
    stored *out =
        (stored *)((real *)s->out[at->abreast] + (size_t)field * s->out_field + at->row + at->x);
    value_wide value = at->result[field];

    if (at->where == PARTIAL) {
        const real *kept = s->kept[at->abreast][field];
        const struct zoid_range *own = &s->computed[field];
        const value_mask computed =
            at->boxed ? between(own->lo - at->p[0], own->hi - at->p[0]) : masks->computed;

        value = choose(computed, value, *(const stored *)(kept + at->row + at->x));
        value = choose(masks->written, value, *out);
    }
    *out = value;
}

/* Computes one vector of every plane of a bundle. Loads of all planes precede all stores, so that
 * shared loads are done once. */
ZOID_INLINE void vector(const struct zoid_bundle *bundle, const struct kind *kind,
                        const struct window *window, const struct masks *masks, long y, long x)
{
    value_wide result[ZOID_ABREAST][ZOID_MAX_FIELDS];
    struct zoid_at at[ZOID_ABREAST];

    UNROLL
    for (int i = 0; i < kind->abreast; i++) {
        at[i] = (struct zoid_at){.params = bundle->params,
                                 .tables = bundle->tables,
                                 .t = bundle->t,
                                 .n = bundle->n,
                                 .bundle = bundle,
                                 .abreast = i,
                                 .row = (y - bundle->layout->lo[1]) * bundle->layout->pitch,
                                 .x = x,
                                 .where = masks ? PARTIAL : WHOLE,
                                 .window = window,
                                 .boxed = boxed(kind),
                                 .result = result[i]};
        at[i].p[0] = x + bundle->layout->lo[0];
        at[i].p[1] = y;
        if (kind->op->dims > 1)
            at[i].p[kind->op->dims - 1] = bundle->plane + i;
        kind->point(&at[i], kind->op->dims, kind->op->radius, kind->stage);
    }
    UNROLL
    for (int i = 0; i < kind->abreast; i++) {
        UNROLL
        for (int f = 0; f < kind->op->nstate; f++)
            if (kind->op->stage[kind->stage].writes >> f & 1)
                store(&at[i], masks, f);
    }
}

ZOID_INLINE long round_down(long i)
{
    return i & -(long)WIDTH;
}

/* Copies a bundle's addresses of the planes that the stage reads, carries or writes, and no others,
 * advanced by some elements. */
ZOID_INLINE void copy_inputs(const struct zoid_bundle *from, const struct kind *kind, long elements,
                             struct zoid_bundle *to)
{
    const struct zoid_stage *stage = &kind->op->stage[kind->stage];
    const int chain = kind->op->dims - 1;

    UNROLL
    for (int i = 0; i < stage->nreads; i++) {
        const int f = stage->read[i].field;
        const int lo = chain > 0 ? (int)stage->read[i].reach.lo[chain] : 0;
        const int hi = chain > 0 ? (int)stage->read[i].reach.hi[chain] : 0;

        UNROLL
        for (int p = -lo; p < hi + kind->abreast; p++)
            to->in[f][ZOID_MAX_REACH + p] =
                (const real *)from->in[f][ZOID_MAX_REACH + p] + elements;
    }
    UNROLL
    for (int f = 0; f < kind->op->nstate; f++)
        UNROLL
    for (int p = 0; p < kind->abreast; p++)
        if (stage->writes >> f & 1)
            to->kept[p][f] = (const real *)from->kept[p][f] + elements;
    for (int i = 0; i < kind->abreast; i++)
        to->out[i] = (real *)from->out[i] + elements;
}

/* Returns the bundle advanced by `time` steps of planes, as a local copy that stores cannot alias,
 * so that its members stay in registers. */
ZOID_INLINE struct zoid_bundle copy_of(const struct zoid_bundle *from, const struct kind *kind,
                                       const struct zoid_layout *layout,
                                       const struct zoid_params *params, const double *tables,
                                       long time)
{
    struct zoid_bundle to;

    copy_inputs(from, kind, time * kind->abreast * layout->plane, &to);
    to.params = params;
    to.tables = tables;
    to.layout = layout;
    to.n = from->n;
    to.t = from->t;
    to.plane = from->plane + time * kind->abreast;
    to.whole = from->whole;
    UNROLL
    for (int f = 0; f < kind->op->nstate; f++)
        if (boxed(kind) && kind->op->stage[kind->stage].writes >> f & 1)
            to.computed[f] = from->computed[f];
    to.out_field = from->out_field;
    for (int a = 0; a < 2; a++) {
        to.lo[a] = from->lo[a];
        to.hi[a] = from->hi[a];
    }
    return to;
}

/* The vectors of a bundle's rows, as offsets in the row: all of them, and the WHOLE ones. */
struct extent {
    long first, end, whole, whole_end;
    struct masks masks[MOST_PARTIAL]; /* of the PARTIAL ones */
};

/* Returns the fields whose vectors a window can hold: read on both sides, and at most as far as the
 * next vector. */
ZOID_INLINE unsigned windowed(const struct kind *kind)
{
    const struct zoid_stage *stage = &kind->op->stage[kind->stage];
    unsigned fields = 0;

    UNROLL
    for (int i = 0; i < stage->nreads; i++) {
        const struct zoid_reach *reach = &stage->read[i].reach;

        if (reach->lo[0] > 0 && reach->hi[0] > 0 && reach->lo[0] <= WIDTH && reach->hi[0] <= WIDTH)
            fields |= 1u << stage->read[i].field;
    }
    return fields;
}

/* Moves a window to the vector at x of row y, or for the first one in a row, loads all of it. */
ZOID_INLINE void slide(const struct zoid_bundle *bundle, bool first, long y, long x,
                       struct window *window)
{
    const long row = (y - bundle->layout->lo[1]) * bundle->layout->pitch + x;

    UNROLL
    for (int f = 0; f < ZOID_MAX_FIELDS; f++)
        UNROLL
    for (int i = 0; i < window->planes; i++)
        if (window->fields >> f & 1) {
            value_wide *vector = window->vector[f][i];
            const real *here = (const real *)bundle->in[f][ZOID_MAX_REACH + i] + row;

            vector[BEFORE] = vector[HERE];
            vector[HERE] = vector[AFTER];
            if (first) {
                vector[BEFORE] = *(const stored *)(here - WIDTH);
                vector[HERE] = *(const stored *)here;
            }
            vector[AFTER] = *(const stored *)(here + WIDTH);
        }
}

/* Computes the WHOLE vectors of a row. */
ZOID_INLINE void middle(const struct zoid_bundle *bundle, const struct kind *kind, long y, long x,
                        long end)
{
    struct window window = {.fields = windowed(kind), .planes = kind->abreast};

    slide(bundle, true, y, x, &window);
    vector(bundle, kind, &window, NULL, y, x);
    for (x += WIDTH; x < end; x += WIDTH) {
        slide(bundle, false, y, x, &window);
        vector(bundle, kind, &window, NULL, y, x);
    }
}

ZOID_INLINE void rows(const struct zoid_bundle *bundle, const struct kind *kind,
                      const struct extent *extent)
{
    const long first = extent->first, end = extent->end;
    const long whole = extent->whole, whole_end = extent->whole_end;
    const struct window none = {.fields = 0};

    for (long y = bundle->lo[1]; y < bundle->hi[1]; y++) {
        const struct masks *masks = extent->masks;

        for (long x = first; x < end;)
            if (x == whole) {
                middle(bundle, kind, y, x, whole_end);
                x = whole_end;
            } else {
                const struct masks own = masks_at(bundle, x + bundle->layout->lo[0]);

                vector(bundle, kind, &none, boxed(kind) ? &own : masks++, y, x);
                x += WIDTH;
            }
    }
}

ZOID_INLINE void bundles(const struct zoid_bundle *given, const struct kind *kind)
{
    const struct zoid_layout layout = *given->layout;
    const struct zoid_params params = *given->params;
    const double *row = zoid_table_row(given->params, given->t);
    double tables[ZOID_MAX_TABLES] = {0};
    /* All loads of WHOLE vectors are inside the row, since the stencils of their points are. */
    const long origin = layout.lo[0];
    struct extent extent; /* its masks uninitialised: most are never read */
    int partial = 0;

    for (int i = 0; i < kind->op->ntables; i++)
        tables[i] = row[i];
    extent.first = round_down(given->lo[0] - origin);
    extent.end = given->hi[0] - origin;
    extent.whole = round_down(given->whole.lo - origin + WIDTH - 1);
    extent.whole_end = round_down(given->whole.hi - origin);
    if (extent.whole >= extent.whole_end)
        extent.whole = extent.whole_end = extent.end;
    for (long x = extent.first; x < extent.end && !boxed(kind); x += WIDTH)
        if (x < extent.whole || x >= extent.whole_end)
            extent.masks[partial++] = masks_at(given, x + origin);
    for (long time = 0; time < given->times; time++) {
        struct zoid_bundle bundle = copy_of(given, kind, &layout, &params, tables, time);

        rows(&bundle, kind, &extent);
    }
}

/* clang-format off */
#define BUNDLE(number, variant, family, nd, nr, ...)                                               \
    BUNDLE_OF(number, 1, variant, family, nd, nr, __VA_ARGS__)                                     \
    BUNDLE_OF(number, ZOID_ABREAST, variant, family, nd, nr, __VA_ARGS__)

#define BUNDLE_OF(number, planes, variant, family_, nd, nr, ...)                                   \
    static void bundle_##planes##_##variant##_##number(const struct zoid_bundle *bundle)           \
    {                                                                                              \
        enum { D = nd, R = nr, SIZE = sizeof(real) };                                              \
        static const struct zoid_op op = {.dims = D, .radius = R, __VA_ARGS__};                    \
        static const struct kind kind = {                                                          \
            .point = zoid_##family_##_wide, .op = &op, .stage = number, .abreast = planes};        \
                                                                                                   \
        bundles(bundle, &kind);                                                                    \
    }

#define BUNDLES(number, variant)                                                                   \
    [number] = {bundle_1_##variant##_##number, bundle_ZOID_ABREAST_##variant##_##number},

#define SWEEP_NAME(variant) ZOID_JOIN(zoid_sweep_, ZOID_JOIN(ZOID_ISA, _##variant))

#define EMIT(variant, family, nd, nr, stages, ...)                                                 \
    stages(BUNDLE, variant, family, nd, nr, __VA_ARGS__)                                           \
    zoid_sweep_fn SWEEP_NAME(variant);                                                             \
    void SWEEP_NAME(variant)(const struct zoid_sweep *sweep)                                       \
    {                                                                                              \
        static zoid_bundle_pair all[] = {stages(BUNDLES, variant)};                                \
                                                                                                   \
        zoid_walk(sweep, all);                                                                     \
    }

#define ZOID_VARIANT(variant, family, nd, nr, type, stages, ...)                                   \
    PICK(SAME(type, ZOID_TYPE) EMIT, NOTHING, )(variant, family, nd, nr, stages, __VA_ARGS__)
#include ZOID_ROWS
/* clang-format on */
