/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/cli/rows.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/plan/alias.h"
#include "runtime/session/family.h"

/* ---- rows that operators can use ----------------------------------------------------------- */

/* Returns whether any operator of the families has the property. */
static bool any(const char *const *families,
                bool (*has)(const struct zoid_op *op, const char *name), const char *name)
{
    const struct zoid_op *op;

    for (size_t f = 0; families[f]; f++)
        for (size_t i = 0; (op = zoid_family_next(families[f], &i));)
            if (has(op, name))
                return true;
    return false;
}

static bool has_sources(const struct zoid_op *op, const char *name)
{
    (void)name;
    return op->sources;
}

static bool has_param(const struct zoid_op *op, const char *name)
{
    return zoid_op_param(op, name) >= 0;
}

/* `name` NULL: any coefficient. */
static bool has_coefficient(const struct zoid_op *op, const char *name)
{
    for (int c = op->nstate; c < op->nstate + op->ncoef; c++)
        if (op->field[c] && (!name || !strcmp(op->field[c], name)))
            return true;
    return false;
}

static bool is_one_of(const char *key, const char *const *keys)
{
    while (*keys && strcmp(*keys, key) != 0)
        keys++;
    return *keys;
}

/* Returns whether a row that depends on operators applies to one of the families. */
static bool of_use(const struct zoid_setting *s, const char *const *families)
{
    static const char *const coefficients[] = {"coefficient", "scale", NULL};

    if (s->group->bit == ZOID_GROUP_points)
        return any(families, has_sources, NULL);
    if (is_one_of(s->key, coefficients))
        return any(families, has_coefficient, NULL);
    if (!strcmp(s->key, "velocity"))
        return any(families, has_coefficient, "v2");
    return families[0] != NULL;
}

/* ---- texts that operators decide about ----------------------------------------------------- */

static int list_families(const char *const *families, FILE *out)
{
    int n = 0;

    for (; families[n]; n++)
        fprintf(out, "%s%s", n ? "|" : "", families[n]);
    return n;
}

static int list_dims(const char *const *families, FILE *out)
{
    return zoid_trait_list(families, ZOID_DIMS, "|", out);
}

static int list_radii(const char *const *families, FILE *out)
{
    return zoid_trait_list(families, ZOID_RADIUS, "|", out);
}

static int list_types(const char *const *families, FILE *out)
{
    return zoid_trait_list(families, ZOID_TYPE, "|", out);
}

static int list_boundaries(const char *const *families, FILE *out)
{
    int n = zoid_boundary_list(families, "|", out);

    fputs(n ? "|FACE=NAME,..." : "NAME", out);
    return n;
}

/* Prints the methods, and their names in papers. */
static int list_methods(const char *const *families, FILE *out)
{
    (void)families;
    fputs("auto, the planner's choice", out);
    for (size_t i = 0; zoid_methods[i]; i++)
        fprintf(out, "; %s, %s", zoid_methods[i]->name, zoid_methods[i]->summary);
    fputs(". Or as papers call it:", out);
    for (const struct zoid_alias *a = zoid_aliases; a->name; a++)
        fprintf(out, "%s %s (%s, --traversal %s, --overlap %s%s)", a == zoid_aliases ? "" : ";",
                a->name, a->method, zoid_traversal_name(a->traversal),
                zoid_overlap_name(a->overlap), a->depth ? ", --depth 1" : "");
    fputs(". Those of 2D cut planes into strips, too, those of 2D-1D deal them to ranks; b2r makes "
          "one slab of a cell",
          out);
    return 1;
}

static const char *print(struct zoid_command_rows *rows, const char *const *families,
                         int (*list)(const char *const *families, FILE *out), int *n)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    *n = out ? list(families, out) : 0;
    if (out)
        fclose(out);
    return zoid_command_keep(rows, text);
}

/* Adapts a row of the group `operator` to the families; false: it leaves no choice. */
static bool adapt(struct zoid_command_rows *rows, const struct zoid_program_rows *program,
                  struct zoid_setting *s)
{
    static const struct {
        const char *key;
        int (*list)(const char *const *families, FILE *out);
        int least; /* number of values below which the row is omitted */
    } lists[] = {{"operator", list_families, 2},
                 {"dims", list_dims, 2},
                 {"radius", list_radii, 2},
                 {"type", list_types, 1},
                 {"boundary", list_boundaries, 0}};
    int n = 0;

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!strcmp(lists[i].key, s->key)) {
            s->value = print(rows, program->families, lists[i].list, &n);
            if (n < lists[i].least || (i == 0 && !program->choose))
                return false;
        }
    if (!strcmp(s->key, "operator")) {
        s->key = program->choose;
        s->list = program->families;
        s->doc = "the update of a point [the first with dims, or the first of these]";
    }
    if (!strcmp(s->key, "boundary") && !n) {
        s->doc = "refused: the operator has edges of its own";
        s->fallback = s->detail = NULL;
    }
    return true;
}

