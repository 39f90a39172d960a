/* SPDX-License-Identifier: BSD-3-Clause */
/* The function of a nest, as a call of the module's operators (call/call.h). */
#include <limits.h>

#include "apps/compile/emit.h"

/* The number of an array among those of a call. */
static int number_of(const struct zoid_ir *ir, const struct zoid_nest_array *array)
{
    int n = 0;

    for (const struct zoid_nest_array *a = ir->arrays; a != array; a = a->next)
        n++;
    return n;
}

static void put_sides(const struct zoid_ir *ir, const char *name, const struct zoid_side *side,
                      FILE *to)
{
    fprintf(to, ".%s = {", name);
    for (int a = 0; a < ir->axes; a++)
        fprintf(to, "%s{%d, %d}", a ? ", " : "", side[a].end, side[a].at);
    fputc('}', to);
}

static void put_box(const struct zoid_ir *ir, const struct zoid_ir_box *box, FILE *to)
{
    fputc('{', to);
    put_sides(ir, "lo", box->lo, to);
    fputs(", ", to);
    put_sides(ir, "hi", box->hi, to);
    fputc('}', to);
}

/* ---- operators ----------------------------------------------------------------------------- */

static void put_field(const struct zoid_emit_row *r, int f, FILE *to)
{
    fprintf(to, "        {.name = \"%s\", .array = %d, .age = %d, .coefficient = %d},\n",
            zoid_emit_name(r, f), number_of(r->ir, r->field[f]), r->age[f], f >= r->nstate);
}

/* Results that are read from a field. Returns their number. */
static int put_results(const struct zoid_emit_row *r, int f, FILE *to)
{
    const struct zoid_nest_array *array = r->field[f];
    const struct zoid_ir *ir = r->ir;
    const int ages = !array->turns || r->moves ? 1
                     : r->age[f]               ? array->turns - 1
                     : r->turns                ? 1
                                               : array->turns;
    int n = 0;

    for (int i = 0; i < ages; i++, n++)
        fprintf(to, "        {.field = %d, .array = %d, .age = %d, .back = %d},\n", f,
                number_of(ir, array), i + r->age[f], i);
    if (r->half) {
        fprintf(to, "        {.field = %d, .array = %d, .back = 1},\n", f,
                number_of(ir, ir->stage[0].item[0].put->array));
        n++;
    }
    for (const struct zoid_nest_array *a = ir->arrays; a; a = a->next)
        if (a->copy_of == array) {
            fprintf(to,
                    "        {.field = %d, .array = %d,\n"
                    "         .box = &(const struct zoid_call_box)",
                    f, number_of(ir, a));
            put_box(ir, a->copied, to);
            fputs("},\n", to);
            n++;
        }
    return n;
}

static void put_alike(const struct zoid_ir *ir, const struct zoid_put *put, int array, int other,
                      FILE *to)
{
    fprintf(to, "        {.array = %d, .other = %d,\n         .box = ", array, other);
    put_box(ir, &put->box, to);
    fputs("},\n", to);
}

/* Arrays that are one field here. Returns their number. */
static int put_alikes(const struct zoid_emit_row *r, FILE *to)
{
    const struct zoid_ir *ir = r->ir;
    int n = 0;

    if (r->half) {
        put_alike(ir, ir->stage[0].item[0].put, number_of(ir, r->field[0]),
                  number_of(ir, ir->stage[0].item[0].put->array), to);
        return 1;
    }
    for (int s = 0; s < ir->nstages && !r->own && !r->moves; s++)
        for (int i = 0; i < ir->stage[s].n; i++) {
            const struct zoid_put *put = ir->stage[s].item[i].put;

            if (!put || !put->array->turns)
                continue;
            put_alike(ir, put, number_of(ir, put->array), -1, to);
            n++;
        }
    return n;
}

void zoid_emit_call_operator(const struct zoid_emit_row *r, FILE *to)
{
    int n = 0;

    fprintf(to, "    {.name = \"%s\",\n     .steps = %d,\n     .nfields = %d,\n     .field = {\n",
            r->family, r->half ? 2 : 1, r->nfields);
    for (int f = 0; f < r->nfields; f++)
        put_field(r, f, to);
    fputs("     },\n     .result = {\n", to);
    for (int f = 0; f < r->nstate; f++)
        n += put_results(r, f, to);
    fprintf(to, "     },\n     .nresults = %d,\n     .alike = {\n", n);
    n = put_alikes(r, to);
    fprintf(to, "     },\n     .nalike = %d},\n", n);
}

/* ---- the function -------------------------------------------------------------------------- */

