/* SPDX-License-Identifier: BSD-3-Clause */
/* What of its host a rank takes for itself, so that the ranks there do not get into each other's
 * way: cores that lie beside each other, GPUs near to them, an equal part of the rest. */
#ifndef ZOID_RUNTIME_RANKS_SHARE_H
#define ZOID_RUNTIME_RANKS_SHARE_H

#include "runtime/ranks/ranks.h"

enum { ZOID_SHARE_GPUS = 16 };

struct zoid_share {
    char host[64];
    int ranks;         /* that share the host */
    char cpus[128];    /* processors as the system counts them, as in 0-3,8; for people */
    int cores;         /* that these are part of */
    const char *bound; /* by whom: zoid, launcher or nobody */
    bool crowded;      /* there are more ranks than cores */
    int workers; /* on cores that no GPU needs, nor the thread of MPI where there are enough */
    int gpus, gpu[ZOID_SHARE_GPUS]; /* their numbers, as CUDA counts them */
    int gpu_ranks;                  /* that share these GPUs */
    uint64_t gpu_mem;               /* bytes of each of them that are this rank's; 0: all */
};

/* Splits the cores that ranks are bound to, if several are bound to the same, and binds this
 * process to its own. All ranks call it. */
enum zoid_status zoid_share_cores(const struct zoid_ranks *ranks, struct zoid_share *share);
/* The same for the GPUs that they see; binds nothing. Starts CUDA. */
enum zoid_status zoid_share_gpus(const struct zoid_ranks *ranks, struct zoid_share *share);
/* `rank.N` and what it has, a line a rank, on the first of them; the machine knows the rest. All
 * ranks call it. */
void zoid_share_print(const struct zoid_share *share, const struct zoid_machine *machine,
                      FILE *out);
/* Whether threads of this rank would wait for each other where all of them poll. */
bool zoid_share_polls_hurt(const struct zoid_share *share);
/* The same before ranks have started, as far as the launcher tells. */
bool zoid_share_polls_will_hurt(void);

#endif
