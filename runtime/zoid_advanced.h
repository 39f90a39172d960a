/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine: open a context, plan a problem, run it as a job, read its fields.
 *
 * For programs with operators of their own, for studies of plans, and, by zoid_program.h, which it
 * includes, for programs with a command line; others have zoid_session.h. What it declares may
 * change with each minor release. Failures and destroy functions are as in zoid.h. A process has at
 * most one context at a time. A context may have several jobs, which different threads may use: one
 * runs, fills or reads at a time, and the calls of other threads wait for it. Callbacks of a job
 * call no function of any job. Other handles must not be shared between threads, except by
 * functions that say that they are thread-safe. */
#ifndef ZOID_RUNTIME_ZOID_ADVANCED_H
#define ZOID_RUNTIME_ZOID_ADVANCED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "codelets/block.h"
#include "codelets/matrix.h"
#include "codelets/op.h"
#include "codelets/points.h"
#include "codelets/sweep.h"
#include "graphs/graph.h"
#include "runtime/zoid.h"
#include "runtime/zoid_program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the machine ------------------------------------------------------------------------- */

enum { ZOID_MAX_CACHES = 4 };

struct zoid_machine {
    char cpu[128]; /* model, as the system reports it */
    enum zoid_isa isa;
    int cores, packages, numa_nodes;
    uint64_t cache[ZOID_MAX_CACHES];    /* data caches in bytes, level 1 first; 0: no such level */
    int cache_sharers[ZOID_MAX_CACHES]; /* cores that share one */
    uint64_t ram, ram_available;
    int ranks;                     /* MPI ranks of this run; 1 until a context is open */
    bool spread;                   /* these are on several hosts */
    int cpu_workers, cuda_workers; /* 0 until a context is open */
    char gpu[128];                 /* name of the first GPU; empty: no GPU, or no context is open */
    int gpu_processors;            /* multiprocessors of the first GPU, */
    uint64_t gpu_shared;           /* and its shared memory per thread block, in bytes */
    uint64_t gpu_mem;              /* usable bytes of each GPU's memory; 0: no GPU */
    const char *starpu;            /* version */
    bool starpu_fxt, starpu_cuda, starpu_mpi;
    bool build_cuda, build_mpi;
};

/* Describe this machine without starting StarPU. */
enum zoid_status zoid_machine_probe(struct zoid_machine *machine);
/* Print one `key value` per line, then one line `missing ...` for each capability that this build
 * or machine lacks. */
void zoid_machine_print(const struct zoid_machine *machine, FILE *out);

/* Source of the rates that predictions use: measured rates, which are kept in a file, or defaults.
 * LEARN lets programs measure missing rates before a run; the library treats it as KEEP. */
enum zoid_rates_use {
    ZOID_RATES_UNSAID, /* the environment's ZOID_RATES_MODE if it is set, otherwise KEEP */
    ZOID_RATES_LEARN,
    ZOID_RATES_KEEP,
    ZOID_RATES_DEFAULT
};

/* Devices that compute (places) and memory tiers, the tier nearest to the device first. Of ANY
 * place, workers of both kinds take the same blocks. Tiers before main memory are the memories of
 * devices; tiers after it are the home of data that main memory has no room for. */
enum zoid_place_kind { ZOID_CORES, ZOID_GPUS, ZOID_ANY, ZOID_PLACES };
enum zoid_tier_kind { ZOID_GPU_MEMORY, ZOID_RAM, ZOID_DISK, ZOID_TIERS };

struct zoid_context_options {
    uint64_t gpu_mem;  /* bytes to use of each GPU's memory, at most; 0: all of it */
    const char *trace; /* folder for a trace of the runs, created if missing; NULL: no trace */
    /* Folders of the tiers beyond main memory, for plans that name none; NULL: such plans do not
     * use the tier. */
    const char *folder[ZOID_TIERS];
    enum zoid_rates_use rates;
    bool oversubscribe; /* allow more ranks than cores on a host */
    /* A machine that files describe (docs/machines.md), by its name or folder: the context makes
     * plans of runs there, with a rank on each of `nodes` machines of its kind (0: one), and starts
     * nothing. NULL: this machine. */
    const char *machine;
    long nodes;
};

struct zoid_context;
/* Start StarPU and open the context; NULL options: the defaults. ZOID_BAD_ARGUMENT: a context is
 * open already. ZOID_RESOURCE: no worker starts, a GPU is requested and missing, a trace is
 * requested and cannot be recorded, no file can be created in the folder of a tier, or a file of a
 * machine is missing or broken. ZOID_BAD_ARGUMENT: also if there is no machine of that name, or if
 * several ranks, a trace or a folder are to be there.
 *
 * Collective: if a launcher started several ranks, all open a context with the same options, and
 * all close it; all return the same failure. Initializes MPI with MPI_THREAD_MULTIPLE unless the
 * caller has done so; zoid_ranks_end then finalizes it. ZOID_RESOURCE: also if the ranks find no
 * MPI or not each other, or if a host has fewer cores than ranks. Each rank takes its share of the
 * host's cores, GPUs, memory and disk, and is bound to its cores. */
