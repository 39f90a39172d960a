/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/emit.h"

#include <stdlib.h>
#include <string.h>

/* Text in a stream, which becomes memory of the nest's. */
struct sheet {
    FILE *to;
    char *bytes;
    size_t size;
};

static void open_sheet(struct zoid_text *text, struct sheet *s)
{
    s->to = open_memstream(&s->bytes, &s->size);
    if (!s->to)
        zoid_refuse(text, 0, "memory ran out; free some");
}

static char *close_sheet(struct zoid_text *text, struct sheet *s)
{
    const bool lost = fclose(s->to) != 0;
    char *copy = lost ? NULL : zoid_text_copy(text, s->bytes, s->size);

    free(s->bytes);
    if (lost)
        zoid_refuse(text, 0, "memory ran out; free some");
    return copy;
}

/* --- files */

/* Lists of one radius, one type and any number of stages, which each file of rows brings. */
static void put_lists(FILE *to)
{
    fputs("#ifndef NEST_RADII_1\n", to);
    for (int i = 1; i <= ZOID_IR_REACH; i++)
        fprintf(to, "#define NEST_RADII_%d(M, ...) M(%d, __VA_ARGS__)\n", i, i);
    fputs("#define NEST_TYPES_f32(M, ...) M(f32, __VA_ARGS__)\n"
          "#define NEST_TYPES_f64(M, ...) M(f64, __VA_ARGS__)\n",
          to);
    for (int n = 1; n <= ZOID_IR_STAGES; n++) {
        fprintf(to, "#define ZOID_STEP_NEST_STAGES_%d %d\n#define NEST_STAGES_%d(M, ...)", n, n, n);
        for (int i = 0; i < n; i++)
            fprintf(to, " M(%d, __VA_ARGS__)", i);
        fputc('\n', to);
    }
    fputs("#endif\n", to);
}

static void put_operator(struct zoid_emit_row *r, FILE *header, FILE *rows, struct zoid_op *op)
{
    memset(r->reach, -1, sizeof r->reach);
    memset(r->leaves, -1, sizeof r->leaves);
    r->placed = false;
    zoid_emit_fields(r);
    zoid_emit_update(r, header);
    zoid_emit_op(r, op);
    zoid_emit_row(op, rows);
}

static void put_notes(const struct zoid_ir *ir, const char *name, FILE *to)
{
    const bool own = zoid_emit_can_own(ir);

    for (int a = 0; a < ir->axes; a++)
        if (ir->mirrored[a])
            fprintf(to,
                    "/* Indices run down along %s: fill and read fields from its last point. */\n",
                    zoid_ir_axis(ir, a));
    if (ir->halves)
        fprintf(to,
                "/* A step of %s is two steps of %s_half, where both arrays begin equal beyond "
                "the box. */\n",
                name, name);
    for (const struct zoid_nest_array *a = ir->arrays; a; a = a->next) {
        if (a->copy_of)
            fprintf(to, "/* %s is %s in the box, after each step. */\n", a->name, a->copy_of->name);
        if (a->kind == ZOID_ARRAY_STATE && a->turns && !zoid_emit_moves(ir))
            fprintf(to, "/* The arrays that are %s in turns begin equal beyond the box%s%s%s. */\n",
                    a->name, own ? ", or run by " : "", own ? name : "", own ? "_own" : "");
        if (a->kind == ZOID_ARRAY_PROFILE)
            fprintf(to, "/* %s is the same along the axes that it does not have. */\n", a->name);
    }
}

/* All texts while they are written. */
enum { HEADER, ROWS, OPERATORS, CALL, CALL_HEADER, GLOBALS, SHEETS };

/* The operators of a nest: of each two, the one that is preferred comes first in calls. Returns
 * their number. */
static int put_operators(struct zoid_emit_row *r, const struct zoid_emit_row *first,
                         struct sheet sheet[SHEETS], struct zoid_op op[2])
{
    const char *name = first->family;
    const bool own = zoid_emit_can_own(first->ir), half = first->ir->halves;

    *r = *first;
    put_operator(r, sheet[HEADER].to, sheet[ROWS].to, &op[0]);
    if (!half)
        zoid_emit_call_operator(r, sheet[OPERATORS].to);
    if (half || own) {
        *r = *first;
        r->half = half;
        r->own = own;
        r->family = zoid_text_print(r->text, "%s_%s", name, half ? "half" : "own");
        put_operator(r, sheet[HEADER].to, sheet[ROWS].to, &op[1]);
        zoid_emit_call_operator(r, sheet[OPERATORS].to);
    }
    if (half) {
        /* Fields are numbered anew. */
        *r = *first;
        zoid_emit_fields(r);
        zoid_emit_call_operator(r, sheet[OPERATORS].to);
    }
    return 1 + (half || own);
}

