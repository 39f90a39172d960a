/* SPDX-License-Identifier: BSD-3-Clause */
/* Performance rates of a machine, from which runtime/plan/estimate.c predicts runs.
 *
 * Programs measure the rates that a run needs before it; `zoid-info --calibrate` measures all. They
 * are kept in a file, which names the machine and the version of Zoid. A rate that is not in the
 * file has a default: that of a server's core, of the GPU's row in runtime/machine/card.c, and of
 * the operator's row. If the file is broken or of another machine, all rates are defaults. */
#ifndef ZOID_RUNTIME_MACHINE_RATES_H
#define ZOID_RUNTIME_MACHINE_RATES_H

#include "runtime/zoid_advanced.h"

/* Correction factors from `runs` runs (runtime/machine/refine.h); 0: no run yet. */
struct zoid_factors {
    double near, far, waits, runs;
};

enum { ZOID_RATES_NAME = 96 };

/* Seconds per point and step, except the visits: on one core while all are busy, or on a whole GPU.
 * 0: not measured. */
struct zoid_op_rates {
    char name[ZOID_RATES_NAME]; /* zoid_rates_name */
    double tiled;               /* in tiles, or in blocks that a private cache holds */
    double exceeding; /* added if tiles are twice as large as the cache and lie in memory */
    double visit;     /* per point: load of a block from memory and store back */
    /* In blocks whose times form a wavefront (codelets/block/wavefront.h), and per point each time
     * that it is loaded from memory; 0 if no block does. For an operator with a runner of its own:
     * the rate with which that predicts (codelets/block.h), and 0. */
    double marched, marched_visit;
    /* Without tiles, in blocks that a private cache holds; 0 if blocks are never tiled. */
    double untiled;
    double step;     /* one sweep for every time, through memory */
    double gpu_step; /* one launch for every time, all units of the GPU busy */
    double gpu_even; /* the most fused times that pay, likewise */
    struct zoid_factors cores, gpus;
};

/* Seconds per byte of a core that copies `bytes` bytes repeatedly while all cores do: a point of
 * the cache and memory bandwidth curve. */
struct zoid_copy_cost {
    double bytes, seconds;
};

enum { ZOID_MAX_COSTS = 12, ZOID_MAX_FEW = 16 };

/* Messages between two ranks: of one host, or of different hosts. */
enum zoid_network_kind { ZOID_ONE_HOST, ZOID_SEVERAL_HOSTS, ZOID_NETWORKS };

/* Seconds, between two ranks that do nothing else. */
struct zoid_network {
    double message; /* of the communication thread, for each end of a message */
    double way;  /* latency from the end of the block that leaves one to the start of its reader */
    double wire; /* inverse bandwidth: for each byte besides */
    /* Of the communication thread, for each byte of an end; 0: as its core copies. Adaptors that
     * move bytes by themselves leave it little. */
    double copy;
    /* Correction factors from `runs` runs of ranks (refine.h); 0: no run yet. */
    double way_factor, wire_factor, runs;
};

/* Parts of the rates that are measured separately, with their members. */
enum zoid_rates_part {
    ZOID_RATES_MEMORY = 1 << 0,   /* workers, cost, costs, few */
    ZOID_RATES_TASKS = 1 << 1,    /* task, submit */
    ZOID_RATES_GPU = 1 << 2,      /* gpu_task, gpu_memory, link_both */
    ZOID_RATES_DISK = 1 << 3,     /* disk, disk_read, disk_write, disk_datum */
    ZOID_RATES_CORE_OPS = 1 << 4, /* rates of operators on cores */
    ZOID_RATES_GPU_OPS = 1 << 5,  /* rates of operators on a GPU */
    ZOID_RATES_NETWORK = 1 << 6,  /* network[ZOID_ONE_HOST], and one bit further the other one */
    ZOID_RATES_LINKS = 1 << 8,    /* link_up, link_down */
    ZOID_RATES_PEERS = 1 << 9     /* link_peer */
};

struct zoid_rates {
    bool calibrated;   /* from the file */
    unsigned measured; /* parts that are no defaults; of operators only after zoid_calibrate */
    char note[512];    /* reason why the file was not used; empty: it was, or is missing */
    int workers;       /* cores that were busy at once */
    struct zoid_copy_cost cost[ZOID_MAX_COSTS]; /* ascending; for copies, bytes of both sides */
    int costs;
    /* Seconds per byte from memory, for each of 1, 2, 4, ... cores that are busy at once; the
     * numbers below `workers`. */
    double few[ZOID_MAX_FEW];
    double task, submit;       /* seconds of a task for its worker, and for the submitting thread */
    double gpu_task;           /* seconds between two blocks of a lane on a GPU */
    double gpu_memory;         /* seconds per byte of a copy in a GPU's memory */
    double link_up, link_down; /* seconds per byte from RAM to a GPU, and back */
    double link_both;          /* slowdown of these if both are busy */
    double link_peer;          /* between GPUs */
    double disk_read, disk_write; /* seconds per byte */
    double disk_datum;            /* latency per datum in seconds, either way */
    char disk[256];               /* folder of that disk; empty: not measured */
    struct zoid_network network[ZOID_NETWORKS];
    size_t ops;
    struct zoid_op_rates *op; /* owned */
};

