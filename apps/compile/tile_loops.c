/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/tiles.h"

#include <isl/ast_build.h>
#include <isl/ctx.h>
#include <isl/id.h>
#include <isl/options.h>
#include <isl/printer.h>
#include <stdlib.h>
#include <string.h>

#include "apps/compile/emit.h"

enum { OPERATIONS = 40000000 };

/* The number of a loop over points by its variable; of one over tiles -1, -2 and so on. */
static int loop_number(isl_ast_node *node)
{
    isl_ast_expr *variable = isl_ast_node_for_get_iterator(node);
    isl_id *id = isl_ast_expr_get_id(variable);
    const char *name = isl_id_get_name(id) + strlen("zoid_");
    const int number = *name == 'w' ? -1 - atoi(name + 1) : atoi(name + 1);

    isl_id_free(id);
    isl_ast_expr_free(variable);
    return number;
}

/* The unit that a node computes a point of. */
static int unit_of(isl_ast_node *node)
{
    isl_ast_expr *call = isl_ast_node_user_get_expr(node);
    isl_ast_expr *name = isl_ast_expr_get_op_arg(call, 0);
    isl_id *id = isl_ast_expr_get_id(name);
    const int unit = atoi(isl_id_get_name(id) + 1);

    isl_id_free(id);
    isl_ast_expr_free(name);
    isl_ast_expr_free(call);
    return unit;
}

struct inside {
    int loops;
    bool unit[ZOID_STATEMENTS];
};

static isl_bool note_inside(isl_ast_node *node, void *data)
{
    struct inside *in = data;

    in->loops += isl_ast_node_get_type(node) == isl_ast_node_for;
    if (isl_ast_node_get_type(node) == isl_ast_node_user)
        in->unit[unit_of(node)] = true;
    return isl_bool_true;
}

/* Returns whether a dependence may go between iterations of an innermost loop along an axis: those
 * of the loops around it do not differ, and its own do. Axes without a loop do not count. */
static bool is_between(const struct zoid_tiles *k, const struct zoid_dependence *d, int axis)
{
    const struct zoid_statement *from = k->m->statement[d->from], *to = k->m->statement[d->to];

    if (d->distance[0])
        return false;
    for (int a = 0; a < k->m->ir->axes; a++)
        if (from->depth[a] != to->depth[a])
            return true;
    for (int a = 0; a < k->m->ir->axes; a++) {
        const int distance = k->m->ir->mirrored[a] ? -d->distance[1 + a] : d->distance[1 + a];
        const bool differ = distance != to->offset[a] - from->offset[a];

        if (from->depth[a] >= 0 && differ != (a == axis))
            return false;
    }
    return true;
}

/* Returns whether a loop is innermost, and its points are independent. */
static bool is_independent(const struct zoid_tiles *k, isl_ast_node *node)
{
    struct inside in = {.loops = 0};
    bool of[ZOID_STATEMENTS] = {false};
    int axis = -1;

    isl_ast_node_foreach_descendant_top_down(node, note_inside, &in);
    if (in.loops != 1)
        return false;
    for (int u = 0; u < k->units->n; u++) {
        const struct zoid_unit *unit = &k->units->unit[u];
        const struct zoid_statement *s = k->m->statement[unit->statement[0]];

        if (!in.unit[u])
            continue;
        if (!s->nloops || loop_number(node) != 2 * s->nloops)
            return false;
        for (int a = 0; a < k->m->ir->axes; a++)
            if (s->depth[a] == s->nloops - 1) {
                if (axis >= 0 && axis != a)
                    return false;
                axis = a;
            }
        for (int i = 0; i < unit->n; i++)
            of[unit->statement[i]] = true;
    }
    for (int i = 0; i < k->m->dependences->n; i++) {
        const struct zoid_dependence *d = &k->m->dependences->dependence[i];

        if (of[d->from] && of[d->to] && is_between(k, d, axis))
            return false;
    }
    return true;
}

static isl_printer *put_line(isl_printer *p, const char *line)
{
    p = isl_printer_start_line(p);
    p = isl_printer_print_str(p, line);
    return isl_printer_end_line(p);
}

static isl_printer *print_for(isl_printer *p, isl_ast_print_options *options, isl_ast_node *node,
                              void *data)
{
    const struct zoid_tiles *k = data;

    /* Tiles of a wavefront do not depend on each other. */
    if (loop_number(node) == -2 && !isl_ast_node_for_is_degenerate(node))
        p = put_line(p, "#pragma omp parallel for schedule(dynamic)");
    if (loop_number(node) > 0 && !isl_ast_node_for_is_degenerate(node) && is_independent(k, node))
        p = put_line(p, "#pragma GCC ivdep");
    return isl_ast_node_for_print(node, p, options);
}

/* const TYPE NAME = coordinate - offset; */
static isl_printer *put_variable(isl_printer *p, const struct zoid_symbol *variable,
                                 enum zoid_ctype type, isl_ast_expr *coordinate, int offset)
{

    p = isl_printer_print_str(p, "const ");
    p = isl_printer_print_str(p, zoid_emit_integers[type]);
    p = isl_printer_print_str(p, " ");
    p = isl_printer_print_str(p, variable->name);
    p = isl_printer_print_str(p, offset ? " = (" : " = ");
    p = isl_printer_print_ast_expr(p, coordinate);
    if (offset) {
        p = isl_printer_print_str(p, ") - ");
        p = isl_printer_print_int(p, offset);
    }
    p = isl_printer_print_str(p, "; ");
    isl_ast_expr_free(coordinate);
    return p;
}

/* The variables of loops that the text of a unit has. The time has its own type, since values have
 * it, and so the arithmetic of C; indices, which are in subscripts alone, are long in place of int,
 * for gcc's vectors. */
