/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/output/stored.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"

static const char group[] = "settings", sum_of[] = ".sum"; /* suffix of an attribute's name */

/* Longest text of a value, and most numbers of one. */
enum { TEXT = 1 << 14, NUMBERS = 8 };

/* ---- lists --------------------------------------------------------------------------------- */

/* Make room for one more element; NULL: out of memory, and the array is as it was. */
static void *grow(void **array, long n, size_t size)
{
    void *more = realloc(*array, (size_t)(n + 1) * size);

    if (!more)
        return NULL;
    *array = more;
    return memset((char *)more + (size_t)n * size, 0, size);
}

enum zoid_status zoid_stored_add(struct zoid_stored *s, const char *key, enum zoid_stored_kind kind,
                                 const char *text, const uint64_t *sum)
{
    struct zoid_stored_value *v = grow((void **)&s->value, s->values, sizeof *v);

    if (!v)
        return zoid_no_memory();
    s->values++;
    v->kind = kind;
    v->key = strdup(key);
    v->text = text ? strdup(text) : NULL;
    v->summed = sum;
    v->sum = sum ? *sum : 0;
    return v->key && (v->text || !text) ? ZOID_OK : zoid_no_memory();
}

enum zoid_status zoid_stored_add_table(struct zoid_stored *s, const char *name, long rows,
                                       long columns, const double *number)
{
    const size_t bytes = (size_t)(rows * columns) * sizeof *number;
    struct zoid_stored_table *t = grow((void **)&s->table, s->tables, sizeof *t);

    if (!t)
        return zoid_no_memory();
    s->tables++;
    t->rows = rows;
    t->columns = columns;
    t->name = strdup(name);
    t->number = malloc(bytes + 1);
    if (!t->name || !t->number)
        return zoid_no_memory();
    memcpy(t->number, number, bytes);
    return ZOID_OK;
}

const struct zoid_stored_value *zoid_stored_find(const struct zoid_stored *s, const char *key)
{
    for (long i = 0; i < s->values; i++)
        if (!strcmp(s->value[i].key, key))
            return &s->value[i];
    return NULL;
}

const struct zoid_stored_table *zoid_stored_find_table(const struct zoid_stored *s,
                                                       const char *name)
{
    for (long i = 0; i < s->tables; i++)
        if (!strcmp(s->table[i].name, name))
            return &s->table[i];
    return NULL;
}

void zoid_stored_free(struct zoid_stored *s)
{
    for (long i = 0; i < s->values; i++) {
        free(s->value[i].key);
        free(s->value[i].text);
    }
    for (long i = 0; i < s->tables; i++) {
        free(s->table[i].name);
        free(s->table[i].number);
    }
    free(s->value);
    free(s->table);
    *s = (struct zoid_stored){.values = 0};
}

/* ---- the file ------------------------------------------------------------------------------ */

/* Parse whole numbers between which there is an x. Returns how many. */
static int read_wholes(const char *text, long number[NUMBERS])
{
    int n = 0;

    for (char *end = (char *)text; *end && n < NUMBERS; n++) {
        number[n] = (long)strtoull(end, &end, 10);
        end += *end == 'x';
    }
    return n;
}

static enum zoid_status put_value(struct zoid_h5 *h5, const struct zoid_stored_value *v)
{
    const double real = v->kind == ZOID_STORED_REAL ? strtod(v->text, NULL) : 0;
    long number[NUMBERS];

    switch (v->kind) {
    case ZOID_STORED_TEXT:
        return zoid_h5_put_text(h5, group, v->key, v->text);
    case ZOID_STORED_REAL:
        return zoid_h5_put_doubles(h5, group, v->key, 1, &real);
    default:
        return zoid_h5_put_longs(h5, group, v->key, read_wholes(v->text, number), number);
    }
}

static enum zoid_status put_sum(struct zoid_h5 *h5, const struct zoid_stored_value *v)
{
    const long sum = (long)v->sum;
    char name[128];

    snprintf(name, sizeof name, "%s%s", v->key, sum_of);
    return zoid_h5_put_longs(h5, group, name, 1, &sum);
}

enum zoid_status zoid_stored_put(struct zoid_h5 *h5, const struct zoid_stored *s)
{
    enum zoid_status status = zoid_h5_group(h5, group);

    for (long i = 0; i < s->values && !status; i++) {
        if (s->value[i].text)
            status = put_value(h5, &s->value[i]);
        if (!status && s->value[i].summed)
            status = put_sum(h5, &s->value[i]);
    }
    return status;
}

static enum zoid_status get_text(struct zoid_h5 *h5, const struct zoid_h5_attribute *a, char *text)
{
    long number[NUMBERS] = {0};
    double real = 0;
    size_t length = 0;
    enum zoid_status status;

    if (a->kind == 's')
        return zoid_h5_get_text(h5, group, a->name, TEXT, text);
    if (a->kind == 'f') {
        status = zoid_h5_get_doubles(h5, group, a->name, 1, &real);
        snprintf(text, TEXT, "%.17g", real);
        return status;
    }
    if (a->n < 1 || a->n > NUMBERS)
        return zoid_fail(ZOID_RESOURCE, "setting %s of the checkpoint has %d numbers", a->name,
                         a->n);
    status = zoid_h5_get_longs(h5, group, a->name, a->n, number);
    for (int i = 0; i < a->n; i++)
        length += (size_t)snprintf(text + length, TEXT - length, "%s%lu", i ? "x" : "",
                                   (unsigned long)number[i]);
    return status;
}

/* Add a checksum to the value that it belongs to, or as one without a text. */
static enum zoid_status take_sum(struct zoid_h5 *h5, struct zoid_stored *s, const char *name,
                                 size_t length)
{
    char key[sizeof((struct zoid_h5_attribute *)0)->name];
    long sum = 0;
    enum zoid_status status = zoid_h5_get_longs(h5, group, name, 1, &sum);
    const uint64_t value = (uint64_t)sum;

    snprintf(key, sizeof key, "%.*s", (int)length, name);
    for (long i = 0; i < s->values && !status; i++)
        if (!strcmp(s->value[i].key, key)) {
            s->value[i].summed = true;
            s->value[i].sum = value;
            return ZOID_OK;
        }
    return status ? status : zoid_stored_add(s, key, ZOID_STORED_TEXT, NULL, &value);
}

static enum zoid_status take(struct zoid_h5 *h5, struct zoid_stored *s,
                             const struct zoid_h5_attribute *a, char *text)
{
    const size_t length = strlen(a->name), tail = strlen(sum_of);
    enum zoid_status status;

    if (length > tail && !strcmp(a->name + length - tail, sum_of))
        return take_sum(h5, s, a->name, length - tail);
    status = get_text(h5, a, text);
    if (status)
        return status;
    return zoid_stored_add(s, a->name,
                           a->kind == 's'   ? ZOID_STORED_TEXT
                           : a->kind == 'f' ? ZOID_STORED_REAL
                           : a->n > 1       ? ZOID_STORED_AXES
                                            : ZOID_STORED_WHOLE,
                           text, NULL);
}

/* Attributes come by name, so that a value comes before its checksum. */
enum zoid_status zoid_stored_get(struct zoid_h5 *h5, struct zoid_stored *s)
{
    const long n = zoid_h5_attributes(h5, group);
    struct zoid_h5_attribute a;
    char *text = malloc(TEXT);
    enum zoid_status status = text ? ZOID_OK : zoid_no_memory();

    for (long i = 0; i < n && !status; i++) {
        status = zoid_h5_attribute_at(h5, group, i, &a);
        if (!status)
            status = take(h5, s, &a, text);
    }
    free(text);
    return status;
}