/* ---- parameters ---------------------------------------------------------------------------- */

/* A parameter that is a setting of another group, too, is stored there. */
static void add_param(struct zoid_command_rows *rows, const char *const *families, const char *name,
                      struct zoid_settings *settings)
{
    const char *doc = zoid_command_keep(rows, zoid_param_describe(families, name));
    const struct zoid_setting *other = zoid_settings_find(name);
    struct zoid_setting row = zoid_settings_param(name, doc);

    if (other) {
        row.type = other->type;
        row.limits.most = UINT64_MAX;
        row.at = other->at;
        row.has = other->has;
    }
    zoid_command_add(rows, &row, settings);
}

static void add_params(struct zoid_command_rows *rows, const struct zoid_program_rows *program,
                       struct zoid_settings *settings)
{
    const size_t first = rows->n;
    const struct zoid_op *op;

    for (size_t f = 0; program->families[f]; f++)
        for (size_t i = 0; (op = zoid_family_next(program->families[f], &i));)
            for (int p = 0; p < op->nparams; p++) {
                const char *name = op->param[p].name;
                size_t there = first;

                while (there < rows->n && strcmp(rows->row[there].setting.key, name) != 0)
                    there++;
                if (there == rows->n)
                    add_param(rows, program->families, name, settings);
            }
}

/* ---- the program --------------------------------------------------------------------------- */

static const struct zoid_row_change *change_of(const struct zoid_program_rows *program,
                                               const char *key)
{
    const struct zoid_row_change *c = program->changes;

    while (c && c->key && strcmp(c->key, key) != 0)
        c++;
    return c && c->key ? c : NULL;
}

static void change(struct zoid_setting *s, const struct zoid_row_change *c)
{
    s->group = c->group ? c->group : s->group;
    s->type = c->type ? c->type : s->type;
    s->list = c->list ? c->list : s->list;
    s->fallback = c->fallback ? c->fallback : s->fallback;
    s->value = c->value ? c->value : s->value;
    /* `detail` belongs to `doc`. */
    if (c->doc) {
        s->doc = c->doc;
        s->detail = c->detail;
    }
}

bool zoid_row_respelled(const struct zoid_setting *s)
{
    for (const struct zoid_setting *other = zoid_settings_table; other->key; other++)
        if ((other->flags & ZOID_COMPOUND) && other != s && !strcmp(other->key, s->key))
            return true;
    return false;
}

/* Returns whether the program has the row, and adapts it. */
static bool take(struct zoid_command_rows *rows, const struct zoid_program_rows *program,
                 struct zoid_setting *s)
{
    static const unsigned by_operators =
        ZOID_GROUP_operator | ZOID_GROUP_fields | ZOID_GROUP_points;
    const struct zoid_row_change *c = change_of(program, s->key);

    if (c && c->how == ZOID_ROW_LEFT_OUT)
        return false;
    if (c)
        change(s, c);
    if (c && c->how == ZOID_ROW_ADDED)
        return true;
    /* A parameter of the same key stands for it. */
    if (!(program->groups & s->group->bit) ||
        (!program->no_params && any(program->families, has_param, s->key)))
        return false;
    if (s->type == &zoid_type_method) {
        int n;

        s->detail = print(rows, program->families, list_methods, &n);
    }
    if (!(s->group->bit & by_operators))
        return true;
    return of_use(s, program->families) &&
           (s->group->bit != ZOID_GROUP_operator || adapt(rows, program, s));
}

void zoid_program_rows(const struct zoid_program_rows *program, struct zoid_settings *settings,
                       struct zoid_cli *cli, struct zoid_command_rows *rows)
{
    bool params = program->no_params;

    for (const struct zoid_setting *s = zoid_settings_table; s->key; s++) {
        struct zoid_setting row = *s;

        if (!params && s->group->bit > ZOID_GROUP_parameters) {
            add_params(rows, program, settings);
            params = true;
        }
        if (!zoid_row_respelled(s) && take(rows, program, &row))
            zoid_command_add(rows, &row, settings);
    }
    for (const struct zoid_setting *s = zoid_cli_table; cli && s->key; s++)
        zoid_command_add(rows, s, cli);
}

enum zoid_status zoid_program_defaults(const struct zoid_command_rows *rows,
                                       struct zoid_settings *settings)
{
    enum zoid_status status = ZOID_OK;

    for (size_t i = 0; i < rows->n && !status; i++) {
        const struct zoid_setting *s = &rows->row[i].setting;

        if (s->fallback && rows->row[i].object == settings)
            status = s->type->set(s, s->fallback, (char *)settings + s->at);
    }
    return status;
}