static isl_printer *put_variables(isl_printer *p, const struct zoid_tiles *k,
                                  const struct zoid_unit *unit, isl_ast_expr *call)
{
    const struct zoid_statement *s = k->m->statement[unit->statement[0]];
    const struct zoid_symbol *time = k->m->nest->time->symbol;

    if (unit->loops & 1 || k->m->swap[0])
        p = put_variable(p, time, time->type, isl_ast_expr_get_op_arg(call, 1), 0);
    for (int a = 0; a < k->m->ir->axes; a++) {
        const int d = s->depth[a];
        const struct zoid_symbol *variable;
        struct zoid_symbol point = {.type = ZOID_LONG};
        char name[16];

        if (d < 0 || !(unit->loops & 2u << d))
            continue;
        snprintf(name, sizeof name, "zoid_i%d", a);
        point.name = name;
        variable = s->value ? s->loop[d]->symbol : &point;
        p = put_variable(p, variable, variable->type == ZOID_INT ? ZOID_LONG : variable->type,
                         isl_ast_expr_get_op_arg(call, 2 + a), s->value ? s->offset[a] : 0);
    }
    return p;
}

static isl_printer *print_point(isl_printer *p, isl_ast_print_options *options, isl_ast_node *node,
                                void *data)
{
    const struct zoid_tiles *k = data;
    const struct zoid_unit *unit = &k->units->unit[unit_of(node)];
    isl_ast_expr *call = isl_ast_node_user_get_expr(node);

    p = isl_printer_start_line(p);
    p = isl_printer_print_str(p, "{ ");
    p = put_variables(p, k, unit, call);
    if (k->m->swap[0]) {
        const char *const a = k->m->swap[0]->name, *const b = k->m->swap[1]->name;

        p = isl_printer_print_str(
            p, zoid_text_print(k->m->text,
                               "const int zoid_odd = (%s - zoid_from) %% 2; "
                               "const __typeof__(&*zoid_0) %s = zoid_odd ? zoid_1 : zoid_0, "
                               "%s = zoid_odd ? zoid_0 : zoid_1; (void)%s, (void)%s; ",
                               k->m->nest->time->symbol->name, a, b, a, b));
    }
    p = isl_printer_print_str(p, unit->text);
    p = isl_printer_print_str(p, "}");
    isl_ast_expr_free(call);
    isl_ast_print_options_free(options);
    return isl_printer_end_line(p);
}

static isl_printer *print_loops(struct zoid_tiles *k, isl_printer *p, bool points);

/* The tile's first values of rows, and its points. */
static isl_printer *print_tile(isl_printer *p, isl_ast_print_options *options, isl_ast_node *node,
                               void *data)
{
    struct zoid_tiles *k = data;
    isl_ast_expr *call = isl_ast_node_user_get_expr(node);

    p = put_line(p, "{");
    p = isl_printer_indent(p, 4);
    for (int r = 0; r < k->rows.n; r++) {
        isl_ast_expr *number = isl_ast_expr_get_op_arg(call, 1 + r);

        p = isl_printer_start_line(p);
        p = isl_printer_print_str(
            p, zoid_text_print(k->m->text, "const long zoid_x%d = %dL * (", r, k->tiling->tile[r]));
        p = isl_printer_print_ast_expr(p, number);
        p = isl_printer_print_str(p, ");");
        p = isl_printer_end_line(p);
        isl_ast_expr_free(number);
    }
    p = print_loops(k, p, true);
    p = isl_printer_indent(p, -4);
    isl_ast_expr_free(call);
    isl_ast_print_options_free(options);
    return put_line(p, "}");
}

static isl_printer *print_loops(struct zoid_tiles *k, isl_printer *p, bool points)
{
    isl_ast_print_options *options = isl_ast_print_options_alloc(k->ctx);
    isl_ast_node *node = zoid_tiles_build(k, points);

    options = isl_ast_print_options_set_print_for(options, print_for, k);
    options = isl_ast_print_options_set_print_user(options, points ? print_point : print_tile, k);
    p = node ? isl_ast_node_print(node, p, options) : isl_printer_free(p);
    if (!node)
        isl_ast_print_options_free(options);
    isl_ast_node_free(node);
    return p;
}

const char *zoid_tiles_print(struct zoid_tiles *k)
{
    isl_printer *p;
    char *text;
    const char *loops = NULL;
    bool lost;

    k->ctx = isl_ctx_alloc();
    if (!k->ctx)
        zoid_refuse(k->m->text, 0, "memory ran out; free some");
    isl_options_set_on_error(k->ctx, ISL_ON_ERROR_CONTINUE);
    isl_options_set_ast_iterator_type(k->ctx, "long");
    isl_ctx_set_max_operations(k->ctx, OPERATIONS);
    p = isl_printer_to_str(k->ctx);
    p = isl_printer_set_output_format(p, ISL_FORMAT_C);
    p = isl_printer_set_indent(p, 8);
    p = isl_ast_op_type_set_print_name(p, isl_ast_op_min, "zoid_min");
    p = isl_ast_op_type_set_print_name(p, isl_ast_op_max, "zoid_max");
    p = isl_ast_op_type_set_print_name(p, isl_ast_op_fdiv_q, "zoid_floord");
    p = print_loops(k, p, false);
    text = p ? isl_printer_get_str(p) : NULL;
    isl_printer_free(p);
    lost = isl_ctx_last_error(k->ctx) != isl_error_none;
    isl_ctx_free(k->ctx);
    if (text && !lost)
        loops = zoid_text_copy(k->m->text, text, strlen(text));
    free(text);
    if (!loops)
        zoid_refuse(k->m->text, k->m->nest->at,
                    "tiles that take too long to find; take fewer statements");
    return loops;
}
