/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/shapes.h"

#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/val.h>
#include <stdarg.h>
#include <string.h>

enum { OPERATIONS = 4000000 };

/* A search for one row: the texts of its constraints, and the best row that was found. */
struct search {
    struct zoid_text *text;
    const struct zoid_dependences *all;
    const bool *left_out;
    isl_ctx *ctx;
    char *constraints; /* of rows for all dependences */
    int size;
    bool found;
    struct zoid_shape_row best;
};

__attribute__((format(printf, 3, 4))) static int put(char *to, int size, const char *format, ...)
{
    va_list list;
    int used;

    va_start(list, format);
    used = vsnprintf(to, (size_t)(size > 0 ? size : 0), format, list);
    va_end(list);
    return used;
}

/* Returns whether another dependence of the same statements makes one needless as a lower, or
 * upper, bound: phi has no negative coefficients, so that its distance need only be nowhere larger,
 * or smaller. The first of several equal ones counts. */
static bool needless(const struct zoid_dependences *all, const bool *left_out, int i, bool upper)
{
    const struct zoid_dependence *d = &all->dependence[i];

    for (int j = 0; j < all->n; j++) {
        const struct zoid_dependence *other = &all->dependence[j];
        bool beyond = true, equal = true;

        if (j == i || (left_out && left_out[j]) || other->from != d->from || other->to != d->to)
            continue;
        for (int x = 0; x < all->dims; x++) {
            const int more = other->distance[x] - d->distance[x];

            beyond &= upper ? more >= 0 : more <= 0;
            equal &= more == 0;
        }
        if (beyond && (!equal || j < i))
            return true;
    }
    return false;
}

/* The constraints of a row, in w (width), s (sum of phi), q (-phi) and c (offsets). */
static void write_constraints(struct search *k, bool at_least_one)
{
    const struct zoid_dependences *all = k->all;
    char *to = k->constraints;
    int used = 0;

#define PUT(...) used += put(to + used, k->size - used, __VA_ARGS__)
    PUT("w >= 0 and s >= 1 and s = 0");
    for (int i = 0; i < all->dims; i++)
        PUT(" - q%d", i);
    for (int i = 0; i < all->dims; i++)
        PUT(" and q%d <= 0", i);
    for (int i = 0; i < all->statements; i++)
        PUT(" and c%d >= 0", i);
    for (int i = 0; i < all->n; i++)
        for (int upper = 0; upper < 2; upper++) {
            const struct zoid_dependence *d = &all->dependence[i];
            const bool self = d->from == d->to;

            if ((k->left_out && k->left_out[i]) || needless(all, k->left_out, i, upper))
                continue;
            if (!upper)
                PUT(" and %d <= 0", self && at_least_one ? 1 : 0);
            else
                PUT(" and w >= 0");
            for (int x = 0; x < all->dims; x++)
                PUT(" + %d q%d", -d->distance[x], x);
            if (!self)
                PUT(" + c%d - c%d", d->to, d->from);
        }
#undef PUT
}

static int coordinate(isl_point *point, int at)
{
    isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, at);
    const int number = (int)isl_val_get_num_si(value);

    isl_val_free(value);
    return number;
}

/* Returns whether row a precedes b: width, sum, larger first coefficients, offsets. */
static bool precedes(const struct search *k, const struct zoid_shape_row *a,
                     const struct zoid_shape_row *b)
{
    int sum[2] = {0, 0};

    for (int i = 0; i < k->all->dims; i++) {
        sum[0] += a->phi[i];
        sum[1] += b->phi[i];
    }
    if (a->width != b->width)
        return a->width < b->width;
    if (sum[0] != sum[1])
        return sum[0] < sum[1];
    for (int i = 0; i < k->all->dims; i++)
        if (a->phi[i] != b->phi[i])
            return a->phi[i] > b->phi[i];
    for (int i = 0; i < k->all->statements; i++)
        if (a->offset[i] != b->offset[i])
            return a->offset[i] < b->offset[i];
    return false;
}

