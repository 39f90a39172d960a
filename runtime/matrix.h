/* SPDX-License-Identifier: BSD-3-Clause */
/* What readers of matrices need beside the public interface. */
#ifndef ZOID_RUNTIME_MATRIX_H
#define ZOID_RUNTIME_MATRIX_H

#include "runtime/zoid.h"

/* A matrix of compressed rows as struct zoid_csr has them, in order and of at most 2^31 - 1 rows,
 * which it takes over instead of copying them; after a failure they are still the caller's. */
enum zoid_status zoid_matrix_take(long n, int64_t *start, int32_t *column, double *value,
                                  struct zoid_matrix **matrix);
/* A matrix of rows of which all is known that looking at them would tell. It releases their user
 * when it is destroyed; after a failure that is still the caller's. */
enum zoid_status zoid_matrix_of(const struct zoid_matrix_rows *rows,
                                const struct zoid_matrix_about *about, void (*release)(void *user),
                                struct zoid_matrix **matrix);

#endif
