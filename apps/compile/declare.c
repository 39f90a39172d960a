/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarators of arrays, parameters and sizes. */
#include <string.h>

#include "apps/compile/parser.h"

void zoid_other(struct zoid_symbol *s, const char *reason)
{
    s->kind = ZOID_SYMBOL_OTHER;
    s->reason = reason;
}

/* Reads an extent up to its ]. Returns false for others: uses of
 * the array are refused, not its declaration. */
static bool try_extent(struct zoid_parser *p, struct zoid_poly *extent)
{
    struct zoid_text *text = p->text;
    const int depth = p->depth;
    jmp_buf escape;
    volatile bool read = false;

    memcpy(escape, text->escape, sizeof escape);
    if (!setjmp(text->escape)) {
        *extent = zoid_ast_poly(text, zoid_read_expression(p), "extent");
        zoid_need(p, ']', "] after an extent");
        read = true;
    }
    memcpy(text->escape, escape, sizeof escape);
    p->depth = depth;
    return read;
}

/* [extent], or [static const extent], of an array, whose [ was read. */
static void read_extent(struct zoid_parser *p, struct zoid_symbol *s)
{
    const size_t begin = p->i - 1;
    struct zoid_poly extent;

    while (zoid_at_name(p, "static") || zoid_at_name(p, "const") || zoid_at_name(p, "restrict") ||
           zoid_at_name(p, "__restrict__") || zoid_at_name(p, "__restrict"))
        p->i++;
    if (zoid_take(p, ']')) {
        if (s->dims)
            zoid_other(s, "has an extent that is not stated; write [n]");
        s->open = true;
        s->dims++;
        return;
    }
    if (!try_extent(p, &extent)) {
        zoid_other(s, "has an extent that is no sum or product of sizes and integers; write one");
        p->i = begin;
        (void)zoid_skip_bracket(p);
    } else if (s->dims == ZOID_NEST_DIMS)
        zoid_other(s, "has more than 3 axes in space; take an array of at most 3");
    else
        s->extent[s->dims++] = extent;
}

/* POLYBENCH_2D(a, N, M, n, m): an array a[n][m]. */
static bool polybench_array(struct zoid_parser *p, const struct zoid_specifier *type)
{
    static const char *const names[] = {"POLYBENCH_1D", "POLYBENCH_2D", "POLYBENCH_3D"};
    int dims = 0;
    struct zoid_token name;
    struct zoid_symbol *s;

    for (int i = 0; i < 3; i++)
        if (zoid_at_name(p, names[i]))
            dims = i + 1;
    if (!dims)
        return false;
    p->polybench = true;
    p->i++;
    zoid_need(p, '(', "(");
    name = zoid_now(p);
    s = zoid_declare(p, ZOID_SYMBOL_ARRAY, &name, type->type);
    p->i++;
    for (int i = 0; i < dims; i++) {
        zoid_need(p, ',', ",");
        while (p->i < p->end && !zoid_at_mark(p, ',') && !zoid_at_mark(p, ')'))
            p->i++;
    }
    for (int i = 0; i < dims; i++) {
        zoid_need(p, ',', ",");
        s->extent[s->dims++] = zoid_ast_poly(p->text, zoid_read_expression(p), "extent");
    }
    zoid_need(p, ')', ")");
    return true;
}

/* The kind of a name without indices. */
static void scalar(struct zoid_parser *p, struct zoid_symbol *s, bool parameter)
{
    if (!parameter)
        zoid_other(s, "is a variable of the file; make it a parameter of the function");
    else if (s->type >= ZOID_FLOAT)
        s->kind = ZOID_SYMBOL_REAL;
    else if (p->nest->nsizes == ZOID_POLY_SIZES)
        zoid_other(s, "is one integer too many; 12 parameters are integers at most");
    else {
        s->number = p->nest->nsizes;
        p->nest->names[s->number] = s->name;
        p->nest->size[p->nest->nsizes++] = s;
    }
}

