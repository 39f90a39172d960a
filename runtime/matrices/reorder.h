/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_MATRICES_REORDER_H
#define ZOID_RUNTIME_MATRICES_REORDER_H

#include "runtime/zoid_session.h"

/* Renumber rows and columns by reverse Cuthill-McKee, so that entries lie near the diagonal.
 * Replaces the matrix: row i of the new one is row (*order)[i] of the old one. The caller owns the
 * order. After a failure the matrix is unchanged. */
enum zoid_status zoid_reorder(struct zoid_matrix **matrix, long **order);

#endif