static const char *type_of(enum zoid_ctype type)
{
    static const char *const names[] = {"int", "unsigned", "long", "size_t", "float", "double"};

    return names[type];
}

/* A parameter as the source has it, or, for C++, whose arrays have no sizes, as a pointer. */
static void put_parameter(const struct zoid_meaning *m, const struct zoid_symbol *s, bool pointer,
                          FILE *to)
{
    char extent[512];

    fprintf(to, "%s%s %s%s", s->kind == ZOID_SYMBOL_ARRAY && s->constant ? "const " : "",
            type_of(s->type), s->kind == ZOID_SYMBOL_ARRAY && pointer ? "*" : "", s->name);
    for (int d = 0; d < s->dims && !pointer; d++) {
        zoid_poly_print(&s->extent[d], m->ir->names, extent, sizeof extent);
        fprintf(to, "[%s]", s->open && d == 0 ? "" : extent);
    }
}

static void put_head(const struct zoid_meaning *m, bool pointers, FILE *to)
{
    const struct zoid_nest *nest = m->nest;

    fprintf(to, "void %s(", nest->name);
    for (int i = 0; i < nest->nparameters; i++) {
        fputs(i ? ", " : "", to);
        put_parameter(m, nest->parameter[i], pointers, to);
    }
    fputs(nest->nparameters ? ")" : "void)", to);
}

static void put_header(const struct zoid_meaning *m, const char *name, FILE *to)
{
    fprintf(to,
            "/* Made by zoid-compile: the function of the nest, in lib%s.so. */\n"
            "#ifndef %s_CALL_H\n#define %s_CALL_H\n\n#include <stddef.h>\n\n"
            "#ifdef __cplusplus\nextern \"C\" {\n",
            name, name, name);
    put_head(m, true, to);
    fputs(";\n#else\n", to);
    put_head(m, false, to);
    fprintf(
        to,
        ";\n#endif\n\n"
        "/* Have a function called after a failure, with a status of <zoid/zoid.h> and a line "
        "that says\n * what failed; the function of the nest then returns. NULL, the default: "
        "print the line to standard\n * error, and abort. Not while a thread calls the nest. */\n"
        "void %s_on_failure(void (*handler)(void *user, int status, const char *line), void "
        "*user);\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n",
        name);
}

static void put_integer(const struct zoid_meaning *m, const struct zoid_poly *poly, FILE *to)
{
    const char *names[ZOID_POLY_SYMBOLS];
    char text[1024];

    for (int i = 0; i < ZOID_POLY_SYMBOLS; i++)
        names[i] = i < m->nest->nsizes ? zoid_text_print(m->text, "(long)%s", m->ir->names[i])
                                       : m->ir->names[i];
    zoid_poly_print(poly, names, text, sizeof text);
    fputs(text, to);
}

/* Elements of a table or list that are read, at most. */
static void put_length(const struct zoid_meaning *m, const struct zoid_emit_tables *tables,
                       const struct zoid_nest_array *a, FILE *to)
{
    int most = INT_MIN;

    for (int i = 0; i < tables->n; i++)
        if (tables->table[i].value->array == a && tables->table[i].value->offset[0] >= most)
            most = tables->table[i].value->offset[0] + (a->kind == ZOID_ARRAY_LIST);
    fprintf(to, ", .length = %d", most);
    if (a->kind == ZOID_ARRAY_LIST)
        return;
    fputs(" + (", to);
    put_integer(m, &m->ir->from, to);
    fputs(") + (", to);
    put_integer(m, &m->ir->steps, to);
    fputc(')', to);
}

/* Returns whether an array has the planes that loops reach. */
static bool is_open(const struct zoid_nest_array *a)
{
    return !zoid_ir_of_run(a) && (a->symbol->open || (a->partner && a->partner->open));
}

static void put_array(const struct zoid_meaning *m, const struct zoid_emit_tables *tables,
                      const struct zoid_nest_array *a, FILE *to)
{
    const bool second = a->partner && a->name == a->partner->name;
    const struct zoid_symbol *newest = second ? a->partner : a->symbol;
    const struct zoid_symbol *other = second ? a->symbol : a->partner;

    fprintf(to, "            {.name = \"%s\", .data = {(void *)%s", a->name, newest->name);
    if (a->partner)
        fprintf(to, ", (void *)%s", other->name);
    fprintf(to, "}, .axes = %uu, .written = %d", a->kind == ZOID_ARRAY_PROFILE ? a->axes : 7u,
            a->kind == ZOID_ARRAY_STATE);
    if (zoid_ir_of_run(a))
        put_length(m, tables, a, to);
    if (a->kind == ZOID_ARRAY_STATE && a->turns)
        fprintf(to, ", .turns = %d, .named = %d, .first = %d", a->turns, a->partner ? 2 : 0,
                a->partner ? 0 : a->first);
    if (is_open(a))
        fputs(", .open = 1", to);
    fputs("},\n", to);
}

