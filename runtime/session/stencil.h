/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine that runs an operator step after step. */
#ifndef ZOID_RUNTIME_SESSION_STENCIL_H
#define ZOID_RUNTIME_SESSION_STENCIL_H

#include "runtime/session/engine.h"

extern const struct zoid_engine zoid_stencil_engine;

#endif
