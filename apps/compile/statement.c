/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements with their loops, in the order of the source. */
#include <string.h>

#include "apps/compile/meaning.h"

/* The way from the time loop to a statement. */
struct way {
    const struct zoid_item *loop[ZOID_NEST_AXES], *body, *condition;
    int nloops, place[ZOID_NEST_AXES + 1];
    struct zoid_statement *next; /* whose locals were read already */
};

static bool has_time(const struct zoid_ast *ast)
{
    if (!ast || ast->height > ZOID_TEXT_NESTING)
        return false;
    return (ast->kind == ZOID_AST_NAME && ast->number == ZOID_POLY_TIME) || has_time(ast->a) ||
           has_time(ast->b) || has_time(ast->c);
}

static bool has_array(const struct zoid_ast *ast)
{
    if (!ast || ast->height > ZOID_TEXT_NESTING)
        return false;
    return ast->kind == ZOID_AST_ARRAY ||
           (ast->kind == ZOID_AST_NAME && ast->symbol->kind == ZOID_SYMBOL_LOCAL) ||
           has_array(ast->a) || has_array(ast->b) || has_array(ast->c);
}

static int subscripts(const struct zoid_ast *ast)
{
    int n = 0;

    for (const struct zoid_ast *x = ast->a; x; x = x->next)
        n++;
    return n - (has_time(ast->a) && ast->symbol->dims > 1);
}

/* --- before: the number of axes, and written arrays */

static void find_swap(struct zoid_meaning *m)
{
    for (const struct zoid_item *i = m->nest->time->body; i; i = i->next) {
        if (i->kind != ZOID_ITEM_SWAP)
            continue;
        if (i->next)
            zoid_refuse(m->text, i->at, "a swap that is not the last statement; put it last");
        m->swap[0] = i->symbol;
        m->swap[1] = i->other;
        m->swap_at = i->at;
        if (i->symbol->type != i->other->type || i->symbol->dims != i->other->dims)
            zoid_refuse(m->text, i->at, "a swap of arrays that differ; declare them alike");
    }
}

/* Marks arrays that are written; counts axes by subscripts, and loops. */
static void survey(struct zoid_meaning *m, const struct zoid_item *list, int loops, int *most)
{
    for (const struct zoid_item *i = list; i; i = i->next) {
        if (i->kind == ZOID_ITEM_SWAP && list != m->nest->time->body)
            zoid_refuse(m->text, i->at, "a swap inside a loop in space; put it last");
        if (i->kind == ZOID_ITEM_FOR)
            survey(m, i->body, loops + 1, most);
        if (i->kind == ZOID_ITEM_IF)
            survey(m, i->body, loops, most);
        if (i->kind != ZOID_ITEM_PUT)
            continue;
        zoid_array_of(m, i->left->symbol)->kind = ZOID_ARRAY_STATE;
        *most = loops > *most ? loops : *most;
        if (subscripts(i->left) > m->ir->axes)
            m->ir->axes = subscripts(i->left);
    }
}

/* Extents of axes but the slowest, from arrays that have a subscript an axis, or from the strides
 * of a sum of subscripts. */