/* Values of --rates and ZOID_RATES_MODE: learn, keep, default; ends with NULL. */
extern const char *const zoid_rates_uses[];
/* Stores `asked`, unless that is UNSAID; then the value of ZOID_RATES_MODE, or `usual` if it is not
 * set. ZOID_BAD_ARGUMENT: the variable has another value. */
enum zoid_status zoid_rates_use(enum zoid_rates_use asked, enum zoid_rates_use usual,
                                enum zoid_rates_use *use);
/* Writes the path of the file of rates to `path`, which has `room` bytes: $ZOID_RATES if it is set;
 * else $STARPU_HOME/zoid-rates-MODEL.json if that is set; else zoid/rates-MODEL.json in the user's
 * cache folder. MODEL is made of the processor, its cores, its instruction set and the GPU. Returns
 * false if there is no such folder or the path is too long. */
bool zoid_rates_path(const struct zoid_machine *machine, char *path, size_t room);

void zoid_rates_defaults(const struct zoid_machine *machine, struct zoid_rates *rates);
/* Reads the file, if it is of this machine and this version of Zoid; otherwise sets the defaults
 * and, if there is a file, `note` to the reason. The caller frees them with zoid_rates_free. */
void zoid_rates_load(const struct zoid_machine *machine, struct zoid_rates *rates);
/* Reads the rates of a machine that is described by files, of any version of Zoid that writes this
 * format. ZOID_RESOURCE: the file is missing or broken, or of another machine; there is nothing to
 * free then. */
enum zoid_status zoid_rates_read(const char *path, const struct zoid_machine *machine,
                                 struct zoid_rates *rates);
/* Writes the rates in the format of zoid_rates_load, with the current file's entries of other GPUs.
 * ZOID_RESOURCE: out of memory, a rate is not finite, or `out` fails; the caller also checks the
 * stream's error flag, as output is buffered. */
enum zoid_status zoid_rates_write(const struct zoid_machine *machine,
                                  const struct zoid_rates *rates, FILE *out);
/* Copies the measured parts and operators of `from`, which stays the caller's. If memory was
 * measured with another number of cores, the rates of operators on cores that `from` does not have
 * are discarded, since they depend on it. ZOID_RESOURCE: out of memory; `into` then has some of
 * them. */
enum zoid_status zoid_rates_merge(struct zoid_rates *into, const struct zoid_rates *from);
void zoid_rates_free(struct zoid_rates *rates);

/* Writes the name of an operator's entry: the variant's, with the hash of its text if it is not
 * one of Zoid's own. */
void zoid_rates_name(const struct zoid_op *op, char name[ZOID_RATES_NAME]);
/* Returns an operator's entry, owned by `rates`; NULL if it has not been measured. */
const struct zoid_op_rates *zoid_rates_find(const struct zoid_rates *rates,
                                            const struct zoid_op *op);
/* Returns the seconds per byte read or written over a working set of `bytes`; between two measured
 * sizes, interpolated in the logarithm of the size. */
double zoid_rates_cost(const struct zoid_rates *rates, double bytes);
/* Returns how far `bytes` per core are from the private cache (0) to memory (1), by their cost. */
double zoid_rates_distance(const struct zoid_rates *rates, double bytes);
/* Returns the bit of `measured` for a network. */
static inline unsigned zoid_rates_network_part(enum zoid_network_kind kind)
{
    return (unsigned)ZOID_RATES_NETWORK << kind;
}
/* Returns the rates between the ranks of a machine, which are on one host or on several, with the
 * factors applied and reset. */
struct zoid_network zoid_rates_network(const struct zoid_rates *rates,
                                       const struct zoid_machine *machine);
/* Returns the kind of network between the ranks of a machine. */
enum zoid_network_kind zoid_rates_network_kind(const struct zoid_machine *machine);
/* Returns the number of entries of `few` for that number of workers. */
int zoid_rates_few(int workers);
/* Returns the seconds per byte from memory for each of `workers` busy cores: linear between
 * measured numbers, and proportional to `workers` beyond them. */
double zoid_rates_memory(const struct zoid_rates *rates, double workers);

#endif
