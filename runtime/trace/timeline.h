/* SPDX-License-Identifier: BSD-3-Clause */
/* Timeline of a run, in memory: which worker computed which block, and transfers between memories.
 *
 * Fill one with zoid_timeline_read, or by hand with the functions below and zoid_timeline_finish.
 * Times are in seconds from the start of the trace; with several ranks, on the first rank's
 * clock. */
#ifndef ZOID_RUNTIME_TRACE_TIMELINE_H
#define ZOID_RUNTIME_TRACE_TIMELINE_H

#include <stdbool.h>
#include <stdio.h>

#include "runtime/zoid.h"

enum zoid_timeline_device { ZOID_DEVICE_CPU, ZOID_DEVICE_GPU };
/* Direction of a link; links are sorted by it. */
enum zoid_link_kind { ZOID_LINK_UPLOAD, ZOID_LINK_DOWNLOAD, ZOID_LINK_PEER, ZOID_LINK_OTHER };

/* Stride between ranks of the ids of workers and memory nodes, if there are several ranks. Ids of
 * one rank are smaller; larger ones in a file are ignored. */
enum { ZOID_TIMELINE_IDS = 1 << 16 };

struct zoid_timeline_worker {
    int id; /* StarPU's */
    int rank;
    enum zoid_timeline_device device;
    int number; /* of the core or GPU */
    int node;   /* the memory node it works in */
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

/* `worker` and `link` are indices into the lists of a timeline. */
struct zoid_timeline_block {
    struct zoid_span span;
    int worker;
    long pass, position; /* -1: not in the trace */
    bool shared;         /* of a member of a team: a copy of the block of the team's first worker */
};

struct zoid_timeline_transfer {
    struct zoid_span span;
    int link, from, to;
    double bytes;
};

/* A worker whose core computes the blocks of another one, the first of its team. Ids. */
struct zoid_timeline_member {
    int worker, first;
};

/* A worker had a block, but not yet the block's data. */
struct zoid_timeline_wait {
    struct zoid_span span;
    int worker;
};

/* Some block of a rank lacked only messages of other ranks. */
struct zoid_timeline_held {
    struct zoid_span span;
    int rank;
};

/* A border between two parts, places that share the domain, and where it is from a time on. */
struct zoid_timeline_border {
    double time;
    int border;         /* from 0, the lowest one */
    long plane, planes; /* of the domain */
};

/* The plan of a part, in words. */
enum { ZOID_TIMELINE_PLAN = 64 };
struct zoid_timeline_part {
    int part;
    char plan[ZOID_TIMELINE_PLAN];
};

/* A clock mark: the time in the trace of a rank, and its clock then, converted to the first
 * rank's. */
struct zoid_timeline_mark {
    bool known;
    double trace, clock;
};

/* After zoid_timeline_finish, workers and links are sorted by rank; blocks, transfers, waits and
 * gaps by worker or link, then by begin; and held spans by rank, then by begin, disjoint within a
 * rank. All lie within `run`. */
struct zoid_timeline {
    struct zoid_span run;
    bool marked; /* the trace has the begin and end of the run */
    int overflows;
    long passes; /* 1 + the last pass; 0 if no block has one */
    size_t workers, links, blocks, transfers, waits, works, helds, gaps, members, borders, parts;
    size_t shared; /* of the blocks */
    struct zoid_timeline_worker *worker;
    struct zoid_timeline_link *link;
    struct zoid_timeline_block *block;
    struct zoid_timeline_transfer *transfer;
    struct zoid_timeline_wait *wait;
    struct zoid_timeline_wait *work; /* until finished: see zoid_timeline_add_work */
    struct zoid_timeline_held *held;
    struct zoid_timeline_member *member;
    struct zoid_timeline_border *border; /* by time; a run that goes on repeats them */
    struct zoid_timeline_part *part;     /* each once, by number */
    struct zoid_timeline_wait *gap;      /* a worker had no block while one of its rank was held */
    int ranks;                           /* number of ranks; 0: one */
    /* The best marks before the first run and after the last one. */
    struct zoid_timeline_mark before, after;
};

/* busy + waiting + held + starved is the length of the run: computing a block; having one whose
 * data are in transit; having no block while one of the rank is held; having no block otherwise. A
 * block of a team keeps all members busy; the first one counts it. */
struct zoid_worker_sum {
    double busy, waiting, held, starved;
    long blocks;
};

struct zoid_link_sum {
    double bytes, busy; /* busy: seconds with something in transit */
    long transfers;
};

enum zoid_status zoid_timeline_create(struct zoid_timeline **timeline);
void zoid_timeline_destroy(struct zoid_timeline **timeline);

enum zoid_status zoid_timeline_add_worker(struct zoid_timeline *t,
                                          const struct zoid_timeline_worker *worker);
/* Until the timeline is finished, `worker` of a block is the worker's id, and `link` of a transfer
 * is unset. */
enum zoid_status zoid_timeline_add_block(struct zoid_timeline *t,
                                         const struct zoid_timeline_block *block);
enum zoid_status zoid_timeline_add_transfer(struct zoid_timeline *t,
                                            const struct zoid_timeline_transfer *transfer);
/* Note that the worker requested the data of its next block, at `time`. */
enum zoid_status zoid_timeline_add_request(struct zoid_timeline *t, int worker, double time);
/* Note that the worker's work began at `time`, or ended then (`ends`). This span replaces that of
 * the block that it lies in; the rest of that was StarPU's overhead. */
enum zoid_status zoid_timeline_add_work(struct zoid_timeline *t, int worker, double time,
                                        bool ends);
/* Note that a block of the rank was held. */
enum zoid_status zoid_timeline_add_held(struct zoid_timeline *t, int rank,
                                        const struct zoid_span *span);
/* Note that a worker is a member of a team. */
enum zoid_status zoid_timeline_add_member(struct zoid_timeline *t,
                                          const struct zoid_timeline_member *member);
enum zoid_status zoid_timeline_add_border(struct zoid_timeline *t,
                                          const struct zoid_timeline_border *border);
/* Note the plan of a part; the last one of each counts. */
enum zoid_status zoid_timeline_add_part(struct zoid_timeline *t,
                                        const struct zoid_timeline_part *part);
/* Append the timeline of one of several ranks. ZOID_RESOURCE: out of memory, or its trace has no
 * marks of its clock. */
enum zoid_status zoid_timeline_add_rank(struct zoid_timeline *all, int rank,
                                        const struct zoid_timeline *t);
/* Number of ranks, at least 1. */
int zoid_timeline_ranks(const struct zoid_timeline *t);
/* Clip everything to the run, remove the workers of kinds of devices that computed nothing (their
 * number goes to *idle_workers, unless that is NULL), find links, waits and gaps, and sort. */
enum zoid_status zoid_timeline_finish(struct zoid_timeline *t, size_t *idle_workers);

/* Read paje.trace, or tasks.rec, as StarPU writes it, from a stream. Call zoid_timeline_finish
 * afterwards. */
enum zoid_status zoid_timeline_read_paje(struct zoid_timeline *t, FILE *paje);
enum zoid_status zoid_timeline_read_tasks(struct zoid_timeline *t, FILE *tasks);
/* Read both files of a folder or, with several ranks, of each rank's folder within it; the timeline
 * is finished, and the caller destroys it. ZOID_RESOURCE: a file cannot be read, or out of
 * memory. */
enum zoid_status zoid_timeline_read(const char *folder, int ranks, struct zoid_timeline **timeline,
                                    size_t *idle_workers);

/* User events in the trace that mark the run, and the work of a block. */
enum { ZOID_TIMELINE_BLOCK_BEGINS = 0x7a6f6964, ZOID_TIMELINE_BLOCK_ENDS };
extern const char zoid_timeline_run_begins[], zoid_timeline_run_ends[];
/* Prefix of a mark of the clock, in seconds. */
extern const char zoid_timeline_clock[];
/* Prefix of two numbers: how many seconds ago a block began to be held, and ended to be. */
extern const char zoid_timeline_was_held[];
/* Prefix of two ids: a worker that is a member of a team, and the team's first one. */
extern const char zoid_timeline_team[];
/* Prefix of a border's number, its plane, and the number of planes. */
extern const char zoid_timeline_border[];
/* Prefix of a part's number and its plan. */
extern const char zoid_timeline_part[];

struct zoid_worker_sum zoid_timeline_worker_sum(const struct zoid_timeline *t, int worker);
/* Sum over all workers of a rank, the number of which goes to *workers. */
struct zoid_worker_sum zoid_timeline_rank_sum(const struct zoid_timeline *t, int rank,
                                              size_t *workers);
struct zoid_link_sum zoid_timeline_link_sum(const struct zoid_timeline *t, int link);
/* Number of moves of a border. */
long zoid_timeline_moves(const struct zoid_timeline *t, int border);
/* Overlap: the fraction of the time with something in transit in which a worker computed; NaN:
 * nothing moved, or out of memory. */
double zoid_timeline_overlap(const struct zoid_timeline *t);
/* Print the sums as `key value` lines. */
void zoid_timeline_print(const struct zoid_timeline *t, FILE *out);

#endif