static void find_extents(struct zoid_meaning *m, const struct zoid_item *list, bool flat)
{
    struct zoid_ir *ir = m->ir;

    for (const struct zoid_item *i = list; i; i = i->next) {
        const struct zoid_symbol *s;
        struct zoid_poly sum, stride[ZOID_NEST_AXES], left;
        int n = 0;

        if (i->kind == ZOID_ITEM_FOR || i->kind == ZOID_ITEM_IF)
            find_extents(m, i->body, flat);
        if (i->kind != ZOID_ITEM_PUT || m->extent_known[ir->axes - 1])
            continue;
        s = i->left->symbol;
        if (!flat && subscripts(i->left) == ir->axes) {
            for (int a = 1; a < ir->axes && s->dims >= ir->axes; a++) {
                ir->extent[a] = s->extent[s->dims - ir->axes + a];
                m->extent_known[a] = true;
            }
            continue;
        }
        if (!flat || ir->axes == 1 || subscripts(i->left) != 1 || has_array(i->left->a) ||
            has_time(i->left->a))
            continue;
        sum = zoid_ast_poly(m->text, i->left->a, "subscript");
        for (int d = 0; d < ZOID_POLY_LOOPS; d++) {
            struct zoid_poly factor;
            int at = n;

            if (!zoid_poly_factor(&sum, ZOID_POLY_LOOP + d, &factor) || !factor.n)
                continue;
            /* Largest first: by the order of terms, of integers by their value. */
            while (at > 0) {
                const struct zoid_poly_term *a = &factor.term[0], *b = &stride[at - 1].term[0];
                int degrees = 0;

                for (int k = 0; k < ZOID_POLY_SYMBOLS; k++)
                    degrees += a->power[k] - b->power[k];
                if (degrees < 0 || (degrees == 0 && a->factor <= b->factor))
                    break;
                stride[at] = stride[at - 1];
                at--;
            }
            stride[at] = factor;
            n++;
        }
        for (int a = n - 1; n == ir->axes && a > 0; a--) {
            zoid_poly_divide(&stride[a - 1], &stride[a], &ir->extent[a], &left);
            m->extent_known[a] = left.n == 0;
        }
    }
}

/* --- colours */

static _Noreturn void no_colour(struct zoid_meaning *m, const struct zoid_item *item)
{
    if (has_array(item->condition))
        zoid_refuse(m->text, item->condition->at, "a condition on data; write x < y ? a : b");
    zoid_refuse(m->text, item->at,
                "a condition other than of two colours; write (i + j) %% 2 == 0 "
                "of all indices");
}

static bool integer(const struct zoid_ast *ast, int *value)
{
    if (ast->kind != ZOID_AST_NUMBER || ast->literal.type >= ZOID_FLOAT ||
        ast->literal.integer > 1000)
        return false;
    *value = (int)ast->literal.integer;
    return true;
}

/* The sum of indices before % 2 or & 1; *remainder: it is %. */
static const struct zoid_ast *parity(const struct zoid_ast *ast, bool *remainder)
{
    int number;

    if (ast->kind != ZOID_AST_BINARY || (ast->op != '%' && ast->op != '&') ||
        !integer(ast->b, &number) || number != (ast->op == '%' ? 2 : 1))
        return NULL;
    *remainder = ast->op == '%';
    return ast->a;
}

static int read_colour(struct zoid_meaning *m, const struct zoid_statement *s,
                       const struct zoid_item *item)
{
    const struct zoid_ast *c = item->condition, *sum = NULL;
    const bool equal = c->kind == ZOID_AST_BINARY && c->op == ZOID_MARK2('=', '=');
    struct zoid_poly poly;
    bool remainder = false;
    int which;
    int64_t least = 0, rest;

    if (equal || (c->kind == ZOID_AST_BINARY && c->op == ZOID_MARK2('!', '=')))
        sum = parity(c->a, &remainder);
    if (!sum || has_array(sum) || !integer(c->b, &which) || which > 1)
        no_colour(m, item);
    poly = zoid_ast_poly(m->text, sum, "condition");
    for (int d = 0; d < s->nloops; d++) {
        const struct zoid_poly variable = zoid_poly_symbol(ZOID_POLY_LOOP + d);
        int64_t lo;

        if (!zoid_poly_add(&poly, &variable, -1, &poly) ||
            !zoid_poly_constant(&s->loop[d]->lo, &lo))
            no_colour(m, item);
        least += lo;
    }
    if (!zoid_poly_constant(&poly, &rest) || rest > 1000000 || rest < -1000000)
        no_colour(m, item);
    if (remainder && least + rest < 0)
        zoid_refuse(m->text, sum->at,
                    "a sum that is negative before %%, whose remainder may be -1;"
                    " write & 1");
    which += equal ? 0 : 1;
    /* From variables of loops to coordinates. */
    for (int a = 0; a < m->ir->axes; a++) {
        int64_t fixed = 0;

        if (s->depth[a] < 0 && !zoid_poly_constant(&s->lo[a], &fixed))
            no_colour(m, item);
        rest -= s->depth[a] < 0 ? fixed : s->offset[a];
    }
    return (int)((which + rest) & 1);
}