enum zoid_status zoid_context_open(const struct zoid_context_options *options,
                                   struct zoid_context **context);
/* Shut StarPU down and write the files of the trace. Collective. Fails if these cannot be written;
 * the context is released all the same. */
enum zoid_status zoid_context_close(struct zoid_context **context);
/* Wait for the other ranks and finalize MPI if a context initialized it; the last call before a
 * process of several ranks exits normally. Collective. No context can be opened afterwards. */
void zoid_ranks_end(void);
const struct zoid_machine *zoid_context_machine(const struct zoid_context *context);
/* Print the name of the machine that files describe, the origin of their numbers, and the number of
 * nodes, a line each. Prints nothing of this machine. */
void zoid_context_print_machine(const struct zoid_context *context, FILE *out);
/* Return the problem with this machine's file of rates because of which defaults are used; NULL: no
 * problem. Owned by the context. */
const char *zoid_context_note(const struct zoid_context *context);

/* ---- operators ----------------------------------------------------------------------------- */

/* Add the operators of a table that zoid_add_operators has made for this program to those of the
 * library, for the rest of the process: `table` returns variant i, and NULL past the end.
 * zoid_op_at returns copies, whose parameters have the names of their settings (docs/library.md).
 * Adds nothing if they were added before. Thread-safe. ZOID_BAD_ARGUMENT, and nothing is added: an
 * operator has the name of another one, or no code for the best instruction set of this processor,
 * or parameters whose settings would have one name. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_operators_add(const struct zoid_op *(*table)(size_t i));
/* Print in which ways an operator can run on a large domain with dirichlet faces, or bare ones: a
 * line for each method, for runners on cores, for GPUs and for cells of planes, which says yes, or
 * no and why. */
void zoid_op_print_ways(const struct zoid_op *op, FILE *to);

/* ---- the problem and its plan ------------------------------------------------------------ */

struct zoid_problem {
    const struct zoid_op *op;
    long n[ZOID_AXES]; /* points along each axis; 1 beyond the operator's dimensions */
    /* Steps done before: time counts from 0 through all jobs of a run. */
    long start;
    long steps;
    /* zoid_op_defaults; then values in their ranges, spacing, tables, and if faces absorb or are
     * pml, speed */
    struct zoid_params params;
    /* enum zoid_boundary of each face; DIRICHLET beyond the operator's dimensions, and if the
     * operator has edges of its own. */
    unsigned char face[ZOID_AXES][ZOID_SIDES];
    /* Sources and receivers, owned by the caller and kept as long as there is a job; may be
     * NULL. */
    const struct zoid_points *points;
};

/* Return the bytes of all fields, each counted once; UINT64_MAX: too many to count. */
uint64_t zoid_problem_bytes(const struct zoid_problem *problem);

/* Return the name that --boundary accepts. */
const char *zoid_boundary_name(enum zoid_boundary boundary);
/* Return the box of the whole planes [lo, hi) of the domain. */
struct zoid_box zoid_problem_planes(const struct zoid_problem *problem, long lo, long hi);
/* Validate a problem. ZOID_BAD_ARGUMENT: a domain that is empty, has axes that the operator does
 * not have, or is too large to count; parameters out of range; boundary conditions that the
 * operator does not support or that do not go together; too many steps; sources or receivers that
 * the operator does not support, or that lie outside of the domain or in layers whose values are
 * constant; an operator that no method or sweep can run. ZOID_DOES_NOT_FIT: more than 2^58
 * bytes. */
enum zoid_status zoid_problem_check(const struct zoid_problem *problem);

/* Whether transfers overlap computation. OFF is for comparisons: a block starts when its slabs have
 * arrived, and the next block's transfers start when it has ended and its slabs are home. Blocks
 * that run at the same time do this together. */
enum zoid_overlap { ZOID_OVERLAP_DEFAULT, ZOID_OVERLAP_ON, ZOID_OVERLAP_OFF };

/* How ranks exchange halos. DIRECT: each cell with all cells around it, across edges and corners
 * too, in one round. JOINED: axis by axis (aggregated), each round with the data that earlier
 * rounds have brought: fewer messages, one round per axis. */
