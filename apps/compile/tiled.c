/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/tiled.h"

#include <stdlib.h>
#include <string.h>

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

/* The memory of a copy, as long as the domain, and the planes that are read of it, with those of
 * their points that the nest does not write. */
static void print_copy(const struct zoid_tiles *k, int number, FILE *to)
{
    const struct zoid_ir *ir = k->m->ir;
    const struct zoid_copy *copy = &k->copies->copy[number];
    const char *const a = copy->of->name, *const b = copy->to->name;
    char lo[256], hi[256];

    fprintf(to, "        const long zoid_r%d = sizeof(", number);
    for (int d = 0; d < copy->of->symbol->dims; d++)
        fputc('*', to);
    fprintf(to, "%s)", a);
    for (int x = 1; x < ir->axes; x++) {
        zoid_poly_print(&ir->extent[x], ir->names, hi, sizeof hi);
        fprintf(to, " * (long)(%s)", hi);
    }
    zoid_poly_print(&ir->extent[0], ir->names, hi, sizeof hi);
    fprintf(
        to,
        ";\n        __typeof__(&*%s) %s = __builtin_malloc(zoid_max(zoid_r%d * (long)(%s), 1));\n"
        "        if (!%s)\n            __builtin_abort();\n",
        a, b, number, hi, b);
    for (int i = 0; i < k->copies->reads; i++) {
        const struct zoid_copied *read = &k->copies->read[i];
        const struct zoid_statement *s = k->m->statement[read->statement];

        if (read->copy != copy)
            continue;
        zoid_poly_print(&s->lo[0], ir->names, lo, sizeof lo);
        zoid_poly_print(&s->hi[0], ir->names, hi, sizeof hi);
        fputs("        if ", to);
        print_runs(k, s, to);
        fprintf(to,
                "\n            __builtin_memcpy((char *)%s + zoid_r%d * ((long)(%s) + %d),\n"
                "                (const char *)%s + zoid_r%d * ((long)(%s) + %d),\n"
                "                zoid_r%d * ((long)(%s) - (long)(%s)));\n",
                b, number, lo, read->offset[0], a, number, lo, read->offset[0], number, hi, lo);
    }
}

static void print_region(const void *data, FILE *to)
{
    const struct zoid_tiles *k = data;
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
        print_copy(k, i, to);
    for (int i = 0; swap[0] && i < 2; i++)
        fprintf(to, "        const __typeof__(&*%s) zoid_%d = %s;\n", swap[i]->name, i,
                swap[i]->name);
    fputs(k->loops, to);
    for (int i = 0; k->copies && i < k->copies->n; i++)
        fprintf(to, "        __builtin_free(%s);\n", k->copies->copy[i].to->name);
    if (swap[0])
        fprintf(
            to,
            "        if ((zoid_past - zoid_from) %% 2)\n            %s = zoid_1, %s = zoid_0;\n",
            swap[0]->name, swap[1]->name);
    fputs("        }\n    }", to);
}

static void print_rows(const void *data, FILE *to)
{
    const struct zoid_tiles *k = data;

    fprintf(to, "/* The nest in tiles of %s rows", k->tiling->balanced ? "balanced" : "minimal");
    for (int r = 0; r < k->rows.n; r++) {
        fputs(r ? ", (" : " (", to);
        for (int i = 0; i < k->m->dependences->dims; i++)
            fprintf(to, "%s%d", i ? " " : "", k->rows.row[r].phi[i]);
        fprintf(to, ") by %d", k->tiling->tile[r]);
    }
    fprintf(to, "%s. Made by zoid-compile. */\n", k->copies ? ", with copies" : "");
}

/* Returns whether a name may be one of those that the text of tiles has beside the file's. */
static bool is_taken(const struct zoid_text *text, const struct zoid_token *token, const void *none)
{
    static const char *const words[] = {"floord", "min",   "max",   "from",   "past",   "odd", "lo",
                                        "hi",     "visit", "layer", "layers", "kernel", "back"};
    const size_t prefix = strlen("zoid_");
    const char *const rest = text->bytes + token->at + prefix;
    size_t length = token->length - prefix;

    (void)none;
    if (token->length <= prefix || memcmp(rest - prefix, "zoid_", prefix))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && !memcmp(words[i], rest, length))
            return true;
    while (length && rest[length - 1] >= '0' && rest[length - 1] <= '9')
        length--;
    return length < token->length - prefix &&
           (length == 0 || (length == 1 && strchr("cinrwx", *rest)));
}

static void check_names(struct zoid_text *text)
{
    const struct zoid_token token = zoid_lex_find(text, is_taken, NULL);

    if (token.kind == ZOID_TOKEN_NAME)
        zoid_refuse(text, token.at, "%.*s is a name that tiles have; give it another one",
                    (int)token.length, text->bytes + token.at);
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

const char *zoid_tiled_file(struct zoid_meaning *m, const struct zoid_tiled_parts *parts)
{
    const char *made;
    char *text = NULL;
    size_t size;
    FILE *to;

    check_names(m->text);
    to = open_memstream(&text, &size);
    if (!to)
        zoid_refuse(m->text, 0, "memory ran out; free some");
    parts->head(parts->data, to);
    fputs(helpers, to);
    fwrite(m->text->bytes, 1, m->nest->begin, to);
    parts->region(parts->data, to);
    fwrite(m->text->bytes + m->nest->end, 1, m->text->size - m->nest->end, to);
    made = fclose(to) ? NULL : zoid_text_copy(m->text, text, size);
    free(text);
    if (!made)
        zoid_refuse(m->text, 0, "memory ran out; free some");
    return made;
}

const char *zoid_tiled(struct zoid_meaning *m, const struct zoid_tiling *tiling)
{
    struct zoid_tiles k = {.m = m, .tiling = tiling};
    const struct zoid_tiled_parts parts = {print_rows, print_region, &k};
    bool *hindering = zoid_text_new(m->text, (size_t)m->dependences->n + 1);

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
    k.loops = zoid_tiles_print(&k);
    return zoid_tiled_file(m, &parts);
}
