/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/block/sample_points.h"

#include <stdlib.h>
#include <string.h>

#include "codelets/op/interpolation.h"

/* ---- lists of sample points
 * ------------------------------------------------------------------------- */

static int by_point(const struct zoid_sample_point *a, const struct zoid_sample_point *b)
{
    for (int axis = ZOID_AXES - 1; axis >= 0; axis--)
        if (a->at[axis] != b->at[axis])
            return a->at[axis] < b->at[axis] ? -1 : 1;
    return (a->field > b->field) - (a->field < b->field);
}

static int in_order(const void *a, const void *b)
{
    const struct zoid_sample_point *one = a, *other = b;
    const int order = by_point(one, other);

    return order ? order : (one->number > other->number) - (one->number < other->number);
}

static int at_point(const void *a, const void *b)
{
    return by_point(a, b);
}

/* Sorts a list and sets the offsets of planes. */
static void set_in_order(const struct zoid_shape *shape, struct zoid_sample_point_list *list)
{
    const int chain = zoid_chain(shape);
    size_t i = 0;

    qsort(list->sample_point, list->n, sizeof *list->sample_point, in_order);
    for (long plane = 0; plane <= shape->n[chain]; plane++) {
        while (i < list->n && list->sample_point[i].at[chain] < plane)
            i++;
        list->first[plane] = i;
    }
}

/* Writes the sample points of a position to `sample_point`, copies of `of` with index and weight;
 * returns their number. */
static size_t add_place(const struct zoid_shape *shape, const double at[ZOID_AXES],
                        struct zoid_sample_point of, struct zoid_sample_point *sample_point)
{
    struct zoid_interpolation_node corner[ZOID_INTERPOLATION_NODES];
    const int n = zoid_interpolation_nodes(shape, at, corner);

    for (int c = 0; c < n; c++) {
        memcpy(of.at, corner[c].at, sizeof of.at);
        of.weight = corner[c].weight;
        sample_point[c] = of;
    }
    return (size_t)n;
}

static void list_sources(struct zoid_sample_points *t, const struct zoid_points *points,
                         double *series)
{
    for (size_t i = 0; i < points->sources; i++) {
        const struct zoid_source *source = &points->source[i];
        const struct zoid_sample_point sample_point = {
            .field = source->field, .number = i, .samples = source->samples, .series = series};

        if (source->samples)
            memcpy(series, source->series, (size_t)source->samples * sizeof *series);
        series += source->samples;
        t->adds.n +=
            add_place(t->shape, source->at, sample_point, t->adds.sample_point + t->adds.n);
    }
    set_in_order(t->shape, &t->adds);
}

/* Sampling points that several receivers share are listed once. */
static void list_receivers(struct zoid_sample_points *t, const struct zoid_points *points)
{
    struct zoid_sample_point *sample_point = t->keeps.sample_point;
    size_t n = 0;

    for (size_t i = 0; i < points->receivers; i++)
        n += add_place(t->shape, points->receiver[i].at,
                       (struct zoid_sample_point){.field = points->receiver[i].field},
                       sample_point + n);
    qsort(sample_point, n, sizeof *sample_point, at_point);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || at_point(&sample_point[i], &sample_point[t->keeps.n - 1]))
            sample_point[t->keeps.n++] = sample_point[i];
    set_in_order(t->shape, &t->keeps);
}

static void list_seen(struct zoid_sample_points *t, const struct zoid_points *points)
{
    size_t n = 0;

    t->receivers = points->receivers;
    for (size_t i = 0; i < points->receivers; i++) {
        struct zoid_sample_point place[ZOID_INTERPOLATION_NODES];
        const size_t corners =
            add_place(t->shape, points->receiver[i].at,
                      (struct zoid_sample_point){.field = points->receiver[i].field}, place);

        t->first_seen[i] = n;
        for (size_t c = 0; c < corners; c++) {
            const struct zoid_sample_point *kept =
                bsearch(&place[c], t->keeps.sample_point, t->keeps.n, sizeof *kept, at_point);

            t->seen[n++] = (struct zoid_seen){
                .sample_point = (size_t)(kept - t->keeps.sample_point), .weight = place[c].weight};
        }
    }
    t->first_seen[points->receivers] = n;
}

