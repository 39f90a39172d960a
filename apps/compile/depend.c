/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/depend.h"

#include <isl/ctx.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

#include "apps/compile/affine.h"

enum { OPERATIONS = 4000000, MOST = 4096 };

/* An access of a statement: the offset from the index of its iteration. */
struct reach {
    int statement;
    bool write;
    const struct zoid_nest_array *array;
    const int *offset;
    int role, colour;
    size_t at;
};

struct search {
    struct zoid_meaning *m;
    isl_ctx *ctx;
    int dims, count;
    const struct reach *reach;
    isl_map **access;                   /* of each access */
    isl_map *schedule[ZOID_STATEMENTS]; /* of each statement */
    isl_map *later[ZOID_STATEMENTS];    /* from an instance to all times after its own */
    const struct reach *from, *to;
    struct zoid_dependence *found;
    int n;
    bool lost;      /* memory, or operations, ran out */
    bool unbounded; /* a distance is not uniform */
};

const char *zoid_dependence_name(enum zoid_dependence_kind kind)
{
    static const char *const names[] = {"flow", "anti", "output"};

    return names[kind];
}

/* Where an access goes: which of the arrays that take turns, and the element. */
static void put_element(struct zoid_affine *w, const struct zoid_meaning *m, const struct reach *r)
{
    if (r->array->turns)
        zoid_affine_put(w, "(t + %d) mod %d", (r->role + r->array->turns) % r->array->turns,
                        r->array->turns);
    else
        zoid_affine_put(w, "0");
    for (int a = 0; a < m->ir->axes; a++)
        zoid_affine_put(w, ", p%d + %d", a, r->offset[a]);
}

static isl_map *access_map(const struct search *s, const struct reach *r)
{
    struct zoid_affine w = {.used = 0};

    zoid_affine_sizes(&w, s->m);
    zoid_affine_put(&w, "{ [");
    zoid_affine_point(&w, s->m);
    zoid_affine_put(&w, "] -> [");
    put_element(&w, s->m, r);
    zoid_affine_put(&w, "] : ");
    zoid_affine_domain(&w, s->m, s->m->statement[r->statement], r->colour);
    zoid_affine_put(&w, " }");
    return w.used < sizeof w.text ? isl_map_read_from_str(s->ctx, w.text) : NULL;
}

static isl_map *schedule_map(const struct search *s, int statement)
{
    struct zoid_affine w = {.used = 0};

    zoid_affine_sizes(&w, s->m);
    zoid_affine_put(&w, "{ [");
    zoid_affine_point(&w, s->m);
    zoid_affine_put(&w, "] -> [");
    zoid_affine_order(&w, s->m, s->m->statement[statement]);
    zoid_affine_put(&w, "] : ");
    zoid_affine_domain(&w, s->m, s->m->statement[statement], -1);
    zoid_affine_put(&w, " }");
    return w.used < sizeof w.text ? isl_map_read_from_str(s->ctx, w.text) : NULL;
}

static isl_stat add_distance(isl_point *point, void *data)
{
    struct search *s = data;
    struct zoid_dependence d = {.from = s->from->statement,
                                .to = s->to->statement,
                                .at = s->from->write ? s->to->at : s->from->at,
                                .kind = !s->from->write ? ZOID_ANTI
                                        : s->to->write  ? ZOID_OUTPUT
                                                        : ZOID_FLOW};

    for (int i = 0; i < s->dims; i++) {
        isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, i);

        d.distance[i] = (int)isl_val_get_num_si(value);
        isl_val_free(value);
    }
    isl_point_free(point);
    if (s->n == MOST) {
        s->lost = true;
        return isl_stat_error;
    }
    s->found[s->n++] = d;
    return isl_stat_ok;
}

/* Reads the maps of all accesses and statements; those that cannot be allocated are NULL. */
static void read_maps(struct search *s)
{
    for (int i = 0; i < s->count; i++)
        s->access[i] = access_map(s, &s->reach[i]);
    for (int i = 0; i < s->m->n; i++) {
        s->schedule[i] = schedule_map(s, i);
        s->later[i] =
            isl_map_apply_range(isl_map_copy(s->schedule[i]),
                                isl_map_lex_lt(isl_space_range(isl_map_get_space(s->schedule[i]))));
    }
}

static void free_maps(struct search *s)
{
    for (int i = 0; i < s->count; i++)
        isl_map_free(s->access[i]);
    for (int i = 0; i < s->m->n; i++) {
        isl_map_free(s->schedule[i]);
        isl_map_free(s->later[i]);
    }
}