/* Names of the tables of the run, and the number of their rows: one for each step, or a single one
 * if they do not depend on the time. */
static void put_tables(const struct zoid_meaning *m, const struct zoid_emit_tables *tables,
                       FILE *to)
{
    bool timed = false;

    for (int i = 0; i < tables->n; i++) {
        timed |= zoid_emit_timed(tables->table[i].value);
        fprintf(to, "%s\"%s\"", i ? ", " : "        .table_name = {", tables->table[i].name);
    }
    fprintf(to, "},\n        .ntables = %d,\n        .rows = ", tables->n);
    if (timed)
        put_integer(m, &m->ir->steps, to);
    else
        fputc('1', to);
    fputs(",\n", to);
}

/* Allocates and computes the rows, unless the nest computes nothing, and may not read arrays. */
static void put_rows(const struct zoid_meaning *m, const struct zoid_emit_tables *tables, FILE *to)
{
    const struct zoid_ir *ir = m->ir;

    fprintf(to,
            "    double *const zoid_nest_rows =\n"
            "        zoid_call_computes(&zoid_nest_call)\n"
            "            ? malloc((size_t)zoid_nest_call.rows * %d * sizeof(double))\n"
            "            : NULL;\n\n"
            "    for (long zoid_nest_row = 0; zoid_nest_rows && zoid_nest_row < "
            "zoid_nest_call.rows;\n"
            "         zoid_nest_row++) {\n"
            "        const %s " ZOID_EMIT_TIME " __attribute__((unused)) = (%s)(",
            tables->n, type_of(ir->time_type), type_of(ir->time_type));
    put_integer(m, &ir->from, to);
    fputs(" + zoid_nest_row);\n\n", to);
    for (int i = 0; i < tables->n; i++) {
        const struct zoid_expr *e = tables->table[i].value;

        fprintf(to, "        zoid_nest_rows[zoid_nest_row * %d + %d] = ", tables->n, i);
        /* A NULL is refused by the call. */
        fprintf(to, "(%s)", tables->table[i].when);
        if (e->kind == ZOID_EXPR_READ)
            fprintf(to, " && %s", e->array->symbol->name);
        fprintf(to, " ? (double)(%s)", type_of(ir->type));
        zoid_emit_c(ir, e, ZOID_EMIT_TIME, to);
        fputs(" : 0;\n", to);
    }
    fputs("    }\n    zoid_nest_call.row = zoid_nest_rows;\n", to);
}

static void put_axes(const struct zoid_meaning *m, FILE *to)
{
    const struct zoid_ir *ir = m->ir;

    fputs("        .extent = {", to);
    for (int a = 0; a < ir->axes; a++) {
        fputs(a ? ", " : "", to);
        put_integer(m, &ir->extent[a], to);
    }
    fputs("},\n        .least = {", to);
    for (int a = 0; a < ir->axes; a++)
        fprintf(to, "%s%d", a ? ", " : "", ir->least[a]);
    fputs("},\n        .mirrored = {", to);
    for (int a = 0; a < ir->axes; a++)
        fprintf(to, "%s%d", a ? ", " : "", ir->mirrored[a]);
    fputs("},\n        .steps = ", to);
    put_integer(m, &ir->steps, to);
    fputs(",\n", to);
}

