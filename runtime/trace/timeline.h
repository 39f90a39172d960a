/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run did when, in memory: which worker computed which block, what moved between memories.
 *
 * Fill one with zoid_timeline_read, or by hand with the functions below and zoid_timeline_finish.
 * Times are in seconds from the start of the trace; of several ranks, as the first one's clock
 * shows them. */
#ifndef ZOID_RUNTIME_TRACE_TIMELINE_H
#define ZOID_RUNTIME_TRACE_TIMELINE_H

#include "runtime/zoid.h"

enum zoid_timeline_device { ZOID_DEVICE_CPU, ZOID_DEVICE_GPU };
/* What a link is for; links are sorted by it. */
enum zoid_link_kind { ZOID_LINK_UPLOAD, ZOID_LINK_DOWNLOAD, ZOID_LINK_PEER, ZOID_LINK_OTHER };

/* Where there are several ranks, a rank's workers and memory nodes are counted from so many times
 * the rank on. Those of one rank are fewer; what a file says of others is left out. */
enum { ZOID_TIMELINE_IDS = 1 << 16 };

struct zoid_timeline_worker {
    int id; /* StarPU's */
    int rank;
    enum zoid_timeline_device device;
    int number; /* of the core or GPU */
    int node;   /* the memory it works in */
    char name[32];
};

struct zoid_timeline_link {
    int from, to; /* memory nodes */
    int rank;
    enum zoid_link_kind kind;
    char name[48];
};

struct zoid_span {
    double begin, end;
};

/* `worker` and `link` are places in the lists of a timeline. */
struct zoid_timeline_block {
    struct zoid_span span;
    int worker;
    long pass, position; /* -1: the trace does not say */
};

struct zoid_timeline_transfer {
    struct zoid_span span;
    int link, from, to;
    double bytes;
};

/* While a worker had a block but not yet the block's data. */
struct zoid_timeline_wait {
    struct zoid_span span;
    int worker;
};

/* While some block of a rank lacked nothing but messages of others. */
struct zoid_timeline_held {
    struct zoid_span span;
    int rank;
};

/* What a rank's clock showed at a time of its trace, made that of the first rank. */
struct zoid_timeline_mark {
    bool known;
    double trace, clock;
};

/* After zoid_timeline_finish, workers and links are sorted by rank; blocks, transfers, waits and
 * gaps by worker or link, then by begin; and what was held by rank, then by begin, no two spans of
 * a rank touching. All lie within `run`. */
struct zoid_timeline {
    struct zoid_span run;
    bool marked; /* the trace says where the run begins and ends */
    int overflows;
    long passes; /* 1 + the last pass; 0 when no block has one */
    size_t workers, links, blocks, transfers, waits, works, helds, gaps;
    struct zoid_timeline_worker *worker;
    struct zoid_timeline_link *link;
    struct zoid_timeline_block *block;
    struct zoid_timeline_transfer *transfer;
    struct zoid_timeline_wait *wait;
    struct zoid_timeline_wait *work; /* until finished: see zoid_timeline_add_work */
    struct zoid_timeline_held *held;
    struct zoid_timeline_wait *gap; /* while a worker had no block, and one of its rank was held */
    int ranks;                      /* of which it is; 0: one */
    /* The best marks before the first run and after the last one. */
    struct zoid_timeline_mark before, after;
};

/* busy + waiting + held + starved is the length of the run: computing a block; having one whose
 * data is still on its way; having none while one of its rank is held; having none. */
struct zoid_worker_sum {
    double busy, waiting, held, starved;
    long blocks;
};

struct zoid_link_sum {
    double bytes, busy; /* busy: seconds during which something moved */
    long transfers;
};

enum zoid_status zoid_timeline_create(struct zoid_timeline **timeline);
void zoid_timeline_destroy(struct zoid_timeline **timeline);

enum zoid_status zoid_timeline_add_worker(struct zoid_timeline *t,
                                          const struct zoid_timeline_worker *worker);
/* Until finished, `worker` of a block is the worker's id, and `link` of a transfer is unset. */
enum zoid_status zoid_timeline_add_block(struct zoid_timeline *t,
                                         const struct zoid_timeline_block *block);
enum zoid_status zoid_timeline_add_transfer(struct zoid_timeline *t,
                                            const struct zoid_timeline_transfer *transfer);
/* The worker asked for the data of its next block. */
enum zoid_status zoid_timeline_add_request(struct zoid_timeline *t, int worker, double time);
/* The worker worked from then on (`ends` false), or up to then. A block within whose time it did so
 * has taken that time; the rest was StarPU's. */
enum zoid_status zoid_timeline_add_work(struct zoid_timeline *t, int worker, double time,
                                        bool ends);
/* A block of the rank was held. */
enum zoid_status zoid_timeline_add_held(struct zoid_timeline *t, int rank,
                                        const struct zoid_span *span);
/* Adds all that was read of one of several ranks, whose traces have marks. ZOID_RESOURCE also where
 * they do not. */
enum zoid_status zoid_timeline_add_rank(struct zoid_timeline *all, int rank,
                                        const struct zoid_timeline *t);
/* At least one. */
int zoid_timeline_ranks(const struct zoid_timeline *t);
/* Cuts what is outside of the run, leaves out the workers of kinds of devices that computed nothing
 * (how many is in *idle_workers unless that is NULL), finds links, waits and gaps, and sorts. */
enum zoid_status zoid_timeline_finish(struct zoid_timeline *t, size_t *idle_workers);

/* Reads paje.trace and tasks.rec, as StarPU writes them, from two streams. Not finished yet. */
enum zoid_status zoid_timeline_read_paje(struct zoid_timeline *t, FILE *paje);
enum zoid_status zoid_timeline_read_tasks(struct zoid_timeline *t, FILE *tasks);
/* Both files of a folder, or with several ranks of each rank's folder in it; finished. */
enum zoid_status zoid_timeline_read(const char *folder, int ranks, struct zoid_timeline **timeline,
                                    size_t *idle_workers);

/* What marks the run, and the work of a block, as user events in the trace. */
enum { ZOID_TIMELINE_BLOCK_BEGINS = 0x7a6f6964, ZOID_TIMELINE_BLOCK_ENDS };
extern const char zoid_timeline_run_begins[], zoid_timeline_run_ends[];
/* Before a mark's clock, in seconds. */
extern const char zoid_timeline_clock[];
/* Before how many seconds ago a block began to be held, and how many ago it was no longer. */
extern const char zoid_timeline_was_held[];

struct zoid_worker_sum zoid_timeline_worker_sum(const struct zoid_timeline *t, int worker);
/* Of all workers of a rank; *workers is how many there are. */
struct zoid_worker_sum zoid_timeline_rank_sum(const struct zoid_timeline *t, int rank,
                                              size_t *workers);
struct zoid_link_sum zoid_timeline_link_sum(const struct zoid_timeline *t, int link);
/* The part of the seconds during which something moved that a worker computed in; NaN when nothing
 * moved. */
double zoid_timeline_overlap(const struct zoid_timeline *t);
/* The sums as `key value` lines. */
void zoid_timeline_print(const struct zoid_timeline *t, FILE *out);

#endif
