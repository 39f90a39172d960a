/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON descriptions for other languages. The caller frees the texts; NULL: out of memory. */
#ifndef ZOID_RUNTIME_SESSION_ABOUT_H
#define ZOID_RUNTIME_SESSION_ABOUT_H

#include "runtime/zoid_advanced.h"

/* Describe all variants of the operator table: see zoid_operators_json. */
char *zoid_about_operators(void);
/* Describe a machine, and the file formats of this build: see zoid_machine_json. */
char *zoid_about_machine(const struct zoid_machine *machine);
/* Describe a problem that ends with step `end`: see zoid_session_about_json. */
char *zoid_about_problem(const struct zoid_problem *problem, long end);

#endif
