/* SPDX-License-Identifier: BSD-3-Clause */
/* Environment variables that launchers set for the processes that they start. */
#ifndef ZOID_RUNTIME_RANKS_LAUNCHER_H
#define ZOID_RUNTIME_RANKS_LAUNCHER_H

#include <stdbool.h>

/* Return whether a launcher started this process. */
bool zoid_launcher_here(void);
/* Return the number of processes that it started; 1: unknown. */
int zoid_launcher_size(void);
/* Return the index of this process among them; 0: unknown. */
int zoid_launcher_rank(void);
/* Return whether it lets its processes find each other. srun does so only on request, and Open MPI
 * ends a process that it started without. */
bool zoid_launcher_introduces(void);
/* Return whether it bound this process to cores without a request to do so. */
bool zoid_launcher_bound_by_default(void);
/* Return whether it was asked to start more processes than there are cores. */
bool zoid_launcher_oversubscribes(void);

/* Return whether an entry of the environment, NAME=VALUE, is from a launcher, so that a program
 * that is no rank must not have it. */
bool zoid_launcher_owns(const char *entry);

#endif
