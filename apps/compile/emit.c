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

/* --- fields */

/* States that one stage writes are a group, and lie side by side. */
static void number_fields(struct zoid_emit_row *r)
{
    const struct zoid_ir *ir = r->ir;
    struct zoid_nest_array *list[2 * ZOID_IR_FIELDS];
    int group[2 * ZOID_IR_FIELDS], n = 0;

    for (struct zoid_nest_array *a = ir->arrays; a; a = a->next)
        if (a->kind == ZOID_ARRAY_STATE && !a->copy_of &&
            !(r->half && a == ir->stage[0].item[0].put->array)) {
            a->number = n;
            group[n] = n;
            list[n++] = a;
        }
    for (int s = 0; s < ir->nstages && !r->half; s++) {
        int first = -1;

        for (int i = 0; i < ir->stage[s].n; i++) {
            const struct zoid_put *put = ir->stage[s].item[i].put;

            if (!put)
                continue;
            if (put->array->turns && put->colour >= 0)
                zoid_refuse(r->text, put->at,
                            "arrays that take turns, of one colour, which operators do not have "
                            "yet; see --explain for what it means");
            if (first < 0)
                first = group[put->array->number];
            for (int k = 0, old = group[put->array->number]; k < n; k++)
                if (group[k] == old)
                    group[k] = first;
        }
    }
    r->nfields = 0;
    for (int g = 0, groups = 0; g < n; g++) {
        bool any = false;

        for (int k = 0; k < n; k++)
            if (group[k] == g) {
                any = true;
                r->field[r->nfields++] = list[k];
                if (list[k]->older || r->own) {
                    r->before[r->nfields] = true;
                    r->field[r->nfields++] = list[k];
                }
            }
        groups += any;
        if (groups > ZOID_IR_GROUPS)
            zoid_refuse(r->text, ir->stage[0].item[0].put->at,
                        "more than %d groups of fields that are written together; take fewer",
                        ZOID_IR_GROUPS);
    }
    r->nstate = r->nfields;
    for (struct zoid_nest_array *a = ir->arrays; a; a = a->next)
        if (a->kind == ZOID_ARRAY_COEFFICIENT || a->kind == ZOID_ARRAY_PROFILE)
            r->field[r->nfields++] = a;
}

/* --- what today's rows can say */

const struct zoid_ir_stage *zoid_emit_stage(const struct zoid_emit_row *r, int s)
{
    return &r->ir->stage[r->half ? 1 : s];
}

/* Layers between a side of a box and the face, as far as rows leave them out. */
static int layers(struct zoid_side side, bool high)
{
    return side.end != high ? 0 : side.at < ZOID_IR_REACH ? side.at : ZOID_IR_REACH;
}

/* Gives each field of a stage the least box that has those of all its puts. */
static void set_leaves(struct zoid_emit_row *r, int s)
{
    const struct zoid_ir_stage *stage = zoid_emit_stage(r, s);

    for (int i = 0; i < stage->n; i++) {
        const struct zoid_put *put = stage->item[i].put;
        const int f = put ? zoid_emit_field(r, put->array, r->turns) : 0;

        for (int a = 0; a < r->ir->axes && put; a++)
            for (int side = 0; side < 2; side++) {
                const int at = layers(side ? put->box.hi[a] : put->box.lo[a], side);
                int *to = &r->leaves[s][f][side][a];

                *to = *to < 0 || at < *to ? at : *to;
            }
    }
}

/* Returns whether a put has all points along an axis that its field has in the stage. */
static bool fills(const struct zoid_emit_row *r, int s, const struct zoid_put *put, int axis)
{
    const struct zoid_side lo = put->box.lo[axis], hi = put->box.hi[axis];
    const int f = zoid_emit_field(r, put->array, r->turns);

    return !lo.end && hi.end && lo.at == r->leaves[s][f][0][axis] &&
           hi.at == r->leaves[s][f][1][axis];
}

static void check_row(struct zoid_emit_row *r)
{
    const struct zoid_ir *ir = r->ir;
    const struct zoid_put *first = NULL;
    bool ascending = false, older = false;
    int states = 0;

    for (int s = 0; s < ir->nstages; s++) {
        ascending |= ir->stage[s].ascending;
        for (int i = 0; i < ir->stage[s].n && !first; i++)
            first = ir->stage[s].item[i].put;
    }
    for (const struct zoid_nest_array *a = ir->arrays; a; a = a->next) {
        older |= a->older;
        states += a->kind == ZOID_ARRAY_STATE && !a->copy_of;
    }
    r->turns = older || r->own;
    if (r->turns && (states > 1 || ir->nstages > 1 || ascending))
        zoid_refuse(r->text, first->at,
                    "the time before beside other fields or stages, which "
                    "operators do not have yet; see --explain");
    r->stages = r->half ? 1 : ir->nstages;
    for (int s = 0; s < r->stages; s++)
        set_leaves(r, s);
}