enum zoid_exchange { ZOID_EXCHANGE_AUTO, ZOID_EXCHANGE_DIRECT, ZOID_EXCHANGE_JOINED };

/* Places that compute a run: those that the planner expects to be fastest, GPUs alone, cores alone,
 * or several, each its part of the planes, or each the blocks that StarPU's scheduler deals it.
 * With named places CPU is the first of them, and GPU the last one, whatever they are. */
enum zoid_balance {
    ZOID_BALANCE_AUTO,
    ZOID_BALANCE_GPU,
    ZOID_BALANCE_CPU,
    ZOID_BALANCE_SPLIT,
    ZOID_BALANCE_SCHEDULER,
    ZOID_BALANCES
};

/* Special values of zoid_request.strip: without strips; with strips whose number of rows the
 * planner chooses. */
enum { ZOID_STRIP_NONE = -1, ZOID_STRIP_SOME = -2 };

struct zoid_plan;

/* Requested choices of a plan; 0 or NULL leaves a choice to the planner. */
struct zoid_request {
    const char *method;       /* NULL or "auto", or the name of a method or an alias */
    long block, depth, strip; /* planes of a slab, steps of a visit, rows of a strip */
    /* Cells (subdomains) of each rank along each axis; all 0: as `strip` says. */
    long cells[ZOID_AXES];
    /* Ranks along each axis; all 0: the planner chooses a grid. */
    long ranks[ZOID_AXES];
    /* Steps between two halo exchanges of cells; 0: those of a visit, or of several, as the planner
     * chooses. */
    long epoch;
    enum zoid_exchange exchange; /* between ranks */
    /* Bytes of a block that recursion does not cut further; requires a method that recurses. */
    uint64_t leaf;
    enum zoid_traversal traversal[ZOID_ANY]; /* of blocks on cores, and on GPUs */
    /* Refuse an alias that stands for another traversal, even if `traversal` is BEST. */
    bool traversal_named[ZOID_ANY];
    enum zoid_overlap overlap;
    /* Budget of each tier, in bytes. 0: the bytes of main memory that the context has found free
     * and its other jobs leave, those that are free on its disk, or its limit for each GPU. */
    uint64_t budget[ZOID_TIERS];
    /* Folders of the tiers beyond main memory; NULL: those of the context, if it has any. Opened at
     * their first request, and kept until the context closes: 8 at most. */
    const char *folder[ZOID_TIERS];
    bool again; /* the job may run again, which can take more memory: see zoid_job_run */
    /* Only for zoid_plans_make: */
    enum zoid_balance balance;
    const char
        *places;     /* as in "cores:2+gpus", the lower planes first; NULL: those that are there */
    long split_at;   /* planes of the first place to begin with; 0: the planner chooses */
    bool split_stay; /* the border stays there */
    struct {         /* as above, for all places but the last */
        const char *method;
        long block, depth;
        int team;
    } cores;
    int lanes; /* 0: the planner chooses; at most two per GPU, or one per core */
    int team;  /* cores that compute a block together; 0: the planner chooses */
    /* Called with every candidate that fits; the planner then also tries epochs of two and four
     * visits if the domain is cut. NULL: most candidates are not even counted. */
    void (*each)(void *self, const struct zoid_plan *plan);
    void *self;
};

/* Resources that a run can keep busy. COMPUTE: kernels on points in a cache, and all kernels of
 * GPUs. MEMORY: cores that wait for data from memories beyond their own cache. LINK: transfers to
 * GPUs (UP), from them (DOWN) and between them (PEER). DISK: transfers from and to it. TASK:
 * StarPU's overhead. MESSAGE: messages between ranks, and the wait for them. */
enum zoid_resource {
    ZOID_COST_COMPUTE,
    ZOID_COST_MEMORY,
    ZOID_COST_LINK_UP,
    ZOID_COST_LINK_DOWN,
    ZOID_COST_LINK_PEER,
    ZOID_COST_DISK,
    ZOID_COST_TASK,
    ZOID_COST_MESSAGE,
    ZOID_COSTS
};

/* Predicted cost of a plan, in seconds. */
struct zoid_cost {
    double seconds;          /* of the run, */
    double alone;            /* and without messages between ranks */
    double part[ZOID_COSTS]; /* during which each resource is busy */
    /* Worker-seconds in blocks. Cores: `near`, as if all data were in a core's own cache; `far`,
     * the additional time for data from farther away. GPUs: `near`, in kernels; `far`, between the
     * kernels of a block. */
    double near, far;
    double waits;    /* factor for waiting in `seconds`; 0: no worker waits for another */
    bool calibrated; /* from measured rates, not defaults: see zoid-info --calibrate */
    bool replayed;   /* `seconds` are of a rank's blocks and messages one by one, not of sums */
};

