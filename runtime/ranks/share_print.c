/* SPDX-License-Identifier: BSD-3-Clause */
#include <starpu.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/ranks/share.h"

enum { LINE = 512 };

static void write_line(const struct zoid_share *s, const struct zoid_machine *m, char line[LINE])
{
    FILE *out = fmemopen(line, LINE, "w");
    int gpu[ZOID_SHARE_GPUS];
    unsigned gpus;

    *line = 0;
    if (!out)
        return;
    fprintf(out, "host %s cores %d cpus %s bound %s workers.cpu %d workers.cuda %d", s->host,
            s->cores, s->cpus, s->bound, m->cpu_workers, m->cuda_workers);
    gpus = starpu_worker_get_devids(STARPU_CUDA_WORKER, gpu, ZOID_SHARE_GPUS);
    for (int g = 0; g < (int)gpus; g++)
        fprintf(out, "%s%d", g ? "," : " gpu ", gpu[g]);
    if (m->gpu_mem)
        fprintf(out, " gpu_mem %llu", (unsigned long long)m->gpu_mem);
    fprintf(out, " ram %llu", (unsigned long long)m->ram_available);
    fclose(out);
    line[LINE - 1] = 0;
}

void zoid_share_print(const struct zoid_share *s, const struct zoid_machine *m, FILE *out)
{
    const struct zoid_ranks *r = zoid_ranks_here();
    const bool first = r->rank == 0;
    char mine[LINE], (*all)[LINE] = first ? calloc((size_t)r->size, LINE) : NULL;
    bool room = zoid_ranks_agree(!first || all ? ZOID_OK : ZOID_RESOURCE) == ZOID_OK;

    write_line(s, m, mine);
    if (room)
        zoid_ranks_gather(mine, LINE, all);
    for (int i = 0; room && first && i < r->size; i++)
        fprintf(out, "rank.%d %s\n", i, all[i]);
    free(all);
}
