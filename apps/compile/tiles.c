/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/tiles.h"

#include <isl/ast_build.h>
#include <isl/ctx.h>
#include <isl/id.h>
#include <isl/union_map.h>
#include <stdio.h>

#include "apps/compile/affine.h"

/* A sum of the time and coordinates with factors, and a number. */
struct sum {
    int factor[ZOID_SHAPE_DIMS], plus;
};

/* phi . (t, point) + c */
static struct sum row_of(const struct zoid_tiles *k, int row, int statement)
{
    const struct zoid_shape_row *r = &k->rows.row[row];
    struct sum sum = {.plus = r->offset[statement]};

    for (int i = 0; i < k->m->dependences->dims; i++)
        sum.factor[i] = i && k->m->ir->mirrored[i - 1] ? -r->phi[i] : r->phi[i];
    return sum;
}

static void put_sum(struct zoid_affine *w, const struct zoid_tiles *k, const struct sum *sum)
{
    zoid_affine_put(w, "(%d t", sum->factor[0]);
    for (int a = 0; a < k->m->ir->axes; a++)
        zoid_affine_put(w, " + %d p%d", sum->factor[1 + a], a);
    zoid_affine_put(w, " + %d)", sum->plus);
}

/* Its least, or greatest, value among the points of a statement. */
static void put_end(struct zoid_affine *w, const struct zoid_tiles *k,
                    const struct zoid_statement *s, const struct sum *sum, bool greatest)
{
    zoid_affine_put(w, "(%d", sum->plus);
    for (int i = 0; i < k->m->dependences->dims; i++) {
        const bool last = (sum->factor[i] > 0) == greatest;

        zoid_affine_put(w, " + %d * (", sum->factor[i]);
        zoid_affine_poly(w, i      ? last ? &s->hi[i - 1] : &s->lo[i - 1]
                                 : last ? &k->m->nest->time->hi
                                   : &k->m->nest->time->lo);
        zoid_affine_put(w, " - %d)", last);
    }
    zoid_affine_put(w, ")");
}

static void put_tile(struct zoid_affine *w, const struct zoid_tiles *k)
{
    for (int r = 0; r < k->rows.n; r++)
        zoid_affine_put(w, "%sx%d", r ? ", " : "", r);
}

/* The tiles that may have points of a unit, by the ends of each row's range. Tiles at corners have
 * no points, which the bounds of their outermost loop say; to find the tiles with points takes isl
 * minutes in 3-D. */
static isl_union_map *tiles_of(const struct zoid_tiles *k, int unit)
{
    const int statement = k->units->unit[unit].statement[0];
    const struct zoid_statement *s = k->m->statement[statement];
    struct zoid_affine w = {.used = 0};

    zoid_affine_sizes(&w, k->m);
    zoid_affine_put(&w, "{ T[");
    put_tile(&w, k);
    zoid_affine_put(&w, "] -> [x0");
    for (int r = 1; r < k->rows.n; r++)
        zoid_affine_put(&w, " + x%d", r);
    for (int r = k->rows.n - 1; r > 0; r--)
        zoid_affine_put(&w, ", x%d", r);
    zoid_affine_put(&w, "] : ");
    zoid_affine_poly(&w, &k->m->nest->time->lo);
    zoid_affine_put(&w, " < ");
    zoid_affine_poly(&w, &k->m->nest->time->hi);
    for (int a = 0; a < k->m->ir->axes; a++) {
        zoid_affine_put(&w, " and ");
        zoid_affine_poly(&w, &s->lo[a]);
        zoid_affine_put(&w, " < ");
        zoid_affine_poly(&w, &s->hi[a]);
    }
    for (int r = 0; r < k->rows.n; r++) {
        const struct sum sum = row_of(k, r, statement);
        const int tile = k->tiling->tile[r];

        zoid_affine_put(&w, " and %d x%d + %d >= ", tile, r, tile - 1);
        put_end(&w, k, s, &sum, false);
        zoid_affine_put(&w, " and %d x%d <= ", tile, r);
        put_end(&w, k, s, &sum, true);
    }
    zoid_affine_put(&w, " }");
    return w.used < sizeof w.text ? isl_union_map_read_from_str(k->ctx, w.text) : NULL;
}

/* The points of a unit in the tile that begins at zoid_x0, ..., in the order of the source. */
static isl_union_map *points_of(const struct zoid_tiles *k, int unit)
{
    const struct zoid_unit *u = &k->units->unit[unit];
    const struct zoid_statement *s = k->m->statement[u->statement[0]];
    struct zoid_affine w = {.used = 0};

    zoid_affine_put(&w, "[");
    for (int i = 0; i < k->m->nest->nsizes; i++)
        zoid_affine_put(&w, ZOID_AFFINE_SIZE "%d, ", i);
    for (int r = 0; r < k->rows.n; r++)
        zoid_affine_put(&w, "%szoid_x%d", r ? ", " : "", r);
    zoid_affine_put(&w, "] -> { U%d[", unit);
    zoid_affine_point(&w, k->m);
    zoid_affine_put(&w, "] -> [");
    zoid_affine_order(&w, k->m, s);
    zoid_affine_put(&w, "] : ");
    zoid_affine_domain(&w, k->m, s, -1);
    for (int r = 0; r < k->rows.n; r++) {
        const struct sum sum = row_of(k, r, u->statement[0]);

        zoid_affine_put(&w, " and zoid_x%d <= ", r);
        put_sum(&w, k, &sum);
        zoid_affine_put(&w, " < zoid_x%d + %d", r, k->tiling->tile[r]);
    }
    zoid_affine_put(&w, " }");
    return w.used < sizeof w.text ? isl_union_map_read_from_str(k->ctx, w.text) : NULL;
}

/* Names of loops: a letter, and numbers. */
static isl_id_list *name_loops(const struct zoid_tiles *k, char letter, int n)
{
    isl_id_list *list = isl_id_list_alloc(k->ctx, n);
    char name[32];

    for (int i = 0; i < n; i++) {
        snprintf(name, sizeof name, "zoid_%c%d", letter, i);
        list = isl_id_list_add(list, isl_id_alloc(k->ctx, name, NULL));
    }
    return list;
}

/* Loops over tiles are not split. */
static isl_union_map *atomic(const struct zoid_tiles *k)
{
    struct zoid_affine w = {.used = 0};

    zoid_affine_put(&w, "{ [");
    put_tile(&w, k);
    zoid_affine_put(&w, "] -> atomic[x] }");
    return isl_union_map_read_from_str(k->ctx, w.text);
}

isl_ast_node *zoid_tiles_build(const struct zoid_tiles *k, bool points)
{
    isl_union_map *order = NULL;
    isl_ast_build *build = isl_ast_build_alloc(k->ctx);
    isl_ast_node *node;

    for (int u = 0; u < k->units->n; u++) {
        isl_union_map *one = points ? points_of(k, u) : tiles_of(k, u);

        order = u ? isl_union_map_union(order, one) : one;
    }
    if (points) {
        build = isl_ast_build_set_iterators(build, name_loops(k, 'c', ZOID_AFFINE_ORDER));
    } else {
        build = isl_ast_build_set_iterators(build, name_loops(k, 'w', k->rows.n));
        build = isl_ast_build_set_options(build, atomic(k));
    }
    node = isl_ast_build_node_from_schedule_map(build, order);
    isl_ast_build_free(build);
    return node;
}
