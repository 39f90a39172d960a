/* SPDX-License-Identifier: BSD-3-Clause */
/* What launchers tell the processes that they start, through the environment. */
#ifndef ZOID_RUNTIME_RANKS_LAUNCHER_H
#define ZOID_RUNTIME_RANKS_LAUNCHER_H

#include <stdbool.h>

/* Whether one started this process. */
bool zoid_launcher_here(void);
/* How many processes it started; 1 where nobody says so. */
int zoid_launcher_size(void);
/* Which of them this is; 0 where nobody says so. */
int zoid_launcher_rank(void);
/* Whether it offers its processes a way to find each other; srun does only when it is asked to, and
 * Open MPI ends a process that it started without one. */
bool zoid_launcher_introduces(void);
/* How many of them it started on this host; 1 where nobody says so. */
int zoid_launcher_host_size(void);
/* Whether it has bound this process to cores without having been asked to. */
bool zoid_launcher_bound_by_default(void);
/* Whether it was asked to start more processes than there are cores. */
bool zoid_launcher_oversubscribes(void);

#endif
