/* SPDX-License-Identifier: BSD-3-Clause */
/* PETSc's binary files of sparse matrices. */
#ifndef ZOID_RUNTIME_MATRICES_PETSC_H
#define ZOID_RUNTIME_MATRICES_PETSC_H

#include <stdbool.h>

#include "runtime/zoid_session.h"

/* True if a file that begins with these bytes is one. */
bool zoid_petsc_named(const unsigned char *bytes, size_t count);
/* Read a matrix from such a file, as zoid_matrix_read does. */
enum zoid_status zoid_petsc_read(const char *path, bool sum, struct zoid_matrix **matrix);

#endif
