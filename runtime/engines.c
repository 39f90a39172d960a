/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of engines: above all of their folders. */
#include "runtime/matrices/engine.h"
#include "runtime/session/stencil.h"
#include "runtime/solve/engine.h"

const struct zoid_engine *const zoid_engines[] = {&zoid_matrix_engine, &zoid_solve_engine,
                                                  &zoid_stencil_engine, NULL};
