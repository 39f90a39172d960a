/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/options.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
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

static bool has_table(const struct zoid_op *op, const char *name)
{
    (void)name;
    return op->ntables;
}

/* `name` NULL: any coefficient. */
static bool has_coefficient(const struct zoid_op *op, const char *name)
{
    for (int c = op->nstate; c < op->nstate + op->ncoef; c++)
        if (op->field[c] && (!name || !strcmp(op->field[c], name)))
            return true;
    return false;
}

static bool has_speed(const struct zoid_op *op, const char *name)
{
    (void)name;
    return op->speed;
}

static bool has_pml(const struct zoid_op *op, const char *name)
{
    (void)name;
    return op->pml;
}

static bool has_held(const struct zoid_op *op, const char *name)
{
    (void)name;
    return op->held;
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
    static const char *const medium[] = {"vp", "vs", "density", NULL};
    static const char *const layers[] = {"absorb_points", "absorb_reflection", NULL};
    static const char *const matched[] = {"pml_points", "pml_reflection", "pml_shift", "pml_speed",
                                          NULL};

    if (s->group->bit == ZOID_GROUP_points)
        return any(families, has_sources, NULL);
    if (is_one_of(s->key, coefficients))
        return any(families, has_coefficient, NULL);
    if (!strcmp(s->key, "velocity"))
        return any(families, has_coefficient, "v2");
    if (is_one_of(s->key, medium))
        return any(families, has_coefficient, "rho");
    if (!strcmp(s->key, "kappa"))
        return any(families, has_param, "lambda") || any(families, has_coefficient, "kx");
    if (!strcmp(s->key, "mean"))
        return any(families, has_coefficient, "kx");
    if (is_one_of(s->key, layers))
        return any(families, has_speed, NULL);
    if (is_one_of(s->key, matched))
        return any(families, has_pml, NULL);
    if (!strcmp(s->key, "held"))
        return any(families, has_held, NULL);
    if (!strcmp(s->key, "table"))
        return any(families, has_table, NULL);
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
    for (const struct zoid_alias *a = zoid_aliases; a->name; a++) {
        char marked[128], options[128];

        zoid_failure_format(marked, sizeof marked,
                            a->depth ? "{traversal=%s}, {overlap=%s}, {depth=1}"
                                     : "{traversal=%s}, {overlap=%s}",
                            zoid_traversal_name(a->traversal), zoid_overlap_name(a->overlap));
        zoid_failure_text(ZOID_NAMES_OPTIONS, marked, options, sizeof options);
        fprintf(out, "%s %s (%s, %s)", a == zoid_aliases ? "" : ";", a->name, a->method, options);
    }
    fputs(". Those of 2D cut planes into strips, too, those of 2D-1D deal them to ranks; b2r makes "
          "one slab of a cell",
          out);
    return 1;
}

/* Takes ownership of an allocated text (or NULL), and returns it. NULL: out of memory; the text is
 * freed. */
static const char *keep(struct zoid_options *o, char *text)
{
    char **more = text ? realloc(o->text, (o->ntexts + 1) * sizeof *more) : NULL;

    if (!more) {
        o->lost = true;
        free(text);
        return NULL;
    }
    o->text = more;
    return more[o->ntexts++] = text;
}

static const char *print(struct zoid_options *o, const char *const *families,
                         int (*list)(const char *const *families, FILE *out), int *n)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    *n = out ? list(families, out) : 0;
    if (out)
        fclose(out);
    return keep(o, text);
}

/* The program that options are made for. */
struct maker {
    const struct zoid_program *program;
    const char *const *families;
    unsigned groups;
    struct zoid_options *options;
};

/* Adapts a row of the group `operator` to the families; false: it leaves no choice. */
static bool adapt(const struct maker *m, struct zoid_setting *s)
{
    static const struct {
        const char *key;
        int (*list)(const char *const *families, FILE *out);
        int least; /* number of values below which the row is omitted */
    } lists[] = {{"operator", list_families, 2},
                 {"dims", list_dims, 2},
                 {"radius", list_radii, 2},
                 {"type", list_types, 1},
                 {"boundary", list_boundaries, 1}};
    int n = 0;

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!strcmp(lists[i].key, s->key)) {
            s->value = print(m->options, m->families, lists[i].list, &n);
            if (n < lists[i].least || (i == 0 && !m->program->choose))
                return false;
        }
    if (!strcmp(s->key, "operator")) {
        s->key = m->program->choose;
        s->list = m->families;
        s->doc = "the update of a point [the first with dims, or the first of these]";
    }
    return true;
}

/* ---- rows ---------------------------------------------------------------------------------- */

struct zoid_option zoid_option_of(const struct zoid_setting *s)
{
    return (struct zoid_option){.key = s->key,
                                .value = s->value,
                                .fallback = s->fallback,
                                .doc = s->doc,
                                .detail = s->detail,
                                .title = s->group->title,
                                .group = 1 + __builtin_ctz(s->group->bit),
                                .advanced = s->flags & ZOID_ADVANCED};
}

static void add(struct zoid_options *o, const struct zoid_setting *s)
{
    struct zoid_setting *rows = realloc(o->row, (o->n + 1) * sizeof *rows);
    struct zoid_option *options = realloc(o->option, (o->n + 1) * sizeof *options);

    if (rows)
        o->row = rows;
    if (options)
        o->option = options;
    if (!rows || !options) {
        o->lost = true;
        return;
    }
    rows[o->n] = *s;
    options[o->n++] = zoid_option_of(s);
}