/* Workers of one kind that take blocks of a graph, as other crews do. */
enum { ZOID_PARTS_MOST = 4 };
struct zoid_crew {
    enum zoid_place_kind kind;
    int first, workers; /* of StarPU's of that kind */
    double pace;        /* predicted seconds of a worker for a point */
};

/* A kind of device that runs blocks of a plan. */
struct zoid_place {
    enum zoid_place_kind kind;
    int workers;                /* CPU cores, or teams of them, or GPUs that take part: */
    int first;                  /* from this one of StarPU's on, of that kind */
    bool shares;                /* others of that kind compute other parts */
    int busy;                   /* cores that other parts keep busy at the same memory */
    int team;                   /* cores of a worker; 1 on GPUs */
    enum zoid_tier_kind memory; /* tier in which blocks access their data */
    enum zoid_traversal traversal[ZOID_ANY]; /* of blocks, by the kind of their worker */
    int lanes;                               /* lanes of the graph that it runs */
    /* On cores, the runner of blocks, the operator's own or one for all operators; NULL: sweeps. */
    const struct zoid_block_runner *runner;
    bool spares; /* the runner leaves the scratch buffer of its blocks untouched */
    /* Of ANY place: the workers of each kind or place named, the policy of StarPU that deals them
     * blocks, and the most blocks in flight; 0: unlimited by memory. */
    int crews;
    struct zoid_crew crew[ZOID_PARTS_MOST];
    const char *policy;
    long flight;
};

/* A memory tier of a plan; for GPUs, the memory of each. */
struct zoid_tier {
    const char *name;  /* "gpu", "ram" or "disk" */
    uint64_t capacity; /* bytes that may be used */
    uint64_t bytes;    /* in use at once, at most the capacity */
    uint64_t grain;    /* allocation unit: bytes of a datum are rounded up to a multiple */
    double up;         /* seconds per byte towards the device: into a GPU, or from a disk; */
    double down;       /* and away from it; both are 0 for main memory, where all links end */
};

/* How many data of a kind a tier holds at once. NONE: no data, or in main memory only those that
 * StarPU evicts to it. BLOCKS: the data of blocks that are about to run. OPEN: the data that passes
 * have open. ALL: all of them. */
enum zoid_keep { ZOID_KEEP_NONE, ZOID_KEEP_BLOCKS, ZOID_KEEP_OPEN, ZOID_KEEP_ALL };

/* For a kind of data: bytes of all, bytes of the largest, and the number of data with any bytes. */
struct zoid_byte_sums {
    uint64_t all, most, data;
};

/* For ranks, the choices that came second: of the plans that were compared, the fastest one with
 * another epoch, exchange or grid. Seconds 0: all had the same. */
struct zoid_seconds {
    long epoch, ranks[ZOID_AXES];
    enum zoid_exchange exchange;
    struct {
        double epoch, exchange, ranks;
    } seconds;
};

struct zoid_plan {
    struct zoid_problem problem;
    struct zoid_graph graph; /* method, block, depth and lanes as they will run */
    struct zoid_census census;
    /* Memory layout of planes; if they are cut, of the first cell's. */
    struct zoid_layout layout;
    int ways;                /* associativity of the level-1 cache that the layout is for; 0: any */
    const char *alias;       /* requested alias, or NULL */
    bool serial;             /* transfers do not overlap computation */
    bool clamped;            /* it has less than the request names */
    struct zoid_place place; /* devices that run its blocks */
    struct zoid_tier tier[ZOID_TIERS];
    enum zoid_tier_kind home; /* of slabs, coefficients and memory: main memory or the disk */
    const char *folder;       /* of the home, owned by the context; NULL: main memory */
    enum zoid_keep keep[ZOID_KINDS][ZOID_TIERS];
    long scratch_planes;                   /* per worker */
    uint64_t bytes[ZOID_KINDS];            /* in main memory at once, by kind of datum */
    struct zoid_byte_sums pieces;          /* coefficients that are stored in pieces (segments) */
    struct zoid_byte_sums memory;          /* of layers that match, in pieces, too */
    struct zoid_byte_sums messages;        /* messages between ranks, */
    struct zoid_byte_sums remote_messages, /* those of them that other processes send or receive, */
        remote_beside;      /* and of these, those slab by slab, not up or down the chain axis */
    uint64_t scratch_bytes; /* of all workers */
    uint64_t handle_bytes;  /* StarPU's own memory for the handles of all data */
    uint64_t record_bytes;  /* sources, receivers and their samples */
    uint64_t staging_bytes; /* planes on their way into a state on disk, and out of it */
    /* Length of a schedule on cores, as a fraction of the time of all blocks in sequence; 0:
     * unknown. */
    double turns;
    struct zoid_cost cost; /* predicted */
    struct zoid_seconds second;
    char reason[384]; /* why this method and these parameters were chosen */
};

