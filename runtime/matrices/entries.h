/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries that readers of files collect, in any order, and the matrix made of them. */
#ifndef ZOID_RUNTIME_MATRICES_ENTRIES_H
#define ZOID_RUNTIME_MATRICES_ENTRIES_H

#include <stdbool.h>

#include "runtime/zoid_session.h"

/* Rows and columns of files have indices of 31 bits. */
enum { ZOID_ROWS_MOST = INT32_MAX };

struct zoid_entries {
    long n;
    size_t count, room;
    struct zoid_entry {
        int32_t row, column;
        double value;
    } * entry; /* owned */
};

/* Position of an entry that is there twice; row -1: there is no such entry. */
struct zoid_twice {
    long row, column;
};

enum zoid_status zoid_entries_add(struct zoid_entries *entries, struct zoid_entry entry);
void zoid_entries_free(struct zoid_entries *entries);
/* Make the matrix, and free the entries in any case. Entries of the same position are added up in
 * their order or, without `sum`, *twice is the first such position, the status is ZOID_OK, and
 * there is no matrix; there is no matrix after a failure, either. */
enum zoid_status zoid_entries_matrix(struct zoid_entries *entries, bool sum,
                                     struct zoid_twice *twice, struct zoid_matrix **matrix);

/* Rows as in zoid_csr, with columns of 32 bits, some of which may be there twice; owned. */
struct zoid_rows {
    long n;
    int64_t *start;
    int32_t *column;
    double *value;
};
/* The same for rows, whose arrays the matrix takes over. Without a matrix they stay the caller's,
 * with changed contents. */
enum zoid_status zoid_rows_matrix(struct zoid_rows *rows, bool sum, struct zoid_twice *twice,
                                  struct zoid_matrix **matrix);
void zoid_rows_free(struct zoid_rows *rows);

#endif
