/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine that solves Poisson's equation by relaxation. Each solver is an operator family, and
 * another with a right-hand side, except that mlsor builds its operator for a problem of sor, and
 * ssor runs sor with mirrored legs. */
#ifndef ZOID_RUNTIME_SOLVE_ENGINE_H
#define ZOID_RUNTIME_SOLVE_ENGINE_H

#include "runtime/session/engine.h"
#include "runtime/solve/solve.h"

extern const struct zoid_engine zoid_solve_engine;

/* Return the result of a session that has solved. */
const struct zoid_solved *zoid_solve_result(const struct zoid_session *session);

#endif