void zoid_read_declarator(struct zoid_parser *p, const struct zoid_specifier *type, bool parameter)
{
    int stars = 0;
    bool inside = false, attributes = type->has_attributes;
    struct zoid_token name;
    struct zoid_symbol *s;
    struct zoid_specifier rest;

    if (polybench_array(p, type))
        return;
    if (zoid_take(p, '('))
        inside = true;
    while (zoid_take(p, '*')) {
        stars++;
        while (zoid_at_name(p, "const") || zoid_at_name(p, "restrict") ||
               zoid_at_name(p, "__restrict__") || zoid_at_name(p, "__restrict"))
            p->i++;
        if (zoid_at_name(p, "volatile"))
            (void)zoid_read_type(p, &rest);
    }
    attributes |= zoid_skip_attributes(p);
    name = zoid_now(p);
    if (name.kind != ZOID_TOKEN_NAME)
        return;
    p->i++;
    s = zoid_declare(p, ZOID_SYMBOL_SIZE, &name, type->type);
    s->has_attributes = attributes;
    s->constant = type->constant;
    s->global = !parameter;
    s->pointer = stars == 1;
    s->is_static = type->is_static;
    s->is_extern = type->is_extern;
    if (inside) {
        if (stars != 1 || !zoid_take(p, ')')) {
            zoid_other(s, "is no array of numbers; declare it as one");
            return;
        }
        s->open = true;
        s->dims = 1;
    } else if (stars == 1) {
        s->open = true;
        s->dims = 1;
    }
    while (s->kind != ZOID_SYMBOL_OTHER && zoid_take(p, '[')) {
        if (stars && !inside)
            zoid_other(s, "is an array of pointers; write T (*a)[n]");
        read_extent(p, s);
    }
    if (zoid_at_mark(p, '('))
        zoid_other(s, "is a function; write a value");
    if (s->kind == ZOID_SYMBOL_OTHER)
        return;
    if (stars > 1)
        zoid_other(s, "is a pointer to pointers; write T (*a)[n]");
    else if (type->other)
        zoid_other(s,
                   "has a type that a nest cannot use; take float, double, int, long, unsigned or "
                   "size_t");
    else if (!s->dims)
        scalar(p, s, parameter);
    else if (type->type < ZOID_FLOAT)
        zoid_other(s, "is an array of integers; take float or double");
    else
        s->kind = ZOID_SYMBOL_ARRAY;
}

static bool at_attributes(const struct zoid_parser *p)
{
    static const char *const words[] = {"__attribute__", "__attribute", "_Alignas", "alignas",
                                        "__asm__",       "__asm",       "asm"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (p->i + 1 < p->end && zoid_at_name(p, words[i]))
            return true;
    return false;
}

bool zoid_skip_attributes(struct zoid_parser *p)
{
    const size_t begin = p->i;

    while (at_attributes(p)) {
        p->i++;
        (void)zoid_skip_bracket(p);
    }
    return p->i > begin;
}

bool zoid_skip_to(struct zoid_parser *p, unsigned a, unsigned b)
{
    while (p->i < p->end) {
        if (zoid_at_mark(p, a) || zoid_at_mark(p, b))
            return true;
        if (zoid_at_mark(p, '(') || zoid_at_mark(p, '[') || zoid_at_mark(p, '{')) {
            if (!zoid_skip_bracket(p))
                return false;
        } else
            p->i++;
    }
    return false;
}

/* Adds what earlier declarations of an array of the file say of it: one of them may define it. */
static void join_declarations(struct zoid_symbol *s)
{
    const struct zoid_symbol *before = s->next;

    while (before && strcmp(before->name, s->name) != 0)
        before = before->next;
    if (!before)
        return;
    s->is_extern &= before->is_extern;
    s->is_static |= before->is_static;
    s->has_values |= before->has_values;
    s->has_attributes |= before->has_attributes;
}

void zoid_read_global(struct zoid_parser *p, size_t end)
{
    struct zoid_specifier type;

    if (!zoid_read_type(p, &type))
        return;
    if (type.is_typedef) {
        struct zoid_macro *m = zoid_text_new(p->text, sizeof *m);

        m->name = zoid_now(p);
        m->kind = !type.other && type.type >= ZOID_FLOAT && p->i + 1 == end ? ZOID_MACRO_TYPE
                                                                            : ZOID_MACRO_OTHER;
        m->type = type.type;
        m->reason = "is a type that a nest cannot use; take float or double";
        m->next = p->macros;
        if (m->name.kind == ZOID_TOKEN_NAME)
            p->macros = m;
        return;
    }
    do {
        struct zoid_symbol *const before = p->scope;

        zoid_read_declarator(p, &type, false);
        if (p->scope != before) {
            p->scope->has_attributes |= zoid_skip_attributes(p);
            p->scope->has_values = zoid_at_mark(p, '=');
            join_declarations(p->scope);
        }
        if (!zoid_skip_to(p, ',', ';') || p->i >= end)
            return;
    } while (zoid_take(p, ','));
}