/* Finds the least row with phi . normal >= 1, and keeps it if it is the best. */
static void try_normal(struct search *k, const int *normal)
{
    const struct zoid_dependences *all = k->all;
    const int size = k->size + 1000;
    char *to = zoid_text_new(k->text, (size_t)size);
    struct zoid_shape_row row = {.width = 0};
    isl_point *point;
    isl_set *set;
    int used = 0;

#define PUT(...) used += put(to + used, size - used, __VA_ARGS__)
    PUT("{ [w, s");
    for (int i = 0; i < all->dims; i++)
        PUT(", q%d", i);
    for (int i = 0; i < all->statements; i++)
        PUT(", c%d", i);
    PUT("] : %s and 0", k->constraints);
    for (int i = 0; i < all->dims; i++)
        PUT(" + %d q%d", -normal[i], i);
    PUT(" >= 1 }");
#undef PUT
    set = isl_set_lexmin(isl_set_read_from_str(k->ctx, to));
    point = isl_set_sample_point(set);
    if (!point)
        return;
    if (isl_point_is_void(point) == isl_bool_false) {
        row.width = coordinate(point, 0);
        for (int i = 0; i < all->dims; i++)
            row.phi[i] = -coordinate(point, 2 + i);
        for (int i = 0; i < all->statements; i++)
            row.offset[i] = coordinate(point, 2 + all->dims + i);
        if (!k->found || precedes(k, &row, &k->best))
            k->best = row;
        k->found = true;
    }
    isl_point_free(point);
}

static long determinant(int n, long a[ZOID_SHAPE_DIMS][ZOID_SHAPE_DIMS])
{
    long sum = 0;

    if (n == 1)
        return a[0][0];
    for (int j = 0; j < n; j++) {
        long minor[ZOID_SHAPE_DIMS][ZOID_SHAPE_DIMS];

        for (int r = 1; r < n; r++)
            for (int c = 0, to = 0; c < n; c++)
                if (c != j)
                    minor[r - 1][to++] = a[r][c];
        sum += (j % 2 ? -1 : 1) * a[0][j] * determinant(n - 1, minor);
    }
    return sum;
}

/* Tries a direction and, if asked, its opposite, except directions that phi, whose
 * coefficients are not negative, cannot have. */
static void try_both(struct search *k, int *normal, bool opposite)
{
    for (int way = 0; way < (opposite ? 2 : 1); way++) {
        bool positive = false;

        for (int i = 0; i < k->all->dims; i++) {
            normal[i] *= way ? -1 : 1;
            positive |= normal[i] > 0;
        }
        if (positive)
            try_normal(k, normal);
    }
}

/* Tries all directions in which a row is independent of those before: phi is so if a determinant of
 * them, phi and axes is not 0. `last`: the determinant of all rows is positive. */
static void try_all(struct search *k, const struct zoid_shape_rows *rows, bool last)
{
    const int dims = k->all->dims, left = dims - rows->n - 1;
    int tried[1 << ZOID_SHAPE_DIMS][ZOID_SHAPE_DIMS], n = 0;

    for (unsigned axes = 0; axes < 1u << dims; axes++) {
        int normal[ZOID_SHAPE_DIMS] = {0};
        bool known = false;

        if (__builtin_popcount(axes) != left)
            continue;
        for (int i = 0; i < dims; i++) {
            long a[ZOID_SHAPE_DIMS][ZOID_SHAPE_DIMS] = {{0}};
            int r = 0;

            for (; r < rows->n; r++)
                for (int x = 0; x < dims; x++)
                    a[r][x] = rows->row[r].phi[x];
            a[r++][i] = 1;
            for (int x = 0; x < dims; x++)
                if (axes >> x & 1)
                    a[r++][x] = 1;
            normal[i] = (int)determinant(dims, a);
        }
        for (int t = 0; t < n; t++)
            known |= !memcmp(tried[t], normal, sizeof normal);
        memcpy(tried[n++], normal, sizeof normal);
        if (!known)
            try_both(k, normal, !last);
    }
}

