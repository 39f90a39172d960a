/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/ranks.h"

#include <starpu.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/config.h"
#include "runtime/error.h"
#include "runtime/machine/environment.h"
#include "runtime/ranks/host.h"
#include "runtime/ranks/launcher.h"
#include "runtime/ranks/mpi.h"
#include "runtime/ranks/share.h"
#include "runtime/ranks/yielding.h"

/* The one world of the process, as in MPI. */
static struct zoid_ranks world = {.rank = 0, .size = 1, .host_rank = 0, .host_size = 1};
static struct zoid_share share;
static struct zoid_environment nobind;
static bool started;
static enum zoid_status agreed;
/* A launcher started this process, which found no MPI to join. */
static bool strayed;

const struct zoid_ranks *zoid_ranks_here(void)
{
    return &world;
}

const struct zoid_share *zoid_ranks_share(void)
{
    return &share;
}

static bool several(void)
{
    return world.size > 1;
}

/* ---- initialization and finalization ------------------------------------------------------ */

/* All processes fail alike here, and cannot tell each other. */
static enum zoid_status stray(const char *why, const char *what)
{
    strayed = true;
    world.rank = zoid_launcher_rank();
    return zoid_fail(ZOID_RESOURCE, "%d ranks were started, but %s; %s", zoid_launcher_size(), why,
                     what);
}

/* Join several processes, started by the launcher or by the caller of MPI_Init. */
static enum zoid_status join(int wanted)
{
    static const char by_others[] = "start them with this MPI's mpirun, or with srun --mpi=pmix";
    enum zoid_status status;

    if (!zoid_mpi_start)
        return stray("this build or its StarPU has no MPI",
                     "run scripts/setup and build again, or start one without mpirun");
    if (!zoid_launcher_introduces() && !zoid_mpi_started())
        return stray("they cannot find each other", by_others);
    /* With more ranks than cores Open MPI yields at each test, also of ours, between which we nap;
     * a thread that yields waits until others have used up their time. */
    setenv("OMPI_MCA_mpi_yield_when_idle", "0", 0);
    status = zoid_mpi_start(&world);
    if (status)
        return agreed = status;
    if (wanted > 1 && world.size == 1)
        return stray("MPI knows of one: it is not the launcher's", by_others);
    return ZOID_OK;
}

enum zoid_status zoid_ranks_start(void)
{
    const int wanted = zoid_launcher_size();
    const bool alone = wanted == 1 && !(zoid_mpi_started && zoid_mpi_started());
    enum zoid_status status = ZOID_OK;

    if (started || (alone && !zoid_launcher_bound_by_default()))
        return ZOID_OK;
    started = true;
    if (!alone)
        status = join(wanted);
    return status ? status : zoid_share_cores(&world, &share);
}

/* The launcher ends all processes when one fails: rank 0 must print its message first. */
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
    if (started && zoid_mpi_end)
        zoid_mpi_end();
    started = false;
}

void zoid_ranks_abort(enum zoid_status status)
{
    if (several())
        zoid_mpi_abort((int)status);
    _Exit((int)status);
}

/* ---- communication ------------------------------------------------------------------------ */

enum zoid_status zoid_ranks_agree(enum zoid_status status)
{
    struct zoid_failure failure = {.status = ZOID_OK};
    uint64_t worst;
    int first;

    if (!several())
        return status;
    /* Of ranks with the same status, the first has the greatest value. */
    worst = zoid_mpi_greatest((uint64_t)status << 32 | (uint32_t)(world.size - world.rank));
    first = world.size - (int)(uint32_t)worst;
    agreed = (enum zoid_status)(worst >> 32);
    if (!agreed)
        return ZOID_OK;
    if (world.rank == first)
        zoid_failure_keep(&failure, agreed);
    zoid_mpi_broadcast(failure.text, sizeof failure.text, first);
    failure.status = agreed;
    return zoid_failure_raise(&failure);
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

void zoid_ranks_gather(const void *mine, size_t n, void *all)
{
    if (several())
        zoid_mpi_gather(mine, n, all);
    else
        memcpy(all, mine, n);
}

void zoid_host_gather(const void *mine, size_t n, void *all)
{
    if (several())
        zoid_mpi_host_gather(mine, n, all);
    else
        memcpy(all, mine, n);
}

uint64_t zoid_host_least(uint64_t value)
{
    return several() ? zoid_mpi_host_least(value) : value;
}

/* ---- StarPU ------------------------------------------------------------------------------- */

/* StarPU-MPI's thread has nothing to do. A variable that the user has set keeps its value. */
static enum zoid_status set_up(void)
{
    static const char name[] = "STARPU_MPI_NOBIND";