static void put_function(const struct zoid_meaning *m, const struct zoid_emit_calls *calls,
                         FILE *to)
{
    const struct zoid_emit_tables *tables = calls->tables;
    const struct zoid_ir *ir = m->ir;
    int n = 0;

    put_head(m, false, to);
    fputs("\n{\n", to);
    for (int i = 0; i < m->nest->nparameters; i++)
        fprintf(to, "    (void)%s;\n", m->nest->parameter[i]->name);
    zoid_emit_global_locals(m, to);
    fprintf(to,
            "    struct zoid_call zoid_nest_call = {\n        .name = \"%s\",\n"
            "        .table = zoid_module_op,\n        .type = ZOID_%s,\n        .axes = %d,\n",
            calls->name, ir->type == ZOID_FLOAT ? "F32" : "F64", ir->axes);
    put_axes(m, to);
    fputs("        .param = {", to);
    for (int i = 0; i < ir->nparams; i++)
        fprintf(to, "%s%s", i ? ", " : "", ir->param[i]->name);
    fprintf(to, "},\n        .nparams = %d,\n        .array = {\n", ir->nparams);
    for (const struct zoid_nest_array *a = ir->arrays; a; a = a->next, n++)
        put_array(m, tables, a, to);
    fputs("        },\n", to);
    if (tables->n)
        put_tables(m, tables, to);
    fprintf(to,
            "        .narrays = %d,\n        .box = zoid_nest_boxes,\n"
            "        .nboxes = sizeof zoid_nest_boxes / sizeof *zoid_nest_boxes,\n"
            "        .access = zoid_nest_accesses,\n"
            "        .naccesses = sizeof zoid_nest_accesses / sizeof *zoid_nest_accesses - 1,\n"
            "        .operator = zoid_nest_operators,\n        .noperators = %d,\n"
            "        .failure = zoid_nest_failure,\n        .user = zoid_nest_user};\n",
            n, calls->count);
    if (tables->n)
        put_rows(m, tables, to);
    fprintf(to,
            "\n    const bool zoid_nest_ran __attribute__((unused)) =\n"
            "        zoid_call_run(&zoid_nest_call);\n\n%s",
            tables->n ? "    free(zoid_nest_rows);\n" : "");
    zoid_emit_global_swap(m, to);
    fputs("}\n", to);
}

static void put_access(const struct zoid_meaning *m, int statement,
                       const struct zoid_nest_array *array, int role, int colour, const int *offset,
                       FILE *to)
{
    int axis = 0;

    while (array->kind == ZOID_ARRAY_PROFILE && !(array->axes >> axis & 1))
        axis++;
    if (is_open(array))
        fprintf(to, "    {.statement = %d, .array = %d, .role = %d, .colour = %d, .offset = %d},\n",
                statement, number_of(m->ir, array), array->turns ? role : 0, colour, offset[axis]);
}

/* Accesses to arrays whose length is not declared. */
static void put_accesses(const struct zoid_meaning *m, FILE *to)
{
    static const int here[ZOID_NEST_AXES];

    fputs("static const struct zoid_call_access zoid_nest_accesses[] = {\n", to);
    for (int i = 0; i < m->n; i++) {
        const struct zoid_statement *s = m->statement[i];

        put_access(m, i, s->array, s->role, s->colour, here, to);
        for (const struct zoid_nest_read *r = s->reads; r; r = r->next)
            put_access(m, i, r->array, r->role, r->colour, r->offset, to);
    }
    /* One that is never made: a list has a row. */
    fputs("    {.statement = -1}};\n\n", to);
}

/* Refuses nests whose function cannot be called in the place of the source's. */
static void check(const struct zoid_meaning *m, const struct zoid_emit_tables *tables)
{
    for (int i = 0; i < tables->n; i++) {
        const struct zoid_expr *e = tables->table[i].value;

        /* Tables are filled before the run, and numbers that are compared are not known then. */
        if (tables->table[i].perhaps && e->kind == ZOID_EXPR_READ && e->array->symbol->open)
            zoid_refuse(m->text, e->at,
                        "%s is read where a comparison of real numbers chooses, and may be shorter "
                        "than that; declare it with its number of elements",
                        e->array->symbol->name);
    }
    if (m->nest->more)
        zoid_refuse(m->text, m->nest->more_at, "%s", m->nest->more);
}

void zoid_emit_call(const struct zoid_meaning *m, const struct zoid_emit_calls *calls, FILE *call,
                    FILE *header)
{
    const struct zoid_ir *ir = m->ir;
    const char *name = calls->name;

    check(m, calls->tables);
    put_header(m, name, header);
    fprintf(call,
            "/* Made by zoid-compile. */\n#include \"%s_call.h\"\n\n#include <stdlib.h>\n\n"
            "#include \"apps/compile/call/call.h\"\n\n"
            "const struct zoid_op *zoid_module_op(size_t i);\n\n"
            "static zoid_call_failure_fn *zoid_nest_failure;\nstatic void *zoid_nest_user;\n\n"
            "void %s_on_failure(zoid_call_failure_fn *handler, void *user)\n{\n"
            "    zoid_nest_failure = handler;\n    zoid_nest_user = user;\n}\n\n"
            "static const struct zoid_call_box zoid_nest_boxes[] = {\n",
            name, name);
    for (int i = 0; i < m->n; i++) {
        fputs("    ", call);
        put_box(ir, &m->statement[i]->box, call);
        fputs(",\n", call);
    }
    fprintf(call,
            "};\n\nstatic const struct zoid_call_operator zoid_nest_operators[] = {\n%s};\n\n",
            calls->operators);
    put_accesses(m, call);
    zoid_emit_globals(m, call);
    put_function(m, calls, call);
}
