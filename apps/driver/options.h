/* SPDX-License-Identifier: BSD-3-Clause */
/* The options that every stencil program has, and those that several share. */
#ifndef ZOID_APPS_DRIVER_OPTIONS_H
#define ZOID_APPS_DRIVER_OPTIONS_H

#include <stdbool.h>

#include "apps/driver/command.h"
#include "runtime/zoid.h"

struct zoid_array_views;
struct zoid_said;

/* A parameter that was given. */
struct zoid_option_param {
    const char *name;
    double value;
};

enum { ZOID_MAX_POINT_TEXTS = 64 };

/* Sources or receivers, in the order of the command line. */
struct zoid_point_texts {
    int n;
    const char *text[ZOID_MAX_POINT_TEXTS];
};

/* What is kept of a run while it goes on, and when it stops. */
struct zoid_keep_options {
    const char *checkpoint; /* a folder for checkpoints, or NULL */
    long every;             /* steps from one to the next, and minutes; 0: not given */
    double minutes;
    bool coefficients;       /* are in them */
    const char *restart;     /* a folder of checkpoints, or one; or NULL */
    double walltime, within; /* seconds: that the process has, and that a stop may take; or 0 */
    long snapshot;           /* steps from one snapshot to the next; 0: none */
    const char *fields;      /* of it, with commas between them; NULL: all */
    const char *out;         /* the folder of snapshots, or NULL */
    bool first;              /* there is a snapshot of the initial state */
    long stride;             /* every so many points along each axis; 0: not given */
    int axis;                /* across which a slice is, */
    long slice;              /* and where; -1: no slice */
};

enum { ZOID_MAX_GIVEN = 2 * ZOID_MAX_FIELDS };

/* Texts FIELD=VALUE, in the order of the command line: of two for a field the last one counts. */
struct zoid_given_list {
    int n;
    const char *text[ZOID_MAX_GIVEN];
};

/* Fields that are given: see given.h. */
struct zoid_given_options {
    struct zoid_given_list state, coefficients, scales;
    const char *all;                       /* a shape of every state field; or NULL */
    const char *velocity;                  /* or NULL */
    double dx, dt;                         /* 0: not given */
    const struct zoid_array_views *arrays; /* arrays that values may name beside files; or NULL */
    bool kind_named;                       /* --init says how fields begin that are not given */
    bool force;                            /* unstable or not */
};

/* What the command line says; nothing here has met an operator or a machine yet. */
struct zoid_options {
    long size[ZOID_AXES];
    int axes;  /* how many of them were named; 1 stands for a line, square or cube */
    long dims; /* 0: as many as the size names */
    long steps;
    const char *family;  /* NULL: the program's first */
    long radius;         /* 0: the family's least */
    enum zoid_type type; /* ZOID_TYPES: the family's first */
    int nparams;
    struct zoid_option_param param[ZOID_MAX_PARAMS];
    bool bounded; /* boundaries were given: */
    unsigned char face[ZOID_AXES][ZOID_SIDES];
    int faces_named; /* axes up to the last one of which a face was named */
    enum zoid_init init;
    uint64_t seed;
    struct zoid_point_texts sources, receivers;
    struct zoid_given_options given;
    const char *method;           /* "auto", or the name of a method or of an alias */
    long block, depth, lanes;     /* 0: the planner's choice */
    long strip;                   /* the same, or ZOID_STRIP_NONE */
    long cells[ZOID_AXES], epoch; /* 0: not given */
    uint64_t leaf;                /* 0: the planner's choice */
    enum zoid_traversal traversal;
    bool traversal_named;
    enum zoid_overlap overlap;
    long ranks[ZOID_AXES]; /* along each axis; all 0: as the planner likes */
    enum zoid_exchange exchange;
    bool oversubscribe;             /* more ranks than cores are right */
    uint64_t budget[ZOID_TIERS];    /* 0: not given */
    const char *folder[ZOID_TIERS]; /* or NULL */
    enum zoid_rates_use rates;
    bool again; /* the job runs in several legs: a program's, not an option */
    const char *graph, *dump, *report, *trace, *record; /* paths, or NULL */
    bool plan, plans, check, progress, porcelain, quiet;
    struct zoid_keep_options keep;
    struct zoid_said *said; /* what of all this makes the problem, in words */
};

/* As --init takes them; NULL ends them. */
extern const char *const zoid_init_names[];
struct zoid_options zoid_options_defaults(void);
/* What --steps says of itself, and its default: before options are read. */
void zoid_options_steps(const char *doc, long steps, struct zoid_options *options);
/* What they ask of a context, but for traces, and of a plan. */
struct zoid_context_options zoid_options_context(const struct zoid_options *options);
struct zoid_request zoid_options_request(const struct zoid_options *options);
/* The tables of the options that all programs have; family.h has those about the operator. */
extern const struct zoid_option zoid_options_problem[];
const struct zoid_option *zoid_options_cut(void);
extern const struct zoid_option zoid_options_rates[], zoid_options_shown[], zoid_options_memory[],
    zoid_options_disk[], zoid_options_ranks[], zoid_options_results[], zoid_options_printed[],
    zoid_options_keep[], zoid_options_snapshots[];
/* One list of tables behind another, each with a NULL at its end, into one that has room. */
void zoid_options_join(const struct zoid_option *const *first,
                       const struct zoid_option *const *second, const struct zoid_option **both);
/* What they say of what is kept goes together. */
enum zoid_status zoid_options_check_keep(const struct zoid_options *options);
/* The last lines of --help. */
extern const char zoid_options_notes[];

#endif
