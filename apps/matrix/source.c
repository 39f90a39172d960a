/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/matrix/source.h"

#include <stdlib.h>

#include "apps/matrix/file.h"
#include "apps/matrix/generate.h"
#include "apps/matrix/reorder.h"

struct zoid_source {
    struct zoid_rule rule;
    struct zoid_matrix *matrix;
    long *order;
};

static enum zoid_status read(struct zoid_source *s, const struct zoid_source_options *o)
{
    struct zoid_matrix_rows rows;
    enum zoid_status status = zoid_rule_read(o->text, o->rows, o->seed, &s->rule);

    if (status)
        return status;
    if (s->rule.kind != ZOID_RULE_NONE) {
        rows = zoid_rule_rows(&s->rule);
        return zoid_matrix_from_rows(&rows, &s->matrix);
    }
    if (o->rows)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "--rows is for band:W and random:W,DENSITY, and %s is a file; drop it",
                         o->text);
    return zoid_matrix_read(o->text, o->sum, &s->matrix);
}

enum zoid_status zoid_source_open(const struct zoid_source_options *o, struct zoid_source **source)
{
    struct zoid_source *s = calloc(1, sizeof *s);
    enum zoid_status status;

    if (!s)
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    status = read(s, o);
    if (!status && o->reorder)
        status = zoid_reorder(&s->matrix, &s->order);
    if (status)
        zoid_source_close(&s);
    else
        *source = s;
    return status;
}

void zoid_source_close(struct zoid_source **source)
{
    if (!*source)
        return;
    zoid_matrix_destroy(&(*source)->matrix);
    free((*source)->order);
    free(*source);
    *source = NULL;
}

const struct zoid_matrix *zoid_source_matrix(const struct zoid_source *source)
{
    return source->matrix;
}

const long *zoid_source_order(const struct zoid_source *source)
{
    return source->order;
}
