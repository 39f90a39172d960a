/* SPDX-License-Identifier: BSD-3-Clause */
/* What is asked of a run, as the run loop and the problem take it: the settings, resolved. */
#ifndef ZOID_APPS_DRIVER_OPTIONS_H
#define ZOID_APPS_DRIVER_OPTIONS_H

#include <stdbool.h>

#include "apps/driver/cli.h"
#include "runtime/session/settings.h"
#include "runtime/zoid.h"

struct zoid_array_views;

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
    struct zoid_setting_param param[ZOID_MAX_PARAMS];
    bool bounded; /* boundaries were given: */
    unsigned char face[ZOID_AXES][ZOID_SIDES];
    int faces_named; /* axes up to the last one of which a face was named */
    enum zoid_init init;
    uint64_t seed;
    struct zoid_setting_texts sources, receivers; /* borrowed of the settings */
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
    const struct zoid_settings *settings; /* what all of this was made of */
};

/* The options that settings and a command line, which may be NULL, stand for; they borrow texts of
 * both. */
struct zoid_options zoid_options_of(const struct zoid_settings *settings,
                                    const struct zoid_cli *cli);
/* What they ask of a context, but for traces, and of a plan. */
struct zoid_context_options zoid_options_context(const struct zoid_options *options);
struct zoid_request zoid_options_request(const struct zoid_options *options);
/* What they say of what is kept goes together. */
enum zoid_status zoid_options_check_keep(const struct zoid_options *options);
/* The last lines of --help. */
extern const char zoid_options_notes[];

#endif
