/* SPDX-License-Identifier: BSD-3-Clause */
/* The public interface: open a machine, plan a problem, run it, read the field.
 *
 * Everything that can fail returns a zoid_status and leaves one line for zoid_error() that says
 * what is wrong and what to do; after a failure outputs are untouched. Destroy functions take the
 * address of the handle, accept NULL in it, and null it. One context a process at a time; handles
 * may not be shared between threads. */
#ifndef ZOID_RUNTIME_ZOID_H
#define ZOID_RUNTIME_ZOID_H

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

#ifdef __cplusplus
extern "C" {
#endif

/* Also the exit codes of the apps. */
enum zoid_status {
    ZOID_OK = 0,
    ZOID_CHECK_FAILED = 1,
    ZOID_BAD_ARGUMENT = 2,
    ZOID_DOES_NOT_FIT = 3,
    ZOID_RESOURCE = 4,
    ZOID_STOPPED = 5 /* before its end, and can go on; nothing has failed */
};

/* Return the message of the calling thread's last failure, in which settings stand by key, as in
 * "needs 1 MiB of main memory; use ram=1M", and the key of the first of them ("": none). Valid
 * until the thread's next failure; success does not clear them. Never NULL. */
const char *zoid_error(void);
const char *zoid_error_key(void);
/* Write that message with settings by key (ram=1M), as options of a program (--ram 1M) or as
 * arguments in Python (ram="1M"). Returns as snprintf. */
enum zoid_names { ZOID_NAMES_KEYS, ZOID_NAMES_OPTIONS, ZOID_NAMES_PYTHON };
size_t zoid_error_text(enum zoid_names names, char *text, size_t size);
/* Set the calling thread's failure and return status. {key} and {key=%d} in the format name
 * settings. */
enum zoid_status zoid_fail(enum zoid_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

const char *zoid_version(void);

/* ---- the machine ------------------------------------------------------------------------- */

enum { ZOID_MAX_CACHES = 4 };

struct zoid_machine {
    char cpu[128]; /* model, as the system names it */
    enum zoid_isa isa;
    int cores, packages, numa_nodes;
    uint64_t cache[ZOID_MAX_CACHES];    /* data caches, level 1 first; 0: none such */
    int cache_sharers[ZOID_MAX_CACHES]; /* cores that share one */
    uint64_t ram, ram_available;
    int ranks;                     /* processes that work together; 1 until a context is open */
    int cpu_workers, cuda_workers; /* 0 until a context is open */
    char gpu[128];                 /* the first GPU's name; empty: none, or no context is open */
    int gpu_processors;            /* multiprocessors of that one, */
    uint64_t gpu_shared;           /* and bytes of shared memory for a block of threads */
    uint64_t gpu_mem;              /* bytes that may be used of each GPU's memory; 0: no GPU */
    const char *starpu;            /* its version */
    bool starpu_fxt, starpu_cuda, starpu_mpi;
    bool build_cuda, build_mpi;
};

/* What this machine is, without starting StarPU. */
enum zoid_status zoid_machine_probe(struct zoid_machine *machine);
/* `key value` a line, then a line `missing ...` for each capability this build or machine lacks. */
void zoid_machine_print(const struct zoid_machine *machine, FILE *out);

/* What seconds are predicted from: rates that were measured and kept in a file, or defaults.
 * Programs that learn also measure, before a run, what the file lacks; the library takes that as
 * keeping. */
enum zoid_rates_use {
    ZOID_RATES_UNSAID, /* what the environment's ZOID_RATES_MODE says, if it is set; else keep */
    ZOID_RATES_LEARN,
    ZOID_RATES_KEEP,
    ZOID_RATES_DEFAULT
};

/* Who computes, and where data lie. The tier that is nearest to who computes comes first. Tiers
 * before main memory belong to places; tiers beyond it are the home of data that main memory has no
 * room for. */
enum zoid_place_kind { ZOID_CORES, ZOID_GPUS, ZOID_PLACES };
enum zoid_tier_kind { ZOID_GPU_MEMORY, ZOID_RAM, ZOID_DISK, ZOID_TIERS };

struct zoid_context_options {
    uint64_t gpu_mem;  /* bytes of each GPU's memory to use at most; 0: all of it */
    const char *trace; /* a folder for a trace of what is run, made if missing; NULL: no trace */
    const char
        *folder[ZOID_TIERS]; /* of the tiers beyond main memory; NULL: the tier is not used */
    enum zoid_rates_use rates;
    bool oversubscribe; /* there may be more ranks on a host than cores */
};

struct zoid_context;
/* Starts StarPU; options may be NULL. Fails with ZOID_RESOURCE when no worker starts, when a GPU is
 * asked for and there is none, when a trace is and cannot be, or when no file can be made in a
 * tier's folder. ZOID_BAD_ARGUMENT: there is a context already.
 *
 * Where a launcher started several ranks, all of them open a context, with the same options, and
 * all close it; what one meets all return. MPI is started unless the caller has done that, with
 * MPI_THREAD_MULTIPLE, and is then ended by zoid_ranks_end. ZOID_RESOURCE also when the ranks find
 * no MPI, or not each other, and when a host has fewer cores than ranks. Each rank takes a part of
 * its host, and of what is there, and is bound to its cores. */
enum zoid_status zoid_context_open(const struct zoid_context_options *options,
                                   struct zoid_context **context);
/* Stops StarPU and makes the files of the trace. Fails, with everything released all the same, when
 * these cannot be made. */
enum zoid_status zoid_context_close(struct zoid_context **context);
/* Before a process of several ends as it should: waits for the others, and ends the MPI that a
 * context started. Not to be followed by another context. */
void zoid_ranks_end(void);
const struct zoid_machine *zoid_context_machine(const struct zoid_context *context);
/* What is wrong with the file of this machine's rates, so that defaults are used; NULL: nothing. */
const char *zoid_context_note(const struct zoid_context *context);

/* ---- the problem and its plan ------------------------------------------------------------ */

struct zoid_problem {
    const struct zoid_op *op;
    long n[ZOID_AXES]; /* 1 beyond the operator's dimensions */
    long start; /* whole steps that were done before: time is counted from 0 in all of a run's jobs
                 */
    long steps;
    struct zoid_params params; /* zoid_op_defaults, or others in their ranges */
    /* enum zoid_boundary; DIRICHLET beyond the operator's dimensions and where it has edges of its
     * own. */
    unsigned char face[ZOID_AXES][ZOID_SIDES];
    /* Sources and receivers, which the caller keeps while there is a job; NULL: none. */
    const struct zoid_points *points;
};

/* Bytes of all its fields, each once; UINT64_MAX: more than can be counted. */
uint64_t zoid_problem_bytes(const struct zoid_problem *problem);

const char *zoid_boundary_name(enum zoid_boundary boundary);
/* Whether the operator can have that boundary at a face. */
bool zoid_op_allows(const struct zoid_op *op, enum zoid_boundary boundary);
/* The operator's shape on the problem's domain, with the problem's boundaries. */
struct zoid_shape zoid_problem_shape(const struct zoid_problem *problem);
/* The planes [lo, hi) of the problem's domain, which are whole. */
struct zoid_box zoid_problem_planes(const struct zoid_problem *problem, long lo, long hi);
/* ZOID_BAD_ARGUMENT: a domain that is empty, has axes the operator has not, or is too large to be
 * counted; parameters out of their ranges; boundaries that the operator cannot have or that do not
 * go together; too many steps; sources or receivers that the operator cannot have, or that are
 * outside of the domain or where its values stay. */
enum zoid_status zoid_problem_check(const struct zoid_problem *problem);

/* Whether data move while blocks run. OFF is for comparisons: a block starts when its slabs are
 * there, and the next one's move when it has ended and its slabs are home. Blocks that run at the
 * same time do all of this together. */
enum zoid_overlap { ZOID_OVERLAP_DEFAULT, ZOID_OVERLAP_ON, ZOID_OVERLAP_OFF };

/* As --overlap takes it. */
const char *zoid_overlap_name(enum zoid_overlap overlap);

/* How ranks exchange what they need of one another. DIRECT: each cell with all around it, across
 * edges and corners, too, in one round. JOINED: axis by axis, each round with what the ones before
 * have brought: fewer messages, and as many rounds as axes. */
enum zoid_exchange { ZOID_EXCHANGE_AUTO, ZOID_EXCHANGE_DIRECT, ZOID_EXCHANGE_JOINED };

/* As --exchange takes it. */
const char *zoid_exchange_name(enum zoid_exchange exchange);

/* A name that a paper gave to some choices of a request, and these choices. */
struct zoid_alias {
    const char *name;
    const char *method;
    enum zoid_traversal traversal;
    enum zoid_overlap overlap;
    long depth;  /* 0: any */
    bool strips; /* planes are cut, too; otherwise they are not */
    bool ranks;  /* of several ranks each has a part of all planes: the slowest axis stays whole */
    bool single; /* a cell is a slab, and goes through an epoch in one visit; cells may be named */
};

/* All of them, one without a name at the end. */
extern const struct zoid_alias zoid_aliases[];
const struct zoid_alias *zoid_alias_find(const char *name);

/* Special values of a request's strip: NONE forbids strips; SOME wants them and lets the planner
 * choose how many rows a strip has. */
enum { ZOID_STRIP_NONE = -1, ZOID_STRIP_SOME = -2 };

struct zoid_plan;

/* Zero: let the planner choose. */
struct zoid_request {
    const char *method; /* NULL or "auto", a method's name, or an alias's */
    long block, depth, strip;
    long cells[ZOID_AXES]; /* that the domain is cut into along each axis; all 0: as strip says */
    long ranks[ZOID_AXES]; /* along each axis, to each of which so many cells go; all 0: those that
                            * there are, so that they exchange as little as can be */
    long epoch;            /* steps from one exchange of cells to the next; 0: those of a visit */
    enum zoid_exchange exchange; /* of ranks */
    uint64_t leaf; /* bytes of a block that a recursion does not cut; asks for such a method */
    enum zoid_traversal traversal;
    bool traversal_named; /* so that an alias must not stand for another, even where it is the best
                           */
    enum zoid_overlap overlap;
    /* Bytes of each tier that the plan may take. 0: what the context finds free in main memory and
     * on its disk, or its limit for each GPU. */
    uint64_t budget[ZOID_TIERS];
    bool again; /* the job may run again, which can take more memory: see zoid_job_run */
    int lanes;  /* 0: the planner's choice; no more than two a GPU, or one a core */
    /* Is called with every plan that fits, of all the planner tries, and where domains are cut with
     * epochs of two and four visits as well; NULL: most are not even counted. */
    void (*each)(void *self, const struct zoid_plan *plan);
    void *self;
};

const char *zoid_traversal_name(enum zoid_traversal traversal);

/* What a run can keep busy. COMPUTE: kernels on points that are in a cache, and all that kernels of
 * GPUs do; MEMORY: cores that wait for farther memories; LINK: the ways to GPUs, from them and
 * between them; DISK; TASK: StarPU. */
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

const char *zoid_resource_name(enum zoid_resource resource);

/* What a plan is expected to cost, in seconds. */
struct zoid_cost {
    double seconds;          /* of the run */
    double part[ZOID_COSTS]; /* that each resource is busy */
    /* Of all cores in blocks: as if what they compute lay in a core's own cache, and what more
     * since it comes from farther off. Of all GPUs: in kernels, and between those of a block. */
    double near, far;
    double waits; /* the factor of waits that is in the seconds; 0: no worker waits for another */
    bool calibrated; /* rates of this machine, not defaults: see zoid-info --calibrate */
};

/* The resource that is busy for the longest time. */
enum zoid_resource zoid_cost_bound(const struct zoid_cost *cost);

/* Who computes blocks of a plan. */
struct zoid_place {
    enum zoid_place_kind kind;
    int workers;                /* that take part: CPU cores, or the GPUs */
    enum zoid_tier_kind memory; /* where blocks find their data */
    enum zoid_traversal traversal;
    int lanes; /* of the graph, that are its own */
    /* On cores, the operator's own runner that runs blocks; NULL: sweeps. */
    const struct zoid_block_runner *runner;
    bool spares; /* and its blocks leave their scratch untouched */
};

/* A memory that data of a plan may lie in; for GPUs, the memory of each. */
struct zoid_tier {
    const char *name;  /* "gpu", "ram" or "disk" */
    uint64_t capacity; /* bytes that may be used */
    uint64_t bytes;    /* that must be there at once, at most the capacity */
    uint64_t grain;    /* a datum takes whole ones of so many bytes */
    double up;         /* seconds a byte takes towards who computes: into a GPU, or from a disk; */
    double down; /* and the other way; both are 0 for main memory, where all ways begin and end */
};

/* How many of the data of a kind a tier has at a time. NONE: none, or in main memory those that
 * come there only where StarPU makes room for others; BLOCKS: those that blocks access which are
 * about to run; OPEN: those that passes have open; ALL. */
enum zoid_keep { ZOID_KEEP_NONE, ZOID_KEEP_BLOCKS, ZOID_KEEP_OPEN, ZOID_KEEP_ALL };

/* Bytes of all data of a kind, and of the largest; and how many have any. */
struct zoid_byte_sums {
    uint64_t all, most, data;
};

struct zoid_plan {
    struct zoid_problem problem;
    struct zoid_graph graph; /* method, block, depth, lanes as they will run */
    struct zoid_census census;
    struct zoid_layout
        layout; /* of planes; where they are cut, of the first cell's: see zoid_plan_layout */
    int ways;   /* of a core's first-level cache that the layout is for; 0: any */
    const char *alias; /* that was asked for; NULL: none */
    bool serial;       /* nothing moves while blocks run */
    bool clamped;
    int places;
    struct zoid_place place[ZOID_PLACES]; /* who computes: the first `places` of them */
    struct zoid_tier tier[ZOID_TIERS];
    enum zoid_tier_kind home; /* of slabs and coefficients: main memory, or the disk */
    enum zoid_keep keep[ZOID_KINDS][ZOID_TIERS];
    long scratch_planes;            /* a worker */
    uint64_t bytes[ZOID_KINDS];     /* of main memory at once, by kind of datum */
    struct zoid_byte_sums pieces;   /* of coefficients that come in pieces */
    struct zoid_byte_sums messages; /* between ranks */
    uint64_t scratch_bytes;         /* of all workers */
    uint64_t handle_bytes;          /* what StarPU keeps about each datum */
    uint64_t record_bytes;          /* of sources, receivers and what these see */
    uint64_t staging_bytes;         /* of planes on their way into a state on disk, and out of it */
    double turns; /* of a run on cores: its length, in parts of what its blocks take; 0: unknown */
    struct zoid_cost cost; /* what it is expected to take */
    char reason[384];      /* why this method and these parameters */
};

/* Decides everything before anything is allocated. ZOID_BAD_ARGUMENT: a problem that
 * zoid_problem_check refuses, no such method, one that cannot honour the boundaries (names one that
 * can), a slab the method cannot honour (names the smallest that works), an alias beside what it
 * does not stand for, ranks that the domain cannot be dealt to. Of several ranks all make the same
 * plan, each of its own part; one process alone may plan for any number, as the rank that sends the
 * most, and create no job of that. ZOID_DOES_NOT_FIT: names the smallest budget, in MiB, that would
 * do. ZOID_RESOURCE: the disk has not the room. */
enum zoid_status zoid_plan_make(const struct zoid_context *context,
                                const struct zoid_problem *problem,
                                const struct zoid_request *request, struct zoid_plan *plan);
/* How planes of a cell lie. */
struct zoid_layout zoid_plan_layout(const struct zoid_plan *plan, long cell);
/* Elements of a plane of a halo; 0: there are none. And of an end, and of a message. */
size_t zoid_plan_halo(const struct zoid_plan *plan);
size_t zoid_plan_end(const struct zoid_plan *plan);
size_t zoid_plan_message(const struct zoid_plan *plan, const struct zoid_datum *message);
/* The most rows of the strips that planes are cut into; 0: they are not. */
long zoid_plan_strip(const struct zoid_plan *plan);
void zoid_plan_print(const struct zoid_plan *plan, FILE *out);
/* The seconds that may pass from zoid_job_stop to the end of the run, as the plan expects it. */
double zoid_plan_stop_seconds(const struct zoid_plan *plan);

/* Bytes that move between memories: to GPUs, from them and from one to another, and between main
 * memory and the disk. */
struct zoid_traffic {
    double h2d, d2h, p2p, disk_read, disk_write;
};

/* ---- a run ------------------------------------------------------------------------------- */

/* A number that a program makes of the final state, or where `text` is not NULL, a word. */
struct zoid_derived {
    const char *name;
    double value;
    const char *text;
};
enum { ZOID_MAX_DERIVED = 8 };

/* What one of several ranks did of what the report says of all. */
struct zoid_rank_report {
    double messages, mpi, waiting, busy_workers;
};

/* What was written between the legs of a run. */
struct zoid_kept_report {
    long written;
    double seconds, bytes;
};

/* What is known of a finished run; unknown numbers are NaN. */
struct zoid_report {
    char app[32];
    const struct zoid_op *op;
    long size[ZOID_AXES], steps;
    long start; /* steps from time 0 to where this began; 0: it began there */
    uint64_t seed;
    const char *method, *alias;   /* alias: NULL: none was asked for */
    long block, depth, strip;     /* strip: rows of the highest cell; 0: no cut along that axis */
    long cells[ZOID_AXES], epoch; /* of each rank; epoch: 0: there is one cell */
    long ranks[ZOID_AXES];
    enum zoid_exchange exchange; /* of these */
    enum zoid_traversal traversal;
    bool serial; /* nothing moved while blocks ran */
    bool clamped;
    double seconds, gups;
    const char *check; /* "passed", "failed" or "off" */
    int cpu_workers, cuda_workers;
    double busy_workers;
    double h2d, d2h, p2p, disk_read, disk_write, mpi; /* bytes, of all ranks */
    struct zoid_traffic planned; /* of these, what moves if every datum comes once a visit */
    double messages;             /* that ranks have sent */
    /* Worker-seconds without a block while one lacked nothing but a message of another rank. */
    double waiting;
    /* A row for each rank, NULL where there is one: the job's, until it runs again or ends. */
    const struct zoid_rank_report *each;
    const char *disk_folder;  /* NULL: nothing was on disk */
    bool disk_direct;         /* bytes went past the system's cache */
    double useful, redundant; /* points */
    long tasks;
    double predicted_seconds;
    /* Of all cores, or GPUs, in blocks; NaN of several ranks. */
    double core_seconds, predicted_core_seconds;
    const char *bound;     /* the resource that the planner expects to be busiest; NULL: unknown */
    double bound_fraction; /* of the run that this resource was expected to be busy */
    const char *rates;     /* "calibrated" or "default": what that is computed from */
    struct zoid_kept_report checkpoints, snapshots;
    struct zoid_derived derived[ZOID_MAX_DERIVED]; /* one without a name ends them */
};

/* `key value` a line, in the order of the JSON. The caller looks at the stream's error flag. */
enum zoid_status zoid_report_print(const struct zoid_report *report, FILE *out);
/* The same as JSON. */
enum zoid_status zoid_report_json(const struct zoid_report *report, FILE *out);

/* Makes the report of legs that have run one after the other: adds what the next one has done to
 * what `all` says of those before it. The rest becomes that of the next one, but for what programs
 * say of themselves. */
void zoid_report_add(const struct zoid_report *leg, struct zoid_report *all);

/* Of several ranks all call what follows, in the same order: a job has its rank's part of the
 * state, which it alone is asked to fill. What is read all ranks get. A failure that one rank meets
 * alone leaves the others waiting for it: it must end them (MPI_Abort), and without closing its
 * context.
 */
struct zoid_job;
/* Allocates the plan's memory, no more. ZOID_RESOURCE also where the plan is for other ranks. */
enum zoid_status zoid_job_create(struct zoid_context *context, const struct zoid_plan *plan,
                                 struct zoid_job **job);
void zoid_job_destroy(struct zoid_job **job);

/* Where the values of a box's points are: those of a point, of the operator's type and width, lie
 * one after the other. `at` is the lowest point's, and the next point along axis a is stride[a]
 * points on. Along x they follow one another: stride[0] is 1. */
struct zoid_values {
    void *at;
    long stride[ZOID_AXES];
};

/* All points of a box one after the other, x fastest. */
struct zoid_values zoid_values_packed(const struct zoid_box *box, void *at);
/* The row that is y and z points above the lowest one, of points of so many bytes
 * (zoid_op_point_bytes). */
static inline void *zoid_values_row(const struct zoid_values *values, size_t size, long y, long z)
{
    return (char *)values->at + (y * values->stride[1] + z * values->stride[2]) * (long)size;
}

/* Writes the values of a box of a field, coefficients after the state's. */
typedef void zoid_box_fn(void *user, int field, const struct zoid_box *box,
                         const struct zoid_values *to);
/* Sets the initial state and the coefficients: asks for boxes, in any order and from several
 * threads at once, that together are the domain. They may be parts of planes, and may share points,
 * which must get the same value each time. Call once, before the job runs. ZOID_BAD_ARGUMENT: it
 * ran. ZOID_RESOURCE: the disk. */
enum zoid_status zoid_job_fill(struct zoid_job *job, zoid_box_fn *box, void *user);
/* Writes the bytes of the coefficients of planes [lo, hi): as many as the operator says. */
typedef void zoid_piece_fn(void *user, long lo, long hi, void *bytes);
/* Sets coefficients that come in pieces, which zoid_job_fill leaves out: asks for each piece once,
 * in any order and from several threads at once. ZOID_BAD_ARGUMENT: the operator's do not, or the
 * job ran. ZOID_RESOURCE: the disk. */
enum zoid_status zoid_job_fill_pieces(struct zoid_job *job, zoid_piece_fn *piece, void *user);
/* Sets all of the state once more, of a job that was filled and whose plan was made to run again:
 * as it is to be after `start` steps from time 0. The coefficients stay. */
enum zoid_status zoid_job_refill(struct zoid_job *job, long start, zoid_box_fn *box, void *user);
/* Runs the problem's steps, from where the job is; fills the report but for what the program says
 * of itself: app, seed, check, derived. With `progress`, prints a line a second to stderr, or a
 * minute where that is no terminal: done, passes, the rate of the last one, time left. A job runs
 * once after it was filled, or if its plan was made to run again, as often as one likes: on from
 * where the last run ended. Whatever runs a state goes through, it is the same. */
enum zoid_status zoid_job_run(struct zoid_job *job, bool progress, struct zoid_report *report);
/* The same with another number of steps, of a job whose plan was made to run again.
 * ZOID_DOES_NOT_FIT: a run of so many steps takes more than the plan's budgets. */
enum zoid_status zoid_job_run_steps(struct zoid_job *job, long steps, bool progress,
                                    struct zoid_report *report);
/* Mirrors the state and the coefficients along all axes, where they lie: point p of an axis of n
 * points becomes point n - 1 - p. A sweep that descends is one that ascends in the mirror. What is
 * read, and filled again, is in the order in which it lies then. Ranks turn what they have, all of
 * them together. ZOID_BAD_ARGUMENT: a job that was not filled, is cut into cells, but for those of
 * ranks that take turns, or has coefficients in pieces. ZOID_RESOURCE: disk, memory, no cores. */
enum zoid_status zoid_job_turn(struct zoid_job *job);
/* Ends the run that goes on, or the next one where none does, as soon as a pass can be the last, or
 * with cells an epoch: the state is then of one time, and zoid_job_steps says of which. May be
 * called from any thread, and from signal handlers. Of several ranks any may call it, and all end
 * after the same step, an epoch later than one would; but only in a job that may run again. */
void zoid_job_stop(struct zoid_job *job);
/* Ends the runs that begin from now on as zoid_job_stop does, so early that they are over at that
 * time, in seconds of CLOCK_MONOTONIC, as far as the pace of each says, and the plan before there
 * is one. 0: nothing ends them. */
void zoid_job_end_by(struct zoid_job *job, double seconds);
/* What the runs to come are parts of: from which step of time 0 to which. Lines of progress then
 * speak of all of that, and of the step of the last checkpoint, 0 if there is none, which may be
 * said at any time and from any thread. */
void zoid_job_way(struct zoid_job *job, long from, long to);
void zoid_job_kept(struct zoid_job *job, long step);
/* Steps from time 0 to the state as it can be read now. */
long zoid_job_steps(const struct zoid_job *job);
/* Copies a box of a state field as it is after the last step (before the run: as it was filled).
 * Planes are best read in order. ZOID_BAD_ARGUMENT: no such field, or a box that is not all in the
 * domain. ZOID_RESOURCE: the disk. */
enum zoid_status zoid_job_read(const struct zoid_job *job, int field, const struct zoid_box *box,
                               const struct zoid_values *to);

/* What the receivers see of a step, one value each in the order of the problem: from the step that
 * the job was filled at to the one that zoid_job_steps says. ZOID_BAD_ARGUMENT: it was not
 * recorded.
 */
enum zoid_status zoid_job_record(const struct zoid_job *job, long step, double *seen);

/* Looks at the next values of a field, those of a box one after the other; `bytes` of them. */
typedef enum zoid_status zoid_part_fn(void *user, const struct zoid_box *box, const void *values,
                                      size_t bytes);
/* Reads a state field from its first value to its last, x fastest, a part at a time; ends with what
 * `part` returns other than ZOID_OK, or as zoid_job_read does. */
enum zoid_status zoid_job_each(const struct zoid_job *job, int field, zoid_part_fn *part,
                               void *user);

/* ---- band matrices: A^k x, see codelets/matrix.h ------------------------------------------ */

struct zoid_matrix;
struct zoid_band;

/* Copies the rows. ZOID_BAD_ARGUMENT: no rows, or rows that struct zoid_csr does not allow, which
 * the message names. */
enum zoid_status zoid_matrix_create(const struct zoid_csr *csr, struct zoid_matrix **matrix);
/* Goes through all rows, and keeps none. */
enum zoid_status zoid_matrix_from_rows(const struct zoid_matrix_rows *rows,
                                       struct zoid_matrix **matrix);
void zoid_matrix_destroy(struct zoid_matrix **matrix);
struct zoid_matrix_about zoid_matrix_about(const struct zoid_matrix *matrix);
/* Gives all entries of row i, by ascending column. */
void zoid_matrix_row(const struct zoid_matrix *matrix, long i, zoid_entry_fn *put, void *into);

/* As --format takes it. */
const char *zoid_format_name(enum zoid_format format);
/* Its steps are those of the power A^k x until other terms are set. ZOID_DOES_NOT_FIT: diagonals
 * that no memory holds. */
enum zoid_status zoid_band_create(const struct zoid_band_options *options, struct zoid_band **band);
/* After all jobs of its operator. */
void zoid_band_destroy(struct zoid_band **band);
/* Step start + 1 + i from time 0 takes term[i], which is copied; steps before and after these take
 * the first and the last. Not while a job runs. ZOID_BAD_ARGUMENT: a term takes what the band was
 * made without. */
enum zoid_status zoid_band_set_terms(struct zoid_band *band, long start,
                                     const struct zoid_term *term, long terms);
/* The operator of problems; the band's. Their domain is a line of as many points as the matrix has
 * rows. */
const struct zoid_op *zoid_band_op(const struct zoid_band *band);
/* DIA or SELL. */
enum zoid_format zoid_band_format(const struct zoid_band *band);
/* Sets the coefficients of a job of that operator, as zoid_job_fill_pieces does. */
enum zoid_status zoid_band_fill(const struct zoid_band *band, struct zoid_job *job);

/* ---- initial states and the reference ----------------------------------------------------- */

/* HOT: 1 in the first plane of the slowest axis, 0 elsewhere. */
enum zoid_init { ZOID_INIT_RANDOM, ZOID_INIT_ZERO, ZOID_INIT_POINT, ZOID_INIT_HOT };

struct zoid_initial {
    const struct zoid_problem *problem;
    enum zoid_init kind;
    uint64_t seed;
    bool bordered; /* state fields are `border` in all of the domain's outermost layer */
    double border;
    zoid_box_fn *coefficients; /* makes these, of `user`; NULL: as the kind has it */
    void *user;
    zoid_box_fn *state; /* makes the state fields, of `of`; NULL: as the kind has it */
    void *of;
};

/* A zoid_box_fn; user is a struct zoid_initial. */
void zoid_initial_box(void *initial, int field, const struct zoid_box *box,
                      const struct zoid_values *to);

/* ZOID_DOES_NOT_FIT when the reference's two fields do not fit the machine beside the plan,
 * ZOID_BAD_ARGUMENT when the operator has none, or is not plain. */
enum zoid_status zoid_check_fits(const struct zoid_context *context, const struct zoid_plan *plan);
/* Runs the plain loop nest from the same state, which the job was filled with last, and compares
 * every byte of every state field, and what receivers see. ZOID_CHECK_FAILED names the first
 * difference and counts them all. */
enum zoid_status zoid_check(const struct zoid_job *job, struct zoid_initial *initial);

#ifdef __cplusplus
}
#endif
#endif
