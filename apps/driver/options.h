/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of a run: the settings, resolved for the run loop and the problem. */
#ifndef ZOID_APPS_DRIVER_OPTIONS_H
#define ZOID_APPS_DRIVER_OPTIONS_H

#include <stdbool.h>

#include "apps/driver/cli.h"
#include "runtime/session/settings.h"
#include "runtime/zoid.h"

struct zoid_array_views;

/* Checkpoints, snapshots and time limits of a run. */
struct zoid_keep_options {
    const char *checkpoint; /* folder of checkpoints, or NULL */
    long every;             /* steps, and minutes, between checkpoints; 0: not given */
    double minutes;
    bool coefficients;       /* checkpoints include coefficients */
    const char *restart;     /* a folder of checkpoints, or one of them; or NULL */
    double walltime, within; /* seconds: of the process, and allowed for a stop; 0: not given */
    long snapshot;           /* steps between snapshots; 0: no snapshots */
    const char *fields;      /* fields of snapshots, comma-separated; NULL: all */
    const char *out;         /* folder of snapshots; or NULL */
    bool first;              /* write one of the initial state */
    long stride;             /* stride in points along each axis; 0: not given */
    int axis;                /* axis that a slice is normal to, */
    long slice;              /* and its index; -1: no slice */
};

/* Texts FIELD=VALUE, in the order of the command line; the last one for a field counts. */
struct zoid_given_list {
    int n;
    const char *text[ZOID_MAX_GIVEN];
};

/* Field sources: see given.h. */
struct zoid_given_options {
    struct zoid_given_list state, coefficients, scales;
    const char *all;                       /* shape of all state fields; or NULL */
    const char *velocity;                  /* or NULL */
    double dx, dt;                         /* 0: not given */
    const struct zoid_array_views *arrays; /* arrays that may be named in place of files; or NULL */
    bool kind_named;                       /* --init names a kind for fields without a source */
    bool force;                            /* run even if unstable */
};

/* Options of the command line, not yet checked against an operator or the machine. */
struct zoid_options {
    long size[ZOID_AXES];
    int axes;  /* number of sizes given; 1: a line, square or cube */
    long dims; /* 0: as many as sizes */
    long steps;
    const char *family;  /* NULL: the program's first */
    long radius;         /* 0: the family's smallest */
    enum zoid_type type; /* ZOID_TYPES: the family's first */
    int nparams;
    struct zoid_setting_param param[ZOID_MAX_PARAMS];
    bool bounded; /* boundary conditions were given: */
    unsigned char face[ZOID_AXES][ZOID_SIDES];
    int faces_named; /* 1 + the last axis with a named face, or 0 */
    enum zoid_init init;
    uint64_t seed;
    struct zoid_setting_texts sources, receivers; /* owned by the settings */
    struct zoid_given_options given;
    const char *method;           /* "auto", or the name of a method or of an alias */
    long block, depth, lanes;     /* 0: the planner's choice */
    long strip;                   /* the same; ZOID_STRIP_NONE: no strips */
    long cells[ZOID_AXES], epoch; /* 0: not given */
    uint64_t leaf;                /* 0: the planner's choice */
    enum zoid_traversal traversal;
    bool traversal_named;
    enum zoid_overlap overlap;
    long ranks[ZOID_AXES]; /* per axis; all 0: the planner's choice */
    enum zoid_exchange exchange;
    bool oversubscribe;             /* allow more ranks than cores */
    uint64_t budget[ZOID_TIERS];    /* 0: not given */
    const char *folder[ZOID_TIERS]; /* or NULL */
    enum zoid_rates_use rates;
    bool again; /* the job runs in several legs; set by a program, not an option */
    const char *graph, *dump, *report, *trace, *record; /* paths, or NULL */
    bool plan, plans, check, progress, porcelain, quiet;
    struct zoid_keep_options keep;
    const struct zoid_settings *settings; /* source of all these */
};

/* Make options from settings and command-line settings (`cli` may be NULL), whose texts they
 * borrow. */
struct zoid_options zoid_options_of(const struct zoid_settings *settings,
                                    const struct zoid_cli *cli);
/* Return the parts that concern a context, except for traces, and a plan. */
struct zoid_context_options zoid_options_context(const struct zoid_options *options);
struct zoid_request zoid_options_request(const struct zoid_options *options);
/* Check that the options of checkpoints and snapshots go together. ZOID_BAD_ARGUMENT: an option
 * lacks the one that it refines. */
enum zoid_status zoid_options_check_keep(const struct zoid_options *options);
/* Last lines of --help. */
extern const char zoid_options_notes[];

#endif