/* --- updates */

static int bound(struct zoid_side side, bool mirrored, bool *end)
{
    *end = side.end != mirrored;
    return side.at;
}

static void put_bound(const struct zoid_emit_row *r, int axis, struct zoid_side side, FILE *to)
{
    bool end;
    const int at = bound(side, r->ir->mirrored[axis], &end);

    if (end)
        fprintf(to, at ? "at->n[%d] - %d" : "at->n[%d]", zoid_emit_axis(r->ir, axis), at);
    else
        fprintf(to, "%d", at);
}

/* A condition on indices along the axes of planes: the point is in the box of the put. Nothing
 * along axes where that is the box of the field. The library tries boxes on smaller domains than a
 * nest has, which lack points that faces read. */
static void put_condition(struct zoid_emit_row *r, const struct zoid_put *put, FILE *to)
{
    bool any = false;

    for (int a = 0; a < r->ir->axes; a++) {
        const bool m = r->ir->mirrored[a];

        if (put->box.lo[a].end == put->box.hi[a].end && r->ir->least[a] > 1) {
            fprintf(to, "%sat->n[%d] >= %d", any ? " && " : "    if (", zoid_emit_axis(r->ir, a),
                    r->ir->least[a]);
            any = true;
        }
        if (fills(r, r->stage, put, a) || a == r->ir->axes - 1)
            continue;
        r->placed = true;
        fprintf(to, "%sat->p[%d] >= ", any ? " && " : "    if (", zoid_emit_axis(r->ir, a));
        put_bound(r, a, m ? put->box.hi[a] : put->box.lo[a], to);
        fprintf(to, " && at->p[%d] < ", zoid_emit_axis(r->ir, a));
        put_bound(r, a, m ? put->box.lo[a] : put->box.hi[a], to);
        any = true;
    }
    fputs(any ? ")\n        " : "    ", to);
}

/* pF = value, where the point is in the box of the put. The value, wN, is computed everywhere: GPU
 * kernels load the neighbours that an update reads in the middle of the domain. */
static void put_put(struct zoid_emit_row *r, const struct zoid_put *put, int number, FILE *to)
{
    const struct zoid_ir *ir = r->ir;
    const int f = zoid_emit_field(r, put->array, r->turns);
    const int x = ir->axes - 1;
    const bool m = ir->mirrored[x];

    zoid_emit_before(r, put->value, to);
    fprintf(to, "    const VALUE w%d = ", number);
    zoid_emit_value(r, put->value, to);
    fputs(";\n\n", to);
    put_condition(r, put, to);
    fprintf(to, "p%d = ", f);
    if (put->colour >= 0) {
        fprintf(to, "EVERY_OTHER(%d", put->colour);
        /* Indices along mirrored axes run from the other boundary. */
        for (int a = 0; a < ir->axes; a++)
            if (ir->mirrored[a])
                fprintf(to, " + at->n[%d] - 1", zoid_emit_axis(ir, a));
        fputs(", ", to);
    }
    if (!fills(r, r->stage, put, x)) {
        fputs("SELECT_X(", to);
        put_bound(r, x, m ? put->box.hi[x] : put->box.lo[x], to);
        fputs(", ", to);
        put_bound(r, x, m ? put->box.lo[x] : put->box.hi[x], to);
        fprintf(to, ", w%d, p%d)", number, f);
    } else {
        fprintf(to, "w%d", number);
    }
    fprintf(to, put->colour >= 0 ? ", p%d);\n" : ";\n", f);
}

/* Returns whether a put leaves some points of the update as they are. */
static bool partial(const struct zoid_emit_row *r, const struct zoid_put *put)
{
    bool part = put->colour >= 0;

    for (int a = 0; a < r->ir->axes; a++)
        part |= !fills(r, r->stage, put, a);
    return part;
}

void zoid_emit_own(struct zoid_emit_row *r, int field)
{
    for (int a = 0; a < r->ir->axes; a++)
        for (int side = 0; side < 2; side++)
            if (r->reach[r->stage][field][side][a] < 0)
                r->reach[r->stage][field][side][a] = 0;
}

