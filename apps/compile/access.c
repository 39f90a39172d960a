/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses: their offset from the point of their statement. */
#include <stdlib.h>
#include <string.h>

#include "apps/compile/subscript.h"

enum { MOST_INDEX = 1000000 };

struct zoid_nest_array *zoid_array_of(struct zoid_meaning *m, struct zoid_symbol *symbol)
{
    struct zoid_nest_array **to = &m->ir->arrays, *a;

    for (; *to; to = &(*to)->next)
        if ((*to)->symbol == symbol || (*to)->partner == symbol)
            return *to;
    a = *to = zoid_text_new(m->text, sizeof *a);
    a->name = symbol->name;
    a->kind = ZOID_ARRAY_COEFFICIENT;
    a->symbol = symbol;
    a->number = -1;
    if (symbol == m->swap[0] || symbol == m->swap[1]) {
        a->partner = symbol == m->swap[0] ? m->swap[1] : m->swap[0];
        a->turns = 2;
    }
    return a;
}

/* Returns the loop whose index a subscript is, less an integer that goes to *offset; -1: no index.
 */
static int loop_of(struct zoid_meaning *m, const struct zoid_ast *ast, const struct zoid_poly *poly,
                   int64_t *offset)
{
    *offset = 0;
    if (!zoid_poly_has(poly, ZOID_POLY_LOOP, ZOID_POLY_SYMBOLS))
        return -1;
    for (int d = 0; d < ZOID_POLY_LOOPS; d++) {
        const struct zoid_poly variable = zoid_poly_symbol(ZOID_POLY_LOOP + d);

        if (zoid_poly_difference(poly, &variable, offset))
            return d;
    }
    zoid_not_uniform(m, ast);
}

static void check_reach(struct zoid_meaning *m, const struct zoid_ast *ast, int64_t offset)
{
    if (offset > ZOID_IR_REACH || offset < -ZOID_IR_REACH)
        zoid_refuse(m->text, ast->at, "%s looks %lld points %s; %d at most", ast->symbol->name,
                    (long long)llabs(offset), offset < 0 ? "back" : "ahead", ZOID_IR_REACH);
}

/* Sets the point that a statement writes, from its left side. */
static void set_axis(struct zoid_meaning *m, struct zoid_statement *s, const struct zoid_ast *ast,
                     const struct zoid_poly *poly, int axis)
{
    const struct zoid_poly one = zoid_poly_integer(1);
    int64_t offset;
    const int d = loop_of(m, ast, poly, &offset);
    bool fits;

    s->depth[axis] = d;
    if (d < 0) {
        for (int i = 0; i < poly->n; i++)
            for (int k = 0, sum = 0; k < ZOID_POLY_SYMBOLS; k++)
                if ((sum += poly->term[i].power[k]) > 1)
                    zoid_refuse(m->text, ast->at,
                                "%s at one place of an axis whose extent is a "
                                "product; give it an axis each",
                                ast->symbol->name);
        s->lo[axis] = *poly;
        fits = zoid_poly_add(poly, &one, 1, &s->hi[axis]);
    } else {
        for (int a = 0; a < axis; a++)
            if (s->depth[a] == d)
                zoid_not_uniform(m, ast);
        if (d >= s->nloops)
            zoid_not_uniform(m, ast);
        check_reach(m, ast, offset);
        s->offset[axis] = (int)offset;
        fits = zoid_poly_add(&s->loop[d]->lo, &one, offset, &s->lo[axis]) &&
               zoid_poly_add(&s->loop[d]->hi, &one, offset, &s->hi[axis]);
    }
    if (!fits)
        zoid_refuse(m->text, ast->at, "a bound that overflows; write a smaller one");
}

/* The role of an access by [t % turns], from its shift: fixed when all writes are known. */
static int role_of(struct zoid_meaning *m, const struct zoid_ast *ast, const struct zoid_place *p,
                   struct zoid_nest_array *array)
{
    int64_t shift, start, extent;

