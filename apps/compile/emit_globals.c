/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of the file. The module has them under names of its own, since headers may have theirs,
 * and defines those that the file does, unless the program defines them, too. */
#include "apps/compile/emit.h"

typedef void each_fn(const struct zoid_meaning *m, const struct zoid_symbol *s,
                     const struct zoid_symbol *next, FILE *to);

/* Calls a function for each global array; next: the one that takes its place in a swap, or NULL. */
static void for_each(const struct zoid_meaning *m, each_fn *call, FILE *to)
{
    for (const struct zoid_nest_array *a = m->ir->arrays; a; a = a->next) {
        if (a->symbol->global)
            call(m, a->symbol, a->partner, to);
        if (a->partner && a->partner->global)
            call(m, a->partner, a->symbol, to);
    }
}

static const char *type_of(const struct zoid_symbol *s)
{
    return s->type == ZOID_FLOAT ? "float" : "double";
}

static void put_one(const struct zoid_meaning *m, const struct zoid_symbol *s,
                    const struct zoid_symbol *next, FILE *to)
{
    char extent[512];

    (void)next;
    if (s->has_attributes)
        zoid_refuse(m->text, s->at,
                    "%s is an array of the file with attributes, which the module's would lack; "
                    "declare it without, or make it a parameter of the function",
                    s->name);
    if (s->is_static || s->has_values)
        zoid_refuse(m->text, s->at, "%s is %s; %s, or make it a parameter of the function", s->name,
                    s->is_static ? "a static array of the file"
                                 : "an array of the file with values of its own",
                    s->is_static ? "drop static" : "declare it extern");
    fprintf(to, "%s%s%s %szoid_nest_at_%s", s->is_extern ? "extern " : "",
            s->constant ? "const " : "", type_of(s), s->pointer ? "*" : "", s->name);
    for (int d = 0; d < s->dims && !s->pointer; d++) {
        if (s->open && d == 0) {
            fputs("[]", to);
            break; /* elements of one line, whose number is not known */
        }
        zoid_poly_print(&s->extent[d], m->ir->names, extent, sizeof extent);
        fprintf(to, d ? " * (%s)" : "[(%s)", extent);
    }
    fprintf(to, "%s __asm__(\"%s\") __attribute__((%svisibility(\"default\")));\n",
            s->dims && !s->pointer && !s->open ? "]" : "", s->name, s->is_extern ? "weak, " : "");
}

static void put_local(const struct zoid_meaning *m, const struct zoid_symbol *s,
                      const struct zoid_symbol *next, FILE *to)
{
    (void)m;
    (void)next;
    fprintf(to, "    %s%s *const %s = ", s->constant ? "const " : "", type_of(s), s->name);
    if (s->pointer && s->is_extern)
        fprintf(to, "!&zoid_nest_at_%s ? NULL : ", s->name);
    fprintf(to, "zoid_nest_at_%s;\n", s->name);
}

/* A pointer of the file stays swapped, unless the call failed. */
static void put_swap(const struct zoid_meaning *m, const struct zoid_symbol *s,
                     const struct zoid_symbol *next, FILE *to)
{
    (void)m;
    if (next)
        fprintf(to,
                "    if (zoid_nest_ran && zoid_nest_call.steps > 0 && zoid_nest_call.steps %% 2)\n"
                "        zoid_nest_at_%s = (void *)%s;\n",
                s->name, next->name);
}

static void put_name(const struct zoid_meaning *m, const struct zoid_symbol *s,
                     const struct zoid_symbol *next, FILE *to)
{
    (void)m;
    (void)next;
    if (!s->is_extern)
        fprintf(to, " %s", s->name);
}

void zoid_emit_globals(const struct zoid_meaning *m, FILE *to)
{
    for_each(m, put_one, to);
}

void zoid_emit_global_locals(const struct zoid_meaning *m, FILE *to)
{
    for_each(m, put_local, to);
}

void zoid_emit_global_swap(const struct zoid_meaning *m, FILE *to)
{
    for_each(m, put_swap, to);
}

void zoid_emit_global_names(const struct zoid_meaning *m, FILE *to)
{
    for_each(m, put_name, to);
}
