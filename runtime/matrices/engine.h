/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine that multiplies vectors with a band matrix, or with a polynomial of it. */
#ifndef ZOID_RUNTIME_MATRICES_ENGINE_H
#define ZOID_RUNTIME_MATRICES_ENGINE_H

#include "runtime/session/engine.h"

extern const struct zoid_engine zoid_matrix_engine;

#endif