static void put_stage(struct zoid_emit_row *r, int number, FILE *to)
{
    const struct zoid_ir_stage *stage = zoid_emit_stage(r, number);
    unsigned written = 0;

    r->stage = number;
    for (int i = 0, n = 0; i < stage->n; i++)
        if (stage->item[i].let)
            stage->item[i].let->number = n++;
    for (int i = 0; i < stage->n; i++) {
        const struct zoid_put *put = stage->item[i].put;
        const int f = put ? zoid_emit_field(r, put->array, r->turns) : 0;
        const int kept = r->turns ? r->own : f;

        if (!put || written >> f & 1)
            continue;
        written |= 1u << f;
        if (!partial(r, put)) {
            fprintf(to, "    VALUE p%d;\n", f);
            continue;
        }
        if (r->turns)
            fprintf(to, "    VALUE p%d = U(%s, 0, 0, 0);\n", f, r->own ? "1 - S" : "S");
        else
            fprintf(to, "    VALUE p%d = U(%d, 0, 0, 0);\n", f, f);
        zoid_emit_own(r, kept);
    }
    for (int i = 0; i < stage->n; i++)
        if (stage->item[i].let) {
            zoid_emit_before(r, stage->item[i].let->value, to);
            fprintf(to,
                    "    const VALUE v%d __attribute__((unused)) = ", stage->item[i].let->number);
            zoid_emit_value(r, stage->item[i].let->value, to);
            fputs(";\n", to);
        } else
            put_put(r, stage->item[i].put, i, to);
    for (int f = 0; f < r->nstate; f++)
        if (written >> f & 1)
            fprintf(to, r->turns ? "    PUT(1 - S, p%d);\n" : "    PUT(%d, p%d);\n",
                    r->turns ? f : f, f);
}

static void put_update(struct zoid_emit_row *r, FILE *to)
{
    fprintf(to, "\nZOID_POINT(%s)\n{\n", r->family);
    for (int s = 0; s < r->stages; s++) {
        if (r->stages > 1)
            fprintf(to, "    if (S == %d) {\n", s);
        put_stage(r, s, to);
        if (r->stages > 1)
            fputs("    }\n", to);
    }
    fputs("}\n", to);
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
    number_fields(r);
    check_row(r);
    put_update(r, header);
    zoid_emit_op(r, op);
    zoid_emit_row(op, rows);
}

/* Returns whether buffers that take turns can be two fields, each with its own boundary values. */
static bool can_own(const struct zoid_ir *ir)
{
    const struct zoid_nest_array *state = NULL;
    int states = 0;

    for (const struct zoid_nest_array *a = ir->arrays; a; a = a->next)
        if (a->kind == ZOID_ARRAY_STATE && !a->copy_of) {
            state = a;
            states++;
        }
    return states == 1 && state->turns == 2 && ir->nstages == 1;
}

static void put_notes(const struct zoid_ir *ir, const char *name, FILE *to)
{
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
        if (a->kind == ZOID_ARRAY_STATE && a->turns)
            fprintf(to, "/* The arrays that are %s in turns begin equal beyond the box%s%s%s. */\n",
                    a->name, can_own(ir) ? ", or run by " : "", can_own(ir) ? name : "",
                    can_own(ir) ? "_own" : "");
        if (a->kind == ZOID_ARRAY_PROFILE)
            fprintf(to, "/* %s is the same along the axes that it does not have. */\n", a->name);
    }
}

/* All texts while they are written. */
enum { HEADER, ROWS, OPERATORS, CALL, CALL_HEADER, SHEETS };

/* The operators of a nest: of each two, the one that is preferred comes first in calls. Returns
 * their number. */
static int put_operators(struct zoid_emit_row *r, const struct zoid_emit_row *first,
                         struct sheet sheet[SHEETS], struct zoid_op op[2])
{
    const char *name = first->family;
    const bool own = can_own(first->ir), half = first->ir->halves;

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
        number_fields(r);
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

static char *cmake_text(struct zoid_text *text, const char *name, const char *function)
{
    const char *call = function
                           ? zoid_text_print(text, "    CALLS %s_call.c EXPORTS %s %s_on_failure\n",
                                             name, function, name)
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
    out.cmake = cmake_text(text, name, out.more ? NULL : m->nest->name);
    return out;
}
