/* SPDX-License-Identifier: BSD-3-Clause */
/* What readers of files gather: entries in any order, which become a matrix. */
#ifndef ZOID_RUNTIME_MATRICES_ENTRIES_H
#define ZOID_RUNTIME_MATRICES_ENTRIES_H

#include "runtime/zoid.h"

/* Rows and columns of files are counted in 31 bits. */
enum { ZOID_ROWS_MOST = INT32_MAX };

struct zoid_entries {
    long n;
    size_t count, room;
    struct zoid_entry {
        int32_t row, column;
        double value;
    } * entry; /* owned */
};

/* The place of an entry; row -1: none. */
struct zoid_twice {
    long row, column;
};

enum zoid_status zoid_entries_add(struct zoid_entries *entries, struct zoid_entry entry);
void zoid_entries_free(struct zoid_entries *entries);
/* Frees the entries and makes the matrix. Where several have the same place they are added up in
 * their order, or where they are not to be, *twice says of the first such row; then, and after any
 * failure, there is no matrix. */
enum zoid_status zoid_entries_matrix(struct zoid_entries *entries, bool sum,
                                     struct zoid_twice *twice, struct zoid_matrix **matrix);

/* Rows as zoid_csr has them, with columns of 32 bits, of which some may be there twice; owned. */
struct zoid_rows {
    long n;
    int64_t *start;
    int32_t *column;
    double *value;
};
/* The same of these, which a matrix takes over; where there is none they change. */
enum zoid_status zoid_rows_matrix(struct zoid_rows *rows, bool sum, struct zoid_twice *twice,
                                  struct zoid_matrix **matrix);
void zoid_rows_free(struct zoid_rows *rows);

#endif
