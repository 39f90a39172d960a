/* SPDX-License-Identifier: BSD-3-Clause */
/*     k = 2    1 1|2 2 2 2 2           one subdomain, P = 7, K = 3, along an axis: part 1 shrinks,
 *     k = 1      1 1 1 1|2 2 2         part 2 grows into the next subdomain; a kernel takes one
 *     k = 0        1 1 1 1 1 1|2       part along each axis, of all subdomains
 */
#include "apps/compile/mlsor.h"

#include <string.h>

#include "apps/compile/depend.h"
#include "apps/compile/emit.h"
#include "apps/compile/tiled.h"
#include "apps/compile/units.h"

struct mlsor {
    struct zoid_meaning *m;
    const struct zoid_mlsor_pass *pass;
    const struct zoid_statement *statement;
    const struct zoid_unit *unit;
};

/* ---- refusals ----------------------------------------------------------------------------- */

static void check_statement(struct zoid_meaning *m)
{
    const struct zoid_statement *s = m->statement[0];

    if (m->n > 1)
        zoid_refuse(m->text, m->statement[1]->item->at,
                    "a second statement, of a nest that is to have one for MLSOR; leave out "
                    "--mlsor");
    if (s->nloops != m->ir->axes)
        zoid_refuse(m->text, s->item->at,
                    "a face, of a nest that is to compute a box for MLSOR; leave out --mlsor");
    if (s->colour >= 0)
        zoid_refuse(m->text, s->item->at,
                    "points of one colour, which do not wait for each other; leave out --mlsor");
    if (s->array->turns)
        zoid_refuse(m->text, s->item->at,
                    "an array whose times take turns, of a nest that is to compute in place for "
                    "MLSOR; leave out --mlsor");
}

static void check_star(struct zoid_meaning *m)
{
    const struct zoid_statement *s = m->statement[0];

    for (const struct zoid_nest_read *r = s->reads; r; r = r->next) {
        int far = 0, axes = 0;

        for (int a = 0; a < m->ir->axes && r->array == s->array; a++) {
            const int distance = r->offset[a] < 0 ? -r->offset[a] : r->offset[a];

            far = distance > far ? distance : far;
            axes += distance > 0;
        }
        if (axes > 1)
            zoid_refuse(m->text, r->at,
                        "%s at a diagonal neighbour, which the star of MLSOR has not; take "
                        "--tiled",
                        r->array->name);
        if (far > 1)
            zoid_refuse(m->text, r->at,
                        "%s %d points away, and the star of MLSOR has 1; take --tiled",
                        r->array->name, far);
    }
}

/* A point waits for one that the same sweep computes. */
static void check_order(struct zoid_meaning *m)
{
    bool waits = false;

    for (int i = 0; i < m->dependences->n; i++) {
        const struct zoid_dependence *d = &m->dependences->dependence[i];

        waits |= d->kind == ZOID_FLOW && !d->distance[0];
    }
    if (!waits)
        zoid_refuse(m->text, m->statement[0]->item->at,
                    "no point waits for another one of its sweep, which MLSOR is for; take "
                    "--tiled");
}

/* ---- the loops --------------------------------------------------------------------------- */

static void put_poly(const struct mlsor *k, const struct zoid_poly *poly, FILE *to)
{
    char text[256];

    zoid_poly_print(poly, k->m->ir->names, text, sizeof text);
    fprintf(to, "(long)(%s)", text);
}

/* Points and subdomains of an axis. */
static void print_axis(const struct mlsor *k, int a, FILE *to)
{
    const char *const indent = "            ";

    fprintf(to, "%sconst long zoid_n%d = zoid_max(", indent, a);
    put_poly(k, &k->statement->hi[a], to);
    fputs(" - ", to);
    put_poly(k, &k->statement->lo[a], to);
    fprintf(to, ", 0), zoid_r%d = (zoid_n%d + %d) / %d;\n", a, a, k->pass->subdomain - 1,
            k->pass->subdomain);
}

/* The loop over the points of a subdomain's part along an axis, in the mesh that a visit back
 * mirrors and S P points long. */
static void print_points(const struct mlsor *k, int a, FILE *to)
{
    const int p = k->pass->subdomain;

    fprintf(to,
            "%*sfor (long zoid_i%d = zoid_max(zoid_lo(zoid_w%d, zoid_layer, zoid_kernel >> %d & 1, "
            "%d), zoid_back ? %dL * zoid_r%d - zoid_n%d : 0),\n"
            "%*s          zoid_x%d = zoid_min(zoid_hi(zoid_w%d, zoid_layer, zoid_kernel >> %d & "
            "1, %d), zoid_back ? %dL * zoid_r%d : zoid_n%d);\n"
            "%*s     zoid_i%d < zoid_x%d; zoid_i%d++)\n",
            20 + 4 * a, "", a, a, k->m->ir->axes - 1 - a, p, p, a, a, 20 + 4 * a, "", a, a,
            k->m->ir->axes - 1 - a, p, p, a, a, 20 + 4 * a, "", a, a, a);
}