struct zoid_shape_rows zoid_shape_find(struct zoid_text *text, const struct zoid_dependences *all,
                                       const bool *left_out, bool balanced)
{
    struct zoid_shape_rows rows = {.n = 0};
    struct search k = {.text = text, .all = all, .left_out = left_out};
    bool lost;

    k.size = 1000 + 64 * all->n + 16 * all->statements;
    k.constraints = zoid_text_new(text, (size_t)k.size);
    k.ctx = isl_ctx_alloc();
    if (!k.ctx)
        zoid_refuse(text, 0, "memory ran out; free some");
    isl_options_set_on_error(k.ctx, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(k.ctx, OPERATIONS);
    while (rows.n < all->dims) {
        write_constraints(&k, balanced && rows.n == 0);
        k.found = false;
        if (rows.n == all->dims - 1)
            try_all(&k, &rows, true);
        if (!k.found)
            try_all(&k, &rows, false);
        if (!k.found)
            break;
        rows.row[rows.n++] = k.best;
    }
    lost = isl_ctx_last_error(k.ctx) != isl_error_none;
    isl_ctx_free(k.ctx);
    if (lost)
        zoid_refuse(text, 0, "shapes that take too long to find; take fewer dependences");
    return rows;
}

static bool same_rows(const struct zoid_dependences *all, const struct zoid_shape_rows *a,
                      const struct zoid_shape_rows *b)
{
    if (a->n != b->n)
        return false;
    for (int i = 0; i < a->n; i++) {
        for (int x = 0; x < all->dims; x++)
            if (a->row[i].phi[x] != b->row[i].phi[x])
                return false;
        for (int s = 0; s < all->statements; s++)
            if (a->row[i].offset[s] != b->row[i].offset[s])
                return false;
    }
    return true;
}

/* Returns whether the balanced rows differ without some dependences. */
static bool hinders(struct zoid_text *text, const struct zoid_dependences *all,
                    const struct zoid_shape_rows *balanced, const bool *left_out)
{
    const struct zoid_shape_rows rows = zoid_shape_find(text, all, left_out, true);

    return !same_rows(all, &rows, balanced);
}

/* Returns whether balanced rows hold for a dependence, too: then they are the same with it. */
static bool hold(const struct zoid_dependences *all, const struct zoid_shape_rows *rows, int i)
{
    const struct zoid_dependence *d = &all->dependence[i];

    for (int r = 0; r < rows->n; r++) {
        const struct zoid_shape_row *row = &rows->row[r];
        int value = row->offset[d->to] - row->offset[d->from];

        for (int x = 0; x < all->dims; x++)
            value += row->phi[x] * d->distance[x];
        if (value < (r == 0 && d->from == d->to) || value > row->width)
            return false;
    }
    return true;
}

/* Marks the dependences of one statement that a copy of one array removes, if the balanced rows
 * differ without them, except for those that make no difference. */
static bool mark_group(struct zoid_meaning *m, const struct zoid_shape_rows *balanced,
                       int statement, const struct zoid_nest_array *array, bool *marked)
{
    const struct zoid_dependences *all = m->dependences;
    struct zoid_shape_rows without;

    for (int i = 0; i < all->n; i++)
        marked[i] = all->dependence[i].from == statement &&
                    m->statement[all->dependence[i].to]->array == array && zoid_copy_removes(m, i);
    without = zoid_shape_find(m->text, all, marked, true);
    if (same_rows(all, &without, balanced))
        return false;
    for (int i = 0; i < all->n; i++)
        marked[i] &= !hold(all, &without, i);
    return true;
}

void zoid_shape_hindering(struct zoid_meaning *m, bool *hindering)
{
    const struct zoid_dependences *all = m->dependences;
    const struct zoid_shape_rows balanced = zoid_shape_find(m->text, all, NULL, true);
    bool *without = zoid_text_new(m->text, (size_t)all->n + 1);
    bool any = false;

    memset(hindering, 0, (size_t)all->n * sizeof *hindering);
    for (int i = 0; i < all->n; i++) {
        if (all->dependence[i].kind == ZOID_FLOW)
            continue;
        without[i] = true;
        hindering[i] = !(needless(all, NULL, i, false) && needless(all, NULL, i, true)) &&
                       hinders(m->text, all, &balanced, without);
        any |= hindering[i];
        without[i] = false;
    }
    for (int s = 0; s < all->statements && !any; s++)
        for (struct zoid_nest_array *a = m->ir->arrays; a && !any; a = a->next)
            any = mark_group(m, &balanced, s, a, hindering);
    if (!any)
        memset(hindering, 0, (size_t)all->n * sizeof *hindering);
}

static void print_vector(const int *vector, int n, FILE *to)
{
    fputc('(', to);
    for (int i = 0; i < n; i++)
        fprintf(to, "%s%d", i ? " " : "", vector[i]);
    fputc(')', to);
}

static void print_dependence(const struct zoid_dependences *all, int i, FILE *to)
{
    const struct zoid_dependence *d = &all->dependence[i];

    fprintf(to, "%s %d -> %d ", zoid_dependence_name(d->kind), d->from, d->to);
    print_vector(d->distance, all->dims, to);
    fputc('\n', to);
}

static void print_rows(const char *name, const struct zoid_dependences *all,
                       const struct zoid_shape_rows *rows, FILE *to)
{
    fputs(name, to);
    for (int i = 0; i < rows->n; i++) {
        bool any = false;

        fputc(' ', to);
        print_vector(rows->row[i].phi, all->dims, to);
        for (int s = 0; s < all->statements; s++)
            any |= rows->row[i].offset[s] != 0;
        for (int s = 0; s < all->statements && any; s++)
            fprintf(to, "%s%d", s ? "," : "+", rows->row[i].offset[s]);
    }
    fputs(rows->n < all->dims ? " and no more\n" : "\n", to);
}

static void print_copies(struct zoid_meaning *m, const bool *hindering, FILE *to)
{
    const struct zoid_copies *k = zoid_copies_make(m, hindering);
    const struct zoid_dependences *all = k->nest->dependences;
    const struct zoid_shape_rows minimal = zoid_shape_find(m->text, all, NULL, false);
    const struct zoid_shape_rows balanced = zoid_shape_find(m->text, all, NULL, true);

    if (!k->n) {
        fputs("copies none\n", to);
        return;
    }
    fputs("copies\n", to);
    for (int i = 0; i < k->n; i++) {
        fprintf(to, "  %d %s = %s", k->copy[i].statement, k->copy[i].to->name, k->copy[i].of->name);
        for (int r = 0; r < k->reads; r++)
            if (k->read[r].copy == &k->copy[i]) {
                fprintf(to, ", read by %d at ", k->read[r].statement);
                print_vector(k->read[r].offset, m->ir->axes, to);
            }
        fputc('\n', to);
    }
    fprintf(to, "copied dependences %d\n", all->n);
    print_rows("copied minimal", all, &minimal, to);
    print_rows("copied balanced", all, &balanced, to);
}

void zoid_shape_print(struct zoid_meaning *m, FILE *to)
{
    const struct zoid_dependences *all = m->dependences;
    const struct zoid_shape_rows minimal = zoid_shape_find(m->text, all, NULL, false);
    const struct zoid_shape_rows balanced = zoid_shape_find(m->text, all, NULL, true);
    bool *hindering = zoid_text_new(m->text, (size_t)all->n + 1), any = false;

    fprintf(to, "dependences %d\n", all->n);
    for (int i = 0; i < all->n; i++) {
        fputs("  ", to);
        print_dependence(all, i, to);
    }
    print_rows("minimal", all, &minimal, to);
    print_rows("balanced", all, &balanced, to);
    zoid_shape_hindering(m, hindering);
    fputs("hindering", to);
    for (int i = 0; i < all->n; i++)
        any |= hindering[i];
    fputs(any ? "\n" : " none\n", to);
    for (int i = 0; i < all->n; i++)
        if (hindering[i]) {
            fputs("  ", to);
            print_dependence(all, i, to);
        }
    if (any)
        print_copies(m, hindering, to);
}