/* Plans of the parts of a run, each computed by a place of its own: the lower planes first. */
struct zoid_plans {
    int parts;
    struct zoid_plan part[ZOID_PARTS_MOST];
    int place[ZOID_PARTS_MOST];       /* number of each part's place */
    long border[ZOID_PARTS_MOST + 1]; /* planes at which parts begin and end; the graphs refer to
                                         them, so plans of several parts are not copied */
    bool moves;                       /* the border moves to where two parts take as long */
    /* Places that were to be chosen among, or 0; and predicted seconds of each by itself: 0 means
     * that it was not planned so. */
    int places;
    struct zoid_place seat[ZOID_PARTS_MOST]; /* their kinds and workers */
    const char *named; /* as in zoid_request.places, if the planner chose them: static; or NULL */
    double alone[ZOID_PARTS_MOST];
    /* How the places are used; and otherwise, if that is predicted to be within 5 %: a trial of
     * both shows which is faster. */
    enum zoid_balance balance, second;
    enum zoid_balance next; /* the best of all others that were planned, */
    double next_seconds;    /* 0: it was the only one */
};

/* Choose a method and its parameters, and prove that they fit, before anything is allocated. The
 * plan refers to the problem's operator and points. Collective: the first rank makes the plan, and
 * each takes it for its own part. A process without other ranks may plan for any number of them, as
 * the rank that sends most, but cannot create a job from that plan.
 *
 * ZOID_BAD_ARGUMENT: a problem that zoid_problem_check refuses; an unknown method, or one that does
 * not support the boundary conditions (names one that does); a slab that is too low for the method
 * (names the lowest that works); an alias together with a choice that it does not stand for; ranks
 * that the domain cannot be divided among; a ninth folder. ZOID_DOES_NOT_FIT: a budget is too small
 * (names the smallest that works, in MiB). ZOID_RESOURCE: too little disk space, a folder in which
 * no file can be created, no device that runs the operator, or more ranks than the domain can be
 * cut for. */
enum zoid_status zoid_plan_make(const struct zoid_context *context,
                                const struct zoid_problem *problem,
                                const struct zoid_request *request, struct zoid_plan *plan);
/* Plan for several places, or as zoid_plan_make for one, as request->balance says. The failures are
 * those, and ZOID_BAD_ARGUMENT: places that cannot be named so, or cannot share the domain. */
enum zoid_status zoid_plans_make(const struct zoid_context *context,
                                 const struct zoid_problem *problem,
                                 const struct zoid_request *request, struct zoid_plans *plans);
/* Print one `key value` per line. */
void zoid_plan_print(const struct zoid_plan *plan, FILE *out);
/* The same of the last place, then lines of each place. */
void zoid_plans_print(const struct zoid_plans *plans, FILE *out);

/* Bytes transferred between memories: to GPUs, from GPUs, between GPUs, and between main memory and
 * the disk. */
struct zoid_traffic {
    double h2d, d2h, p2p, disk_read, disk_write;
};

/* ---- a run ------------------------------------------------------------------------------- */

/* A result that a program derives from the final state: a number, or a word if `text` is not
 * NULL. */
struct zoid_derived {
    const char *name;
    double value;
    const char *text;
};
enum { ZOID_MAX_DERIVED = 8 };

/* One rank's part of the fields with these names in a zoid_report. */
struct zoid_rank_report {
    double messages, mpi, waiting, busy_workers;
    double block_seconds; /* of all its workers, in blocks */
    double stream;        /* digest of its blocks and messages, in the order of submission */
};

/* One place's part of a run, of several. */
struct zoid_place_report {
    const char *kind, *method; /* kind: "cores" or "gpus"; method: NULL if it had no part */
    int workers, team, lanes;
    long planes, block, depth; /* planes: at the end; 0: it has blocks anywhere */
    enum zoid_traversal traversal;
    double useful, redundant; /* points */
    double seconds, waiting;  /* of a worker: at work, and not */
    double predicted_seconds;
};

/* The border between two places: planes of the lower one, first and last, and after which steps it
 * moved. */
enum { ZOID_BORDERS_MOST = 64 };
struct zoid_border_report {
    long first, last, moves;
    double seconds; /* of all moves */
    struct {
        long step, planes;
    } way[ZOID_BORDERS_MOST]; /* of the first moves */
};

/* Files written between the legs of a run. */
struct zoid_kept_report {
    long written;
    double seconds, bytes;
};