/* The loop's variable of an axis: its first point and the direction, if that of the loop, or of the
 * visit, is down. */
static void print_variable(const struct mlsor *k, int a, FILE *to)
{
    const struct zoid_statement *s = k->statement;
    const struct zoid_symbol *variable = s->loop[s->depth[a]]->symbol;
    const bool down = k->m->ir->mirrored[a];

    if (!(k->unit->loops & 2u << s->depth[a]))
        return;
    fprintf(to, "const %s %s = ",
            zoid_emit_integers[variable->type == ZOID_INT ? ZOID_LONG : variable->type],
            variable->name);
    put_poly(k, down ? &s->hi[a] : &s->lo[a], to);
    fprintf(to, " %c (zoid_back ? %dL * zoid_r%d - 1 - zoid_i%d : zoid_i%d)", down ? '-' : '+',
            k->pass->subdomain, a, a, a);
    fprintf(to, " - (%d); ", s->offset[a] + down);
}

static void print_region(const void *data, FILE *to)
{
    const struct mlsor *k = data;
    const struct zoid_symbol *time = k->m->nest->time->symbol;
    const int axes = k->m->ir->axes, most = k->pass->layers;
    char from[256], past[256];

    zoid_poly_print(&k->m->nest->time->lo, k->m->nest->names, from, sizeof from);
    zoid_poly_print(&k->m->nest->time->hi, k->m->nest->names, past, sizeof past);
    fprintf(
        to,
        "    {\n        const long zoid_from = %s, zoid_past = %s;\n"
        "        for (long zoid_visit = 0; zoid_from + zoid_visit * %d < zoid_past; "
        "zoid_visit++) {\n"
        "            const long zoid_layers = zoid_min(%d, zoid_past - zoid_from - zoid_visit * "
        "%d);\n"
        "            const int zoid_back = %s;\n",
        from, past, most, most, most, k->pass->forward ? "0" : "zoid_visit % 2");
    for (int a = 0; a < axes; a++)
        print_axis(k, a, to);
    fprintf(to,
            "            for (int zoid_kernel = 0; zoid_kernel < %d; zoid_kernel++)\n"
            "            #pragma omp parallel for collapse(%d)\n",
            1 << axes, axes);
    for (int a = 0; a < axes; a++)
        fprintf(to, "            for (long zoid_w%d = 0; zoid_w%d < zoid_r%d; zoid_w%d++)\n", a, a,
                a, a);
    fputs("                for (long zoid_layer = 0; zoid_layer < zoid_layers; zoid_layer++)\n",
          to);
    for (int a = 0; a < axes; a++)
        print_points(k, a, to);
    fprintf(to, "%*s{ ", 20 + 4 * axes, "");
    if (k->unit->loops & 1)
        fprintf(to, "const %s %s = zoid_from + zoid_visit * %d + zoid_layer; ",
                zoid_emit_integers[time->type], time->name, most);
    for (int a = 0; a < axes; a++)
        print_variable(k, a, to);
    fprintf(to, "%s}\n        }\n    }", k->unit->text);
}

static void print_head(const void *data, FILE *to)
{
    const struct mlsor *k = data;

    fprintf(
        to,
        "/* The nest in the order of MLSOR, of subdomains of %d points and %d layers%s. Made by "
        "zoid-compile. */\n"
        "static inline __attribute__((unused)) long zoid_lo(long s, long k, int part, long p)\n"
        "{\n"
        "    return part ? (s + 1) * p - 1 - k : s ? s * p + k : 0;\n"
        "}\n"
        "static inline __attribute__((unused)) long zoid_hi(long s, long k, int part, long p)\n"
        "{\n"
        "    return part ? (s + 1) * p + k : (s + 1) * p - 1 - k;\n"
        "}\n",
        k->pass->subdomain, k->pass->layers, k->pass->forward ? ", forward" : "");
}

const char *zoid_mlsor_text(struct zoid_meaning *m, const struct zoid_mlsor_pass *pass)
{
    struct mlsor k = {.m = m, .pass = pass, .statement = m->statement[0]};
    const struct zoid_tiled_parts parts = {print_head, print_region, &k};

    check_statement(m);
    check_star(m);
    check_order(m);
    k.unit = &zoid_units_find(m, NULL)->unit[0];
    return zoid_tiled_file(m, &parts);
}
