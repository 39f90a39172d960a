/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* strcasestr */
#include "runtime/ranks/launcher.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Open MPI's mpirun; MPICH and PMI; MVAPICH; and srun, which is last because mpirun uses it to
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

/* Launcher of this process; LAUNCHERS: no launcher. */
static size_t launcher(void)
{
    size_t i = 0;

    while (i < LAUNCHERS && number(launchers[i].size) < 1)
        i++;
    return i;
}

bool zoid_launcher_here(void)
{
    return launcher() < LAUNCHERS;
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

/* Open MPI's mpirun passes on its settings, from options, variables or files, and binds by default;
 * srun binds to the cores of a job's allocation. */
bool zoid_launcher_bound_by_default(void)
{
    static const char *const asked[] = {
        "OMPI_MCA_hwloc_base_binding_policy",
        "OMPI_MCA_hwloc_base_cpu_set",
        "OMPI_MCA_hwloc_base_cpu_list",
        "OMPI_MCA_rmaps_base_cpus_per_rank",
        "OMPI_MCA_rmaps_base_cpus_per_proc",
        "OMPI_MCA_rmaps_rank_file_path",
        "OMPI_MCA_orte_rankfile",
    };
    const char *mapping = getenv("OMPI_MCA_rmaps_base_mapping_policy");

    if (!number("OMPI_MCA_orte_bound_at_launch"))
        return false;
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (getenv(asked[i]))
            return false;
    /* Processors per process, as in ppr:1:socket:pe=4. */
    return !mapping || !strcasestr(mapping, "pe=");
}

bool zoid_launcher_oversubscribes(void)
{
    return number("OMPI_MCA_rmaps_base_oversubscribe") > 0;
}

bool zoid_launcher_owns(const char *entry)
{
    static const char *const prefixes[] = {"OMPI_", "PMIX_", "PMI_", "MV2_", "SLURM_", "PRTE_"};
    size_t i = 0;

    while (i < sizeof prefixes / sizeof *prefixes &&
           strncmp(entry, prefixes[i], strlen(prefixes[i])) != 0)
        i++;
    return i < sizeof prefixes / sizeof *prefixes;
}
