/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/ranks.h"

#include <starpu.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/ranks/launcher.h"
#include "runtime/ranks/mpi.h"

/* A process has one world, as MPI has. */
static struct zoid_ranks world = {.rank = 0, .size = 1, .host_rank = 0, .host_size = 1};
static bool started;
static enum zoid_status agreed;
/* Of processes that a launcher started but that found no MPI to join. */
static bool strayed;

const struct zoid_ranks *zoid_ranks(void)
{
    return &world;
}

static bool several(void)
{
    return world.size > 1;
}

/* ---- the beginning and the end ------------------------------------------------------------ */

/* All of them fail alike, and nobody can tell the others. */
static enum zoid_status stray(const char *why, const char *what)
{
    strayed = true;
    world.rank = zoid_launcher_rank();
    return zoid_fail(ZOID_RESOURCE, "%d ranks were started, but %s; %s", zoid_launcher_size(), why,
                     what);
}

enum zoid_status zoid_ranks_start(void)
{
    static const char by_others[] = "start them with this MPI's mpirun, or with srun --mpi=pmix";
    int wanted = zoid_launcher_size();
    enum zoid_status status;

    if (started || (wanted == 1 && !(zoid_mpi_started && zoid_mpi_started())))
        return ZOID_OK;
    if (!zoid_mpi_start)
        return stray("this build or its StarPU has no MPI",
                     "run scripts/setup and build again, or start one without mpirun");
    if (!zoid_launcher_introduces() && !zoid_mpi_started())
        return stray("they cannot find each other", by_others);
    status = zoid_mpi_start(&world);
    started = true;
    if (status)
        return agreed = status;
    if (wanted > 1 && world.size == 1)
        return stray("MPI knows of one: it is not the launcher's", by_others);
    return ZOID_OK;
}

/* The launcher ends all when one ends with a failure, and rank 0 has something to say. */
static void let_first_speak(void)
{
    const struct timespec moment = {.tv_sec = 1};

    if (world.rank > 0)
        nanosleep(&moment, NULL);
}

void zoid_ranks_end(void)
{
    if (strayed)
        let_first_speak();
    if (started)
        zoid_mpi_end();
    started = false;
}

void zoid_ranks_abort(enum zoid_status status)
{
    if (several())
        zoid_mpi_abort((int)status);
    _Exit((int)status);
}

/* ---- what they tell each other ------------------------------------------------------------ */

enum zoid_status zoid_ranks_agree(enum zoid_status status)
{
    char message[512] = "";
    uint64_t worst;
    int first;

    if (!several())
        return status;
    /* Of the same status, the first rank's is the greatest. */
    worst = zoid_mpi_greatest((uint64_t)status << 32 | (uint32_t)(world.size - world.rank));
    first = world.size - (int)(uint32_t)worst;
    agreed = (enum zoid_status)(worst >> 32);
    if (!agreed)
        return ZOID_OK;
    if (world.rank == first)
        snprintf(message, sizeof message, "%s", zoid_error());
    zoid_mpi_broadcast(message, sizeof message, first);
    return zoid_fail(agreed, "%s", message);
}

bool zoid_ranks_know(enum zoid_status status)
{
    return !several() || !status || status == agreed;
}

void zoid_ranks_barrier(void)
{
    if (several())
        zoid_mpi_barrier();
}

void zoid_ranks_broadcast(void *bytes, size_t n)
{
    if (several())
        zoid_mpi_broadcast(bytes, n, 0);
}

void zoid_ranks_least(uint64_t *values, int n)
{
    if (several())
        zoid_mpi_least(values, n);
}

void zoid_ranks_sum(uint64_t *values, int n)
{
    if (several())
        zoid_mpi_sum(values, n);
}

void zoid_ranks_gather(const void *mine, size_t n, void *all)
{
    if (several())
        zoid_mpi_gather(mine, n, all);
    else
        memcpy(all, mine, n);
}

/* ---- StarPU ------------------------------------------------------------------------------- */

bool zoid_ranks_start_starpu(struct starpu_conf *conf)
{
    uint64_t runs;
    bool here;

    if (!several())
        return !starpu_init(conf);
    /* Not by starpu_mpi_init_conf, which would wait for the others while they wait for it. */
    if (world.host_rank > 0)
        zoid_mpi_host_barrier();
    here = !starpu_init(conf);
    if (world.host_rank == 0)
        zoid_mpi_host_barrier();
    runs = here;
    zoid_ranks_least(&runs, 1);
    if (runs && zoid_mpi_start_starpu())
        return true;
    if (here)
        starpu_shutdown();
    return false;
}

void zoid_ranks_stop_starpu(void)
{
    if (several())
        zoid_mpi_stop_starpu();
    starpu_shutdown();
}