/* Report of a finished run; unknown numbers are NaN. */
struct zoid_report {
    char app[32];
    const char *settings; /* those of the run that were set, a JSON object; NULL: not known */
    const struct zoid_op *op;
    long size[ZOID_AXES], steps;
    long start; /* step at which the run began, counted from time 0 */
    uint64_t seed;
    const char *method, *alias; /* alias: as requested, or NULL */
    int team;                   /* cores that compute a block together */
    long block, depth, strip;   /* strip: rows of the largest cell; 0: no cut along that axis */
    /* Jin's bound on the depth, by what this rank measured; 0: slabs did not stream through GPUs
     * alone. */
    double jin_depth;
    long cells[ZOID_AXES], epoch; /* cells: of each rank; epoch: 0: one cell */
    long epochs;                  /* their number, of all legs; 0: one cell */
    long ranks[ZOID_AXES];
    enum zoid_exchange exchange; /* between ranks */
    enum zoid_traversal traversal;
    bool serial; /* transfers did not overlap computation */
    bool clamped;
    double seconds, gups; /* gups: GPts/s, 10^9 useful point updates per second */
    const char *check;    /* "passed", "failed" or "off" */
    int cpu_workers, cuda_workers;
    double busy_workers;                              /* mean number */
    double h2d, d2h, p2p, disk_read, disk_write, mpi; /* bytes, of all ranks */
    struct zoid_traffic planned; /* of these, if every datum is transferred once per visit */
    double messages;             /* sent between ranks */
    /* Worker-seconds of idle time while some block waited for nothing but a message of another
     * rank. */
    double waiting;
    /* Workers of all ranks that take blocks, seconds that the busier way of each rank's links to
     * GPUs takes for the bytes that it moved, and that its link to the network takes for those that
     * it sent, by the rates of the machine. */
    int takers;
    double link_seconds, network_seconds;
    /* One entry per rank, owned by the job and valid until it runs again or is destroyed; NULL: one
     * rank. */
    const struct zoid_rank_report *each;
    int places;                /* that shared the run, or might have; 0: there was one */
    enum zoid_balance balance; /* how it ended */
    struct zoid_place_report place[ZOID_PARTS_MOST];
    struct zoid_border_report border;
    const char *disk_folder;  /* NULL: no data was on disk */
    bool disk_direct;         /* transfers bypassed the system's page cache */
    double useful, redundant; /* point updates */
    long tasks;
    double predicted_seconds;
    /* Seconds of all cores, or GPUs, in blocks; NaN with several ranks. */
    double core_seconds, predicted_core_seconds;
    const char *bound;     /* the predicted bottleneck, a resource; NULL: unknown */
    double bound_fraction; /* predicted fraction of the run during which it is busy */
    const char *rates;     /* "calibrated" or "default": rates that the prediction uses */
    struct zoid_kept_report checkpoints, snapshots;
    struct zoid_derived derived[ZOID_MAX_DERIVED]; /* ends with an entry whose name is NULL */
};

/* Print one `key value` per line, in the order of the JSON. The caller checks the stream's error
 * flag. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_report_print(const struct zoid_report *report, FILE *out);
/* Print the same as JSON. */
enum zoid_status zoid_report_json(const struct zoid_report *report, FILE *out);

/* The functions of a job are collective: all ranks call them in the same order. A job has its
 * rank's part of the state, and fills it by that rank's callbacks alone; data that are read are
 * returned on all ranks. If a call fails on one rank alone, the others keep waiting for it: that
 * rank must end them (MPI_Abort), without closing its context. */
struct zoid_job;
/* Allocate the memory that the plan lists, and no more. The context must outlive the job; the plan
 * is copied. ZOID_RESOURCE: out of memory or disk space, or a plan for another number of ranks.
 * ZOID_DOES_NOT_FIT: jobs that were created since it was planned leave too little main memory. */
enum zoid_status zoid_job_create(struct zoid_context *context, const struct zoid_plan *plan,
                                 struct zoid_job **job);
/* The same for the plans of several places. */
enum zoid_status zoid_job_create_parts(struct zoid_context *context, const struct zoid_plans *plans,
                                       struct zoid_job **job);
void zoid_job_destroy(struct zoid_job **job);

/* View of the values of a box. The values of a point, of the operator's type and width, are
 * contiguous. `at` is the lowest point, and stride[a] the offset, in points, to the next point
 * along axis a. Points are contiguous along x: stride[0] is 1. */
struct zoid_values {
    void *at;
    long stride[ZOID_AXES];
};

/* Return the view of a contiguous buffer of all points of a box, x fastest. */
struct zoid_values zoid_values_packed(const struct zoid_box *box, void *at);
/* Return the row at offsets y and z from the lowest one; `size` is the bytes of a point
 * (zoid_op_point_bytes). */
