/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix Market files. */
#ifndef ZOID_RUNTIME_MATRICES_MARKET_H
#define ZOID_RUNTIME_MATRICES_MARKET_H

#include <stdbool.h>

#include "runtime/zoid_session.h"

/* Read a matrix from such a file, as zoid_matrix_read does. */
enum zoid_status zoid_market_read(const char *path, bool sum, struct zoid_matrix **matrix);

#endif
