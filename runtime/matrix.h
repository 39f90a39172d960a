/* SPDX-License-Identifier: BSD-3-Clause */
/* Constructors of matrices for readers of files, besides the public ones. */
#ifndef ZOID_RUNTIME_MATRIX_H
#define ZOID_RUNTIME_MATRIX_H

#include "runtime/zoid_advanced.h"

/* Create a matrix from compressed rows as in struct zoid_csr, in order and at most 2^31 - 1 of
 * them. Takes ownership of the three arrays instead of copying them; after a failure the caller
 * still owns them. */
enum zoid_status zoid_matrix_take(long n, int64_t *start, int32_t *column, double *value,
                                  struct zoid_matrix **matrix);
/* Create a matrix from generated rows without reading them: `about` has everything that this would
 * find. Destroying the matrix calls `release` with the rows' user; after a failure the caller still
 * owns that. */
enum zoid_status zoid_matrix_of(const struct zoid_matrix_rows *rows,
                                const struct zoid_matrix_about *about, void (*release)(void *user),
                                struct zoid_matrix **matrix);

#endif