static inline void *zoid_values_row(const struct zoid_values *values, size_t size, long y, long z)
{
    return (char *)values->at + (y * values->stride[1] + z * values->stride[2]) * (long)size;
}

/* Callback that writes the values of a box of a field; coefficient fields have the indices after
 * the state's. */
typedef void zoid_box_fn(void *user, int field, const struct zoid_box *box,
                         const struct zoid_values *to);
/* Set the initial state and the coefficients. Calls `box`, in any order and from several threads at
 * once, for boxes that together cover the domain. Boxes may be parts of planes and may overlap;
 * points that they share must get the same value each time. Call once, before the job runs.
 * ZOID_BAD_ARGUMENT: the job has run. ZOID_RESOURCE: the disk failed. */
enum zoid_status zoid_job_fill(struct zoid_job *job, zoid_box_fn *box, void *user);
/* Callback that writes the coefficients of planes [lo, hi); the operator determines the number of
 * bytes. */
typedef void zoid_piece_fn(void *user, long lo, long hi, void *bytes);
/* Set coefficients that are stored in pieces, which zoid_job_fill leaves out. Calls `piece` once
 * for each, in any order and from several threads at once. ZOID_BAD_ARGUMENT: the operator has no
 * such coefficients, or the job has run. ZOID_RESOURCE: the disk failed. */
enum zoid_status zoid_job_fill_pieces(struct zoid_job *job, zoid_piece_fn *piece, void *user);
/* Set all of the state again, to that after `start` steps from time 0; the coefficients stay. With
 * other sources and receivers, kept by the caller as those of a problem are, or the same ones if
 * `points` is NULL. ZOID_BAD_ARGUMENT: the job was not filled, or its plan was made without
 * zoid_request.again; points that zoid_problem_check refuses. ZOID_DOES_NOT_FIT: their record does
 * not fit into the plan's budget. The job is unchanged after these. ZOID_RESOURCE: out of memory,
 * or the disk failed; the state is lost. */
enum zoid_status zoid_job_refill(struct zoid_job *job, long start, const struct zoid_points *points,
                                 zoid_box_fn *box, void *user);
/* Run the problem's steps from the current state, and fill the report except for app, seed, check
 * and derived, which the program sets. `progress` passes a line to the log every second, or every
 * minute if stderr is no terminal: done, passes, the rate of the last pass, time left. A job runs
 * once after it was filled; if its plan was made with zoid_request.again, any number of times, each
 * from the end of the run before. The state does not depend on how the steps are divided into runs.
 * A run that fails leaves no valid state. */
enum zoid_status zoid_job_run(struct zoid_job *job, bool progress, struct zoid_report *report);
/* Run `steps` steps instead; a number other than the problem's requires zoid_request.again.
 * ZOID_DOES_NOT_FIT: a run of that length exceeds the plan's budgets. */
enum zoid_status zoid_job_run_steps(struct zoid_job *job, long steps, bool progress,
                                    struct zoid_report *report);
/* Mirror the state and the coefficients in place along all axes: point p of an axis of n points
 * becomes point n - 1 - p, and a descending sweep becomes an ascending one. Later reads and refills
 * use the mirrored order. Collective. ZOID_BAD_ARGUMENT: the job was not filled, has coefficients
 * in pieces, or has cells other than those of ranks that take turns. ZOID_RESOURCE: disk, memory,
 * or no CPU worker. */
enum zoid_status zoid_job_mirror(struct zoid_job *job);
/* End the current run, or the next one if no run is in progress, after the earliest possible pass,
 * or with cells, epoch, so that all of the state is of one time, zoid_job_steps. Thread-safe, and
 * allowed in signal handlers. Any one of several ranks may call it: all end after the same step,
 * one epoch later than a single rank would, but only if the job may run again. */
void zoid_job_stop(struct zoid_job *job);
/* Return the number of steps from time 0 to the state that can be read now. */
long zoid_job_steps(const struct zoid_job *job);
/* Copy a box of a state field to `to`, as it is after the last step (before the run: as it was
 * filled). Planes are best read in order. ZOID_BAD_ARGUMENT: no such field, or a box that is not
 * inside the domain. ZOID_RESOURCE: the disk failed. */
enum zoid_status zoid_job_read(const struct zoid_job *job, int field, const struct zoid_box *box,
                               const struct zoid_values *to);

/* Copy the samples of all receivers at a step to `seen`, one value each in the problem's order.
 * Steps range from the one that the job was filled at to zoid_job_steps. ZOID_BAD_ARGUMENT: the
 * step was not recorded. */
