/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/tiled.h"

#include <stdlib.h>

#include "apps/compile/affine.h"
#include "apps/compile/tiles.h"

static const char helpers[] =
    "static inline __attribute__((unused)) long zoid_floord(long a, long b)\n"
    "{\n"
    "    return a / b - (a % b < 0);\n"
    "}\n"
    "static inline __attribute__((unused)) long zoid_min(long a, long b)\n"
    "{\n"
    "    return a < b ? a : b;\n"
    "}\n"
    "static inline __attribute__((unused)) long zoid_max(long a, long b)\n"
    "{\n"
    "    return a > b ? a : b;\n"
    "}\n\n";

/* C's condition of a statement that runs. */
static void print_runs(const struct zoid_tiles *k, const struct zoid_statement *s, FILE *to)
{
    char lo[256], hi[256];

    fputc('(', to);
    for (int a = 0; a < k->m->ir->axes; a++) {
        zoid_poly_print(&s->lo[a], k->m->ir->names, lo, sizeof lo);
        zoid_poly_print(&s->hi[a], k->m->ir->names, hi, sizeof hi);
        fprintf(to, "%s(long)(%s) < (long)(%s)", a ? " && " : "", lo, hi);
    }
    fputc(')', to);
}

/* The memory of a copy, with all points, those that the nest does not write, too. */
static void print_copy(const struct zoid_tiles *k, const struct zoid_copy *copy, FILE *to)
{
    const struct zoid_ir *ir = k->m->ir;
    const char *const a = copy->of->name, *const b = copy->to->name;
    char extent[256];
    bool any = false;

    fprintf(to, "        long %s_bytes = sizeof(%s)", b,
            ir->type == ZOID_FLOAT ? "float" : "double");
    for (int x = 0; x < ir->axes; x++) {
        zoid_poly_print(&ir->extent[x], ir->names, extent, sizeof extent);
        fprintf(to, " * (long)(%s)", extent);
    }
    fprintf(to, ";\n        __typeof__(&*%s) %s = __builtin_malloc(%s_bytes > 0 ? %s_bytes : 1);\n",
            a, b, b, b);
    fprintf(to, "        if (!%s)\n            __builtin_abort();\n        if (", b);
    for (int i = 0; i < k->copies->reads; i++)
        if (k->copies->read[i].copy == copy) {
            fputs(any ? " || " : "", to);
            print_runs(k, k->m->statement[k->copies->read[i].statement], to);
            any = true;
        }
    fprintf(to, ")\n            __builtin_memcpy(%s, %s, %s_bytes);\n", b, a, b);
}

static void print_region(const struct zoid_tiles *k, const char *loops, FILE *to)
{
    const struct zoid_nest *nest = k->m->nest;
    const struct zoid_symbol *const *swap = (const struct zoid_symbol *const *)k->m->swap;
    char from[256], past[256];

    zoid_poly_print(&nest->time->lo, nest->names, from, sizeof from);
    zoid_poly_print(&nest->time->hi, nest->names, past, sizeof past);
    fputs("    {\n", to);
    for (int i = 0; i < nest->nsizes; i++)
        fprintf(to, "        const long " ZOID_AFFINE_SIZE "%d __attribute__((unused)) = %s;\n", i,
                nest->size[i]->name);
    fprintf(to, "        const long zoid_from = %s, zoid_past = %s;\n", from, past);
    fputs("        if (zoid_from < zoid_past) {\n", to);
    for (int i = 0; k->copies && i < k->copies->n; i++)
        print_copy(k, &k->copies->copy[i], to);
    for (int i = 0; swap[0] && i < 2; i++)
        fprintf(to, "        const __typeof__(&*%s) zoid_%d = %s;\n", swap[i]->name, i,
                swap[i]->name);
    fputs(loops, to);
    for (int i = 0; k->copies && i < k->copies->n; i++)
        fprintf(to, "        __builtin_free(%s);\n", k->copies->copy[i].to->name);
    if (swap[0])
        fprintf(
            to,
            "        if ((zoid_past - zoid_from) %% 2)\n            %s = zoid_1, %s = zoid_0;\n",
            swap[0]->name, swap[1]->name);
    fputs("        }\n    }", to);
}

static void print_rows(const struct zoid_tiles *k, FILE *to)
{
    fprintf(to, "/* The nest in tiles of %s rows", k->tiling->balanced ? "balanced" : "minimal");
    for (int r = 0; r < k->rows.n; r++) {
        fputs(r ? ", (" : " (", to);
        for (int i = 0; i < k->m->dependences->dims; i++)
            fprintf(to, "%s%d", i ? " " : "", k->rows.row[r].phi[i]);
        fprintf(to, ") by %d", k->tiling->tile[r]);
    }
    fprintf(to, "%s. Made by zoid-compile. */\n", k->copies ? ", with copies" : "");
}

static void check_units(const struct zoid_tiles *k)
{
    for (int u = 0; u < k->units->n; u++)
        for (int i = 1; i < k->units->unit[u].n; i++)
            for (int r = 0; r < k->rows.n; r++)
                if (k->rows.row[r].offset[k->units->unit[u].statement[i]] !=
                    k->rows.row[r].offset[k->units->unit[u].statement[0]])
                    zoid_refuse(k->m->text,
                                k->m->statement[k->units->unit[u].statement[i]]->item->at,
                                "statements of one point that would be in different tiles; give "
                                "each a loop of its own");
}

const char *zoid_tiled(struct zoid_meaning *m, const struct zoid_tiling *tiling)
{
    struct zoid_tiles k = {.m = m, .tiling = tiling};
    bool *hindering = zoid_text_new(m->text, (size_t)m->dependences->n + 1);
    const char *loops, *made;
    char *text = NULL;
    size_t size;
    FILE *to;

    if (tiling->copies) {
        zoid_shape_hindering(m, hindering);
        k.copies = zoid_copies_make(m, hindering);
        k.m = k.copies->nest;
        if (!k.copies->n)
            zoid_refuse(m->text, m->nest->at,
                        "no false dependence that hinders and that a copy removes; leave out "
                        "--copies");
    }
    k.units = zoid_units_find(m, k.copies);
    k.rows = zoid_shape_find(m->text, k.m->dependences, NULL, tiling->balanced);
    if (!k.rows.n)
        zoid_refuse(m->text, m->nest->at, "no shape of tiles; see --shapes for the dependences");
    check_units(&k);
    loops = zoid_tiles_print(&k);
    to = open_memstream(&text, &size);
    if (!to)
        zoid_refuse(m->text, 0, "memory ran out; free some");
    print_rows(&k, to);
    fputs(helpers, to);
    fwrite(m->text->bytes, 1, m->nest->begin, to);
    print_region(&k, loops, to);
    fwrite(m->text->bytes + m->nest->end, 1, m->text->size - m->nest->end, to);
    made = fclose(to) ? NULL : zoid_text_copy(m->text, text, size);
    free(text);
    if (!made)
        zoid_refuse(m->text, 0, "memory ran out; free some");
    return made;
}
