/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices in files: Matrix Market's text, plain or compressed by gzip, and PETSc's binary files,
 * told apart by their first bytes. */
#ifndef ZOID_RUNTIME_MATRICES_FILE_H
#define ZOID_RUNTIME_MATRICES_FILE_H

#include <stdbool.h>

#include "runtime/zoid_session.h"

/* Read a matrix. Entries of the same position are added up in the order of the file (`sum`), or
 * refused. ZOID_BAD_ARGUMENT, with the line or the byte: not a square matrix of finite real
 * numbers. ZOID_DOES_NOT_FIT: more rows than this machine has memory for. ZOID_RESOURCE: the file
 * cannot be read, or out of memory. */
enum zoid_status zoid_matrix_read(const char *path, bool sum, struct zoid_matrix **matrix);

#endif
