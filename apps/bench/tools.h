/* SPDX-License-Identifier: BSD-3-Clause */
/* The tools that make programs of loop nests, and the folder in which they do. */
#ifndef ZOID_APPS_BENCH_TOOLS_H
#define ZOID_APPS_BENCH_TOOLS_H

#include <limits.h>

#include "apps/cli/path.h"
#include "runtime/zoid_advanced.h"

enum { ZOID_TOOLS_TEXT = 4096, ZOID_TOOLS_WORDS = 8 };

struct zoid_tools {
    char compile[PATH_MAX]; /* zoid-compile, in the folder of this program, or ZOID_COMPILE */
    char share[PATH_MAX];   /* the nests that are installed */
    char cc[PATH_MAX];      /* CC, or gcc; its words: */
    const char *compiler[ZOID_TOOLS_WORDS];
    int words;
    char folder[PATH_MAX]; /* of all that is made; empty: not made */
};

/* Find the tools, and make the folder in TMPDIR; an interrupt from now on ends the tool that runs,
 * with its children, and the tool then fails. ZOID_RESOURCE: a tool is missing. The caller
 * closes *tools, also after a failure. */
enum zoid_status zoid_tools_open(struct zoid_tools *tools);
/* Remove the folder, and raise the signal that has interrupted. */
void zoid_tools_close(struct zoid_tools *tools);
/* Run a program, which has no input, and whose outputs go to FOLDER/out and FOLDER/err. *code: its
 * exit code, or 128 and the signal that has ended it. */
enum zoid_status zoid_tools_run(const char *folder, const char *const argv[], int *code);
/* The same, and fail if the code is not 0. */
enum zoid_status zoid_tools_must(const char *folder, const char *what, const char *const argv[]);
/* Fail, and show the last lines of FOLDER/err; as zoid-compile, if it refuses the file `what`. */
enum zoid_status zoid_tools_complain(const char *folder, const char *tool, const char *what,
                                     int code);
/* Read a file, as far as it fits. */
void zoid_tools_read(const char *path, char text[ZOID_TOOLS_TEXT]);

#endif