/* ---- memory -------------------------------------------------------------------------------- */

static uint64_t samples_of(const struct zoid_points *points)
{
    uint64_t samples = 0;

    for (size_t i = 0; i < points->sources; i++)
        samples += (uint64_t)points->source[i].samples;
    return samples;
}

/* Bytes of all sample points, at most, and of all series. */
static uint64_t room_bytes(const struct zoid_points *points)
{
    return (points->sources + points->receivers) * ZOID_INTERPOLATION_NODES *
               sizeof(struct zoid_sample_point) +
           samples_of(points) * sizeof(double);
}

uint64_t zoid_sample_points_bytes(const struct zoid_points *points, const struct zoid_shape *shape)
{
    const uint64_t planes = (uint64_t)shape->n[zoid_chain(shape)] + 1;

    return sizeof(struct zoid_sample_points) + room_bytes(points) + 2 * planes * sizeof(size_t) +
           points->receivers * ZOID_INTERPOLATION_NODES * sizeof(struct zoid_seen) +
           (points->receivers + 1) * sizeof(size_t);
}

struct zoid_sample_points *zoid_sample_points_create(const struct zoid_op *op,
                                                     const struct zoid_shape *shape,
                                                     const struct zoid_points *points)
{
    const size_t planes = (size_t)shape->n[zoid_chain(shape)] + 1, all = points->receivers;
    struct zoid_sample_points *t = malloc(sizeof *t);

    if (!t)
        return NULL;
    *t = (struct zoid_sample_points){.op = op, .shape = shape, .bytes = room_bytes(points)};
    t->room = malloc(t->bytes + 1);
    t->adds.first = malloc(planes * sizeof *t->adds.first);
    t->keeps.first = malloc(planes * sizeof *t->keeps.first);
    t->seen = malloc((all * ZOID_INTERPOLATION_NODES + 1) * sizeof *t->seen);
    t->first_seen = malloc((all + 1) * sizeof *t->first_seen);
    if (!t->room || !t->adds.first || !t->keeps.first || !t->seen || !t->first_seen) {
        zoid_sample_points_destroy(&t);
        return NULL;
    }
    t->adds.sample_point = t->room;
    t->keeps.sample_point = t->adds.sample_point + points->sources * ZOID_INTERPOLATION_NODES;
    list_sources(t, points, (double *)(t->keeps.sample_point + all * ZOID_INTERPOLATION_NODES));
    list_receivers(t, points);
    list_seen(t, points);
    return t;
}

void zoid_sample_points_destroy(struct zoid_sample_points **sample_points)
{
    struct zoid_sample_points *t = *sample_points;

    if (!t)
        return;
    free(t->room);
    free(t->adds.first);
    free(t->keeps.first);
    free(t->seen);
    free(t->first_seen);
    free(t->record);
    free(t);
    *sample_points = NULL;
}

/* ---- the record ---------------------------------------------------------------------------- */

size_t zoid_record_row_bytes(const struct zoid_sample_points *t)
{
    return t->keeps.n * zoid_type_size(t->op->type);
}

bool zoid_record_fit(struct zoid_sample_points *t, long end)
{
    const long rows = end - t->start + 1;
    void *record;

    if (rows <= t->rows)
        return true;
    record = realloc(t->record, (size_t)rows * zoid_record_row_bytes(t) + 1);
    if (!record)
        return false;
    memset((char *)record + (size_t)t->rows * zoid_record_row_bytes(t), 0,
           (size_t)(rows - t->rows) * zoid_record_row_bytes(t));
    t->record = record;
    t->rows = rows;
    return true;
}

void *zoid_record_row(const struct zoid_sample_points *t, long step)
{
    return (char *)t->record + (size_t)(step - t->start) * zoid_record_row_bytes(t);
}

void zoid_record_keep(const struct zoid_sample_points *t, size_t i, long step, const void *value)
{
    void *row = zoid_record_row(t, step);

    /* Other threads may store the same value concurrently. */
    if (t->op->type == ZOID_F32)
        __atomic_store((uint32_t *)row + i, (uint32_t *)value, __ATOMIC_RELAXED);
    else
        __atomic_store((uint64_t *)row + i, (uint64_t *)value, __ATOMIC_RELAXED);
}

