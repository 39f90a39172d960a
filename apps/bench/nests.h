/* SPDX-License-Identifier: BSD-3-Clause */
/* Loop nests of files as programs: as gcc compiles them, in tiles of zoid-compile, and as functions
 * of its modules. */
#ifndef ZOID_APPS_BENCH_NESTS_H
#define ZOID_APPS_BENCH_NESTS_H

#include <stdbool.h>

#include "apps/bench/tools.h"

enum { ZOID_NESTS_WORD = 64 };

struct zoid_nest_file {
    const struct zoid_tools *tools;
    char path[PATH_MAX], folder[PATH_MAX]; /* folder: of its programs */
    char name[ZOID_NESTS_WORD], type[ZOID_NESTS_WORD];
    int axes;
    char extent[ZOID_AXES][ZOID_NESTS_WORD], steps[ZOID_NESTS_WORD]; /* slowest axis first */
};

/* Return whether a file has a nest; false: also if it cannot be read. */
bool zoid_nests_has(const char *path);
/* Read a nest's meaning. Refused are nests whose extents and steps are no parameters of its
 * function. */
enum zoid_status zoid_nest_open(const struct zoid_tools *tools, const char *path,
                                struct zoid_nest_file *nest);
/* Build its module, which the programs need. */
enum zoid_status zoid_nest_module(const struct zoid_nest_file *nest);
/* Make a program of the nest as it is, FOLDER/plain, and of its module's function, FOLDER/zoid. */
enum zoid_status zoid_nest_plain(const struct zoid_nest_file *nest);
enum zoid_status zoid_nest_zoid(const struct zoid_nest_file *nest);

struct zoid_nest_tiles {
    char way[ZOID_NESTS_WORD]; /* name of the program */
    const char *rows, *tile;   /* as zoid-compile has them */
    bool copies;
    bool made;      /* false: no copies remove what hinders, or there is `same` */
    bool same;      /* the tiles are those of the way `other` */
    char said[128]; /* by PLUTO, where it fails */
};

/* Make a program of the nest in tiles, FOLDER/WAY, and set `made` and `same`. other: or NULL. */
enum zoid_status zoid_nest_tiled(const struct zoid_nest_file *nest, const char *other,
                                 struct zoid_nest_tiles *tiles);

/* Make such a program by polycc of PLUTO, and set `made` and `said`; `rows` is an option of it, or
 * NULL. */
enum zoid_status zoid_nest_pluto(const struct zoid_nest_file *nest, const char *polycc,
                                 struct zoid_nest_tiles *tiles);

struct zoid_nest_run {
    const char *program, *settings; /* settings: ZOID_SETTINGS, or NULL */
    const char *mode;               /* of measure.c, by the values of FOLDER/values */
    const long *n;                  /* slowest axis first */
    long steps;
};

/* Run a program. *same: the arrays are those of the file, or were not compared. */
enum zoid_status zoid_nest_run(const struct zoid_nest_file *nest, const struct zoid_nest_run *run,
                               double *seconds, bool *same);

#endif