enum zoid_status zoid_job_record(const struct zoid_job *job, long step, double *seen);

/* Callback that takes the next `bytes` of a field, the values of `box`, in one contiguous
 * buffer. */
typedef enum zoid_status zoid_part_fn(void *user, const struct zoid_box *box, const void *values,
                                      size_t bytes);
/* Read a state field from its first value to its last, x fastest, and pass it to `part` in parts.
 * Returns on all ranks at the first status of `part` other than ZOID_OK; fails as zoid_job_read
 * does. */
enum zoid_status zoid_job_each(const struct zoid_job *job, int field, zoid_part_fn *part,
                               void *user);

/* ---- band matrices: A^k x, see codelets/matrix.h ------------------------------------------ */

struct zoid_matrix;
struct zoid_band;

/* Create a matrix from a copy of compressed rows. ZOID_BAD_ARGUMENT: no rows, or a row that struct
 * zoid_csr does not allow (named in the message). ZOID_DOES_NOT_FIT: an entry 2^31 columns or more
 * from the diagonal. The caller destroys *matrix (zoid_matrix_destroy, in zoid_session.h). */
enum zoid_status zoid_matrix_create(const struct zoid_csr *csr, struct zoid_matrix **matrix);
struct zoid_matrix_about zoid_matrix_about(const struct zoid_matrix *matrix);
/* Pass all entries of row i to `put`, by ascending column. */
void zoid_matrix_row(const struct zoid_matrix *matrix, long i, zoid_entry_fn *put, void *into);

/* Create an operator from a matrix, which must outlive it. Steps compute the power A^k x until
 * zoid_band_set_terms changes that. ZOID_DOES_NOT_FIT: diagonals larger than any memory. */
enum zoid_status zoid_band_create(const struct zoid_band_options *options, struct zoid_band **band);
/* Call after all jobs of its operator are destroyed. */
void zoid_band_destroy(struct zoid_band **band);
/* Set the polynomial: step start + 1 + i from time 0 uses term[i], which is copied; steps before
 * and after these use the first and the last term. Do not call while a job runs. ZOID_BAD_ARGUMENT:
 * no terms, or one that needs an option that the band was created without. */
enum zoid_status zoid_band_set_terms(struct zoid_band *band, long start,
                                     const struct zoid_term *term, long terms);
/* Return the operator for problems, owned by the band. Their domain is a line with one point per
 * row of the matrix. */
const struct zoid_op *zoid_band_op(const struct zoid_band *band);
/* Set the coefficients of a job of that operator, as zoid_job_fill_pieces does. */
enum zoid_status zoid_band_fill(const struct zoid_band *band, struct zoid_job *job);

/* ---- initial states and the reference ----------------------------------------------------- */

/* POINT: 1 at the centre of the domain, 0 elsewhere. HOT: 1 in the first plane of the slowest axis,
 * 0 elsewhere. */
enum zoid_init { ZOID_INIT_RANDOM, ZOID_INIT_ZERO, ZOID_INIT_POINT, ZOID_INIT_HOT };

struct zoid_initial {
    const struct zoid_problem *problem;
    enum zoid_init kind;
    uint64_t seed;
    /* State fields are `border` in the domain's outermost layer, unless `state` makes them. */
    bool bordered;
    double border;
    zoid_box_fn *coefficients; /* makes the coefficients, from `user`; NULL: as `kind` says */
    void *user;
    zoid_box_fn *state; /* makes the state fields, from `of`; NULL: as `kind` says */
    /* Makes the memory of layers that match (ZOID_PML), from `of`: that of the layer at a face in
     * a plane of the chain axis, psi, P and zeta of its points, x fastest. NULL: 0. */
    void (*memory)(void *of, int axis, int side, long plane, void *values);
    void *of;
};

/* Fill a box of an initial state; a zoid_box_fn whose user is a struct zoid_initial. */
void zoid_initial_box(void *initial, int field, const struct zoid_box *box,
                      const struct zoid_values *to);

/* Check that the reference's fields fit into main memory besides the plan, before its job is
 * created, and all jobs that there are. ZOID_DOES_NOT_FIT: they do not. ZOID_BAD_ARGUMENT: the
 * operator has no reference. */
enum zoid_status zoid_check_fits(const struct zoid_context *context, const struct zoid_plan *plan);
/* Run the plain loop nest from the state that the job was filled with last, and compare every byte
 * of every state field, and the receivers' samples. Collective. ZOID_CHECK_FAILED: names the first
 * difference and counts all of them. ZOID_DOES_NOT_FIT: out of memory. */
enum zoid_status zoid_check(const struct zoid_job *job, struct zoid_initial *initial);

#ifdef __cplusplus
}
#endif
#endif