void zoid_record_see(const struct zoid_sample_points *t, const void *row, double *seen)
{
    for (size_t r = 0; r < t->receivers; r++) {
        double sum = 0;

        for (size_t i = t->first_seen[r]; i < t->first_seen[r + 1]; i++) {
            const size_t sample_point = t->seen[i].sample_point;

            sum += t->seen[i].weight * (t->op->type == ZOID_F32
                                            ? (double)((const zoid_f32 *)row)[sample_point]
                                            : ((const zoid_f64 *)row)[sample_point]);
        }
        seen[r] = sum;
    }
}

/* ---- sweeps -------------------------------------------------------------------------------- */

static bool in_box(const struct zoid_sample_points *t, const struct zoid_sample_point *sample_point,
                   const struct zoid_box *box)
{
    for (int a = 0; a < zoid_chain(t->shape); a++) {
        const long lo = box->lo[a], at = sample_point->at[a];

        if (zoid_axis_periodic(t->shape, a)
                ? lo + zoid_modulo(at - lo, t->shape->n[a]) >= box->hi[a]
                : at < lo || at >= box->hi[a])
            return false;
    }
    return true;
}

bool zoid_sample_points_meet(const struct zoid_sample_points *t, const struct zoid_box *box)
{
    const struct zoid_sample_point_list *lists[] = {&t->adds, &t->keeps};
    const int chain = zoid_chain(t->shape);

    for (int i = 0; i < 2; i++)
        for (long p = box->lo[chain]; p < box->hi[chain]; p++) {
            const long plane = zoid_fold(t->shape, chain, p);
            const struct zoid_sample_point_list of =
                zoid_sample_points_of(lists[i], plane, plane + 1);

            for (size_t j = 0; j < of.n; j++)
                if (in_box(t, &of.sample_point[j], box))
                    return true;
        }
    return false;
}

/* A plane of a sweep to which sample points are applied. */
struct meeting {
    const struct zoid_sample_points *sample_points;
    const struct zoid_sweep *sweep;
    long step;                           /* of the sweep, by its end */
    signed char stored[ZOID_MAX_FIELDS]; /* storage of fields that its stage writes; others: -1 */
    long plane;                          /* may lie beyond a periodic face */
};

static struct meeting meeting_of(const struct zoid_sample_points *sample_points,
                                 const struct zoid_sweep *s)
{
    struct meeting m = {
        .sample_points = sample_points, .sweep = s, .step = zoid_step_of(s->op, s->t)};

    for (int f = 0; f < s->op->nstate; f++)
        m.stored[f] =
            (signed char)(zoid_writes_field(s->op, s->t, f) ? zoid_op_stored(s->op, f, m.step)
                                                            : -1);
    return m;
}

static void *value_at(const struct meeting *m, const struct zoid_segment *segment, int field,
                      const long at[ZOID_AXES])
{
    const struct zoid_layout *layout = m->sweep->layout;
    const int chain = zoid_chain(m->sweep->shape);
    const long in_plane = chain > 0 ? zoid_layout_at(layout, at[0], chain > 1 ? at[1] : 0) : 0;

    return (char *)segment->base + ((long)((size_t)field * segment->field) +
                                    (m->plane - segment->lo) * layout->plane + in_plane) *
                                       (long)zoid_type_size(layout->type);
}

/* Returns the gain of a source at a point, a coefficient. */
static double gain_at(const struct meeting *m, const long at[ZOID_AXES])
{
    const struct zoid_op *op = m->sweep->op;
    const struct zoid_segment *segment = m->sweep->in[zoid_op_groups(op).n].segment;
    const void *value;

    while (m->plane < segment->lo || m->plane >= segment->hi)
        segment++;
    value = value_at(m, segment, op->gain - op->nstate, at);
    return op->type == ZOID_F32 ? (double)*(const zoid_f32 *)value : *(const zoid_f64 *)value;
}

