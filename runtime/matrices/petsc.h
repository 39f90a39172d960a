/* SPDX-License-Identifier: BSD-3-Clause */
/* PETSc's binary files of sparse matrices. */
#ifndef ZOID_RUNTIME_MATRICES_PETSC_H
#define ZOID_RUNTIME_MATRICES_PETSC_H

#include "runtime/zoid.h"

/* Whether a file that begins with such bytes is one. */
bool zoid_petsc_named(const unsigned char *bytes, size_t count);
/* As zoid_matrix_read, of such a file. */
enum zoid_status zoid_petsc_read(const char *path, bool sum, struct zoid_matrix **matrix);

#endif
