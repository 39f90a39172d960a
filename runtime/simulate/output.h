/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks of a simulation have one standard output, which only the first one writes.
 * ZoidSimulated.cmake includes this before all else in files of apps/cli/. */
#ifndef ZOID_RUNTIME_SIMULATE_OUTPUT_H
#define ZOID_RUNTIME_SIMULATE_OUTPUT_H

#include <stdio.h>

/* Return the stream of this rank. */
FILE *zoid_simulate_output(void);

#undef stdout
#define stdout zoid_simulate_output()
#define printf(...) fprintf(stdout, __VA_ARGS__)
/* No rank may discard it. */
#define dup2(from, to) ((void)(from), (to))

#endif
