/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/matrices/named.h"

#include <stdlib.h>

#include "runtime/error.h"
#include "runtime/io/h5.h"
#include "runtime/matrices/file.h"
#include "runtime/matrices/generate.h"
#include "runtime/matrices/reorder.h"
#include "runtime/matrix.h"

struct zoid_named_matrix {
    struct zoid_rule rule;
    struct zoid_matrix *matrix;
    const struct zoid_matrix *given; /* in its place; borrowed */
    long *order;
};

static enum zoid_status read_named(struct zoid_named_matrix *s,
                                   const struct zoid_named_matrix_options *o)
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
                         "{rows} is for band:W and random:W,DENSITY, and %s is a file; drop it",
                         o->text);
    return zoid_matrix_read(o->text, o->sum, &s->matrix);
}

static enum zoid_status check_given(const struct zoid_named_matrix_options *o)
{
    if (!o->reorder && !o->rows)
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "{reorder} and {rows} are for matrices that are read or made here; drop them");
}

enum zoid_status zoid_named_matrix_open(const struct zoid_named_matrix_options *o,
                                        struct zoid_named_matrix **named)
{
    struct zoid_named_matrix *s = calloc(1, sizeof *s);
    enum zoid_status status;

    if (!s)
        return zoid_no_memory();
    s->given = o->given;
    status = s->given ? check_given(o) : read_named(s, o);
    if (!status && o->reorder)
        status = zoid_reorder(&s->matrix, &s->order);
    if (status)
        zoid_named_matrix_close(&s);
    else
        *named = s;
    return status;
}

/* Makes a matrix that owns its rule. */
static enum zoid_status own_rule(struct zoid_rule *rule, struct zoid_matrix **matrix)
{
    const struct zoid_matrix_rows rows = zoid_rule_rows(rule);
    struct zoid_matrix *seen = NULL;
    struct zoid_matrix_about about;
    enum zoid_status status = zoid_matrix_from_rows(&rows, &seen);

    if (status)
        return status;
    about = zoid_matrix_about(seen);
    zoid_matrix_destroy(&seen);
    return zoid_matrix_of(&rows, &about, free, matrix);
}

enum zoid_status zoid_named_matrix_make(const char *text, struct zoid_matrix **matrix)
{
    struct zoid_rule *rule = malloc(sizeof *rule);
    enum zoid_status status = rule ? zoid_rule_read(text, 0, 0, rule) : zoid_no_memory();

    if (!status && rule->kind != ZOID_RULE_NONE) {
        status = own_rule(rule, matrix);
        if (!status)
            return ZOID_OK;
    } else if (!status) {
        status = zoid_matrix_read(text, false, matrix);
    }
    free(rule);
    return status;
}

void zoid_named_matrix_close(struct zoid_named_matrix **named)
{
    if (!*named)
        return;
    zoid_matrix_destroy(&(*named)->matrix);
    free((*named)->order);
    free(*named);
    *named = NULL;
}

const struct zoid_matrix *zoid_named_matrix_get(const struct zoid_named_matrix *named)
{
    return named->given ? named->given : named->matrix;
}

const long *zoid_named_matrix_order(const struct zoid_named_matrix *named)
{
    return named->order;
}

bool zoid_named_matrix_rule(const struct zoid_named_matrix *named)
{
    return !named->given && named->rule.kind != ZOID_RULE_NONE;
}

/* ---- the checksum -------------------------------------------------------------------------- */

enum { SUMMED = 1 << 12 };

/* Entries that are hashed together, after the checksum of those before them. */
struct summed {
    uint64_t sum;
    size_t n;
    struct {
        int64_t column;
        double value;
    } entry[SUMMED];
};

static void add_up(struct summed *s)
{
    const uint64_t both[2] = {s->sum, zoid_h5_sum(s->entry, s->n * sizeof *s->entry)};

    s->sum = zoid_h5_sum(both, sizeof both);
    s->n = 0;
}

static void put(void *into, long column, double value)
{
    struct summed *s = into;

    s->entry[s->n].column = column;
    s->entry[s->n].value = value;
    if (++s->n == SUMMED)
        add_up(s);
}

enum zoid_status zoid_named_matrix_sum(const struct zoid_named_matrix *named, uint64_t *sum)
{
    struct summed *s = calloc(1, sizeof *s);
    const struct zoid_matrix *matrix = zoid_named_matrix_get(named);
    const long n = zoid_matrix_about(matrix).n;

    if (!s)
        return zoid_no_memory();
    for (long i = 0; i < n; i++) {
        /* Separates the rows. */
        put(s, -1 - i, 0);
        zoid_matrix_row(matrix, i, put, s);
    }
    add_up(s);
    *sum = s->sum;
    free(s);
    return ZOID_OK;
}