/* Adds the distances from one access to the next of another kind to the same element. */
static void add_pair(struct search *s)
{
    isl_map *from = isl_map_copy(s->access[s->from - s->reach]);
    isl_map *to = isl_map_copy(s->access[s->to - s->reach]);
    isl_map *order = s->schedule[s->to->statement];
    isl_map *same = isl_map_apply_range(from, isl_map_reverse(to));
    isl_map *later = isl_map_intersect(isl_map_apply_range(same, isl_map_copy(order)),
                                       isl_map_copy(s->later[s->from->statement]));
    isl_map *next =
        isl_map_apply_range(isl_map_lexmin(later), isl_map_reverse(isl_map_copy(order)));
    isl_set *distance = isl_map_deltas(next);
    isl_bool bounded;

    distance = isl_set_project_out(distance, isl_dim_param, 0,
                                   distance ? (unsigned)isl_set_dim(distance, isl_dim_param) : 0);
    bounded = isl_set_is_bounded(distance);
    if (bounded == isl_bool_true) {
        if (isl_set_foreach_point(distance, add_distance, s) != isl_stat_ok)
            s->lost = true;
    } else if (bounded == isl_bool_false)
        s->unbounded = true;
    else
        s->lost = true;
    isl_set_free(distance);
}

static int order(const void *a, const void *b)
{
    const struct zoid_dependence *x = a, *y = b;

    if (x->from != y->from)
        return x->from - y->from;
    if (x->to != y->to)
        return x->to - y->to;
    if (x->kind != y->kind)
        return (int)x->kind - (int)y->kind;
    for (int i = 0; i < 1 + ZOID_NEST_AXES; i++)
        if (x->distance[i] != y->distance[i])
            return x->distance[i] - y->distance[i];
    return 0;
}

/* All accesses to arrays that are written. */
static struct reach *list(struct zoid_meaning *m, int *count)
{
    static const int here[ZOID_NEST_AXES];
    struct reach *reach;
    int n = 0;

    for (int i = 0; i < m->n; i++) {
        n++;
        for (const struct zoid_nest_read *r = m->statement[i]->reads; r; r = r->next)
            n += r->array->kind == ZOID_ARRAY_STATE;
    }
    reach = zoid_text_new(m->text, (size_t)n * sizeof *reach);
    *count = n;
    n = 0;
    for (int i = 0; i < m->n; i++) {
        const struct zoid_statement *s = m->statement[i];

        reach[n++] = (struct reach){i, true, s->array, here, s->role, s->colour, s->item->left->at};
        for (const struct zoid_nest_read *r = s->reads; r; r = r->next)
            if (r->array->kind == ZOID_ARRAY_STATE)
                reach[n++] =
                    (struct reach){i, false, r->array, r->offset, r->role, r->colour, r->at};
    }
    return reach;
}

void zoid_depend_mirror(struct zoid_meaning *m, struct zoid_dependences *all)
{
    int kept = 0;

    for (int i = 0; i < all->n; i++)
        for (int a = 0; a < m->ir->axes; a++)
            if (m->ir->mirrored[a])
                all->dependence[i].distance[1 + a] *= -1;
    qsort(all->dependence, (size_t)all->n, sizeof *all->dependence, order);
    for (int i = 0; i < all->n; i++)
        if (!kept || order(&all->dependence[kept - 1], &all->dependence[i]))
            all->dependence[kept++] = all->dependence[i];
    all->n = kept;
}

struct zoid_dependences *zoid_depend(struct zoid_meaning *m)
{
    struct zoid_dependences *all = zoid_text_new(m->text, sizeof *all);
    struct search s = {.m = m, .dims = 1 + m->ir->axes};
    const struct reach *reach;
    size_t refused = 0;

    s.reach = reach = list(m, &s.count);
    s.access = zoid_text_new(m->text, (size_t)s.count * sizeof(isl_map *));
    s.found = zoid_text_new(m->text, MOST * sizeof *s.found);
    s.ctx = isl_ctx_alloc();
    if (!s.ctx)
        zoid_refuse(m->text, 0, "memory ran out; free some");
    isl_options_set_on_error(s.ctx, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(s.ctx, OPERATIONS);
    read_maps(&s);
    for (int i = 0; i < s.count && !s.lost && !s.unbounded; i++)
        for (int j = 0; j < s.count && !s.lost && !s.unbounded; j++)
            if (reach[i].array == reach[j].array && (reach[i].write || reach[j].write)) {
                s.from = &reach[i];
                s.to = &reach[j];
                refused = reach[i].write ? reach[j].at : reach[i].at;
                add_pair(&s);
            }
    free_maps(&s);
    isl_ctx_free(s.ctx);
    if (s.unbounded)
        zoid_refuse(m->text, refused,
                    "a distance to what is written that is not the same at all "
                    "points; read at i, i + 1 or the like");
    if (s.lost)
        zoid_refuse(m->text, m->nest->at, "more dependences than can be found; take fewer reads");
    all->statements = m->n;
    all->dims = s.dims;
    all->dependence = s.found;
    all->n = s.n;
    zoid_depend_mirror(m, all);
    return all;
}
