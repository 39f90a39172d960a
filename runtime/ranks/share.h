/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of its host that a rank uses, so that the ranks of a host do not disturb each other:
 * adjacent cores, GPUs near to them, an equal share of everything else. */
#ifndef ZOID_RUNTIME_RANKS_SHARE_H
#define ZOID_RUNTIME_RANKS_SHARE_H

#include "runtime/ranks/ranks.h"

enum { ZOID_SHARE_GPUS = 16 };

struct zoid_share {
    char host[64];
    int ranks;           /* on this host */
    char cpus[128];      /* processors as the system numbers them, as in 0-3,8; for output */
    int cores;           /* that the processors are part of */
    const char *bound;   /* by zoid, launcher or nobody */
    bool oversubscribed; /* more ranks than cores */
    int workers; /* on cores that are left by GPUs and, if there are enough, the MPI thread */
    int gpus, gpu[ZOID_SHARE_GPUS]; /* CUDA device numbers */
    int gpu_ranks;                  /* ranks that share these GPUs */
    uint64_t gpu_mem;               /* bytes of each GPU's memory for this rank; 0: all */
};

/* Divide the cores that ranks are bound to among the ranks bound to the same ones, and bind this
 * process to its share. Collective. */
enum zoid_status zoid_share_cores(const struct zoid_ranks *ranks, struct zoid_share *share);
/* Divide the GPUs that ranks see in the same way; binds nothing. Starts CUDA. Collective. */
enum zoid_status zoid_share_gpus(const struct zoid_ranks *ranks, struct zoid_share *share);
/* Return the workers of a rank with that number of cores. With ZOID_CORES_TO_SPARE or more, one is
 * left to the MPI thread: it polls while a message may come, and a block on the same core takes at
 * least twice as long. */
enum { ZOID_CORES_TO_SPARE = 4 };
static inline int zoid_share_workers(int cores)
{
    return cores < ZOID_CORES_TO_SPARE ? cores : cores - 1;
}
/* Print a line per rank, `rank.N` and its share, on the first rank; `machine` has the rest.
 * Collective. */
void zoid_share_print(const struct zoid_share *share, const struct zoid_machine *machine,
                      FILE *out);
/* Return whether threads of this rank would delay each other if all of them poll. */
bool zoid_share_polls_hurt(const struct zoid_share *share);

#endif