/* ---- parameters ---------------------------------------------------------------------------- */

/* A parameter that is a setting of another group, too, is stored there. */
static void add_param(const struct maker *m, const char *name)
{
    const char *doc = keep(m->options, zoid_param_describe(m->families, name));
    const struct zoid_setting *other = zoid_settings_find(name);
    struct zoid_setting row = zoid_settings_param(name, doc);

    if (other) {
        row.type = other->type;
        row.limits.most = UINT64_MAX;
        row.at = other->at;
        row.has = other->has;
    }
    add(m->options, &row);
}

static void add_params(const struct maker *m)
{
    const struct zoid_options *o = m->options;
    const size_t first = o->n;
    const struct zoid_op *op;

    for (size_t f = 0; m->families[f]; f++)
        for (size_t i = 0; (op = zoid_family_next(m->families[f], &i));)
            for (int p = 0; p < op->nparams; p++) {
                const char *name = op->param[p].name;
                size_t there = first;

                while (there < o->n && strcmp(o->row[there].key, name) != 0)
                    there++;
                if (there == o->n)
                    add_param(m, name);
            }
}

/* ---- the program --------------------------------------------------------------------------- */

static const struct zoid_option_change *change_of(const struct zoid_program *program,
                                                  const char *key)
{
    const struct zoid_option_change *c = program->changes;

    while (c && c->key && strcmp(c->key, key) != 0)
        c++;
    return c && c->key ? c : NULL;
}

static void change(struct zoid_setting *s, const struct zoid_option_change *c)
{
#define GROUP(group, title) &zoid_group_##group,
    static const struct zoid_setting_group *const groups[] = {ZOID_SETTING_GROUPS(GROUP)};
#undef GROUP
    static const struct zoid_setting_type *const types[] = {
        [ZOID_VALUES_INIT_KIND] = &zoid_type_init_kind, [ZOID_VALUES_TEXT] = &zoid_type_text};

    s->group = c->group ? groups[__builtin_ctz(c->group)] : s->group;
    s->type = types[c->values] ? types[c->values] : s->type;
    s->list = c->list ? c->list : s->list;
    s->fallback = c->fallback ? c->fallback : s->fallback;
    s->value = c->value ? c->value : s->value;
    if (c->doc) {
        s->doc = c->doc;
        s->detail = c->detail;
    }
}

bool zoid_option_respelled(const struct zoid_setting *s)
{
    for (const struct zoid_setting *other = zoid_settings_table; other->key; other++)
        if ((other->flags & ZOID_COMPOUND) && other != s && !strcmp(other->key, s->key))
            return true;
    return false;
}

/* Returns whether the program has the row, and adapts it. */
static bool take(const struct maker *m, struct zoid_setting *s)
{
    static const unsigned by_operators =
        ZOID_GROUP_operator | ZOID_GROUP_fields | ZOID_GROUP_points;
    const struct zoid_option_change *c = change_of(m->program, s->key);

    /* A program of some families has no other operators. */
    if ((c && c->how == ZOID_OPTION_LEFT_OUT) ||
        (s->type == &zoid_type_operators && m->program->families))
        return false;
    if (c)
        change(s, c);
    if (c && c->how == ZOID_OPTION_ADDED)
        return true;
    /* A parameter of the same key stands for it. */
    if (!(m->groups & s->group->bit) ||
        (!m->program->no_params && any(m->families, has_param, s->key)))
        return false;
    if (s->type == &zoid_type_method) {
        int n;

        s->detail = print(m->options, m->families, list_methods, &n);
    }
    if (!(s->group->bit & by_operators))
        return true;
    return of_use(s, m->families) && (s->group->bit != ZOID_GROUP_operator || adapt(m, s));
}

enum zoid_status zoid_options_make(const struct zoid_program *program, const char *const *families,
                                   struct zoid_options *options)
{
    const struct maker m = {.program = program,
                            .families = families,
                            .groups = program->groups ? program->groups : ZOID_GROUPS_STENCIL,
                            .options = options};
    bool params = program->no_params;

    for (const struct zoid_setting *s = zoid_settings_table; s->key; s++) {
        struct zoid_setting row = *s;

        if (!params && s->group->bit > ZOID_GROUP_parameters) {
            add_params(&m);
            params = true;
        }
        if (!zoid_option_respelled(s) && take(&m, &row))
            add(options, &row);
    }
    return options->lost ? zoid_no_memory() : ZOID_OK;
}

enum zoid_status zoid_options_defaults(const struct zoid_options *options,
                                       struct zoid_settings *settings)
{
    enum zoid_status status = ZOID_OK;

    for (size_t i = 0; i < options->n && !status; i++) {
        const struct zoid_setting *s = &options->row[i];

        if (s->fallback)
            status = s->type->set(s, s->fallback, (char *)settings + s->at);
    }
    return status;
}

void zoid_options_free(struct zoid_options *options)
{
    for (size_t i = 0; i < options->ntexts; i++)
        free(options->text[i]);
    free(options->text);
    free(options->row);
    free(options->option);
    *options = (struct zoid_options){.n = 0};
}