/* --- statements */

static struct zoid_statement *begin_statement(struct zoid_meaning *m, const struct way *way,
                                              const struct zoid_item *put)
{
    struct zoid_statement *s = zoid_text_new(m->text, sizeof *s);

    if (m->n == ZOID_STATEMENTS)
        zoid_refuse(m->text, put->at, "a statement too many; %d at most", ZOID_STATEMENTS);
    s->item = put;
    s->body = way->body;
    s->nloops = way->nloops;
    memcpy(s->loop, way->loop, sizeof s->loop);
    for (int a = 0; a < ZOID_NEST_AXES; a++)
        s->depth[a] = -1;
    zoid_set_point(m, s, put->left);
    return s;
}

/* The assignment that the points of a local belong to: the next one. */
static const struct zoid_item *next_put(const struct zoid_item *i)
{
    for (; i; i = i->next) {
        if (i->kind == ZOID_ITEM_PUT)
            return i;
        if (i->kind == ZOID_ITEM_IF)
            return next_put(i->body);
        if (i->kind != ZOID_ITEM_LOCAL)
            return NULL;
    }
    return NULL;
}

/* value, or left op value. */
static struct zoid_expr *assigned(struct zoid_meaning *m, unsigned op, size_t at,
                                  struct zoid_expr *left, struct zoid_expr *value)
{
    if (op != '=')
        value = zoid_operate(m, op, at, left, value);
    return zoid_convert(m, value, m->nest->type);
}

static void read_local(struct zoid_meaning *m, struct way *way, const struct zoid_item *i)
{
    const struct zoid_item *put = next_put(i->next);
    struct zoid_let *let = zoid_text_new(m->text, sizeof *let), *old = i->symbol->data;
    struct zoid_statement *s;
    struct zoid_expr *left = NULL;

    if (i->symbol->type != m->nest->type)
        zoid_refuse(m->text, i->at, "%s is %s beside %s; give locals the type of the arrays",
                    i->symbol->name, i->symbol->type == ZOID_FLOAT ? "float" : "double",
                    m->nest->type == ZOID_FLOAT ? "float" : "double");
    if (!put)
        zoid_refuse(m->text, i->at,
                    "%s outlives the point; declare it where a statement of its "
                    "point reads it",
                    i->symbol->name);
    if (!way->next)
        way->next = begin_statement(m, way, put);
    s = way->next;
    let->point = s;
    let->colour = s->reading = way->condition ? read_colour(m, s, way->condition) : -1;
    if (i->left) {
        left = zoid_value(m, s, i->left);
        if (old->colour != let->colour)
            zoid_refuse(m->text, i->at, "%s changes under a condition; take ? : or another local",
                        i->symbol->name);
    }
    let->name = i->symbol->name;
    if (s->nlets == ZOID_LETS)
        zoid_refuse(m->text, i->at, "a local too many; %d at most", ZOID_LETS);
    let->value = assigned(m, i->op, i->at, left, zoid_value(m, s, i->right));
    s->lets[s->nlets++] = let;
    i->symbol->data = let;
}

static void read_put(struct zoid_meaning *m, struct way *way, const struct zoid_item *i)
{
    struct zoid_statement *s = way->next ? way->next : begin_statement(m, way, i);
    struct zoid_expr *left = NULL;

    way->next = NULL;
    memcpy(s->place, way->place, sizeof s->place);
    s->colour = s->reading = way->condition ? read_colour(m, s, way->condition) : -1;
    if (i->op != '=')
        left = zoid_value(m, s, i->left);
    s->value = assigned(m, i->op, i->at, left, zoid_value(m, s, i->right));
    m->statement[m->n++] = s;
}

