/* SPDX-License-Identifier: BSD-3-Clause */
/* What the machine was measured to do: the numbers that runtime/plan/estimate.c predicts runs from.
 *
 * Programs measure what a run needs before it, `zoid-info --calibrate` all of it, and leave it in a
 * file, which says on what machine and by which Zoid. What is not in such a file, or all of it
 * where the file is broken or of another machine, is a default: that of a server's core and of the
 * GPU's row in runtime/machine/card.c, from the operator's row. */
#ifndef ZOID_RUNTIME_MACHINE_RATES_H
#define ZOID_RUNTIME_MACHINE_RATES_H

#include "runtime/zoid.h"

/* What so many runs have taught (runtime/machine/refine.h); 0: none has. */
struct zoid_factors {
    double near, far, waits, runs;
};

/* Seconds a point and step, but the visits: on one core while all of them work, or on a whole GPU.
 * 0: not measured. */
struct zoid_op_rates {
    char name[48];    /* of the variant */
    double tiled;     /* in blocks that are cut into tiles, or that a core's own cache holds */
    double exceeding; /* what more where tiles are twice as large as the cache, in memory */
    double visit;     /* a point: bringing a block from memory and leaving it there */
    /* In blocks whose times march, codelets/march.h, and a point of them each time that it is
     * brought from memory; 0 where none do. Of an operator with a runner of its own, what makes its
     * prediction right (codelets/block.h), and 0. */
    double marched, marched_visit;
    double step;     /* a sweep for every time, through memory */
    double gpu_step; /* a launch for every time, all units of the GPU at work */
    double gpu_even; /* as many times a launch as pay, likewise */
    struct zoid_factors cores, gpus;
};

/* What a byte costs a core that goes over `bytes` bytes again and again while all cores do. */
struct zoid_copy_cost {
    double bytes, seconds;
};

enum { ZOID_MAX_COSTS = 12, ZOID_MAX_FEW = 16 };

/* What is measured at a time. */
enum zoid_rates_part {
    ZOID_RATES_MEMORY = 1 << 0,   /* workers, cost, costs, few */
    ZOID_RATES_TASKS = 1 << 1,    /* task, submit */
    ZOID_RATES_GPU = 1 << 2,      /* gpu_task, gpu_memory, link_both */
    ZOID_RATES_DISK = 1 << 3,     /* disk, disk_read, disk_write, disk_datum */
    ZOID_RATES_CORE_OPS = 1 << 4, /* of operators, those of cores */
    ZOID_RATES_GPU_OPS = 1 << 5   /* and those of a GPU */
};

struct zoid_rates {
    bool calibrated;   /* by the file */
    unsigned measured; /* the first four parts, as far as they are no defaults */
    char note[512];    /* why the file was not used; empty: it was, or there is none */
    int workers;       /* cores that worked at once */
    struct zoid_copy_cost cost[ZOID_MAX_COSTS]; /* ascending; of copying, bytes of both sides */
    int costs;
    /* Seconds a byte from memory for each of 1, 2, 4, ... cores that work at once, of as many such
     * numbers as are below `workers`. */
    double few[ZOID_MAX_FEW];
    double task, submit;          /* seconds that a task costs its worker, and who submits it */
    double gpu_task;              /* seconds from a GPU's block to the next of the same lane */
    double gpu_memory;            /* seconds a byte of copying in a GPU's memory */
    double link_up, link_down;    /* seconds a byte from RAM to a GPU, and back */
    double link_both;             /* how much slower these are when both are busy */
    double link_peer;             /* between GPUs */
    double disk_read, disk_write; /* seconds a byte */
    double disk_datum;            /* seconds a datum, either way, beside its bytes */
    char disk[256];               /* the folder of that disk; empty: none was measured */
    size_t ops;
    struct zoid_op_rates *op; /* owned */
};

/* learn, keep and default, for --rates and the environment; NULL ends them. */
extern const char *const zoid_rates_uses[];
/* What was asked for; else what ZOID_RATES_MODE says, which fails where that is none of them; else
 * what is usual. */
enum zoid_status zoid_rates_use(enum zoid_rates_use asked, enum zoid_rates_use usual,
                                enum zoid_rates_use *use);
/* ZOID_RATES where that is set; else zoid-rates-MODEL.json in $STARPU_HOME, or where that is not
 * set, in zoid/ in the user's cache folder. The model is that of the processor with its cores and
 * instruction set, and of the GPU. False: there is no such place, or its name is too long. */
bool zoid_rates_path(const struct zoid_machine *machine, char *path, size_t room);

void zoid_rates_defaults(const struct zoid_machine *machine, struct zoid_rates *rates);
/* The rates in the file, if they are of this machine and this Zoid; else the defaults and, if there
 * is a file, a note that says what is wrong with it. */
void zoid_rates_load(const struct zoid_machine *machine, struct zoid_rates *rates);
/* Writes what zoid_rates_load reads. The caller looks at the stream's error flag. */
enum zoid_status zoid_rates_write(const struct zoid_machine *machine,
                                  const struct zoid_rates *rates, FILE *out);
/* Takes over what is measured in `from`. After a failure some of it. */
enum zoid_status zoid_rates_merge(struct zoid_rates *into, const struct zoid_rates *from);
void zoid_rates_free(struct zoid_rates *rates);

/* The measured rates of an operator; NULL where there are none. */
const struct zoid_op_rates *zoid_rates_find(const struct zoid_rates *rates,
                                            const struct zoid_op *op);
/* Seconds a byte that is read, or written, where one goes over so many of them: between two sizes
 * that were measured it follows the logarithm of the size. */
double zoid_rates_cost(const struct zoid_rates *rates, double bytes);
/* How far from the core's own cache (0) and how near to memory (1) so many bytes a core lie. */
double zoid_rates_distance(const struct zoid_rates *rates, double bytes);
/* How many of `few` there are for so many workers. */
int zoid_rates_few(int workers);
/* Seconds a byte from memory for each of so many cores that work at once: between two numbers that
 * were measured it grows evenly, and with more cores than were as their number. */
double zoid_rates_memory(const struct zoid_rates *rates, double workers);

#endif