    return getenv(name) ? ZOID_OK : zoid_environment_set(&nobind, name, "1");
}

/* The user's STARPU_SCHED is for blocks that any worker takes (runtime/submit/dealer.h). */
static void yield_cores(const struct zoid_share *given, struct starpu_conf *conf)
{
    const bool naps = several() && zoid_share_polls_hurt(given);
    struct starpu_sched_policy *yielding = NULL;

    if (conf->sched_policy_name)
        yielding = zoid_yielding_policy(conf->sched_policy_name, naps);
    if (!yielding)
        return;
    conf->sched_policy_name = NULL;
    conf->sched_policy = yielding;
}

/* Numbers of workers that the user has set are in `conf` already; GPUs are counted within the
 * rank's own, so that ranks do not all take the first ones. */
static void take_share(const struct zoid_share *given, struct starpu_conf *conf)
{
    if (conf->ncpus < 0)
        conf->ncpus = given->workers;
    if (conf->ncuda < 0 && given->gpus)
        conf->ncuda = given->gpus;
    if (conf->ncuda <= 0 || conf->ncuda > given->gpus)
        return;
    conf->use_explicit_workers_cuda_gpuid = 1;
    for (int g = 0; g < conf->ncuda; g++)
        conf->workers_cuda_gpuid[g] = (unsigned)given->gpu[g];
}

static enum zoid_status start_on_all(const struct zoid_share *given, struct starpu_conf *conf)
{
    const bool naps = zoid_share_polls_hurt(given);
    bool here;
    enum zoid_status status;

    /* Not by starpu_mpi_init_conf, which would wait for the other ranks while they wait for it. */
    if (world.host_rank > 0)
        zoid_mpi_host_barrier();
    here = !starpu_init(conf);
    if (world.host_rank == 0 && several())
        zoid_mpi_host_barrier();
    status =
        here ? ZOID_OK
             : zoid_fail(ZOID_RESOURCE, "StarPU starts no worker here; is STARPU_NCPU set to 0?");
    status = zoid_ranks_agree(status);
    if (!status && several())
        status = zoid_mpi_start_starpu(naps);
    if (status && here)
        starpu_shutdown();
    return status;
}

enum zoid_status zoid_ranks_start_starpu(const struct zoid_share *given, struct starpu_conf *conf)
{
    enum zoid_status status = ZOID_OK;

    yield_cores(given, conf);
    if (several()) {
        take_share(given, conf);
        status = zoid_ranks_agree(set_up());
    }
    if (!status)
        status = start_on_all(given, conf);
    if (status)
        zoid_environment_restore(&nobind);
    return status;
}

void zoid_ranks_ask(const double *numbers, int n)
{
    if (several())
        zoid_mpi_ask(numbers, n);
}

bool zoid_ranks_answer(double *numbers, int n)
{
    return several() && zoid_mpi_answer(numbers, n);
}

void zoid_ranks_add(double *values, int n)
{
    if (several())
        zoid_mpi_add(values, n);
}

double zoid_ranks_longest(double seconds)
{
    return several() ? zoid_mpi_longest(seconds) : seconds;
}

double zoid_ranks_clock(void)
{
    return several() ? zoid_mpi_clock() : 0;
}

void zoid_ranks_pass(const struct zoid_pass *pass)
{
    if (several())
        zoid_mpi_pass(pass);
}

void zoid_ranks_combine(void *bytes, size_t n)
{
    if (several())
        zoid_mpi_combine(bytes, n);
}

void zoid_ranks_stop_starpu(void)
{
    /* Under SimGrid StarPU-MPI runs with one rank, too. */
    if (several() || ZOID_SIMULATED)
        zoid_mpi_stop_starpu();
    starpu_shutdown();
    zoid_environment_restore(&nobind);
}