/* Writes the function. Returns NULL, or the lines that say why the nest cannot have one. */
static char *put_call(struct zoid_text *text, const struct zoid_meaning *m,
                      const struct zoid_emit_calls *calls, struct sheet sheet[SHEETS])
{
    jmp_buf escape;
    char *more = NULL;

    memcpy(escape, text->escape, sizeof escape);
    if (!setjmp(text->escape))
        zoid_emit_call(m, calls, sheet[CALL].to, sheet[CALL_HEADER].to);
    else
        more = text->refusal;
    memcpy(text->escape, escape, sizeof escape);
    return more ? zoid_text_copy(text, more, strlen(more)) : NULL;
}

static char *cmake_text(struct zoid_text *text, const char *name, const char *function,
                        const char *globals)
{
    const char *call =
        function ? zoid_text_print(text, "    CALLS %s_call.c EXPORTS %s %s_on_failure%s\n", name,
                                   function, name, globals)
                 : "";

    return zoid_text_print(text,
                           "# Made by zoid-compile.\n"
                           "cmake_minimum_required(VERSION 3.22)\n"
                           "project(%s LANGUAGES C ${ZOID_MODULE_LANGUAGES})\n"
                           "find_package(zoid REQUIRED)\n"
                           "zoid_add_operators(lib%s MODULE ROWS %s.def\n%s"
                           "    ${ZOID_MODULE_OPTIONS})\n",
                           name, name, name, call);
}

static void put_all(struct zoid_text *text, const struct zoid_meaning *m, const char *name,
                    struct sheet sheet[SHEETS], struct zoid_emitted *out)
{
    struct zoid_emit_row *r = zoid_text_new(text, 2 * sizeof *r), *first = r + 1;

    fputs("/* Made by zoid-compile. */\n#include \"codelets/ops/point.h\"\n", sheet[HEADER].to);
    fputs("/* Made by zoid-compile. */\n", sheet[ROWS].to);
    put_notes(m->ir, name, sheet[ROWS].to);
    fprintf(sheet[ROWS].to,
            "#if defined ZOID_VALUE && !ZOID_JOIN(ZOID_INTEGERS_, ZOID_VALUE)\n"
            "#include \"%s.h\"\n#endif\n",
            name);
    put_lists(sheet[ROWS].to);
    *first = (struct zoid_emit_row){.text = text,
                                    .ir = m->ir,
                                    .family = name,
                                    .tables = zoid_text_new(text, sizeof *r->tables)};
    out->nops = put_operators(r, first, sheet, out->op);
    zoid_emit_global_names(m, sheet[GLOBALS].to);
    fflush(sheet[OPERATORS].to);
    out->more = put_call(text, m,
                         &(struct zoid_emit_calls){.name = name,
                                                   .operators = sheet[OPERATORS].bytes,
                                                   .count = out->nops,
                                                   .tables = first->tables},
                         sheet);
}

struct zoid_emitted zoid_emit(struct zoid_text *text, const struct zoid_meaning *m,
                              const char *name)
{
    struct sheet sheet[SHEETS] = {{.to = NULL}};
    struct zoid_emitted out = {.header = NULL};
    char *all[SHEETS];
    jmp_buf escape;

    for (int i = 0; i < SHEETS; i++)
        open_sheet(text, &sheet[i]);
    memcpy(escape, text->escape, sizeof escape);
    if (setjmp(text->escape)) {
        for (int i = 0; i < SHEETS; i++) {
            fclose(sheet[i].to);
            free(sheet[i].bytes);
        }
        longjmp(escape, 1);
    }
    put_all(text, m, name, sheet, &out);
    memcpy(text->escape, escape, sizeof escape);
    for (int i = 0; i < SHEETS; i++)
        all[i] = close_sheet(text, &sheet[i]);
    out.header = all[HEADER];
    out.rows = all[ROWS];
    out.call = out.more ? NULL : all[CALL];
    out.call_header = out.more ? NULL : all[CALL_HEADER];
    out.cmake = cmake_text(text, name, out.more ? NULL : m->nest->name, all[GLOBALS]);
    return out;
}