    if (array->partner)
        return ast->symbol == array->symbol ? 0 : 1;
    if (!p->timed && array->turns)
        zoid_refuse(m->text, ast->at, "%s without the time, and with it elsewhere; write [t %% %d]",
                    ast->symbol->name, array->turns);
    if (!p->timed)
        return 0;
    if (!p->time.turns)
        zoid_refuse(m->text, ast->at, "%s keeps all times; take %% 2 or a swap", ast->symbol->name);
    if (!zoid_time_shift(&p->time.poly, &shift))
        zoid_refuse(m->text, ast->at, "%s: a time that is not t and an integer; write (t + 1) %% 2",
                    ast->symbol->name);
    if (!zoid_poly_constant(&m->nest->time->lo, &start))
        zoid_refuse(m->text, ast->at, "%s by turns from a time that is not known; begin at 0",
                    ast->symbol->name);
    if (start + shift < 0)
        zoid_refuse(m->text, ast->at,
                    "%s: the time before %% is negative at the start; write "
                    "(t + %d) %% %d",
                    ast->symbol->name,
                    (int)(((shift % p->time.turns) + p->time.turns)) % p->time.turns,
                    p->time.turns);
    if (array->turns && array->turns != p->time.turns)
        zoid_refuse(m->text, ast->at, "%s by turns of %d and of %d; take one of them",
                    ast->symbol->name, array->turns, p->time.turns);
    if (!zoid_poly_constant(&ast->symbol->extent[0], &extent) || ast->symbol->open ||
        extent != p->time.turns)
        zoid_refuse(m->text, ast->at, "%s has another first extent than %d; declare it as [%d]",
                    ast->symbol->name, p->time.turns, p->time.turns);
    array->turns = p->time.turns;
    return (int)(shift % p->time.turns + p->time.turns) % p->time.turns;
}

/* Extents in space of an array that is indexed along all axes must be the domain's. */
static void check_extents(struct zoid_meaning *m, const struct zoid_ast *ast, bool timed)
{
    const struct zoid_symbol *s = ast->symbol;
    struct zoid_ir *ir = m->ir;

    if (s->dims - timed != ir->axes)
        return;
    for (int a = 0; a < ir->axes; a++) {
        const struct zoid_poly *extent = &s->extent[a + timed];

        if (s->open && a + timed == 0)
            continue;
        if (m->extent_known[a] && !zoid_poly_equal(&ir->extent[a], extent))
            zoid_refuse(m->text, ast->at,
                        "%s has another extent along %s than other arrays; give all the same",
                        s->name, zoid_ir_axis(ir, a));
        ir->extent[a] = *extent;
        m->extent_known[a] = true;
    }
}

static _Noreturn void two_types(struct zoid_meaning *m, const struct zoid_ast *ast)
{
    zoid_refuse(m->text, ast->at, "%s is %s beside %s; give all arrays one type", ast->symbol->name,
                ast->symbol->type == ZOID_FLOAT ? "float" : "double",
                m->nest->type == ZOID_FLOAT ? "float" : "double");
}

void zoid_set_point(struct zoid_meaning *m, struct zoid_statement *s, const struct zoid_ast *ast)
{
    struct zoid_place p;
    bool used[ZOID_NEST_AXES] = {false};

    if (ast->symbol->type != m->nest->type)
        two_types(m, ast);
    s->array = zoid_array_of(m, ast->symbol);
    zoid_read_place(m, ast, &p);
    if (p.timed && !p.time.turns)
        zoid_refuse(m->text, ast->at, "%s keeps all times; take %% 2 or a swap", ast->symbol->name);
    if (p.n != m->ir->axes)
        zoid_refuse(m->text, ast->at,
                    "%s has %d axes in space, and other arrays %d; write all of "
                    "one number",
                    ast->symbol->name, p.n, m->ir->axes);
    check_extents(m, ast, p.timed);
    for (int a = 0; a < m->ir->axes; a++) {
        set_axis(m, s, ast, &p.space[a].poly, a);
        if (s->depth[a] >= 0)
            used[s->depth[a]] = true;
    }
    for (int d = 0; d < s->nloops; d++)
        if (!used[d])
            zoid_refuse(m->text, ast->at,
                        "a point that all of the loop over %s writes; let each loop move the point",
                        s->loop[d]->symbol->name);
    s->role = role_of(m, ast, &p, s->array);
}

static struct zoid_expr *new_read(struct zoid_meaning *m, const struct zoid_ast *ast,
                                  struct zoid_nest_array *array)
{
    struct zoid_expr *e = zoid_text_new(m->text, sizeof *e);

