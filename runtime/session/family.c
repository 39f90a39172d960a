/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/family.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/boundary.h"

/* Those of a number of rows. */
struct list {
    struct list *before; /* with fewer */
    size_t rows;
    const char *name[];
};

static struct list *list_of(size_t rows, struct list *before)
{
    struct list *list = calloc(1, sizeof *list + (rows + 1) * sizeof *list->name);
    size_t n = 0;

    if (!list)
        return NULL;
    list->before = before;
    list->rows = rows;
    for (size_t i = 0; i < rows; i++)
        /* The variants of a family are adjacent. */
        if (!n || strcmp(list->name[n - 1], zoid_op_at(i)->family))
            list->name[n++] = zoid_op_at(i)->family;
    return list;
}

const char *const *zoid_families(void)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static struct list *newest;
    struct list *list;
    size_t rows = 0;

    pthread_mutex_lock(&mutex);
    while (zoid_op_at(rows))
        rows++;
    list = newest && newest->rows == rows ? newest : list_of(rows, newest);
    if (list)
        newest = list;
    pthread_mutex_unlock(&mutex);
    return newest ? newest->name : NULL;
}

const struct zoid_op *zoid_family_next(const char *family, size_t *i)
{
    const struct zoid_op *op;

    while ((op = zoid_op_at((*i)++)) && strcmp(op->family, family))
        ;
    return op;
}

long zoid_trait_of(const struct zoid_op *op, enum zoid_trait trait)
{
    switch (trait) {
    case ZOID_DIMS:
        return op->dims;
    case ZOID_RADIUS:
        return op->radius;
    default:
        return op->type;
    }
}

/* Returns whether a variant before `op` has the same value of the trait. */
static bool seen_before(const char *const *families, const struct zoid_op *op,
                        enum zoid_trait trait)
{
    const struct zoid_op *other;

    for (size_t f = 0; families[f]; f++)
        for (size_t i = 0; (other = zoid_family_next(families[f], &i));) {
            if (other == op)
                return false;
            if (zoid_trait_of(other, trait) == zoid_trait_of(op, trait))
                return true;
        }
    return false;
}

int zoid_trait_list(const char *const *families, enum zoid_trait trait, const char *between,
                    FILE *out)
{
    const struct zoid_op *op;
    int n = 0;

    for (size_t f = 0; families[f]; f++)
        for (size_t i = 0; (op = zoid_family_next(families[f], &i));) {
            if (seen_before(families, op, trait))
                continue;
            fputs(n++ ? between : "", out);
            if (trait == ZOID_TYPE)
                fputs(zoid_type_name(op->type), out);
            else
                fprintf(out, "%ld", zoid_trait_of(op, trait));
        }
    return n;
}

static bool takes(const char *const *families, enum zoid_boundary boundary)
{
    const struct zoid_op *op;

    for (size_t f = 0; families[f]; f++)
        for (size_t i = 0; (op = zoid_family_next(families[f], &i));)
            if (!op->own_edges && zoid_op_allows(op, boundary))
                return true;
    return false;
}

int zoid_boundary_list(const char *const *families, const char *between, FILE *out)
{
    int n = 0;

    for (int b = 0; b < ZOID_BOUNDARIES; b++)
        if (takes(families, (enum zoid_boundary)b))
            fprintf(out, "%s%s", n++ ? between : "", zoid_boundary_name((enum zoid_boundary)b));
    return n;
}
