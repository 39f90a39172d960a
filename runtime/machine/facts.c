/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/machine/facts.h"

#include <stdio.h>

struct listener {
    zoid_fact_fn *put;
    void *user;
};

static void put_text(const struct listener *l, const char *key, const char *text)
{
    l->put(l->user, &(struct zoid_fact){.kind = ZOID_FACT_TEXT, .key = key, .text = text});
}

static void put_number(const struct listener *l, const char *key, uint64_t number)
{
    l->put(l->user, &(struct zoid_fact){.kind = ZOID_FACT_NUMBER, .key = key, .number = number});
}

static void put_missing(const struct listener *l, bool missing, const char *key, const char *text)
{
    if (missing)
        l->put(l->user, &(struct zoid_fact){.kind = ZOID_FACT_MISSING, .key = key, .text = text});
}

static void put_caches(const struct listener *l, const struct zoid_machine *m)
{
    static const char *const key[ZOID_MAX_CACHES] = {"cache.l1", "cache.l2", "cache.l3",
                                                     "cache.l4"};

    for (int i = 0; i < ZOID_MAX_CACHES; i++)
        if (m->cache[i])
            l->put(l->user, &(struct zoid_fact){.kind = ZOID_FACT_CACHE,
                                                .key = key[i],
                                                .number = m->cache[i],
                                                .cores = m->cache_sharers[i]});
}

static void put_lacks(const struct listener *l, const struct zoid_machine *m)
{
    put_missing(l, !m->build_cuda, "CUDA",
                "this build has no GPU code: no nvcc, or StarPU without CUDA");
    put_missing(l, !m->cuda_workers, "GPU workers", "runs use cores alone");
    put_missing(l, !m->starpu_fxt, "FxT", "StarPU was built without it: no traces");
    put_missing(l, !m->build_mpi || !m->starpu_mpi, "MPI",
                "this build or StarPU is without it: one rank only");
    put_missing(l, m->isa == ZOID_PORTABLE, "vector code",
                "this processor gets the portable path: right, slow");
}

void zoid_machine_facts(const struct zoid_machine *m, zoid_fact_fn *put, void *user)
{
    const struct listener l = {put, user};

    put_text(&l, "version", zoid_version());
    put_text(&l, "cpu", m->cpu);
    put_text(&l, "isa", zoid_isa_name(m->isa));
    put_number(&l, "cores", (uint64_t)m->cores);
    put_number(&l, "packages", (uint64_t)m->packages);
    put_number(&l, "numa_nodes", (uint64_t)m->numa_nodes);
    put_caches(&l, m);
    put_number(&l, "ram", m->ram);
    put_number(&l, "ram_available", m->ram_available);
    put_number(&l, "ranks", (uint64_t)m->ranks);
    if (m->gpu_mem)
        put_number(&l, "gpu_mem", m->gpu_mem);
    if (*m->gpu)
        put_text(&l, "gpu", m->gpu);
    if (m->gpu_processors) {
        put_number(&l, "gpu_processors", (uint64_t)m->gpu_processors);
        put_number(&l, "gpu_shared", m->gpu_shared);
    }
    put_number(&l, "workers.cpu", (uint64_t)m->cpu_workers);
    put_number(&l, "workers.cuda", (uint64_t)m->cuda_workers);
    put_text(&l, "starpu", m->starpu);
    put(user, &(struct zoid_fact){.kind = ZOID_FACT_WORDS,
                                  .key = "tiers",
                                  .text = m->cuda_workers ? "gpu ram disk" : "ram disk"});
    put_lacks(&l, m);
}

void zoid_fact_print(void *out, const struct zoid_fact *fact)
{
    switch (fact->kind) {
    case ZOID_FACT_NUMBER:
        fprintf(out, "%s %llu\n", fact->key, (unsigned long long)fact->number);
        break;
    case ZOID_FACT_CACHE:
        fprintf(out, "%s %llu bytes for %d cores\n", fact->key, (unsigned long long)fact->number,
                fact->cores);
        break;
    case ZOID_FACT_MISSING:
        fprintf(out, "missing %s (%s)\n", fact->key, fact->text);
        break;
    default:
        fprintf(out, "%s %s\n", fact->key, fact->text);
    }
}

void zoid_machine_print(const struct zoid_machine *machine, FILE *out)
{
    zoid_machine_facts(machine, zoid_fact_print, out);
}
