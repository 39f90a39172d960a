/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings in a checkpoint: a typed value for each key, and tables of numbers. In the file they are
 * attributes and datasets of the group `settings`. */
#ifndef ZOID_RUNTIME_SESSION_OUTPUT_STORED_H
#define ZOID_RUNTIME_SESSION_OUTPUT_STORED_H

#include "runtime/io/h5.h"

enum zoid_stored_kind { ZOID_STORED_TEXT, ZOID_STORED_WHOLE, ZOID_STORED_REAL, ZOID_STORED_AXES };

struct zoid_stored_value {
    char *key;
    enum zoid_stored_kind kind;
    char *text;   /* canonical; axes as in 3x4; NULL: only the checksum is known */
    bool summed;  /* the value stands for others, as the name of a file does: */
    uint64_t sum; /* their checksum */
};

/* Rows of numbers. */
struct zoid_stored_table {
    char *name;
    long rows, columns;
    double *number;
};

/* Owns all of it; zeros are an empty one. */
struct zoid_stored {
    long values, tables;
    struct zoid_stored_value *value;
    struct zoid_stored_table *table;
};

/* Append a value; texts are copied. `sum`: or NULL. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_stored_add(struct zoid_stored *stored, const char *key,
                                 enum zoid_stored_kind kind, const char *text, const uint64_t *sum);
/* Append a table, whose numbers are copied. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_stored_add_table(struct zoid_stored *stored, const char *name, long rows,
                                       long columns, const double *number);
/* Return the first value of a key, or a table; NULL: not there. */
const struct zoid_stored_value *zoid_stored_find(const struct zoid_stored *stored, const char *key);
const struct zoid_stored_table *zoid_stored_find_table(const struct zoid_stored *stored,
                                                       const char *name);
void zoid_stored_free(struct zoid_stored *stored);

/* Write the values, or read those that the file has; tables are datasets of checkpoint.c. */
enum zoid_status zoid_stored_put(struct zoid_h5 *h5, const struct zoid_stored *stored);
enum zoid_status zoid_stored_get(struct zoid_h5 *h5, struct zoid_stored *stored);

#endif
