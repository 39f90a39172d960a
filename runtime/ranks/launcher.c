/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/launcher.h"

#include <stddef.h>
#include <stdlib.h>

/* Open MPI's mpirun, MPICH's and PMI's, MVAPICH's, and srun, which comes last: mpirun uses it to
 * reach other hosts. */
enum { OPEN_MPI, PMI, MVAPICH, SRUN, LAUNCHERS };

static const struct {
    const char *size, *rank;
} launchers[LAUNCHERS] = {[OPEN_MPI] = {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                          [PMI] = {"PMI_SIZE", "PMI_RANK"},
                          [MVAPICH] = {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"},
                          [SRUN] = {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};

static int number(const char *name)
{
    const char *value = getenv(name);

    return value ? atoi(value) : 0;
}

/* Which one started this process; as many as there are: none. */
static size_t launcher(void)
{
    size_t i = 0;

    while (i < LAUNCHERS && number(launchers[i].size) < 1)
        i++;
    return i;
}

int zoid_launcher_size(void)
{
    size_t l = launcher();

    return l < LAUNCHERS ? number(launchers[l].size) : 1;
}

int zoid_launcher_rank(void)
{
    size_t l = launcher();

    return l < LAUNCHERS ? number(launchers[l].rank) : 0;
}

bool zoid_launcher_introduces(void)
{
    return launcher() != SRUN || getenv("PMIX_RANK");
}
