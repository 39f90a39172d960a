/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices in files: Matrix Market's text, plain or compressed by gzip, and PETSc's binary files.
 * Which it is the file's first bytes say. */
#ifndef ZOID_RUNTIME_MATRICES_FILE_H
#define ZOID_RUNTIME_MATRICES_FILE_H

#include "runtime/zoid.h"

/* Entries of the same place are added up in the order of the file, or refused. ZOID_BAD_ARGUMENT,
 * with the line or the byte: what is no square matrix of finite real numbers. ZOID_RESOURCE: the
 * file cannot be read, or there is no memory. */
enum zoid_status zoid_matrix_read(const char *path, bool sum, struct zoid_matrix **matrix);

#endif