static void add(const struct meeting *m, const struct zoid_sample_point *sample_point,
                const long at[ZOID_AXES])
{
    const struct zoid_op *op = m->sweep->op;
    void *value = value_at(m, &m->sweep->out, m->stored[sample_point->field], at);
    double more;

    if (m->step > sample_point->samples)
        return;
    more = sample_point->weight * sample_point->series[m->step - 1];
    if (op->gain)
        more *= gain_at(m, at);
    if (op->type == ZOID_F32)
        *(zoid_f32 *)value = (zoid_f32)((double)*(zoid_f32 *)value + more);
    else
        *(zoid_f64 *)value += more;
}

static void keep(const struct meeting *m, const struct zoid_sample_point *sample_point,
                 const long at[ZOID_AXES])
{
    zoid_record_keep(m->sample_points,
                     (size_t)(sample_point - m->sample_points->keeps.sample_point), m->step,
                     value_at(m, &m->sweep->out, m->stored[sample_point->field], at));
}

/* Returns the first index of a box along an axis that stands for index `at`. */
static long first_at(const struct zoid_sweep *s, int axis, long at)
{
    const long lo = s->box.lo[axis];

    return zoid_axis_periodic(s->shape, axis) ? lo + zoid_modulo(at - lo, s->shape->n[axis]) : at;
}

typedef void meet_fn(const struct meeting *m, const struct zoid_sample_point *sample_point,
                     const long at[ZOID_AXES]);

/* Applies a sample point at every point of the plane that stands for it: beyond a periodic face
 * there are several. */
static void meet(const struct meeting *m, const struct zoid_sample_point *sample_point,
                 meet_fn *does)
{
    const struct zoid_sweep *s = m->sweep;
    const int chain = zoid_chain(s->shape);
    const long *n = s->shape->n;
    long at[ZOID_AXES] = {0}, x, y;

    if (m->stored[sample_point->field] < 0 || !in_box(m->sample_points, sample_point, &s->box))
        return;
    y = chain > 1 ? first_at(s, 1, sample_point->at[1]) : 0;
    for (long y_end = chain > 1 ? s->box.hi[1] : 1; y < y_end; y += n[1]) {
        x = chain > 0 ? first_at(s, 0, sample_point->at[0]) : 0;
        for (long x_end = chain > 0 ? s->box.hi[0] : 1; x < x_end; x += n[0]) {
            at[0] = x;
            at[1] = y;
            does(m, sample_point, at);
        }
    }
}

/* Returns the first of a plane's sample points whose index along the axis is >= `at`. */
static size_t first_from(const struct zoid_sample_point_list *list, int axis, long at)
{
    size_t lo = 0, hi = list->n;

    while (lo < hi) {
        const size_t middle = lo + (hi - lo) / 2;

        if (list->sample_point[middle].at[axis] < at)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

/* Applies the sample points of the plane in the box: binary search for the rows of a tile. */
static void meet_all(const struct meeting *m, const struct zoid_sample_point_list *list,
                     meet_fn *does)
{
    const struct zoid_sweep *s = m->sweep;
    const int axis = zoid_chain(s->shape) - 1;
    const long plane = zoid_fold(s->shape, axis + 1, m->plane);
    const struct zoid_sample_point_list of = zoid_sample_points_of(list, plane, plane + 1);
    size_t i = 0, end = of.n;

    if (of.n && axis >= 0 && !zoid_axis_periodic(s->shape, axis)) {
        i = first_from(&of, axis, s->box.lo[axis]);
        end = first_from(&of, axis, s->box.hi[axis]);
    }
    for (; i < end; i++)
        meet(m, &of.sample_point[i], does);
}

void zoid_sample_points_sweep(const struct zoid_sample_points *sample_points,
                              const struct zoid_sweep *sweep)
{
    const int chain = zoid_chain(sweep->shape);
    struct meeting m = meeting_of(sample_points, sweep);

    for (m.plane = sweep->box.lo[chain]; m.plane < sweep->box.hi[chain]; m.plane++) {
        meet_all(&m, &sample_points->adds, add);
        meet_all(&m, &sample_points->keeps, keep);
    }
}