    if (ast->symbol->type != m->nest->type)
        two_types(m, ast);
    e->kind = ZOID_EXPR_READ;
    e->type = ast->symbol->type;
    e->at = ast->at;
    e->array = array;
    return e;
}

static void set_kind(struct zoid_meaning *m, const struct zoid_ast *ast,
                     struct zoid_nest_array *array, enum zoid_nest_array_kind kind, unsigned axes)
{
    if (array->shown && (array->kind != kind || array->axes != axes))
        zoid_refuse(m->text, ast->at, "%s by other axes than elsewhere; write the same axes",
                    ast->symbol->name);
    array->kind = kind;
    array->axes = axes;
    array->shown = true;
}

static struct zoid_expr *read_table(struct zoid_meaning *m, const struct zoid_ast *ast,
                                    const struct zoid_place *p, struct zoid_nest_array *array)
{
    struct zoid_expr *e = new_read(m, ast, array);
    const struct zoid_item *time = m->nest->time;
    int64_t shift, first = 0, past = 0;

    if (p->time.turns || !zoid_time_shift(&p->time.poly, &shift))
        zoid_refuse(m->text, ast->at,
                    "%s: a table of the run at a time that is not t and an "
                    "integer; write [t]",
                    ast->symbol->name);
    if (zoid_poly_constant(&time->lo, &first) && first + shift < 0)
        zoid_refuse(m->text, ast->at, "%s leaves the array where %s = %lld; begin at %lld",
                    ast->symbol->name, time->symbol->name, (long long)first, (long long)-shift);
    if (!ast->symbol->open &&
        (!zoid_poly_difference(&time->hi, &ast->symbol->extent[0], &past) || past + shift > 0))
        zoid_refuse(m->text, ast->at,
                    "%s leaves the array at the last times; declare it as long "
                    "as the run",
                    ast->symbol->name);
    check_reach(m, ast, shift);
    e->offset[0] = (int)shift;
    set_kind(m, ast, array, ZOID_ARRAY_TABLE, 0);
    return e;
}

/* Returns whether a read is at a fixed index of an array that is no field: in a statement that
 * fixes an axis, a field may be read so. */
static bool is_list(const struct zoid_meaning *m, const struct zoid_statement *s,
                    const struct zoid_place *p, const struct zoid_nest_array *array)
{
    int64_t index;
    bool face = false;

    for (int a = 0; a < m->ir->axes; a++)
        face |= s->depth[a] < 0;
    return !p->timed && p->n == 1 && zoid_poly_constant(&p->space[0].poly, &index) &&
           array->kind != ZOID_ARRAY_STATE &&
           (array->kind == ZOID_ARRAY_LIST || p->n < m->ir->axes || !face);
}

static struct zoid_expr *read_list(struct zoid_meaning *m, const struct zoid_ast *ast,
                                   const struct zoid_place *p, struct zoid_nest_array *array)
{
    struct zoid_expr *e = new_read(m, ast, array);
    int64_t index, extent;

    zoid_poly_constant(&p->space[0].poly, &index);
    if (index < 0)
        zoid_refuse(m->text, ast->at, "%s leaves the array; read an element that it has",
                    ast->symbol->name);
    if (index > MOST_INDEX)
        zoid_refuse(m->text, ast->at, "%s at a fixed index above %d; give a smaller array",
                    ast->symbol->name, MOST_INDEX);
    if (!ast->symbol->open &&
        (!zoid_poly_constant(&ast->symbol->extent[0], &extent) || index >= extent))
        zoid_refuse(m->text, ast->at,
                    "%s leaves the array for some sizes; declare it with a number of elements "
                    "above %lld, or without one",
                    ast->symbol->name, (long long)index);
    e->offset[0] = (int)index;
    set_kind(m, ast, array, ZOID_ARRAY_LIST, 0);
    return e;
}

/* Lists a read of a statement, once. */
static void note_read(struct zoid_meaning *m, struct zoid_statement *s, const struct zoid_expr *e)
{
    struct zoid_nest_read *read;

    for (read = s->reads; read; read = read->next)
        if (read->array == e->array && read->role == e->role && read->colour == s->reading &&
            !memcmp(read->offset, e->offset, sizeof e->offset))
            return;
    read = zoid_text_new(m->text, sizeof *read);
    read->array = e->array;
    memcpy(read->offset, e->offset, sizeof e->offset);
    read->role = e->role;
    read->colour = s->reading;
    read->at = e->at;
    read->next = s->reads;
    s->reads = read;
}