static void walk(struct zoid_meaning *m, struct way *way, const struct zoid_item *list)
{
    for (const struct zoid_item *i = list; i; i = i->next) {
        struct way inner = *way;

        switch (i->kind) {
        case ZOID_ITEM_FOR:
            if (way->condition)
                zoid_refuse(m->text, i->at, "a loop under a condition; put the condition inside");
            inner.loop[inner.nloops++] = inner.body = i;
            inner.place[inner.nloops] = 0;
            inner.next = NULL;
            walk(m, &inner, i->body);
            break;
        case ZOID_ITEM_IF:
            if (way->condition)
                zoid_refuse(m->text, i->at, "a condition under a condition; write one");
            inner.condition = i;
            walk(m, &inner, i->body);
            way->next = inner.next;
            way->place[way->nloops] = inner.place[way->nloops];
            break;
        case ZOID_ITEM_LOCAL:
            read_local(m, way, i);
            continue;
        case ZOID_ITEM_PUT:
            read_put(m, way, i);
            break;
        case ZOID_ITEM_SWAP:
            break;
        }
        way->place[way->nloops]++;
    }
}

/* Roles relative to the writes, of which there must be one kind an array. */
static void set_roles(struct zoid_meaning *m)
{
    for (struct zoid_nest_array *a = m->ir->arrays; a; a = a->next) {
        int written = -1;

        if (!a->turns || a->kind != ZOID_ARRAY_STATE)
            continue;
        for (int i = 0; i < m->n; i++) {
            struct zoid_statement *s = m->statement[i];

            if (s->array != a)
                continue;
            if (written >= 0 && s->role != written)
                zoid_refuse(m->text, s->item->left->at,
                            "%s is written at two times of a step; "
                            "write one",
                            s->item->left->symbol->name);
            written = s->role;
        }
        if (!a->partner)
            a->first = (int)((m->start + written + a->turns - 1) % a->turns);
        if (a->partner)
            a->name = written == 1 ? a->symbol->name : a->partner->name;
        for (int i = 0; i < m->n; i++) {
            struct zoid_statement *s = m->statement[i];

            for (struct zoid_nest_read *r = s->reads; r; r = r->next)
                if (r->array == a)
                    r->role = (r->role - written + 1 + a->turns) % a->turns;
            if (s->array == a)
                s->role = 1;
        }
        a->number = written; /* for the reads in expressions, see set_reads */
    }
}

static void set_reads(struct zoid_expr *e)
{
    if (!e)
        return;
    if (e->kind == ZOID_EXPR_READ && e->array->turns && e->array->kind == ZOID_ARRAY_STATE)
        e->role = (e->role - e->array->number + 1 + e->array->turns) % e->array->turns;
    set_reads(e->a);
    set_reads(e->b);
    set_reads(e->c);
    set_reads(e->d);
}

void zoid_read_statements(struct zoid_meaning *m)
{
    struct way way = {.nloops = 0};
    int most = 0;

    find_swap(m);
    survey(m, m->nest->time->body, 0, &most);
    if (!m->ir->axes)
        zoid_refuse(m->text, m->nest->at, "no statement in the time loop; write one");
    if (m->ir->axes == 1 && most > 1)
        m->ir->axes = most;
    if (m->ir->axes > ZOID_NEST_AXES)
        zoid_refuse(m->text, m->nest->at, "more than 3 axes in space; 3 at most");
    for (int i = 0; i < 2; i++)
        if (m->swap[i] && zoid_array_of(m, m->swap[i])->kind != ZOID_ARRAY_STATE)
            zoid_refuse(m->text, m->swap_at,
                        "a swap of arrays that the nest does not write; take "
                        "it out");
    zoid_poly_constant(&m->nest->time->lo, &m->start);
    find_extents(m, m->nest->time->body, false);
    find_extents(m, m->nest->time->body, true);
    walk(m, &way, m->nest->time->body);
    set_roles(m);
    for (int i = 0; i < m->n; i++) {
        set_reads(m->statement[i]->value);
        for (int k = 0; k < m->statement[i]->nlets; k++)
            set_reads(m->statement[i]->lets[k]->value);
    }
    for (struct zoid_nest_array *a = m->ir->arrays; a; a = a->next)
        a->number = -1;
}
