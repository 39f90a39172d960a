/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_MATRICES_REORDER_H
#define ZOID_RUNTIME_MATRICES_REORDER_H

#include "runtime/zoid.h"

/* Numbers rows and columns anew by reverse Cuthill-McKee, so that entries lie near the diagonal:
 * replaces the matrix, and row i of the new one is row (*order)[i] of the one before. The order is
 * the caller's to free. After a failure the matrix is what it was. */
enum zoid_status zoid_reorder(struct zoid_matrix **matrix, long **order);

#endif
