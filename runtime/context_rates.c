/* SPDX-License-Identifier: BSD-3-Clause */
/* The rates of a context: of the links, of a disk among several, and of ranks that share a host. */
#include <math.h>
#include <starpu.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/ranks/ranks.h"

/* Set the seconds per byte from one memory to another as StarPU has measured them; returns false,
 * and leaves the rate as it is, if it has not. */
static bool link_rate(unsigned from, unsigned to, double *rate)
{
    double mbps = starpu_transfer_bandwidth(from, to);
    const bool known = mbps > 0 && isfinite(mbps);

    if (known)
        *rate = 1e-6 / mbps;
    return known;
}

/* StarPU has measured the links at its first start on this machine. */
static void rate_links(struct zoid_rates *r)
{
    int ids[2], n = starpu_worker_get_ids_by_type(STARPU_CUDA_WORKER, ids, 2);
    unsigned node[2];

    n = n < 0 ? 2 : n;
    for (int i = 0; i < n; i++)
        node[i] = starpu_worker_get_memory_node((unsigned)ids[i]);
    if (n > 0) {
        const bool up = link_rate(STARPU_MAIN_RAM, node[0], &r->link_up);
        const bool down = link_rate(node[0], STARPU_MAIN_RAM, &r->link_down);

        r->measured |= up && down ? ZOID_RATES_LINKS : 0;
    }
    if (n > 1 && link_rate(node[0], node[1], &r->link_peer))
        r->measured |= ZOID_RATES_PEERS;
}

/* Keep the rates of the file's disk, which may be that of a later plan. */
static void keep_disk(const struct zoid_rates *r, struct zoid_rates_disk *kept)
{
    memcpy(kept->folder, r->disk, sizeof kept->folder);
    kept->measured = r->measured & (unsigned)ZOID_RATES_DISK;
    kept->read = r->disk_read;
    kept->write = r->disk_write;
    kept->datum = r->disk_datum;
}

static void put_disk(const struct zoid_rates_disk *kept, struct zoid_rates *r)
{
    memcpy(r->disk, kept->folder, sizeof r->disk);
    r->measured = (r->measured & ~(unsigned)ZOID_RATES_DISK) | kept->measured;
    r->disk_read = kept->read;
    r->disk_write = kept->write;
    r->disk_datum = kept->datum;
}

/* Discard the rates of a disk other than the one in use. */
static void rate_disk(const char *folder, struct zoid_rates *r)
{
    struct stat here, there;
    struct zoid_rates usual;

    if (!folder ||
        (*r->disk && !stat(folder, &here) && !stat(r->disk, &there) && here.st_dev == there.st_dev))
        return;
    zoid_rates_defaults(&(struct zoid_machine){.cores = 1}, &usual);
    if (r->calibrated)
        snprintf(r->note, sizeof r->note,
                 "the rates are not of this disk; zoid-info --calibrate --disk DIR measures it");
    r->disk[0] = 0;
    r->measured &= ~(unsigned)ZOID_RATES_DISK;
    r->disk_read = usual.disk_read;
    r->disk_write = usual.disk_write;
    r->disk_datum = usual.disk_datum;
}

/* All ranks of a host use its memory and its disk at the same time: scale their rates. */
static void rate_share(int ranks, struct zoid_rates *r)
{
    r->workers = r->workers > ranks ? r->workers / ranks : 1;
    r->disk_read *= ranks;
    r->disk_write *= ranks;
}

/* Replace the rates by those of the first rank, so that all ranks plan alike. */
static enum zoid_status agree_on_rates(struct zoid_rates *r)
{
    struct zoid_op_rates *mine = r->op;
    struct zoid_rates first = *r;

    zoid_ranks_broadcast(&first, sizeof first);
    first.op = realloc(mine, (first.ops + 1) * sizeof *mine);
    if (!first.op)
        return zoid_no_memory();
    zoid_ranks_broadcast(first.op, first.ops * sizeof *mine);
    *r = first;
    return ZOID_OK;
}

static void take(struct zoid_context *c, enum zoid_rates_use use, const char *folder)
{
    if (use == ZOID_RATES_DEFAULT)
        zoid_rates_defaults(&c->machine, &c->rates);
    else
        zoid_rates_load(&c->machine, &c->rates);
    rate_links(&c->rates);
    keep_disk(&c->rates, &c->disk_rates);
    rate_disk(folder, &c->rates);
    rate_share(zoid_ranks_here()->host_size, &c->rates);
}

enum zoid_status zoid_context_take_rates(struct zoid_context *c, enum zoid_rates_use use,
                                         const char *folder)
{
    take(c, use, folder);
    return agree_on_rates(&c->rates);
}

enum zoid_status zoid_context_add_rates(struct zoid_context *c, const struct zoid_rates *measured)
{
    enum zoid_status status = zoid_rates_merge(&c->rates, measured);

    if (!status && measured->measured & ZOID_RATES_DISK)
        keep_disk(&c->rates, &c->disk_rates);
    return status;
}

void zoid_context_rate_folder(const struct zoid_context *c, const char *folder,
                              struct zoid_rates *rates)
{
    *rates = c->rates;
    put_disk(&c->disk_rates, rates);
    rate_disk(folder, rates);
    rates->disk_read *= zoid_ranks_here()->host_size;
    rates->disk_write *= zoid_ranks_here()->host_size;
    zoid_ranks_broadcast(rates, sizeof *rates);
    rates->op = c->rates.op;
}