/* A profile: subscripts along some axes, in their order. */
static struct zoid_expr *read_profile(struct zoid_meaning *m, struct zoid_statement *s,
                                      const struct zoid_ast *ast, const struct zoid_place *p,
                                      struct zoid_nest_array *array)
{
    struct zoid_expr *e = new_read(m, ast, array);
    unsigned axes = 0;
    int last = -1;

    if (array->kind == ZOID_ARRAY_STATE || p->n >= m->ir->axes)
        zoid_refuse(m->text, ast->at,
                    "%s has %d axes in space, and other arrays %d; write all of "
                    "one number",
                    ast->symbol->name, p->n, m->ir->axes);
    for (int i = 0; i < p->n; i++) {
        int64_t offset;
        const int d = loop_of(m, ast, &p->space[i].poly, &offset);
        int a = 0;

        while (a < m->ir->axes && (d < 0 || s->depth[a] != d))
            a++;
        if (a == m->ir->axes)
            zoid_not_uniform(m, ast);
        if (a <= last)
            zoid_refuse(m->text, ast->at,
                        "%s has its axes in another order; write them as those "
                        "of the array on the left",
                        ast->symbol->name);
        last = a;
        axes |= 1u << a;
        offset -= s->offset[a];
        check_reach(m, ast, offset);
        e->offset[a] = (int)offset;
    }
    set_kind(m, ast, array, ZOID_ARRAY_PROFILE, axes);
    note_read(m, s, e);
    return e;
}

/* Distance of a read from the point along an axis. */
static int64_t distance(struct zoid_meaning *m, struct zoid_statement *s,
                        const struct zoid_ast *ast, const struct zoid_poly *poly, int axis)
{
    int64_t offset;
    const int d = loop_of(m, ast, poly, &offset);

    if (d != s->depth[axis]) {
        for (int a = 0; a < m->ir->axes; a++)
            if (d >= 0 && s->depth[axis] >= 0 && s->depth[a] == d)
                zoid_refuse(m->text, ast->at,
                            "%s has its axes in another order; write them as "
                            "those of the array on the left",
                            ast->symbol->name);
        zoid_not_uniform(m, ast);
    }
    if (d >= 0)
        offset -= s->offset[axis];
    else if (!zoid_poly_difference(poly, &s->lo[axis], &offset))
        zoid_not_uniform(m, ast);
    check_reach(m, ast, offset);
    return offset;
}

struct zoid_expr *zoid_read_value(struct zoid_meaning *m, struct zoid_statement *s,
                                  const struct zoid_ast *ast)
{
    struct zoid_nest_array *array = zoid_array_of(m, ast->symbol);
    struct zoid_expr *e;
    struct zoid_place p;

    zoid_read_place(m, ast, &p);
    if (p.timed && p.n == 0 && array->kind != ZOID_ARRAY_STATE)
        return read_table(m, ast, &p, array);
    if (p.timed && array->kind != ZOID_ARRAY_STATE)
        zoid_refuse(m->text, ast->at,
                    "%s keeps all times; index a table of the run by the time "
                    "alone",
                    ast->symbol->name);
    if (is_list(m, s, &p, array))
        return read_list(m, ast, &p, array);
    if (p.n != m->ir->axes)
        return read_profile(m, s, ast, &p, array);
    check_extents(m, ast, p.timed);
    e = new_read(m, ast, array);
    set_kind(m, ast, array, array->kind, array->kind == ZOID_ARRAY_STATE ? array->axes : 0);
    for (int a = 0; a < m->ir->axes; a++)
        e->offset[a] = (int)distance(m, s, ast, &p.space[a].poly, a);
    e->role = role_of(m, ast, &p, array);
    note_read(m, s, e);
    return e;
}

bool zoid_same_point(const struct zoid_statement *a, const struct zoid_statement *b)
{
    if (a->body != b->body || a->nloops != b->nloops)
        return false;
    for (int x = 0; x < ZOID_NEST_AXES; x++)
        if (a->depth[x] != b->depth[x] || a->offset[x] != b->offset[x] ||
            !zoid_poly_equal(&a->lo[x], &b->lo[x]))
            return false;
    return true;
}
