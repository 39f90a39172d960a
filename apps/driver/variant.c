/* SPDX-License-Identifier: BSD-3-Clause */
/* The options that choose a variant: their rows, made from what the families' variants differ in,
 * so that --help lists what there is. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "apps/driver/family.h"
#include "runtime/session/number.h"

#define AT(member) offsetof(struct zoid_options, member)

/* The one table of a program, its texts, and whom it is about. */
static const char *const *families;
static struct zoid_option rows[8];
static char *texts[8];
static int nrows, ntexts;

static void add_row(struct zoid_option row)
{
    rows[nrows++] = row;
}

/* What a list prints, as a text that stays as long as the table. */
static const char *text_of(int (*list)(FILE *out), int *n)
{
    size_t length;
    FILE *out = open_memstream(&texts[ntexts], &length);

    if (!out)
        return NULL;
    *n = list(out);
    fclose(out);
    return texts[ntexts++];
}

/* ---- the family -------------------------------------------------------------------------- */

static enum zoid_status read_family(const struct zoid_option *option, const char *value, void *into)
{
    int i = zoid_read_name(option, value, families);

    if (i < 0)
        return ZOID_BAD_ARGUMENT;
    ((struct zoid_options *)into)->family = families[i];
    return ZOID_OK;
}

static int list_families(FILE *out)
{
    int n = 0;

    for (; families[n]; n++)
        fprintf(out, "%s%s", n ? "|" : "", families[n]);
    return n;
}

static int say_first(FILE *out)
{
    return fprintf(out, "what happens to a point [the first with --dims, or %s]", families[0]);
}

static void add_family(const char *choose)
{
    int n = 0, length;
    const char *list = text_of(list_families, &n);

    if (choose && list && n > 1)
        add_row((struct zoid_option){
            .name = choose, .arg = list, .doc = text_of(say_first, &length), .read = read_family});
}

/* ---- dimensions, radius, type ------------------------------------------------------------ */

static enum zoid_status read_type(const struct zoid_option *option, const char *value, void *into)
{
    const char *names[ZOID_TYPES + 1] = {NULL};
    int i;

    for (i = 0; i < ZOID_TYPES; i++)
        names[i] = zoid_type_name((enum zoid_type)i);
    if ((i = zoid_read_name(option, value, names)) < 0)
        return ZOID_BAD_ARGUMENT;
    ((struct zoid_options *)into)->type = (enum zoid_type)i;
    return ZOID_OK;
}

static int list_dims(FILE *out)
{
    return zoid_trait_list(families, ZOID_DIMS, "|", out);
}

static int list_radii(FILE *out)
{
    return zoid_trait_list(families, ZOID_RADIUS, "|", out);
}

static int list_types(FILE *out)
{
    return zoid_trait_list(families, ZOID_TYPE, "|", out);
}

static void add_traits(void)
{
    int dims = 0, radii = 0, types = 0;
    const struct zoid_option dims_row = {.name = "dims",
                                         .arg = text_of(list_dims, &dims),
                                         .doc = "dimensions, where the size leaves them open "
                                                "[the most there are]",
                                         .read = zoid_read_long,
                                         .at = AT(dims),
                                         .least = 1};
    const struct zoid_option radius_row = {
        .name = "radius",
        .arg = text_of(list_radii, &radii),
        .doc = "how many neighbours a point looks at in each direction [the least of these]",
        .read = zoid_read_long,
        .at = AT(radius),
        .least = 1};
    const struct zoid_option type_row = {.name = "type",
                                         .arg = text_of(list_types, &types),
                                         .doc = "type of a value [the first of these]",
                                         .read = read_type};

    if (dims > 1)
        add_row(dims_row);
    if (radii > 1)
        add_row(radius_row);
    if (types > 0)
        add_row(type_row);
}

/* ---- boundaries -------------------------------------------------------------------------- */

static enum zoid_status read_boundary_name(const struct zoid_option *option, const char *value,
                                           unsigned char *boundary)
{
    const char *names[ZOID_BOUNDARIES + 1] = {NULL};
    int i;

    for (i = 0; i < ZOID_BOUNDARIES; i++)
        names[i] = zoid_boundary_name((enum zoid_boundary)i);
    if ((i = zoid_read_name(option, value, names)) < 0)
        return ZOID_BAD_ARGUMENT;
    *boundary = (unsigned char)i;
    return ZOID_OK;
}

/* NAME for all faces, or as in x-=NAME for one. */
static enum zoid_status read_face(const struct zoid_option *option, const char *item,
                                  struct zoid_options *o)
{
    static const char axes[] = "xyz", sides[] = "-+";
    const char *equals = strchr(item, '='), *axis, *side;
    enum zoid_status status;
    unsigned char boundary = 0;

    if (!equals) {
        status = read_boundary_name(option, item, &boundary);
        if (!status)
            memset(o->face, boundary, sizeof o->face);
        return status;
    }
    axis = equals - item == 2 ? strchr(axes, item[0]) : NULL;
    side = axis ? strchr(sides, item[1]) : NULL;
    if (!side)
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "{%s} '%s' names no face; they are x-, x+, y-, y+, z- and z+, as in z-=neumann",
            option->name, item);
    status = read_boundary_name(option, equals + 1, &boundary);
    if (status)
        return status;
    o->face[axis - axes][side - sides] = boundary;
    o->faces_named = axis - axes >= o->faces_named ? (int)(axis - axes) + 1 : o->faces_named;
    return ZOID_OK;
}

static enum zoid_status read_boundary(const struct zoid_option *option, const char *value,
                                      void *into)
{
    struct zoid_options *o = into;
    char *list = strdup(value), *rest = list, *item;
    enum zoid_status status = ZOID_OK;

    if (!list)
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    o->bounded = true;
    o->faces_named = 0;
    memset(o->face, ZOID_DIRICHLET, sizeof o->face);
    while (!status && (item = strsep(&rest, ",")))
        status = read_face(option, item, o);
    free(list);
    return status;
}

static int list_boundaries(FILE *out)
{
    int n = zoid_boundary_list(families, "|", out);

    fputs(n ? "|FACE=NAME,..." : "NAME", out);
    return n;
}

static void add_boundary(void)
{
    int n = 0;
    const char *list = text_of(list_boundaries, &n);

    add_row((struct zoid_option){
        .name = "boundary",
        .arg = list,
        .doc = n ? "what lies beyond the domain, at all faces or at each, as in "
                   "x-=periodic,x+=periodic,z+=neumann [dirichlet]"
                 : "refused: the operator has edges of its own",
        .read = read_boundary});
}

const struct zoid_option *zoid_options_operator(const char *const *list, const char *choose)
{
    families = list;
    nrows = 0;
    while (ntexts > 0)
        free(texts[--ntexts]);
    add_row((struct zoid_option){.doc = "The operator:"});
    add_family(choose);
    add_traits();
    add_boundary();
    add_row((struct zoid_option){.name = NULL});
    return rows;
}
